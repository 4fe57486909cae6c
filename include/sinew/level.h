/* sinew/level.h – what characters stand on: parts with triangles, questions about them, and a capsule that walks there.
 *
 * A level is a list of parts. A part has triangles in its own space, which never change, and a place in the world,
 * which may change in every frame: a lift, a door. Questions are asked in world space: metres, y up. Both sides of a
 * triangle count, and a normal that an answer gives points to the side from which the question came.
 *
 * Threads: any number may ask at the same time, while none adds parts or moves them. */
#ifndef SINEW_LEVEL_H
#define SINEW_LEVEL_H

#include <sinew/math.h>
#include <sinew/model.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sinew_level sinew_level;

/* ---- parts -------------------------------------------------------------------------------------------------- */

/* Triangles as plain arrays, those of a shape (sinew_shape_build) or any others. */
typedef struct sinew_triangles {
  const float *positions;  /* vertex_count × 3 */
  const float *normals;    /* vertex_count × 3, or NULL. For pictures; questions answer with the triangle's own */
  const float *uvs;        /* vertex_count × 2, metres along the surface; or NULL */
  const uint32_t *indices; /* index_count, three for each triangle */
  int vertex_count, index_count;
} sinew_triangles;

typedef enum sinew_shape_kind {
  SINEW_SHAPE_BOX,     /* size: its edges; the origin is its centre */
  SINEW_SHAPE_PLANE,   /* size x and z: a rectangle at height 0 */
  SINEW_SHAPE_SPHERE,  /* radius */
  SINEW_SHAPE_CAPSULE, /* radius and size.y, its whole height; upright, the origin is its centre */
  SINEW_SHAPE_STAIRS,  /* count steps up towards +z; the origin is the middle of the first riser's lower edge */
  SINEW_SHAPE_HEIGHTS  /* columns × rows heights over a rectangle of size x and z, whose centre is the origin */
} sinew_shape_kind;

typedef struct sinew_shape {
  sinew_shape_kind kind;
  sinew_vec3 size;        /* metres, each > 0 where the kind uses it */
  float radius;           /* metres, > 0 */
  int count;              /* steps, 1..1000 */
  float rise, run, width; /* of a step, metres, > 0: its height, its depth along z and its width along x */
  const float *heights;   /* columns × rows, metres; a row is along x, and rows follow along z */
  int columns, rows;      /* each 2..2048 */
} sinew_shape;

/* Makes the triangles of a shape. Round ones have flat sides: what is drawn is what is hit. False, and a sentence,
 * where a number is out of its range or memory runs out. The arrays belong to the caller: sinew_triangles_free. */
SINEW_API bool sinew_shape_build(const sinew_shape *shape, sinew_triangles *triangles, sinew_error *error);
/* The triangles of all meshes of a model in its rest pose. */
SINEW_API bool sinew_triangles_of_model(const sinew_model *model, sinew_triangles *triangles, sinew_error *error);
SINEW_API void sinew_triangles_free(sinew_triangles *triangles);

SINEW_API sinew_level *sinew_level_create(sinew_error *error);
SINEW_API void sinew_level_destroy(sinew_level *level); /* NULL is allowed */

/* Copies the triangles, scaled by place->scale, which is fixed from then on, and returns the index of the part, from 0.
 * Triangles without area are left out. −1, and a sentence: no triangle is left, an index or a number is out of its
 * range, or memory runs out. Takes n log n time. */
SINEW_API int sinew_level_add(sinew_level *level, const sinew_triangles *triangles, const sinew_transform *place,
                              sinew_error *error);
/* Moves a part; a capsule that stands on it rides along (sinew_walker_move). The scale is ignored. Any question after
 * it is about the new place. */
SINEW_API void sinew_level_place(sinew_level *level, int part, const sinew_transform *place);
/* A part that is not solid is passed by all questions: an open door, a part that was removed. */
SINEW_API void sinew_level_set_solid(sinew_level *level, int part, bool solid);
SINEW_API int sinew_level_part_count(const sinew_level *level);

/* ---- questions ---------------------------------------------------------------------------------------------- */

typedef struct sinew_hit {
  int part;          /* its index */
  int triangle;      /* its index in the part's triangles as they were added */
  float distance;    /* metres along the way */
  sinew_vec3 point;  /* where it touches */
  sinew_vec3 normal; /* of the contact, of unit length: at an edge between those of its triangles */
  sinew_vec3 face;   /* of the triangle */
} sinew_hit;

/* The first triangle between two points. False: none, or the points are the same or not finite. */
SINEW_API bool sinew_level_ray(const sinew_level *level, sinew_vec3 from, sinew_vec3 to, sinew_hit *hit);

/* The first triangle that a capsule touches on its way: a sphere of this radius (metres, >= 0) at each point of the
 * line from `from` to from + axis; without an axis a sphere. A capsule that touches one at the beginning hits it at
 * distance 0 if it moves towards it. To 0.1 mm. */
SINEW_API bool sinew_level_sweep(const sinew_level *level, sinew_vec3 from, sinew_vec3 axis, float radius,
                                 sinew_vec3 way, sinew_hit *hit);

/* The highest surface at (x, z) that is not above y. False: there is none. Two storeys answer by y. */
SINEW_API bool sinew_level_ground(const sinew_level *level, float x, float z, float y, sinew_hit *hit);

/* ---- a capsule that walks ----------------------------------------------------------------------------------- */

typedef struct sinew_walker_def {
  float radius;  /* metres, > 0: 0.3 */
  float height;  /* metres, at least 2 × radius: 1.8 */
  float step;    /* metres: the highest step that it climbs, and goes down without falling; >= 0: 0.35 */
  float slope;   /* radians: the steepest ground on which it stands, 0..π/2: 50° */
  float gravity; /* m/s², >= 0: 9.81 */
} sinew_walker_def;

SINEW_API sinew_walker_def sinew_walker_def_default(void);
/* The sentence that says which number is out of its range, or NULL. */
SINEW_API const char *sinew_walker_check(const sinew_walker_def *def);

typedef struct sinew_walker {
  sinew_vec3 position; /* the lowest point of the capsule, which stands upright */
  float rise;          /* m/s upwards: set it to jump; 0 while it stands */
  bool grounded;       /* it stands on ground that is not too steep */
  int part;            /* that it stands on; −1: none */
  sinew_vec3 normal;   /* of the ground that it stands on; up while there is none */
  float ground; /* the height of the surface below the capsule's axis, if it is within a step of it; else position.y */
  float turned; /* radians that the last step turned it, with the part that it stands on */
  sinew_vec3 riding;    /* m/s of that part, where the capsule stands: what a jump takes along */
  sinew_transform ride; /* private: where it stands, relative to the part */
} sinew_walker;

/* At a point, falling: the first step looks for the ground. */
SINEW_API sinew_walker sinew_walker_at(sinew_vec3 position);

/* One step. First the capsule goes where its part has gone. Then it walks: it slides along walls, climbs steps, stays
 * on slopes that are not too steep, slides down others, and falls. `way` is where it wants to go, in metres: x and z
 * (y is not used); on a slope it keeps its length along the level. The capsule never passes through a triangle, however
 * long the way. A dt that is not > 0 changes nothing; NULL for a level: flat ground at height 0. */
SINEW_API void sinew_walker_move(sinew_walker *walker, const sinew_walker_def *def, const sinew_level *level, float dt,
                                 sinew_vec3 way);

#ifdef __cplusplus
}
#endif
#endif
