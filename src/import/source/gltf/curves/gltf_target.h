/* gltf_target – the property that an animation channel moves; only gltf_*.c include this. */
#ifndef SINEW_IMPORT_GLTF_TARGET_H
#define SINEW_IMPORT_GLTF_TARGET_H

#include "import/source/gltf/gltf_file.h"

typedef struct gltf_target {
  bool is_known;
  track_kind kind;
  int node;            /* the file's, or -1 */
  int mesh;            /* the file's mesh, all of whose nodes are targets; or -1 */
  int weight;          /* of one target; -1: of all */
  const char *pointer; /* of KHR_animation_pointer, or NULL */
} gltf_target;

gltf_target gltf_target_read(const gltf *g, const cJSON *json);

#endif
