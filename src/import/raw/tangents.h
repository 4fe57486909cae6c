/* tangents – computes the missing tangents of meshes with a normal map. */
#ifndef SINEW_IMPORT_TANGENTS_H
#define SINEW_IMPORT_TANGENTS_H

#include "import/raw/raw.h"

/* Whether the mesh's material has a normal map, and the mesh has coordinates for it but no tangents. */
bool wants_tangents(const raw_model *raw, const raw_mesh *mesh);

/* Computes them for a mesh whose vertices are joined. Each corner of a triangle adds the direction in which u grows,
 * projected onto the plane across its normal and weighted by the corner's angle, as in MikkTSpace (Mikkelsen 2008,
 * "Simulation of wrinkled surfaces revisited"); a vertex between mirrored and plain texture becomes two. w is +1 where
 * the picture is not mirrored: the bitangent cross(n, t) · w points up in the picture, as in glTF. False when memory
 * runs out. */
bool make_tangents(raw_model *raw, raw_mesh *mesh);

#endif
