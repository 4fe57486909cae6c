/* load – finds the functions of the current context: OpenGL 3.3 core or newer, or OpenGL ES 3.0 or newer, of which
 * WebGL 2 is a form. The renderer uses what both have; where they differ, it asks gl_is_es. */
#ifndef SINEW_RENDER_GL_GL_H
#define SINEW_RENDER_GL_GL_H

#include <glad/gl.h>
#include <sinew/base.h>
#include <stdbool.h>

/* False and an error message that says what was found. */
bool gl_load(void *(*proc_address)(const char *name), sinew_error *error);
/* Of the functions loaded last. */
bool gl_is_es(void);

/* ---- logs the driver's error messages ---- */

/* In a debug context of the desktop's OpenGL, logs every message of the driver (except notes on performance) as a
 * warning and adds one to *count, which must live until gl_debug_stop. */
void gl_debug_start(int *count);
void gl_debug_stop(void);

/* Reads all pending OpenGL errors; false and "WHAT: GL_OUT_OF_MEMORY" if there was one. */
bool gl_check(const char *what, sinew_error *error);

/* ---- the bound buffer's memory, written and read by the CPU ---- */

/* A part of a buffer that is being written. */
typedef struct buffer_write {
  GLenum target;
  GLintptr offset;
  GLsizeiptr size;
  void *memory;
} buffer_write;

/* Memory for all bytes of that part, which must be written and not read; NULL if there is none. */
void *buffer_begin(buffer_write *made, GLenum target, size_t offset, size_t size);
/* Hands them to the GPU. False if the system has taken the memory away. */
bool buffer_end(buffer_write *made);

void buffer_read(GLenum target, size_t size, void *bytes);

/* ---- sets the offset of an attribute in the bound buffer in bytes ---- */

static inline const void *buffer_offset(size_t bytes) { return (const void *)(uintptr_t)bytes; }

void vertex_array_enable(GLuint attribute, GLint size, GLenum type, bool normalized, size_t stride, size_t offset);
/* Four integers that stay integers. */
void vertex_array_enable_integers(GLuint attribute, GLenum type, size_t stride, size_t offset);

/* ---- tells a rasteriser that runs on the CPU from a GPU, by the name of the current context ---- */

bool gl_is_software(void);

/* Measures the GPU's time for parts of a picture. Results arrive some pictures later, and nothing waits for them. */

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

/* ---- how a draw joins the scene's light ---- */

/* Light, by the opacity in alpha. */
static inline void blend_light(void) {
  glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
}

/* Colours that are shown as they are, by the opacity in alpha. */
static inline void blend_colors(void) {
  glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ZERO, GL_ONE_MINUS_SRC_ALPHA);
}

/* The same where alpha chooses samples: what is drawn replaces what was there. */
static inline void replace_colors(void) { glBlendFuncSeparate(GL_ONE, GL_ZERO, GL_ZERO, GL_ZERO); }

#endif
