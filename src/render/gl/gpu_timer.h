/* gpu_timer – measures the GPU's time for parts of a picture. Results arrive some pictures later, and nothing waits for
 * them. */
#ifndef SINEW_RENDER_GPU_TIMER_H
#define SINEW_RENDER_GPU_TIMER_H

#include <sinew/base.h>

#include <glad/gl.h>

typedef enum gpu_moment { MOMENT_BEGIN, MOMENT_MAPS, MOMENT_END, MOMENTS } gpu_moment;
enum { TIMED_PICTURES = 4 };

typedef struct gpu_timer {
  bool on;
  GLuint queries[TIMED_PICTURES][MOMENTS];
  bool asked[TIMED_PICTURES];
  int current;
  double seconds[MOMENTS]; /* from the previous moment to this one, in the latest picture with known times */
} gpu_timer;

/* Starts and stops measuring. OpenGL ES has no clock: nothing is measured there. */
void gpu_timer_set(gpu_timer *timer, bool wanted);
/* Marks a point in the GPU's commands; MOMENT_BEGIN starts a picture. */
void gpu_timer_mark(gpu_timer *timer, gpu_moment moment);
void gpu_timer_release(gpu_timer *timer);

#endif
