/* cli – the commands of the program, one file each. argv[0] is the command's name. A command returns the exit status:
 * 0, 1 for a failure (one sentence on standard error), 2 for a wrong command line. */
#ifndef SINEW_CLI_H
#define SINEW_CLI_H

#include <sinew/host.h>
#include <sinew/sinew.h>

#include <stdio.h>

int cli_run(int argc, char **argv);
int cli_replay(int argc, char **argv);
int cli_view(int argc, char **argv);
int cli_info(int argc, char **argv);
int cli_pose(int argc, char **argv);
int cli_new(int argc, char **argv);
int cli_test(int argc, char **argv);
int cli_console(int argc, char **argv);
int cli_stubs(int argc, char **argv);
int cli_cook(int argc, char **argv);
int cli_bundle(int argc, char **argv);
int cli_cache(int argc, char **argv);

/* ---- shared by the commands (args.c) ---- */

/* The name of the program, which its main.c defines: "sinew". */
extern const char cli_program[];

/* Call it first: converts paths in the words to '/'. */
void cli_begin(int argc, char **argv);
/* Call it last. Returns `status`, or fails if a full disk has cut the output off. */
int cli_end(int status);

/* Prints "sinew: SENTENCE" to standard error and returns 1. */
int cli_fail(const char *format, ...) SINEW_PRINTF(1, 2);
/* Warns in the log of what --trust allows. */
void cli_warn_of_trust(const char *scene);
/* Prints "sinew COMMAND: SENTENCE" and how to get help, and returns 2. */
int cli_misuse(const char *command, const char *format, ...) SINEW_PRINTF(2, 3);

/* The values of an option that may be repeated: words of argv. */
enum { CLI_LIST_LIMIT = 64 };
typedef struct cli_list {
  const char *items[CLI_LIST_LIMIT];
  int count;
} cli_list;

/* One option of a command. The value goes where `target` points: bool for CLI_FLAG, int for CLI_INT, double for
 * CLI_NUMBER, const char * for CLI_TEXT, cli_list for CLI_LIST, int[2] for CLI_SIZE ("1280x720"). */
typedef enum cli_kind { CLI_FLAG, CLI_INT, CLI_NUMBER, CLI_TEXT, CLI_LIST, CLI_SIZE } cli_kind;
typedef struct cli_option {
  const char *name; /* "--frames" */
  cli_kind kind;
  void *target;
  const char *help; /* "N  stop after N frames" */
} cli_option;

#define CLI_VERTICES                                                                                                   \
  "N  millions of vertices that a picture may cost; beyond that, the farthest are left out (default: 64)"
#define CLI_TEXELS "N  millions of texels that all pictures may have together; larger ones are halved (default: 64)"

typedef struct cli_usage {
  const char *command;   /* "run" */
  const char *arguments; /* "SCENE.lua" */
  const char *summary;
  const cli_option *options;
  int option_count;
  int min_positional, max_positional;
} cli_usage;

/* Reads options and positional arguments; *positional gets at most max_positional of them (argv's strings). Returns -1
 * to continue, or an exit status: 0 after --help, 2 after a mistake (for an unknown option, the message suggests the
 * nearest one). */
int cli_parse(const cli_usage *usage, int argc, char **argv, const char **positional, int *positional_count);

/* Writes the editor stubs, with the names of a scene if there is one (stubs.c). */
bool cli_write_stubs(const char *scene, const cli_list *allow, bool trust, FILE *file, sinew_error *error);

/* ---- how a model is loaded (args.c) ---- */

typedef struct cli_load {
  cli_list clips, map, roles, edits;
  double unit;
  const char *up, *front, *retarget;
  sinew_joint_pair pairs[CLI_LIST_LIMIT];
  sinew_joint_role joints[CLI_LIST_LIMIT];
  sinew_clip_edit changes[CLI_LIST_LIMIT];
} cli_load;

/* For a command's list of options. */
#define CLI_LOAD_OPTIONS(load)                                                                                         \
  {"--map", CLI_LIST, &(load)->map, "THEIRS=OURS  match a clip file's joint with the model's; may be repeated"},       \
      {"--role", CLI_LIST, &(load)->roles, "ROLE=JOINT  which joint is left_foot, pelvis ...; may be repeated"},       \
      {"--edit", CLI_LIST, &(load)->edits,                                                                             \
       "CLIP[=NAME][,FROM..TO][,reverse][,loop][,mirror]  change a clip; may be repeated"},                            \
      {"--retarget", CLI_TEXT, &(load)->retarget, "HOW  how to fit clips of other files: auto, copy, fit or raw"},          \
      {"--unit", CLI_NUMBER, &(load)->unit, "M  metres in one unit of the file"},                                      \
      {"--up", CLI_TEXT, &(load)->up, "AXIS  which axis of the file points up: +y, +z, ..."}, {                        \
    "--front", CLI_TEXT, &(load)->front, "AXIS  which axis the character faces, if it is not +z: -z, +x, -x"           \
  }
#define CLI_CLIPS_OPTION(load)                                                                                         \
  {                                                                                                                    \
    "--clips", CLI_LIST, &(load)->clips,                                                                               \
        "FILE  add the clips of this file, folder or 'pattern/*.fbx'; may be repeated"                                 \
  }

/* Reads the options into `options`, which points into `load` and argv. Returns -1, or the exit status of a mistake. */
int cli_load_options(const char *command, cli_load *load, sinew_load_options *options);
/* How a recording's scene runs: it waits for its models, and has the time that a window gave it (replay.c). */
struct sinew_scene_def cli_replayed(const cli_list *allow, bool trust);
/* Whether a path is a bundle's, by its extension (bundle.c). */
bool cli_is_bundle(const char *path);
/* Makes a host with a capture show its progress on the terminal. */
void cli_show_progress(sinew_host_def *def);
/* After a run without a window, prints on the terminal what was run. */
void cli_tell_end(const sinew_host *host, const char *what, double seconds);

/* The output of a host. If a window cannot be opened, because there is no display, the command fails with an error
 * message. */
sinew_output cli_output(bool headless);

#endif
