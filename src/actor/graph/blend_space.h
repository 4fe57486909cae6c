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

/* Weights that sum to 1: at most two samples count, the neighbours of x; outside of the line the last one alone. The
 * order of the points does not matter; of points at one position the first counts. */
void space_weights_1d(const space_point *points, int count, double x, float *weights);

typedef struct space_triangulation {
  uint8_t corners[SPACE_TRIANGLES][3];
  int count;
  /* Triangles on one circle are one convex cell, whose corners turn to the left: cell i has ring[first[i]] and on. */
  uint8_t ring[3 * SPACE_TRIANGLES];
  int16_t first[SPACE_TRIANGLES + 1];
  int cells;
} space_triangulation;

/* The Delaunay triangulation (Bowyer 1981, Watson 1981), in which points on one circle have no preferred diagonal.
 * Points on one line give no triangle; of points at one position the first counts. */
void space_triangulate(const space_point *points, int count, space_triangulation *out);

/* Wachspress weights in the cell around (x, y), which are barycentric in a triangle and bilinear in a rectangle;
 * outside, those of the nearest point of an edge. Without a triangle the points are taken as standing on a line. */
void space_weights_2d(const space_point *points, int count, const space_triangulation *triangulation, double x,
                      double y, float *weights);

#endif
