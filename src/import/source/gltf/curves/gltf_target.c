/* The target of an animation channel: by the core's path, or by KHR_animation_pointer. */
#include "import/source/gltf/curves/gltf_target.h"

#include <stdlib.h>
#include <string.h>

static bool find_kind(const char *path, track_kind *kind) {
  static const struct {
    const char *path;
    track_kind kind;
  } paths[] = {{"rotation", TRACK_ROTATION},
               {"translation", TRACK_TRANSLATION},
               {"scale", TRACK_SCALE},
               {"weights", TRACK_MORPH}};
  for (size_t i = 0; path && i < sizeof paths / sizeof *paths; i++) {
    if (strcmp(path, paths[i].path) != 0) continue;
    *kind = paths[i].kind;
    return true;
  }
  return false;
}

/* Reads "12" at the front of a pointer's remainder: false if there is no number below `count`, or if it is followed by
 * anything but '/'. */
static bool take_number(const char **at, int count, int *number) {
  char *end;
  if (**at < '0' || **at > '9') return false;
  long value = strtol(*at, &end, 10);
  if (value < 0 || value >= count || (*end != '/' && *end != '\0')) return false;
  *number = (int)value;
  *at = *end == '/' ? end + 1 : end;
  return true;
}

static bool skip_word(const char **at, const char *word) {
  size_t length = strlen(word);
  if (strncmp(*at, word, length) != 0) return false;
  *at += length;
  return true;
}

/* "weights", or "weights/3". */
static bool read_weights(const char *at, gltf_target *target) {
  target->kind = TRACK_MORPH;
  if (strcmp(at, "weights") == 0) return true;
  return skip_word(&at, "weights/") && take_number(&at, 1 << 16, &target->weight) && *at == '\0';
}

static bool read_pointer(const gltf *g, const char *at, gltf_target *target) {
  if (skip_word(&at, "/meshes/")) return take_number(&at, g->meshes.count, &target->mesh) && read_weights(at, target);
  if (!skip_word(&at, "/nodes/") || !take_number(&at, g->nodes.count, &target->node)) return false;
  return (find_kind(at, &target->kind) && target->kind != TRACK_MORPH) || read_weights(at, target);
}

gltf_target gltf_target_read(const gltf *g, const cJSON *json) {
  gltf_target target = {.node = -1, .mesh = -1, .weight = -1};
  const char *path = gltf_text(json, "path");
  const char *pointer = gltf_text(gltf_extension(json, "KHR_animation_pointer"), "pointer");
  if (path && strcmp(path, "pointer") == 0) {
    target.pointer = pointer ? pointer : "";
    target.is_known = pointer && read_pointer(g, pointer, &target);
    return target;
  }
  target.node = gltf_index(json, "node", g->nodes.count);
  target.is_known = target.node >= 0 && find_kind(path, &target.kind);
  return target;
}
