#include "host/display/offscreen.h"

#include "base/error.h"
#include "base/memory/memory.h"
#include "host/display/gl_versions.h"

#include <EGL/egl.h>
#include <EGL/eglext.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef EGL_PLATFORM_SURFACELESS_MESA
#define EGL_PLATFORM_SURFACELESS_MESA 0x31DD
#endif

enum { MAX_DEVICES = 16 };

struct offscreen {
  EGLDisplay display;
  EGLContext context;
  EGLSurface surface;
};

static bool has_word(const char *list, const char *word) {
  size_t length = strlen(word);
  for (const char *at = list; at && (at = strstr(at, word)); at += length) {
    bool begins = at == list || at[-1] == ' ';
    if (begins && (at[length] == ' ' || at[length] == '\0')) return true;
  }
  return false;
}

static const char *error_name(EGLint code) {
  switch (code) {
  case EGL_SUCCESS: return "no reason given";
  case EGL_NOT_INITIALIZED: return "EGL_NOT_INITIALIZED";
  case EGL_BAD_MATCH: return "EGL_BAD_MATCH";
  case EGL_BAD_CONFIG: return "EGL_BAD_CONFIG";
  case EGL_BAD_ATTRIBUTE: return "EGL_BAD_ATTRIBUTE";
  case EGL_BAD_ALLOC: return "EGL_BAD_ALLOC";
  default: return "an EGL error";
  }
}

static bool wants_es(void) { return getenv("SINEW_GL_ES") != NULL; }

static const char *api_name(void) { return wants_es() ? "OpenGL ES 3.0" : "OpenGL 3.3 core"; }

static EGLConfig choose_config(EGLDisplay display, EGLint surface_type) {
  const EGLint wanted[] = {EGL_SURFACE_TYPE,
                           surface_type,
                           EGL_RENDERABLE_TYPE,
                           wants_es() ? EGL_OPENGL_ES3_BIT : EGL_OPENGL_BIT,
                           EGL_RED_SIZE,
                           8,
                           EGL_GREEN_SIZE,
                           8,
                           EGL_BLUE_SIZE,
                           8,
                           EGL_NONE};
  EGLConfig config = NULL;
  EGLint count = 0;
  return eglChooseConfig(display, wanted, &config, 1, &count) && count > 0 ? config : NULL;
}

static EGLContext create_context(EGLDisplay display, EGLConfig config, const int version[2]) {
  static const EGLint es[] = {EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, 0, EGL_NONE};
  const EGLint wanted[] = {EGL_CONTEXT_MAJOR_VERSION,
                           version[0],
                           EGL_CONTEXT_MINOR_VERSION,
                           version[1],
                           EGL_CONTEXT_OPENGL_PROFILE_MASK,
                           EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                           EGL_CONTEXT_OPENGL_DEBUG,
                           getenv("SINEW_GL_DEBUG") ? EGL_TRUE : EGL_FALSE,
                           EGL_NONE};
  return eglCreateContext(display, config, EGL_NO_CONTEXT, wants_es() ? es : wanted);
}

static EGLContext create_newest_context(EGLDisplay display, EGLConfig config) {
  EGLContext made = EGL_NO_CONTEXT;
  for (int i = 0; i < GL_VERSIONS && made == EGL_NO_CONTEXT; i++)
    made = create_context(display, config, gl_versions[i]);
  return made;
}

/* Makes the context current without a surface if the driver allows it, else with a small pbuffer: pictures are drawn
 * into framebuffer objects either way. */
static bool make_current(offscreen *made, EGLConfig config) {
  if (has_word(eglQueryString(made->display, EGL_EXTENSIONS), "EGL_KHR_surfaceless_context") &&
      eglMakeCurrent(made->display, EGL_NO_SURFACE, EGL_NO_SURFACE, made->context))
    return true;
  const EGLint size[] = {EGL_WIDTH, 1, EGL_HEIGHT, 1, EGL_NONE};
  made->surface = eglCreatePbufferSurface(made->display, config, size);
  return made->surface != EGL_NO_SURFACE && eglMakeCurrent(made->display, made->surface, made->surface, made->context);
}

/* The display stays open: it belongs to the process, and closing it would destroy the contexts of its other users. */
static void release(offscreen *made) {
  if (made->display == EGL_NO_DISPLAY) return;
  if (made->context != EGL_NO_CONTEXT && eglGetCurrentContext() == made->context)
    eglMakeCurrent(made->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
  if (made->surface != EGL_NO_SURFACE) eglDestroySurface(made->display, made->surface);
  if (made->context != EGL_NO_CONTEXT) eglDestroyContext(made->display, made->context);
  *made = (offscreen){.display = EGL_NO_DISPLAY, .context = EGL_NO_CONTEXT, .surface = EGL_NO_SURFACE};
}

/* Tries one display; on failure, `found` describes it. */
static bool try_display(offscreen *made, EGLDisplay display, char *found, size_t size) {
  EGLint major, minor;
  if (display == EGL_NO_DISPLAY || !eglInitialize(display, &major, &minor)) return false;
  made->display = display;
  const char *vendor = eglQueryString(display, EGL_VENDOR);
  snprintf(found, size, "EGL %d.%d by %s", major, minor, vendor ? vendor : "an unknown vendor");
  EGLConfig config = choose_config(display, EGL_PBUFFER_BIT);
  if (!config) config = choose_config(display, 0);
  if (config && eglBindAPI(wants_es() ? EGL_OPENGL_ES_API : EGL_OPENGL_API)) {
    made->context = create_newest_context(display, config);
    if (made->context != EGL_NO_CONTEXT && make_current(made, config)) return true;
  }
  size_t used = strlen(found);
  snprintf(found + used, size - used, " without %s (%s)", api_name(), error_name(eglGetError()));
  release(made);
  return false;
}

/* Tries every device that EGL lists, in order: hardware comes before software rasterisers. */
static bool try_devices(offscreen *made, PFNEGLGETPLATFORMDISPLAYEXTPROC platform_display, char *found, size_t size) {
  PFNEGLQUERYDEVICESEXTPROC query = (PFNEGLQUERYDEVICESEXTPROC)eglGetProcAddress("eglQueryDevicesEXT");
  EGLDeviceEXT devices[MAX_DEVICES];
  EGLint count = 0;
  if (!query || !query(MAX_DEVICES, devices, &count)) return false;
  for (int i = 0; i < count; i++)
    if (try_display(made, platform_display(EGL_PLATFORM_DEVICE_EXT, devices[i], NULL), found, size)) return true;
  return false;
}

static bool try_all(offscreen *made, char *found, size_t size) {
  const char *extensions = eglQueryString(EGL_NO_DISPLAY, EGL_EXTENSIONS);
  PFNEGLGETPLATFORMDISPLAYEXTPROC platform_display =
      (PFNEGLGETPLATFORMDISPLAYEXTPROC)eglGetProcAddress("eglGetPlatformDisplayEXT");
  if (platform_display && has_word(extensions, "EGL_EXT_platform_device") &&
      try_devices(made, platform_display, found, size))
    return true;
  if (platform_display && has_word(extensions, "EGL_MESA_platform_surfaceless") &&
      try_display(made, platform_display(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL), found, size))
    return true;
  return try_display(made, eglGetDisplay(EGL_DEFAULT_DISPLAY), found, size);
}

offscreen *offscreen_create(sinew_error *error) {
  offscreen *made = mem_alloc_zeroed(sizeof *made);
  if (!made) {
    error_memory(error, "an offscreen context", sizeof *made);
    return NULL;
  }
  *made = (offscreen){.display = EGL_NO_DISPLAY, .context = EGL_NO_CONTEXT, .surface = EGL_NO_SURFACE};
  char found[256] = "no EGL display";
  if (try_all(made, found, sizeof found)) return made;
  mem_free(made);
  error_set(error, "offscreen picture: found %s; %s through EGL is needed (on Debian: libegl1 and libgl1-mesa-dri)",
            found, api_name());
  return NULL;
}

void offscreen_destroy(offscreen *context) {
  if (!context) return;
  release(context);
  mem_free(context);
}

void *offscreen_proc(const char *name) {
  void *found;
  __eglMustCastToProperFunctionPointerType function = eglGetProcAddress(name);
  memcpy(&found, &function, sizeof found); /* ISO C has no cast from function to object pointer */
  return found;
}
