/* From seeing a jump to the mended seconds beside their ghost: F9, one edit, one save, as a person does it. */
#include "bindings/scene/past.h"

#include "base/memory/memory.h"
#include "base/process/process.h"
#include "base/text.h"
#include "host/rerun/question.h"

enum { CUT = 240, FRAMES = 270 };

/* Wave begins as Idle stands; a second later the arm is up, and the feet stand where they stood. */
static const char hero_text[] = "local sinew = require 'sinew'\n"
                                "local hero = sinew.actor('hero', sinew.model 'hero.glb')\n"
                                "hero:play 'Idle'\n"
                                "function sinew.update(dt)\n"
                                "  hero.position = hero.position + sinew.vec3(0, 0, dt * 0.1)\n"
                                "  if sinew.frame == 240 then hero:play('Wave', { time = 1, fade = %s }) end\n"
                                "end\n"
                                "%s";

static void look_back(harness *h) {
  scene_text = hero_text;
  open_scene(h);
  harness_step(h, FRAMES);
  tap(h, "f9");
  assert_true(h->host->review.is_on && h->host->review.mark >= 0);
  assert_non_null(strstr(h->host->past.marks[h->host->review.mark].text, "jumped by"));
}

static bool console_has(sinew_host *host, const char *text) {
  const console_line *line;
  for (int i = 0; (line = console_shown(&host->console, i)); i++)
    if (strstr(line->text, text)) return true;
  return false;
}

/* ---- */

static void a_save_runs_the_same_seconds_again(void **state) {
  (void)state;
  harness h;
  char words[TIMELINE_TEXT];
  double last;
  look_back(&h);
  sinew_host *host = h.host;
  const rerun *r = &host->rerun;
  save(&h, "0.3", "");
  wait_for(&h, true);
  assert_string_equal(r->problem, "");
  /* The edit enters in the loop's first frame, with the pose that was; it differs from the cut on. */
  const ring *again = &r->result.ring;
  assert_int_equal(ring_frame(again, again->first),
                   ring_frame(&host->ring, ring_find(&host->ring, host->review.loop[0])));
  double first =
      rerun_result_compare(&host->ring, again, host->review.actor, host->review.loop[0], host->review.loop[1], &last);
  assert_float_equal(first, CUT / 60.0, 2.5 / 60);
  assert_float_equal(last, 0, 1e-6);
  assert_true(timeline_say_rerun(host, words));
  assert_non_null(strstr(words, "differs from"));
  int turn_then, way_then, turn_now, way_now;
  const char *form = "jump %d\xc2\xb0 %d cm \xe2\x86\x92 %d\xc2\xb0 %d cm (gone)";
  assert_int_equal(sscanf(strstr(words, "jump "), form, &turn_then, &way_then, &turn_now, &way_now), 4);
  assert_true(turn_then > 30 && way_then > 30 && turn_now == 0 && way_now == 0);
  assert_true(console_has(host, words)); /* the panel shows the last one alone */
  /* Both are shown, one where the other stands. */
  assert_true(host->review.plays);
  tap(&h, "space");
  tap(&h, "p");
  host->review.at = first + 0.1;
  harness_step(&h, 1);
  assert_int_equal(host->review.cast.shown_count, 1);
  assert_int_equal(host->review.ghosts.shown_count, 1);
  assert_memory_not_equal(host->review.cast.shown[0].joints, host->review.ghosts.shown[0].joints,
                          30 * sizeof(sinew_mat3x4));
  assert_true(host->lines_on_top.count > 60); /* a ring about each joint that differs, and the mark's */
  save_picture(&h, "ghost.png");
  tap(&h, "g");
  assert_int_equal(host->review.ghosts.shown_count, 0);
  sinew_host_send_key(host, "left_ctrl", true);
  tap(&h, "z");
  sinew_host_send_key(host, "left_ctrl", false);
  assert_false(r->has_result);
  harness_close(&h);
}

/* A jump is known a frame after it: the one in which F9 is pressed. */
static void a_jump_of_the_last_frame_is_chosen(void **state) {
  (void)state;
  harness h;
  scene_text = hero_text;
  open_scene(&h);
  harness_step(&h, CUT);
  tap(&h, "f9");
  harness_step(&h, 1);
  assert_true(h.host->review.is_on && h.host->review.mark >= 0);
  assert_non_null(strstr(h.host->past.marks[h.host->review.mark].text, "jumped by"));
  harness_close(&h);
}

/* Whoever saw something jump is told of the key, comes late, and sees the moment and then what was around it. */
static void a_jump_is_shown_to_who_never_read_of_it(void **state) {
  (void)state;
  harness h;
  scene_text = hero_text;
  open_scene(&h);
  sinew_host *host = h.host;
  const review *r = &host->review;
  harness_step(&h, CUT);
  assert_null(host->messages.hint);
  harness_step(&h, 40);
  assert_non_null(host->messages.hint);
  assert_non_null(strstr(host->messages.hint, "jumped by"));
  assert_non_null(strstr(host->messages.hint, "scene.lua:6): F9 goes back to it"));
  harness_step(&h, 900); /* the hero slides all the time, and its hair jumps a little at each seam of the loop */
  tap(&h, "f9");
  assert_null(host->messages.hint);
  assert_true(r->is_on && r->mark >= 0 && !r->plays);
  assert_int_equal(host->past.marks[r->mark].mark.kind, SINEW_MARK_POP);
  assert_float_equal(r->at, CUT / 60.0, 2 / 60.0);
  harness_step(&h, 60);
  assert_float_equal(r->at, CUT / 60.0, 2 / 60.0);
  harness_step(&h, 40);
  assert_true(r->plays && r->at < CUT / 60.0);
  tap(&h, "escape");
  /* Nobody is told twice, and then what came last is what counts. */
  harness_step(&h, 60);
  assert_null(host->messages.hint);
  tap(&h, "f9");
  assert_true(r->mark >= 0 && host->past.marks[r->mark].begin > CUT / 60.0 + 1);
  tap(&h, "right"); /* who does something himself is left alone */
  double at = r->at;
  harness_step(&h, 200);
  assert_true(!r->plays && r->at == at);
  harness_close(&h);
}

/* The same for feet; a little slide is nobody's concern. */
static void a_slide_is_told_to_who_never_read_of_it(void **state) {
  (void)state;
  const char *speeds[] = {"1.45", "2.2"};
  for (int i = 0; i < 2; i++) {
    harness h;
    char text[512];
    text_format(text, sizeof text,
                "local sinew = require 'sinew'\n"
                "local hero = sinew.actor('hero', sinew.model 'hero.glb')\n"
                "hero:play('Walk', { fade = %%s })\n"
                "function sinew.update(dt) hero.position = hero.position + sinew.vec3(0, 0, dt * %s) end\n"
                "%%s",
                speeds[i]);
    scene_text = text;
    open_scene(&h);
    harness_step(&h, 200);
    const char *hint = h.host->messages.hint;
    assert_true(i == 0 ? !hint : hint && strstr(hint, "Foot slid ") && strstr(hint, ": F9 goes back to it"));
    tap(&h, "f9");
    tap(&h, "escape");
    harness_step(&h, 200);
    assert_null(h.host->messages.hint);
    harness_close(&h);
  }
}

static void the_same_code_makes_the_same_seconds(void **state) {
  (void)state;
  harness h;
  look_back(&h);
  save(&h, "0", "-- a comment");
  wait_for_words(&h, "with your edit: nothing differs");
  tap(&h, "s");
  wait_for_words(&h, "from the scene's start: nothing differs");
  harness_close(&h);
}

/* The process that waits before the loop makes one rerun after the other, and one after a mistake; a loop that begins
 * before it gets another. What it makes is what a process makes that goes through all of the recording. */
static void results_come_from_forks(void **state) {
  (void)state;
  harness h;
  char words[3][TIMELINE_TEXT];
  look_back(&h);
  rerun *r = &h.host->rerun;
  const char *const fades[] = {"0.3", "oops(", "0.3"};
  for (int i = 0; i < 3; i++) {
    rerun_drop_result(r);
    save(&h, fades[i], i == 2 ? "-- again" : "");
    for (int k = 0; k < 500 && !rerun_is_running(r); k++) {
      struct timespec pause = {0, 2000000};
      harness_step(&h, 1);
      nanosleep(&pause, NULL);
    }
    assert_true(r->is_asked && !r->child);
    wait_for(&h, i != 1);
    assert_true(timeline_say_rerun(h.host, words[i]));
  }
  assert_non_null(strstr(words[1], "scene.lua:"));
  for (int i = 0; i < 3; i += 2) *strstr(words[i], " (took") = '\0'; /* without the milliseconds */
  assert_string_equal(words[0], words[2]);
  /* An earlier loop, and the long way. */
  h.host->review.at = 1;
  tap(&h, "left_bracket");
  rerun_drop_result(r);
  save(&h, "0.3", "-- earlier");
  wait_for(&h, true);
  assert_int_equal(ring_frame(&r->result.ring, r->result.ring.first),
                   ring_frame(&h.host->ring, ring_find(&h.host->ring, h.host->review.loop[0])));
  double last, first = rerun_result_compare(&h.host->ring, &r->result.ring, h.host->review.actor, 0, 9, &last);
  assert_float_equal(first, CUT / 60.0, 2.5 / 60);
  rerun_drop_result(r);
  save(&h, "0.3", "-- once more");
  wait_for(&h, true);
  assert_true(first == rerun_result_compare(&h.host->ring, &r->result.ring, h.host->review.actor, 0, 9, &last));
  harness_close(&h);
}

static uint64_t hash_of_ring(const ring *r) {
  static sinew_pose_group groups[32];
  uint64_t hash = 0xcbf29ce484222325u;
  for (int64_t m = r->first; m < r->first + r->count; m++) {
    sinew_actor actor = ring_actor(r, m, 0);
    ring_moment kept;
    memset(groups, 0, sizeof groups);
    assert_true(ring_read(r, m, actor, &kept));
    assert_true(ring_pose(r, m, actor, (sinew_pose){groups, sinew_model_joint_count(ring_model(r, m, actor))}));
    for (size_t i = 0; i < sizeof groups; i++) hash = (hash ^ ((unsigned char *)groups)[i]) * 0x100000001b3u;
    for (size_t i = 0; i < sizeof kept; i++) hash = (hash ^ ((unsigned char *)&kept)[i]) * 0x100000001b3u;
  }
  return hash;
}

/* The process that has followed the recording for more than a minute, a minute behind, makes the same result as one
 * that goes through all of it; and after the present has gone on, once more. */
static void results_come_from_a_process_that_has_followed(void **state) {
  (void)state;
  harness h;
  scene_text =
      "local sinew = require 'sinew'\n"
      "local hero = sinew.actor('hero', sinew.model 'hero.glb')\n"
      "local mood = 0\n"
      "function sinew.update(dt)\n"
      "  if sinew.frame %% 100 == 0 then hero:play(sinew.frame %% 200 == 0 and 'Walk' or 'Wave', { fade = %s }) "
      "end\n"
      "  mood = mood + math.random()\n"
      "  hero.position = { mood %% 1, 0, 0 }\n"
      "end\n"
      "%s";
  open_scene(&h);
  sinew_host *host = h.host;
  rerun *r = &host->rerun;
  assert_null(r->simulator);
  for (int turn = 0; turn < 2; turn++) {
    for (int i = 0; i < 75 * 60; i++) {
      if (turn == 0 && i == 2000) save(&h, "0.2", "-- while it follows");
      harness_step(&h, 1);
      h.printed[0] = '\0';
    }
    const simulator *follows = r->simulator;
    if (process_can_serve()) assert_true(follows && !r->is_lost);
    tap(&h, "f9");
    save(&h, "0.5", "");
    wait_for(&h, true);
    assert_ptr_equal(r->simulator, follows);
    uint64_t followed = hash_of_ring(&r->result.ring);
    assert_true(r->result.ring.count > 30);
    /* Likewise by one that begins with the recording. */
    rerun alone = {0};
    rerun_def def = question_loop(host);
    def.oldest = 1;
    rerun_add_file(&alone, h.path);
    rerun_start(&alone, &def);
    while (!rerun_poll(&alone, &host->ring) && rerun_is_running(&alone))
      nanosleep(&(struct timespec){0, 5000000}, NULL);
    assert_string_equal(alone.problem, "");
    assert_true(alone.has_result && alone.result.ring.count == r->result.ring.count);
    assert_true(hash_of_ring(&alone.result.ring) == followed);
    rerun_release(&alone);
    tap(&h, "escape");
  }
  harness_close(&h);
}

static const char crowd_text[] =
    "local sinew = require 'sinew'\n"
    "local man = sinew.model 'hero.glb'\n"
    "local hero = sinew.actor('hero', man)\n"
    "hero:play 'Idle'\n"
    "local crowd = sinew.crowd(man, 12, { name = 'walkers', params = { greet = 0 }, tinted = { 'Jacket' },\n"
    "  graph = sinew.state_machine { start = 'go',\n"
    "    states = { go = 'Walk', hello = sinew.clip { 'Wave', loop = 'once' } },\n"
    "    transitions = { { 'go', 'hello', when = 'greet > 0.5', fade = 0.3 } } } })\n"
    "for i = 1, 12 do\n"
    "  crowd:place(i, i %% 4 * 1.2 - 1.2, 0, -1.5 - i // 4)\n"
    "  crowd.phase[i] = i / 12\n"
    "  crowd:tint(i, i / 12, 0.5, 1 - i / 12)\n"
    "end\n"
    "sinew.camera.position, sinew.camera.target = { 2.5, 2.5, 4 }, { 0.6, 0.8, -1 }\n"
    "function sinew.update(dt)\n"
    "  for i = 1, 12 do\n"
    "    crowd.z[i] = crowd.z[i] + dt * (0.4 + %s)\n"
    "    crowd.params.greet[i] = sinew.frame > 200 and i %% 3 == 0 and 1 or 0\n"
    "  end\n"
    "end\n"
    "%s";

static sinew_transform place_of(const cast *c, int member) {
  return sinew_crowd_view(c->stage, c->crowds[0].shown).transform[member];
}

/* The rerun has the crowd that the save moved, and the ghost is the one that was. */
static void crowds_run_again_beside_their_ghosts(void **state) {
  (void)state;
  harness h;
  char words[TIMELINE_TEXT];
  scene_text = crowd_text;
  open_scene(&h);
  harness_step(&h, FRAMES);
  tap(&h, "f9");
  sinew_host *host = h.host;
  const review *r = &host->review;
  assert_int_equal(host->stats.members, 12);
  save_picture(&h, "crowd_then.png");
  save(&h, "0", "-- the same");
  wait_for_words(&h, "nothing differs");
  rerun_drop_result(&host->rerun);
  save(&h, "0.6", "crowd.rate[12] = 3");
  wait_for(&h, true);
  assert_string_equal(host->rerun.problem, "");
  tap(&h, "space");
  host->review.at = r->loop[1];
  harness_step(&h, 1);
  assert_true(timeline_say_rerun(host, words));
  harness_expect(words, "the crowd walkers differs");
  assert_int_equal(r->cast.crowd_count, 1);
  assert_int_equal(r->ghosts.crowd_count, 1);
  assert_int_equal(host->stats.members, 24);
  double seconds = r->loop[1] - r->loop[0];
  for (int i = 0; i < 12; i++) {
    double away = (double)(place_of(&r->cast, i).translation.z - place_of(&r->ghosts, i).translation.z);
    assert_float_equal(away, 0.6 * seconds, 0.05);
  }
  assert_int_equal(host->item_count, 26); /* two heroes, and each member twice: one stands where the other does */
  for (int i = 0; i < 12; i++) {
    const sinew_draw_item *is = host->items + 2 + i, *ghost = is + 12;
    float stands = is->transform.m[3] / ghost->transform.m[3];
    assert_true(!is->flat && ghost->flat && is->id != ghost->id);
    if (fabsf(is->transform.m[3]) > 0.1f) assert_float_equal(stands, 1, 0.3);
    /* All stand elsewhere, but only the last is posed otherwise. */
    bool red = is->tint[0] > 1 && is->tint[1] < 0.5f && !is->tinted;
    assert_int_equal(red, i == 11);
  }
  save_picture(&h, "crowd_ghost.png");
  tap(&h, "g");
  assert_int_equal(host->stats.members, 12);
  tap(&h, "escape");
  harness_step(&h, 2);
  assert_int_equal(host->stats.members, 12);
  harness_close(&h);
}

/* A scene without actors is told by its crowd. */
static void a_scene_of_crowds_has_a_name(void **state) {
  (void)state;
  harness h;
  char words[TIMELINE_TEXT];
  scene_text = "local sinew = require 'sinew'\n"
               "sinew.crowd(sinew.model 'hero.glb', 3, { name = 'walkers', graph = 'Walk' }) -- %s\n"
               "%s";
  open_scene(&h);
  harness_step(&h, 60);
  tap(&h, "f9");
  timeline_say_time(h.host, words);
  assert_int_equal(strncmp(words, "the crowd walkers ", 18), 0);
  timeline_say_mark(h.host, words);
  assert_string_equal(words, "marks and tracks need an actor, and there is none");
  timeline_say_moment(h.host, words);
  assert_string_equal(words, "3 members");
  harness_close(&h);
}

static void wait_for_why(harness *h) {
  for (int k = 0; k < 1000 && !h->host->review.why[0]; k++) {
    struct timespec pause = {0, 5000000};
    harness_step(h, 1);
    nanosleep(&pause, NULL);
  }
}

/* Half-way through a fade both clips explain a joint, as they did in that frame. */
static void any_moment_is_explained(void **state) {
  (void)state;
  harness h;
  scene_text = "local sinew = require 'sinew'\n"
               "local hero = sinew.actor('hero', sinew.model 'hero.glb')\n"
               "hero:play 'Idle'\n"
               "function sinew.update()\n"
               "  if sinew.frame == 120 then hero:play('Run', { fade = 0.5 + %s }) end\n"
               "end\n"
               "%s";
  open_scene(&h);
  harness_step(&h, 200);
  tap(&h, "f9");
  review *r = &h.host->review;
  /* F9 asks by itself why the joint that jumped is where it is. */
  double jumped = r->at - h.host->time, ago;
  wait_for_why(&h);
  assert_int_equal(sscanf(r->why, "%lf s\n", &ago), 1);
  assert_float_equal(ago, jumped, 0.006);
  const double times[] = {1, 135 / 60.0, 3};
  for (int i = 0; i < 3; i++) {
    r->at = times[i], r->why[0] = '\0';
    r->joint = sinew_model_find_joint(ring_model(&h.host->ring, h.host->ring.first, r->actor), "LeftLeg");
    tap(&h, "e");
    wait_for_why(&h);
    assert_int_equal(sscanf(r->why, "%lf s\n", &ago), 1);
    assert_float_equal(ago, times[i] - h.host->time, 0.006);
    assert_non_null(strstr(r->why, " s\nLeftLeg itself\n"));
    bool idle = strstr(r->why, "Idle"), running = strstr(r->why, "Run");
    assert_int_equal(idle, i < 2);
    assert_int_equal(running, i > 0);
    if (i == 1) save_picture(&h, "why.png");
  }
  assert_false(h.host->rerun.has_result);
  harness_close(&h);
}

/* "… after actor:play (scene.lua:6)": a click on the line opens the editor there, or says that there is none. */
static void the_cause_leads_to_its_line(void **state) {
  (void)state;
  harness h;
  unsetenv("VISUAL"), unsetenv("EDITOR");
  look_back(&h);
  sinew_host *host = h.host;
  int before = host->messages.toast_count;
  float top = timeline_top(host);
  for (float y = top; y < top + 80 && host->messages.toast_count == before; y += 6) {
    sinew_host_send_mouse(host, 60, y);
    harness_step(&h, 1);
    sinew_host_send_button(host, 1, true);
    harness_step(&h, 1);
    sinew_host_send_button(host, 1, false);
    harness_step(&h, 1);
  }
  assert_int_equal(host->messages.toast_count, before + 1);
  assert_non_null(strstr(host->messages.toasts[before].text, "VISUAL"));
  harness_close(&h);
}

static void type_line(harness *h, const char *text) {
  for (const char *c = text; *c; c++) sinew_host_send_character(h->host, (unsigned char)*c);
  harness_step(h, 1);
  tap(h, "enter");
  harness_step(h, 3); /* the prompt takes the keyboard again */
}

static void wait_for_line(harness *h, const char *text) {
  for (int i = 0; i < 2000 && !console_has(h->host, text); i++) {
    struct timespec pause = {0, 5000000};
    harness_step(h, 1);
    nanosleep(&pause, NULL);
  }
  if (!console_has(h->host, text)) fail_msg("the console has no line '%s'", text);
}

static void open_console(harness *h) {
  sinew_host_send_key(h->host, "left_ctrl", true);
  harness_step(h, 1);
  tap(h, "grave");
  sinew_host_send_key(h->host, "left_ctrl", false);
  harness_step(h, 3);
  assert_true(h->host->view.console);
}

/* A copy of the scene answers, as it was in the frame that is shown; the scene itself does not notice. */
static void the_console_asks_the_past(void **state) {
  (void)state;
  harness h;
  scene_text = "local sinew = require 'sinew'\n"
               "local hero = sinew.actor('hero', sinew.model 'hero.glb', { params = { mood = 1 } })\n"
               "hero:play 'Idle'\n"
               "function sinew.update()\n"
               "  hero.params.mood = sinew.frame + %s\n"
               "end\n"
               "%s";
  open_scene(&h);
  harness_step(&h, 200);
  tap(&h, "f9");
  h.host->review.at = 100 / 60.0;
  long long frame = ring_frame(&h.host->ring, ring_find(&h.host->ring, h.host->review.at));
  char wanted[32];
  snprintf(wanted, sizeof wanted, "%lld", frame);
  open_console(&h);
  type_line(&h, "print('as' .. 'ide') hero.params.mood = -5");
  wait_for_line(&h, "aside");
  assert_true(console_has(h.host, "effects are discarded"));
  type_line(&h, "('is %g'):format(hero.params.mood)"); /* the scene's own update comes before it */
  snprintf(wanted, sizeof wanted, "is %lld", frame);
  wait_for_line(&h, wanted);
  type_line(&h, "nobody.x");
  wait_for_line(&h, "'nobody' is nil");
  save_picture(&h, "console_past.png");
  assert_string_equal(h.printed, "");
  tap(&h, "escape"); /* the text field lets go */
  tap(&h, "escape");
  assert_false(h.host->review.is_on);
  assert_float_equal(sinew_actor_param(h.host->stage, sinew_stage_actor(h.host->stage, 0), 0), 201, 3);
  harness_close(&h);
}

/* Of the new code, where that is shown; keys are letters while one types. */
static void the_console_asks_the_new_code_and_has_its_prints(void **state) {
  (void)state;
  harness h;
  look_back(&h);
  save(&h, "0.3", "print 'mended' MENDED = 7");
  wait_for(&h, true);
  assert_true(console_has(h.host, "mended"));
  assert_null(strstr(h.printed, "mended"));
  h.host->review.at = h.host->review.loop[1];
  h.host->review.plays = false;
  open_console(&h);
  type_line(&h, "'it is ' .. MENDED");
  wait_for_line(&h, "it is 7");
  assert_true(h.host->rerun.has_result);
  assert_false(h.host->review.ghosts_beside || h.host->review.hides_ghosts);
  harness_close(&h);
}

static void without_a_recording_the_console_refuses(void **state) {
  (void)state;
  harness h;
  look_back(&h);
  mem_free(h.host->self);
  h.host->self = NULL;
  open_console(&h);
  type_line(&h, "1 + 1");
  harness_step(&h, 2);
  assert_true(console_has(h.host, "nothing is evaluated in the past"));
  harness_close(&h);
}

/* The ninth actor and those after it are measured when somebody looks. */
static void marks_of_all_actors_are_there(void **state) {
  (void)state;
  harness h;
  scene_text = "local sinew = require 'sinew'\n"
               "local man = sinew.model 'hero.glb'\n"
               "local all = {}\n"
               "for i = 1, 12 do all[i] = sinew.actor('a' .. i, man) all[i]:play 'Idle' end\n"
               "function sinew.update()\n"
               "  if sinew.frame == 200 then all[11]:play('Wave', { time = 1, fade = %s }) end\n"
               "end\n"
               "%s";
  open_scene(&h);
  harness_step(&h, 220);
  tap(&h, "f9");
  sinew_host *host = h.host;
  for (int i = 0; i < 1000 && host->review.mark < 0; i++) {
    struct timespec pause = {0, 5000000};
    harness_step(&h, 1);
    nanosleep(&pause, NULL);
  }
  assert_true(host->review.mark >= 0);
  const past_mark *m = host->past.marks + host->review.mark;
  assert_int_equal(m->mark.kind, SINEW_MARK_POP);
  assert_string_equal(ring_name(&host->ring, ring_find(&host->ring, host->review.at), m->actor), "a11");
  assert_float_equal(m->begin, 201 / 60.0, 2 / 60.0);
  assert_false(host->rerun.has_result);
  harness_close(&h);
}

/* A module and a model that the recording lacks. */
static void what_a_save_adds_comes_from_the_disk(void **state) {
  (void)state;
  harness h;
  char path[128];
  look_back(&h);
  snprintf(path, sizeof path, "%s/more.lua", h.folder);
  harness_write(path, "return function() print 'more' end\n");
  save(&h, "0.2", "require 'more'() sinew.actor('fox', sinew.model 'fox.glb')");
  wait_for(&h, true);
  assert_string_equal(h.host->rerun.problem, "actors that did not exist then are left out");
  harness_close(&h);
}

/* As it is suspended when the scene runs on. */
static void a_callback_that_fails_does_not_refuse_the_seconds(void **state) {
  (void)state;
  harness h;
  look_back(&h);
  save(&h, "0.2", "sinew.on('update', function() if sinew.time > 0.5 then error 'it fails' end end)");
  wait_for(&h, true);
  harness_expect(h.host->rerun.problem, "suspended");
  harness_expect(h.host->rerun.problem, "it fails");
  harness_close(&h);
}

static void a_mistake_is_told_and_the_present_takes_the_save(void **state) {
  (void)state;
  harness h;
  look_back(&h);
  save(&h, "0", "oops(");
  wait_for(&h, false);
  assert_non_null(strstr(h.host->rerun.problem, "scene.lua:"));
  assert_true(console_has(h.host, "not run again"));
  assert_false(h.host->rerun.has_result);
  save(&h, "0.2", "print 'mended'");
  wait_for(&h, true);
  assert_null(strstr(h.printed, "mended"));
  tap(&h, "escape");
  harness_step(&h, 2);
  assert_non_null(strstr(h.printed, "mended"));
  assert_null(sinew_scene_problem(h.scene));
  harness_close(&h);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_save_runs_the_same_seconds_again),
      cmocka_unit_test(a_jump_of_the_last_frame_is_chosen),
      cmocka_unit_test(a_jump_is_shown_to_who_never_read_of_it),
      cmocka_unit_test(a_slide_is_told_to_who_never_read_of_it),
      cmocka_unit_test(the_same_code_makes_the_same_seconds),
      cmocka_unit_test(results_come_from_forks),
      cmocka_unit_test(results_come_from_a_process_that_has_followed),
      cmocka_unit_test(crowds_run_again_beside_their_ghosts),
      cmocka_unit_test(a_scene_of_crowds_has_a_name),
      cmocka_unit_test(any_moment_is_explained),
      cmocka_unit_test(marks_of_all_actors_are_there),
      cmocka_unit_test(what_a_save_adds_comes_from_the_disk),
      cmocka_unit_test(a_callback_that_fails_does_not_refuse_the_seconds),
      cmocka_unit_test(the_cause_leads_to_its_line),
      cmocka_unit_test(the_console_asks_the_past),
      cmocka_unit_test(the_console_asks_the_new_code_and_has_its_prints),
      cmocka_unit_test(without_a_recording_the_console_refuses),
      cmocka_unit_test(a_mistake_is_told_and_the_present_takes_the_save),
  };
  return run_tests_of_the_past(tests);
}
