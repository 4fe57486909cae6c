/* sinew/recording.h – everything that an application reads from outside. A recording stores it, and a replay returns
 * it, so that the replay needs neither the files nor the clock of the machine that recorded.
 *
 * A question has a kind (one word) and a name; an answer is bytes. An application recalls before it looks for itself,
 * and notes what it found where it had to look. */
#ifndef SINEW_RECORDING_H
#define SINEW_RECORDING_H

#include <sinew/host.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Whether the run that the host was made for is one that was recorded (sinew_host_def.replay_input). */
SINEW_API bool sinew_host_is_replay(const sinew_host *host);
/* Whether answers are noted: making one may be slow. */
SINEW_API bool sinew_host_is_recorded(const sinew_host *host);

typedef struct sinew_answer {
  const void *data; /* not aligned; lives as long as the host */
  size_t size;
  bool refused; /* the data is the sentence why there is no answer */
} sinew_answer;

typedef enum sinew_recall {
  SINEW_RECALL_NOW,  /* answers of this frame, each once, in their order */
  SINEW_RECALL_LAST, /* or else the last one before, or the first one after */
} sinew_recall;

/* False if the run is no replay, or the recording has no such answer. */
SINEW_API bool sinew_host_recall(sinew_host *host, const char *kind, const char *name, sinew_recall when,
                                 sinew_answer *answer);
/* Whether the recording has an answer that this frame, or a later one, has not given yet. */
SINEW_API bool sinew_host_will_recall(const sinew_host *host, const char *kind, const char *name);

/* Nothing happens where the run is not recorded. */
SINEW_API void sinew_host_note(sinew_host *host, const char *kind, const char *name, const sinew_answer *answer);

/* A callback of the application was ended by the clock, in this frame: a replay ends before the frame, with a
 * sentence, because where in the callback it came is not known. */
SINEW_API void sinew_host_note_strike(sinew_host *host, const char *callback);

#ifdef __cplusplus
}
#endif
#endif
