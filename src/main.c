/* sinew – the program: finds the command and hands it the rest of the line. */
#include "cli/cli.h"

#include <stdio.h>
#include <string.h>

const char cli_program[] = "sinew";

typedef struct command {
  const char *name;
  int (*run)(int argc, char **argv);
  const char *summary;
} command;

static int run_help(int argc, char **argv);
static int run_version(int argc, char **argv);

static const command commands[] = {
    {"run", cli_run, "run a Lua scene; save the file and the scene changes"},
    {"replay", cli_replay, "play back a recorded run, with its scene or another"},
    {"view", cli_view, "look at a model file: clips, timeline, skeleton"},
    {"new", cli_new, "make a folder with a scene of your own"},
    {"info", cli_info, "list the contents of a model file"},
    {"pose", cli_pose, "print joint matrices and vertices as JSON"},
    {"cook", cli_cook, "turn a model file into one that loads at once"},
    {"bundle", cli_bundle, "put a scene and all that it reads into one file"},
    {"cache", cli_cache, "list the cache of imported models, or clear it"},
    {"test", cli_test, "run the tests of a scene"},
    {"console", cli_console, "evaluate lines of Lua in a scene"},
    {"stubs", cli_stubs, "print what editors need to complete a scene"},
    {"version", run_version, "print the version"},
    {"help", run_help, "print this, or the help of a command"},
};
enum { COMMAND_COUNT = sizeof commands / sizeof *commands };

static void print_commands(FILE *out) {
  fputs("sinew plays animated characters from Lua scenes.\n\n"
        "usage: sinew COMMAND ...\n"
        "       sinew FILE ...     runs a scene, views a model\n\n",
        out);
  for (int i = 0; i < COMMAND_COUNT; i++) fprintf(out, "  %-9s %s\n", commands[i].name, commands[i].summary);
  fputs("\nsinew help COMMAND explains a command.\n", out);
}

static const command *find_command(const char *name) {
  for (int i = 0; i < COMMAND_COUNT; i++)
    if (!strcmp(commands[i].name, name)) return &commands[i];
  return NULL;
}

/* `sinew FILE`: what has another extension than a scene or a bundle is a model, and a folder has a scene. */
static const command *find_by_file(const char *word) {
  if (!strpbrk(word, "./") || word[0] == '-') return NULL;
  const char *slash = strrchr(word, '/'), *file = slash ? slash + 1 : word, *dot = strrchr(file, '.');
  bool model = dot && dot > file && strcmp(dot, ".lua") != 0 && !cli_is_bundle(file) && strcmp(file, "..") != 0;
  return find_command(model ? "view" : "run");
}

static int unknown_command(const char *name) {
  const char *names[COMMAND_COUNT];
  for (int i = 0; i < COMMAND_COUNT; i++) names[i] = commands[i].name;
  const char *near = sinew_nearest_name(name, names, COMMAND_COUNT);
  fprintf(stderr, "sinew: no command '%s'", name);
  if (near) fprintf(stderr, "; did you mean '%s'?", near);
  fputs(" (sinew help lists the commands)\n", stderr);
  return 2;
}

static bool wants_help(int argc, char **argv) {
  return argc > 1 && (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"));
}

static int run_version(int argc, char **argv) {
  if (wants_help(argc, argv)) return puts("usage: sinew version") < 0;
  if (argc > 1) return cli_misuse("version", "takes no arguments, got '%s'", argv[1]);
  return printf("sinew %s\n", sinew_version()) < 0;
}

static int run_help(int argc, char **argv) {
  if (argc < 2 || wants_help(argc, argv)) return print_commands(stdout), 0;
  if (argc > 2) return cli_misuse("help", "takes one command, got '%s' as well", argv[2]);
  const command *found = find_command(argv[1]);
  if (!found) return unknown_command(argv[1]);
  if (found->run == run_help) return print_commands(stdout), 0;
  char *line[] = {argv[1], (char[]){"--help"}, NULL};
  return found->run(2, line);
}

static int run_command(int argc, char **argv) {
  if (argc < 2) return print_commands(stderr), 2;
  if (wants_help(argc, argv)) return print_commands(stdout), 0;
  if (!strcmp(argv[1], "--version")) return run_version(1, argv);
  const command *found = find_command(argv[1]);
  if (found) return found->run(argc - 1, argv + 1);
  found = find_by_file(argv[1]);
  return found ? found->run(argc, argv) : unknown_command(argv[1]);
}

int main(int argc, char **argv) {
  cli_begin(argc, argv);
  return cli_end(run_command(argc, argv));
}
