/* From arrays of a program to a raw model, checked, and then to a model. */
#include "import/build/build.h"
#include "import/build/def.h"
#include "math/elementary.h"

#include <math.h>
#include <string.h>

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
