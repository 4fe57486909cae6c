/* Every argument, field and option of the description table refuses what is not of its type, by name, and never ends
 * the process. */
#include "harness.h"

#include "base/sanitizers.h"

static const char prelude[] =
    "local sinew = require 'sinew'\n"
    "local model = sinew.model 'hero.glb'\n"
    "local actor = sinew.actor('hero', model)\n"
    "local layer = actor:layer('over', {})\n"
    "local action, crowd = actor:play 'Walk', sinew.crowd(model, 3, { params = { a = 1 } })\n"
    "local task, tween, camera = require 'sinew.task', require 'sinew.tween', require 'sinew.camera'\n"
    "local input, random, vec = require 'sinew.input', require 'sinew.random', require 'sinew.vec'\n"
    "local machine, random_generator = require 'sinew.machine', random.new(1)\n";

/* Values of every kind; each argument gets all of them in turn. */
static const char *const values[] = {"nil",
                                     "0/0",
                                     "1/0",
                                     "-1/0",
                                     "-1",
                                     "1e300",
                                     "0",
                                     "7",
                                     "''",
                                     "'a'",
                                     "true",
                                     "{}",
                                     "{1,2}",
                                     "{0/0,0,0}",
                                     "{nonsense=1}",
                                     "print",
                                     "sinew",
                                     "model",
                                     "actor",
                                     "layer",
                                     "action",
                                     "coroutine.create(print)",
                                     "setmetatable({}, {__index=function() error 'no' end})"};
enum { VALUES = sizeof values / sizeof *values };

static void append(char *out, size_t size, const char *text) {
  size_t used = strlen(out);
  snprintf(out + used, size - used, "%s", text);
}

static const char *object_of(const char *owner) {
  static const char *const objects[] = {"actor", "action",  "layer",           "model", "crowd",
                                        "task",  "tween",   "camera",          "input", "random",
                                        "vec",   "machine", "random_generator"};
  for (size_t i = 0; i < sizeof objects / sizeof *objects; i++)
    if (strcmp(owner, objects[i]) == 0) return objects[i];
  return strncmp(owner, "sinew", 5) == 0 ? owner : NULL;
}

enum { PARTS = 32 };

/* A scene calls a part of everything with everything: the whole would take longer than a callback may under a
 * sanitizer. There, half of the pairs of values are tried while loading, and the others at run time. */
static void torture_part(bool loading, int part) {
  static char text[400000];
  sinew_api_info info;
  harness h;
  snprintf(text, sizeof text, "%slocal values, names, STEP, PHASE = {}, {}, %d, %d\n", prelude,
           SANITIZES_ADDRESSES ? 4 : 1, loading);
  for (int i = 0; i < VALUES; i++) {
    char line[200];
    snprintf(line, sizeof line, "values[%d] = %s\n", i + 1, values[i]);
    append(text, sizeof text, line);
  }
  append(text, sizeof text,
         "local function try(f, ...) local ok, message = pcall(f, ...) if not ok then assert(type(message) == "
         "'string') end end\n"
         "local function all(f, self)\n"
         "  for i = 1, 24 do local a = values[i] for j = 1 + (i + PHASE) % STEP, 24, STEP do local b = values[j]\n"
         "    try(f, a, b) try(f, a, 'x', b) try(f, 'Walk', b) try(f, a, b, b, b, b)\n"
         "    if self then try(f, self, a, b) try(f, self, 'Walk', b) try(f, self, b, a, a) end\n"
         "  end end end\n"
         "local function run()\n");
  for (int i = 0; sinew_scene_api(i, &info); i++) {
    char line[300];
    const char *object = object_of(info.owner);
    if (i % PARTS != part) continue;
    if (!object || strcmp(info.name, "quit") == 0 || strcmp(info.name, "simulate") == 0) continue;
    if (strcmp(info.kind, "function") == 0 || strcmp(info.kind, "method") == 0) {
      snprintf(line, sizeof line, "  all(%s.%s, %s)\n", object, info.name, object);
    } else if (info.writable) {
      snprintf(line, sizeof line, "  for i = 1, 24 do try(function() %s.%s = values[i] end) end\n", object, info.name);
    } else {
      snprintf(line, sizeof line, "  try(function() %s.%s = 1 end)\n  try(function() return %s.%s end)\n", object,
               info.name, object, info.name);
    }
    append(text, sizeof text, line);
  }
  append(text, sizeof text, "end\n");
  append(text, sizeof text,
         loading ? "run()\nsinew.update = nil sinew.draw = nil\n"
                 : "local torture = run\nsinew.on('update', function() torture() torture = function() end end)\n");
  sinew_scene_def def = sinew_scene_def_default();
  def.instruction_limit = INT64_C(1) << 40;
  harness_open_host(&h);
  if (!harness_load(&h, text, &def)) fail_msg("%s", h.error.message);
  harness_step(&h, 3);
  harness_close(&h);
}

static void torture(bool loading) {
  for (int part = 0; part < PARTS; part++) torture_part(loading, part);
}

static void test_everything_at_run_time(void **state) {
  (void)state;
  torture(false);
}

static void test_everything_while_loading(void **state) {
  (void)state;
  torture(true);
}

typedef struct mistake {
  const char *code, *expected;
} mistake;

static const mistake mistakes[] = {
    {"actor:play('Wlak')", "no clip 'Wlak' in hero.glb; did you mean 'Walk'?"},
    {"actor:play('Walk\\0 on')", "(got one with a zero byte in it)"},
    {"actor:play('Walk', { sync = 'a\\0b' })", "(got one with a zero byte in it)"},
    {"sinew.model('hero.glb\\0.txt')", "(got one with a zero byte in it)"},
    {"actor:play(99)", "no clip 99 in hero.glb: they have names, or numbers from 1 to "},
    {"actor:play(0)", "no clip 0 in hero.glb"},
    {"actor:play(1.5)", "actor:play: 'clip' must be the name or the number of a clip (got 1.5)"},
    {"actor:play()", "actor:play: 'clip' must be the name or the number of a clip (got nil)"},
    {"actor:joint(-1)", "no joint -1 in hero.glb: they have names, or numbers from 1 to "},
    {"actor.morphs[99] = 1", "no morph target 99: they have names, or numbers from 1 to "},
    {"actor:set_modifiers { sinew.look_at { 'l', chain = { 9999 } } }", "no joint 9999 in hero.glb"},
    {"actor.play('Walk')", "actor.play: call it with a colon, as in actor:play(…)"},
    {"actor:play('Walk', { fad = 1 })", "no option 'fad' (there are layer, fade, fade_out, loop, speed, weight, time, "
                                        "ease, blend, from, to, sync, cycles, restart); did you mean 'fade'?"},
    {"actor:play('Walk', { fade = -1 })", "actor:play: 'options'.fade must be seconds, 0 or more (got -1"},
    {"actor:play('Walk', { speed = 0/0 })", "actor:play: 'options'.speed must be a finite number (got "},
    {"layer.weight = 1e300", "layer.weight must be a finite number (got 1e+300, which is too large)"},
    {"layer:fade(1e39)", "layer:fade: 'weight' must be a finite number (got 1e+39, which is too large)"},
    {"actor.position = sinew.vec3(1, 0, 0) * 1e39", "actor.position must be three finite numbers {x, y, z} (got "},
    {"actor.rotation = 1e300",
     "actor.rotation must be a quaternion {x, y, z, w}, or an angle about y in radians (got 1e+300, "
     "which is too large)"},
    {"actor:play('Walk', { loop = 'onec' })",
     "loop must be \"once\", \"forever\", \"ping_pong\" or a number of times (got 'onec')"},
    {"actor:play('Walk', { layer = 'ovr' })",
     "no layer 'ovr' in actor 'hero'; actor:layer(name, options) makes one; did you mean 'over'?"},
    {"actor:play('Walk', { 1 })", "options have names"},
    {"actor:layer 'ovr'", "no layer 'ovr'"},
    {"actor:layer('x', { mask = { Heed = 1 } })", "no joint 'Heed' in hero.glb; did you mean 'Head'?"},
    {"actor:layer('x', { mask = { Head = 2 } })", "a mask's weight for 'Head' must be a number from 0 to 1"},
    {"actor:layer('x', { mask = { Head = '1' } })",
     "a mask's weight for 'Head' must be a number from 0 to 1, or a list of them (got '1')"},
    {"actor:joint 'RightHnad'", "no joint 'RightHnad' in hero.glb; did you mean 'RightHand'?"},
    {"actor.morphs.Smiel = 1", "no morph target 'Smiel'; did you mean 'Smile'?"},
    {"actor.morphs.Smile = 'x'", "actor.morphs.Smile must be a finite number (got 'x')"},
    {"actor.positon = {0,0,0}", "actor has no field 'positon'; did you mean 'position'?"},
    {"actor.position = {0,0}", "actor.position must be three finite numbers {x, y, z} (got { 0, 0 })"},
    {"actor.position = {0,0,1/0}", "three finite numbers"},
    {"actor.position.x = 1", "a vector is a value"},
    {"actor.name = 'x'", "actor.name cannot be assigned"},
    {"actor.scale = 0", "actor.scale must be"},
    {"action.weight = -1", "action.weight must be a weight, 0 or more (got -1"},
    {"sinew.udpate = print", "sinew has no field 'udpate'; did you mean 'update'?"},
    {"sinew.update = 3", "sinew.update must be a function or nil (got 3"},
    {"sinew.actr('x')", "sinew has no field 'actr'; did you mean 'actor'?"},
    {"sinew.tween(actor)", "sinew has no field 'tween': it is a module: local tween = require \"sinew.tween\""},
    {"actor.timeScale = 2", "actor has no field 'timeScale': actions, clips and other nodes of a graph have a speed"},
    {"actor:SetTrigger('jump')", "actor has no field 'SetTrigger': set a parameter by its name: actor.params"},
    {"sinew.actor 'heor'", "no actor 'heor'; sinew.actor(name, model) makes one; did you mean 'hero'?"},
    {"sinew.actor('x', model, { positoin = {0,0,0} })", "no option 'positoin'"},
    {"sinew.actor('hero', model)", "actor 'hero' is already declared at "},
    {"sinew.model 'heros.glb'", "no file 'heros.glb' in "},
    {"sinew.model 'heros.glb'", "did you mean 'hero.glb'?"},
    {"sinew.model('hero.glb', { clps = {} })", "did you mean 'clips'?"},
    {"sinew.model('hero.glb', { clips = { 'hero_extr.glb' } })", "did you mean 'hero_extra.glb'?"},
    {"sinew.model('hero.glb', { clips = { 7 } })", "clips must be a list of names of files"},
    {"sinew.model('hero.glb', { wait = 1 })", "'options'.wait must be true or false (got 1"},
    {"sinew.model('hero.glb', { up = 'w' })", "up is '+w', and must be +x, -x, +y, -y, +z or -z"},
    {"sinew.model('hero.glb', { unit = -1 })", "'options'.unit must be a number above 0 (got -1"},
    {"sinew.model('hero.glb', { influences = 5 })", "must be 4 or 8"},
    {"sinew.model('hero.glb', { map = { 'Hips' } })", "map is a table such as"},
    {"sinew.model('hero.glb', { map = { Hips = true } })", "map is a table such as"},
    {"sinew.model('hero.glb', { edits = { { clp = 'Walk' } } })",
     "sinew.model: 'options'.edits[1]: no option 'clp' (there are clip, name, from, to, reverse, loop, mirror)"},
    {"sinew.model('hero.glb', { edits = { 'Walk' } })", "edits[1] must be a table of options (got 'Walk')"},
    {"sinew.model('hero.glb', { wait = false, influences = 5 })", "must be 4 or 8"},
    {"sinew.is_down 'spcae'", "no key 'spcae'; did you mean 'space'?"},
    {"sinew.is_down 'shift'", "no key 'shift'; did you mean 'left_shift'?"},
    {"sinew.is_down 'RightControl'", "did you mean 'right_ctrl'?"},
    {"sinew.is_down 'ShiftLeft'", "did you mean 'left_shift'?"},
    {"actor:play('Walk', { crossfade = 0.2 })", "no option 'crossfade'; here it is called 'fade'"},
    {"actor:play('Walk', { timeScale = 2 })", "here it is called 'speed'"},
    {"actor:play('Walk', { Wrap_Mode = 'loop' })", "here it is called 'loop'"},
    {"actor:play('Walk', { fadeOut = 1 })", "here it is called 'fade_out'"},
    {"actor:layer('x', { blend_mode = 'additive' })", "here it is called 'mode'"},
    {"sinew.ik { 'x', effector = 'LeftHand' }", "here it is called 'tip'"},
    {"sinew.look_at { 'x', bones = { 'Head' } }", "here it is called 'chain'"},
    {"sinew.blend_space_1d { parameter = 'speed', 'Walk' }", "here it is called 'param'"},
    {"sinew.blend_space_1d { param = 'speed', samples = { 'Walk' } }", "are listed in the table itself"},
    {"sinew.is_down 'KEY_W'", "did you mean 'w'?"},
    {"sinew.is_down 'ArrowUp'", "did you mean 'up'?"},
    {"sinew.is_down 'Alpha1'", "did you mean '1'?"},
    {"sinew.is_down 'Keypad5'", "did you mean 'kp_5'?"},
    {"sinew.is_down 'F5'", "did you mean 'f5'?"},
    {"sinew:actor('x', model)", "sinew:actor: call it with a dot, as in sinew.actor(…)"},
    {"sinew:model 'hero.glb'", "sinew:model: call it with a dot, as in sinew.model(…)"},
    {"sinew.look_at { 'l', chain = { 'Head' }, limit = 70 }",
     "limit must be an angle in radians; math.rad converts degrees (got 70"},
    {"sinew.plant { 'p', max_tilt = 30 }", "max_tilt must be an angle in radians"},
    {"sinew.warp { 'w', angle = 60 }", "angle must be an angle in radians"},
    {"actor:set_graph(sinew.blend { { 0.5, 'Walk' } })", "a child of a blend is { node, weight }"},
    {"sinew.on('udpate', print)", "no event 'udpate'; did you mean 'update'?"},
    {"sinew.keep('t', { f = print })", "'f' is a function"},
    {"sinew.keep('nothing')", "nothing is kept as 'nothing'"},
    {"local t = {} t.t = t sinew.keep('deep', t)", "nested 16 deep"},
    {"sinew.ui.slider({ walk = 1 }, 'wlak', 0, 1)", "did you mean 'walk'?"},
    {"sinew.simulate { frames = 1 }", "inside sinew.test() only"},
    {"sinew.help 'actor.paly'", "did you mean 'actor.play'?"},
    {"sinew.camera.fov = 4", "radians"},
    {"model:curve('Walk', 'c', { { 9.1, 1 } })", "key 1 lies at 9.1 s, outside the clip (0 to 0.933333 s)"},
    {"model:markers('Walk', { { 9.1, 'm' } })", "'m' lies at 9.1 s, outside the clip (0 to 0.933333 s)"},
    {"sinew.ui.drag({ a = 1 }, 'a', 1, 0.1, 0.05)", "ui.drag: 'minimum' 0.1 is above 'maximum' 0.05"},
};

/* Mistakes in a callback and at the top level say the same. */
static void test_messages(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
    harness h;
    char text[1024];
    snprintf(text, sizeof text, "%sfunction sinew.update() %s end", prelude, mistakes[i].code);
    harness_open(&h, text);
    harness_step(&h, 1);
    harness_expect(sinew_scene_problem(h.scene), mistakes[i].expected);
    harness_expect(sinew_scene_problem(h.scene), "scene.lua:9:");
    if (!strstr(mistakes[i].code, "sinew.ui.")) {
      snprintf(text, sizeof text, "%s%s", prelude, mistakes[i].code);
      assert_false(harness_reload(&h, text));
      harness_expect(h.error.message, mistakes[i].expected);
    }
    harness_close(&h);
  }
}

/* ---- options that are none ---- */

/* The first option of a set, or NULL. */
static const char *first_option(const char *set, size_t size) {
  sinew_api_info info;
  for (int i = 0; sinew_scene_api(i, &info); i++) {
    bool own = strcmp(info.kind, "option") == 0 && strlen(info.owner) == size && memcmp(info.owner, set, size) == 0;
    if (own && strcmp(info.name, "...") != 0) return info.name;
  }
  return NULL;
}

/* A value of the type. */
static const char *value_of(const char *type, size_t size) {
  static const char *const known[][2] = {{"clip", "'Walk'"},      {"joint", "'Head'"},     {"model", "model"},
                                         {"actor", "actor"},      {"vec3", "{ 0, 1, 0 }"}, {"string", "'file'"},
                                         {"actor_name", "'new'"}, {"layer_name", "'up'"},  {"count", "3"},
                                         {"node", "'Walk'"},      {"any", "actor"},        {"seconds", "1"}};
  size_t length = strcspn(type, "|,");
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (strlen(known[i][0]) == (length < size ? length : size) && memcmp(known[i][0], type, strlen(known[i][0])) == 0)
      return known[i][1];
  return NULL;
}

/* A call whose options have a wrong name; false where the function takes none. */
static bool misname(const sinew_api_info *info, char *line, size_t size) {
  const char *object = strcmp(info->owner, "pose") == 0 ? "pose" : object_of(info->owner), *next = info->signature;
  bool method = strcmp(info->kind, "method") == 0;
  if (!method && strcmp(info->kind, "function") != 0) return false;
  snprintf(line, size, "  check('%s.%s', %s and %s.%s%s", info->owner, info->name, object ? object : "nil",
           object ? object : "nil", info->name, method ? ", " : "");
  if (method) append(line, size, object ? object : "nil");
  while (next && *next) {
    const char *type = strchr(next, ':'), *end = strchr(next, ',');
    if (!type) return false;
    type += 2;
    size_t length = end ? (size_t)(end - type) : strlen(type);
    const char *option = first_option(type, length), *value = value_of(type, length);
    append(line, size, ", ");
    if (option) {
      snprintf(line + strlen(line), size - strlen(line), "{ %sx = 1 })\n", option);
      return true;
    }
    append(line, size, value ? value : "nil");
    next = end ? end + 2 : NULL;
  }
  return false;
}

/* Every function that takes options says of a wrong one what it is called. */
static void test_no_function_takes_an_unknown_option(void **state) {
  static char text[20000];
  sinew_api_info info;
  harness h;
  int count = 0;
  (void)state;
  snprintf(text, sizeof text,
           "%slocal pose = model:rest()\nlocal function check(name, f, ...)\n"
           "  local ok, message = pcall(f, ...)\n"
           "  if ok or not message:find 'did you mean' then error(name .. ': ' .. tostring(message), 0) end end\n"
           "function sinew.update()\n",
           prelude);
  for (int i = 0; sinew_scene_api(i, &info); i++) {
    char line[300];
    if (!misname(&info, line, sizeof line)) continue;
    append(text, sizeof text, line);
    count++;
  }
  append(text, sizeof text, "end\n");
  assert_true(count > 35);
  harness_open(&h, text);
  harness_step(&h, 1);
  if (sinew_scene_problem(h.scene)) fail_msg("%s", sinew_scene_problem(h.scene));
  harness_close(&h);
}

/* ---- wrong shapes ---- */

static bool is_type(const char *types, size_t size, const char *name) {
  return size >= strlen(name) && memcmp(types, name, strlen(name)) == 0 &&
         (size == strlen(name) || types[strlen(name)] == '|');
}

/* A table that is no list for a list, and one that has no names for a table by names; NULL for other types. */
static const char *wrong_shape(const char *types, size_t size) {
  return is_type(types, size, "list") ? "{ look = 1 }" : is_type(types, size, "named") ? "{ 1 }" : NULL;
}

static int add_wrong_options(char *text, size_t size, const char *call, const char *set, size_t set_size) {
  sinew_api_info info;
  char line[600];
  int count = 0;
  for (int i = 0; sinew_scene_api(i, &info); i++) {
    bool own =
        strcmp(info.kind, "option") == 0 && strlen(info.owner) == set_size && memcmp(info.owner, set, set_size) == 0;
    const char *shape = own ? wrong_shape(info.signature, strlen(info.signature)) : NULL;
    if (!shape) continue;
    snprintf(line, sizeof line, "%s{ %s = %s })\n", call, info.name, shape);
    append(text, size, line);
    count++;
  }
  return count;
}

/* Each argument that is a list, and each option that is one, gets a table that is none. */
static int add_wrong_shapes(char *text, size_t size, const sinew_api_info *info) {
  const char *object = strcmp(info->owner, "pose") == 0 ? "pose" : object_of(info->owner), *next = info->signature;
  bool method = strcmp(info->kind, "method") == 0;
  char call[400];
  int count = 0;
  if ((!method && strcmp(info->kind, "function") != 0) || !object) return 0;
  snprintf(call, sizeof call, "  check('%s.%s', %s.%s, %s%s", info->owner, info->name, object, info->name,
           method ? object : "", method ? ", " : "");
  while (next && *next) {
    const char *type = strchr(next, ':'), *end = strchr(next, ',');
    if (!type) return count;
    type += 2;
    size_t length = end ? (size_t)(end - type) : strlen(type);
    const char *shape = wrong_shape(type, length), *value = value_of(type, length);
    if (shape) append(text, size, call), append(text, size, shape), append(text, size, ")\n");
    count += (shape != NULL) + add_wrong_options(text, size, call, type, length);
    append(call, sizeof call, value ? value : "nil");
    append(call, sizeof call, ", ");
    next = end ? end + 2 : NULL;
  }
  return count;
}

static void test_no_list_takes_names(void **state) {
  static char text[40000];
  sinew_api_info info;
  harness h;
  int count = 0;
  (void)state;
  snprintf(text, sizeof text,
           "%slocal pose = model:rest()\nlocal function check(name, f, ...)\n"
           "  local ok, message = pcall(f, ...)\n"
           "  if ok or not (message:find 'must be a list' or message:find 'must be a table by names') then\n"
           "    error(name .. ': ' .. tostring(message), 0) end end\n"
           "function sinew.update()\n",
           prelude);
  for (int i = 0; sinew_scene_api(i, &info); i++) count += add_wrong_shapes(text, sizeof text, &info);
  append(text, sizeof text, "end\n");
  assert_true(count >= 25);
  harness_open(&h, text);
  harness_step(&h, 1);
  if (sinew_scene_problem(h.scene)) fail_msg("%s", sinew_scene_problem(h.scene));
  harness_close(&h);
}

/* Clips, joints and morph targets have names, and numbers in the order in which the model lists them. */
static void test_numbers_stand_for_names(void **state) {
  harness h;
  (void)state;
  harness_open(
      &h,
      "local man = sinew.model 'hero.glb'\n"
      "local number = {}\n"
      "for i, name in ipairs(man:clips()) do number[name] = i end\n"
      "for i, name in ipairs(man:joints()) do number[name] = i end\n"
      "local a, b = sinew.actor('a', man), sinew.actor('b', man)\n"
      "local seen = sinew.actor('seen', man, { position = { 1, 0.5, 2 } })\n"
      "assert(a:play('Walk').clip == 'Walk' and b:play(number.Walk).clip == 'Walk')\n"
      "a:layer('l', { mask = { Head = 1 } }):play('Wave') b:layer('l', { mask = { Head = 1 } }):play(number.Wave)\n"
      "a:set_modifiers { sinew.ik { 'i', tip = 'RightHand', target = { 0, 1, 1 } },\n"
      "  sinew.look_at { 'k', chain = { 'Neck', 'Head' }, target = { seen, 'Head' } } }\n"
      "b:set_modifiers { sinew.ik { 'i', tip = number.RightHand, target = { 0, 1, 1 } },\n"
      "  sinew.look_at { 'k', chain = { number.Neck, 'Head' }, target = { seen, number.Head } } }\n"
      "a:root_motion { joint = 'Root' } b:root_motion { joint = number.Root }\n"
      "local c, d = sinew.actor('c', man, { params = { p = 0.4 } }), sinew.actor('d', man, { params = { p = 0.4 } })\n"
      "c:set_graph(sinew.blend_space_1d { param = 'p', { 0, 'Walk' }, { 1, sinew.clip { 'Run' } } })\n"
      "d:set_graph(sinew.blend_space_1d { param = 'p', { 0, number.Walk }, { 1, sinew.clip { number.Run } } })\n"
      "a.morphs.Smile = 0.5 assert(man:sample(number.Run, 0.2):compare(man:sample('Run', 0.2)) == 0)\n"
      "local frame = 0\n"
      "function sinew.draw() frame = frame + 1 if frame < 9 then return end\n"
      "  assert(a:pose():compare(b:pose()) == 0) assert(c:pose():compare(d:pose()) == 0)\n"
      "  assert(c:pose():compare(man:rest()) > 0.01)\n"
      "  for i, name in ipairs(man:morphs()) do assert(a.morphs[i] == (name == 'Smile' and 0.5 or 0)) end\n"
      "  local p, q = a:pose(), a:pose() p:rotate('Neck', 'x', 1) q:rotate(number.Neck, 'x', 1)\n"
      "  assert(p:compare(q) == 0) assert(a:joint('Head') == a:joint(number.Head))\n"
      "  print(#a:explain('Head') == #a:explain(number.Head)) end\n");
  harness_step(&h, 10);
  if (sinew_scene_problem(h.scene)) fail_msg("%s", sinew_scene_problem(h.scene));
  harness_expect(h.printed, "true\n");
  harness_close(&h);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_everything_at_run_time),
      cmocka_unit_test(test_everything_while_loading),
      cmocka_unit_test(test_messages),
      cmocka_unit_test(test_no_function_takes_an_unknown_option),
      cmocka_unit_test(test_no_list_takes_names),
      cmocka_unit_test(test_numbers_stand_for_names),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
