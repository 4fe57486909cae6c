/* shaders – reads the GLSL shaders again when their files are saved. */
#ifndef SINEW_HOST_SHADERS_H
#define SINEW_HOST_SHADERS_H

#include <sinew/host.h>

/* Watches the files in shaders/. */
void shaders_watch(sinew_host *host);
/* If the file is a shader, reads all shaders again, or shows the error in the overlay, and returns true. */
bool shaders_changed(sinew_host *host, const char *path);

#endif
