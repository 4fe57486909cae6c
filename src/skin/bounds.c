#include "math/float_env.h"
#include "math/vec3.h"
#include "model/model.h"

#include <float.h>

typedef struct box {
  sinew_vec3 low, high;
} box;

static sinew_vec3 least(sinew_vec3 a, sinew_vec3 b) {
  return (sinew_vec3){fminf(a.x, b.x), fminf(a.y, b.y), fminf(a.z, b.z)};
}

static sinew_vec3 most(sinew_vec3 a, sinew_vec3 b) {
  return (sinew_vec3){fmaxf(a.x, b.x), fmaxf(a.y, b.y), fmaxf(a.z, b.z)};
}

static box join(box a, box b) { return (box){least(a.low, b.low), most(a.high, b.high)}; }

static box no_box(void) { return (box){{FLT_MAX, FLT_MAX, FLT_MAX}, {-FLT_MAX, -FLT_MAX, -FLT_MAX}}; }

static sinew_vec3 read3(const float *values, int i) {
  return (sinew_vec3){values[3 * i], values[3 * i + 1], values[3 * i + 2]};
}

/* Where a vertex may be with any of its targets on or off. */
static box morphed_vertex(const sinew_mesh_view *mesh, int v) {
  sinew_vec3 p = read3(mesh->positions, v);
  box b = {p, p};
  for (int i = 0; i < mesh->morph_count; i++) {
    const sinew_morph_view *morph = mesh->morphs + i;
    sinew_vec3 d = read3(morph->positions, v);
    sinew_vec3 off = vec3_scale(d, fminf(morph->rest_weight, 0)), on = vec3_scale(d, fmaxf(morph->rest_weight, 1));
    b = (box){vec3_add(b.low, least(off, on)), vec3_add(b.high, most(off, on))};
  }
  return b;
}

/* Until all vertices are counted, `center` is the lowest corner and `half` the highest. */
static void add_mesh(const sinew_mesh_view *mesh, sinew_joint_extent *extents) {
  for (int v = 0; v < mesh->vertex_count; v++) {
    box b = morphed_vertex(mesh, v);
    for (int k = 0; k < mesh->influences; k++) {
      if (!(mesh->weights[v * mesh->influences + k] > 0)) continue;
      sinew_joint_extent *e = extents + mesh->joints[v * mesh->influences + k];
      *e = (sinew_joint_extent){least(e->center, b.low), most(e->half, b.high)};
    }
  }
}

const char *sinew_joint_extents_check(const sinew_joint_extents_job *job) {
  if (!job->model) return "joint extents: the model is missing";
  if (!job->output && job->model->palette_count > 0) return "joint extents: the output is missing";
  return NULL;
}

bool sinew_joint_extents(const sinew_joint_extents_job *job) {
  if (sinew_joint_extents_check(job)) return false;
  uint64_t before = float_env_enter();
  const sinew_model *model = job->model;
  box none = no_box();
  for (int i = 0; i < model->palette_count; i++) job->output[i] = (sinew_joint_extent){none.low, none.high};
  for (int m = 0; m < model->mesh_count; m++)
    add_mesh(model->meshes + m, job->output + model->skins[model->meshes[m].skin].first);
  for (int i = 0; i < model->palette_count; i++) {
    sinew_vec3 low = job->output[i].center, high = job->output[i].half;
    if (high.x < low.x) job->output[i] = (sinew_joint_extent){{0, 0, 0}, {-1, -1, -1}};
    else job->output[i] = (sinew_joint_extent){vec3_lerp(low, high, 0.5f), vec3_scale(vec3_sub(high, low), 0.5f)};
  }
  float_env_leave(before);
  return true;
}

/* A little more than the box, for what rounding does to a vertex and to the sum of its weights. */
static const float slack = 4e-6f;

static box moved_box(const sinew_joint_extent *e, const sinew_mat3x4 *matrix) {
  const float *m = matrix->m;
  sinew_vec3 center = sinew_mat3x4_transform_point(matrix, e->center), half;
  float *h = &half.x;
  const float *c = &center.x;
  for (int r = 0; r < 3; r++, m += 4) {
    float reach = fabsf(m[0]) * e->half.x + fabsf(m[1]) * e->half.y + fabsf(m[2]) * e->half.z;
    float size = fabsf(m[0] * e->center.x) + fabsf(m[1] * e->center.y) + fabsf(m[2] * e->center.z) + fabsf(m[3]);
    h[r] = reach + slack * (reach + size + fabsf(c[r]));
  }
  return (box){vec3_sub(center, half), vec3_add(center, half)};
}

const char *sinew_bounds_check(const sinew_bounds_job *job) {
  if (job->count < 0) return "bounds: the number of matrices is negative";
  if (job->count > 0 && (!job->extents || !job->palette)) return "bounds: the extents or the palette are missing";
  if (!job->minimum || !job->maximum) return "bounds: the output is missing";
  return NULL;
}

bool sinew_bounds(const sinew_bounds_job *job) {
  if (sinew_bounds_check(job)) return false;
  uint64_t before = float_env_enter();
  box all = no_box();
  for (int i = 0; i < job->count; i++) {
    if (job->extents[i].half.x < 0) continue;
    box b = moved_box(job->extents + i, job->palette + i);
    if (vec3_is_finite(b.low) && vec3_is_finite(b.high)) all = join(all, b);
  }
  if (all.low.x > all.high.x) all = (box){{0, 0, 0}, {0, 0, 0}};
  *job->minimum = all.low;
  *job->maximum = all.high;
  float_env_leave(before);
  return true;
}
