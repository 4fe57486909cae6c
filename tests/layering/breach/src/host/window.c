#include <EGL/egl.h> /* breach: only src/host/offscreen.c */
#include <GLFW/glfw3.h>
