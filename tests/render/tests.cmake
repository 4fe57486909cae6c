# Where a failing picture test leaves its pictures, and the reader of the stored one.
foreach(name draw views)
  if(TARGET render_${name})
    target_compile_definitions(render_${name} PRIVATE SINEW_BUILD="${CMAKE_BINARY_DIR}"
      SINEW_REFERENCE="${CMAKE_CURRENT_LIST_DIR}/reference")
    target_link_libraries(render_${name} PRIVATE Stb::Image)
  endif()
endforeach()

# The same on the least OpenGL that is promised and on a late one; Mesa takes the version from the environment, and where
# a driver does not, the test is skipped.
foreach(version 3.3 4.5)
  foreach(name readback draw draw_list skinning views)
    if(TARGET render_${name} AND NOT SINEW_SANITIZE)
      sinew_add_test(render/test_${name}_gl${version} render_${name})
      set_property(TEST render/test_${name}_gl${version} APPEND PROPERTY ENVIRONMENT
        "MESA_GL_VERSION_OVERRIDE=${version}" "SINEW_TEST_GL=${version}")
    endif()
  endforeach()
endforeach()

# The same in OpenGL ES.
foreach(name readback draw skinning views overlay_pass line_pass fading)
  if(TARGET render_${name} AND NOT SINEW_SANITIZE)
    sinew_add_test(render/test_${name}_es render_${name})
    set_property(TEST render/test_${name}_es APPEND PROPERTY ENVIRONMENT "SINEW_GL_ES=1" "SINEW_TEST_GL=OpenGL ES 3")
  endif()
endforeach()
sinew_python_test(render test_gltf_features)
