# The shipped characters keep their feet on the ground, their elbows the right way and their wrists thick; planted breaches
# show that the measuring would notice.
add_test(NAME assets/clips COMMAND ${Python3_EXECUTABLE} ${CMAKE_SOURCE_DIR}/assets/source/measure_clips.py)
add_test(NAME assets/self_test
         COMMAND ${Python3_EXECUTABLE} ${CMAKE_SOURCE_DIR}/assets/source/measure_clips.py --self-test)
set_tests_properties(assets/clips assets/self_test PROPERTIES TIMEOUT 300)
sinew_python_test(assets test_formats)
