#include "worker/jail.h"

#include "base/jobs.h"
#include "import/worker/worker.h"

#ifdef __linux__
#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Root's, too, of this thread; others may not look into the process, and no program that it could start gets more. */
static void drop_rights(void) {
  struct __user_cap_header_struct head = {.version = _LINUX_CAPABILITY_VERSION_3};
  struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = {{0}};
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  for (unsigned long right = 0; prctl(PR_CAPBSET_DROP, right, 0, 0, 0) == 0; right++) {
  }
  prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
  syscall(SYS_capset, &head, none);
  prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
}
#else
static void drop_rights(void) {}
#endif

/* The threads inherit what the first two steps forbid, and the last one forbids to start more. */
unsigned jail_enter(void) {
  drop_rights();
  unsigned walls = jail_files() ? WORKER_WALL_FILES : 0;
  jobs_reserve(jobs_default_threads());
  return walls | (jail_calls() ? WORKER_WALL_CALLS : 0);
}
