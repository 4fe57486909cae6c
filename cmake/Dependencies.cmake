# Every outside library, found once, with a sentence for whatever is missing. One target each: Name::Name.
find_package(Threads REQUIRED)
include(CheckCSourceCompiles)

function(sinew_missing name debian why)
  message(FATAL_ERROR "${name} was not found: ${why}. On Debian and Ubuntu: apt-get install ${debian} "
                      "(./dev build installs everything that is missing).")
endfunction()

# name: the target's name; module: pkg-config's word; debian: the package.
find_package(PkgConfig)
if(NOT PkgConfig_FOUND)
  sinew_missing("pkg-config" "pkg-config" "it finds the other libraries")
endif()
function(sinew_pkg name module debian why)
  pkg_check_modules(${name} QUIET IMPORTED_TARGET GLOBAL ${module})
  if(NOT ${name}_FOUND)
    string(REGEX REPLACE ">=.*" "" bare "${module}")
    pkg_check_modules(${name}_found QUIET ${bare})
    set(what "${name} (${module})")
    if(${name}_found_FOUND)
      string(APPEND what ", only ${${name}_found_VERSION} is here and so it")
    endif()
    sinew_missing("${what}" ${debian} "${why}")
  endif()
  message(STATUS "${name} ${${name}_VERSION}: ${why}")
  add_library(${name}::${name} ALIAS PkgConfig::${name})
endfunction()

sinew_pkg(Assimp "assimp>=5.2" libassimp-dev "it reads model files")
sinew_pkg(Cjson "libcjson" libcjson-dev "it reads the JSON of glTF")
sinew_pkg(Lua "lua5.4" liblua5.4-dev "it runs scenes")
# Lua as a shared library takes an eighth longer, so programs have it inside where there is an archive; all of it, since
# native modules of trusted scenes take it from there.
find_library(LUA_ARCHIVE NAMES liblua5.4.a liblua.a HINTS ${Lua_LIBRARY_DIRS} ${Lua_LIBDIR})
if(LUA_ARCHIVE AND CMAKE_SYSTEM_NAME STREQUAL "Linux")
  set(CMAKE_REQUIRED_INCLUDES ${Lua_INCLUDE_DIRS})
  set(CMAKE_REQUIRED_LIBRARIES -Wl,--whole-archive ${LUA_ARCHIVE} -Wl,--no-whole-archive m ${CMAKE_DL_LIBS})
  check_c_source_compiles("#include <lauxlib.h>\nint main(void) { return luaL_newstate() == 0; }" LUA_ARCHIVE_LINKS)
  if(LUA_ARCHIVE_LINKS)
    set_property(TARGET PkgConfig::Lua PROPERTY INTERFACE_LINK_LIBRARIES "${CMAKE_REQUIRED_LIBRARIES}")
  endif()
  unset(CMAKE_REQUIRED_INCLUDES)
  unset(CMAKE_REQUIRED_LIBRARIES)
endif()
sinew_pkg(Glfw "glfw3>=3.3" libglfw3-dev "it opens windows")
if(NOT APPLE AND NOT WIN32)
  set(has_egl ON)
endif()
option(SINEW_EGL "Draw pictures through EGL; OFF: through a window that is never shown" ${has_egl})
if(SINEW_EGL)
  sinew_pkg(Egl "egl" libegl-dev "it draws without a display")
endif()
sinew_pkg(Libuv "libuv" libuv1-dev "it watches files")

# Homebrew's and MSYS2's come without a word for pkg-config.
pkg_check_modules(Imgui QUIET IMPORTED_TARGET GLOBAL imgui)
find_path(IMGUI_INCLUDE imgui.h PATH_SUFFIXES imgui)
find_library(IMGUI_LIBRARY imgui)
if(NOT Imgui_FOUND AND IMGUI_INCLUDE AND IMGUI_LIBRARY)
  add_library(Imgui::Imgui UNKNOWN IMPORTED)
  set_target_properties(Imgui::Imgui PROPERTIES IMPORTED_LOCATION ${IMGUI_LIBRARY} INTERFACE_INCLUDE_DIRECTORIES ${IMGUI_INCLUDE})
else()
  sinew_pkg(Imgui "imgui" libimgui-dev "it draws panels")
endif()

find_path(STB_INCLUDE stb_image.h PATH_SUFFIXES stb)
if(NOT STB_INCLUDE)
  sinew_missing("stb" libstb-dev "it reads and writes pictures")
endif()
add_library(Stb::Image INTERFACE IMPORTED)
target_include_directories(Stb::Image SYSTEM INTERFACE ${STB_INCLUDE})

find_path(CGLM_INCLUDE cglm/cglm.h)
if(NOT CGLM_INCLUDE)
  sinew_missing("cglm" libcglm-dev "camera and light matrices")
endif()
add_library(Cglm::Cglm INTERFACE IMPORTED)
target_include_directories(Cglm::Cglm SYSTEM INTERFACE ${CGLM_INCLUDE})

# The OpenGL loader is generated at build time.
find_program(GLAD glad)
if(NOT GLAD)
  sinew_missing("glad 2" "python3-glad python3-jinja2" "it generates the OpenGL loader")
endif()
execute_process(COMMAND ${GLAD} --help OUTPUT_VARIABLE glad_help ERROR_VARIABLE glad_help)
if(NOT glad_help MATCHES "--merge") # an option that came with glad 2
  sinew_missing("glad 2 (${GLAD} is glad 1, or cannot run)" "python3-glad python3-jinja2"
                "it generates the OpenGL loader")
endif()
set(glad_folder ${CMAKE_BINARY_DIR}/glad)
add_custom_command(
  OUTPUT ${glad_folder}/src/gl.c ${glad_folder}/include/glad/gl.h
  COMMAND ${GLAD} --quiet --reproducible --api gl:core=4.3 --extensions GL_KHR_debug --out-path ${glad_folder} c
  COMMENT "Generating the OpenGL loader" VERBATIM)
add_library(sinew_glad STATIC ${glad_folder}/src/gl.c)
target_include_directories(sinew_glad SYSTEM PUBLIC ${glad_folder}/include)
add_library(Glad::Glad ALIAS sinew_glad)
