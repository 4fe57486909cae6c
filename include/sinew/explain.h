/* sinew/explain.h – explains why a joint is where it is: everything that contributed to its pose in the last update, in
 * order. Not meant for every frame: it allocates, and evaluates the pose again. */
#ifndef SINEW_EXPLAIN_H
#define SINEW_EXPLAIN_H

#include <sinew/actor_modifiers.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum sinew_cause_kind {
  SINEW_CAUSE_ACTION,  /* a clip that was played */
  SINEW_CAUSE_NODE,    /* a clip of a layer's graph */
  SINEW_CAUSE_REST,    /* the rest pose, where clips weigh too little or do not animate the joint */
  SINEW_CAUSE_LAYER,   /* a layer above the base, after its clips */
  SINEW_CAUSE_INERTIA, /* the offset of an inertial transition; listed after modifiers that replaced others */
  SINEW_CAUSE_MODIFIER
} sinew_cause_kind;

typedef struct sinew_cause {
  sinew_cause_kind kind;
  int layer;           /* index; −1 for inertia and modifiers */
  int clip;            /* of an action or a node; else −1 */
  int node;            /* of a node; else −1 */
  sinew_action action; /* of an action */
  int modifier;        /* of a modifier; else −1 */

  /* Action, node, rest: its weight in the joint's final pose, after normalisation, the layer's weight and mask, and
   * what the layers above cover. The joint's translation is Σ weight × translation of P, where P is the clip's pose on
   * an override layer, and its difference from its beginning on an additive one: weights of override layers and of the
   * rest pose sum to 1. Layer: how much it covers of what is below, or adds. Inertia: 1. Modifier: its own. */
  float weight;

  /* Action, node: how far its pose (additive: its end) is from the rest pose (additive: its beginning) at this joint,
   * relative to the parent. Layer: how far it moved the joint, relative to the parent. Inertia, modifier: how far it
   * moved the joint in model space. */
  float angle;    /* radians, 0..π */
  float distance; /* metres */
} sinew_cause;

/* The causes of the joint's pose. Those without weight there are not listed, nor are layers, inertia and modifiers that
 * leave the joint exactly where it was. Returns how many there are, and writes the first `capacity` of them (`causes`
 * may be NULL if that is 0). −1 and an error message: the actor is gone, there is no such joint, memory runs out, or
 * the stage is locked (actor.h).
 *
 * Weights of layers and masks count as they are now; clips, their weights and times as the last update had them.
 * Modifiers run once more on a copy of the pose and of what they remember, with dt 0; functions are called, too. */
SINEW_API int sinew_actor_explain(sinew_stage *stage, sinew_actor actor, int joint, sinew_cause *causes, int capacity,
                                  sinew_error *error);

#ifdef __cplusplus
}
#endif
#endif
