#include "import/raw/raw.h"

#include "base/error.h"
#include "base/memory/memory.h"
#include "base/text.h"

#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MAX_NOTES = 100 };

struct raw_block {
  raw_block *next;
  max_align_t data[];
};

void raw_init(raw_model *raw, const char *path, sinew_error *error) {
  *raw = (raw_model){.path = path, .error = error, .conversion = sinew_mat3x4_identity()};
}

void raw_release(raw_model *raw) {
  for (raw_block *block = raw->blocks; block;) {
    raw_block *next = block->next;
    mem_free(block);
    block = next;
  }
  raw->blocks = NULL;
}

/* ---- memory that a model takes over later ---- */

static raw_block *block_of(void *memory) {
  return memory ? (raw_block *)((unsigned char *)memory - sizeof(raw_block)) : NULL;
}

void *raw_loose_resize(void *memory, size_t size) {
  raw_block *block = size <= SIZE_MAX - sizeof *block ? mem_resize(block_of(memory), size + sizeof *block) : NULL;
  return block ? block->data : NULL;
}

void raw_loose_free(void *memory) { mem_free(block_of(memory)); }

void raw_keep(raw_model *raw, void *memory) {
  raw_block *block = block_of(memory);
  block->next = raw->blocks;
  raw->blocks = block;
}

void raw_drop(raw_model *raw, void *memory) {
  raw_block **at = &raw->blocks, *block = block_of(memory);
  while (*at && *at != block) at = &(*at)->next;
  if (!*at) return;
  *at = block->next;
  mem_free(block);
}

static void *add_block(raw_model *raw, size_t count, size_t size, bool zeroed) {
  size_t bytes;
  if (!size_multiply(count, size, &bytes) || !size_add(bytes, sizeof(raw_block) + 1, &bytes)) {
    error_set(raw->error, "%s: is larger than this machine can address", raw->path);
    return NULL;
  }
  raw_block *block = zeroed ? mem_alloc_zeroed(bytes) : mem_alloc(bytes);
  if (!block) {
    error_memory(raw->error, raw->path, bytes);
    return NULL;
  }
  block->next = raw->blocks;
  raw->blocks = block;
  return block->data;
}

void *raw_alloc(raw_model *raw, size_t count, size_t size) { return add_block(raw, count, size, true); }

void *raw_room(raw_model *raw, size_t count, size_t size) { return add_block(raw, count, size, false); }

void *raw_copy(raw_model *raw, const void *source, size_t count, size_t size) {
  void *copy = raw_room(raw, count, size);
  if (copy && count) memcpy(copy, source, count * size);
  return copy;
}

bool raw_copy_values(raw_model *raw, raw_track *track) {
  size_t size = raw_key_size(track);
  float *values = raw_room(raw, (size_t)track->key_count * size, sizeof *values);
  for (int i = 0; values && i < track->key_count; i++)
    memcpy(values + (size_t)i * size, raw_key(track, i), size * sizeof *values);
  track->values = values;
  track->stride = 0;
  return values != NULL;
}

char *raw_string(raw_model *raw, const char *text) { return raw_copy(raw, text, strlen(text) + 1, 1); }

void *raw_grow(raw_model *raw, void **items, int *count, int *capacity, size_t size) {
  if (*count == *capacity) {
    int wanted = *capacity < 8 ? 8 : *capacity > INT_MAX / 2 ? INT_MAX : *capacity * 2;
    void *larger = raw_alloc(raw, (size_t)wanted, size);
    if (!larger) return NULL;
    if (*count) memcpy(larger, *items, (size_t)*count * size);
    *items = larger;
    *capacity = wanted;
  }
  return (unsigned char *)*items + (size_t)(*count)++ * size;
}

static bool add_note(raw_model *raw, const char *format, va_list arguments) {
  if (raw->note_count >= MAX_NOTES) {
    raw->notes_left_out++;
    return true;
  }
  char text[1024];
  text_format_list(text, sizeof text, format, arguments);
  const char *copy = raw_string(raw, text);
  if (!copy) return false;
  const char **note = raw_grow(raw, (void **)&raw->notes, &raw->note_count, &raw->note_capacity, sizeof *raw->notes);
  if (note) *note = copy;
  return note != NULL;
}

bool raw_note(raw_model *raw, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  bool added = add_note(raw, format, arguments);
  va_end(arguments);
  return added;
}

bool raw_note_count(raw_model *raw, long long count, const char *format, ...) {
  char chosen[512];
  va_list arguments;
  va_start(arguments, format);
  bool added = add_note(raw, text_count(chosen, sizeof chosen, count, format), arguments);
  va_end(arguments);
  return added;
}

raw_model raw_part(const raw_model *whole, sinew_error *error) {
  raw_model part = *whole;
  part.error = error;
  part.blocks = NULL;
  part.notes = NULL;
  part.note_count = part.note_capacity = part.notes_left_out = 0;
  return part;
}

bool raw_join_notes(raw_model *whole, const raw_model *part) {
  whole->notes_left_out += part->notes_left_out;
  for (int i = 0; i < part->note_count; i++)
    if (!raw_note(whole, "%s", part->notes[i])) return false;
  return true;
}

bool raw_join(raw_model *whole, raw_model *part) {
  raw_block **end = &part->blocks;
  while (*end) end = &(*end)->next;
  *end = whole->blocks;
  whole->blocks = part->blocks;
  part->blocks = NULL;
  return raw_join_notes(whole, part);
}

sinew_transform raw_node_rest(const raw_node *node) {
  return node->has_rest ? node->rest : sinew_transform_from_mat3x4(&node->local);
}

/* Each mesh has its own node, name, joints and rest weights. */
void raw_follow(const raw_model *raw, raw_mesh *mesh) {
  const raw_mesh *first = raw->meshes + mesh->copy_of;
  raw_mesh own = *mesh;
  *mesh = *first;
  mesh->name = own.name;
  mesh->node = own.node;
  mesh->is_copy = true;
  mesh->copy_of = own.copy_of;
  mesh->bones = own.bones;
  mesh->morphs = own.morphs;
  for (int b = 0; b < first->bone_count; b++) {
    mesh->bones[b].weights = first->bones[b].weights;
    mesh->bones[b].weight_count = first->bones[b].weight_count;
  }
  for (int i = 0; i < first->morph_count; i++) {
    float weight = mesh->morphs[i].weight;
    mesh->morphs[i] = first->morphs[i];
    mesh->morphs[i].weight = weight;
  }
}

float raw_bounded(float value) { return fabsf(value) <= 1e15f ? value : 0; }

/* ---- applies the caller's unit and axes to a file whose own are missing or wrong ---- */

bool space_axis(const char *text, int *axis) {
  bool negative = text[0] == '-';
  if (negative || text[0] == '+') text++;
  if (text[0] < 'x' || text[0] > 'z' || text[1]) return false;
  *axis = text[0] - 'x' + (negative ? 3 : 0);
  return true;
}

/* The smallest rotation that brings the axis to +y: a quarter turn about z or x, or half a turn about x. */
static sinew_mat3x4 turn_up(int axis) {
  static const float turns[6][12] = {
      {0, -1, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0},  {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0},
      {1, 0, 0, 0, 0, 0, 1, 0, 0, -1, 0, 0},  {0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0},
      {1, 0, 0, 0, 0, -1, 0, 0, 0, 0, -1, 0}, {1, 0, 0, 0, 0, 0, -1, 0, 0, 1, 0, 0},
  };
  sinew_mat3x4 rotation;
  memcpy(rotation.m, turns[axis], sizeof rotation.m);
  return rotation;
}

bool space_level_axis(const char *text, int *axis) { return space_axis(text, axis) && *axis % 3 != 1; }

/* The turn about y that brings the level axis to +z. */
static sinew_mat3x4 turn_front(int axis) {
  float x = axis == 0 ? 1 : axis == 3 ? -1 : 0, z = axis == 2 ? 1 : axis == 5 ? -1 : 0;
  return (sinew_mat3x4){{z, 0, -x, 0, 0, 1, 0, 0, x, 0, z, 0}};
}

/* Metres in one unit of the file; conversions scale uniformly. */
static float unit_of(const sinew_mat3x4 *m) { return sqrtf(m->m[0] * m->m[0] + m->m[4] * m->m[4] + m->m[8] * m->m[8]); }

static void scale_by(sinew_mat3x4 *m, float factor) {
  for (int i = 0; i < 12; i++) m->m[i] *= factor;
}

void space_override(raw_model *raw, const sinew_load_options *options) {
  float unit = unit_of(&raw->conversion);
  int axis;
  if (options->up && space_axis(options->up, &axis)) {
    raw->conversion = turn_up(axis);
    scale_by(&raw->conversion, unit);
  }
  if (options->front && space_level_axis(options->front, &axis)) {
    sinew_mat3x4 turn = turn_front(axis);
    raw->conversion = sinew_mat3x4_multiply(&turn, &raw->conversion);
  }
  if (options->unit > 0 && unit > 0) scale_by(&raw->conversion, (float)options->unit / unit);
}
