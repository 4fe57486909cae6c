#include "actor/crowd/crowd.h"

#include "actor/stage.h"
#include "base/error.h"
#include "base/memory/memory.h"
#include "model/model.h"

#include <limits.h>
#include <math.h>
#include <string.h>

enum { CROWD_GRAPH_PARAMS = 64 };

/* The characters that are replaced. Clip k of their model is clip `clips[k]` of the new model, or −1. */
typedef struct crowd_graph_old {
  const crowd_graphs *graph;
  const crowd_graph_view *view;
  const int *clips;
} crowd_graph_old;

/* The graph of a crowd, which each character runs on its own. The definition is shared; a character owns the state of
 * its nodes, and nothing else. In an update its clips go into the slots, from where they are evaluated. */

/* Small enough for the stack of a thread. */
enum { NODES = 64, INSTANCES = 64, CHANGES = MACHINE_CHANGES * NODES };

/* ---- which graphs ---- */

static const char *check_node(const sinew_node_def *n) {
  if (n->match != SINEW_MATCH_TIME) return "its clips advance by time: only actors have match";
  return n->sync_group ? "its phase is its own: sync = true" : NULL;
}

static const char *check_transition(const sinew_transition_def *t) {
  if (t->condition >= 0) return "its conditions must be text: only actors have conditions that are functions";
  return t->event ? "it waits for an event, and only actors receive events" : NULL;
}

static int count_instances(const sinew_graph_def *def) {
  int instances[NODES];
  for (int i = def->node_count - 1; i >= 0; i--) { /* children come after their parents */
    const sinew_node_def *n = def->nodes + i;
    int sum = 0, most = 0;
    for (int c = n->first_child; c < n->first_child + n->child_count; c++) {
      sum += instances[c];
      if (instances[c] > most) most = instances[c];
    }
    instances[i] = n->kind == SINEW_NODE_CLIP ? 1 : n->kind < SINEW_NODE_SWITCH ? sum : GRAPH_ENTRIES * most;
    if (instances[i] > INSTANCES) instances[i] = INSTANCES + 1;
  }
  return instances[0];
}

/* The error message if a crowd cannot run the definition, or NULL. It has passed sinew_graph_check. */
static const char *crowd_graph_check(const sinew_graph_def *def) {
  if (def->node_count > NODES) return "it has more than 64 nodes";
  const char *reason = NULL;
  for (int i = 0; i < def->node_count && !reason; i++) reason = check_node(def->nodes + i);
  for (int i = 0; i < def->transition_count && !reason; i++) reason = check_transition(def->transitions + i);
  if (!reason && count_instances(def) > INSTANCES) reason = "more than 64 of its clips could play at once";
  return reason;
}

/* ---- memory ---- */

/* Allocates memory for `count` characters; `shared` is set. */
static void crowd_graph_lay_out(block *b, crowd_graphs *g, size_t characters) {
  if (!g->shared) return;
  size_t size = g->shared->sizes[0] + (size_t)g->shared->node_count * sizeof *g->shared->weights;
  g->state_size = (size + 7) / 8 * 8;
  g->states = block_take(b, characters, g->state_size);
  g->begun = block_take(b, characters, sizeof *g->begun);
  g->sought = block_take(b, characters, sizeof *g->sought);
}

static void crowd_graph_fill(const crowd_graphs *g, int characters) {
  for (int i = 0; g->shared && i < characters; i++) g->sought[i] = (double)NAN;
}

static bool crowd_graph_is_synced(const crowd_graphs *g) {
  bool synced = false;
  for (int i = 0; g->shared && i < g->shared->node_count; i++) synced |= g->shared->nodes[i].sync;
  return synced;
}

/* ---- a character's own graph ---- */

/* The shared definition with the state of one character. */
typedef struct own_graph {
  graph graph;
  graph_frame frame;
  double params[CROWD_GRAPH_PARAMS];
  state_change changes[CHANGES];
  clip_instance_list list;
  clip_instance instances[INSTANCES];
} own_graph;

static graph graph_of(const crowd_graphs *g, int character) {
  graph own = *g->shared;
  own.state = g->states + (size_t)character * g->state_size;
  own.weights = (float *)(void *)(own.state + own.sizes[0]);
  return own;
}

static void open_graph(own_graph *own, const crowd_graphs *g, const crowd_graph_view *view, int character, double dt) {
  const sinew_crowd_characters *all = view->characters;
  own->graph = graph_of(g, character);
  own->graph.changes = own->changes;
  own->list = (clip_instance_list){own->instances, 0, INSTANCES};
  for (int p = 0; p < all->param_count; p++) {
    float value = all->params[(size_t)p * (size_t)all->count + (size_t)character];
    own->params[p] = isfinite(value) ? (double)value : 0;
  }
  own->frame = (graph_frame){.graph = &own->graph,
                             .dt = dt,
                             .scale = 1,
                             .model = view->model,
                             .markers = view->markers,
                             .params = own->params,
                             .fades_only = true,
                             .instances = &own->list};
}

/* ---- a step ---- */

static void show(const sinew_crowd_characters *all, int character, const clip_instance_list *list, clip_instance *out) {
  const clip_instance *shown[SINEW_CROWD_SLOTS];
  int count = 0;
  for (int i = 0; i < list->count; i++) {
    const clip_instance *item = list->items + i;
    if (!(item->weight > 0)) continue;
    int at = count < all->slot_count ? count++ : all->slot_count;
    for (; at > 0 && shown[at - 1]->weight < item->weight; at--)
      if (at < all->slot_count) shown[at] = shown[at - 1];
    if (at < all->slot_count) shown[at] = item;
  }
  for (int s = 0; s < all->slot_count; s++) {
    all->slots[s].clip[character] = s < count ? shown[s]->clip : -1;
    all->slots[s].time[character] = s < count ? shown[s]->time : 0;
    all->slots[s].weight[character] = s < count ? shown[s]->weight : 0;
    if (out && s < count) out[s] = *shown[s];
  }
}

void crowd_graph_advance(const crowd_graphs *g, const crowd_graph_view *view, int character, double dt,
                         clip_instance *shown) {
  own_graph own; /* not initialised: it is large */
  open_graph(&own, g, view, character, dt);
  if (!g->begun[character]) node_reset(&own.frame, 0, own.graph.state, NULL);
  g->begun[character] |= dt != 0;
  graph_decide(&own.frame);
  if (isfinite(g->sought[character])) graph_seek_phase(&own.graph, g->sought[character]);
  if (g->begun[character]) g->sought[character] = (double)NAN;
  graph_update(&own.frame, 1);
  clip_instances_advance(&own.list, view->model, view->markers, view->gait);
  show(view->characters, character, &own.list, shown);
}

static bool crowd_machine_state(const crowd_graphs *g, int character, int node, sinew_machine_state *out) {
  if (!g->shared || node < 0 || node >= g->shared->node_count || !g->begun[character]) return false;
  graph own = graph_of(g, character);
  return graph_machine_state(&own, node, out);
}

/* ---- continuing from other characters ---- */

/* The clips in a character's slots, as clips of the other model. */
typedef struct slots_seen {
  graph_seen seen;
  playback playbacks[SINEW_CROWD_SLOTS];
} slots_seen;

static void see_slots(const crowd_graph_old *old, int character, slots_seen *out) {
  out->seen.count = 0;
  for (int s = 0; s < old->view->characters->slot_count; s++) {
    const sinew_crowd_slot *slot = old->view->characters->slots + s;
    int clip = slot->clip[character], count = old->view->model->clip_count;
    if (clip < 0 || clip >= count || old->clips[clip] < 0 || !(slot->weight[character] > 0)) continue;
    out->playbacks[s] = playback_start(old->view->model->clips[clip].duration, (double)NAN, (double)NAN);
    playback_seek(out->playbacks + s, slot->time[character]);
    graph_seen_add(&out->seen, old->clips[clip], slot->weight[character], out->playbacks + s);
  }
}

/* Restores the old graph's clips after it was moved to the new model. */
static void restore_clips(const crowd_graphs *g, const int *clips) {
  for (int i = 0; i < g->shared->node_count; i++) g->shared->nodes[i].clip = clips[i];
}

static void take_graph(own_graph *own, const crowd_graph_view *view, const crowd_graph_old *old, int character) {
  int clips[NODES];
  graph was = graph_of(old->graph, character);
  graph_seen seen = {.count = 0};
  for (int i = 0; i < was.node_count; i++) clips[i] = was.nodes[i].clip;
  if (old->view->model != view->model) graph_move(&was, old->view->model, view->model, old->clips);
  graph_see(&was, &seen);
  graph_take_over(&own->graph, view->model, own->params, &was, &seen);
  restore_clips(old->graph, clips);
}

/* The new characters continue what the old ones play, in a graph or in slots. */
static void crowd_graph_take_over(const crowd_graphs *g, const crowd_graph_view *view, const crowd_graph_old *old,
                                  int count) {
  own_graph own;
  slots_seen slots;
  for (int i = 0; i < count; i++) {
    bool begun = !old->graph->shared || old->graph->begun[i];
    g->begun[i] = begun;
    if (old->graph->shared) g->sought[i] = old->graph->sought[i];
    if (!begun) continue;
    open_graph(&own, g, view, i, 0);
    if (old->graph->shared) {
      take_graph(&own, view, old, i);
    } else {
      see_slots(old, i, &slots);
      graph_take_over(&own.graph, view->model, own.params, NULL, &slots.seen);
    }
  }
}

/* ---- crowd ---- */

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

/* ---- Continues a crowd from the state of another ---- */

static int find_clip(const sinew_model *model, const char *name) {
  for (int i = 0; i < model->clip_count; i++)
    if (strcmp(model->clips[i].name, name) == 0) return i;
  return -1;
}

/* For each clip of `from`, finds the one in `to`. */
static int *match_clips(const sinew_model *from, const sinew_model *to) {
  int *clips = mem_alloc_array((size_t)from->clip_count + 1, sizeof *clips);
  for (int i = 0; clips && i < from->clip_count; i++) clips[i] = from == to ? i : find_clip(to, from->clips[i].name);
  return clips;
}

/* The slot of `from` that plays the clip, or −1. */
static int find_slot(const crowd *from, int character, const int *clips, int clip) {
  for (int s = 0; s < from->characters.slot_count; s++) {
    int32_t played = from->characters.slots[s].clip[character];
    if (played >= 0 && played < from->model->clip_count && clips[played] == clip) return s;
  }
  return -1;
}

static void carry_times(const crowd *to, const crowd *from, const int *clips, int character) {
  double phase = crowd_phase(from, character);
  for (int s = 0; s < to->characters.slot_count; s++) {
    const sinew_crowd_slot *slot = to->characters.slots + s;
    int32_t clip = slot->clip[character];
    if (clip < 0 || clip >= to->model->clip_count) continue;
    int same = find_slot(from, character, clips, clip);
    slot->time[character] =
        same >= 0 ? from->characters.slots[same].time[character] : phase * to->model->clips[clip].duration;
  }
}

/* Shows this until the next update, which computes it anew. */
static void show_as(const crowd *to, const crowd *from, const int *clips, int character) {
  for (int s = 0; s < to->characters.slot_count; s++) {
    const sinew_crowd_slot *slot = to->characters.slots + s, *was = from->characters.slots + s;
    bool has = s < from->characters.slot_count;
    int32_t clip = has ? was->clip[character] : -1;
    bool known = clip >= 0 && clip < from->model->clip_count && clips[clip] >= 0;
    slot->clip[character] = known ? clips[clip] : -1;
    slot->time[character] = known ? was->time[character] : 0;
    slot->weight[character] = known ? was->weight[character] : 0;
  }
}

bool sinew_crowd_continue(sinew_stage *stage, sinew_crowd id, sinew_crowd from) {
  const crowd *to = stage_find_crowd(stage, id), *old = stage_find_crowd(stage, from);
  if (!to || !old || to == old || stage_closed(stage)) return false;
  int *clips = match_clips(old->model, to->model);
  int count = to->characters.count < old->characters.count ? to->characters.count : old->characters.count;
  if (!clips) return false;
  if (to->graph.shared) {
    crowd_graph_view view = crowd_view_of(to, &stage->markers), was = crowd_view_of(old, &stage->markers);
    crowd_graph_take_over(&to->graph, &view, &(crowd_graph_old){&old->graph, &was, clips}, count);
    for (int i = 0; i < count; i++) show_as(to, old, clips, i);
  } else {
    for (int i = 0; i < count; i++) carry_times(to, old, clips, i);
  }
  mem_free(clips);
  return true;
}
