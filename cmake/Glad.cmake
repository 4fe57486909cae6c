# The OpenGL loader is generated at build time.
find_program(GLAD glad)
if(NOT GLAD)
  sinew_missing("glad 2" "python3-glad python3-jinja2" "it generates the OpenGL loader")
endif()
execute_process(COMMAND ${GLAD} --help OUTPUT_VARIABLE glad_help ERROR_VARIABLE glad_help)
if(NOT glad_help MATCHES "--merge") # an option that came with glad 2
  sinew_missing("glad 2 (${GLAD} is glad 1, or cannot run)" "python3-glad python3-jinja2"
                "it generates the OpenGL loader")
endif()
set(glad_folder ${CMAKE_BINARY_DIR}/glad)
add_custom_command(
  OUTPUT ${glad_folder}/src/gl.c ${glad_folder}/include/glad/gl.h
  COMMAND ${GLAD} --quiet --reproducible --merge --api gl:core=4.3,gles2=3.0 --extensions GL_KHR_debug --out-path ${glad_folder} c
  COMMENT "Generating the OpenGL loader" VERBATIM)
add_library(sinew_glad STATIC ${glad_folder}/src/gl.c)
target_include_directories(sinew_glad SYSTEM PUBLIC ${glad_folder}/include)
add_library(Glad::Glad ALIAS sinew_glad)
