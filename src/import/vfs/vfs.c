#include "import/vfs/vfs.h"

#include "base/error.h"
#include "base/file.h"
#include "base/memory/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- files that the calling program provides ---- */

static bool copy(const char *path, const sinew_file_bytes *bytes, file_bytes *found, sinew_error *error) {
  if (bytes->size > vfs_file_limit)
    return error_set(error, "%s: is %zu bytes, more than the %zu that are read", path, bytes->size, vfs_file_limit);
  found->size = bytes->size;
  found->data = mem_alloc(bytes->size + 1);
  if (!found->data) return error_memory(error, path, bytes->size + 1);
  if (bytes->size) memcpy(found->data, bytes->data, bytes->size);
  found->data[bytes->size] = 0;
  return true;
}

static bool read_file(const caller_vfs *d, const char *path, file_bytes *found, sinew_error *error) {
  sinew_file_bytes bytes = {0};
  if (!d->reader.read || !d->reader.read(d->reader.user, path, &bytes))
    return error_set(error, "%s: no such file among those that the program reads", path);
  bool copied = copy(path, &bytes, found, error);
  if (d->reader.release) d->reader.release(d->reader.user, &bytes);
  return copied;
}

/* Removes "." and ".." from a path. False if it leads out of the folder. */
static bool make_plain(char *position) {
  char *out = position;
  if (path_is_absolute(position)) return false;
  for (const char *part = position; *part;) {
    size_t length = strcspn(part, "/");
    const char *next = part + length + (part[length] == '/');
    bool up = length == 2 && memcmp(part, "..", 2) == 0, here = length == 0 || (length == 1 && *part == '.');
    if (up && out == position) return false;
    if (up)
      while (--out > position && *out != '/') {
      }
    if (!up && !here) {
      if (out > position) *out++ = '/';
      memmove(out, part, length);
      out += length;
    }
    part = next;
  }
  *out = '\0';
  return out > position;
}

static bool read_beside(const caller_vfs *d, const char *main, const char *name, file_bytes *found) {
  char folder[4096], path[4096], candidates[VFS_CANDIDATES][VFS_NAME];
  if (!path_folder(folder, sizeof folder, main) || !vfs_candidates(name, candidates)) return false;
  for (int i = 0; i < VFS_CANDIDATES; i++)
    if (make_plain(candidates[i]) && path_join(path, sizeof path, folder, candidates[i]) &&
        read_file(d, path, found, NULL))
      return true;
  return false;
}

static bool read_own(vfs *base, const char *main, const char *name, file_bytes *found, sinew_error *error) {
  const caller_vfs *d = (const caller_vfs *)base;
  if (name) return read_beside(d, main, name, found);
  if (d->own.data && strcmp(main, d->path) == 0)
    return copy(main, &(sinew_file_bytes){.data = d->own.data, .size = d->own.size}, found, error);
  return read_file(d, main, found, error);
}

/* The bytes are in memory already. */
static bool read_own_head(vfs *base, const char *main, file_bytes *found, sinew_error *error) {
  if (!read_own(base, main, NULL, found, error)) return false;
  if (found->size > VFS_HEAD) found->size = VFS_HEAD;
  return true;
}

bool caller_vfs_open(caller_vfs *fs, const char *path, const sinew_file_bytes *bytes, const sinew_file_reader *reader,
                     sinew_error *error) {
  *fs = (caller_vfs){.fs = {read_own, read_own_head, file_bytes_free}, .reader = *reader, .path = path};
  return bytes ? copy(path, bytes, &fs->own, error) : read_file(fs, path, &fs->own, error);
}

void caller_vfs_close(caller_vfs *fs) { file_bytes_free(&fs->own); }

/* ---- vfs disk ---- */

/* Compares resolved paths, so that neither ".." nor a link leads out. */
static bool is_inside(const char *folder, const char *path) {
  char *real_folder = realpath(folder, NULL), *real_path = realpath(path, NULL);
  bool inside = false;
  if (real_folder && real_path) {
    size_t length = strlen(real_folder);
    bool at_root = length == 1;
    inside = strncmp(real_folder, real_path, length) == 0 && (at_root || real_path[length] == '/');
  }
  free(real_folder);
  free(real_path);
  return inside;
}

bool disk_vfs_find(const disk_vfs *fs, const char *main, const char *name, char *path, size_t size) {
  char folder[4096], candidates[VFS_CANDIDATES][VFS_NAME];
  if (!path_folder(folder, sizeof folder, main) || !vfs_candidates(name, candidates)) return false;
  for (int i = 0; i < VFS_CANDIDATES; i++)
    if (path_join(path, size, folder, candidates[i]) && source_exists(fs->sources, path) && is_inside(folder, path))
      return true;
  return false;
}

void file_bytes_free(file_bytes *bytes) {
  mem_free(bytes->data);
  *bytes = (file_bytes){0};
}

static bool read_disk(vfs *base, const char *main, const char *name, file_bytes *found, sinew_error *error) {
  const disk_vfs *fs = (const disk_vfs *)base;
  char path[4096];
  if (name && !disk_vfs_find(fs, main, name, path, sizeof path)) return false;
  found->data = source_read(fs->sources, name ? path : main, vfs_file_limit, &found->size, error);
  return found->data != NULL;
}

static bool read_disk_head(vfs *fs, const char *main, file_bytes *found, sinew_error *error) {
  (void)fs;
  found->data = file_read_head(main, vfs_file_limit, VFS_HEAD, &found->size, error);
  return found->data != NULL;
}

disk_vfs disk_vfs_open(source_list *sources) {
  return (disk_vfs){{read_disk, read_disk_head, file_bytes_free}, sources};
}

/* ---- vfs names ---- */

/* Extensions of the files that models name, besides other models: buffers, pictures, materials, motion, skins. */
static const char *const companions[] = {"bin",      "buf",  "buffer", "dat",  "data",    "glbin",    "png",    "jpg",
                                         "jpeg",     "jpe",  "tga",    "bmp",  "dib",     "gif",      "psd",    "pnm",
                                         "ppm",      "pgm",  "pbm",    "webp", "ktx",     "ktx2",     "dds",    "basis",
                                         "tif",      "tiff", "hdr",    "exr",  "mtl",     "material", "shader", "skin",
                                         "skeleton", "anim", "xml",    "vta",  "md5anim", "md5camera"};
static const char *const models[] = {
    "3d",  "3ds",  "3mf", "ac",   "ac3d", "acc",     "amf",  "ase", "ask",  "assbin", "b3d",  "blend", "bvh",     "cob",
    "csm", "dae",  "dxf", "enff", "fbx",  "glb",     "gltf", "hmp", "ifc",  "ifczip", "iqm",  "irr",   "irrmesh", "lwo",
    "lws", "lxo",  "m3d", "md2",  "md3",  "md5mesh", "mdc",  "mdl", "mesh", "mot",    "ms3d", "ndo",   "nff",     "obj",
    "off", "ogex", "pk3", "ply",  "pmx",  "prj",     "q3o",  "q3s", "raw",  "scn",    "sib",  "smd",   "step",    "stl",
    "stp", "ter",  "uc",  "vrm",  "x",    "x3d",     "x3db", "xgl", "zae",  "zgl"};

static bool is_among(const char *extension, const char *const *list, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (strcasecmp(extension, list[i]) == 0) return true;
  return false;
}

static bool is_of_a_model(const char *name) {
  const char *extension = path_extension(name);
  return is_among(extension, companions, sizeof companions / sizeof *companions) ||
         is_among(extension, models, sizeof models / sizeof *models);
}

bool vfs_is_model(const char *name) {
  const char *extension = path_extension(name);
  return strcasecmp(extension, "md5anim") == 0 || is_among(extension, models, sizeof models / sizeof *models);
}

static int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

static bool clean_name(char *out, size_t size, const char *name) {
  size_t n = 0;
  for (; *name && n + 1 < size; name++) {
    int high = name[0] == '%' ? hex_digit(name[1]) : -1, low = high >= 0 ? hex_digit(name[2]) : -1;
    out[n++] = low >= 0 ? (char)(high * 16 + low) : *name == '\\' ? '/' : *name;
    if (low >= 0) name += 2;
    if (out[n - 1] == '\0') return false;
  }
  out[n] = '\0';
  return n > 0 && *name == '\0';
}

bool vfs_candidates(const char *name, char candidates[VFS_CANDIDATES][VFS_NAME]) {
  if (!clean_name(candidates[0], VFS_NAME - (sizeof "textures/" - 1), name) || !is_of_a_model(candidates[0]))
    return false;
  const char *last = path_file(candidates[0]);
  memcpy(candidates[1], last, strlen(last) + 1);
  return path_join(candidates[2], VFS_NAME, "textures", last);
}
