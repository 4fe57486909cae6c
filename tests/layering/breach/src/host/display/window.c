#include <EGL/egl.h> /* breach: only src/host/display/egl.c */
#include <GLFW/glfw3.h>
