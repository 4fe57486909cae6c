/* Calls from scripts in the middle of a stage update or of one of our functions: each ends in an error message and a
 * working host. With SINEW_SHAKE=1 and sanitizers it also finds every pointer that is kept across such a call. */
#include "harness.h"

#include "core/call_lock.h"

#include "actor/stage.h"

#define PREFIX                                                                                                         \
  "local sinew = require 'sinew'\n"                                                                                    \
  "local man = sinew.model 'hero.glb'\n"                                                                               \
  "local hero = sinew.actor('hero', man, { params = { speed = 1, at = 0 } })\n"                                        \
  "local friend = sinew.actor('friend', man)\n"                                                                        \
  "local hat = sinew.actor('hat', man)\n"                                                                              \
  "local crowd = sinew.crowd(man, 20, { name = 'crowd', graph = 'Walk' })\n"                                           \
  "local walk = hero:play 'Walk'\n"                                                                                    \
  "local arm = hero:layer('arm', { mask = { ['RightShoulder/**'] = 1 } })\n"                                           \
  "hero:attach('Head', hat)\n"                                                                                         \
  "hat:play 'Run'\n"                                                                                                   \
  "hat:root_motion { joint = 'Hips' }\n"                                                                               \
  "local drive = friend:motor { level = sinew.level { { 'floor', box = { 9, 1, 9 } } } }\n"                            \
  "local once\n"

/* ---- the scenes in which something went wrong ---- */

/* Runs on, with a problem that says `reason` (NULL: with none), and can be loaded again. */
static void lives(const char *scene, const char *reason) {
  static harness h;
  static char text[8000];
  snprintf(text, sizeof text, PREFIX "%s\n", scene);
  harness_open(&h, text);
  harness_step(&h, 20);
  const char *problem = sinew_scene_problem(h.scene);
  if (!reason && problem) fail_msg("%s", problem);
  if (reason) harness_expect(problem, reason);
  assert_true(harness_reload(&h, text));
  harness_step(&h, 3);
  harness_close(&h);
}

#define MACHINE(when)                                                                                                  \
  "hero:set_graph(sinew.state_machine { start = 'a', states = { a = 'Idle', b = 'Walk' },\n"                           \
  "  transitions = { { 'a', 'b', fade = 0.1, when = function(actor) " when " return false end } } })\n"

static void a_condition_may_not_change_the_stage(void **state) {
  static const char updated[] = "the stage is being updated; do it in update() or in an event handler";
  (void)state;
  lives(MACHINE("actor:play 'Run'"), updated);
  lives(MACHINE("for _ = 1, 100 do pcall(actor.play, actor, 'Run') end"), NULL);
  lives(MACHINE("actor:set_graph 'Run'"), updated);
  lives(MACHINE("actor:clear_graph()"), updated);
  lives(MACHINE("sinew.actor('other', man)"), updated);
  lives(MACHINE("actor:remove()"), NULL);
  lives(MACHINE("pcall(friend.remove, friend) pcall(crowd.remove, crowd) pcall(hat.remove, hat)"), NULL);
  lives(MACHINE("walk:stop(0)"), updated);
  lives(MACHINE("actor.position = { 1, 2, 3 }"), updated);
  lives(MACHINE("crowd.x[1] = 2"), updated);
  lives(MACHINE("crowd:resize(50)"), updated);
  lives(MACHINE("coroutine.wrap(function() actor:play 'Run' end)()"), updated);
  lives(MACHINE("actor.morphs.Smile = 1"), "actor.morphs: the stage is being updated");
  lives(MACHINE("crowd.morphs.Smile = 1"), "crowd.morphs: the stage is being updated");
}

static void a_modifier_may_not_play(void **state) {
  (void)state;
  lives("hero:set_modifiers { sinew.modifier { 'f', function(pose, actor)\n"
        "  for _ = 1, 40 do actor:play('Run', { weight = 0.1 }) end end } }\n",
        "the stage is being updated");
  lives("hero:set_modifiers { sinew.modifier { 'f', function(pose, actor) actor:remove() end } }\n", NULL);
  lives("hero:set_modifiers { sinew.modifier { 'f', function(pose, actor) pcall(hat.remove, hat)\n"
        "  pcall(friend.remove, friend) end } }\n",
        NULL);
}

static void a_ground_may_not_measure_anew(void **state) {
  (void)state;
  lives("local function ground(x, z) hero:measure { ground = ground } return 0 end\n"
        "function sinew.update() hero:measure { ground = ground } end\n",
        "actor:measure: the stage is being updated");
  lives("function sinew.update()\n"
        "  if pcall(function() return hero.name end) then\n"
        "    hero:measure { ground = function() hero:remove() return 0 end } end end\n",
        NULL);
  lives("hero:set_modifiers { sinew.plant { 'feet', pelvis = 'Hips', feet = { 'LeftFoot', 'RightFoot' },\n"
        "  ground = function() hero:set_modifiers {} return 0 end } }\n",
        "actor:set_modifiers: the stage is being updated");
  lives("hero:set_modifiers { sinew.plant { 'feet', pelvis = 'Hips', feet = { 'LeftFoot', 'RightFoot' },\n"
        "  ground = function() pcall(hero.remove, hero) pcall(friend.remove, friend) return 0 end } }\n",
        NULL);
}

static void a_place_may_not_change_the_stage(void **state) {
  (void)state;
  lives("local runs\n"
        "hero:set_graph(sinew.blend_space_1d { param = 'at', { function()\n"
        "  if runs then hero:clear_graph() end return 0 end, 'Idle' }, { 1, 'Walk' } })\n"
        "function sinew.update() runs = true end\n",
        "actor:clear_graph: the stage is being updated");
  lives("local runs\n"
        "hero:set_graph(sinew.blend_space_1d { param = 'at', { function()\n"
        "  if runs then hero:remove() end return 0 end, 'Idle' }, { 1, 'Walk' } })\n"
        "function sinew.update() runs = true end\n",
        NULL);
}

static void handlers_may_do_anything(void **state) {
  (void)state;
  lives("man:markers('Walk', { { 0.1, 'step' }, { 0.12, 'step' } })\n"
        "hero:on('step', function() hero:remove() end)\n"
        "hero:on('step', function(e) print(e.actor) end)\n",
        NULL);
  lives("man:markers('Run', { { 0.1, 'step' } })\n"
        "for i = 1, 30 do sinew.actor('runner ' .. i, man):play 'Run' end\n"
        "for i = 1, 30 do sinew.actor('runner ' .. i):on('step', function(e)\n"
        "  e.actor:play('Wave', { weight = 0.2 })\n"
        "  for k = 1, 30 do if k ~= i then pcall(function() sinew.actor('runner ' .. k):remove() end) end end\n"
        "  for k = 1, 10 do sinew.actor('new ' .. i .. k, man):play 'Run' end end) end\n",
        NULL);
}

/* ---- a script inside of a function of ours ---- */

/* Once, from the place of a sample, while set_graph reads it. */
#define PLACE(what)                                                                                                    \
  "function sinew.update() hero:set_graph(sinew.blend_space_1d { param = 'at', { function()\n"                         \
  "  if not once then once = true\n" what "\nend return 0 end, 'Idle' }, { 1, 'Walk' } }) end\n"

#define TELLS(what) "setmetatable({}, { __tostring = function() " what " return 'x' end })"

static void a_metamethod_may_not_change_what_is_worked_on(void **state) {
  static const char at_work[] = "another function of sinew is running";
  (void)state;
  lives("function sinew.update() crowd.x[1] = " TELLS("crowd:remove()") " end\n", "x of crowd 'crowd' must be");
  lives("function sinew.update() crowd.x[" TELLS("crowd:remove()") "] = 1 end\n", "an array of a crowd has numbers");
  lives("function sinew.update() crowd.x = " TELLS("crowd:remove()") " end\n", "x of crowd 'crowd'");
  lives("function sinew.update() crowd.x = { " TELLS("crowd:resize(3)") " } end\n", "the table has 1 numbers");
  lives("function sinew.update() crowd:resize(2) crowd.x = { " TELLS("crowd:resize(3)") ", 1 } end\n", at_work);
  lives("function sinew.update() crowd.x:set { " TELLS("crowd:remove()") " } end\n", "the table has 1 numbers");
  lives("function sinew.update() hero:set_graph(sinew.blend_space_1d { param = 'at', { function()\n"
        "  if not once then once = true hero:set_graph 'Run' end return 0 end, 'Idle' }, { 1, 'Walk' } }) end\n",
        at_work);
  lives("function sinew.update() if not once then once = true\n"
        "  hero:set_graph(sinew.blend_space_1d { param = 'at', { function()\n"
        "  hero:remove() return 0 end, 'Idle' }, { 1, 'Walk' } }) end end\n",
        NULL);
  lives(PLACE("coroutine.wrap(function() hero:play 'Run' end)()"), at_work);
  lives(
      PLACE(
          "local co = coroutine.create(function()\n"
          "  local c <close> = setmetatable({}, { __close = function() hero:play 'Run' end }) coroutine.yield() end)\n"
          "coroutine.resume(co) assert(coroutine.close(co))"),
      at_work);
  lives(PLACE("hero.morphs.Smile = 1"), "actor.morphs: another function of sinew is running");
  lives(PLACE("crowd.morphs.Smile = 1"), "crowd.morphs: another function of sinew is running");
}

/* For an array of the crowd; the first takes the crowd away when it is looked at. */
#define NUMBERS "local numbers = { " TELLS("crowd:remove()") " } for i = 2, 20 do numbers[i] = 0 end\n"

/* In the same callback, as soon as nothing is at work. */
static void what_waits_for_a_function_of_ours_is_done_at_its_end(void **state) {
  (void)state;
  lives("function sinew.update()\n"
        "  hero:set_graph(sinew.blend_space_1d { param = 'at', { function()\n"
        "    if not once then once = true crowd:remove() sinew.clamp(1, 0, 2) assert(crowd.count == 20) end\n"
        "    return 0 end, 'Idle' }, { 1, 'Walk' } })\n"
        "  assert(not pcall(function() return crowd.count end))\n"
        "end\n",
        NULL);
  lives(NUMBERS "function sinew.update()\n"
                "  if once then return end\n"
                "  once = true\n"
                "  pcall(function() crowd.x = numbers end)\n"
                "  assert(crowd.count == 20)\n"
                "  hero.visible = true\n"
                "  assert(not pcall(function() return crowd.count end))\n"
                "end\n",
        NULL);
  lives(NUMBERS "function sinew.draw() pcall(function() crowd.x = numbers end) once = true end\n"
                "function sinew.update() assert(not once or not pcall(function() return crowd.count end)) end\n",
        NULL);
}

/* A ground is asked before the stage is updated. */
/* It is asked as the hat is evaluated. */
static void what_a_ground_removes_is_gone_in_the_next_frame(void **state) {
  (void)state;
  lives("hat:set_modifiers { sinew.plant { 'feet', pelvis = 'Hips', feet = { 'LeftFoot', 'RightFoot' },\n"
        "  ground = function() if not once then once = sinew.frame friend:remove() end return 0 end } }\n"
        "hero:set_modifiers { sinew.modifier { 'f', function()\n"
        "  if sinew.frame == 0 then return end\n"
        "  assert(not once or once == sinew.frame or not pcall(function() return friend.name end)) end } }\n",
        NULL);
}

static void what_runs_the_scene_leaves_the_lock_open(void **state) {
  static harness h;
  (void)state;
  harness_open(&h, PREFIX "local plays = 0\n"
                          "function sinew.update()\n"
                          "  pcall(function() hero:play 'Wlak' end)\n"
                          "  hero:play 'Run'\n"
                          "  plays = plays + 1\n"
                          "end\n"
                          "function sinew.test() sinew.simulate { frames = 3 } assert(plays == 3) end\n");
  if (!sinew_scene_test(h.scene, NULL, &h.error)) fail_msg("%s", h.error.message);
  harness_close(&h);
}

/* Else each call would look through the stack for what is at work. */
static void what_has_ended_is_not_counted_as_at_work(void **state) {
  static harness h;
  (void)state;
  harness_open(&h, PREFIX "local frame = 0\n"
                          "function sinew.update()\n"
                          "  frame = frame + 1\n"
                          "  if frame == 2 then pcall(function() hero:play 'Wlak' end) end\n"
                          "  hero:play 'Walk' hero.visible = true\n"
                          "end\n");
  for (int i = 0; i < 3; i++) {
    harness_step(&h, 1);
    assert_null(sinew_scene_problem(h.scene));
    assert_int_equal(h.scene->at_work, 0);
  }
  harness_close(&h);
}

/* An error or a yield in such a function opens the lock again. */
static void the_lock_opens_again(void **state) {
  (void)state;
  lives("local task = require 'sinew.task'\n"
        "task.run(function() for _ = 1, 50 do hero:wait 'loop' end end)\n"
        "local another\n"
        "function sinew.update()\n"
        "  assert(not pcall(function() hero:play 'Wlak' end))\n"
        "  assert(not pcall(function() crowd.x = 'x' end))\n"
        "  for _ = 1, 5 do pcall(coroutine.wrap(function() hero:play 'Wlak' end)) end\n"
        "  assert(pcall(function() hero:play 'Walk' end))\n"
        "  crowd.x[1] = 2\n"
        "  if not another then another = sinew.actor('another', 'hero.glb') end\n"
        "end\n",
        NULL);
  lives("local function fail(inside)\n"
        "  assert(not pcall(function() hero:set_graph(sinew.blend_space_1d { param = 'at',\n"
        "    { function() inside() error 'stop' end, 'Idle' }, { 1, 'Walk' } }) end))\n"
        "  hero:play 'Walk'\n"
        "end\n"
        "function sinew.update()\n"
        "  fail(coroutine.wrap(function() end))\n"
        "  fail(function()\n"
        "    local co = coroutine.create(function() local c <close> = setmetatable({}, { __close = function() end })\n"
        "      coroutine.yield() end)\n"
        "    coroutine.resume(co) coroutine.close(co)\n"
        "  end)\n"
        "end\n",
        NULL);
}

static void what_is_deferred_is_done_when_the_lock_opens(void **state) {
  (void)state;
  lives("local removed\n"
        "hero:set_modifiers { sinew.modifier { 'f', function(pose, actor)\n"
        "  if removed then return end\n"
        "  removed = true\n"
        "  actor:remove() actor:remove() sinew.clamp(1, 0, 2)\n"
        "  assert(actor.name == 'hero' and actor.params.speed == 1)\n"
        "end } }\n"
        "local frames = 0\n"
        "function sinew.draw()\n"
        "  frames = frames + 1\n"
        "  assert(removed and not pcall(function() return hero.name end))\n"
        "end\n",
        NULL);
}

/* Each of these functions sees the stage as update() left it, both for earlier and for later actors. */
static void places_and_conditions_are_asked_before_any_clock_moves(void **state) {
  (void)state;
  lives("local other = sinew.actor('other', man, { params = { at = 0 } })\n"
        "local run, seen, asked = other:play 'Run', nil, {}\n"
        "local function look(who)\n"
        "  if not seen then return end\n"
        "  assert(walk.time == seen[1] and run.time == seen[2], who)\n"
        "  asked[who] = (asked[who] or 0) + 1\n"
        "end\n"
        "local function graph(who)\n"
        "  return sinew.state_machine { start = 'a', states = { a = sinew.blend_space_1d { param = 'at',\n"
        "    { function() look(who .. ' place') return 0 end, 'Idle' }, { 1, 'Walk' } }, b = 'Walk' },\n"
        "    transitions = { { 'a', 'b', when = function() look(who .. ' when') return false end } } }\n"
        "end\n"
        "hero:set_graph(graph 'hero') other:set_graph(graph 'other')\n"
        "function sinew.update() seen = { walk.time, run.time } end\n"
        "function sinew.draw()\n"
        "  assert(walk.time ~= seen[1] and run.time ~= seen[2])\n"
        "  for _, who in ipairs { 'hero', 'other' } do\n"
        "    assert(asked[who .. ' place'] == asked['hero place'] and asked[who .. ' when'] == asked['hero place'])\n"
        "  end\n"
        "end\n",
        NULL);
}

static void parameters_and_targets_are_written_at_once(void **state) {
  (void)state;
  lives(MACHINE(
            "actor.params.speed = 7 assert(actor.params.speed == 7)\n"
            "sinew.camera.fov = 0.5 assert(math.abs(sinew.camera.fov - 0.5) < 1e-6)\n"
            "actor.modifiers.look.target = { 1, 2, 3 }\n"
            "assert(actor.modifiers.look.target.y == 2)\n"
            "actor.modifiers.look.weight = 0.25 assert(actor.modifiers.look.weight == 0.25)") "hero:set_modifiers { "
                                                                                              "sinew.look_at { 'look', "
                                                                                              "chain = { 'Neck', "
                                                                                              "'Head' } } }\n",
        NULL);
}

static void what_is_sent_is_heard_by_the_next_update(void **state) {
  static harness h;
  (void)state;
  harness_open(&h, PREFIX "hero:set_graph(sinew.state_machine { start = 'a', states = { a = 'Idle', b = 'Walk' },\n"
                          "  transitions = { { 'a', 'b', on = 'go' } } })\n"
                          "local frame, sent = 0\n"
                          "friend:set_graph(sinew.state_machine { start = 'a', states = { a = 'Idle', b = 'Walk' },\n"
                          "  transitions = { { 'a', 'b', when = function()\n"
                          "    if not sent then sent = frame hero:send 'go' end return false end } } })\n"
                          "function sinew.update() frame = frame + 1 end\n"
                          "function sinew.draw() print(frame - (sent or frame), (hero:state())) end\n");
  harness_step(&h, 3);
  assert_string_equal(h.printed, "0\ta\n1\tb\n2\tb\n");
  harness_close(&h);
}

static void a_tab_may_take_others_away(void **state) {
  static harness h;
  (void)state;
  if (!harness_open_panels(&h)) skip();
  bool loaded = harness_load(&h,
                             "local sinew, tabs = require 'sinew'\n"
                             "function sinew.draw()\n"
                             "  tabs = { { 'a', function() tabs[2] = nil tabs[3] = 7 end }, { 'b', function() end },\n"
                             "    { 'c', function() end } }\n"
                             "  sinew.ui.tabs('t', tabs)\n"
                             "end\n",
                             NULL);
  if (!loaded) fail_msg("%s", h.error.message);
  harness_step(&h, 3);
  harness_expect(sinew_scene_problem(h.scene), "a tab is { \"label\", function } (number 2)");
  harness_close(&h);
}

/* It would move what is being drawn, and the events that are being told. */
static void a_frame_does_not_run_inside_a_frame(void **state) {
  static harness h;
  (void)state;
  harness_open(&h, PREFIX "man:markers('Walk', { { 0.05, 'step' } })\n"
                          "hero:on('step', function() sinew.simulate { frames = 1 } end)\n"
                          "function sinew.test() sinew.simulate { frames = 20 } end\n");
  assert_false(sinew_scene_test(h.scene, NULL, &h.error));
  harness_expect(h.error.message, "sinew.simulate cannot run inside a frame");
  harness_close(&h);
}

/* ---- the table of all that scripts can call ---- */

typedef struct text {
  char *at;
  size_t left;
} text;

static void add(text *t, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int size = vsnprintf(t->at, t->left, format, arguments);
  va_end(arguments);
  assert_true(size >= 0 && (size_t)size < t->left);
  t->at += size;
  t->left -= (size_t)size;
}

/* Those of the modules in Lua call others of these. */
static bool is_callable(const api_entry *e) {
  for (const api_entry *m = api_module_entries; m->owner; m++)
    if (m == e) return false;
  return e->kind == API_FUNCTION || e->kind == API_METHOD;
}

/* Every function, from a modifier: what is refused says so before it looks at its arguments, and what is not is one of
 * these. A new one that changes something cannot be missed: to be let through it has to be put on the list in
 * call_lock.c, and then here. What modules in Lua call is among them. */
static const char free_ones[] =
    " actor.bounds actor.events actor.history actor.curve actor.joint actor.playing actor.pose actor.root_delta "
    "actor.send "
    "actor.state actor.transition "
    "actor.vertices crowd.joint crowd.state crowd_array.read model.clips model.curves model.duration model.find_steps "
    "model.joints "
    "model.mask "
    "model.match model.meshes model.morphs model.rest model.roles model.sample model.velocity pose.add pose.blend "
    "pose.compare "
    "pose.get pose.ik "
    "pose.mirror pose.read pose.retarget pose.rotate pose.save pose.set pose.take pose.write sinew.blend "
    "sinew.blend_space_1d sinew.blend_space_2d sinew.chain sinew.clamp sinew.clip sinew.copy_transform sinew.damp "
    "sinew.debug.line sinew.debug.skeleton sinew.debug.text sinew.twist sinew.help sinew.ik sinew.strength "
    "sinew.is_down sinew.keep sinew.check "
    "sinew.ground sinew.raycast sinew.lerp sinew.limit sinew.load_pose sinew.log sinew.look_at sinew.modifier "
    "sinew.mouse sinew.plant sinew.quit "
    "sinew.report sinew.spring sinew.state_machine sinew.switch sinew.timeline sinew.ui.button sinew.ui.checkbox "
    "sinew.ui.color "
    "sinew.ui.combo sinew.ui.drag sinew.ui.panel sinew.ui.plot sinew.ui.separator sinew.ui.slider sinew.ui.tabs "
    "sinew.ui.text sinew.ui.timeline sinew.ui.tree sinew.vec3 sinew.warp sinew.wheel ";

static bool is_free(const api_entry *e) {
  char name[80];
  snprintf(name, sizeof name, " %s.%s ", e->owner, e->name);
  return strstr(free_ones, name) != NULL;
}

#define THINGS                                                                                                         \
  "local things = { model = man, actor = hero, action = walk, layer = arm, crowd = crowd, crowd_array = crowd.x,\n"    \
  "  motor = drive, mask = man:mask { Head = 1 }, actor_modifier = hero.modifiers.f, pose = man:rest(),\n"             \
  "  sinew = sinew, ['sinew.ui'] = sinew.ui, ['sinew.debug'] = sinew.debug, ['sinew.view'] = sinew.view,\n"            \
  "  ['sinew.camera'] = sinew.camera, ['sinew.light'] = sinew.light }\n"

static void the_lock_covers_every_function_that_changes_something(void **state) {
  static char scene[60000];
  static harness h;
  text t = {scene, sizeof scene};
  (void)state;
  add(&t, "%s",
      PREFIX "local names, done = {}, false\n"
             "local things\n"
             "hero:set_modifiers { sinew.modifier { 'f', function(pose)\n"
             "  if done then return end\n"
             "  done = true\n"
             "  for _, name in ipairs(names) do\n"
             "    local owner, method = name:match '^(.*)%.([%w_]+)$'\n"
             "    local thing = things[owner]\n"
             "    local call = function() return thing[method](thing) end\n"
             "    if owner:match '^sinew' then call = function() return thing[method]() end end\n"
             "    local fine, message = pcall(call)\n"
             "    local locked = not fine and message:find('the stage is being updated', 1, true) ~= nil\n"
             "    print(name, locked and 'refused' or 'free')\n"
             "  end\n"
             "end } }\n");
  add(&t, "%s", &THINGS[strlen("local ")]);
  for (const api_entry *const *table = api_tables; *table; table++)
    for (const api_entry *e = *table; e->owner && *table != api_module_entries; e++)
      if (is_callable(e) && strcmp(e->name, "remove") != 0) add(&t, "names[#names + 1] = '%s.%s'\n", e->owner, e->name);
  harness_open(&h, scene);
  harness_step(&h, 1);
  if (sinew_scene_problem(h.scene)) fail_msg("%s", sinew_scene_problem(h.scene));
  for (const api_entry *const *table = api_tables; *table; table++)
    for (const api_entry *e = *table; e->owner && *table != api_module_entries; e++) {
      char line[100];
      if (!is_callable(e) || strcmp(e->name, "remove") == 0) continue;
      snprintf(line, sizeof line, "%s.%s\t%s\n", e->owner, e->name, is_free(e) ? "free" : "refused");
      harness_expect(h.printed, line);
    }
  harness_close(&h);
}

/* Every field that can be set, likewise. */
static void the_lock_covers_every_field_that_changes_something(void **state) {
  (void)state;
  for (const api_entry *const *table = api_tables; *table; table++)
    for (const api_entry *e = *table; e->owner; e++) {
      bool target = strcmp(e->owner, "actor_modifier") == 0 || strcmp(e->name, "help_text") == 0;
      bool shown = strcmp(e->owner, "sinew.camera") == 0 || strcmp(e->owner, "sinew.light") == 0 ||
                   strcmp(e->owner, "sinew.view") == 0;
      if (e->set) assert_int_equal(call_access_of(e), target || shown ? CALL_ALLOWED : CALL_REFUSED);
    }
}

static const char *argument_of(const char *type, size_t size) {
  static const char *const known[][2] = {
      {"clip", "'Walk'"},      {"joint", "'Head'"}, {"number", "0.5"},   {"integer", "1"},
      {"count", "1"},          {"seconds", "0.1"},  {"weight", "0.5"},   {"string", "'x'"},
      {"pose", "things.pose"}, {"model", "man"},    {"vec3", "{1,0,0}"}, {"actor", "hero"},
      {"space", "'local'"},    {"key", "'a'"},      {"table", "{}"},     {"joint_transform", "{}"}};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (strlen(known[i][0]) == size && strncmp(known[i][0], type, size) == 0) return known[i][1];
  return NULL;
}

/* False where a type has no example here. */
static bool add_arguments(text *t, const api_entry *e) {
  const char *separator = "", *spec = e->spec;
  api_argument a;
  if (e->kind == API_METHOD) add(t, "things.%s", e->owner), separator = ", ";
  while ((spec = api_next_argument(spec, &a)) && !a.rest && !a.optional) {
    const char *value = argument_of(a.types, strcspn(a.types, "|,"));
    if (!value) return false;
    add(t, "%s%s", separator, value);
    separator = ", ";
  }
  return true;
}

/* Each function, once, and how often the stage was asked for a change until the next one was called. */
static sinew_stage *watched;
static const api_entry *called;
static int64_t changes_before;

static void look_at_last(void) {
  bool asked = called && watched->changes != changes_before;
  if (asked && call_access_of(called) == CALL_ALLOWED && strcmp(called->name, "send") != 0)
    fail_msg("%s.%s changes the stage", called->owner, called->name);
}

static void watch(const api_entry *entry) {
  look_at_last();
  called = is_callable(entry) ? entry : NULL;
  changes_before = watched->changes;
}

static void what_is_let_through_changes_nothing(void **state) {
  static char scene[60000];
  static harness h;
  text t = {scene, sizeof scene};
  (void)state;
  add(&t, "%s",
      PREFIX "hero:set_modifiers { sinew.modifier { 'f', function(pose) end } }\n"
             "local worked = 0\n"
             "local function try(name, ...)\n"
             "  if pcall(...) then worked = worked + 1 end\n"
             "end\n" THINGS "function sinew.update()\n  worked = 0\n");
  for (const api_entry *const *table = api_tables; *table; table++)
    for (const api_entry *e = *table; e->owner; e++) {
      text before = t;
      if (!is_callable(e) || !is_free(e) || strcmp(e->name, "quit") == 0) continue;
      const char *colon = strchr(e->spec, ':');
      bool none = !colon || colon[-1] == '?';
      if (e->kind == API_METHOD) add(&t, "  try('%s', things.%s.%s, ", e->name, e->owner, e->name);
      else add(&t, "  try('%s', things['%s'].%s%s", e->name, e->owner, e->name, none || e->spec[0] == '.' ? "" : ", ");
      if (add_arguments(&t, e)) add(&t, ")\n");
      else *before.at = 0, t = before;
    }
  add(&t, "  print('worked', worked, hero.name)\nend\n");
  harness_open(&h, scene);
  harness_step(&h, 1);
  h.printed[0] = 0;
  watched = sinew_host_stage(h.host);
  api_observer = watch;
  sinew_scene_app(h.scene).update(h.scene, 0.01);
  api_observer = NULL;
  int worked = 0;
  if (sscanf(h.printed, "%*[^w]worked %d", &worked) != 1) sscanf(strstr(h.printed, "worked"), "worked %d", &worked);
  if (worked < 40) fail_msg("only %d calls worked: %s", worked, h.printed);
  harness_close(&h);
}

/* A name that is on a list and nowhere else: a function was renamed. */
static void every_name_on_the_lists_is_one_of_the_table(void **state) {
  (void)state;
  for (const char *const *const *list = call_lock_lists; *list; list++)
    for (const char *const *name = *list; *name; name++) {
      bool known = false;
      for (const api_entry *const *table = api_tables; *table; table++)
        for (const api_entry *e = *table; e->owner; e++) {
          size_t size = strlen(e->owner);
          bool owned = strncmp(*name, e->owner, size) == 0 && (*name)[size] == '.';
          known |= owned && (strcmp(*name + size + 1, "*") == 0 || strcmp(*name + size + 1, e->name) == 0);
        }
      if (!known) fail_msg("there is no '%s'", *name);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_condition_may_not_change_the_stage),
      cmocka_unit_test(a_modifier_may_not_play),
      cmocka_unit_test(a_ground_may_not_measure_anew),
      cmocka_unit_test(a_place_may_not_change_the_stage),
      cmocka_unit_test(handlers_may_do_anything),
      cmocka_unit_test(a_metamethod_may_not_change_what_is_worked_on),
      cmocka_unit_test(the_lock_opens_again),
      cmocka_unit_test(what_waits_for_a_function_of_ours_is_done_at_its_end),
      cmocka_unit_test(what_a_ground_removes_is_gone_in_the_next_frame),
      cmocka_unit_test(what_runs_the_scene_leaves_the_lock_open),
      cmocka_unit_test(what_has_ended_is_not_counted_as_at_work),
      cmocka_unit_test(what_is_deferred_is_done_when_the_lock_opens),
      cmocka_unit_test(places_and_conditions_are_asked_before_any_clock_moves),
      cmocka_unit_test(parameters_and_targets_are_written_at_once),
      cmocka_unit_test(what_is_sent_is_heard_by_the_next_update),
      cmocka_unit_test(a_tab_may_take_others_away),
      cmocka_unit_test(a_frame_does_not_run_inside_a_frame),
      cmocka_unit_test(the_lock_covers_every_function_that_changes_something),
      cmocka_unit_test(the_lock_covers_every_field_that_changes_something),
      cmocka_unit_test(what_is_let_through_changes_nothing),
      cmocka_unit_test(every_name_on_the_lists_is_one_of_the_table),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
