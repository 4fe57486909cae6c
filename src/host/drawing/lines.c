#include "host/drawing/lines.h"

#include "base/memory/memory.h"

#include <math.h>

void line_list_release(line_list *list) {
  mem_free(list->lines);
  *list = (line_list){0};
}

void line_list_clear(line_list *list) { list->count = 0; }

static bool is_drawable(sinew_vec3 p) { return isfinite(p.x) && isfinite(p.y) && isfinite(p.z); }

void line_list_add(line_list *list, const sinew_line *line) {
  if (list->count == SINEW_MAX_LINES || !is_drawable(line->a) || !is_drawable(line->b)) return;
  sinew_line *added = array_grow((void **)&list->lines, &list->count, &list->capacity, sizeof *added);
  if (added) *added = *line;
}
