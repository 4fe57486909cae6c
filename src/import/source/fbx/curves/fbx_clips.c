#include "import/source/fbx/curves/fbx_clips.h"

#include <math.h>
#include <string.h>

/* Programs compute curves in floats, so smaller movements count as standing still. Degrees; a fraction of a scale; a
 * fraction of the model's size and of the distance from the parent. */
static const double fbx_angle_noise = 1e-4, fbx_scale_noise = 2e-6, fbx_length_noise = 5e-7;

/* One stack while it becomes a clip. */
typedef struct fbx_maker {
  fbx_scene *scene;
  const fbx_skeleton *skeleton;
  const fbx_stack *stack;
  raw_clip *clip;
  fbx_reach reach;
  fbx_marks own, all;      /* of one function; of all functions that bend */
  fbx_function *functions; /* that bend */
  int function_count, function_capacity;
} fbx_maker;

static bool fbx_make_tracks(fbx_maker *maker, const fbx_function *function);

/* ---- Finds the joints whose scales are uniform in every clip ---- */

static bool is_even(const double *s) {
  double most = fmax(fabs(s[0]), fmax(fabs(s[1]), fabs(s[2])));
  return fabs(s[0] - s[1]) <= 2 * fbx_scale_noise * most && fabs(s[0] - s[2]) <= 2 * fbx_scale_noise * most;
}

static bool is_even_at(const fbx_stack *stack, const fbx_joint *joint, int64_t time) {
  double scale[3];
  memcpy(scale, joint->rest.value[FBX_SCALE], sizeof scale);
  fbx_stack_value(stack, joint->object, FBX_SCALE, time, FBX_AT, scale);
  return is_even(scale);
}

static bool is_even_in(const fbx_stack *stack, const fbx_joint *joint, fbx_marks *marks) {
  int64_t beside = (stack->stop - stack->start) / 257;
  fbx_marks_start(marks, stack->start, stack->stop);
  if (fbx_stack_moves(stack, joint->object, FBX_SCALE, fbx_scale_noise))
    fbx_mark_stack(stack, joint->object, FBX_SCALE, marks);
  for (int i = 0; i < marks->count; i++)
    if (!is_even_at(stack, joint, marks->items[i].time) || !is_even_at(stack, joint, marks->items[i].time + beside))
      return false;
  return true;
}

bool fbx_find_even_scales(fbx_scene *scene, const fbx_animation *animation, fbx_skeleton *skeleton) {
  fbx_marks marks = {.memory = &scene->file->memory};
  for (int i = 0; i < skeleton->count; i++) {
    fbx_joint *joint = skeleton->joints + i;
    joint->even = is_even(joint->rest.value[FBX_SCALE]);
    for (int k = 0; joint->even && k < animation->count; k++)
      if (fbx_first_animated(animation->stacks + k, joint->object, FBX_SCALE))
        joint->even = is_even_in(animation->stacks + k, joint, &marks);
  }
  fbx_marks_free(&marks);
  return !marks.failed;
}

/* Turns the curves of a stack for morph targets into weights: a channel's percentage gives a weight for each of its
 * shapes. */

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

static fbx_course percent_course(const percent_function *f) {
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
  function.course = percent_course(f);
  return mark_kinks(f, &m->own) && fbx_make_tracks(m, &function);
}

static bool fbx_make_percents(fbx_maker *m, const fbx_blends *blends) {
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

/* Turns the curves of a stack into translations, rotations and scales of nodes and their helpers (FBX pivots). */

/* Radians: no rotation may be off by more, however short its reach. */
static const double most_rotation_error = 4e-4;
/* Errors add up along chains, so a joint that moves alone may be off by more. */
static const double most_of_one = 1.6;

/* A scale at a moment, cached because the joints below ask for it, too. */
typedef struct known_scale {
  bool known;
  fbx_side side;
  int64_t time;
  double scale[3];
} known_scale;

/* All joints in one stack. */
typedef struct joints {
  fbx_maker *maker;
  fbx_local *base;                                 /* the values at the clip's beginning */
  bool (*moves)[FBX_CHANNEL_COUNT];                /* by more than noise */
  const fbx_animated *(*plain)[FBX_CHANNEL_COUNT]; /* for a single item: looked up once, because it is used often */
  fbx_scales scales;
  known_scale *known; /* by joint: the last result */
  fbx_reach reach;    /* in this clip */
  double tolerance;   /* of each, a length */
} joints;

typedef struct joint_function {
  const joints *joints;
  int joint;
  fbx_part parts[4];
  bool rotates, moves, scales, helper_scales;
  bool whole;         /* inherits a moving scale, or is moved by its own rotation or scale */
  double scale_by[3]; /* the constant part of the node's scale, unless it inherits a moving one */
  double offset[3];   /* from the joint's translation to the node's, if nothing rotates or scales */
} joint_function;

typedef struct moment {
  const joints *joints;
  int64_t time;
  fbx_side side;
} moment;

static void channel_at(const moment *at, int joint, int channel, double value[3]) {
  const joints *js = at->joints;
  const fbx_maker *m = js->maker;
  const fbx_joint *j = m->skeleton->joints + joint;
  if (js->plain[joint][channel]) {
    fbx_own_value(js->plain[joint][channel], at->time, at->side, value);
    return;
  }
  memcpy(value, j->rest.value[channel], sizeof j->rest.value[channel]); /* what layers are laid upon */
  fbx_stack_value(m->stack, j->object, channel, at->time, at->side, value);
}

static const double *scale_at(const moment *at, int joint) {
  known_scale *k = at->joints->known + joint;
  if (k->known && k->time == at->time && k->side == at->side) return k->scale;
  channel_at(at, joint, FBX_SCALE, k->scale);
  k->known = true;
  k->time = at->time;
  k->side = at->side;
  return k->scale;
}

static void local_at(const void *user, int joint, bool scale_only, fbx_local *local) {
  const moment *at = user;
  const bool *moves = at->joints->moves[joint];
  *local = at->joints->base[joint];
  for (int i = 0; i < FBX_SCALE && !scale_only; i++)
    if (moves[i]) channel_at(at, joint, i, local->value[i]);
  if (moves[FBX_SCALE]) memcpy(local->value[FBX_SCALE], scale_at(at, joint), sizeof local->value[FBX_SCALE]);
}

static void unscaled_local(const void *user, int joint, bool scale_only, fbx_local *local) {
  (void)user, (void)joint, (void)scale_only;
  *local = (fbx_local){{{0}, {0}, {1, 1, 1}}};
}

static double *put(double *out, const double *values, int count) {
  for (int i = 0; i < count; i++) out[i] = values[i];
  return out + count;
}

/* The value of an animated channel, or its constant value. */
static const double *find_channel(const moment *at, int joint, int channel, double value[3]) {
  if (!at->joints->moves[joint][channel]) return at->joints->base[joint].value[channel];
  if (channel == FBX_SCALE) return scale_at(at, joint);
  channel_at(at, joint, channel, value);
  return value;
}

static void whole_value(const joint_function *f, const moment *at, double *out, double *angles) {
  fbx_placed p = fbx_position(f->joints->maker->skeleton, f->joint, &f->joints->scales, local_at, at);
  put(angles, p.angles, 3);
  if (f->rotates) out = put(out, p.rotation, 4);
  if (f->moves) out = put(out, p.translation, 3);
  if (f->scales) out = put(out, p.scale, 3);
  if (f->helper_scales) put(out, p.helper_scale, 3);
}

/* Most joints inherit no moving scale and are not moved by rotation or scale, so they do not need a full transform. */
static void joint_value(const void *user, int64_t time, fbx_side side, double *out, double *angles) {
  const joint_function *f = user;
  const fbx_pivots *pivots = &f->joints->maker->skeleton->joints[f->joint].pivots;
  moment at = {f->joints, time, side};
  double value[3];
  if (f->whole) {
    whole_value(f, &at, out, angles);
    return;
  }
  put(angles, find_channel(&at, f->joint, FBX_ROTATION, value), 3);
  if (f->rotates) {
    fbx_rotation_of(pivots, angles, out);
    out += 4;
  }
  if (f->moves) {
    const double *translation = find_channel(&at, f->joint, FBX_TRANSLATION, value);
    for (int i = 0; i < 3; i++) *out++ = translation[i] + f->offset[i];
  }
  if (!f->scales) return;
  const double *scale = find_channel(&at, f->joint, FBX_SCALE, value);
  for (int i = 0; i < 3; i++) *out++ = scale[i] * f->scale_by[i];
}

/* ---- what moves ---- */

static bool has(const joints *js, int joint, int channel) {
  const fbx_maker *m = js->maker;
  return fbx_first_animated(m->stack, m->skeleton->joints[joint].object, channel) != NULL;
}

static double noise_of(const fbx_maker *m, int channel, const double *value) {
  double away = fmax(fabs(value[0]), fmax(fabs(value[1]), fabs(value[2])));
  if (channel == FBX_ROTATION) return fbx_angle_noise;
  if (channel == FBX_SCALE) return fbx_scale_noise * fmax(away, 1e-6);
  return fbx_length_noise * fmax(away, m->reach.size);
}

/* Examines parents before their children. */
static void look_at_joint(const joints *js, int index) {
  const fbx_maker *m = js->maker;
  const fbx_joint *joint = m->skeleton->joints + index;
  fbx_local *base = js->base + index;
  *base = joint->rest;
  for (int i = 0; i < FBX_CHANNEL_COUNT; i++) {
    fbx_stack_value(m->stack, joint->object, i, m->stack->start, FBX_AT, base->value[i]);
    js->moves[index][i] = fbx_stack_moves(m->stack, joint->object, i, noise_of(m, i, base->value[i]));
    js->plain[index][i] = fbx_plain_animated(m->stack, joint->object, i);
  }
  int from = joint->scale_from;
  js->scales.move[index] = js->moves[index][FBX_SCALE] || (from >= 0 && js->scales.move[from]);
  for (int k = 0; k < 3; k++)
    js->scales.still[index][k] = base->value[FBX_SCALE][k] * (from >= 0 ? js->scales.still[from][k] : 1);
}

static bool scale_moves(const joints *js, int joint) { return joint >= 0 && js->scales.move[joint]; }

/* Whether the effective scale in the stack may differ from that at rest. */
static bool scale_differs(const joints *js, int joint) {
  if (joint < 0) return false;
  const double *rest = js->maker->skeleton->joints[joint].rest_scale, *still = js->scales.still[joint];
  return js->scales.move[joint] || memcmp(rest, still, 3 * sizeof *rest) != 0;
}

/* Marks the keys of all curves that change a joint's effective scale, if there are any. */
static void mark_scales(const joints *js, int joint) {
  fbx_maker *m = js->maker;
  for (int j = joint; scale_moves(js, j); j = m->skeleton->joints[j].scale_from)
    fbx_mark_stack(m->stack, m->skeleton->joints[j].object, FBX_SCALE, &m->own);
}

/* ---- tracks ---- */

static void list_parts(joint_function *f, fbx_function *function) {
  const fbx_maker *m = f->joints->maker;
  const fbx_joint *joint = m->skeleton->joints + f->joint;
  const fbx_reach *r = &f->joints->reach;
  double reach = fmax(r->far[f->joint], 1e-9 * r->size), length = f->joints->tolerance;
  double angle = fmin(length / reach, most_rotation_error);
  fbx_part *part = f->parts;
  int above = joint->helper >= 0 ? joint->helper : joint->node;
  if (f->rotates) *part++ = (fbx_part){TRACK_ROTATION, joint->node, 0, 1 / angle};
  if (f->moves) *part++ = (fbx_part){TRACK_TRANSLATION, above, 0, r->stretch[f->joint] / length};
  if (f->scales) *part++ = (fbx_part){TRACK_SCALE, joint->node, 0, 1 / angle};
  if (f->helper_scales) *part++ = (fbx_part){TRACK_SCALE, joint->helper, 0, 1 / angle};
  function->parts = f->parts;
  function->part_count = (int)(part - f->parts);
}

/* Inherited scales and pivots bend the motion even if the curves are straight. */
static fbx_course joint_course(const joint_function *f) {
  const joints *js = f->joints;
  const fbx_maker *m = js->maker;
  const fbx_joint *joint = m->skeleton->joints + f->joint;
  fbx_pieces pieces = {0};
  bool turns = false, taken = (joint->relative && scale_moves(js, joint->parent)) || scale_moves(js, joint->scale_from);
  for (int i = 0; i < FBX_CHANNEL_COUNT; i++) {
    fbx_pieces own = fbx_stack_pieces(m->stack, joint->object, i);
    if (!js->moves[f->joint][i]) continue;
    turns |= own.lines && (i == FBX_ROTATION || joint->pivots.moves);
    pieces.bends |= own.bends;
    pieces.lines |= own.lines;
    pieces.steps |= own.steps;
  }
  if (pieces.bends || taken) return FBX_BENDS;
  if (turns) return FBX_TURNS;
  return pieces.lines ? FBX_STRAIGHT : FBX_STEPS;
}

/* As fbx_position has it. */
static void find_scale(joint_function *f) {
  const joints *js = f->joints;
  const fbx_joint *joint = js->maker->skeleton->joints + f->joint;
  fbx_placed p = fbx_position(js->maker->skeleton, f->joint, &js->scales, unscaled_local, NULL);
  bool inherits = joint->relative && (scale_moves(js, joint->parent) || scale_moves(js, joint->scale_from));
  f->whole = inherits || f->helper_scales || (f->moves && joint->pivots.moves);
  put(f->scale_by, p.scale, 3);
}

static void find_offset(joint_function *f) {
  const joints *js = f->joints;
  const fbx_local *base = js->base + f->joint;
  fbx_transform t = fbx_transform_of(&js->maker->skeleton->joints[f->joint].pivots, base);
  for (int i = 0; i < 3; i++) f->offset[i] = t.translation[i] - base->value[FBX_TRANSLATION][i];
}

static bool keep_function(const joint_function *f, bool moves) {
  fbx_maker *m = f->joints->maker;
  fbx_function function = {.value = joint_value};
  if (!f->rotates && !f->moves && !f->scales && !f->helper_scales) return true;
  joint_function *kept = fbx_take(m->scene->file, 1, sizeof *kept);
  if (!kept) return false;
  *kept = *f;
  find_offset(kept);
  find_scale(kept);
  function.user = kept;
  list_parts(kept, &function);
  function.course = moves ? joint_course(f) : FBX_STEPS;
  if (moves) return fbx_make_tracks(m, &function);
  fbx_sampling sampling = {m->scene, m->clip, &m->own};
  return fbx_sample_still(&sampling, &function);
}

static bool make_joint(const joints *js, int index) {
  fbx_maker *m = js->maker;
  const fbx_joint *joint = m->skeleton->joints + index;
  const bool *own = js->moves[index];
  bool relative = joint->relative, above = relative && scale_moves(js, joint->parent);
  bool whole = scale_moves(js, joint->scale_from), pivots = joint->pivots.moves, helper = joint->helper >= 0;
  bool differs = relative && (scale_differs(js, joint->parent) || scale_differs(js, joint->scale_from));
  joint_function moving = {.joints = js, .joint = index}, still = moving;
  moving.rotates = own[FBX_ROTATION];
  moving.moves = own[FBX_TRANSLATION] || (pivots && (own[FBX_ROTATION] || own[FBX_SCALE]));
  moving.scales = own[FBX_SCALE] || whole || (above && !helper);
  moving.helper_scales = above && helper;
  still.rotates = !moving.rotates && has(js, index, FBX_ROTATION);
  still.moves = !moving.moves && (has(js, index, FBX_TRANSLATION) ||
                                  (pivots && (has(js, index, FBX_ROTATION) || has(js, index, FBX_SCALE))));
  still.scales = !moving.scales && (has(js, index, FBX_SCALE) || differs);
  still.helper_scales = !moving.helper_scales && helper && scale_differs(js, joint->parent);
  fbx_marks_start(&m->own, m->stack->start, m->stack->stop);
  if (!keep_function(&still, false)) return false;
  for (int i = 0; i < FBX_CHANNEL_COUNT; i++)
    if (own[i]) fbx_mark_stack(m->stack, joint->object, i, &m->own);
  if (above) mark_scales(js, joint->parent);
  if (whole) mark_scales(js, joint->scale_from);
  return keep_function(&moving, true);
}

static double find_tolerance(const joints *js) {
  const fbx_maker *m = js->maker;
  int moving = 0;
  for (int i = 0; i < m->skeleton->count; i++)
    moving += js->moves[i][FBX_TRANSLATION] || js->moves[i][FBX_ROTATION] || js->moves[i][FBX_SCALE];
  return js->reach.tolerance * (moving == 1 && m->scene->raw->mesh_count > 0 ? most_of_one : 1);
}

static bool find_reach(joints *js) {
  const fbx_maker *m = js->maker;
  const fbx_skeleton *k = m->skeleton;
  double *largest = fbx_take(m->scene->file, (size_t)k->count, sizeof *largest);
  for (int i = 0; largest && i < k->count; i++) {
    const double *rest = k->joints[i].rest.value[FBX_SCALE];
    double all = fmax(fabs(rest[0]), fmax(fabs(rest[1]), fabs(rest[2])));
    largest[i] = fbx_stack_largest_scale(m->stack, k->joints[i].object, all);
  }
  return largest && fbx_reach_in_clip(m->scene, k, largest, &m->reach, &js->reach);
}

/* fbx_clips.c, fbx_clips.c: the curves of joints, and of morph targets. */
static bool fbx_make_joints(fbx_maker *m) {
  fbx_file *file = m->scene->file;
  size_t count = (size_t)m->skeleton->count;
  joints *js = fbx_take(file, 1, sizeof *js);
  if (!js) return false;
  js->maker = m;
  js->base = fbx_take(file, count, sizeof *js->base);
  js->moves = fbx_take(file, count, sizeof *js->moves);
  js->plain = fbx_take(file, count, sizeof *js->plain);
  js->scales = (fbx_scales){fbx_take(file, count, sizeof(bool)), fbx_take(file, count, sizeof *js->scales.still)};
  js->known = fbx_take(file, count, sizeof *js->known);
  if (!js->base || !js->moves || !js->plain || !js->scales.move || !js->scales.still || !js->known) return false;
  for (int i = 0; i < m->skeleton->count; i++) look_at_joint(js, i);
  if (!find_reach(js)) return false;
  js->tolerance = find_tolerance(js);
  for (int i = 0; i < m->skeleton->count; i++)
    if (!make_joint(js, i)) return false;
  return true;
}

/* ---- fbx clips ---- */

static void add_marks(fbx_marks *to, const fbx_marks *from) {
  fbx_marks_rewind(to);
  for (int i = 0; i < from->count; i++) fbx_add_mark(to, from->items[i].time, from->items[i].corner);
}

/* The ticks between samples, if the marks are those of samples at a rate at which motion is recorded: all lie on a
 * grid, and most places of it have one, since exporters leave out what a line reproduces. Otherwise 0. The span may cut
 * the first and the last interval. */
static int64_t sample_step(const fbx_maker *m) {
  static const double least_rate = 20, uneven = 0.02, most_missing = 0.5;
  enum { FEWEST = 6 };
  const fbx_mark *marks = m->own.items;
  int last = m->own.count - 1, places = 0;
  double step = HUGE_VAL;
  for (int i = 1; i + 1 < last; i++) step = fmin(step, (double)(marks[i + 1].time - marks[i].time));
  if (m->own.count < FEWEST || step * least_rate > (1 + uneven) * m->scene->ticks) return 0;
  for (int i = 1; i + 1 < last; i++) {
    double steps = (double)(marks[i + 1].time - marks[i].time) / step;
    if (fabs(steps - round(steps)) > uneven * steps) return 0;
    places += (int)round(steps);
  }
  return last - 2 >= (1 - most_missing) * places ? (int64_t)((1 + uneven) * step) : 0;
}

/* Makes tracks of a function whose marks are in `own`; if it bends, they are made later, together with the others.
 * `user` must live as long as the file is open. False when memory runs out. */
static bool fbx_make_tracks(fbx_maker *m, const fbx_function *function) {
  fbx_sampling alone = {m->scene, m->clip, &m->own};
  if (!fbx_marks_sort(&m->own)) return false;
  if (function->course >= FBX_STRAIGHT) return fbx_sample_alone(&alone, function);
  add_marks(&m->all, &m->own);
  fbx_function *kept = raw_grow(&m->scene->file->memory, (void **)&m->functions, &m->function_count,
                                &m->function_capacity, sizeof *kept);
  if (kept) *kept = *function;
  if (kept && function->course == FBX_TURNS) kept->sample_step = sample_step(m);
  return kept != NULL;
}

/* If most of a clip is samples, its other lines are, too: they had more keys to leave out. */
static void share_step(const fbx_maker *m) {
  int64_t step = INT64_MAX;
  int sampled = 0;
  for (int i = 0; i < m->function_count; i++) {
    if (m->functions[i].sample_step == 0) continue;
    sampled++;
    if (m->functions[i].sample_step < step) step = m->functions[i].sample_step;
  }
  for (int i = 0; i < m->function_count && 2 * sampled >= m->function_count; i++)
    if (m->functions[i].course == FBX_TURNS) m->functions[i].sample_step = step;
}

static bool make_clip(fbx_maker *m, const fbx_blends *blends) {
  raw_model *raw = m->scene->raw;
  m->clip = raw_grow(raw, (void **)&raw->clips, &raw->clip_count, &raw->clip_capacity, sizeof *raw->clips);
  if (!m->clip) return false;
  *m->clip = (raw_clip){.name = raw_string(raw, m->stack->name), .lean = true};
  m->function_count = 0;
  fbx_marks_start(&m->all, m->stack->start, m->stack->stop);
  if (!m->clip->name || !fbx_make_joints(m) || !fbx_make_percents(m, blends) || !fbx_marks_sort(&m->all)) return false;
  fbx_sampling together = {m->scene, m->clip, &m->all};
  share_step(m);
  return fbx_sample_together(&together, m->functions, m->function_count);
}

bool fbx_make_clips(fbx_scene *scene, const fbx_animation *animation, const fbx_skeleton *skeleton,
                    const fbx_blends *blends) {
  fbx_maker m = {.scene = scene, .skeleton = skeleton};
  m.own.memory = m.all.memory = &scene->file->memory;
  if (animation->count == 0) return true;
  bool made = fbx_find_reach(scene, skeleton, &m.reach);
  for (int i = 0; made && i < animation->count; i++) {
    m.stack = animation->stacks + i;
    made = !m.stack->item_count || make_clip(&m, blends);
  }
  fbx_marks_free(&m.own);
  fbx_marks_free(&m.all);
  return made;
}
