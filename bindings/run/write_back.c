/* Numbers that were changed while the scene runs go into its scripts, where they are said. */
#include "core/scene.h"
#include "lua/rewrite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- files ---- */

static char *read_file(declarations *all, const char *path, size_t *size) {
  FILE *file = fopen(path, "rb");
  long end = file && fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
  bool fits = end >= 0 && end < SCENE_FILE_LIMIT && fseek(file, 0, SEEK_SET) == 0;
  char *text = fits ? declarations_allocate(all, (size_t)end + 1) : NULL;
  if (text) *size = fread(text, 1, (size_t)end, file);
  bool whole = text && *size == (size_t)end;
  if (file) fclose(file);
  if (whole) return text;
  declarations_free(all, text);
  return NULL;
}

static bool write_file(const char *path, const char *text, size_t size) {
  FILE *file = fopen(path, "wb");
  bool good = file && fwrite(text, 1, size, file) == size;
  return file && fclose(file) == 0 && good;
}

static const char *file_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

/* ---- what can be taken back ---- */

static void forget(sinew_scene *scene, int index) {
  script_writes *all = &scene->writes;
  declarations_free(&scene->declarations, all->items[index].before);
  all->count--;
  memmove(all->items + index, all->items + index + 1, (size_t)(all->count - index) * sizeof *all->items);
}

void writes_clear(sinew_scene *scene) {
  while (scene->writes.count > 0) forget(scene, scene->writes.count - 1);
}

/* Takes the text over. */
static void remember(sinew_scene *scene, const char *path, char *before, size_t size, uint64_t after) {
  if (scene->writes.count == SCENE_WRITES) forget(scene, 0);
  script_write *one = scene->writes.items + scene->writes.count++;
  *one = (script_write){.before = before, .size = size, .after = after};
  declarations_copy(one->path, sizeof one->path, path);
}

bool sinew_scene_unwrite(sinew_scene *scene, char *answer, size_t size) {
  if (scene->writes.count == 0) return snprintf(answer, size, "nothing was written that could be taken back"), false;
  const script_write *last = scene->writes.items + scene->writes.count - 1;
  size_t now_size = 0;
  char *now = read_file(&scene->declarations, last->path, &now_size);
  bool same = now && scene_hash(now, now_size) == last->after;
  declarations_free(&scene->declarations, now);
  bool good = same && write_file(last->path, last->before, last->size);
  const char *what = good   ? "is as it was before"
                     : same ? "cannot be written"
                            : "has changed since: nothing was taken back";
  snprintf(answer, size, "%s %s", file_name(last->path), what);
  forget(scene, scene->writes.count - 1);
  return good;
}

/* ---- writing ---- */

/* "scene.lua:12" of what says the field, and what is called there. */
static const char *find_line(const sinew_scene *scene, const sinew_edit *edit, const char **callee) {
  const char *name = sinew_actor_name(scene->declarations.stage, edit->actor);
  const actor_record *record = name ? declarations_find_actor(&scene->declarations, name) : NULL;
  *callee = edit->action.id ? "play" : "actor";
  if (!record) return NULL;
  return edit->action.id ? declarations_action_line(&scene->declarations, record, edit->action) : record->head.line;
}

typedef struct place {
  char path[SCENE_PATH];
  int line;
} place;

static bool find_place(const sinew_scene *scene, const char *line, place *out) {
  char name[SCENE_PATH];
  const char *colon = line ? strrchr(line, ':') : NULL;
  if (!colon || (size_t)(colon - line) >= sizeof name) return false;
  memcpy(name, line, (size_t)(colon - line));
  name[colon - line] = 0;
  out->line = atoi(colon + 1);
  return out->line > 0 && sinew_scene_locate(scene, name, out->path, sizeof out->path);
}

static bool is_as_loaded(const sinew_scene *scene, const char *path, const char *text, size_t size) {
  for (int i = 0; i < scene->file_count; i++)
    if (strcmp(scene->files[i].path, path) == 0) return scene->files[i].hash == scene_hash(text, size);
  return false;
}

/* A first line for the shell is none of Lua's. */
static size_t shell_line(const char *text, size_t size) {
  size_t length = 0;
  while (size > 0 && text[0] == '#' && length < size && text[length] != '\n') length++;
  return length;
}

/* The text with a number in place of what stands there; NULL when memory runs out. */
static char *with_number(declarations *all, const char *text, size_t size, size_t begin, size_t length,
                         const char *number, size_t *whole) {
  size_t wide = strlen(number), rest = size - begin - length;
  char *out = declarations_allocate(all, begin + wide + rest + 1);
  *whole = begin + wide + rest;
  if (!out) return NULL;
  memcpy(out, text, begin);
  memcpy(out + begin, number, wide);
  memcpy(out + begin + wide, text + begin + length, rest);
  return out;
}

typedef struct answer_text {
  char *out;
  size_t size;
} answer_text;

/* Keeps the text where it is written, so that it can be taken back. */
static bool replace_number(sinew_scene *scene, const place *at, char **text, rewrite_job job, double value,
                           answer_text answer) {
  size_t begin, length, whole = 0, size = job.size, skipped = shell_line(*text, size);
  char number[REWRITE_NUMBER], reason[256];
  job.text = *text + skipped, job.size = size - skipped;
  if (!rewrite_find(&job, &begin, &length, reason, sizeof reason))
    return snprintf(answer.out, answer.size, "%s:%d: %s", file_name(at->path), at->line, reason), false;
  begin += skipped;
  rewrite_number(value, number);
  char *after = with_number(&scene->declarations, *text, size, begin, length, number, &whole);
  bool good = after && write_file(at->path, after, whole);
  if (good) {
    snprintf(answer.out, answer.size, "%s:%d: %s %.*s → %s", file_name(at->path), at->line, job.path, (int)length,
             *text + begin, number);
    remember(scene, at->path, *text, size, scene_hash(after, whole));
    *text = NULL;
  } else {
    snprintf(answer.out, answer.size, "%s cannot be written", file_name(at->path));
  }
  declarations_free(&scene->declarations, after);
  return good;
}

bool sinew_scene_write(sinew_scene *scene, const sinew_edit *edit, char *answer, size_t size) {
  place at;
  const char *callee;
  size_t text_size = 0;
  if (scene->is_guest || sinew_host_is_replay(scene->host))
    return snprintf(answer, size, "a replay, and a program's own scene, write no scripts"), false;
  if (!find_place(scene, find_line(scene, edit, &callee), &at))
    return snprintf(answer, size, "no line of the scene says '%s'", edit->field), false;
  char *text = read_file(&scene->declarations, at.path, &text_size);
  if (!text || !is_as_loaded(scene, at.path, text, text_size)) {
    declarations_free(&scene->declarations, text);
    return snprintf(answer, size, "%s has changed since it was loaded", file_name(at.path)), false;
  }
  rewrite_job job = {.size = text_size,
                     .line = at.line,
                     .callee = callee,
                     .path = edit->field,
                     .allocator = &scene->declarations.allocator};
  void *locale = sinew_enter_c_locale();
  bool good = replace_number(scene, &at, &text, job, edit->value, (answer_text){answer, size});
  sinew_leave_c_locale(locale);
  declarations_free(&scene->declarations, text);
  return good;
}
