/* sinew/actor.h – characters that play: a stage owns actors, an actor has layers, a layer has actions.
 *
 * Actors and actions are ids with a generation: you can ask whether an id is still valid (`…_is_valid`), and a stale id
 * never crashes. A function given a stale id does nothing and returns zero, false or NULL. A stage belongs to one
 * thread. */
#ifndef SINEW_ACTOR_H
#define SINEW_ACTOR_H

#include <sinew/pose.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sinew_stage sinew_stage;
typedef struct sinew_actor {
  uint64_t id; /* 0 is not an actor */
} sinew_actor;
typedef struct sinew_action {
  uint64_t id; /* 0 is not an action */
} sinew_action;

SINEW_API sinew_stage *sinew_stage_create(sinew_error *error);
SINEW_API void sinew_stage_destroy(sinew_stage *stage);

/* Moves every clock by dt seconds, then evaluates every pose and palette. A non-finite dt counts as 0. A warm update
 * allocates nothing. */
SINEW_API void sinew_stage_update(sinew_stage *stage, double dt);

/* Sets how many threads share the evaluation, including the caller of `update`: 1 .. 64, or 0 (the default) for the
 * value of the environment variable SINEW_THREADS, otherwise the number of the machine's processors. False for another
 * number. The other threads start with the first update that has enough work to share, sleep between updates, and end
 * with the stage. Results are the same to the bit for any number. sinew_stage_threads returns the number in use. */
SINEW_API bool sinew_stage_set_threads(sinew_stage *stage, int threads);
SINEW_API int sinew_stage_threads(const sinew_stage *stage);

/* ---- the lock ---------------------------------------------------------------------------------------------- */

/* While a stage is updated, and while a joint is explained, it calls out: for conditions of transitions, modifiers that
 * are functions, and the ground that metrics ask for. During these calls it is locked, and its functions
 * behave as follows:
 *   - questions are answered;
 *   - sinew_actor_set_param, sinew_actor_pin_param, sinew_actor_unpin_param, sinew_actor_set_modifier_state and
 *     sinew_actor_set_ground write at once;
 *   - sinew_actor_send, sinew_actor_destroy and sinew_crowd_destroy return at once and take effect when the lock opens:
 *     the ids stay valid until then, and the next update receives what was sent;
 *   - everything else changes nothing and returns as it does on failure ({0}, −1, false), with the sentence that "the
 *     stage is being updated" where it has an error to write it to. sinew_stage_update and sinew_stage_destroy, too,
 *     do nothing.
 * An update asks all conditions first, then moves all clocks, then evaluates; what it caused (event.h) is read after
 * it, when the stage is unlocked.
 *
 * A program that walks a stage and calls foreign code on the way may lock it, too. Locks nest; each lock needs its
 * unlock. */
SINEW_API void sinew_stage_lock(sinew_stage *stage);
SINEW_API void sinew_stage_unlock(sinew_stage *stage);
SINEW_API bool sinew_stage_is_locked(const sinew_stage *stage);

/* For tests of programs that are called from an update: moves all arrays that another call might have moved, so that an
 * address sanitizer finds a view that was kept too long. */
SINEW_API void sinew_stage_shake(sinew_stage *stage);

/* Uses the program's own tasks instead of these threads. `run` calls `task` for ranges that cover 0 .. count − 1 once,
 * and returns when all are done. A range begins at a multiple of `grain` and ends at another or at `count`. Ranges that
 * run at the same time have different `worker` numbers, each in 0 .. workers − 1. `run` may call `task` from any
 * thread, in any order. Results are the same to the bit. */
typedef void sinew_task(void *data, int worker, int begin, int end);
typedef struct sinew_task_system {
  void (*run)(void *user, int count, int grain, sinew_task *task, void *data);
  void *user;
  int workers; /* 1 .. 64 */
} sinew_task_system;

/* Copies the struct; NULL goes back to the stage's own threads. False, and nothing changed, without `run`, for another
 * number of workers, or when memory runs out. */
SINEW_API bool sinew_stage_set_tasks(sinew_stage *stage, const sinew_task_system *tasks);

/* A pointer for the program; NULL at first. Sinew never follows it. */
SINEW_API void sinew_stage_set_user(sinew_stage *stage, void *user);
SINEW_API void *sinew_stage_user(const sinew_stage *stage);

/* The skinning matrices of all actors and crowds, hidden ones too, one after the other without gaps, as of the last
 * update: one array to hand to a GPU, and its length. Lives until the next update, or until an actor or a crowd is
 * created or destroyed. sinew_actor_palette_offset and sinew_crowd_palette_offset give the place of one actor or crowd
 * in it. */
SINEW_API const sinew_mat3x4 *sinew_stage_palettes(const sinew_stage *stage, int *count);

/* Actors in the order of creation. */
SINEW_API int sinew_stage_actor_count(const sinew_stage *stage);
SINEW_API sinew_actor sinew_stage_actor(const sinew_stage *stage, int index);

/* Wall time of the last update, in microseconds for each actor and each character of a crowd (0 without any): for the
 * overlay. */
SINEW_API double sinew_stage_microseconds_per_actor(const sinew_stage *stage);

/* ---- actors ----------------------------------------------------------------------------------------------- */

/* The stage keeps its own copy of the name and a reference to the model. {0} on failure. */
SINEW_API sinew_actor sinew_actor_create(sinew_stage *stage, const char *name, sinew_model *model, sinew_error *error);
SINEW_API void sinew_actor_destroy(sinew_stage *stage, sinew_actor actor);
SINEW_API bool sinew_actor_is_valid(const sinew_stage *stage, sinew_actor actor);
SINEW_API const char *sinew_actor_name(const sinew_stage *stage, sinew_actor actor);
/* Returns false, and keeps the old name, when memory runs out. */
SINEW_API bool sinew_actor_set_name(sinew_stage *stage, sinew_actor actor, const char *name);
SINEW_API sinew_model *sinew_actor_model(const sinew_stage *stage, sinew_actor actor);

/* The actor's transform in the world. Identity at first. Non-finite values are refused (false). */
SINEW_API sinew_transform sinew_actor_transform(const sinew_stage *stage, sinew_actor actor);
SINEW_API bool sinew_actor_set_transform(sinew_stage *stage, sinew_actor actor, const sinew_transform *transform);

/* A hidden actor is evaluated but not drawn; see sinew_actor_set_skip_hidden. */
SINEW_API bool sinew_actor_is_visible(const sinew_stage *stage, sinew_actor actor);
SINEW_API void sinew_actor_set_visible(sinew_stage *stage, sinew_actor actor, bool visible);

/* With `skip` an actor is not evaluated while it is hidden: its clocks, events and root motion continue, but its pose,
 * joints, palette and morph weights, and the actors attached to it, stay as they were. False by default. */
SINEW_API bool sinew_actor_skips_hidden(const sinew_stage *stage, sinew_actor actor);
SINEW_API void sinew_actor_set_skip_hidden(sinew_stage *stage, sinew_actor actor, bool skip);

/* A pointer for the program; NULL at first, and for a stale id. Sinew never follows it. */
SINEW_API void *sinew_actor_user(const sinew_stage *stage, sinew_actor actor);
SINEW_API void sinew_actor_set_user(sinew_stage *stage, sinew_actor actor, void *user);

/* The skinning method, linear by default. Dual quaternions keep the volume of a twisting limb. They take some 0.1
 * microseconds more CPU time per joint, and 0.4 for a stretched joint. */
typedef enum sinew_skinning { SINEW_SKINNING_LINEAR, SINEW_SKINNING_DUAL_QUATERNION } sinew_skinning;
SINEW_API sinew_skinning sinew_actor_skinning(const sinew_stage *stage, sinew_actor actor);
SINEW_API void sinew_actor_set_skinning(sinew_stage *stage, sinew_actor actor, sinew_skinning skinning);

/* 1 at first; below that the actor is transparent. Clamped to 0..1; NaN is ignored. */
SINEW_API float sinew_actor_opacity(const sinew_stage *stage, sinew_actor actor);
SINEW_API void sinew_actor_set_opacity(sinew_stage *stage, sinew_actor actor, float opacity);

/* Shows the rest pose instead of the actor's clips; the clocks keep running. */
SINEW_API void sinew_actor_set_bind_pose(sinew_stage *stage, sinew_actor actor, bool bind_pose);
/* The same for every actor, whatever was set for it, until it is turned off: for looking at models. */
SINEW_API void sinew_stage_set_bind_pose(sinew_stage *stage, bool bind_pose);

/* Stops time for the actor's actions and their fades. */
SINEW_API void sinew_actor_set_paused(sinew_stage *stage, sinew_actor actor, bool paused);

/* Results of the last update. They live until the next one, or until the actor is destroyed, so call these functions
 * again after each update. Most actors are only drawn, so pose and joints are computed when they are first asked for;
 * from then on, joints are kept in each update. A call may therefore write: do not call these functions for one actor
 * from two threads at once. */
SINEW_API sinew_pose sinew_actor_pose(const sinew_stage *stage, sinew_actor actor);
/* Model-space joint matrices, as many as the model has joints. World = transform · joint. */
SINEW_API const sinew_mat3x4 *sinew_actor_joints(const sinew_stage *stage, sinew_actor actor);
/* Skinning matrices in model space, sinew_model_palette_count of them (NULL without): the actor's part of
 * sinew_stage_palettes, which moves when an actor or a crowd is created. */
SINEW_API const sinew_mat3x4 *sinew_actor_palette(const sinew_stage *stage, sinew_actor actor);
/* The actor's first matrix in sinew_stage_palettes; −1 for a stale id or a model without a skin. */
SINEW_API int sinew_actor_palette_offset(const sinew_stage *stage, sinew_actor actor);

/* Morph weights: the blend of the clips, plus the values that were set. sinew_actor_morphs: one value per target of the
 * mesh, from the last update; NULL if the mesh has none. set_morph: by target name, on every mesh that has it; false if
 * none has. */
SINEW_API const float *sinew_actor_morphs(const sinew_stage *stage, sinew_actor actor, int mesh);
SINEW_API bool sinew_actor_set_morph(sinew_stage *stage, sinew_actor actor, const char *name, float weight);
/* The weight that was set by hand for that target; 0 if none was. */
SINEW_API float sinew_actor_morph(const sinew_stage *stage, sinew_actor actor, const char *name);

/* ---- layers ----------------------------------------------------------------------------------------------- */

/* Layers are applied from bottom to top. Layer 0, "base", always exists: its actions share the whole weight, whatever
 * their weights (the rest pose shows if nothing plays, or after the last action was stopped; a joint that a clip
 * does not animate rests in that clip). Above it, an override
 * layer covers the layers below by min(1, sum of its actions' weights) × layer weight × joint weight, so fading its
 * last action uncovers them; an additive layer adds each action's difference from a reference, for the joints that its
 * clip moves. */
typedef enum sinew_layer_mode { SINEW_LAYER_OVERRIDE, SINEW_LAYER_ADDITIVE } sinew_layer_mode;

/* The space of a layer's rotations. In model space, an override layer keeps the directions of its clips, and an
 * additive one adds rotations about the model's axes, however the parent joints lean: a look-at stays on its target
 * over a running pelvis. Joints that the layer does not cover keep their local rotations. Translations and scales are
 * always local. Takes some 0.1 microseconds more per joint. */
typedef enum sinew_layer_space { SINEW_LAYER_LOCAL, SINEW_LAYER_MODEL } sinew_layer_space;

/* The reference pose that the clips of an additive layer are compared with. */
typedef enum sinew_reference_kind {
  SINEW_REFERENCE_BEGIN, /* each clip's own first moment */
  SINEW_REFERENCE_CLIP,  /* `clip` at `time`; what that clip does not move is at rest */
  SINEW_REFERENCE_POSE   /* `pose`; morph weights differ from those at rest */
} sinew_reference_kind;

typedef struct sinew_reference {
  sinew_reference_kind kind;
  int clip;
  double time; /* seconds, clamped to the clip */
  sinew_pose pose;
} sinew_reference;

typedef struct sinew_layer_def {
  sinew_layer_mode mode;
  sinew_layer_space space;
  float weight;               /* 0..1 for override; any finite value for additive */
  const float *joint_weights; /* joint_count values of 0..1 (copied), or NULL for 1 everywhere */
  sinew_reference reference;  /* additive; its pose is copied */
} sinew_layer_def;

SINEW_API sinew_layer_def sinew_layer_def_default(void); /* override, weight 1, no mask, the clips' first moments */

/* Adds a layer on top and returns its index, or -1 and an error message (a name that is taken, 16 layers at most). The
 * name is copied. */
SINEW_API int sinew_actor_add_layer(sinew_stage *stage, sinew_actor actor, const char *name, const sinew_layer_def *def,
                                    sinew_error *error);
/* Removes a layer and its actions; the base layer stays (false). Layers above move down by one index. */
SINEW_API bool sinew_actor_remove_layer(sinew_stage *stage, sinew_actor actor, int layer);
/* Moves a layer with everything that plays on it to another position in the stack; nothing else changes. The base layer
 * stays where it is (false). */
SINEW_API bool sinew_actor_move_layer(sinew_stage *stage, sinew_actor actor, int layer, int position);
SINEW_API int sinew_actor_layer_count(const sinew_stage *stage, sinew_actor actor);
SINEW_API const char *sinew_actor_layer_name(const sinew_stage *stage, sinew_actor actor, int layer);
SINEW_API int sinew_actor_find_layer(const sinew_stage *stage, sinew_actor actor, const char *name);
/* The mask and pose that `layer` returns belong to the layer, until it changes or is removed; set_layer accepts them.
 */
SINEW_API sinew_layer_def sinew_actor_layer(const sinew_stage *stage, sinew_actor actor, int layer);
SINEW_API bool sinew_actor_set_layer(sinew_stage *stage, sinew_actor actor, int layer, const sinew_layer_def *def);
/* Fades the weight to another over `seconds` (0: at once). Setting the weight ends the fade. False as for
 * set_layer_weight, or if `seconds` is negative or not finite. */
SINEW_API bool sinew_actor_fade_layer(sinew_stage *stage, sinew_actor actor, int layer, float weight, double seconds);

/* Renames all layers above the base, from bottom to top; nothing else changes. Returns false, and changes nothing, if
 * memory runs out, a name is used twice, or `count` is not the number of these layers. */
SINEW_API bool sinew_actor_rename_layers(sinew_stage *stage, sinew_actor actor, const char *const *names, int count,
                                         sinew_error *error);
/* Changes the weight alone; the mask and mode stay. */
SINEW_API bool sinew_actor_set_layer_weight(sinew_stage *stage, sinew_actor actor, int layer, float weight);

/* ---- actions ---------------------------------------------------------------------------------------------- */

/* The curve of a fade from 0 to 1; t is the fraction of its time that has passed. */
typedef enum sinew_ease {
  SINEW_EASE_LINEAR,
  SINEW_EASE_IN,    /* t² */
  SINEW_EASE_OUT,   /* 1 − (1 − t)² */
  SINEW_EASE_IN_OUT /* 3 t² − 2 t³ */
} sinew_ease;

typedef enum sinew_transition_kind {
  SINEW_TRANSITION_CROSSFADE,
  SINEW_TRANSITION_FROZEN,  /* a crossfade from the old pose, frozen */
  SINEW_TRANSITION_INERTIAL /* the new state at once, plus the difference from the old one in pose and velocity, which
                               decays (sinew_inertialize): evaluates one source, may be interrupted at any time */
} sinew_transition_kind;

typedef enum sinew_loop_mode {
  SINEW_LOOP_ONCE,
  SINEW_LOOP_FOREVER,
  SINEW_LOOP_PING_PONG,
  SINEW_LOOP_COUNT
} sinew_loop_mode;

/* The most strides of a clip. If they had more than 16 intervals between sync markers in all, the clip counts as one
 * stride. */
enum { SINEW_MAX_CYCLES = 8 };

/* The longest name of a sync group has 63 bytes. */
enum { SINEW_SYNC_NAME = 64 };

/* How a clip plays: what sinew_actor_play begins with, and what an action has now (sinew_action_read_state). */
typedef struct sinew_play_def {
  int clip, layer;
  double fade; /* seconds, >= 0 */
  sinew_loop_mode loop;
  int loop_count; /* how many times, for SINEW_LOOP_COUNT; >= 1 */
  double speed;   /* 1 is the clip's own; negative runs backwards, 0 stands */
  float weight;   /* >= 0, what the fade goes to */
  /* The time at which it begins, seconds; NAN (the default): the beginning, or the end with a negative speed. */
  double time;
  double from, to; /* the part of the clip that plays, seconds; NAN: from its beginning, to its end */
  /* A one-shot or counted clip fades out over its last `fade_out` seconds (or over all that is left once it has faded
   * in, or after its end if nothing is left), and then ends; the actions that it covered return. NAN (the default): it
   * keeps its last pose. On the base layer, an action that is alone always keeps it, because there is nothing to return
   * to. */
  double fade_out;
  sinew_ease ease;            /* of the fade, with `solo` also of the others' */
  sinew_transition_kind kind; /* with `solo`: how the others go */
  /* Clips of the actor's actions and graphs with the same name share one phase (graph.h), at the pace of the lowest
   * layer with such a clip that travels; "": no shared phase. At most 8 names for an actor. */
  char sync_group[SINEW_SYNC_NAME];
  /* Strides in one loop, for the phase in a sync group. 0 (the default): counted from the footfalls, or 1 if these are
   * unknown; at most SINEW_MAX_CYCLES. Sync markers take precedence. */
  int cycles;
  /* true: every other action on the layer fades out in the same time and then ends: a crossfade. Legs that it takes
   * lower than both motions have them are bent until their feet are on the ground; other joints are means. Under a
   * one-shot with a fade_out the others do not end: they keep running unseen, and return when it ends or is stopped.
   * Another one-shot takes its place; anything else ends them all. false: the action joins the mix and nothing else
   * changes.
   */
  bool solo;
  bool paused;
  bool back; /* of SINEW_LOOP_PING_PONG: it plays backwards; other modes ignore it */
} sinew_play_def;

SINEW_API sinew_play_def sinew_play_def_default(void); /* layer 0, fade 0.2, forever, speed 1, weight 1, solo */

/* Starts a clip. On a base layer that has shown nothing yet it starts with its whole weight at once. It always starts a
 * new action, even if the same clip is playing already (that action fades out beside it). A layer holds 32 actions at
 * most; the lightest that is fading out makes room. {0} and an error message on misuse. */
SINEW_API sinew_action sinew_actor_play(sinew_stage *stage, sinew_actor actor, const sinew_play_def *def,
                                        sinew_error *error);

/* The actor takes over the model of `fresh`, an actor created with that model, which is destroyed. It keeps its id,
 * transform, layers, graphs and their states. Each action and each clip of a graph continues at the same time in
 * `clips[i]`, the counterpart of the old model's clip i. With -1 it has none: the action ends, and a graph that lacks a
 * clip is suspended until the layer gets another graph, which continues from it. Joints are matched by name: masks,
 * root motion and attachments follow them. Modifiers stay if their joints are the same, otherwise they are those of
 * `fresh`. False, and nothing has changed, for a stale id, if `fresh` has been given layers, actions or a graph, or
 * when memory runs out. */
SINEW_API bool sinew_actor_take_model(sinew_stage *stage, sinew_actor actor, sinew_actor fresh, const int *clips,
                                      sinew_error *error);

/* Blends by inertia (SINEW_TRANSITION_INERTIAL) from what `from` showed last to what the actor shows next, over
 * `seconds`: nothing jumps, whatever changes before the next update (what plays, modifiers, what the actor is attached
 * to). `from` is the actor itself, or another with the same number of joints that it replaces. False, and no blend,
 * when memory runs out or the joints differ. */
SINEW_API bool sinew_actor_join(sinew_stage *stage, sinew_actor actor, sinew_actor from, double seconds);

/* Fades an action out over `fade` seconds, with the ease of its fade; then it ends and its id becomes stale. 0 ends it
 * at once. A second stop can only shorten the first. Actions that a one-shot covered return. If the last action of the
 * base layer is stopped and there is no graph, the rest pose replaces it until something is played. */
SINEW_API void sinew_action_stop(sinew_stage *stage, sinew_action action, double fade);

SINEW_API bool sinew_action_is_valid(const sinew_stage *stage, sinew_action action);
/* A one-shot (or counted) action that has reached its end and holds there. */
SINEW_API bool sinew_action_is_finished(const sinew_stage *stage, sinew_action action);
/* Fading out: stopped, or replaced by a crossfade. */
SINEW_API bool sinew_action_is_stopping(const sinew_stage *stage, sinew_action action);

/* What an action does now; written back with sinew_action_set_state. `time` is where it is, in seconds of the clip;
 * setting it is a seek without a fade. `from` and `to` are NAN where they are the clip's own ends. Setting a part keeps
 * the time if it lies inside. Otherwise a loop is wrapped into the part, and any other action stops at the nearer end.
 * Setting ignores `clip`, `layer` and what acts only as an action begins (`fade`, `ease`, `kind`, `solo`).
 * read_state: false for a stale id (the output is zeroed). set_state: false, and nothing changed, for a stale id, a
 * value out of range (as for sinew_actor_play; a time that is not finite) or a ninth name of a sync group. */
SINEW_API bool sinew_action_read_state(const sinew_stage *stage, sinew_action action, sinew_play_def *state);
SINEW_API bool sinew_action_set_state(sinew_stage *stage, sinew_action action, const sinew_play_def *state);
/* Its weight × fade, and how many loops it has completed, negative when running backwards. 0 for a stale id. */
SINEW_API float sinew_action_strength(const sinew_stage *stage, sinew_action action);
SINEW_API int64_t sinew_action_loops(const sinew_stage *stage, sinew_action action);

/* Goes to a time of the clip (clamped to the part that plays), as setting `time` does. With `events` the next update
 * reports the markers in between, as if the clip had played there; a clip in a sync group stays
 * where the group is. False for a stale id or a time that is not finite. */
SINEW_API bool sinew_action_seek(sinew_stage *stage, sinew_action action, double time, bool events);
/* Jumps to the next marker of that name (event.h) after the action's time, otherwise to the first: so markers begin
 * sections. The marker raises its event, and the pose blends in by inertia in `fade` seconds (0: at once). A clip in a
 * sync group stays at the group's phase. False for a stale id, a name that no marker in the playing part has, an action
 * that is fading out, a fade that is negative or not finite, and when memory runs out. */
SINEW_API bool sinew_action_go_to(sinew_stage *stage, sinew_action action, const char *marker, double fade);

/* The actions of a layer, oldest first. */
SINEW_API int sinew_actor_action_count(const sinew_stage *stage, sinew_actor actor, int layer);
SINEW_API sinew_action sinew_actor_action(const sinew_stage *stage, sinew_actor actor, int layer, int index);
SINEW_API sinew_actor sinew_action_actor(const sinew_stage *stage, sinew_action action);

#ifdef __cplusplus
}
#endif
#endif
