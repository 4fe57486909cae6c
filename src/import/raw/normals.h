/* normals – computes missing normals, and flips inverted ones. */
#ifndef SINEW_IMPORT_NORMALS_H
#define SINEW_IMPORT_NORMALS_H

#include "import/raw/raw.h"

/* For a mesh in which no corners share a vertex (vertex i is corner i): sets the triangles' normals. False when memory
 * runs out. */
bool flat_normals(raw_model *raw, raw_mesh *mesh);

/* The normals of the whole morphed shape minus those of the mesh. */
bool flat_morph_normals(raw_model *raw, const raw_mesh *mesh, raw_morph *morph);

/* Flips normals if nearly all point into the solid that the triangles enclose, because a program inverted its normals
 * but not its triangles. True if so. */
bool normals_point_out(raw_mesh *mesh);

#endif
