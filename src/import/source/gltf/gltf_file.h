/* gltf_file – a parsed glTF file and its bytes; only gltf_*.c include this. */
#ifndef SINEW_IMPORT_GLTF_FILE_H
#define SINEW_IMPORT_GLTF_FILE_H

#include "import/source/gltf/gltf.h"

#include <cjson/cJSON.h>

/* A JSON array by index: cJSON's own are lists. Items that are not objects are NULL. */
typedef struct gltf_list {
  const cJSON **items;
  int count;
} gltf_list;

typedef struct gltf_bytes {
  const unsigned char *data; /* NULL where they cannot be had */
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
  gltf_bytes chunk;       /* the BIN chunk of a .glb */
  bool is_glb, clips_only;
  bool noted_sets;      /* that a third set of texture coordinates is not read */
  size_t numbers_left;  /* that may still be read: a small file may name the same bytes again and again */
  int32_t *node_of;     /* the file's node → raw node, or -1 where the scene does not show it */
  int32_t *images_made; /* per picture of the file and way to go on beyond its edges (9): 1 + the raw image, or 0 */
};

/* ---- gltf_json.c ---- */

/* A member, or NULL; `object` may be NULL. */
const cJSON *gltf_member(const cJSON *object, const char *name);
/* A member of the object's extension, which is NULL where the object does not have it. */
const cJSON *gltf_extension(const cJSON *object, const char *extension);
/* A text, or NULL. */
const char *gltf_text(const cJSON *object, const char *name);
/* The member "name" in raw memory, "" without one; NULL when memory runs out. */
const char *gltf_name(gltf *g, const cJSON *object);
/* The index that a member holds, or -1; always below `count`. */
int gltf_index(const cJSON *object, const char *name, int count);
/* A count or an offset; 0 where there is none, and more than any file has where it is absurd. */
size_t gltf_size(const cJSON *object, const char *name);
/* A finite number that a float can hold, or `otherwise`. */
float gltf_number(const cJSON *object, const char *name, float otherwise);
bool gltf_flag(const cJSON *object, const char *name);
/* Reads an array of exactly `count` numbers; false, and nothing changed, where there is none. */
bool gltf_numbers(const cJSON *object, const char *name, float *values, int count);
/* Fills a list from a member of `object`. False when memory runs out. */
bool gltf_list_members(gltf *g, const cJSON *object, const char *name, gltf_list *list);
/* An item of a list, or NULL. */
const cJSON *gltf_item(const gltf_list *list, int index);

/* ---- gltf_buffer.c ---- */

/* Reads all buffers that can be had, and decodes their views. False when memory runs out. */
bool gltf_read_buffers(gltf *g);
/* gltf_meshopt.c: what an EXT_meshopt_compression says of a view; data NULL, and a note, where it is broken. */
bool gltf_decode_view(gltf *g, const cJSON *json, gltf_bytes from, gltf_bytes *to);
/* The bytes of a buffer view (-1: none); data NULL where they are not all there. */
gltf_bytes gltf_view(const gltf *g, int view);
/* The bytes of a "data:" URI. False when memory runs out. */
bool gltf_read_data_uri(gltf *g, const char *uri, gltf_bytes *bytes);

/* ---- gltf_accessor.c ---- */

/* The elements of an accessor: checked, sparse ones filled in. */
typedef struct gltf_elements {
  const unsigned char *data;
  size_t stride, size; /* bytes from one to the next; of one component */
  int type;            /* of a component: 5120 … 5126 */
  bool normalized;
  int width; /* components */
  int count; /* 0: the accessor is broken or missing, and nothing of it may be used */
} gltf_elements;

/* Takes some of what may still be read. False, and an error message, where that is not left. */
bool gltf_spend(gltf *g, size_t count, size_t width);

/* False when memory runs out. */
bool gltf_accessor(gltf *g, int index, gltf_elements *elements);

/* Elements as floats, integers normalised or converted: those that `which` lists, or the first `count`. NULL when
 * memory runs out or the file asks for too much. */
float *gltf_floats(gltf *g, const gltf_elements *elements, const uint32_t *which, size_t count);
/* The same for unsigned integers; what is none becomes UINT32_MAX. */
uint32_t *gltf_integers(gltf *g, const gltf_elements *elements, const uint32_t *which, size_t count);

float *gltf_zeros(gltf *g, size_t count);
/* Makes fractions of integers where the accessor says that they are normalised. */
void gltf_normalize(const cJSON *accessor, float *values, size_t count);

/* ---- the parts of the file ---- */

/* gltf_extensions.c: refuses what requires an extension that is not read, and notes the others. */
bool gltf_check_extensions(gltf *g);

/* Sixteen floats, column by column. */
sinew_mat3x4 gltf_matrix(const float *columns);

bool gltf_read_nodes(gltf *g);
/* gltf_instances.c: the places where a raw node shows its mesh again and again, as helpers below it. */
bool gltf_read_instances(gltf *g, int node);
bool gltf_has_instances(const cJSON *node);
bool gltf_read_meshes(gltf *g);
bool gltf_read_materials(gltf *g);
bool gltf_read_animations(gltf *g);
/* gltf_curves.c: the named numbers among an animation's extras, when its channels have been read. */
bool gltf_read_curves(gltf *g, const cJSON *animation, raw_clip *clip);

/* Reads a texture reference ({"index": …}, or NULL). False when memory runs out. */
bool gltf_read_texture(gltf *g, const cJSON *reference, sinew_texture *texture);
/* gltf_gloss.c: puts metal and roughness in place of a material's specular colour and gloss, where it has them. */
bool gltf_read_specular_glossiness(gltf *g, const cJSON *json, sinew_material *m);

#endif
