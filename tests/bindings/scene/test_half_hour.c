/* A long run that is recorded as a window's is: a scene that does things, hands on keys, mouse and panels, and a save a
 * minute. Log, ring and memory stay within their bounds, and its last seconds run again. SINEW_MINUTES says how long it
 * is (2: the ring is full once). With SINEW_DRAWN each frame is drawn, of the hero alone, because a software rasteriser
 * takes a quarter of a second for all of them. */
#include "bindings/scene/past.h"

#include "base/system.h"

#include <malloc.h>
#include <sys/stat.h>

static const char scene[] =
    "local sinew, machine = require 'sinew', require 'sinew.machine'\n"
    "local input, random = require 'sinew.input', require 'sinew.random'\n"
    "local man = sinew.model('hero.glb', { clips = { 'hero_extra.glb' } })\n"
    "local FADE, dice = %s, random.new(5)\n"
    "input.map { left = 'a', right = 'd', ahead = 'w', back = 's', run = 'left_shift' }\n"
    "local hero = sinew.actor('hero', man)\n"
    "local motor = hero:motor { acceleration = 9, braking = 12, turn_rate = 6 }\n"
    "hero:set_graph(machine { start = 'idle', states = { idle = 'Idle',\n"
    "  move = sinew.blend_space_2d { param_x = 'left', param_y = 'ahead', sync = true, 'Idle', 'Walk', 'Run', "
    "'WalkBack',"
    " 'StrafeLeft', 'StrafeRight' } },\n"
    "  'idle -> move: when wanted > 0.1, fade 0.2, inertial', 'move -> idle: when wanted < 0.1 and speed < 0.2, fade "
    "0.2, inertial' })\n"
    "hero:set_modifiers { sinew.plant { 'feet', lock = 0.15 } }\n"
    "local others, names = {}, { 'Walk', 'Run', 'Wave', 'Idle' }\n"
    "for i = 1, 4 do others[i] = sinew.actor('other' .. i, man) others[i]:play 'Idle' end\n"
    "local crowd = sinew.crowd(man, 8, { name = 'walkers', params = { speed = 1.4 }, graph = sinew.blend_space_1d {"
    " param = 'speed', sync = true, { 0, 'Idle' }, { 1.4, 'Walk' }, { 4, 'Run' } } })\n"
    "local since, tune = 0, { gait = 1.4 }\n"
    "function sinew.update(dt)\n"
    "  sinew.ui.panel('Tune', function() sinew.ui.slider(tune, 'gait', 0, 4) end)\n"
    "  motor.velocity = { tune.gait * input.axis('right', 'left'), 0, tune.gait * input.axis('back', 'ahead') }\n"
    "  since = since + dt\n"
    "  if since > 0.7 then since = 0\n"
    "    others[dice:integer(1, 4)]:play(names[dice:integer(1, 4)], { fade = FADE })\n"
    "    crowd.params.speed[dice:integer(1, 8)] = dice:number(0, 4)\n"
    "    print('said ' .. sinew.frame) end\n"
    "end\n"
    "%s";

static int minutes(void) {
  const char *wanted = getenv("SINEW_MINUTES");
  return wanted ? atoi(wanted) : 2;
}

/* The same in each run. */
static uint32_t dice(void) {
  static uint32_t state = 1;
  return state = state * 1664525 + 1013904223, state >> 16;
}

static void use_hands(sinew_host *host, int frame) {
  static const char *const keys[] = {"w", "a", "s", "d", "left_shift"};
  if (frame % 20 == 0) sinew_host_send_key(host, keys[dice() % 5], dice() % 2);
  if (frame % 2 == 0) sinew_host_send_mouse(host, (float)(dice() % 960), (float)(dice() % 540));
  if (frame % 40 == 10 || frame % 40 == 14) sinew_host_send_button(host, 1, frame % 40 == 10);
  if (frame % 600 == 300) sinew_host_send_mouse(host, 60, 60), sinew_host_send_button(host, 1, true);
}

static double megabytes_of(const char *path) {
  struct stat s;
  assert_int_equal(stat(path, &s), 0);
  return (double)s.st_size * 1e-6;
}

/* The run is many times as fast as a person's, and who follows it would be left behind: then it is let go on. */
static void let_follow(harness *h) {
  const simulator *s = h->host->rerun.simulator;
  while (s && simulator_runs(h->host->rerun.simulator) && !simulator_waits(s))
    nanosleep(&(struct timespec){0, 1000000}, NULL);
}

static double live_megabytes(void) {
  struct mallinfo2 m = mallinfo2();
  return (double)(m.uordblks + m.hblkhd) * 1e-6;
}

static void half_an_hour_stays_within_the_bounds(void **state) {
  (void)state;
  harness h;
  scene_text = scene;
  open_scene(&h);
  h.host->view.inspector = true;
  h.host->def.panels_only = !getenv("SINEW_DRAWN");
  const char *more = h.host->def.panels_only ? ""
                                             : "for i = 1, 4 do others[i].visible = false end\n"
                                               "for i = 1, 8 do crowd.visible[i] = false end\n";
  if (more[0]) h.host->width = 160, h.host->height = 90;
  if (more[0] && !sinew_host_set_skinner(h.host, "cpu", &h.error)) fail_msg("%s", h.error.message);
  save(&h, "0.2", more);
  harness_step(&h, 1);
  double models = megabytes_of(h.host->log_path), full = 0, most_ring = 0, before = INFINITY, least = 0;
  for (int minute = 0; minute < minutes(); minute++) {
    for (int frame = 0; frame < 3600; frame++) {
      use_hands(h.host, frame);
      harness_step(&h, 1);
      h.printed[0] = '\0';
      if (frame % 300 == 0) let_follow(&h);
      most_ring = fmax(most_ring, (double)ring_bytes(&h.host->ring));
    }
    save(&h, minute % 2 ? "0.1" : "0.4", more);
    if (minute == 1) full = live_megabytes();
    least = fmin(before, live_megabytes());
    before = live_megabytes();
    print_message("# minute %d: log %.2f MB, ring %.1f MB, %d marks, live %.1f MB, resident %.1f MB, moment %.3f ms, "
                  "%d items\n",
                  minute + 1, megabytes_of(h.host->log_path) - models, (double)ring_bytes(&h.host->ring) * 1e-6,
                  h.host->past.count, live_megabytes(), system_resident_bytes() * 1e-6, h.host->ring.seconds * 1e3,
                  h.host->item_count);
    fflush(stdout);
  }
  assert_true(most_ring <= RING_LIMIT);
  assert_true(h.host->ring.count > 59 * RING_RATE || minutes() < 2);
  assert_true(megabytes_of(h.host->log_path) - models < 0.4 * minutes());
  assert_true(run_log_is_whole(h.host->log));
  if (minutes() > 2) assert_true(least < full + 4); /* of the last two minutes: what draws takes more for a moment */
  assert_null(sinew_scene_problem(h.scene));
  assert_false(h.host->rerun.is_lost);
  tap(&h, "f9");
  assert_true(h.host->review.is_on);
  for (int turn = 0; turn < 2; turn++) {
    rerun_drop_result(&h.host->rerun);
    save(&h, turn ? "0.25" : "0.35", more);
    wait_for(&h, true);
    print_message("# %.1f s are there %.0f ms after %s save\n", h.host->review.loop[1] - h.host->review.loop[0],
                  h.host->rerun.seconds * 1e3, turn ? "another" : "F9 and a");
  }
  harness_close(&h);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(half_an_hour_stays_within_the_bounds)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
