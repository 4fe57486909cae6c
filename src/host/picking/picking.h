/* picking – the actor and the joint under the mouse, and the one that was chosen. */
#ifndef SINEW_HOST_PICKING_H
#define SINEW_HOST_PICKING_H

#include <sinew/host.h>

typedef struct ray {
  sinew_vec3 origin, direction; /* the direction need not be of unit length */
} ray;

typedef struct selection {
  sinew_actor actor; /* {0}: nothing is chosen */
  int joint;
  bool shows_joints; /* the panel of joints */
  char filter[64];
  float pressed[2]; /* where the left button went down while the scene was paused, pixels; NAN: elsewhere */
  int64_t explained_in;
  int explained_joint; /* of what `text` says; −1: nothing yet */
  char text[4096];
} selection;

/* Through a pixel of the picture, in the world. */
ray ray_through(const sinew_camera *camera, float x, float y, float width, float height);
/* Where it meets a triangle, in lengths of its direction; INFINITY where it does not. `inside` receives how near to
 * each corner: they sum to 1. */
float ray_triangle(const ray *r, const float *a, const float *b, const float *c, float inside[3]);

/* The nearest visible actor whose surface lies under the pixel, and the joint that moves it most there. False: none. */
bool pick_at(sinew_host *host, float x, float y, sinew_actor *actor, int *joint);

/* A button of the mouse, over no panel. True where the press was for picking: the application does not get it. */
bool picking_button(sinew_host *host, int button, bool down);
/* The chosen joint and the box of its actor, as lines. */
void selection_draw(sinew_host *host);

#endif
