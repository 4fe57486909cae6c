/* encoder – a video or a GIF, made by an ffmpeg child process that is fed with raw pictures. */
#ifndef SINEW_HOST_ENCODER_H
#define SINEW_HOST_ENCODER_H

#include "host/capture/picture.h"

/* A film of ours ends so. */
#define ENCODER_MARK "recorded: Sinew\n"
enum { ENCODER_MARK_SIZE = sizeof ENCODER_MARK - 1 };

typedef struct encoder encoder;

/* Whether ffmpeg is there; false and an error message that says what to install. `path` is what it would be needed for.
 */
bool encoder_check(const char *path, sinew_error *error);

/* Starts ffmpeg for pictures of one size; the kind of the file follows from the extension of the path. */
encoder *encoder_create(const char *path, int width, int height, double frames_per_second, sinew_error *error);
/* The picture has the size that was given. */
bool encoder_add(encoder *e, const picture *p, sinew_error *error);
/* Ends the file and waits for ffmpeg; the film takes its place, and the encoder is released either way. False and a
 * sentence where ffmpeg failed: the file that was there stays. */
bool encoder_finish(encoder *e, sinew_error *error);

#endif
