/* bench_past – measures the look back: the ring of 50 actors, marks, the recording of half an hour, and the time from a
 * save to a rerun of ten seconds. */
#ifndef SINEW_BENCH_PAST_H
#define SINEW_BENCH_PAST_H

#include <sinew/model.h>

typedef struct bench_past {
  double frame_seconds, least; /* of 50 actors in each frame, for ring and marks; the median and the minimum over the
                                  seconds of a minute; processor time */
  double ring_bytes;           /* of that minute */
} bench_past;

bool bench_past_keep(sinew_model *model, bench_past *result, sinew_error *error);
/* Bytes of half an hour at 60 frames per second in which the mouse never rests. */
bool bench_past_log(double *bytes, sinew_error *error);
/* Seconds from the save to the poses of a rerun, for ten seconds of the first example, with a simulator that is ready.
 */
bool bench_past_again(double *seconds, double *least, sinew_error *error);

#endif
