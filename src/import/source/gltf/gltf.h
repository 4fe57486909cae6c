/* gltf – what Assimp drops or garbles of glTF 2.0. Before Assimp reads the file, its JSON is rewritten in memory: nodes
 * get unique names, integers become floats, a mesh is cloned for each skin that uses it, missing scenes and inverse
 * binds are added, animations are taken out. Afterwards names, curves and morph weights are read from the file itself.
 */
#ifndef SINEW_IMPORT_GLTF_H
#define SINEW_IMPORT_GLTF_H

#include "import/raw/raw.h"
#include "import/source/files.h"

typedef struct gltf gltf;

/* Parses the file and puts the rewritten one in its place in `files`. NULL and raw->error set where the file is broken
 * or memory is out. A file of glTF 1.0 is left as it is. */
gltf *gltf_open(raw_model *raw, import_files *files);
void gltf_close(gltf *g); /* NULL is fine; nothing of the raw model points into it */

/* Restores names and adds clips and weights. False where memory is out. */
bool gltf_finish(gltf *g, raw_model *raw);

#endif
