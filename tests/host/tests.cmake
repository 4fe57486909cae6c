# Where a failing picture test leaves its pictures, and a reader of the stored ones beside the importer's own.
if(TARGET host_view_pictures)
  target_compile_definitions(host_view_pictures PRIVATE SINEW_BUILD="${CMAKE_BINARY_DIR}"
    SINEW_REFERENCE="${CMAKE_CURRENT_LIST_DIR}/reference" STB_IMAGE_STATIC STB_IMAGE_WRITE_STATIC)
  target_compile_options(host_view_pictures PRIVATE -Wno-unused-function)
  target_link_libraries(host_view_pictures PRIVATE Stb::Image sinew_glad)
endif()
if(TARGET host_host)
  add_dependencies(host_host sinew-import)
  target_compile_definitions(host_host PRIVATE TEST_IMPORT="$<TARGET_FILE:sinew-import>")
endif()
