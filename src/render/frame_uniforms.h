/* frame_uniforms – the uniforms shared by all shaders of a frame, in the layout of the block in
 * shaders/include/frame.glsl. */
#ifndef SINEW_RENDER_FRAME_UNIFORMS_H
#define SINEW_RENDER_FRAME_UNIFORMS_H

#include "render/environment.h"

#include <glad/gl.h>

typedef struct frame_uniforms {
  sinew_mat4 view_projection;
  sinew_mat4 inverse_view_projection;
  sinew_mat4 shadow;  /* world to shadow map: 0..1 on every axis */
  float camera[4];    /* position, exposure */
  float sun[4];       /* unit direction towards the sun; 1 / metres to where shadows end */
  float sun_color[4]; /* times intensity */
  float zenith[4];    /* of the sky; how steep the change from the horizon is */
  float horizon[4];   /* and how much the sky glows around the sun */
  float ambient[ENVIRONMENT_TERMS][4];
  float shadow_size[4]; /* one texel in 0..1, the radius of softness in 0..1, metres of normal offset, 1 where there is
                           one, 2 where there is one of faded characters, too */
  float contact[4];     /* x and z of the map's corner, 1 / its size in metres, 1 where there is one */
  float fog[4];         /* density per metre */
  float viewport[4];    /* width, height, 1 / width, 1 / height */
} frame_uniforms;

/* Sets camera, exposure, fog and size; light, shadow and contact are off until they are filled in. False and an error
 * message for an invalid camera or light. */
bool frame_uniforms_fill(frame_uniforms *uniforms, const sinew_frame *frame, sinew_error *error);
void frame_uniforms_light(frame_uniforms *uniforms, const environment *from);

#endif
