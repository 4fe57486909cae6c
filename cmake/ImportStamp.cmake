# Adds a source to sinew_import with a hash over all that decides what an import gives, so that a model that another
# build of Sinew left in the cache is not taken for this one's. Run by `cmake -P` at build time, it writes that source.
set(stamped_folders include/sinew src/base src/math src/model src/import)

function(sinew_stamped_sources result root)
  set(found "")
  foreach(folder ${stamped_folders})
    file(GLOB_RECURSE files ${root}/${folder}/*.c ${root}/${folder}/*.h)
    list(APPEND found ${files})
  endforeach()
  set(${result} ${found} PARENT_SCOPE)
endfunction()

if(CMAKE_SCRIPT_MODE_FILE)
  sinew_stamped_sources(sources ${ROOT})
  set(hashes "")
  foreach(file ${sources})
    file(SHA256 ${file} hash)
    string(APPEND hashes ${hash})
  endforeach()
  string(SHA256 stamp "${ASSIMP}${hashes}")
  string(SUBSTRING ${stamp} 0 16 stamp)
  file(WRITE ${OUTPUT} "extern const char import_stamp[];\nconst char import_stamp[] = \"${stamp}\";\n")
else()
  sinew_stamped_sources(sources ${CMAKE_SOURCE_DIR})
  set(output ${CMAKE_BINARY_DIR}/import_stamp.c)
  add_custom_command(
    OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -DROOT=${CMAKE_SOURCE_DIR} -DASSIMP=${Assimp_VERSION} -DOUTPUT=${output} -P ${CMAKE_CURRENT_LIST_FILE}
    DEPENDS ${sources} ${CMAKE_CURRENT_LIST_FILE}
    COMMENT "Stamping the importer" VERBATIM)
  target_sources(sinew_import PRIVATE ${output})
endif()
