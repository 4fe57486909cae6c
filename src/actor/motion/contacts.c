/* Contacts of feet with the ground, how far each slides, and why. While a foot stands on any point, that point stays
 * where it is, so a foot slides as far as the point of its sole that moves least. */
#include "actor/stage.h"
#include "base/memory/memory.h"
#include "math/vec3.h"
#include "model/pose_group.h"

#include <math.h>
#include <string.h>

/* ---- soles ---- */

static int leg_with(const actor_metrics *m, const sinew_model *model, int joint) {
  for (; joint > 0; joint = sinew_model_joint_parent(model, joint))
    for (int i = 0; i < m->foot_count; i++)
      if (m->feet[i] == joint) return m->legs[i];
  return -1;
}

/* A vertex in the rest pose, and in the space of the joint that moves it most. */
typedef struct sole_vertex {
  int joint, leg;
  sinew_vec3 local, at;
} sole_vertex;

static bool read_vertex(const actor_metrics *m, const sinew_model *model, const sinew_mat3x4 *joints,
                        const sinew_mesh_view *mesh, int index, sole_vertex *out) {
  const sinew_skin_view *skin = model->skins + mesh->skin;
  int bone = mesh->joints[(size_t)index * (size_t)mesh->influences];
  const float *p = mesh->positions + 3 * (size_t)index;
  out->joint = skin->joints[bone];
  out->leg = leg_with(m, model, out->joint);
  if (out->leg < 0) return false;
  out->local = sinew_mat3x4_transform_point(skin->inverse_binds + bone, (sinew_vec3){p[0], p[1], p[2]});
  out->at = sinew_mat3x4_transform_point(joints + out->joint, out->local);
  return true;
}

enum { EXTREMES = 8, SOLES = SOLE_POINTS / EXTREMES };
/* For each joint with a part of the sole, its outermost vertices over the ground. */
typedef struct sole {
  int joint;
  float reach[EXTREMES];
  sole_vertex ends[EXTREMES];
} sole;

static void add_vertex(sole soles[SOLES], int *count, const sole_vertex *v) {
  static const float slant = 0.70710678f;
  static const float ways[EXTREMES][2] = {{1, 0},         {-1, 0},         {0, 1},          {0, -1},
                                          {slant, slant}, {slant, -slant}, {-slant, slant}, {-slant, -slant}};
  int i = 0;
  while (i < *count && soles[i].joint != v->joint) i++;
  if (i == SOLES) return;
  if (i == *count) {
    soles[(*count)++].joint = v->joint;
    for (int k = 0; k < EXTREMES; k++) soles[i].reach[k] = -INFINITY;
  }
  for (int k = 0; k < EXTREMES; k++) {
    float reach = ways[k][0] * v->at.x + ways[k][1] * v->at.z;
    if (reach > soles[i].reach[k]) soles[i].reach[k] = reach, soles[i].ends[k] = *v;
  }
}

/* Visits the vertices of all legs. Without `lowest` it adds those of the soles; else it finds the lowest of each leg.
 */
static void visit_vertices(const actor_metrics *m, const sinew_model *model, const sinew_mat3x4 *joints,
                           float lowest[SINEW_FEET_MAX], float thickness, sole *soles, int *count) {
  for (int i = 0; i < model->mesh_count; i++)
    for (int v = 0; v < model->meshes[i].vertex_count; v++) {
      sole_vertex vertex;
      if (!read_vertex(m, model, joints, model->meshes + i, v, &vertex)) continue;
      if (!soles) lowest[vertex.leg] = fminf(lowest[vertex.leg], vertex.at.y);
      else if (vertex.at.y <= lowest[vertex.leg] + thickness) add_vertex(soles, count, &vertex);
    }
}

static void add_point(actor_metrics *m, int joint, int side, sinew_vec3 local, float highest) {
  if (m->sole_count == SOLE_POINTS) return;
  m->soles[m->sole_count++] = (sole_point){.joint = joint, .leg = side, .local = local, .highest = highest};
}

static bool has_sole(const actor_metrics *m, int side) {
  for (int i = 0; i < m->sole_count; i++)
    if (m->soles[i].leg == side) return true;
  return false;
}

/* A leg without a mesh stands on its joints. */
static void add_joints(actor_metrics *m, const sinew_mat3x4 *joints, float foot_height) {
  bool bare[SINEW_FEET_MAX];
  for (int i = 0; i < m->foot_count; i++) bare[i] = !has_sole(m, m->legs[i]);
  for (int i = 0; i < m->foot_count; i++)
    if (bare[i]) add_point(m, m->feet[i], m->legs[i], (sinew_vec3){0, 0, 0}, joints[m->feet[i]].m[7] + foot_height);
}

bool contacts_find_soles(actor_metrics *m, const sinew_model *model, float foot_height) {
  float lowest[SINEW_FEET_MAX];
  int count = 0;
  sinew_mat3x4 *joints = mem_alloc_array((size_t)model->joint_count, sizeof *joints);
  sole *soles = mem_alloc_zeroed(SOLES * sizeof *soles);
  if (joints && soles) {
    sinew_local_to_model(&(sinew_local_to_model_job){model, model_rest_pose(model), joints, 0});
    for (int i = 0; i < SINEW_FEET_MAX; i++) lowest[i] = INFINITY;
    visit_vertices(m, model, joints, lowest, 0, NULL, NULL);
    visit_vertices(m, model, joints, lowest, foot_height, soles, &count);
    for (int i = 0; i < count; i++)
      for (int k = 0; k < EXTREMES; k++) {
        const sole_vertex *v = soles[i].ends + k;
        add_point(m, v->joint, v->leg, v->local, v->at.y + foot_height);
      }
    add_joints(m, joints, foot_height);
  }
  bool made = joints && soles;
  mem_free(joints);
  mem_free(soles);
  return made;
}

/* ---- on the ground ---- */

/* The ground of the def, or of a modifier that plants the foot. False: the level on which the actor stands. */
static bool find_ground(const actor_metrics *m, const actor *a, int joint, sinew_vec3 at, float *height,
                        sinew_vec3 *normal) {
  if (!m->ground) return modifiers_plane_under(a, joint, at, height, normal);
  *height = m->ground(m->user, at.x, at.z, normal);
  return true;
}

/* `at`: in the world; `own`: in model space, over the level on which the actor stands. */
static bool is_on_ground(const actor_metrics *m, const actor *a, const sole_point *p, sinew_vec3 own, sinew_vec3 at,
                         sinew_vec3 *normal) {
  const sinew_vec3 up = {0, 1, 0};
  float height;
  *normal = up;
  if (!find_ground(m, a, p->joint, at, &height, normal)) return own.y <= p->highest;
  *normal = vec3_is_finite(*normal) ? vec3_unit(*normal, up) : up;
  return at.y - height <= p->highest * a->transform.scale.y;
}

static bool leg_touches(const actor_metrics *m, int side) {
  bool touches = false;
  for (int i = 0; i < m->sole_count; i++) touches |= m->soles[i].leg == side && m->soles[i].touches;
  return touches;
}

/* ---- why ---- */

static float coverage(const actor *a, const layer *l, int joint) {
  float sum = 0;
  for (int i = 0; i < l->instance_count; i++) {
    const clip_instance *item = a->instances.items + l->first_instance + i;
    sum += item->weight * a->model->clips[item->clip].animated[joint];
  }
  return fminf(sum, 1) * l->asked.weight * (l->asked.joint_weights ? l->asked.joint_weights[joint] : 1);
}

/* How much of the joint's pose the clip makes; additive layers have no part in it. */
static float share(const actor *a, const clip_instance *item, int joint) {
  const layer *own = a->layers + item->layer;
  if (item->layer > 0 && own->asked.mode == SINEW_LAYER_ADDITIVE) return 0;
  float part = item->weight * a->model->clips[item->clip].animated[joint];
  if (item->layer > 0) part *= own->asked.weight * (own->asked.joint_weights ? own->asked.joint_weights[joint] : 1);
  else if (item->node >= 0) part *= 1 - fminf(layer_action_weight(a, own), 1);
  for (int i = item->layer + 1; i < a->layer_count; i++)
    if (a->layers[i].asked.mode != SINEW_LAYER_ADDITIVE) part *= 1 - coverage(a, a->layers + i, joint);
  return part;
}

static void find_cause(actor_metrics *m, const actor *a, int side, double speed) {
  static const float much = 0.2f;
  slide_cause *cause = m->causes + side;
  const clip_instance *lead = NULL;
  double x = 0, z = 0;
  float most = 0;
  *cause = (slide_cause){.speed = speed, .clip = -1, .layer = -1, .node = -1, .goes = (float)m->speed};
  for (int i = 0; i < a->instances.count; i++) {
    const clip_instance *item = a->instances.items + i;
    const clip_gait *gait = gait_of(a->gait, item->clip);
    float part = share(a, item, m->feet[side]);
    x += (double)part * gait->x * item->rate, z += (double)part * gait->z * item->rate;
    if (part > much && lead && lead->sync != item->sync) cause->unsynced = true;
    if (part > much && lead && !item->sync) cause->unsynced = true;
    if (part > most) most = part, lead = item;
  }
  cause->travels = (float)(sinew_hypot(x, z) / (m->sums.metre / (double)m->scale));
  marks_place_note(&m->marks, cause->text);
  if (!lead) return;
  cause->clip = lead->clip, cause->layer = lead->layer, cause->node = lead->node, cause->action = lead->action;
}

/* ---- contacts ---- */

static double metres_slid(const actor_metrics *m, int side) { return m->slid[side] / m->sums.metre; }

static sinew_mark slide_mark(const actor_metrics *m, int side, double end) {
  sinew_mark mark = mark_at(SINEW_MARK_SLIDE, m->since[side], end);
  const slide_cause *cause = m->causes + side;
  mark.joint = m->feet[side];
  mark.size = (float)metres_slid(m, side);
  mark.rank = mark.size / m->slide_threshold;
  mark.clip = cause->clip;
  mark.layer = cause->layer;
  mark.node = cause->node;
  mark.action.id = cause->action;
  mark.travels = cause->travels;
  mark.goes = cause->goes;
  mark.unsynced = cause->unsynced;
  memcpy(mark.text, cause->text, sizeof mark.text);
  return mark;
}

static bool slides(const actor_metrics *m, int side) { return metres_slid(m, side) > (double)m->slide_threshold; }

static void begin_contact(actor_metrics *m, int side) {
  m->slid[side] = 0;
  m->causes[side] = (slide_cause){.clip = -1, .layer = -1, .node = -1};
  m->since[side] = m->sums.seconds;
}

static void end_contact(actor_metrics *m, int side, const sinew_mark *slide) {
  m->slid_before += m->slid[side];
  if (slides(m, side)) marks_add(&m->marks, slide);
}

double contacts_slid(const actor_metrics *m) {
  double slid = m->slid_before;
  for (int i = 0; i < m->foot_count; i++)
    if (m->legs[i] == i && leg_touches(m, i)) slid += m->slid[i];
  return slid;
}

bool contacts_open(const actor_metrics *m, int index, sinew_mark *mark) {
  for (int i = 0; i < m->foot_count; i++) {
    if (m->legs[i] != i || !leg_touches(m, i) || !slides(m, i) || index-- > 0) continue;
    *mark = slide_mark(m, i, m->sums.seconds);
    return true;
  }
  return false;
}

static void add_slide(actor_metrics *m, const actor *a, int side, double distance) {
  double speed = distance / a->step;
  m->slide += distance;
  m->slid[side] += distance;
  m->contact += a->step;
  m->sums.slide_mean = (float)(m->slide / m->contact);
  if (speed > m->causes[side].speed) find_cause(m, a, side, speed);
  if (!((float)speed > m->sums.slide_max)) return;
  m->sums.slide_max = (float)speed;
  m->sums.slide_joint = m->feet[side];
}

/* Moves the points of the leg; returns how far the one moved that moved least of those on the ground before and now;
 * infinite without one. */
static double move_points(actor_metrics *m, const actor *a, const sinew_mat3x4 *world, int side) {
  double least = (double)INFINITY;
  for (int i = 0; i < m->sole_count; i++) {
    sole_point *p = m->soles + i;
    if (p->leg != side) continue;
    sinew_vec3 normal, own = sinew_mat3x4_transform_point(a->joints + p->joint, p->local);
    sinew_vec3 at = sinew_mat3x4_transform_point(world, own);
    bool touches = is_on_ground(m, a, p, own, at, &normal);
    if (touches && p->touches) least = fmin(least, (double)vec3_length(vec3_without(vec3_sub(at, p->place), normal)));
    p->touches = touches;
    p->place = at;
  }
  return least;
}

/* Its whole sole is on the ground. */
static bool stands(const actor_metrics *m, int side) {
  int touching = 0, count = 0;
  for (int i = 0; i < m->sole_count; i++) {
    count += m->soles[i].leg == side;
    touching += m->soles[i].leg == side && m->soles[i].touches;
  }
  return touching == count;
}

/* A contact belongs to a leg: heel, sole and toes are one mark. */
static void change_contact(actor_metrics *m, int side, bool touched, double before) {
  bool touches = leg_touches(m, side);
  sinew_mark slide = slide_mark(m, side, before);
  if (touches && !touched) begin_contact(m, side);
  if (touched && !touches) end_contact(m, side, &slide);
}

/* A foot that lands or lifts rolls on and off the ground while another stands: until it stands itself, it slides no
 * farther than that one. A jump is no slide. */
void contacts_measure(actor_metrics *m, const actor *a) {
  sinew_mat3x4 world = sinew_mat3x4_from_transform(&a->transform);
  double ways[SINEW_FEET_MAX], least = (double)INFINITY;
  bool touched[SINEW_FEET_MAX];
  for (int i = 0; i < m->foot_count; i++) {
    if (m->legs[i] != i) continue;
    touched[i] = leg_touches(m, i);
    ways[i] = move_points(m, a, &world, i);
    least = fmin(least, ways[i]);
  }
  for (int i = 0; i < m->foot_count; i++) {
    if (m->legs[i] != i) continue;
    bool counts = m->moved && isfinite(ways[i]) && !jumps_begins(&m->jumps, m->feet[i]);
    if (counts) add_slide(m, a, i, stands(m, i) ? ways[i] : least);
    change_contact(m, i, touched[i], m->marks.now);
  }
}
