#include "pose/kernels/eight_lanes.h"
#include "pose/kernels/evaluate_lanes.h"

#include <string.h>

/* The same groups of eight characters. Fewer groups would stay in the L1 cache, but then the clips of different
 * characters would alternate too often for the branch predictor to learn which groups move. */
typedef struct eight_part {
  _Alignas(64) sinew_pose_group poses[EIGHT][PART];
  bool scaled[PART]; /* of some character */
} eight_part;

/* ---- from one lane per joint to one per character ---- */

/* Four joints, by component. */
typedef struct eight_joints {
  lanes rotation[4][4], translation[3][4], scale[3][4];
} eight_joints;

LANES_INLINE void turn_components(const float (*from)[SINEW_LANES], int count, int joint, lanes (*to)[4]) {
  for (int c = 0; c < count; c++)
    lanes_load_rows(from[c] + joint, PART * sizeof(sinew_pose_group) / sizeof(float), to[c]);
}

LANES_INLINE void eight_local(const eight_joints *joints, int i, bool scaled, eight_matrix *out) {
  rotation_terms terms = find_rotation_terms(
      (quat_lanes){joints->rotation[0][i], joints->rotation[1][i], joints->rotation[2][i], joints->rotation[3][i]});
  vec_lanes rows[3] = {rotation_row_x(&terms), rotation_row_y(&terms), rotation_row_z(&terms)};
  for (int r = 0; r < 3; r++) {
    if (scaled)
      rows[r] = vec_lanes_multiply(rows[r], (vec_lanes){joints->scale[0][i], joints->scale[1][i], joints->scale[2][i]});
    out->rows[r][0] = rows[r].x, out->rows[r][1] = rows[r].y, out->rows[r][2] = rows[r].z;
    out->rows[r][3] = joints->translation[r][i];
  }
}

/* ---- computing joints ---- */

LANES_INLINE void eight_position(const sinew_model *model, int joint, const eight_matrix *local, float *matrices) {
  const float *above = matrices + (size_t)model->above[joint] * EIGHT;
  float *to = matrices + (size_t)joint * EIGHT_MATRIX;
  for (int r = 0; r < 3; r++) {
    const lanes *own = local->rows[r];
    lanes row[4] = {own[0], own[1], own[2], own[3]};
    if (joint > 0) eight_multiply_row(above + r * EIGHT_ROW, local, row);
    eight_store_row(to + r * EIGHT_ROW, row);
  }
}

/* Computes a group; `pose` is that of the first character. */
LANES_INLINE void eight_group(const sinew_model *model, int group, const sinew_pose_group *pose, bool scaled,
                              float *matrices) {
  for (int first = 0; first < SINEW_LANES; first += 4) {
    eight_joints joints;
    turn_components(pose->rotation, 4, first, joints.rotation);
    turn_components(pose->translation, 3, first, joints.translation);
    if (scaled) turn_components(pose->scale, 3, first, joints.scale);
    for (int i = 0, joint = group * SINEW_LANES + first; i < 4 && joint + i < model->joint_count; i++) {
      eight_matrix local;
      eight_local(&joints, i, scaled, &local);
      eight_position(model, joint + i, &local, matrices);
    }
  }
}

/* ---- all of it ---- */

static void rest_scale(sinew_pose_group *pose) {
  const lanes one = lanes_set(1);
  store_vectors(pose->scale, (vec_lanes){one, one, one});
}

static void read_eight(evaluation *characters, int first, int count, eight_part *out) {
  bool scaled[EIGHT][PART];
  memset(out->scaled, 0, sizeof out->scaled);
  for (int i = 0; i < EIGHT; i++) {
    part p = {.first = first, .count = count, .poses = out->poses[i]};
    read_part(characters + i, &p);
    for (int k = 0; k < count; k++) out->scaled[k] |= scaled[i][k] = p.scaled[k];
  }
  for (int k = 0; k < count; k++)
    for (int i = 0; i < EIGHT && out->scaled[k]; i++)
      if (!scaled[i][k]) rest_scale(out->poses[i] + k);
}

void LANES_NAME(pose_evaluate_eight, LANES_SUFFIX)(const sinew_evaluate_job *jobs, float *matrices) {
  const sinew_model *model = jobs->model;
  evaluation characters[EIGHT];
  eight_part p;
  for (int i = 0; i < EIGHT; i++) open_evaluation(characters + i, jobs + i);
  int groups = sinew_pose_group_count(model->joint_count);
  for (int first = 0; first < groups; first += PART) {
    int count = groups - first < PART ? groups - first : PART;
    read_eight(characters, first, count, &p);
    for (int k = 0; k < count; k++) {
      if (p.scaled[k]) eight_group(model, first + k, p.poses[0] + k, true, matrices);
      else eight_group(model, first + k, p.poses[0] + k, false, matrices);
    }
  }
}
