# Where a failing picture test leaves its pictures, and the reader of the stored one.
if(TARGET render_draw)
  target_compile_definitions(render_draw PRIVATE SINEW_BUILD="${CMAKE_BINARY_DIR}")
  target_link_libraries(render_draw PRIVATE Stb::Image)
endif()
