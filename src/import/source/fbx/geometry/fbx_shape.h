/* fbx_shape – morph targets: channels with one shape or, with in-betweens, several. A channel's percentage becomes a
 * weight of each of its shapes. */
#ifndef SINEW_IMPORT_FBX_SHAPE_H
#define SINEW_IMPORT_FBX_SHAPE_H

#include "import/source/fbx/curves/fbx_animation.h"

/* A channel of a mesh, and the range of its shapes among the mesh's morph targets. */
typedef struct fbx_blend_channel {
  int object;
  int mesh, first, count; /* the raw mesh; its targets */
  const double *full;     /* the percentage at which each of them has full weight, ascending */
  double largest;         /* the largest difference of a vertex, in the file's units */
} fbx_blend_channel;

typedef struct fbx_blends {
  fbx_blend_channel *items;
  int count, capacity;
} fbx_blends;

/* The percentage without a clip. */
double fbx_rest_percent(const fbx_scene *scene, const fbx_object *channel);
/* Between 0 and the shapes' percentages, the weight is divided between the neighbours; past the last, the line
 * continues. */
void fbx_shape_weights(const double *full, int count, double percent, double *weights);

/* The vertices of each control point of a mesh: point p has vertices[first[p] … first[p + 1] − 1]. */
typedef struct fbx_spread {
  const uint32_t *first, *vertices;
  size_t point_count;
} fbx_spread;

/* Adds the targets of a geometry's channels to raw mesh `mesh`; `linear` is the geometric transform of differences,
 * NULL for none. False and an error message for broken arrays, or when memory runs out. */
bool fbx_read_shapes(fbx_scene *scene, const fbx_object *geometry, int mesh, const fbx_spread *spread,
                     const double *linear, fbx_blends *blends);

#endif
