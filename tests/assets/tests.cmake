# Scripts that read the shipped files: nothing in them is for a sanitizer.
if(NOT SINEW_SANITIZE)
  # The shipped characters keep their feet on the ground, their elbows the right way and their wrists thick; planted breaches
  # show that the measuring would notice.
  add_test(NAME assets/clips COMMAND ${Python3_EXECUTABLE} ${CMAKE_SOURCE_DIR}/assets/source/measure_clips.py)
  add_test(NAME assets/self_test
           COMMAND ${Python3_EXECUTABLE} ${CMAKE_SOURCE_DIR}/assets/source/measure_clips.py --self-test)
  # The fox's paws land in the order of its gaits.
  add_test(NAME assets/fox COMMAND ${Python3_EXECUTABLE} ${CMAKE_SOURCE_DIR}/assets/source/measure_fox.py)
  add_test(NAME assets/fox_self_test
           COMMAND ${Python3_EXECUTABLE} ${CMAKE_SOURCE_DIR}/assets/source/measure_fox.py --self-test)
  set_tests_properties(assets/clips assets/self_test assets/fox assets/fox_self_test PROPERTIES TIMEOUT ${sinew_test_seconds})
  sinew_python_test(assets test_formats)
endif()
