/* There is no fork: each take is made by a process of its own. */
#include "host/system/simulator.h"

simulator *simulator_start(const char *program, const char *recording, int64_t frame, const char *const *environment) {
  (void)program;
  (void)recording;
  (void)frame;
  (void)environment;
  return NULL;
}

void simulator_end(simulator *s) { (void)s; }

bool simulator_can(const simulator *s, int64_t frame) {
  (void)s;
  (void)frame;
  return false;
}

bool simulator_ask(simulator *s, const sinew_remake *wanted) {
  (void)s;
  (void)wanted;
  return false;
}

bool simulator_poll(simulator *s, int *status) {
  (void)s;
  *status = -1;
  return true;
}

const char *simulator_errors(const simulator *s, size_t *size) {
  (void)s;
  *size = 0;
  return NULL;
}

simulator_step simulator_serve(sinew_remake *wanted) {
  (void)wanted;
  return SIMULATOR_ENDS;
}
