/* capture – writes the pictures of a run to a file, a numbered sequence, a contact sheet or a video. */
#ifndef SINEW_HOST_CAPTURE_H
#define SINEW_HOST_CAPTURE_H

#include "host/capture/picture.h"

typedef struct capture capture;

typedef struct capture_def {
  const char *target;       /* as in sinew_host_def.capture */
  int frame_limit;          /* frames of the run, 0 when unknown; a contact sheet needs it */
  double frames_per_second; /* of a video */
  int first;                /* the first frame to keep; a sheet shows frames from there to the end */
} capture_def;

/* Reads the target, and checks what it can at once: the extension, the folder, ffmpeg. */
capture *capture_create(const capture_def *def, sinew_error *error);
/* Ends the capture without saving a last picture; NULL is allowed. */
void capture_destroy(capture *c);

/* True if the frame with that number (from 0) will be asked for. */
bool capture_wants(const capture *c, int64_t frame);
/* True if the frame has to be drawn: it is wanted, or the next one is, whose velocities need its poses. If the last
 * frame is wanted, this assumes the limit: a run that ends earlier must be drawn where it ends. */
bool capture_needs(const capture *c, int64_t frame);
/* Takes a wanted frame. In a video it lasts that many seconds. Whole pictures follow the sum of all frames' seconds, so
 * a frame may be skipped; 0: exactly one picture. */
bool capture_add(capture *c, int64_t frame, double seconds, const picture *p, sinew_error *error);

/* True if the run's last picture is wanted at its end. */
bool capture_wants_last(const capture *c);
/* Writes what is still open; `last` is the run's last picture, or NULL if it was not wanted or not drawn. */
bool capture_finish(capture *c, const picture *last, sinew_error *error);

#endif
