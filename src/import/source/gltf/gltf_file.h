/* gltf_file – a parsed glTF file and its bytes; only gltf_*.c include this. */
#ifndef SINEW_IMPORT_GLTF_FILE_H
#define SINEW_IMPORT_GLTF_FILE_H

#include "import/source/gltf/gltf.h"

#include <cjson/cJSON.h>
#include <stdbool.h>

/* A JSON array with access by index, because cJSON's own are linked lists. Items that are not objects are NULL. */
typedef struct gltf_list {
  const cJSON **items;
  int count;
} gltf_list;

typedef struct gltf_bytes {
  const unsigned char *data; /* NULL if they are not available */
  size_t size;
} gltf_bytes;

struct gltf {
  raw_model *raw; /* for memory, notes and errors */
  const import_files *files;
  struct gltf_piece *memory; /* all of the JSON */
  cJSON *root;
  gltf_list nodes, meshes, skins, accessors, views, buffers, materials, textures, images, samplers;
  gltf_bytes *bytes;      /* per buffer */
  gltf_bytes *view_bytes; /* per buffer view, decoded */
  gltf_bytes chunk;       /* the limit for further reading: a small file may refer to the same bytes again and again */
  bool is_glb, clips_only;
  bool noted_sets;      /* that a third set of texture coordinates is not read */
  size_t numbers_left;  /* that may still be read: a small file may name the same bytes again and again */
  int32_t *node_of;     /* the file's node → raw node, or -1 outside the scene */
  int32_t *images_made; /* for each picture of the file and each of 9 wrap modes: 1 + the raw image, or 0 */
};

/* ---- gltf_file.c ---- */

/* A member, or NULL; `object` may be NULL. */
const cJSON *gltf_member(const cJSON *object, const char *name);
/* A member of the object's extension; NULL if the object lacks it. */
const cJSON *gltf_extension(const cJSON *object, const char *extension);
/* A text, or NULL. */
const char *gltf_text(const cJSON *object, const char *name);
/* The member "name" in raw memory, "" without one; NULL when memory runs out. */
const char *gltf_name(gltf *g, const cJSON *object);
/* The index that a member holds, or -1; always below `count`. */
int gltf_index(const cJSON *object, const char *name, int count);
/* A count or an offset; 0 if there is none, and larger than any file if it is absurd. */
size_t gltf_size(const cJSON *object, const char *name);
/* A finite number that a float can hold, or `otherwise`. */
float gltf_number(const cJSON *object, const char *name, float otherwise);
bool gltf_flag(const cJSON *object, const char *name);
/* Reads an array of exactly `count` numbers; returns false, and changes nothing, if there is none. */
bool gltf_numbers(const cJSON *object, const char *name, float *values, int count);
/* Fills a list from a member of `object`. False when memory runs out. */
bool gltf_list_members(gltf *g, const cJSON *object, const char *name, gltf_list *list);
/* An item of a list, or NULL. */
const cJSON *gltf_item(const gltf_list *list, int index);

/* ---- gltf_accessor.c ---- */

/* Reads all available buffers, and decodes their views. False when memory runs out. */
bool gltf_read_buffers(gltf *g);
/* gltf_meshopt.c: decodes a view by its EXT_meshopt_compression; if that is broken, data is NULL and a note is added.
 */
bool gltf_decode_view(gltf *g, const cJSON *json, gltf_bytes from, gltf_bytes *to);
/* The bytes of a buffer view (-1: none); data is NULL if they are not all there. */
gltf_bytes gltf_view(const gltf *g, int view);
/* The bytes of a "data:" URI. False when memory runs out. */
bool gltf_read_data_uri(gltf *g, const char *uri, gltf_bytes *bytes);

/* ---- gltf_accessor.c ---- */

/* The elements of an accessor: checked, sparse ones filled in. */
typedef struct gltf_elements {
  const unsigned char *data;
  size_t stride, size; /* bytes from one to the next; bytes of a component */
  int type;            /* of a component: 5120 … 5126 */
  bool normalized;
  int width; /* components */
  int count; /* 0: the accessor is broken or missing, and must not be used */
} gltf_elements;

/* Charges the limit for reading. False and an error message if it is exceeded. */
bool gltf_spend(gltf *g, size_t count, size_t width);

/* False when memory runs out. */
bool gltf_accessor(gltf *g, int index, gltf_elements *elements);

/* Elements as floats, integers normalised or converted: those listed in `which`, or the first `count`. NULL when memory
 * runs out or the limit is exceeded. */
float *gltf_floats(gltf *g, const gltf_elements *elements, const uint32_t *which, size_t count);
/* The same as unsigned integers; an invalid one becomes UINT32_MAX. */
uint32_t *gltf_integers(gltf *g, const gltf_elements *elements, const uint32_t *which, size_t count);

float *gltf_zeros(gltf *g, size_t count);
/* Converts integers to fractions if the accessor is normalised. */
void gltf_normalize(const cJSON *accessor, float *values, size_t count);

/* Sixteen floats, column by column. */
sinew_mat3x4 gltf_matrix(const float *columns);

bool gltf_read_nodes(gltf *g);
/* gltf_nodes.c: reads the instances of a raw node's mesh as helpers below it. */
bool gltf_read_instances(gltf *g, int node);
bool gltf_has_instances(const cJSON *node);
bool gltf_read_meshes(gltf *g);
bool gltf_read_materials(gltf *g);
bool gltf_read_animations(gltf *g);
/* gltf_animation.c: reads the curves in an animation's extras, after its channels. */
bool gltf_read_curves(gltf *g, const cJSON *animation, raw_clip *clip);

/* Reads a texture reference ({"index": …}, or NULL). False when memory runs out. */
bool gltf_read_texture(gltf *g, const cJSON *reference, sinew_texture *texture);
/* gltf_material.c: replaces a material's specular colour and gloss, if it has them, by metallic and roughness. */
bool gltf_read_specular_glossiness(gltf *g, const cJSON *json, sinew_material *m);

/* The memory of cJSON for a file: many small blocks in sequence, freed all at once, because freeing them one by one
 * would take as long as reading them. */

typedef struct gltf_piece gltf_piece;

/* ---- reads the VRM 0 or 1 data about a person from a glTF file ---- */

/* After the nodes: finds the nodes of the parts of the body, and the direction that the person faces (VRM 0: −z). */
bool gltf_read_vrm_body(gltf *g);

/* At the end: adds expressions as morph targets with their names. An expression of a mesh is the weighted sum of its
 * targets' shapes. */
bool gltf_read_vrm_expressions(gltf *g);

#endif
