# Sanitizers have no say there, and one run for each build kind is enough.
if(NOT SINEW_SANITIZE)
  foreach(target arm windows)
    sinew_add_test(math/run_on_${target} ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/math/run_elsewhere.py
      ${CMAKE_SOURCE_DIR} ${CMAKE_BINARY_DIR}/tests/${target} ${target})
  endforeach()
endif()
