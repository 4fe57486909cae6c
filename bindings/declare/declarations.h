/* declarations – what scripts have declared, beside the living values that the stage keeps.
 *
 * A declaration remembers two sets of values: `last`, as the running scripts declared them, and `next`, as the load
 * that is going on declares them. A commit applies only what differs between the two, so whatever a scene has become
 * since stays as it is; a rollback forgets `next`. Knows no Lua. */
#ifndef SINEW_BINDINGS_DECLARATIONS_H
#define SINEW_BINDINGS_DECLARATIONS_H

#include "declare/declaration.h"

#include <sinew/actor_modifiers.h>
#include <sinew/curve.h>
#include <sinew/event.h>
#include <sinew/graph.h>
#include <sinew/host.h>
#include <sinew/motor.h>

enum { DECLARED_SUMMARY = 640, DECLARED_PARAMS = 64, DECLARED_MODIFIERS = 64, STAGE_LAYERS = 16 };

/* The limits of a scene. Actors, joints (of all actors together) and crowds take memory that Lua does not count, and
 * joints also take time in each frame. */
enum { DECLARED_ACTORS = 16384, DECLARED_JOINTS = 1 << 22, DECLARED_CROWDS = 1024 };
/* The most plays that the top level may declare for an actor: twice as many as its layers can mix. */
enum { DECLARED_PLAYS = 1024 };

/* Seconds in which an actor that is removed loses its colour, and a graph its weight. */
#define DECLARED_REMOVE_FADE 0.2
/* Seconds in which a layer that is removed loses its weight: an arm comes down from above the head no faster than a
 * clip would lower it. */
#define DECLARED_LAYER_FADE 0.6
/* Seconds in which an actor that a save has changed joins how it moved before. */
#define DECLARED_JOIN 0.3

/* ---- what is declared value by value (declared_property.c) ---- */

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
  void (*standard)(void *values); /* what holds where nothing is declared; NULL: what it has become */
  bool restores;                  /* that is what it was before the scene declared it */
} property_kind;

/* One value of a thing. Behind the head lie four sets of values: as declared before, as declared by the load, what it
 * had become when it was declared no more, and what it was before it was declared. */
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

/* The values of an action, as declared or as they have become (kind_action). */
typedef enum play_mode { PLAY_MODE_MIX, PLAY_MODE_CROSSFADE } play_mode;
typedef struct play_values {
  double fade, fade_out, speed, weight, time, from, to; /* NAN: not said */
  sinew_loop_mode loop;
  int loop_count;
  int cycles; /* 0: not said */
  sinew_ease ease;
  sinew_transition_kind blend;
  play_mode mode;
  bool back;            /* none of its options: on the way back of a ping-pong */
  bool paused, stopped; /* stopped: by a script's top level, in … */
  double stop_fade;     /* … so many seconds */
  char sync[64];        /* "": none */
} play_values;

typedef struct play_record {
  declaration head; /* name: of the clip, by which it is found in another model */
  int64_t layer;    /* the id of its record, 0 for base */
  int clip, next_clip;
  play_values last, next;
  sinew_action action;
  play_values kept; /* of a removed one, as it was */
  bool kept_ended;
  bool joins; /* it goes on from one that went in the same commit: no fade */
} play_record;

/* The line that played an action at run time. */
typedef struct action_line {
  sinew_action action;
  char line[DECLARED_LINE];
} action_line;

typedef struct layer_values {
  sinew_layer_mode mode;
  sinew_layer_space space;
  float weight;
  float *mask; /* mask_count values, or NULL */
  int mask_count;
  sinew_reference reference;
  play_values play; /* what plays on it says no other */
} layer_values;

typedef struct layer_record {
  declaration head;
  layer_values last, next;
  float kept_weight;
} layer_record;

/* A child of a space whose position a function says. */
typedef struct graph_position {
  int node, axis, function; /* axis: 0 x, 1 y */
} graph_position;

/* The largest size of a scene's graph. */
enum { NODE_LIMIT = 512, NODE_TRANSITIONS = 512 };

/* A graph's definition in one piece of memory. */
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
  bool held;  /* the stage keeps what it was doing */
  bool moved; /* by the commit that goes on: from another layer, or to one */
  double next_fade;
} graph_record;

/* The values of a request of sinew.model, but for what the model itself tells (model_tell.c). */
typedef struct model_values {
  double unit;
  int influences;
  bool exact;
  sinew_retarget_mode retarget;
  char up[16], map[256];
} model_values;

typedef struct model_record {
  declaration head; /* name: the end of the path */
  model_values last, next;
  bool told; /* by the commit that goes on */
} model_record;

/* A joint that a target goes along with; actor 0: none, the target is a point. */
typedef struct modifier_target {
  int64_t actor; /* the id of its record */
  char joint[DECLARED_NAME];
} modifier_target;

enum { MODIFIER_ASSIGNED = 3 };

typedef struct modifier_values {
  sinew_modifier_def def;
  modifier_target declared, follows; /* follows: what it has become */
  bool grounded;                     /* a function of the scene knows the ground */
  char line[DECLARED_LINE];
  char assigned[MODIFIER_ASSIGNED][DECLARED_LINE]; /* what a load assigned to weight, target and pole later on; or "" */
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
  declaration head;
  modifier_set *last, *next; /* as declared */
  modifier_set *now;         /* as the actor has them */
  held_modifier **held;
  int held_count, held_capacity;
} modifier_record;

typedef struct root_values {
  int32_t joint; /* −1: none */
  uint32_t axes;
  bool apply;
  float height;
  int32_t feet[SINEW_FEET_MAX], foot_count;
} root_values;

typedef struct root_record {
  declaration head;
  root_values last, next, now, kept;
} root_record;

typedef struct attachment_values {
  int64_t to; /* the id of a record; 0: none */
  char joint[DECLARED_NAME];
  sinew_transform offset;
} attachment_values;

typedef struct attachment_record {
  declaration head;
  attachment_values last, next, now, kept;
} attachment_record;

/* The declarations of an actor, in the order of a commit: a list for each kind. Of modifiers (which are one list in one
 * declaration), root motion and attachment there is one at most. */
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
  int64_t epoch; /* of the run that declared it last */
  sinew_model *model, *next_model;
  sinew_actor actor;       /* {0} until the commit that makes it */
  sinew_actor replacement; /* made ahead by a commit that changes the model … */
  int *clips;              /* … with the counterparts of the old model's clips */
  bool changed, swapped;   /* in what it shows, and to another model, by the commit that goes on */
  bool arrived;            /* its model has just come, and what waited for it is being done */
  uint32_t numbered_at;    /* declarations.renamed, when … */
  int number;              /* … all names from "NAME 2" to before this one were taken */
  float faded, opacity;    /* how far it has faded out since it was removed, 0..1; and its opacity apart from that */
  sinew_motor motor;       /* where it goes; what moves it belongs to the scripts */
  double turn_left;        /* radians, after its last step */
  double facing;           /* while `faces` */
  bool faces;
  declaration_list parts[PARTS];
};

struct declarations {
  sinew_allocator allocator;
  sinew_host *host;
  sinew_stage *stage;
  bool loading;
  bool ending; /* something is kept for revival or fades: updates look through everything */
  int64_t epoch, next_id;
  int order; /* counts the declarations of a load */
  declaration_list actors, crowds, models, markers, curves, look;
  int64_t joints, next_joints; /* of the models of actors, and of those that the load gives them */
  uint32_t forgotten;          /* how many actors have gone so far */
  uint32_t renamed;            /* changes where a name that was taken may be free again */
  int shaken;                  /* where declarations_shake goes on */
  int last_on_stage;           /* the place of whom the stage asked for last */
  action_line **lines;         /* of those that live */
  int line_count, line_capacity;
  struct renamed_declaration **renames; /* by the load that goes on */
  int rename_count, rename_capacity;
  struct spelled_name **spelled; /* words of its text */
  int spelled_count, spelled_capacity;
  char line[DECLARED_LINE]; /* during a load: of the assignment that is declared next, or empty */
  char summary[DECLARED_SUMMARY];
  size_t printed;                         /* bytes in this frame */
  int changes, untold;                    /* untold: of these, those that the summary has no room for */
  const sinew_model *told_from, *told_to; /* the models that were told of last, to be compared only */
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
void declarations_shake(declarations *all); /* moves its arrays, and those of some actors */

void declarations_note(declarations *all, const char *format, ...) SINEW_PRINTF(2, 3); /* a part of the summary */

/* ---- what a frame prints (say.c) ---- */

/* The line itself while the frame may still print; once, a sentence that says that the rest is left out; then NULL. */
const char *declarations_printable(declarations *all, const char *line);
/* Writes a line to the log. Bindings have no other way to the log, so that no scene can flood it. */
void declarations_say(declarations *all, sinew_log_level level, const char *format, ...) SINEW_PRINTF(3, 4);

/* ---- telling (tell.c) ---- */

/* "hero: layer arm joins", is gone, is back; nothing of what stays. The format is that of the thing's name. */
void declarations_tell_fate(declarations *all, declaration_fate fate, const char *format, ...) SINEW_PRINTF(3, 4);
/* Values that a load has said, and the model that numbers of clips and joints belong to, or NULL. */
typedef struct told_values {
  const void *values;
  const sinew_model *model;
} told_values;
/* "hero arm: weight 1 → 0.5", by the table of the kind; false, and nothing, where no field differs. */
bool declarations_tell_values(declarations *all, const store_kind *kind, const told_values *last,
                              const told_values *next, const char *format, ...) SINEW_PRINTF(5, 6);
/* sinew.model has been called while loading. */
void declarations_ask_model(declarations *all, const char *path, const model_values *values);
bool declarations_told_model(const declarations *all, const char *path); /* that it was asked for otherwise */
/* The options with which the scene asked for a model, or NULL. */
const model_values *declarations_asked_model(const declarations *all, const sinew_model *model);
extern const declaration_kind model_declarations;
/* Reports that an actor has another model: from which file, or with which clips. Things that share the model report it
 * once. */
void declarations_tell_model(declarations *all, const char *owner, const sinew_model *from, const sinew_model *to);
bool declarations_tells(const actor_record *record); /* changes of an actor that was there before are told */

/* ---- properties (declared_property.c) ---- */
bool property_apply(declarations *all, actor_record *owner, declaration *d);
void property_remove(declarations *all, actor_record *owner, declaration *d);
void property_end(declarations *all, declaration *d); /* where the kind restores, it is as before the scene */
/* The property of that field, or NULL, with the values that the scripts declare; not for morph targets and parameters,
 * which have several names for one field. */
const property_record *declarations_find_property(const declaration_list *list, const store_field *field);
const void *declarations_declared_property(const declaration_list *list, const store_field *field);
property_record *declarations_need_property(declarations *all, declaration_list *list, const property_kind *kind,
                                            const store_field *field, const char *name);
/* Applies at once, or notes it while loading; false without memory. */
bool declarations_set_property(declarations *all, actor_record *owner, declaration_list *list,
                               const property_kind *kind, const store_field *field, const char *name,
                               const void *values);
/* Puts what the load changes over `values`; of one name, or with NULL of all. */
void declarations_get_properties(const declaration_list *list, const char *name, void *values);

/* ---- actors (declared_actor.c) ---- */
actor_record *declarations_find_actor(const declarations *all, const char *name); /* held ones are not found */
/* The one that keeps another from that name in this load or, at run time, at all; or NULL. */
actor_record *declarations_named_actor(const declarations *all, const char *name);
actor_record *declarations_actor(const declarations *all, int64_t id);
/* `hint` is where it was found last. */
actor_record *declarations_actor_near(const declarations *all, int64_t id, int *hint);
actor_record *declare_actor(declarations *all, const char *name, sinew_model *model, const char *line,
                            sinew_error *error);
/* Takes the place of the model there, either of which may be NULL; `joints` is the count that it belongs to. */
void declarations_hold_model(int64_t *joints, sinew_model **place, sinew_model *model);
void declarations_forget_actor(declarations *all, actor_record *record); /* out of the stage and out of the records */
sinew_model *declarations_actor_model(const declarations *all, const actor_record *record);

/* The present values of an actor, with what the load changes on top. */
bool declarations_set_actor(declarations *all, actor_record *record, const store_field *field,
                            const actor_values *values);
actor_values declarations_actor_values(const declarations *all, const actor_record *record);
bool declarations_set_morph(declarations *all, actor_record *record, const char *name, double value,
                            sinew_error *error);
double declarations_get_morph(const declarations *all, const actor_record *record, const char *name);
int declarations_param_index(const actor_record *record, const char *name); /* on the stage, too; or -1 */
bool declare_param(declarations *all, actor_record *record, const char *name, double value, sinew_error *error);
/* The stage's own have the names of the declared ones, and those that are new. */
void declarations_rename_params(declarations *all, const actor_record *record); /* on the stage, as in its list */
void declarations_join_params(declarations *all, const actor_record *record);
/* `index`: declarations_param_index. */
void declarations_set_param(declarations *all, actor_record *record, int index, double value);
double declarations_param(const declarations *all, const actor_record *record, int index);
extern const property_kind actor_properties, morph_properties, param_properties;

/* ---- layers (declared_layer.c) ---- */
layer_record *declarations_find_layer(const actor_record *record, const char *name);
layer_record *declarations_layer(const actor_record *record, int64_t id);
/* Takes over values->mask, in success and failure, and copies the pose of the reference. */
layer_record *declare_layer(declarations *all, actor_record *record, const char *name, layer_values *values,
                            const char *line, sinew_error *error);
void declarations_set_layer_weight(declarations *all, actor_record *record, layer_record *layer, float weight);
void declarations_fade_layer(declarations *all, actor_record *record, layer_record *layer, float weight,
                             double seconds);
/* Takes the mask; what the actor shows joins by inertia. False: no memory. */
bool declarations_set_mask(declarations *all, actor_record *record, layer_record *layer, float *mask, int count,
                           double seconds);
float declarations_get_layer_weight(const declarations *all, const actor_record *record, const layer_record *layer);
const char *declarations_layer_name(const actor_record *record, int64_t layer);
int declarations_layer_index(const declarations *all, const actor_record *record,
                             int64_t layer); /* on the stage, or -1 */
bool declarations_prepare_layers(declarations *all, actor_record *record, sinew_error *error);
/* The model becomes another: masks and poses go, clips are found again by name. */
void declarations_move_layers(declarations *all, actor_record *record, const sinew_model *model);
extern const declaration_kind layer_declarations;

/* ---- graphs (declared_graph.c) ---- */
bool declarations_graph_plays(const graph_copy *graph, int clip); /* NULL: no */
graph_record *declarations_find_graph(const actor_record *record, int64_t layer);
graph_record *declarations_need_graph(declarations *all, actor_record *record, int64_t layer, sinew_error *error);
bool declarations_same_graph(const graph_copy *a, const graph_copy *b); /* NULL: none */
graph_copy *declarations_copy_graph(declarations *all, const graph_copy *from);
/* Takes over the copy (NULL: no graph any more), in success and failure. */
bool declarations_set_graph(declarations *all, actor_record *record, graph_record *graph, graph_copy *copy, double fade,
                            const char *line, sinew_error *error);
/* The name of a parameter of an actor or a crowd. */
typedef const char *graph_param_name(const void *owner, int index);
/* Says what differs (graph_tell.c). */
void declarations_tell_graph(declarations *all, const char *name, const graph_copy *last, const sinew_model *last_model,
                             const graph_copy *next, const sinew_model *next_model, graph_param_name *param,
                             const void *owner);
void declarations_move_graphs(declarations *all, actor_record *record); /* by record->clips */
extern const declaration_kind graph_declarations;

/* ---- modifiers (declared_modifier.c) ---- */
modifier_set *declarations_copy_modifiers(declarations *all, const modifier_values *items, int count);
/* Takes over the set, in success and failure. */
bool declarations_set_modifiers(declarations *all, actor_record *record, modifier_set *set, const char *line,
                                sinew_error *error);
/* The modifiers that scripts see: those of the current load, or the running ones. May be NULL. */
modifier_set *declarations_modifiers(const declarations *all, const actor_record *record);
modifier_set *declarations_modifiers_now(const actor_record *record);      /* as the actor has them, or NULL */
int declarations_find_modifier(const modifier_set *set, const char *name); /* or -1 */
/* The current values of one of declarations_modifiers, with the changes of the load on top. */
void declarations_get_modifier(const declarations *all, const actor_record *record, int index,
                               sinew_modifier_state *state, modifier_target *follows);
/* At run time: another of its kind with its joints keeps its state. */
bool declarations_replace_modifier(declarations *all, actor_record *record, int index, const sinew_modifier_def *def,
                                   sinew_error *error);
/* False, and an error message, where actors would wait for each other's joints. */
bool declarations_set_modifier(declarations *all, actor_record *record, int index, const sinew_modifier_state *state,
                               const modifier_target *follows, sinew_error *error);
/* Has the living modifier aim at the joint that its values follow, where that has come; likewise. */
bool declarations_follow(const declarations *all, const actor_record *record, const modifier_values *item, int index,
                         sinew_error *error);
void declarations_move_modifiers(declarations *all, actor_record *record, sinew_actor to, const sinew_model *model);
void declarations_shake_modifiers(declarations *all, actor_record *record);
extern const declaration_kind modifier_declarations;
/* Or NULL. The stage asks for one after the other, in about the order of the records: the next is found at once. */
const actor_record *declarations_actor_on_stage(declarations *all, sinew_actor actor);

/* ---- root motion (declared_root.c) ---- */
/* `line`: NULL for that of before. */
bool declarations_set_root(declarations *all, actor_record *record, const root_values *values, const char *line,
                           sinew_error *error);
void declarations_move_root(actor_record *record, const sinew_model *model);
extern const declaration_kind root_declarations;

/* ---- attachments (declared_attach.c) ---- */
bool declarations_attach(declarations *all, actor_record *record, const attachment_values *values, sinew_error *error);
/* After all actors are there. */
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
/* Whether a clip of the model has such a curve, or will when the load is done. */
bool declarations_has_curve(const declarations *all, const sinew_model *model, const char *name);
/* The i-th curve of a clip by name, those of the load in progress last; NULL past the last. */
const char *declarations_curve_name(const declarations *all, const sinew_model *model, int clip, int index);
extern const declaration_kind marker_declarations, curve_declarations;

/* ---- plays (declared_play.c) ---- */
play_values declarations_play_default(void);
/* The values with which a clip plays on a layer unless the call sets them; id 0: the base layer. */
play_values declarations_layer_play(const declarations *all, const actor_record *record, int64_t id);
bool declarations_play(declarations *all, actor_record *record, int clip, int64_t layer, const play_values *values,
                       const char *line, action_handle *handle, sinew_error *error);
play_record *declarations_play_record(const declarations *all, const action_handle *handle);
/* Keeps the state of what goes in its record. False where it has ended or is about to. */
bool declarations_keep_play(const declarations *all, play_record *play);
/* The current values of an action. Values that the stage does not have stay as they are in `values`. False if the
 * action has ended. */
bool declarations_living_play(const declarations *all, sinew_action action, play_values *values);
/* The other way round, for what can change while it plays. */
void declarations_apply_play(declarations *all, sinew_action action, const play_values *values);
/* The action's current values, with the changes of the load on top; false if it has ended. */
bool declarations_action_values(const declarations *all, const action_handle *handle, play_values *values);
void declarations_set_action(declarations *all, const action_handle *handle, const play_values *values);
/* The action's clip in the model that the actor has, or that the load gives it; NULL if it is gone. */
const sinew_clip *declarations_action_clip(const declarations *all, const action_handle *handle);
sinew_action declarations_living_action(const declarations *all, const action_handle *handle);
bool declarations_action_done(const declarations *all, const action_handle *handle);
void declarations_stop_action(declarations *all, const action_handle *handle, double fade);
/* All that a layer plays; 0 is the base layer. */
void declarations_stop_layer(declarations *all, actor_record *record, int64_t layer, double fade);
const char *declarations_action_line(const declarations *all, const actor_record *record,
                                     sinew_action action);     /* or NULL */
void declarations_forget_lines(declarations *all, bool every); /* of actions that have ended */
bool declarations_start_play(declarations *all, actor_record *record, play_record *play, const play_values *values,
                             double fade, sinew_error *error);
extern const declaration_kind play_declarations;

/* ---- other names (declared_rename.c) ---- */
/* Whether the text of the load has `to` wherever that of the running scripts has `from`; false without memory. */
void declarations_spell(declarations *all, const char *from, const char *to);
/* When a load has run: true where it calls actors, crowds, layers or parameters otherwise. They have their new names
 * then; undo the load and run it again. */
bool declarations_rename(declarations *all);
/* After a load that failed: things get their old names back. */
void declarations_rename_back(declarations *all);
void declarations_commit_renames(declarations *all);

/* Where a new actor continues from a member of a crowd that disappears in the same commit: the time of the clip or,
 * with a graph, which of its clips. False: nowhere (kinds/crowd_actors.c). */
bool declarations_left_crowd(const declarations *all, const actor_record *record, const graph_copy *graph, int *clip,
                             double *time);

/* ---- commit (declared_commit.c) ---- */
void declarations_begin(declarations *all);
/* At run time: the actor has another model from now on; declarations_renew_attachments follows. False, and nothing has
 * changed, when memory runs out. */
bool declarations_change_model(declarations *all, actor_record *record, sinew_model *model, sinew_error *error);
/* Around what the top level wanted of actors whose model has come: as in a load, but for them alone. */
void declarations_begin_arrivals(declarations *all);
void declarations_end_arrivals(declarations *all);
bool declarations_commit(declarations *all,
                         sinew_error *error); /* false: nothing changed; call declarations_rollback */
void declarations_rollback(declarations *all);
void declarations_update(declarations *all, double dt); /* layers that fade, things held too long */
void declarations_clear(declarations *all);             /* every actor and record; not the declarations themselves */

/* ---- camera, light and view (declared_view.c) ---- */
bool declarations_set_look(declarations *all, const store_field *field,
                           const look_values *values); /* false without memory */
look_values declarations_look(const declarations *all);
extern const property_kind look_kinds[]; /* of one list; when the scene ends, the view is as it was before */

#endif
