#include "worker/jail.h"

#include "import/worker/worker.h"

#ifdef __linux__
#include <sys/prctl.h>
#endif

unsigned jail_enter(void) {
#ifdef __linux__
  prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); /* and others may not look into it */
#endif
  unsigned walls = jail_files() ? WORKER_WALL_FILES : 0; /* first, because its own calls are forbidden afterwards */
  return walls | (jail_calls() ? WORKER_WALL_CALLS : 0);
}
