#include <GLFW/glfw3.h> /* breach: only src/host/display/window.c */
#include <glad/gl.h>
