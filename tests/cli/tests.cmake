foreach(file test_arguments test_info test_pack test_pose test_bad_files test_bad_scenes test_pictures test_view test_new test_cook test_files test_bake test_test test_terminal test_console test_replay window/test_window_saves window/test_tellings window/test_window_log window/test_window_view window/test_window_hands test_locomotion test_listings test_bench)
  sinew_python_test(cli ${file})
endforeach()
