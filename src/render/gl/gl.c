#include "render/gl/gl.h"

#include "base/error.h"
#include "base/memory/memory.h"

#include <string.h>

/* Finds the functions of the current context: OpenGL 3.3 core or newer, or OpenGL ES 3.0 or newer, of which WebGL 2 is
 * a form. The renderer uses what both have; where they differ, it asks gl_is_es. */

/* glad's loader returns a function, ours an object pointer, as callers of GLFW write it. */
static void *(*find_proc)(const char *name);
static bool is_es;

static GLADapiproc load_proc(const char *name) {
  void *found = find_proc(name);
  GLADapiproc function;
  memcpy(&function, &found, sizeof function);
  return function;
}

bool gl_is_es(void) { return is_es; }

bool gl_load(void *(*proc_address)(const char *name), sinew_error *error) {
  static const char es_prefix[] = "OpenGL ES ";
  if (!proc_address) return error_set(error, "the renderer needs proc_address to find OpenGL");
  find_proc = proc_address;
  PFNGLGETSTRINGPROC get_string = (PFNGLGETSTRINGPROC)load_proc("glGetString");
  const char *name = get_string ? (const char *)get_string(GL_VERSION) : NULL;
  if (!name) return error_set(error, "no OpenGL context is current; OpenGL 3.3 core or OpenGL ES 3.0 is needed");
  is_es = strncmp(name, es_prefix, sizeof es_prefix - 1) == 0;
  if (is_es) GLAD_GL_VERSION_4_3 = 0; /* of another context in this process */
  int version = is_es ? gladLoadGLES2(load_proc) : gladLoadGL(load_proc);
  if (version >= (is_es ? GLAD_MAKE_VERSION(3, 0) : GLAD_MAKE_VERSION(3, 3))) return true;
  return error_set(error, "found OpenGL%s %d.%d by %s, but OpenGL 3.3 core or OpenGL ES 3.0 is needed",
                   is_es ? " ES" : "", GLAD_VERSION_MAJOR(version), GLAD_VERSION_MINOR(version),
                   (const char *)glGetString(GL_RENDERER));
}

/* ---- logs the driver's error messages ---- */

static const char *error_name(GLenum code) {
  switch (code) {
  case GL_INVALID_ENUM: return "GL_INVALID_ENUM";
  case GL_INVALID_VALUE: return "GL_INVALID_VALUE";
  case GL_INVALID_OPERATION: return "GL_INVALID_OPERATION";
  case GL_INVALID_FRAMEBUFFER_OPERATION: return "GL_INVALID_FRAMEBUFFER_OPERATION";
  case GL_OUT_OF_MEMORY: return "GL_OUT_OF_MEMORY";
  default: return "an unknown OpenGL error";
  }
}

static void GLAD_API_PTR on_message(GLenum source, GLenum type, GLuint id, GLenum severity, GLsizei length,
                                    const GLchar *message, const void *user) {
  (void)source, (void)length;
  if (severity == GL_DEBUG_SEVERITY_NOTIFICATION || type == GL_DEBUG_TYPE_PERFORMANCE || type == GL_DEBUG_TYPE_OTHER)
    return;
  int *count;
  memcpy(&count, &user, sizeof count); /* the API's type is const, but the pointer passed to it was not */
  *count += 1;
  sinew_log(SINEW_LOG_WARNING, "OpenGL message %u: %s", id, message);
}

void gl_debug_start(int *count) {
  GLint flags = 0;
  if (gl_is_es()) return;
  glGetIntegerv(GL_CONTEXT_FLAGS, &flags);
  if (!(flags & GL_CONTEXT_FLAG_DEBUG_BIT) || !glDebugMessageCallback) return;
  glEnable(GL_DEBUG_OUTPUT);
  glEnable(GL_DEBUG_OUTPUT_SYNCHRONOUS);
  glDebugMessageCallback(on_message, count);
}

void gl_debug_stop(void) {
  if (!gl_is_es() && glDebugMessageCallback) glDebugMessageCallback(NULL, NULL);
}

bool gl_check(const char *what, sinew_error *error) {
  GLenum first = glGetError();
  /* a lost context returns GL_CONTEXT_LOST for ever */
  for (int i = 0; i < 16 && first != GL_NO_ERROR && glGetError() != GL_NO_ERROR; i++) continue;
  return first == GL_NO_ERROR || error_set(error, "%s: %s", what, error_name(first));
}

/* ---- the bound buffer's memory, written and read by the CPU ---- */

void *buffer_begin(buffer_write *made, GLenum target, size_t offset, size_t size) {
  *made = (buffer_write){target, (GLintptr)offset, (GLsizeiptr)size, NULL};
  made->memory =
      gl_is_es() ? mem_alloc(size)
                 : glMapBufferRange(target, made->offset, made->size, GL_MAP_WRITE_BIT | GL_MAP_INVALIDATE_RANGE_BIT);
  return made->memory;
}

bool buffer_end(buffer_write *made) {
  if (!gl_is_es()) return glUnmapBuffer(made->target);
  glBufferSubData(made->target, made->offset, made->size, made->memory);
  mem_free(made->memory);
  return true;
}

void buffer_read(GLenum target, size_t size, void *bytes) {
  const void *memory = glMapBufferRange(target, 0, (GLsizeiptr)size, GL_MAP_READ_BIT);
  if (memory) memcpy(bytes, memory, size), (void)glUnmapBuffer(target);
}

/* ---- sets the offset of an attribute in the bound buffer in bytes ---- */

void vertex_array_enable(GLuint attribute, GLint size, GLenum type, bool normalized, size_t stride, size_t offset) {
  glEnableVertexAttribArray(attribute);
  glVertexAttribPointer(attribute, size, type, normalized ? GL_TRUE : GL_FALSE, (GLsizei)stride, buffer_offset(offset));
}

void vertex_array_enable_integers(GLuint attribute, GLenum type, size_t stride, size_t offset) {
  glEnableVertexAttribArray(attribute);
  glVertexAttribIPointer(attribute, 4, type, (GLsizei)stride, buffer_offset(offset));
}

/* ---- tells a rasteriser that runs on the CPU from a GPU, by the name of the current context ---- */

bool gl_is_software(void) {
  static const char *const names[] = {"llvmpipe", "softpipe", "SwiftShader", "Software", "GDI Generic"};
  const char *name = (const char *)glGetString(GL_RENDERER);
  for (size_t i = 0; name && i < sizeof names / sizeof *names; i++)
    if (strstr(name, names[i])) return true;
  return false;
}

/* Measures the GPU's time for parts of a picture. Results arrive some pictures later, and nothing waits for them. */

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
