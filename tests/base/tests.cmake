# Without sanitizers, which need address space: its limit is one of the things that are tested.
add_executable(sinew_test_child ${CMAKE_CURRENT_SOURCE_DIR}/base/child.c)
set_target_properties(sinew_test_child PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
target_compile_definitions(sinew_test_child PRIVATE _POSIX_C_SOURCE=200809L _DEFAULT_SOURCE)
add_dependencies(base_process sinew_test_child)
target_compile_definitions(base_process PRIVATE TEST_CHILD="$<TARGET_FILE:sinew_test_child>")
