/* gltf_vrm – reads the VRM 0 or 1 data about a person from a glTF file; only gltf_*.c include this. */
#ifndef SINEW_IMPORT_GLTF_VRM_H
#define SINEW_IMPORT_GLTF_VRM_H

#include "import/source/gltf/gltf_file.h"

/* After the nodes: finds the nodes of the parts of the body, and the direction that the person faces (VRM 0: −z). */
bool gltf_read_vrm_body(gltf *g);

/* At the end: adds expressions as morph targets with their names. An expression of a mesh is the weighted sum of its
 * targets' shapes. */
bool gltf_read_vrm_expressions(gltf *g);

#endif
