foreach(file test_blender test_three)
  sinew_python_test(actor ${file})
endforeach()
