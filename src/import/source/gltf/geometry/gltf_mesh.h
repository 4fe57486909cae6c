/* gltf_mesh – shared by the files that read meshes; only they include this. */
#ifndef SINEW_IMPORT_GLTF_MESH_H
#define SINEW_IMPORT_GLTF_MESH_H

#include "import/source/gltf/geometry/gltf_draco.h"
#include "import/source/gltf/gltf_file.h"

/* One primitive while it becomes a raw mesh. */
typedef struct gltf_primitive {
  gltf *g;
  const cJSON *json, *attributes; /* those of the morph target while one is read */
  draco_mesh *draco;              /* or NULL: not compressed */
  const cJSON *draco_ids;         /* the ids of attributes there; NULL while a morph target is read */
  raw_mesh *mesh;
  int file_count;        /* the number of vertices in the file */
  const uint32_t *which; /* the file's vertex for each of the mesh; NULL: identical */
  bool has_normals;
} gltf_primitive;

/* gltf_triangles.c: reads the corners of all triangles as indices of the file's vertices, for every way of storing
 * them. False when memory runs out; *corners is NULL if there are none. */
bool gltf_read_corners(gltf_primitive *p, uint32_t **corners, int *count);
/* Sets the mesh's vertices and indices: if normals are missing, each corner is a separate vertex (flat shading), else
 * those that a triangle uses. */
bool gltf_choose_vertices(gltf_primitive *p, uint32_t *corners, int count);

/* Reads an attribute of the mesh's vertices as floats, or NULL if it is missing or broken (with a note). False when
 * memory runs out. */
bool gltf_attribute(gltf_primitive *p, const char *name, int width, float **values);
bool gltf_integer_attribute(gltf_primitive *p, const char *name, int width, uint32_t **values);

/* gltf_skin.c: reads the joints of a skin as bones; and with them the weights of the primitive. */
bool gltf_read_joints(gltf *g, const cJSON *skin, raw_mesh *mesh);
bool gltf_read_skin(gltf_primitive *p, const cJSON *skin);

/* gltf_morph.c: reads the targets of the primitive; and their rest weights, which `node` may override. */
bool gltf_read_morphs(gltf_primitive *p, const cJSON *mesh);
void gltf_read_morph_weights(const cJSON *mesh, const cJSON *node, raw_mesh *to);

#endif
