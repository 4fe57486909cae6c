#include "import/clip/clip_reach.h"

#include <math.h>

/* Metres. */
static const double least_reach = 1e-6;
/* A person's reach is about two metres, so this is a tenth of one. */
static const double shell_of_model = 0.05;

static double distance(const sinew_mat3x4 *a, const sinew_mat3x4 *b) {
  double x = (double)a->m[3] - (double)b->m[3], y = (double)a->m[7] - (double)b->m[7];
  double z = (double)a->m[11] - (double)b->m[11];
  return sqrt(x * x + y * y + z * z);
}

static sinew_mat3x4 *rest_joints(raw_model *raw, const model_desc *model) {
  sinew_mat3x4 *joints = raw_alloc(raw, (size_t)model->joint_count, sizeof *joints);
  sinew_mat3x4 root = sinew_mat3x4_from_transform(&model->root);
  for (int i = 0; joints && i < model->joint_count; i++) {
    const joint_desc *joint = model->joints + i;
    sinew_mat3x4 local = sinew_mat3x4_from_transform(&joint->rest);
    joints[i] = sinew_mat3x4_multiply(joint->parent < 0 ? &root : joints + joint->parent, &local);
  }
  return joints;
}

static double column_length(const sinew_mat3x4 *m, int c) {
  return sqrt((double)m->m[c] * (double)m->m[c] + (double)m->m[4 + c] * (double)m->m[4 + c] +
              (double)m->m[8 + c] * (double)m->m[8 + c]);
}

static double largest_scale(const sinew_mat3x4 *m) {
  return fmax(column_length(m, 0), fmax(column_length(m, 1), column_length(m, 2)));
}

static void reach_vertex(double *skin, const sinew_mat3x4 *bind, const float *p) {
  sinew_vec3 v = sinew_mat3x4_transform_point(bind, (sinew_vec3){p[0], p[1], p[2]});
  double away = sqrt((double)v.x * (double)v.x + (double)v.y * (double)v.y + (double)v.z * (double)v.z);
  if (isfinite(away) && away > *skin) *skin = away;
}

static void reach_mesh(const raw_mesh *mesh, double *skin) {
  sinew_mat3x4 identity = sinew_mat3x4_identity();
  for (int b = 0; b < mesh->bone_count; b++) {
    const raw_bone *bone = mesh->bones + b;
    for (int w = 0; bone->node >= 0 && w < bone->weight_count; w++)
      reach_vertex(skin + bone->node, &bone->inverse_bind, mesh->positions + (size_t)bone->weights[w].vertex * 3);
  }
  for (int v = 0; mesh->bone_count == 0 && mesh->node >= 0 && v < mesh->vertex_count; v++)
    reach_vertex(skin + mesh->node, &identity, mesh->positions + (size_t)v * 3);
}

/* Computes the distance from each joint to the farthest point that it moves; a joint moves points at least `least`
 * beside it. Returns the largest. */
static double reach_nodes(const model_desc *model, const sinew_mat3x4 *joints, const double *skin, double least,
                          double *node) {
  double largest = least;
  for (int i = 0; i < model->joint_count; i++) {
    double skinned = skin[i] * largest_scale(joints + i);
    node[i] = isfinite(skinned) ? fmax(skinned, least) : least;
  }
  for (int i = model->joint_count - 1; i >= 0; i--) {
    int parent = model->joints[i].parent;
    largest = fmax(largest, node[i]);
    if (parent >= 0) node[parent] = fmax(node[parent], node[i] + distance(joints + parent, joints + i));
  }
  return largest;
}

/* A joint without a length, or with one too small to divide by, moves nothing visible: any unit will do. */
static void find_stretch(const model_desc *model, const sinew_mat3x4 *joints, double *stretch) {
  sinew_mat3x4 root = sinew_mat3x4_from_transform(&model->root);
  for (int i = 0; i < model->joint_count; i++) {
    int parent = model->joints[i].parent;
    double scale = largest_scale(parent < 0 ? &root : joints + parent);
    stretch[i] = scale > 1e-12 && isfinite(scale) ? scale : 1;
  }
}

bool clip_reach_find(raw_model *raw, const model_desc *model, clip_reach *reach) {
  double *node = raw_alloc(raw, (size_t)model->joint_count, sizeof *node);
  double *skin = raw_alloc(raw, (size_t)model->joint_count, sizeof *skin);
  double *stretch = raw_alloc(raw, (size_t)model->joint_count, sizeof *stretch);
  sinew_mat3x4 *joints = rest_joints(raw, model);
  if (!node || !skin || !stretch || !joints) return false;
  for (int m = 0; m < raw->mesh_count; m++) reach_mesh(raw->meshes + m, skin);
  *reach = (clip_reach){.skin = skin, .node = node, .stretch = stretch};
  reach->model = reach_nodes(model, joints, skin, least_reach, node);
  if (!(reach->model > least_reach)) reach->model = 1; /* all joints are at one point, so there is no size */
  reach->shell = shell_of_model * reach->model;
  reach_nodes(model, joints, skin, reach->shell, node);
  find_stretch(model, joints, stretch);
  return true;
}
