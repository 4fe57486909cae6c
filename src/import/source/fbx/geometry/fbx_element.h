/* fbx_element – the per-corner data of a geometry's layers: normals, texture coordinates, colours, materials, in every
 * mapping and reference mode. */
#ifndef SINEW_IMPORT_FBX_ELEMENT_H
#define SINEW_IMPORT_FBX_ELEMENT_H

#include "import/source/fbx/objects/fbx_scene.h"

/* The polygons of a geometry. Corner c belongs to control point points[c]; polygon p has the corners first[p] … first[p
 * + 1] − 1. */
typedef struct fbx_polygons {
  int32_t *points;
  uint32_t *first;
  size_t corner_count, count, point_count;
} fbx_polygons;

/* Free with fbx_polygons_free in any case. False and an error message for broken arrays, or when memory runs out. */
bool fbx_polygons_read(fbx_scene *scene, const fbx_record *geometry, size_t point_count, fbx_polygons *polygons);
void fbx_polygons_free(fbx_polygons *polygons);
/* Whether it has at least three corners, all with existing points. */
bool fbx_polygon_is_good(const fbx_polygons *polygons, size_t polygon);

typedef enum fbx_mapping { FBX_BY_CORNER, FBX_BY_POINT, FBX_BY_POLYGON, FBX_BY_EDGE, FBX_ALL_SAME } fbx_mapping;

typedef struct fbx_element {
  float *values;
  int32_t *indices;                /* or NULL */
  size_t value_count, index_count; /* values: each of `width` numbers */
  int width;
  fbx_mapping mapping;
} fbx_element;

/* Reads the first element of a kind; `value_count` is 0 if there is none. `data` and `index` name its arrays. Free with
 * fbx_element_free. False and an error message for broken arrays, or when memory runs out. */
bool fbx_element_read(fbx_scene *scene, const fbx_record *geometry, const char *name, const char *data,
                      const char *index, int width, const fbx_polygons *polygons, fbx_element *element);
void fbx_element_free(fbx_element *element);
/* The value at that corner, or NULL. */
const float *fbx_element_at(const fbx_element *element, const fbx_polygons *polygons, size_t polygon, size_t corner);

/* Appends the corners of triangles, three each, of a valid polygon to `out` (which has room for 3 × (corners − 2));
 * returns their number. Cuts ears if the polygon is not convex. `positions` are those of the control points. */
size_t fbx_triangulate(const fbx_polygons *polygons, size_t polygon, const double *positions, uint32_t *out);

/* Makes a normal for each corner (3 numbers) if the file has none. Faces of one smoothing group, or joined by smooth
 * edges, share them, weighted by area; without either, all faces that meet at a point do. When memory runs out, returns
 * NULL and sets the error. */
double *fbx_make_normals(fbx_scene *scene, const fbx_record *geometry, const fbx_polygons *polygons,
                         const double *positions);

#endif
