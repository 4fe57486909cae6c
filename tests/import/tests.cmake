sinew_python_test(import test_reference_models)
foreach(test import_worker import_background import_hostile_names)
  add_dependencies(${test} sinew_test_child sinew-import)
  target_compile_definitions(${test} PRIVATE
    TEST_CHILD="$<TARGET_FILE:sinew_test_child>" TEST_IMPORT="$<TARGET_FILE:sinew-import>")
endforeach()
sinew_python_test(import test_hostile_models)
