#include "base/system.h"

#include <signal.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

int system_processors(void) {
  long processors = sysconf(_SC_NPROCESSORS_ONLN);
  return processors > 0 ? (int)processors : 0;
}

void system_start_program(int argc, char **argv) { (void)argc, (void)argv; }

double system_resident_bytes(void) {
  FILE *file = fopen("/proc/self/statm", "r");
  long all = 0, resident = 0;
  if (!file) return 0;
  if (fscanf(file, "%ld %ld", &all, &resident) != 2) resident = 0;
  fclose(file);
  return (double)resident * (double)sysconf(_SC_PAGESIZE);
}

bool system_make_folder(const char *path) { return mkdir(path, 0777) == 0; }

bool system_rename(const char *from, const char *to) { return rename(from, to) == 0; }

static _Thread_local sigset_t unblocked;

void system_block_signals(void) {
  static const int crashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
  sigset_t others;
  sigfillset(&others);
  for (size_t i = 0; i < sizeof crashes / sizeof *crashes; i++) sigdelset(&others, crashes[i]);
  pthread_sigmask(SIG_SETMASK, &others, &unblocked);
}

void system_unblock_signals(void) { pthread_sigmask(SIG_SETMASK, &unblocked, NULL); }
