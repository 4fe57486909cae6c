/* Builds a model's block from a description: puts joints breadth first, and converts everything that refers to a joint
 * by the file's order. */
#include "model/body/body.h"
#include "model/model.h"

#include "base/error.h"
#include "base/memory/block.h"
#include "base/memory/memory.h"
#include "model/clip/clip_pack.h"
#include "model/clip/clip_still.h"
#include "model/pose_group.h"

#include <assert.h>
#include <math.h>
#include <string.h>

typedef struct layout {
  const model_desc *desc;
  const int32_t *order;  /* joint → file index; order[0] is −1 */
  const int32_t *stored; /* file index → joint */
  sinew_model *model;
} layout;

/* ---- joint order ---- */

/* One loop per level over the joints placed last. `first_child` and `next_sibling` are indexed by file index + 1, so
 * that the root is 0. */
void model_order_joints(const model_desc *desc, int32_t *order, int32_t *links) {
  int count = desc->joint_count + 1;
  int32_t *first_child = links, *next_sibling = links + count;
  for (int i = 0; i < count; i++) first_child[i] = next_sibling[i] = 0;
  for (int i = count - 1; i > 0; i--) { /* backwards, so that the lists are in the file's order */
    int parent = desc->joints[i - 1].parent + 1;
    assert(parent >= 0 && parent < i);
    next_sibling[i] = first_child[parent];
    first_child[parent] = i;
  }
  int placed = 0;
  order[placed++] = -1;
  for (int read = 0; read < placed; read++)
    for (int child = first_child[order[read] + 1]; child; child = next_sibling[child]) order[placed++] = child - 1;
  assert(placed == count);
}

uint8_t model_find_pairs(const sinew_model *model, int group) {
  int first = group * SINEW_LANES, pairs = 0;
  for (int i = group == 0; i < 4 && first + i + 4 < model->joint_count; i++) {
    int parent = model->parents[first + i + 4] - first;
    if (parent < i || (parent >= 4 && pairs >> (parent - 4) & 1)) pairs |= 1 << i;
  }
  for (int i = 0; i < 4 && first + 2 * i + 1 < model->joint_count; i++)
    if (first + i > 0 && model->parents[first + 2 * i + 1] != first + 2 * i) pairs |= 16 << i;
  return (uint8_t)pairs;
}

int model_find_below(const sinew_model *model, int joint, int from) {
  while (from < model->joint_count && model->parents[from] < joint) from++;
  return from;
}

/* ---- parts ---- */

static int groups_of(const sinew_model *model) { return sinew_pose_group_count(model->joint_count); }

static int stored_joint(const layout *l, int file_index) { return file_index < 0 ? 0 : l->stored[file_index]; }

/* Helpers are not nodes of the file, so its order does not count them. */
static void number_file_nodes(const layout *l, sinew_model *model) {
  const model_desc *desc = l->desc;
  model->file_indices[0] = -1;
  for (int i = 0, number = 0; i < desc->joint_count; i++) {
    int index = desc->joints[i].helper ? -1 : number++;
    model->file_indices[l->stored[i]] = desc->file_order ? desc->file_order[i] : index;
  }
}

static void lay_skeleton(block *b, layout *l, sinew_model *model) {
  const model_desc *desc = l->desc;
  int count = desc->joint_count + 1;
  model->joint_count = count;
  model->joint_names = block_take(b, (size_t)count, sizeof *model->joint_names);
  model->parents = block_take(b, (size_t)count, sizeof *model->parents);
  model->above = block_take(b, (size_t)count, sizeof *model->above);
  model->pairs = block_take(b, (size_t)groups_of(model), sizeof *model->pairs);
  model->below = block_take(b, (size_t)count + 1, sizeof *model->below);
  model->file_indices = block_take(b, (size_t)count, sizeof *model->file_indices);
  model->parts = block_take(b, (size_t)count, sizeof *model->parts);
  model->ranks = block_take(b, (size_t)count, sizeof *model->ranks);
  model->rest = block_take(b, (size_t)groups_of(model), sizeof *model->rest);
  model->body = block_take(b, 1, sizeof *model->body);
  if (b->memory) {
    pose_groups_clear(model->rest, groups_of(model));
    number_file_nodes(l, model);
  }
  for (int i = 0; i < count; i++) {
    const joint_desc *joint = i ? desc->joints + l->order[i] : NULL;
    const char *name = block_string(b, joint ? joint->name : "");
    if (!b->memory) continue;
    model->joint_names[i] = name;
    model->parts[i] = joint ? joint->part : 0;
    model->ranks[i] = joint && desc->ranks ? desc->ranks[l->order[i]] : 0;
    model->parents[i] = joint ? stored_joint(l, joint->parent) : -1;
    model->above[i] = joint ? 12 * model->parents[i] : 0;
    sinew_pose rest = {model->rest, count};
    sinew_pose_set_joint(&rest, i, joint ? &joint->rest : &desc->root);
  }
  for (int i = 0; b->memory && i < groups_of(model); i++) model->pairs[i] = model_find_pairs(model, i);
  for (int i = 0, child = 1; b->memory && i <= count; i++) model->below[i] = child = model_find_below(model, i, child);
}

static void lay_clip_animated(block *b, layout *l, sinew_model *model, const clip_desc *desc, sinew_clip *clip) {
  float *animated = block_take(b, (size_t)groups_of(model) * SINEW_LANES, sizeof *animated);
  clip->animated = animated;
  if (!b->memory) return;
  clip->animates_all = true;
  for (int i = 1; i < model->joint_count; i++) {
    animated[i] = desc->animated[l->order[i]] ? 1.0f : 0.0f;
    if (!desc->animated[l->order[i]]) clip->animates_all = false;
  }
}

static void lay_constant_morphs(block *b, const clip_desc *desc, sinew_clip *clip) {
  size_t count = (size_t)desc->constant_morph_count;
  clip_morph *morphs = block_take(b, count, sizeof *morphs);
  for (size_t i = 0; morphs && i < count; i++)
    morphs[i] = (clip_morph){desc->constant_morphs[i].joint, desc->constant_morphs[i].target,
                             desc->constant_morphs[i].offset, false};
  clip->constant_morphs = morphs;
  clip->constant_morph_count = desc->constant_morph_count;
  clip->constant_weights = block_copy(b, desc->constant_weights, count, sizeof *desc->constant_weights);
}

static void lay_curves(block *b, const clip_desc *desc, sinew_clip *clip) {
  sinew_curve_view *curves = block_take(b, (size_t)desc->curve_count, sizeof *curves);
  clip->curve_count = desc->curve_count;
  clip->curves = curves;
  for (int i = 0; i < desc->curve_count; i++) {
    const sinew_curve_view *from = desc->curves + i;
    const char *name = block_string(b, from->name);
    const sinew_curve_key *keys = block_copy(b, from->keys, (size_t)from->count, sizeof *keys);
    if (!b->memory) continue;
    curves[i].name = name; /* field by field, so that padding stays zero */
    curves[i].keys = keys;
    curves[i].count = from->count;
  }
}

static void lay_clip(block *b, layout *l, sinew_model *model, const clip_desc *desc, sinew_clip *clip) {
  const char *file_name = desc->file_name && strcmp(desc->file_name, desc->name) != 0 ? desc->file_name : NULL;
  clip->name = block_string(b, desc->name);
  clip->file_name = file_name ? block_string(b, file_name) : clip->name;
  clip->fit.clip_file = -1;
  if (desc->fit) memcpy(&clip->fit, desc->fit, sizeof clip->fit); /* its holes stay zero */
  clip->start = desc->start;
  clip->duration = desc->duration;
  clip->error = desc->error;
  clip->joint_count = model->joint_count;
  clip->rest = model->rest;
  lay_constant_morphs(b, desc, clip);
  lay_curves(b, desc, clip);
  lay_clip_animated(b, l, model, desc, clip);
  track_groups_lay(b, desc, &(clip_joints){l->desc, l->stored, l->order}, clip);
}

static void lay_clips(block *b, layout *l, sinew_model *model) {
  model->clip_count = l->desc->clip_count;
  model->clips = block_take(b, (size_t)model->clip_count, sizeof *model->clips);
  sinew_clip measured = {0};
  for (int i = 0; i < model->clip_count; i++)
    lay_clip(b, l, model, l->desc->clips + i, b->memory ? model->clips + i : &measured);
}

static void lay_skins(block *b, layout *l, sinew_model *model) {
  model->skin_count = l->desc->skin_count;
  model->skins = block_take(b, (size_t)model->skin_count, sizeof *model->skins);
  model->palette_count = 0;
  for (int i = 0; i < model->skin_count; i++) {
    const skin_desc *desc = l->desc->skins + i;
    int32_t *joints = block_copy(b, desc->joints, (size_t)desc->count, sizeof *joints);
    sinew_mat3x4 *inverse_binds = block_copy(b, desc->inverse_binds, (size_t)desc->count, sizeof *inverse_binds);
    if (b->memory) {
      for (int j = 0; j < desc->count; j++) joints[j] = stored_joint(l, joints[j]);
      model->skins[i] = (sinew_skin_view){model->palette_count, desc->count, joints, inverse_binds};
    }
    model->palette_count += desc->count;
  }
}

static void lay_morphs(block *b, const sinew_mesh_view *from, sinew_mesh_view *mesh) {
  sinew_morph_view *morphs = block_take(b, (size_t)from->morph_count, sizeof *morphs);
  size_t floats = (size_t)from->vertex_count * 3;
  for (int i = 0; i < from->morph_count; i++) {
    const sinew_morph_view *source = from->morphs + i;
    sinew_morph_view morph = {block_string(b, source->name), block_copy(b, source->positions, floats, sizeof(float)),
                              NULL, source->rest_weight};
    if (source->normals) morph.normals = block_copy(b, source->normals, floats, sizeof(float));
    if (b->memory) morphs[i] = morph;
  }
  mesh->morphs = morphs;
}

static const void *copy_optional(block *b, const void *source, size_t count, size_t size) {
  return source ? block_copy(b, source, count, size) : NULL;
}

void model_share_arrays(sinew_mesh_view *mesh, const sinew_mesh_view *first) {
  sinew_morph_view *morphs = (sinew_morph_view *)(uintptr_t)mesh->morphs;
  mesh->positions = first->positions;
  mesh->normals = first->normals;
  mesh->tangents = first->tangents;
  mesh->uvs = first->uvs;
  mesh->uvs2 = first->uvs2;
  mesh->colors = first->colors;
  mesh->joints = first->joints;
  mesh->weights = first->weights;
  mesh->indices = first->indices;
  for (int i = 0; i < mesh->morph_count; i++) {
    morphs[i].positions = first->morphs[i].positions;
    morphs[i].normals = first->morphs[i].normals;
  }
}

static void lay_copy(block *b, const sinew_mesh_view *from, const sinew_model *model, sinew_mesh_view *mesh) {
  sinew_morph_view *morphs = block_take(b, (size_t)from->morph_count, sizeof *morphs);
  *mesh = *from;
  mesh->name = block_string(b, from->name);
  mesh->morphs = morphs;
  for (int i = 0; i < from->morph_count; i++) {
    const char *name = block_string(b, from->morphs[i].name);
    if (b->memory) morphs[i] = (sinew_morph_view){name, NULL, NULL, from->morphs[i].rest_weight};
  }
  if (b->memory) model_share_arrays(mesh, model->meshes + from->same_as);
}

static void lay_arrays(block *b, const sinew_mesh_view *from, sinew_mesh_view *mesh) {
  size_t vertices = (size_t)from->vertex_count, influences = vertices * (size_t)from->influences;
  *mesh = *from;
  mesh->name = block_string(b, from->name);
  mesh->positions = block_copy(b, from->positions, vertices * 3, sizeof(float));
  mesh->normals = block_copy(b, from->normals, vertices * 3, sizeof(float));
  mesh->tangents = copy_optional(b, from->tangents, vertices * 4, sizeof(float));
  mesh->uvs = copy_optional(b, from->uvs, vertices * 2, sizeof(float));
  mesh->uvs2 = copy_optional(b, from->uvs2, vertices * 2, sizeof(float));
  mesh->colors = copy_optional(b, from->colors, vertices * 4, 1);
  mesh->joints = block_copy(b, from->joints, influences, sizeof *from->joints);
  mesh->weights = block_copy(b, from->weights, influences, sizeof *from->weights);
  mesh->indices = block_copy(b, from->indices, (size_t)from->index_count, sizeof *from->indices);
  lay_morphs(b, from, mesh);
}

static void lay_meshes(block *b, layout *l, sinew_model *model) {
  model->mesh_count = l->desc->mesh_count;
  model->meshes = block_take(b, (size_t)model->mesh_count, sizeof *model->meshes);
  sinew_mesh_view measured;
  for (int i = 0; i < model->mesh_count; i++) {
    const sinew_mesh_view *from = l->desc->meshes + i;
    sinew_mesh_view *mesh = b->memory ? model->meshes + i : &measured;
    if (from->same_as >= 0) lay_copy(b, from, model, mesh);
    else lay_arrays(b, from, mesh);
    if (b->memory) mesh->joint = stored_joint(l, from->joint);
  }
}

static void lay_materials(block *b, layout *l, sinew_model *model) {
  const model_desc *desc = l->desc;
  model->material_count = desc->material_count;
  model->materials = block_copy(b, desc->materials, (size_t)desc->material_count, sizeof *model->materials);
  for (int i = 0; i < desc->material_count; i++) {
    const char *name = block_string(b, desc->materials[i].name);
    if (b->memory) model->materials[i].name = name;
  }
  model->image_count = desc->image_count;
  model->images = block_copy(b, desc->images, (size_t)desc->image_count, sizeof *model->images);
  for (int i = 0; i < desc->image_count; i++) {
    sinew_image_view image = desc->images[i];
    image.name = block_string(b, image.name);
    image.rgba = image.rgba ? block_copy(b, image.rgba, (size_t)image.width * (size_t)image.height, 4) : NULL;
    image.packed = image.packed ? block_copy(b, image.packed, (size_t)image.packed_size, 1) : NULL;
    if (b->memory) model->images[i] = image;
  }
}

static const sinew_joint_match *lay_matches(block *b, const layout *l, const sinew_clip_file_view *from) {
  sinew_joint_match *matches = block_take(b, (size_t)from->match_count, sizeof *matches);
  for (int i = 0; i < from->match_count; i++) {
    const sinew_joint_match *match = from->matches + i;
    const char *name = block_string(b, match->theirs);
    int joint = match->joint < 0 ? -1 : stored_joint(l, match->joint);
    if (b->memory) matches[i] = (sinew_joint_match){name, joint, match->kind};
  }
  return matches;
}

static void lay_clip_files(block *b, const layout *l, sinew_model *model) {
  model->clip_file_count = l->desc->clip_file_count;
  model->clip_files = block_take(b, (size_t)model->clip_file_count, sizeof *model->clip_files);
  for (int i = 0; i < model->clip_file_count; i++) {
    const sinew_clip_file_view *from = l->desc->clip_files + i;
    const char *path = block_string(b, from->path);
    const sinew_joint_match *matches = lay_matches(b, l, from);
    if (!b->memory) continue;
    sinew_clip_file_view *file = model->clip_files + i; /* field by field, so that padding stays zero */
    file->path = path;
    file->matches = matches;
    file->match_count = from->match_count;
    file->scale = from->scale;
    file->corrected = from->corrected;
  }
}

static void lay_notes(block *b, layout *l, sinew_model *model) {
  model->note_count = l->desc->note_count;
  model->notes = block_take(b, (size_t)model->note_count, sizeof *model->notes);
  for (int i = 0; i < model->note_count; i++) {
    const char *note = block_string(b, l->desc->notes[i]);
    if (b->memory) model->notes[i] = note;
  }
}

static void lay_model(block *b, void *user) {
  layout *l = user;
  sinew_model scratch = {0};
  sinew_model *model = block_take(b, 1, sizeof *model);
  if (!model) model = &scratch;
  else l->model = model;
  const char *path = block_string(b, l->desc->path);
  model->path = path;
  lay_skeleton(b, l, model);
  lay_clips(b, l, model);
  lay_skins(b, l, model);
  lay_meshes(b, l, model);
  lay_materials(b, l, model);
  lay_notes(b, l, model);
  lay_clip_files(b, l, model);
}

/* ---- bounds of the rest pose ---- */

static void find_rest_joints(const sinew_model *model, sinew_mat3x4 *joints) {
  for (int i = 0; i < model->joint_count; i++) {
    sinew_transform rest = sinew_model_joint_rest(model, i);
    joints[i] = sinew_mat3x4_from_transform(&rest);
    if (i) joints[i] = sinew_mat3x4_multiply(joints + model->parents[i], joints + i);
  }
}

static void grow_bounds(sinew_model *model, sinew_vec3 p, bool first) {
  sinew_vec3 *low = &model->bounds_min, *high = &model->bounds_max;
  /* numbers in a file are bounded, but products along a chain of joints are not */
  if (!isfinite(p.x) || !isfinite(p.y) || !isfinite(p.z)) return;
  if (first) *low = *high = p;
  *low = (sinew_vec3){fminf(low->x, p.x), fminf(low->y, p.y), fminf(low->z, p.z)};
  *high = (sinew_vec3){fmaxf(high->x, p.x), fmaxf(high->y, p.y), fmaxf(high->z, p.z)};
}

static sinew_vec3 skin_vertex(const sinew_mesh_view *mesh, const sinew_skin_view *skin, const sinew_mat3x4 *joints,
                              int v) {
  sinew_vec3 p = {mesh->positions[3 * v], mesh->positions[3 * v + 1], mesh->positions[3 * v + 2]}, sum = {0, 0, 0};
  for (int k = 0; k < mesh->influences; k++) {
    float weight = mesh->weights[v * mesh->influences + k];
    if (weight <= 0) continue;
    int bone = mesh->joints[v * mesh->influences + k];
    sinew_vec3 bound = sinew_mat3x4_transform_point(skin->inverse_binds + bone, p);
    sinew_vec3 q = sinew_mat3x4_transform_point(joints + skin->joints[bone], bound);
    sum = (sinew_vec3){sum.x + weight * q.x, sum.y + weight * q.y, sum.z + weight * q.z};
  }
  return sum;
}

static void find_bounds(sinew_model *model, const sinew_mat3x4 *joints) {
  bool first = true;
  for (int m = 0; m < model->mesh_count; m++) {
    const sinew_mesh_view *mesh = model->meshes + m;
    for (int v = 0; v < mesh->vertex_count; v++, first = false)
      grow_bounds(model, skin_vertex(mesh, model->skins + mesh->skin, joints, v), first);
  }
}

/* Joint i + 1 of the description is stored[i] of the model. */
static bool lay_body(const layout *l) {
  if (l->desc->body) {
    *l->model->body = *l->desc->body;
    body_renumber(l->model->body, l->stored - 1);
    return true;
  }
  sinew_transform *rest = mem_alloc_array((size_t)l->model->joint_count, sizeof *rest);
  skeleton_view skeleton = model_names_of_joints(l->model);
  skeleton.rest = rest;
  for (int i = 0; rest && i < l->model->joint_count; i++) rest[i] = sinew_model_joint_rest(l->model, i);
  bool found = rest && body_find(&(body_evidence){.skeleton = &skeleton}, l->model->body);
  mem_free(rest);
  return found;
}

sinew_model *model_create(const model_desc *desc, sinew_error *error) {
  size_t count = (size_t)desc->joint_count + 1;
  int32_t *order = mem_alloc_array(count * 3, sizeof *order);
  sinew_mat3x4 *joints = mem_alloc_array(count, sizeof *joints);
  int32_t *stored = order ? order + count : NULL; /* reuses the memory of the links, which are no longer needed */
  layout l = {desc, order, stored, NULL};
  if (order && joints) {
    model_order_joints(desc, order, order + count);
    for (size_t i = 1; i < count; i++) stored[order[i]] = (int32_t)i;
    block_create(lay_model, &l, desc->path, error);
  } else {
    error_memory(error, desc->path, count * sizeof *joints);
  }
  if (l.model) {
    atomic_init(&l.model->references, 1);
    find_rest_joints(l.model, joints);
    find_bounds(l.model, joints);
    bool found = lay_body(&l) || error_memory(error, desc->path, count * sizeof *joints);
    l.model->names = found ? model_names_create(l.model, error) : NULL;
  }
  mem_free(order);
  mem_free(joints);
  if (!l.model || (l.model->names && clip_still_find(l.model, error))) return l.model;
  block_release(l.model->names);
  block_release(l.model);
  return NULL;
}
