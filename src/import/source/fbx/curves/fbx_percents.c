/* Turns the curves of a stack for morph targets into weights: a channel's percentage gives a weight for each of its
 * shapes. */
#include "import/source/fbx/curves/fbx_clips.h"

#include <math.h>

/* In percent, like the noise of angles. */
static const double percent_noise = 1e-4;

typedef struct percent_function {
  const fbx_maker *maker;
  const fbx_blend_channel *channel;
  double rest;
} percent_function;

static double percent_at(const percent_function *f, int64_t time, fbx_side side) {
  double percent = f->rest;
  fbx_stack_value(f->maker->stack, f->channel->object, FBX_PERCENT, time, side, &percent);
  return percent;
}

static void percent_value(const void *user, int64_t time, fbx_side side, double *out, double *angles) {
  const percent_function *f = user;
  fbx_shape_weights(f->channel->full, f->channel->count, percent_at(f, time, side), out);
  angles[0] = angles[1] = angles[2] = 0;
}

/* The time at which the percentage crosses a value that lies between its values at the two moments. */
static int64_t find_passing(const percent_function *f, int64_t from, int64_t to, double value) {
  bool above = percent_at(f, from, FBX_AT) > value;
  while (to - from > 1) {
    int64_t middle = from + (to - from) / 2;
    if ((percent_at(f, middle, FBX_AT) > value) == above) from = middle;
    else to = middle;
  }
  return to;
}

static void mark_kinks_between(const percent_function *f, int64_t from, int64_t to, fbx_marks *marks) {
  double before = percent_at(f, from, FBX_AT), after = percent_at(f, to, FBX_AT);
  for (int k = -1; k < f->channel->count; k++) {
    double kink = k < 0 ? 0 : f->channel->full[k];
    if ((before > kink) != (after > kink)) fbx_add_mark(marks, find_passing(f, from, to, kink), FBX_KINK);
  }
}

/* At the percentage of an in-between shape, the weights have a kink. Looks for it in eighths of the time between two
 * marks. */
static bool mark_kinks(const percent_function *f, fbx_marks *marks) {
  enum { PARTS = 8 };
  if (f->channel->count < 2) return true;
  if (!fbx_marks_sort(marks)) return false;
  for (int i = 0, count = marks->count; i + 1 < count; i++) {
    int64_t from = marks->items[i].time, length = marks->items[i + 1].time - from;
    for (int part = 0; part < PARTS; part++)
      mark_kinks_between(f, from + length / PARTS * part,
                         part + 1 < PARTS ? from + length / PARTS * (part + 1) : from + length - 1, marks);
  }
  return true;
}

static fbx_course course_of(const percent_function *f) {
  fbx_pieces pieces = fbx_stack_pieces(f->maker->stack, f->channel->object, FBX_PERCENT);
  return pieces.bends ? FBX_BENDS : pieces.lines ? FBX_STRAIGHT : FBX_STEPS;
}

static bool make_percent(fbx_maker *m, const percent_function *f) {
  const fbx_blend_channel *channel = f->channel;
  double tolerance = m->reach.tolerance / fmax(channel->largest, 1e-9 * m->reach.size);
  fbx_function function = {.value = percent_value, .user = f, .part_count = channel->count};
  function.parts = fbx_take(m->scene->file, (size_t)channel->count, sizeof *function.parts);
  if (!function.parts) return false;
  for (int i = 0; i < channel->count; i++)
    function.parts[i] =
        (fbx_part){TRACK_MORPH, channel->mesh, channel->first + i, 1 / fmax(1e-6, fmin(tolerance, 1e-3))};
  fbx_marks_start(&m->own, m->stack->start, m->stack->stop);
  fbx_sampling sampling = {m->scene, m->clip, &m->own};
  if (!fbx_stack_moves(m->stack, channel->object, FBX_PERCENT, percent_noise))
    return fbx_sample_still(&sampling, &function);
  fbx_mark_stack(m->stack, channel->object, FBX_PERCENT, &m->own);
  function.course = course_of(f);
  return mark_kinks(f, &m->own) && fbx_make_tracks(m, &function);
}

bool fbx_make_percents(fbx_maker *m, const fbx_blends *blends) {
  for (int i = 0; i < blends->count; i++) {
    const fbx_blend_channel *channel = blends->items + i;
    if (!fbx_first_animated(m->stack, channel->object, FBX_PERCENT)) continue;
    percent_function *f = fbx_take(m->scene->file, 1, sizeof *f);
    if (!f) return false;
    *f = (percent_function){m, channel, fbx_rest_percent(m->scene, m->scene->objects + channel->object)};
    if (!make_percent(m, f)) return false;
  }
  return true;
}
