/* fbx_animation – the clips of a file: stacks of layers, which set properties of objects over time. Takes of files
 * before 7.0 are stacks of one layer. */
#ifndef SINEW_IMPORT_FBX_ANIMATION_H
#define SINEW_IMPORT_FBX_ANIMATION_H

#include "import/source/fbx/curves/fbx_curve.h"
#include "import/source/fbx/objects/fbx_pivots.h"

/* ---- the moments at which curves have keys, and the kind of change there ---- */

typedef enum fbx_corner { FBX_SMOOTH, FBX_KINK, FBX_JUMP } fbx_corner;

typedef struct fbx_mark {
  int64_t time;
  fbx_corner corner;
} fbx_mark;

/* The marks of a span, including its ends. There is a limit, beyond which marks are left out. */
typedef struct fbx_marks {
  raw_model *memory; /* for the error message when memory runs out */
  fbx_mark *items;
  int count, capacity;
  int next; /* a guess for the next mark: most curves have the same keys */
  int64_t first, last;
  bool failed; /* memory has run out, and the error is set */
} fbx_marks;

void fbx_marks_free(fbx_marks *marks);
/* Empties the list for a span. */
void fbx_marks_start(fbx_marks *marks, int64_t first, int64_t last);
/* Allows adding marks in order again. */
void fbx_marks_rewind(fbx_marks *marks);
void fbx_add_mark(fbx_marks *marks, int64_t time, fbx_corner corner);
/* A mark for each key of a curve and for the start of each cycle. */
void fbx_mark_curve(fbx_marks *marks, const fbx_curve *curve);
/* Sorts the marks and removes duplicates. False if memory has run out. */
bool fbx_marks_sort(fbx_marks *marks);

/* The properties that clips may animate. The first three are fbx_channels. */
typedef enum fbx_target { FBX_PERCENT = FBX_CHANNEL_COUNT, FBX_WEIGHT, FBX_TARGET_COUNT } fbx_target;

/* One property of one object, as one layer animates it. */
typedef struct fbx_animated {
  int layer;
  int target;           /* fbx_channel or fbx_target */
  double standard[3];   /* the value without a curve */
  fbx_curve *curves[3]; /* or NULL */
  int next;             /* the next item of the same object, in the order of layers, or -1 */
} fbx_animated;

typedef struct fbx_anim_layer {
  int object; /* or -1 */
  double weight;
  int blend;                /* 0 additive, 1 override, 2 override and pass through */
  bool rotation_by_channel; /* else as quaternions */
  bool scale_adds;          /* else it multiplies */
  bool muted;
} fbx_anim_layer;

typedef struct fbx_stack {
  const char *name;
  int64_t start, stop;
  fbx_anim_layer *layers;
  int layer_count, layer_capacity;
  fbx_animated *items;
  int item_count, item_capacity;
  int32_t *first; /* by object: 1 + an item, or 0 */
} fbx_stack;

typedef struct fbx_animation {
  fbx_stack *stacks;
  int count, capacity;
  fbx_curve **curves;  /* by object, created on demand */
  const char *dropped; /* the name of an animated property that is not played here */
  int dropped_count;
} fbx_animation;

/* False and an error message: broken curves, no memory. */
bool fbx_animation_read(fbx_scene *scene, fbx_animation *animation);

/* The object's first item for a target, or NULL; and the next one. */
const fbx_animated *fbx_first_animated(const fbx_stack *stack, int object, int target);

/* `value` initially holds the value without the stack: three numbers for fbx_channels, else one. */
void fbx_stack_value(const fbx_stack *stack, int object, int target, int64_t time, fbx_side side, double *value);

/* The target's only item, if it is on the first layer and not blended: then `fbx_own_value` is the value of the stack.
 * NULL otherwise. */
const fbx_animated *fbx_plain_animated(const fbx_stack *stack, int object, int target);
void fbx_own_value(const fbx_animated *item, int64_t time, fbx_side side, double *value);

/* The kinds of segments in the object's curves for a target: steps, straight lines, and others. */
typedef struct fbx_pieces {
  bool steps, lines, bends;
} fbx_pieces;
fbx_pieces fbx_stack_pieces(const fbx_stack *stack, int object, int target);

/* Whether the target moves by more than `noise`, the unit of its curves. */
bool fbx_stack_moves(const fbx_stack *stack, int object, int target, double noise);
/* A bound for every number of an object's scale in the stack; `rest` is the value without it. */
double fbx_stack_largest_scale(const fbx_stack *stack, int object, double rest);
void fbx_mark_stack(const fbx_stack *stack, int object, int target, fbx_marks *marks);

#endif
