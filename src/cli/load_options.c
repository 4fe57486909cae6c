#include "cli/cli.h"

#include "base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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
