/* gizmo – the handles in the picture: targets of the picked actor's modifiers, and the offset of its attachment. */
#ifndef SINEW_HOST_GIZMO_H
#define SINEW_HOST_GIZMO_H

#include <sinew/host.h>

/* An axis moves along itself, the centre in the plane of the picture; a ring turns about its axis. */
typedef enum gizmo_handle {
  GIZMO_X,
  GIZMO_Y,
  GIZMO_Z,
  GIZMO_CENTRE,
  GIZMO_RING_X,
  GIZMO_RING_Y,
  GIZMO_RING_Z,
  GIZMO_HANDLES,
  GIZMO_NONE = -1
} gizmo_handle;

enum { GIZMO_ATTACHMENT = -1 };

/* A set of handles: those of a modifier's target, along the axes of the world, or of the attachment, along the joint's.
 */
typedef struct gizmo {
  int modifier; /* or GIZMO_ATTACHMENT */
  sinew_vec3 at, axes[3];
  float length; /* of an axis, metres; its length in the picture is the same at any distance */
} gizmo;

typedef struct gizmo_drag {
  bool is_on;
  gizmo_handle handle;
  gizmo began;
  float from[2];          /* pixels */
  sinew_transform offset; /* of the attachment, at the start */
} gizmo_drag;

enum { GIZMO_MOST = 32 };
/* Finds the handles of the picked actor, and returns their number. */
int gizmos_find(const sinew_host *host, gizmo out[GIZMO_MOST]);
/* The pixel at which a handle appears; false behind the camera. */
bool gizmo_pixel(const sinew_host *host, const gizmo *g, gizmo_handle handle, float out[2]);
/* Handles a press of the button; true if it begins a drag at a handle. */
bool gizmo_press(sinew_host *host, float x, float y);
/* Called in each frame before the evaluation, and when the button is released. */
void gizmo_move(sinew_host *host);
void gizmos_draw(sinew_host *host);

#endif
