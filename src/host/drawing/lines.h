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

/* An actor's joints as lines: a bone is a slim octahedron from a joint to its child, or a line where it is as short as
 * a finger's; a root below the hips is three axes. */

/* Finds the joints of the skeleton: those that skins of more than one joint are bound to, and the joints between them;
 * in a file without such a skin, all but the virtual root. `marks` has joint_count values: 0 for no, 1 for a joint at
 * the end of a chain, 2 for one within. */
void skeleton_mark(const sinew_model *model, uint8_t *marks);

/* Adds the bones of `joints` (model space, joint_count of them) seen in the world through `transform`. `marks` as from
 * skeleton_mark. */
void skeleton_lines_add(line_list *list, const sinew_model *model, const uint8_t *marks,
                        const sinew_transform *transform, const sinew_mat3x4 *joints);

#endif
