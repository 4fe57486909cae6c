# Sanitizers have no say there, and one run for each build kind is enough.
if(NOT SINEW_SANITIZE)
  sinew_python_test(math run_on_arm ${CMAKE_SOURCE_DIR} ${CMAKE_BINARY_DIR}/tests/arm)
endif()
