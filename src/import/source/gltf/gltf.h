/* gltf – reads glTF 2.0 (.gltf, .glb) into a raw_model. docs/formats.md lists what is read, converted, noted and
 * refused. */
#ifndef SINEW_IMPORT_GLTF_H
#define SINEW_IMPORT_GLTF_H

#include "import/raw/raw.h"
#include "import/source/files.h"

typedef struct gltf gltf;

/* Parses the JSON. NULL and raw->error set where the file is broken or memory runs out. */
gltf *gltf_open(raw_model *raw, const import_files *files);
void gltf_close(gltf *g); /* NULL is allowed; nothing of the raw model points into it */

/* glTF 1.0 has another structure, and is another reader's. */
bool gltf_is_version_2(const gltf *g);

/* Fills the raw model: nodes, meshes, materials, clips. Of a file that only gives clips (`clips_only`), meshes are read
 * as far as clips name them, and materials not at all. False where the file must be refused or memory runs out. */
bool gltf_fill(gltf *g, bool clips_only);

#endif
