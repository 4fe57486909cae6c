/* gltf_memory – where cJSON keeps a file: many small things one after the other, which go all at once. Releasing them
 * one by one took as long as reading them. */
#ifndef SINEW_IMPORT_GLTF_MEMORY_H
#define SINEW_IMPORT_GLTF_MEMORY_H

#include <stdbool.h>

typedef struct gltf_piece gltf_piece;

/* What this thread's cJSON asks for from now on belongs to `pieces`; NULL: it asks for nothing. */
void gltf_memory_use(gltf_piece **pieces);
void gltf_memory_release(gltf_piece **pieces);

#endif
