/* Files so large, or so hostile, that looking at every pair of things in them would take longer than a test may (the
 * quadratic versions of what is tested here took minutes to hours). */
#include "support/fixture.h"

#include "import/build/build.h"
#include "import/import_model.h"
#include "import/raw/sanitize.h"

enum { KEYS = 2 };

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
  assert_true(sanitize_text(&raw, &files) && note_unsupported(&raw, &files));
  raw_release(&raw);
  free(text);
}

static void words_that_begin_and_never_end_are_read_once(void **state) {
  (void)state;
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
    clip.tracks[t] = (raw_track){TRACK_MORPH, 0, TARGETS - 1 - t, RAW_LINEAR, t % 2 + 1, times, values, 0};
    clip.tracks[TARGETS + t] = (raw_track){TRACK_MORPH, 0, t, RAW_LINEAR, KEYS, times, late, 0};
  }
  clip.track_count = 2 * TARGETS;
  raw.nodes = &node, raw.meshes = &mesh, raw.clips = &clip;
  raw.node_count = raw.mesh_count = raw.clip_count = 1;
  assert_true(raw_check(&raw));
  assert_int_equal(clip.track_count, TARGETS);
  assert_true(build_skeleton(&raw, true, &desc) && build_clips(&raw, true, 0, &desc));
  assert_int_equal(desc.clips[0].constant_morph_count, 0); /* half of them stand at 0 */
  raw_release(&raw);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(words_that_begin_and_never_end_are_read_once),
      cmocka_unit_test(twenty_thousand_morph_curves_are_told_apart),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
