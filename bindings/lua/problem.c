/* The overlay's text about a script error: where, what, and the lines around it. */
#include "core/scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { AROUND = 2, TRACE_LINES = 8 };

/* Only files that the scene has read are quoted. */
static const char *quotable(const sinew_scene *scene) {
  for (int i = 0; !scene->is_recorded && i < scene->file_count; i++)
    if (strcmp(scene->files[i].path, scene->failure_location) == 0) return scene->files[i].path;
  return NULL;
}

static void append_lines(FILE *file, int wanted, char *out, size_t size) {
  char line[256];
  for (int number = 1; fgets(line, sizeof line, file) && number <= wanted + AROUND; number++) {
    size_t used = strlen(out);
    bool whole = strchr(line, '\n') != NULL;
    line[strcspn(line, "\r\n")] = 0;
    if (number >= wanted - AROUND) {
      snprintf(out + used, size - used, "\n%s%4d  %s", number == wanted ? "> " : "  ", number, line);
    }
    for (int c = 0; !whole && c != EOF && c != '\n';) c = fgetc(file);
  }
}

static const char *next_line(const char *line) {
  const char *end = strchr(line, '\n');
  return end ? end + 1 : line + strlen(line);
}

static bool is_in_lua(const char *line) {
  const char *position = strstr(line, ".lua:");
  return position && position < next_line(line);
}

/* The call stack in the scene's files; a single line would only repeat the place in the message. */
static void append_trace(const char *trace, char *out, size_t size) {
  int count = 0, shown = 0;
  for (const char *line = trace; *line; line = next_line(line)) count += is_in_lua(line);
  for (const char *line = trace; count > 1 && *line && shown < TRACE_LINES; line = next_line(line)) {
    size_t used = strlen(out);
    const char *words = line + strspn(line, "\t");
    if (!is_in_lua(line)) continue;
    snprintf(out + used, size - used, "%s\n  %.*s", shown++ ? "" : "\n", (int)strcspn(words, "\n"), words);
  }
}

static void write_text(const sinew_scene *scene, int times, char *out, size_t size) {
  const char *trace = strstr(scene->failure, "\nstack traceback:");
  int length = trace ? (int)(trace - scene->failure) : (int)strlen(scene->failure);
  snprintf(out, size, "%.*s", length, scene->failure);
  if (times > 1) snprintf(out + strlen(out), size - strlen(out), " (%d times)", times);
  FILE *file = quotable(scene) && scene->failure_line > 0 ? script_open(quotable(scene)) : NULL;
  if (file) {
    size_t used = strlen(out);
    snprintf(out + used, size - used, "\n");
    append_lines(file, scene->failure_line, out, size);
    fclose(file);
  }
  if (trace) append_trace(trace, out, size);
  const char *locals = trace ? strstr(trace, "\nlocals:") : NULL;
  if (locals) snprintf(out + strlen(out), size - strlen(out), "\n%s", locals);
}

static void write_title(const sinew_scene *scene, int slot, const char *what, char *out, size_t size) {
  char position[256];
  snprintf(position, sizeof position, "%.200s:%d", scene->failure_location[0] ? scene->failure_location : scene->path,
           scene->failure_line);
  int others = slot > 0 && slot < SLOT_QUEUE ? scene->suspended[slot - 1] - 1 : 0;
  if (slot == SLOT_QUEUE) {
    snprintf(out, size, "%s: failed after the model was loaded", position);
  } else if (slot == SLOT_REPORT) {
    snprintf(out, size, "%s: an error; the scene continues", position);
  } else if (slot == 0) {
    snprintf(out, size, "%s: not loaded%s", position, scene->loaded_once ? "; the last version keeps running" : "");
  } else if (others > 0) {
    snprintf(out, size, "%s: %s is suspended until the next save (and %d more)", position, what, others);
  } else {
    snprintf(out, size, "%s: %s is suspended until the next save", position, what);
  }
}

static void print_problem(sinew_scene *scene, const char *title) {
  if (sinew_host_output(scene->host) != SINEW_OUTPUT_WINDOW) return; /* the command line prints it at the end */
  declarations_say(&scene->declarations, SINEW_LOG_ERROR, "%s", title);
  declarations_say(&scene->declarations, SINEW_LOG_ERROR, "%s", scene->failure);
}

static void show(sinew_scene *scene, int slot, const char *what, bool again) {
  char title[400], text[SCENE_PROBLEM];
  write_title(scene, slot, what, title, sizeof title);
  write_text(scene, slot == SLOT_REPORT ? scene->reports : 1, text, sizeof text);
  if (!scene->problem[0]) declarations_copy(scene->problem, sizeof scene->problem, scene->failure);
  sinew_host_set_problem(scene->host, slot, title, text);
  if (quotable(scene)) sinew_host_set_problem_location(scene->host, slot, quotable(scene), scene->failure_line);
  if (!again) print_problem(scene, title);
}

void scene_show_problem(sinew_scene *scene, int slot, const char *what) {
  if (scene->struck && slot > 0) sinew_host_note_strike(scene->host, what[0] ? what : "a callback");
  show(scene, slot, what, false);
}

void scene_report(sinew_scene *scene, const char *message) {
  bool again = strcmp(scene->reported, message) == 0;
  scene->reports = again ? scene->reports + 1 : 1;
  declarations_copy(scene->reported, sizeof scene->reported, message);
  declarations_copy(scene->failure, sizeof scene->failure, message);
  scene_locate_failure(scene);
  show(scene, SLOT_REPORT, "", again);
}

void scene_clear_problems(sinew_scene *scene) {
  for (int i = 0; i < SLOTS; i++) sinew_host_set_problem(scene->host, i, NULL, NULL);
  memset(scene->suspended, 0, sizeof scene->suspended);
  scene->reported[0] = 0;
  scene->reports = 0;
  scene->problem[0] = 0;
}
