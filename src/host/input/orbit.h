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
  sinew_camera written; /* what the orbit wrote last: a camera that differs was moved by the application */
  sinew_vec3 carried;   /* how far the application has moved the target, all moves together */
  bool has_written;
  bool keeps_planes; /* near and far follow the distance until the application sets its own */
} orbit;

/* The mouse's input in one frame, in pixels of a picture `height` pixels high. */
typedef struct orbit_input {
  float turn_x, turn_y;
  float shift_x, shift_y;
  float zoom; /* notches of the wheel, > 0 is nearer */
  int height;
} orbit_input;

/* Takes over the position of a camera that somebody else has set. */
void orbit_adopt(orbit *o, const sinew_camera *camera);

/* Counts what the application has moved. An update does so, too; this is for frames without one. */
void orbit_notice(orbit *o, const sinew_camera *camera);

/* Takes the camera along, as turned as it is; the application did not do it. */
void orbit_carry(orbit *o, sinew_camera *camera, sinew_vec3 by);

/* Moves the camera by one frame of dt seconds. */
void orbit_update(orbit *o, sinew_camera *camera, const orbit_input *in, double dt);

/* Looks at the box from where the camera is turned now, so that it fills a picture of that aspect (width / height). A
 * box without a size is treated as one of a metre. */
void orbit_frame_box(orbit *o, sinew_camera *camera, sinew_vec3 minimum, sinew_vec3 maximum, float aspect);

#endif
