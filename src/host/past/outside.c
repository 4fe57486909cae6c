/* Answers from outside that the application stores in the recording, and asks of a replay. */
#include "host/host.h"

#include <string.h>

bool sinew_host_is_replay(const sinew_host *host) { return host->replay != NULL; }
bool sinew_host_is_recorded(const sinew_host *host) { return host->log != NULL; }

bool sinew_host_is_rerun(const sinew_host *host) { return host->rerun_replay.is_on; }
bool sinew_host_is_edited(const sinew_host *host) { return rerun_replay_drops(&host->rerun_replay, host->frame); }

bool sinew_host_set_bundle(sinew_host *host, const char *path, sinew_error *error) {
  run_log_close(host->bundle);
  host->bundle = path ? run_log_open(path, error) : NULL;
  return host->bundle || !path;
}

bool sinew_host_has_bundle(const sinew_host *host) { return host->bundle != NULL; }

/* What a bundle answers: nothing about the clocks and the display of the machine that made it. */
static bool is_of_files(const char *kind) {
  static const char *const kinds[] = {"scene", "scripts", "assets", "files", "text", "stamp", "model"};
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (strcmp(kind, kinds[i]) == 0) return true;
  return false;
}

static bool recall(const sinew_host *host, const char *kind, const char *name, sinew_recall when,
                   sinew_answer *answer) {
  uint64_t key = run_log_key(kind, name);
  if (host->replay) return run_log_recall(host->replay, key, when, answer);
  return host->bundle && is_of_files(kind) && run_log_recall(host->bundle, key, SINEW_RECALL_LAST, answer);
}

/* A replay that is itself recorded notes the answers that it gets. */
bool sinew_host_recall(sinew_host *host, const char *kind, const char *name, sinew_recall when, sinew_answer *answer) {
  if (rerun_replay_recall(&host->rerun_replay, kind, name, host->frame, answer)) return true;
  if (!recall(host, kind, name, when, answer)) return false;
  sinew_host_note(host, kind, name, answer);
  return true;
}

bool sinew_host_will_recall(const sinew_host *host, const char *kind, const char *name) {
  return host->replay && run_log_will_recall(host->replay, run_log_key(kind, name));
}

void sinew_host_note(sinew_host *host, const char *kind, const char *name, const sinew_answer *answer) {
  if (host->log) run_log_write_answer(host->log, kind, name, answer);
}

void sinew_host_note_strike(sinew_host *host, const char *callback) {
  if (host->log && host->is_in_frame) run_log_write_strike(host->log, callback);
}
