#include "import/bind/clip_names.h"

#include "base/file.h"

#include <stdio.h>
#include <string.h>

/* What Assimp (BVH, 3DS, LightWave, Collada) and Mixamo write for want of a name. */
static bool is_made_up(const raw_model *raw, const char *name) {
  static const char *const words[] = {"Motion", "3DSMasterAnim", "LWSMasterAnim", "animation", "mixamo.com"};
  if (name[0] == '\0') return true;
  for (size_t i = 0; i < sizeof words / sizeof *words && raw->format != RAW_GLTF; i++)
    if (strcmp(name, words[i]) == 0) return true;
  return raw->format == RAW_COLLADA && strncmp(name, "combinedAnim_", 13) == 0;
}

bool name_clips(raw_model *raw) {
  const char *file = path_file(raw->path), *dot = strrchr(file, '.');
  int stem = dot ? (int)(dot - file) : (int)strlen(file), nameless = 0;
  for (int i = 0; i < raw->clip_count; i++) {
    if (!is_made_up(raw, raw->clips[i].name)) continue;
    char name[1024], number[16] = "";
    if (nameless++) snprintf(number, sizeof number, " %d", nameless);
    snprintf(name, sizeof name, "%.*s%s", stem, file, number);
    raw->clips[i].name = raw_string(raw, name);
    if (!raw->clips[i].name) return false;
  }
  return true;
}
