/* gltf – reads glTF 2.0 (.gltf, .glb) into a raw_model. docs/formats.md lists what is read, converted, noted and
 * refused. */
#ifndef SINEW_IMPORT_GLTF_H
#define SINEW_IMPORT_GLTF_H

#include "import/raw/raw.h"
#include "import/source/files.h"

typedef struct gltf gltf;

/* Parses the JSON. Returns NULL and sets raw->error if the file is broken or memory runs out. */
gltf *gltf_open(raw_model *raw, const import_files *files);
void gltf_close(gltf *g); /* NULL is allowed; nothing of the raw model points into it */

/* glTF 1.0 has a different structure, and is left to another reader. */
bool gltf_is_version_2(const gltf *g);

/* Fills the raw model: nodes, meshes, materials, clips. With `clips_only`, reads meshes only as far as clips refer to
 * them, and no materials. False if the file must be rejected or memory runs out. */
bool gltf_fill(gltf *g, bool clips_only);

#endif
