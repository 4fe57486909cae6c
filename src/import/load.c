/* The beginning of a load: checks its options, and looks for the model among cooked files and in the cache. */
#include "import/load.h"

#include "base/error.h"
#include "base/file.h"
#include "base/memory/block.h"
#include "base/memory/memory.h"
#include "import/cook/cook.h"
#include "import/raw/raw.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

sinew_load_options sinew_load_options_default(void) { return (sinew_load_options){.max_influences = 4}; }

sinew_clip_edit sinew_clip_edit_default(void) { return (sinew_clip_edit){.to = (double)INFINITY}; }

static bool check_edits(const char *path, const sinew_load_options *options, sinew_error *error) {
  for (int i = 0; i < options->edit_count; i++) {
    const sinew_clip_edit *edit = options->edits + i;
    if (!edit->clip || !edit->clip[0]) return error_set(error, "%s: edit %d names no clip", path, i + 1);
    if (!(edit->from >= 0 && isfinite(edit->from) && edit->to > edit->from))
      return error_set(error, "%s: clip '%s' is cut from %g s to %g s, and must be from 0 or later to a later moment",
                       path, edit->clip, edit->from, edit->to);
    if (edit->name && !edit->name[0]) return error_set(error, "%s: clip '%s' gets an empty name", path, edit->clip);
  }
  return true;
}

static bool check_map(const char *path, const sinew_load_options *options, sinew_error *error) {
  if (options->map_count > 0 && options->clip_file_count == 0)
    return error_set(error, "%s: a map needs a clip file whose joints it names", path);
  for (int i = 0; i < options->map_count; i++)
    if (!options->map[i].theirs || !options->map[i].theirs[0])
      return error_set(error, "%s: pair %d of the map names no joint of a clip file", path, i + 1);
  return true;
}

static bool check_retarget(const char *path, const sinew_load_options *options, sinew_error *error) {
  int mode = (int)options->retarget;
  return (mode >= SINEW_RETARGET_AUTO && mode <= SINEW_RETARGET_RAW) ||
         error_set(error, "%s: retarget is %d, and must be auto, copy, fit or raw", path, mode);
}

static bool check_tolerance(const char *path, double tolerance, sinew_error *error) {
  return tolerance == 0 || (tolerance >= 1e-9 && tolerance <= 1) ||
         error_set(error, "%s: the tolerance is %g m, and must be from 1e-9 to 1, or 0", path, tolerance);
}

static bool check_space(const char *path, const sinew_load_options *options, sinew_error *error) {
  if (options->unit != 0 && !(options->unit >= 1e-6 && options->unit <= 1e6))
    return error_set(error, "%s: the unit is %g m, and must be from 1e-6 to 1e6", path, options->unit);
  if (options->up && !space_axis(options->up, &(int){0}))
    return error_set(error, "%s: up is '%s', and must be +x, -x, +y, -y, +z or -z", path, options->up);
  if (options->front && !space_level_axis(options->front, &(int){0}))
    return error_set(error, "%s: front is '%s', and must be +x, -x, +z or -z", path, options->front);
  return !options->raw || (options->unit == 0 && !options->up && !options->front) ||
         error_set(error, "%s: raw keeps the file's own units and axes, and takes no others", path);
}

/* A cooked file was made with its options, and accepts no others. */
static bool check_cooked(const char *path, const sinew_load_options *options, sinew_error *error) {
  if (options->raw) return error_set(error, "%s: is cooked, and no longer has its source's own units and axes", path);
  if (options->clip_file_count > 0)
    return error_set(error, "%s: is cooked, and takes no clips from other files: cook them in", path);
  return (options->edit_count == 0 && options->role_count == 0 && options->unit == 0 && !options->up &&
          !options->front) ||
         error_set(error, "%s: is cooked, and takes no other unit, axis, roles or clip edits: cook them in", path);
}

/* ---- patterns of clip files ---- */

static bool add_found(file_list *found, char *path) {
  char **item = array_grow((void **)&found->paths, &found->count, &found->capacity, sizeof *item);
  if (item) *item = path;
  else mem_free(path);
  return item != NULL;
}

/* Takes ownership of the paths in `some`. */
static bool join_files(const char *path, file_list *found, file_list *some, bool from_pattern) {
  bool room = true;
  for (int i = 0; i < some->count; i++) {
    char *one = some->paths[i];
    if (from_pattern && file_is_same(path, one)) mem_free(one);
    else room = add_found(found, one) && room;
  }
  some->count = 0;
  file_list_reset(some);
  return room;
}

static bool find_some(const char *path, const char *pattern, file_list *found, bool *from_pattern, sinew_error *error) {
  file_list some = {0};
  if (!files_find(pattern, &some))
    return error_set(error, "%s: '%s' names more than %d files, or memory ran out", path, pattern, SINEW_FIND_MOST);
  *from_pattern = some.count != 1 || strcmp(some.paths[0], pattern) != 0;
  if (some.count == 0) return error_set(error, "%s: no model file matches '%s'", path, pattern);
  return join_files(path, found, &some, *from_pattern) || error_memory(error, path, sizeof some);
}

bool load_find_clips(const char *path, sinew_load_options *options, file_list *found, sinew_error *error) {
  *found = (file_list){0};
  for (int i = 0; i < options->clip_file_count; i++) {
    bool from_pattern;
    if (!find_some(path, options->clip_files[i], found, &from_pattern, error)) {
      file_list_reset(found);
      return false;
    }
    if (from_pattern) options->skip_unfit_clip_files = true;
  }
  options->clip_files = (const char *const *)found->paths;
  options->clip_file_count = found->count;
  return true;
}

/* ---- checking the options ---- */

bool load_check_options(const char *path, const sinew_load_options *options, sinew_error *error) {
  if (options->max_influences != 4 && options->max_influences != 8)
    return error_set(error, "%s: max_influences is %d, and must be 4 or 8", path, options->max_influences);
  return check_tolerance(path, options->tolerance, error) && check_map(path, options, error) &&
         check_retarget(path, options, error) && check_edits(path, options, error) &&
         check_space(path, options, error) && (!cook_is_path(path) || check_cooked(path, options, error));
}

bool load_is_ready(const char *path, const sinew_load_options *options, sinew_model **model, sinew_error *error) {
  bool cooked = cook_is_path(path);
  *model = cooked ? cook_load(path, error) : options->no_cache ? NULL : cache_load(path, options);
  return cooked || *model;
}

/* The single-valued options of a load, one line for each. The command line of the importer's process, the key of a
 * cached model and the comparison of two requests all use this list. */

typedef enum load_type { LOAD_FLAG, LOAD_COUNT, LOAD_NUMBER, LOAD_TEXT } load_type;

typedef struct load_field {
  const char *name;
  load_type type;
  size_t offset;
} load_field;

#define FIELD(member, type)                                                                                            \
  { #member, type, offsetof(sinew_load_options, member) }

/* The options that change the model. Options about how a load runs, or who reads its files, do not. */
static const load_field fields[] = {
    FIELD(raw, LOAD_FLAG),       FIELD(exact, LOAD_FLAG),  FIELD(skip_unfit_clip_files, LOAD_FLAG),
    FIELD(retarget, LOAD_COUNT), FIELD(unit, LOAD_NUMBER), FIELD(max_influences, LOAD_COUNT),
    FIELD(up, LOAD_TEXT),        FIELD(front, LOAD_TEXT),  FIELD(tolerance, LOAD_NUMBER),
};
enum { FIELDS = sizeof fields / sizeof *fields };

int load_field_count(void) { return FIELDS; }

static const void *at(const load_field *f, const sinew_load_options *options) {
  return (const char *)options + f->offset;
}

static unsigned long long bits_of(const void *number) {
  uint64_t bits;
  memcpy(&bits, number, sizeof bits);
  return bits;
}

void load_field_print(int field, const sinew_load_options *options, char out[LOAD_FIELD_TEXT]) {
  const load_field *f = fields + field;
  const void *value = at(f, options);
  const char *text;
  int count;
  switch (f->type) {
  case LOAD_FLAG: snprintf(out, LOAD_FIELD_TEXT, "%s=%d", f->name, *(const bool *)value); break;
  case LOAD_COUNT:
    memcpy(&count, value, sizeof count);
    snprintf(out, LOAD_FIELD_TEXT, "%s=%d", f->name, count);
    break;
  case LOAD_NUMBER: snprintf(out, LOAD_FIELD_TEXT, "%s=%llx", f->name, bits_of(value)); break;
  case LOAD_TEXT:
    memcpy(&text, value, sizeof text);
    snprintf(out, LOAD_FIELD_TEXT, "%s=%.15s", f->name, text ? text : "");
    break;
  }
}

bool load_field_is_standard(int field, const sinew_load_options *options) {
  char one[LOAD_FIELD_TEXT], other[LOAD_FIELD_TEXT];
  sinew_load_options standard = sinew_load_options_default();
  load_field_print(field, options, one);
  load_field_print(field, &standard, other);
  return strcmp(one, other) == 0;
}

bool load_field_read(const char *text, sinew_load_options *options) {
  size_t size = strcspn(text, "=");
  const char *value = text + size + 1;
  for (int i = 0; i < FIELDS && text[size]; i++) {
    void *to = (char *)options + fields[i].offset;
    int count = atoi(value);
    uint64_t bits = strtoull(value, NULL, 16);
    if (strlen(fields[i].name) != size || memcmp(fields[i].name, text, size) != 0) continue;
    if (fields[i].type == LOAD_FLAG) *(bool *)to = count != 0;
    else if (fields[i].type == LOAD_COUNT) memcpy(to, &count, sizeof count);
    else if (fields[i].type == LOAD_NUMBER) memcpy(to, &bits, sizeof bits);
    else memcpy(to, &value, sizeof value);
    return true;
  }
  return false;
}

int sinew_load_options_text(const sinew_load_options *options, char *out, int size) {
  char one[LOAD_FIELD_TEXT];
  int used = 0;
  for (int i = 0; i < FIELDS; i++) {
    load_field_print(i, options, one);
    int left = size > used ? size - used : 0;
    used += snprintf(left ? out + used : NULL, (size_t)left, "%s ", one);
  }
  return used;
}

/* ---- load options that outlive their caller ---- */

typedef struct copying {
  const sinew_load_options *from;
  sinew_load_options *to;
} copying;

/* NULL stays NULL, because it has a meaning. */
static const char *copy_text(block *b, const char *text) { return text ? block_string(b, text) : NULL; }

static void lay_clip_files(block *b, const sinew_load_options *from, sinew_load_options *to) {
  const char **files = block_take(b, (size_t)from->clip_file_count, sizeof *files);
  for (int i = 0; i < from->clip_file_count; i++) {
    const char *file = copy_text(b, from->clip_files[i]);
    if (files) files[i] = file;
  }
  to->clip_files = files;
}

static void lay_roles(block *b, const sinew_load_options *from, sinew_load_options *to) {
  sinew_joint_role *roles = block_take(b, (size_t)from->role_count, sizeof *roles);
  for (int i = 0; i < from->role_count; i++) {
    sinew_joint_role role = {copy_text(b, from->roles[i].role), copy_text(b, from->roles[i].joint)};
    if (roles) roles[i] = role;
  }
  to->roles = roles;
}

static void lay_map(block *b, const sinew_load_options *from, sinew_load_options *to) {
  sinew_joint_pair *map = block_take(b, (size_t)from->map_count, sizeof *map);
  for (int i = 0; i < from->map_count; i++) {
    sinew_joint_pair pair = {copy_text(b, from->map[i].theirs), copy_text(b, from->map[i].ours)};
    if (map) map[i] = pair;
  }
  to->map = map;
}

static void lay_edits(block *b, const sinew_load_options *from, sinew_load_options *to) {
  sinew_clip_edit *edits = block_take(b, (size_t)from->edit_count, sizeof *edits);
  for (int i = 0; i < from->edit_count; i++) {
    sinew_clip_edit edit = from->edits[i];
    edit.clip = copy_text(b, edit.clip);
    edit.name = copy_text(b, edit.name);
    if (edits) edits[i] = edit;
  }
  to->edits = edits;
}

static void lay_options(block *b, void *user) {
  copying *c = user;
  sinew_load_options measured, *to = block_take(b, 1, sizeof *to);
  if (to) c->to = to;
  else to = &measured;
  *to = *c->from;
  lay_clip_files(b, c->from, to);
  lay_map(b, c->from, to);
  lay_roles(b, c->from, to);
  lay_edits(b, c->from, to);
  to->up = copy_text(b, c->from->up);
  to->front = copy_text(b, c->from->front);
}

sinew_load_options *options_copy(const sinew_load_options *options, const char *path, sinew_error *error) {
  copying c = {options, NULL};
  return block_create(lay_options, &c, path, error) ? c.to : NULL;
}
