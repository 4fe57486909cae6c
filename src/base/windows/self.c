#include "base/process/self.h"

#include <windows.h>

static const char here;

/* With '/', as all paths here. */
static bool path_of(HMODULE module, char *path, size_t size) {
  DWORD length = GetModuleFileNameA(module, path, (DWORD)size);
  if (length == 0 || length >= size) return false;
  for (char *at = path; *at; at++)
    if (*at == '\\') *at = '/';
  return true;
}

bool self_program(char *path, size_t size) { return path_of(NULL, path, size); }

bool self_library(char *path, size_t size) {
  const DWORD flags = GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS | GET_MODULE_HANDLE_EX_FLAG_UNCHANGED_REFCOUNT;
  HMODULE module;
  return GetModuleHandleExA(flags, &here, &module) && module != GetModuleHandleA(NULL) && path_of(module, path, size);
}
