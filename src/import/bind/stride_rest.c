#include "import/bind/bind.h"

#include "import/raw/curve.h"
#include "math/quat.h"
#include "math/vec3.h"

#include <math.h>
#include <string.h>

enum { MOMENTS = 32 };

typedef struct search {
  binding *b;
  sinew_transform *local, *theirs; /* at one moment */
  float ankle, soles[2];           /* the lowest so far: an ankle; the ankle and the toes of each foot together */
} search;

static int partner(const binding *b, int side, limb_slot slot) {
  int ours = b->map.our_body.limbs[side][slot];
  return ours >= 0 ? b->map.theirs[ours] : -1;
}

static float height_of(const search *s, int joint) {
  return quat_rotate(s->b->plan.rotation, s->theirs[joint].translation).y;
}

static int toes_of(const humanoid *h, int foot) {
  for (int side = 0; side < 2; side++)
    if (h->limbs[side][LIMB_FOOT] == foot) return h->limbs[side][LIMB_TOES];
  return -1;
}

static void look(search *s, const raw_clip *clip, double time) {
  raw_pose(&s->b->theirs, clip, time, s->local, s->theirs);
  for (int side = 0; side < 2; side++) {
    int foot = partner(s->b, side, LIMB_FOOT);
    if (foot < 0) continue;
    s->ankle = fminf(s->ankle, height_of(s, foot));
    int toes = toes_of(&s->b->map.their_body, foot);
    float sole = toes < 0 ? INFINITY : height_of(s, foot) + height_of(s, toes);
    if (!(sole < s->soles[side])) continue;
    s->soles[side] = sole;
    s->b->their_flat[foot] = s->theirs[foot], s->b->their_flat[toes] = s->theirs[toes];
  }
}

/* Towards the toes, over the ground. */
static sinew_vec3 heading(sinew_quat turn, const sinew_transform *placed, int foot, int toes) {
  sinew_vec3 way = quat_rotate(turn, vec3_sub(placed[toes].translation, placed[foot].translation));
  return vec3_unit((sinew_vec3){way.x, 0, way.z}, (sinew_vec3){0, 0, 1});
}

/* While theirs lies flat, ours lies as at rest, and points where theirs does. */
static void lay(const binding *b, int joint, sinew_quat yaw) {
  int theirs = joint >= 0 ? b->map.theirs[joint] : -1;
  if (theirs < 0) return;
  sinew_quat flat = sinew_quat_multiply(b->plan.rotation, b->their_flat[theirs].rotation);
  b->plan.joints[joint].fix =
      sinew_quat_multiply(quat_conjugate(flat), sinew_quat_multiply(yaw, b->our_rest[joint].rotation));
}

static void lay_foot(const binding *b, int side) {
  int foot = b->map.our_body.limbs[side][LIMB_FOOT], toes = b->map.our_body.limbs[side][LIMB_TOES];
  int their_foot = partner(b, side, LIMB_FOOT), their_toes = toes_of(&b->map.their_body, their_foot);
  sinew_vec3 is = toes < 0 ? b->our_body->front : heading((sinew_quat){0, 0, 0, 1}, b->our_rest, foot, toes);
  sinew_quat yaw = quat_between(is, heading(b->plan.rotation, b->their_flat, their_foot, their_toes));
  lay(b, foot, yaw);
  lay(b, toes, yaw);
}

bool stride_rest_read(binding *b) {
  size_t count = (size_t)b->theirs.count;
  search s = {b,
              raw_alloc(b->raw, count, sizeof *s.local),
              raw_alloc(b->raw, count, sizeof *s.theirs),
              b->plan.stride_ankle,
              {INFINITY, INFINITY}};
  b->their_flat = raw_copy(b->raw, b->their_rest, count, sizeof *b->their_flat);
  if (!s.local || !s.theirs || !b->their_flat) return false;
  if (!isfinite(b->plan.stride_ankle)) return true;
  for (int c = 0; c < b->from->clip_count; c++) {
    double first, last;
    if (!raw_clip_span(b->from->clips + c, &first, &last)) continue;
    for (int i = 0; i < MOMENTS; i++) look(&s, b->from->clips + c, first + (last - first) * i / (MOMENTS - 1));
  }
  b->plan.joints[b->map.our_body.hips].from.y += s.ankle - b->plan.stride_ankle;
  for (int side = 0; side < 2; side++)
    if (isfinite(s.soles[side])) lay_foot(b, side);
  return true;
}
