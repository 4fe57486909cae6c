/* review – the look back: the present is frozen, and the picture shows a moment from the ring. */
#ifndef SINEW_HOST_REVIEW_H
#define SINEW_HOST_REVIEW_H

#include "host/past/past_marks.h"
#include "host/past/ring.h"

#include <sinew/pose.h>

/* An actor as it is drawn, now or then. */
typedef struct shown_actor {
  sinew_actor actor;
  sinew_model *model;
  sinew_transform transform;
  float opacity;                        /* 0: it is not seen */
  const sinew_mat3x4 *palette, *joints; /* joints: of then; NULL in the present, where nobody asks */
  const float *morphs;                  /* of then, one mesh after the other; NULL: those of the present */
  bool is_ghost;                        /* of the run as it was, beside what was made again */
} shown_actor;

/* A crowd that stands still, and shows the members that another had. */
typedef struct cast_crowd {
  sinew_crowd shown; /* of the cast's own stage */
  sinew_crowd then;
} cast_crowd;

/* The actors and crowds of one moment. */
typedef struct cast {
  const ring *ring; /* what they are of; NULL: nothing was made yet */
  int64_t moment;
  shown_actor *shown;
  int shown_count, shown_capacity;
  sinew_mat3x4 *matrices;
  int matrix_capacity;
  sinew_pose_group *groups;
  int group_capacity;
  sinew_stage *stage; /* of the crowds; NULL until there are some */
  cast_crowd *crowds;
  int crowd_count, crowd_capacity;
  uint32_t *room; /* while a crowd is opened */
  int room_capacity;
} cast;

void cast_release(cast *c);
/* Poses the actors and crowds of the moment that is nearest to the time. What there is no memory for is not shown. */
void cast_pose(cast *c, const ring *kept, double time);

typedef struct review {
  bool is_on, plays, drags;
  bool is_new;         /* nothing was asked about it yet */
  double waits;        /* seconds that the moment of the mark stands, before the loop plays by itself; 0: it does not */
  double at;           /* scene time of what is shown */
  double loop[2];      /* what plays: from, to */
  sinew_actor actor;   /* whose tracks are shown */
  int mark;            /* that is shown; −1: none */
  int joint;           /* whose curve is shown */
  char why[4096];      /* why it is where it was; "": not asked for */
  sinew_camera camera; /* of the present */
  sinew_vec3 carried;  /* how far the camera of the picture was taken along since */

  cast cast, ghosts; /* ghosts: the run as it was, where it was made again */
  bool hides_ghosts, ghosts_beside;
} review;

void review_release(review *r);

/* From the worst mark of the last three seconds, a second before it to a second after; without a mark the last two
 * seconds. The moment stands for a while, then the loop plays, unless review_stay was called. False where nothing was
 * kept yet. */
bool review_open(review *r, const ring *kept, const past_marks *marks, double now);

/* The keys; false for another one. */
bool review_key(review *r, const ring *kept, const past_marks *marks, const char *key, bool shift);
/* Somebody has taken over: nothing begins to play by itself. */
void review_stay(review *r);
/* A second before and a second after what is shown become the loop. */
void review_shorten(review *r, const ring *kept);
void review_seek(review *r, const ring *kept, double time);
/* To a mark, its actor, and what is around it. */
void review_show_mark(review *r, const ring *kept, const past_marks *marks, int mark);
/* dt seconds go by at the desk: what plays goes on. */
void review_advance(review *r, const ring *kept, double dt);

#endif
