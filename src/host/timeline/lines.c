/* Lines that the look back draws in the world: the joint of the mark, the path of sliding feet, and differences from
 * the ghost. */
#include "host/host.h"
#include "host/timeline/board.h"
#include "host/timeline/timeline.h"
#include "math/elementary.h"

#include <math.h>
#include <string.h>

static const double apart = 0.01; /* metres from which a difference of a joint is visible */

static void line(sinew_host *host, sinew_vec3 a, sinew_vec3 b, const uint8_t color[4]) {
  sinew_line drawn = {.a = a, .b = b};
  memcpy(drawn.color, color, 4);
  sinew_host_draw_line(host, &drawn, true);
}

static sinew_vec3 moved(sinew_vec3 p, int axis, float by) {
  return (sinew_vec3){p.x + (axis == 0 ? by : 0), p.y + (axis == 1 ? by : 0), p.z + (axis == 2 ? by : 0)};
}

/* Draws three rings about the joint. */
static void draw_ball(sinew_host *host, sinew_vec3 at, float radius, const uint8_t color[4]) {
  enum { SIDES = 20 };
  for (int axis = 0; axis < 3; axis++)
    for (int i = 0; i < SIDES; i++) {
      float a = 6.2831853f * (float)i / SIDES, b = 6.2831853f * (float)(i + 1) / SIDES;
      int u = (axis + 1) % 3, v = (axis + 2) % 3;
      line(host, moved(moved(at, u, radius * float_cos(a)), v, radius * float_sin(a)),
           moved(moved(at, u, radius * float_cos(b)), v, radius * float_sin(b)), color);
    }
}

static sinew_vec3 joint_at(const shown_actor *s, int joint) {
  sinew_mat3x4 world = sinew_mat3x4_from_transform(&s->transform);
  const float *m = s->joints[joint].m;
  return sinew_mat3x4_transform_point(&world, (sinew_vec3){m[3], m[7], m[11]});
}

static void draw_joint(sinew_host *host) {
  static const uint8_t color[4] = {255, 230, 90, 255};
  const review *r = &host->review;
  const past_mark *m = r->mark >= 0 ? host->past.marks + r->mark : NULL;
  for (int i = 0; m && m->mark.joint >= 0 && i < r->cast.shown_count; i++) {
    const shown_actor *s = r->cast.shown + i;
    int joint = m->mark.joint;
    if (s->actor.id != m->actor.id || joint >= sinew_model_joint_count(s->model)) continue;
    sinew_vec3 low, high;
    sinew_model_bounds(s->model, &low, &high);
    draw_ball(host, joint_at(s, joint), 0.035f * (high.y - low.y), color);
    int parent = sinew_model_joint_parent(s->model, joint);
    if (parent > 0) line(host, joint_at(s, parent), joint_at(s, joint), color);
  }
}

/* ---- where feet slid ---- */

static bool foot_at(const ring *kept, cast *c, const past_mark *m, double time, sinew_vec3 *position) {
  cast_pose(c, kept, time);
  for (int i = 0; i < c->shown_count; i++) {
    const shown_actor *s = c->shown + i;
    if (s->actor.id != m->actor.id || m->mark.joint >= sinew_model_joint_count(s->model)) continue;
    *position = joint_at(s, m->mark.joint);
    position->y = s->transform.translation.y + 0.005f;
    return true;
  }
  return false;
}

static void draw_cross(sinew_host *host, sinew_vec3 at, float size, const uint8_t color[4]) {
  line(host, moved(at, 0, -size), moved(at, 0, size), color);
  line(host, moved(at, 2, -size), moved(at, 2, size), color);
}

/* A line from where the foot came down to where it left, with a cross at the start. */
static void draw_footprint(sinew_host *host, const ring *kept, cast *c, const past_mark *m) {
  sinew_vec3 from, to;
  const uint8_t *color = timeline_slide_color(m->worst);
  if (!foot_at(kept, c, m, m->begin, &from) || !foot_at(kept, c, m, m->end, &to)) return;
  draw_cross(host, from, 0.04f, color);
  for (int i = -2; i <= 2; i++) line(host, moved(from, 0, 0.004f * (float)i), moved(to, 0, 0.004f * (float)i), color);
}

/* Draws the footprints of the loop's contacts. */
static void draw_footprints_of(sinew_host *host, const ring *kept, const past_marks *past, bool is_then) {
  const review *r = &host->review;
  cast c = {0};
  for (int i = 0; i < past->count; i++) {
    const past_mark *m = past->marks + i;
    bool is_in = m->actor.id == r->actor.id && m->end >= r->loop[0] && m->begin <= r->loop[1];
    if (m->mark.kind == SINEW_MARK_SLIDE && is_in && is_then != timeline_is_made_again(host, m))
      draw_footprint(host, kept, &c, m);
  }
  cast_release(&c);
}

static void draw_footprints(sinew_host *host) {
  const rerun *again = &host->rerun;
  draw_footprints_of(host, &host->ring, &host->past, true);
  if (again->has_result) draw_footprints_of(host, &again->result.ring, &again->result.marks, false);
}

/* ---- differences from the ghost ---- */

static sinew_vec3 minus(sinew_vec3 a, sinew_vec3 b) { return (sinew_vec3){a.x - b.x, a.y - b.y, a.z - b.z}; }

static double length_of(sinew_vec3 v) { return sinew_hypot(sinew_hypot((double)v.x, (double)v.y), (double)v.z); }

/* A joint that merely moves along with its parent has no line: those of fingers would hide the hand. */
static void draw_differences(sinew_host *host, const shown_actor *now, const shown_actor *then) {
  static const uint8_t color[4] = {255, 96, 84, 255};
  const double taken = 0.3; /* of the parent's distance */
  shown_actor ghost = *then;
  ghost.transform = now->transform;
  for (int i = 1; i < sinew_model_joint_count(now->model); i++) {
    int parent = sinew_model_joint_parent(now->model, i);
    sinew_vec3 at = joint_at(now, i), away = minus(at, joint_at(&ghost, i)), above = {0};
    if (length_of(away) <= apart) continue;
    draw_ball(host, at, 0.012f, color);
    if (parent > 0) above = minus(joint_at(now, parent), joint_at(&ghost, parent));
    if (length_of(minus(away, above)) > fmax(apart, taken * length_of(above))) line(host, at, minus(at, away), color);
  }
}

static void compare_with_ghosts(sinew_host *host) {
  const review *r = &host->review;
  for (int i = 0; i < r->cast.shown_count; i++)
    for (int k = 0; k < r->ghosts.shown_count && !r->ghosts_beside; k++)
      if (r->cast.shown[i].actor.id == r->ghosts.shown[k].actor.id &&
          r->cast.shown[i].model == r->ghosts.shown[k].model)
        draw_differences(host, r->cast.shown + i, r->ghosts.shown + k);
}

void timeline_draw_lines(sinew_host *host) {
  if (!host->review.is_on) return;
  draw_joint(host);
  draw_footprints(host);
  compare_with_ghosts(host);
}
