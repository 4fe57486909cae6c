/* The parts of POSIX that the sources use and mingw-w64 lacks or implements differently; every C file of a Windows
 * build includes it first. Here, too, paths have '/' between folders, and a file's times are exact. */
#ifndef SINEW_BASE_WINDOWS_POSIX_H
#define SINEW_BASE_WINDOWS_POSIX_H

#define _FILE_OFFSET_BITS 64
#define tell posix_tell /* a name that io.h takes, and that we need */
#include <direct.h>
#include <fcntl.h>
#include <io.h>
#undef tell
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define O_CLOEXEC (_O_NOINHERIT | _O_BINARY)
#define O_NONBLOCK 0

/* Whole seconds would hide the second of two quick saves. */
struct posix_stat {
  unsigned short st_mode; /* regular, a folder, or something else */
  int64_t st_size;
  uint64_t st_ino; /* changes with a rename */
  struct timespec st_mtim, st_ctim;
};
int posix_stat(const char *path, struct posix_stat *info);
int posix_lstat(const char *path, struct posix_stat *info); /* a link counts as neither a file nor a folder */
int posix_fstat(int file, struct posix_stat *info);
#undef stat
#undef fstat
#define stat posix_stat
#define lstat posix_lstat
#define fstat posix_fstat

/* Replaces an existing file. */
int posix_rename(const char *from, const char *to);
#define rename posix_rename

/* Whether a file is executable is unknown, so this only checks that it exists. */
static inline int posix_access(const char *path, int mode) { return _access(path, mode & ~1); }
#undef access
#define access posix_access

char *realpath(const char *path, char *resolved); /* `resolved` is NULL */
char *posix_getcwd(char *folder, size_t size);
#define getcwd(folder, size) posix_getcwd(folder, (size_t)(size))

/* Only whether it is open. */
enum { F_GETFD = 1 };
static inline int fcntl(int file, int what) { return what == F_GETFD && _get_osfhandle(file) != -1 ? 0 : -1; }

int futimens(int file, const struct timespec times[2]); /* `times` is NULL: now */
int mkstemps(char *pattern, int suffix);
struct tm *posix_localtime(const time_t *time, struct tm *out);
#undef localtime_r
#define localtime_r posix_localtime

#endif
