/* Models made in Lua: what is said is what moves, mistakes are named by their field, and a save changes what it
 * changes. */
#include "harness.h"

/* A bar of two joints whose upper half turns about z, evenly, by `turn` radians in two seconds. */
#define BAR(turn, height)                                                                                              \
  "local sinew = require 'sinew'\n"                                                                                    \
  "local function bar(extra)\n"                                                                                        \
  "  local d = { name = 'bar', joints = { { name = 'Lower' },\n"                                                       \
  "      { name = 'Upper', parent = 'Lower', position = { 0, 1, 0 } } },\n"                                            \
  "    meshes = { { positions = { {0, 0, 0}, {1, 0, 0}, {0, " height ", 0} }, indices = { {1, 2, 3} },\n"              \
  "      weights = { 'Lower', { Lower = 1, Upper = 3 }, { Upper = 1 } } } },\n"                                        \
  "    clips = { { name = 'Turn', tracks = { Upper = { times = { 0, 2 },\n"                                            \
  "      rotations = { {0, 0, 0, 1}, {0, 0, math.sin(" turn " / 2), math.cos(" turn " / 2)} } },\n"                    \
  "      Lower = { times = { 0, 2 }, positions = { 0, 0, 0, 0, 0, 1 } } } } } }\n"                                     \
  "  if extra then extra(d) end\n"                                                                                     \
  "  return sinew.build_model(d)\n"                                                                                    \
  "end\n"

static void test_what_is_said_is_what_moves(void **state) {
  harness h;
  float out[9];
  (void)state;
  harness_open(&h, BAR("1.2", "2") "sinew.actor('bar', bar()):play('Turn', { fade = 0, loop = 'once' })\n");
  const sinew_stage *stage = sinew_host_stage(h.host);
  sinew_actor actor = sinew_scene_find_actor(h.scene, "bar");
  const sinew_model *model = sinew_actor_model(stage, actor);
  harness_step(&h, 60);
  sinew_cpu_skin_job job = {.model = model, .palette = sinew_actor_palette(stage, actor), .positions = out};
  assert_true(sinew_cpu_skin(&job));
  /* After half of the clip: 0.6 rad about (0, 1, 0.5), and all 0.5 m forward. */
  const double rest[3][2] = {{0, 0}, {1, 0}, {0, 2}}, share[3] = {0, 0.75, 1};
  for (int v = 0; v < 3; v++) {
    double x = rest[v][0], y = rest[v][1] - 1;
    double there[2] = {cos(0.6) * x - sin(0.6) * y, 1 + sin(0.6) * x + cos(0.6) * y};
    for (int k = 0; k < 2; k++)
      assert_float_equal(out[3 * v + k], share[v] * there[k] + (1 - share[v]) * rest[v][k], 1e-3);
    assert_float_equal(out[3 * v + 2], 0.5, 1e-3);
  }
  harness_close(&h);
}

/* Half of a target that pulls the last vertex out is half of the way; a save that pulls further arrives with the weight
 * that the actor has, and its normals are those of the shape. */
static void test_a_morph_target_moves_vertices(void **state) {
  static const char text[] = BAR(
      "0", "2") "local a = sinew.actor('bar', bar(function(d)\n"
                "  d.meshes[1].morphs = { Out = { {0, 0, 0}, {0, 0, 0}, {0, 0, %s} }, Back = {0,0,0, 0,0,0, 0,0,-1} }\n"
                "end))\n"
                "a.morphs.Out = 0\n"
                "print(table.concat(a.model:morphs(), ' '))\n"
                "function sinew.key_pressed() a.morphs.Out = 0.5 end\n"
                "function sinew.update() local v = a:vertices() print(('%%.3f %%.3f'):format(v[8], v[9])) end\n";
  char scene[2000];
  harness h;
  (void)state;
  snprintf(scene, sizeof scene, text, "4");
  harness_open(&h, scene);
  harness_expect(h.printed, "Back Out\n");
  harness_key(&h, "a");
  harness_step(&h, 2);
  harness_expect(h.printed, "2.000 2.000\n");
  snprintf(scene, sizeof scene, text, "6");
  h.printed[0] = 0;
  assert_true(harness_reload(&h, scene));
  harness_step(&h, 2);
  harness_expect(h.printed, "2.000 3.000\n");
  sinew_actor actor = sinew_scene_find_actor(h.scene, "bar");
  sinew_mesh_view mesh = sinew_model_mesh(sinew_actor_model(sinew_host_stage(h.host), actor), 0);
  assert_int_equal(mesh.morph_count, 2);
  assert_string_equal(mesh.morphs[1].name, "Out");
  const double size = sqrt(40); /* of (1, 0, 0) × (0, 2, 6) = (0, −6, 2) */
  const double there[3] = {0, -6 / size, 2 / size};
  for (int v = 0; v < 3; v++)
    for (int k = 0; k < 3; k++)
      assert_float_equal(mesh.normals[3 * v + k] + mesh.morphs[1].normals[3 * v + k], there[k], 1e-5);
  harness_refused(BAR("0", "2"), "bar(function(d) d.meshes[1].morphs = { Out = { {0, 0, 0} } } end)",
                  "meshes[1].morphs.Out: 1 for 3 vertices");
  harness_refused(BAR("0", "2"), "bar(function(d) d.meshes[1].morphs = { { {0, 0, 0} } } end)", "{ Smile = ");
  harness_refused(BAR("0", "2"), "bar(function(d) d.meshes[1].morphs = { [''] = {0,0,0, 0,0,0, 0,0,1} } end)",
                  "has no name");
  harness_close(&h);
}

/* In the world, at rest before the first frame, by the skinning that the actor has. */
static void test_vertices_and_bounds_are_those_of_the_skin(void **state) {
  static const char more[] =
      "local a = sinew.actor('bar', bar(), { position = { 10, 0, 0 }, rotation = math.pi / 2, scale = { 2, 2, 2 } })\n"
      "a:play('Turn', { fade = 0, loop = 'once' })\n"
      "local function near(v, ...) for i, x in ipairs { ... } do assert(math.abs(v[i] - x) < 2e-3, i .. ': ' .. v[i]) "
      "end end\n"
      "assert(#a.model:meshes() == 1 and a.model:meshes()[1] == 'mesh')\n"
      "near(a:vertices(), 10, 0, 0, 10, 0, -2, 10, 4, 0)\n"
      "assert(not pcall(a.vertices, a, 2) and not pcall(a.vertices, a, 'mush'))\n"
      "function sinew.test()\n"
      "  sinew.simulate { frames = 60 }\n" /* x and z change places, and the clip goes 0.5 m along z */
      "  local s, c = math.sin(0.6), math.cos(0.6)\n"
      "  near(a:vertices 'mesh', 11, 0, 0, 11, 1.5 * (1 + s - c), -2 * (0.75 * (c + s) + 0.25), 11, 2 + 2 * c, 2 * s)\n"
      "  local low, high = a:bounds()\n"
      "  near(low, 11, 0, -2 * (0.75 * (c + s) + 0.25)) near(high, 11, 2 + 2 * c, 2 * s)\n"
      "  local linear = a:vertices()\n"
      "  a.skinning = 'dual_quaternion'\n"
      "  local dual = a:vertices()\n"
      "  assert(math.abs(dual[6] - linear[6]) > 1e-3)\n"
      "  near(dual, 11, 0, 0) near({ dual[7], dual[8], dual[9] }, 11, 2 + 2 * c, 2 * s)\n"
      "end\n";
  harness h;
  char text[8192];
  (void)state;
  snprintf(text, sizeof text, "%s%s", BAR("1.2", "2"), more);
  harness_open(&h, text);
  if (!sinew_scene_test(h.scene, NULL, &h.error)) fail_msg("%s", h.error.message);
  harness_close(&h);
}

/* Lists of numbers and lists of lists, weights by vertex and by joint, names and numbers are the same. */
static void test_shapes_of_lists_mean_the_same(void **state) {
  static const char more[] = "local function change(f) return function(d) f(d.meshes[1], d.clips[1].tracks) end end\n"
                             "local one = bar()\n"
                             "local same = {\n"
                             "  change(function(m) m.positions = { 0, 0, 0, 1, 0, 0, 0, 2, 0 } end),\n"
                             "  change(function(m) m.positions[1] = sinew.vec3(0, 0, 0) end),\n"
                             "  change(function(m) m.indices = { 1, 2, 3 } end),\n"
                             "  change(function(m) m.weights = { Lower = { 1, 1, 0 }, Upper = { 0, 3, 1 } } end),\n"
                             "  change(function(m) m.weights = { 1, { [1] = 1, [2] = 3 }, 'Upper' } end),\n"
                             "  change(function(m, t) t[2], t.Upper = t.Upper, nil end),\n"
                             "  change(function(m, t) t.Lower.positions = { { 0, 0, 0 }, { 0, 0, 1 } } end),\n"
                             "  function(d) d.joints[2].parent = 1 end,\n"
                             "}\n"
                             "for i, f in ipairs(same) do assert(bar(f) == one, i) end\n"
                             "local other = {\n"
                             "  function(d) d.name = 'bars' end,\n"
                             "  function(d) d.joints[1].name = 'Low' d.joints[2].parent = 1 d.meshes[1].weights = nil\n"
                             "    d.clips[1].tracks.Lower = nil end,\n"
                             "  function(d) d.joints[2].rotation = 0.001 end,\n"
                             "  function(d) d.clips[1].name = 'Run' end,\n"
                             "  change(function(m) m.positions[3][1] = 1e-6 end),\n"
                             "  change(function(m) m.weights[2].Upper = 2 end),\n"
                             "  change(function(m) m.normals = { {0, 0, 1}, {0, 0, 1}, {0, 0, 1} } end),\n"
                             "  change(function(m) m.uvs = { 0, 0, 1, 0, 0, 1 } end),\n"
                             "  change(function(m) m.colors = { {1, 0, 0}, {1, 0, 0}, {1, 0, 0, 0.5} } end),\n"
                             "  change(function(m) m.indices = { 3, 2, 1 } end),\n"
                             "  change(function(m) m.material = { roughness = 0.5 } end),\n"
                             "  change(function(m) m.joint = 'Upper' end),\n"
                             "  change(function(m, t) t.Upper.interpolation = 'step' end),\n"
                             "  change(function(m, t) t.Upper.times[2] = 3 end),\n"
                             "  change(function(m, t) t.Lower.scales = { {1, 1, 1}, {2, 2, 2} } end),\n"
                             "}\n"
                             "for i, f in ipairs(other) do assert(bar(f) ~= one, i) assert(bar(f) == bar(f), i) end\n";
  harness h;
  (void)state;
  harness_open_host(&h);
  char text[8192];
  snprintf(text, sizeof text, "%s%s", BAR("1", "2"), more);
  if (!harness_load(&h, text, NULL)) fail_msg("%s", h.error.message);
  harness_close(&h);
}

/* ---- saves ---- */

static const char scene[] = BAR("1", "2") "bar_model = bar()\nlocal a = sinew.actor('bar', bar_model)\n"
                                          "local turn = a:play 'Turn'\nfunction sinew.update() print(turn.time) end\n";
static const char other[] = BAR("1", "3") "bar_model = bar()\nlocal a = sinew.actor('bar', bar_model)\n"
                                          "local turn = a:play 'Turn'\nfunction sinew.update() print(turn.time) end\n";

static const sinew_model *model_of(const harness *h) {
  return sinew_actor_model(sinew_host_stage(h->host), sinew_scene_find_actor(h->scene, "bar"));
}

static void test_a_save_that_changes_nothing_keeps_the_model(void **state) {
  harness h;
  (void)state;
  harness_open(&h, scene);
  const sinew_model *model = model_of(&h);
  harness_step(&h, 10);
  assert_true(harness_reload(&h, scene));
  harness_expect(sinew_scene_summary(h.scene), "nothing declared has changed");
  assert_ptr_equal(model_of(&h), model);
  harness_close(&h);
}

static double last_time(harness *h) {
  const char *line = h->printed + strlen(h->printed) - 1;
  while (line > h->printed && line[-1] != '\n') line--;
  double time = atof(line);
  h->printed[0] = 0;
  return time;
}

static void test_a_save_that_changes_it_keeps_the_clock(void **state) {
  harness h;
  (void)state;
  harness_open(&h, scene);
  harness_step(&h, 40);
  double before = last_time(&h);
  const sinew_stage *stage = sinew_host_stage(h.host);
  sinew_mat3x4 joint = sinew_actor_joints(stage, sinew_scene_find_actor(h.scene, "bar"))[2];
  assert_true(harness_reload(&h, other));
  harness_expect(sinew_scene_summary(h.scene), "bar has another model");
  assert_float_equal(sinew_model_mesh(model_of(&h), 0).positions[7], 3, 0);
  harness_step(&h, 1);
  assert_float_equal(last_time(&h), before + 1.0 / 60, 1e-6);
  sinew_mat3x4 moved = sinew_actor_joints(stage, sinew_scene_find_actor(h.scene, "bar"))[2];
  /* Its own motion is half a metre in a second along z. */
  assert_float_equal(moved.m[11] - joint.m[11], 0.5 / 60, 1e-3);
  assert_float_equal(moved.m[3], joint.m[3], 1e-3);
  harness_close(&h);
}

static void test_a_save_with_a_mistake_changes_nothing(void **state) {
  harness h;
  char text[4096];
  (void)state;
  harness_open(&h, scene);
  const sinew_model *model = model_of(&h);
  snprintf(text, sizeof text, "%s%s", scene, "bar(function(d) d.meshes[1].indices[1][2] = 9 end)\n");
  assert_false(harness_reload(&h, text));
  harness_expect(h.error.message, "bar: meshes[1].indices[2]: there is no vertex 9 among 3");
  assert_ptr_equal(model_of(&h), model);
  harness_close(&h);
}

/* ---- mistakes ---- */

static const struct {
  const char *code, *sentence;
} mistakes[] = {
    {"d.meshs = {}", "sinew.build_model: 'description': no option 'meshs' (there are name, joints, meshes, clips); did "
                     "you mean 'meshes'?"},
    {"d.joints[2].parrent = 1", "sinew.build_model: joints[2]: no option 'parrent'"},
    {"d.joints[2].parent = 'Lowr'", "sinew.build_model: joints[2].parent: no joint 'Lowr' before it; did you mean "
                                    "'Lower'?"},
    {"d.joints[1].parent = 'Upper'", "sinew.build_model: joints[1].parent: no joint 'Upper' before it"},
    {"d.joints[2].parent = 7", "joints[2].parent: a joint is its name, or its number from 1 to 1 (got 7)"},
    {"d.joints[2].name = nil", "sinew.build_model: joints[2]: has no name"},
    {"d.joints[2].name = 'Lower'", "sinew.build_model: joints[2]: 'Lower' is the name of joints[1], too"},
    {"d.joints[2].name = 'a\\0b'", "joints[2].name must be a string (got one with a zero byte in it)"},
    {"d.joints[2].position = { 0, 0/0, 0 }", "joints[2].position must be three finite numbers"},
    {"d.joints[2].scale = { 1, 0, 1 }", "bar: joints[2].scale: is 0 along an axis"},
    {"d.joints[3] = 5", "sinew.build_model: joints[3] must be a table of options (got 5)"},
    {"m.positions = nil", "sinew.build_model: meshes[1]: has no positions"},
    {"m.positions[2] = { 1, 2 }", "meshes[1].positions[2] must be { x, y, z }, finite numbers"},
    {"m.positions = { 1, 2, 3, 4 }", "meshes[1].positions: 4 numbers cannot be 3 for each"},
    {"m.positions = { 1, 2, 0/0 }", "meshes[1].positions[3] must be a finite number"},
    {"m.positions = { 1, 2, 'x' }", "meshes[1].positions[3] must be a finite number (got x)"},
    {"m.positions[1] = { 1e200, 0, 0 }", "meshes[1].positions[1] must be { x, y, z }, finite numbers"},
    {"m.normals = { { 0, 0, 1 } }", "meshes[1].normals: 1 for 3 vertices"},
    {"m.normals = { 0, 0, 0, 0, 0, 0, 0, 0, 1 }", "bar: meshes[1].normals[1]: has no length"},
    {"m.colors = { { 1, 2, 0 }, { 0, 0, 0 }, { 0, 0, 0 } }", "bar: meshes[1].colors[1]: 2 is not from 0 to 1"},
    {"m.indices = { 1, 2 }", "bar: meshes[1].indices: 2 numbers do not make whole triangles"},
    {"m.indices = { 0, 1, 2 }", "meshes[1].indices[1] must be the number of a vertex, from 1 on (got 0)"},
    {"m.indices = { { 1, 2 } }", "meshes[1].indices[1] must be a triangle, the numbers of three vertices"},
    {"m.indices = {}", "bar: meshes[1].indices: there are no triangles"},
    {"m.weights[2] = { Uper = 1 }", "meshes[1].weights[2]: no joint 'Uper'; did you mean 'Upper'?"},
    {"m.weights[2] = { Upper = -1 }", "meshes[1].weights[2] must be a weight, 0 or more (got -1)"},
    {"m.weights[2] = { Upper = 0/0 }", "meshes[1].weights[2] must be a weight, 0 or more"},
    {"m.weights[2] = true", "meshes[1].weights[2]: a joint is its name, or its number from 1 to 2 (got true)"},
    {"m.weights[4] = 'Upper'", "meshes[1].weights: 4 for 3 vertices"},
    {"m.weights = { Upper = { 1, 2 } }", "meshes[1].weights.Upper: 2 for 3 vertices"},
    {"m.weights = { Upper = 1 }", "meshes[1].weights.Upper must be a list (got number)"},
    {"m.joint = 'Middle'", "meshes[1].joint: no joint 'Middle'"},
    {"m.material = { colour = { 1, 1, 1 } }", "meshes[1].material: no option 'colour'"},
    {"c.name = nil", "sinew.build_model: clips[1]: has no name"},
    {"d.clips[2] = c", "bar: clips[2]: 'Turn' is the name of clips[1], too"},
    {"c.tracks = nil", "clips[1]: has no tracks"},
    {"c.tracks = {}", "bar: clips[1].tracks: moves nothing"},
    {"c.tracks.Uper = c.tracks.Upper", "clips[1].tracks: no joint 'Uper'; did you mean 'Upper'?"},
    {"c.tracks[2] = c.tracks.Upper", "clips[1].tracks.Upper.rotations: is given twice"},
    {"c.tracks.Upper.times = nil", "clips[1].tracks.Upper: has no times"},
    {"c.tracks.Upper.times = { 1, 0 }", "clips[1].tracks.Upper.rotations[2]: its time is not after the one before"},
    {"c.tracks.Upper.times = { -1, 0 }", "clips[1].tracks.Upper.rotations[1]: its time is not from 0"},
    {"c.tracks.Upper.times = { 0, 1, 2 }", "clips[1].tracks.Upper.rotations: 2 for 3 times"},
    {"c.tracks.Upper.rotations[2] = { 0, 0, 0, 0 }", "clips[1].tracks.Upper.rotations[2] must be a quaternion"},
    {"c.tracks.Upper.rotations = nil", "clips[1].tracks.Upper: has neither positions nor rotations nor scales"},
    {"c.tracks.Upper.interpolation = 'cubic'",
     "clips[1].tracks.Upper.rotations: 2 for 6 entries (in-tangent, value and out-tangent for each time)"},
    {"c.tracks.Upper.interpolation = 'smooth'",
     "clips[1].tracks.Upper.interpolation must be \"linear\", \"step\" or \"cubic\" (got 'smooth')"},
    {"d.joints, d.meshes, d.clips = nil, nil, nil", "bar: holds no joints and no meshes"},
};

static void test_mistakes_are_named_by_their_field(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
    char text[1024];
    snprintf(text, sizeof text, "bar(function(d) local m, c = d.meshes[1], d.clips[1] %s end)", mistakes[i].code);
    harness_refused(BAR("1", "2"), text, mistakes[i].sentence);
  }
}

/* Making models in an endless loop exceeds the budget before memory runs out. */
static void test_building_without_end_is_an_error(void **state) {
  (void)state;
  harness_refused(BAR("1", "2"), "for i = 1, math.huge do bar(function(d) d.name = 'bar ' .. i end) end",
                  "instructions");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_what_is_said_is_what_moves),
                                     cmocka_unit_test(test_a_morph_target_moves_vertices),
                                     cmocka_unit_test(test_vertices_and_bounds_are_those_of_the_skin),
                                     cmocka_unit_test(test_shapes_of_lists_mean_the_same),
                                     cmocka_unit_test(test_a_save_that_changes_nothing_keeps_the_model),
                                     cmocka_unit_test(test_a_save_that_changes_it_keeps_the_clock),
                                     cmocka_unit_test(test_a_save_with_a_mistake_changes_nothing),
                                     cmocka_unit_test(test_mistakes_are_named_by_their_field),
                                     cmocka_unit_test(test_building_without_end_is_an_error)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
