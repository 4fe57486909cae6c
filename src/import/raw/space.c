#include "import/raw/space.h"

#include <math.h>
#include <string.h>

bool space_axis(const char *text, int *axis) {
  bool negative = text[0] == '-';
  if (negative || text[0] == '+') text++;
  if (text[0] < 'x' || text[0] > 'z' || text[1]) return false;
  *axis = text[0] - 'x' + (negative ? 3 : 0);
  return true;
}

/* The smallest rotation that brings the axis to +y: a quarter turn about z or x, or half a turn about x. */
static sinew_mat3x4 turn_up(int axis) {
  static const float turns[6][12] = {
      {0, -1, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0},  {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0},
      {1, 0, 0, 0, 0, 0, 1, 0, 0, -1, 0, 0},  {0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0},
      {1, 0, 0, 0, 0, -1, 0, 0, 0, 0, -1, 0}, {1, 0, 0, 0, 0, 0, -1, 0, 0, 1, 0, 0},
  };
  sinew_mat3x4 rotation;
  memcpy(rotation.m, turns[axis], sizeof rotation.m);
  return rotation;
}

bool space_level_axis(const char *text, int *axis) { return space_axis(text, axis) && *axis % 3 != 1; }

/* The turn about y that brings the level axis to +z. */
static sinew_mat3x4 turn_front(int axis) {
  float x = axis == 0 ? 1 : axis == 3 ? -1 : 0, z = axis == 2 ? 1 : axis == 5 ? -1 : 0;
  return (sinew_mat3x4){{z, 0, -x, 0, 0, 1, 0, 0, x, 0, z, 0}};
}

/* Metres in one unit of the file; conversions scale uniformly. */
static float unit_of(const sinew_mat3x4 *m) { return sqrtf(m->m[0] * m->m[0] + m->m[4] * m->m[4] + m->m[8] * m->m[8]); }

static void scale_by(sinew_mat3x4 *m, float factor) {
  for (int i = 0; i < 12; i++) m->m[i] *= factor;
}

void space_override(raw_model *raw, const sinew_load_options *options) {
  float unit = unit_of(&raw->conversion);
  int axis;
  if (options->up && space_axis(options->up, &axis)) {
    raw->conversion = turn_up(axis);
    scale_by(&raw->conversion, unit);
  }
  if (options->front && space_level_axis(options->front, &axis)) {
    sinew_mat3x4 turn = turn_front(axis);
    raw->conversion = sinew_mat3x4_multiply(&turn, &raw->conversion);
  }
  if (options->unit > 0 && unit > 0) scale_by(&raw->conversion, (float)options->unit / unit);
}
