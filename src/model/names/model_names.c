#include "model/names/model_names.h"

#include "base/error.h"
#include "base/memory/block.h"
#include "base/memory/memory.h"
#include "model/model.h"

#include <stdlib.h>
#include <string.h>

/* ---- making the lists ---- */

typedef struct layout {
  const sinew_model *model;
  joint_entry *entries; /* of the joints, the clips and the targets, in sequence */
  int joint_count, clip_count, target_count;
  struct model_names *names;
} layout;

static int count_targets(const sinew_model *model) {
  int count = 0;
  for (int m = 0; m < model->mesh_count; m++) count += model->meshes[m].morph_count;
  return count;
}

static int list_clips(const sinew_model *model, joint_entry *entries) {
  for (int i = 0; i < model->clip_count; i++) {
    entries[2 * i] = (joint_entry){model->clips[i].name, i, 0};
    entries[2 * i + 1] = (joint_entry){model->clips[i].file_name, i, 1};
  }
  joint_index_sort(entries, 2 * model->clip_count);
  return 2 * model->clip_count;
}

static void list_targets(const sinew_model *model, joint_entry *entries) {
  int count = 0;
  for (int m = 0; m < model->mesh_count; m++)
    for (int i = 0; i < model->meshes[m].morph_count; i++, count++)
      entries[count] = (joint_entry){model->meshes[m].morphs[i].name, count, 0};
  joint_index_sort(entries, count);
}

static bool begins_name(const joint_entry *entries, int i) {
  return i == 0 || strcmp(entries[i].name, entries[i - 1].name) != 0;
}

/* Equal names of targets are adjacent, so each gets the place of the first of them, … */
static void find_first_targets(const joint_entry *entries, int count, int32_t *firsts) {
  int first = 0;
  for (int i = 0; i < count; i++) {
    if (begins_name(entries, i)) first = entries[i].joint;
    firsts[entries[i].joint] = first;
  }
}

/* … and then its number: first ones are counted, and come before all others with their name. */
static void number_targets(const sinew_model *model, struct model_names *names) {
  int32_t *numbers = names->morph_numbers;
  for (int m = 0, k = 0; m < model->mesh_count; m++)
    for (int i = 0; i < model->meshes[m].morph_count; i++, k++) {
      bool first = numbers[k] == k;
      if (first) names->morph_names[names->morph_count] = model->meshes[m].morphs[i].name;
      numbers[k] = first ? names->morph_count++ : numbers[numbers[k]];
    }
}

static void lay_morphs(block *b, const layout *l, struct model_names *names, const joint_entry *targets) {
  size_t count = (size_t)l->target_count;
  names->morphs = block_take(b, count, sizeof *names->morphs);
  names->morph_names = block_take(b, count, sizeof *names->morph_names);
  names->morph_numbers = block_take(b, count, sizeof *names->morph_numbers);
  if (!names->morph_numbers) return;
  find_first_targets(targets, l->target_count, names->morph_numbers);
  number_targets(l->model, names);
  for (int i = 0, at = 0; i < l->target_count; i++)
    if (begins_name(targets, i))
      names->morphs[at++] = (joint_entry){targets[i].name, names->morph_numbers[targets[i].joint], 0};
}

static void lay_out(block *b, void *user) {
  layout *l = user;
  struct model_names scratch = {0}, *names = block_take(b, 1, sizeof *names);
  const joint_entry *clips = l->entries + l->joint_count, *targets = clips + l->clip_count;
  if (names) l->names = names;
  else names = &scratch;
  names->joint_count = l->joint_count;
  names->joints = block_copy(b, l->entries, (size_t)l->joint_count, sizeof *names->joints);
  names->clip_count = l->clip_count;
  names->clips = block_copy(b, clips, (size_t)l->clip_count, sizeof *names->clips);
  lay_morphs(b, l, names, targets);
}

struct model_names *model_names_create(const sinew_model *model, sinew_error *error) {
  layout l = {.model = model, .target_count = count_targets(model)};
  skeleton_view skeleton = model_names_of_joints(model);
  size_t count = 2 * (size_t)model->joint_count + 2 * (size_t)model->clip_count + (size_t)l.target_count;
  l.entries = mem_alloc_array(count, sizeof *l.entries);
  if (!l.entries) {
    error_memory(error, model->path, count * sizeof *l.entries);
    return NULL;
  }
  l.joint_count = joint_path_list(&skeleton, l.entries);
  l.clip_count = list_clips(model, l.entries + l.joint_count);
  list_targets(model, l.entries + l.joint_count + l.clip_count);
  block_create(lay_out, &l, model->path, error);
  mem_free(l.entries);
  return l.names;
}

/* ---- looking up ---- */

static int find(const joint_entry *entries, int count, const char *name) {
  int at = name ? joint_index_find(entries, count, name) : count;
  return at < count ? entries[at].joint : -1;
}

/* "#2" and "3" are index 2; -1 for any other text. */
static int clip_number(const sinew_model *model, const char *name) {
  bool from_zero = name[0] == '#';
  const char *digits = name + from_zero;
  if (digits[0] < '0' || digits[0] > '9') return -1;
  char *end;
  long index = strtol(digits, &end, 10) - !from_zero;
  return *end == '\0' && index >= 0 && index < model->clip_count ? (int)index : -1;
}

int sinew_model_find_clip(const sinew_model *model, const char *name) {
  if (!name) return -1;
  const joint_entry *clips = model->names->clips;
  int at = joint_index_find(clips, model->names->clip_count, name), number = clip_number(model, name);
  bool found = at < model->names->clip_count, numbered = (!found || clips[at].rank > 0) && number >= 0;
  return numbered ? number : found ? clips[at].joint : -1;
}

int sinew_model_morph_count(const sinew_model *model) { return model->names->morph_count; }

const char *sinew_model_morph_name(const sinew_model *model, int index) {
  return index >= 0 && index < model->names->morph_count ? model->names->morph_names[index] : NULL;
}

int sinew_model_find_morph(const sinew_model *model, const char *name) {
  return find(model->names->morphs, model->names->morph_count, name);
}

/* ---- finds joints by name in a list sorted once ---- */

const char *joint_name_bare(const char *name) {
  const char *bare = name;
  for (const char *c = name; *c; c++)
    if ((*c == ':' || *c == '|') && c[1]) bare = c + 1;
  return bare;
}

static int compare_entries(const void *a, const void *b) {
  const joint_entry *x = a, *y = b;
  int names = strcmp(x->name, y->name);
  if (names) return names;
  return x->rank != y->rank ? x->rank - y->rank : x->joint - y->joint;
}

void joint_index_sort(joint_entry *entries, int count) {
  if (count > 1) qsort(entries, (size_t)count, sizeof *entries, compare_entries);
}

int joint_index_find(const joint_entry *entries, int count, const char *name) {
  int low = 0, high = count;
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (strcmp(entries[middle].name, name) < 0) low = middle + 1;
    else high = middle;
  }
  return low < count && strcmp(entries[low].name, name) == 0 ? low : count;
}

/* ---- finds joints by name and, if several share it, by the names above them ---- */

/* How well a joint matches a path that is not its name. The lowest value wins; among equals the lowest rank, then the
 * first joint. */
typedef enum answer { STEP_BY_STEP, WITH_GAPS, NO_ANSWER } answer;

/* The most joints that are examined for one path: a file may give all its joints the same name. */
enum { EFFORT = 1 << 16 };

enum { BARE = 256 /* more than any rank: an exact name comes before one without its namespace */ };

static const char *name_of(const skeleton_view *s, int joint) { return s->names[joint] ? s->names[joint] : ""; }

static int rank_of(const skeleton_view *s, int joint) { return s->ranks ? s->ranks[joint] : 0; }

/* Whether the first `length` bytes of the path end with the name, alone or after a '/'. *left: the length before it. */
static bool ends_with(const char *path, size_t length, const char *name, size_t *left) {
  size_t size = strlen(name);
  if (size == 0 || size > length || memcmp(path + length - size, name, size) != 0) return false;
  *left = length - size;
  if (*left == 0) return true;
  return path[--*left] == '/' && *left > 0;
}

static bool names_joint(const skeleton_view *s, int joint, const char *path, size_t length, size_t *left) {
  const char *name = name_of(s, joint);
  return ends_with(path, length, name, left) || ends_with(path, length, joint_name_bare(name), left);
}

/* The next joint above that has a name; 0 if there is none. Helpers have no name. */
static int named_above(const skeleton_view *s, int joint) {
  do joint = s->parents[joint];
  while (joint > 0 && !name_of(s, joint)[0]);
  return joint;
}

int joint_path_list(const skeleton_view *s, joint_entry *entries) {
  int count = 0;
  for (int i = 1; i < s->count; i++) {
    const char *name = name_of(s, i), *bare = joint_name_bare(name);
    if (name[0]) entries[count++] = (joint_entry){name, i, rank_of(s, i)};
    if (bare != name) entries[count++] = (joint_entry){bare, i, BARE + rank_of(s, i)};
  }
  joint_index_sort(entries, count);
  return count;
}

static answer answer_of(const skeleton_view *s, int joint, const char *path, int *effort) {
  size_t left;
  answer best = STEP_BY_STEP;
  bool from_top = path[0] == '/';
  path += from_top;
  if (!names_joint(s, joint, path, strlen(path), &left)) return NO_ANSWER;
  for (joint = named_above(s, joint); joint > 0 && left > 0; joint = named_above(s, joint)) {
    size_t before = left;
    if (--*effort <= 0) return NO_ANSWER;
    if (!names_joint(s, joint, path, left, &left)) best = WITH_GAPS, left = before;
  }
  return left == 0 && (joint <= 0 || !from_top) ? best : NO_ANSWER;
}

typedef struct candidate {
  answer is;
  int rank, joint; /* -1: none */
} candidate;

static bool is_better(const candidate *a, const candidate *b) {
  if (a->is != b->is) return a->is < b->is;
  return a->rank != b->rank ? a->rank < b->rank : a->joint < b->joint;
}

/* Examines the joints whose name is the end of the path. */
static void look_at(const joint_paths *paths, const char *path, const char *end, int *effort, candidate *best) {
  const joint_entry *e = paths->entries;
  for (int i = joint_index_find(e, paths->entry_count, end);
       i < paths->entry_count && --*effort > 0 && strcmp(e[i].name, end) == 0; i++) {
    int joint = e[i].joint;
    candidate c = {answer_of(&paths->skeleton, joint, path, effort), rank_of(&paths->skeleton, joint), joint};
    if (c.is != NO_ANSWER && is_better(&c, best)) *best = c;
  }
}

static int find_path(const joint_paths *paths, const char *path, int *effort) {
  candidate best = {.is = NO_ANSWER, .joint = -1};
  int named = joint_index_find(paths->entries, paths->entry_count, path);
  if (named < paths->entry_count) return paths->entries[named].joint;
  for (const char *end = strchr(path, '/'); end; end = strchr(end + 1, '/'))
    if (end[1]) look_at(paths, path, end + 1, effort, &best);
  return best.joint;
}

int joint_path_find(const joint_paths *paths, const char *path) {
  int effort = EFFORT;
  return path && path[0] ? find_path(paths, path, &effort) : -1;
}

bool joint_path_write(const joint_paths *paths, int joint, char *path, size_t size) {
  const skeleton_view *s = &paths->skeleton;
  int effort = EFFORT;
  size_t begin = size - 1;
  bool found = false;
  path[0] = path[begin] = '\0';
  for (int at = joint; at > 0 && !found; at = named_above(s, at)) {
    const char *name = name_of(s, at);
    size_t length = strlen(name);
    if (length == 0 || length >= begin) return false;
    begin -= length;
    memcpy(path + begin, name, length);
    found = find_path(paths, path + begin, &effort) == joint;
    if (!found) path[--begin] = '/';
    if (!found && named_above(s, at) <= 0) found = find_path(paths, path + begin, &effort) == joint;
  }
  memmove(path, path + begin, size - begin);
  return found;
}
