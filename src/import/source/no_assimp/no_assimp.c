/* Replaces source/assimp/ in every program that imports in its own process: only sinew-import-assimp reads the formats
 * for which we have no reader. */
#include "base/error.h"
#include "base/file.h"
#include "import/source/assimp/assimp_import.h"

bool assimp_reads(const char *path, sinew_error *error) {
  const char *extension = path_extension(path);
  if (extension[0] == '\0')
    return error_set(error, "%s: has no extension that tells its format, such as .glb, .gltf, .fbx or .dae", path);
  return error_set(error,
                   "%s: '.%.40s' files are read by sinew-import only, and not in this process; glTF (.glb, .gltf) and "
                   "FBX are",
                   path, extension);
}

bool assimp_import(raw_model *raw, const import_files *files, bool clips_only) {
  (void)files, (void)clips_only;
  return error_set(raw->error,
                   "%s: is of an old version of its format, which only sinew-import reads, and this process "
                   "does not",
                   raw->path);
}
