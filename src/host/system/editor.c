#include "host/system/editor.h"

#include "host/system/child.h"

#include "base/error.h"
#include "base/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The ways in which editors take a line number. Editors that are not listed get "+N FILE", as vi does. */
typedef enum editor_style { PLUS_LINE, GOTO_COLON, FILE_COLON, LINE_OPTION } editor_style;

static const struct {
  const char *name;
  editor_style style;
} styles[] = {{"code", GOTO_COLON},     {"code-insiders", GOTO_COLON}, {"codium", GOTO_COLON}, {"cursor", GOTO_COLON},
              {"windsurf", GOTO_COLON}, {"subl", FILE_COLON},          {"zed", FILE_COLON},    {"hx", FILE_COLON},
              {"helix", FILE_COLON},    {"kate", LINE_OPTION},         {"idea", LINE_OPTION},  {"clion", LINE_OPTION}};

static const char *const in_terminals[] = {"vi", "vim",   "nvim", "nano", "micro",
                                           "hx", "helix", "kak",  "joe",  "emacs-nox"};

static editor_style style_of(const char *name) {
  for (size_t i = 0; i < sizeof styles / sizeof *styles; i++)
    if (strcmp(styles[i].name, name) == 0) return styles[i].style;
  return PLUS_LINE;
}

static bool needs_terminal(const char *name) {
  for (size_t i = 0; i < sizeof in_terminals / sizeof *in_terminals; i++)
    if (strcmp(in_terminals[i], name) == 0) return true;
  return false;
}

/* ---- words ---- */

typedef struct writer {
  editor_command *command;
  int count;
  size_t used;
  bool is_full;
} writer;

static void add(writer *w, const char *text, size_t size) {
  if (w->count + 1 >= EDITOR_WORDS || w->used + size + 1 > EDITOR_ROOM) {
    w->is_full = true;
    return;
  }
  char *word = w->command->room + w->used;
  memcpy(word, text, size);
  word[size] = '\0';
  w->used += size + 1;
  w->command->words[w->count++] = word;
}

static void add_words(writer *w, const char *text) {
  for (text += strspn(text, " \t"); *text; text += strspn(text, " \t")) {
    size_t size = strcspn(text, " \t");
    add(w, text, size);
    text += size;
  }
}

static void add_position(writer *w, editor_style style, const char *path, int line) {
  char number[16], position[EDITOR_ROOM + 16];
  snprintf(number, sizeof number, style == PLUS_LINE ? "+%d" : "%d", line);
  snprintf(position, sizeof position, "%s:%d", path, line);
  if (style == GOTO_COLON) add(w, "-g", 2);
  if (style == LINE_OPTION) add(w, "--line", 6);
  if (style == PLUS_LINE || style == LINE_OPTION) add(w, number, strlen(number));
  if (style == PLUS_LINE || style == LINE_OPTION) add(w, path, strlen(path));
  else add(w, position, strlen(position));
}

bool editor_make_command(const char *editor, const char *terminal, const char *path, int line,
                         editor_command *command) {
  char name[64], whole[EDITOR_ROOM];
  writer w = {.command = command};
  memset(command, 0, sizeof *command);
  editor += strspn(editor, " \t");
  if (!*editor || strlen(path) + 16 > EDITOR_ROOM / 2) return false;
  snprintf(whole, sizeof whole, "%.*s", (int)strcspn(editor, " \t"), editor);
  snprintf(name, sizeof name, "%.63s", path_file(whole));
  if (needs_terminal(name)) {
    add_words(&w, terminal ? terminal : "x-terminal-emulator");
    add(&w, "-e", 2);
  }
  add_words(&w, editor);
  snprintf(whole, sizeof whole, "%s%s", path[0] == '-' || path[0] == '+' ? "./" : "", path); /* a file, no option */
  add_position(&w, style_of(name), whole, line);
  return !w.is_full;
}

bool editor_open(const char *path, int line, sinew_error *error) {
  editor_command command;
  const char *editor = getenv("VISUAL");
  if (!editor || !*editor) editor = getenv("EDITOR");
  if (!editor || !*editor) return error_set(error, "no editor is known: set VISUAL to yours, as in VISUAL=code");
  if (!editor_make_command(editor, getenv("TERMINAL"), path, line, &command))
    return error_set(error, "the editor '%s' cannot be told to open %s", editor, path);
  if (!child_exists(command.words[0]))
    return error_set(error, "there is no program '%s' (VISUAL is '%s')", command.words[0], editor);
  return child_start(command.words, error);
}
