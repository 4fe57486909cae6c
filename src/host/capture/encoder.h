/* encoder – a video or a GIF, made by an ffmpeg child process that is fed with raw pictures. */
#ifndef SINEW_HOST_ENCODER_H
#define SINEW_HOST_ENCODER_H

#include "host/capture/picture.h"

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

#endif
