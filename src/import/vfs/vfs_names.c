#include "import/vfs/vfs.h"

#include "base/file.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

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
