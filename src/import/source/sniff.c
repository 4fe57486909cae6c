#include "import/source/sniff.h"

#include "base/error.h"
#include "base/file.h"

#include "import/source/utf16.h"

#include <string.h>
#include <strings.h>

raw_format raw_format_of(const char *path) {
  const char *extension = path_extension(path);
  if (strcasecmp(extension, "glb") == 0 || strcasecmp(extension, "gltf") == 0 || strcasecmp(extension, "vrm") == 0)
    return RAW_GLTF;
  if (strcasecmp(extension, "fbx") == 0) return RAW_FBX;
  if (strcasecmp(extension, "dae") == 0 || strcasecmp(extension, "zae") == 0) return RAW_COLLADA;
  if (strncasecmp(extension, "md5", 3) == 0) return RAW_MD5;
  return RAW_OTHER;
}

static uint32_t read_u32(const unsigned char *at) {
  return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

/* ---- the first bytes ---- */

bool sniff_is_pointer(const void *bytes, size_t size) {
  static const char begin[] = "version https://git-lfs.github.com/spec/";
  return size >= sizeof begin - 1 && memcmp(bytes, begin, sizeof begin - 1) == 0;
}

static bool is_glb(const char *extension) {
  return strcasecmp(extension, "glb") == 0 || strcasecmp(extension, "vrm") == 0;
}

static bool holds_only_zeros(const unsigned char *head, size_t size) {
  size_t i = 0;
  while (i < size && head[i] == 0) i++;
  return i == size;
}

static bool begins_as_fbx(const unsigned char *head, size_t size) {
  static const char magic[] = "Kaydara FBX Binary  ";
  bool is_binary = size >= sizeof magic - 1 && memcmp(head, magic, sizeof magic - 1) == 0;
  return is_binary || !memchr(head, 0, size) || utf16_is(head, size);
}

bool sniff_head(const char *path, const unsigned char *head, size_t size, sinew_error *error) {
  const char *extension = path_extension(path);
  if (size == 0) return error_set(error, "%s: is empty", path);
  if (sniff_is_pointer(head, size))
    return error_set(error, "%s: is a pointer of Git LFS, and not the file itself: git lfs pull fetches that", path);
  if (is_glb(extension) && (size < 4 || memcmp(head, "glTF", 4) != 0))
    return error_set(error, "%s: is not a GLB file: it does not begin with 'glTF'", path);
  if (strcasecmp(extension, "fbx") == 0 && !begins_as_fbx(head, size))
    return error_set(error, "%s: is not an FBX file: neither its first bytes nor its text say so", path);
  return size < VFS_HEAD || !holds_only_zeros(head, size) ||
         error_set(error, "%s: is not a model file: it begins with %d zero bytes", path, VFS_HEAD);
}

/* ---- the whole file ---- */

static bool check_glb(const import_files *files, sinew_error *error) {
  if (files->size < 20) return error_set(error, "%s: is cut short: a GLB header alone has 20 bytes", files->path);
  uint32_t length = read_u32(files->data + 8);
  if (length > files->size)
    return error_set(error, "%s: is cut short: it says it has %u bytes and has %zu", files->path, length, files->size);
  return true;
}

static bool check_fbx(const import_files *files, sinew_error *error) {
  static const char magic[] = "Kaydara FBX Binary  ";
  if (files->size >= 27 && memcmp(files->data, magic, sizeof magic - 1) == 0) return true;
  const char *text = (const char *)files->data; /* zero-terminated (files_open) */
  bool text_like = strstr(text, "FBX") != NULL || strstr(text, "Objects:") != NULL;
  return text_like ||
         error_set(error, "%s: is not an FBX file: neither its first bytes nor its text say so", files->path);
}

bool sniff_check(const import_files *files, sinew_error *error) {
  const char *extension = path_extension(files->path);
  if (is_glb(extension)) return check_glb(files, error);
  if (strcasecmp(extension, "fbx") == 0) return check_fbx(files, error);
  return true;
}
