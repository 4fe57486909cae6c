#include "base/system.h"
#include "base/process/process.h"

#include <direct.h>
#include <fcntl.h>
#include <io.h>
#include <locale.h>
#include <psapi.h>
#include <sinew/base.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <windows.h>

/* behind windows.h */

int system_processors(void) {
  SYSTEM_INFO info;
  GetSystemInfo(&info);
  return (int)info.dwNumberOfProcessors;
}

void system_start_program(int argc, char **argv) {
  SetConsoleOutputCP(CP_UTF8);
  for (int i = 1; i < argc; i++)
    for (char *at = argv[i]; *at; at++)
      if (*at == '\\') *at = '/';
}

double system_resident_bytes(void) {
  PROCESS_MEMORY_COUNTERS counters;
  return K32GetProcessMemoryInfo(GetCurrentProcess(), &counters, sizeof counters) ? (double)counters.WorkingSetSize : 0;
}

bool system_make_folder(const char *path) { return _mkdir(path) == 0; }

FILE *system_create_file(const char *path) {
  int file = _open(path, _O_WRONLY | _O_CREAT | _O_EXCL | _O_BINARY | _O_NOINHERIT, _S_IREAD | _S_IWRITE);
  FILE *stream = file < 0 ? NULL : _fdopen(file, "wb");
  if (file >= 0 && !stream) _close(file);
  return stream;
}

/* Windows removes no file that is open. */
void system_remove_left(const char *path, long process) {
  HANDLE living = OpenProcess(PROCESS_QUERY_LIMITED_INFORMATION, FALSE, (DWORD)process);
  if (living) CloseHandle(living);
  else remove(path);
}

bool system_rename(const char *from, const char *to) { return rename(from, to) == 0; }

bool system_sync_file(int descriptor) { return _commit(descriptor) == 0; }

void system_sync_folder(const char *path) { (void)path; } /* the file system's journal covers a rename */

bool system_copy_rights(const char *from, int to) { return (void)from, (void)to, true; }

/* Programs need a privilege for large pages. */
void system_use_large_pages(void *memory, size_t size) { (void)memory, (void)size; }

void system_block_signals(void) {} /* threads receive no signals on Windows */

void system_unblock_signals(void) {}

/* ---- self ---- */

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

/* ---- Gives the thread its own locale (permanently), and restores the old one by name ---- */

void *sinew_enter_c_locale(void) {
  _configthreadlocale(_ENABLE_PER_THREAD_LOCALE);
  const char *now = setlocale(LC_ALL, NULL);
  if (!now || strcmp(now, "C") == 0) return NULL;
  char *before = _strdup(now);
  if (before) setlocale(LC_ALL, "C");
  return before;
}

void sinew_leave_c_locale(void *before) {
  if (before) setlocale(LC_ALL, before);
  free(before);
}
