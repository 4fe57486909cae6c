/* The scene is text: what it says is checked here, that it runs in test_view.py and test_new.py. */
#include "support/fixture.h"

#include "base/file.h"
#include "base/memory/memory.h"

#include "cli/info/space_hint.c"
#include "cli/new/scene_template.c"

#include <unistd.h>

static char path[] = "/tmp/sinew-scene-XXXXXX";

static char *written(const char *model_path, const sinew_model *model, const scene_template *options) {
  static char text[SCENE_SIZE];
  sinew_error error = {0};
  size_t size = 0;
  unlink(path);
  if (!scene_template_write(path, model_path, model, options, &error)) fail_msg("%s", error.message);
  unsigned char *data = file_read(path, sizeof text - 1, &size, &error);
  assert_non_null(data);
  memcpy(text, data, size);
  text[size] = '\0';
  mem_free(data);
  return text;
}

static sinew_model *model_with_clips(const char *const *names, int count) {
  clip_desc clips[16] = {0};
  const joint_desc joint = {"root", -1, {{0, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}}, false, 0};
  const bool carried = false;
  for (int i = 0; i < count; i++)
    clips[i] = (clip_desc){.name = names[i], .animated = &carried, .base = &joint.rest, .duration = 1};
  sinew_model *model = model_create(&(model_desc){.path = "m.glb",
                                                  .root = sinew_transform_identity(),
                                                  .joints = &joint,
                                                  .joint_count = 1,
                                                  .clips = clips,
                                                  .clip_count = count},
                                    NULL);
  assert_non_null(model);
  return model;
}

static void test_clips_by_their_real_names(void **state) {
  (void)state;
  sinew_model *model = model_with_clips((const char *[]){"Idle", "Walk", "Walk", ""}, 4);
  scene_template options = scene_template_default();
  options.clip = 1;
  options.speed = 0.5;
  const char *text = written("models/Fox v2.GLB", model, &options);
  assert_non_null(strstr(text, "local sinew = require \"sinew\"\n"));
  assert_non_null(strstr(text, "sinew.model(\"models/Fox v2.GLB\")"));
  assert_non_null(strstr(text, "sinew.actor(\"fox_v2\", model)"));
  assert_non_null(strstr(text, "{ \"Idle\", \"Walk\", \"#2\", "));
  assert_non_null(strstr(text, "hero:play(\"Walk\""));
  assert_non_null(strstr(text, "speed = 0.5 }"));
  sinew_model_release(model);
}

/* A name from a file can say anything; in the scene it is only ever a string. */
static void test_hostile_names_stay_strings(void **state) {
  (void)state;
  sinew_model *model = model_with_clips((const char *[]){"\") os.execute(\"x\\", "line\nbreak"}, 2);
  const char *text = written("a\"]]..\n.glb", model, NULL);
  assert_null(strstr(text, "\") os.execute(\"x"));
  assert_non_null(strstr(text, "\\\") os.execute(\\\"x\\\\"));
  assert_non_null(strstr(text, "line\\010break"));
  assert_non_null(strstr(text, "sinew.model(\"a\\\"]]..\\010.glb\")"));
  sinew_model_release(model);
}

static void test_a_model_without_clips(void **state) {
  (void)state;
  sinew_model *model = model_with_clips(NULL, 0);
  const char *text = written("///.glb", model, NULL);
  assert_non_null(strstr(text,
                         "\n-- It has no clips of its own. Our hero's: "
                         "sinew.model(\"///.glb\", { clips = { \"hero.glb\" } }), and then hero:play \"Walk\"\n"));
  assert_null(strstr(text, "local clips"));
  assert_null(strstr(text, "key_pressed"));
  assert_non_null(strstr(text, "sinew.actor(\"hero\", model)"));
  sinew_model_release(model);
}

static void test_options_are_written(void **state) {
  (void)state;
  sinew_model *model = model_with_clips((const char *[]){"A"}, 1);
  const char *files[] = {"one.fbx", "two.fbx"};
  scene_template options = {.actor = "guard",
                            .clip = -1,
                            .speed = NAN,
                            .has_camera = true,
                            .camera_position = {1, 2, 3},
                            .position = {0, 0.5f, 0},
                            .clip_files = files,
                            .clip_file_count = 2,
                            .allow = "/models"};
  const char *text = written("m.glb", model, &options);
  assert_non_null(strstr(text, "{ clips = { \"one.fbx\", \"two.fbx\" } }"));
  assert_non_null(strstr(text, "sinew.actor(\"guard\", model, { position = { 0, 0.5, 0 } })"));
  assert_non_null(strstr(text, "sinew.camera.position = { 1, 2, 3 }"));
  assert_non_null(strstr(text, "{ speed = 1 }"));
  assert_non_null(strstr(text, "--allow /models\n"));
  assert_null(strstr(text, "hero:play(\"A\""));
  sinew_model_release(model);
}

/* A scene is for people: 10.5274 metres away, a thousandth of a millimetre is 0. */
static void test_a_camera_has_neat_numbers(void **state) {
  (void)state;
  sinew_model *model = model_with_clips((const char *[]){"A"}, 1);
  scene_template options = scene_template_default();
  options.has_camera = true;
  options.camera_position = (sinew_vec3){1.23456f, -2e-6f, 10.5274f},
  options.camera_target = (sinew_vec3){0, 1, -9e-7f};
  const char *text = written("m.glb", model, &options);
  assert_non_null(strstr(text, "sinew.camera.position = { 1.2, 0, 10.5 }"));
  assert_non_null(strstr(text, "sinew.camera.target = { 0, 1, 0 }"));
  options.camera_position = options.camera_target;
  assert_non_null(strstr(written("m.glb", model, &options), "sinew.camera.position = { 0, 1, 0 }"));
  sinew_model_release(model);
}

static void test_load_options_are_written(void **state) {
  (void)state;
  sinew_model *model = model_with_clips((const char *[]){"A"}, 1);
  const sinew_joint_pair map[] = {{"Their \"Hip\"", "Hips"}, {"Prop", NULL}, {"Tail", ""}};
  sinew_clip_edit edits[] = {sinew_clip_edit_default(), sinew_clip_edit_default()};
  edits[0].clip = "A", edits[0].name = "B", edits[0].from = 0.25, edits[0].to = 1.5, edits[0].reverse = true;
  edits[1].clip = "#0", edits[1].loop = true;
  sinew_load_options load = sinew_load_options_default();
  scene_template options = scene_template_default();
  options.load = &load;
  assert_non_null(strstr(written("m.glb", model, &options), "sinew.model(\"m.glb\")\n"));
  load.map = map, load.map_count = 3;
  load.edits = edits, load.edit_count = 2;
  load.unit = 0.0254, load.up = "+z", load.front = "-x", load.max_influences = 8, load.exact = true;
  assert_non_null(strstr(written("m.glb", model, &options),
                         "sinew.model(\"m.glb\", { map = { [\"Their \\\"Hip\\\"\"] = \"Hips\", [\"Prop\"] = false, "
                         "[\"Tail\"] = false }, edits = { { clip = \"A\", name = \"B\", from = 0.25, to = 1.5, "
                         "reverse = true }, { clip = \"#0\", loop = true } }, unit = 0.0254, up = \"+z\", "
                         "front = \"-x\", influences = 8, exact = true })\n"));
  options.clip_files = (const char *[]){"one.fbx"}, options.clip_file_count = 1;
  load = sinew_load_options_default();
  load.unit = 2;
  assert_non_null(strstr(written("m.glb", model, &options), "{ clips = { \"one.fbx\" }, unit = 2 })\n"));
  sinew_model_release(model);
}

static void test_a_file_is_not_replaced(void **state) {
  (void)state;
  sinew_error error = {0};
  sinew_model *model = model_with_clips(NULL, 0);
  written("m.glb", model, NULL);
  assert_false(scene_template_write(path, "m.glb", model, NULL, &error));
  assert_non_null(strstr(error.message, "exists already"));
  assert_false(scene_template_write("/no/such/folder/x.lua", "m.glb", model, NULL, &error));
  sinew_model_release(model);
}

static void test_a_scene_of_endless_names(void **state) {
  (void)state;
  static char name[40000];
  memset(name, 'n', sizeof name - 1);
  sinew_error error = {0};
  sinew_model *model = model_with_clips((const char *[]){name}, 1);
  unlink(path);
  assert_false(scene_template_write(path, "m.glb", model, NULL, &error));
  assert_non_null(strstr(error.message, "longer than"));
  assert_false(file_exists(path));
  sinew_model_release(model);
}

static int take_name(void **state) {
  (void)state;
  int descriptor = mkstemp(path);
  return descriptor < 0 || close(descriptor) != 0 ? -1 : 0;
}

static int drop_name(void **state) {
  (void)state;
  unlink(path);
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_clips_by_their_real_names), cmocka_unit_test(test_hostile_names_stay_strings),
      cmocka_unit_test(test_a_model_without_clips),     cmocka_unit_test(test_options_are_written),
      cmocka_unit_test(test_a_camera_has_neat_numbers), cmocka_unit_test(test_load_options_are_written),
      cmocka_unit_test(test_a_file_is_not_replaced),    cmocka_unit_test(test_a_scene_of_endless_names),
  };
  return cmocka_run_group_tests(tests, take_name, drop_name);
}
