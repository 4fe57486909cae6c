/* gltf_mesh – shared by the files that read meshes; only they include this. */
#ifndef SINEW_IMPORT_GLTF_MESH_H
#define SINEW_IMPORT_GLTF_MESH_H

#include "import/source/gltf/geometry/gltf_draco.h"
#include "import/source/gltf/gltf_file.h"

/* One primitive, while it becomes a raw mesh. */
typedef struct gltf_primitive {
  gltf *g;
  const cJSON *json, *attributes; /* of the morph target while one is read */
  draco_mesh *draco;              /* or NULL: not compressed */
  const cJSON *draco_ids;         /* which attribute is which there; NULL while a morph target is read */
  raw_mesh *mesh;
  int file_count;        /* vertices that the file has */
  const uint32_t *which; /* the file's vertex for each of the mesh; NULL: the same */
  bool has_normals;
} gltf_primitive;

/* gltf_triangles.c: the corners of all triangles as the file's vertices, whatever they are stored as. False when memory
 * is out; *corners NULL where there are none. */
bool gltf_read_corners(gltf_primitive *p, uint32_t **corners, int *count);
/* Sets the mesh's vertices and indices: where normals are missing each corner is a vertex of its own (flat shading),
 * else those that a triangle uses. */
bool gltf_choose_vertices(gltf_primitive *p, uint32_t *corners, int count);

/* An attribute of the mesh's vertices in floats, or NULL where it is missing or broken (a note says so). False when
 * memory runs out. */
bool gltf_attribute(gltf_primitive *p, const char *name, int width, float **values);
bool gltf_integer_attribute(gltf_primitive *p, const char *name, int width, uint32_t **values);

/* gltf_skin.c: the joints of a skin as bones; and with them the weights of the primitive. */
bool gltf_read_joints(gltf *g, const cJSON *skin, raw_mesh *mesh);
bool gltf_read_skin(gltf_primitive *p, const cJSON *skin);

/* gltf_morph.c: the targets of the primitive; and their weights at rest, which `node` may say. */
bool gltf_read_morphs(gltf_primitive *p, const cJSON *mesh);
void gltf_read_morph_weights(const cJSON *mesh, const cJSON *node, raw_mesh *to);

#endif
