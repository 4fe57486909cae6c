/* Blend spaces: weights against what barycentric coordinates and Delaunay's empty circles say by definition. */
#include "support/fixture.h"

#include "actor/graph/blend_space.h"

#include <sinew/graph.h>

static space_point points[SPACE_SAMPLES];
static float weights[SPACE_SAMPLES];

static void scatter(int count) {
  for (int i = 0; i < count; i++) points[i] = (space_point){(double)random_range(-3, 3), (double)random_range(-3, 3)};
}

static void scatter_grid(int side) {
  for (int i = 0; i < side * side; i++) points[i] = (space_point){i % side * 0.7, i / side * 1.3};
}

static double cross(space_point a, space_point b, space_point c) {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

/* The area of the convex hull: a triangle fan over the edges that have all points on one side. */
static double hull_area(int count) {
  double sum = 0;
  for (int a = 0; a < count; a++)
    for (int b = 0; b < count; b++) {
      bool edge = a != b;
      for (int c = 0; c < count && edge; c++) {
        double side = cross(points[a], points[b], points[c]);
        double along = (points[c].x - points[a].x) * (points[b].x - points[a].x) +
                       (points[c].y - points[a].y) * (points[b].y - points[a].y);
        double length = pow(points[b].x - points[a].x, 2) + pow(points[b].y - points[a].y, 2);
        bool between = fabs(side) < 1e-12 && c != a && c != b && along > 0 && along < length;
        if (side < -1e-12 || between) edge = false;
      }
      if (edge) sum += points[a].x * points[b].y - points[a].y * points[b].x;
    }
  return sum / 2;
}

static double triangles_area(const space_triangulation *t) {
  double sum = 0;
  for (int i = 0; i < t->count; i++)
    sum += cross(t->points[t->corners[i][0]], t->points[t->corners[i][1]], t->points[t->corners[i][2]]) / 2;
  return sum;
}

static double sum_of(int count) {
  double sum = 0;
  for (int i = 0; i < count; i++) {
    assert_true(weights[i] >= 0);
    sum += (double)weights[i];
  }
  return sum;
}

static space_point mean_of(int count) {
  space_point mean = {0, 0};
  for (int i = 0; i < count; i++) {
    mean.x += (double)weights[i] * points[i].x;
    mean.y += (double)weights[i] * points[i].y;
  }
  return mean;
}

static void triangles_fill_the_hull(void **state) {
  (void)state;
  space_triangulation t;
  for (int round = 0; round < 200; round++) {
    int count = 3 + (int)(random_bits() % 40);
    scatter(count);
    space_triangulate(points, count, &t);
    assert_near(triangles_area(&t), hull_area(count), 2e-3);
  }
  for (int side = 2; side <= 8; side++) {
    scatter_grid(side);
    space_triangulate(points, side * side, &t);
    assert_near(triangles_area(&t), 0.7 * 1.3 * (side - 1) * (side - 1), 1e-9);
  }
}

static void no_point_lies_in_the_circle_of_a_triangle(void **state) {
  (void)state;
  space_triangulation t;
  scatter(30);
  space_triangulate(points, 30, &t);
  for (int i = 0; i < t.count; i++) {
    space_point a = points[t.corners[i][0]], b = points[t.corners[i][1]], c = points[t.corners[i][2]];
    double d = 2 * cross(a, b, c), bx = b.x - a.x, by = b.y - a.y, cx = c.x - a.x, cy = c.y - a.y;
    double ux = (cy * (bx * bx + by * by) - by * (cx * cx + cy * cy)) / d;
    double uy = (bx * (cx * cx + cy * cy) - cx * (bx * bx + by * by)) / d;
    double radius = sqrt(ux * ux + uy * uy);
    for (int k = 0; k < 30; k++)
      assert_true(sqrt(pow(points[k].x - a.x - ux, 2) + pow(points[k].y - a.y - uy, 2)) > radius - 1e-6);
  }
}

static void weights_inside_give_the_place_back(void **state) {
  (void)state;
  space_triangulation t;
  scatter(12);
  space_triangulate(points, 12, &t);
  memcpy(points, t.points, 12 * sizeof *points); /* some are put on an edge */
  for (int round = 0; round < 500; round++) {
    /* A place inside: any convex mix of the samples. */
    space_point at = {0, 0};
    double total = 0, share[12];
    for (int i = 0; i < 12; i++) total += share[i] = (double)random_range(0, 1);
    for (int i = 0; i < 12; i++) at.x += share[i] / total * points[i].x, at.y += share[i] / total * points[i].y;
    space_weights_2d(&t, 12, at.x, at.y, weights);
    assert_near(sum_of(12), 1, 1e-6);
    assert_near(mean_of(12).x, at.x, 1e-5);
    assert_near(mean_of(12).y, at.y, 1e-5);
  }
}

static void outside_the_nearest_place_of_the_edge_counts(void **state) {
  (void)state;
  space_triangulation t;
  points[0] = (space_point){0, 0}, points[1] = (space_point){1, 0};
  points[2] = (space_point){1, 1}, points[3] = (space_point){0, 1};
  space_triangulate(points, 4, &t);
  for (int round = 0; round < 500; round++) {
    double x = (double)random_range(-2, 3), y = (double)random_range(-2, 3);
    space_weights_2d(&t, 4, x, y, weights);
    assert_near(mean_of(4).x, fmin(fmax(x, 0), 1), 1e-6);
    assert_near(mean_of(4).y, fmin(fmax(y, 0), 1), 1e-6);
  }
}

static void weigh_at(const space_triangulation *t, double angle, float *out) {
  space_weights_2d(t, 20, 4 * sin(angle * 3), 4 * sin(angle * 2 + 1), out);
}

/* The jump between two angles. A steep slope is not a jump: it vanishes when the interval is halved again and again. */
static double jump_between(const space_triangulation *t, double from, double to) {
  float a[20], b[20], middle[20];
  double left = 1, right = 1;
  for (int round = 0; round < 30 && fmax(left, right) > 0.01; round++) {
    weigh_at(t, from, a), weigh_at(t, to, b), weigh_at(t, (from + to) / 2, middle);
    left = right = 0;
    for (int i = 0; i < 20; i++) left = fmax(left, fabs((double)(middle[i] - a[i])));
    for (int i = 0; i < 20; i++) right = fmax(right, fabs((double)(b[i] - middle[i])));
    if (left > right) to = (from + to) / 2;
    else from = (from + to) / 2;
  }
  return fmax(left, right);
}

static void weights_move_without_a_jump(void **state) {
  (void)state;
  for (int round = 0; round < 20; round++) {
    space_triangulation t;
    scatter(20);
    space_triangulate(points, 20, &t);
    for (int step = 0; step < 4000; step++) assert_true(jump_between(&t, step * 0.004, (step + 1) * 0.004) <= 0.01);
  }
}

static void samples_on_a_line_blend_along_it(void **state) {
  (void)state;
  space_triangulation t;
  for (int i = 0; i < 4; i++) points[i] = (space_point){(i * 3) % 4, 2.0 * ((i * 3) % 4)};
  space_triangulate(points, 4, &t);
  assert_int_equal(t.count, 0);
  space_weights_2d(&t, 4, 1.25, 2.5, weights);
  assert_near(mean_of(4).x, 1.25, 1e-6);
  assert_near(sum_of(4), 1, 1e-6);
  space_weights_2d(&t, 1, 9, 9, weights);
  assert_near(weights[0], 1, 0);
}

/* As clips have it whose feet say how fast they go: what goes ahead is a hand's breadth beside the line, and strafes
 * are a little behind those who stand. Nowhere does a clip come or go at once. */
static void samples_beside_a_line_count_on_both_of_its_sides(void **state) {
  (void)state;
  static const space_point noise[][2] = {{{0.004, 0}, {-0.01, 0}}, {{-0.004, 0}, {0.01, 0}}, {{0, 0.01}, {0, -0.01}}};
  for (int k = 0; k < 3; k++)
    for (int strafes = 0; strafes < 3; strafes++) {
      space_triangulation t;
      float before[5] = {0};
      int count = 3 + strafes;
      points[0] = (space_point){0, 0}, points[1] = (space_point){noise[k][0].x, 0.65 + noise[k][0].y};
      points[2] = (space_point){0, 1.4}, points[3] = (space_point){0.8, noise[k][1].x - 0.01};
      points[4] = (space_point){-0.8, noise[k][1].y - 0.01};
      space_triangulate(points, count, &t);
      for (int i = 0; i <= 8000; i++) {
        double angle = i * 2 * 3.14159265358979323846 / 8000, size = i % 2 ? 0.7 : 0.7001;
        space_weights_2d(&t, count, size * sin(angle), size * cos(angle), weights);
        assert_near(sum_of(count), 1, 1e-6);
        for (int c = 0; c < count && i; c++)
          if (fabsf(weights[c] - before[c]) > 0.01f) fail_msg("%d, %d strafes: sample %d jumps", k, strafes, c);
        memcpy(before, weights, sizeof before);
      }
      space_weights_2d(&t, count, 0, -0.5, weights);
      assert_near(weights[0], 1, 0.05); /* who is asked to go back, and cannot, stands */
    }
}

/* Gaits that drift a little to either side, as recorded ones do: only neighbours along the line count, wherever the
 * point is. A walk between a run and a walk backwards used to give way to these two. */
static void samples_beside_a_line_count_with_their_neighbours(void **state) {
  (void)state;
  for (int round = 0; round < 500; round++) {
    space_triangulation t;
    int count = 3 + round % 4, order[] = {2, 0, 3, 1, 5, 4};
    for (int i = 0; i < count; i++)
      points[i] =
          (space_point){(double)random_range(-0.004f, 0.004f), order[i] - 1 + (double)random_range(-0.2f, 0.2f)};
    space_triangulate(points, count, &t);
    for (int i = 0; i < 40; i++) {
      space_point at = {(double)random_range(-2, 2), (double)random_range(-2, (float)count)};
      space_weights_2d(&t, count, at.x, at.y, weights);
      for (int a = 0; a < count; a++)
        for (int b = 0; b < count; b++)
          for (int c = 0; c < count; c++)
            if (points[a].y < points[c].y && points[c].y < points[b].y && weights[a] > 0.02f && weights[b] > 0.02f)
              assert_true(weights[c] > 0.02f);
    }
  }
}

static void samples_at_one_place_count_once(void **state) {
  (void)state;
  space_triangulation t;
  for (int i = 0; i < 6; i++) points[i] = (space_point){i % 3 == 1, i % 3 == 2};
  space_triangulate(points, 6, &t);
  assert_int_equal(t.count, 1);
  space_weights_2d(&t, 6, 0.2, 0.3, weights);
  assert_near(weights[0], 0.5, 1e-6);
  assert_near(weights[3] + weights[4] + weights[5], 0, 0);
}

static void on_a_line_the_two_neighbours_count(void **state) {
  (void)state;
  double at[] = {4.2, 0, 1.6};
  for (int i = 0; i < 3; i++) points[i] = (space_point){at[i], 0};
  space_weights_1d(points, 3, 2.9, weights);
  assert_near(weights[0], 0.5, 1e-6);
  assert_near(weights[2], 0.5, 1e-6);
  assert_near(weights[1], 0, 0);
  space_weights_1d(points, 3, -1, weights);
  assert_near(weights[1], 1, 0);
  space_weights_1d(points, 3, 100, weights);
  assert_near(weights[0], 1, 0);
}

static void places_alone_give_weights(void **state) {
  (void)state;
  static const float positions[] = {0, 0, 1, 0, 0, 1, 1, 1, 4, 4}, wild[] = {0, 0, NAN, 1};
  float own[5];
  assert_true(sinew_space_weights(positions, 5, 0.2f, 0.3f, own));
  assert_near(own[0] + own[1] + own[2] + own[3], 1, 1e-6);
  assert_near(own[1] + own[3], 0.2, 1e-6); /* x and y of the mean */
  assert_near(own[2] + own[3], 0.3, 1e-6);
  assert_true(sinew_space_weights(positions, 1, 7, 7, own));
  assert_near(own[0], 1, 0);
  assert_true(sinew_space_weights(positions, 5, 9, 9, own));
  assert_near(own[4], 1, 1e-6);
  assert_false(sinew_space_weights(positions, 0, 0, 0, own));
  assert_false(sinew_space_weights(positions, 65, 0, 0, own));
  assert_false(sinew_space_weights(positions, 5, NAN, 0, own));
  assert_false(sinew_space_weights(positions, 5, 0, INFINITY, own));
  assert_false(sinew_space_weights(wild, 2, 0, 0, own));
  assert_near(own[4], 1, 1e-6); /* nothing was written */
}

/* Three by three, as an aim offset has them: the same to the left as to the right, and bilinear in each square. */
static void a_grid_has_no_preferred_side(void **state) {
  (void)state;
  space_triangulation t;
  for (int i = 0; i < 9; i++) points[i] = (space_point){i % 3 - 1, i / 3 - 1};
  space_triangulate(points, 9, &t);
  assert_int_equal(t.cells, 4);
  for (double x = -1; x <= 1; x += 0.125)
    for (double y = -1; y <= 1; y += 0.125) {
      space_weights_2d(&t, 9, x, y, weights);
      for (int i = 0; i < 9; i++)
        assert_near(weights[i], fmax(1 - fabs(x - points[i].x), 0) * fmax(1 - fabs(y - points[i].y), 0), 1e-6);
    }
}

/* Eight on a circle: the place is the mean of the corners, whichever comes first. */
static void points_on_a_circle_are_one_cell(void **state) {
  (void)state;
  space_triangulation t;
  for (int i = 0; i < 8; i++)
    points[i] = (space_point){2 * cos(i * 0.7853981633974483), 2 * sin(i * 0.7853981633974483)};
  space_triangulate(points, 8, &t);
  assert_int_equal(t.cells, 1);
  space_weights_2d(&t, 8, 0, 0, weights);
  for (int i = 0; i < 8; i++) assert_near(weights[i], 0.125, 1e-6);
  space_weights_2d(&t, 8, 0.7, -0.4, weights);
  assert_near(mean_of(8).x, 0.7, 1e-6);
  assert_near(mean_of(8).y, -0.4, 1e-6);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(triangles_fill_the_hull),
      cmocka_unit_test(no_point_lies_in_the_circle_of_a_triangle),
      cmocka_unit_test(weights_inside_give_the_place_back),
      cmocka_unit_test(outside_the_nearest_place_of_the_edge_counts),
      cmocka_unit_test(weights_move_without_a_jump),
      cmocka_unit_test(samples_on_a_line_blend_along_it),
      cmocka_unit_test(samples_beside_a_line_count_on_both_of_its_sides),
      cmocka_unit_test(samples_beside_a_line_count_with_their_neighbours),
      cmocka_unit_test(samples_at_one_place_count_once),
      cmocka_unit_test(on_a_line_the_two_neighbours_count),
      cmocka_unit_test(places_alone_give_weights),
      cmocka_unit_test(a_grid_has_no_preferred_side),
      cmocka_unit_test(points_on_a_circle_are_one_cell),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
