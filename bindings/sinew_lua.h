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
  bool update_poses; /* sinew.expect_pose writes its file in place of comparing */
  /* A callback that goes on for ever ends in an error. Counted, instructions end it at the same place in every run, and
   * Lua takes 2.5 times as long. Without (true is the default), a timer on the thread's own processor time does, after
   * a second for 50 million instructions, and Lua is as fast as lua5.4; needs Linux, and is counted elsewhere. The
   * scene takes a real-time signal that the program does not use. */
  bool count_instructions;
  /* Per callback, about; > 0. Where instructions are counted a callback may also work for 10 s, and above 50 million
   * instructions longer in proportion. What C functions do for a script is charged as instructions in both cases. */
  int64_t instruction_limit;
  size_t memory_limit; /* bytes that Lua may hold; > 0 */
  /* The allocator of the scene, including Lua; NULL is the C heap. Must outlive the scene. */
  const sinew_allocator *allocator;
  /* Receives each line of print and sinew.log; NULL writes to standard output. */
  void (*print)(void *user, const char *line);
  void *print_user;
} sinew_scene_def;

SINEW_API sinew_scene_def sinew_scene_def_default(void); /* no trust, counted, 50 million instructions, 512 MiB */

/* Reads and runs the file; of a folder, the main.lua in it. NULL is the scene of the recording that the host replays,
 * with all that it read and was saved then: nothing of it is read from the disk, and it writes nothing. A scene that is
 * named runs with what the recording has besides: input, clocks, models; the saves in it do not concern its scripts.
 * Its actors live on the host's stage. NULL and an error message
 * where the file cannot be read. A script that fails to load is NULL and its message with the traceback, too, unless
 * the host has a window: there the overlay shows it, and the next save tries again, as in the
 * recording of such a run. NULL def means the defaults.
 * Destroy the scene before the host. */
SINEW_API sinew_scene *sinew_scene_create(sinew_host *host, const char *path, const sinew_scene_def *def,
                                          sinew_error *error);
SINEW_API void sinew_scene_destroy(sinew_scene *scene); /* NULL is allowed */

/* The callbacks that drive the scene; `user` is the scene. */
SINEW_API sinew_app sinew_scene_app(sinew_scene *scene);

/* Runs the file again as one transaction: all that it declares is committed at its end, or, where it fails, nothing has
 * changed (false, the message, and slot 0 of the host's problems). Values that are declared as before keep what they
 * have become. */
SINEW_API bool sinew_scene_reload(sinew_scene *scene, sinew_error *error);

/* Forgets everything that was made, then loads as if for the first time. */
SINEW_API bool sinew_scene_restart(sinew_scene *scene, sinew_error *error);

/* Runs the scene's sinew.tests[name], or with NULL sinew.test. False and the message with its traceback where it fails
 * or there is none. */
SINEW_API bool sinew_scene_test(sinew_scene *scene, const char *name, sinew_error *error);
SINEW_API bool sinew_scene_has_test(const sinew_scene *scene); /* sinew.test */
/* Fills the names of sinew.tests, in their order, and returns how many there are: −1 and an error message where these
 * are more than SINEW_TESTS. */
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

/* Callbacks and handlers that the running scripts have for "update", "draw", "key_pressed" …; 0 for another name. */
SINEW_API int sinew_scene_handler_count(const sinew_scene *scene, const char *event);

/* ---- the console ------------------------------------------------------------------------------------------- */

/* Evaluates an expression, or statements, in the running scene, with the limits of a callback: globals, variables of
 * its files that some function of it uses, and actors by their names. A variable that is assigned is the scene's; a new
 * one is a global. `out` receives the values, or the message: cut at `size` bytes, between characters. False where it
 * failed: what it did before that has happened, and no callback is suspended. Not while the stage is updated. */
SINEW_API bool sinew_scene_evaluate(sinew_scene *scene, const char *text, char *out, size_t size);

/* Completes a text: writes the names that may follow, each ended by a newline, in order, as many as fit. They replace
 * the text from `*from` on. Names are those of variables, fields, methods (after ':') and options of the API, and in
 * quotes those of clips, joints, layers and parameters. Calls no function of the scene's. Returns the number of
 * names. */
SINEW_API int sinew_scene_complete(sinew_scene *scene, const char *text, int *from, char *names, size_t size);

/* Writes a number that was changed while the scene runs into its script: in place of the literal at the line that
 * declares it, and nothing else of the file becomes another. `answer` says what was written, or why not: the file has
 * changed since it was loaded, the value is no literal there, several calls may be meant, a replay writes nothing. The
 * save that this is brings the scene to where it is already. */
SINEW_API bool sinew_scene_write(sinew_scene *scene, const sinew_edit *edit, char *answer, size_t size);
/* Undoes the last of these, and so up to 16, if the file is as it was left. False and a reason otherwise. */
SINEW_API bool sinew_scene_undo(sinew_scene *scene, char *answer, size_t size);

/* The path of a file of the scene by how messages call it ("scene.lua"). False where there is none. */
SINEW_API bool sinew_scene_locate(const sinew_scene *scene, const char *name, char *path, size_t size);

/* The actor that a script knows by that name; {0} where there is none. */
SINEW_API sinew_actor sinew_scene_find_actor(const sinew_scene *scene, const char *name);

/* Records what an actor shows, from the next frame on, into a glTF animation (baked_clip.h) at any path, until the
 * scene ends or sinew_scene_end_bakes, which writes all that is being baked. False and an error message: no such
 * actor, too many at once, a file that cannot be written. */
SINEW_API bool sinew_scene_bake(sinew_scene *scene, const char *actor, const char *path, sinew_error *error);
SINEW_API bool sinew_scene_end_bakes(sinew_scene *scene, sinew_error *error);

/* A mark of a measured actor (sinew/marks.h) in words, with the line of its transition. False where there is none. */
SINEW_API bool sinew_scene_mark_text(sinew_scene *scene, sinew_actor actor, int index, char *out, size_t size);

/* ---- the description of the API --------------------------------------------------------------------------- */

/* Writes the editor stubs (LuaLS annotations): with NULL as scripts/sinew.d.lua holds them, with a scene together with
 * the names of its clips, joints, morph targets, actors, layers, parameters and modifiers as they are now. False and a
 * sentence: memory runs out, or the file cannot be written. */
SINEW_API bool sinew_scene_stubs(sinew_scene *scene, FILE *file, sinew_error *error);

/* Writes the reference page (Markdown), as docs/reference.md holds it. */
SINEW_API bool sinew_scene_reference(FILE *file, sinew_error *error);

/* A look at the description table, for tests: the i-th entry, false past the last. */
typedef struct sinew_api_info {
  const char *owner; /* "actor", "sinew.ui", "play options" */
  const char *name;
  const char *kind;      /* "function", "method", "field", "option", "callback" */
  const char *signature; /* "clip: string, options?: play_options"; a type for fields and options */
  const char *result;    /* functions and methods: the types of what they return, "" for nothing */
  bool writable;         /* fields */
} sinew_api_info;
SINEW_API bool sinew_scene_api(int index, sinew_api_info *info);
/* The name of the i-th type in signatures, and what it is for editors, in LuaLS's words; false past the last. */
SINEW_API bool sinew_scene_api_type(int index, const char **name, const char **stub);

#ifdef __cplusplus
}
#endif
#endif
