foreach(file test_bench test_quality)
  sinew_python_test(tools ${file})
endforeach()
