/* blend_space – the weights of samples on a line or in a plane. */
#ifndef SINEW_ACTOR_BLEND_SPACE_H
#define SINEW_ACTOR_BLEND_SPACE_H

#include <stdbool.h>
#include <stdint.h>

/* Samples in one space at most; a Delaunay triangulation of n points has at most 2 n − 5 triangles. */
enum { SPACE_SAMPLES = 64, SPACE_TRIANGLES = 2 * SPACE_SAMPLES };

typedef struct space_point {
  double x, y;
} space_point;

/* Weights that sum to 1: the two neighbours of x count, or outside the line only the last sample. The order of the
 * points does not matter; of points at one position the first counts. */
void space_weights_1d(const space_point *points, int count, double x, float *weights);

typedef struct space_triangulation {
  space_point points[SPACE_SAMPLES]; /* their effective positions */
  uint8_t corners[SPACE_TRIANGLES][3];
  int count;
  /* Triangles on one circle are one convex cell, whose corners turn to the left: cell i has ring[first[i]] and on. */
  uint8_t ring[3 * SPACE_TRIANGLES];
  int16_t first[SPACE_TRIANGLES + 1];
  int cells;
} space_triangulation;

/* The Delaunay triangulation (Bowyer 1981, Watson 1981), in which points on one circle have no preferred diagonal.
 * Points on one line give no triangle; of points at one place the first counts. A point that lies inside an outermost
 * edge by less than 2 % of the largest extent counts as lying on it. Otherwise the clip of a point slightly off the
 * line of its neighbours would show on one side of the line and vanish on the other. */
void space_triangulate(const space_point *points, int count, space_triangulation *out);

/* Wachspress weights in the cell around (x, y), which are barycentric in a triangle and bilinear in a rectangle;
 * outside, those of the nearest point of an edge. Without a triangle the points count as collinear. */
void space_weights_2d(const space_triangulation *triangulation, int count, double x, double y, float *weights);

#endif
