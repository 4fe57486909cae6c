# One static library per floor of the house: `sinew_layer(name BELOW floors… LINKS libraries…)` takes all sources of
# src/name. A floor sees the floors below it and the outside libraries that it names, and no others.
# All sources of a folder and its rooms, but for those that are built another way: once for each backend, system or display.
function(sinew_sources target folder)
  set(root ${CMAKE_SOURCE_DIR}/${folder})
  file(GLOB_RECURSE sources RELATIVE ${root} CONFIGURE_DEPENDS ${root}/*.c ${root}/*.cpp)
  list(FILTER sources EXCLUDE REGEX "^(kernels|display|no_assimp|source/(no_)?assimp)/|(^|/)(posix|windows)/")
  list(TRANSFORM sources PREPEND ${root}/)
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

# What window.h and offscreen.h of src/host/display declare, as objects that a program links beside sinew_host: files of
# that folder.
function(sinew_host_part name)
  cmake_parse_arguments(part "" "" "LINKS" ${ARGN})
  list(TRANSFORM part_UNPARSED_ARGUMENTS REPLACE "(.+)" "${CMAKE_SOURCE_DIR}/src/host/display/\\1.c" OUTPUT_VARIABLE sources)
  add_library(sinew_${name} OBJECT ${sources})
  target_include_directories(sinew_${name} PRIVATE ${CMAKE_SOURCE_DIR}/include ${CMAKE_SOURCE_DIR}/src)
  target_link_libraries(sinew_${name} PRIVATE sinew_flags ${part_LINKS})
endfunction()

# A folder of src/import/source as objects that a program links beside sinew_import.
function(sinew_import_part name)
  cmake_parse_arguments(part "" "" "LINKS" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/import/source/${name}/*.c)
  add_library(sinew_${name} OBJECT ${sources})
  target_include_directories(sinew_${name} PRIVATE ${CMAKE_SOURCE_DIR}/include ${CMAKE_SOURCE_DIR}/src)
  target_link_libraries(sinew_${name} PRIVATE sinew_flags ${part_LINKS})
endfunction()

# The sources of src/NAME/kernels, compiled once for each backend of src/math/lanes.h that this processor family may have.
function(sinew_kernels name)
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/${name}/kernels/*.c)
  set(backends scalar)
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    list(APPEND backends sse2 avx2)
  elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "aarch64|arm64")
    list(APPEND backends neon)
  endif()
  foreach(backend ${backends})
    set(kernels sinew_${name}_${backend})
    string(TOUPPER LANES_${backend} macro)
    add_library(${kernels} OBJECT ${sources})
    target_compile_definitions(${kernels} PRIVATE ${macro} LANES_SUFFIX=${backend})
    target_compile_options(${kernels} PRIVATE $<$<STREQUAL:${backend},avx2>:-mavx2$<SEMICOLON>-mfma>)
    if(MINGW AND backend STREQUAL "avx2") # the stack is aligned to 16 bytes there, and gcc takes it for 32
      target_compile_options(${kernels} PRIVATE -Wa,-muse-unaligned-vector-move)
    endif()
    target_include_directories(${kernels} PRIVATE ${CMAKE_SOURCE_DIR}/include ${CMAKE_SOURCE_DIR}/src)
    target_link_libraries(${kernels} PRIVATE sinew_flags)
    if(SINEW_FUZZ) # clang takes three quarters of an hour for them; the address sanitizer's own build has them
      target_link_libraries(${kernels} PRIVATE sinew_not_sanitized)
    endif()
    target_sources(sinew_${name} PRIVATE $<TARGET_OBJECTS:${kernels}>)
  endforeach()
endfunction()
