/* quality – measures frame by frame how well the actors of a run move, prints the results, and compares them with
 * another run's. */
#ifndef SINEW_QUALITY_H
#define SINEW_QUALITY_H

#include <sinew/marks.h>
#include <sinew_lua.h>

enum { QUALITY_TEXT = 400, QUALITY_NAME = 128 };

typedef struct quality_mark {
  sinew_mark mark;
  char joint[QUALITY_NAME], text[QUALITY_TEXT];
} quality_mark;

typedef struct quality_actor {
  uint64_t id;
  char name[QUALITY_NAME];
  sinew_metrics metrics;
  sinew_vec3 position; /* at the end */
  quality_mark *marks;
  int mark_count, mark_capacity;
} quality_actor;

typedef struct quality {
  sinew_host *host;
  quality_actor *actors;
  int actor_count, actor_capacity;
  uint64_t *frames; /* a hash of all poses and positions after each */
  int frame_count, frame_capacity;
  bool out_of_memory;
} quality;

/* The command; returns the exit status (quality.c). */
int cli_measure(int argc, char **argv);

void quality_release(quality *q);
/* Before the stage is updated, starts to measure new actors. */
void quality_measure(quality *q);
/* After it. */
void quality_add_frame(quality *q, sinew_scene *scene);

void quality_print(const quality *q);
void quality_print_json(const quality *q);
/* Prints both side by side. */
void quality_compare(const quality *q, const quality *other);
void quality_compare_json(const quality *q, const quality *other);

#endif
