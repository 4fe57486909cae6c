/* sinew/marks.h – notable moments of a measured actor (metrics.h): where its pose jumped, how far a foot slid, which
 * transitions its state machines took, and which they refused and why. */
#ifndef SINEW_MARKS_H
#define SINEW_MARKS_H

#include <sinew/metrics.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum sinew_mark_kind {
  SINEW_MARK_POP,        /* a jump (sinew_metrics.pop) beyond turn_threshold or jump_threshold */
  SINEW_MARK_SLIDE,      /* while it stood on the ground, a foot slid further than slide_threshold */
  SINEW_MARK_TRANSITION, /* a state machine, or a switch, went to another state */
  SINEW_MARK_REFUSAL     /* a transition from the present state was not taken; told again when the reason changes */
} sinew_mark_kind;

/* The first part of a transition that did not hold, in the order in which the parts are checked. */
typedef enum sinew_refusal {
  SINEW_REFUSAL_NONE,
  SINEW_REFUSAL_LOCKED,   /* the transition before it is locked and still fades */
  SINEW_REFUSAL_EVENT,    /* its event was not sent */
  SINEW_REFUSAL_TIME,     /* before_end: the clip has `left` seconds left */
  SINEW_REFUSAL_WHEN,     /* its `when` is false: `text` names the part, with its values */
  SINEW_REFUSAL_DISTANCE, /* the actor has `left` metres to go to its stop, and the clip `covers` less (graph.h) */
  SINEW_REFUSAL_CONDITION /* the function that is its condition said no */
} sinew_refusal;

enum { SINEW_MARK_TEXT = 96 };

typedef struct sinew_mark {
  sinew_mark_kind kind;
  double begin, end; /* of sinew_metrics.seconds. A pop: its first and last frame; a transition: the end of the frame
                        before it; a slide: the whole contact */
  /* POP: of the joints whose rotations jumped at least half as much as the one that jumped most, the one with the
   * longest limb below it, so that a leg is named and not a finger; −1: the whole actor jumped, or a morph target.
   * SLIDE: the foot; else −1. */
  int joint;
  float size;  /* metres of the figure (sinew_metrics.metre). POP: how far the joint that moved farthest jumped, the
                  actor, or the vertex that the morph target moves farthest. SLIDE: the distance of the point of the
                  sole that moves least */
  float angle; /* POP: the jump of the joint's own rotation, or of the actor's, radians */
  float rank;  /* POP, SLIDE: the larger multiple of its thresholds, by which marks can be ordered */
  int clip;    /* POP at the seam of a loop: its clip, of `layer` and `node`, or of `action`. SLIDE: the clip that moved
                  the foot most when it slid fastest; else −1 */
  sinew_action action;
  /* SLIDE, at that moment: the speeds of the clips that move the foot, and of the actor, metres of the figure a
   * second; and whether those clips are out of sync. */
  float travels, goes;
  bool unsynced;
  int modifier;    /* POP by a modifier whose values changed, or that is a function: its index; else −1 */
  int morph;       /* POP of a morph target: its number; else −1 */
  int layer, node; /* TRANSITION, REFUSAL: of the machine; else −1 */
  int from, to;    /* likewise: indices of states */
  int transition;  /* likewise: in the graph's transitions; −1 if a switch followed its parameter */
  float fade;      /* TRANSITION: seconds; only one without a fade displaces the pose */
  sinew_refusal refusal;
  double left;   /* REFUSAL_TIME: seconds; infinite while the clip stands. REFUSAL_DISTANCE: metres */
  double covers; /* REFUSAL_DISTANCE: metres */
  int part;      /* REFUSAL_WHEN: which part of the condition is false, by a number; else 0 … */
  /* … and that part: "speed 0.14 > 0.2" (cut where it is longer). POP: what sinew_actor_note said in its frame. SLIDE:
   * what it said of the actor's place at that moment; else empty. */
  char text[SINEW_MARK_TEXT];
  int cause; /* POP: the mark of the transition that began in its frame; or −1 */
} sinew_mark;

/* Marks since measuring began, in the order in which they ended; those of feet that still stand come last. At most
 * sinew_metrics_def.marks: sinew_metrics.lost_marks counts the others. A new graph may renumber its nodes and
 * transitions. */
SINEW_API int sinew_actor_mark_count(const sinew_stage *stage, sinew_actor actor);
/* False past the last. */
SINEW_API bool sinew_actor_mark(const sinew_stage *stage, sinew_actor actor, int index, sinew_mark *mark);

/* What a change can displace. */
typedef enum sinew_note_of {
  SINEW_NOTE_POSE,  /* joints */
  SINEW_NOTE_PLACE, /* the actor's transform, or its attachment */
  SINEW_NOTE_MORPH
} sinew_note_of;

/* Names a change that the caller is about to make to the actor, "play (scene.lua:8)", so that the mark of a pop can
 * name it. Call it between updates, or in a function that is a modifier, each time. Repeating a text within 0.1 s
 * continues the note; of the changes in the frame of a pop, the mark names the one whose note began last: so a weight
 * that is set in every frame is blamed only if nothing else is there. The text is copied, and cut at SINEW_MARK_TEXT.
 * No effect on an actor that is not measured. */
SINEW_API void sinew_actor_note(sinew_stage *stage, sinew_actor actor, sinew_note_of of, const char *what);

#ifdef __cplusplus
}
#endif
#endif
