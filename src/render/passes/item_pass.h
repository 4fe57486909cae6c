/* item_pass – draws the calls of a list with one program. */
#ifndef SINEW_RENDER_ITEM_PASS_H
#define SINEW_RENDER_ITEM_PASS_H

#include "render/draw_list.h"
#include "render/gl/program.h"

/* Small things that many passes need. */
typedef struct common_objects {
  GLuint white;       /* a texel, for materials without a picture */
  GLuint empty_array; /* a vertex array without attributes, for corners made from gl_VertexID */
} common_objects;

typedef enum caster_choice { CAST_ALL, CAST_SOLID, CAST_FADED } caster_choice; /* by faded characters, or by others */

typedef struct item_pass {
  const program *used;
  const program *cutout; /* used instead of `used` for materials with holes and faded characters, or NULL */
  const common_objects *common;
  bool materials;         /* colours and pictures, for mesh.frag */
  sinew_surface surface;  /* for view.vert */
  bool alpha_to_coverage; /* soft edges for masked materials */
  bool edges;             /* of triangles, as lines */
  bool blended;           /* over what is there, by opacity */
  bool solid;             /* of blended materials only what is at least half as opaque as the material */
  bool shadows;           /* draws what casts shadows instead of what is in the picture */
  caster_choice casters;
} item_pass;

/* Binds the uniforms, textures and instances of one call for programs with skinning.glsl. */
void item_pass_bind_skinning(const program *used, const draw_list *list, const draw_call *call);

/* Draws calls first .. first + count − 1. */
void item_pass_draw(const item_pass *pass, const draw_list *list, int first, int count);

#endif
