/* stage – the internals of a stage, its actors, layers and actions. */
#ifndef SINEW_ACTOR_STAGE_H
#define SINEW_ACTOR_STAGE_H

#include "actor/crowd/crowd.h"
#include "actor/graph/graph.h"
#include "actor/lock.h"
#include "actor/modifiers/modifier.h"
#include "actor/motion/inertia.h"
#include "actor/motion/jumps.h"
#include "actor/motion/marks.h"
#include "actor/motion/root_motion.h"
#include "actor/play/curves.h"
#include "actor/play/event_queue.h"
#include "actor/play/fade.h"
#include "actor/scratch.h"
#include "actor/sync/gait.h"
#include "base/jobs.h"
#include "base/memory/pool.h"
#include "model/model.h"

#include <sinew/metrics.h>

enum { MAX_LAYERS = 16 };

/* A joint that a clip does not animate rests in that clip. So if the clips that animate a joint have less than this
 * weight together, the rest pose joins with the remainder, and a joint that only one clip moves fades in and out as
 * evenly as that clip. `sum` is the sum of all weights: if two clips play with full weight and one of them animates
 * only the arms, no rest pose is added. Slightly below 1 to allow for rounding in sums of floats. */
static inline float rest_threshold(float sum) { return 0.9999f / (sum > 1 ? sum : 1); }
/* Above the base layer, a layer's own weight decides how much it covers, so the rest pose never joins. */
#define LAYER_THRESHOLD 1e-6f

typedef struct action {
  uint64_t actor;
  sinew_play_def asked; /* as it began, and was set since; the playback has the time */
  playback playback;
  fading fade;
  uint64_t covered_by; /* the action after which it returns, or 0 */
  sync_phase *sync;    /* a group of the actor's, or NULL */
  uint32_t group;      /* numbers the crossfades of its layer: actions with the same number are a mix */
  bool stopping;
  bool frozen;  /* paused by a frozen transition: its root coasts */
  bool leaving; /* stopping because its clip ends */
} action;

/* One action in place of another: the latest change. */
typedef struct layer_change {
  sinew_transition_kind kind;
  int from, to; /* clips, or −1 */
  double time, fade;
  sinew_ease ease;
} layer_change;

typedef struct layer {
  char *name;
  sinew_layer_def
      asked; /* with what was set since; it owns the mask, padded to groups, and the pose of the reference */
  float fade_from, fade_to;
  double fade_elapsed, fade_duration; /* 0: the weight stands */
  fading rest;                        /* the base layer: the weight of the rest pose beside the actions */
  float rest_weight, rest_mean;       /* its normalised weight: now, and on average over the last update */
  float threshold;                    /* the base layer: rest_threshold */
  struct {
    float weight, rest_weight, threshold;
  } first; /* the same at the beginning of the update, as clip_instance.first */
  uint64_t actions[MAX_ACTIONS];
  int action_count;
  uint32_t crossfades; /* so far */
  layer_change change;
  graph *graph, *held; /* or NULL; held: a suspended graph, from which the next one continues */
  int origin;          /* 1 + the layer whose actions the next graph also continues from; 0: none */
  /* Its instances in the actor's list, those of the graph first. */
  int first_instance, graph_instances, instance_count;
} layer;

typedef struct actor_params {
  char **names;
  double *values, *set; /* as seen by graphs, and as set: they differ if a parameter is pinned */
  bool *pinned;
  int count;
} actor_params;

/* The part of an actor that only actors with graphs or sync groups have. */
typedef struct graph_inputs {
  sync_group groups[SYNC_GROUPS];
  char sent[SENT_EVENTS][EVENT_NAME];
  sinew_vec3 at;                 /* the actor's position in the last update */
  bool placed;                   /* there was a last update */
  double moved;                  /* metres over the ground in this one, in model space */
  int sent_count, waiting_count; /* waiting: sent while the stage was locked; stored behind the others */
} graph_inputs;

typedef struct attachment {
  sinew_attachment asked;
  sinew_transform join; /* its old position relative to that; and seconds */
  double joined, join_seconds;
} attachment;

/* A point of a foot that may touch the ground: of its mesh, or the joint itself. */
enum { SOLE_POINTS = 128 };
typedef struct sole_point {
  int joint, leg; /* leg: the index of its first foot */
  sinew_vec3 local;
  float highest;    /* the height up to which it is on the ground, relative to the rest pose */
  sinew_vec3 place; /* in the world */
  bool touches;
} sole_point;

/* Why a foot slides: the clip that moves it most, and how fast that clip and the actor go. */
typedef struct slide_cause {
  double speed; /* of the slide; 0: not known yet */
  int clip, layer, node;
  uint64_t action;
  float travels, goes;
  bool unsynced;
  char text[SINEW_MARK_TEXT];
} slide_cause;

/* The part of an actor that only measured actors have. */
/* The swing of a spring (flutter.c). */
enum { FLUTTER_SPRINGS = 16 };
typedef struct flutter {
  sinew_vec3 offset, way; /* of the last update */
  int turns;              /* of the last updates, those in which it turned back */
  double said;            /* the time of its last mark */
} flutter;

typedef struct actor_metrics {
  int feet[SINEW_FEET_MAX], foot_count;
  int legs[SINEW_FEET_MAX]; /* for each foot, the first foot of its leg */
  sinew_ground_function *ground;
  void *user;
  sinew_metrics sums;
  double slide, contact; /* metres, seconds: of each foot */
  double slid_before;    /* metres, in past contacts */
  float slide_threshold;
  mark_list marks;
  double slid[SINEW_FEET_MAX], since[SINEW_FEET_MAX]; /* in the leg's contact: metres, and the time when it began */
  slide_cause causes[SINEW_FEET_MAX];                 /* likewise: of the moment at which it slid fastest */
  sole_point soles[SOLE_POINTS];
  int sole_count;
  jumps jumps;
  float *levers;                     /* levers.h */
  flutter flutters[FLUTTER_SPRINGS]; /* by the index of the modifier */
  bool moved;                        /* there was a frame before */
  float scale;                       /* of the actor over the ground */
  double speed;                      /* of the actor in this update, in metres of its figure per second */
} actor_metrics;

/* The inputs of a pose that is computed only if somebody asks for it: most actors need only their palette. */
typedef struct unmade_pose {
  bool waits;
  int count;
  float threshold;
  sinew_evaluate_source sources[SINEW_EVALUATE_SOURCES];
} unmade_pose;

typedef struct actor {
  uint64_t id;
  char *name;
  sinew_model *model;
  sinew_transform transform;
  bool visible, bind_pose, paused;
  bool goes, sends; /* to be done when the stage is unlocked */
  bool rests;       /* in this update it shows its bind pose, by its own or the stage's setting */
  bool skips_hidden;
  void *user; /* the program's */
  float opacity;
  sinew_skinning skinning;
  layer *layers; /* at least one */
  int layer_count, layer_capacity;
  clip_instance_list instances; /* everything that plays, layer by layer; made by actor_advance */
  actor_params params;
  graph_inputs *inputs; /* or NULL */
  inertia inertia;
  inertia_offset inertia_offset;
  root_motion root;
  modifier_list modifiers;
  actor_metrics *metrics; /* or NULL */
  attachment attachment;
  int64_t searched;        /* the number of the search that found it last */
  int wave;                /* lower waves are evaluated first; −1: not found yet */
  struct actor *waiter;    /* while waves are found: the actor that led here */
  int asked;               /* how many of those it waits for have been visited */
  int below;               /* the longest chain of actors attached below it */
  bool followed;           /* something is or was attached to it or aims at it */
  bool unfinished;         /* its pose is blended; modifiers and palette are still to be done */
  model_gait *gait;        /* or NULL: no clip of it has been in sync yet */
  double step;             /* seconds of the last update; 0 while paused */
  void *results;           /* the block of everything below; the poses swap places in it */
  sinew_pose pose, before; /* of the last update, and of the one before it (actor_make_poses) */
  int poses;               /* how many of these showed what plays: 0, 1, 2 */
  unmade_pose unmade, unmade_before;
  sinew_mat3x4 *joints;            /* actor_joints, for callers between actor_evaluate and actor_finish */
  bool joints_wait, joints_read;   /* until somebody asks, as poses do; somebody has: from then on they are kept */
  int placed;                      /* while it is unfinished: modifier_frame.placed */
  palette_range palette;           /* in the stage's palettes */
  float *morphs;                   /* the meshes' targets, one after the other */
  float *morph_sum, *morph_sample; /* scratch for one mesh's targets */
  float *manual;                   /* weights by hand, by sinew_model_morph_name's numbers */
} actor;

struct sinew_stage {
  pool actor_slots;  /* of actor * */
  pool action_slots; /* of action */
  actor **actors;    /* in the order of creation */
  int actor_count, actor_capacity;
  bool bind_pose;   /* of all actors */
  int waves;        /* of actors that wait for others (waves.c) */
  bool waves_stale; /* the waves must be found again */
  actor **by_wave;  /* all actors, those of a wave in the order of creation */
  int *wave_ends;   /* where each wave ends in that */
  int by_wave_capacity, wave_ends_capacity;
  int64_t searches; /* for actors that wait for others, so far */
  pool crowd_slots; /* of crowd * */
  crowd **crowds;   /* in the order of creation */
  int crowd_count, crowd_capacity;
  palettes palettes;
  marker_table markers;
  curve_table curves;
  gait_table gaits;
  event_queue events;
  graph *named_graphs; /* whose states the events name, a list */
  sinew_condition_function *condition;
  void *condition_user;
  void *user;                           /* the program's */
  sinew_task_system tasks;              /* `run` may be NULL: the stage's own threads */
  int threads_wanted;                   /* 0: jobs_default_threads */
  jobs *jobs;                           /* NULL while there is too little to share */
  scratch scratches[JOBS_MOST_THREADS]; /* one for each thread */
  int scratch_groups;
  double microseconds_per_actor;
  int locks;       /* how many walk it (lock.c) */
  int64_t changes; /* how often one was asked for */
  int shaken;      /* where sinew_stage_shake continues */
  unsigned shakes;
  bool waiting; /* something must be done when the lock opens */
};

bool transform_is_finite(const sinew_transform *t);
/* Removes an action from its layer and from the stage. */
void stage_end_action(sinew_stage *stage, uint64_t id);

/* weight × fade, what an action counts with. */
float action_strength(const action *a);
double action_strength_mean(const action *a, double dt); /* over the last dt seconds */
/* Moves the fades of a layer's actions; a one-shot whose time has come begins to leave. */
void actions_fade(sinew_stage *stage, layer *l, double dt);
/* Ends those that have faded out. */
void actions_end(sinew_stage *stage, layer *l);

double actor_ground_scale(const actor *a); /* how large it is over the ground */
/* Asks the conditions of its graphs and takes their transitions, before any clock moves. */
void actor_decide(sinew_stage *stage, actor *a, double dt);
/* Fades, clocks, graphs, events: makes the list of instances. Actions that have faded out end. */
void actor_advance(sinew_stage *stage, actor *a, double dt);
/* True if `a` is attached to `from`, directly or through other actors. */
bool attachment_hangs(const sinew_stage *stage, const actor *a, const actor *from);
/* The world transform that its attachment gives it now. */
sinew_mat3x4 attachment_world(const sinew_stage *stage, const actor *a);
/* Moves it there. */
void attachment_position(const sinew_stage *stage, actor *a);
/* Moves the actor from where it is to its attachment, in this many seconds. */
void attachment_join(const sinew_stage *stage, actor *a, double seconds);
/* True if `a` has to be evaluated after `b`, because it is attached to it or a modifier follows it. */
bool actor_waits_for(sinew_stage *stage, actor *a, const actor *b);
bool stage_reserve_waves(sinew_stage *stage, int actors);
/* Sorts the actors into waves: each waits only for actors of earlier waves. */
void stage_find_waves(sinew_stage *stage);
bool modifier_find_target(const sinew_stage *stage, const actor *a, const joint_target *target, sinew_vec3 *point);
modifier_frame actor_modifier_frame(const sinew_stage *stage, const actor *a, int *placed);
/* Moves a weight that is fading. */
void layer_fade(layer *l, double dt);
/* The reference that an additive layer subtracts from an instance: a clip at a time, or NULL for the layer's pose. The
 * second function returns the reference's pose, in `memory` if it has to be sampled. */
const sinew_clip *layer_reference_clip(const actor *a, const layer *l, const clip_instance *item, double *time);
sinew_pose layer_reference(const actor *a, const layer *l, const clip_instance *item, sinew_pose memory);
void layer_free(layer *l);
/* The normalised weight of an instance in its layer (sinew_playing.normalized_weight). */
float instance_normalized_weight(const actor *a, const clip_instance *item);
/* The sum of the weights of a layer's actions. */
float layer_action_weight(const actor *a, const layer *l);
/* False when memory runs out. */
bool actor_need_gait(sinew_stage *stage, actor *a);
/* Makes room for inertial transitions. */
bool actor_reserve_inertia(const sinew_stage *stage, actor *a);
/* Call this before reading `pose` or `before`, except between actor_evaluate and the end of the update. */
void actor_make_poses(const sinew_stage *stage, actor *a);
const sinew_mat3x4 *actor_joints(actor *a);
/* From now on, another actor is attached to it or follows one of its joints. */
void actor_follow(actor *a);
/* Makes room for the instances of all layers. */
bool actor_reserve_instances(actor *a);
/* NULL when memory runs out. */
graph_inputs *actor_need_inputs(actor *a);
void actor_free_inputs(actor *a); /* graphs, parameters, groups, instances */
void actor_free_params(actor_params *p);

/* Leaves ▸ pose ▸ joints ▸ morph weights; actor_finish: modifiers ▸ palette. Both allocate nothing, and write nothing
 * but `s` and what is the actor's own, so that several threads may each evaluate some of the actors. One with modifiers
 * that are functions is finished by the thread that updates the stage. */
bool actor_is_skipped(const actor *a); /* hidden, and not to be evaluated then */
void actor_evaluate(const sinew_stage *stage, scratch *s, actor *a);
/* The parts of a pose, to explain how it came about: the lowest layers, that many steps ago, with their current weights
 * (`back` other than 0: only within the update); one instance. */
void actor_blend(const scratch *s, const actor *a, int layers, double back, sinew_pose output);
/* The pose at the beginning of the update, with all that the caller has changed since the one before. */
void actor_blend_first(const scratch *s, actor *a, sinew_pose output);
void actor_sample(const actor *a, const clip_instance *item, double time, sinew_pose output);
void actor_finish(const sinew_stage *stage, actor *a);
void actor_evaluate_morphs(actor *a);

/* Measures the frame that was just evaluated. */
void actor_measure(const sinew_stage *stage, actor *a);
/* The contacts of its feet with the ground (feet.c). */
bool contacts_find_soles(actor_metrics *m, const sinew_model *model, float foot_height);
void contacts_measure(actor_metrics *m, const actor *a);
void flutter_measure(actor_metrics *m, const actor *a);
double contacts_slid(const actor_metrics *m); /* in all so far */
/* The index-th of those that are open and slide; false past the last. */
bool contacts_open(const actor_metrics *m, int index, sinew_mark *mark);
/* The ground that a modifier plants the joint's foot on: the height in the world of its plane at a position, and its
 * unit normal. False where none does. */
bool modifiers_plane_under(const actor *a, int joint, sinew_vec3 at, float *height, sinew_vec3 *normal);
void metrics_free(actor_metrics *m); /* or NULL */
/* The actor has another model, with the same joints. When memory runs out, measuring ends. */
void metrics_move(actor *a);

static inline action *stage_find_action(const sinew_stage *stage, uint64_t id) {
  return pool_find(&stage->action_slots, id);
}

/* Moves a crowd by dt and evaluates it. */
void stage_step_crowd(sinew_stage *stage, crowd *c, double dt);

/* ---- threads (threads.c) ---- */

/* Makes room for evaluating poses of this many groups. */
bool stage_reserve(sinew_stage *stage, int groups, sinew_error *error);
/* True if several threads share the work for this many joints. */
bool stage_shares(const sinew_stage *stage, int64_t joints);
/* Shares characters 0 .. count − 1, which have `joints` joints together; a thread takes `range` of them at a time. */
void stage_share(sinew_stage *stage, int count, int range, int64_t joints, jobs_function *function, void *user);
void stage_end_threads(sinew_stage *stage);

#endif
