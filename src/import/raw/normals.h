/* normals – computes missing normals, and turns round inverted ones. */
#ifndef SINEW_IMPORT_NORMALS_H
#define SINEW_IMPORT_NORMALS_H

#include "import/raw/raw.h"

/* For a mesh in which each corner of a triangle has a vertex of its own (vertex i is corner i): sets the triangles'
 * normals. False when memory runs out. */
bool flat_normals(raw_model *raw, raw_mesh *mesh);

/* The normals of the whole morphed shape minus those of the mesh. */
bool flat_morph_normals(raw_model *raw, const raw_mesh *mesh, raw_morph *morph);

/* Turns normals that point into the solid that the triangles enclose: nearly all, where a program turned its normals
 * and not its triangles. True where that was so. */
bool normals_point_out(raw_mesh *mesh);

#endif
