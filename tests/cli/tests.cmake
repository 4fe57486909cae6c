foreach(file test_arguments test_info test_pack test_pose test_bad_files test_bad_scenes mistakes/test_wrong_scenes mistakes/test_stub_types test_pictures test_budgets test_view test_new test_cook test_files test_bake test_test test_terminal test_console test_replay test_quality window/test_window_saves window/test_tellings window/test_window_log window/test_window_view window/test_window_hands window/test_window_past window/test_window_person test_locomotion test_listings)
  sinew_python_test(cli ${file})
endforeach()

# A gamepad for a window, where there is none to hold: in the place of GLFW's, so GLFW must be a shared library.
if(UNIX AND NOT APPLE AND NOT SINEW_SANITIZE)
  add_library(virtual_pad MODULE ${CMAKE_CURRENT_SOURCE_DIR}/cli/window/virtual_pad.c)
  target_link_libraries(virtual_pad PRIVATE PkgConfig::Glfw)
  set_target_properties(virtual_pad PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests C_VISIBILITY_PRESET default)
  set_property(TEST cli/test_window_past APPEND PROPERTY ENVIRONMENT "SINEW_VIRTUAL_PAD_LIBRARY=$<TARGET_FILE:virtual_pad>")
endif()

# Calls that fail (fail_nth.c): preloaded, so that libraries and the program alike meet them.
if(UNIX AND NOT APPLE AND NOT SINEW_SANITIZE)
  add_library(fail_nth MODULE ${CMAKE_CURRENT_SOURCE_DIR}/cli/faults/fail_nth.c)
  set_target_properties(fail_nth PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests C_VISIBILITY_PRESET default
    C_EXTENSIONS ON)
  target_link_libraries(fail_nth PRIVATE ${CMAKE_DL_LIBS})
  add_executable(fault_scene ${CMAKE_CURRENT_SOURCE_DIR}/cli/faults/fault_scene.c)
  target_link_libraries(fault_scene PRIVATE sinew_program sinew_bindings sinew_host sinew_display sinew_import sinew_no_assimp Lua::Lua)
  set_target_properties(fault_scene PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
  sinew_python_test(cli faults/test_faults $<TARGET_FILE:fail_nth> $<TARGET_FILE:fault_scene>)
endif()
