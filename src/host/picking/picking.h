/* picking – finds the actor and the joint under the mouse, and keeps the selected ones. */
#ifndef SINEW_HOST_PICKING_H
#define SINEW_HOST_PICKING_H

#include <sinew/host.h>

/* ---- the handles in the picture ---- */

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

typedef struct ray {
  sinew_vec3 origin, direction; /* the direction need not be of unit length */
} ray;

/* A mask as it was before a stroke of the brush. */
typedef struct mask_stroke {
  sinew_actor actor;
  int layer;
  float *weights; /* of all joints */
  int count;
} mask_stroke;

typedef struct mask_strokes {
  mask_stroke items[32];
  int count;
} mask_strokes;

typedef struct selection {
  sinew_actor actor; /* {0}: nothing is chosen */
  int joint;
  bool shows_joints; /* the panel of joints */
  int painted;       /* the layer whose mask is painted by dragging on the character; 0: none */
  bool paints;       /* the button is down on it */
  bool paints_below; /* the joints below as well */
  float brush;       /* 0..1 */
  mask_strokes strokes;
  bool told_length; /* it has been reported that a mask is too long for a line of Lua */
  gizmo_drag drag;
  char filter[64];
  float pressed[2]; /* where the left button went down while the scene was paused, pixels; NAN: elsewhere */
  int64_t explained_in;
  int explained_joint; /* the joint that `text` explains; −1: nothing yet */
  char text[4096];
} selection;

/* The ray through a pixel of the picture, in the world. */
ray ray_through(const sinew_camera *camera, float x, float y, float width, float height);
/* The distance at which the ray meets a triangle, in lengths of its direction; INFINITY if it does not. `inside`
 * receives the barycentric coordinates. */
float ray_triangle(const ray *r, const float *a, const float *b, const float *c, float inside[3]);

/* Finds the nearest visible actor whose surface is under the pixel, and the joint that moves it most there. False if
 * there is none. */
bool pick_at(sinew_host *host, float x, float y, sinew_actor *actor, int *joint);

/* The pixel at which a point of the world appears; false behind the camera. */
bool ray_pixel(const sinew_camera *camera, sinew_vec3 p, float width, float height, float out[2]);

/* Selects an actor and a joint as the user does; a joint of −1: none. */
void selection_change(sinew_host *host, sinew_actor actor, int joint);

/* Handles a mouse button outside panels. True if the press was for picking: the application does not get it. */
bool picking_button(sinew_host *host, int button, bool down);
/* Handles the release of the button that drags something in the picture, wherever the mouse is; false if it drags
 * nothing. */
bool picking_release(sinew_host *host, int button);
/* Draws the selected joint as lines. */
void selection_draw(sinew_host *host);

/* ---- pick.c: the mask of a layer ---- */

/* The weight of a layer's mask at a joint. */
float mask_at(const sinew_host *host, sinew_actor actor, int layer, int joint);
/* Sets it there and, if asked, at all joints below; also notes it for the script (changes). */
void mask_set(sinew_host *host, sinew_actor actor, int layer, int joint, float weight, bool below);
/* In each frame before the evaluation, moves what is dragged in the picture. */
void picking_update(sinew_host *host);
/* Starts a stroke: stores the mask, so that it can be restored. */
void mask_begin_stroke(sinew_host *host);
/* Ctrl+Z: restores the mask from before the last stroke; false if there was none. */
bool mask_undo(sinew_host *host);
void mask_forget_strokes(sinew_host *host);
/* Paints at the mouse while its button is down. */
void mask_paint(sinew_host *host);
/* The model whose mask is being painted, or NULL. `joint_weights` is NULL if all are 1. */
const sinew_model *mask_painted(const sinew_host *host, const float **joint_weights);

#endif
