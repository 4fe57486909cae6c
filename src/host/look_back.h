/* look_back – frames in the past (past/review.h): fills the ring in each frame of the present, and runs the frames
 * while F9 looks back. */
#ifndef SINEW_HOST_LOOK_BACK_H
#define SINEW_HOST_LOOK_BACK_H

#include <sinew/host.h>

/* Called before and after the stage is updated. */
void look_back_watch(sinew_host *host);
void look_back_keep(sinew_host *host);
/* Poses the characters of the past moment for the picture. */
void look_back_pose(sinew_host *host);
/* F9; does nothing if nothing is kept. */
void look_back_open(sinew_host *host);
/* A frame in the past: no time passes for the scene, and nothing is recorded. */
bool look_back_step(sinew_host *host, double dt, sinew_error *error);

#endif
