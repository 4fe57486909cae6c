/* body – skeletons of a person with names, rest poses and axes as a test wants them, and a second opinion in doubles.
 */
#ifndef SINEW_TESTS_BODY_H
#define SINEW_TESTS_BODY_H

#include "support/fixture.h"

#include "model/names/joint_map.h"

enum { BODY_JOINTS = 21 };

/* The order of every list of names here; joint 0 is the virtual root. */
enum {
  B_ROOT,
  B_HIPS,
  B_SPINE,
  B_CHEST,
  B_NECK,
  B_HEAD,
  B_L_CLAVICLE,
  B_L_ARM,
  B_L_FOREARM,
  B_L_HAND,
  B_L_THIGH,
  B_L_SHIN,
  B_L_FOOT,
  B_R_CLAVICLE,
  B_R_ARM,
  B_R_FOREARM,
  B_R_HAND,
  B_R_THIGH,
  B_R_SHIN,
  B_R_FOOT,
  B_PROP
};

static const int32_t body_parents[BODY_JOINTS] = {
    -1,           B_ROOT,  B_HIPS,      B_SPINE, B_CHEST,   B_NECK,   B_CHEST,
    B_L_CLAVICLE, B_L_ARM, B_L_FOREARM, B_HIPS,  B_L_THIGH, B_L_SHIN, B_CHEST,
    B_R_CLAVICLE, B_R_ARM, B_R_FOREARM, B_HIPS,  B_R_THIGH, B_R_SHIN, B_R_HAND};

static const char *const mixamo_names[BODY_JOINTS] = {
    "",         "Hips",         "Spine",     "Spine1",     "Neck",     "Head",      "LeftShoulder",
    "LeftArm",  "LeftForeArm",  "LeftHand",  "LeftUpLeg",  "LeftLeg",  "LeftFoot",  "RightShoulder",
    "RightArm", "RightForeArm", "RightHand", "RightUpLeg", "RightLeg", "RightFoot", "Prop"};

typedef struct vec {
  double x, y, z;
} vec;
typedef struct rot {
  double x, y, z, w;
} rot;

static inline rot rot_times(rot a, rot b) {
  return (rot){a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
               a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}
static inline rot rot_back(rot a) { return (rot){-a.x, -a.y, -a.z, a.w}; }
static inline vec turned(rot q, vec v) {
  rot r = rot_times(rot_times(q, (rot){v.x, v.y, v.z, 0}), rot_back(q));
  double size = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
  return (vec){r.x / size, r.y / size, r.z / size};
}
static inline vec minus(vec a, vec b) { return (vec){a.x - b.x, a.y - b.y, a.z - b.z}; }
static inline double long_is(vec a) { return sqrt(a.x * a.x + a.y * a.y + a.z * a.z); }
static inline rot rot_of(sinew_quat q) { return (rot){q.x, q.y, q.z, q.w}; }

/* The angle of a turn, radians. */
static inline double angle_of(rot q) { return 2 * atan2(sqrt(q.x * q.x + q.y * q.y + q.z * q.z), fabs(q.w)); }

typedef struct body {
  const char *names[BODY_JOINTS];
  sinew_transform rest[BODY_JOINTS];
  vec positions[BODY_JOINTS]; /* of the rest pose, model space */
  rot turns[BODY_JOINTS];
  skeleton_view view;
} body;

/* Model-space turns and places of local transforms, from the definition. */
static inline void body_evaluate(const sinew_transform *local, rot *turns, vec *positions) {
  for (int i = 0; i < BODY_JOINTS; i++) {
    vec t = {local[i].translation.x, local[i].translation.y, local[i].translation.z};
    int p = body_parents[i];
    turns[i] = p < 0 ? rot_of(local[i].rotation) : rot_times(turns[p], rot_of(local[i].rotation));
    vec moved = p < 0 ? t : turned(turns[p], t);
    positions[i] = p < 0 ? t : (vec){positions[p].x + moved.x, positions[p].y + moved.y, positions[p].z + moved.z};
  }
}

/* A person of so many metres whose arms hang `arms` radians below level and whose legs are `legs` radians apart from
 * straight down; each joint has axes of its own where `random_axes`. `whole` turns all of it. */
static inline void body_make(body *b, const char *const *names, double size, double arms, double legs, bool random_axes,
                             rot whole) {
  vec *p = b->positions;
  memset(b, 0, sizeof *b);
  p[B_HIPS] = (vec){0, 0.55, 0}, p[B_SPINE] = (vec){0, 0.6, 0.01}, p[B_CHEST] = (vec){0, 0.72, 0};
  p[B_NECK] = (vec){0, 0.84, -0.01}, p[B_HEAD] = (vec){0, 0.9, 0.01};
  for (int side = 0; side < 2; side++) {
    double s = side ? -1 : 1;
    vec *l = p + (side ? B_R_CLAVICLE - B_L_CLAVICLE : 0);
    l[B_L_CLAVICLE] = (vec){0.02 * s, 0.8, 0}, l[B_L_ARM] = (vec){0.1 * s, 0.8, 0};
    l[B_L_FOREARM] = (vec){s * (0.1 + 0.16 * cos(arms)), 0.8 - 0.16 * sin(arms), 0};
    l[B_L_HAND] = (vec){s * (0.1 + 0.31 * cos(arms)), 0.8 - 0.31 * sin(arms), 0};
    l[B_L_THIGH] = (vec){0.06 * s, 0.52, 0};
    l[B_L_SHIN] = (vec){s * (0.06 + 0.24 * sin(legs)), 0.52 - 0.24 * cos(legs), 0.005};
    l[B_L_FOOT] = (vec){s * (0.06 + 0.47 * sin(legs)), 0.52 - 0.47 * cos(legs), 0};
  }
  p[B_PROP] = p[B_R_HAND];
  p[B_PROP].y += 0.05;
  for (int i = 0; i < BODY_JOINTS; i++) {
    b->names[i] = names[i];
    p[i] = turned(whole, (vec){p[i].x * size, p[i].y * size, p[i].z * size});
    b->turns[i] = random_axes && i ? rot_of(random_quat()) : (rot){0, 0, 0, 1};
    int parent = body_parents[i];
    rot up = parent < 0 ? (rot){0, 0, 0, 1} : rot_back(b->turns[parent]);
    vec t = parent < 0 ? p[i] : turned(up, minus(p[i], p[parent]));
    rot r = rot_times(up, b->turns[i]);
    b->rest[i] = (sinew_transform){
        {(float)t.x, (float)t.y, (float)t.z}, {(float)r.x, (float)r.y, (float)r.z, (float)r.w}, {1, 1, 1}};
  }
  b->view = (skeleton_view){BODY_JOINTS, b->names, body_parents, b->rest, NULL, NULL};
}

#endif
