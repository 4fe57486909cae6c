foreach(file test_bench)
  sinew_python_test(tools ${file})
endforeach()
