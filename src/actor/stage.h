/* stage – the insides of a stage, its actors, layers and actions. */
#ifndef SINEW_ACTOR_STAGE_H
#define SINEW_ACTOR_STAGE_H

#include "actor/crowd.h"
#include "actor/playback.h"
#include "actor/scratch.h"
#include "base/jobs.h"
#include "base/pool.h"
#include "model/model.h"

enum { MAX_LAYERS = 16 };

/* The rest pose joins actions that weigh less than this, so that nothing snaps as the last one fades. */
#define REST_THRESHOLD 0.1f

typedef struct action {
  uint32_t actor;
  int clip, layer;
  playback playback;
  float weight;
  double fade_from, fade_to, fade_elapsed, fade_duration;
  bool paused, stopping;
} action;

typedef struct layer {
  char *name;
  sinew_layer_mode mode;
  float weight;
  float *joint_weights; /* padded to groups, or NULL */
  uint32_t actions[MAX_ACTIONS];
  int action_count;
} layer;

typedef struct manual_morph {
  const char *name; /* the model's string */
  float weight;
} manual_morph;

typedef struct actor {
  uint32_t id;
  char *name;
  sinew_model *model;
  sinew_transform transform;
  bool visible, bind_pose, paused;
  float opacity;
  sinew_skinning skinning;
  layer layers[MAX_LAYERS];
  int layer_count;
  sinew_pose pose;
  sinew_mat3x4 *joints;
  palette_range palette;           /* in the stage's palettes */
  float *morphs;                   /* the meshes' targets, one after the other */
  float *morph_sum, *morph_sample; /* scratch for one mesh's targets */
  manual_morph *manual;
  int manual_count;
} actor;

struct sinew_stage {
  pool actor_slots;  /* of actor * */
  pool action_slots; /* of action */
  actor **actors;    /* in the order of creation */
  int actor_count, actor_capacity;
  pool crowd_slots; /* of crowd * */
  crowd **crowds;   /* in the order of creation */
  int crowd_count, crowd_capacity;
  palettes palettes;
  int threads_wanted;                   /* 0: jobs_default_threads */
  jobs *jobs;                           /* NULL while there is too little to share */
  scratch scratches[JOBS_MOST_THREADS]; /* one for each thread */
  int scratch_groups;
  double microseconds_per_actor;
};

actor *stage_find(const sinew_stage *stage, sinew_actor id);
action *stage_find_action(const sinew_stage *stage, uint32_t id);
crowd *stage_find_crowd(const sinew_stage *stage, sinew_crowd id);

/* Removes an action from its layer and from the stage. */
void stage_end_action(sinew_stage *stage, uint32_t id);

/* weight × fade, what an action counts with. */
float action_strength(const action *a);

/* Moves an actor's clocks and fades; actions that have faded out end. */
void actor_advance(sinew_stage *stage, actor *a, double dt);

/* Actions ▸ pose ▸ joints ▸ palette, morph weights. Allocates nothing, and writes nothing but `s` and what is the
 * actor's own, so that several threads may each evaluate some of the actors. */
void actor_evaluate(const sinew_stage *stage, scratch *s, actor *a);
void actor_evaluate_morphs(const sinew_stage *stage, actor *a);

/* Moves a crowd by dt and evaluates it. */
void stage_step_crowd(sinew_stage *stage, crowd *c, double dt);

/* Makes room for evaluating poses of so many groups. */
bool stage_reserve(sinew_stage *stage, int groups, sinew_error *error);

#endif
