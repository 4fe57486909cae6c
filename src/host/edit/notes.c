#include "host/edit/notes.h"

#include "base/memory/memory.h"

#include <stdio.h>
#include <string.h>

static change *find(change_list *list, const char *target) {
  for (int i = 0; i < list->count; i++)
    if (strcmp(list->changes[i].target, target) == 0) return list->changes + i;
  change *made = array_grow((void **)&list->changes, &list->count, &list->capacity, sizeof *made);
  if (made) *made = (change){.target = mem_copy_string(target)};
  if (made && made->target) return made;
  if (made) list->count--;
  return NULL;
}

void changes_note_line(change_list *list, const char *target, const char *line) {
  char *copy = mem_copy_string(line);
  change *c = copy ? find(list, target) : NULL;
  if (!c) {
    mem_free(copy);
    return;
  }
  mem_free(c->line);
  c->line = copy;
}

void changes_note(change_list *list, const char *target, const char *value) {
  char line[4096];
  int length = snprintf(line, sizeof line, "%s = %s", target, value);
  if (length > 0 && (size_t)length < sizeof line) changes_note_line(list, target, line);
}

/* ---- for the script ---- */

static void release_edit(sinew_edit *edit) {
  mem_free((char *)(size_t)edit->field);
  mem_free((char *)(size_t)edit->text);
}

void change_remove_edit(change *c, int index) {
  release_edit(c->edits + index);
  c->edit_count--;
  memmove(c->edits + index, c->edits + index + 1, (size_t)(c->edit_count - index) * sizeof *c->edits);
}

static void add_edit(change *c, const sinew_edit *edit) {
  sinew_edit mine = *edit;
  for (int i = c->edit_count - 1; i >= 0; i--)
    if (strcmp(c->edits[i].field, edit->field) == 0) change_remove_edit(c, i);
  mine.field = mem_copy_string(edit->field);
  mine.text = edit->text ? mem_copy_string(edit->text) : NULL;
  bool good = c->edit_count < CHANGE_EDITS && mine.field && (mine.text || !edit->text);
  if (good) c->edits[c->edit_count++] = mine;
  else release_edit(&mine);
}

void changes_note_edit(change_list *list, const char *target, const sinew_edit *edit) {
  for (int i = 0; i < list->count; i++)
    if (strcmp(list->changes[i].target, target) == 0) add_edit(list->changes + i, edit);
}

/* ---- taking out ---- */

static void release(change *c) {
  while (c->edit_count > 0) change_remove_edit(c, c->edit_count - 1);
  mem_free(c->target);
  mem_free(c->line);
}

void changes_remove(change_list *list, int index) {
  release(list->changes + index);
  list->count--;
  memmove(list->changes + index, list->changes + index + 1, (size_t)(list->count - index) * sizeof *list->changes);
}

void changes_take_back(change_list *list, const char *target) {
  for (int i = list->count - 1; i >= 0; i--)
    if (strcmp(list->changes[i].target, target) == 0) changes_remove(list, i);
}

char *changes_as_lua(const change_list *list) {
  size_t size = 1, used = 0;
  for (int i = 0; i < list->count; i++) size += strlen(list->changes[i].line) + 1;
  char *text = mem_alloc(size);
  for (int i = 0; text && i < list->count; i++)
    used += (size_t)snprintf(text + used, size - used, "%s\n", list->changes[i].line);
  if (text) text[used] = '\0';
  return text;
}

void changes_clear(change_list *list) {
  for (int i = 0; i < list->count; i++) release(list->changes + i);
  mem_free(list->changes);
  *list = (change_list){0};
}
