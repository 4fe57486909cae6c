/* Answers from outside that the application stores in the recording, and asks of a replay. */
#include "host/host.h"

bool sinew_host_is_replay(const sinew_host *host) { return host->replay != NULL; }
bool sinew_host_is_recorded(const sinew_host *host) { return host->log != NULL; }

/* A replay that is itself recorded notes the answers that it gets. */
bool sinew_host_recall(sinew_host *host, const char *kind, const char *name, sinew_recall when, sinew_answer *answer) {
  if (rerun_replay_recall(&host->rerun_replay, kind, name, host->frame, answer)) return true;
  if (!host->replay || !run_log_recall(host->replay, run_log_key(kind, name), when, answer)) return false;
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
