#include "import/lost.h"

#include "base/file.h"
#include "base/memory.h"
#include "import/image.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- searching ---- */

typedef struct text {
  const unsigned char *at;
  size_t left;
} text;

/* Moves behind the next `what`. */
static bool find_next(text *t, const char *what) {
  size_t length = strlen(what);
  while (t->left >= length) {
    const unsigned char *first = memchr(t->at, what[0], t->left - length + 1);
    if (!first) return false;
    t->left -= (size_t)(first - t->at);
    t->at = first;
    bool found = memcmp(first, what, length) == 0;
    t->at += found ? length : 1;
    t->left -= found ? length : 1;
    if (found) return true;
  }
  return false;
}

static int count(const import_files *files, const char *what) {
  text t = {files->data, files->size};
  int n = 0;
  while (find_next(&t, what)) n++;
  return n;
}

/* ---- keys far apart ---- */

static bool is_same_value(const raw_track *track, int a, int b) {
  size_t width = (size_t)clip_kind_width(track->kind);
  return memcmp(track->values + (size_t)a * width, track->values + (size_t)b * width, width * sizeof(float)) == 0;
}

/* The longest time between two keys of different values. */
static double widest_gap(const raw_clip *clip) {
  double widest = 0;
  for (int i = 0; i < clip->track_count; i++) {
    const raw_track *track = clip->tracks + i;
    for (int k = 1; k < track->key_count; k++) {
      double gap = track->times[k] - track->times[k - 1];
      if (gap > widest && !is_same_value(track, k, k - 1)) widest = gap;
    }
  }
  return widest;
}

/* Where there is a key for every frame, however slow, nothing that anybody sees happens between keys. */
static const double frame_apart = 0.07;

static bool note_curves(raw_model *raw) {
  for (int i = 0; i < raw->clip_count; i++) {
    double gap = widest_gap(raw->clips + i);
    if (gap > frame_apart &&
        !raw_note(raw,
                  "clip '%s': between keys up to %.2g s apart, curves that bend or jump are played straight: export it "
                  "with a key for every frame",
                  raw->clips[i].name, gap))
      return false;
  }
  return true;
}

/* ---- FBX ---- */

enum { CONSTANT = 0x2, CUBIC = 0x8, MAX_FLAGS = 1 << 22, MOST_DEFLATED = 1032 };

static uint32_t read_u32(const unsigned char *at) {
  return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static bool any_bends(const unsigned char *flags, uint32_t n) {
  for (uint32_t i = 0; i < n; i++)
    if (read_u32(flags + 4 * (size_t)i) & (CONSTANT | CUBIC)) return true;
  return false;
}

/* An array of a binary file: how many numbers, whether they are deflated, how many bytes, the bytes. Moves behind it,
 * so that no byte is looked at twice; deflate makes at most MOST_DEFLATED bytes of one. */
static bool binary_flags_bend(text *t) {
  if (t->left < 12) return false;
  const unsigned char *bytes = t->at + 12;
  uint32_t n = read_u32(t->at), deflated = read_u32(t->at + 4), size = read_u32(t->at + 8);
  if (size > t->left - 12 || n > MAX_FLAGS || n / MOST_DEFLATED > size) return false;
  t->at = bytes + size;
  t->left -= 12 + (size_t)size;
  if (!deflated) return size / 4 >= n && any_bends(bytes, n);
  unsigned char *flags = mem_alloc_array(n, 4);
  bool bends = flags && inflate_exactly(flags, (size_t)n * 4, bytes, size) && any_bends(flags, n);
  mem_free(flags);
  return bends;
}

/* "KeyAttrFlags: *2 {\n a: 24836,24840 }"; before the "a:", which is near, no number that could mislead. */
static bool text_flags_bend(text t) {
  enum { NEAR = 200 };
  if (t.left > NEAR) t.left = NEAR;
  if (!find_next(&t, "a:")) return false;
  const char *at = (const char *)t.at; /* the file ends in a zero */
  for (char *end;; at = end + 1) {
    long flags = strtol(at, &end, 10);
    if (end == at) return false;
    if (flags & (CONSTANT | CUBIC)) return true;
    if (*end != ',') return false;
  }
}

static bool has_bent_fbx_curves(const import_files *files) {
  text t = {files->data, files->size};
  while (find_next(&t, "KeyAttrFlags")) {
    bool binary = t.left && *t.at == 'i', in_text = t.left && *t.at == ':';
    if (binary) t.at++, t.left--;
    if (binary ? binary_flags_bend(&t) : in_text && text_flags_bend(t)) return true;
  }
  return false;
}

/* In a text "AnimationLayer: 7, …"; in a binary file the name's length, the name, and L for an integer. */
static int count_objects(const import_files *files, const char *in_text, const char *in_binary) {
  int n = count(files, in_binary);
  return n ? n : count(files, in_text);
}

static bool note_fbx(raw_model *raw, const import_files *files) {
  int layers = count_objects(files, "AnimationLayer: ",
                             "\x0e"
                             "AnimationLayerL");
  int stacks = count_objects(files, "AnimationStack: ",
                             "\x0e"
                             "AnimationStackL");
  if (layers > stacks &&
      !raw_note(raw,
                "%d clips have %d animation layers: layers are not blended as their program blends them: merge "
                "them before the export",
                stacks, layers))
    return false;
  if (count(files, "-Extrapolation") &&
      !raw_note(raw, "curves that go on before their first or after their last key stand still there: extrapolation is "
                     "not read"))
    return false;
  if (count(files, "DualQuaternion") &&
      !raw_note(raw, "the file asks for dual quaternion skinning: linear skinning is used"))
    return false;
  return !has_bent_fbx_curves(files) || note_curves(raw);
}

/* ---- Collada ---- */

static bool names_curve(text t) {
  static const char *const curves[] = {"BEZIER", "HERMITE", "CARDINAL", "BSPLINE", "STEP"};
  for (size_t i = 0; i < sizeof curves / sizeof *curves; i++) {
    text copy = t;
    if (find_next(&copy, curves[i])) return true;
  }
  return false;
}

static bool has_bent_collada_curves(const import_files *files) {
  text t = {files->data, files->size};
  while (find_next(&t, "<Name_array")) {
    text rest = t;
    if (!find_next(&rest, "</Name_array")) return false;
    if (names_curve((text){t.at, t.left - rest.left})) return true;
    t = rest;
  }
  return false;
}

bool note_lost(raw_model *raw, const import_files *files) {
  if (raw->format == RAW_FBX) return note_fbx(raw, files);
  if (raw->format == RAW_COLLADA) return !has_bent_collada_curves(files) || note_curves(raw);
  return strcasecmp(path_extension(files->path), "iqm") != 0 ||
         raw_note(raw, "of an IQM file only the meshes are read, not its joints and clips: glTF holds all of it");
}
