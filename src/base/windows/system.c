#include "base/system.h"

#include <direct.h>
#include <fcntl.h>
#include <io.h>
#include <sys/stat.h>
#include <windows.h>
/* behind windows.h */
#include <psapi.h>

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
