/* level_fixture – levels made of shapes. */
#ifndef SINEW_TESTS_LEVEL_FIXTURE_H
#define SINEW_TESTS_LEVEL_FIXTURE_H

#include "support/fixture.h"

#include <sinew/level.h>

static inline sinew_transform placed(float x, float y, float z) {
  sinew_transform t = sinew_transform_identity();
  t.translation = (sinew_vec3){x, y, z};
  return t;
}

static inline sinew_transform turned(sinew_transform t, float x, float y, float z, float angle) {
  t.rotation = sinew_quat_from_axis_angle((sinew_vec3){x, y, z}, angle);
  return t;
}

static inline sinew_level *empty_level(void) {
  sinew_error error;
  sinew_level *level = sinew_level_create(&error);
  assert_non_null(level);
  return level;
}

static inline int add_shape(sinew_level *level, sinew_shape shape, sinew_transform place) {
  sinew_triangles t;
  sinew_error error = {""};
  if (!sinew_shape_build(&shape, &t, &error)) fail_msg("%s", error.message);
  int part = sinew_level_add(level, &t, &place, &error);
  if (part < 0) fail_msg("%s", error.message);
  sinew_triangles_free(&t);
  return part;
}

static inline int add_box(sinew_level *level, float x, float y, float z, sinew_transform place) {
  return add_shape(level, (sinew_shape){.kind = SINEW_SHAPE_BOX, .size = {x, y, z}}, place);
}

/* A floor with its surface at height 0. */
static inline int add_floor(sinew_level *level, float side) {
  return add_box(level, side, 0.2f, side, placed(0, -0.1f, 0));
}

#endif
