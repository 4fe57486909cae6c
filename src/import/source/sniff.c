#include "import/source/sniff.h"

#include "base/error.h"
#include "base/file.h"

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

static bool check_glb(const import_files *files, sinew_error *error) {
  if (files->size < 4 || memcmp(files->data, "glTF", 4) != 0)
    return error_set(error, "%s: is not a GLB file: it does not begin with 'glTF'", files->path);
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
  if (strcasecmp(extension, "glb") == 0 || strcasecmp(extension, "vrm") == 0) return check_glb(files, error);
  if (strcasecmp(extension, "fbx") == 0) return check_fbx(files, error);
  return true;
}
