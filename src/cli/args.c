#include "base/clock.h"
#include "base/system.h"
#include "base/text.h"
#include "cli/cli.h"

#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int cli_fail(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  text_show(stderr, "%s: ", cli_program);
  text_show_list(stderr, format, arguments);
  fputc('\n', stderr);
  va_end(arguments);
  return 1;
}

void cli_warn_of_trust(const char *scene) {
  sinew_log(SINEW_LOG_WARNING,
            "%s: runs with --trust: it can read and write your files and start programs; model files "
            "are still imported in a jail",
            scene);
}

int cli_misuse(const char *command, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  text_show(stderr, "%s %s: ", cli_program, command);
  text_show_list(stderr, format, arguments);
  text_show(stderr, " (%s %s --help says more)\n", cli_program, command);
  va_end(arguments);
  return 2;
}

/* The number of columns of a UTF-8 text: of bytes that begin a character. */
static int width(const char *text) {
  int count = 0;
  for (; *text; text++) count += ((unsigned char)*text & 0xC0) != 0x80;
  return count;
}

static int print_usage(const cli_usage *usage) {
  bool has_arguments = usage->arguments && usage->arguments[0];
  text_show(stdout, "usage: %s %s%s%s%s\n\n%s\n", cli_program, usage->command, has_arguments ? " " : "",
            has_arguments ? usage->arguments : "", usage->option_count ? " [options]" : "", usage->summary);
  if (usage->option_count) putchar('\n');
  for (int i = 0; i < usage->option_count; i++) {
    /* in "N  stop after N frames", the part before two spaces belongs to the option */
    const char *help = usage->options[i].help;
    const char *gap = strstr(help, "  ");
    char left[64];
    if (gap) snprintf(left, sizeof left, "%s %.*s", usage->options[i].name, (int)(gap - help), help);
    else snprintf(left, sizeof left, "%s", usage->options[i].name);
    const char *right = gap ? gap + strspn(gap, " ") : help;
    text_show(stdout, "  %s%*s %s\n", left, width(left) < 20 ? 20 - width(left) : 0, "", right);
  }
  return 0;
}

/* Reads complete numbers: nothing may follow, and the value must be finite and in range. */
static bool read_int(const char *text, int *value) {
  char *end = NULL;
  long long number = strtoll(text, &end, 10); /* of a number that is too large for it, the nearest */
  if (end == text || *end || number < INT_MIN || number > INT_MAX) return false;
  *value = (int)number;
  return true;
}

static bool read_number(const char *text, double *value) {
  char *end = NULL;
  double number = text_number(text, &end);
  if (end == text || *end || !isfinite(number)) return false;
  *value = number;
  return true;
}

static bool read_size(const char *text, int size[2]) {
  enum { LARGEST = 16384 };
  char *end = NULL;
  if (!isdigit((unsigned char)text[0])) return false;
  long width = strtol(text, &end, 10);
  if (*end != 'x' || !isdigit((unsigned char)end[1])) return false;
  long height = strtol(end + 1, &end, 10);
  if (*end || width < 1 || height < 1 || width > LARGEST || height > LARGEST) return false;
  size[0] = (int)width;
  size[1] = (int)height;
  return true;
}

static bool add_to(cli_list *list, const char *text) {
  if (list->count == CLI_LIST_LIMIT) return false;
  list->items[list->count++] = text;
  return true;
}

static bool read_value(const cli_option *option, const char *text, const char **wanted) {
  switch (option->kind) {
  case CLI_INT: return *wanted = "a whole number", read_int(text, option->target);
  case CLI_NUMBER: return *wanted = "a number", read_number(text, option->target);
  case CLI_SIZE: return *wanted = "a size such as 1280x720 (at most 16384x16384)", read_size(text, option->target);
  case CLI_TEXT: *(const char **)option->target = text; return true;
  case CLI_LIST: return *wanted = "64 of them at most", add_to(option->target, text);
  case CLI_FLAG: break;
  }
  return *wanted = "no value", false;
}

static const cli_option *find_option(const cli_usage *usage, const char *text, size_t length) {
  for (int i = 0; i < usage->option_count; i++) {
    const cli_option *option = &usage->options[i];
    if (strlen(option->name) == length && !strncmp(option->name, text, length)) return option;
  }
  return NULL;
}

static int unknown_option(const cli_usage *usage, const char *text) {
  enum { MOST = 32 };
  const char *names[MOST];
  int count = usage->option_count < MOST ? usage->option_count : MOST;
  for (int i = 0; i < count; i++) names[i] = usage->options[i].name;
  const char *near = sinew_nearest_name(text, names, count);
  if (near) return cli_misuse(usage->command, "no option '%s'; did you mean '%s'?", text, near);
  return cli_misuse(usage->command, "no option '%s'", text);
}

/* Reads the option at argv[*at] and moves *at to its last word. Returns -1, or the exit status of a mistake. */
static int parse_option(const cli_usage *usage, int argc, char **argv, int *at) {
  char *text = argv[*at];
  const char *equals = strchr(text, '=');
  size_t length = equals ? (size_t)(equals - text) : strlen(text);
  const cli_option *option = find_option(usage, text, length);
  if (!option) return unknown_option(usage, text);
  if (option->kind == CLI_FLAG) {
    if (equals) return cli_misuse(usage->command, "%s takes no value", option->name);
    *(bool *)option->target = true;
    return -1;
  }
  if (!equals && *at + 1 >= argc) return cli_misuse(usage->command, "%s needs a value", option->name);
  const char *value = equals ? equals + 1 : argv[++*at];
  const char *wanted = "";
  if (!read_value(option, value, &wanted))
    return cli_misuse(usage->command, "%s wants %s, got '%s'", option->name, wanted, value);
  return -1;
}

static int check_count(const cli_usage *usage, int count) {
  if (count >= usage->min_positional) return -1;
  return cli_misuse(usage->command, "%s is missing", usage->arguments ? usage->arguments : "an argument");
}

int cli_parse(const cli_usage *usage, int argc, char **argv, const char **positional, int *positional_count) {
  bool options_end = false;
  int count = 0;
  for (int i = 1; i < argc; i++) {
    char *text = argv[i];
    bool is_option = !options_end && text[0] == '-' && text[1];
    if (is_option && !strcmp(text, "--")) {
      options_end = true;
    } else if (is_option && (!strcmp(text, "--help") || !strcmp(text, "-h"))) {
      return print_usage(usage);
    } else if (is_option) {
      int status = parse_option(usage, argc, argv, &i);
      if (status >= 0) return status;
    } else if (count >= usage->max_positional) {
      return cli_misuse(usage->command, "one argument too many: '%s'", text);
    } else {
      positional[count++] = text;
    }
  }
  if (positional_count) *positional_count = count;
  return check_count(usage, count);
}

sinew_output cli_output(bool headless) { return headless ? SINEW_OUTPUT_OFFSCREEN : SINEW_OUTPUT_WINDOW; }

void cli_begin(int argc, char **argv) { system_start_program(argc, argv); }

int cli_end(int status) {
  bool lost = ferror(stdout) || fflush(stdout) != 0;
  return lost && status == 0 ? cli_fail("not all of the output could be written") : status;
}

/* ---- lines on the terminal ---- */

typedef struct meter {
  double begun, shown;
} meter;

static void print(meter *m, int64_t done, int64_t total, double now) {
  double each = (now - m->begun) / (double)done;
  m->shown = now;
  if (total > 0)
    text_print(stderr, "\rframe %lld of %lld, %.0f s left   ", (long long)done, (long long)total,
               each * (double)(total - done));
  else fprintf(stderr, "\rframe %lld   ", (long long)done);
  if (done == total) fputc('\n', stderr);
}

static void on_progress(void *user, int64_t done, int64_t total) {
  meter *m = user;
  double now = clock_seconds();
  if (m->begun == 0) m->begun = now;
  if (now - m->shown >= 0.2 || done == total) print(m, done, total, now);
}

void cli_show_progress(sinew_host_def *def) {
  static meter one;
  if (!def->capture || !isatty(STDERR_FILENO)) return;
  def->progress = on_progress;
  def->progress_user = &one;
}

void cli_tell_end(const sinew_host *host, const char *what, double seconds) {
  if (sinew_host_output(host) == SINEW_OUTPUT_WINDOW || !isatty(STDOUT_FILENO)) return;
  text_show(stdout, "%s: %lld frames, %.1f s of the scene, in %.1f s\n", what, (long long)sinew_host_frame(host),
            sinew_host_time(host), seconds);
}

/* ---- load options ---- */

/* Words of argv may be modified in place. */
static char *word_of(const cli_list *list, int index) { return (char *)(uintptr_t)list->items[index]; }

static int read_map(const char *command, cli_load *load) {
  for (int i = 0; i < load->map.count; i++) {
    char *text = word_of(&load->map, i), *equals = strchr(text, '=');
    if (!equals || equals == text) return cli_misuse(command, "--map wants THEIRS=OURS, got '%s'", text);
    *equals = '\0';
    load->pairs[i] = (sinew_joint_pair){text, equals + 1};
  }
  return -1;
}

static int read_roles(const char *command, cli_load *load) {
  for (int i = 0; i < load->roles.count; i++) {
    char *text = word_of(&load->roles, i), *equals = strchr(text, '=');
    if (!equals || equals == text || !equals[1]) return cli_misuse(command, "--role wants ROLE=JOINT, got '%s'", text);
    *equals = '\0';
    load->joints[i] = (sinew_joint_role){text, equals + 1};
  }
  return -1;
}

/* "0.2..1.5", "0.2.." or "..1.5" */
static bool read_range(const char *text, sinew_clip_edit *edit) {
  const char *dots = strstr(text, "..");
  char *end;
  if (!dots) return false;
  if (dots != text) {
    edit->from = text_number(text, &end);
    if (end != dots && end != dots + 1) return false; /* strtod accepts the first dot of "1..2" */
  }
  if (!dots[2]) return true;
  edit->to = text_number(dots + 2, &end);
  return *end == '\0';
}

static bool read_change(const char *word, sinew_clip_edit *edit) {
  if (strcmp(word, "reverse") == 0) return edit->reverse = true;
  if (strcmp(word, "loop") == 0) return edit->loop = true;
  if (strcmp(word, "mirror") == 0) return edit->mirror = true;
  return read_range(word, edit);
}

static int read_edits(const char *command, cli_load *load) {
  for (int i = 0; i < load->edits.count; i++) {
    sinew_clip_edit *edit = load->changes + i;
    char *clip = word_of(&load->edits, i), *next = strchr(clip, ','), *equals;
    *edit = sinew_clip_edit_default();
    edit->clip = clip;
    while (next) {
      char *word = next + 1;
      *next = '\0';
      next = strchr(word, ',');
      if (next) *next = '\0';
      if (!read_change(word, edit))
        return cli_misuse(command, "--edit wants FROM..TO, reverse, loop or mirror after a clip, got '%s'", word);
    }
    equals = strchr(clip, '=');
    if (equals) *equals = '\0', edit->name = equals + 1;
  }
  return -1;
}

static int read_retarget(const char *command, const char *word, sinew_retarget_mode *mode) {
  static const char *const words[] = {"auto", "copy", "fit", "raw"};
  for (size_t i = 0; word && i < sizeof words / sizeof *words; i++)
    if (strcmp(word, words[i]) == 0) return *mode = (sinew_retarget_mode)i, -1;
  return word ? cli_misuse(command, "--retarget wants auto, copy, fit or raw, got '%s'", word) : -1;
}

int cli_load_options(const char *command, cli_load *load, sinew_load_options *options) {
  int status = read_map(command, load);
  if (status < 0) status = read_roles(command, load);
  if (status < 0) status = read_edits(command, load);
  if (status < 0) status = read_retarget(command, load->retarget, &options->retarget);
  options->clip_files = load->clips.items;
  options->clip_file_count = load->clips.count;
  options->map = load->pairs;
  options->map_count = load->map.count;
  options->roles = load->joints;
  options->role_count = load->roles.count;
  options->edits = load->changes;
  options->edit_count = load->edits.count;
  options->unit = load->unit;
  options->up = load->up;
  options->front = load->front;
  return status;
}
