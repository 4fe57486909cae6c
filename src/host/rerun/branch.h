/* branch – another run of the same application, in a host without a picture: it repeats the recording of this one up to
 * a frame, and then changes places with it. The run that was left stays, and can be returned to.
 *
 * What a run is made of (the stage, the application, its log, camera, messages …) changes places; the window, the
 * renderer, the panels and what is pressed stay where they are. */
#ifndef SINEW_HOST_BRANCH_H
#define SINEW_HOST_BRANCH_H

#include <sinew/host.h>

typedef struct branch {
  sinew_host *other; /* the run on its way, or the one that was left; NULL: neither */
  sinew_host *first; /* the run that the program began, once that was left permanently: its application is not ours */
  bool is_on_its_way, is_edited;
  int64_t frame;     /* where it is going */
  int count;         /* of recordings that this window has begun */
  char problem[240]; /* why it could not; "" */
} branch;

/* Begins one that goes to the frame; what was left before is forgotten. With `edited` the saves of the look back are in
 * it, in the frame in which they were told to what was made again; else they come once it plays on. */
void branch_begin(sinew_host *host, int64_t frame, bool edited);
/* Goes on for some milliseconds. True where it is there: it has changed places with this run. */
bool branch_advance(sinew_host *host);
/* The run that was left comes back, and this one is left. False where there is none. */
bool branch_take_back(sinew_host *host);
/* Forgets it. */
void branch_drop(sinew_host *host);
/* A file was saved: the run that was left hears of it when it comes back. */
void branch_note_save(sinew_host *host, const char *path);
/* With the host. */
void branch_release(sinew_host *host);

#endif
