/* orbit – a camera that turns about a target: the mouse sets a goal, and the camera glides towards it. */
#ifndef SINEW_HOST_ORBIT_H
#define SINEW_HOST_ORBIT_H

#include <sinew/render.h>

typedef struct orbit_position {
  sinew_vec3 target;
  float yaw, pitch; /* radians; yaw 0 looks along -z, pitch > 0 from above */
  float distance;   /* metres, > 0 */
} orbit_position;

typedef struct orbit {
  orbit_position goal, now;
  sinew_camera written; /* the last camera that the orbit wrote; if it differs, the application moved it */
  sinew_vec3 carried;   /* the sum of the application's moves of the target */
  bool has_written;
  bool keeps_planes; /* near and far follow the distance until the application sets them */
} orbit;

/* The mouse's input in one frame, in pixels of a picture `height` pixels high. */
typedef struct orbit_input {
  float turn_x, turn_y;
  float shift_x, shift_y;
  float zoom; /* notches of the wheel, > 0 moves closer */
  int height;
} orbit_input;

/* Adopts the position of a camera that was set elsewhere. */
void orbit_adopt(orbit *o, const sinew_camera *camera);

/* Notes the application's moves. An update does this, too; call it in frames without one. */
void orbit_notice(orbit *o, const sinew_camera *camera);

/* Moves the camera along without turning it; the move does not count as the application's. */
void orbit_carry(orbit *o, sinew_camera *camera, sinew_vec3 by);

/* Moves the camera by one frame of dt seconds. */
void orbit_update(orbit *o, sinew_camera *camera, const orbit_input *in, double dt);

/* Looks at the box from the camera's present direction, so that it fills a picture with that aspect (width / height). A
 * box without a size counts as one of a metre. */
void orbit_frame_box(orbit *o, sinew_camera *camera, sinew_vec3 minimum, sinew_vec3 maximum, float aspect);

#endif
