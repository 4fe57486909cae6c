#include "base/system.h"

#include <direct.h>
#include <errno.h>
#include <windows.h>

int system_processors(void) {
  SYSTEM_INFO info;
  GetSystemInfo(&info);
  return (int)info.dwNumberOfProcessors;
}

bool system_make_folder(const char *path) { return _mkdir(path) == 0; }

bool system_rename(const char *from, const char *to) {
  if (MoveFileExA(from, to, MOVEFILE_REPLACE_EXISTING)) return true;
  errno = GetLastError() == ERROR_FILE_NOT_FOUND ? ENOENT : EACCES;
  return false;
}

void system_block_signals(void) {} /* there are none for a thread to get */
void system_unblock_signals(void) {}
