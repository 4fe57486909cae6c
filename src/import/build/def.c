/* def – a model described by a program (sinew/build.h) as a raw_model, as if it had been read from a file. */
#include "base/error.h"
#include "base/memory/memory.h"
#include "base/text.h"
#include "import/build/build.h"
#include "import/raw/raw.h"
#include "math/elementary.h"
#include "model/names/model_names.h"

#include <math.h>
#include <sinew/build.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* "tube: meshes[0].indices[7]: …"; false. `field` is "" for the thing itself, `index` below 0 for a whole field. */
typedef struct def_position {
  const sinew_model_def *def;
  sinew_error *error;
  const char *list; /* "meshes" */
  int index;
} def_position;

/* ---- The rules of sinew/build.h, each with its error message ---- */

enum { MAX_JOINTS = 32000, MAX_VERTICES = 1 << 26, MAX_ITEMS = 1 << 16, MAX_MORPHS = 1024 };

/* As in raw_check: a number that can be squared in a float. */
static bool is_fine(float value) { return fabsf(value) <= 1e15f; }

static const char *def_name(const sinew_model_def *def) { return def->name && def->name[0] ? def->name : "model"; }

static bool def_refuse(const def_position *at, const char *field, int index, const char *format, ...) {
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

/* Every rule of the header. */
static bool def_check(const sinew_model_def *def, sinew_error *error) {
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

/* ---- From arrays of a program to a raw model, checked, and then to a model ---- */

/* ---- joints ---- */

/* Also computes the inverse bind matrices. */
static bool add_joints(raw_model *raw, const sinew_model_def *def, sinew_mat3x4 *inverse_binds) {
  size_t count = (size_t)def->joint_count;
  sinew_mat3x4 *binds = raw_alloc(raw, count, sizeof *binds);
  raw->nodes = raw_alloc(raw, count, sizeof *raw->nodes);
  if (!binds || !raw->nodes) return false;
  raw->node_count = raw->node_capacity = def->joint_count;
  for (int i = 0; i < def->joint_count; i++) {
    const sinew_joint_def *joint = def->joints + i;
    raw_node *node = raw->nodes + i;
    *node = (raw_node){.name = joint->name, .parent = joint->parent, .is_joint = true};
    node->local = sinew_mat3x4_from_transform(&joint->rest);
    binds[i] = joint->parent < 0 ? node->local : sinew_mat3x4_multiply(&binds[joint->parent], &node->local);
    if (!sinew_mat3x4_inverse(&binds[i], &inverse_binds[i]))
      return def_refuse(&(def_position){def, raw->error, "joints", i}, ".scale", -1,
                        "together with its parents' it is too small to bind a mesh to");
  }
  return true;
}

/* ---- normals ---- */

static sinew_vec3 edge(const float *from, const float *to) {
  return (sinew_vec3){to[0] - from[0], to[1] - from[1], to[2] - from[2]};
}

static float length(sinew_vec3 v) { return sqrtf(v.x * v.x + v.y * v.y + v.z * v.z); }

/* Each corner adds its triangle's normal, weighted by the corner's angle (Thürmer and Wüthrich 1998), so how a face is
 * cut into triangles does not matter. */
static void add_corner(float *normals, const float *positions, uint32_t at, uint32_t next, uint32_t last) {
  sinew_vec3 a = edge(positions + (size_t)at * 3, positions + (size_t)next * 3);
  sinew_vec3 b = edge(positions + (size_t)at * 3, positions + (size_t)last * 3);
  sinew_vec3 n = {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
  float area = length(n);
  if (!(area > 0)) return;
  float weight = float_atan2(area, a.x * b.x + a.y * b.y + a.z * b.z) / area;
  float *sum = normals + (size_t)at * 3;
  sum[0] += n.x * weight;
  sum[1] += n.y * weight;
  sum[2] += n.z * weight;
}

static float *make_normals(raw_model *raw, const sinew_mesh_def *mesh, const float *positions) {
  float *normals = raw_alloc(raw, (size_t)mesh->vertex_count * 3, sizeof *normals);
  for (int i = 0; normals && i < mesh->index_count; i += 3) {
    const uint32_t *t = mesh->indices + i;
    for (int k = 0; k < 3; k++) add_corner(normals, positions, t[k], t[(k + 1) % 3], t[(k + 2) % 3]);
  }
  return normals; /* raw_check makes them unit */
}

/* ---- morph targets ---- */

static float unit_length(const float *v) {
  float size = length((sinew_vec3){v[0], v[1], v[2]});
  return size > 0 ? size : 1;
}

/* The generated normals of the whole morphed shape minus those of the mesh. */
static float *make_morph_normals(raw_model *raw, const sinew_mesh_def *mesh, const raw_mesh *to, const float *offsets) {
  size_t count = (size_t)mesh->vertex_count * 3;
  float *shape = raw_copy(raw, mesh->positions, count, sizeof *shape);
  for (size_t i = 0; shape && i < count; i++) shape[i] += offsets[i];
  float *normals = shape ? make_normals(raw, mesh, shape) : NULL;
  for (size_t v = 0; normals && v < count; v += 3) {
    float size = unit_length(normals + v), before = unit_length(to->normals + v);
    for (size_t k = v; k < v + 3; k++) normals[k] = normals[k] / size - to->normals[k] / before;
  }
  return normals;
}

static bool add_morphs(raw_model *raw, const sinew_mesh_def *mesh, raw_mesh *to) {
  size_t count = (size_t)mesh->vertex_count * 3;
  to->morphs = raw_alloc(raw, (size_t)mesh->morph_count, sizeof *to->morphs);
  if (!to->morphs) return false;
  for (int i = 0; i < mesh->morph_count; i++) {
    const sinew_morph_def *morph = mesh->morphs + i;
    raw_morph *m = to->morphs + i;
    *m = (raw_morph){.name = morph->name, .weight = morph->rest_weight};
    m->positions = raw_copy(raw, morph->positions, count, sizeof(float));
    if (morph->normals) m->normals = raw_copy(raw, morph->normals, count, sizeof(float));
    else if (!mesh->normals) m->normals = make_morph_normals(raw, mesh, to, morph->positions);
    if (!m->positions || (!m->normals && (morph->normals || !mesh->normals))) return false;
    to->morph_count++;
  }
  return true;
}

/* ---- weights ---- */

typedef struct weight_counts {
  int *of_joint;     /* the number of weights of each joint; one more entry for vertices without any */
  int *bone;         /* the bone of each joint, or −1 */
  bool *is_weighted; /* per vertex */
} weight_counts;

static bool count_weights(raw_model *raw, const sinew_model_def *def, const sinew_mesh_def *mesh, weight_counts *c) {
  c->of_joint = raw_alloc(raw, (size_t)def->joint_count, sizeof *c->of_joint);
  c->bone = raw_alloc(raw, (size_t)def->joint_count, sizeof *c->bone);
  c->is_weighted = raw_alloc(raw, (size_t)mesh->vertex_count, sizeof *c->is_weighted);
  if (!c->of_joint || !c->bone || !c->is_weighted) return false;
  for (int i = 0; i < mesh->weight_count; i++) {
    const sinew_vertex_weight *w = mesh->weights + i;
    if (w->weight > 0) c->is_weighted[w->vertex] = true;
    if (w->weight > 0) c->of_joint[w->joint]++;
  }
  for (int v = 0; mesh->joint >= 0 && v < mesh->vertex_count; v++) c->of_joint[mesh->joint] += !c->is_weighted[v];
  return true;
}

static bool add_bone(raw_model *raw, raw_mesh *to, int joint, int weights, const sinew_mat3x4 *inverse_bind) {
  raw_bone *bone = to->bones + to->bone_count++;
  *bone = (raw_bone){.node = joint, .inverse_bind = *inverse_bind};
  bone->weights = raw_alloc(raw, (size_t)weights, sizeof *bone->weights);
  return bone->weights != NULL;
}

static void add_weight(const raw_mesh *to, const weight_counts *c, int joint, int vertex, float weight) {
  raw_bone *bone = to->bones + c->bone[joint];
  bone->weights[bone->weight_count++] = (raw_weight){(uint32_t)vertex, weight};
}

/* A bone for each joint that moves a vertex, in the joints' order. */
static bool add_bones(raw_model *raw, const sinew_model_def *def, const sinew_mesh_def *mesh,
                      const sinew_mat3x4 *inverse_binds, raw_mesh *to) {
  weight_counts c;
  to->bones = raw_alloc(raw, (size_t)def->joint_count, sizeof *to->bones);
  if (!to->bones || !count_weights(raw, def, mesh, &c)) return false;
  for (int joint = 0; joint < def->joint_count; joint++) {
    c.bone[joint] = to->bone_count;
    if (c.of_joint[joint] && !add_bone(raw, to, joint, c.of_joint[joint], &inverse_binds[joint])) return false;
  }
  for (int i = 0; i < mesh->weight_count; i++) {
    const sinew_vertex_weight *w = mesh->weights + i;
    if (w->weight > 0) add_weight(to, &c, w->joint, w->vertex, w->weight);
  }
  for (int v = 0; mesh->joint >= 0 && v < mesh->vertex_count; v++)
    if (!c.is_weighted[v]) add_weight(to, &c, mesh->joint, v, 1);
  return true;
}

/* ---- meshes ---- */

static uint8_t *copy_colors(raw_model *raw, const sinew_mesh_def *mesh) {
  uint8_t *colors = raw_alloc(raw, (size_t)mesh->vertex_count, 4);
  for (size_t i = 0; colors && i < (size_t)mesh->vertex_count * 4; i++)
    colors[i] = (uint8_t)(mesh->colors[i] * 255 + 0.5f);
  return colors;
}

static bool add_mesh(raw_model *raw, const sinew_model_def *def, const sinew_mesh_def *mesh,
                     const sinew_mat3x4 *inverse_binds, raw_mesh *to) {
  size_t count = (size_t)mesh->vertex_count;
  *to = (raw_mesh){.name = mesh->name ? mesh->name : "mesh",
                   .node = -1,
                   .material = mesh->material,
                   .vertex_count = mesh->vertex_count,
                   .index_count = mesh->index_count};
  to->positions = raw_copy(raw, mesh->positions, count * 3, sizeof(float));
  to->indices = raw_copy(raw, mesh->indices, (size_t)mesh->index_count, sizeof *mesh->indices);
  to->normals =
      mesh->normals ? raw_copy(raw, mesh->normals, count * 3, sizeof(float)) : make_normals(raw, mesh, mesh->positions);
  if (!to->positions || !to->indices || !to->normals) return false;
  if (mesh->uvs && !(to->uvs = raw_copy(raw, mesh->uvs, count * 2, sizeof(float)))) return false;
  if (mesh->colors && !(to->colors = copy_colors(raw, mesh))) return false;
  return add_morphs(raw, mesh, to) && add_bones(raw, def, mesh, inverse_binds, to);
}

static bool add_meshes(raw_model *raw, const sinew_model_def *def, const sinew_mat3x4 *inverse_binds) {
  raw->meshes = raw_alloc(raw, (size_t)def->mesh_count, sizeof *raw->meshes);
  if (!raw->meshes) return false;
  raw->mesh_count = raw->mesh_capacity = def->mesh_count;
  for (int i = 0; i < def->mesh_count; i++)
    if (!add_mesh(raw, def, def->meshes + i, inverse_binds, raw->meshes + i)) return false;
  return true;
}

/* ---- clips ---- */

static bool add_track(raw_model *raw, const sinew_curve_def *curve, raw_track *to) {
  static const track_kind kinds[] = {TRACK_TRANSLATION, TRACK_ROTATION, TRACK_SCALE};
  static const raw_interpolation interpolations[] = {RAW_LINEAR, RAW_STEP, RAW_CUBIC};
  size_t keys = (size_t)curve->key_count, width = curve->kind == SINEW_CURVE_ROTATION ? 4 : 3;
  *to = (raw_track){.kind = kinds[curve->kind],
                    .node = curve->joint,
                    .interpolation = interpolations[curve->interpolation],
                    .key_count = curve->key_count};
  if (to->interpolation == RAW_CUBIC) width *= 3;
  to->times = raw_copy(raw, curve->times, keys, sizeof *to->times);
  to->values = raw_copy(raw, curve->values, keys * width, sizeof *to->values);
  return to->times && to->values;
}

static bool add_clips(raw_model *raw, const sinew_model_def *def) {
  raw->clips = raw_alloc(raw, (size_t)def->clip_count, sizeof *raw->clips);
  if (!raw->clips) return false;
  raw->clip_count = raw->clip_capacity = def->clip_count;
  for (int i = 0; i < def->clip_count; i++) {
    const sinew_clip_def *clip = def->clips + i;
    raw_clip *to = raw->clips + i;
    to->name = clip->name;
    to->tracks = raw_alloc(raw, (size_t)clip->curve_count, sizeof *to->tracks);
    if (!to->tracks) return false;
    to->track_count = to->track_capacity = clip->curve_count;
    for (int k = 0; k < clip->curve_count; k++)
      if (!add_track(raw, clip->curves + k, to->tracks + k)) return false;
  }
  return true;
}

/* ---- the model ---- */

/* Names are only borrowed: the model copies them. */
static bool fill(raw_model *raw, const sinew_model_def *def) {
  sinew_mat3x4 *inverse_binds = raw_alloc(raw, (size_t)def->joint_count, sizeof *inverse_binds);
  raw->materials = raw_copy(raw, def->materials, (size_t)def->material_count, sizeof *raw->materials);
  raw->material_count = def->material_count;
  for (int i = 0; raw->materials && i < raw->material_count; i++)
    if (!raw->materials[i].name) raw->materials[i].name = "";
  return inverse_binds && raw->materials && add_joints(raw, def, inverse_binds) &&
         add_meshes(raw, def, inverse_binds) && add_clips(raw, def);
}

sinew_joint_def sinew_joint_def_default(void) {
  return (sinew_joint_def){.parent = -1, .rest = sinew_transform_identity()};
}

sinew_morph_def sinew_morph_def_default(void) { return (sinew_morph_def){0}; }

sinew_mesh_def sinew_mesh_def_default(void) { return (sinew_mesh_def){.joint = -1, .material = -1}; }

sinew_curve_def sinew_curve_def_default(void) {
  return (sinew_curve_def){.kind = SINEW_CURVE_TRANSLATION, .interpolation = SINEW_INTERPOLATION_LINEAR};
}

sinew_clip_def sinew_clip_def_default(void) { return (sinew_clip_def){0}; }

sinew_model_def sinew_model_def_default(void) { return (sinew_model_def){0}; }

sinew_model *sinew_model_build(const sinew_model_def *def, sinew_error *error) {
  sinew_load_options options = sinew_load_options_default();
  sinew_model *model = NULL;
  raw_model raw;
  if (!def_check(def, error)) return NULL;
  options.max_influences = 8;
  options.exact = def->exact;
  options.tolerance = def->tolerance;
  raw_init(&raw, def_name(def), error);
  if (fill(&raw, def) && raw_check(&raw)) model = build_model(&raw, &options);
  raw_release(&raw);
  return model;
}
