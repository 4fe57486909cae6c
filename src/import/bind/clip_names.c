#include "import/bind/clip_names.h"

#include "base/file.h"
#include "model/names/model_names.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { NAME_SIZE = 1024 };

static bool is_among(const char *const *words, size_t count, const char *name) {
  for (size_t i = 0; i < count; i++)
    if (strcmp(name, words[i]) == 0) return true;
  return false;
}

/* Placeholder names that Assimp (BVH, 3DS, LightWave, Collada) and Mixamo write. */
static bool is_made_up(const raw_model *raw, const char *name) {
  static const char *const words[] = {"Motion", "3DSMasterAnim", "LWSMasterAnim", "animation", "mixamo.com"};
  if (name[0] == '\0') return true;
  if (raw->format != RAW_GLTF && is_among(words, sizeof words / sizeof *words, name)) return true;
  return raw->format == RAW_COLLADA && strncmp(name, "combinedAnim_", 13) == 0;
}

/* ---- meaningless names ---- */

/* One part of "Armature|mixamo.com|Layer0", in lower case and without the number behind it. */
static bool is_empty_word(const char *part, size_t length) {
  static const char *const words[] = {"",           "mixamo.com", "take",  "motion",   "animation",      "anim",
                                      "animstack",  "armature",   "scene", "action",   "armatureaction", "layer",
                                      "baselayer",  "base layer", "clip",  "untitled", "default",        "default take",
                                      "unreal take"};
  char word[32] = "";
  while (length > 0 && strchr("0123456789 ._-", part[length - 1])) length--;
  if (length >= sizeof word) return false;
  for (size_t i = 0; i < length; i++) word[i] = (char)tolower((unsigned char)part[i]);
  return is_among(words, sizeof words / sizeof *words, word);
}

static bool says_nothing(const char *name) {
  for (const char *part = name; part;) {
    const char *bar = strchr(part, '|');
    if (!is_empty_word(part, bar ? (size_t)(bar - part) : strlen(part))) return false;
    part = bar ? bar + 1 : NULL;
  }
  return true;
}

/* ---- names of files ---- */

/* "pack/walk.fbx" → "walk" */
static void stem_of(char *out, size_t size, const char *path) {
  const char *file = path_file(path), *dot = strrchr(file, '.');
  snprintf(out, size, "%.*s", dot && dot != file ? (int)(dot - file) : (int)strlen(file), file);
}

static bool rename_clip(raw_model *raw, raw_clip *clip, const char *name) {
  if (!clip->file_name) clip->file_name = clip->name;
  clip->name = raw_string(raw, name);
  return clip->name != NULL;
}

bool name_clips(raw_model *raw) {
  char stem[NAME_SIZE - 16], name[NAME_SIZE];
  int nameless = 0;
  stem_of(stem, sizeof stem, raw->path);
  for (int i = 0; i < raw->clip_count; i++) {
    const char *own = raw->clips[i].name;
    if (!is_made_up(raw, own) && (raw->clip_count > 1 || !says_nothing(own))) continue;
    if (nameless++) snprintf(name, sizeof name, "%s %d", stem, nameless);
    else snprintf(name, sizeof name, "%s", stem);
    if (!rename_clip(raw, raw->clips + i, name)) return false;
  }
  return true;
}

/* ---- names already in use ---- */

typedef struct taken_names {
  joint_entry *entries;
  int count;
} taken_names;

static bool list_taken(taken_names *taken, raw_model *owner, const raw_model *raw) {
  taken->count = raw->clip_count;
  taken->entries = raw_alloc(owner, (size_t)raw->clip_count, sizeof *taken->entries);
  for (int i = 0; taken->entries && i < raw->clip_count; i++)
    taken->entries[i] = (joint_entry){raw->clips[i].name, i, 0};
  if (taken->entries) joint_index_sort(taken->entries, taken->count);
  return taken->entries != NULL;
}

static bool is_taken(const taken_names *taken, const char *name) {
  return joint_index_find(taken->entries, taken->count, name) < taken->count;
}

/* The first name that the model lacks: the clip's own, or the file's if that is meaningless; then with the file's in
 * front; then with the folder's in front of that. */
static void choose_name(const taken_names *taken, const raw_model *from, const raw_clip *clip, char *name,
                        size_t size) {
  char stem[NAME_SIZE / 4], folder[NAME_SIZE / 4], path[NAME_SIZE];
  const char *own = clip->file_name ? clip->file_name : clip->name;
  stem_of(stem, sizeof stem, from->path);
  bool wants_stem = from->clip_count == 1 || says_nothing(own);
  snprintf(name, size, "%.600s", wants_stem ? stem : own);
  if (!is_taken(taken, name)) return;
  if (!wants_stem) snprintf(name, size, "%s %.600s", stem, own);
  if (!is_taken(taken, name)) return;
  path_folder(path, sizeof path, from->path);
  snprintf(folder, sizeof folder, "%s", path_file(path));
  if (folder[0] == '.' || folder[0] == '\0') return; /* "." is not a name, so the clip gets a number */
  snprintf(path, sizeof path, "%s/%.700s", folder, name);
  snprintf(name, size, "%s", path);
}

bool name_joining_clips(const raw_model *raw, raw_model *from) {
  taken_names taken;
  char name[NAME_SIZE];
  if (!list_taken(&taken, from, raw)) return false;
  for (int i = 0; i < from->clip_count; i++) {
    choose_name(&taken, from, from->clips + i, name, sizeof name);
    if (strcmp(name, from->clips[i].name) != 0 && !rename_clip(from, from->clips + i, name)) return false;
  }
  return true;
}

bool number_equal_clips(raw_model *raw) {
  taken_names taken;
  char name[NAME_SIZE];
  int number = 1;
  if (!list_taken(&taken, raw, raw)) return false;
  for (int i = 1; i < taken.count; i++) {
    const char *own = taken.entries[i].name;
    bool is_new = strcmp(own, taken.entries[i - 1].name) != 0;
    if (is_new) number = 1;
    if (is_new) continue;
    do snprintf(name, sizeof name, "%.1000s %d", own, ++number);
    while (is_taken(&taken, name));
    if (!rename_clip(raw, raw->clips + taken.entries[i].joint, name)) return false;
  }
  return true;
}
