#include "host/rerun/question.h"

#include "base/text.h"
#include "host/host.h"

#include <stdio.h>

rerun_def question_loop(const sinew_host *host) {
  const review *r = &host->review;
  rerun_def def = {.program = host->self,
                   .recording = host->log_path,
                   .oldest = ring_frame(&host->ring, host->ring.first),
                   .from = ring_frame(&host->ring, ring_find(&host->ring, r->loop[0])),
                   .to = ring_frame(&host->ring, ring_find(&host->ring, r->loop[1]))};
  def.edit_at = def.from;
  return def;
}

/* Asks about the frame at that time, with the code that is shown there. */
static void ask(sinew_host *host, rerun_def *def, rerun_purpose purpose, double at) {
  const rerun *again = &host->rerun;
  int64_t frame = ring_frame(&host->ring, ring_find(&host->ring, at));
  bool edited = again->has_result && frame >= again->edit_at;
  def->from = def->to = frame;
  def->edit_at = edited ? again->edit_at : frame;
  rerun_ask(&host->rerun, def, purpose, edited);
}

static bool can_ask(const sinew_host *host) { return host->self && host->log_path; }

/* ---- explaining the position of a joint ---- */

void question_ask_why(sinew_host *host) {
  host->question.wants_why = can_ask(host);
  host->question.why_at = host->review.at;
}

static void ask_why(sinew_host *host) {
  const review *r = &host->review;
  double at = host->question.why_at;
  const char *name = ring_name(&host->ring, ring_find(&host->ring, at), r->actor);
  char wanted[128];
  rerun_def def = question_loop(host);
  host->question.wants_why = false;
  if (!name) return;
  host->question.asks_why = true;
  snprintf(wanted, sizeof wanted, "%d %.100s", r->joint, name);
  def.explain = wanted;
  ask(host, &def, RERUN_TO_EXPLAIN, at);
}

static void show_why(sinew_host *host, const char *text) {
  host->question.asks_why = false;
  text_format(host->review.why, sizeof host->review.why, "%+.2f s\n%.4000s", host->question.why_at - host->time,
              text[0] ? text : "the actor did not exist then");
}

static void take_why(sinew_host *host) { show_why(host, host->rerun.answer.text); }

/* A save in the meantime starts a rerun, which has its own answer. */
static void tell_no_why(sinew_host *host) {
  rerun *again = &host->rerun;
  host->question.asks_why = false;
  if (again->purpose != RERUN_TO_EXPLAIN || !again->problem[0]) return;
  show_why(host, again->problem);
  again->problem[0] = '\0';
}

/* ---- the console ---- */

bool question_evaluate(sinew_host *host, const char *line, char *reason, size_t size) {
  question *q = &host->question;
  bool free = can_ask(host) && !q->line[0];
  if (free) snprintf(q->line, sizeof q->line, "%s", line);
  else
    text_format(reason, size, "%s",
                can_ask(host) ? "the line before it is still being evaluated"
                              : "nothing is evaluated in the past, because this run is not recorded");
  return free;
}

static void ask_line(sinew_host *host) {
  rerun_def def = question_loop(host);
  char text[96];
  text_format(text, sizeof text, "%.2f s ago, in a copy of the scene: effects are discarded",
              host->time - host->review.at);
  console_add(&host->console, SINEW_LOG_INFO, text);
  def.evaluate = host->question.line;
  host->question.is_open = true;
  ask(host, &def, RERUN_TO_EVALUATE, host->review.at);
}

static void close_line(sinew_host *host) {
  host->question.line[0] = '\0';
  host->question.is_open = false;
}

static void take_line(sinew_host *host) {
  const rerun_result *answer = &host->rerun.answer;
  if (answer->printed[0]) console_add(&host->console, SINEW_LOG_INFO, answer->printed);
  if (answer->text[0]) console_add(&host->console, answer->refused ? SINEW_LOG_ERROR : SINEW_LOG_INFO, answer->text);
  close_line(host);
}

/* A failure is an answer, not an error of the loop. */
static void tell_why_not(sinew_host *host) {
  char *why = host->rerun.problem;
  console_add(&host->console, SINEW_LOG_ERROR, why[0] ? why : "not evaluated: something else came first");
  why[0] = '\0';
  close_line(host);
}

/* ---- */

void question_follow(sinew_host *host) {
  const question *q = &host->question;
  if (rerun_is_running(&host->rerun)) return;
  if (q->asks_why) tell_no_why(host);
  if (q->is_open) tell_why_not(host);
  if (q->line[0]) ask_line(host);
  else if (q->wants_why) ask_why(host);
}

void question_take(sinew_host *host) {
  if (host->rerun.purpose == RERUN_TO_EXPLAIN) take_why(host);
  if (host->rerun.purpose == RERUN_TO_EVALUATE) take_line(host);
}
