#include <glad/gl.h>
#include <GLFW/glfw3.h> /* breach: only src/host/window.c */
