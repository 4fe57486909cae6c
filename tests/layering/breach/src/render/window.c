#include <GLFW/glfw3.h> /* breach: only src/host/window.c */
#include <glad/gl.h>
