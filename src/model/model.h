/* model – the internals of a sinew_model, and how one is built from a description.
 *
 * Everything is in one block: the struct, its arrays, its strings. Only pixels may be mapped from a file. */
#ifndef SINEW_MODEL_MODEL_H
#define SINEW_MODEL_MODEL_H

#include "base/file.h"
#include "model/clip/clip.h"
#include "model/names/humanoid.h"
#include "model/names/model_names.h"

#include <sinew/model.h>
#include <sinew/pose.h>
#include <stdatomic.h>

typedef struct joint_desc {
  const char *name; /* may be NULL or repeated */
  int parent;       /* less than the joint's own index, or -1: a child of the virtual root */
  sinew_transform rest;
  bool helper;  /* not a node of the file: an importer adds it for what one T·R·S cannot express (shear, pivots) */
  uint8_t part; /* a humanoid_part, if the file declares one */
} joint_desc;

typedef struct skin_desc {
  int count;
  const int32_t *joints; /* indices into model_desc.joints */
  const sinew_mat3x4 *inverse_binds;
} skin_desc;

/* The description that an importer fills, in its own memory: everything is copied. Joints are in the file's order, a
 * parent before its children; clips, skins and meshes use indices in that order. Indices, finiteness and sizes have
 * been checked (raw_check); model_create asserts them. In `meshes`, `joint` is also a file-order index, or -1 for the
 * virtual root; a mesh that equals another has the same arrays, or none. */
typedef struct model_desc {
  const char *path;
  sinew_transform root; /* the virtual root: the conversion to metres and y up */
  const joint_desc *joints;
  int joint_count;
  /* Each joint's index in the file's own order, if that is not parents first (glTF), -1 for helpers; or NULL. */
  const int32_t *file_order;
  const uint8_t *ranks; /* for each joint: among equal names the lowest rank is meant; or NULL */
  const clip_desc *clips;
  int clip_count;
  const skin_desc *skins; /* `first` is computed */
  int skin_count;
  const sinew_mesh_view *meshes;
  int mesh_count;
  const sinew_material *materials;
  int material_count;
  const sinew_image_view *images;
  int image_count;
  const char *const *notes;
  int note_count;
  const sinew_clip_file_view *clip_files; /* `joint` of a match is an index into joints, or -1 */
  int clip_file_count;
  const struct model_body *body; /* joint i + 1 is joints[i]; NULL: it is found by names and tree alone */
} model_desc;

typedef struct model_sources {
  int count;
  const char **paths;
} model_sources;

struct sinew_model {
  atomic_int references;
  const char *path;
  int joint_count; /* with the virtual root */
  const char **joint_names;
  int32_t *parents;      /* parents[0] is -1, parents[i] < i */
  int32_t *above;        /* 12 × parents: the offset of the parent's matrix among all floats; 0 for the root */
  uint8_t *pairs;        /* for each group: model_find_pairs */
  int32_t *below;        /* the first joint whose parent is this one or a later one; joint_count + 1 of them */
  int32_t *file_indices; /* -1 for the root and for helpers, which are not counted */
  uint8_t *parts;        /* humanoid_part: the file's declaration for each joint */
  uint8_t *ranks;        /* among joints of one name, the lowest rank is meant */
  sinew_pose_group *rest;
  struct model_body *body;
  int clip_count;
  sinew_clip *clips;
  int skin_count;
  sinew_skin_view *skins;
  int palette_count;
  int mesh_count;
  sinew_mesh_view *meshes;
  int material_count;
  sinew_material *materials;
  int image_count;
  sinew_image_view *images;
  int note_count;
  const char **notes;
  int clip_file_count;
  sinew_clip_file_view *clip_files;
  sinew_vec3 bounds_min, bounds_max;
  model_sources *sources; /* of its own, or NULL */
  struct model_names *names;
  struct clip_still *still; /* of each clip */
  file_map pixels;          /* if images are not in the block */
};

/* Names, parents and ranks of the joints, without the rest pose. */
skeleton_view model_names_of_joints(const sinew_model *model);

/* Points a mesh that is the same as an earlier one to its arrays; both have the same counts. */
void model_share_arrays(sinew_mesh_view *mesh, const sinew_mesh_view *first);

/* Stores the files that it was made of; call it once, before the model is shared. Without memory there are none. */
void model_set_sources(sinew_model *model, const char *const *paths, int count);

/* Computes the model's joint order, breadth first with siblings adjacent: order[i] is the file's index of joint i,
 * order[0] is −1. `order` has joint_count + 1 numbers, `links` room for twice as many. */
void model_order_joints(const model_desc *desc, int32_t *order, int32_t *links);

/* Finds the joints of a group that can be placed two at a time. Bit i says that the joints in lanes i and i + 4 can,
 * because neither waits for the other in this order: for i from 0 to 3, the joint in lane i, with its partner if
 * possible, then the remaining partners. Bit 4 + i says the same of the neighbours in lanes 2i and 2i + 1, for a group
 * placed in the order of lanes: the parents of both come before them. */
uint8_t model_find_pairs(const sinew_model *model, int group);

/* model->below of a joint, computed from the ascending model->parents; at least `from`. The children of the joints a ..
 * b − 1 are below[a] .. below[b] − 1. */
int model_find_below(const sinew_model *model, int joint, int from);

/* A model with one reference, or NULL and an error message (memory). */
sinew_model *model_create(const model_desc *desc, sinew_error *error);

#endif
