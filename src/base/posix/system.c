#include "base/system.h"

#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <signal.h>
#include <sinew/base.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef __APPLE__
#include <xlocale.h>
#endif

int system_processors(void) {
  long processors = sysconf(_SC_NPROCESSORS_ONLN);
  return processors > 0 ? (int)processors : 0;
}

/* An opened file gets the lowest free number. In a program started without standard output, the next file would receive
 * the program's output. */
void system_start_program(int argc, char **argv) {
  (void)argc, (void)argv;
  int file = open("/dev/null", O_RDWR);
  while (file >= 0 && file <= STDERR_FILENO) file = open("/dev/null", O_RDWR);
  if (file >= 0) close(file);
}

double system_resident_bytes(void) {
  FILE *file = fopen("/proc/self/statm", "r");
  long all = 0, resident = 0;
  if (!file) return 0;
  if (fscanf(file, "%ld %ld", &all, &resident) != 2) resident = 0;
  fclose(file);
  return (double)resident * (double)sysconf(_SC_PAGESIZE);
}

bool system_make_folder(const char *path) { return mkdir(path, 0777) == 0; }

/* The lock tells other machines' and containers' processes, which cannot see this one, that it lives. */
FILE *system_create_file(const char *path) {
  int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (file >= 0) flock(file, LOCK_EX | LOCK_NB);
  FILE *stream = file < 0 ? NULL : fdopen(file, "wb");
  if (file >= 0 && !stream) {
    int why = errno;
    close(file);
    unlink(path);
    errno = why;
  }
  return stream;
}

void system_remove_left(const char *path, long process) {
  struct stat info;
  bool gone = process > 0 && kill((pid_t)process, 0) != 0 && errno == ESRCH;
  int file = gone ? open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC) : -1;
  if (file < 0) return;
  if (fstat(file, &info) == 0 && S_ISREG(info.st_mode) && flock(file, LOCK_EX | LOCK_NB) == 0) unlink(path);
  close(file);
}

bool system_rename(const char *from, const char *to) { return rename(from, to) == 0; }

/* Not every file system supports this for folders. */
bool system_sync_file(int descriptor) { return fsync(descriptor) == 0 || errno == EINVAL || errno == ENOTSUP; }

void system_sync_folder(const char *path) {
  int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return;
  fsync(folder);
  close(folder);
}

bool system_copy_rights(const char *from, int to) {
  struct stat info;
  return stat(from, &info) == 0 && fchmod(to, info.st_mode & 0777) == 0;
}

/* Only a hint: nothing is lost if it is ignored. */
void system_use_large_pages(void *memory, size_t size) {
#ifdef MADV_HUGEPAGE
  const uintptr_t large = (uintptr_t)1 << 21;
  uintptr_t from = ((uintptr_t)memory + large - 1) & ~(large - 1), to = ((uintptr_t)memory + size) & ~(large - 1);
  if (from < to) madvise((void *)from, to - from, MADV_HUGEPAGE);
#else
  (void)memory, (void)size;
#endif
}

static _Thread_local sigset_t unblocked;

void system_block_signals(void) {
  static const int crashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
  sigset_t others;
  sigfillset(&others);
  for (size_t i = 0; i < sizeof crashes / sizeof *crashes; i++) sigdelset(&others, crashes[i]);
  pthread_sigmask(SIG_SETMASK, &others, &unblocked);
}

void system_unblock_signals(void) { pthread_sigmask(SIG_SETMASK, &unblocked, NULL); }

/* ---- locale ---- */

/* Created once and kept; if two threads create it at once, one copy is leaked. */
static locale_t c_locale(void) {
  static _Atomic(locale_t) made;
  if (!made) made = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  return made;
}

void *sinew_enter_c_locale(void) { return (void *)uselocale(c_locale()); }

void sinew_leave_c_locale(void *before) { uselocale((locale_t)before); }
