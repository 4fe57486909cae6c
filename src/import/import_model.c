/* From a file to a raw model, checked, then to a description and a model. */
#include "import/import_model.h"

#include "base/error.h"
#include "base/file.h"
#include "base/memory/memory.h"
#include "import/bind/bind.h"
#include "import/bind/clip_names.h"
#include "import/body/raw_body.h"
#include "import/build/build.h"
#include "import/edit/clip_edit.h"
#include "import/raw/raw_nodes.h"
#include "import/raw/sanitize.h"
#include "import/raw/weld.h"
#include "import/source/assimp/assimp_import.h"
#include "import/source/fbx/fbx.h"
#include "import/source/files.h"
#include "import/source/gltf/gltf.h"

#include <string.h>
#include <strings.h>

/* glTF 1.0 is left to Assimp. */
static bool read_gltf(raw_model *raw, import_files *files, bool clips_only) {
  gltf *g = gltf_open(raw, files);
  bool is_old = g && !gltf_is_version_2(g), read = g && !is_old && gltf_fill(g, clips_only);
  gltf_close(g);
  if (!is_old) return read;
  raw->format = RAW_OTHER;
  return assimp_import(raw, files, clips_only);
}

static bool read_format(raw_model *raw, import_files *files, bool clips_only) {
  switch (raw->format) {
  case RAW_GLTF: return read_gltf(raw, files, clips_only);
  case RAW_FBX: return fbx_import(raw, files, clips_only);
  case RAW_COLLADA:
  case RAW_MD5:
  case RAW_OTHER: break;
  }
  return assimp_import(raw, files, clips_only);
}

/* Decides by the extension; returns an error message if not. */
static bool can_read(const char *path, sinew_error *error) {
  raw_format format = raw_format_of(path);
  return format == RAW_GLTF || format == RAW_FBX || assimp_reads(path, error);
}

/* Reads a file as a checked raw model. The caller releases `raw` in any case. */
static bool read_raw(raw_model *raw, const char *path, bool clips_only, vfs *fs, sinew_error *error) {
  import_files files;
  raw_init(raw, path, error);
  if (!can_read(path, error) || !files_open(&files, fs, path, error)) return false;
  raw->files = &files;
  raw->format = raw_format_of(path);
  bool read = sniff_check(&files, error) && sanitize_text(raw, &files) && read_format(raw, &files, clips_only) &&
              sanitize_names(raw) && name_clips(raw) && raw_check(raw) && cut_clips(raw) &&
              (clips_only || note_equal_names(raw)) && note_unsupported(raw, &files);
  files_close(&files);
  raw->files = NULL;
  return read && split_shear(raw);
}

static bool add_clip_file(raw_model *raw, const char *path, vfs *fs, bind_pairs *pairs) {
  raw_model other;
  int first = raw->clip_count;
  bool added = read_raw(&other, path, true, fs, raw->error) && name_joining_clips(raw, &other) &&
               bind_clips(raw, &other, pairs) && raw_check_clips(raw, first);
  raw_release(&other);
  return added;
}

static bool add_clip_files(raw_model *raw, const sinew_load_options *options, vfs *fs) {
  bind_pairs pairs;
  if (!bind_pairs_open(&pairs, raw, options)) return false;
  for (int i = 0; i < options->clip_file_count; i++)
    if (!add_clip_file(raw, options->clip_files[i], fs, &pairs)) return false;
  return bind_pairs_check(&pairs, raw);
}

/* Joins vertices and computes missing tangents; meshes that share them follow. */
static bool finish_meshes(raw_model *raw) {
  for (int i = 0; i < raw->mesh_count; i++) {
    raw_mesh *mesh = raw->meshes + i;
    if (mesh->is_copy) raw_follow(raw, mesh);
    else if (!mesh->welded && !weld_mesh(raw, mesh)) return false;
    if (wants_tangents(raw, mesh) && !make_tangents(raw, mesh)) return false;
  }
  return true;
}

sinew_model *import_model(const char *path, const sinew_load_options *options, vfs *fs, sinew_error *error) {
  raw_model raw;
  sinew_model *model = NULL;
  bool read = read_raw(&raw, path, false, fs, error);
  if (read) space_override(&raw, options);
  if (read) raw.body = raw_body(&raw, &raw, options);
  if (raw.body && add_clip_files(&raw, options, fs) && number_equal_clips(&raw) &&
      edit_clips(&raw, options->edits, options->edit_count) && number_equal_clips(&raw) && finish_meshes(&raw))
    model = build_model(&raw, options);
  raw_release(&raw);
  return model;
}

/* ---- adds notes about features that Assimp drops ---- */

/* ---- keys far apart ---- */

static bool is_same_value(const raw_track *track, int a, int b) {
  return memcmp(raw_key(track, a), raw_key(track, b), (size_t)clip_kind_width(track->kind) * sizeof(float)) == 0;
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

/* If there is a key for every frame, however slow, nothing visible happens between keys. */
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

bool note_unsupported(raw_model *raw, const import_files *files) {
  if (raw->format == RAW_COLLADA) return raw->straight_curves == 0 || note_curves(raw);
  return strcasecmp(path_extension(files->path), "iqm") != 0 ||
         raw_note(raw, "of an IQM file only the meshes are read, not its joints and clips: glTF holds all of it");
}
