/* debug_views – drawings over characters that help to find mistakes: joint axes and names, contacts with the ground,
 * the path of the root. */
#ifndef SINEW_HOST_DEBUG_VIEWS_H
#define SINEW_HOST_DEBUG_VIEWS_H

#include <sinew/host.h>

enum { TRAIL_POINTS = 240 };

/* The last positions of an actor, for its root path and for the velocities of its joints. */
typedef struct trail {
  uint64_t actor;
  int64_t placed_in;     /* the frame of `skeletons` */
  sinew_vec3 *positions; /* of its joints, in the world */
  int position_count, position_capacity;
  int64_t seen_in;                 /* the frame of the last point */
  sinew_vec3 points[TRAIL_POINTS]; /* a ring */
  int count, next;
} trail;

typedef struct trail_list {
  trail *trails;
  int count, capacity;
} trail_list;

/* Draws the lines and texts of one actor that the host's view options ask for. */
void debug_views_draw(sinew_host *host, sinew_actor actor);
/* Draws metres along the axes of the ground. */
void debug_views_draw_scale(sinew_host *host);
/* Draws what the colours of surfaces mean: velocities or weights. */
void debug_views_draw_legend(sinew_host *host);
void trail_list_release(trail_list *list);

#endif
