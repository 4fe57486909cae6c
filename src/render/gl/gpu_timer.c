#include "render/gl/gpu_timer.h"

#include "render/gl/load.h"

void gpu_timer_set(gpu_timer *timer, bool wanted) {
  bool on = wanted && !gl_is_es();
  if (on == timer->on) return;
  gpu_timer_release(timer);
  timer->on = on;
  if (on) glGenQueries(TIMED_PICTURES * MOMENTS, timer->queries[0]);
}

/* Reads the oldest picture's times; if the GPU is further behind than that, one is lost. */
static void take(gpu_timer *timer, int picture) {
  GLuint64 moments[MOMENTS];
  GLint done = GL_FALSE;
  if (!timer->asked[picture]) return;
  glGetQueryObjectiv(timer->queries[picture][MOMENT_END], GL_QUERY_RESULT_AVAILABLE, &done);
  if (!done) return;
  for (int i = 0; i < MOMENTS; i++) glGetQueryObjectui64v(timer->queries[picture][i], GL_QUERY_RESULT, &moments[i]);
  for (int i = 1; i < MOMENTS; i++) timer->seconds[i] = (double)(moments[i] - moments[i - 1]) * 1e-9;
}

void gpu_timer_mark(gpu_timer *timer, gpu_moment moment) {
  if (!timer->on) return;
  if (moment == MOMENT_BEGIN) {
    timer->current = (timer->current + 1) % TIMED_PICTURES;
    take(timer, timer->current);
    timer->asked[timer->current] = false;
  }
  glQueryCounter(timer->queries[timer->current][moment], GL_TIMESTAMP);
  if (moment == MOMENT_END) timer->asked[timer->current] = true;
}

void gpu_timer_release(gpu_timer *timer) {
  if (timer->on) glDeleteQueries(TIMED_PICTURES * MOMENTS, timer->queries[0]);
  *timer = (gpu_timer){0};
}
