#include "base/error.h"
#include "base/memory/hash_index.h"
#include "import/body/raw_body.h"
#include "import/build/build.h"
#include "import/raw/raw_nodes.h"
#include "model/clip/clip.h"

#include <math.h>
#include <string.h>

static bool describe(raw_model *raw, const sinew_load_options *options, model_desc *desc) {
  if (!build_skeleton(raw, options->raw, desc) || !build_clips(raw, options->exact, options->tolerance, desc) ||
      !build_meshes(raw, options->max_influences, desc))
    return false;
  if (raw->notes_left_out) {
    int left_out = raw->notes_left_out;
    raw->note_count--; /* room for the last word */
    if (!raw_note_count(raw, left_out + 1, "and %d more {note like this|notes like these}", left_out + 1)) return false;
  }
  desc->body = raw->body ? raw->body : raw_body(raw, raw, options);
  if (!desc->body) return false;
  desc->path = raw->path;
  desc->materials = raw->materials;
  desc->material_count = raw->material_count;
  desc->images = raw->images;
  desc->image_count = raw->image_count;
  desc->notes = raw->notes;
  desc->note_count = raw->note_count;
  desc->clip_files = raw->clip_files;
  desc->clip_file_count = raw->clip_file_count;
  return true;
}

sinew_model *build_model(raw_model *raw, const sinew_load_options *options) {
  model_desc desc = {0};
  return describe(raw, options, &desc) ? model_create(&desc, raw->error) : NULL;
}

/* ---- build skeleton ---- */

/* The error of a transform against the matrix that it was made from, relative to the matrix's size. */
static float transform_error(const sinew_mat3x4 *matrix, const sinew_transform *transform) {
  sinew_mat3x4 again = sinew_mat3x4_from_transform(transform);
  float error = 0, size = 0;
  for (int i = 0; i < 12; i++) {
    if (i % 4 == 3) continue;
    error = fmaxf(error, fabsf(matrix->m[i] - again.m[i]));
    size = fmaxf(size, fabsf(matrix->m[i]));
  }
  return size > 0 ? error / size : 0;
}

/* The rank of each node among those that are read, so that nodes outside the scene leave no gaps. */
static bool find_file_order(raw_model *raw, model_desc *desc) {
  int highest = 0, count = 0;
  for (int i = 0; i < raw->node_count; i++)
    if (raw->nodes[i].file_number > highest) highest = raw->nodes[i].file_number;
  int32_t *at = raw_alloc(raw, (size_t)highest + 1, sizeof *at); /* the node with each number, plus 1 */
  int32_t *order = raw_alloc(raw, (size_t)raw->node_count, sizeof *order);
  if (!at || !order) return false;
  for (int i = 0; i < raw->node_count; i++) {
    order[i] = -1;
    if (!raw->nodes[i].helper) at[raw->nodes[i].file_number] = i + 1;
  }
  for (int number = 0; number <= highest; number++)
    if (at[number]) order[at[number] - 1] = count++;
  desc->file_order = order;
  return true;
}

sinew_transform build_transform(sinew_transform t) {
  const float tolerance = 1e-5f; /* a hundredth of a millimetre in a metre */
  float *s = &t.scale.x;
  for (int i = 0; i < 3; i++)
    if (fabsf(s[i] - 1) <= tolerance) s[i] = 1;
  return (sinew_transform){vec3_without_dust(t.translation), quat_without_dust(t.rotation), t.scale};
}

bool build_skeleton(raw_model *raw, bool keep_space, model_desc *desc) {
  joint_desc *joints = raw_alloc(raw, (size_t)raw->node_count, sizeof *joints);
  uint8_t *ranks = raw_alloc(raw, (size_t)raw->node_count, sizeof *ranks);
  if (!joints || !ranks) return false;
  for (int i = 0; i < raw->node_count; i++) {
    const raw_node *node = raw->nodes + i;
    joints[i] = (joint_desc){node->helper ? NULL : node->name, node->parent, build_transform(raw_node_rest(node)),
                             node->helper, node->part};
    ranks[i] = (uint8_t)name_rank(node);
    float error = transform_error(&node->local, &joints[i].rest);
    if (error > 1e-3f && !raw_note(raw, "node '%s' is sheared, which a joint cannot express: off by %.1f %%",
                                   node->name, 100 * (double)error))
      return false;
  }
  desc->joints = joints;
  desc->ranks = ranks;
  desc->joint_count = raw->node_count;
  desc->root = sinew_transform_identity();
  if (!keep_space) desc->root = build_transform(sinew_transform_from_mat3x4(&raw->conversion));
  return !raw->numbered || find_file_order(raw, desc);
}

/* ---- Everything is skinned ---- */

enum { MAX_INFLUENCES = 8, MAX_BONES = 65535 };

/* The strongest influences of one vertex, strongest first. */
typedef struct influence_list {
  uint16_t bones[MAX_INFLUENCES];
  float weights[MAX_INFLUENCES];
  float sum;       /* of all, kept or not */
  int count, seen; /* kept; all */
} influence_list;

static void add_influence(influence_list *list, int limit, uint16_t bone, float weight) {
  list->sum += weight;
  list->seen++;
  int at = list->count;
  while (at > 0 && list->weights[at - 1] < weight) at--;
  if (at >= limit) return;
  if (list->count < limit) list->count++;
  for (int i = list->count - 1; i > at; i--) {
    list->bones[i] = list->bones[i - 1];
    list->weights[i] = list->weights[i - 1];
  }
  list->bones[at] = bone;
  list->weights[at] = weight;
}

static influence_list *gather_influences(raw_model *raw, const raw_mesh *mesh, int limit) {
  influence_list *lists = raw_alloc(raw, (size_t)mesh->vertex_count, sizeof *lists);
  for (int b = 0; lists && b < mesh->bone_count; b++)
    for (int i = 0; i < mesh->bones[b].weight_count; i++) {
      const raw_weight *w = mesh->bones[b].weights + i;
      add_influence(lists + w->vertex, limit, (uint16_t)b, w->weight);
    }
  return lists;
}

typedef struct influence_stats {
  int unweighted, unnormalised, cut, most;
  float worst_cut;
} influence_stats;

static influence_stats measure(const influence_list *lists, int count) {
  influence_stats stats = {0};
  for (int v = 0; v < count; v++) {
    const influence_list *list = lists + v;
    float kept = 0;
    for (int k = 0; k < list->count; k++) kept += list->weights[k];
    if (list->count == 0) stats.unweighted++;
    else if (fabsf(list->sum - 1) > 1e-3f) stats.unnormalised++;
    if (list->seen > list->count) {
      stats.cut++;
      stats.worst_cut = fmaxf(stats.worst_cut, 1 - kept / list->sum);
    }
    if (list->count > stats.most) stats.most = list->count;
  }
  return stats;
}

static bool note_influences(raw_model *raw, const raw_mesh *mesh, const influence_stats *stats, int limit) {
  if (mesh->bone_count == 0) return true;
  if (stats->unweighted &&
      !raw_note_count(
          raw, stats->unweighted,
          "mesh '%s': %d of %d vertices {has no weights and follows|have no weights and follow} the mesh's node",
          mesh->name, stats->unweighted, mesh->vertex_count))
    return false;
  if (stats->unnormalised &&
      !raw_note(raw, "mesh '%s': the weights of %d of %d vertices did not add up to 1: normalised", mesh->name,
                stats->unnormalised, mesh->vertex_count))
    return false;
  return !stats->cut || raw_note(raw,
                                 "mesh '%s': %d of %d vertices had more than %d influences: the weakest were dropped "
                                 "(at most %.1f %% of a vertex)",
                                 mesh->name, stats->cut, mesh->vertex_count, limit, 100 * (double)stats->worst_cut);
}

/* Writes the lists as the arrays of the view; `follower` is the skin's entry for vertices without weights. */
static bool write_influences(raw_model *raw, const influence_list *lists, int follower, sinew_mesh_view *view) {
  size_t count = (size_t)view->vertex_count * (size_t)view->influences;
  uint16_t *joints = raw_alloc(raw, count, sizeof *joints);
  float *weights = raw_alloc(raw, count, sizeof *weights);
  if (!joints || !weights) return false;
  for (int v = 0; v < view->vertex_count; v++) {
    const influence_list *list = lists + v;
    size_t at = (size_t)v * (size_t)view->influences;
    float sum = 0;
    for (int k = 0; k < list->count; k++) sum += list->weights[k];
    if (list->count == 0) {
      joints[at] = (uint16_t)follower;
      weights[at] = 1;
    }
    for (int k = 0; k < list->count; k++) {
      joints[at + (size_t)k] = list->bones[k];
      weights[at + (size_t)k] = list->weights[k] / sum;
    }
  }
  view->joints = joints;
  view->weights = weights;
  return true;
}

/* ---- skins ---- */

static bool is_same_skin(const skin_desc *a, const skin_desc *b) {
  size_t count = (size_t)a->count;
  return a->count == b->count && memcmp(a->joints, b->joints, count * sizeof *a->joints) == 0 &&
         memcmp(a->inverse_binds, b->inverse_binds, count * sizeof *a->inverse_binds) == 0;
}

typedef struct skin_list {
  skin_desc *skins;
  int count;
  hash_index by_content;
} skin_list;

/* Adds the skin, or finds an equal one: parts of one body share a skin. Without memory for the index, none is found. */
static int share_skin(skin_list *list, const skin_desc *skin) {
  uint64_t hash = fnv_add(FNV_BEGIN, skin->joints, (size_t)skin->count * sizeof *skin->joints);
  hash = fnv_add(hash, skin->inverse_binds, (size_t)skin->count * sizeof *skin->inverse_binds);
  int same = hash_index_find(&list->by_content, hash);
  if (same >= 0 && is_same_skin(list->skins + same, skin)) return same;
  hash_index_set(&list->by_content, hash, list->count);
  list->skins[list->count] = *skin;
  return list->count++;
}

static bool make_skin(raw_model *raw, const raw_mesh *mesh, bool with_follower, skin_desc *skin) {
  int count = mesh->bone_count + with_follower;
  if (count > MAX_BONES)
    return error_set(raw->error, "%s: mesh '%s' is bound to %d joints, more than %d", raw->path, mesh->name, count,
                     MAX_BONES);
  int32_t *joints = raw_alloc(raw, (size_t)count, sizeof *joints);
  sinew_mat3x4 *inverse_binds = raw_alloc(raw, (size_t)count, sizeof *inverse_binds);
  if (!joints || !inverse_binds) return false;
  for (int i = 0; i < mesh->bone_count; i++) {
    joints[i] = mesh->bones[i].node;
    inverse_binds[i] = mat3x4_without_dust(mesh->bones[i].inverse_bind);
  }
  if (with_follower) {
    joints[mesh->bone_count] = mesh->node;
    inverse_binds[mesh->bone_count] = sinew_mat3x4_identity();
  }
  *skin = (skin_desc){count, joints, inverse_binds};
  return true;
}

/* ---- meshes ---- */

static bool build_morphs(raw_model *raw, const raw_mesh *mesh, sinew_mesh_view *view) {
  sinew_morph_view *morphs = raw_alloc(raw, (size_t)mesh->morph_count, sizeof *morphs);
  if (!morphs) return false;
  for (int i = 0; i < mesh->morph_count; i++) {
    const raw_morph *m = mesh->morphs + i;
    morphs[i] =
        (sinew_morph_view){.name = m->name, .positions = m->positions, .normals = m->normals, .rest_weight = m->weight};
  }
  view->morphs = morphs;
  view->morph_count = mesh->morph_count;
  return true;
}

static bool build_mesh(raw_model *raw, const raw_mesh *mesh, int limit, skin_desc *skin, sinew_mesh_view *view) {
  influence_list *lists = gather_influences(raw, mesh, limit);
  if (!lists) return false;
  influence_stats stats = measure(lists, mesh->vertex_count);
  *view = (sinew_mesh_view){.name = mesh->name,
                            .joint = mesh->node,
                            .material = mesh->material,
                            .same_as = -1,
                            .vertex_count = mesh->vertex_count,
                            .index_count = mesh->index_count,
                            .influences = stats.most > 4 ? 8 : 4,
                            .positions = mesh->positions,
                            .normals = mesh->normals,
                            .tangents = mesh->tangents,
                            .uvs = mesh->uvs,
                            .uvs2 = mesh->uvs2,
                            .colors = mesh->colors,
                            .indices = mesh->indices};
  return note_influences(raw, mesh, &stats, limit) && build_morphs(raw, mesh, view) &&
         make_skin(raw, mesh, stats.unweighted > 0 || mesh->bone_count == 0, skin) &&
         write_influences(raw, lists, mesh->bone_count, view);
}

/* Shares the arrays with the mesh of which it is a copy; skin and rest weights are separate. */
static bool build_copy(raw_model *raw, const raw_mesh *mesh, const sinew_mesh_view *first, int first_bones,
                       skin_desc *skin, sinew_mesh_view *view) {
  *view = *first;
  view->name = mesh->name;
  view->joint = mesh->node;
  view->same_as = mesh->copy_of;
  return build_morphs(raw, mesh, view) && make_skin(raw, mesh, first_bones > mesh->bone_count, skin);
}

static bool build_each(raw_model *raw, int max_influences, sinew_mesh_view *views, skin_list *list) {
  for (int i = 0; i < raw->mesh_count; i++) {
    const raw_mesh *mesh = raw->meshes + i;
    const sinew_mesh_view *first = mesh->is_copy ? views + mesh->copy_of : NULL;
    skin_desc skin;
    if (first ? !build_copy(raw, mesh, first, list->skins[first->skin].count, &skin, views + i)
              : !build_mesh(raw, mesh, max_influences, &skin, views + i))
      return false;
    views[i].skin = share_skin(list, &skin);
  }
  return true;
}

bool build_meshes(raw_model *raw, int max_influences, model_desc *desc) {
  size_t count = (size_t)raw->mesh_count;
  sinew_mesh_view *views = raw_alloc(raw, count, sizeof *views);
  skin_list list = {.skins = raw_alloc(raw, count, sizeof *list.skins)};
  bool built = views && list.skins && build_each(raw, max_influences, views, &list);
  hash_index_release(&list.by_content);
  desc->meshes = views;
  desc->mesh_count = raw->mesh_count;
  desc->skins = list.skins;
  desc->skin_count = list.count;
  return built;
}
