/* world – what scripts have declared, beside the living values that the stage keeps.
 *
 * A declaration remembers two sets of values: `last`, as the running scripts declared them, and `next`, as the load
 * that is going on declares them. A commit applies only what differs between the two, so whatever a scene has become
 * since stays as it is; a rollback forgets `next`. Knows no Lua. */
#ifndef SINEW_BINDINGS_WORLD_H
#define SINEW_BINDINGS_WORLD_H

#include "declare/kinds.h"

#include <sinew/event.h>
#include <sinew/graph.h>
#include <sinew/host.h>
#include <sinew/rig.h>

enum { WORLD_NAME = 96, WORLD_LINE = 96, WORLD_SUMMARY = 640, WORLD_PARAMS = 64, WORLD_MODIFIERS = 64 };

/* How many actors a scene may have: each takes memory that Lua does not count. */
enum { WORLD_ACTORS = 16384 };

/* Seconds that something swept is held with its state, in case a later save declares it again. */
#define WORLD_HOLD 10.0
/* Seconds in which a layer that is swept loses its weight, and an actor its colour. */
#define WORLD_SWEEP_FADE 0.2
/* Seconds in which an actor that a save has changed joins how it moved before. */
#define WORLD_JOIN 0.3

typedef struct world_value {
  bool set;
  float v[4];
} world_value;

typedef struct world_property {
  world_value last, next;
  world_value dropped, living; /* what was declared, and what it had become, when the declaration went */
  double dropped_at;
} world_property;

/* What an action is declared with, or has become (kind_action). */
typedef enum play_way { PLAY_MIXES, PLAY_CROSSFADES } play_way;
typedef struct play_values {
  double fade, fade_out, speed, weight, time, from, to; /* NAN: not said */
  sinew_loop_mode loop;
  int loop_count;
  sinew_ease ease;
  sinew_transition_kind blend;
  play_way way;
  bool paused, stopped; /* stopped: by a script's top level, in … */
  double stop_fade;     /* … so many seconds */
  char sync[64];        /* "": none */
} play_values;

typedef struct play_record {
  int64_t id, layer;     /* layer: the id of its record, 0 for base */
  char name[WORLD_NAME]; /* of the clip, by which it is found in another model */
  int clip, next_clip, order;
  bool last_set, next_set;
  play_values last, next;
  sinew_action action;
  char line[WORLD_LINE], next_line[WORLD_LINE];
  double swept_at;  /* < 0: not swept */
  play_values held; /* of a swept one, as it was */
  bool held_ended;
  bool joins; /* it goes on from one that went in the same commit: no fade */
} play_record;

/* A one-shot that leaves by itself. */
typedef struct leaving_action {
  sinew_action action;
  double fade;
} leaving_action;

enum { WORLD_LEAVING = 256 };

/* The line that played an action at run time. */
typedef struct action_line {
  sinew_action action;
  char line[WORLD_LINE];
} action_line;

typedef struct layer_values {
  sinew_layer_mode mode;
  float weight;
  float *mask; /* mask_count values, or NULL */
  int mask_count;
  sinew_reference reference;
} layer_values;

typedef struct layer_record {
  int64_t id;
  char name[WORLD_NAME];
  bool last_set, next_set, runtime, joined; /* joined: by the commit that goes on */
  int order;                                /* of its declaration */
  layer_values last, next;
  char line[WORLD_LINE], next_line[WORLD_LINE];
  double swept_at;
  float held_weight;
} layer_record;

typedef struct morph_record {
  char name[WORLD_NAME];
  world_property value;
} morph_record;

typedef struct param_record {
  char name[WORLD_NAME];
  world_property value;
} param_record;

/* A child of a space whose place a function says. */
typedef struct graph_position {
  int node, axis, function; /* axis: 0 x, 1 y */
} graph_position;

/* A graph's definition in one piece of memory. */
typedef struct graph_copy {
  sinew_graph_def def;
  const graph_position *positions;
  int position_count;
} graph_copy;

typedef struct graph_record {
  int64_t id, layer; /* layer: the id of its record, 0 for base */
  graph_copy *last, *next;
  bool declared, next_set, held; /* held: the stage keeps what it was doing … */
  double dropped_at;             /* … since then */
  double next_fade;
  char line[WORLD_LINE], next_line[WORLD_LINE];
} graph_record;

/* A joint that a target goes along with; actor 0: none, the target is a point. */
typedef struct modifier_target {
  int64_t actor; /* the id of its record */
  char joint[SINEW_JOINT_PATH];
} modifier_target;

typedef struct modifier_values {
  sinew_modifier_def def;
  modifier_target declared, follows; /* follows: what it has become */
  bool grounded;                     /* a function of the scene knows the ground */
  char line[WORLD_LINE];
} modifier_values;

/* The modifiers of an actor in one piece of memory. By its id the functions of a set are found. */
typedef struct modifier_set {
  int64_t id;
  bool runtime;
  modifier_values *items;
  int count;
} modifier_set;

/* One that is declared no more: what it was declared as, and what it had become. The joints are those of `last`. */
typedef struct held_modifier {
  modifier_set *last; /* of one; of none where another model lacks its joints */
  modifier_values living;
  sinew_spring_state *springs;
  int spring_count;
  double dropped_at;
} held_modifier;

typedef struct modifier_record {
  modifier_set *last, *next; /* as declared */
  modifier_set *now;         /* as the actor has them */
  char next_line[WORLD_LINE];
  held_modifier **held;
  int held_count, held_capacity;
} modifier_record;

/* No padding: they are compared as memory. */
typedef struct root_values {
  int32_t joint; /* −1: none */
  uint32_t axes, apply;
  float height;
  int32_t feet[SINEW_FEET_MAX], foot_count;
} root_values;

typedef struct root_record {
  root_values last, next, now;
  root_values dropped, living; /* as a world_property's */
  double dropped_at;
  bool declared, next_set;
} root_record;

typedef struct attachment_values {
  int64_t to; /* the id of a record; 0: none */
  char joint[SINEW_JOINT_PATH];
  sinew_transform offset;
} attachment_values;

typedef struct attachment_record {
  attachment_values last, next, now;
  attachment_values dropped, living; /* as a world_property's */
  double dropped_at;
  bool declared, next_set;
} attachment_record;

enum { ACTOR_POSITION, ACTOR_ROTATION, ACTOR_SCALE, ACTOR_VISIBLE, ACTOR_SKINNING, ACTOR_OPACITY, ACTOR_FIELDS };

typedef struct actor_record {
  int64_t id, generation; /* generation: of the run that declared it last */
  char name[WORLD_NAME], line[WORLD_LINE], next_line[WORLD_LINE];
  sinew_model *model, *next_model;
  sinew_actor actor;       /* {0} until the commit that makes it */
  sinew_actor replacement; /* made ahead by a commit that changes the model … */
  int *clips;              /* … with the counterparts of the old model's clips */
  bool changed, swapped;   /* in what it shows, and to another model, by the commit that goes on */
  bool fresh;              /* made by the commit that goes on */
  bool arrived;            /* its model has just come, and what waited for it is being done */
  bool declared, next_set; /* declared at the top level of the running / the loading scripts */
  double swept_at;
  float swept, opacity; /* how far it has faded out since, 0..1; and its opacity apart from that, while it is not 0 */
  world_property fields[ACTOR_FIELDS];
  play_record **plays;
  int play_count, play_capacity;
  layer_record **layers;
  int layer_count, layer_capacity;
  morph_record **morphs;
  int morph_count, morph_capacity;
  param_record **params; /* in the order of the stage's */
  int param_count, param_capacity;
  graph_record **graphs;
  int graph_count, graph_capacity;
  modifier_record modifiers;
  root_record root;
  attachment_record attachment;
} actor_record;

/* What the scene can say of the camera, the light and the view (world_view.c). */
enum {
  CAMERA_POSITION,
  CAMERA_TARGET,
  CAMERA_FOV,
  CAMERA_ORBIT,
  LIGHT_DIRECTION,
  LIGHT_COLOR,
  LIGHT_INTENSITY,
  LIGHT_SKY,
  LIGHT_GROUND,
  LIGHT_EXPOSURE,
  LIGHT_FOG,
  VIEW_WIREFRAME,
  VIEW_SKELETON,
  VIEW_NAMES,
  VIEW_AXES,
  VIEW_BIND_POSE,
  VIEW_BOUNDS,
  VIEW_ROOT_PATH,
  VIEW_CONTACTS,
  VIEW_SCALE,
  VIEW_GROUND,
  VIEW_STATS,
  VIEW_INSPECTOR,
  VIEW_PAUSED,
  VIEW_SPEED,
  VIEW_SURFACE,
  VIEW_SKINNER, /* by its number among sinew_host_skinner_name's */
  LOOK_FIELDS,
  VIEW_FIRST = VIEW_WIREFRAME
};

/* The one field of the view that is a text. */
enum { VIEW_JOINT_SIZE = sizeof((sinew_view_options *)0)->joint };
typedef struct view_joint {
  bool has_last, has_next;
  char last[VIEW_JOINT_SIZE], next[VIEW_JOINT_SIZE];
  char before[VIEW_JOINT_SIZE]; /* as it was when the scene began to declare it */
} view_joint;

typedef struct marker_record {
  sinew_model *model; /* retained */
  int clip, next_count;
  sinew_marker *next; /* NULL: not declared by the load that goes on */
} marker_record;

typedef struct world {
  sinew_allocator allocator;
  sinew_host *host;
  sinew_stage *stage;
  bool loading;
  int64_t generation, next_id;
  int order; /* counts the top-level plays and layers of a load */
  actor_record **actors;
  int actor_count, actor_capacity;
  uint32_t forgotten;           /* how many have gone so far */
  int shaken;                   /* where world_shake goes on */
  int last_on_stage;            /* the place of whom the stage asked for last */
  struct crowd_record **crowds; /* world_crowd.h */
  int crowd_count, crowd_capacity;
  marker_record **markers;
  int marker_count, marker_capacity;
  world_property look[LOOK_FIELDS];
  float view_before[LOOK_FIELDS - VIEW_FIRST]; /* as they were when the scene began to declare them */
  view_joint view_joint;
  leaving_action leaving[WORLD_LEAVING];
  int leaving_count;
  action_line **lines; /* of those that live */
  int line_count, line_capacity;
  char summary[WORLD_SUMMARY];
  int changes, untold; /* untold: of these, those that the summary has no room for */
} world;

/* A handle as scripts hold it: a top-level play is known by its record, so that it outlives reloads; one made at run
 * time by the action's id alone. */
typedef struct action_handle {
  int64_t actor, play;
  sinew_action action;
  int clip;
} action_handle;

/* ---- memory (world_memory.c) ---- */
void *world_allocate(world *w, size_t size); /* zeroed, or NULL */
void world_free(world *w, void *memory);
/* Appends an item to an array of pointers; false when memory is out. */
bool world_append(world *w, void *items, int *count, int *capacity, void *item);
bool world_fail(sinew_error *error, const char *format, ...) SINEW_PRINTF(2, 3); /* false */
void world_copy(char *out, size_t size, const char *text);
/* Moves an array of pointers (`items` is its address), as growing it does. */
void world_move(world *w, void *items, int capacity);
void world_shake(world *w); /* moves its arrays, and those of some actors */

/* ---- properties (world_property.c) ---- */
bool world_property_changed(const world_property *p); /* next is set and differs from last */
bool world_property_dropped(const world_property *p); /* last was set and next is not */
/* The value that a commit gives it, or NULL where it stays. `living` is what it has become, `fallback` what it is
 * undeclared. What was dropped and is declared as before within WORLD_HOLD is what it had become. */
const float *world_property_value(world_property *p, const float living[4], const float *fallback, double now);
void world_property_end(world_property *p, bool commit);
void world_note(world *w, const char *format, ...) SINEW_PRINTF(2, 3); /* a part of the summary */
void world_note_property(world *w, const char *owner, const char *name, const world_property *p, int count);

/* ---- actors (world_actor.c) ---- */
actor_record *world_find_actor(const world *w, const char *name); /* held ones are not found */
actor_record *world_actor(const world *w, int64_t id);
/* `hint` is where it was found last. */
actor_record *world_actor_near(const world *w, int64_t id, int *hint);
actor_record *world_declare_actor(world *w, const char *name, sinew_model *model, const char *line, sinew_error *error);
void world_forget_actor(world *w, actor_record *record); /* out of the stage and out of the records */
/* Applies at once, or notes it while loading. */
void world_set_actor(world *w, actor_record *record, int field, const float value[4]);
void world_living_actor(const world *w, const actor_record *record, int field, float value[4]);
void world_get_actor(const world *w, const actor_record *record, int field, float value[4]);
bool world_set_morph(world *w, actor_record *record, const char *name, float value, sinew_error *error);
float world_get_morph(const world *w, const actor_record *record, const char *name);
sinew_model *world_actor_model(const world *w, const actor_record *record);
int world_actor_field_size(int field);
void world_apply_actor(world *w, actor_record *record, int field, const float value[4]);
const float *world_actor_default(int field);

/* ---- layers (world_layer.c) ---- */
layer_record *world_find_layer(const actor_record *record, const char *name);
layer_record *world_layer(const actor_record *record, int64_t id);
/* Takes over values->mask, in success and failure, and copies the pose of the reference. */
layer_record *world_declare_layer(world *w, actor_record *record, const char *name, layer_values *values,
                                  const char *line, sinew_error *error);
void world_set_layer_weight(world *w, actor_record *record, layer_record *layer, float weight);
void world_fade_layer(world *w, actor_record *record, layer_record *layer, float weight, double seconds);
/* Takes the mask; what the actor shows joins by inertia. False: no memory. */
bool world_set_mask(world *w, actor_record *record, layer_record *layer, float *mask, int count, double seconds);
float world_get_layer_weight(const world *w, const actor_record *record, const layer_record *layer);
int world_layer_index(const world *w, const actor_record *record, int64_t layer); /* on the stage, or -1 */
bool world_prepare_layers(world *w, actor_record *record, sinew_error *error);
/* The model becomes another: masks and poses go, clips are found again by name. */
void world_move_layers(world *w, actor_record *record, const sinew_model *model);
void world_undo_layers(world *w, actor_record *record);
void world_commit_layers(world *w, actor_record *record);
void world_update_layers(world *w, actor_record *record, double dt);
void world_free_layer(world *w, layer_record *layer);

/* ---- parameters and graphs (world_graph.c) ---- */
param_record *world_find_param(const actor_record *record, const char *name);
int world_param_index(const actor_record *record, const char *name); /* on the stage, too; or -1 */
/* While loading, or before world_commit_params. */
bool world_declare_param(world *w, actor_record *record, const char *name, double value, sinew_error *error);
void world_commit_params(world *w, actor_record *record);
graph_record *world_find_graph(const actor_record *record, int64_t layer);
graph_record *world_need_graph(world *w, actor_record *record, int64_t layer, sinew_error *error);
graph_copy *world_copy_graph(world *w, const sinew_graph_def *def, const graph_position *positions, int position_count);
/* Takes over the copy (NULL: no graph any more), in success and failure. */
bool world_set_graph(world *w, actor_record *record, graph_record *graph, graph_copy *copy, double fade,
                     const char *line, sinew_error *error);
/* Says what differs (graph_tell.c). */
void world_tell_graph(world *w, const actor_record *record, const graph_copy *last, const graph_copy *next);
void world_commit_graphs(world *w, actor_record *record);
/* Forgets those that were held too long. */
void world_update_graphs(const world *w, actor_record *record);
void world_rollback_graphs(world *w, actor_record *record);
void world_move_graphs(world *w, actor_record *record); /* by record->clips */
void world_free_graph(world *w, graph_record *graph);

/* ---- modifiers (world_modifier.c) ---- */
modifier_set *world_copy_modifiers(world *w, const modifier_values *items, int count);
/* Takes over the set, in success and failure. */
bool world_set_modifiers(world *w, actor_record *record, modifier_set *set, const char *line, sinew_error *error);
/* Those that scripts see: of the load that goes on, or as they are. May be NULL. */
modifier_set *world_modifiers(const world *w, const actor_record *record);
int world_find_modifier(const modifier_set *set, const char *name); /* or -1 */
/* What one of world_modifiers has become, with what the load changes on top. */
void world_get_modifier(const world *w, const actor_record *record, int index, sinew_modifier_state *state,
                        modifier_target *follows);
void world_set_modifier(world *w, actor_record *record, int index, const sinew_modifier_state *state,
                        const modifier_target *follows);
void world_commit_modifiers(world *w, actor_record *record);
void world_rollback_modifiers(world *w, actor_record *record);
void world_move_modifiers(world *w, actor_record *record, sinew_actor to, const sinew_model *model);
void world_free_modifiers(world *w, actor_record *record);
/* Or NULL. The stage asks for one after the other, in about the order of the records: the next is found at once. */
const actor_record *world_actor_on_stage(world *w, sinew_actor actor);

/* ---- root motion (world_root.c) ---- */
bool world_set_root(world *w, actor_record *record, const root_values *values, sinew_error *error);
void world_commit_root(world *w, actor_record *record);
void world_move_root(actor_record *record, const sinew_model *model);

/* ---- attachments (world_attach.c) ---- */
bool world_attach(world *w, actor_record *record, const attachment_values *values, sinew_error *error);
/* After all actors are there. */
void world_commit_attachments(world *w);
/* Those whose other is another actor of the stage now. */
void world_renew_attachments(world *w);

/* ---- markers (world_marker.c) ---- */
bool world_set_markers(world *w, sinew_model *model, int clip, const sinew_marker *markers, int count,
                       sinew_error *error);
void world_commit_markers(world *w);
void world_rollback_markers(world *w);
void world_clear_markers(world *w);

/* ---- plays (world_play.c) ---- */
play_values world_play_default(void);
bool world_play(world *w, actor_record *record, int clip, int64_t layer, const play_values *values, const char *line,
                action_handle *handle, sinew_error *error);
play_record *world_play_record(const world *w, const action_handle *handle);
/* Keeps the state of what goes in its record. False where it has ended, or with `running` is about to. */
bool world_hold_play(const world *w, play_record *play, bool running);
/* What an action has become; what the stage does not know stays as it is in `values`. False where it has ended. */
bool world_living_play(const world *w, sinew_action action, play_values *values);
/* The other way round, for what can change while it plays. */
void world_apply_play(world *w, sinew_action action, const play_values *values);
/* What the action does now, with what the load changes on top; false where it has ended. */
bool world_action_values(const world *w, const action_handle *handle, play_values *values);
void world_set_action(world *w, const action_handle *handle, const play_values *values);
/* Of the model that the actor has, or by the load is to have; NULL where it is gone. */
const sinew_clip *world_action_clip(const world *w, const action_handle *handle);
sinew_action world_living_action(const world *w, const action_handle *handle);
bool world_action_done(const world *w, const action_handle *handle);
void world_stop_action(world *w, const action_handle *handle, double fade);
/* A one-shot leaves by its `fade_out`, which another value replaces. */
void world_note_leaving(world *w, sinew_action action, const play_values *values);
void world_update_leaving(world *w);
const char *world_action_line(const world *w, const actor_record *record, sinew_action action); /* or NULL */
void world_forget_lines(world *w, bool all); /* of actions that have ended */
bool world_start_play(world *w, actor_record *record, play_record *play, double fade, sinew_error *error);

/* ---- commit (world_commit_play.c, world_commit.c) ---- */
void world_commit_plays(world *w, actor_record *record);
void world_rollback_plays(world *w, actor_record *record);
void world_begin(world *w);
/* At run time: the actor has another model from now on. False, and nothing has changed, where memory is out. */
bool world_change_model(world *w, actor_record *record, sinew_model *model, sinew_error *error);
/* Around what the top level wanted of actors whose model has come: as in a load, but for them alone. */
void world_begin_arrivals(world *w);
void world_end_arrivals(world *w);
bool world_commit(world *w, sinew_error *error); /* false: nothing changed; call world_rollback */
void world_rollback(world *w);
void world_update(world *w, double dt); /* layers that fade, things held too long */
void world_clear(world *w);             /* every actor and record; not the world itself */

/* ---- camera, light and view (world_view.c) ---- */
void world_set_look(world *w, int field, const float value[4]);
void world_get_look(const world *w, int field, float value[4]);
void world_set_view_joint(world *w, const char *name);
const char *world_view_joint(const world *w);
void world_commit_look(world *w);
void world_rollback_look(world *w);
void world_clear_look(world *w); /* the view is as it was before the scene */
int world_look_size(int field);  /* numbers in the field */

#endif
