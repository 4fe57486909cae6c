/* review – the look back: the present is frozen, and the picture shows a past moment from the ring. */
#ifndef SINEW_HOST_REVIEW_H
#define SINEW_HOST_REVIEW_H

#include "host/past/past_marks.h"
#include "host/past/ring.h"

#include <sinew/pose.h>

/* An actor as it is drawn, in the present or in the past. */
typedef struct shown_actor {
  sinew_actor actor;
  sinew_model *model;
  sinew_transform transform;
  float opacity;                        /* 0: it is not seen */
  const sinew_mat3x4 *palette, *joints; /* joints: in the past; NULL in the present, where they are not needed */
  const float *morphs;                  /* in the past, one mesh after the other; NULL: those of the present */
  bool is_ghost;                        /* of the original run, beside the rerun */
} shown_actor;

/* A crowd that stands still and shows the members of another. */
typedef struct cast_crowd {
  sinew_crowd shown; /* of the cast's own stage */
  sinew_crowd then;
} cast_crowd;

/* The actors and crowds of one moment. */
typedef struct cast {
  const ring *ring; /* their source; NULL: nothing was posed yet */
  int64_t moment;
  shown_actor *shown;
  int shown_count, shown_capacity;
  sinew_mat3x4 *matrices;
  int matrix_capacity;
  sinew_pose_group *groups;
  int group_capacity;
  sinew_stage *stage; /* for the crowds; NULL until there are some */
  cast_crowd *crowds;
  int crowd_count, crowd_capacity;
  uint32_t *room; /* while a crowd is opened */
  int room_capacity;
} cast;

void cast_release(cast *c);
/* Poses the actors and crowds of the moment nearest to the time. Without memory, some are not shown. */
void cast_pose(cast *c, const ring *kept, double time);

typedef struct review {
  bool is_on, plays, drags;
  bool is_new;  /* nothing was asked about it yet */
  double waits; /* seconds for which the moment of the mark is shown before the loop plays by itself; 0: it does not */
  double at;    /* scene time shown */
  double loop[2];      /* what plays: from, to */
  sinew_actor actor;   /* whose tracks are shown */
  int mark;            /* that is shown; −1: none */
  int joint;           /* whose curve is shown */
  char why[4096];      /* the explanation of the joint's position; "": not asked for */
  sinew_camera camera; /* of the present */
  sinew_vec3 carried;  /* the distance by which the picture's camera has been moved along since */

  cast cast, ghosts; /* ghosts: the original run, where it was rerun */
  bool hides_ghosts, ghosts_beside;
} review;

void review_release(review *r);

/* From the worst mark of the last three seconds: a second before it to a second after; without a mark, the last two
 * seconds. The moment is shown for a while, then the loop plays, unless review_stay was called. False if nothing was
 * kept yet. */
bool review_open(review *r, const ring *kept, const past_marks *marks, double now);

/* Handles a key; false for any other. */
bool review_key(review *r, const ring *kept, const past_marks *marks, const char *key, bool shift);
/* The user has taken over: nothing starts to play by itself any more. */
void review_stay(review *r);
/* Makes the second before and the second after the moment shown the loop. */
void review_shorten(review *r, const ring *kept);
void review_seek(review *r, const ring *kept, double time);
/* Goes to a mark, its actor and its surroundings. */
void review_show_mark(review *r, const ring *kept, const past_marks *marks, int mark);
/* Advances the look back by dt seconds: the loop plays on. */
void review_advance(review *r, const ring *kept, double dt);

#endif
