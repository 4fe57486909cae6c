#include "render/meshes/bounds.h"

#include "math/vec3.h"
#include <float.h>
#include <math.h>

float bounds_morph_reach(const sinew_mesh_view *mesh) {
  float longest = 0.0f;
  for (int t = 0; t < mesh->morph_count; t++)
    for (int v = 0; v < mesh->vertex_count; v++) {
      const float *d = mesh->morphs[t].positions + 3 * (size_t)v;
      longest = fmaxf(longest, d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    }
  return sqrtf(longest);
}

/* The first visit makes the mean of a ball's vertices its centre, the second makes the distance of the farthest one its
 * radius. */
typedef void visit(joint_ball *ball, sinew_vec3 position);

static void for_each_influence(const sinew_mesh_view *mesh, joint_ball *balls, visit *function) {
  for (int v = 0; v < mesh->vertex_count; v++) {
    const float *p = mesh->positions + 3 * (size_t)v;
    for (int i = 0; i < mesh->influences; i++) {
      size_t at = (size_t)v * (size_t)mesh->influences + (size_t)i;
      if (mesh->weights[at] > 0.0f) function(&balls[mesh->joints[at]], (sinew_vec3){p[0], p[1], p[2]});
    }
  }
}

static void add_center(joint_ball *ball, sinew_vec3 p) {
  /* a running mean: the centre need not be optimal. radius holds minus the count until it is measured */
  ball->radius -= 1.0f;
  float fraction = 1.0f / -ball->radius;
  ball->center = vec3_lerp(ball->center, p, fraction);
}

static void add_radius(joint_ball *ball, sinew_vec3 p) {
  ball->radius = fmaxf(ball->radius, vec3_distance(p, ball->center));
}

static void for_each_original(const sinew_model *model, joint_ball *balls, visit *function) {
  for (int i = 0; i < sinew_model_mesh_count(model); i++) {
    sinew_mesh_view mesh = sinew_model_mesh(model, i);
    if (mesh.same_as < 0) for_each_influence(&mesh, balls + sinew_model_skin(model, mesh.skin).first, function);
  }
}

static void cover(joint_ball *ball, const joint_ball *other) {
  if (other->radius < 0.0f) return;
  if (ball->radius < 0.0f) *ball = *other;
  else ball->radius = fmaxf(ball->radius, vec3_distance(ball->center, other->center) + other->radius);
}

/* A model may have thousands of copies of a mesh: their balls are those of the first. */
static void cover_copies(const sinew_model *model, joint_ball *balls) {
  for (int i = 0; i < sinew_model_mesh_count(model); i++) {
    sinew_mesh_view mesh = sinew_model_mesh(model, i);
    if (mesh.same_as < 0) continue;
    sinew_skin_view skin = sinew_model_skin(model, mesh.skin),
                    first = sinew_model_skin(model, sinew_model_mesh(model, mesh.same_as).skin);
    for (int k = 0; k < skin.count && k < first.count && skin.first != first.first; k++)
      cover(balls + skin.first + k, balls + first.first + k);
  }
}

void bounds_measure(const sinew_model *model, joint_ball *balls) {
  int count = sinew_model_palette_count(model);
  for (int i = 0; i < count; i++) balls[i] = (joint_ball){0};
  for_each_original(model, balls, add_center);
  for (int i = 0; i < count; i++) balls[i].radius = balls[i].radius < 0.0f ? 0.0f : -1.0f;
  for_each_original(model, balls, add_radius);
  cover_copies(model, balls);
}

bounds_box bounds_empty(void) { return (bounds_box){{FLT_MAX, FLT_MAX, FLT_MAX}, {-FLT_MAX, -FLT_MAX, -FLT_MAX}}; }

bool bounds_is_empty(const bounds_box *box) {
  return box->minimum.x > box->maximum.x || box->minimum.y > box->maximum.y || box->minimum.z > box->maximum.z;
}

/* Not fminf and fmaxf, which are function calls: a crowd has a million joints. */
static void widen(float *low, float *high, float center, float radius) {
  float from = center - radius, to = center + radius;
  *low = from < *low ? from : *low;
  *high = to > *high ? to : *high;
}

void bounds_add(bounds_box *box, sinew_vec3 center, float radius) {
  widen(&box->minimum.x, &box->maximum.x, center.x, radius);
  widen(&box->minimum.y, &box->maximum.y, center.y, radius);
  widen(&box->minimum.z, &box->maximum.z, center.z, radius);
}

void bounds_join(bounds_box *box, const bounds_box *other) {
  box->minimum = (sinew_vec3){fminf(box->minimum.x, other->minimum.x), fminf(box->minimum.y, other->minimum.y),
                              fminf(box->minimum.z, other->minimum.z)};
  box->maximum = (sinew_vec3){fmaxf(box->maximum.x, other->maximum.x), fmaxf(box->maximum.y, other->maximum.y),
                              fmaxf(box->maximum.z, other->maximum.z)};
}

float bounds_diagonal(const bounds_box *box) {
  return bounds_is_empty(box) ? 0.0f : vec3_distance(box->maximum, box->minimum);
}

static float outside(float low, float high, float at) { return fmaxf(fmaxf(low - at, at - high), 0.0f); }

float bounds_distance(const bounds_box *box, sinew_vec3 from) {
  if (bounds_is_empty(box)) return 0.0f;
  float x = outside(box->minimum.x, box->maximum.x, from.x), y = outside(box->minimum.y, box->maximum.y, from.y),
        z = outside(box->minimum.z, box->maximum.z, from.z);
  return sqrtf(x * x + y * y + z * z);
}

void bounds_add_box(bounds_box *box, const sinew_vec3 corners[2], const sinew_mat3x4 *transform) {
  const sinew_vec3 a = corners[0], b = corners[1];
  const float *m = transform->m;
  float half[3] = {(b.x - a.x) * 0.5f, (b.y - a.y) * 0.5f, (b.z - a.z) * 0.5f}, reach[3];
  sinew_vec3 center =
      sinew_mat3x4_transform_point(transform, (sinew_vec3){(a.x + b.x) * 0.5f, (a.y + b.y) * 0.5f, (a.z + b.z) * 0.5f});
  for (int r = 0; r < 3; r++)
    reach[r] = fabsf(m[4 * r]) * half[0] + fabsf(m[4 * r + 1]) * half[1] + fabsf(m[4 * r + 2]) * half[2];
  bounds_box moved = {{center.x - reach[0], center.y - reach[1], center.z - reach[2]},
                      {center.x + reach[0], center.y + reach[1], center.z + reach[2]}};
  if (isfinite(moved.minimum.x + moved.minimum.y + moved.minimum.z + moved.maximum.x + moved.maximum.y +
               moved.maximum.z))
    bounds_join(box, &moved);
}

/* An upper bound for the factor by which the matrix stretches anything; exact for rotation with scale. */
static float stretch(const sinew_mat3x4 *m) {
  float largest = 0.0f, dots = 0.0f;
  for (int a = 0; a < 3; a++) {
    const float *v = m->m;
    int b = (a + 1) % 3;
    float square = v[a] * v[a] + v[4 + a] * v[4 + a] + v[8 + a] * v[8 + a];
    largest = square > largest ? square : largest;
    dots += fabsf(v[a] * v[b] + v[4 + a] * v[4 + b] + v[8 + a] * v[8 + b]);
  }
  return sqrtf(largest + dots); /* Gershgorin's bound on the largest eigenvalue of MᵀM */
}

void bounds_add_pose(bounds_box *box, const joint_ball *balls, float morphs, const sinew_mat3x4 *palette, int count,
                     const sinew_mat3x4 *transform) {
  float outer = stretch(transform); /* the product of both bounds is a bound for the product */
  for (int i = 0; i < count; i++) {
    if (balls[i].radius < 0.0f) continue;
    sinew_vec3 center = sinew_mat3x4_transform_point(&palette[i], balls[i].center);
    center = sinew_mat3x4_transform_point(transform, center);
    float radius = (balls[i].radius + morphs) * stretch(&palette[i]) * outer;
    if (isfinite(center.x + center.y + center.z + radius)) bounds_add(box, center, radius);
  }
}
