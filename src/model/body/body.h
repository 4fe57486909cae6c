/* body – what is known of a figure's body: the joints of a person, the feet of any walker and where they touch the
 * ground, the side that each is on, the way the figure faces and its size; and what each of these was concluded from.
 * Found once, when a model is made; everything else asks this.
 *
 * Evidence in this order: the author's word, what the file declares (VRM), the tree, the mesh, the way the clips move,
 * names. Where they disagree about sides, the toes, the soles and the clips outvote the names. */
#ifndef SINEW_MODEL_BODY_H
#define SINEW_MODEL_BODY_H

#include "model/names/humanoid.h"

#include <sinew/model.h>

enum { BODY_FEET = 8 };

typedef struct body_foot {
  int32_t thigh, shin, foot, toes; /* −1: none; the foot may hang elsewhere than from its shin */
  int32_t contact;                 /* the joint whose sole stands on the ground … */
  sinew_vec3 heel, ball;           /* … and the ends of the sole in its space; both 0: the joint itself, a ball */
  int32_t end;                     /* the joint that moves the tip of the sole: the toes, or the foot */
  sinew_vec3 back[2], tip[2];      /* the corners of all of it, in the space of the foot and of `end` … */
  int32_t has_corners;             /* … if there is a mesh */
  int32_t side;                    /* 1: left, −1: right */
  int32_t is_front;                /* of four feet or more */
} body_foot;

typedef struct model_body {
  humanoid person;
  int32_t root; /* the author's, or −1 */
  int32_t foot_count;
  body_foot feet[BODY_FEET]; /* in pairs, left and right; the hind ones first */
  float size;                /* 1: the legs of a person 1.76 m tall */
  sinew_vec3 front;          /* an axis of model space */
  int32_t exchanged;         /* names call the left side right */
  sinew_finding findings[SINEW_FINDINGS];
} model_body;

/* The vertices that a joint moves, at rest, in model space. */
typedef struct body_sole {
  int count;
  sinew_vec3 low, high;           /* of all */
  sinew_vec3 sole_low, sole_high; /* of the lowest */
} body_sole;

typedef struct body_clips {
  int count;
  double (*seconds)(void *user, int clip);
  /* `placed` gets the joints' transforms in model space. */
  void (*pose)(void *user, int clip, double time, sinew_transform *placed);
  void *user;
} body_clips;

typedef struct body_evidence {
  const skeleton_view *skeleton;
  const body_sole *soles;  /* for each joint; or NULL: there is no mesh */
  const body_clips *clips; /* or NULL */
  const int32_t *roles;    /* SINEW_ROLES joints that the author names, −1: not; or NULL */
} body_evidence;

/* False when memory runs out. */
bool body_find(const body_evidence *evidence, model_body *out);

/* Replaces each joint by that of a map; −1 stays. */
void body_renumber(model_body *b, const int32_t *joints);

/* Whether both legs of a biped are chains from hip to foot, and their sides are sure enough to bend knees by. */
bool body_has_legs(const model_body *b, const skeleton_view *skeleton);

/* ---- shared by the files of this folder ---- */

typedef struct body_search {
  const body_evidence *e;
  const skeleton_view *skeleton;
  sinew_transform *placed, *moved;       /* at rest; of a clip */
  float floor, top;                      /* of the mesh, or of the joints */
  int bending[BODY_FEET], bending_count; /* toes that clips bend */
  model_body *out;
} body_search;

/* ground.c: the feet of a figure whose names tell no legs. */
void body_find_ground(body_search *s);
/* front.c: which way it faces, and on which side each foot is. */
void body_find_front(body_search *s);
/* The ends of the sole on which a foot rolls. */
void body_find_sole(const body_search *s, body_foot *foot);
/* The corners of all of it. */
void body_find_corners(const body_search *s, body_foot *foot);

#endif
