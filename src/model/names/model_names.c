#include "model/names/model_names.h"

#include "base/error.h"
#include "base/memory/block.h"
#include "base/memory/memory.h"
#include "model/model.h"
#include "model/names/joint_path.h"

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
