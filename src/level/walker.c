#include "level/level.h"
#include "math/quat.h"

#include <sinew/level.h>

static const float tolerance = 1e-4f; /* metres: closer, a capsule touches */
static const float climb = 2.5f; /* tangent of the steepest way up over a rounded edge; what is steeper is a step */
static const sinew_vec3 up = {0, 1, 0};

sinew_walker_def sinew_walker_def_default(void) {
  return (sinew_walker_def){.radius = 0.3f, .height = 1.8f, .step = 0.35f, .slope = 0.872664626f, .gravity = 9.81f};
}

const char *sinew_walker_check(const sinew_walker_def *def) {
  if (!(def->radius > 0) || !isfinite(def->radius)) return "the radius must be more than 0";
  if (!(def->height >= 2 * def->radius) || !isfinite(def->height))
    return "the height must be at least twice the radius";
  if (!(def->step >= 0) || !(def->step <= def->height)) return "the step must be from 0 to the height";
  if (!(def->slope >= 0) || !(def->slope < 1.5707964f)) return "the slope must be from 0 to less than a right angle";
  if (!(def->gravity >= 0) || !isfinite(def->gravity)) return "the gravity must be 0 or more";
  return NULL;
}

sinew_walker sinew_walker_at(sinew_vec3 position) {
  return (sinew_walker){
      .position = position, .part = -1, .normal = up, .ground = position.y, .ride = sinew_transform_identity()};
}

/* What the parts of one step share. */
typedef struct walk {
  const sinew_walker_def *def;
  const sinew_level *level;
  sinew_walker *w;
  float steepest; /* cosine of the slope */
} walk;

static sinew_vec3 flat(sinew_vec3 v) { return (sinew_vec3){v.x, 0, v.z}; }

static sinew_vec3 low_centre(const walk *k, sinew_vec3 position) {
  return vec3_add_scaled(position, k->def->radius, up);
}

static sinew_vec3 axis_of(const walk *k) { return vec3_scale(up, k->def->height - 2 * k->def->radius); }

static bool sweep(const walk *k, sinew_vec3 position, sinew_vec3 way, sinew_hit *hit) {
  return sinew_level_sweep(k->level, low_centre(k, position), axis_of(k), k->def->radius, way, hit);
}

/* Goes as far as it can; whether something is in the way. */
static bool go(const walk *k, sinew_vec3 way, sinew_hit *hit) {
  float length = vec3_length(way);
  if (!(length > 0)) return false;
  bool blocked = sweep(k, k->w->position, way, hit);
  k->w->position = vec3_add_scaled(k->w->position, blocked ? hit->distance / length : 1, way);
  return blocked;
}

/* Out of whatever the capsule stands in: a door that moved, a lift from below. */
static void push_out(const walk *k) {
  for (int i = 0; i < 8; i++) {
    float depth;
    sinew_vec3 out;
    if (!level_deepest(k->level, low_centre(k, k->w->position), axis_of(k), k->def->radius, tolerance, &depth, &out))
      return;
    k->w->position = vec3_add_scaled(k->w->position, depth, out);
  }
}

/* Whether there is floor at the height of a contact, a little to this side of it. */
static bool floor_beside(const walk *k, sinew_vec3 point, sinew_vec3 side) {
  sinew_vec3 from = vec3_add(vec3_add_scaled(point, 0.05f * k->def->radius, side), (sinew_vec3){0, 0.02f, 0});
  sinew_hit below;
  return sinew_level_ray(k->level, from, vec3_add_scaled(from, -0.06f, up), &below) && below.face.y >= k->steepest;
}

/* Whether a contact is with the edge of a floor: one that the capsule climbs, or one that it leaves. */
static bool is_edge_of_floor(const walk *k, const sinew_hit *hit) {
  sinew_vec3 out = vec3_unit(flat(hit->normal), (sinew_vec3){0, 0, 0});
  return floor_beside(k, hit->point, vec3_scale(out, -1)) || floor_beside(k, hit->point, out);
}

static bool can_stand_on(const walk *k, const sinew_hit *hit) {
  if (hit->normal.y < 1e-3f) return false;
  if (hit->face.y >= k->steepest && hit->normal.y >= k->steepest) return true;
  return hit->point.y - k->w->position.y <= k->def->step && is_edge_of_floor(k, hit);
}

static void stand(const walk *k, const sinew_hit *hit) {
  sinew_walker *w = k->w;
  const level_part *part = &k->level->parts[hit->part];
  w->grounded = true, w->rise = 0, w->part = hit->part, w->normal = hit->normal;
  w->ride.translation = part_from_world(part, w->position), w->ride.rotation = part->rotation;
}

static void leave(sinew_walker *w) { w->grounded = false, w->part = -1, w->normal = up; }

/* ---- along the ground ----------------------------------------------------------------------------------------- */

/* A way along the level, tilted so that it follows the ground: its length as seen from above stays. */
static sinew_vec3 tilted(sinew_vec3 way, sinew_vec3 normal) {
  float rise = normal.y > 0 ? -(normal.x * way.x + normal.z * way.z) / normal.y : 0,
        most = climb * vec3_length(flat(way));
  way.y = rise > most ? most : rise < -most ? -most : rise;
  return way;
}

/* Up, ahead and down again, if that leads onto ground no higher than a step. */
static bool step_up(const walk *k, sinew_vec3 way) {
  sinew_walker before = *k->w;
  sinew_hit hit;
  go(k, vec3_scale(up, k->def->step), &hit);
  float raised = k->w->position.y - before.position.y;
  go(k, way, &hit);
  bool ahead = vec3_length(flat(vec3_sub(k->w->position, before.position))) > 0.01f * vec3_length(way);
  if (ahead && raised > 0 && go(k, vec3_scale(up, -raised), &hit) &&
      hit.point.y - before.position.y <= k->def->step + tolerance && can_stand_on(k, &hit)) {
    stand(k, &hit);
    return true;
  }
  *k->w = before;
  return false;
}

/* What is left of a way between walls, whose normals are horizontal (after Quake's SV_FlyMove). */
static sinew_vec3 between_walls(sinew_vec3 way, const sinew_vec3 *walls, int count) {
  for (int i = 0; i < count; i++) {
    if (vec3_dot(way, walls[i]) >= 0) continue;
    sinew_vec3 slid = vec3_without(way, walls[i]);
    bool clear = true;
    for (int j = 0; j < count; j++) clear &= vec3_dot(slid, walls[j]) >= -1e-6f;
    if (clear) return slid;
  }
  for (int i = 0; i < count; i++)
    if (vec3_dot(way, walls[i]) < 0) return (sinew_vec3){0, 0, 0};
  return way;
}

/* The wall that a contact is for somebody who walks: upright, also where it leans. Zero for a ceiling that is level. */
static sinew_vec3 wall_of(const sinew_hit *hit) { return vec3_unit(flat(hit->normal), (sinew_vec3){0, 0, 0}); }

static void walk_along(const walk *k, sinew_vec3 way) {
  sinew_vec3 walls[5], normal = k->w->grounded ? k->w->normal : up;
  int count = 0;
  for (int bump = 0; bump < 5 && vec3_length(way) > 1e-6f; bump++) {
    sinew_hit hit;
    sinew_vec3 before = k->w->position;
    if (!go(k, tilted(way, normal), &hit)) return;
    sinew_vec3 gone = flat(vec3_sub(k->w->position, before));
    float whole = vec3_length(way), left = whole - vec3_length(gone);
    if (!(left > 0)) return;
    sinew_vec3 rest = vec3_scale(way, left / whole);
    if (can_stand_on(k, &hit) && hit.normal.y * climb >= sqrtf(fmaxf(0, 1 - hit.normal.y * hit.normal.y))) {
      normal = hit.normal, way = rest;
      continue;
    }
    if (k->w->grounded && k->def->step > 0 && step_up(k, rest)) return;
    walls[count++] = wall_of(&hit);
    way = between_walls(rest, walls, count);
  }
}

/* ---- up and down ---------------------------------------------------------------------------------------------- */

/* Keeps to ground that falls away by no more than a step. At the foot of a slope that is too steep, the capsule touches
 * both, and slides a little until it finds the ground. */
static void stay_on_ground(const walk *k) {
  sinew_hit hit;
  sinew_vec3 before = k->w->position, way = vec3_scale(up, -k->def->step - 2 * tolerance);
  for (int bump = 0; bump < 3 && go(k, way, &hit); bump++) {
    if (can_stand_on(k, &hit)) {
      stand(k, &hit);
      return;
    }
    way = vec3_scale(vec3_unit(vec3_without(vec3_scale(up, -1), hit.normal), vec3_scale(up, -1)), 0.02f);
  }
  k->w->position = before, leave(k->w);
}

/* A capsule that cannot fall, though nothing below it is level enough, is held by what it lies between. */
static bool stuck(const walk *k, float from, float way) { return way < 0 && from - k->w->position.y < -0.01f * way; }

/* What a fall does on ground that is too steep. The speed of a capsule that slides already leads along the ground, and
 * only what gravity adds is turned that way; one that arrives loses what leads into the ground. */
static sinew_vec3 slide_down(sinew_walker *w, const sinew_hit *hit, sinew_vec3 way, float added) {
  float downhill = 1 - hit->normal.y * hit->normal.y;
  bool slides = hit->distance < 2 * tolerance && hit->normal.y > 0 && downhill > 0.3f;
  if (hit->normal.y < 0) w->rise = fminf(w->rise, 0);
  else w->rise = slides ? w->rise - added * (1 - downhill) : w->rise * downhill;
  return vec3_scale(vec3_without(way, hit->normal), slides ? 1 / downhill : 1);
}

static void fall(const walk *k, float dt) {
  sinew_walker *w = k->w;
  float added = -k->def->gravity * dt, height = (w->rise + 0.5f * added) * dt, from = w->position.y;
  w->rise += added;
  sinew_vec3 way = vec3_scale(up, height);
  sinew_hit hit = {0};
  bool blocked = false;
  for (int bump = 0; bump < 4 && vec3_length(way) > 1e-6f; bump++) {
    float whole = vec3_length(way);
    if (!go(k, way, &hit)) break;
    blocked = true;
    if (way.y < 0 && can_stand_on(k, &hit)) {
      stand(k, &hit);
      return;
    }
    way = slide_down(w, &hit, vec3_scale(way, 1 - hit.distance / whole), bump == 0 ? added : 0);
  }
  if (blocked && stuck(k, from, height)) stand(k, &hit), w->normal = up;
}

/* With the part on which it stands, as far as nothing is in the way. */
static void ride_along(const walk *k, float dt) {
  sinew_walker *w = k->w;
  w->turned = 0, w->riding = (sinew_vec3){0, 0, 0};
  if (w->part < 0 || w->part >= k->level->count || !k->level->parts[w->part].solid) {
    w->part = -1;
    return;
  }
  const level_part *part = &k->level->parts[w->part];
  sinew_vec3 before = w->position, way = vec3_sub(part_to_world(part, w->ride.translation), before);
  sinew_vec3 ahead =
      quat_rotate(sinew_quat_multiply(part->rotation, quat_conjugate(w->ride.rotation)), (sinew_vec3){0, 0, 1});
  sinew_hit hit;
  go(k, way, &hit);
  w->turned = (float)sinew_atan2(ahead.x, ahead.z);
  w->riding = vec3_scale(vec3_sub(w->position, before), 1 / dt);
  w->ride.translation = part_from_world(part, w->position), w->ride.rotation = part->rotation;
}

/* The surface below the axis: on a slope, the round end keeps the capsule's lowest point above it. */
static void find_ground(const walk *k) {
  sinew_walker *w = k->w;
  sinew_hit hit;
  sinew_vec3 from = low_centre(k, w->position), to = vec3_add_scaled(w->position, -k->def->step, up);
  w->ground = w->grounded && sinew_level_ray(k->level, from, to, &hit) ? hit.point.y : w->position.y;
}

static void step(const walk *k, float dt, sinew_vec3 way) {
  bool walks = k->w->grounded && !(k->w->rise > 0);
  if (!walks) leave(k->w);
  walk_along(k, way);
  if (walks) stay_on_ground(k);
  else fall(k, dt);
}

/* Level ground at height 0. */
static void move_without_level(sinew_walker *w, const sinew_walker_def *def, float dt, sinew_vec3 way) {
  float height = w->position.y + w->rise * dt - 0.5f * def->gravity * dt * dt;
  bool lands = height <= 0 && !(w->rise > 0 && w->position.y <= 0 && height > 0);
  w->position = vec3_add(w->position, way), w->position.y = lands ? 0 : height;
  w->rise = lands ? 0 : w->rise - def->gravity * dt;
  w->grounded = lands, w->ground = w->position.y, w->part = -1, w->normal = up;
  w->turned = 0, w->riding = (sinew_vec3){0, 0, 0};
}

void sinew_walker_move(sinew_walker *walker, const sinew_walker_def *def, const sinew_level *level, float dt,
                       sinew_vec3 way) {
  way = flat(way);
  if (!(dt > 0) || !isfinite(dt) || !vec3_is_finite(way)) return;
  if (!level) {
    move_without_level(walker, def, dt, way);
    return;
  }
  walk k = {def, level, walker, (float)sinew_cos(def->slope)};
  ride_along(&k, dt);
  push_out(&k);
  /* Short parts follow the ground, and fall in a parabola. */
  float parts = fmaxf(vec3_length(way) / (0.5f * def->radius), 30 * dt);
  int count = parts <= 1 ? 1 : parts >= 64 ? 64 : (int)ceilf(parts);
  for (int i = 0; i < count; i++) step(&k, dt / (float)count, vec3_scale(way, 1 / (float)count));
  find_ground(&k);
}
