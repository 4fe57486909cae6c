#include "import/source/lost.h"

#include "base/file.h"
#include "base/memory.h"
#include "import/raw/scan.h"
#include "import/source/fbx/fbx_takes.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

static int count(const import_files *files, const char *what) {
  scan t = {files->data, files->size};
  int n = 0;
  while (scan_next(&t, what)) n++;
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

enum { CONSTANT = 0x2, CUBIC = 0x8 };

static bool any_bends(const unsigned char *flags, uint32_t n) {
  for (uint32_t i = 0; i < n; i++)
    if (scan_u32(flags + 4 * (size_t)i) & (CONSTANT | CUBIC)) return true;
  return false;
}

static bool binary_flags_bend(scan *t) {
  uint32_t count;
  unsigned char *made;
  const unsigned char *flags = scan_array(t, 4, &count, &made);
  bool bends = flags && any_bends(flags, count);
  mem_free(made);
  return bends;
}

/* "KeyAttrFlags: *2 {\n a: 24836,24840 }"; before the "a:", which is near, no number that could mislead. */
static bool text_flags_bend(scan t) {
  const char *at = scan_text_array(t);
  for (char *end; at; at = end + 1) {
    long flags = strtol(at, &end, 10);
    if (end == at) return false;
    if (flags & (CONSTANT | CUBIC)) return true;
    if (*end != ',') return false;
  }
  return false;
}

static bool has_bent_fbx_curves(const import_files *files) {
  scan t = {files->data, files->size};
  while (scan_next(&t, "KeyAttrFlags")) {
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
  if (fbx_takes_cut_curves(files, stacks) &&
      !raw_note(raw, "a take begins or ends between the keys of a curve: those outside are lost, and it stands still "
                     "there: export it with keys at its ends"))
    return false;
  return !has_bent_fbx_curves(files) || note_curves(raw);
}

/* ---- Collada ---- */

static bool names_curve(scan t) {
  static const char *const curves[] = {"BEZIER", "HERMITE", "CARDINAL", "BSPLINE", "STEP"};
  for (size_t i = 0; i < sizeof curves / sizeof *curves; i++) {
    scan copy = t;
    if (scan_next(&copy, curves[i])) return true;
  }
  return false;
}

static bool has_bent_collada_curves(const import_files *files) {
  scan t = {files->data, files->size};
  while (scan_next(&t, "<Name_array")) {
    scan rest = t;
    if (!scan_next(&rest, "</Name_array")) return false;
    if (names_curve((scan){t.at, t.left - rest.left})) return true;
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
