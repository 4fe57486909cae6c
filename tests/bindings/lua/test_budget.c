/* Which limit ends a script, what it costs one that behaves, and who shares a budget. */
#include "harness.h"

#include "host/host.h"

static sinew_scene_def quick(bool counts) {
  sinew_scene_def def = sinew_scene_def_default();
  def.count_instructions = counts;
  def.instruction_limit = 2000000;
  def.memory_limit = (size_t)24 << 20;
  return def;
}

/* The problem after three frames. */
static const char *problem_of(harness *h, const char *text, const sinew_scene_def *def) {
  harness_open_host(h);
  if (!harness_load(h, text, def)) fail_msg("%s", h->error.message);
  harness_step(h, 3);
  return sinew_scene_problem(h->scene);
}

static void expect(const char *text, bool counts, const char *wanted) {
  harness h;
  sinew_scene_def def = quick(counts);
  harness_expect(problem_of(&h, text, &def), wanted);
  harness_close(&h);
}

static void test_the_limit_is_named(void **state) {
  (void)state;
  expect("function sinew.update() while true do end end", true, "more than 2 million instructions");
  expect("function sinew.update() local t = {} for i = 1, 1e7 do t[i] = {} end end", true, "its limit of 24 MiB");
  expect("function sinew.update() local s = ('x'):rep(1e5) for i = 1, 8 do s = s .. s end end", true,
         "a single string may have at most 8 MiB");
  expect("function sinew.update() error(select(2, pcall(function()\n"
         "  local s = ('x'):rep(1e5) for i = 1, 8 do s = s .. s end end))) end",
         true, "a single string may have at most 8 MiB");
}

/* The error names the limit: seconds if the watchdog runs, instructions on systems without one. */
static void test_time_is_named(void **state) {
  harness h;
  sinew_scene_def def = quick(false);
  (void)state;
  def.trust = true;
  const char *said = problem_of(&h, "function sinew.update() print(debug.gethook()) end", &def);
  assert_null(said);
  bool watched = strstr(h.printed, "nil") != NULL; /* no hook: the watchdog is there */
  harness_close(&h);
  expect("function sinew.update() while true do end end", false, watched ? "more than 0.04 s of work" : "instructions");
}

/* Each name is looked for among thirty thousand locals, while no hook runs: load itself looks at the clock. */
static void test_text_that_is_long_to_read(void **state) {
  harness h;
  sinew_scene_def def = quick(false);
  (void)state;
  problem_of(&h,
             "local names = {} for i = 1, 190 do names[i] = 'l' .. i end\n"
             "local head = 'local function f() local ' .. table.concat(names, ',') .. ' '\n"
             "local text = head:rep(180) .. ('a=a '):rep(300000) .. (' end '):rep(180)\n"
             "function sinew.update() load(text) print 'loaded' end",
             &def);
  harness_expect(sinew_scene_problem(h.scene), "ran too long");
  harness_expect(sinew_scene_problem(h.scene), "in global 'load'");
  harness_close(&h);
}

typedef struct printed {
  int lines;
  size_t bytes;
  bool told;
} printed;

static void count_print(void *user, const char *line) {
  printed *p = user;
  p->lines++;
  p->bytes += strlen(line) + 1;
  p->told = p->told || strstr(line, "beyond 1 MiB");
}

/* Whatever a frame prints beyond a mebibyte is left out, which is said once; the next frame prints again. */
static void test_a_frame_prints_a_mebibyte(void **state) {
  static harness h;
  sinew_scene_def def = sinew_scene_def_default();
  printed p = {0};
  (void)state;
  harness_open_host(&h);
  harness_write(h.path, "function sinew.update() for i = 1, 1000 do print(('x'):rep(2^15 - 1)) end end");
  def.print = count_print;
  def.print_user = &p;
  h.scene = sinew_scene_create(h.host, h.path, &def, &h.error);
  if (!h.scene) fail_msg("%s", h.error.message);
  sinew_app app = sinew_scene_app(h.scene);
  sinew_host_set_app(h.host, &app);
  harness_step(&h, 1);
  assert_int_equal(p.lines, 32 + 1);
  assert_true(p.told && p.bytes >= 1 << 20 && p.bytes < (1 << 20) + 200);
  harness_step(&h, 1);
  assert_int_equal(p.lines, 2 * 33);
  harness_close(&h);
}

static void count_log(void *user, sinew_log_level level, const char *line) {
  (void)level;
  count_print(user, line);
}

/* Lines that a window prints about reported errors count, too. */
static void test_reports_do_not_flood(void **state) {
  static harness h;
  printed p = {0};
  (void)state;
  harness_open(&h, "function sinew.update() for i = 1, 5000 do sinew.report(i .. ('x'):rep(1000)) end end");
  h.host->def.output = SINEW_OUTPUT_WINDOW;
  sinew_set_log(count_log, &p);
  harness_step(&h, 1);
  int first = p.lines;
  harness_step(&h, 1);
  sinew_set_log(NULL, NULL);
  assert_true(p.told && first > 100 && p.lines == 2 * first);
  assert_in_range(p.bytes, (2 << 20) - 4000, (2 << 20) + 4000);
  h.host->def.output = SINEW_OUTPUT_NONE;
  harness_close(&h);
}

/* A hook that a stopped callback has left behind is gone by the next frame. */
static void test_the_hook_goes(void **state) {
  harness h;
  sinew_scene_def def = quick(false);
  (void)state;
  def.trust = true;
  harness_expect(problem_of(&h,
                            "function sinew.update() while true do end end\n"
                            "local function count() for i = 1, 100 do end return debug.gethook() end\n"
                            "function sinew.draw() count() print(count()) end",
                            &def),
                 "ran too long");
  if (strstr(h.printed, "external hook")) skip(); /* instructions are counted on this system */
  assert_string_equal(h.printed, "nil\nnil\nnil\n");
  harness_close(&h);
}

/* The watchdog has to stop the coroutine that runs, whichever that is. */
static void test_coroutines(void **state) {
  static const char *const texts[] = {
      "function sinew.update() coroutine.wrap(function() coroutine.wrap(function() while true do end end)() end)() end",
      "local co = coroutine.create(function() coroutine.yield() while true do end end) coroutine.resume(co)\n"
      "function sinew.update() coroutine.resume(co) end",
      "function sinew.update() local inner = coroutine.wrap(function() coroutine.yield() end) inner()\n"
      "  coroutine.wrap(function() inner() while true do end end)() end",
      "function sinew.update() local co = coroutine.create(function() local x <close> = setmetatable({}, { __close =\n"
      "  function() while true do end end }) coroutine.yield() end) coroutine.resume(co) coroutine.close(co) end",
      "function sinew.update() for i = 1, 3 do pcall(coroutine.wrap(function() while true do end end)) end end",
      "function sinew.update() pcall(table.sort, { 1, 2, 3, 4 }, function() while true do end end) while true do end "
      "end",
  };
  (void)state;
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    expect(texts[i], true, "ran too long");
    expect(texts[i], false, "ran too long");
  }
}

static void test_trusted_coroutines(void **state) {
  harness h;
  sinew_scene_def def = quick(false);
  (void)state;
  def.trust = true;
  harness_expect(problem_of(&h,
                            "function sinew.update()\n"
                            "  local c = require 'coroutine'\n"
                            "  c.wrap(function() while true do end end)()\nend",
                            &def),
                 "ran too long");
  harness_close(&h);
}

static int count_lines(const char *text) {
  int count = 0;
  for (; (text = strchr(text, '\n')); text++) count++;
  return count;
}

/* Handlers of one event, and frames that a test simulates, have a budget each. */
static void test_handlers_share_nothing(void **state) {
  harness h;
  sinew_scene_def def = quick(true);
  (void)state;
  assert_null(problem_of(
      &h, "for i = 1, 6 do sinew.on('update', function() for i = 1, 600000 do end print 'whole' end) end", &def));
  assert_int_equal(count_lines(h.printed), 3 * 6);
  harness_close(&h);
  harness_open_host(&h);
  assert_true(harness_load(&h,
                           "function sinew.update() for i = 1, 600000 do end end\n"
                           "function sinew.test() sinew.simulate { frames = 30 } end",
                           &def));
  if (!sinew_scene_test(h.scene, NULL, &h.error)) fail_msg("%s", h.error.message);
  harness_close(&h);
}

/* ---- the callbacks of a frame together ---- */

#define WORK                                                                                                           \
  "local hero = sinew.actor('hero', sinew.model 'hero.glb')\n"                                                         \
  "local function work() print 'work' for i = 1, 1800000 do end end\n"

/* Each stays within its own limit. Two fit into a frame; the third is ended, and no other begins. */
static void test_a_frame_has_a_limit(void **state) {
  static const char *const scenes[] = {
      WORK "for i = 1, 40 do sinew.on('update', work) end",
      WORK "hero.model:markers('Walk', { { 0.01, 'step' }, { 0.03, 'step' } }) hero:play('Walk', { fade = 0 })\n"
           "for i = 1, 40 do hero:on('step', work) end",
      WORK "for i = 1, 20 do\n"
           "  sinew.actor('a' .. i, hero.model):set_graph(sinew.state_machine { states = { a = 'Walk', b = 'Run' },\n"
           "    transitions = { { 'a', 'b', when = work } } })\nend",
      WORK "local all = {} for i = 1, 20 do all[i] = sinew.modifier { 'm' .. i, work } end hero:set_modifiers(all)",
      WORK "local all = {} for i = 1, 20 do all[i] = sinew.plant { 'p' .. i, pelvis = 'Hips', feet = { 'LeftFoot' },\n"
           "  ground = function() work() return 0 end } end hero:set_modifiers(all)",
  };
  (void)state;
  for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++) {
    harness h;
    sinew_scene_def def = quick(true);
    const char *said = problem_of(&h, scenes[i], &def);
    if (!said || !strstr(said, "the callbacks of one frame ran too long: more than 4 million instructions together"))
      fail_msg("scene %zu: %s", i, said ? said : "no problem");
    if (count_lines(h.printed) > 9) fail_msg("scene %zu: %d callbacks ran", i, count_lines(h.printed));
    h.printed[0] = 0;
    assert_true(harness_reload(&h, "function sinew.update() print 'alive' end"));
    harness_step(&h, 1);
    harness_expect(h.printed, "alive");
    harness_close(&h);
  }
}

/* The watchdog ticks ten times too late for this limit. That is not held against the callbacks that come after. */
static void test_a_late_stop_costs_nobody(void **state) {
  harness h;
  sinew_scene_def def = quick(false);
  (void)state;
  def.instruction_limit = 100000;
  const char *said =
      problem_of(&h, "function sinew.update() while true do end end function sinew.draw() print 'drawn' end", &def);
  harness_expect(said, "the script ran too long");
  assert_string_equal(h.printed, "drawn\ndrawn\ndrawn\n");
  harness_close(&h);
}

/* Each frame has a budget of its own. */
static void test_frames_do_not_add_up(void **state) {
  harness h;
  sinew_scene_def def = quick(true);
  (void)state;
  harness_open_host(&h);
  assert_true(harness_load(&h, WORK "sinew.on('update', work) sinew.on('draw', work)", &def));
  harness_step(&h, 10);
  if (sinew_scene_problem(h.scene)) fail_msg("%s", sinew_scene_problem(h.scene));
  assert_int_equal(count_lines(h.printed), 20);
  harness_close(&h);
}

/* When memory is refused, Lua collects all garbage. A script that goes on after the error pays for that, so it soon
 * runs too long. */
static void test_refused_memory_is_paid_for(void **state) {
  harness h;
  int refused = -1;
  sinew_scene_def def = quick(true);
  (void)state;
  def.memory_limit = (size_t)16 << 20;
  def.instruction_limit = 20000000;
  harness_open_host(&h);
  if (!harness_load(&h,
                    "local n, all = 0, {}\n"
                    "local function fill(size)\n"
                    "  local t = {} for i = 1, size do t[i] = i end all[#all + 1] = t\n"
                    "end\n"
                    "local function add() fill(8) end\n"
                    "function sinew.update()\n"
                    "  for _, size in ipairs { 4000, 400, 40 } do while pcall(fill, size) do end end\n"
                    "  while true do if not pcall(add) then n = n + 1 end end\n"
                    "end\n"
                    "function sinew.draw() all = nil print(n) end\n",
                    &def))
    fail_msg("%s", h.error.message);
  harness_step(&h, 1);
  harness_expect(sinew_scene_problem(h.scene), "ran too long");
  assert_int_equal(sscanf(h.printed, "%d", &refused), 1);
  /* A collection of nearly 16 MiB is worth 128 bytes a step: of 20 million steps, fewer than 160 are paid for. */
  if (refused < 10 || refused > 160) fail_msg("refused %d times", refused);
  harness_close(&h);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_the_limit_is_named),
      cmocka_unit_test(test_time_is_named),
      cmocka_unit_test(test_text_that_is_long_to_read),
      cmocka_unit_test(test_the_hook_goes),
      cmocka_unit_test(test_coroutines),
      cmocka_unit_test(test_trusted_coroutines),
      cmocka_unit_test(test_handlers_share_nothing),
      cmocka_unit_test(test_a_frame_prints_a_mebibyte),
      cmocka_unit_test(test_reports_do_not_flood),
      cmocka_unit_test(test_a_frame_has_a_limit),
      cmocka_unit_test(test_frames_do_not_add_up),
      cmocka_unit_test(test_a_late_stop_costs_nobody),
      cmocka_unit_test(test_refused_memory_is_paid_for),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
