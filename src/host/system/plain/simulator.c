/* There is no fork on Windows: a separate process makes each rerun. */
#include "host/system/simulator.h"

simulator *simulator_start(const char *program, const char *recording, const char *const *environment) {
  (void)program;
  (void)recording;
  (void)environment;
  return NULL;
}

void simulator_end(simulator *s) { (void)s; }

bool simulator_runs(simulator *s) {
  (void)s;
  return false;
}

bool simulator_waits(const simulator *s) {
  (void)s;
  return true;
}

void simulator_follow(simulator *s, int64_t frame) {
  (void)s;
  (void)frame;
}

bool simulator_hold(simulator *s, int64_t frame) {
  (void)s;
  (void)frame;
  return false;
}

void simulator_release(simulator *s) { (void)s; }

int64_t simulator_held(const simulator *s) {
  (void)s;
  return -1;
}

bool simulator_ask(simulator *s, const sinew_rerun *wanted) {
  (void)s;
  (void)wanted;
  return false;
}

void simulator_stop(simulator *s) { (void)s; }

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

simulator_step simulator_serve(int64_t *frame, sinew_rerun *wanted) {
  (void)frame;
  (void)wanted;
  return SIMULATOR_ENDS;
}
