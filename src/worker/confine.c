#include "worker/confine.h"

#if defined(__linux__) && defined(__has_include)
#if __has_include(<linux/landlock.h>)
#define HAVE_LANDLOCK 1
#endif
#endif

#ifdef HAVE_LANDLOCK
#include "base/file.h"

#include <fcntl.h>
#include <linux/landlock.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Everything that the kernel's version of Landlock can forbid: making, removing, writing, executing, truncating. */
static uint64_t all_access(long version) {
  uint64_t access = (LANDLOCK_ACCESS_FS_MAKE_SYM << 1) - 1; /* the thirteen of version 1 */
  if (version >= 2) access |= 1ULL << 13;                   /* REFER: moving between folders */
  if (version >= 3) access |= 1ULL << 14;                   /* TRUNCATE */
  if (version >= 5) access |= 1ULL << 15;                   /* IOCTL_DEV */
  return access;
}

static void allow_folder_of(int rules, const char *path) {
  char folder[4096];
  if (!path_folder(folder, sizeof folder, path)) return;
  int descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  struct landlock_path_beneath_attr rule = {
      .allowed_access = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR, .parent_fd = descriptor};
  syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0U);
  close(descriptor);
}

void confine_reading(const char *path, const char *const *others, int count) {
  long version = syscall(SYS_landlock_create_ruleset, (void *)0, (size_t)0, LANDLOCK_CREATE_RULESET_VERSION);
  if (version < 1) return;
  struct landlock_ruleset_attr handled = {.handled_access_fs = all_access(version)};
  int rules = (int)syscall(SYS_landlock_create_ruleset, &handled, sizeof handled, 0U);
  if (rules < 0) return;
  allow_folder_of(rules, path);
  for (int i = 0; i < count; i++) allow_folder_of(rules, others[i]);
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0) syscall(SYS_landlock_restrict_self, rules, 0U);
  close(rules);
}
#else
void confine_reading(const char *path, const char *const *others, int count) { (void)path, (void)others, (void)count; }
#endif
