/* gltf_draco – meshes compressed by Draco (KHR_draco_mesh_compression). Only gltf_draco.cpp uses libdraco; it is C++
 * because the library is. */
#ifndef SINEW_IMPORT_GLTF_DRACO_H
#define SINEW_IMPORT_GLTF_DRACO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct draco_mesh draco_mesh;

/* NULL if the data is broken, or memory runs out. */
draco_mesh *draco_open(const unsigned char *data, size_t size);
void draco_close(draco_mesh *mesh); /* NULL is allowed */

int draco_vertex_count(const draco_mesh *mesh);
int draco_index_count(const draco_mesh *mesh);
void draco_indices(const draco_mesh *mesh, uint32_t *indices);

/* The attribute with that unique id, `width` numbers for each vertex; integers as stored, not normalised. False if
 * there is none, or its width differs. */
bool draco_floats(const draco_mesh *mesh, int id, int width, float *values);

#ifdef __cplusplus
}
#endif
#endif
