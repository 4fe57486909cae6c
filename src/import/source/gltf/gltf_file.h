/* gltf_file – a parsed glTF file and its bytes; only gltf_*.c include this. */
#ifndef SINEW_IMPORT_GLTF_FILE_H
#define SINEW_IMPORT_GLTF_FILE_H

#include "import/source/gltf/gltf.h"

#include <cjson/cJSON.h>

/* A JSON array by index: cJSON's own are lists. */
typedef struct gltf_list {
  cJSON **items;
  int count;
} gltf_list;

typedef struct gltf_bytes {
  const unsigned char *data;
  size_t size;
  bool owned;
} gltf_bytes;

struct gltf {
  raw_model *raw; /* for memory and errors */
  const import_files *files;
  cJSON *root, *animations; /* `animations` is detached from the root */
  gltf_list nodes, meshes, accessors, views, buffers;
  gltf_bytes *bytes;       /* per buffer; data NULL where it cannot be had */
  const char **node_names; /* the file's own */
  gltf_bytes chunk;        /* the BIN chunk of a .glb */
  bool is_glb;
  unsigned char *extra; /* floats that the rewriting adds */
  size_t extra_size, extra_capacity;
};

/* 2.0, 2.1 … */
bool gltf_is_version_2(const gltf *g);

/* The index that a member holds, or -1; always below `count`. */
int gltf_index(const cJSON *object, const char *name, int count);

/* Fills a list from a member of `object`; objects only, anything else is NULL. */
bool gltf_list_members(gltf *g, const cJSON *object, const char *name, gltf_list *list);

/* The components of an accessor as floats: integers are normalised or converted, strides and sparse values resolved.
 * NULL in *values where the accessor is broken: nothing of it may be used. False when memory is out. */
bool gltf_read_accessor(gltf *g, int index, int width, float **values, int *count);

/* Components of the accessor's type: 1, 2, 3, 4, 9, 16; 0 for none. */
int gltf_width(const cJSON *accessor);

/* gltf_rewrite.c */
bool gltf_rewrite(gltf *g, import_files *files);

/* What nodes are called while Assimp has them: this and a number. */
#define GLTF_NODE_NAME "sinew-node-"

#endif
