/* The hero: what its files hold, and that the .glb and the .fbx are one character. */
#include "import/fixtures/own_model.h"

#include "base/memory/memory.h"
#include "import/cook/cook.h"

static const char *const clip_names[] = {"Idle", "Walk", "Run", "Jump", "Wave", "Breath", "WalkRoot", "RunRoot"};
enum { CLIPS = sizeof clip_names / sizeof *clip_names };

static bool has_morph(const sinew_model *model, const char *name) {
  for (int m = 0; m < sinew_model_mesh_count(model); m++) {
    sinew_mesh_view mesh = sinew_model_mesh(model, m);
    for (int i = 0; i < mesh.morph_count; i++)
      if (strcmp(mesh.morphs[i].name, name) == 0) return true;
  }
  return false;
}

static void both_files_hold_the_whole_character(void **state) {
  (void)state;
  static const char *const files[] = {"hero.glb", "hero.fbx"};
  for (int f = 0; f < 2; f++) {
    sinew_model *model = load(files[f], NULL);
    sinew_vec3 low, high;
    int bound = 0;
    for (int s = 0; s < sinew_model_skin_count(model); s++)
      if (sinew_model_skin(model, s).count > bound) bound = sinew_model_skin(model, s).count;
    assert_true(bound >= 50);
    for (int c = 0; c < CLIPS; c++) assert_true(sinew_model_find_clip(model, clip_names[c]) >= 0);
    assert_true(has_morph(model, "Smile") && has_morph(model, "Blink"));
    assert_true(sinew_model_image_count(model) >= 1);
    assert_true(sinew_model_image(model, 0).width >= 256);
    sinew_model_bounds(model, &low, &high);
    assert_true(high.y - low.y > 1.5f && high.y - low.y < 2.1f); /* metres, y up */
    sinew_model_release(model);
  }
}

/* Metres: FBX holds what another exporter sampled at the frames, as floats of its own. */
static const double tolerance = 2e-4;

/* The worst distance between joints of one name, at five frames of a clip: between frames the angles of an FBX and the
 * quaternions of a glTF take different paths. */
static void compare_clip(const sinew_model *a, const sinew_model *b, const char *clip_name, int *compared) {
  const sinew_clip *clip = sinew_model_clip(a, sinew_model_find_clip(a, clip_name));
  const sinew_clip *other = sinew_model_clip(b, sinew_model_find_clip(b, clip_name));
  assert_near(sinew_clip_duration(clip), sinew_clip_duration(other), 1e-3);
  for (int i = 0; i < 5; i++) {
    double time = round(sinew_clip_duration(clip) * i / 4 * 30) / 30;
    sinew_mat3x4 *p = pose_at(a, clip_name, time), *q = pose_at(b, clip_name, time);
    for (int joint = 1; joint < sinew_model_joint_count(a); joint++) {
      const char *name = sinew_model_joint_name(a, joint);
      int same = sinew_model_find_joint(b, name);
      if (same < 0) continue;
      sinew_vec3 at = {p[joint].m[3], p[joint].m[7], p[joint].m[11]}, to = {q[same].m[3], q[same].m[7], q[same].m[11]};
      if (!(distance_between(at, to) <= tolerance))
        fail_msg("%s at %g s: %s is %g m off", clip_name, time, name, distance_between(at, to));
      ++*compared;
    }
    free(p), free(q);
  }
}

static void the_glb_and_the_fbx_move_alike(void **state) {
  (void)state;
  sinew_model *glb = load("hero.glb", NULL), *fbx = load("hero.fbx", NULL);
  int compared = 0;
  for (int c = 0; c < CLIPS; c++) compare_clip(glb, fbx, clip_names[c], &compared);
  assert_true(compared > CLIPS * 5 * 50);
  sinew_model_release(glb);
  sinew_model_release(fbx);
}

static void clips_come_from_the_second_file(void **state) {
  (void)state;
  char path[1024];
  snprintf(path, sizeof path, "%s/assets/hero_extra.glb", SINEW_SOURCE);
  if (!file_exists(path)) skip();
  sinew_load_options options = sinew_load_options_default();
  options.clip_files = (const char *const[]){path};
  options.clip_file_count = 1;
  sinew_model *alone = load("hero.glb", NULL), *glb = load("hero.glb", &options), *fbx = load("hero.fbx", &options);
  int before = sinew_model_clip_count(alone), count = sinew_model_clip_count(glb), compared = 0;
  assert_true(count > before);
  for (int c = before; c < count; c++) {
    const sinew_clip *clip = sinew_model_clip(glb, c);
    assert_true(sinew_clip_has_joint(clip, sinew_model_find_joint(glb, "Hips")));
    assert_true(sinew_clip_duration(clip) > 0.2);
    compare_clip(glb, fbx, sinew_clip_name(clip), &compared);
  }
  assert_true(compared > 0);
  sinew_model_release(alone);
  sinew_model_release(glb);
  sinew_model_release(fbx);
}

/* The unit of a file is not the model's size: frames and integers are for both the same. */
static void a_larger_unit_changes_no_frame(void **state) {
  (void)state;
  static const double units[] = {1, 0.01, 100};
  sinew_model *models[3];
  for (int i = 0; i < 3; i++) {
    sinew_load_options options = sinew_load_options_default();
    options.unit = units[i];
    models[i] = load("hero.glb", &options);
    assert_int_equal(sinew_model_note_count(models[i]), sinew_model_note_count(models[0]));
  }
  for (int c = 0; c < CLIPS; c++)
    for (int i = 1; i < 3; i++) {
      const sinew_clip *one = sinew_model_clip(models[0], c), *other = sinew_model_clip(models[i], c);
      assert_int_equal(sinew_clip_frame_count(other), sinew_clip_frame_count(one));
      assert_int_equal(sinew_clip_size(other), sinew_clip_size(one));
      assert_float_equal(sinew_clip_error(other) / units[i], sinew_clip_error(one), 1e-2 * sinew_clip_error(one));
    }
  for (int i = 0; i < 3; i++) sinew_model_release(models[i]);
}

/* Clips are built side by side; the order of the notes, too, is that of the clips. */
static void threads_change_no_bit(void **state) {
  (void)state;
  sinew_load_options options = sinew_load_options_default();
  options.in_process = options.no_cache = true;
  options.exact = true; /* every way of being stricter, and notes where nothing helps */
  size_t sizes[3];
  void *bytes[3];
  for (int i = 0; i < 3; i++) {
    setenv("SINEW_THREADS", (const char *const[]){"1", "2", "7"}[i], 1);
    sinew_model *model = load("hero.glb", &options);
    bytes[i] = cook_bytes(model, sizes + i, NULL);
    assert_non_null(bytes[i]);
    sinew_model_release(model);
    assert_true(sizes[i] == sizes[0] && memcmp(bytes[i], bytes[0], sizes[0]) == 0);
  }
  unsetenv("SINEW_THREADS");
  for (int i = 0; i < 3; i++) mem_free(bytes[i]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(both_files_hold_the_whole_character),
      cmocka_unit_test(the_glb_and_the_fbx_move_alike),
      cmocka_unit_test(clips_come_from_the_second_file),
      cmocka_unit_test(a_larger_unit_changes_no_frame),
      cmocka_unit_test(threads_change_no_bit),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
