# The outside libraries of the page, built from the distribution's source packages (`./dev web` unpacks them into
# SINEW_WEB_SOURCES). The same targets as in Dependencies.cmake, but for what a browser has itself: windows and files.
# -O3 makes the module a tenth larger, and no scene faster.
set(CMAKE_C_FLAGS_RELEASE "-O2 -DNDEBUG")
set(CMAKE_CXX_FLAGS_RELEASE "-Os -DNDEBUG")
set(SINEW_WEB_SOURCES ${CMAKE_BINARY_DIR}/sources CACHE PATH "Folder of the unpacked source packages")

# name: the target's name; folder: the package; then patterns of its sources. Their warnings are not ours.
function(sinew_web_library name folder)
  cmake_parse_arguments(library "" "" "EXCLUDE;INCLUDE;DEFINE" ${ARGN})
  set(root ${SINEW_WEB_SOURCES}/${folder})
  list(TRANSFORM library_UNPARSED_ARGUMENTS PREPEND ${root}/)
  file(GLOB sources ${library_UNPARSED_ARGUMENTS})
  foreach(pattern ${library_EXCLUDE})
    list(FILTER sources EXCLUDE REGEX "${pattern}")
  endforeach()
  if(NOT sources)
    message(FATAL_ERROR "${root} has no sources: ./dev web unpacks them")
  endif()
  list(TRANSFORM library_INCLUDE PREPEND ${root}/)
  string(TOLOWER sinew_web_${name} target)
  add_library(${target} STATIC ${sources})
  target_compile_options(${target} PRIVATE -w -Os)
  target_compile_definitions(${target} PRIVATE ${library_DEFINE})
  target_include_directories(${target} SYSTEM PUBLIC ${library_INCLUDE})
  add_library(${name}::${name} ALIAS ${target})
endfunction()

sinew_web_library(Lua lua5.4 src/*.c EXCLUDE "/(lua|luac|ltests|onelua)[.]c$" INCLUDE src)
file(WRITE ${CMAKE_BINARY_DIR}/lua/lua5.4-deb-multiarch.h "#define DEB_HOST_MULTIARCH \"wasm32-emscripten\"\n") # Debian's Lua asks
target_include_directories(sinew_web_lua SYSTEM PUBLIC ${CMAKE_BINARY_DIR}/lua)
sinew_web_library(Cjson cjson cJSON.c INCLUDE .)
file(CREATE_LINK ${SINEW_WEB_SOURCES}/cjson ${SINEW_WEB_SOURCES}/cjson/cjson SYMBOLIC)
sinew_web_library(Zlib zlib adler32.c crc32.c inf*.c uncompr.c zutil.c INCLUDE .)
sinew_web_library(Meshoptimizer meshoptimizer src/*.cpp INCLUDE src)
sinew_web_library(Imgui imgui imgui*.cpp EXCLUDE "imgui_demo" INCLUDE . DEFINE IMGUI_DISABLE_DEMO_WINDOWS)
sinew_web_library(Webp libwebp src/dec/*.c src/dsp/*.c src/utils/*.c EXCLUDE "(_enc|enc_|/enc|ssim|cost)[a-z0-9_]*[.]c$"
                  INCLUDE . src)
file(WRITE ${CMAKE_BINARY_DIR}/draco/draco/draco_features.h "#define DRACO_MESH_COMPRESSION_SUPPORTED
#define DRACO_NORMAL_ENCODING_SUPPORTED
#define DRACO_STANDARD_EDGEBREAKER_SUPPORTED
#define DRACO_ATTRIBUTE_INDICES_DEDUPLICATION_SUPPORTED
#define DRACO_ATTRIBUTE_VALUES_DEDUPLICATION_SUPPORTED
")
sinew_web_library(Draco draco src/draco/attributes/*.cc src/draco/compression/*.cc src/draco/compression/*/*.cc
                  src/draco/compression/*/*/*.cc src/draco/core/*.cc src/draco/mesh/*.cc src/draco/metadata/*.cc
                  src/draco/point_cloud/*.cc EXCLUDE "_test" "/encode" "encod" "expert" INCLUDE src)
target_include_directories(sinew_web_draco SYSTEM PUBLIC ${CMAKE_BINARY_DIR}/draco)

find_path(STB_INCLUDE stb_image.h PATHS /usr/include/stb NO_CMAKE_FIND_ROOT_PATH)
find_path(CGLM_INCLUDE cglm/cglm.h PATHS /usr/include NO_CMAKE_FIND_ROOT_PATH)
# Only these headers: the others of /usr/include are this machine's.
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/stb ${CMAKE_BINARY_DIR}/cglm)
file(CREATE_LINK ${STB_INCLUDE} ${CMAKE_BINARY_DIR}/stb/stb SYMBOLIC)
file(CREATE_LINK ${CGLM_INCLUDE}/cglm ${CMAKE_BINARY_DIR}/cglm/cglm SYMBOLIC)
add_library(Stb::Image INTERFACE IMPORTED)
target_include_directories(Stb::Image SYSTEM INTERFACE ${CMAKE_BINARY_DIR}/stb/stb)
add_library(Cglm::Cglm INTERFACE IMPORTED)
target_include_directories(Cglm::Cglm SYSTEM INTERFACE ${CMAKE_BINARY_DIR}/cglm)
