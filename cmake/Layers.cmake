# One static library per floor of the house: `sinew_layer(name BELOW floors… LINKS libraries…)` takes all sources of
# src/name. A floor sees the floors below it and the outside libraries that it names, and no others.
function(sinew_sources target folder)
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/${folder}/*.c ${CMAKE_SOURCE_DIR}/${folder}/*.cpp)
  target_sources(${target} PRIVATE ${sources})
endfunction()

function(sinew_layer name)
  cmake_parse_arguments(layer "" "" "BELOW;LINKS" ${ARGN})
  add_library(sinew_${name} STATIC)
  sinew_sources(sinew_${name} src/${name})
  target_include_directories(sinew_${name} PUBLIC ${CMAKE_SOURCE_DIR}/include PRIVATE ${CMAKE_SOURCE_DIR}/src)
  list(TRANSFORM layer_BELOW PREPEND sinew_)
  target_link_libraries(sinew_${name} PUBLIC ${layer_BELOW} PRIVATE sinew_flags ${layer_LINKS})
  if(NOT layer_BELOW)
    target_link_libraries(sinew_${name} PUBLIC m Threads::Threads)
  endif()
endfunction()
