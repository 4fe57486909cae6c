/* sinew_lua.h – Lua scenes: a script that declares what exists, and reacts to frames, keys and saves.
 *
 * A scene is an application of a host: give sinew_scene_app to sinew_host_set_app. One thread. */
#ifndef SINEW_LUA_H
#define SINEW_LUA_H

#include <sinew/host.h>

#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sinew_scene sinew_scene;

typedef struct sinew_scene_def {
  bool trust;               /* opens Lua's whole standard library; only for scripts you would run as a program */
  const char *const *allow; /* further folders that the scene may read */
  int allow_count;
  /* sinew.model always waits for models, even with wait = false: for pictures that are the same each time. */
  bool always_wait;
  /* A file of editor stubs that is written anew, with the names of this scene, when a load or a model changes them;
   * NULL: none. Must outlive the scene. */
  const char *stubs;
  bool update_poses; /* sinew.expect_pose writes its file instead of comparing */
  /* Bounds callbacks, so that an endless one ends in an error. If true, instructions are counted: the limit falls at
   * the same place in every run, and Lua takes 2.5 times as long. If false, a timer on the thread's own processor time
   * bounds them, at a second for 50 million instructions, and Lua is as fast as lua5.4; this needs Linux, other systems
   * count. The scene then uses a real-time signal that the program does not use. Default: true. */
  bool count_instructions;
  /* Roughly, per callback; > 0. If instructions are counted, a callback may also run for up to 10 s, and above 50
   * million instructions proportionally longer. C functions that work for a script are charged as instructions in both
   * cases. */
  int64_t instruction_limit;
  size_t memory_limit; /* bytes that Lua may hold; > 0 */
  /* The allocator of the scene, including Lua; NULL is the C heap. Must outlive the scene. */
  const sinew_allocator *allocator;
  /* Receives each line of print and sinew.log; NULL writes to standard output. */
  void (*print)(void *user, const char *line);
  void *print_user;
} sinew_scene_def;

SINEW_API sinew_scene_def sinew_scene_def_default(void); /* no trust, counted, 50 million instructions, 512 MiB */

/* Reads and runs the file; for a folder, the main.lua in it. NULL is the scene of the recording that the host replays,
 * with everything that it read and that was saved then: it reads nothing from the disk and writes nothing. Or the scene
 * of the host's bundle (sinew_host_set_bundle), likewise. If a path is
 * given for a replay, the scene uses only the recording's input, clocks and models; the recorded saves do not affect
 * its scripts. Its actors live on the host's stage.
 *
 * NULL and an error message if the file cannot be read. If a script fails to load, also NULL, and its message with the
 * traceback, unless the host has a window: then the overlay shows the error, and the next save tries again. The same
 * holds for the recording of such a run. NULL def means the defaults. Destroy the scene before the host. */
SINEW_API sinew_scene *sinew_scene_create(sinew_host *host, const char *path, const sinew_scene_def *def,
                                          sinew_error *error);
SINEW_API void sinew_scene_destroy(sinew_scene *scene); /* NULL is allowed */

/* The callbacks that drive the scene; `user` is the scene. */
SINEW_API sinew_app sinew_scene_app(sinew_scene *scene);

/* Runs the file again as one transaction: a commit at the end applies everything that it declares. If it fails, nothing
 * has changed (false, the message, and slot 0 of the host's problems). Values whose declarations have not changed keep
 * their current state. */
SINEW_API bool sinew_scene_reload(sinew_scene *scene, sinew_error *error);

/* Forgets everything, then loads as if for the first time. */
SINEW_API bool sinew_scene_restart(sinew_scene *scene, sinew_error *error);

/* Runs the scene's sinew.tests[name], or with NULL sinew.test. False, and the message with its traceback, if it fails
 * or does not exist. */
SINEW_API bool sinew_scene_test(sinew_scene *scene, const char *name, sinew_error *error);
SINEW_API bool sinew_scene_has_test(const sinew_scene *scene); /* sinew.test */
/* Fills in the names of sinew.tests, in order, and returns their number: −1 and an error message if there are more than
 * SINEW_TESTS. */
enum { SINEW_TESTS = 1000, SINEW_TEST_NAME = 128 };
SINEW_API int sinew_scene_test_names(const sinew_scene *scene, char names[SINEW_TESTS][SINEW_TEST_NAME],
                                     sinew_error *error);

/* The first script error since the last load, with its traceback; NULL without one. */
SINEW_API const char *sinew_scene_problem(const sinew_scene *scene);

/* A summary of what the last load changed: "reloaded in 12 ms: fade 0.2 → 0.4". Never NULL. */
SINEW_API const char *sinew_scene_summary(const sinew_scene *scene);

/* The scene's main file and the modules it required. */
SINEW_API int sinew_scene_file_count(const sinew_scene *scene);
SINEW_API const char *sinew_scene_file(const sinew_scene *scene, int index);

/* The number of callbacks and handlers of the running scripts for "update", "draw", "key_pressed" …; 0 for an unknown
 * name. */
SINEW_API int sinew_scene_handler_count(const sinew_scene *scene, const char *event);

/* ---- the console ------------------------------------------------------------------------------------------- */

/* Evaluates an expression, or statements, in the running scene, within the limits of a callback. The text can use
 * globals, variables of the scene's files that some function of the scene uses, and actors by name. Assigning to a
 * variable changes the scene's; a new name becomes a global. `out` receives the values or the message, cut at `size`
 * bytes, between characters. False if it failed: effects before the failure remain, and no callback is suspended. Not
 * while the stage is updated. */
SINEW_API bool sinew_scene_evaluate(sinew_scene *scene, const char *text, char *out, size_t size);

/* Completes a text: writes the possible names, each followed by a newline, in order, as many as fit. They replace the
 * text from `*from` on. They are names of variables, fields, methods (after ':') and options of the API, and within
 * quotes those of clips, joints, layers and parameters. Calls no function of the scene. Returns the number of names. */
SINEW_API int sinew_scene_complete(sinew_scene *scene, const char *text, int *from, char *names, size_t size);

/* Whether a text is Lua, for editors that ask at each key. False, and the message with `name` and the line, if it is
 * not. Needs no scene, and runs nothing. */
SINEW_API bool sinew_lua_parses(const char *name, const char *text, char *message, size_t size);

/* Writes a number that was changed while the scene runs into its script: replaces the literal on the line that declares
 * it, and nothing else. `answer` says what was written, or why not: the file has changed since it was loaded, the value
 * is not a literal there, the call is ambiguous, or this is a replay, which writes nothing. The resulting save changes
 * nothing in the scene, which already has the value. */
SINEW_API bool sinew_scene_write(sinew_scene *scene, const sinew_edit *edit, char *answer, size_t size);
/* Undoes the last write, up to 16 in a row, if the file has not been changed since. False and a reason otherwise. */
SINEW_API bool sinew_scene_undo(sinew_scene *scene, char *answer, size_t size);

/* The path of a file of the scene, given its name in messages ("scene.lua"). False if there is none. */
SINEW_API bool sinew_scene_locate(const sinew_scene *scene, const char *name, char *path, size_t size);

/* The actor with that name in the scripts; {0} if there is none. */
SINEW_API sinew_actor sinew_scene_find_actor(const sinew_scene *scene, const char *name);

/* Records an actor's motion, from the next frame on, into a glTF animation (baked_clip.h) at any path, until the scene
 * ends or sinew_scene_end_bakes is called, which writes all bakes in progress. False and an error message if there is
 * no such actor, too many bakes are in progress, or the file cannot be written. */
SINEW_API bool sinew_scene_bake(sinew_scene *scene, const char *actor, const char *path, sinew_error *error);
SINEW_API bool sinew_scene_end_bakes(sinew_scene *scene, sinew_error *error);

/* A mark of a measured actor (sinew/marks.h) in words, with the line of its transition. False if there is none. */
SINEW_API bool sinew_scene_mark_text(sinew_scene *scene, sinew_actor actor, int index, char *out, size_t size);

/* ---- the description of the API --------------------------------------------------------------------------- */

/* Writes the editor stubs (LuaLS annotations). With NULL, the content of scripts/sinew.d.lua; with a scene, also the
 * present names of its clips, joints, morph targets, actors, layers, parameters and modifiers. False and an error
 * message if memory runs out or the file cannot be written. */
SINEW_API bool sinew_scene_stubs(sinew_scene *scene, FILE *file, sinew_error *error);

/* Writes the reference page (Markdown), the content of docs/reference.md. */
SINEW_API bool sinew_scene_reference(FILE *file, sinew_error *error);

/* An entry of the description table, for tests: the i-th; false past the last. */
typedef struct sinew_api_info {
  const char *owner; /* "actor", "sinew.ui", "play options" */
  const char *name;
  const char *kind;      /* "function", "method", "field", "option", "callback" */
  const char *signature; /* "clip: string, options?: play_options"; a type for fields and options */
  const char *result;    /* functions and methods: the types of their results, "" for none */
  bool writable;         /* fields */
} sinew_api_info;
SINEW_API bool sinew_scene_api(int index, sinew_api_info *info);
/* The name of the i-th type in signatures, and its type for editors, in LuaLS's notation; false past the last. */
SINEW_API bool sinew_scene_api_type(int index, const char **name, const char **stub);

#ifdef __cplusplus
}
#endif
#endif
