/* raw – the content of a model file in our own, editable memory: nodes, curves, meshes, materials, images. Importers
 * fill it, raw_check repairs or rejects it, and the builders turn it into a model_desc. Everything that belongs to a
 * raw_model is freed with it. */
#ifndef SINEW_IMPORT_RAW_H
#define SINEW_IMPORT_RAW_H

#include "model/clip/clip.h"

#include <sinew/model.h>

/* The file formats, where later steps need to know them. */
typedef enum raw_format { RAW_OTHER, RAW_GLTF, RAW_FBX, RAW_COLLADA, RAW_MD5 } raw_format;

typedef struct raw_node {
  const char *name;
  int parent; /* below the node's own index, or -1 */
  sinew_mat3x4 local;
  sinew_transform rest; /* if has_rest: the parts given by the file, from which `local` is computed */
  bool has_rest;
  int file_number; /* the file's own number, if it numbers its nodes (glTF); see raw_model.numbered */
  bool helper;     /* not a node of the file: the importer adds it for a transform that one T·R·S cannot express */
  bool is_joint;   /* some mesh is bound to it */
  uint8_t part;    /* a humanoid_part declared by the file (VRM) */
  bool has_mesh;
} raw_node;

typedef enum raw_interpolation { RAW_LINEAR, RAW_STEP, RAW_CUBIC } raw_interpolation;

/* The curve of one property. Rotations have 4 values a key, translations and scales 3, morph weights 1. A RAW_CUBIC key
 * holds its in-tangent, value and out-tangent one after the other, as glTF stores them (per second). */
typedef struct raw_track {
  track_kind kind;
  int node;   /* the mesh for TRACK_MORPH */
  int target; /* for TRACK_MORPH */
  raw_interpolation interpolation;
  int key_count;
  double *times; /* in the file's seconds; may be shared, so they must not be changed in place */
  float *values;
  int stride; /* from one key's values to the next one's, if the values of several tracks are interleaved; else 0 */
} raw_track;

static inline size_t raw_key_size(const raw_track *track) {
  return (size_t)clip_kind_width(track->kind) * (track->interpolation == RAW_CUBIC ? 3 : 1);
}

static inline float *raw_key(const raw_track *track, int key) {
  return track->values + (size_t)key * (track->stride ? (size_t)track->stride : raw_key_size(track));
}

typedef struct raw_clip {
  const char *name;
  const char *file_name; /* as its file calls it */
  const sinew_fit *fit;  /* for a clip of another file; or NULL */
  raw_track *tracks;
  int track_count, track_capacity;
  sinew_curve_view *curves; /* named numbers; also in the file's seconds */
  int curve_count, curve_capacity;
  double from, to; /* the range that its file plays, in the file's seconds; everything if `to` is not later */
  bool lean;       /* the number of keys is already the smallest that straight lines allow */
} raw_clip;

typedef struct raw_weight {
  uint32_t vertex;
  float weight;
} raw_weight;

typedef struct raw_bone {
  int node;
  sinew_mat3x4 inverse_bind;
  raw_weight *weights;
  int weight_count;
} raw_bone;

typedef struct raw_morph {
  const char *name;
  float weight;     /* at rest */
  float *positions; /* differences, 3 a vertex */
  float *normals;   /* differences, or NULL */
} raw_morph;

typedef struct raw_mesh {
  const char *name;
  int node; /* or -1: the virtual root */
  /* The vertices, indices, weights and shapes are those of an earlier mesh at another node: the pointers are shared and
   * nothing is changed through them. After a change of the original, call raw_follow. */
  bool is_copy;
  int copy_of;
  bool welded; /* the file's own indices already join its vertices */
  int material;
  int vertex_count, index_count;
  float *positions, *normals; /* 3 a vertex */
  float *tangents;            /* 4, or NULL */
  float *uvs, *uvs2;          /* 2, v down, or NULL */
  uint8_t *colors;            /* 4, or NULL */
  uint32_t *indices;
  raw_bone *bones;
  int bone_count;
  raw_morph *morphs;
  int morph_count;
} raw_mesh;

typedef struct raw_block raw_block;

typedef struct raw_model {
  const char *path;
  raw_format format;
  sinew_mat3x4 conversion; /* from the file's space to metres and y up */
  raw_node *nodes;
  int node_count, node_capacity;
  bool numbered;    /* by raw_node.file_number, not depth first */
  bool has_no_rest; /* a file of clips alone: its nodes have no transforms, only names */
  raw_clip *clips;
  int clip_count, clip_capacity;
  raw_mesh *meshes;
  int mesh_count, mesh_capacity;
  sinew_material *materials;
  int material_count;
  sinew_image_view *images;
  int image_count, image_capacity;
  const uint8_t *placeholder; /* the pixels of every picture that could not be read, or NULL; no material uses it */
  const char **notes;
  int note_count, note_capacity, notes_left_out;
  sinew_clip_file_view *clip_files; /* `joint` of a match is a node index */
  int clip_file_count, clip_file_capacity;
  sinew_error *error; /* receives the message when a function returns false */
  raw_block *blocks;
  int straight_curves;              /* Collada: curves that bend but are played as lines */
  const struct model_body *body;    /* once it is found (import/body/raw_body.h) */
  const struct import_files *files; /* while they are open (source/files.h); or NULL */
} raw_model;

/* `path` and `error` must outlive the model. */
void raw_init(raw_model *raw, const char *path, sinew_error *error);
void raw_release(raw_model *raw);

/* Zeroed memory that lives as long as the model. Never NULL for a count of 0; returns NULL and sets the error when
 * memory runs out or the size overflows. */
void *raw_alloc(raw_model *raw, size_t count, size_t size);
/* The same without zeroing, for memory that is filled at once. */
void *raw_room(raw_model *raw, size_t count, size_t size);
/* raw_room and memcpy. */
void *raw_copy(raw_model *raw, const void *source, size_t count, size_t size);
char *raw_string(raw_model *raw, const char *text);
/* Replaces the values of the track by a contiguous copy. */
bool raw_copy_values(raw_model *raw, raw_track *track);

/* Memory, not zeroed, for a library with allocation callbacks, until raw_keep gives it to a model. `memory` is NULL for
 * new memory. Returns NULL when memory runs out, and leaves `memory` as it was. */
void *raw_loose_resize(void *memory, size_t size);
void raw_loose_free(void *memory);
void raw_keep(raw_model *raw, void *memory);
/* Frees memory of the model that is no longer used. */
void raw_drop(raw_model *raw, void *memory);

/* Appends a zeroed item to an array in raw memory; NULL when memory runs out. */
void *raw_grow(raw_model *raw, void **items, int *count, int *capacity, size_t size);

/* Adds a sentence to the notes. After the first hundred they are only counted. False when memory runs out. */
bool raw_note(raw_model *raw, const char *format, ...) SINEW_PRINTF(2, 3);
/* The same about `count` things, with both forms of a word in the format (text_count): "%d {key is|keys are} left out".
 */
bool raw_note_count(raw_model *raw, long long count, const char *format, ...) SINEW_PRINTF(3, 4);

/* A part of the model for a separate thread: it reads the content of the whole, and has its own memory, notes and
 * error. */
raw_model raw_part(const raw_model *whole, sinew_error *error);
/* Moves everything that the part has created to the whole model, on the thread that owns it. False when memory runs
 * out. */
bool raw_join(raw_model *whole, raw_model *part);
/* Its notes alone. */
bool raw_join_notes(raw_model *whole, const raw_model *part);

/* A node's transform at rest. The file's own parts take precedence over those computed from the matrix, which may
 * differ: a clip that moves only one part would then give another pose. */
sinew_transform raw_node_rest(const raw_node *node);

/* Copies everything that a mesh shares with its original. */
void raw_follow(const raw_model *raw, raw_mesh *mesh);

/* The number, or 0 if it is not finite, or too large to be squared in a float. */
float raw_bounded(float value);

/* Repairs what it can, with a note for each kind of repair, and rejects the rest. Afterwards every number is finite,
 * every index in range, key times ascend, and rotations have unit length. */
bool raw_check(raw_model *raw);
/* The same for the clips from `first` on, once the rest has been checked. */
bool raw_check_clips(raw_model *raw, int first);

/* ---- applies the caller's unit and axes to a file whose own are missing or wrong ---- */

/* "+z" as 2, "-z" as 5, "z" as "+z"; false for any other text. */
bool space_axis(const char *text, int *axis);

/* The same for an axis that lies level: no "y". */
bool space_level_axis(const char *text, int *axis);

/* Replaces the file's unit and axes in raw->conversion by those of the options. */
void space_override(raw_model *raw, const sinew_load_options *options);

#endif
