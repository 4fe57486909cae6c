/* shaders – the GLSL of the pictures, read again when its files are saved. */
#ifndef SINEW_HOST_SHADERS_H
#define SINEW_HOST_SHADERS_H

#include <sinew/host.h>

/* Watches the files in shaders/. */
void shaders_watch(sinew_host *host);
/* True where the file is one of them: they have been read again, or the overlay says what is wrong with them. */
bool shaders_changed(sinew_host *host, const char *path);

#endif
