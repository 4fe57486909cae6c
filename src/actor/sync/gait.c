#include "actor/sync/gait_search.h"

#include "base/memory/memory.h"
#include "math/elementary.h"
#include "math/quat.h"
#include "model/body/body.h"
#include "model/model.h"
#include "model/model_space.h"
#include "model/retarget/retarget.h"
#include "pose/modifiers/posed.h"

#include <sinew/graph.h>

#include <math.h>

/* ---- the legs ---- */

/* About the axis from right to left, whichever way the body faces, and in the shin's own space, so that it turns with
 * the body. */
static leg leg_of(const model_body *b, const body_foot *f, const sinew_transform *placed) {
  sinew_vec3 across = {b->front.z, 0, -b->front.x};
  return (leg){.thigh = f->thigh,
               .shin = f->shin,
               .foot = f->foot,
               .toes = f->toes >= 0 ? f->toes : f->foot,
               .hinge = quat_rotate(quat_conjugate(placed[f->shin].rotation), across)};
}

static void find_height(model_gait *g, const sinew_transform *placed, int i, int top, int foot) {
  g->stands[i] = placed[foot].translation.y;
  g->hangs[i] = fmaxf(placed[top].translation.y - g->stands[i], 0.1f * (float)g->size);
}

static void find_heights(model_gait *g, const sinew_transform *placed) {
  static const float even = 0.06f;
  float low = HUGE_VALF, high = -HUGE_VALF;
  for (int i = 0; i < g->leg_count; i++) find_height(g, placed, i, g->legs[i].thigh, g->legs[i].toes);
  for (int i = 0; i < g->limb_count; i++) find_height(g, placed, i, g->limbs[i].top, g->limbs[i].foot);
  g->standing = g->leg_count + g->limb_count;
  for (int i = 0; i < g->standing; i++) low = fminf(low, g->stands[i]), high = fmaxf(high, g->stands[i]);
  if (g->standing < 2 || high - low > even * (float)g->size) g->standing = 0;
}

/* Limbs that end at other heights than the hind ones, as hands do whose fingers stand, are left to the blend. */
static void drop_uneven(model_gait *g, const sinew_transform *placed) {
  static const float even = 0.06f;
  for (int i = GAIT_LEGS; i < g->limb_count; i++) {
    float apart = placed[g->limbs[i].foot].translation.y - placed[g->limbs[0].foot].translation.y;
    if (fabsf(apart) > even * (float)g->size) g->limb_count = GAIT_LEGS;
  }
}

static void read_body(model_gait *g, const skeleton_view *skeleton, const sinew_transform *placed) {
  const model_body *b = g->model->body;
  int feet[GAIT_FEET];
  g->hips = b->person.hips;
  g->size = (double)b->size;
  for (int i = 0; i < b->foot_count; i++) {
    g->outlines[g->foot_count] = foot_outline_find(g->model, placed, b->feet[i].foot, b->size);
    g->feet[g->foot_count++] = b->feet[i].contact;
    feet[i] = b->feet[i].foot;
  }
  g->stepping = b->foot_count >= GAIT_LEGS ? GAIT_LEGS : 0;
  for (int i = 0; body_has_legs(b, skeleton) && i < GAIT_LEGS; i++)
    g->legs[g->leg_count++] = leg_of(b, b->feet + i, placed);
  for (int i = 0; g->leg_count == 0 && i < g->foot_count; i++)
    if (limb_find(g->model, feet, g->foot_count, feet[i], g->limbs + g->limb_count)) g->limb_count++;
  drop_uneven(g, placed);
  find_heights(g, placed);
}

static bool find_legs(model_gait *g) {
  size_t count = (size_t)g->model->joint_count;
  sinew_transform *rest = mem_alloc_array(2 * count, sizeof *rest);
  if (!rest) return false;
  skeleton_view skeleton = model_skeleton(g->model, rest);
  skeleton_to_model(&skeleton, rest, rest + count);
  read_body(g, &skeleton, rest + count);
  mem_free(rest);
  return true;
}

/* ---- the table ---- */

static void free_gait(model_gait *g) {
  for (int i = 0; g && g->courses && i < g->model->clip_count; i++) course_free(g->courses + i);
  if (g) mem_free(g->clips), mem_free(g->courses);
  mem_free(g);
}

static model_gait *make(const sinew_model *model) {
  model_gait *g = mem_alloc_zeroed(sizeof *g);
  if (!g) return NULL;
  g->model = model;
  g->root = -2;
  g->clips = mem_alloc_zeroed((size_t)model->clip_count * sizeof *g->clips);
  g->courses = mem_alloc_zeroed((size_t)model->clip_count * sizeof *g->courses);
  if (((g->clips && g->courses) || !model->clip_count) && find_legs(g)) return g;
  free_gait(g);
  return NULL;
}

model_gait *gait_take(gait_table *t, const sinew_model *model) {
  int i = 0;
  while (i < t->count && t->items[i]->model != model) i++;
  if (i == t->count) {
    model_gait *fresh = NULL;
    if (array_reserve((void **)&t->items, &t->capacity, t->count + 1, sizeof *t->items)) fresh = make(model);
    if (!fresh) return NULL;
    t->items[t->count++] = fresh;
  }
  t->items[i]->users++;
  return t->items[i];
}

void gait_leave(gait_table *t, model_gait *g) {
  if (!g || --g->users > 0) return;
  int i = 0;
  while (t->items[i] != g) i++;
  t->items[i] = t->items[--t->count];
  free_gait(g);
}

/* ---- one clip ---- */

static void find_gait(const model_gait *g, int clip, clip_gait *out) {
  gait_search s = {.gait = g, .clip = g->model->clips + clip};
  bool began = search_begin(&s);
  if (began && s.moments > 1) search_gait(&s, out);
  if (began) out->known = true;
  search_end(&s);
}

const clip_gait *gait_of(model_gait *g, int clip) {
  static const clip_gait unknown;
  if (!g) return &unknown;
  if (!g->clips[clip].known) find_gait(g, clip, g->clips + clip);
  return g->clips + clip;
}

bool gait_alone(const sinew_model *model, int clip, model_gait *g, clip_gait *out) {
  *g = (model_gait){.model = model, .root = -2};
  if (!find_legs(g)) return false;
  find_gait(g, clip, out);
  return true;
}

/* ---- what others ask for ---- */

static void find_root(model_gait *g) {
  int joints[SINEW_ROLES];
  sinew_model_roles(g->model, joints);
  g->root = joints[SINEW_ROLE_ROOT];
}

const clip_course *course_of(model_gait *g, int clip) {
  static const clip_course unknown;
  int feet[GAIT_FEET], count = 0;
  if (!g) return &unknown;
  if (g->courses[clip].known) return g->courses + clip;
  if (g->root == -2) find_root(g);
  for (; count < g->leg_count; count++) feet[count] = g->legs[count].foot;
  for (; g->leg_count == 0 && count < g->foot_count; count++) feet[count] = g->feet[count];
  g->courses[clip].size = g->size;
  course_find(g->courses + clip, g->model, clip, g->root, feet, count, g->size);
  return g->courses + clip;
}

bool gait_is_down(const clip_gait *gait, int side, double time, double duration) {
  for (int i = 0; i < gait->step_count; i++) {
    double since = time - gait->steps[i].time;
    if (since < 0) since += duration;
    if (gait->steps[i].leg == side && since < gait->steps[i].down) return true;
  }
  return gait->kind != GAIT_MOVING;
}

foot_outline gait_outline(const model_gait *g, const sinew_model *model, int foot) {
  for (int i = 0; g && i < g->foot_count; i++)
    if (limb_is_above(model, g->outlines[i].foot, foot) || limb_is_above(model, foot, g->outlines[i].foot))
      return g->outlines[i];
  const foot_point ball = {posed_ball(model, foot), {0, 0, 0}, INFINITY};
  return (foot_outline){foot, {ball, ball, ball}, {{0, 0, 0}}};
}

double sinew_model_size(const sinew_model *model) { return (double)model->body->size; }

static double metre_of_size(double size) {
  static const double least = 0.05, most = 20;
  return size > least && size < most ? 1 : sinew_pow(10, round(sinew_log10(size)));
}

double gait_metre(const model_gait *g) { return metre_of_size(gait_size(g)); }

double sinew_model_metre(const sinew_model *model) { return metre_of_size(sinew_model_size(model)); }

bool sinew_clip_velocity(const sinew_model *model, int clip, sinew_vec3 *velocity) {
  model_gait g;
  clip_gait found = {0};
  *velocity = (sinew_vec3){0, 0, 0};
  if (clip < 0 || clip >= model->clip_count || !gait_alone(model, clip, &g, &found)) return false;
  if (found.speed >= SEARCH_LEAST_SPEED * g.size) *velocity = (sinew_vec3){(float)found.x, 0, (float)found.z};
  return found.known && found.kind != GAIT_UNKNOWN;
}
