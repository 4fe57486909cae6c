#include "model/model.h"

#include <stddef.h>

const char *sinew_local_to_model_check(const sinew_local_to_model_job *job) {
  if (!job->model) return "local to model: the model is missing";
  if (!job->pose.groups || !job->output) return "local to model: the pose or the output is missing";
  if (job->pose.joint_count != job->model->joint_count) return "local to model: the pose is not of the model's size";
  return NULL;
}

/* T·R·S of eight joints: rows[element][lane]. The rotation is divided by |q|² in place of normalising it. */
static void local_matrices(const sinew_pose_group *g, float rows[12][SINEW_LANES]) {
  for (int i = 0; i < SINEW_LANES; i++) {
    float x = g->rotation[0][i], y = g->rotation[1][i], z = g->rotation[2][i], w = g->rotation[3][i];
    float s = 2 / (x * x + y * y + z * z + w * w);
    float xs = x * s, ys = y * s, zs = z * s;
    float sx = g->scale[0][i], sy = g->scale[1][i], sz = g->scale[2][i];
    rows[0][i] = (1 - (y * ys + z * zs)) * sx;
    rows[1][i] = (x * ys - w * zs) * sy;
    rows[2][i] = (x * zs + w * ys) * sz;
    rows[3][i] = g->translation[0][i];
    rows[4][i] = (x * ys + w * zs) * sx;
    rows[5][i] = (1 - (x * xs + z * zs)) * sy;
    rows[6][i] = (y * zs - w * xs) * sz;
    rows[7][i] = g->translation[1][i];
    rows[8][i] = (x * zs - w * ys) * sx;
    rows[9][i] = (y * zs + w * xs) * sy;
    rows[10][i] = (1 - (x * xs + y * ys)) * sz;
    rows[11][i] = g->translation[2][i];
  }
}

/* parent × the local matrix in one lane. */
static void multiply_lane(const float *restrict parent, float (*restrict rows)[SINEW_LANES], int lane,
                          float *restrict out) {
  for (int r = 0; r < 3; r++) {
    const float *p = parent + 4 * r;
    for (int c = 0; c < 4; c++) out[4 * r + c] = p[0] * rows[c][lane] + p[1] * rows[4 + c][lane] + p[2] * rows[8 + c][lane];
    out[4 * r + 3] += p[3];
  }
}

bool sinew_local_to_model(const sinew_local_to_model_job *job) {
  if (sinew_local_to_model_check(job)) return false;
  static const float identity[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
  const int32_t *parents = job->model->parents;
  int count = job->model->joint_count;
  for (int first = 0; first < count; first += SINEW_LANES) {
    float rows[12][SINEW_LANES];
    local_matrices(job->pose.groups + first / SINEW_LANES, rows);
    int end = count - first < SINEW_LANES ? count - first : SINEW_LANES;
    for (int lane = 0; lane < end; lane++) {
      int parent = parents[first + lane];
      multiply_lane(parent < 0 ? identity : job->output[parent].m, rows, lane, job->output[first + lane].m);
    }
  }
  return true;
}
