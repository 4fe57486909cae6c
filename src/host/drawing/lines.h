/* lines – the lines of one frame. */
#ifndef SINEW_HOST_LINES_H
#define SINEW_HOST_LINES_H

#include <sinew/actor.h>
#include <sinew/render.h>

typedef struct line_list {
  sinew_line *lines;
  int count, capacity; /* the memory is kept for the next frame */
} line_list;

void line_list_release(line_list *list);
void line_list_clear(line_list *list);
/* Leaves out a line with an end that is not finite, or for which there is no room. */
void line_list_add(line_list *list, const sinew_line *line);

#endif
