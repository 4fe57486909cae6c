/* The readers of text that run before Assimp: the corrections of Collada and MD5 (sanitize.c), and the search for
 * unsupported features (import_model.c). The first byte selects the format of the rest. */
#include "fuzz/feed.h"

#include "import/import_model.h"
#include "import/raw/sanitize.h"

static const struct {
  const char *path;
  raw_format format;
} formats[] = {{"/nonexistent/fuzz.dae", RAW_COLLADA},
               {"/nonexistent/fuzz.md5mesh", RAW_MD5},
               {"/nonexistent/fuzz.md5anim", RAW_MD5},
               {"/nonexistent/fuzz.fbx", RAW_FBX},
               {"/nonexistent/fuzz.iqm", RAW_OTHER}};

/* A clip with a key a second, so that curves that bend are worth a note. */
static void feed_clip(raw_model *raw, const char *name) {
  static double times[] = {0, 1};
  static float values[] = {0, 0, 0, 1, 0, 0};
  static raw_track track = {.kind = TRACK_TRANSLATION, .key_count = 2, .times = times, .values = values};
  static raw_clip clip = {.tracks = &track, .track_count = 1};
  clip.name = name;
  raw->clips = &clip;
  raw->clip_count = 1;
}

/* Assimp names nodes by what the tidied text says, or by nothing like it. */
static void feed_node(raw_model *raw, const char *text) {
  raw_node *node = raw_grow(raw, (void **)&raw->nodes, &raw->node_count, &raw->node_capacity, sizeof *node);
  if (node) *node = (raw_node){.name = text, .parent = -1};
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  raw_model raw;
  sinew_error error = {""};
  feed_allocator();
  if (size == 0) return 0;
  size_t format = data[0] % (sizeof formats / sizeof *formats);
  unsigned char *text = malloc(size); /* file_read puts a zero behind what it reads */
  memcpy(text, data + 1, size - 1);
  text[size - 1] = 0;
  import_files files = {.path = formats[format].path, .data = text, .size = size - 1};
  raw_init(&raw, files.path, &error);
  raw.format = formats[format].format;
  feed_clip(&raw, (const char *)text);
  feed_node(&raw, (const char *)text);
  bool good = sanitize_text(&raw, &files) && sanitize_names(&raw) && note_unsupported(&raw, &files);
  if (!good && !error.message[0]) abort();
  size_t sum = 0; /* what Assimp is given is there, to the last byte */
  for (int i = 0; i < files.served_count; i++)
    for (size_t k = 0; k < files.served[i].size; k++) sum += files.served[i].data[k];
  raw_release(&raw);
  free(text);
  return sum == SIZE_MAX;
}
