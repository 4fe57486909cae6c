/* gltf_memory – the memory of cJSON for a file: many small blocks in sequence, freed all at once, because freeing them
 * one by one would take as long as reading them. */
#ifndef SINEW_IMPORT_GLTF_MEMORY_H
#define SINEW_IMPORT_GLTF_MEMORY_H

#include <stdbool.h>

typedef struct gltf_piece gltf_piece;

/* From now on, memory that cJSON allocates on this thread belongs to `pieces`. Pass NULL when cJSON is done. */
void gltf_memory_use(gltf_piece **pieces);
void gltf_memory_release(gltf_piece **pieces);

#endif
