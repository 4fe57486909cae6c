/* assimp_scene – the parts of the conversion from Assimp's scene; only assimp_*.c include this. */
#ifndef SINEW_IMPORT_ASSIMP_SCENE_H
#define SINEW_IMPORT_ASSIMP_SCENE_H

#include "import/raw/raw.h"
#include "import/raw/raw_nodes.h"
#include "import/source/files.h"

#include <assimp/cfileio.h>
#include <assimp/scene.h>

typedef struct assimp_source {
  raw_model *raw;
  const struct aiScene *scene;
  const struct aiNode **nodes; /* parallel to raw->nodes */
  name_index names;            /* built once meshes have shown which nodes are joints */
} assimp_source;

sinew_mat3x4 assimp_matrix(const struct aiMatrix4x4 *matrix);

/* aiString to raw memory; cut at the string's own end. */
char *assimp_string(raw_model *raw, const struct aiString *text);

/* assimp_import.c: the node tree, depth first, without what Assimp invents. */
bool assimp_read_nodes(assimp_source *source);

/* assimp_mesh.c: each mesh, once for every node that has it. */
bool assimp_read_meshes(assimp_source *source);

/* assimp_clips.c: animations; needs nodes and meshes. */
bool assimp_read_clips(assimp_source *source);

/* assimp_material.c: materials, and the images that they use. */
bool assimp_read_materials(assimp_source *source);

/* assimp_import.c: file access for Assimp, confined by `files`. */
struct aiFileIO assimp_io(const import_files *files);

#endif
