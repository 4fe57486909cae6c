/* A page cannot start programs. */
#include "base/process/process.h"
#include "base/error.h"

static const process_bytes nothing;

process *process_start(const process_def *def, sinew_error *error) {
  error_set(error, "%s cannot run: a web page starts no programs", def->arguments[0]);
  return NULL;
}

bool process_can_start(void) { return false; }

bool process_can_serve(void) { return false; }

void process_limits_apply(const process_limits *limits) { (void)limits; }

bool process_wait(process *p, double seconds) { return (void)p, (void)seconds, true; }

void process_destroy(process *p) { (void)p; }

process_bytes process_answer(const process *p) { return (void)p, nothing; }

process_bytes process_output(const process *p) { return (void)p, nothing; }

process_bytes process_errors(const process *p) { return (void)p, nothing; }

int process_status(const process *p) { return (void)p, -1; }

const char *process_ending(const process *p) { return (void)p, "did not start"; }

/* ---- The page's module is no file among its files ---- */

bool self_program(char *path, size_t size) { return (void)path, (void)size, false; }

bool self_library(char *path, size_t size) { return (void)path, (void)size, false; }
