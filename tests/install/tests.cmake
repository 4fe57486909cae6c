sinew_python_test(install test_install ${CMAKE_COMMAND} ${CMAKE_BINARY_DIR} ${CMAKE_C_COMPILER} ${CMAKE_CXX_COMPILER} ${CMAKE_NM}
  "--sanitize=${SINEW_SANITIZE}")
sinew_python_test(install test_exercised)
sinew_python_test(install test_bundle)
