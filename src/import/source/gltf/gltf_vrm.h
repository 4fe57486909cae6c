/* gltf_vrm – reads the VRM 0 or 1 data about a person from a glTF file; only gltf_*.c include this. */
#ifndef SINEW_IMPORT_GLTF_VRM_H
#define SINEW_IMPORT_GLTF_VRM_H

#include "import/source/gltf/gltf_file.h"

/* After the nodes: which of them are which part of a body, and which way the person looks (VRM 0: along −z). */
bool gltf_read_vrm_body(gltf *g);

/* After all else: expressions as morph targets of their names. An expression of a mesh is the sum of its targets'
 * shapes by their weights. */
bool gltf_read_vrm_expressions(gltf *g);

#endif
