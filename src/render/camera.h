/* camera – the matrices of a picture. cglm stays in the .c file. */
#ifndef SINEW_RENDER_CAMERA_H
#define SINEW_RENDER_CAMERA_H

#include <sinew/render.h>

/* False, and the reason why no picture can be made with it. */
bool camera_check(const sinew_camera *camera, sinew_error *error);

/* The distance from its target within which a picture shows details, in metres: shadows and the grid end there. */
float camera_reach(const sinew_camera *camera);

sinew_mat4 mat4_multiply(const sinew_mat4 *a, const sinew_mat4 *b); /* b is applied first */
sinew_mat4 mat4_inverse(const sinew_mat4 *matrix);
/* Maps x and y of the box to -1 .. 1, and z from -minimum[2] (near) to -maximum[2] (far). */
sinew_mat4 mat4_orthographic(const float minimum[3], const float maximum[3]);

#endif
