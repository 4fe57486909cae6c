/* The rules of sinew/build.h, each with its error message. */
#include "import/build/def.h"

#include "base/error.h"
#include "base/memory/memory.h"
#include "base/text.h"
#include "model/names/joint_index.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MAX_JOINTS = 32000, MAX_VERTICES = 1 << 26, MAX_ITEMS = 1 << 16, MAX_MORPHS = 1024 };

/* As in raw_check: a number that can be squared in a float. */
static bool is_fine(float value) { return fabsf(value) <= 1e15f; }

const char *def_name(const sinew_model_def *def) { return def->name && def->name[0] ? def->name : "model"; }

bool def_refuse(const def_position *at, const char *field, int index, const char *format, ...) {
  char text[512], number[32] = "";
  va_list arguments;
  va_start(arguments, format);
  text_format_list(text, sizeof text, format, arguments);
  va_end(arguments);
  if (index >= 0) snprintf(number, sizeof number, "[%d]", index + at->def->first);
  return error_set(at->error, "%s: %s[%d]%s%s: %s", def_name(at->def), at->list, at->index + at->def->first, field,
                   number, text);
}

/* Checks `width` numbers for each of `count` things. */
static bool check_floats(const def_position *at, const char *field, const float *values, int count, int width) {
  if (count > 0 && !values) return def_refuse(at, field, -1, "is missing");
  for (size_t i = 0; i < (size_t)count * (size_t)width; i++)
    if (!is_fine(values[i]))
      return def_refuse(at, field, (int)(i / (size_t)width), "%g is not a finite number, or too large",
                        (double)values[i]);
  return true;
}

static bool check_count(const def_position *at, const char *field, int count, int limit) {
  return (count >= 0 && count <= limit) || def_refuse(at, field, -1, "%d are not possible, only 0 to %d", count, limit);
}

static bool check_index(const def_position *at, const char *field, int index, int lowest, int count, const char *what) {
  if (index >= lowest && index < count) return true;
  return def_refuse(at, field, -1, "there is no %s %d among %d", what, index + at->def->first, count);
}

/* ---- names ---- */

typedef const char *name_of(const sinew_model_def *def, int index);
static const char *joint_name(const sinew_model_def *def, int index) { return def->joints[index].name; }
static const char *clip_name(const sinew_model_def *def, int index) { return def->clips[index].name; }

/* Sorted, so that equal names are adjacent. */
static bool check_unique(def_position *at, const joint_entry *entries, int count) {
  for (int i = 1; i < count; i++) {
    if (strcmp(entries[i - 1].name, entries[i].name) != 0) continue;
    at->index = entries[i].joint;
    return def_refuse(at, "", -1, "'%s' is the name of %s[%d], too", entries[i].name, at->list,
                      entries[i - 1].joint + at->def->first);
  }
  return true;
}

static bool check_names(const sinew_model_def *def, sinew_error *error, const char *list, int count, name_of *name) {
  def_position at = {def, error, list, 0};
  size_t bytes = (size_t)count * sizeof(joint_entry);
  for (; at.index < count; at.index++)
    if (!name(def, at.index) || !name(def, at.index)[0]) return def_refuse(&at, "", -1, "has no name");
  joint_entry *entries = mem_alloc(bytes + 1);
  if (!entries) return error_memory(error, def_name(def), bytes);
  for (int i = 0; i < count; i++) entries[i] = (joint_entry){name(def, i), i, 0};
  joint_index_sort(entries, count);
  bool fine = check_unique(&at, entries, count);
  mem_free(entries);
  return fine;
}

/* ---- joints ---- */

static bool has_length(const float *q) { return fabsf(q[0]) + fabsf(q[1]) + fabsf(q[2]) + fabsf(q[3]) > 1e-9f; }

static bool check_joint(const def_position *at, const sinew_joint_def *joint) {
  const sinew_transform *rest = &joint->rest;
  if (joint->parent < -1 || joint->parent >= at->index)
    return def_refuse(at, ".parent", -1,
                      "a parent comes before its children, and there is no such joint before "
                      "this one");
  if (!check_floats(at, ".translation", &rest->translation.x, 1, 3) ||
      !check_floats(at, ".rotation", &rest->rotation.x, 1, 4) || !check_floats(at, ".scale", &rest->scale.x, 1, 3))
    return false;
  if (!has_length(&rest->rotation.x))
    return def_refuse(at, ".rotation", -1, "a quaternion of length 0 is not a rotation");
  return (rest->scale.x != 0 && rest->scale.y != 0 && rest->scale.z != 0) ||
         def_refuse(at, ".scale", -1, "is 0 along an axis");
}

/* ---- meshes ---- */

static bool check_normals(const def_position *at, const sinew_mesh_def *mesh) {
  if (!mesh->normals) return true;
  for (int v = 0; v < mesh->vertex_count; v++) {
    const float *n = mesh->normals + (size_t)v * 3;
    if (fabsf(n[0]) + fabsf(n[1]) + fabsf(n[2]) < 1e-9f) return def_refuse(at, ".normals", v, "has no length");
  }
  return true;
}

static bool check_colors(const def_position *at, const sinew_mesh_def *mesh) {
  for (int i = 0; mesh->colors && i < mesh->vertex_count * 4; i++)
    if (mesh->colors[i] < 0 || mesh->colors[i] > 1)
      return def_refuse(at, ".colors", i / 4, "%g is not from 0 to 1", (double)mesh->colors[i]);
  return true;
}

static bool check_triangles(const def_position *at, const sinew_mesh_def *mesh) {
  if (mesh->index_count == 0 || !mesh->indices) return def_refuse(at, ".indices", -1, "there are no triangles");
  if (mesh->index_count % 3)
    return def_refuse(at, ".indices", -1, "%d numbers do not make whole triangles", mesh->index_count);
  for (int i = 0; i < mesh->index_count; i++)
    if (mesh->indices[i] >= (uint32_t)mesh->vertex_count)
      return def_refuse(at, ".indices", i, "there is no vertex %lld among %d",
                        (long long)mesh->indices[i] + at->def->first, mesh->vertex_count);
  return true;
}

static bool check_weights(const def_position *at, const sinew_mesh_def *mesh) {
  if (mesh->weight_count > 0 && !mesh->weights) return def_refuse(at, ".weights", -1, "is missing");
  for (int i = 0; i < mesh->weight_count; i++) {
    const sinew_vertex_weight *w = mesh->weights + i;
    if (w->vertex < 0 || w->vertex >= mesh->vertex_count)
      return def_refuse(at, ".weights", w->vertex, "there are %d vertices", mesh->vertex_count);
    if (w->joint < 0 || w->joint >= at->def->joint_count)
      return def_refuse(at, ".weights", w->vertex, "there is no joint %d among %d", w->joint + at->def->first,
                        at->def->joint_count);
    if (!(w->weight >= 0 && is_fine(w->weight)))
      return def_refuse(at, ".weights", w->vertex, "%g is not a weight, which is 0 or more", (double)w->weight);
  }
  return true;
}

static bool check_morph(const def_position *at, const sinew_mesh_def *mesh, int index) {
  const sinew_morph_def *morph = mesh->morphs + index;
  char field[160];
  if (!morph->name || !morph->name[0]) return def_refuse(at, ".morphs", index, "has no name");
  for (int i = 0; i < index; i++)
    if (strcmp(mesh->morphs[i].name, morph->name) == 0)
      return def_refuse(at, ".morphs", index, "'%s' is the name of morphs[%d], too", morph->name, i + at->def->first);
  snprintf(field, sizeof field, ".morphs.%.100s", morph->name);
  return check_floats(at, field, morph->positions, mesh->vertex_count, 3) &&
         check_floats(at, field, morph->normals, morph->normals ? mesh->vertex_count : 0, 3) &&
         check_floats(at, field, &morph->rest_weight, 1, 1);
}

static bool check_morphs(const def_position *at, const sinew_mesh_def *mesh) {
  if (!check_count(at, ".morphs", mesh->morph_count, MAX_MORPHS)) return false;
  if (mesh->morph_count > 0 && !mesh->morphs) return def_refuse(at, ".morphs", -1, "is missing");
  for (int i = 0; i < mesh->morph_count; i++)
    if (!check_morph(at, mesh, i)) return false;
  return true;
}

static bool check_mesh(const def_position *at, const sinew_mesh_def *mesh) {
  return check_count(at, ".positions", mesh->vertex_count, MAX_VERTICES) &&
         check_count(at, ".indices", mesh->index_count, INT32_MAX - 3) &&
         check_count(at, ".weights", mesh->weight_count, INT32_MAX) &&
         check_index(at, ".joint", mesh->joint, -1, at->def->joint_count, "joint") &&
         check_index(at, ".material", mesh->material, -1, at->def->material_count, "material") &&
         check_floats(at, ".positions", mesh->positions, mesh->vertex_count, 3) &&
         check_floats(at, ".normals", mesh->normals, mesh->normals ? mesh->vertex_count : 0, 3) &&
         check_floats(at, ".uvs", mesh->uvs, mesh->uvs ? mesh->vertex_count : 0, 2) &&
         check_floats(at, ".colors", mesh->colors, mesh->colors ? mesh->vertex_count : 0, 4) &&
         check_normals(at, mesh) && check_colors(at, mesh) && check_triangles(at, mesh) && check_weights(at, mesh) &&
         check_morphs(at, mesh);
}

/* ---- clips ---- */

/* The curve gives the joint's index; its name, if it has one, makes a better message. */
static bool refuse_curve(const def_position *at, const sinew_curve_def *curve, int key, const char *text) {
  static const char *const kinds[] = {"translations", "rotations", "scales"};
  char field[256];
  snprintf(field, sizeof field, ".tracks.%.200s.%s", at->def->joints[curve->joint].name, kinds[curve->kind]);
  return def_refuse(at, field, key, "%s", text);
}

static bool check_times(const def_position *at, const sinew_curve_def *curve) {
  for (int i = 0; i < curve->key_count; i++) {
    if (!(curve->times[i] >= 0 && curve->times[i] <= 1e6))
      return refuse_curve(at, curve, i, "its time is not from 0 to a million seconds");
    if (i > 0 && !(curve->times[i] > curve->times[i - 1]))
      return refuse_curve(at, curve, i, "its time is not after the one before");
  }
  return true;
}

static bool check_values(const def_position *at, const sinew_curve_def *curve) {
  bool cubic = curve->interpolation == SINEW_INTERPOLATION_CUBIC, turns = curve->kind == SINEW_CURVE_ROTATION;
  size_t one = turns ? 4 : 3, width = one * (cubic ? 3 : 1);
  for (int i = 0; i < curve->key_count; i++) {
    const float *key = curve->values + (size_t)i * width;
    for (size_t k = 0; k < width; k++)
      if (!is_fine(key[k])) return refuse_curve(at, curve, i, "is not made of finite numbers, or too large");
    if (turns && !has_length(key + (cubic ? one : 0))) return refuse_curve(at, curve, i, "has no length");
  }
  return true;
}

static bool check_curve(const def_position *at, const sinew_curve_def *curve) {
  if (!check_index(at, ".tracks", curve->joint, 0, at->def->joint_count, "joint")) return false;
  if ((unsigned)curve->kind > SINEW_CURVE_SCALE || (unsigned)curve->interpolation > SINEW_INTERPOLATION_CUBIC)
    return def_refuse(at, ".tracks", -1, "a curve has an unknown kind or interpolation");
  if (curve->key_count < 1 || !curve->times || !curve->values) return refuse_curve(at, curve, -1, "has no keys");
  return check_times(at, curve) && check_values(at, curve);
}

/* `seen` has three bytes for each joint. */
static bool check_clip(const def_position *at, const sinew_clip_def *clip, unsigned char *seen) {
  if (!check_count(at, ".tracks", clip->curve_count, MAX_JOINTS * 3)) return false;
  if (clip->curve_count == 0 || !clip->curves) return def_refuse(at, ".tracks", -1, "moves nothing");
  memset(seen, 0, (size_t)at->def->joint_count * 3);
  for (int i = 0; i < clip->curve_count; i++) {
    const sinew_curve_def *curve = clip->curves + i;
    if (!check_curve(at, curve)) return false;
    unsigned char *mark = seen + (size_t)curve->joint * 3 + (size_t)curve->kind;
    if ((*mark)++) return refuse_curve(at, curve, -1, "is given twice");
  }
  return true;
}

static bool check_clips(const sinew_model_def *def, sinew_error *error) {
  def_position at = {def, error, "clips", 0};
  size_t bytes = (size_t)def->joint_count * 3;
  unsigned char *seen = mem_alloc(bytes + 1);
  if (!seen) return error_memory(error, def_name(def), bytes);
  bool fine = true;
  for (; fine && at.index < def->clip_count; at.index++) fine = check_clip(&at, def->clips + at.index, seen);
  mem_free(seen);
  return fine;
}

/* ---- materials ---- */

static bool check_material(const def_position *at, const sinew_material *m) {
  if (!check_floats(at, ".color", m->base_color, 1, 4) || !check_floats(at, ".emissive", m->emissive, 1, 3) ||
      !check_floats(at, ".metallic", &m->metallic, 1, 1) || !check_floats(at, ".roughness", &m->roughness, 1, 1) ||
      !check_floats(at, ".alpha_cutoff", &m->alpha_cutoff, 1, 1))
    return false;
  const float more[] = {m->normal_scale,        m->occlusion_strength, m->clearcoat,
                        m->clearcoat_roughness, m->sheen_color[0],     m->sheen_color[1],
                        m->sheen_color[2],      m->sheen_roughness,    m->clearcoat_normal_scale};
  if (!check_floats(at, "", more, 1, (int)(sizeof more / sizeof *more))) return false;
  for (int i = 0; i < SINEW_TEXTURE_ROLES; i++)
    if (m->textures[i].image >= 0)
      return def_refuse(at, "", -1, "has an image; only models from files can have images");
  return true;
}

/* ---- all ---- */

static bool check_list(const sinew_model_def *def, sinew_error *error, const char *list, const void *items, int count,
                       int limit) {
  if (count >= 0 && count <= limit && (items || count == 0)) return true;
  return error_set(error, "%s: %s: %d are not possible, only 0 to %d", def_name(def), list, count, limit);
}

bool def_check(const sinew_model_def *def, sinew_error *error) {
  if (!check_list(def, error, "joints", def->joints, def->joint_count, MAX_JOINTS) ||
      !check_list(def, error, "meshes", def->meshes, def->mesh_count, MAX_ITEMS) ||
      !check_list(def, error, "clips", def->clips, def->clip_count, MAX_ITEMS) ||
      !check_list(def, error, "materials", def->materials, def->material_count, MAX_ITEMS))
    return false;
  if (def->tolerance != 0 && !(def->tolerance >= 1e-9 && def->tolerance <= 1))
    return error_set(error, "%s: the tolerance is %g m, and must be from 1e-9 to 1, or 0", def_name(def),
                     def->tolerance);
  if (def->joint_count == 0 && def->mesh_count == 0)
    return error_set(error, "%s: holds no joints and no meshes", def_name(def));
  if (!check_names(def, error, "joints", def->joint_count, joint_name) ||
      !check_names(def, error, "clips", def->clip_count, clip_name))
    return false;
  def_position at = {def, error, "joints", 0};
  for (; at.index < def->joint_count; at.index++)
    if (!check_joint(&at, def->joints + at.index)) return false;
  at = (def_position){def, error, "materials", 0};
  for (; at.index < def->material_count; at.index++)
    if (!check_material(&at, def->materials + at.index)) return false;
  at = (def_position){def, error, "meshes", 0};
  for (; at.index < def->mesh_count; at.index++)
    if (!check_mesh(&at, def->meshes + at.index)) return false;
  return check_clips(def, error);
}
