/* Undo: Ctrl+Z restores the text that a script had before a value was written into it (write_back.c). */
#include "core/scene.h"

#include <stdio.h>
#include <string.h>

static void forget(sinew_scene *scene, int index) {
  script_writes *all = &scene->writes;
  declarations_free(&scene->declarations, all->items[index].before);
  all->count--;
  memmove(all->items + index, all->items + index + 1, (size_t)(all->count - index) * sizeof *all->items);
}

void undo_clear(sinew_scene *scene) {
  while (scene->writes.count > 0) forget(scene, scene->writes.count - 1);
}

void undo_remember(sinew_scene *scene, const char *path, written_text before, uint64_t after) {
  if (scene->writes.count == SCENE_WRITES) forget(scene, 0);
  script_write *one = scene->writes.items + scene->writes.count++;
  *one = (script_write){.before = before.text, .size = before.size, .after = after};
  declarations_copy(one->path, sizeof one->path, path);
}

bool sinew_scene_undo(sinew_scene *scene, char *answer, size_t size) {
  if (scene->writes.count == 0) return snprintf(answer, size, "there is nothing to undo"), false;
  const script_write *last = scene->writes.items + scene->writes.count - 1;
  size_t now_size = 0;
  char *now = script_read(&scene->declarations, last->path, &now_size);
  bool same = now && scene_hash(now, now_size) == last->after;
  declarations_free(&scene->declarations, now);
  bool good = same && script_write_file(last->path, last->before, last->size);
  if (good && last->moves && scene->writes.moved_count > 0) scene->writes.moved_count--;
  const char *what = good   ? "is as it was before"
                     : same ? "cannot be written"
                            : "has changed since, so nothing was undone";
  snprintf(answer, size, "%s %s", script_file_name(last->path), what);
  forget(scene, scene->writes.count - 1);
  return good;
}
