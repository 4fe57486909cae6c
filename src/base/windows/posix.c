#include "base/windows/posix.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <windows.h>

static void use_slashes(char *path) {
  for (char *at = path; *at; at++)
    if (*at == '\\') *at = '/';
}

/* ---- what a file is ---- */

/* Windows counts tenths of microseconds since 1601. */
static struct timespec time_of(FILETIME time) {
  const int64_t until_1970 = 116444736000000000;
  int64_t tenths = (int64_t)((uint64_t)time.dwHighDateTime << 32 | time.dwLowDateTime) - until_1970;
  return (struct timespec){.tv_sec = tenths / 10000000, .tv_nsec = (long)(tenths % 10000000) * 100};
}

static bool describe(HANDLE handle, struct posix_stat *info) {
  BY_HANDLE_FILE_INFORMATION found;
  *info = (struct posix_stat){0};
  if (GetFileType(handle) != FILE_TYPE_DISK) return true; /* a pipe, a console */
  if (!GetFileInformationByHandle(handle, &found)) return false;
  bool is_link = found.dwFileAttributes & FILE_ATTRIBUTE_REPARSE_POINT;
  bool is_folder = found.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY;
  info->st_mode = is_link ? 0 : is_folder ? S_IFDIR : S_IFREG;
  info->st_size = (int64_t)((uint64_t)found.nFileSizeHigh << 32 | found.nFileSizeLow);
  info->st_ino = (uint64_t)found.nFileIndexHigh << 32 | found.nFileIndexLow;
  info->st_mtim = time_of(found.ftLastWriteTime);
  info->st_ctim = time_of(found.ftCreationTime);
  return true;
}

static void note_error(void) {
  DWORD why = GetLastError();
  bool is_missing = why == ERROR_FILE_NOT_FOUND || why == ERROR_PATH_NOT_FOUND || why == ERROR_INVALID_NAME;
  errno = is_missing ? ENOENT : EACCES;
}

static HANDLE open_to_look(const char *path, DWORD flags) {
  const DWORD share = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;
  return CreateFileA(path, FILE_READ_ATTRIBUTES, share, NULL, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS | flags, NULL);
}

static int look(const char *path, DWORD flags, struct posix_stat *info) {
  HANDLE handle = open_to_look(path, flags);
  bool found = handle != INVALID_HANDLE_VALUE && describe(handle, info);
  if (!found) note_error();
  if (handle != INVALID_HANDLE_VALUE) CloseHandle(handle);
  return found ? 0 : -1;
}

int posix_stat(const char *path, struct posix_stat *info) { return look(path, 0, info); }

int posix_lstat(const char *path, struct posix_stat *info) { return look(path, FILE_FLAG_OPEN_REPARSE_POINT, info); }

int posix_fstat(int file, struct posix_stat *info) {
  HANDLE handle = (HANDLE)_get_osfhandle(file);
  return handle != INVALID_HANDLE_VALUE && describe(handle, info) ? 0 : -1;
}

/* ---- paths ---- */

char *realpath(const char *path, char *resolved) {
  (void)resolved;
  HANDLE handle = open_to_look(path, 0);
  DWORD size = handle == INVALID_HANDLE_VALUE ? 0 : GetFinalPathNameByHandleA(handle, NULL, 0, 0);
  char *whole = size ? malloc(size + 1) : NULL;
  bool found = whole && GetFinalPathNameByHandleA(handle, whole, size + 1, 0) <= size;
  if (!found) note_error();
  if (handle != INVALID_HANDLE_VALUE) CloseHandle(handle);
  if (!found) return free(whole), NULL;
  if (strncmp(whole, "\\\\?\\", 4) == 0 && whole[5] == ':') memmove(whole, whole + 4, strlen(whole + 4) + 1);
  use_slashes(whole);
  return whole;
}

char *posix_getcwd(char *folder, size_t size) {
  DWORD length = GetCurrentDirectoryA((DWORD)size, folder);
  if (length == 0 || length >= size) return NULL;
  use_slashes(folder);
  return folder;
}

int posix_rename(const char *from, const char *to) {
  if (MoveFileExA(from, to, MOVEFILE_REPLACE_EXISTING)) return 0;
  note_error();
  return -1;
}

int mkstemps(char *pattern, int suffix) {
  static const char letters[] = "0123456789abcdefghijklmnopqrstuv";
  char *positions = pattern + strlen(pattern) - suffix - 6;
  LARGE_INTEGER ticks;
  for (int attempt = 0; attempt < 100; attempt++) {
    QueryPerformanceCounter(&ticks);
    uint64_t seed = (uint64_t)ticks.QuadPart * 1000003 + GetCurrentThreadId() + (uint64_t)attempt * 7919;
    for (int i = 0; i < 6; i++, seed /= 32) positions[i] = letters[seed % 32];
    int file = _open(pattern, _O_CREAT | _O_EXCL | _O_RDWR | _O_BINARY | _O_NOINHERIT, _S_IREAD | _S_IWRITE);
    if (file >= 0 || errno != EEXIST) return file;
  }
  return -1;
}

/* ---- times ---- */

int futimens(int file, const struct timespec times[2]) {
  FILETIME now;
  (void)times;
  GetSystemTimeAsFileTime(&now);
  return SetFileTime((HANDLE)_get_osfhandle(file), NULL, NULL, &now) ? 0 : -1;
}

struct tm *posix_localtime(const time_t *time, struct tm *out) {
  return localtime_s(out, time) == 0 ? out : NULL;
}
