#include "import/source/fbx/curves/fbx_animation.h"

#include "base/error.h"
#include "base/memory/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The most cycles of one curve that are marked: a file of a few bytes may ask for millions. */
enum { MOST_CYCLES = 2048, MOST_MARKS = 1 << 18 };
/* Slopes on both sides of a key are equal if they differ by less than this fraction. */
static const double same_slope = 1e-3;

static bool grow(fbx_marks *marks) {
  int capacity = marks->capacity < 8 ? 8 : 2 * marks->capacity;
  fbx_mark *items = mem_resize(marks->items, (size_t)capacity * sizeof *items);
  if (!items) return error_memory(marks->memory->error, marks->memory->path, (size_t)capacity * sizeof *items);
  marks->items = items;
  marks->capacity = capacity;
  return true;
}

static void append(fbx_marks *marks, int64_t time, fbx_corner corner) {
  if (marks->failed || (marks->count == marks->capacity && !grow(marks))) marks->failed = true;
  else marks->items[marks->count++] = (fbx_mark){time, corner};
}

void fbx_marks_free(fbx_marks *marks) { mem_free(marks->items); }

void fbx_marks_start(fbx_marks *marks, int64_t first, int64_t last) {
  marks->count = 0;
  marks->first = first;
  marks->last = last;
  append(marks, first, FBX_KINK);
  append(marks, last, FBX_KINK);
  fbx_marks_rewind(marks);
}

void fbx_marks_rewind(fbx_marks *marks) { marks->next = 2; }

static void sharpen(fbx_mark *mark, fbx_corner corner) {
  if (corner > mark->corner) mark->corner = corner;
}

void fbx_add_mark(fbx_marks *marks, int64_t time, fbx_corner corner) {
  if (time <= marks->first || time >= marks->last) return;
  bool known = marks->next < marks->count && marks->items[marks->next].time == time;
  if (known) sharpen(marks->items + marks->next++, corner);
  else if (marks->count < MOST_MARKS) append(marks, time, corner);
}

/* ---- curves ---- */

static double slope_before(const fbx_key *key) {
  return (double)(key[-1].segment == FBX_LINEAR ? key[-1].slope_right : key->slope_left);
}

static bool is_constant(const fbx_key *key) {
  return key->segment == FBX_CONSTANT || key->segment == FBX_CONSTANT_NEXT;
}

static fbx_corner corner_at(const fbx_curve *curve, int index) {
  const fbx_key *key = curve->keys + index;
  if (index == 0 || index == curve->key_count - 1) return is_constant(key) ? FBX_JUMP : FBX_KINK;
  if (is_constant(key) || is_constant(key - 1)) return FBX_JUMP;
  double before = slope_before(key), after = (double)key->slope_right;
  return fabs(before - after) > same_slope * (fabs(before) + fabs(after)) ? FBX_KINK : FBX_SMOOTH;
}

/* Marks the keys of one cycle, `shift` after their own times; `mirrored`: it runs backwards. */
static void mark_cycle(fbx_marks *marks, const fbx_curve *curve, int64_t shift, bool mirrored) {
  int64_t begin = curve->keys[0].time, end = curve->keys[curve->key_count - 1].time;
  fbx_marks_rewind(marks);
  for (int i = 0; i < curve->key_count; i++) {
    int64_t own = curve->keys[i].time, time = (mirrored ? begin + (end - own) : own) + shift;
    bool border = i == 0 || i == curve->key_count - 1;
    fbx_add_mark(marks, time, border && shift ? FBX_JUMP : corner_at(curve, i));
  }
}

static void mark_outside(fbx_marks *marks, const fbx_curve *curve, bool after) {
  int64_t begin = curve->keys[0].time, end = curve->keys[curve->key_count - 1].time, length = end - begin;
  const fbx_extrapolation *e = after ? &curve->after : &curve->before;
  if (length <= 0 || e->type == 'C' || e->type == 'K') return;
  int64_t reach = after ? marks->last - end : begin - marks->first;
  int64_t skipped = after ? marks->first - end : begin - marks->last;
  int64_t cycles = reach > 0 ? reach / length + 1 : 0, n = skipped > length ? skipped / length : 1;
  if (e->count > 0 && cycles > e->count) cycles = e->count;
  if (cycles > n + MOST_CYCLES) cycles = n + MOST_CYCLES;
  if (cycles >= n) fbx_add_mark(marks, after ? end : begin, FBX_JUMP);
  for (; n <= cycles && marks->count < MOST_MARKS; n++)
    mark_cycle(marks, curve, after ? n * length : -n * length, e->type == 'M' && n % 2 == 1);
}

void fbx_mark_curve(fbx_marks *marks, const fbx_curve *curve) {
  if (curve->key_count == 0) return;
  mark_cycle(marks, curve, 0, false);
  mark_outside(marks, curve, false);
  mark_outside(marks, curve, true);
}

/* ---- order ---- */

static int compare(const void *a, const void *b) {
  int64_t x = ((const fbx_mark *)a)->time, y = ((const fbx_mark *)b)->time;
  return (x > y) - (x < y);
}

/* Moves it from where the start put it. */
static void move_last_behind(fbx_marks *marks) {
  if (marks->count < 3 || marks->items[1].time != marks->last) return;
  fbx_mark last = marks->items[1];
  memmove(marks->items + 1, marks->items + 2, (size_t)(marks->count - 2) * sizeof last);
  marks->items[marks->count - 1] = last;
}

static bool are_sorted(const fbx_marks *marks) {
  for (int i = 1; i < marks->count; i++)
    if (marks->items[i].time < marks->items[i - 1].time) return false;
  return true;
}

bool fbx_marks_sort(fbx_marks *marks) {
  int kept = 0;
  if (marks->failed) return false;
  move_last_behind(marks);
  if (!are_sorted(marks)) qsort(marks->items, (size_t)marks->count, sizeof *marks->items, compare);
  for (int i = 0; i < marks->count; i++) {
    const fbx_mark *mark = marks->items + i;
    fbx_mark *last = kept ? marks->items + kept - 1 : NULL;
    if (!last || mark->time > last->time) marks->items[kept++] = *mark;
    else sharpen(last, mark->corner);
  }
  marks->count = kept;
  return true;
}
