#include <GLFW/glfw3.h>
#include <EGL/egl.h> /* breach: only src/host/offscreen.c */
