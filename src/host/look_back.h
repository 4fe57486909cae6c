/* look_back – frames in the past (past/review.h): fills the ring in each frame of the present, and runs the frames
 * while F9 looks back. */
#ifndef SINEW_HOST_LOOK_BACK_H
#define SINEW_HOST_LOOK_BACK_H

#include "host/rerun/rerun.h"

/* Before and after the stage is updated. */
void look_back_watch(sinew_host *host);
void look_back_keep(sinew_host *host);
/* The characters of the moment that is looked back at, for the picture. */
void look_back_pose(sinew_host *host);
/* The frames of the loop; the edit is a save in the first of them. */
rerun_def look_back_loop(const sinew_host *host);
/* F9; nothing happens where nothing is kept. */
void look_back_open(sinew_host *host);
/* A frame in the past: no time goes by for the scene, and no recording knows of it. */
bool look_back_step(sinew_host *host, double dt, sinew_error *error);

#endif
