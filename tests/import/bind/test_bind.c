#include "support/fixture.h"

#include "import/bind/bind.h"
#include "import/raw/raw_nodes.h"

/* Four nodes in a row, each `length` from its parent along x, and a clip that moves the second along y. */
typedef struct rig {
  raw_model raw;
  sinew_error error;
  raw_node nodes[4];
  raw_clip clip;
  raw_track track;
  double time;
  float value[3];
} rig;

static void open_rig(rig *r, const char *path, const char *const names[4], float length, bool with_clip) {
  memset(r, 0, sizeof *r);
  raw_init(&r->raw, path, &r->error);
  for (int i = 0; i < 4; i++) {
    r->nodes[i] = (raw_node){.name = names[i], .parent = i - 1, .local = sinew_mat3x4_identity()};
    r->nodes[i].local.m[3] = length;
  }
  r->raw.nodes = r->nodes;
  r->raw.node_count = 4;
  r->value[1] = length;
  r->track = (raw_track){TRACK_TRANSLATION, 1, 0, RAW_LINEAR, 1, &r->time, r->value, 0};
  r->clip = (raw_clip){.name = "clip", .tracks = &r->track, .track_count = 1};
  r->raw.clips = &r->clip;
  r->raw.clip_count = with_clip;
  if (!with_clip) r->raw.clips = NULL;
}

static const char *const plain[4] = {"root", "Hips", "Spine", "Head"};
static const char *const spaced[4] = {"root", "mixamorig:Hips", "mixamorig:Spine", "mixamorig:Head"};

static void assert_binds(const char *const model_names[4], const char *const clip_names[4]) {
  rig model, clips;
  open_rig(&model, "model", model_names, 1, false);
  open_rig(&clips, "clips", clip_names, 1, true);
  assert_true(bind_clips(&model.raw, &clips.raw, &(bind_pairs){0}));
  raw_release(&clips.raw); /* nothing of it is kept */
  memset(clips.value, 0xFF, sizeof clips.value);
  assert_int_equal(model.raw.clip_count, 1);
  assert_int_equal(model.raw.clips[0].track_count, 1);
  assert_int_equal(model.raw.clips[0].tracks[0].node, 1);
  assert_near(model.raw.clips[0].tracks[0].values[1], 1, 0);
  assert_int_equal(model.raw.note_count, 0);
  raw_release(&model.raw);
}

static void names_bind_with_and_without_namespaces(void **state) {
  (void)state;
  static const char *const other[4] = {"root", "Armature|Hips", "Armature|Spine", "Armature|Head"};
  assert_binds(plain, plain);
  assert_binds(plain, spaced);
  assert_binds(spaced, plain);
  assert_binds(spaced, other);
}

static void an_exact_name_comes_first(void **state) {
  (void)state;
  static const char *const both[4] = {"x:Hips", "Hips", "Spine", "Head"};
  assert_binds(both, plain);
}

static void another_unit_is_scaled(void **state) {
  (void)state;
  rig model, clips;
  open_rig(&model, "model", plain, 1, false);
  open_rig(&clips, "clips", plain, 100, true);
  assert_true(bind_clips(&model.raw, &clips.raw, &(bind_pairs){0}));
  assert_near(model.raw.clips[0].tracks[0].values[1], 1, 1e-6);
  assert_int_equal(model.raw.note_count, 1);
  raw_release(&clips.raw);
  raw_release(&model.raw);
}

static void what_finds_no_node_is_said(void **state) {
  (void)state;
  static const char *const strange[4] = {"root", "Wing", "Spine", "Head"};
  rig model, clips;
  raw_track two[2];
  open_rig(&model, "model", plain, 1, false);
  open_rig(&clips, "clips", strange, 1, true);
  assert_false(bind_clips(&model.raw, &clips.raw, &(bind_pairs){0})); /* nothing of the clip fits */
  assert_non_null(strstr(model.error.message, "Wing"));
  two[0] = two[1] = clips.track;
  two[1].node = 2;
  two[1].kind = TRACK_ROTATION; /* of a bone in the middle only turns are taken over */
  two[1].values = (float[]){0, 0, 0, 1};
  clips.clip.tracks = two;
  clips.clip.track_count = 2;
  assert_true(bind_clips(&model.raw, &clips.raw, &(bind_pairs){0}));
  int said = 0;
  for (int i = 0; i < model.raw.note_count; i++) said += strstr(model.raw.notes[i], "Wing") != NULL;
  assert_true(said > 0);
  raw_release(&clips.raw);
  raw_release(&model.raw);
}

static void of_equal_names_a_joint_is_found_first(void **state) {
  (void)state;
  static const char *const twins[4] = {"a", "bone", "bone", "bone"};
  rig r;
  name_index index;
  open_rig(&r, "twins", twins, 1, false);
  r.nodes[1].has_mesh = true;
  r.nodes[3].is_joint = true;
  assert_true(name_index_build(&index, &r.raw));
  assert_int_equal(name_index_find(&index, "bone"), 3);
  r.nodes[3].is_joint = false;
  assert_true(name_index_build(&index, &r.raw));
  assert_int_equal(name_index_find(&index, "bone"), 2);
  assert_int_equal(name_index_find(&index, "bones"), -1);
  raw_release(&r.raw);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(names_bind_with_and_without_namespaces),
      cmocka_unit_test(an_exact_name_comes_first),
      cmocka_unit_test(another_unit_is_scaled),
      cmocka_unit_test(what_finds_no_node_is_said),
      cmocka_unit_test(of_equal_names_a_joint_is_found_first),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
