/* software – tells a rasteriser that runs on the CPU from a GPU, by the name of the current context. */
#ifndef SINEW_RENDER_SOFTWARE_H
#define SINEW_RENDER_SOFTWARE_H

#include <stdbool.h>

bool gl_is_software(void);

#endif
