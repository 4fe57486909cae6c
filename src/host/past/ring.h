/* ring – the last minute of every actor and crowd, at thirty moments per second of scene time. For actors it keeps
 * poses, positions, playing clips, states and parameters; for crowds see kept_crowds.h. It reads the stage through
 * public functions after the stage was updated, and changes nothing.
 *
 * Moments are numbered from the first one on, and kept in blocks of a second (ring_part.h). */
#ifndef SINEW_HOST_RING_H
#define SINEW_HOST_RING_H

#include "host/past/ring_part.h"

#include <sinew/playing.h>

enum {
  RING_LIMIT = 48000000, /* bytes: the oldest moments are dropped first; if crowds have more than */
  RING_CROWDS = 4 << 20  /* this, theirs go before */
};

typedef struct ring {
  struct ring_block *blocks[RING_BLOCKS]; /* by block number, modulo */
  int64_t first, count;                   /* moments kept: first .. first + count − 1 */
  double next;                            /* scene time of the next moment */
  size_t bytes;                           /* of actors */
  kept_crowds crowds;
  double seconds; /* that the last moment took */
  int next_part;  /* of the next actor in a moment */
  float *morphs;  /* of one actor, while a moment is recorded */
  int morph_capacity;
  bool has_all; /* each update is a moment */
} ring;

void ring_release(ring *r);
/* Records a moment if it is time for one. When memory runs out, actors are missing from it. */
void ring_update(ring *r, const sinew_stage *stage, double time, int64_t frame);

/* The distance by which the scene had moved its camera at the last moment (orbit.h). */
void ring_set_camera(ring *r, sinew_vec3 carried);

/* All that is kept. */
size_t ring_bytes(const ring *r);

/* Morph targets of all meshes of a model, one mesh after the other. */
int ring_morph_count(const sinew_model *model);

/* The same from a file: a moment begins, gets actors, and ends. A pose has the model's joint count, `morphs` its
 * ring_morph_count (NULL: all are 0). */
bool ring_begin(ring *r, double time, int64_t frame);
void ring_add(ring *r, sinew_actor actor, const char *name, sinew_model *model, const ring_moment *moment,
              const sinew_pose *pose, const float *morphs);
void ring_end(ring *r);

/* ---- reading; a moment that is not kept counts as one without actors ---- */

/* Scene time and the host's frame; −1 for none. */
double ring_time(const ring *r, int64_t moment);
int64_t ring_frame(const ring *r, int64_t moment);
/* As it was set. */
sinew_vec3 ring_camera(const ring *r, int64_t moment);
/* The kept moment that is nearest to a time. */
int64_t ring_find(const ring *r, double time);

int ring_actor_count(const ring *r, int64_t moment);
sinew_actor ring_actor(const ring *r, int64_t moment, int index);
/* False if the actor did not exist then. */
bool ring_read(const ring *r, int64_t moment, sinew_actor actor, ring_moment *out);
/* NULL likewise. The pointers live until the next update. */
sinew_model *ring_model(const ring *r, int64_t moment, sinew_actor actor);
const char *ring_name(const ring *r, int64_t moment, sinew_actor actor);
/* As passed to ring_add; NULL if the model has none. */
const float *ring_morphs(const ring *r, int64_t moment, sinew_actor actor);
/* Radians between the joint's local rotation and that of the rest pose; NAN if the actor did not exist then. */
double ring_joint_angle(const ring *r, int64_t moment, sinew_actor actor, int joint);

int ring_crowd_count(const ring *r, int64_t moment);
const kept_crowd *ring_crowd(const ring *r, int64_t moment, int index);
/* If crowds were dropped at this moment, the seconds until the moment from which they are kept again; otherwise 0. */
double ring_crowds_missing(const ring *r, int64_t moment);

/* Fills a pose of the model's joint count; rotations are exact to 1.5e-4 rad. */
bool ring_pose(const ring *r, int64_t moment, sinew_actor actor, sinew_pose pose);

#endif
