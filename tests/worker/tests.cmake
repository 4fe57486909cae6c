sinew_tests(worker sinew_base)
target_sources(worker_confine PRIVATE ${CMAKE_SOURCE_DIR}/src/worker/confine.c)
