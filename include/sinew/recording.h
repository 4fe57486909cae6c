/* sinew/recording.h – everything that an application reads from outside. A recording stores it, and a replay returns
 * it, so that the replay needs neither the files nor the clock of the machine that recorded.
 *
 * A question has a kind (one word) and a name; an answer is bytes. An application first asks the recording (recall); if
 * there is no answer it looks for itself, and then stores what it found (note). */
#ifndef SINEW_RECORDING_H
#define SINEW_RECORDING_H

#include <sinew/host.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Whether the run that the host was made for is one that was recorded (sinew_host_def.replay_input). */
SINEW_API bool sinew_host_is_replay(const sinew_host *host);
/* Whether this replay writes seconds of a run for a look back (sinew_rerun). */
SINEW_API bool sinew_host_is_rerun(const sinew_host *host);
/* Whether this is a rerun in which the edit has taken effect: what the recording lacks is read from the disk. */
SINEW_API bool sinew_host_is_edited(const sinew_host *host);
/* Whether notes are stored: producing an answer may be slow. */
SINEW_API bool sinew_host_is_recorded(const sinew_host *host);

typedef struct sinew_answer {
  const void *data; /* not aligned; lives as long as the host */
  size_t size;
  bool refused; /* the data is the message that says why there is no answer */
} sinew_answer;

typedef enum sinew_recall {
  SINEW_RECALL_NOW,  /* answers of this frame, each once, in their order */
  SINEW_RECALL_LAST, /* otherwise the last answer before this frame, or the first after it */
} sinew_recall;

/* False if the run is not a replay, or the recording has no such answer. */
SINEW_API bool sinew_host_recall(sinew_host *host, const char *kind, const char *name, sinew_recall when,
                                 sinew_answer *answer);
/* Whether the recording has an answer that this frame, or a later one, has not given yet. */
SINEW_API bool sinew_host_will_recall(const sinew_host *host, const char *kind, const char *name);

/* Does nothing if the run is not recorded. */
SINEW_API void sinew_host_note(sinew_host *host, const char *kind, const char *name, const sinew_answer *answer);

/* Takes scripts, models and lists of files from a bundle, in place of the disk: a recording of a scene that was loaded
 * (`sinew bundle`). Input, clocks and the display stay those of this run. A scene without a path is then the bundle's.
 * NULL ends it; the scene before must be destroyed. False and an error message if it cannot be read. */
SINEW_API bool sinew_host_set_bundle(sinew_host *host, const char *path, sinew_error *error);
SINEW_API bool sinew_host_has_bundle(const sinew_host *host);

/* Notes that the time limit ended a callback of the application in this frame. A replay ends before the frame with a
 * message, because it is not known where in the callback this happened. */
SINEW_API void sinew_host_note_strike(sinew_host *host, const char *callback);

#ifdef __cplusplus
}
#endif
#endif
