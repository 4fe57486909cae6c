/* picking – the actor and the joint under the mouse, and the one that was chosen. */
#ifndef SINEW_HOST_PICKING_H
#define SINEW_HOST_PICKING_H

#include "host/picking/gizmo.h"

typedef struct ray {
  sinew_vec3 origin, direction; /* the direction need not be of unit length */
} ray;

enum { MASK_TEXT = 1 << 16 }; /* of a mask as Lua */

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
  bool told_length; /* that a mask is too long for a line of Lua */
  gizmo_drag drag;
  char filter[64];
  float pressed[2]; /* where the left button went down while the scene was paused, pixels; NAN: elsewhere */
  int64_t explained_in;
  int explained_joint; /* of what `text` says; −1: nothing yet */
  char text[4096];
} selection;

/* Through a pixel of the picture, in the world. */
ray ray_through(const sinew_camera *camera, float x, float y, float width, float height);
/* The distance at which the ray meets a triangle, in lengths of its direction; INFINITY if it does not. `inside`
 * receives the barycentric coordinates. */
float ray_triangle(const ray *r, const float *a, const float *b, const float *c, float inside[3]);

/* The nearest visible actor whose surface lies under the pixel, and the joint that moves it most there. False: none. */
bool pick_at(sinew_host *host, float x, float y, sinew_actor *actor, int *joint);

/* The pixel where a point of the world is seen; false behind the camera. */
bool ray_pixel(const sinew_camera *camera, sinew_vec3 p, float width, float height, float out[2]);

/* Selects it by hand; a joint of −1: none. */
void selection_change(sinew_host *host, sinew_actor actor, int joint);

/* A button of the mouse, over no panel. True where the press was for picking: the application does not get it. */
bool picking_button(sinew_host *host, int button, bool down);
/* The button that drags something in the picture is let go, wherever that is; false where none does. */
bool picking_release(sinew_host *host, int button);
/* The chosen joint, as lines. */
void selection_draw(sinew_host *host);

/* ---- masks.c: the mask of a layer ---- */

/* The weight of a layer's mask at a joint. */
float mask_at(const sinew_host *host, sinew_actor actor, int layer, int joint);
/* Sets it there and, on demand, at all joints below; for the script, too (changes). */
void mask_set(sinew_host *host, sinew_actor actor, int layer, int joint, float weight, bool below);
/* The same, without recording it (change.h). */
bool mask_apply(sinew_host *host, sinew_actor actor, int layer, int joint, float weight, bool below);
/* As the table that model:mask takes, with as few patterns as it needs. False where it does not fit. */
bool mask_as_lua(const sinew_model *model, const float *joint_weights, char *out, size_t size);
/* Each frame, before the evaluation: what is dragged in the picture. */
void picking_update(sinew_host *host);
/* A stroke begins: what the mask is now can be brought back. */
void mask_begin_stroke(sinew_host *host);
/* Ctrl+Z: brings back what the mask was before the last stroke that changed it; false where there is none. */
bool mask_undo(sinew_host *host);
void mask_forget_strokes(sinew_host *host);
/* Paints where the mouse is while its button is down. */
void mask_paint(sinew_host *host);
/* The model whose mask is being painted, or NULL. `joint_weights` is NULL if all are 1. */
const sinew_model *mask_painted(const sinew_host *host, const float **joint_weights);

#endif
