# `cmake --install` installs the programs with their files, the module for lua5.4, and libsinew for C with a CMake
# package (find_package(Sinew), Sinew::sinew) and a pkg-config file (sinew).
#
# libsinew is one library, shared and static, so that programs need only its headers and none of its dependencies. It
# contains every floor that needs no GPU, and exports only the names that a public header declares.
include(CMakePackageConfigHelpers)

set(floors base math model import pose skin level actor)
list(TRANSFORM floors PREPEND sinew_ OUTPUT_VARIABLE whole)
string(REPLACE ";" "," whole "${whole}")

file(WRITE ${CMAKE_BINARY_DIR}/nothing.c "typedef int nothing;\n") # a target has a source of its own
add_library(sinew_library SHARED ${CMAKE_BINARY_DIR}/nothing.c)
target_link_libraries(sinew_library PRIVATE sinew_flags sinew_import sinew_level sinew_actor sinew_no_assimp) # and what is beneath them
set_target_properties(sinew_library PROPERTIES LINK_LIBRARY_OVERRIDE "WHOLE_ARCHIVE,${whole}")
target_include_directories(sinew_library INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
set_target_properties(sinew_library PROPERTIES
  OUTPUT_NAME sinew EXPORT_NAME sinew VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR})

# Templates of the C++ library are visible whatever the compiler is told.
if(CMAKE_SYSTEM_NAME STREQUAL "Linux")
  file(WRITE ${CMAKE_BINARY_DIR}/sinew.map "{ global: sinew_*; local: *; };\n")
  target_link_options(sinew_library PRIVATE LINKER:--version-script=${CMAKE_BINARY_DIR}/sinew.map)
endif()

# The static one is a single object, in which every name is local that no public header declares: it can be linked with
# whatever else has a function called `tame`. It needs what Sinew stands on from whoever links it.
find_program(OBJCOPY NAMES ${CMAKE_OBJCOPY} objcopy)
set(static_links "")
foreach(library ${import_libraries})
  list(APPEND static_links ${${library}_LIBRARIES})
endforeach()
list(APPEND static_links m)
if(CMAKE_SYSTEM_NAME STREQUAL "Linux" AND OBJCOPY AND NOT SINEW_SANITIZE AND NOT SINEW_FUZZ)
  set(has_static ON)
  set(objects "")
  foreach(floor ${floors})
    list(APPEND objects $<TARGET_OBJECTS:sinew_${floor}>)
  endforeach()
  foreach(floor import pose skin level)
    foreach(backend fused scalar sse2 avx2 neon)
      if(TARGET sinew_${floor}_${backend})
        list(APPEND objects $<TARGET_OBJECTS:sinew_${floor}_${backend}>)
      endif()
    endforeach()
  endforeach()
  list(APPEND objects $<TARGET_OBJECTS:sinew_no_assimp>)
  set(whole_object ${CMAKE_BINARY_DIR}/libsinew.o)
  file(GENERATE OUTPUT ${CMAKE_BINARY_DIR}/libsinew.rsp CONTENT "$<JOIN:${objects},\n>\n")
  add_custom_command(OUTPUT ${CMAKE_BINARY_DIR}/libsinew.a
    COMMAND ${CMAKE_C_COMPILER} -nostdlib -r -o ${whole_object} @${CMAKE_BINARY_DIR}/libsinew.rsp
    COMMAND ${OBJCOPY} --localize-hidden --wildcard --keep-global-symbol=sinew_* ${whole_object}
    COMMAND ${CMAKE_COMMAND} -E rm -f ${CMAKE_BINARY_DIR}/libsinew.a
    COMMAND ${CMAKE_AR} rcs ${CMAKE_BINARY_DIR}/libsinew.a ${whole_object}
    DEPENDS ${objects} COMMAND_EXPAND_LISTS VERBATIM COMMENT "Putting libsinew.a together")
  add_custom_target(sinew_static ALL DEPENDS ${CMAKE_BINARY_DIR}/libsinew.a)
  install(FILES ${CMAKE_BINARY_DIR}/libsinew.a DESTINATION ${CMAKE_INSTALL_LIBDIR})
endif()

# `require "sinew"` in a Lua program. Lua itself is the program's; the host comes along without a display. Libraries that
# nothing calls are left out: pkg-config names those of the window with Dear ImGui.
add_library(sinew_module MODULE $<TARGET_OBJECTS:sinew_bindings>)
target_link_libraries(sinew_module PRIVATE sinew_flags sinew_host sinew_no_display sinew_import sinew_no_assimp)
set(suffix .so)
if(WIN32) # a DLL names the DLL that it takes Lua from
  set(suffix .dll)
  target_link_libraries(sinew_module PRIVATE Lua::Lua)
endif()
target_link_options(sinew_module PRIVATE $<IF:$<PLATFORM_ID:Darwin>,LINKER:-dead_strip_dylibs,LINKER:--as-needed>)
set_target_properties(sinew_module PROPERTIES OUTPUT_NAME sinew PREFIX "" SUFFIX ${suffix} LINKER_LANGUAGE CXX
  LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lua)

install(TARGETS sinew sinew-import sinew-import-assimp)
install(TARGETS sinew_module DESTINATION lib/lua/5.4)
install(TARGETS sinew_library EXPORT Sinew)
install(DIRECTORY include/sinew DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  PATTERN render.h EXCLUDE PATTERN host.h EXCLUDE PATTERN recording.h EXCLUDE)
install(DIRECTORY assets scripts shaders DESTINATION ${CMAKE_INSTALL_DATADIR}/sinew PATTERN source EXCLUDE PATTERN take.glb EXCLUDE)

set(package ${CMAKE_INSTALL_LIBDIR}/cmake/Sinew)
install(EXPORT Sinew NAMESPACE Sinew:: FILE SinewTargets.cmake DESTINATION ${package})
file(RELATIVE_PATH include_from_lib /${CMAKE_INSTALL_LIBDIR} /${CMAKE_INSTALL_INCLUDEDIR})
configure_file(${CMAKE_CURRENT_LIST_DIR}/SinewConfig.cmake.in ${CMAKE_BINARY_DIR}/SinewConfig.cmake @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/SinewConfig.cmake DESTINATION ${package})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/SinewConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/SinewConfigVersion.cmake DESTINATION ${package})

string(REPLACE ";" " -l" private_links ";${static_links}")
file(RELATIVE_PATH prefix_from_pc /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
configure_file(${CMAKE_CURRENT_LIST_DIR}/sinew.pc.in ${CMAKE_BINARY_DIR}/sinew.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/sinew.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
