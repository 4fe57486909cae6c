#include "host/display/window.h"

#include "base/clock.h"
#include "base/error.h"
#include "base/memory/memory.h"
#include "host/display/gl_versions.h"
#include "host/input/gamepad.h"
#include "host/ui/ui.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct window {
  GLFWwindow *glfw;
  input *in;
  bool vsync;
  GLFWcursor *cursors[UI_CURSOR_COUNT]; /* made when they are first shown */
  int cursor;
  int usual[4];   /* position and size before full screen */
  double period;  /* seconds between two pictures of the display */
  double swapped; /* when the last picture was shown */
  gamepad pad;    /* all of them together */
  bool plugged[GLFW_JOYSTICK_LAST + 1];
};

static int windows_open;
static char glfw_reason[256]; /* because GLFW reports errors through a callback without a user pointer */

static void on_error(int code, const char *text) {
  (void)code;
  snprintf(glfw_reason, sizeof glfw_reason, "%s", text);
}

/* ---- keys ---- */

static const struct {
  int glfw;
  const char *name;
} keys[] = {
    {GLFW_KEY_SPACE, "space"},
    {GLFW_KEY_LEFT, "left"},
    {GLFW_KEY_RIGHT, "right"},
    {GLFW_KEY_UP, "up"},
    {GLFW_KEY_DOWN, "down"},
    {GLFW_KEY_ESCAPE, "escape"},
    {GLFW_KEY_ENTER, "enter"},
    {GLFW_KEY_TAB, "tab"},
    {GLFW_KEY_BACKSPACE, "backspace"},
    {GLFW_KEY_DELETE, "delete"},
    {GLFW_KEY_INSERT, "insert"},
    {GLFW_KEY_HOME, "home"},
    {GLFW_KEY_END, "end"},
    {GLFW_KEY_PAGE_UP, "page_up"},
    {GLFW_KEY_PAGE_DOWN, "page_down"},
    {GLFW_KEY_LEFT_SHIFT, "left_shift"},
    {GLFW_KEY_LEFT_CONTROL, "left_ctrl"},
    {GLFW_KEY_LEFT_ALT, "left_alt"},
    {GLFW_KEY_LEFT_SUPER, "left_super"},
    {GLFW_KEY_RIGHT_SHIFT, "right_shift"},
    {GLFW_KEY_RIGHT_CONTROL, "right_ctrl"},
    {GLFW_KEY_RIGHT_ALT, "right_alt"},
    {GLFW_KEY_RIGHT_SUPER, "right_super"},
    {GLFW_KEY_MINUS, "minus"},
    {GLFW_KEY_EQUAL, "equal"},
    {GLFW_KEY_LEFT_BRACKET, "left_bracket"},
    {GLFW_KEY_RIGHT_BRACKET, "right_bracket"},
    {GLFW_KEY_BACKSLASH, "backslash"},
    {GLFW_KEY_SEMICOLON, "semicolon"},
    {GLFW_KEY_APOSTROPHE, "apostrophe"},
    {GLFW_KEY_GRAVE_ACCENT, "grave"},
    {GLFW_KEY_COMMA, "comma"},
    {GLFW_KEY_PERIOD, "period"},
    {GLFW_KEY_SLASH, "slash"},
    {GLFW_KEY_CAPS_LOCK, "caps_lock"},
    {GLFW_KEY_PAUSE, "pause"},
    {GLFW_KEY_MENU, "menu"},
    {GLFW_KEY_KP_ADD, "kp_add"},
    {GLFW_KEY_KP_SUBTRACT, "kp_subtract"},
    {GLFW_KEY_KP_MULTIPLY, "kp_multiply"},
    {GLFW_KEY_KP_DIVIDE, "kp_divide"},
    {GLFW_KEY_KP_DECIMAL, "kp_decimal"},
    {GLFW_KEY_KP_ENTER, "kp_enter"},
};

/* GLFW numbers letters, digits and function keys consecutively. */
static int find_in_series(int key) {
  char name[16] = "";
  if (key >= GLFW_KEY_A && key <= GLFW_KEY_Z) snprintf(name, sizeof name, "%c", 'a' + key - GLFW_KEY_A);
  if (key >= GLFW_KEY_0 && key <= GLFW_KEY_9) snprintf(name, sizeof name, "%c", '0' + key - GLFW_KEY_0);
  if (key >= GLFW_KEY_F1 && key <= GLFW_KEY_F12) snprintf(name, sizeof name, "f%d", 1 + key - GLFW_KEY_F1);
  if (key >= GLFW_KEY_KP_0 && key <= GLFW_KEY_KP_9) snprintf(name, sizeof name, "kp_%d", key - GLFW_KEY_KP_0);
  return input_find_key(name);
}

static int find_key(int key) {
  for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
    if (keys[i].glfw == key) return input_find_key(keys[i].name);
  return find_in_series(key);
}

/* ---- what the system reports ---- */

static window *window_of(GLFWwindow *glfw) { return glfwGetWindowUserPointer(glfw); }

static void on_key(GLFWwindow *glfw, int key, int scancode, int action, int mods) {
  (void)scancode, (void)mods;
  if (action != GLFW_REPEAT) input_push_key(window_of(glfw)->in, find_key(key), action == GLFW_PRESS);
}

static void on_character(GLFWwindow *glfw, unsigned character) { input_push_character(window_of(glfw)->in, character); }

static void on_button(GLFWwindow *glfw, int button, int action, int mods) {
  (void)mods;
  input_push_button(window_of(glfw)->in, button + 1, action == GLFW_PRESS);
}

/* GLFW reports the mouse in the window's units; we use pixels of the framebuffer. */
static void on_move(GLFWwindow *glfw, double x, double y) {
  int width, height, pixels_x, pixels_y;
  glfwGetWindowSize(glfw, &width, &height);
  glfwGetFramebufferSize(glfw, &pixels_x, &pixels_y);
  if (width <= 0 || height <= 0) return;
  input_push_move(window_of(glfw)->in, (float)(x * pixels_x / width), (float)(y * pixels_y / height));
}

static void on_wheel(GLFWwindow *glfw, double x, double y) {
  (void)x;
  input_push_wheel(window_of(glfw)->in, (float)y);
}

static void on_focus(GLFWwindow *glfw, int focused) {
  if (!focused) input_push_release_all(window_of(glfw)->in);
}

static void on_drop(GLFWwindow *glfw, int count, const char *paths[]) {
  for (int i = 0; i < count; i++) input_push_drop(window_of(glfw)->in, paths[i]);
}

static void listen(window *w) {
  glfwSetWindowUserPointer(w->glfw, w);
  glfwSetKeyCallback(w->glfw, on_key);
  glfwSetCharCallback(w->glfw, on_character);
  glfwSetMouseButtonCallback(w->glfw, on_button);
  glfwSetCursorPosCallback(w->glfw, on_move);
  glfwSetScrollCallback(w->glfw, on_wheel);
  glfwSetWindowFocusCallback(w->glfw, on_focus);
  glfwSetDropCallback(w->glfw, on_drop);
}

/* ---- gamepads ---- */

/* Logs once when a gamepad is plugged in or removed. */
static void tell_plug(int joystick, bool there) {
  const char *name = there ? glfwGetJoystickName(joystick) : NULL;
  if (!there) sinew_log(SINEW_LOG_INFO, "gamepad %d is gone", joystick + 1);
  else if (glfwJoystickIsGamepad(joystick))
    sinew_log(SINEW_LOG_INFO, "gamepad %d: %s", joystick + 1, glfwGetGamepadName(joystick));
  else
    sinew_log(SINEW_LOG_WARNING, "%s is not a known gamepad; SDL_GAMECONTROLLERCONFIG may describe it",
              name ? name : "a joystick");
}

static void read_gamepad(int joystick, gamepad_state *all) {
  GLFWgamepadstate read;
  gamepad_state one;
  if (!glfwGetGamepadState(joystick, &read)) return;
  for (int i = 0; i < GAMEPAD_BUTTONS; i++) one.buttons[i] = read.buttons[i] == GLFW_PRESS;
  for (int i = 0; i < GAMEPAD_AXES; i++) one.axes[i] = read.axes[i];
  gamepad_join(all, &one);
}

/* Gamepads have no focus, so a window without the focus ignores them. */
static void poll_gamepads(window *w) {
  gamepad_state all = gamepad_rest();
  bool focused = glfwGetWindowAttrib(w->glfw, GLFW_FOCUSED);
  for (int i = GLFW_JOYSTICK_1; i <= GLFW_JOYSTICK_LAST; i++) {
    bool there = glfwJoystickPresent(i);
    if (there != w->plugged[i]) tell_plug(i, there);
    w->plugged[i] = there;
    if (there && focused) read_gamepad(i, &all);
  }
  gamepad_update(&w->pad, &all, w->in);
}

/* ---- open and close ---- */

/* GLFW knows the gamepads in SDL's list; users may add more in the same format. */
static bool add_mappings(void) {
  const char *more = getenv("SDL_GAMECONTROLLERCONFIG");
  if (more && !glfwUpdateGamepadMappings(more))
    sinew_log(SINEW_LOG_WARNING, "SDL_GAMECONTROLLERCONFIG could not be read: %s", glfw_reason);
  return true;
}

static bool start_glfw(const window_def *def, sinew_error *error) {
  glfw_reason[0] = '\0';
  glfwSetErrorCallback(on_error);
  if (glfwInit()) return add_mappings();
  const char *display = getenv("DISPLAY"), *advice = def->in ? "; --headless draws without one" : "";
  if (!display && !getenv("WAYLAND_DISPLAY"))
    return error_set(error, "no window: there is no display (neither DISPLAY nor WAYLAND_DISPLAY is set)%s", advice);
  return error_set(error, "no window: the display %s could not be opened (%s)%s",
                   display ? display : getenv("WAYLAND_DISPLAY"), glfw_reason, advice);
}

static void hint_core(const int version[2]) {
  glfwDefaultWindowHints();
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, version[0]);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, version[1]);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
  glfwWindowHint(GLFW_OPENGL_DEBUG_CONTEXT, getenv("SINEW_GL_DEBUG") ? GLFW_TRUE : GLFW_FALSE);
  glfwWindowHint(GLFW_SCALE_TO_MONITOR, GLFW_TRUE);
  glfwWindowHint(GLFW_DEPTH_BITS, 0); /* the renderer has its own */
  glfwWindowHint(GLFW_STENCIL_BITS, 0);
}

/* Asks for any context at all, to report what this machine offers. */
static bool say_what_was_found(sinew_error *error) {
  char reason[sizeof glfw_reason];
  memcpy(reason, glfw_reason, sizeof reason);
  glfwDefaultWindowHints();
  glfwWindowHint(GLFW_VISIBLE, GLFW_FALSE);
  GLFWwindow *any = glfwCreateWindow(16, 16, "", NULL, NULL);
  if (!any) return error_set(error, "no window: OpenGL 3.3 core is needed, no OpenGL at all was found (%s)", reason);
  int major = glfwGetWindowAttrib(any, GLFW_CONTEXT_VERSION_MAJOR);
  int minor = glfwGetWindowAttrib(any, GLFW_CONTEXT_VERSION_MINOR);
  glfwDestroyWindow(any);
  return error_set(error, "no window: OpenGL 3.3 core is needed, OpenGL %d.%d was found (%s)", major, minor, reason);
}

static double display_period(void) {
  GLFWmonitor *monitor = glfwGetPrimaryMonitor();
  const GLFWvidmode *mode = monitor ? glfwGetVideoMode(monitor) : NULL;
  return 1.0 / (mode && mode->refreshRate >= 24 ? mode->refreshRate : 60);
}

static GLFWwindow *create_newest_window(const window_def *def) {
  GLFWwindow *made = NULL;
  for (int i = 0; i < GL_VERSIONS && !made; i++) {
    hint_core(gl_versions[i]);
    glfwWindowHint(GLFW_VISIBLE, def->in ? GLFW_TRUE : GLFW_FALSE);
    made = glfwCreateWindow(def->width, def->height, def->title ? def->title : "Sinew", NULL, NULL);
  }
  return made;
}

static bool open_window(window *w, const window_def *def, sinew_error *error) {
  w->glfw = create_newest_window(def);
  if (!w->glfw) return say_what_was_found(error);
  w->in = def->in;
  w->vsync = def->vsync;
  w->period = display_period();
  w->swapped = clock_seconds();
  if (w->in) listen(w);
  glfwMakeContextCurrent(w->glfw);
  glfwSwapInterval(def->vsync ? 1 : 0);
  return true;
}

window *window_create(const window_def *def, sinew_error *error) {
  if (!start_glfw(def, error)) return NULL;
  window *w = mem_alloc_zeroed(sizeof *w);
  if (!w) error_memory(error, "a window", sizeof *w);
  if (w && open_window(w, def, error)) {
    windows_open++;
    return w;
  }
  mem_free(w);
  if (windows_open == 0) glfwTerminate();
  return NULL;
}

void window_destroy(window *w) {
  if (!w) return;
  glfwDestroyWindow(w->glfw);
  for (int i = 0; i < UI_CURSOR_COUNT; i++)
    if (w->cursors[i]) glfwDestroyCursor(w->cursors[i]);
  if (--windows_open == 0) glfwTerminate();
  mem_free(w);
}

/* ---- each frame ---- */

void window_poll(window *w, double seconds) {
  if (seconds > 0) glfwWaitEventsTimeout(seconds);
  else glfwPollEvents();
  if (w->in) poll_gamepads(w);
}

/* For virtual displays and hidden windows, a swap returns at once, and the loop would take a whole core. */
static void wait_for_display(window *w) {
  double left = w->period * 0.9 - (clock_seconds() - w->swapped);
  if (!w->vsync || left <= 0) return;
  struct timespec pause = {0, (long)(left * 1e9)};
  nanosleep(&pause, NULL);
}

void window_swap(window *w) {
  glfwSwapBuffers(w->glfw);
  wait_for_display(w);
  w->swapped = clock_seconds();
}

bool window_is_closing(const window *w) { return glfwWindowShouldClose(w->glfw); }

void window_size(const window *w, int *width, int *height) {
  glfwGetFramebufferSize(w->glfw, width, height);
  if (glfwGetWindowAttrib(w->glfw, GLFW_ICONIFIED)) *width = *height = 0;
}

float window_scale(const window *w) {
  float x = 1, y = 1;
  glfwGetWindowContentScale(w->glfw, &x, &y);
  return x >= 0.5f && x <= 8 ? x : 1;
}

/* How much of the window is on the display, in square units of the desktop. */
static int64_t area_on(const window *w, GLFWmonitor *monitor) {
  int x, y, width, height, left, top;
  const GLFWvidmode *mode = glfwGetVideoMode(monitor);
  glfwGetWindowPos(w->glfw, &x, &y);
  glfwGetWindowSize(w->glfw, &width, &height);
  glfwGetMonitorPos(monitor, &left, &top);
  if (!mode) return 0;
  int right = x + width < left + mode->width ? x + width : left + mode->width;
  int bottom = y + height < top + mode->height ? y + height : top + mode->height;
  int64_t wide = right - (x > left ? x : left), high = bottom - (y > top ? y : top);
  return wide > 0 && high > 0 ? wide * high : 0;
}

static GLFWmonitor *display_of(const window *w) {
  int count = 0;
  GLFWmonitor **monitors = glfwGetMonitors(&count), *best = glfwGetPrimaryMonitor();
  for (int i = 0; i < count; i++)
    if (area_on(w, monitors[i]) > area_on(w, best)) best = monitors[i];
  return best;
}

bool window_is_fullscreen(const window *w) { return glfwGetWindowMonitor(w->glfw) != NULL; }

void window_set_fullscreen(window *w, bool on) {
  int *u = w->usual;
  if (on == window_is_fullscreen(w)) return;
  GLFWmonitor *display = on ? display_of(w) : NULL;
  const GLFWvidmode *mode = display ? glfwGetVideoMode(display) : NULL;
  if (!on) {
    glfwSetWindowMonitor(w->glfw, NULL, u[0], u[1], u[2], u[3], 0);
  } else if (mode) {
    glfwGetWindowPos(w->glfw, &u[0], &u[1]);
    glfwGetWindowSize(w->glfw, &u[2], &u[3]);
    glfwSetWindowMonitor(w->glfw, display, 0, 0, mode->width, mode->height, mode->refreshRate);
  }
  glfwSwapInterval(w->vsync ? 1 : 0); /* some drivers forget it when the window changes its display */
}

void window_set_clipboard(window *w, const char *text) { glfwSetClipboardString(w->glfw, text); }

const char *window_clipboard(const window *w) { return glfwGetClipboardString(w->glfw); }

void window_set_cursor(window *w, int shape) {
  static const int shapes[UI_CURSOR_COUNT] = {GLFW_ARROW_CURSOR, GLFW_IBEAM_CURSOR, GLFW_HRESIZE_CURSOR,
                                              GLFW_VRESIZE_CURSOR, GLFW_HAND_CURSOR};
  if (shape == w->cursor) return;
  if (!w->cursors[shape]) w->cursors[shape] = glfwCreateStandardCursor(shapes[shape]);
  glfwSetCursor(w->glfw, w->cursors[shape]); /* NULL, if the system has none, is the arrow */
  w->cursor = shape;
}

void *window_proc(const char *name) {
  void (*function)(void) = glfwGetProcAddress(name);
  void *pointer; /* ISO C has no cast from a function to a pointer to data */
  memcpy(&pointer, &function, sizeof pointer);
  return pointer;
}
