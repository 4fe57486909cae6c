/* scene – the internals of a sinew_scene, and the functions that the files of the bindings share. */
#ifndef SINEW_BINDINGS_SCENE_H
#define SINEW_BINDINGS_SCENE_H

#include "core/watchdog.h"
#include "declare/declarations.h"
#include "sinew_lua.h"

#include <sinew/baked_clip.h>
#include <sinew/recording.h>

#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>
#include <signal.h>
#include <string.h>

enum {
  SCENE_PATH = 1024,
  SCENE_PROBLEM = 4096,
  SCENE_ROOTS = 16,
  SCENE_FILES = 64,
  SCENE_FILE_LIMIT = 16 * 1024 * 1024,
  SCENE_EVENTS = 8
};

typedef enum memory_reason { MEMORY_SYSTEM, MEMORY_TOTAL, MEMORY_TEXT, MEMORY_REASONS } memory_reason;

typedef enum budget_end { BUDGET_LEFT, BUDGET_INSTRUCTIONS, BUDGET_TIME } budget_end;

/* The budget of scripts until control returns to the host. A signal handler reads it and sets `over`. */
typedef struct budget {
  int64_t spent, limit;
  double seconds;             /* of thread time, at most */
  bool shared;                /* the frame has less left than a callback may use */
  volatile double started;    /* thread time */
  volatile sig_atomic_t over; /* a budget_end: the limit that was reached */
} budget;

/* The total spent by the callbacks of one frame. */
typedef struct frame_budget {
  int64_t spent;
  double seconds;
} frame_budget;

typedef struct random_state {
  uint64_t s[4];
} random_state;

typedef struct watched_file {
  char path[SCENE_PATH];
  bool seen;                /* by the current load */
  uint64_t hash, next_hash; /* of its text: as running, and as read by the last load */
} watched_file;

typedef struct model_load model_load;

/* An edit that was written into a script and can be undone. */
typedef struct script_write {
  char path[SCENE_PATH];
  char *before; /* the file's text, owned by the declarations */
  size_t size;
  uint64_t after; /* the hash of what was written */
  bool moves;     /* the last of the moves is its own */
} script_write;

/* A write added lines after this one. */
typedef struct line_move {
  char path[SCENE_PATH];
  int line, lines;
} line_move;

enum { SCENE_WRITES = 16 };
typedef struct script_writes {
  script_write items[SCENE_WRITES];
  int count;
  line_move moved[SCENE_WRITES]; /* since the last load */
  int moved_count;
} script_writes;

enum { SCENE_BAKES = 8 };

/* A bake in progress: an actor's motion being written to a file. */
typedef struct bake {
  sinew_baked_clip *clip; /* NULL: this place is free */
  int64_t actor;          /* of the record */
  char path[SCENE_PATH], name[DECLARED_NAME];
  double seconds, step, elapsed, last, next;
  bool started, with_position, writes;
} bake;

/* A metatable made by luaL_newmetatable, found by the address of its name. */
typedef struct known_type {
  const char *name;
  const void *metatable;
} known_type;

enum { KNOWN_TYPES = 64 };

/* The object that a method is called on, once it has been checked. Every call sets or clears it, so a leftover from an
 * error is never mistaken for a current object. */
typedef struct checked_self {
  const void *object, *metatable;
} checked_self;

struct sinew_scene {
  sinew_host *host;
  int64_t swept_at;      /* declarations.next_id when the functions of removed actors were last forgotten */
  uint32_t grounds_seen; /* declarations.forgotten at the last check of the actors' ground functions */
  sinew_scene_def def;
  sinew_scene_def live; /* for playing on from a replay: the options of the live run; else as def */
  declarations declarations;
  lua_State *L;
  known_type known_types[KNOWN_TYPES];
  checked_self self;
  size_t memory_used;
  memory_reason memory_reason;         /* why the last allocation was refused */
  int held;                            /* tables and functions that the last load has made */
  uint64_t memory_serial, load_serial; /* the latest, and the latest before the current load */
  lua_Integer shown_values;            /* that have a number in place of an address */
  budget budget;
  frame_budget frame;
  bool frame_told;  /* it has been reported, since the last load, that callbacks were skipped */
  double simulated; /* in a test: instructions and joints of its frames so far */
  watchdog watchdog;
  bool counts;                 /* instructions, from the start */
  lua_State *volatile running; /* the coroutine that runs */
  char path[SCENE_PATH], folder[SCENE_PATH];
  bool forgets; /* a script has asked to forget something, for which the scripts are loaded again */
  bool has_own_root;
  char roots[SCENE_ROOTS][SCENE_PATH]; /* resolved folders that may be read, the scene's own first */
  int root_count;
  watched_file files[SCENE_FILES];
  int file_count;
  model_load **loads;
  int load_count, load_capacity;
  bool told_progress;
  char problem[SCENE_PROBLEM];       /* the first error since the last load */
  char failure[SCENE_PROBLEM];       /* the error that the last protected call ended with */
  char failure_location[SCENE_PATH]; /* the error of the last protected call */
  int failure_line;
  bool struck;        /* the clock caused that failure */
  char restarts[256]; /* variables that the load has reset, for its summary */
  char summary[DECLARED_SUMMARY + 640];
  random_state random, load_random;
  bool in_frame; /* update or draw runs: widgets are legal */
  bool silent;   /* a load runs a second time: prints nothing */
  bool loading, testing, loaded_once, waits_for_models, seed_set, next_seed_set, motors_ran;
  bool keeps_renamed; /* set by the current load, which runs a second time */
  int awaited;        /* files that the load did not find, which are watched */
  lua_Integer seed, next_seed;
  char help[512], next_help[512];
  int suspended[SCENE_EVENTS];
  char reported[SCENE_PROBLEM]; /* the last error that a script reported, and how often in a row */
  int reports;
  sinew_pose_group *saved_pose; /* for the modifier's function that is running */
  int saved_pose_size;
  struct {
    sinew_event event; /* the end of a one-shot; clip −1: none */
    int64_t frame;
  } ended[4];
  struct {
    char line[DECLARED_LINE];
    int64_t frame;              /* in which it ran last … */
    int count;                  /* … and in how many frames in a row */
  } repeated[8];                /* lines that do what need not be done in each frame */
  const actor_record *modified; /* whose pose that function changes; NULL: none runs */
  int at_work;                  /* an upper bound of our functions that are running (call_lock.c) */
  /* Whether the function at the top is one of ours that keeps the lock closed while it runs. */
  bool (*is_at_work)(lua_State *L);
  bool resumed_inside, passes, waiting;
  int closing; /* coroutines being closed inside each other */
  bool shakes; /* SINEW_SHAKE */
  int64_t shake_count;
  double time_before; /* what the host had counted when the scene was started again */
  int64_t frames_before;
  bool begins; /* its first frame is still to come */
  bake bakes[SCENE_BAKES];
  char checks[2048]; /* the failures of sinew.check in the test that runs */
  int failed_checks;
  bool stubs_due;   /* a load or a model may have changed the names in the stubs */
  bool is_recorded; /* its scripts also come from the replayed recording */
  bool is_guest;    /* in the Lua state of a program, without limits or reloads (module.c) */
  bool closed;      /* only its memory is left, for the finalizers that Lua still calls */
  bool patient;     /* a save caused the current load */
  double again_at;  /* seconds of the machine's clock at which an incomplete script is read again; 0: none */
  script_writes writes;
  bool places_failed; /* of a function of a graph's samples: none is called until the next save */
};

/* The state's scene. Finalizers of scripts still run when a state closes, after the scene has been cleared: then this
 * raises, so no function of ours works on what is gone. */
static inline sinew_scene *scene_of(lua_State *L) {
  sinew_scene *scene;
  memcpy(&scene, lua_getextraspace(L), sizeof scene);
  if (scene->closed) luaL_error(L, "sinew has been closed");
  return scene;
}
/* Whether it may use what is on the disk: a rerun may, from its edit on. */
static inline bool scene_uses_disk(const sinew_scene *scene) {
  return !scene->is_recorded || sinew_host_is_edited(scene->host);
}
/* A scene without a file in another program's Lua state, which owns its memory; NULL and an error message when memory
 * runs out. */
sinew_scene *scene_create_guest(sinew_host *host, lua_State *L, sinew_error *error);

/* ---- memory (memory_limit.c) ---- */
void *lua_memory(void *scene, void *pointer, size_t old_size, size_t new_size);
void lua_memory_open(lua_State *L); /* once there is a state */
/* Pushes the reason of the last refused allocation; allocates nothing. */
void lua_memory_push_reason(lua_State *L);
/* The creation order of a collectable value; 0 if it has none. */
uint64_t lua_memory_serial(lua_State *L, int index);

/* ---- playing on from a past moment (play_on.c); as in sinew_app ---- */
bool scene_again(void *user, sinew_host *host, sinew_app *app, sinew_error *error);
void scene_end(void *user);
void scene_moved(void *user, sinew_host *host);

/* ---- budget (budget.c) ---- */
/* Call it once there is a Lua state. */
void budget_open(sinew_scene *scene);
void budget_close(sinew_scene *scene);
/* Brackets a call of a script, which gets its own budget. */
typedef struct budget_before {
  sinew_scene *scene;
  lua_State *running;
  void *locale;
  budget budget;
  double frame_seconds;
} budget_before;
budget_before budget_enter(sinew_scene *scene);
void budget_leave(sinew_scene *scene, const budget_before *before);
/* Starts a new frame, or a load. */
void budget_begin_frame(sinew_scene *scene);
/* Whether a callback may still run in this frame. Reports once if callbacks are skipped. */
bool budget_allows(sinew_scene *scene);
/* Brackets code on another coroutine; returns the previous one. */
lua_State *budget_run(sinew_scene *scene, lua_State *co);
/* Charges the cost; raises an error if nothing is left. */
void budget_charge(lua_State *L, int64_t cost);
/* The rest of this protected call may not be interrupted: its cost has been charged before. */
void budget_open_end(lua_State *L);
/* Charges the cost without raising an error. */
void budget_add(sinew_scene *scene, int64_t cost);
/* Restarts the clock after work of the host. */
void budget_rest(sinew_scene *scene);
/* lua_load for text: checks the clock between parts of the compilation. */
int budget_load(lua_State *L, const char *text, size_t size, const char *name);
/* Raises the error again while the budget is spent: call it after anything that catches errors. */
void budget_check(lua_State *L);
/* Describes the limit that was reached. */
void budget_describe(const sinew_scene *scene, char *out, size_t size);

/* ---- the lock on calls (call_lock.c) ---- */
/* Brackets a coroutine: it counts as inside everything that its resumer is inside. */
bool call_lock_resume(lua_State *L);
void call_lock_resumed(sinew_scene *scene, bool before);
void call_lock_opened(sinew_scene *scene); /* runs deferred calls, unless one of our functions is running */
/* With SINEW_SHAKE (shake.c), moves everything that may move, so that a sanitizer finds pointers kept over a call into
 * Lua. */
void scene_shake(sinew_scene *scene);

/* ---- protected calls (protect.c) ---- */
/* Calls the function below `arguments` values with its own budget. On failure, returns false with the message and
 * traceback in scene->failure, and leaves no results. */
bool scene_call(sinew_scene *scene, int arguments, int results);
/* Runs a C function under protection (memory may run out anywhere). */
bool scene_protect(sinew_scene *scene, lua_CFunction function, void *argument);
/* Finds the place of a failure in its message alone. */
void scene_locate_failure(sinew_scene *scene);
/* "file.lua:12" of the running Lua code of the scene, skipping Sinew's own modules (sinew.machine), or "?". */
void scene_line(lua_State *L, char out[DECLARED_LINE]);
void scene_note_line(lua_State *L);         /* the line of an assignment, for its declaration; during a load */
const char *scene_line_chunk(lua_State *L); /* the chunk of this line */
/* The chunk name of the running Lua code, without the '@'. */
const char *scene_chunk(lua_State *L);

/* ---- problems (problem.c) ---- */
enum { SLOT_QUEUE = SCENE_EVENTS + 1, SLOT_REPORT, SLOTS };
/* Shows the failure of the last protected call in a slot of the overlay. `what` is "" or "update". */
void scene_show_problem(sinew_scene *scene, int slot, const char *what);
/* Shows an error that a script caught itself; repetitions are counted. */
/* Replaces a message of Lua's about nil on the top by a sentence (protect.c). */
void nil_words(lua_State *L);
int scene_assert(lua_State *L);
int scene_check(lua_State *L);
void scene_report(sinew_scene *scene, const char *message);
void scene_clear_problems(sinew_scene *scene);

/* ---- input from outside (outside.c) ---- */
/* Whether the replayed run had an answer to this: the data, or, if it was refused, `error`. */
bool outside_recall_text(const sinew_scene *scene, const char *kind, const char *name, sinew_answer *answer,
                         sinew_error *error);
/* Of a scene that is_recorded, in words. */
const char *outside_source(const sinew_scene *scene);
void outside_note_text(const sinew_scene *scene, const char *kind, const char *name, const char *text, size_t size);
void outside_note_refusal(const sinew_scene *scene, const char *kind, const char *name, const sinew_error *error);
void sandbox_os(lua_State *L); /* clocks, in the table on the top */

/* ---- files (paths.c) ---- */
void scene_init_roots(sinew_scene *scene);
/* The readable path for `name`, looked up in the scene's folder and then in `folder` ("assets", "scripts") under
 * sinew_home(). Returns false and an error message if there is no such file (naming the nearest one), or if the scene
 * may not read it. */
bool scene_resolve(sinew_scene *scene, const char *name, const char *folder, char out[SCENE_PATH], sinew_error *error);
/* Files, each a zero-terminated text, in memory owned by the caller. */
typedef struct file_names {
  char *text;
  size_t used, size;
  int count;
  bool overflows, from_pattern;
} file_names;
/* Adds all files that a name, pattern or folder means (sinew_find_files), from the first folder that has any. Returns
 * false and an error message if there are none, or more than fit. */
bool scene_resolve_all(sinew_scene *scene, const char *name, const char *folder, file_names *files, sinew_error *error);
/* The path at which a scene may write `name`: a file with that extension in its own folder or below, either new or
 * baked earlier. False and an error message otherwise. A scene that is_recorded writes nothing there. */
bool scene_resolve_bake(const sinew_scene *scene, const char *name, char out[SCENE_PATH], sinew_error *error);
/* Whether the file is an animation that was baked. */
bool scene_is_take(const char *path);
/* The same for a video that a scene records. */
bool scene_resolve_film(const sinew_scene *scene, const char *name, char out[SCENE_PATH], sinew_error *error);
/* The same for a .pose file, either new or a pose. */
bool scene_resolve_saved_pose(const sinew_scene *scene, const char *name, char out[SCENE_PATH], sinew_error *error);
void scene_add_file(sinew_scene *scene, const char *path);
void scene_watch(sinew_scene *scene, const char *path);
/* The whole file in a Lua string on the stack; false and an error message otherwise. */
bool scene_push_file(lua_State *L, const char *path, sinew_error *error);

/* ---- epochs (epoch.c) ---- */
/* An epoch is the table of one load: env, handlers, keep, modules. While loading, the new one. */
void epoch_push(lua_State *L, const char *field); /* a table in the epoch in force */
void epoch_push_all(lua_State *L);                /* that table itself */
void epoch_begin(lua_State *L);
void epoch_set(lua_State *L, const char *field, int index); /* index is absolute */
void epoch_push_current(lua_State *L, const char *field);   /* nil before the first commit */
void epoch_set_current(lua_State *L, const char *field, int index);
void epoch_set_environment(lua_State *L); /* of the next one */
void epoch_forget(lua_State *L);
void epoch_end(lua_State *L, bool commit);
int event_index(const char *event); /* or -1 */
const char *event_name(int index);  /* NULL past the last */
void event_add(lua_State *L, const char *event, int function_index, bool assigned);
void event_push_assigned(lua_State *L, const char *event);
int event_count(sinew_scene *scene, const char *event);
/* Calls every handler that is not suspended; the arguments are numbers, strings or booleans. */
typedef struct event_argument {
  const char *field; /* of the epoch; or NULL: */
  const char *text;  /* or NULL: */
  double number;
  bool whole; /* pushed as an integer */
} event_argument;
void events_carry(lua_State *L); /* what callbacks have added and assigned, to the new epoch */
void event_fire(sinew_scene *scene, const char *event, const event_argument *arguments, int count);

/* ---- variables of the scripts (variables.c, held.c) ---- */
bool script_is_own(const char *path); /* and no module of Sinew's */
void locals_begin(lua_State *L);      /* before the scripts of a load run, in a fresh environment */
void held_merge(sinew_scene *scene);  /* before the new epoch becomes the current one */

/* Prefix for the key of a word that scripts pass on; a variable's key is "file\nname". */
#define SPELLED_PART "\t"
/* Fills the table "spelling" of the current load with the names that its text has changed everywhere: key of the old
 * name → new name (spelling.c). */
int spelling_find(lua_State *L);

/* Pushes the living value of a variable of the scripts, from the scene's own file first; returns false, and pushes
 * nothing, if no function uses one of that name. Assigning takes the value at the top and returns whether there is such
 * a variable. */
bool locals_push(lua_State *L, const char *name);
bool locals_assign(lua_State *L, const char *name);
/* Adds the names to the keys of the table on the top. */
void locals_add_names(lua_State *L);

/* In a load: what it declares under that name is new. At run time, the scripts are loaded again for it. */
void held_forget(lua_State *L, const char *name);

/* ---- keep (keep.c) ---- */
bool kept_control(sinew_scene *scene, int index, sinew_control *out); /* the index-th kept value (keep_control.c) */
void kept_set_control(sinew_scene *scene, int index, const float values[3]);
bool kept_line(sinew_scene *scene, const char *name, char line[DECLARED_LINE], char path[DECLARED_NAME]);
int keep_declare(lua_State *L, const char *name, int defaults); /* pushes the table */
void keep_commit(lua_State *L); /* in the new epoch, before it becomes the current one */
int keep_tell(lua_State *L);    /* reports values that are gone without a successor */
/* Before the load runs again: gives the running scripts' tables their new names. Returns whether any has one. If the
 * load fails, they get their old names back. */
bool keep_respell(lua_State *L);
int keep_respell_back(lua_State *L);

/* ---- the environment (environment.c …) ---- */
void environment_push(lua_State *L);             /* a fresh one */
void environment_open(lua_State *L);             /* once for each state */
void sandbox_base(lua_State *L);                 /* fills the table at the top */
void sandbox_push_text(lua_State *L, int index); /* as tostring returns it */
void sandbox_coroutine(lua_State *L);            /* pushes a table; so do those below */
void sandbox_string(lua_State *L);
void sandbox_table(lua_State *L);
void sandbox_math(lua_State *L);
void sandbox_utf8(lua_State *L);
void sandbox_numbers(lua_State *L); /* charges number functions in the table at the top */
/* Replaces functions of the table at the top; each wrapper has the original as its upvalue. */
void sandbox_copy(lua_State *L, const char *name); /* pushes a copy of a library's table */
void sandbox_wrap(lua_State *L, const luaL_Reg *functions);
void random_seed(random_state *state, uint64_t seed);
void sandbox_limit(lua_State *L, lua_Integer count, const char *what);
int sandbox_find(lua_State *L), sandbox_match(lua_State *L), sandbox_gmatch(lua_State *L), sandbox_gsub(lua_State *L);

/* ---- models being loaded (loads.c) ---- */
model_load *load_find(const sinew_scene *scene, const sinew_model *stand_in); /* or NULL */
/* Functions that run after a load: `settled` replaces the stand-in in all objects of scripts, `arrived` runs commands
 * that waited for the model, `renewed` runs the scene again after models were reloaded. */
typedef struct loads_listener {
  void (*settled)(sinew_scene *scene, sinew_model *stand_in, sinew_model *model);
  void (*arrived)(sinew_scene *scene);
  bool (*renewed)(sinew_scene *scene, sinew_error *error);
} loads_listener;
void loads_update(sinew_scene *scene, const loads_listener *listener); /* before each frame */
void loads_draw(sinew_scene *scene);                                   /* the placeholders */
void loads_forget(sinew_scene *scene);                                 /* after a commit: those that are not used */
void loads_cancel(sinew_scene *scene);                                 /* those whose progress is shown */
void loads_clear(sinew_scene *scene);
void scene_watch_sources(sinew_scene *scene, const sinew_model *model);
/* Ends the replay: models that were to arrive at their recorded time arrive now. */
void loads_settle(sinew_scene *scene);

/* ---- commands for actors whose model is still loading (queue.c) ---- */
/* Whether the object at `index` is such an actor, or a layer or an action of one. */
bool queue_holds(lua_State *L, int index);
/* The actor of the object, or of a modifier or morphs object; NULL if it is gone, or the object is none of these. */
const actor_record *queue_actor(lua_State *L, int index);
bool queue_is_there(lua_State *L, int index); /* the actor or the crowd has not been removed */
/* Queues the function at the top with the arguments below it. `result` is the type of its later result: pushes an
 * object that will become it (1), or nothing (0). */
int queue_add(lua_State *L, const char *result);
/* The same for assigning the value at 3 to the field at 2: only the last assignment counts. */
void queue_set(lua_State *L);
/* Runs commands that no longer need to wait. */
void queue_run(sinew_scene *scene);

/* ---- graphs and events (api_graph.c, api_event.c) ---- */
bool graph_condition(void *scene, sinew_actor actor, int64_t condition);
void graph_place_samples(sinew_scene *scene); /* calls the functions that place samples */
void graph_carry(lua_State *L);               /* carries functions and handlers over from the previous epoch */
void events_deliver(sinew_scene *scene);      /* those of the last update */

/* ---- modifiers (api_rig.c) ---- */
/* Whether the scripts measure the actor: a host may, for itself (api_why.c). */
bool scene_measures(lua_State *L, const actor_record *record);
/* A mark of a measured actor in words, without its time (api_timeline.c). */
bool scene_mark_sentence(sinew_scene *scene, sinew_actor actor, int index, char *out, size_t size);
/* The transition in progress behind a cause (explain.h), with its line; false if there is none. */
bool scene_cause_sentence(sinew_scene *scene, sinew_actor actor, const sinew_cause *cause, char *out, size_t size);
void graph_forget_removed(sinew_scene *scene); /* the functions of removed actors, now and then */
void grounds_update(sinew_scene *scene);       /* forgets those of removed actors */
void motors_update(sinew_scene *scene, double dt);
void rig_update(sinew_scene *scene); /* moves targets that follow joints */
float rig_ground(void *scene, sinew_actor actor, int modifier, float x, float z, sinew_vec3 *normal);
void rig_call(void *scene, sinew_actor actor, int modifier, const sinew_posed *posed, float weight, double dt);

/* ---- clips that are being baked (api_bake.c) ---- */
void bakes_advance(sinew_scene *scene, double dt); /* before each frame */
void bakes_record(sinew_scene *scene);             /* after it */

/* ---- the console (console.c, console_names.c) ---- */
/* Pushes the value that a name has in the console, or nil. */
void console_push(lua_State *L, const char *name);

/* ---- writing values into scripts (write_back.c), and undo (undo.c) ---- */
typedef struct written_text {
  char *text; /* taken over */
  size_t size;
} written_text;
/* Notes that a file was written; `after` is the hash of its new text. */
void undo_remember(sinew_scene *scene, const char *path, written_text before, uint64_t after);
void undo_clear(sinew_scene *scene);
void stubs_refresh(sinew_scene *scene); /* writes def.stubs if it is due (stub_file.c) */
/* Opens a regular file for reading, or returns NULL: opening a fifo would block until somebody writes to it. */
FILE *script_open(const char *path);
char *script_read(declarations *all, const char *path, size_t *size); /* NULL: it cannot be read */
bool script_write_file(const char *path, const char *text, size_t size);
const char *script_file_name(const char *path);
/* As in sinew_app (run/controls.c). */
bool scene_control(void *user, const sinew_edit *of, int index, sinew_control *out);
void scene_set_control(void *user, const sinew_edit *of, int index, const float values[3]);

/* ---- scripts as functions (gl.c) ---- */
uint64_t scene_hash(const char *text, size_t size);    /* of a script */
void scene_push_chunk(lua_State *L, const char *path); /* pushes the file as a function */
void scene_add_modules(lua_State *L);                  /* adds require, print, sinew and load to the table at the top */
int scene_require(lua_State *L);

/* ---- the reload transaction (reload_transaction.c) ---- */
bool scene_load(sinew_scene *scene, sinew_error *error);
/* Called after a save. A script that breaks off, as one does while an editor is writing it, is reported only if it
 * still does SCENE_PATIENCE seconds later; scene_load_again checks. */
#define SCENE_PATIENCE 0.150
void scene_load_patiently(sinew_scene *scene);
void scene_load_again(sinew_scene *scene);

#endif
