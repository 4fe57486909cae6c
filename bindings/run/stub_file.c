/* The stubs beside a scene follow it: its clips, joints, layers, states and so on. */
#include "core/scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char head[] = "---@meta sinew\n";

static char *print_stubs(sinew_scene *scene, size_t *size) {
  sinew_error error;
  FILE *file = tmpfile();
  long end = file && sinew_scene_stubs(scene, file, &error) ? ftell(file) : -1;
  char *text = end > 0 ? declarations_allocate(&scene->declarations, (size_t)end) : NULL;
  if (text) rewind(file);
  *size = text ? fread(text, 1, (size_t)end, file) : 0;
  if (file) fclose(file);
  return text;
}

void stubs_refresh(sinew_scene *scene) {
  size_t size, there_size = 0;
  if (!scene->stubs_due) return;
  scene->stubs_due = false;
  if (!scene->def.stubs || scene->is_recorded || scene->is_guest) return;
  char *there = script_read(&scene->declarations, scene->def.stubs, &there_size);
  bool own = there && there_size >= sizeof head - 1 && memcmp(there, head, sizeof head - 1) == 0;
  char *text = own ? print_stubs(scene, &size) : NULL;
  bool same = text && size == there_size && memcmp(text, there, size) == 0;
  if (text && !same) script_write_file(scene->def.stubs, text, size);
  declarations_free(&scene->declarations, text);
  declarations_free(&scene->declarations, there);
}
