#include "import/source/assimp/assimp_import.h"

#include "base/error.h"
#include "base/file.h"
#include "import/source/assimp/assimp_scene.h"

#include <assimp/cimport.h>
#include <assimp/config.h>
#include <assimp/material.h>
#include <assimp/postprocess.h>

#include <string.h>

/* Debian builds Assimp with asserts that abort: some Maya files would end the process. The linker finds this function
 * first; the checks that follow reject or repair what the assert was about. */
SINEW_API void _ZN6Assimp17aiAssertViolationEPKcS1_i(const char *expression, const char *file, int line);
void _ZN6Assimp17aiAssertViolationEPKcS1_i(const char *expression, const char *file, int line) {
  sinew_log(SINEW_LOG_WARNING, "an assertion of Assimp's failed: %s at %s:%d", expression, path_file(file), line);
}

bool assimp_reads(const char *path, sinew_error *error) {
  char dotted[32] = ".";
  const char *extension = path_extension(path);
  if (extension[0] == '\0')
    return error_set(error, "%s: has no extension that tells its format, such as .glb, .gltf, .fbx or .dae", path);
  if (strlen(extension) + 2 <= sizeof dotted) {
    strcat(dotted, extension);
    if (aiIsExtensionSupported(dotted)) return true;
  }
  return error_set(
      error,
      "%s: '.%.40s' files are not read; glTF (.glb, .gltf), VRM, FBX, Collada (.dae), MD5 (.md5mesh), BVH, X and "
      "SMD are, and the other formats of Assimp",
      path, extension);
}

/* ---- the import ---- */

static bool never_release;

void assimp_never_release(void) { never_release = true; }

/* In a clip file's meshes, only the morph targets matter. */
static bool has_morphs(const struct aiScene *scene) {
  for (unsigned i = 0; i < scene->mNumMeshes; i++)
    if (scene->mMeshes[i]->mNumAnimMeshes > 0) return true;
  return false;
}

static bool convert(raw_model *raw, const struct aiScene *scene, bool clips_only) {
  assimp_source source = {.raw = raw, .scene = scene};
  if (!assimp_read_nodes(&source)) return false;
  if ((!clips_only || has_morphs(scene)) && !assimp_read_meshes(&source)) return false;
  if (!clips_only && !assimp_read_materials(&source)) return false;
  return assimp_read_clips(&source);
}

static struct aiPropertyStore *make_properties(void) {
  struct aiPropertyStore *store = aiCreatePropertyStore();
  if (!store) return NULL;
  aiSetImportPropertyInteger(store, AI_CONFIG_IMPORT_NO_SKELETON_MESHES, 1);
  aiSetImportPropertyInteger(store, AI_CONFIG_IMPORT_COLLADA_USE_COLLADA_NAMES, 1);
  return store;
}

static const struct aiScene *run_assimp(const import_files *files, bool clips_only) {
  struct aiPropertyStore *properties = make_properties();
  struct aiFileIO io = assimp_io(files);
  unsigned steps = clips_only ? aiProcess_Triangulate
                              : aiProcess_Triangulate | aiProcess_SortByPType | aiProcess_GenSmoothNormals |
                                    aiProcess_PopulateArmatureData;
  const struct aiScene *scene = properties ? aiImportFileExWithProperties(files->path, steps, &io, properties) : NULL;
  if (properties) aiReleasePropertyStore(properties);
  return scene;
}

/* Assimp's reason as the end of our message: one line, no full stop. */
static bool refuse(const raw_model *raw) {
  char reason[512];
  size_t n = 0;
  for (const char *c = aiGetErrorString(); *c && n + 1 < sizeof reason; c++)
    reason[n++] = *c < ' ' || *c > '~' ? ' ' : *c;
  while (n > 0 && (reason[n - 1] == ' ' || reason[n - 1] == '.')) n--;
  reason[n] = '\0';
  if (n == 0) return error_set(raw->error, "%s: is not a file that can be read", raw->path);
  if (strstr(reason, "bad_alloc"))
    return error_set(raw->error, "%s: asks for more memory than an import may have", raw->path);
  return error_set(raw->error, "%s: is damaged, or not of the type that its name says (%s)", raw->path, reason);
}

bool assimp_import(raw_model *raw, const import_files *files, bool clips_only) {
  const struct aiScene *scene = run_assimp(files, clips_only);
  if (!scene) return refuse(raw);
  bool converted = convert(raw, scene, clips_only);
  if (!never_release) aiReleaseImport(scene);
  return converted;
}
