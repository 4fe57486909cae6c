#include "host/look_back.h"

#include "base/text.h"
#include "host/drawing/shaders.h"
#include "host/host.h"
#include "host/panels/joints.h"
#include "host/timeline/timeline.h"
#include "math/vec3.h"

#include <stdio.h>
#include <string.h>

/* ---- recording the past ---- */

static bool keeps_past(const sinew_host *host) {
  return host->def.keeps_past && host->ui && (!host->replay || host->is_branch);
}

static int64_t oldest_frame(const sinew_host *host) { return ring_frame(&host->ring, host->ring.first); }

void look_back_watch(sinew_host *host) {
  if (keeps_past(host)) past_marks_watch(&host->past, host->stage);
  rerun_replay_watch(&host->rerun_replay, host->stage, host->frame);
}

/* Lines printed meanwhile become part of the answer. */
static void evaluate_for(sinew_host *host, const char *line) {
  rerun_result *made = &host->rerun_replay.result;
  made->printed[0] = '\0';
  made->refused = !host->app.evaluate;
  if (made->refused) snprintf(made->text, sizeof made->text, "this application evaluates nothing");
  else made->refused = !host->app.evaluate(host->app.user, line, made->text, sizeof made->text);
}

/* The start of a run has enough to do already. */
static void follow(sinew_host *host) {
  enum { FIRST = 120, PAUSE = 60 }; /* frames */
  rerun_def def = {.program = host->self, .recording = host->log_path, .oldest = oldest_frame(host)};
  bool can = host->self && host->log_path && !host->is_branch;
  if (can && host->frame >= FIRST && host->frame % PAUSE == 0) rerun_follow(&host->rerun, &def);
}

static void tell_of_mark(sinew_host *host, const past_mark *m) {
  char text[TIMELINE_TEXT];
  text_format(text, sizeof text, "%s: F9 goes back to it", m->text);
  messages_set_hint(&host->messages, text, 20);
}

/* Once in each run, a message about the first jump or far slide tells how to see it again. A new mark may still grow
 * for a moment. */
static void tell_of_marks(sinew_host *host) {
  enum { LATEST = 32 };
  const double over = 0.2, slid = 0.8;
  const float far = 0.15f;
  const past_marks *p = &host->past;
  for (int i = p->count - 1; i >= 0 && i >= p->count - LATEST && !host->told_jump; i--) {
    const past_mark *m = p->marks + i;
    bool is_pop = m->mark.kind == SINEW_MARK_POP;
    double ago = host->time - m->begin;
    if (is_pop && m->mark.rank >= PAST_SEEN_JUMP && ago >= over) {
      tell_of_mark(host, m);
      host->told_jump = true;
      host->jump_at = m->begin;
    } else if (m->mark.kind == SINEW_MARK_SLIDE && m->worst >= far && ago >= slid && !host->told_slide) {
      tell_of_mark(host, m);
      host->told_slide = true;
    }
  }
}

void look_back_keep(sinew_host *host) {
  sinew_actor actor;
  int joint;
  rerun_result *made = &host->rerun_replay.result;
  rerun_replay_keep(&host->rerun_replay, host->stage, &host->app, host->time, host->frame);
  if (rerun_replay_explains(&host->rerun_replay, host->stage, host->frame, &actor, &joint))
    joints_explain(host, actor, joint, made->text, sizeof made->text);
  if (rerun_replay_evaluates(&host->rerun_replay, host->frame))
    evaluate_for(host, rerun_replay_evaluates(&host->rerun_replay, host->frame));
  if (!keeps_past(host)) return;
  follow(host);
  ring_update(&host->ring, host->stage, host->time, host->frame);
  orbit_notice(&host->orbit, &host->camera);
  ring_set_camera(&host->ring, host->orbit.carried);
  past_marks_update(&host->past, host->stage, &host->app, host->time, ring_time(&host->ring, host->ring.first));
  if (!host->told_jump && !host->is_branch) tell_of_marks(host);
}

/* Tells the application which keys were released meanwhile, and where the mouse is: a replay knows neither. */
static void tell_input(sinew_host *host) {
  host->drag_button = 0;
  input_push_missed(&host->input);
}

static void close_past(sinew_host *host) {
  cast_release(&host->review.cast);
  cast_release(&host->review.ghosts);
  host->camera = host->review.camera;
  orbit_adopt(&host->orbit, &host->camera);
  tell_input(host);
}

/* ---- seconds again ---- */

/* The frames of the loop; an edit takes effect as a save in the first of them. */
static void prepare(sinew_host *host) {
  rerun_def def = question_loop(host);
  if (host->self && host->log_path) rerun_prepare(&host->rerun, &def);
}

static void run_again(sinew_host *host, bool from_start) {
  rerun_def def = question_loop(host);
  if (from_start) def.edit_at = 0;
  if (!host->self || !host->log_path) return;
  rerun_start(&host->rerun, &def);
}

static bool has_unmeasured(const sinew_host *host) {
  const ring *kept = &host->ring;
  int64_t last = kept->first + kept->count - 1;
  for (int i = 0; i < ring_actor_count(kept, last); i++)
    if (!past_marks_has(&host->past, ring_actor(kept, last, i))) return true;
  return false;
}

/* While the scene runs only the first actors are measured. For marks of the others, the last seconds are rerun. */
static void ask_for_marks(sinew_host *host) {
  const double measured = 10;
  rerun_def def = question_loop(host);
  int64_t from = ring_frame(&host->ring, ring_find(&host->ring, host->time - measured));
  if (!host->self || !host->log_path || !has_unmeasured(host)) return;
  def.from = def.edit_at = from < def.from ? from : def.from;
  def.to = host->frame;
  rerun_ask(&host->rerun, &def, RERUN_FOR_MARKS, false);
}

static void show_worst(sinew_host *host) {
  int worst = past_marks_worst(&host->past, host->time - 3);
  if (worst >= 0) review_show_mark(&host->review, &host->ring, &host->past, worst);
}

/* Adds marks from the rerun to the measured ones. If there was none to show, shows the worst of these. */
static void take_marks(sinew_host *host) {
  past_marks_merge(&host->past, &host->rerun.answer.marks);
  if (host->review.mark >= 0) return;
  show_worst(host);
  if (host->review.mark >= 0) question_ask_why(host);
}

/* Selects the jump that the message was about, however old, unless another one that anybody sees has come since: the
 * seam of a loop may jump a little each time. */
static void show_told_jump(sinew_host *host) {
  const past_marks *p = &host->past;
  int now = host->review.mark;
  if (now >= 0 && p->marks[now].mark.kind == SINEW_MARK_POP && p->marks[now].mark.rank >= PAST_SEEN_JUMP) return;
  for (int i = 0; i < p->count; i++)
    if (p->marks[i].mark.kind == SINEW_MARK_POP && p->marks[i].begin == host->jump_at)
      review_show_mark(&host->review, &host->ring, p, i);
}

void look_back_open(sinew_host *host) {
  if (!keeps_past(host) || !review_open(&host->review, &host->ring, &host->past, host->time)) return;
  host->told_jump = host->told_slide = true;
  messages_set_hint(&host->messages, NULL, 0);
  host->review.camera = host->camera;
  host->review.carried = (sinew_vec3){0};
  host->question = (question){0};
  rerun_drop_result(&host->rerun);
  orbit_adopt(&host->orbit, &host->camera);
  host->review.is_new = true;
}

static void note_save(void *user, const char *path, bool exists) {
  sinew_host *host = user;
  if (!exists || shaders_changed(host, path)) return;
  rerun_add_file(&host->rerun, path);
  run_again(host, host->rerun.from_start);
}

/* The frame in which F9 was pressed is completely recorded only now, and with it the jump of the frame before. */
static void choose_mark(sinew_host *host) {
  if (!host->review.is_new) return;
  show_worst(host);
  show_told_jump(host);
  host->jump_at = -1;
}

static void begin_reruns(sinew_host *host) {
  if (!host->review.is_new) return;
  host->review.is_new = false;
  prepare(host);
  ask_for_marks(host);
  if (host->review.mark >= 0) question_ask_why(host);
}

/* The panel shows only the last result; the console and the log keep the effect of each save, or why it had none. */
static void tell_comparison(sinew_host *host) {
  char text[TIMELINE_TEXT];
  sinew_log_level level = host->rerun.has_result ? SINEW_LOG_INFO : SINEW_LOG_ERROR;
  if (!timeline_say_rerun(host, text)) return;
  console_add(&host->console, (int)level, text);
  sinew_log(level, "%s", text);
}

/* True if the answer has arrived. */
static bool poll_rerun(sinew_host *host) {
  rerun *again = &host->rerun;
  bool runs = rerun_is_running(again), is_new = rerun_poll(again, &host->ring);
  if (runs && !is_new && !rerun_is_running(again) && again->purpose == RERUN_TO_SHOW) tell_comparison(host);
  return is_new;
}

static void follow_rerun(sinew_host *host) {
  begin_reruns(host);
  if (host->watch) watch_poll(host->watch, note_save, host);
  if (!poll_rerun(host)) return;
  if (host->rerun.purpose == RERUN_FOR_MARKS) take_marks(host);
  question_take(host);
  if (host->rerun.purpose != RERUN_TO_SHOW) return;
  host->review.cast.ring = host->review.ghosts.ring = NULL;
  host->review.at = host->review.loop[0];
  host->review.plays = true;
  if (host->rerun.result.printed[0]) console_add(&host->console, SINEW_LOG_INFO, host->rerun.result.printed);
  tell_comparison(host);
}

/* ---- playing on ---- */

static void play_on(sinew_host *host) {
  const rerun *again = &host->rerun;
  int64_t frame = ring_frame(&host->ring, ring_find(&host->ring, host->review.at));
  branch_begin(host, frame, again->has_result && frame >= again->edit_at);
}

static void say_play_on(sinew_host *host, double ago) {
  char text[160];
  text_format(text, sizeof text, "playing on from %.2f s before; F9 and Ctrl+Z bring back the run that you left", ago);
  sinew_host_toast(host, text);
  tell_input(host);
}

/* Ctrl+Z: drops the rerun first, then the run that plays on. */
static void take_back(sinew_host *host) {
  host->review.cast.ring = NULL;
  if (host->rerun.has_result) rerun_drop_result(&host->rerun);
  else if (branch_take_back(host))
    sinew_host_toast(host, "back in the run that you left; F9 and Ctrl+Z switch "
                           "again");
}

/* ---- a frame ---- */

void look_back_pose(sinew_host *host) {
  review *r = &host->review;
  const ring *again = &host->rerun.result.ring;
  bool has_again = host->rerun.has_result && r->at >= ring_time(again, again->first) - 0.02 &&
                   r->at <= ring_time(again, again->first + again->count - 1) + 0.02;
  cast_pose(&r->cast, has_again ? again : &host->ring, r->at);
  if (has_again && !r->hides_ghosts) cast_pose(&r->ghosts, &host->ring, r->at);
  else cast_release(&r->ghosts);
}

static void tell_past(sinew_host *host, const input_event *event) {
  bool is_pressed = event->kind == EVENT_KEY && event->down;
  if (event->kind == EVENT_BUTTON || is_pressed) review_stay(&host->review);
  if (is_pressed && host_is_console_key(host, event)) host->view.console = !host->view.console;
  bool is_ours = is_pressed && !host_is_console_key(host, event) && !ui_has_keyboard(host->ui);
  const char *key = is_ours ? sinew_key_name(event->code) : "";
  bool shift = host->input.keys[input_find_key("left_shift")] || host->input.keys[input_find_key("right_shift")];
  if (strcmp(key, "f3") == 0) host->view.stats = !host->view.stats;
  if (strcmp(key, "f11") == 0) sinew_host_set_fullscreen(host, !sinew_host_is_fullscreen(host));
  bool ctrl = host->input.keys[input_find_key("left_ctrl")] || host->input.keys[input_find_key("right_ctrl")];
  if (strcmp(key, "s") == 0) run_again(host, true);
  if (strcmp(key, "z") == 0 && ctrl) take_back(host);
  if (strcmp(key, "e") == 0) question_ask_why(host);
  if (strcmp(key, "enter") == 0) play_on(host);
  if (strcmp(key, "backspace") == 0 && rerun_is_running(&host->rerun)) {
    review_shorten(&host->review, &host->ring);
    run_again(host, false);
  }
  if (strcmp(key, "escape") == 0 && host->branch.is_on_its_way) {
    branch_drop(host);
    return;
  }
  if (strcmp(key, "slash") == 0 && shift) host->shows_keys = !host->shows_keys;
  if (key[0]) review_key(&host->review, &host->ring, &host->past, key, shift);
  if (event->kind == EVENT_WHEEL && !ui_has_mouse(host->ui)) host->wheel += event->y;
  if (event->kind != EVENT_BUTTON) return;
  if (event->down && host->drag_button == 0 && !ui_has_mouse(host->ui)) host->drag_button = event->code;
  if (!event->down && host->drag_button == event->code) host->drag_button = 0;
}

/* A camera that follows an actor returns to its position at that time, but keeps its present rotation. */
static void carry_camera(sinew_host *host) {
  review *r = &host->review;
  sinew_vec3 carried = vec3_sub(ring_camera(&host->ring, ring_find(&host->ring, r->at)), host->orbit.carried);
  sinew_vec3 by = vec3_sub(carried, r->carried);
  if (vec3_dot(by, by) > 0) orbit_carry(&host->orbit, &host->camera, by);
  r->carried = carried;
}

/* A frame in the past: no time passes for the scene, and nothing is recorded. */
bool look_back_step(sinew_host *host, double dt, sinew_error *error) {
  double now = host->time;
  if (branch_advance(host)) {
    say_play_on(host, now - host->time);
    return sinew_host_step(host, dt, error);
  }
  host->is_in_frame = true;
  host->wheel = 0;
  line_list_clear(&host->lines);
  line_list_clear(&host->lines_on_top);
  messages_update(&host->messages, dt);
  host_take_window(host);
  input_begin_frame(&host->input);
  ui_begin_frame(host->ui, &host->input, host->width, host->height, dt);
  choose_mark(host);
  for (int i = 0; i < host->input.taken && host->review.is_on; i++) tell_past(host, host->input.events + i);
  follow_rerun(host);
  question_follow(host);
  review_advance(&host->review, &host->ring, dt);
  look_back_pose(host);
  carry_camera(host);
  console_draw(host);
  timeline_draw_lines(host);
  host_turn_camera(host, dt);
  bool shown = host_end_frame(host, error);
  if (!host->review.is_on) close_past(host);
  return shown;
}
