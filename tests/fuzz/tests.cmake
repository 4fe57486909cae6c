# The fuzz targets as tests: what their corpus holds, and some made-up inputs, in every build.
file(GLOB fuzz_sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/fuzz/fuzz_*.c)
foreach(source ${fuzz_sources})
  get_filename_component(name ${source} NAME_WE)
  string(REPLACE "fuzz_" "" short ${name})
  add_executable(replay_${short} ${source} ${CMAKE_CURRENT_SOURCE_DIR}/fuzz/replay.c)
  target_include_directories(replay_${short} PRIVATE ${CMAKE_SOURCE_DIR}/src ${CMAKE_CURRENT_SOURCE_DIR})
  target_link_libraries(replay_${short} PRIVATE sinew_program sinew_test_flags sinew_host sinew_no_display sinew_import sinew_assimp sinew_skin Cjson::Cjson)
  set_target_properties(replay_${short} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
  sinew_add_test(fuzz/${short} replay_${short} ${CMAKE_CURRENT_SOURCE_DIR}/fuzz/corpus/${short})
endforeach()

# The fuzzer of the API (api/fuzz_api.py) and what lives through its cases.
add_executable(fuzz_api_runner ${CMAKE_CURRENT_SOURCE_DIR}/fuzz/api/runner.c)
target_link_libraries(fuzz_api_runner PRIVATE sinew_program sinew_test_flags sinew_bindings sinew_host sinew_display
                                              sinew_import sinew_no_assimp Lua::Lua)
target_include_directories(fuzz_api_runner PRIVATE ${CMAKE_SOURCE_DIR}/bindings)
set_target_properties(fuzz_api_runner PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
# The thread sanitizer delivers signals at system calls only: the planted hang, which makes none, would never end.
if(NOT SINEW_SANITIZE MATCHES "thread")
  sinew_python_test(fuzz test_fuzz_api $<TARGET_FILE:fuzz_api_runner>)
  sinew_python_test(fuzz test_hostile $<TARGET_FILE:fuzz_api_runner>)
  set_tests_properties(fuzz/test_hostile PROPERTIES TIMEOUT 1200)
endif()

# Some seconds of it where sanitizers look on, else a few cases; the same ones each time. `./dev fuzz api` goes on, and reaches
# nine of ten entries. The thread sanitizer makes a frame with many joints slower than the hang that is looked for.
if(SINEW_SANITIZE MATCHES "address")
  set(fuzz_api_amount --seconds 7 --least 0.5)
elseif(SINEW_SANITIZE MATCHES "thread")
  set(fuzz_api_amount --cases 5 --hang 200)
else()
  set(fuzz_api_amount --cases 20)
endif()
sinew_add_test(fuzz/api ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/fuzz/api/fuzz_api.py
               $<TARGET_FILE:fuzz_api_runner> --jobs 1 --large 0.05 --found ${CMAKE_BINARY_DIR}/tests/fuzz_api ${fuzz_api_amount})
set_tests_properties(fuzz/api PROPERTIES TIMEOUT 900)
