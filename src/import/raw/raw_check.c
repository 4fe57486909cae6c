/* The rules of raw_check, each with its note or error message. */
#include "import/raw/raw.h"

#include "base/error.h"
#include "model/clip/clip.h"

#include <math.h>
#include <string.h>

enum { MAX_NODES = 32000, MAX_VERTICES = 1 << 26 };

static bool all_finite(const float *values, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (!isfinite(values[i])) return false;
  return true;
}

/* Zeroes numbers that are not finite, or too large to be squared in a float; returns the number of vertices changed. */
static int repair_floats(float *values, int vertices, int width) {
  int repaired = 0;
  for (int v = 0; values && v < vertices; v++) {
    bool bad = false;
    for (int k = 0; k < width; k++) {
      float *value = values + (size_t)v * (size_t)width + k;
      if (fabsf(*value) <= 1e15f) continue;
      *value = 0;
      bad = true;
    }
    repaired += bad;
  }
  return repaired;
}

/* ---- nodes ---- */

static bool check_nodes(raw_model *raw) {
  if (raw->node_count > MAX_NODES)
    return error_set(raw->error, "%s: holds %d nodes, more than the %d that a model may have", raw->path,
                     raw->node_count, MAX_NODES);
  for (int i = 0; i < raw->node_count; i++) {
    raw_node *node = raw->nodes + i;
    if (node->parent < -1 || node->parent >= i)
      return error_set(raw->error, "%s: node %d has no parent before it", raw->path, i);
    if (repair_floats(node->local.m, 1, 12) == 0) continue;
    node->local = sinew_mat3x4_identity();
    node->has_rest = false;
    if (!raw_note(raw, "node '%s' has a matrix with numbers that are not finite: it is placed at its parent",
                  node->name))
      return false;
  }
  return true;
}

/* ---- clips ---- */

static bool normalize_rotation(float *q) {
  double length = sqrt((double)q[0] * (double)q[0] + (double)q[1] * (double)q[1] + (double)q[2] * (double)q[2] +
                       (double)q[3] * (double)q[3]);
  if (!(length > 1e-9)) return false;
  for (int k = 0; k < 4; k++) q[k] = (float)((double)q[k] / length);
  return true;
}

static bool is_key_good(const raw_track *track, double time, float *values, size_t width) {
  if (!isfinite(time) || fabs(time) > 1e7) return false;
  for (size_t k = 0; k < width; k++)
    if (!(fabsf(values[k]) <= 1e15f)) return false;
  return track->kind != TRACK_ROTATION || track->interpolation == RAW_CUBIC || normalize_rotation(values);
}

/* Tracks may share their times, so moving the first key makes a copy for the track. */
static bool move_key(raw_model *raw, raw_track *track, int from, int to, size_t width, bool *own) {
  if (from == to) return true;
  if (!*own) track->times = raw_copy(raw, track->times, (size_t)track->key_count, sizeof *track->times);
  if (!track->times) return false;
  *own = true;
  track->times[to] = track->times[from];
  memmove(raw_key(track, to), raw_key(track, from), width * sizeof(float));
  return true;
}

/* Keeps the keys whose times ascend; of several at one time, the last. Adds the number of others to *dropped. */
static bool repair_keys(raw_model *raw, raw_track *track, int *dropped) {
  size_t width = raw_key_size(track);
  int kept = 0;
  bool own = false;
  for (int i = 0; i < track->key_count; i++) {
    if (!is_key_good(track, track->times[i], raw_key(track, i), width)) continue;
    if (kept && track->times[i] < track->times[kept - 1]) continue;
    if (kept && track->times[i] == track->times[kept - 1]) kept--;
    if (!move_key(raw, track, i, kept++, width, &own)) return false;
  }
  *dropped += track->key_count - kept;
  track->key_count = kept;
  return true;
}

static bool is_track_bound(const raw_model *raw, const raw_track *track) {
  if (track->kind != TRACK_MORPH) return track->node >= 0 && track->node < raw->node_count;
  return track->node >= 0 && track->node < raw->mesh_count && track->target >= 0 &&
         track->target < raw->meshes[track->node].morph_count;
}

/* A byte for each property of each node and each morph target of each mesh; `targets`: the offset of each mesh's. */
typedef struct seen_properties {
  unsigned char *marks;
  size_t *targets, count;
} seen_properties;

static bool open_seen(raw_model *raw, seen_properties *seen) {
  seen->count = (size_t)raw->node_count * 3;
  seen->targets = raw_alloc(raw, (size_t)raw->mesh_count, sizeof *seen->targets);
  for (int m = 0; seen->targets && m < raw->mesh_count; m++) {
    seen->targets[m] = seen->count;
    seen->count += (size_t)raw->meshes[m].morph_count;
  }
  seen->marks = seen->targets ? raw_alloc(raw, seen->count, 1) : NULL;
  return seen->marks != NULL;
}

static size_t place_of(const seen_properties *seen, const raw_track *track) {
  return track->kind == TRACK_MORPH ? seen->targets[track->node] + (size_t)track->target
                                    : (size_t)track->node * 3 + (size_t)track->kind;
}

/* Drops tracks that have no keys or no node, or repeat a property. */
static int keep_tracks(const raw_model *raw, raw_clip *clip, const seen_properties *seen) {
  int kept = 0, twice = 0;
  memset(seen->marks, 0, seen->count);
  for (int i = 0; i < clip->track_count; i++) {
    raw_track track = clip->tracks[i];
    if (track.key_count == 0 || !is_track_bound(raw, &track)) continue;
    unsigned char *mark = seen->marks + place_of(seen, &track);
    twice += *mark;
    if (!*mark) clip->tracks[kept++] = track;
    *mark = 1;
  }
  clip->track_count = kept;
  return twice;
}

static const char *curve_fault(const sinew_curve_view *kept, int count, const sinew_curve_view *curve) {
  const char *fault = clip_curve_fault(curve, -HUGE_VAL, HUGE_VAL);
  if (!fault && count == CLIP_CURVES) return "the clip has 64 curves already";
  if (!fault && clip_curve_in(kept, count, curve->name)) return "the clip has another one of that name";
  for (int i = 0; !fault && i < curve->count; i++)
    if (fabs(curve->keys[i].time) > 1e7 || fabs(curve->keys[i].value) > 1e15) return "a key has too large a number";
  return fault;
}

static bool keep_curves(raw_model *raw, raw_clip *clip) {
  int kept = 0;
  for (int i = 0; i < clip->curve_count; i++) {
    sinew_curve_view curve = clip->curves[i];
    const char *fault = curve_fault(clip->curves, kept, &curve);
    if (!fault) clip->curves[kept++] = curve;
    else if (!raw_note(raw, "clip '%s': curve '%.100s' is left out: %s", clip->name, curve.name, fault)) return false;
  }
  clip->curve_count = kept;
  return true;
}

static bool check_clip(raw_model *raw, raw_clip *clip, const seen_properties *seen) {
  int dropped = 0;
  for (int i = 0; i < clip->track_count; i++)
    if (!repair_keys(raw, clip->tracks + i, &dropped)) return false;
  int twice = keep_tracks(raw, clip, seen);
  if (!keep_curves(raw, clip)) return false;
  if (dropped &&
      !raw_note_count(raw, dropped, "clip '%s': %d {key|keys} dropped (not finite, not in order, or two at one time)",
                      clip->name, dropped))
    return false;
  return !twice ||
         raw_note_count(raw, twice,
                        "clip '%s': %d {curve|curves} dropped: the node or morph target already had one of the "
                        "kind",
                        clip->name, twice);
}

bool raw_check_clips(raw_model *raw, int first) {
  seen_properties seen;
  if (!open_seen(raw, &seen)) return false;
  for (int i = first; i < raw->clip_count; i++)
    if (!check_clip(raw, raw->clips + i, &seen)) return false;
  return true;
}

/* ---- meshes ---- */

static int keep_triangles(raw_mesh *mesh) {
  int kept = 0;
  uint32_t count = (uint32_t)mesh->vertex_count;
  for (int i = 0; i + 2 < mesh->index_count; i += 3) {
    const uint32_t *t = mesh->indices + i;
    if (t[0] >= count || t[1] >= count || t[2] >= count) continue;
    memmove(mesh->indices + kept, t, 3 * sizeof *t);
    kept += 3;
  }
  int dropped = mesh->index_count - kept;
  mesh->index_count = kept;
  return dropped;
}

static int keep_weights(raw_bone *bone, uint32_t vertex_count) {
  int kept = 0, bad = 0;
  for (int i = 0; i < bone->weight_count; i++) {
    raw_weight w = bone->weights[i];
    if (w.weight == 0) continue;
    if (w.vertex >= vertex_count || !(w.weight > 0 && w.weight < 1e15f)) bad++;
    else bone->weights[kept++] = w;
  }
  bone->weight_count = kept;
  return bad;
}

static bool check_bones(raw_model *raw, raw_mesh *mesh) {
  int bad = 0;
  for (int i = 0; i < mesh->bone_count; i++) {
    raw_bone *bone = mesh->bones + i;
    bad += keep_weights(bone, (uint32_t)mesh->vertex_count);
    if (bone->node < -1 || bone->node >= raw->node_count) bone->node = mesh->node;
    if (all_finite(bone->inverse_bind.m, 12)) continue;
    bone->inverse_bind = sinew_mat3x4_identity();
    if (!raw_note(raw, "mesh '%s': an inverse bind matrix is not finite: identity in its place", mesh->name))
      return false;
  }
  return !bad ||
         raw_note_count(raw, bad,
                        "mesh '%s': %d {weight|weights} dropped (not finite, negative, or for a vertex that does "
                        "not exist)",
                        mesh->name, bad);
}

static int repair_normals(raw_mesh *mesh) {
  int repaired = 0;
  for (int v = 0; mesh->normals && v < mesh->vertex_count; v++) {
    float *n = mesh->normals + (size_t)v * 3;
    float length = sqrtf(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    if (length > 1e-12f && length < 1e18f) {
      for (int k = 0; k < 3; k++) n[k] /= length;
    } else {
      n[0] = n[2] = 0;
      n[1] = 1;
      repaired++;
    }
  }
  return repaired;
}

/* Degenerate texture coordinates give tangents that are zero or not finite: any direction will do. */
static void repair_tangents(raw_mesh *mesh) {
  for (int v = 0; mesh->tangents && v < mesh->vertex_count; v++) {
    float *t = mesh->tangents + (size_t)v * 4;
    float length = sqrtf(t[0] * t[0] + t[1] * t[1] + t[2] * t[2]);
    if (length > 1e-12f && length < 1e18f) {
      for (int k = 0; k < 3; k++) t[k] /= length;
    } else {
      t[0] = 1;
      t[1] = t[2] = 0;
    }
    t[3] = t[3] < 0 ? -1.0f : 1.0f;
  }
}

static int repair_morphs(raw_mesh *mesh) {
  int repaired = 0;
  for (int i = 0; i < mesh->morph_count; i++) {
    raw_morph *morph = mesh->morphs + i;
    repaired += repair_floats(morph->positions, mesh->vertex_count, 3);
    repair_floats(morph->normals, mesh->vertex_count, 3);
    if (!isfinite(morph->weight)) morph->weight = 0;
  }
  return repaired;
}

/* The vertices of the original have been checked. */
static void check_copy(raw_model *raw, raw_mesh *mesh) {
  raw_follow(raw, mesh);
  if (mesh->node < -1 || mesh->node >= raw->node_count) mesh->node = -1;
  for (int i = 0; i < mesh->morph_count; i++)
    if (!isfinite(mesh->morphs[i].weight)) mesh->morphs[i].weight = 0;
}

static bool check_mesh(raw_model *raw, raw_mesh *mesh) {
  if (mesh->vertex_count > MAX_VERTICES)
    return error_set(raw->error, "%s: mesh '%s' has %d vertices, more than the %d that are read", raw->path, mesh->name,
                     mesh->vertex_count, MAX_VERTICES);
  int triangles = keep_triangles(mesh) / 3;
  if (triangles &&
      !raw_note_count(
          raw, triangles,
          "mesh '%s': %d {triangle dropped that names|triangles dropped that name} vertices that do not exist",
          mesh->name, triangles))
    return false;
  int positions = repair_floats(mesh->positions, mesh->vertex_count, 3) + repair_morphs(mesh);
  if (positions &&
      !raw_note_count(
          raw, positions,
          "mesh '%s': %d {position was not finite: zero in its|positions were not finite: zero in their} place",
          mesh->name, positions))
    return false;
  repair_floats(mesh->uvs, mesh->vertex_count, 2);
  repair_floats(mesh->uvs2, mesh->vertex_count, 2);
  repair_normals(mesh);
  repair_tangents(mesh);
  if (mesh->node < -1 || mesh->node >= raw->node_count) mesh->node = -1;
  if (mesh->material < -1 || mesh->material >= raw->material_count) mesh->material = -1;
  return check_bones(raw, mesh);
}

/* ---- materials ---- */

static void clamp_all(float *values, int count, float high) {
  for (int i = 0; i < count; i++) values[i] = values[i] >= 0 ? fminf(values[i], high) : 0;
}

static void check_texture(const raw_model *raw, sinew_texture *t) {
  bool good = true;
  if (t->image < -1 || t->image >= raw->image_count) t->image = -1;
  if (t->uv_set != 1) t->uv_set = 0;
  for (int i = 0; i < 6; i++) good = good && fabsf(t->transform[i]) <= 1e6f;
  for (int i = 0; i < 6 && !good; i++) t->transform[i] = 0;
}

/* Replaces a missing texture by a neutral one: no bumps, the material's own colour and roughness, and no glow. */
static void leave_out_missing(const raw_model *raw, sinew_material *m) {
  for (int role = 0; role < SINEW_TEXTURE_ROLES; role++) {
    sinew_texture *t = m->textures + role;
    if (t->image < 0 || !raw->placeholder || raw->images[t->image].rgba != raw->placeholder) continue;
    t->image = -1;
    for (int k = 0; role == SINEW_TEXTURE_EMISSIVE && k < 3; k++) m->emissive[k] = 0;
  }
}

static void check_materials(raw_model *raw) {
  for (int i = 0; i < raw->material_count; i++) {
    sinew_material *m = raw->materials + i;
    for (int k = 0; k < SINEW_TEXTURE_ROLES; k++) check_texture(raw, m->textures + k);
    leave_out_missing(raw, m);
    m->normal_scale = fabsf(m->normal_scale) <= 100 ? m->normal_scale : 1;
    m->clearcoat_normal_scale = fabsf(m->clearcoat_normal_scale) <= 100 ? m->clearcoat_normal_scale : 1;
    clamp_all(&m->occlusion_strength, 1, 1);
    clamp_all(&m->clearcoat, 1, 1);
    clamp_all(&m->clearcoat_roughness, 1, 1);
    clamp_all(m->sheen_color, 3, 1);
    clamp_all(&m->sheen_roughness, 1, 1);
    clamp_all(m->base_color, 4, 1);
    clamp_all(m->emissive, 3, 1e4f);
    clamp_all(&m->metallic, 1, 1);
    clamp_all(&m->roughness, 1, 1);
    clamp_all(&m->alpha_cutoff, 1, 1);
  }
}

bool raw_check(raw_model *raw) {
  if (!check_nodes(raw) || !raw_check_clips(raw, 0)) return false;
  if (repair_floats(raw->conversion.m, 1, 12)) raw->conversion = sinew_mat3x4_identity();
  for (int i = 0; i < raw->mesh_count; i++)
    if (raw->meshes[i].is_copy) check_copy(raw, raw->meshes + i);
    else if (!check_mesh(raw, raw->meshes + i)) return false;
  check_materials(raw);
  if (raw->node_count == 0 && raw->mesh_count == 0 && raw->clip_count == 0)
    return error_set(raw->error, "%s: holds no nodes, meshes or clips", raw->path);
  return true;
}
