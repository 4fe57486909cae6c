#include "import/source/assimp/assimp_import.h"

#include "base/error.h"
#include "base/file.h"
#include "base/memory/memory.h"
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

/* ---- assimp io ---- */

typedef struct open_file {
  struct aiFile api; /* first member: Assimp passes it back */
  const import_files *files;
  served_file bytes;
  size_t position;
} open_file;

static size_t read_bytes(struct aiFile *file, char *out, size_t size, size_t count) {
  open_file *f = (open_file *)file;
  size_t left = f->bytes.size - f->position;
  if (size == 0) return 0;
  if (count > left / size) count = left / size;
  if (count) memcpy(out, f->bytes.data + f->position, count * size);
  f->position += count * size;
  return count;
}

static size_t write_bytes(struct aiFile *file, const char *data, size_t size, size_t count) {
  (void)file, (void)data, (void)size, (void)count;
  return 0;
}

static size_t tell(struct aiFile *file) { return ((open_file *)file)->position; }

static size_t file_size(struct aiFile *file) { return ((open_file *)file)->bytes.size; }

static void flush(struct aiFile *file) { (void)file; }

static enum aiReturn seek(struct aiFile *file, size_t offset, enum aiOrigin origin) {
  open_file *f = (open_file *)file;
  size_t base = origin == aiOrigin_SET ? 0 : origin == aiOrigin_CUR ? f->position : f->bytes.size;
  size_t position = base + offset; /* a negative offset wraps around, as intended */
  if (position > f->bytes.size) return aiReturn_FAILURE;
  f->position = position;
  return aiReturn_SUCCESS;
}

static struct aiFile *open_path(struct aiFileIO *io, const char *path, const char *mode) {
  const import_files *files = (const import_files *)(const void *)io->UserData;
  if (mode[0] != 'r') return NULL;
  open_file *f = mem_alloc_zeroed(sizeof *f);
  if (!f) return NULL;
  f->api = (struct aiFile){read_bytes, write_bytes, tell, file_size, seek, flush, NULL};
  f->files = files;
  if (files_read(files, path, &f->bytes)) return &f->api;
  mem_free(f);
  return NULL;
}

static void close_file(struct aiFileIO *io, struct aiFile *file) {
  (void)io;
  open_file *f = (open_file *)file;
  files_free(f->files, &f->bytes);
  mem_free(f);
}

struct aiFileIO assimp_io(const import_files *files) {
  return (struct aiFileIO){open_path, close_file, (aiUserData)(uintptr_t)files};
}

/* ---- assimp nodes ---- */

enum { MAX_DEPTH = 2000 };

sinew_mat3x4 assimp_matrix(const struct aiMatrix4x4 *m) {
  return (sinew_mat3x4){{m->a1, m->a2, m->a3, m->a4, m->b1, m->b2, m->b3, m->b4, m->c1, m->c2, m->c3, m->c4}};
}

char *assimp_string(raw_model *raw, const struct aiString *text) {
  size_t length = text->length < sizeof text->data ? text->length : sizeof text->data - 1;
  char *copy = raw_alloc(raw, length + 1, 1);
  if (copy) memcpy(copy, text->data, length);
  return copy;
}

/* Whether Assimp added the node above or beside the file's own. */
static bool is_invented(const assimp_source *source, const struct aiNode *node) {
  const char *name = node->mName.data;
  switch (source->raw->format) {
  case RAW_MD5:
    return strcmp(name, "<MD5_Root>") == 0 || strcmp(name, "<MD5_Mesh>") == 0 || strcmp(name, "<MD5_Hierarchy>") == 0;
  case RAW_GLTF:
  case RAW_FBX:
  case RAW_COLLADA:
  case RAW_OTHER: break;
  }
  return false;
}

/* Collada and MD5 are converted to y up, and Collada to metres, by the root's matrix. */
static bool is_root_the_conversion(const assimp_source *source, const struct aiNode *node) {
  raw_format format = source->raw->format;
  return node == source->scene->mRootNode && (format == RAW_COLLADA || format == RAW_MD5);
}

static int count_nodes(const struct aiNode *node, int depth) {
  if (depth > MAX_DEPTH) return -1;
  int count = 1;
  for (unsigned i = 0; i < node->mNumChildren; i++) {
    int below = count_nodes(node->mChildren[i], depth + 1);
    if (below < 0) return -1;
    count += below;
  }
  return count;
}

static bool add_node(assimp_source *source, const struct aiNode *from, int parent) {
  raw_model *raw = source->raw;
  int index = raw->node_count;
  raw_node *node = raw->nodes + index;
  *node = (raw_node){.name = assimp_string(raw, &from->mName),
                     .parent = parent,
                     .local = assimp_matrix(&from->mTransformation),
                     .has_mesh = from->mNumMeshes > 0};
  if (!node->name) return false;
  source->nodes[index] = from;
  raw->node_count++;
  return true;
}

static bool visit(assimp_source *source, const struct aiNode *node, int parent) {
  raw_model *raw = source->raw;
  bool conversion = is_root_the_conversion(source, node);
  if (conversion) raw->conversion = assimp_matrix(&node->mTransformation);
  if (!is_invented(source, node)) {
    int index = raw->node_count;
    if (!add_node(source, node, parent)) return false;
    if (conversion) raw->nodes[index].local = sinew_mat3x4_identity();
    parent = index;
  }
  for (unsigned i = 0; i < node->mNumChildren; i++)
    if (!visit(source, node->mChildren[i], parent)) return false;
  return true;
}

bool assimp_read_nodes(assimp_source *source) {
  raw_model *raw = source->raw;
  const struct aiNode *root = source->scene->mRootNode;
  if (!root) return error_set(raw->error, "%s: holds no nodes", raw->path);
  int count = count_nodes(root, 0);
  if (count < 0) return error_set(raw->error, "%s: nodes are nested more than %d deep", raw->path, MAX_DEPTH);
  raw->nodes = raw_alloc(raw, (size_t)count, sizeof *raw->nodes);
  raw->node_capacity = count;
  source->nodes = raw_alloc(raw, (size_t)count, sizeof *source->nodes);
  return raw->nodes && source->nodes && visit(source, root, -1);
}
