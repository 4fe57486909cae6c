/* api – one table describes everything that a script can use. It serves to register functions, to check arguments, and
 * to write help and editor stubs. */
#ifndef SINEW_BINDINGS_API_H
#define SINEW_BINDINGS_API_H

#include "core/scene.h"

#include <sinew/build.h>
#include <sinew/marks.h>

typedef enum api_kind { API_FUNCTION, API_METHOD, API_FIELD, API_OPTION, API_CALLBACK } api_kind;

typedef struct api_entry api_entry;
struct api_entry {
  const char *owner; /* "sinew", "sinew.ui", "actor", "play_options" */
  const char *name;
  api_kind kind;
  /* Functions: "clip: string, options?: play_options"; '?' marks what is optional, '|' separates types, "..." takes any
   * more. Fields, options and callbacks: the type. */
  const char *spec;
  const char *result;
  const char *doc;
  lua_CFunction call;                                /* functions: arguments are checked */
  void (*get)(lua_State *L, const api_entry *entry); /* fields: the object is at 1; pushes the value */
  void (*set)(lua_State *L, const api_entry *entry); /* the value is at 3, checked; NULL: read only */
  int data;
  int cost;     /* the charge of a call, in instructions: for time or memory used outside Lua */
  bool at_once; /* on layers and actions: does not wait for the model */
  bool waits; /* on an actor whose model is loading, deferred until it is loaded; on layers and actions, always deferred
               */
};

/* Called for each successful call, and each field read or set; NULL except in tests. */
extern void (*api_observer)(const api_entry *entry);

/* Entries end with a NULL owner; the list of tables ends with NULL. */
extern const api_entry *const api_tables[];
enum { API_OPTIONS = 512, API_LOOKS = 64 };
extern api_entry api_option_entries[API_OPTIONS], api_view_entries[API_LOOKS]; /* options_fill, looks_fill */
extern const api_entry api_sinew_entries[], api_scene_entries[], api_model_entries[], api_mask_entries[],
    api_actor_entries[], api_action_entries[], api_layer_entries[], api_node_entries[], api_graph_entries[],
    api_event_entries[], api_curve_entries[], api_step_entries[], api_modifier_entries[], api_rig_entries[],
    api_pose_entries[], api_root_entries[], api_pose_value_entries[], api_retarget_entries[], api_ui_entries[],
    api_debug_entries[], api_expect_entries[], api_why_entries[], api_timeline_entries[], api_bake_entries[],
    api_build_entries[], api_skin_entries[], api_crowd_entries[], api_crowd_array_entries[], api_playing_entries[],
    api_motor_entries[], api_module_entries[], api_level_entries[];

int test_simulate(lua_State *L); /* sinew.simulate (simulate.c) */

/* ---- types (api_types.c) ---- */
typedef struct api_type {
  const char *name;
  const char *stub; /* in the editor stubs */
  const char *what; /* "a number": for errors */
  bool (*is)(lua_State *L, int index);
} api_type;
const api_type *api_find_type(const char *name, size_t size); /* or NULL: the name of a set of options */
int api_type_number(const api_type *type);                    /* from 1 */
const api_type *api_type_at(int number);

/* ---- checking (api_check.c) ---- */
/* Raises if the value at `index` has none of the types in `spec`; `what` names it: "actor:play: 'clip'". */
void api_check_value(lua_State *L, int index, const char *spec, size_t spec_size, const char *what);
/* The number with six digits, for messages: %f of luaL_error would write 0.1f as 0.10000000149012. */
double api_rounded(double number);
void api_check_arguments(lua_State *L, const api_entry *entry);
/* An entry as registered in a Lua state, with the parts that calls and assignments need already parsed: the types of up
 * to nine arguments, or of the field, up to four types each; `count` is −1 if there are more. */
typedef struct api_member {
  const api_entry *entry;
  const void *metatable; /* of the owner; NULL for modules */
  bool waits;            /* while the actor's model is loading */
  uint8_t access;        /* a call_access */
  bool calls;            /* call_lock_calls */
  int moves;             /* call_lock_moves */
  int count, most;       /* arguments; −1: any number */
  uint16_t optional;     /* bits */
  uint8_t types[9][4];   /* indices for api_type_at, from 1; 0: no more */
} api_member;
void api_read_types(api_member *member);
/* Returns true if the arguments, or the value at 3, certainly fit. If not, api_check_arguments and api_check_value
 * decide. */
bool api_arguments_fit(lua_State *L, const api_member *member);
bool api_value_fits(lua_State *L, const api_member *member);
/* One argument of a spec. Returns where the next begins, or NULL past the last. */
typedef struct api_argument {
  char name[32];
  const char *types;
  size_t types_size;
  bool optional, rest;
} api_argument;
const char *api_next_argument(const char *spec, api_argument *argument);
/* "actor:play" or "sinew.model". */
const char *api_full_name(lua_State *L, const api_entry *entry);
const char *api_describe(lua_State *L, int index); /* a short description of the value, pushed */
/* Our counterpart of an option in another engine (hint.c): one of the options, or NULL; or a sentence
 * instead. */
typedef struct option_hint {
  const char *option, *sentence;
} option_hint;
option_hint option_hint_for(const char *owner, const char *said, const char *const *options, int count);
const char *key_hint(const char *said); /* the key that other engines give that name, or NULL (key_hint.c) */
/* A sentence that names our counterpart of a field in another engine, or NULL (hint.c). */
const char *field_hint(const char *owner, const char *said);
enum { API_WORD = 32 };
void api_plain_word(const char *said, char out[API_WORD]); /* lower case, without spaces and underscores */
/* Raises "no clip 'Wlak' in hero.glb; did you mean 'Walk'?". `what` is the beginning of the message. */
int api_unknown(lua_State *L, const char *what, const char *name, const char *after, const char *const *candidates,
                int count);

/* Raises "actor has no field 'postion'; did you mean 'position'?". */
int api_unknown_member(lua_State *L, const char *owner, const char *name);

/* ---- modules in Lua (api_modules.c) ---- */
bool module_is_own(const char *owner);
void module_push_tools(lua_State *L);
void modules_preload(lua_State *L); /* for `require` of a Lua program */

/* ---- types and modules (api_object.c) ---- */
void api_open(lua_State *L);
int api_push_sinew(lua_State *L);
int api_print(lua_State *L);
/* The single object of a module: "sinew.camera". */
void api_push_module(lua_State *L, const char *owner);

/* ---- objects (object.c) ---- */
void objects_open(lua_State *L);
/* A userdata of type `owner` with `size` bytes, and the serial by which pairs sorts it. The caller may use its second
 * user value. */
void *api_new(lua_State *L, const char *owner, size_t size, lua_Integer serial);
bool api_is_self(lua_State *L, const api_member *member); /* the object at 1 is of its type */
/* The userdata if it has that type, a literal; or NULL. */
void *api_test(lua_State *L, int index, const char *owner);
void *api_check(lua_State *L, int index, const char *owner); /* raises where it is not */
/* Pushes the object that was pushed for this key before, if it is still alive; else returns false. */
bool api_push_known(lua_State *L, lua_Integer key);
void api_push_objects(lua_State *L);              /* pushes the table of all of them */
void api_remember(lua_State *L, lua_Integer key); /* the object on the top */
/* Parts that belong to the object at 1 and live as long as it does, in its second user value. Pushes the part, or
 * returns false. api_keep_part leaves the part on the top. */
bool api_push_part(lua_State *L, const char *name);
void api_keep_part(lua_State *L, const char *name);

/* ---- marked tables (marked.c) ---- */
/* A copy of the table at 1 that knows its kind, and the line that made it. */
int marked_push(lua_State *L, const void *kind_key, int kind);
bool marked_is(lua_State *L, int index, const void *kind_key);
const char *marked_line(lua_State *L, int index); /* valid as long as the table */
/* The line of an item of the table, or of the table in one of its fields (by position or key); if it is not known, the
 * line of the table. Valid as long as the table. */
const char *marked_item_line(lua_State *L, int index, int position);
const char *marked_inner_line(lua_State *L, int index, const char *field, int position, const char *key);

/* ---- levels (api_level.c) ---- */
void level_open(lua_State *L); /* once the type is registered */

/* ---- crowds (api_crowd_array.c) ---- */
void crowd_array_open(lua_State *L);

/* ---- poses (pose_object.c) ---- */
/* Pushes the pose for a modifier's function; it is valid until it is ended. */
void pose_push_living(lua_State *L, const sinew_posed *posed);
void pose_end_living(lua_State *L);

/* ---- vectors (vector.c) ---- */
void vector_open(lua_State *L);
void vector_push(lua_State *L, const float *values, int count);
/* The same for a field of the object at 1. The object keeps the vector for as long as the field keeps its value, so
 * that reading it makes no garbage. */
void vector_push_field(lua_State *L, const char *name, const float *values, int count);
/* A vector, {x, y, z}, or {x =, y =, z =}: `count` finite numbers. */
bool vector_read(lua_State *L, int index, float *values, int count);
bool rotation_read(lua_State *L, int index, float values[4]); /* a quaternion, or a number: radians about y */

/* ---- notes (note.c) ---- */
void note_once(lua_State *L, const char *text); /* for each text */
/* Notes a motor (of this line) and root motion that both move the actor. */
void note_movers(lua_State *L, const actor_record *record, const char *line);
/* Notes that a one-shot has ended and nothing has taken its place. */
void note_held(lua_State *L, const actor_record *record, const sinew_event *event);
/* Notes that a machine took as many transitions in this frame as it can; the last of the events enters a state. */
void note_hurried(lua_State *L, const actor_record *record, const sinew_event *events, int count);
/* Notes a handler of an event that nothing raises. */
void note_unheard(lua_State *L, const actor_record *record, const char *event, const char *line);
/* Notes that the line that runs does this in each frame, once it has for a while. */
void note_repeated(lua_State *L, const char *does, const char *instead);
void note_surplus(lua_State *L, const api_member *member); /* arguments that a call does not take */
/* An angle that is probably in degrees: several turns, and a multiple of five. */
void note_degrees(lua_State *L, double angle);
/* A morph target far beyond 1, probably in per cent. */
void note_percent(lua_State *L, const char *what, double weight);
/* A time past the end of a clip. */
void note_late(lua_State *L, const sinew_clip *clip, double time);
/* Notes a path that leads to no node of the actor's graph. */
void note_path(lua_State *L, const actor_record *record, const char *path);
/* Notes a joint that no actor of the scene has. */
void note_joint(lua_State *L, const char *joint);
/* Notes an event that no transition of the actor waits for. */
void note_unsent(lua_State *L, const actor_record *record, const char *event);
/* Names a change for the marks of an actor that is measured, with the line that runs: "actor.position". For others it
 * does nothing, because finding the line takes longer than most calls. The record may be NULL. */
void note_change(lua_State *L, const actor_record *record, sinew_note_of of, const char *what);
/* For what goes by velocities: the model faces another way than +z. */
void note_front(lua_State *L, const sinew_model *model, const char *line);
/* A clip that is a single pose, on an additive layer that takes the difference from its first frame. */
void note_still(lua_State *L, const actor_record *record, int64_t layer, int clip, const char *line);
/* A clip of the base layer that travels has come to the end of its loop, and the actor has no root motion:
 * the first actor of a model is named. */
void note_travelling(lua_State *L, const actor_record *record, const sinew_event *event);

/* ---- functions shared by the api files ---- */
sinew_model *model_check(lua_State *L, int index); /* raises for a model that has been freed */
void model_push(lua_State *L, sinew_model *model); /* retains */
/* Pushes the model with this content: one that is there, or a new one. `kept`, an index or 0, is what the memory limit
 * counts for it. */
void model_push_built(lua_State *L, const sinew_model_def *def, int kept);
int model_release(lua_State *L); /* the finalizer */
/* Releases what finalizers of scripts have made while the state closes, for which Lua calls no finalizer. */
void models_close(lua_State *L);
void retarget_close(lua_State *L);
/* sinew_clip_velocity; a load reuses the results of the one before. */
bool clip_velocity(lua_State *L, const sinew_model *model, int clip, sinew_vec3 *velocity);
/* The placeholder's object becomes the model's. */
void model_settle(sinew_scene *scene, sinew_model *stand_in, sinew_model *model);
/* At the end of a load, keeps models that were removed now or recently, so that the next load finds them. */
int models_keep(lua_State *L);
/* Reloads the models made from the file. False if there are none. */
bool model_file_changed(lua_State *L, const char *path, bool reads);
/* The effect of a change in a folder on the models of the scene. */
typedef enum folder_news { FOLDER_OF_NONE, FOLDER_AS_IT_WAS, FOLDER_HAS_MORE } folder_news;
folder_news model_folder_changed(lua_State *L, const char *path);
/* Reads the option `params`, sorted by name; its table owns the names. */
int params_read(lua_State *L, int options, const char *caller, const char **names, double *values, int most);
void params_declare(lua_State *L, int options, actor_record *record);
actor_record *actor_check(lua_State *L, int index);
/* Declares an actor and pushes it; NULL: named after the model's file. */
void actor_declare(lua_State *L, const char *name, sinew_model *model);
int actor_gone(lua_State *L, int64_t id); /* raises: it has been removed */
void actor_push(lua_State *L, const actor_record *record);
typedef struct layer_handle {
  int64_t actor, layer; /* layer 0 is base */
} layer_handle;
void layer_push(lua_State *L, const actor_record *actor, const layer_record *layer);
/* The option `layer`: the id of its record, 0 for base; `fallback` without it. Raises an error for an unknown name. */
int64_t layer_option(lua_State *L, const actor_record *record, int options, int64_t fallback);
void action_push(lua_State *L, const action_handle *handle);
int action_wait(lua_State *L); /* the method `wait` of actions and actors */
/* The joint or clip with the name or the number (from 1) at the index. They raise an error if there is none. */
int joint_check(lua_State *L, const sinew_model *model, int index);
/* The joints of all roles; −1: none. */
void roles_find(lua_State *L, const sinew_model *model, int joints[SINEW_ROLES]);
/* The joint that has the role in the model; raises an error if there is none, asking for the option `what`. */
int joint_of_role(lua_State *L, const sinew_model *model, sinew_role role, const char *what);
/* Pushes a text with which joint_check finds the joint: its name, or a path. */
const char *joint_push(lua_State *L, const sinew_model *model, int joint);
/* Raises an error if called at the top level of a scene. */
int refuse_while_loading(lua_State *L, const char *what, const char *instead);
/* A time beyond the end only by rounding counts as the end: files round their durations. */
static inline double clip_time(double time, double duration) {
  return time > duration && time < duration + 1e-4 ? duration : time;
}
/* Raises: no clip of the model has a curve of that name. */
int curve_unknown(lua_State *L, const char *what, const char *name, const sinew_model *model);
int clip_check(lua_State *L, sinew_model *model, int index);
/* The number of a morph target of that name; raises an error if there is none. */
int morph_check(lua_State *L, const sinew_model *model, const char *name);
void play_read(lua_State *L, int options, sinew_play_def *def); /* over what it is */
int actor_play(lua_State *L, actor_record *record, int64_t layer, int clip_index, int options_index);
float *mask_read(lua_State *L, int index, const sinew_model *model); /* memory of the declarations */
bool loop_read(lua_State *L, int index, sinew_loop_mode *loop, int *count);
void loop_push(lua_State *L, sinew_loop_mode loop, int count);
/* Pushes an option of the table at `index` (which may be none); returns false, and pushes nothing, if it is nil. */
bool option_push(lua_State *L, int index, const char *name);
double option_number(lua_State *L, int index, const char *name, double fallback);
bool flag_option(lua_State *L, int index, const char *name, bool fallback);
/* Reads each option of the table at `index` that has a plain type into the values of its kind (api_fields.c); options
 * that are not given keep their values. Raises an error for an invalid text; `what` names the function that was called.
 */
void fields_read(lua_State *L, int index, const store_kind *k, const char *what, void *values);
/* Reads one field, whose value has been checked; and the opposite, pushes it. */
void field_read(lua_State *L, int index, const store_field *f, const char *what, void *values);
bool field_is_vector(const store_field *f); /* whether the pushed value is one */
void field_push(lua_State *L, const store_field *f, const void *values);
/* Fills in what kinds describe: options, at their placeholders in the table, and the fields of camera, light and view.
 * Once is enough. */
void options_fill(void);
void looks_fill(void);
/* Reads `count` numbers if the option is set. */
void vector_option(lua_State *L, int index, const char *name, float *values, int count);
/* Reads the results of a ground function, a height and a normal at the top; nil leaves a value as it is. */
void ground_answer_read(lua_State *L, const char *whose, float *height, float normal[3]);
/* A checked joint_transform, { position =, rotation =, scale = }: its parts replace those of `transform`. */
void transform_read(lua_State *L, int index, sinew_transform *transform);
void transform_push(lua_State *L, const sinew_transform *transform);
void scene_print(sinew_scene *scene, sinew_log_level level, const char *line);

#endif
