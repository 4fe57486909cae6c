#include "actor/stage.h"

#include "actor/play/actor_events.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/memory/memory.h"
#include "math/float_env.h"

#include <math.h>

enum { RANGE = 8 };

sinew_stage *sinew_stage_create(sinew_error *error) {
  sinew_stage *stage = mem_alloc_zeroed(sizeof *stage);
  if (!stage) {
    error_memory(error, "a stage", sizeof *stage);
    return NULL;
  }
  pool_init(&stage->actor_slots, sizeof(actor *));
  pool_init(&stage->action_slots, sizeof(action));
  pool_init(&stage->crowd_slots, sizeof(crowd *));
  if (!event_queue_init(&stage->events)) {
    error_memory(error, "a stage's events", STAGE_EVENTS * sizeof(sinew_event));
    sinew_stage_destroy(stage);
    return NULL;
  }
  return stage;
}

void sinew_stage_set_user(sinew_stage *stage, void *user) { stage->user = user; }

void *sinew_stage_user(const sinew_stage *stage) { return stage->user; }

void sinew_stage_destroy(sinew_stage *stage) {
  if (!stage) return;
  if (stage_closed(stage)) {
    sinew_log(SINEW_LOG_ERROR, "the stage is not destroyed: %s", stage_closed(stage));
    return;
  }
  while (stage->actor_count) sinew_actor_destroy(stage, (sinew_actor){stage->actors[stage->actor_count - 1]->id});
  pool_reset(&stage->actor_slots);
  while (stage->crowd_count) sinew_crowd_destroy(stage, (sinew_crowd){stage->crowds[stage->crowd_count - 1]->id});
  pool_reset(&stage->action_slots);
  pool_reset(&stage->crowd_slots);
  mem_free(stage->actors);
  mem_free(stage->by_wave);
  mem_free(stage->wave_ends);
  mem_free(stage->crowds);
  stage_end_threads(stage);
  scratch_reset(stage->scratches);
  palettes_reset(&stage->palettes);
  markers_reset(&stage->markers);
  curves_reset(&stage->curves);
  mem_free(stage->gaits.items);
  actor_events_reset(stage);
  event_queue_reset(&stage->events);
  mem_free(stage);
}

/* ---- the lock ---- */

void sinew_stage_lock(sinew_stage *stage) { stage->locks++; }

/* Forgets the events sent for the update that has just ended, and moves those that waited to the front. */
static void send_waiting(actor *a) {
  a->inputs->sent_count += a->inputs->waiting_count;
  a->inputs->waiting_count = 0;
  a->sends = false;
}

static void destroy_waiting_actors(sinew_stage *stage) {
  for (int i = stage->actor_count - 1; i >= 0; i--) {
    actor *a = stage->actors[i];
    if (a->sends) send_waiting(a);
    if (a->goes) sinew_actor_destroy(stage, (sinew_actor){a->id});
  }
}

static void destroy_waiting_crowds(sinew_stage *stage) {
  for (int i = stage->crowd_count - 1; i >= 0; i--)
    if (stage->crowds[i]->goes) sinew_crowd_destroy(stage, (sinew_crowd){stage->crowds[i]->id});
}

void sinew_stage_unlock(sinew_stage *stage) {
  if (stage->locks == 0 || --stage->locks > 0 || !stage->waiting) return;
  stage->waiting = false;
  destroy_waiting_actors(stage);
  destroy_waiting_crowds(stage);
}

/* ---- update ---- */

/* Closes the gaps that removed palettes leave. */
static void pack_palettes(sinew_stage *stage) {
  if (!stage->palettes.has_gaps) return;
  palettes_begin_packing(&stage->palettes);
  for (int a = 0, c = 0; a < stage->actor_count || c < stage->crowd_count;) {
    palette_range *of_actor = a < stage->actor_count ? &stage->actors[a]->palette : NULL;
    palette_range *of_crowd = c < stage->crowd_count ? &stage->crowds[c]->palette : NULL;
    bool actor_first = !of_crowd || (of_actor && of_actor->offset <= of_crowd->offset);
    palettes_pack(&stage->palettes, actor_first ? of_actor : of_crowd);
    *(actor_first ? &a : &c) += 1;
  }
}

/* The actors that wait only for actors of earlier waves. */
typedef struct wave {
  sinew_stage *stage;
  actor **actors;
  int count;
} wave;

static wave wave_of(sinew_stage *stage, int number) {
  int begin = number ? stage->wave_ends[number - 1] : 0;
  return (wave){stage, stage->by_wave + begin, stage->wave_ends[number] - begin};
}

static void finish(const sinew_stage *stage, actor *a) {
  attachment_position(stage, a);
  if (!a->modifiers.has_functions) actor_finish(stage, a);
}

static void send_for_lines(const void *memory, size_t bytes) {
  for (size_t i = 0; i < bytes; i += 64) __builtin_prefetch((const char *)memory + i, 1, 2);
}

/* Prefetches the memory for the next actor's results: with many actors it is no longer in the cache, and each write
 * would wait. */
enum { MANY = 256 };
static void send_for(const sinew_stage *stage, const actor *a) {
  size_t groups = (size_t)sinew_pose_group_count(a->model->joint_count);
  if (!a->unmade.waits) send_for_lines(a->before.groups, groups * sizeof *a->before.groups);
  if (!a->joints_wait) send_for_lines(a->joints, (size_t)a->model->joint_count * sizeof *a->joints);
  send_for_lines(stage->palettes.matrices + a->palette.offset, (size_t)a->palette.count * sizeof(sinew_mat3x4));
}

/* If no actor waits for another, each is done in one go. */
static void evaluate_range(void *user, int worker, int begin, int end) {
  const wave *w = user;
  for (int i = begin; i < end; i++) {
    actor *a = w->actors[i];
    if (w->count >= MANY && i + 1 < end) send_for(w->stage, w->actors[i + 1]);
    actor_evaluate(w->stage, w->stage->scratches + worker, a);
    if (w->stage->waves == 1) finish(w->stage, a);
  }
}

static void finish_range(void *user, int worker, int begin, int end) {
  const wave *w = user;
  (void)worker;
  for (int i = begin; i < end; i++) finish(w->stage, w->actors[i]);
}

static void finish_functions(const wave *w) {
  for (int i = 0; i < w->count; i++)
    if (w->actors[i]->modifiers.has_functions) actor_finish(w->stage, w->actors[i]);
}

static int64_t count_joints(actor *const *actors, int count) {
  int64_t joints = 0;
  for (int i = 0; i < count; i++) joints += actors[i]->model->joint_count;
  return joints;
}

static void measure(const sinew_stage *stage, actor *a) {
  actor_make_poses(stage, a);
  actor_joints(a);
  actor_measure(stage, a);
}

static void advance(sinew_stage *stage, int begin, int end, double dt) {
  for (int i = begin; i < end; i++) actor_advance(stage, stage->actors[i], stage->actors[i]->paused ? 0 : dt);
}

/* If one thread does everything and no actor waits for another, actors are moved and evaluated a few at a time. With
 * many actors, the cache would otherwise lose what the move has touched before the evaluation reads it. */
static void evaluate_actors(sinew_stage *stage, double dt) {
  enum { BLOCK = 64 };
  wave all = {stage, stage->actors, stage->actor_count};
  int64_t joints = count_joints(all.actors, all.count);
  stage_find_waves(stage);
  bool apart = stage_shares(stage, joints) || stage->waves > 1;
  for (int i = 0; i < all.count && !apart; i += BLOCK) {
    int end = all.count - i < BLOCK ? all.count : i + BLOCK;
    advance(stage, i, end, dt);
    evaluate_range(&all, 0, i, end);
  }
  if (apart) {
    advance(stage, 0, all.count, dt);
    stage_share(stage, all.count, RANGE, joints, evaluate_range, &all);
  }
  for (int i = 0; i < stage->waves; i++) {
    wave w = wave_of(stage, i);
    if (stage->waves > 1) stage_share(stage, w.count, RANGE, count_joints(w.actors, w.count), finish_range, &w);
    finish_functions(&w);
  }
  for (int i = 0; i < stage->actor_count; i++)
    if (stage->actors[i]->metrics && !actor_is_skipped(stage->actors[i])) measure(stage, stage->actors[i]);
}

static int count_characters(const sinew_stage *stage) {
  int count = stage->actor_count;
  for (int i = 0; i < stage->crowd_count; i++) count += stage->crowds[i]->characters.count;
  return count;
}

void sinew_stage_update(sinew_stage *stage, double dt) {
  if (stage_closed(stage)) return;
  if (!isfinite(dt)) dt = 0;
  uint64_t before = float_env_enter();
  double begin = clock_seconds();
  sinew_stage_lock(stage);
  actor_events_reset(stage);
  markers_forget_retired(&stage->markers);
  for (int i = 0; i < stage->actor_count; i++) actor_decide(stage, stage->actors[i], stage->actors[i]->paused ? 0 : dt);
  pack_palettes(stage);
  evaluate_actors(stage, dt);
  for (int i = 0; i < stage->crowd_count; i++) stage_step_crowd(stage, stage->crowds[i], dt);
  double spent = clock_seconds() - begin;
  int characters = count_characters(stage);
  stage->microseconds_per_actor = characters ? spent * 1e6 / characters : 0;
  sinew_stage_unlock(stage);
  float_env_leave(before);
}

/* ---- questions ---- */

const sinew_mat3x4 *sinew_stage_palettes(const sinew_stage *stage, int *count) {
  *count = stage->palettes.count;
  return stage->palettes.matrices;
}

int sinew_stage_actor_count(const sinew_stage *stage) { return stage->actor_count; }

sinew_actor sinew_stage_actor(const sinew_stage *stage, int index) {
  return (sinew_actor){index >= 0 && index < stage->actor_count ? stage->actors[index]->id : 0};
}

double sinew_stage_microseconds_per_actor(const sinew_stage *stage) { return stage->microseconds_per_actor; }
