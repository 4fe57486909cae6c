#include "math/float_env.h"
#include "math/vec3.h"
#include "model/model.h"
#include "skin/kernels.h"

#include <float.h>
#include <string.h>

typedef struct box {
  sinew_vec3 low, high;
} box;

/* Not fminf and fmaxf, which are function calls. */
static sinew_vec3 least(sinew_vec3 a, sinew_vec3 b) {
  return (sinew_vec3){a.x < b.x ? a.x : b.x, a.y < b.y ? a.y : b.y, a.z < b.z ? a.z : b.z};
}

static sinew_vec3 most(sinew_vec3 a, sinew_vec3 b) {
  return (sinew_vec3){a.x > b.x ? a.x : b.x, a.y > b.y ? a.y : b.y, a.z > b.z ? a.z : b.z};
}

static box join(box a, box b) { return (box){least(a.low, b.low), most(a.high, b.high)}; }

static box no_box(void) { return (box){{FLT_MAX, FLT_MAX, FLT_MAX}, {-FLT_MAX, -FLT_MAX, -FLT_MAX}}; }

static sinew_vec3 read3(const float *values, int i) {
  return (sinew_vec3){values[3 * i], values[3 * i + 1], values[3 * i + 2]};
}

/* The range of a vertex's positions with any of its targets on or off. */
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

/* A model may have thousands of copies of a mesh. Those with targets have rest weights of their own. */
static bool is_as_first(const sinew_mesh_view *mesh) { return mesh->same_as >= 0 && mesh->morph_count == 0; }

static void join_extents(sinew_joint_extent *extents, const sinew_joint_extent *first, int count) {
  for (int i = 0; i < count; i++)
    extents[i] = (sinew_joint_extent){least(extents[i].center, first[i].center), most(extents[i].half, first[i].half)};
}

static void add_copies(const sinew_model *model, sinew_joint_extent *extents) {
  for (int m = 0; m < model->mesh_count; m++) {
    const sinew_mesh_view *mesh = model->meshes + m;
    if (!is_as_first(mesh)) continue;
    const sinew_skin_view *skin = model->skins + mesh->skin, *first = model->skins + model->meshes[mesh->same_as].skin;
    join_extents(extents + skin->first, extents + first->first,
                 skin->count < first->count ? skin->count : first->count);
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
    if (!is_as_first(model->meshes + m))
      add_mesh(model->meshes + m, job->output + model->skins[model->meshes[m].skin].first);
  add_copies(model, job->output);
  for (int i = 0; i < model->palette_count; i++) {
    sinew_vec3 low = job->output[i].center, high = job->output[i].half;
    if (high.x < low.x) job->output[i] = (sinew_joint_extent){{0, 0, 0}, {-1, -1, -1}};
    else job->output[i] = (sinew_joint_extent){vec3_lerp(low, high, 0.5f), vec3_scale(vec3_sub(high, low), 0.5f)};
  }
  float_env_leave(before);
  return true;
}

const char *sinew_bounds_check(const sinew_bounds_job *job) {
  if (job->count < 0) return "bounds: the number of matrices is negative";
  if (job->count > 0 && (!job->extents || !job->palette)) return "bounds: the extents or the palette are missing";
  if (!job->minimum || !job->maximum) return "bounds: the output is missing";
  return NULL;
}

/* For fewer than eight joints: fills up with joints that move nothing. */
static void add_rest(const sinew_bounds_job *job, int first, lanes_box *all) {
  sinew_joint_extent extents[SINEW_LANES];
  sinew_mat3x4 palette[SINEW_LANES] = {{{0}}};
  for (int i = 0; i < SINEW_LANES; i++) extents[i] = (sinew_joint_extent){{0, 0, 0}, {-1, -1, -1}};
  memcpy(extents, job->extents + first, (size_t)(job->count - first) * sizeof *extents);
  memcpy(palette, job->palette + first, (size_t)(job->count - first) * sizeof *palette);
  skin_kernels_current()->bounds(extents, palette, all);
}

bool sinew_bounds(const sinew_bounds_job *job) {
  if (sinew_bounds_check(job)) return false;
  uint64_t before = float_env_enter();
  lanes_box by_lane;
  int i = 0;
  for (int axis = 0; axis < 3; axis++)
    for (int lane = 0; lane < SINEW_LANES; lane++) {
      by_lane.low[axis][lane] = FLT_MAX;
      by_lane.high[axis][lane] = -FLT_MAX;
    }
  for (; i + SINEW_LANES <= job->count; i += SINEW_LANES)
    skin_kernels_current()->bounds(job->extents + i, job->palette + i, &by_lane);
  if (i < job->count) add_rest(job, i, &by_lane);
  box all = no_box();
  for (int lane = 0; lane < SINEW_LANES; lane++)
    all = join(all, (box){{by_lane.low[0][lane], by_lane.low[1][lane], by_lane.low[2][lane]},
                          {by_lane.high[0][lane], by_lane.high[1][lane], by_lane.high[2][lane]}});
  if (all.low.x > all.high.x) all = (box){{0, 0, 0}, {0, 0, 0}};
  *job->minimum = all.low;
  *job->maximum = all.high;
  float_env_leave(before);
  return true;
}
