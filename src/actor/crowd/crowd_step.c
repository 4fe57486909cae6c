/* One step of a range of characters: times and weights move, then poses are sampled, blended and laid into the
 * palettes. */
#include "actor/crowd/crowd_step.h"

#include "actor/play/clip_instance.h"
#include "actor/stage.h"
#include "actor/sync/foot_blend.h"
#include "model/pose_group.h"
#include "skin/kernels.h"

#include <math.h>
#include <sinew/crowd.h>
#include <string.h>

typedef struct crowd_feet_job {
  const sinew_model *model;
  const model_gait *gait;
  const scratch *scratch;
  const sinew_evaluate_source *sources; /* whose weights sum to 1 */
  const clip_instance *const *items;    /* what each is of */
  int count;                            /* 2 .. SINEW_CROWD_SLOTS */
  float threshold;
  sinew_mat3x4 *palette; /* or NULL: only the scratch's joints */
} crowd_feet_job;

/* ---- keeps the feet of near characters where their clips have them (sync/foot_blend.h) ---- */

static float synced_weight(const crowd_feet_job *job) {
  float weight = 0;
  for (int k = 0; k < job->count; k++)
    if (job->items[k]->sync) weight += job->sources[k].weight;
  return weight;
}

/* Replaces sinew_evaluate; takes some four times as long. */
static void crowd_feet_evaluate(const crowd_feet_job *job) {
  static const root_motion none = {.def = {.joint = -1}};
  const sinew_model *model = job->model;
  sinew_blend_source sources[SINEW_CROWD_SLOTS];
  sinew_pose pose = scratch_pose(job->scratch, SCRATCH_LAYER, model->joint_count);
  for (int k = 0; k < job->count; k++) {
    const sinew_evaluate_source *s = job->sources + k;
    sinew_pose own = scratch_pose(job->scratch, k, model->joint_count);
    sinew_sample(&(sinew_sample_job){model, s->clip, s->time, own});
    sources[k] = (sinew_blend_source){own.groups, s->weight, s->clip->animates_all ? NULL : s->clip->animated};
  }
  sinew_blend(&(sinew_blend_job){sources, job->count, model_rest_pose(model), job->threshold, pose});
  foot_blend(&(foot_blend_job){.model = model,
                               .gait = job->gait,
                               .sources = sources,
                               .items = job->items,
                               .root = &none,
                               .count = job->count,
                               .weight = synced_weight(job),
                               .joints = job->scratch->joints,
                               .pose = pose});
  sinew_local_to_model(&(sinew_local_to_model_job){model, pose, job->scratch->joints, 0});
  if (job->palette) sinew_palette(&(sinew_palette_job){model, job->scratch->joints, job->palette});
}

/* ---- the morph weights of a crowd's characters ---- */

crowd_morphs crowd_morphs_lay_out(block *b, const sinew_model *model, size_t characters) {
  crowd_morphs m = {0};
  for (int i = 0; i < model->mesh_count; i++) m.count += model->meshes[i].morph_count;
  if (m.count == 0) return m;
  size_t meshes = (size_t)model->mesh_count;
  m.first = block_take(b, meshes, sizeof *m.first);
  m.rest = block_take(b, (size_t)m.count, sizeof *m.rest);
  m.moves = block_take(b, meshes * (size_t)model->clip_count, sizeof *m.moves);
  m.weights = block_take(b, characters, (size_t)m.count * sizeof *m.weights);
  return m;
}

static void note_meshes(const clip_morph *morphs, int count, uint8_t *moves) {
  for (int i = 0; i < count; i++) moves[morphs[i].mesh] = 1;
}

void crowd_morphs_fill(const crowd_morphs *m, const sinew_model *model) {
  if (m->count == 0) return;
  int count = 0;
  for (int i = 0; i < model->mesh_count; i++) {
    const sinew_mesh_view *mesh = model->meshes + i;
    m->first[i] = count;
    for (int t = 0; t < mesh->morph_count; t++) m->rest[count++] = mesh->morphs[t].rest_weight;
  }
  for (int c = 0; c < model->clip_count; c++) {
    const sinew_clip *clip = model->clips + c;
    uint8_t *moves = m->moves + (size_t)c * (size_t)model->mesh_count;
    note_meshes(clip->constant_morphs, clip->constant_morph_count, moves);
    for (int t = 0; t < clip->track_group_count; t++)
      note_meshes(clip->track_groups[t].morphs, clip->track_groups[t].morph_count, moves);
  }
}

static void add_value(const crowd_morphs *m, const clip_morph *morph, float weight, float value, float *sum) {
  int target = m->first[morph->mesh] + morph->target;
  sum[target] += weight * (value - m->rest[target]);
}

static void add_clip(const crowd_morphs *m, const sinew_evaluate_source *source, float *sum) {
  const sinew_clip *clip = source->clip;
  for (int i = 0; i < clip->constant_morph_count; i++) {
    const clip_morph *morph = clip->constant_morphs + i;
    add_value(m, morph, source->weight, clip->constant_weights[morph->offset], sum);
  }
  for (int t = 0; t < clip->track_group_count; t++) {
    const track_group *tracks = clip->track_groups + t;
    if (tracks->morph_count == 0) continue;
    clip_cursor cursor = track_group_seek(tracks, source->time);
    for (int i = 0; i < tracks->morph_count; i++)
      add_value(m, tracks->morphs + i, source->weight, clip_morph_value(tracks->morphs + i, &cursor), sum);
  }
}

/* 1 / Σ weights of the clips that move the mesh; if that sum is small, the rest weights join. */
static float fraction_of(const crowd_morphs *m, const sinew_model *model, const sinew_evaluate_source *sources,
                         int count, float threshold, int mesh) {
  float total = 0;
  for (int i = 0; i < count; i++) {
    ptrdiff_t clip = sources[i].clip - model->clips;
    if (m->moves[clip * model->mesh_count + mesh]) total += sources[i].weight;
  }
  return 1 / fmaxf(total, threshold);
}

/* `output` (count values): the blend of the clips, plus `added`; `threshold` is sinew_evaluate_job's. */
static void crowd_morphs_evaluate(const crowd_morphs *m, const sinew_model *model, const sinew_evaluate_source *sources,
                                  int source_count, float threshold, const float *added, float *output) {
  memset(output, 0, (size_t)m->count * sizeof *output);
  for (int i = 0; i < source_count; i++) add_clip(m, sources + i, output);
  for (int mesh = 0; mesh < model->mesh_count; mesh++) {
    int end = m->first[mesh] + model->meshes[mesh].morph_count;
    float fraction = end > m->first[mesh] ? fraction_of(m, model, sources, source_count, threshold, mesh) : 0;
    for (int t = m->first[mesh]; t < end; t++) {
      float value = m->rest[t] + fraction * output[t], whole = value + added[t];
      output[t] = isfinite(whole) ? whole : value;
    }
  }
}

/* ---- crowd step ---- */

enum { RANGE = 4 * SINEW_LANES }; /* of characters that a thread takes at a time */

static const sinew_clip *clip_of(const crowd *c, int slot, int i) {
  int32_t clip = c->characters.slots[slot].clip[i];
  return clip >= 0 && clip < c->model->clip_count ? c->model->clips + clip : NULL;
}

static float weight_of(const crowd *c, int slot, int i) {
  float weight = c->characters.slots[slot].weight[i];
  return weight > 0 && isfinite(weight) ? fminf(weight, 1e6f) : 0;
}

/* ---- time ---- */

/* Returns a result in 0 .. duration for any time. */
static double wrap(double time, double duration) {
  if (time >= 0 && time < duration) return time;
  double rest = time - floor(time / duration) * duration;
  return rest >= 0 && rest < duration ? rest : 0;
}

static void advance_slots(const crowd *c, int i, double step) {
  for (int s = 0; s < c->characters.slot_count; s++) {
    const sinew_clip *clip = clip_of(c, s, i);
    double *time = c->characters.slots[s].time + i;
    bool ends_here = clip && step == 0 && *time == clip->duration;
    if (clip && !ends_here) *time = wrap(*time + step, clip->duration);
  }
}

/* A stride's clips share one phase, as in sync_group.h; here a stride is a whole clip. */
typedef struct stride {
  const sinew_clip *leader; /* the first clip that takes part, or NULL */
  double phase;
  double length, total; /* Σ w |v| T, Σ w |v| */
  bool travels, shown;  /* a clip's speed is known; a clip that takes part is visible */
  bool rests;           /* one that stands is */
  double usual;         /* the speed assumed for clips whose own is unknown */
} stride;

static const clip_gait *gait_of_slot(const crowd *c, const sinew_clip *clip) {
  return gait_of(c->gait, (int)(clip - c->model->clips));
}

static double slot_speed(const clip_gait *gait) { return fmax(gait->speed, GAIT_LEAST_SPEED); }

static void find_speeds(const crowd *c, int i, stride *s) {
  int count = 0;
  double sum = 0;
  for (int slot = 0; slot < c->characters.slot_count; slot++) {
    const sinew_clip *clip = clip_of(c, slot, i);
    const clip_gait *gait = clip ? gait_of_slot(c, clip) : NULL;
    if (!gait || gait->kind != GAIT_MOVING) continue;
    sum += slot_speed(gait);
    count++;
  }
  s->travels = count > 0;
  s->usual = count ? sum / count : 1;
}

/* The speed with which the clip takes part in the stride; 0: it runs on its own clock. */
static double striding_speed(const crowd *c, const stride *s, const sinew_clip *clip) {
  const clip_gait *gait = gait_of_slot(c, clip);
  if (gait->kind == GAIT_UNKNOWN) return s->travels ? 0 : s->usual;
  return gait->kind == GAIT_MOVING ? slot_speed(gait) : 0;
}

static void add_to_stride(const crowd *c, int slot, int i, stride *s) {
  const sinew_clip *clip = clip_of(c, slot, i);
  double weight = (double)weight_of(c, slot, i), speed = clip ? striding_speed(c, s, clip) : 0;
  if (!clip) return;
  if (!(speed > 0)) {
    s->rests |= weight > 0;
    return;
  }
  if (!s->leader) {
    s->leader = clip;
    s->phase = c->characters.slots[slot].time[i] / clip->duration;
  }
  s->shown |= weight > 0;
  s->length += weight * speed * clip->duration;
  s->total += weight * speed;
}

static void advance_phase(const crowd *c, int i, double step) {
  stride s = {.leader = NULL};
  find_speeds(c, i, &s);
  for (int slot = 0; slot < c->characters.slot_count; slot++) add_to_stride(c, slot, i, &s);
  if (s.leader && (s.shown || !s.rests))
    s.phase = wrap(s.phase + step / (s.total > 0 ? s.length / s.total : s.leader->duration), 1);
  for (int slot = 0; slot < c->characters.slot_count; slot++) {
    const sinew_clip *clip = clip_of(c, slot, i);
    double *time = c->characters.slots[slot].time + i;
    if (!clip) continue;
    *time = striding_speed(c, &s, clip) > 0 ? s.phase * clip->duration : wrap(*time + step, clip->duration);
  }
}

double crowd_phase(const crowd *c, int i) {
  stride s = {.leader = NULL};
  if (c->graph.shared && isfinite(c->graph.sought[i])) return c->graph.sought[i];
  if (c->sync) find_speeds(c, i, &s);
  for (int slot = 0; c->sync && slot < c->characters.slot_count; slot++) add_to_stride(c, slot, i, &s);
  for (int slot = 0; !s.leader && slot < c->characters.slot_count; slot++) {
    s.leader = clip_of(c, slot, i);
    if (s.leader) s.phase = c->characters.slots[slot].time[i] / s.leader->duration;
  }
  return s.phase;
}

static void weigh_by_position(const crowd *c, int i) {
  float blend = c->characters.blend[i];
  if (!isfinite(blend)) return;
  int last = c->characters.slot_count - 1;
  blend = fminf(fmaxf(blend, c->positions[0]), c->positions[last]);
  for (int s = 0; s <= last; s++) {
    float weight = 1;
    if (s > 0 && blend < c->positions[s])
      weight = fmaxf((blend - c->positions[s - 1]) / (c->positions[s] - c->positions[s - 1]), 0);
    if (s < last && blend > c->positions[s])
      weight = fmaxf((c->positions[s + 1] - blend) / (c->positions[s + 1] - c->positions[s]), 0);
    c->characters.slots[s].weight[i] = weight;
  }
}

crowd_graph_view crowd_view_of(const crowd *c, const marker_table *markers) {
  return (crowd_graph_view){c->model, markers, c->gait, &c->characters};
}

/* Metres from the viewpoint beyond which sliding feet of a person cannot be seen. */
static const float feet_within = 15;

/* In world units: a larger figure, or a model in centimetres, is seen from proportionally farther away. */
static float feet_distance(const crowd *c, int i) {
  return feet_within * (float)gait_size(c->gait) * fabsf(c->characters.transform[i].scale.y);
}

static float distance_of(const crowd *c, int i) {
  const sinew_vec3 *at = &c->characters.transform[i].translation;
  float x = at->x - c->viewpoint.x, y = at->y - c->viewpoint.y, z = at->z - c->viewpoint.z;
  return sqrtf(x * x + y * y + z * z);
}

static bool has_feet(const crowd *c, int i) {
  bool near = c->has_legs ? c->characters.legs[i].synced != 0 : distance_of(c, i) <= feet_distance(c, i);
  return near && c->gait->leg_count && c->model->palette_count;
}

/* Stores the leg timing of the clips in `shown` that have a weight. */
static void keep_legs(const crowd *c, int i, const clip_instance *shown) {
  sinew_crowd_legs *legs = c->characters.legs + i;
  *legs = (sinew_crowd_legs){.synced = 0};
  for (int s = 0; shown && s < c->characters.slot_count; s++) {
    if (!clip_of(c, s, i) || !(weight_of(c, s, i) > 0)) continue;
    if (shown[s].sync) legs->synced |= 1u << s;
    for (int side = 0; side < GAIT_LEGS; side++) {
      legs->time[s][side] = (float)shown[s].leg_time[side];
      legs->rate[s][side] = (float)shown[s].leg_rate[side];
    }
    legs->speed[s] = (float)shown[s].speed;
  }
}

/* Restores the legs, including those stored just now, so that the same legs in another crowd give the same pose. */
static void give_legs(const crowd *c, int i, clip_instance *shown) {
  static sync_phase shared;
  const sinew_crowd_legs *legs = c->characters.legs + i;
  for (int s = 0; s < c->characters.slot_count; s++) {
    clip_instance *item = shown + s;
    *item = (clip_instance){.clip = c->characters.slots[s].clip[i], .speed = (double)legs->speed[s]};
    if (legs->synced >> s & 1) item->sync = &shared;
    for (int side = 0; side < GAIT_LEGS; side++) {
      item->leg_time[side] = (double)legs->time[s][side];
      item->leg_rate[side] = (double)legs->rate[s][side];
    }
  }
}

/* Without a graph, legs have the times of their clips. */
static void show_slots(const crowd *c, int i, clip_instance *shown) {
  static sync_phase shared;
  for (int s = 0; s < c->characters.slot_count; s++)
    shown[s] = (clip_instance){
        .clip = c->characters.slots[s].clip[i], .sync = &shared, .leg_time = {(double)NAN, (double)NAN}};
}

static void advance(const crowd_step *all, int i, clip_instance *shown) {
  const crowd *c = all->crowd;
  double step = all->dt * (double)c->characters.speed[i];
  if (!isfinite(step)) step = 0;
  if (c->graph.shared) {
    crowd_graph_view view = crowd_view_of(c, all->markers);
    crowd_graph_advance(&c->graph, &view, i, step, shown);
    return;
  }
  if (c->has_positions) weigh_by_position(c, i);
  if (c->sync) advance_phase(c, i, step);
  else advance_slots(c, i, step);
  if (shown) show_slots(c, i, shown);
}

/* ---- pose ---- */

/* Characters that are evaluated side by side, once there are enough. */
typedef struct batch {
  const crowd_step *step;
  const scratch *scratch;
  int count;
  sinew_evaluate_job jobs[SINEW_LANES];
  sinew_evaluate_source sources[SINEW_LANES][SINEW_CROWD_SLOTS];
} batch;

static void evaluate_batch(batch *b) {
  if (b->count == SINEW_LANES) evaluate_eight(b->jobs, b->scratch->joints);
  else
    for (int i = 0; i < b->count; i++) evaluate_like_eight(b->jobs + i);
  b->count = 0;
}

static void add_to_batch(batch *b, int source_count, float threshold, sinew_mat3x4 *palette) {
  sinew_evaluate_job *job = b->jobs + b->count;
  *job = (sinew_evaluate_job){.model = b->step->crowd->model,
                              .sources = b->sources[b->count],
                              .source_count = source_count,
                              .threshold = threshold,
                              .joints = b->scratch->joints,
                              .palette = palette};
  if (!sinew_evaluate_check(job) && ++b->count == SINEW_LANES) evaluate_batch(b);
}

/* Evaluates at once, with the arguments of a job in the batch. */
static void evaluate_feet(const batch *b, const clip_instance *const *items, int count, float threshold,
                          sinew_mat3x4 *palette) {
  const crowd *c = b->step->crowd;
  crowd_feet_evaluate(
      &(crowd_feet_job){c->model, c->gait, b->scratch, b->sources[b->count], items, count, threshold, palette});
}

/* Lists the clips that are seen, with weights of sum 1; `shown` or NULL: the instance of each slot, and `items` gets
 * those of the clips. */
static int list_sources(const crowd *c, int i, const clip_instance *shown, sinew_evaluate_source *sources,
                        const clip_instance **items, float *threshold) {
  int count = 0;
  float sum = 0;
  for (int slot = 0; slot < c->characters.slot_count; slot++) {
    const sinew_clip *clip = clip_of(c, slot, i);
    float weight = clip ? weight_of(c, slot, i) : 0;
    if (!(weight > 0)) continue;
    items[count] = shown ? shown + slot : NULL;
    sources[count++] = (sinew_evaluate_source){clip, c->characters.slots[slot].time[i], weight};
    sum += weight;
  }
  for (int k = 0; k < count; k++) sources[k].weight /= sum;
  *threshold = rest_threshold(sum);
  return count;
}

/* `shown` or NULL: the instance of each slot, for the feet. */
static void evaluate(batch *b, int i, const clip_instance *shown) {
  const crowd *c = b->step->crowd;
  sinew_evaluate_source *sources = b->sources[b->count];
  size_t palette_count = (size_t)c->model->palette_count, targets = (size_t)c->morphs.count;
  const clip_instance *items[SINEW_CROWD_SLOTS];
  float threshold;
  int count = list_sources(c, i, shown, sources, items, &threshold);
  if (targets)
    crowd_morphs_evaluate(&c->morphs, c->model, sources, count, threshold,
                          c->characters.morph_added + (size_t)i * targets, c->morphs.weights + (size_t)i * targets);
  sinew_mat3x4 *palette = b->step->palettes + (size_t)i * palette_count;
  if (shown && count > 1) evaluate_feet(b, items, count, threshold, palette);
  else if (palette_count) add_to_batch(b, count, threshold, palette);
}

static bool pose_with_feet(const crowd *c, const sinew_evaluate_source *sources, const clip_instance *const *items,
                           int count, float threshold, sinew_mat3x4 *joints) {
  scratch own = {0};
  sinew_error ignored;
  if (!scratch_reserve(&own, sinew_pose_group_count(c->model->joint_count), &ignored)) return false;
  crowd_feet_evaluate(&(crowd_feet_job){c->model, c->gait, &own, sources, items, count, threshold, NULL});
  memcpy(joints, own.joints, (size_t)c->model->joint_count * sizeof *joints);
  scratch_reset(&own);
  return true;
}

bool sinew_crowd_joints(const sinew_stage *stage, sinew_crowd id, int i, sinew_mat3x4 *joints) {
  const crowd *c = stage_find_crowd(stage, id);
  clip_instance shown[SINEW_CROWD_SLOTS];
  const clip_instance *items[SINEW_CROWD_SLOTS];
  sinew_evaluate_source sources[SINEW_CROWD_SLOTS];
  float threshold;
  if (!c || i < 0 || i >= c->characters.count) return false;
  bool feet = c->characters.legs && c->characters.legs[i].synced && has_feet(c, i);
  if (feet) give_legs(c, i, shown);
  int count = list_sources(c, i, feet ? shown : NULL, sources, items, &threshold);
  if (feet && count > 1) return pose_with_feet(c, sources, items, count, threshold, joints);
  return sinew_evaluate(&(sinew_evaluate_job){
      .model = c->model, .sources = sources, .source_count = count, .threshold = threshold, .joints = joints});
}

/* Of the characters that are far away, every second or fourth is due, in turns. */
static bool is_due(const crowd *c, int i) {
  float distance = distance_of(c, i);
  uint32_t turns = distance > c->detail.quarter_from ? 4 : distance > c->detail.half_from ? 2 : 1;
  return ((uint32_t)i + c->updates) % turns == 0;
}

void crowd_step_range(void *user, int worker, int begin, int end) {
  const crowd_step *step = user;
  const crowd *c = step->crowd;
  batch b; /* not initialised: it is large */
  clip_instance shown[SINEW_CROWD_SLOTS];
  b.step = step;
  b.scratch = step->scratches + worker;
  b.count = 0;
  for (int i = begin; i < end; i++) {
    bool visible = c->characters.visible[i], feet = visible && c->characters.legs && has_feet(c, i);
    advance(step, i, feet ? shown : NULL);
    if (c->characters.legs && !c->has_legs) keep_legs(c, i, feet ? shown : NULL);
    if (feet) give_legs(c, i, shown);
    if (visible && (c->stale[i] || is_due(c, i))) evaluate(&b, i, feet ? shown : NULL);
    c->stale[i] = !visible;
  }
  evaluate_batch(&b);
}

/* Before threads read them. */
static void find_gaits(const crowd *c) {
  for (int s = 0; (c->sync || c->has_legs) && s < c->characters.slot_count; s++)
    for (int i = 0; i < c->characters.count; i++) {
      int32_t clip = c->characters.slots[s].clip[i];
      if (clip >= 0 && clip < c->model->clip_count) gait_of(c->gait, clip);
    }
  for (int i = 0; c->gait && c->graph.shared && i < c->graph.shared->node_count; i++)
    if (c->graph.shared->nodes[i].kind == SINEW_NODE_CLIP) gait_of(c->gait, c->graph.shared->nodes[i].clip);
}

void stage_step_crowd(sinew_stage *stage, crowd *c, double dt) {
  find_gaits(c);
  crowd_step step = {c, dt, &stage->markers, stage->palettes.matrices + c->palette.offset, stage->scratches};
  int count = c->characters.count;
  stage_share(stage, count, RANGE, (int64_t)count * c->model->joint_count, crowd_step_range, &step);
  c->updates++;
}
