/* The reference page: the description table as Markdown. */
#include "core/api.h"

#include <errno.h>
#include <string.h>

/* "actor" and the other owners with members, in the order of the page. Sets of options come after them. */
static const char *const owners[] = {
    "sinew",       "model",        "actor",       "action",   "layer",       "actor_modifier",
    "motor",       "level",        "pose",        "crowd",    "crowd_array", "sinew.camera",
    "sinew.light", "sinew.view",   "sinew.debug", "sinew.ui", "task",        "task_handle",
    "tween",       "tween_handle", "camera",      "input",    "random",      "random_generator",
    "vec",         "machine"};
enum { OWNERS = sizeof owners / sizeof *owners };

/* A link to a heading, whose anchor has no dots. */
static void write_link(FILE *file, const char *name, size_t size) {
  fprintf(file, "[%.*s](#", (int)size, name);
  for (size_t i = 0; i < size; i++)
    if (name[i] != '.') fputc(name[i], file);
  fputc(')', file);
}

/* Escapes characters that have a meaning in tables and emphasis. */
static void write_text(FILE *file, const char *text) {
  for (; *text; text++) {
    if (*text == '|' || *text == '<' || *text == '*') fputc('\\', file);
    fputc(*text, file);
  }
}

static bool has_heading(const char *name, size_t size) {
  for (int i = 0; i < OWNERS; i++)
    if (strlen(owners[i]) == size && memcmp(owners[i], name, size) == 0) return true;
  for (const api_entry *e = api_option_entries; e->owner; e++)
    if (strlen(e->owner) == size && memcmp(e->owner, name, size) == 0) return true;
  return false;
}

static void write_type(FILE *file, const char *name, size_t size) {
  const api_type *type = api_find_type(name, size);
  if (has_heading(name, size)) write_link(file, name, size);
  else if (type) write_text(file, type->what);
  else fprintf(file, "`%.*s`", (int)size, name);
}

/* Types between '|' as words; in results also between ','. */
static void write_types(FILE *file, const char *spec, size_t size) {
  const char *end = spec + size;
  while (spec < end) {
    size_t n = strcspn(spec, "|,");
    if (spec + n > end) n = (size_t)(end - spec);
    write_type(file, spec, n);
    if (spec + n < end) fputs(spec[n] == '|' ? " or " : ", ", file);
    spec += n + 1;
    while (spec < end && *spec == ' ') spec++;
  }
}

static void write_head(FILE *file, const api_entry *e) {
  api_argument argument;
  const char *separator = "";
  fprintf(file, "\n### `%s%s%s(", e->owner, e->kind == API_METHOD ? ":" : ".", e->name);
  for (const char *p = e->spec; (p = api_next_argument(p, &argument)); separator = ", ")
    fprintf(file, "%s%s%s", separator, argument.rest ? "…" : argument.name, argument.optional ? "?" : "");
  fputs(")`\n\n", file);
}

static void write_call(FILE *file, const api_entry *e) {
  api_argument argument;
  write_head(file, e);
  write_text(file, e->doc);
  fputs("\n", file);
  const char *gap = "\n";
  for (const char *p = e->spec; (p = api_next_argument(p, &argument)); gap = "") {
    if (argument.rest) continue;
    fprintf(file, "%s* `%s`: ", gap, argument.name);
    write_types(file, argument.types, argument.types_size);
    fputs(argument.optional ? ", or nothing\n" : "\n", file);
  }
  if (!e->result[0]) return;
  fprintf(file, "%s* returns ", gap);
  write_types(file, e->result, strlen(e->result));
  fputs("\n", file);
}

static void write_row(FILE *file, const api_entry *e) {
  bool fixed = e->kind == API_FIELD && !e->set && strncmp(e->spec, "sinew.", 6) != 0;
  fprintf(file, "| `%s` | ", strcmp(e->name, "...") == 0 ? "[1], [2] …" : e->name);
  write_types(file, e->spec, strlen(e->spec));
  fputs(" | ", file);
  write_text(file, e->doc);
  fputs(fixed ? " Read only. |\n" : " |\n", file);
}

static void write_owner(FILE *file, const char *owner) {
  const char *head = "\n| field | what it is | |\n|---|---|---|\n";
  fprintf(file, "\n## %s\n", owner);
  for (const api_entry *const *table = api_tables; *table; table++) {
    for (const api_entry *e = *table; e->owner; e++) {
      if (e->call || strcmp(e->owner, owner) != 0) continue;
      fputs(head, file);
      head = "";
      write_row(file, e);
    }
  }
  for (const api_entry *const *table = api_tables; *table; table++)
    for (const api_entry *e = *table; e->owner; e++)
      if (e->call && strcmp(e->owner, owner) == 0) write_call(file, e);
}

static bool is_first_of_set(const api_entry *entry) {
  const api_entry *e = api_option_entries;
  while (strcmp(e->owner, entry->owner) != 0) e++;
  return e == entry;
}

bool sinew_scene_reference(FILE *file, sinew_error *error) {
  options_fill();
  fputs("# Reference\n\nThis page lists everything that a scene can use: every function, field and option. The program "
        "generates it from the description with which it checks calls:\n`sinew stubs --reference > docs/reference.md`. "
        "[scripting.md](scripting.md) explains how they work together.\n\n",
        file);
  for (int i = 0; i < OWNERS; i++) {
    write_link(file, owners[i], strlen(owners[i]));
    fputs(" ·\n", file);
  }
  fputs("[sets of options](#sets-of-options)\n", file);
  for (int i = 0; i < OWNERS; i++) write_owner(file, owners[i]);
  fputs("\n# Sets of options\n", file);
  for (const api_entry *e = api_option_entries; e->owner; e++)
    if (is_first_of_set(e)) write_owner(file, e->owner);
  return (fflush(file) == 0 && !ferror(file)) ||
         declarations_fail(error, "the reference cannot be written: %s", strerror(errno));
}
