# One interface target with the flags that every file of ours is compiled with.
add_library(sinew_flags INTERFACE)
target_compile_definitions(sinew_flags INTERFACE
  _POSIX_C_SOURCE=200809L _DEFAULT_SOURCE
  SINEW_VERSION="${PROJECT_VERSION}"
  SINEW_INSTALLED_HOME="${CMAKE_INSTALL_FULL_DATADIR}/sinew")

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Release, Debug, RelWithDebInfo or Sanitized" FORCE)
endif()
# Sanitized: fast to build, fast enough to run, with line numbers in the reports.
set(CMAKE_C_FLAGS_SANITIZED "-O1 -g1")
set(CMAKE_CXX_FLAGS_SANITIZED "-O1 -g1")

# -ffp-contract=off: gcc would fuse a·b + c where the target has fma, and results would differ between builds.
set(strict -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wdouble-promotion)
target_compile_options(sinew_flags INTERFACE
  -ffp-contract=off ${strict}
  $<$<COMPILE_LANGUAGE:C>:-Wmissing-prototypes$<SEMICOLON>-Wstrict-prototypes>
  $<$<BOOL:${SINEW_WERROR}>:-Werror>)

# Against mistakes of ours: a written-over return address or buffer ends the program, and no table of addresses can be changed
# after its start. Sanitizers have stricter checks of their own; checks of buffers need an optimiser.
if(CMAKE_SYSTEM_NAME STREQUAL "Linux" AND NOT SINEW_SANITIZE)
  target_compile_options(sinew_flags INTERFACE -fstack-protector-strong
    $<$<CONFIG:Release,RelWithDebInfo>:-U_FORTIFY_SOURCE$<SEMICOLON>-D_FORTIFY_SOURCE=2>)
  target_link_options(sinew_flags INTERFACE LINKER:-z,relro,-z,now,-z,noexecstack)
endif()

# Draco is built without run-time types, which the check of virtual calls looks at.
if(SINEW_SANITIZE MATCHES "undefined")
  set(draco_reader ${CMAKE_SOURCE_DIR}/src/import/source/gltf/geometry/gltf_draco.cpp)
  if(NOT EXISTS ${draco_reader}) # without this CMake would take any path
    message(FATAL_ERROR "cmake/Flags.cmake names ${draco_reader}, which is not there")
  endif()
  set_source_files_properties(${draco_reader} PROPERTIES COMPILE_OPTIONS -fno-sanitize=vptr)
endif()

if(SINEW_SANITIZE)
  string(REPLACE ";" "," sanitizers "${SINEW_SANITIZE}")
  target_compile_options(sinew_flags INTERFACE -fsanitize=${sanitizers} -fno-omit-frame-pointer
    $<$<NOT:$<STREQUAL:${SINEW_SANITIZE},thread>>:-fno-sanitize-recover=all>)
  target_link_options(sinew_flags INTERFACE -fsanitize=${sanitizers})
  target_link_options(sinew_flags INTERFACE -Wl,--export-dynamic-symbol=dlclose)
endif()

# For what links them after sinew_flags.
add_library(sinew_not_sanitized INTERFACE)
target_compile_options(sinew_not_sanitized INTERFACE -fno-sanitize=all)
add_library(sinew_no_stack_protector INTERFACE)
target_compile_options(sinew_no_stack_protector INTERFACE -fno-stack-protector)

# mingw-w64's gcc takes printf for the one of old Windows, where %zu was unknown, and isfinite of a double for one of a float.
if(MINGW)
  target_compile_definitions(sinew_flags INTERFACE __USE_MINGW_ANSI_STDIO=1)
  target_compile_options(sinew_flags INTERFACE -Wno-format -Wno-float-conversion
    $<$<COMPILE_LANGUAGE:C>:SHELL:-include ${CMAKE_SOURCE_DIR}/src/base/windows/posix.h>)
endif()

# Times of files to the nanosecond, and what else macOS has besides POSIX.
if(APPLE)
  target_compile_definitions(sinew_flags INTERFACE _DARWIN_C_SOURCE st_mtim=st_mtimespec st_ctim=st_ctimespec)
endif()

# Libraries that every program of ours links besides its floors.
add_library(sinew_program INTERFACE)
target_link_libraries(sinew_program INTERFACE sinew_flags)
if(SINEW_SANITIZE)
  target_sources(sinew_program INTERFACE ${CMAKE_CURRENT_LIST_DIR}/keep_open.c)
endif()
# The address sanitizer keeps a table of all globals. At a fixed place its addresses need no relocation at each start, and tests start
# programs by the thousand.
if(SINEW_SANITIZE MATCHES "address" AND NOT SINEW_FUZZ AND CMAKE_SYSTEM_NAME STREQUAL "Linux")
  target_link_options(sinew_program INTERFACE -no-pie)
endif()
