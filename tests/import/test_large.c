/* Files so large, or so hostile, that looking at every pair of things in them would take longer than a test may (the
 * quadratic versions of what is tested here took minutes to hours). */
#include "support/fixture.h"

#include "import/build/build.h"
#include "import/raw/tidy.h"
#include "import/source/fbx/fbx.h"
#include "import/source/lost.h"

enum { CHAINS = 40000, PARTS = 3, CURVES = 2, KEYS = 2 };

/* ---- FBX chains ---- */

typedef struct forest {
  raw_model raw;
  raw_clip clip;
  double times[KEYS];
  float turn[KEYS * 4], step[KEYS * 3];
} forest;

/* Joints X0, X1, … under one root, each a chain of a turned pivot, a helper that moves and the node itself; every
 * second joint ignores its parent's scale, which a clip moves. */
static void plant(forest *f) {
  static const char *const ends[PARTS] = {"_$AssimpFbx$_PreRotation", "_$AssimpFbx$_Rotation", ""};
  *f = (forest){.times = {0, 1}, .turn = {0, 0, 0, 1, 0, 1, 0, 0}, .step = {2, 2, 2, 4, 4, 4}};
  raw_model *raw = &f->raw;
  raw_init(raw, "large.fbx", NULL);
  raw->nodes = raw_alloc(raw, 1 + (size_t)CHAINS * PARTS, sizeof *raw->nodes);
  f->clip = (raw_clip){.name = "clip", .tracks = raw_alloc(raw, 1 + (size_t)CHAINS * CURVES, sizeof(raw_track))};
  raw->clips = &f->clip;
  raw->clip_count = 1;
  raw->nodes[raw->node_count++] = (raw_node){.name = "root", .parent = -1, .local = sinew_mat3x4_identity()};
  f->clip.tracks[f->clip.track_count++] = (raw_track){TRACK_SCALE, 0, 0, RAW_LINEAR, KEYS, f->times, f->step};
  sinew_transform pivot = {{0, 0, 0}, {1, 0, 0, 0}, {1, 1, 1}};
  for (int i = 0; i < CHAINS * PARTS; i++) {
    char name[64];
    int number = raw->node_count++;
    snprintf(name, sizeof name, "X%d%s", i / PARTS, ends[i % PARTS]);
    raw->nodes[number] = (raw_node){.name = raw_string(raw, name),
                                    .parent = i % PARTS ? number - 1 : 0,
                                    .local = i % PARTS ? sinew_mat3x4_identity() : sinew_mat3x4_from_transform(&pivot),
                                    .helper = i % PARTS < PARTS - 1,
                                    .segment_scale = i % PARTS == PARTS - 1 && i / PARTS % 2};
    if (i % PARTS == 1)
      f->clip.tracks[f->clip.track_count++] = (raw_track){
          TRACK_ROTATION, number, 0, RAW_LINEAR, KEYS, f->times, raw_copy(raw, f->turn, KEYS * 4, sizeof(float))};
    if (i % PARTS == 0) /* at rest: it goes */
      f->clip.tracks[f->clip.track_count++] =
          (raw_track){TRACK_SCALE,
                      number,
                      0,
                      RAW_LINEAR,
                      KEYS,
                      f->times,
                      raw_copy(raw, (float[6]){1, 1, 1, 1, 1, 1}, 6, sizeof(float))};
  }
}

static void forty_thousand_chains_fold(void **state) {
  (void)state;
  forest f;
  plant(&f);
  assert_true(fbx_repair(&f.raw));
  assert_int_equal(f.raw.node_count, 1 + CHAINS + CHAINS / 2); /* a helper where the scale stops */
  assert_int_equal(f.clip.track_count, 1 + CHAINS + CHAINS / 2);
  int turned = 0, undone = 0;
  for (int i = 0; i < f.clip.track_count; i++) {
    const raw_track *track = f.clip.tracks + i;
    const raw_node *node = f.raw.nodes + track->node;
    const float *last = track->values + (track->key_count - 1) * clip_kind_width(track->kind);
    if (track->kind == TRACK_ROTATION) {
      assert_true(node->name[0] == 'X' && !strchr(node->name, '$'));
      assert_near(fabsf(last[2]), 1, 1e-6); /* x · y: both half turns */
      turned++;
    } else if (node->helper) {
      assert_near(last[0], 0.25, 1e-6);
      undone++;
    }
  }
  assert_int_equal(turned, CHAINS);
  assert_int_equal(undone, CHAINS / 2);
  raw_release(&f.raw);
}

/* ---- text ---- */

/* The same words again and again, up to some bytes. */
static unsigned char *repeated(const char *words, size_t length, size_t size) {
  unsigned char *text = malloc(size + 1);
  for (size_t i = 0; i < size; i++) text[i] = (unsigned char)words[i % length];
  text[size] = 0;
  return text;
}

static void read_text(const char *path, raw_format format, const char *words, size_t length) {
  enum { SIZE = 16 << 20 };
  raw_model raw;
  unsigned char *text = repeated(words, length, SIZE);
  import_files files = {.path = path, .data = text, .size = SIZE};
  raw_init(&raw, path, NULL);
  raw.format = format;
  assert_true(tidy_text(&raw, &files) && note_lost(&raw, &files));
  raw_release(&raw);
  free(text);
}

static void words_that_begin_and_never_end_are_read_once(void **state) {
  (void)state;
  static const char flags[] = "KeyAttrFlagsi\0\0\x10\0\0\0\0\0\0\0\x40\0\0\0"; /* 2^20 of 0, over and over */
  read_text("large.fbx", RAW_FBX, "KeyAttrFlags:", 13);
  read_text("large.fbx", RAW_FBX, flags, 28);
  read_text("large.dae", RAW_COLLADA, "<Name_array", 11);
  read_text("large.dae", RAW_COLLADA, "<node name='", 12);
  read_text("large.dae", RAW_COLLADA, "<node ", 6);
  read_text("large.md5mesh", RAW_MD5, "\n", 1);
}

/* ---- morph targets ---- */

enum { TARGETS = 20000 };

/* Every target has two curves; of each the first counts. */
static void twenty_thousand_morph_curves_are_told_apart(void **state) {
  (void)state;
  raw_model raw;
  model_desc desc = {.path = "large.glb"};
  double times[KEYS] = {0, 1};
  float deltas[9] = {0}, normals[9] = {0, 1, 0, 0, 1, 0, 0, 1, 0}, values[KEYS] = {0, 1}, late[KEYS] = {5, 5};
  raw_init(&raw, "large.glb", NULL);
  raw_node node = {.name = "n", .parent = -1, .local = sinew_mat3x4_identity()};
  raw_mesh mesh = {.name = "m",
                   .material = -1,
                   .vertex_count = 3,
                   .index_count = 3,
                   .positions = (float[9]){0, 0, 0, 1, 0, 0, 0, 1, 0},
                   .normals = normals,
                   .indices = (uint32_t[3]){0, 1, 2},
                   .morph_count = TARGETS,
                   .morphs = raw_alloc(&raw, TARGETS, sizeof(raw_morph))};
  raw_clip clip = {.name = "clip", .tracks = raw_alloc(&raw, 2 * (size_t)TARGETS, sizeof(raw_track))};
  for (int t = 0; t < TARGETS; t++) {
    mesh.morphs[t] = (raw_morph){.name = "t", .positions = deltas};
    clip.tracks[t] = (raw_track){TRACK_MORPH, 0, TARGETS - 1 - t, RAW_LINEAR, t % 2 + 1, times, values};
    clip.tracks[TARGETS + t] = (raw_track){TRACK_MORPH, 0, t, RAW_LINEAR, KEYS, times, late};
  }
  clip.track_count = 2 * TARGETS;
  raw.nodes = &node, raw.meshes = &mesh, raw.clips = &clip;
  raw.node_count = raw.mesh_count = raw.clip_count = 1;
  assert_true(raw_check(&raw));
  assert_int_equal(clip.track_count, TARGETS);
  assert_true(build_skeleton(&raw, true, &desc) && build_clips(&raw, true, &desc));
  assert_int_equal(desc.clips[0].constant_morph_count, 0); /* half of them stand at 0 */
  raw_release(&raw);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(forty_thousand_chains_fold),
      cmocka_unit_test(words_that_begin_and_never_end_are_read_once),
      cmocka_unit_test(twenty_thousand_morph_curves_are_told_apart),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
