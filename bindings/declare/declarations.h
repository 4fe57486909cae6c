/* declarations – what scripts have declared, beside the living values that the stage keeps.
 *
 * A declaration remembers two sets of values: `last`, as the running scripts declared them, and `next`, as the current
 * load declares them. A commit applies only the differences, so everything else in the scene stays as it is; a rollback
 * drops `next`. Knows no Lua. */
#ifndef SINEW_BINDINGS_DECLARATIONS_H
#define SINEW_BINDINGS_DECLARATIONS_H

#include "declare/declaration.h"

#include <sinew/actor_modifiers.h>
#include <sinew/curve.h>
#include <sinew/event.h>
#include <sinew/graph.h>
#include <sinew/host.h>
#include <sinew/level.h>
#include <sinew/motor.h>

enum { DECLARED_SUMMARY = 640, DECLARED_PARAMS = 64, DECLARED_MODIFIERS = 64, STAGE_LAYERS = 16 };

/* The limits of a scene. Actors, joints (of all actors together) and crowds take memory that Lua does not count, and
 * joints also take time in each frame. */
enum { DECLARED_ACTORS = 16384, DECLARED_JOINTS = 1 << 22, DECLARED_CROWDS = 1024 };
/* The most plays that the top level may declare for an actor: twice as many as its layers can mix. */
enum { DECLARED_PLAYS = 1024 };

/* Seconds in which a removed actor fades out, and in which a removed graph loses its weight. */
#define DECLARED_REMOVE_FADE 0.2
/* Seconds in which a removed layer loses its weight: an arm comes down from above the head no faster than a clip would
 * lower it. */
#define DECLARED_LAYER_FADE 0.6
/* Seconds of the inertial transition after a save changes how an actor moves. */
#define DECLARED_JOIN 0.3

/* ---- properties: values that are declared one by one (declared_property.c) ---- */

typedef struct actor_values {
  sinew_transform position;
  bool visible;
  sinew_skinning skinning;
  float opacity;
} actor_values;

typedef struct number_values {
  double value;
} number_values;

typedef struct look_values {
  sinew_camera camera;
  sinew_light light;
  sinew_view_options view;
  bool orbit;
  char skinner[32];
} look_values;

typedef struct property_record property_record;

/* Reads the values of a kind from the running thing, and writes them to it, one field at a time. */
typedef struct property_kind {
  declaration_kind declared;
  const store_kind *fields;
  void (*read)(const declarations *all, const actor_record *owner, const property_record *p, void *values);
  void (*write)(declarations *all, actor_record *owner, const property_record *p, const void *values);
  void (*standard)(void *values); /* the values of things that are not declared; NULL: they keep their current values */
  bool restores;                  /* those are the values from before the scene declared them */
} property_kind;

/* One value of a thing. The head is followed by four sets of values: as declared before, as declared by the load, as it
 * was when its declaration disappeared, and as it was before it was declared. */
struct property_record {
  declaration head; /* name: of the field, the morph target, the parameter */
  const property_kind *kind;
  const store_field *field;
};

typedef struct actor_property {
  property_record head;
  actor_values values[4];
} actor_property;

typedef struct number_record {
  property_record head;
  number_values values[4];
} number_record;

typedef struct look_record {
  property_record head;
  look_values values[4];
} look_record;

/* The operations of a kind whose records are of `type`. */
#define PROPERTY_OPERATIONS(type, kept)                                                                                \
  {                                                                                                                    \
    .last = offsetof(type, values), .next = offsetof(type, values[1]), .size = sizeof((type *)0)->values[0],           \
    .apply = property_apply, .remove = property_remove, .end = property_end, .stays = kept                             \
  }

/* The values of an action, as declared or as they have become. */
typedef struct play_values {
  sinew_play_def def; /* kind_action */
  bool stopped;       /* by a script's top level, in … */
  double stop_fade;   /* … so many seconds */
} play_values;

typedef struct play_record {
  declaration head; /* name: of the clip, by which it is found in another model */
  int64_t layer;    /* the id of its record, 0 for base */
  int clip, next_clip;
  play_values last, next;
  sinew_action action;
  play_values kept; /* the state of a removed play */
  bool kept_ended;
  bool joins; /* continues a play that goes in the same commit, without a fade */
} play_record;

/* The line that played an action at run time. */
typedef struct action_line {
  sinew_action action;
  sinew_play_def asked;
  char line[DECLARED_LINE];
} action_line;

typedef struct layer_values {
  sinew_layer_def def; /* the records own the mask and the pose of the reference */
  int mask_count;      /* values of the mask */
  sinew_play_def play; /* the defaults of plays on it */
} layer_values;

typedef struct layer_record {
  declaration head;
  layer_values last, next;
  float kept_weight;
} layer_record;

/* A child of a space whose position comes from a function. */
typedef struct graph_position {
  int node, axis, function; /* axis: 0 x, 1 y */
} graph_position;

/* The largest size of a scene's graph. */
enum { NODE_LIMIT = 512, NODE_TRANSITIONS = 512 };

/* A graph's definition in one block of memory. */
typedef struct graph_copy {
  sinew_graph_def def;
  const graph_position *positions;
  int position_count;
  const char *const *node_lines, *const *transition_lines; /* "scene.lua:12" */
} graph_copy;

typedef struct graph_record {
  declaration head;
  int64_t layer; /* the id of its record, 0 for base */
  graph_copy *last, *next;
  bool held;  /* the stage keeps its suspended state */
  bool moved; /* by the current commit: from another layer, or to one */
  double next_fade;
} graph_record;

/* The values of a request of sinew.model, except those that the model itself tells (model_tell.c). */
typedef struct model_values {
  double unit;
  int influences;
  bool exact;
  sinew_retarget_mode retarget;
  char up[16], front[16], map[256], roles[768];
} model_values;

typedef struct model_record {
  declaration head; /* name: the end of the path */
  model_values last, next;
  bool told; /* by the current commit */
} model_record;

/* A joint that a target follows; actor 0: none, the target is a point. */
typedef struct modifier_target {
  int64_t actor; /* the id of its record */
  char joint[DECLARED_NAME];
} modifier_target;

enum { MODIFIER_ASSIGNED = 3 };

typedef struct modifier_values {
  sinew_modifier_def def;
  modifier_target declared, follows; /* follows: its current value */
  bool grounded;                     /* a function of the scene supplies the ground */
  char line[DECLARED_LINE];
  char assigned[MODIFIER_ASSIGNED][DECLARED_LINE]; /* lines in a load that set weight, target and pole later; or "" */
} modifier_values;

/* The modifiers of an actor in one block of memory. The id of a set finds its functions. */
typedef struct modifier_set {
  int64_t id;
  bool runtime;
  modifier_values *items;
  int count;
} modifier_set;

/* A modifier that is no longer declared: its declaration and its current state. The joints are those of `last`. */
typedef struct held_modifier {
  modifier_set *last; /* a set of one; empty if another model lacks its joints */
  modifier_values living;
  sinew_spring_state *springs;
  int spring_count;
  double dropped_at;
} held_modifier;

typedef struct modifier_record {
  declaration head;
  modifier_set *last, *next; /* as declared */
  modifier_set *now;         /* as the actor has them */
  held_modifier **held;
  int held_count, held_capacity;
} modifier_record;

typedef struct root_record {
  declaration head;
  sinew_root_def last, next, kept;
} root_record;

typedef struct attachment_values {
  int64_t to; /* the id of a record; 0: none */
  char joint[DECLARED_NAME];
  sinew_attachment def; /* the stage's ids follow from these */
} attachment_values;

typedef struct attachment_record {
  declaration head;
  attachment_values last, next, now, kept;
} attachment_record;

/* The declarations of an actor, in the order of a commit, a list for each kind. Modifiers (one list in one
 * declaration), root motion and the attachment exist once at most. */
enum {
  PART_PROPERTIES,
  PART_MORPHS,
  PART_PARAMS, /* in the order of the stage's */
  PART_LAYERS,
  PART_GRAPHS,
  PART_PLAYS,
  PART_MODIFIERS,
  PART_ROOT,
  PART_ATTACHMENT,
  PARTS
};

struct actor_record {
  declaration head;
  int64_t epoch; /* the run that declared it last */
  sinew_model *model, *next_model;
  sinew_actor actor;       /* {0} until the commit that creates it */
  sinew_actor replacement; /* prepared by a commit that changes the model … */
  int *clips;              /* … with the counterparts of the old model's clips */
  bool changed, swapped;   /* by the current commit: how it looks, and its model */
  bool arrived;            /* its model has just been loaded, and deferred commands are running */
  uint32_t numbered_at;    /* the value of declarations.renamed when … */
  int number;              /* … all names from "NAME 2" to before this one were taken */
  float faded, opacity;    /* its progress in fading out after removal, 0..1; and its opacity apart from that */
  sinew_motor motor;       /* its motion; the object that drives it belongs to the scripts */
  double turn_left;        /* radians that remained after its last step */
  sinew_walker walker;     /* in a level … */
  int64_t walks_in;        /* … with this serial */
  sinew_vec3 walked;       /* where that put the actor; elsewhere, something else has moved it */
  float float_height;      /* of the walker above the ground that is shown, smoothed */
  double facing;           /* while `faces` */
  bool faces;
  declaration_list parts[PARTS];
};

struct declarations {
  sinew_allocator allocator;
  sinew_host *host;
  sinew_stage *stage;
  bool loading;
  bool ending; /* something is kept for revival or fades: updates visit everything */
  int64_t epoch, next_id;
  int order; /* counts the declarations of a load */
  declaration_list actors, crowds, models, markers, curves, look;
  int64_t joints, next_joints; /* of the models of actors, and of those that the load gives them */
  uint32_t forgotten;          /* how many actors have gone so far */
  uint32_t renamed;            /* counts changes after which a taken name may be free again */
  int shaken;                  /* where the next scene_shake continues */
  int last_on_stage;           /* the position of the actor that the stage asked for last */
  action_line **lines;         /* of those that live */
  int line_count, line_capacity;
  struct renamed_declaration **renames; /* by the load in progress */
  int rename_count, rename_capacity;
  struct spelled_name **spelled; /* words of its text */
  int spelled_count, spelled_capacity;
  char line[DECLARED_LINE]; /* during a load: the line of the assignment being declared, or empty */
  char summary[DECLARED_SUMMARY];
  size_t printed;                         /* bytes in this frame */
  int changes, untold;                    /* untold: those that the summary has no room for */
  const sinew_model *told_from, *told_to; /* the models reported last, for comparison only */
};

static inline actor_record *actor_at(const declarations *all, int i) { return (actor_record *)all->actors.items[i]; }
static inline play_record *play_at(const actor_record *r, int i) {
  return (play_record *)r->parts[PART_PLAYS].items[i];
}
static inline graph_record *graph_at(const actor_record *r, int i) {
  return (graph_record *)r->parts[PART_GRAPHS].items[i];
}

/* A handle as scripts hold it: a top-level play is known by its record, so that it outlives reloads; one made at run
 * time by the action's id alone. */
typedef struct action_handle {
  int64_t actor, play;
  sinew_action action;
  int clip;
} action_handle;

/* ---- memory (declared_memory.c) ---- */
void *declarations_allocate(declarations *all, size_t size); /* zeroed, or NULL */
void declarations_free(declarations *all, void *memory);
/* Appends an item to an array of pointers; false when memory runs out. */
bool declarations_append(declarations *all, void *items, int *count, int *capacity, void *item);
bool declarations_fail(sinew_error *error, const char *format, ...) SINEW_PRINTF(2, 3); /* false */
void declarations_copy(char *out, size_t size, const char *text);
/* Moves an array of pointers (`items` is its address), as growing it does. */
void declarations_move(declarations *all, void *items, int capacity);

void declarations_note(declarations *all, const char *format, ...) SINEW_PRINTF(2, 3); /* a part of the summary */

/* ---- the output of a frame (say.c) ---- */

/* Returns the line while the frame may still print; then, once, a sentence that says that the rest is left out; then
 * NULL. */
const char *declarations_printable(declarations *all, const char *line);
/* Writes a line to the log. Bindings log only through this function, so that no scene can flood the log. */
void declarations_say(declarations *all, sinew_log_level level, const char *format, ...) SINEW_PRINTF(3, 4);

/* ---- messages (tell.c) ---- */

/* "hero: layer arm joins", is gone, is back; nothing for things that stay. The format gives the thing's name. */
void declarations_tell_fate(declarations *all, declaration_fate fate, const char *format, ...) SINEW_PRINTF(3, 4);
/* Values that a load declared, and the model to which numbers of clips and joints refer, or NULL. */
typedef struct told_values {
  const void *values;
  const sinew_model *model;
} told_values;
/* "hero arm: weight 1 → 0.5", by the table of the kind; returns false, and writes nothing, if no field differs. */
bool declarations_tell_values(declarations *all, const store_kind *kind, const told_values *last,
                              const told_values *next, const char *format, ...) SINEW_PRINTF(5, 6);
/* Notes a call of sinew.model while loading. */
void declarations_ask_model(declarations *all, const char *path, const model_values *values);
bool declarations_told_model(const declarations *all, const char *path); /* whether the request has changed */
/* The options with which the scene requested a model, or NULL. */
const model_values *declarations_asked_model(const declarations *all, const sinew_model *model);
extern const declaration_kind model_declarations;
/* Reports that an actor has another model: the file, or the clips. Things that share the model report it once. */
void declarations_tell_model(declarations *all, const char *owner, const sinew_model *from, const sinew_model *to);
bool declarations_tells(const actor_record *record); /* whether to report changes: the actor existed before */

/* ---- properties (declared_property.c) ---- */
bool property_apply(declarations *all, actor_record *owner, declaration *d);
void property_remove(declarations *all, actor_record *owner, declaration *d);
void property_end(declarations *all, declaration *d); /* if the kind restores, sets the value from before the scene */
/* The property of that field, or NULL, with the values that the scripts declare; not for morph targets and parameters,
 * where one field has many names. */
const property_record *declarations_find_property(const declaration_list *list, const store_field *field);
const void *declarations_declared_property(const declaration_list *list, const store_field *field);
property_record *declarations_need_property(declarations *all, declaration_list *list, const property_kind *kind,
                                            const store_field *field, const char *name);
/* Applies the value at once, or notes it while loading; false without memory. */
bool declarations_set_property(declarations *all, actor_record *owner, declaration_list *list,
                               const property_kind *kind, const store_field *field, const char *name,
                               const void *values);
/* Overwrites `values` with those that the load changes; of one name, or with NULL of all. */
void declarations_get_properties(const declaration_list *list, const char *name, void *values);

/* ---- actors (declared_actor.c) ---- */
actor_record *declarations_find_actor(const declarations *all, const char *name); /* held ones are not found */
/* The actor that prevents another from having that name in this load or, at run time, at all; or NULL. */
actor_record *declarations_named_actor(const declarations *all, const char *name);
actor_record *declarations_actor(const declarations *all, int64_t id);
/* `hint` is where it was found last time. */
actor_record *declarations_actor_near(const declarations *all, int64_t id, int *hint);
actor_record *declare_actor(declarations *all, const char *name, sinew_model *model, const char *line,
                            sinew_error *error);
/* Replaces the model at `place`; either may be NULL. `joints` is the count that it belongs to. */
void declarations_hold_model(int64_t *joints, sinew_model **place, sinew_model *model);
void declarations_forget_actor(declarations *all, actor_record *record); /* on the stage and in the records */
sinew_model *declarations_actor_model(const declarations *all, const actor_record *record);

/* The current values of an actor, with the changes of the load on top. */
bool declarations_set_actor(declarations *all, actor_record *record, const store_field *field,
                            const actor_values *values);
actor_values declarations_actor_values(const declarations *all, const actor_record *record);
bool declarations_set_morph(declarations *all, actor_record *record, const char *name, double value,
                            sinew_error *error);
double declarations_get_morph(const declarations *all, const actor_record *record, const char *name);
int declarations_param_index(const actor_record *record, const char *name); /* on the stage, too; or -1 */
bool declare_param(declarations *all, actor_record *record, const char *name, double value, sinew_error *error);
/* Gives the stage's parameters the names of the declared ones, and adds new ones. */
void declarations_rename_params(declarations *all, const actor_record *record); /* on the stage, as in its list */
void declarations_join_params(declarations *all, const actor_record *record);
/* `index`: declarations_param_index. */
void declarations_set_param(declarations *all, actor_record *record, int index, double value);
double declarations_param(const declarations *all, const actor_record *record, int index);
extern const property_kind actor_properties, morph_properties, param_properties;

/* ---- layers (declared_layer.c) ---- */
layer_record *declarations_find_layer(const actor_record *record, const char *name);
layer_record *declarations_layer(const actor_record *record, int64_t id);
/* Takes ownership of the mask, in success and failure, and copies the pose of the reference. */
layer_record *declare_layer(declarations *all, actor_record *record, const char *name, layer_values *values,
                            const char *line, sinew_error *error);
void declarations_set_layer_weight(declarations *all, actor_record *record, layer_record *layer, float weight);
void declarations_fade_layer(declarations *all, actor_record *record, layer_record *layer, float weight,
                             double seconds);
/* Takes ownership of the mask; the pose blends by inertia. False without memory. */
bool declarations_set_mask(declarations *all, actor_record *record, layer_record *layer, float *mask, int count,
                           double seconds);
float declarations_get_layer_weight(const declarations *all, const actor_record *record, const layer_record *layer);
const char *declarations_layer_name(const actor_record *record, int64_t layer);
int declarations_layer_index(const declarations *all, const actor_record *record,
                             int64_t layer); /* on the stage, or -1 */
bool declarations_prepare_layers(declarations *all, actor_record *record, sinew_error *error);
/* The model changes: masks and poses are dropped, clips are found again by name. */
void declarations_move_layers(declarations *all, actor_record *record, const sinew_model *model);
extern const declaration_kind layer_declarations;

/* ---- graphs (declared_graph.c) ---- */
bool declarations_graph_plays(const graph_copy *graph, int clip); /* NULL: no */
graph_record *declarations_find_graph(const actor_record *record, int64_t layer);
graph_record *declarations_need_graph(declarations *all, actor_record *record, int64_t layer, sinew_error *error);
bool declarations_same_graph(const graph_copy *a, const graph_copy *b); /* NULL: none */
graph_copy *declarations_copy_graph(declarations *all, const graph_copy *from);
/* Takes ownership of the copy (NULL: removes the graph), in success and failure. */
bool declarations_set_graph(declarations *all, actor_record *record, graph_record *graph, graph_copy *copy, double fade,
                            const char *line, sinew_error *error);
/* The name of a parameter of an actor or a crowd. */
typedef const char *graph_param_name(const void *owner, int index);
/* Reports the differences (graph_tell.c). */
void declarations_tell_graph(declarations *all, const char *name, const graph_copy *last, const sinew_model *last_model,
                             const graph_copy *next, const sinew_model *next_model, graph_param_name *param,
                             const void *owner);
void declarations_move_graphs(declarations *all, actor_record *record); /* by record->clips */
extern const declaration_kind graph_declarations;

/* ---- modifiers (declared_modifier.c) ---- */
modifier_set *declarations_copy_modifiers(declarations *all, const modifier_values *items, int count);
/* Takes ownership of the set, in success and failure. */
bool declarations_set_modifiers(declarations *all, actor_record *record, modifier_set *set, const char *line,
                                sinew_error *error);
/* The modifiers that scripts see: those of the current load, or the running ones. May be NULL. */
modifier_set *declarations_modifiers(const declarations *all, const actor_record *record);
modifier_set *declarations_modifiers_now(const actor_record *record);      /* as the actor has them, or NULL */
int declarations_find_modifier(const modifier_set *set, const char *name); /* or -1 */
/* The current values of one of declarations_modifiers, with the changes of the load on top. */
modifier_values declarations_get_modifier(const declarations *all, const actor_record *record, int index);
/* At run time: a new modifier of the same kind and joints keeps the state. */
bool declarations_replace_modifier(declarations *all, actor_record *record, int index, const sinew_modifier_def *def,
                                   sinew_error *error);
/* Returns false and an error message if actors would wait for each other's joints. */
bool declarations_set_modifier(declarations *all, actor_record *record, int index, const modifier_values *values,
                               sinew_error *error);
/* Aims the living modifier at the joint that its values follow, if that actor exists already; fails likewise. */
bool declarations_follow(const declarations *all, const actor_record *record, const modifier_values *item, int index,
                         sinew_error *error);
void declarations_move_modifiers(declarations *all, actor_record *record, sinew_actor to, const sinew_model *model);
void declarations_shake_modifiers(declarations *all, actor_record *record);
extern const declaration_kind modifier_declarations;
/* May be NULL. The stage asks for actors roughly in the order of the records, so the next one is found at once. */
const actor_record *declarations_actor_on_stage(declarations *all, sinew_actor actor);

/* ---- root motion (declared_root.c) ---- */
/* `line`: NULL keeps the old one. */
bool declarations_set_root(declarations *all, actor_record *record, const sinew_root_def *def, const char *line,
                           sinew_error *error);
void declarations_move_root(actor_record *record, const sinew_model *model);
extern const declaration_kind root_declarations;

/* ---- attachments (declared_attach.c) ---- */
bool declarations_attach(declarations *all, actor_record *record, const attachment_values *values, sinew_error *error);
/* Call it once all actors exist. */
void declarations_commit_attachments(declarations *all);
extern const declaration_kind attachment_declarations;
/* Renews the attachments to actors that have been replaced on the stage. */
void declarations_renew_attachments(declarations *all);

/* ---- markers and curves of clips (declared_clip.c) ---- */
bool declarations_set_markers(declarations *all, sinew_model *model, int clip, const sinew_marker *markers, int count,
                              sinew_error *error);
/* The scripts' declaration of a marker on the stage, with the line of its call and its position in the call's table,
 * from 1; or NULL. */
const sinew_marker *declarations_declared_marker(const declarations *all, const sinew_model *model, int clip,
                                                 const sinew_marker *living, int index, const char **line, int *place);
bool declarations_set_curve(declarations *all, sinew_model *model, int clip, const char *name,
                            const sinew_curve_key *keys, int count, sinew_error *error);
/* Whether a clip of the model has such a curve, or will have after the load. */
bool declarations_has_curve(const declarations *all, const sinew_model *model, const char *name);
/* The i-th curve of a clip by name, those of the load in progress last; NULL past the last. */
const char *declarations_curve_name(const declarations *all, const sinew_model *model, int clip, int index);
extern const declaration_kind marker_declarations, curve_declarations;

/* ---- plays (declared_play.c) ---- */
/* The values with which a clip plays on a layer unless the call sets them; id 0: the base layer. */
sinew_play_def declarations_layer_play(const declarations *all, const actor_record *record, int64_t id);
bool declarations_play(declarations *all, actor_record *record, int clip, int64_t layer, const sinew_play_def *def,
                       const char *line, action_handle *handle, sinew_error *error);
/* The action that leads the layer, if the same call with the same options began it and it loops; false: there is none.
 */
bool declarations_leading_play(const declarations *all, const actor_record *record, int clip, int64_t layer,
                               const sinew_play_def *def, action_handle *handle);
play_record *declarations_play_record(const declarations *all, const action_handle *handle);
/* Keeps the state of a removed play in its record. False if it has ended or is about to. */
bool declarations_keep_play(const declarations *all, play_record *play);
/* The current values of an action. False, and `def` stays as it is, if the action has ended. */
bool declarations_living_play(const declarations *all, sinew_action action, sinew_play_def *def);
/* The opposite: applies the values that can change while it plays. */
void declarations_apply_play(declarations *all, sinew_action action, const sinew_play_def *def);
/* The action's current values, with the changes of the load on top; false if it has ended. */
bool declarations_action_values(const declarations *all, const action_handle *handle, sinew_play_def *def);
void declarations_set_action(declarations *all, const action_handle *handle, const sinew_play_def *def);
/* The action's clip in the model that the actor has, or that the load gives it; NULL if it is gone. */
const sinew_clip *declarations_action_clip(const declarations *all, const action_handle *handle);
sinew_action declarations_living_action(const declarations *all, const action_handle *handle);
bool declarations_action_done(const declarations *all, const action_handle *handle);
void declarations_stop_action(declarations *all, const action_handle *handle, double fade);
/* Stops everything that a layer plays; 0 is the base layer. */
void declarations_stop_layer(declarations *all, actor_record *record, int64_t layer, double fade);
const char *declarations_action_line(const declarations *all, const actor_record *record,
                                     sinew_action action);     /* or NULL */
void declarations_forget_lines(declarations *all, bool every); /* of actions that have ended */
bool declarations_start_play(declarations *all, actor_record *record, play_record *play, const play_values *values,
                             double fade, sinew_error *error);
extern const declaration_kind play_declarations;

/* ---- renaming (declared_rename.c) ---- */
/* Notes that the load's text has `to` wherever the running scripts' text has `from`. Without memory it is forgotten. */
void declarations_spell(declarations *all, const char *from, const char *to);
/* After a load has run: whether it renames actors, crowds, layers or parameters. If so, they already have their new
 * names; undo the load and run it again. */
bool declarations_rename(declarations *all);
/* After a load that failed: restores the old names. */
void declarations_rename_back(declarations *all);
void declarations_commit_renames(declarations *all);

/* Finds the member of a crowd, removed in the same commit, from which a new actor continues: the time of the clip or,
 * with a graph, which of its clips. False if there is none (kinds/crowd_actors.c). */
bool declarations_left_crowd(const declarations *all, const actor_record *record, const graph_copy *graph, int *clip,
                             double *time);

/* ---- commit (declared_commit.c) ---- */
void declarations_begin(declarations *all);
/* At run time: changes the model of an actor; call declarations_renew_attachments afterwards. When memory runs out,
 * returns false and changes nothing. */
bool declarations_change_model(declarations *all, actor_record *record, sinew_model *model, sinew_error *error);
/* Brackets the deferred top-level commands of actors whose model has been loaded: like a load, but for these actors
 * alone. */
void declarations_begin_arrivals(declarations *all);
void declarations_end_arrivals(declarations *all);
bool declarations_commit(declarations *all,
                         sinew_error *error); /* false: nothing changed; call declarations_rollback */
void declarations_rollback(declarations *all);
void declarations_update(declarations *all, double dt); /* fades removed layers, drops what was kept too long */
void declarations_clear(declarations *all); /* every actor and record, but not the declarations themselves */

/* ---- camera, light and view (declared_view.c) ---- */
bool declarations_set_look(declarations *all, const store_field *field,
                           const look_values *values); /* false without memory */
look_values declarations_look(const declarations *all);
extern const property_kind look_kinds[]; /* all in one list; when the scene ends, the view is restored */

#endif
