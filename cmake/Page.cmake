# The module of the web page: build/web/page holds what a web server hands out. `./dev web` makes it.
sinew_host_part(display canvas)
add_executable(sinew_page)
sinew_sources(sinew_page src/page)
target_include_directories(sinew_page PRIVATE src)
target_link_libraries(sinew_page PRIVATE sinew_program sinew_bindings sinew_host sinew_display sinew_import sinew_no_assimp)
# Fonts with just the characters that panels show (src/host/ui/ui.cpp), where ui.cpp looks for them.
find_program(PYFTSUBSET pyftsubset PATHS /usr/bin NO_DEFAULT_PATH)
set(fonts usr/share/fonts/truetype/dejavu)
foreach(font DejaVuSans DejaVuSansMono)
  execute_process(COMMAND ${PYFTSUBSET} /${fonts}/${font}.ttf --output-file=${CMAKE_BINARY_DIR}/${font}.ttf --no-hinting --drop-tables+=GPOS,GSUB,GDEF,kern,name
    --unicodes=20-17f,391-3c9,2010-2027,2030-203a,2190-2195,21b5,2211,2212,221a,221e,2248-2265,2500-2503,250c-2524,25a0-25ff,2713-2717
    OUTPUT_QUIET ERROR_QUIET RESULT_VARIABLE failed)
  if(failed)
    message(FATAL_ERROR "${font} could not be cut to the characters of panels: ./dev web installs fonttools and fonts-dejavu-core")
  endif()
  target_link_options(sinew_page PRIVATE "SHELL:--preload-file ${CMAKE_BINARY_DIR}/${font}.ttf@/${fonts}/${font}.ttf")
endforeach()
set(page_files shaders scripts/sinew)
foreach(folder ${page_files})
  target_link_options(sinew_page PRIVATE "SHELL:--preload-file ${CMAKE_SOURCE_DIR}/${folder}@/sinew/${folder}")
endforeach()
target_link_options(sinew_page PRIVATE
  -Os -sMODULARIZE=1 -sEXPORT_NAME=createSinew -sALLOW_MEMORY_GROWTH=1 -sINITIAL_MEMORY=67108864 -sMAXIMUM_MEMORY=2147483648
  -sTOTAL_STACK=2097152 -sMIN_WEBGL_VERSION=2 -sMAX_WEBGL_VERSION=2 -sEXPORTED_RUNTIME_METHODS=ccall,FS,UTF8ToString
  -sENVIRONMENT=web,worker,node -sFORCE_FILESYSTEM=1)
set_target_properties(sinew_page PROPERTIES OUTPUT_NAME sinew SUFFIX .js RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/page)
