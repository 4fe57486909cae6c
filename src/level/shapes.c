#include "base/error.h"
#include "base/memory/memory.h"
#include "math/quat.h"

#include <sinew/level.h>

/* ---- arrays that fill ------------------------------------------------------------------------------------------ */

/* The arrays of a shape, writable, in one block each. */
typedef struct builder {
  float *positions, *normals, *uvs;
  uint32_t *indices;
  int vertex_count, index_count;
} builder;

static bool builder_make(builder *b, int64_t vertices, int64_t indices, sinew_error *error) {
  *b = (builder){mem_alloc_array((size_t)vertices, 3 * sizeof(float)),
                 mem_alloc_array((size_t)vertices, 3 * sizeof(float)),
                 mem_alloc_array((size_t)vertices, 2 * sizeof(float)),
                 mem_alloc_array((size_t)indices, sizeof(uint32_t)),
                 0,
                 0};
  if (b->positions && b->normals && b->uvs && b->indices) return true;
  mem_free(b->positions), mem_free(b->normals), mem_free(b->uvs), mem_free(b->indices);
  return error_memory(error, "a shape", (size_t)vertices * 8 * sizeof(float));
}

static sinew_triangles builder_triangles(const builder *b) {
  return (sinew_triangles){b->positions, b->normals, b->uvs, b->indices, b->vertex_count, b->index_count};
}

static uint32_t add_vertex(builder *b, sinew_vec3 position, sinew_vec3 normal, float u, float v) {
  uint32_t index = (uint32_t)b->vertex_count++;
  float *p = &b->positions[3 * index], *n = &b->normals[3 * index], *uv = &b->uvs[2 * index];
  p[0] = position.x, p[1] = position.y, p[2] = position.z;
  n[0] = normal.x, n[1] = normal.y, n[2] = normal.z;
  uv[0] = u, uv[1] = v;
  return index;
}

static void add_triangle(builder *b, uint32_t i, uint32_t j, uint32_t k) {
  uint32_t *to = &b->indices[b->index_count];
  to[0] = i, to[1] = j, to[2] = k;
  b->index_count += 3;
}

/* A rectangle: from a corner along two edges; its front is where edge × other points to. */
static void add_rectangle(builder *b, sinew_vec3 corner, sinew_vec3 edge, sinew_vec3 other) {
  sinew_vec3 normal = vec3_unit(vec3_cross(edge, other), (sinew_vec3){0, 1, 0});
  float u = vec3_length(edge), v = vec3_length(other);
  uint32_t i = add_vertex(b, corner, normal, 0, v);
  add_vertex(b, vec3_add(corner, edge), normal, u, v);
  add_vertex(b, vec3_add(vec3_add(corner, edge), other), normal, u, 0);
  add_vertex(b, vec3_add(corner, other), normal, 0, 0);
  add_triangle(b, i, i + 1, i + 2), add_triangle(b, i, i + 2, i + 3);
}

/* ---- boxes and stairs ------------------------------------------------------------------------------------------ */

static void add_box(builder *b, sinew_vec3 low, sinew_vec3 high) {
  sinew_vec3 x = {high.x - low.x, 0, 0}, y = {0, high.y - low.y, 0}, z = {0, 0, high.z - low.z};
  sinew_vec3 back_x = vec3_scale(x, -1), back_z = vec3_scale(z, -1);
  add_rectangle(b, (sinew_vec3){low.x, low.y, high.z}, x, y);      /* front */
  add_rectangle(b, (sinew_vec3){high.x, low.y, low.z}, back_x, y); /* back */
  add_rectangle(b, (sinew_vec3){high.x, low.y, high.z}, back_z, y);
  add_rectangle(b, (sinew_vec3){low.x, low.y, low.z}, z, y);
  add_rectangle(b, (sinew_vec3){low.x, high.y, high.z}, x, back_z); /* top */
  add_rectangle(b, low, x, z);                                      /* bottom */
}

static bool make_box(const sinew_shape *s, builder *b, sinew_error *error) {
  if (!builder_make(b, 24, 36, error)) return false;
  sinew_vec3 half = vec3_scale(s->size, 0.5f);
  add_box(b, vec3_scale(half, -1), half);
  return true;
}

static bool make_plane(const sinew_shape *s, builder *b, sinew_error *error) {
  if (!builder_make(b, 4, 6, error)) return false;
  add_rectangle(b, (sinew_vec3){-0.5f * s->size.x, 0, 0.5f * s->size.z}, (sinew_vec3){s->size.x, 0, 0},
                (sinew_vec3){0, 0, -s->size.z});
  return true;
}

/* Each step is a block on the floor, so that stairs can be passed under by nobody, and have sides. */
static bool make_stairs(const sinew_shape *s, builder *b, sinew_error *error) {
  if (!builder_make(b, 24 * s->count, 36 * s->count, error)) return false;
  for (int i = 0; i < s->count; i++)
    add_box(b, (sinew_vec3){-0.5f * s->width, 0, (float)i * s->run},
            (sinew_vec3){0.5f * s->width, (float)(i + 1) * s->rise, (float)(i + 1) * s->run});
  return true;
}

/* ---- round ones and heights ------------------------------------------------------------------------------------ */

enum { around = 32, rings = 16 };

/* A sphere whose halves are `straight` apart. */
static bool make_capsule(float radius, float straight, builder *b, sinew_error *error) {
  int rows = straight > 0 ? rings + 2 : rings + 1; /* the equator comes twice */
  if (!builder_make(b, (int64_t)rows * (around + 1), 6 * (int64_t)(rows - 1) * around, error)) return false;
  const double pi = 3.14159265358979323846;
  for (int row = 0; row < rows; row++) {
    int ring = row > rings / 2 && straight > 0 ? row - 1 : row;
    double tilt = pi * ring / rings;
    float y = (float)sinew_cos(tilt), side = (float)sinew_sin(tilt);
    float shift = straight > 0 ? (row <= rings / 2 ? 0.5f : -0.5f) * straight : 0;
    for (int i = 0; i <= around; i++) {
      double angle = 2 * pi * (i % around) / around;
      sinew_vec3 normal = {side * (float)sinew_sin(angle), y, side * (float)sinew_cos(angle)};
      sinew_vec3 position = vec3_add(vec3_scale(normal, radius), (sinew_vec3){0, shift, 0});
      add_vertex(b, position, normal, (float)(2 * pi * i / around) * radius, radius + 0.5f * straight - position.y);
    }
  }
  for (int row = 0; row + 1 < rows; row++)
    for (int i = 0; i < around; i++) {
      uint32_t upper = (uint32_t)(row * (around + 1) + i), lower = upper + around + 1;
      if (row > 0) add_triangle(b, upper, lower, upper + 1);
      if (row + 2 < rows) add_triangle(b, upper + 1, lower, lower + 1);
    }
  return true;
}

static float height_at(const sinew_shape *s, int column, int row) {
  column = column < 0 ? 0 : column >= s->columns ? s->columns - 1 : column;
  row = row < 0 ? 0 : row >= s->rows ? s->rows - 1 : row;
  return s->heights[(size_t)row * (size_t)s->columns + (size_t)column];
}

static bool make_heights(const sinew_shape *s, builder *b, sinew_error *error) {
  int64_t count = (int64_t)s->columns * s->rows;
  for (int64_t i = 0; i < count; i++)
    if (!isfinite(s->heights[i])) return error_set(error, "height %lld is not a number", (long long)i);
  if (!builder_make(b, count, 6 * (int64_t)(s->columns - 1) * (s->rows - 1), error)) return false;
  float x = s->size.x / (float)(s->columns - 1), z = s->size.z / (float)(s->rows - 1);
  for (int row = 0; row < s->rows; row++)
    for (int column = 0; column < s->columns; column++) {
      float slope_x = (height_at(s, column + 1, row) - height_at(s, column - 1, row)) / (2 * x);
      float slope_z = (height_at(s, column, row + 1) - height_at(s, column, row - 1)) / (2 * z);
      sinew_vec3 normal = vec3_unit((sinew_vec3){-slope_x, 1, -slope_z}, (sinew_vec3){0, 1, 0});
      float u = (float)column * x, v = (float)row * z;
      add_vertex(b, (sinew_vec3){u - 0.5f * s->size.x, height_at(s, column, row), v - 0.5f * s->size.z}, normal, u, v);
    }
  for (int row = 0; row + 1 < s->rows; row++)
    for (int column = 0; column + 1 < s->columns; column++) {
      uint32_t i = (uint32_t)(row * s->columns + column), below = i + (uint32_t)s->columns;
      add_triangle(b, i, below, i + 1), add_triangle(b, i + 1, below, below + 1);
    }
  return true;
}

/* ---- models ---------------------------------------------------------------------------------------------------- */

static bool above(float x) { return x > 0 && x <= 1e5f; }

static const char *shape_check(const sinew_shape *s) {
  switch (s->kind) {
  case SINEW_SHAPE_BOX:
    return above(s->size.x) && above(s->size.y) && above(s->size.z)
               ? NULL
               : "each edge of a box must be more than 0, and at most 100 km";
  case SINEW_SHAPE_PLANE:
    return above(s->size.x) && above(s->size.z) ? NULL
                                                : "both sides of a plane must be more than 0, and at most 100 km";
  case SINEW_SHAPE_SPHERE:
    return above(s->radius) ? NULL : "the radius of a sphere must be more than 0, and at most 100 km";
  case SINEW_SHAPE_CAPSULE:
    if (!above(s->radius)) return "the radius of a capsule must be more than 0, and at most 100 km";
    return above(s->size.y) && s->size.y >= 2 * s->radius ? NULL
                                                          : "the height of a capsule must be at least twice its radius";
  case SINEW_SHAPE_STAIRS:
    if (s->count < 1 || s->count > 1000) return "stairs have from 1 to 1,000 steps";
    return above(s->rise) && above(s->run) && above(s->width) ? NULL
                                                              : "rise, run and width of stairs must be more than 0";
  case SINEW_SHAPE_HEIGHTS:
    if (s->columns < 2 || s->rows < 2 || s->columns > 2048 || s->rows > 2048)
      return "heights have from 2 to 2,048 columns and rows";
    return above(s->size.x) && above(s->size.z) && s->heights
               ? NULL
               : "both sides of heights must be more than 0, and at most 100 km";
  }
  return "unknown kind of shape";
}

bool sinew_shape_build(const sinew_shape *s, sinew_triangles *triangles, sinew_error *error) {
  const char *wrong = shape_check(s);
  if (wrong) return error_set(error, "%s", wrong);
  builder b = {0};
  bool made = s->kind == SINEW_SHAPE_BOX       ? make_box(s, &b, error)
              : s->kind == SINEW_SHAPE_PLANE   ? make_plane(s, &b, error)
              : s->kind == SINEW_SHAPE_SPHERE  ? make_capsule(s->radius, 0, &b, error)
              : s->kind == SINEW_SHAPE_CAPSULE ? make_capsule(s->radius, s->size.y - 2 * s->radius, &b, error)
              : s->kind == SINEW_SHAPE_STAIRS  ? make_stairs(s, &b, error)
                                               : make_heights(s, &b, error);
  if (made) *triangles = builder_triangles(&b);
  return made;
}

void sinew_triangles_free(sinew_triangles *t) {
  mem_free((void *)t->positions), mem_free((void *)t->normals), mem_free((void *)t->uvs), mem_free((void *)t->indices);
  *t = (sinew_triangles){0};
}
