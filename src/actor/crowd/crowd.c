#include "actor/stage.h"
#include "base/error.h"
#include "base/memory/block.h"
#include "base/memory/memory.h"

#include <limits.h>
#include <math.h>
#include <string.h>

sinew_crowd_def sinew_crowd_def_default(void) { return (sinew_crowd_def){.count = 1, .slot_count = 1}; }

/* ---- creation ---- */

static const char *check_positions(const sinew_crowd_def *def) {
  for (int i = 0; i < def->slot_count; i++) {
    if (!isfinite(def->positions[i])) return "a position is not a finite number";
    if (i > 0 && !(def->positions[i] > def->positions[i - 1])) return "its positions do not ascend";
  }
  return NULL;
}

static const char *check_def(const sinew_crowd_def *def) {
  if (!def->model) return "it has no model";
  if (def->count < 1) return "it has no characters";
  if (def->slot_count < 1 || def->slot_count > SINEW_CROWD_SLOTS) return "its slots are not 1 to 4";
  for (int i = 0; i < def->slot_count; i++)
    if (def->clips[i] < -1 || def->clips[i] >= def->model->clip_count) return "there is no such clip";
  if ((int64_t)def->count * def->model->palette_count > INT_MAX) return "it has too many characters";
  if (def->has_legs && (def->sync || def->graph)) return "its legs are given, which excludes sync and a graph";
  return def->has_positions ? check_positions(def) : NULL;
}

static const char *check_graph(const sinew_crowd_def *def, sinew_error *error) {
  if (!def->graph) return NULL;
  if (def->param_count < 0 || def->param_count > CROWD_GRAPH_PARAMS) return "its graph has more than 64 parameters";
  if (!sinew_graph_check(def->graph, def->model, def->param_names, def->param_count, error)) return error->message;
  return crowd_graph_check(def->graph);
}

typedef struct plan {
  const sinew_crowd_def *def;
  graph *graph; /* or NULL */
  crowd *made;
} plan;

static void lay_out(block *b, void *user) {
  plan *p = user;
  size_t count = (size_t)p->def->count;
  crowd *made = block_take(b, 1, sizeof *made);
  sinew_crowd_characters c = {.count = p->def->count, .slot_count = p->graph ? SINEW_CROWD_SLOTS : p->def->slot_count};
  for (int i = 0; i < c.slot_count; i++) {
    c.slots[i].clip = block_take(b, count, sizeof *c.slots[i].clip);
    c.slots[i].time = block_take(b, count, sizeof *c.slots[i].time);
    c.slots[i].weight = block_take(b, count, sizeof *c.slots[i].weight);
  }
  c.speed = block_take(b, count, sizeof *c.speed);
  bool synced = p->def->sync || crowd_graph_is_synced(&(crowd_graphs){.shared = p->graph});
  if (synced || p->def->has_legs) c.legs = block_take(b, count, sizeof *c.legs);
  if (p->def->has_positions) c.blend = block_take(b, count, sizeof *c.blend);
  c.transform = block_take(b, count, sizeof *c.transform);
  c.visible = block_take(b, count, sizeof *c.visible);
  c.tint = block_take(b, count, sizeof *c.tint);
  c.tinted = block_take(b, (size_t)p->def->model->material_count, sizeof *c.tinted);
  uint8_t *stale = block_take(b, count, sizeof *stale);
  crowd_morphs morphs = crowd_morphs_lay_out(b, p->def->model, count);
  crowd_graphs graphs = {.shared = p->graph};
  crowd_graph_lay_out(b, &graphs, count);
  c.param_count = p->graph ? p->def->param_count : 0;
  c.params = block_take(b, count * (size_t)c.param_count, sizeof *c.params);
  c.morph_count = morphs.count;
  c.morphs = morphs.weights;
  c.morph_added = block_take(b, count * (size_t)morphs.count, sizeof *c.morph_added);
  if (!made) return; /* measuring */
  *made = (crowd){.characters = c, .stale = stale, .morphs = morphs, .graph = graphs};
  p->made = made;
}

static void fill(crowd *made, const sinew_crowd_def *def) {
  sinew_crowd_characters *c = &made->characters;
  for (int s = 0; s < c->slot_count; s++)
    for (int i = 0; i < c->count; i++) {
      c->slots[s].clip[i] = made->graph.shared ? -1 : def->clips[s];
      c->slots[s].weight[i] = s == 0;
    }
  for (int i = 0; i < c->count; i++) {
    c->speed[i] = 1;
    if (c->blend) c->blend[i] = def->positions[0];
    c->transform[i] = sinew_transform_identity();
    c->visible[i] = made->stale[i] = 1;
    for (int k = 0; k < 4; k++) c->tint[i][k] = 1;
  }
  for (int i = 0; i < def->model->material_count; i++) c->tinted[i] = 1;
  crowd_morphs_fill(&made->morphs, def->model);
  crowd_graph_fill(&made->graph, c->count);
  made->sync = def->sync && !made->graph.shared;
  made->has_positions = def->has_positions && !made->graph.shared;
  memcpy(made->positions, def->positions, sizeof made->positions);
  made->viewpoint = (sinew_vec3){NAN, NAN, NAN}; /* infinitely far from everyone, and no character skips updates */
  made->has_legs = def->has_legs;
  made->detail = sinew_crowd_detail_default();
}

static bool enlist(sinew_stage *stage, crowd *c, const sinew_crowd_def *def) {
  bool needs_gait = c->characters.legs;
  if (!stage_reserve(stage, sinew_pose_group_count(def->model->joint_count), NULL) ||
      !array_reserve((void **)&stage->crowds, &stage->crowd_capacity, stage->crowd_count + 1, sizeof *stage->crowds) ||
      !palettes_add(&stage->palettes, &c->palette, def->count * def->model->palette_count))
    return false;
  if (needs_gait) c->gait = gait_take(&stage->gaits, def->model);
  c->name = mem_copy_string(def->name ? def->name : "crowd");
  crowd **slot = c->name && (c->gait || !needs_gait) ? pool_add(&stage->crowd_slots, &c->id) : NULL;
  if (!slot) {
    mem_free(c->name);
    gait_leave(&stage->gaits, c->gait);
    palettes_remove(&stage->palettes, &c->palette);
    return false;
  }
  *slot = stage->crowds[stage->crowd_count++] = c;
  c->model = sinew_model_retain(def->model);
  return true;
}

static graph *make_graph(const sinew_crowd_def *def) {
  const double none[CROWD_GRAPH_PARAMS] = {0};
  return graph_create(def->graph, def->model, &(graph_params){def->param_names, none, def->param_count});
}

sinew_crowd sinew_crowd_create(sinew_stage *stage, const sinew_crowd_def *def, sinew_error *error) {
  const char *reason = stage_closed(stage) ? stage_closed(stage) : check_def(def);
  plan p = {.def = def};
  sinew_error problem;
  if (!reason) reason = check_graph(def, &problem);
  if (!reason && def->graph) {
    p.graph = make_graph(def);
    if (!p.graph) reason = "out of memory";
  }
  if (!reason && !block_create(lay_out, &p, "a crowd", &problem)) reason = problem.message;
  if (!reason) {
    fill(p.made, def);
    if (!enlist(stage, p.made, def)) reason = "out of memory";
  }
  if (reason) {
    block_release(p.made);
    graph_destroy(p.graph);
    error_set(error, "the crowd cannot be created: %s", reason);
    return (sinew_crowd){0};
  }
  stage_step_crowd(stage, p.made, 0);
  return (sinew_crowd){p.made->id};
}

void sinew_crowd_destroy(sinew_stage *stage, sinew_crowd id) {
  crowd *c = stage_find_crowd(stage, id);
  if (!c || stage_waits(stage, &c->goes)) return;
  int position = 0;
  while (stage->crowds[position] != c) position++;
  stage->crowd_count--;
  memmove(stage->crowds + position, stage->crowds + position + 1,
          (size_t)(stage->crowd_count - position) * sizeof *stage->crowds);
  gait_leave(&stage->gaits, c->gait);
  palettes_remove(&stage->palettes, &c->palette);
  pool_remove(&stage->crowd_slots, id.id);
  sinew_model_release(c->model);
  graph_destroy(c->graph.shared);
  mem_free(c->name);
  block_release(c);
}

/* ---- questions and settings ---- */

bool sinew_crowd_is_valid(const sinew_stage *stage, sinew_crowd id) { return stage_find_crowd(stage, id) != NULL; }

const char *sinew_crowd_name(const sinew_stage *stage, sinew_crowd id) {
  const crowd *c = stage_find_crowd(stage, id);
  return c ? c->name : NULL;
}

bool sinew_crowd_set_name(sinew_stage *stage, sinew_crowd id, const char *name) {
  crowd *c = stage_closed(stage) ? NULL : stage_find_crowd(stage, id);
  char *copy = c ? mem_copy_string(name) : NULL;
  if (!copy) return false;
  mem_free(c->name);
  c->name = copy;
  return true;
}

void *sinew_crowd_user(const sinew_stage *stage, sinew_crowd id) {
  const crowd *c = stage_find_crowd(stage, id);
  return c ? c->user : NULL;
}

void sinew_crowd_set_user(sinew_stage *stage, sinew_crowd id, void *user) {
  crowd *c = stage_find_crowd(stage, id);
  if (c) c->user = user;
}

sinew_model *sinew_crowd_model(const sinew_stage *stage, sinew_crowd id) {
  const crowd *c = stage_find_crowd(stage, id);
  return c ? c->model : NULL;
}

sinew_crowd_characters sinew_crowd_view(const sinew_stage *stage, sinew_crowd id) {
  const crowd *c = stage_find_crowd(stage, id);
  return c ? c->characters : (sinew_crowd_characters){0};
}

double sinew_crowd_phase(const sinew_stage *stage, sinew_crowd id, int character) {
  const crowd *c = stage_find_crowd(stage, id);
  return c && character >= 0 && character < c->characters.count ? crowd_phase(c, character) : 0;
}

bool sinew_crowd_machine(const sinew_stage *stage, sinew_crowd id, int character, int node,
                         sinew_machine_state *state) {
  const crowd *c = stage_find_crowd(stage, id);
  *state = (sinew_machine_state){0};
  bool there = c && character >= 0 && character < c->characters.count;
  return there && crowd_machine_state(&c->graph, character, node, state);
}

static void seek_slots(const crowd *c, int character, double phase) {
  for (int s = 0; s < c->characters.slot_count; s++) {
    const sinew_crowd_slot *slot = c->characters.slots + s;
    int32_t clip = slot->clip[character];
    bool there = clip >= 0 && clip < c->model->clip_count;
    if (there) slot->time[character] = phase * c->model->clips[clip].duration;
  }
}

bool sinew_crowd_seek(sinew_stage *stage, sinew_crowd id, int character, double phase) {
  crowd *c = stage_find_crowd(stage, id);
  if (!c || character < 0 || character >= c->characters.count || !isfinite(phase)) return false;
  if (c->graph.shared) c->graph.sought[character] = phase;
  else seek_slots(c, character, phase);
  return true;
}

sinew_crowd_detail sinew_crowd_detail_default(void) { return (sinew_crowd_detail){INFINITY, INFINITY}; }

bool sinew_crowd_set_detail(sinew_stage *stage, sinew_crowd id, sinew_vec3 viewpoint,
                            const sinew_crowd_detail *detail) {
  crowd *c = stage_find_crowd(stage, id);
  bool fits = isfinite(viewpoint.x) && isfinite(viewpoint.y) && isfinite(viewpoint.z) && !isnan(detail->half_from) &&
              !isnan(detail->quarter_from);
  if (!c || !fits || stage_closed(stage)) return false;
  c->viewpoint = viewpoint;
  c->detail = *detail;
  return true;
}

int sinew_crowd_palette_offset(const sinew_stage *stage, sinew_crowd id) {
  const crowd *c = stage_find_crowd(stage, id);
  return c && c->palette.count ? c->palette.offset : -1;
}

int sinew_stage_crowd_count(const sinew_stage *stage) { return stage->crowd_count; }

sinew_crowd sinew_stage_crowd(const sinew_stage *stage, int index) {
  return (sinew_crowd){index >= 0 && index < stage->crowd_count ? stage->crowds[index]->id : 0};
}
