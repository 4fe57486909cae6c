# Optimised code without sanitizers: anything else has other instructions.
if(CMAKE_BUILD_TYPE STREQUAL "Release" AND NOT SINEW_SANITIZE)
  add_executable(skin_instruction_count ${CMAKE_CURRENT_LIST_DIR}/instruction_count.c)
  target_include_directories(skin_instruction_count PRIVATE ${CMAKE_SOURCE_DIR}/src ${CMAKE_SOURCE_DIR}/tests)
  target_link_libraries(skin_instruction_count PRIVATE sinew_program sinew_test_flags PkgConfig::Cmocka sinew_skin)
  set_target_properties(skin_instruction_count PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
  sinew_python_test(skin instruction_count $<TARGET_FILE:skin_instruction_count>)
endif()
