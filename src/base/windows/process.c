/* Programs are not started on Windows yet: models are imported by this program itself, without limits. */
#include "base/process.h"

#include "base/error.h"

process_limits process_limits_none(void) { return (process_limits){-1, -1, -1, -1}; }

void process_limits_apply(const process_limits *limits) { (void)limits; }

process_def process_def_default(void) { return (process_def){.limits = process_limits_none()}; }

process *process_start(const process_def *def, sinew_error *error) {
  error_set(error, "%s: programs cannot be started on Windows yet", def->arguments[0]);
  return NULL;
}

bool process_wait(process *p, double seconds) {
  (void)p, (void)seconds;
  return true;
}

void process_destroy(process *p) { (void)p; }

static process_bytes nothing(const process *p) {
  (void)p;
  return (process_bytes){0};
}

process_bytes process_answer(const process *p) { return nothing(p); }
process_bytes process_output(const process *p) { return nothing(p); }
process_bytes process_errors(const process *p) { return nothing(p); }

int process_status(const process *p) {
  (void)p;
  return -1;
}

const char *process_ending(const process *p) {
  (void)p;
  return "was not started";
}
