#include "worker/jail.h"

#if defined(__linux__) && defined(__has_include)
#if __has_include(<linux/landlock.h>)
#define HAVE_LANDLOCK 1
#endif
#endif

#ifdef HAVE_LANDLOCK
#include <linux/landlock.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* As in version 6; an older kernel reads only the beginning. */
typedef struct ruleset {
  uint64_t files, ports, beyond;
} ruleset;

/* Everything that the kernel's version can forbid. */
static uint64_t all_of_files(long version) {
  uint64_t access = (LANDLOCK_ACCESS_FS_MAKE_SYM << 1) - 1; /* the thirteen of version 1 */
  if (version >= 2) access |= 1ULL << 13;                   /* REFER: moving between folders */
  if (version >= 3) access |= 1ULL << 14;                   /* TRUNCATE */
  if (version >= 5) access |= 1ULL << 15;                   /* IOCTL_DEV */
  return access;
}

bool jail_files(void) {
  long version = syscall(SYS_landlock_create_ruleset, (void *)0, (size_t)0, LANDLOCK_CREATE_RULESET_VERSION);
  if (version < 1) return false;
  ruleset all = {.files = all_of_files(version), .ports = 3 /* bind, connect */, .beyond = 3 /* abstract, signals */};
  size_t size = (version >= 6 ? 3 : version >= 4 ? 2 : 1) * sizeof(uint64_t);
  int rules = (int)syscall(SYS_landlock_create_ruleset, &all, size, 0U);
  if (rules < 0) return false;
  bool stands = prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && syscall(SYS_landlock_restrict_self, rules, 0U) == 0;
  close(rules);
  return stands;
}
#else
bool jail_files(void) { return false; }
#endif
