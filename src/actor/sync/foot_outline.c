#include "actor/sync/foot_outline.h"

#include "actor/sync/limb.h"
#include "math/quat.h"
#include "math/vec3.h"
#include "model/body/body.h"
#include "model/model.h"
#include "pose/modifiers/posed.h"

#include <math.h>

/* Of the distance from ankle to ball: how far a person's heel is behind the ankle, and the toe ahead of the ball. */
static const float heel_behind = 0.5f, toe_ahead = 0.55f;
/* Metres: vertices up to this far above the lowest belong to the sole. */
static const float thickness = 0.06f;
/* And the outline is so much longer at each end. */
static const float margin = 0.015f;

typedef struct outline_search {
  const sinew_model *model;
  const sinew_transform *placed;
  int foot;
  sinew_vec3 along;    /* from heel to toe, unit length */
  float lowest, limit; /* of the vertices; of those of the sole */
  bool found;
  sinew_vec3 ends[2];
  int joints[2];
} outline_search;

static sinew_vec3 into_joint(const outline_search *s, int joint, sinew_vec3 at) {
  sinew_mat3x4 m = sinew_mat3x4_from_transform(s->placed + joint), inverse;
  return sinew_mat3x4_inverse(&m, &inverse) ? sinew_mat3x4_transform_point(&inverse, at) : (sinew_vec3){0, 0, 0};
}

static void add_vertex(outline_search *s, int joint, sinew_vec3 at, bool measures) {
  if (!measures) {
    s->lowest = fminf(s->lowest, at.y);
    return;
  }
  if (at.y > s->limit) return;
  for (int end = 0; end < 2; end++) {
    float ahead = vec3_dot(s->along, at), known = vec3_dot(s->along, s->ends[end]);
    if (s->found && (end ? ahead <= known : ahead >= known)) continue;
    s->ends[end] = at, s->joints[end] = joint;
  }
  s->found = true;
}

/* Of the joint that moves a vertex most. */
static void visit_vertices(outline_search *s, bool measures) {
  for (int i = 0; i < s->model->mesh_count; i++) {
    const sinew_mesh_view *mesh = s->model->meshes + i;
    const sinew_skin_view *skin = s->model->skins + mesh->skin;
    for (int v = 0; v < mesh->vertex_count; v++) {
      int bone = mesh->joints[(size_t)v * (size_t)mesh->influences], joint = skin->joints[bone];
      const float *p = mesh->positions + 3 * (size_t)v;
      if (!limb_is_above(s->model, s->foot, joint)) continue;
      sinew_mat3x4 m = sinew_mat3x4_from_transform(s->placed + joint);
      sinew_vec3 local = sinew_mat3x4_transform_point(skin->inverse_binds + bone, (sinew_vec3){p[0], p[1], p[2]});
      add_vertex(s, joint, sinew_mat3x4_transform_point(&m, local), measures);
    }
  }
}

/* In proportion to a person's. */
static void guess(outline_search *s, sinew_vec3 ankle, sinew_vec3 ball, int pivot) {
  sinew_vec3 along = {ball.x - ankle.x, 0, ball.z - ankle.z};
  s->ends[0] = vec3_add_scaled((sinew_vec3){ankle.x, ball.y, ankle.z}, -heel_behind, along);
  s->ends[1] = vec3_add_scaled(ball, toe_ahead, along);
  s->joints[0] = s->foot, s->joints[1] = pivot;
}

foot_outline foot_outline_find(const sinew_model *model, const sinew_transform *placed, int foot, float size) {
  const int pivot = posed_ball(model, foot);
  const sinew_vec3 ankle = placed[foot].translation, ball = placed[pivot].translation;
  outline_search s = {.model = model, .placed = placed, .foot = foot, .lowest = INFINITY};
  s.along = vec3_unit((sinew_vec3){ball.x - ankle.x, 0, ball.z - ankle.z}, model->body->front);
  visit_vertices(&s, false);
  s.limit = s.lowest + thickness * size;
  if (isfinite(s.lowest)) visit_vertices(&s, true);
  if (!s.found) guess(&s, ankle, ball, pivot);
  foot_outline out = {.foot = foot};
  out.points[FOOT_BALL] = (foot_point){pivot, {0, 0, 0}, ball.y};
  for (int end = 0; end < 2; end++) {
    int i = end ? FOOT_TOE : FOOT_HEEL;
    sinew_vec3 at = vec3_add_scaled(s.ends[end], end ? margin * size : -margin * size, s.along);
    out.points[i] = (foot_point){s.joints[end], into_joint(&s, s.joints[end], at), at.y};
    out.flat[i] = (sinew_vec3){at.x - ball.x, 0, at.z - ball.z};
  }
  return out;
}
