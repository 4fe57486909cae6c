/* weld – joins the vertices that importers write for each corner, if they agree in every bit of every attribute, weight
 * and morph target (computed tangents only approximately). */
#ifndef SINEW_IMPORT_WELD_H
#define SINEW_IMPORT_WELD_H

#include "import/raw/raw.h"

/* Vertices keep their order. False when memory runs out. */
bool weld_mesh(raw_model *raw, raw_mesh *mesh);

/* ---- computes the missing tangents of meshes with a normal map ---- */

/* Whether the mesh's material has a normal map, and the mesh has coordinates for it but no tangents. */
bool wants_tangents(const raw_model *raw, const raw_mesh *mesh);

/* Computes them for a mesh whose vertices are joined. Each corner of a triangle adds the direction in which u grows,
 * projected onto the plane across its normal and weighted by the corner's angle, as in MikkTSpace (Mikkelsen 2008,
 * "Simulation of wrinkled surfaces revisited"); a vertex between mirrored and plain texture becomes two. w is +1 where
 * the picture is not mirrored: the bitangent cross(n, t) · w points up in the picture, as in glTF. False when memory
 * runs out. */
bool make_tangents(raw_model *raw, raw_mesh *mesh);

/* ---- computes missing normals, and flips inverted ones ---- */

/* For a mesh in which no corners share a vertex (vertex i is corner i): sets the triangles' normals. False when memory
 * runs out. */
bool flat_normals(raw_model *raw, raw_mesh *mesh);

/* The normals of the whole morphed shape minus those of the mesh. */
bool flat_morph_normals(raw_model *raw, const raw_mesh *mesh, raw_morph *morph);

/* Flips normals if nearly all point into the solid that the triangles enclose, because a program inverted its normals
 * but not its triangles. True if so. */
bool normals_point_out(raw_mesh *mesh);

#endif
