/* Crowds from scripts: what members show, against actors that do the same; their arrays; what a save keeps. */
#include "harness.h"

#include "base/memory/memory.h"

#include <sinew/crowd.h>

#define PREFIX                                                                                                         \
  "local sinew = require 'sinew'\n"                                                                                    \
  "local man = sinew.model 'hero.glb'\n"
#define SPACE "sinew.blend_space_1d { param = 'speed', sync = true, { 0, 'Idle' }, { 1.4, 'Walk' }, { 3.6, 'Run' } }"

static void holds(const char *text, int frames) {
  static harness h;
  char whole[6000];
  snprintf(whole, sizeof whole, PREFIX "%s\n", text);
  harness_open(&h, whole);
  harness_step(&h, frames);
  if (sinew_scene_problem(h.scene)) fail_msg("%s", sinew_scene_problem(h.scene));
  harness_close(&h);
}

/* ---- what they show ---- */

static void a_member_shows_what_an_actor_of_the_same_graph_shows(void **state) {
  (void)state;
  holds("local place = { position = { 1, 2, 3 }, rotation = 0.7, scale = 1.5, params = { speed = 0.5, sad = 0.25 } }\n"
        "local graphs = { " SPACE ", 'Walk',\n"
        "  sinew.blend { sync = true, { 'Walk', 2 }, { 'Idle', 'sad' } },\n"
        "  sinew.blend { { "
        "sinew.blend_space_1d { param = 'speed', { 1.4, 'Walk' }, { 0, 'Idle' } }"
        ", 1 }, { 'Wave', 'sad' } },\n"
        "  sinew.blend_space_2d { param_x = 'sad', param_y = 'speed', sync = true,\n"
        "    { 0, 0, 'Idle' }, { 0, 1.4, 'Walk' }, { 1, 0.7, 'Wave' }, { 0, 3.6, 'Run' } } }\n"
        "local pairs_of = {}\n"
        "for i, graph in ipairs(graphs) do\n"
        "  local actor = sinew.actor('actor ' .. i, man, place)\n"
        "  actor:set_graph(graph)\n"
        "  local crowd = sinew.crowd(man, 3, { name = 'crowd ' .. i, graph = graph, params = place.params })\n"
        "  crowd:place(2, 1, 2, 3, 0.7, 1.5)\n"
        "  pairs_of[i] = { actor, crowd }\n"
        "end\n"
        "local checked, frames = 0, 0\n"
        "function sinew.update()\n"
        "  frames = frames + 1\n"
        "  if frames < 40 then return end\n"
        "  for i, pair in ipairs(pairs_of) do\n"
        "    for _, joint in ipairs { 'Hips', 'Head', 'LeftHand', 'RightHand' } do\n"
        "      local d = pair[1]:joint(joint) - pair[2]:joint(2, joint)\n"
        "      local far = math.sqrt(d.x ^ 2 + d.y ^ 2 + d.z ^ 2)\n"
        "      assert(far < 2e-4, ('graph %d, %s: %g m'):format(i, joint, far))\n"
        "      checked = checked + 1\n"
        "    end\n"
        "  end\n"
        "end\n"
        "function sinew.draw() if frames == 45 then assert(checked == 6 * 20) end end",
        45);
}

static void members_have_numbers_of_their_own(void **state) {
  (void)state;
  holds(
      "local crowd = sinew.crowd(man, 4, { graph = 'Walk' })\n"
      "assert(crowd.count == 4 and crowd.name == 'crowd' and crowd.model == man and #crowd.x == 4)\n"
      "local frames = 0\n"
      "function sinew.update(dt)\n"
      "  frames = frames + 1\n"
      "  if frames == 1 then\n"
      "    crowd.rate = { 1, 2, 0, -1 } crowd.phase = { 0, 0.5, 0.25, 0.5 }\n"
      "    crowd.x:set({ 5, 6 }, 3) crowd.yaw = 1 crowd.visible[2] = false crowd:tint(3, 1, 0.5, 0.25)\n"
      "    crowd.z = crowd.x\n"
      "  end\n"
      "  local step = (frames - 1) * dt / man:duration 'Walk'\n"
      "  local want = { step, 0.5 + 2 * step, 0.25, 0.5 - step }\n"
      "  for i = 1, 4 do\n"
      "    local off = (crowd.phase[i] - want[i]) % 1\n"
      "    assert(math.min(off, 1 - off) < 1e-5)\n"
      "  end\n"
      "  assert(crowd.x[3] == 5 and crowd.z[4] == 6 and crowd.x[1] == 0 and crowd.yaw[4] == 1 and crowd.x[5] == nil)\n"
      "  assert(crowd.visible[1] == true and crowd.visible[2] == false and crowd.green[3] == 0.5)\n"
      "  local all = crowd.x:read() assert(#all == 4 and all[4] == 6 and crowd.x:read(all) == all)\n"
      "  assert(crowd.x == crowd.x and crowd.params == crowd.params)\n"
      "  local n = 0 for i, v in ipairs(crowd.rate) do n = n + v end assert(n == 2)\n"
      "end",
      20);
}

/* Those far from the camera take turns: what is asked of them is where they would be. */
static void far_members_take_turns(void **state) {
  static harness h;
  (void)state;
  harness_open(&h, PREFIX "local crowd = sinew.crowd(man, 2, { graph = 'Walk', half_from = 10, quarter_from = 20 })\n"
                          "crowd.z = { 0, -50 } sinew.camera.position = { 0, 1, 3 }\n");
  const sinew_stage *stage = sinew_host_stage(h.host);
  sinew_crowd crowd = sinew_stage_crowd(stage, 0);
  size_t size = (size_t)sinew_model_palette_count(sinew_crowd_model(stage, crowd)), moved[2] = {0};
  sinew_mat3x4 *before = calloc(2 * size, sizeof *before);
  for (int frame = 0; frame < 9; frame++) {
    int count;
    harness_step(&h, 1);
    const sinew_mat3x4 *now = sinew_stage_palettes(stage, &count) + sinew_crowd_palette_offset(stage, crowd);
    for (size_t i = 0; i < 2; i++) {
      moved[i] += memcmp(before + i * size, now + i * size, size * sizeof *now) != 0 && frame > 0;
      memcpy(before + i * size, now + i * size, size * sizeof *now);
    }
  }
  assert_int_equal(moved[0], 8);
  assert_int_equal(moved[1], 2);
  free(before);
  harness_close(&h);
}

/* ---- saves ---- */

static const char walkers[] =
    PREFIX "local crowd = sinew.crowd(man, %d, { name = 'walkers', graph = %s, params = { speed = %s } })\n"
           "for i = 1, crowd.count do crowd:place(i, i, 0, %s) crowd.phase[i] = 0.1 * i end\n"
           "%s\n"
           "function sinew.update() crowd.x[2] = crowd.x[2] + 1 end\n";

static const char *scene(int count, const char *graph, const char *speed, const char *z, const char *more) {
  static char text[4096];
  snprintf(text, sizeof text, walkers, count, graph, speed, z, more);
  return text;
}

static sinew_crowd_characters members(const harness *h) {
  const sinew_stage *stage = sinew_host_stage(h->host);
  return sinew_crowd_view(stage, sinew_stage_crowd(stage, 0));
}

static void reload(harness *h, const char *text, const char *said) {
  if (!harness_reload(h, text)) fail_msg("%s", h->error.message);
  harness_expect(sinew_scene_summary(h->scene), said);
}

static void expect_near(double a, double b) {
  if (!(fabs(a - b) < 1e-5)) fail_msg("%g is not %g", a, b);
}

static void a_save_changes_what_it_names(void **state) {
  static harness h;
  (void)state;
  harness_open(&h, scene(5, SPACE, "0.7", "0", ""));
  harness_step(&h, 10);
  sinew_crowd_characters all = members(&h);
  double time = all.slots[0].time[2];
  expect_near((double)all.transform[1].translation.x, 12);
  reload(&h, scene(5, SPACE, "0.7", "0", ""), "nothing declared has changed");
  assert_ptr_equal(members(&h).transform, all.transform);
  expect_near((double)all.transform[1].translation.x, 12);
  assert_true(all.slots[0].time[2] == time);
  reload(&h, scene(5, SPACE, "0.7", "i == 3 and 9 or 0", ""), "walkers.z of 1 member");
  expect_near((double)all.transform[2].translation.z, 9);
  expect_near((double)all.transform[1].translation.x, 12);
  reload(&h, scene(5, SPACE, "1.4", "0", ""), "walkers.speed 0.7 → 1.4");
  harness_step(&h, 1);
  expect_near((double)all.slots[1].weight[4], 1);
  reload(&h,
         scene(5,
               "sinew.blend_space_1d { param = 'speed', sync = true, { 0, 'Idle' }, { 2.8, 'Walk' }, { 3.6, "
               "'Run' } }",
               "1.4", "0", ""),
         "walkers graph, Walk: x 1.4 → 2.8");
  harness_step(&h, 1);
  expect_near((double)all.slots[1].weight[4], 0.5);
  harness_close(&h);
}

static void parameters_that_come_and_go_are_told_so(void **state) {
  static harness h;
  (void)state;
  harness_open(&h, scene(3, SPACE, "0.7, turn = 2", "0", ""));
  harness_step(&h, 1);
  reload(&h, scene(3, SPACE, "0.7", "0", ""), "walkers.turn 2 → no longer declared");
  reload(&h, scene(3, SPACE, "0.7, turn = 0", "0", ""), "walkers.turn 0");
  reload(&h, scene(3, SPACE, "0.7, turn = 3", "0", ""), "walkers.turn 0 → 3");
  reload(&h, scene(3, SPACE, "0.7", "0", ""), "walkers.turn 3 → no longer declared");
  harness_close(&h);
}

/* The value added to a member's targets of that name, on top of their clips; it is the same on every mesh. */
static double added(const harness *h, const char *name, int member) {
  const sinew_stage *stage = sinew_host_stage(h->host);
  const sinew_model *model = sinew_crowd_model(stage, sinew_stage_crowd(stage, 0));
  sinew_crowd_characters all = members(h);
  const float *weights = all.morph_added + (size_t)member * (size_t)all.morph_count;
  double value = NAN;
  for (int m = 0; m < sinew_model_mesh_count(model); m++)
    for (int t = 0; t < sinew_model_mesh(model, m).morph_count; t++, weights++) {
      if (strcmp(sinew_model_mesh(model, m).morphs[t].name, name) != 0) continue;
      if (!isnan(value)) assert_true(value == (double)*weights);
      value = (double)*weights;
    }
  return value;
}

static void morphs_are_arrays_by_name(void **state) {
  static harness h;
  (void)state;
  harness_open(&h, scene(3, SPACE, "0.7", "0", "crowd.morphs.Smile[2] = 0.5 crowd.morphs.Blink = 0.25"));
  harness_step(&h, 1);
  expect_near(added(&h, "Smile", 0), 0);
  expect_near(added(&h, "Smile", 1), 0.5);
  for (int i = 0; i < 3; i++) expect_near(added(&h, "Blink", i), 0.25);
  reload(&h, scene(4, SPACE, "0.7", "0", "crowd.morphs.Smile[2] = 0.5 crowd.morphs.Blink = 0.25"), "count 3 → 4");
  expect_near(added(&h, "Smile", 1), 0.5);
  expect_near(added(&h, "Blink", 3), 0.25);
  reload(&h, scene(4, SPACE, "0.7", "0", "crowd.morphs.Smile = { 1, 0.5, 0, 0 }"), "walkers.Blink of 4");
  expect_near(added(&h, "Smile", 0), 1);
  expect_near(added(&h, "Smile", 1), 0.5);
  expect_near(added(&h, "Blink", 1), 0);
  harness_close(&h);
}

static void another_count_leaves_the_others_alone(void **state) {
  static harness h;
  (void)state;
  harness_open(&h, scene(5, SPACE, "0.7", "0", ""));
  harness_step(&h, 10);
  double time = members(&h).slots[1].time[4];
  reload(&h, scene(9, SPACE, "0.7", "0", ""), "walkers: count 5 → 9");
  sinew_crowd_characters all = members(&h);
  assert_int_equal(all.count, 9);
  assert_true(all.slots[1].time[4] == time);
  expect_near((double)all.transform[1].translation.x, 12);
  expect_near((double)all.transform[8].translation.x, 9);
  harness_step(&h, 1);
  for (int i = 0; i < 9; i++) expect_near((double)all.slots[1].weight[i], 0.5);
  reload(&h, scene(3, SPACE, "0.7", "0", ""), "walkers: count 9 → 3");
  all = members(&h);
  assert_int_equal(all.count, 3);
  expect_near((double)all.transform[1].translation.x, 13);
  harness_close(&h);
}

/* Walk goes on, what is new begins at the phase of the others. */
static void another_graph_keeps_clocks_by_name(void **state) {
  static harness h;
  (void)state;
  harness_open(&h, scene(5, SPACE, "0.7", "0", ""));
  harness_step(&h, 10);
  sinew_crowd_characters all = members(&h);
  double walk = all.slots[1].time[3];
  const sinew_model *model =
      sinew_crowd_model(sinew_host_stage(h.host), sinew_stage_crowd(sinew_host_stage(h.host), 0));
  double phase = walk / sinew_clip_duration(sinew_model_clip(model, all.slots[1].clip[3]));
  reload(&h, scene(5, "sinew.blend { { 'Wave', 1 }, { 'Walk', 'speed' } }", "0.7", "0", ""),
         "walkers graph: blend_space_1d → blend");
  all = members(&h);
  assert_true(all.slots[1].time[3] == walk);
  expect_near(all.slots[0].time[3] / sinew_clip_duration(sinew_model_clip(model, all.slots[0].clip[3])), phase);
  expect_near((double)all.transform[1].translation.x, 12);
  harness_close(&h);
}

static void a_load_that_fails_changes_nothing(void **state) {
  static harness h;
  (void)state;
  harness_open(&h, scene(5, SPACE, "0.7", "0", ""));
  harness_step(&h, 10);
  sinew_crowd_characters all = members(&h);
  assert_false(harness_reload(&h, scene(9, "'Walk'", "0.7", "7", "sinew.crowd(man, 3, { name = 'new' }) error 'no'")));
  assert_int_equal(sinew_stage_crowd_count(sinew_host_stage(h.host)), 1);
  assert_ptr_equal(members(&h).transform, all.transform);
  expect_near((double)all.transform[2].translation.z, 0);
  harness_step(&h, 1);
  expect_near((double)all.transform[1].translation.x, 13);
  reload(&h, scene(5, SPACE, "0.7", "0", ""), "nothing declared has changed");
  harness_close(&h);
}

static void what_is_gone_fades_and_comes_back_as_it_was(void **state) {
  static harness h;
  (void)state;
  harness_open(&h, scene(5, SPACE, "0.7", "0", ""));
  harness_step(&h, 10);
  reload(&h, PREFIX, "walkers is gone");
  sinew_crowd_characters all = members(&h);
  double time = all.slots[0].time[2];
  harness_step(&h, 6);
  assert_true(all.tint[0][3] < 0.6f && all.tint[0][3] > 0.3f && all.visible[0]);
  harness_step(&h, 60);
  assert_true(all.tint[0][3] == 0 && !all.visible[0] && all.slots[0].time[2] == time);
  reload(&h, scene(5, SPACE, "0.7", "0", ""), "walkers is back");
  assert_true(all.tint[0][3] == 1 && all.visible[0] && all.speed[0] == 1);
  expect_near((double)all.transform[1].translation.x, 12);
  reload(&h, PREFIX, "walkers is gone");
  harness_step(&h, 11 * 60);
  assert_int_equal(sinew_stage_crowd_count(sinew_host_stage(h.host)), 0);
  harness_close(&h);
}

static void what_is_made_at_run_time_stays(void **state) {
  (void)state;
  holds("local crowd\n"
        "function sinew.update()\n"
        "  if crowd then return end\n"
        "  crowd = sinew.crowd(man, 3, { name = 'late', graph = " SPACE ", params = { speed = 1 } })\n"
        "  crowd.params.speed[2] = 2 crowd.x = { 1, 2, 3 }\n"
        "  crowd:resize(5)\n"
        "  assert(crowd.count == 5 and crowd.params.speed[2] == 2 and crowd.params.speed[5] == 1 and crowd.x[3] == 3)\n"
        "  assert(sinew.crowd 'late' == crowd)\n"
        "  local other = sinew.crowd(man, 2) local x = other.x other:remove()\n"
        "  assert(not pcall(function() return x[1] end) and not pcall(function() return other.x end))\n"
        "end",
        3);
}

/* ---- a warm frame ---- */

typedef struct counter {
  long requests;
} counter;

static void *count_requests(void *user, void *pointer, size_t size) {
  counter *c = user;
  if (size > 0) c->requests++;
  if (size > 0) return realloc(pointer, size);
  free(pointer);
  return NULL;
}

/* Neither Lua nor the core asks for memory, whatever numbers the script sets. */
static void expect_no_garbage(const char *text) {
  static harness h;
  counter c = {0};
  sinew_allocator allocator = {count_requests, &c};
  sinew_scene_def def = sinew_scene_def_default();
  def.allocator = &allocator;
  harness_open_host(&h);
  bool shakes = getenv("SINEW_SHAKE");
  unsetenv("SINEW_SHAKE"); /* moving things asks for memory */
  if (!harness_load(&h, text, &def)) fail_msg("%s", h.error.message);
  if (shakes) setenv("SINEW_SHAKE", "1", 1);
  harness_step(&h, 5);
  if (sinew_scene_problem(h.scene)) fail_msg("%s", sinew_scene_problem(h.scene));
  long before = c.requests;
  uint64_t core = mem_request_count();
  harness_step(&h, 30);
  if (c.requests != before) fail_msg("%ld requests of the script in 30 frames", c.requests - before);
  assert_int_equal(mem_request_count(), core);
  assert_true(c.requests > 1000);
  harness_close(&h);
}

static void a_warm_frame_of_a_crowd_allocates_nothing(void **state) {
  (void)state;
  expect_no_garbage(PREFIX "local crowd = sinew.crowd(man, 300, { graph = " SPACE ", params = { speed = 1 } })\n"
                           "local speed, all = crowd.params.speed, {}\n"
                           "for i = 1, 300 do all[i] = i end\n"
                           "function sinew.update(dt)\n"
                           "  for i = 1, 300 do\n"
                           "    speed[i] = 2 + math.sin(sinew.time + i)\n"
                           "    crowd:place(i, i, 0, sinew.time, i + sinew.time)\n"
                           "    crowd.x[i] = crowd.x[i] + dt crowd.params.speed[i] = 1 crowd:tint(i, 1, 1, 0.5)\n"
                           "  end\n"
                           "  crowd.z = all crowd.z:read(all) crowd.rate = 1.5 crowd.y = crowd.x\n"
                           "end\n");
}

static void a_warm_frame_of_scripted_actors_allocates_nothing(void **state) {
  (void)state;
  expect_no_garbage(PREFIX "local all = {}\n"
                           "for i = 1, 40 do\n"
                           "  all[i] = sinew.actor('a' .. i, man, { params = { speed = 0, turn = 0, lean = 0 } })\n"
                           "  all[i]:set_graph(" SPACE ")\n"
                           "end\n"
                           "function sinew.update(dt)\n"
                           "  for i, actor in ipairs(all) do\n"
                           "    local params = actor.params\n"
                           "    params.speed, params.turn, params.lean = 2 + math.sin(sinew.time + i), 1, i\n"
                           "    actor.rotation = sinew.time actor.morphs.Smile = 0.5 assert(actor:state() == nil)\n"
                           "    actor.visible = actor.name ~= ''\n"
                           "  end\n"
                           "end\n");
}

/* Handles that were made before others went, and after. */
static void actors_are_found_whoever_has_gone(void **state) {
  (void)state;
  holds("local all, frames = {}, 0\n"
        "for i = 1, 9 do all[i] = sinew.actor('a' .. i, man, { params = { n = i } }) end\n"
        "local params = {} for i = 1, 9 do params[i] = all[i].params end\n"
        "function sinew.update()\n"
        "  frames = frames + 1\n"
        "  if frames == 2 then all[1]:remove() all[5]:remove() all[9]:remove() end\n"
        "  if frames == 3 then all[5] = sinew.actor('a5', man, { params = { n = 5 } }) params[5] = all[5].params end\n"
        "  for i = 1, 9 do\n"
        "    local gone = frames > 1 and (i == 1 or i == 9 or (i == 5 and frames < 3))\n"
        "    local there, name = pcall(function() return all[i].name end)\n"
        "    assert(there ~= gone and (gone or name == 'a' .. i))\n"
        "    local known, n = pcall(function() return params[i].n end)\n"
        "    assert(known ~= gone and (gone or n == i))\n"
        "  end\n"
        "end",
        4);
}

/* ---- refused ---- */

static void refused(const char *text, const char *reason) { harness_refused(PREFIX, text, reason); }

static void what_cannot_be_is_refused_with_the_reason(void **state) {
  (void)state;
  refused("sinew.crowd(man)", "how many members");
  refused("sinew.crowd(man, 0)", "a whole number from 1");
  refused("sinew.crowd(man, 100001)", "100000 members at most");
  refused("sinew.crowd(man, 60000) sinew.crowd(man, 60000)", "100000 members at most, and these would be 120000");
  refused("sinew.crowd 'walkrs'", "no crowd 'walkrs'");
  refused("sinew.crowd(man, 2, { name = 'walkers' }) sinew.crowd 'walkrs'", "did you mean 'walkers'");
  refused("sinew.crowd(man, 2, { name = 'a' }) sinew.crowd(man, 2, { name = 'a' })", "is already declared at");
  refused("sinew.crowd(man, 2, { grph = 'Walk' })", "did you mean 'graph'");
  refused("sinew.crowd(man, 2, { graph = 'Wlak' })", "did you mean 'Walk'");
  refused("sinew.crowd(man, 2, { graph = sinew.blend { { 'Walk', 'sped' } }, params = { speed = 1 } })",
          "no parameter 'sped' in crowd 'crowd'");
  refused("sinew.crowd(man, 2, { params = { v = 0 }, graph = sinew.blend_space_2d { param_x = 'v', param_y = 'v', "
          "{ function() return 0 end, 0, 'Idle' } } })",
          "the positions of its samples numbers");
  refused("sinew.crowd(man, 2, { params = { speed = 0/0 } })", "names with numbers");
  refused("sinew.crowd(man, 2, { half_from = 0/0 })", "half_from");
  refused("sinew.crowd(man, 2, { tinted = 'Jaket' })", "no material 'Jaket'");
  refused("sinew.crowd(man, 2, { tinted = { 'Nothing*' } })", "no material 'Nothing*'");
  refused("sinew.crowd(man, 2, { tinted = { 7 } })", "list of names");
  refused("sinew.crowd(man, 2, { tinted = '' })", "names are not empty");
  refused("local c = sinew.crowd(man, 2) c.x[3] = 1", "members 1 to 2, and none with the number 3");
  refused("local c = sinew.crowd(man, 2) c.x[0] = 1", "none with the number 0");
  refused("local c = sinew.crowd(man, 2) c.x[1.5] = 1", "none with the number 1.5");
  refused("local c = sinew.crowd(man, 2) c.x.a = 1", "has numbers from 1 on");
  refused("local c = sinew.crowd(man, 2) c.x[1] = 0/0", "x of crowd 'crowd' must be a finite number of metres");
  refused("local c = sinew.crowd(man, 2) c.x[1] = 1e300", "must be a finite number of metres");
  refused("local c = sinew.crowd(man, 2) c.x[1] = '1'", "must be a finite number of metres (got 1)");
  refused("local c = sinew.crowd(man, 2) c.scale = 0", "must be a number above 0");
  refused("local c = sinew.crowd(man, 2) c.x = { 1, 2, 3 }", "the table has 3 numbers, and the crowd 2 members");
  refused("local c = sinew.crowd(man, 2) c.x = { 1, 0/0 }", "must be a finite number");
  refused("local c = sinew.crowd(man, 2) c.x:set({ 1, 2 }, 2)", "are too many for 2 members");
  refused("local c = sinew.crowd(man, 2) c.morphs.Smle = 1", "no morph target 'Smle'; did you mean 'Smile'");
  refused("local c = sinew.crowd(man, 2) c.morphs.Smile[1] = 0/0", "Smile of crowd 'crowd' must be a finite number");
  refused("local c = sinew.crowd(man, 2) c.rte = 2", "did you mean 'rate'");
  refused("local c = sinew.crowd(man, 2) c.params.speed = 2", "declare it with params = { speed = 0 }");
  refused("local c = sinew.crowd(man, 2) c:joint(1, 'Head')", "ask in a callback");
  refused("local c = sinew.crowd(man, 2) c:resize(3)", "change the number in its declaration");
  refused("local c = sinew.crowd(man, 2) c:remove()", "take its declaration out");
  refused("local c, d = sinew.crowd(man, 2), sinew.crowd(man, 3) c.x = d.x",
          "has 2 members, and crowd 'crowd 2' has 3");
}

/* ---- actors that become members, and members that become actors ---- */

#define ACTOR(graph) "one = sinew.actor('hero', man, at) one:set_graph(" graph ") "
#define CLIP_ACTOR "one = sinew.actor('hero', man, at) one:play('Walk', { fade = 0 }) "
/* The last of two; the other stands elsewhere and is in another phase. */
#define CROWD(graph)                                                                                                   \
  "one = sinew.crowd(man, 2, { name = 'all', graph = " graph ", params = at.params }) one:place(2, 1, 0, 0) "          \
  "one.phase[1] = 0.77 many = true "
#define CROWD_OF_ONE(graph)                                                                                            \
  "other = sinew.crowd(man, 1, { name = 'all', graph = " graph ", params = at.params }) other.phase[1] = 0.77 "
#define STATES "sinew.state_machine { states = { move = " SPACE " }, transitions = {} }"

static const struct {
  const char *before, *after;
} changes[] = {
    {CLIP_ACTOR, CROWD("'Walk'")},
    {CROWD("'Walk'"), CLIP_ACTOR},
    {CLIP_ACTOR CROWD_OF_ONE("'Walk'"), CROWD("'Walk'")},
    {CROWD("'Walk'"), CLIP_ACTOR CROWD_OF_ONE("'Walk'")},
    {ACTOR(SPACE), CROWD(SPACE)},
    {CROWD(SPACE), ACTOR(SPACE)},
    {ACTOR(STATES), CROWD(STATES)},
    {CROWD(STATES), ACTOR(STATES)},
    {ACTOR(SPACE), CROWD(STATES)},
    {CROWD(STATES), ACTOR(SPACE)},
};

static void write_change(char out[4096], const char *what, const char *graph) {
  snprintf(out, 4096,
           PREFIX "local at, one, other, many = { position = { 1, 0, 0 }, params = { speed = 1.2 } }\n%s\n"
                  "local twin = sinew.actor('twin', man, { position = { 3, 0, 0 }, params = at.params })\n"
                  "twin:set_graph(%s)\nfunction sinew.update()\n"
                  "  if sinew.frame < 63 then return end\n"
                  "  for _, joint in ipairs { 'Hips', 'Head', 'LeftFoot', 'RightHand' } do\n"
                  "    local a = many and one:joint(2, joint) or one:joint(joint)\n"
                  "    local d = a - twin:joint(joint)\n"
                  "    local far = math.sqrt((d.x + 2) ^ 2 + d.y ^ 2 + d.z ^ 2)\n"
                  "    assert(far < 0.02, ('%%s is off by %%g m'):format(joint, far))\n  end\nend\n",
           what, graph);
}

static void an_actor_that_becomes_a_member_keeps_its_phase(void **state) {
  static harness h;
  char text[4096];
  (void)state;
  for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
    const char *graph = i < 4 ? "'Walk'" : SPACE;
    fprintf(stderr, "%s-> %s\n", changes[i].before, changes[i].after);
    write_change(text, changes[i].before, graph);
    harness_open(&h, text);
    harness_step(&h, 40);
    write_change(text, changes[i].after, graph);
    if (!harness_reload(&h, text)) fail_msg("%s", h.error.message);
    harness_step(&h, 30);
    if (sinew_scene_problem(h.scene)) fail_msg("%s", sinew_scene_problem(h.scene));
    harness_close(&h);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(an_actor_that_becomes_a_member_keeps_its_phase),
      cmocka_unit_test(a_member_shows_what_an_actor_of_the_same_graph_shows),
      cmocka_unit_test(members_have_numbers_of_their_own),
      cmocka_unit_test(far_members_take_turns),
      cmocka_unit_test(a_save_changes_what_it_names),
      cmocka_unit_test(parameters_that_come_and_go_are_told_so),
      cmocka_unit_test(morphs_are_arrays_by_name),
      cmocka_unit_test(another_count_leaves_the_others_alone),
      cmocka_unit_test(another_graph_keeps_clocks_by_name),
      cmocka_unit_test(a_load_that_fails_changes_nothing),
      cmocka_unit_test(what_is_gone_fades_and_comes_back_as_it_was),
      cmocka_unit_test(what_is_made_at_run_time_stays),
      cmocka_unit_test(a_warm_frame_of_a_crowd_allocates_nothing),
      cmocka_unit_test(a_warm_frame_of_scripted_actors_allocates_nothing),
      cmocka_unit_test(actors_are_found_whoever_has_gone),
      cmocka_unit_test(what_cannot_be_is_refused_with_the_reason),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
