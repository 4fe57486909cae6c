# What `cmake --install` leaves: the programs with their files, the module for lua5.4, and libsinew for C with a CMake
# package (find_package(Sinew), Sinew::sinew) and a pkg-config file (sinew).
#
# libsinew is one shared library, so that who links it needs its headers and nothing that is beneath it: every floor
# that needs no GPU, and of their names those that a public header declares.
include(CMakePackageConfigHelpers)

set(whole sinew_base sinew_math sinew_model sinew_import sinew_pose sinew_skin sinew_actor)
string(REPLACE ";" "," whole "${whole}")

file(WRITE ${CMAKE_BINARY_DIR}/nothing.c "typedef int nothing;\n") # a target has a source of its own
add_library(sinew_library SHARED ${CMAKE_BINARY_DIR}/nothing.c)
target_link_libraries(sinew_library PRIVATE sinew_flags sinew_import sinew_actor) # and what is beneath them
set_target_properties(sinew_library PROPERTIES LINK_LIBRARY_OVERRIDE "WHOLE_ARCHIVE,${whole}")
target_include_directories(sinew_library INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
set_target_properties(sinew_library PROPERTIES
  OUTPUT_NAME sinew EXPORT_NAME sinew VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR})

# `require "sinew"` in a Lua program. Lua itself is the program's; the host comes along without a display. Libraries that
# nothing calls are left out: pkg-config names those of the window with Dear ImGui.
add_library(sinew_module MODULE $<TARGET_OBJECTS:sinew_bindings>)
target_link_libraries(sinew_module PRIVATE sinew_flags sinew_host sinew_no_display sinew_import)
set(suffix .so)
if(WIN32) # a DLL names the DLL that it takes Lua from
  set(suffix .dll)
  target_link_libraries(sinew_module PRIVATE Lua::Lua)
endif()
target_link_options(sinew_module PRIVATE $<IF:$<PLATFORM_ID:Darwin>,LINKER:-dead_strip_dylibs,LINKER:--as-needed>)
set_target_properties(sinew_module PROPERTIES OUTPUT_NAME sinew PREFIX "" SUFFIX ${suffix} LINKER_LANGUAGE CXX
  LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lua)

install(TARGETS sinew sinew-import)
install(TARGETS sinew_module DESTINATION lib/lua/5.4)
install(TARGETS sinew_library EXPORT Sinew)
install(DIRECTORY include/sinew DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  PATTERN render.h EXCLUDE PATTERN host.h EXCLUDE)
install(DIRECTORY assets scripts shaders DESTINATION ${CMAKE_INSTALL_DATADIR}/sinew PATTERN source EXCLUDE PATTERN take.glb EXCLUDE)

set(package ${CMAKE_INSTALL_LIBDIR}/cmake/Sinew)
install(EXPORT Sinew NAMESPACE Sinew:: FILE SinewConfig.cmake DESTINATION ${package})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/SinewConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/SinewConfigVersion.cmake DESTINATION ${package})

file(RELATIVE_PATH prefix_from_pc /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
configure_file(${CMAKE_CURRENT_LIST_DIR}/sinew.pc.in ${CMAKE_BINARY_DIR}/sinew.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/sinew.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
