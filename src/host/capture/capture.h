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

/* ---- a video or a GIF, made by an ffmpeg child process that is fed with raw pictures ---- */

/* A film of ours ends so. */
#define ENCODER_MARK "recorded: Sinew\n"
enum { ENCODER_MARK_SIZE = sizeof ENCODER_MARK - 1 };

typedef struct encoder encoder;

/* True if ffmpeg is installed; if not, false and an error message that says what to install for `path`. */
bool encoder_check(const char *path, sinew_error *error);

/* Starts ffmpeg for pictures of one size; the extension of the path determines the format. */
encoder *encoder_create(const char *path, int width, int height, double frames_per_second, sinew_error *error);
/* The picture must have the size given at creation. */
bool encoder_add(encoder *e, const picture *p, sinew_error *error);
/* Ends the file and waits for ffmpeg. The video replaces the old file, and the encoder is released in any case. If
 * ffmpeg fails, returns false and an error message, and the old file stays. */
bool encoder_finish(encoder *e, sinew_error *error);

/* A video that an application records while it runs, in addition to the capture of the whole run (host->capture). */

typedef struct recording {
  capture *capture; /* NULL: nothing is recorded */
  char target[4096];
  double rate;   /* pictures in a second of scene time */
  int64_t count; /* pictures so far */
  int64_t limit; /* of them; 0: none */
} recording;

#endif
