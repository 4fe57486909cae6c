/* gpu – a headless OpenGL context for tests. Every complaint of the driver fails the test that caused it. */
#ifndef SINEW_TESTS_GPU_H
#define SINEW_TESTS_GPU_H

#include "support/fixture.h"

#include "host/display/offscreen.h"
#include "render/gl/gl.h"
#include "render/renderer.h"

typedef struct gpu {
  offscreen *context;
  sinew_renderer *renderer;
} gpu;

static inline void gpu_quiet(void *user, sinew_log_level level, const char *line) {
  (void)user;
  if (level != SINEW_LOG_INFO) fprintf(stderr, "%s\n", line);
}

/* For complaints that a test asks for. */
static inline void gpu_silence(void *user, sinew_log_level level, const char *line) {
  (void)user, (void)level, (void)line;
}

static inline sinew_renderer *gpu_renderer(int samples, int shadow_size) {
  sinew_error error = {0};
  sinew_renderer_def def = sinew_renderer_def_default();
  def.proc_address = offscreen_proc;
  def.samples = samples;
  def.shadow_size = shadow_size;
  sinew_renderer *renderer = sinew_renderer_create(&def, &error);
  if (!renderer) fail_msg("%s", error.message);
  return renderer;
}

/* For cmocka_run_group_tests. Call gpu_or_skip first. */
static inline int gpu_setup(void **state) {
  static gpu made;
  sinew_error error = {0};
  made.context = offscreen_create(&error);
  assert_non_null(made.context);
  made.renderer = gpu_renderer(-1, -1);
  *state = &made;
  return 0;
}

static inline int gpu_teardown(void **state) {
  gpu *made = *state;
  int messages = made->renderer->debug_messages;
  sinew_renderer_destroy(made->renderer);
  offscreen_destroy(made->context);
  return messages;
}

/* After each test: the driver must have nothing to say. */
static inline int gpu_silent(void **state) {
  gpu *made = *state;
  int messages = made->renderer->debug_messages;
  made->renderer->debug_messages = 0;
  sinew_error error = {0};
  if (!gl_check("a test", &error)) fail_msg("%s", error.message);
  if (messages > 0) fail_msg("the driver complained %d times", messages);
  return 0;
}

/* Whether the context is of the version that SINEW_TEST_GL asks for, if it asks. */
static inline bool gpu_is_wanted(void) {
  const char *wanted = getenv("SINEW_TEST_GL");
  typedef const GLubyte *get_string(GLenum name);
  void *found = offscreen_proc("glGetString");
  get_string *function;
  memcpy(&function, &found, sizeof function);
  return !wanted || (function && strncmp((const char *)function(GL_VERSION), wanted, strlen(wanted)) == 0);
}

/* Ends the program with 77 where there is no way to draw at all, or not with the version of OpenGL that is wanted. */
static inline void gpu_or_skip(void) {
  sinew_error error = {0};
  setenv("SINEW_GL_DEBUG", "1", 1);
  sinew_set_log(gpu_quiet, NULL);
  offscreen *context = offscreen_create(&error);
  if (!context) {
    fprintf(stderr, "skipped: %s\n", error.message);
    exit(77);
  }
  bool wanted = gpu_is_wanted();
  offscreen_destroy(context);
  if (!wanted) fprintf(stderr, "skipped: the driver does not give OpenGL %s\n", getenv("SINEW_TEST_GL")), exit(77);
}

#define gpu_test(function) cmocka_unit_test_teardown(function, gpu_silent)

#endif
