/* branch – another run of the same application, in a host without a picture: it replays the recording of this run up to
 * a frame, and then swaps places with it. The run that was left is kept, and can be returned to.
 *
 * Everything that makes up a run (the stage, the application, its log, camera, messages …) is swapped; the window, the
 * renderer, the panels and pressed keys stay. */
#ifndef SINEW_HOST_BRANCH_H
#define SINEW_HOST_BRANCH_H

#include <sinew/host.h>

typedef struct branch {
  sinew_host *other; /* the branch being made, or the run that was left; NULL: neither */
  sinew_host *first; /* the run that the program started, once it was left for good: its application is not ours */
  bool is_on_its_way, is_edited;
  int64_t frame;     /* where it is going */
  int count;         /* of recordings begun by this window */
  char problem[240]; /* why it could not; "" */
} branch;

/* Begins a branch at that frame, and drops the run that was left before. With `edited`, the saves of the look back take
 * effect in the frame in which the rerun applied them; otherwise once the branch plays on. */
void branch_begin(sinew_host *host, int64_t frame, bool edited);
/* Works for some milliseconds. True once the branch has swapped places with this run. */
bool branch_advance(sinew_host *host);
/* Returns to the run that was left, and leaves this one. False if there is none. */
bool branch_take_back(sinew_host *host);
/* Forgets it. */
void branch_drop(sinew_host *host);
/* Notes a saved file for the run that was left; it gets them when it returns. */
void branch_note_save(sinew_host *host, const char *path);
/* With the host. */
void branch_release(sinew_host *host);

#endif
