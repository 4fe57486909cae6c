/* gl_versions – the versions of OpenGL to ask for, in turn: the newest that the renderer makes use of (compute
 * shaders), and the oldest that it runs on. Some drivers give a newer version than was asked for; NVIDIA's gives
 * exactly that one. */
#ifndef SINEW_HOST_GL_VERSIONS_H
#define SINEW_HOST_GL_VERSIONS_H

enum { GL_VERSIONS = 2 };
static const int gl_versions[GL_VERSIONS][2] = {{4, 3}, {3, 3}}; /* major, minor; core profile */

#endif
