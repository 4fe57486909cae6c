/* The inspector's controls of living things, generated from the fields of their kinds. */
#include "core/scene.h"
#include "declare/control.h"
#include "declare/kinds/declared_crowd.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef union any_values {
  actor_values actor;
  sinew_play_def action;
  layer_values layer;
  modifier_values modifier;
  look_values look;
  sinew_node_def node;
  sinew_transition_def transition;
  sinew_root_def root;
  attachment_values attachment;
  crowd_values crowd;
  sinew_marker marker;
  model_values model;
} any_values;

/* A living thing, and the defaults of its fields. */
typedef struct thing {
  const store_kind *kind;
  actor_record *record; /* NULL: of the scene */
  any_values living, standard;
  const void *declared;         /* its declared values, or NULL: nothing is declared, or … */
  const declaration_list *list; /* … each field by itself */
} thing;

static bool find_layer(const declarations *all, const sinew_edit *of, thing *out) {
  const char *name = sinew_actor_layer_name(all->stage, of->actor, of->layer);
  const layer_record *layer = name ? declarations_find_layer(out->record, name) : NULL;
  if (!layer) return false;
  out->standard.layer = (layer_values){.def = sinew_layer_def_default(), .play = sinew_play_def_default()};
  out->living.layer =
      (layer_values){.def = sinew_actor_layer(all->stage, of->actor, of->layer), .play = layer->last.play};
  if (layer->head.declared) out->declared = &layer->last;
  return true;
}

static bool find_action(const declarations *all, const sinew_edit *of, thing *out) {
  out->standard.action = out->living.action = sinew_play_def_default();
  for (int i = 0; i < out->record->parts[PART_PLAYS].count; i++) {
    const play_record *play = play_at(out->record, i);
    if (play->action.id != of->action.id) continue;
    out->living.action = play->last.def;
    if (play->head.declared) out->declared = &play->last.def;
  }
  return declarations_living_play(all, of->action, &out->living.action);
}

static bool find_modifier(const declarations *all, const sinew_edit *of, thing *out) {
  const modifier_set *set = declarations_modifiers(all, out->record);
  const modifier_record *m = (const modifier_record *)declaration_first(&out->record->parts[PART_MODIFIERS]);
  if (!set || of->index < 0 || of->index >= set->count) return false;
  int declared = declarations_find_modifier(m->last, set->items[of->index].def.name);
  out->living.modifier = declarations_get_modifier(all, out->record, of->index);
  if (m->head.declared && declared >= 0) out->declared = m->last->items + declared;
  return true;
}

static const graph_copy *graph_of(const declarations *all, const actor_record *record, const sinew_edit *of) {
  const char *name = sinew_actor_layer_name(all->stage, of->actor, of->layer);
  const layer_record *layer = name ? declarations_find_layer(record, name) : NULL;
  const graph_record *graph = declarations_find_graph(record, layer ? layer->head.id : 0);
  bool lives =
      graph && graph->last && graph->last->def.node_count == sinew_actor_node_count(all->stage, of->actor, of->layer);
  return lives ? graph->last : NULL;
}

static bool find_node(const declarations *all, const sinew_edit *of, thing *out) {
  const graph_copy *graph = graph_of(all, out->record, of);
  if (!graph || !sinew_actor_node(all->stage, of->actor, of->layer, of->index, &out->living.node)) return false;
  out->declared = graph->def.nodes + of->index;
  return true;
}

static bool find_transition(const declarations *all, const sinew_edit *of, thing *out) {
  const graph_copy *graph = graph_of(all, out->record, of);
  if (!graph || of->index < 0 || of->index >= graph->def.transition_count) return false;
  out->declared = graph->def.transitions + of->index;
  return sinew_actor_transition_def(all->stage, of->actor, of->layer, of->index, &out->living.transition);
}

static const store_kind *kind_of(sinew_edit_kind kind) {
  static const store_kind *const kinds[] = {
      [SINEW_EDIT_ACTOR] = &kind_actor,           [SINEW_EDIT_ACTION] = &kind_action,
      [SINEW_EDIT_LAYER] = &kind_layer,           [SINEW_EDIT_VIEW] = &kind_view,
      [SINEW_EDIT_MODIFIER] = &kind_modifier,     [SINEW_EDIT_CAMERA] = &kind_camera,
      [SINEW_EDIT_LIGHT] = &kind_light,           [SINEW_EDIT_NODE] = &kind_node,
      [SINEW_EDIT_TRANSITION] = &kind_transition, [SINEW_EDIT_ROOT] = &kind_root,
      [SINEW_EDIT_ATTACHMENT] = &kind_attachment, [SINEW_EDIT_MODEL] = &kind_model,
      [SINEW_EDIT_MARKER] = &kind_marker,         [SINEW_EDIT_CROWD] = &kind_crowd};
  return (size_t)kind < sizeof kinds / sizeof *kinds ? kinds[kind] : NULL;
}

static bool find_look(const declarations *all, thing *out) {
  look_kinds[0].standard(&out->standard.look);
  out->living.look = declarations_look(all);
  out->list = &all->look;
  return true;
}

static bool find_actor(const declarations *all, thing *out) {
  actor_properties.standard(&out->standard.actor);
  out->living.actor = declarations_actor_values(all, out->record);
  out->list = &out->record->parts[PART_PROPERTIES];
  return true;
}

static bool find_root(const declarations *all, thing *out) {
  const root_record *r = (const root_record *)declaration_first(&out->record->parts[PART_ROOT]);
  out->living.root = sinew_actor_root(all->stage, out->record->actor);
  if (!r || out->living.root.joint < 0) return false;
  out->standard.root = sinew_root_def_default();
  out->standard.root.foot_height = (float)(0.02 * sinew_model_size(out->record->model));
  if (r->head.declared) out->declared = &r->last;
  return true;
}

static bool find_attachment(const declarations *all, const sinew_edit *of, thing *out) {
  const declaration *a = declaration_first(&out->record->parts[PART_ATTACHMENT]);
  if (!a) return false;
  out->standard.attachment.def = sinew_attachment_default();
  out->living.attachment = ((const attachment_record *)a)->now;
  if (a->declared) out->declared = &((const attachment_record *)a)->last;
  return sinew_actor_attachment(all->stage, of->actor, &out->living.attachment.def);
}

static bool find_marker(const declarations *all, const sinew_edit *of, thing *out) {
  const sinew_model *model = out->record->model;
  const char *line;
  int count = 0, place;
  if (of->layer < 0 || of->layer >= sinew_model_clip_count(model)) return false;
  const sinew_marker *markers = sinew_stage_markers(all->stage, model, of->layer, &count);
  if (of->index < 0 || of->index >= count) return false;
  out->living.marker = markers[of->index];
  out->declared = declarations_declared_marker(all, model, of->layer, markers, of->index, &line, &place);
  return true;
}

static crowd_record *crowd_of(const declarations *all, const sinew_edit *of) {
  sinew_crowd crowd = sinew_stage_crowd(all->stage, of->index);
  for (int i = 0; i < all->crowds.count; i++)
    if (crowd.id && crowd_at(all, i)->body.crowd.id == crowd.id) return crowd_at(all, i);
  return NULL;
}

static bool find_crowd(const declarations *all, const sinew_edit *of, thing *out) {
  const crowd_record *crowd = crowd_of(all, of);
  if (!crowd) return false;
  out->standard.crowd.detail = sinew_crowd_detail_default();
  out->living.crowd = crowd->last;
  out->living.crowd.detail = crowd->detail;
  if (crowd->head.declared) out->declared = &crowd->last;
  return true;
}

static bool find_part(const declarations *all, const sinew_edit *of, thing *out) {
  const model_values *model = out->kind == &kind_model ? declarations_asked_model(all, out->record->model) : NULL;
  if (out->kind == &kind_root) return find_root(all, out);
  if (out->kind == &kind_attachment) return find_attachment(all, of, out);
  if (out->kind == &kind_marker) return find_marker(all, of, out);
  out->standard.model = (model_values){.unit = (double)NAN, .influences = 4};
  if (model) out->living.model = *model, out->declared = model;
  return model;
}

static bool find_thing(const declarations *all, const sinew_edit *of, thing *out) {
  const char *name = sinew_actor_name(all->stage, of->actor);
  memset(out, 0, sizeof *out);
  out->kind = kind_of(of->kind);
  out->record = name ? declarations_find_actor(all, name) : NULL;
  bool look = out->kind == &kind_camera || out->kind == &kind_light || out->kind == &kind_view;
  if (!out->kind || all->loading) return false;
  if (look) return find_look(all, out);
  if (out->kind == &kind_crowd) return find_crowd(all, of, out);
  if (!out->record || out->record->actor.id != of->actor.id) return false;
  if (out->kind == &kind_actor) return find_actor(all, out);
  if (out->kind == &kind_action) return find_action(all, of, out);
  if (out->kind == &kind_node) return find_node(all, of, out);
  if (out->kind == &kind_transition) return find_transition(all, of, out);
  if (out->kind == &kind_layer) return find_layer(all, of, out);
  return out->kind == &kind_modifier ? find_modifier(all, of, out) : find_part(all, of, out);
}

/* A modifier has the fields of its kind, and the options of that kind. */
static bool modifier_has(const declarations *all, const thing *t, const store_field *f, const sinew_edit *of) {
  char set[32];
  snprintf(set, sizeof set, "%s_modifier", modifier_makers[t->living.modifier.def.kind]);
  if (strcmp(f->name, "target") == 0) return sinew_actor_modifier_aims(all->stage, of->actor, of->index);
  if (strcmp(f->name, "pole") == 0) return t->living.modifier.def.has_pole;
  return f->effect == FIELD_LIVE || field_is_option(&kind_modifier, f, set);
}

static bool node_has(const sinew_node_def *n, const store_field *f) {
  static const char *const sets[] = {"clip_node",     "blend_node",  "space_1d_node",
                                     "space_2d_node", "switch_node", "machine_node"};
  return field_is_option(&kind_node, f, sets[n->kind]);
}

static bool has_field(const declarations *all, const thing *t, const store_field *f, const sinew_edit *of) {
  if (t->kind == &kind_modifier) return modifier_has(all, t, f, of);
  return t->kind != &kind_node || node_has(&t->living.node, f);
}

/* The end of a part, if not set, is that of the clip. */
static void show_end(const declarations *all, const thing *t, const store_field *f, const sinew_edit *of,
                     sinew_control *out) {
  bool action = t->kind == &kind_action && f == kind_field(&kind_action, "to") && isnan(t->living.action.to);
  bool node = t->kind == &kind_node && f == kind_field(&kind_node, "to") && isnan(t->living.node.to);
  sinew_play_def state = {.clip = t->living.node.clip};
  if (action) sinew_action_read_state(all->stage, of->action, &state);
  const sinew_model *model = sinew_actor_model(all->stage, of->actor);
  bool known = (action || node) && state.clip >= 0 && state.clip < sinew_model_clip_count(model);
  if (known) out->values[0] = (float)sinew_clip_duration(sinew_model_clip(model, state.clip));
}

/* Without a declaration of the scene, the view is as it was before. */
static const void *declared_of(const thing *t, const store_field *f) {
  const void *values = t->list ? declarations_declared_property(t->list, f) : t->declared;
  return values || !t->list || t->kind == &kind_view ? values : &t->standard;
}

/* The stage keeps floats, which have fewer digits than a script's numbers. */
static bool is_as_declared(const store_field *f, const void *living, const void *declared, const sinew_model *model) {
  char now[256], then[256];
  control_lua(f, living, model, now, sizeof now);
  control_lua(f, declared, model, then, sizeof then);
  return field_same(f, living, declared) || (now[0] && strcmp(now, then) == 0);
}

bool scene_control(void *user, const sinew_edit *of, int index, sinew_control *out) {
  const declarations *all = &((sinew_scene *)user)->declarations;
  thing t;
  if (of->kind == SINEW_EDIT_KEPT) return kept_control(user, index, out);
  if (!find_thing(all, of, &t)) return false;
  const store_field *f = t.kind->fields;
  for (int i = 0; i < index && f->name; i++) f++;
  if (!f->name) return false;
  const void *declared = declared_of(&t, f);
  const sinew_model *model = t.record ? sinew_actor_model(all->stage, of->actor) : NULL;
  control_show(all, t.kind, f, &t.living, out);
  if (!has_field(all, &t, f, of)) out->type = SINEW_CONTROL_NONE;
  show_end(all, &t, f, of, out);
  out->is_fixed = t.kind == &kind_node || t.kind == &kind_transition || t.kind == &kind_crowd ||
                  (t.kind == &kind_modifier && f->effect == FIELD_REJOIN);
  control_lua(f, &t.living, model, out->lua, sizeof out->lua);
  out->is_default = field_same(f, &t.living, &t.standard);
  out->is_declared = declared && is_as_declared(f, &t.living, declared, model);
  return true;
}

/* ---- changing ---- */

/* A target that is set no longer follows a joint. */
static void give_modifier(declarations *all, const sinew_edit *of, thing *t, const store_field *f) {
  modifier_values *v = &t->living.modifier;
  sinew_error error;
  bool remade = f->effect == FIELD_REJOIN;
  if (remade && !declarations_replace_modifier(all, t->record, of->index, &v->def, &error))
    declarations_say(all, SINEW_LOG_WARNING, "%s", error.message);
  if (remade) return;
  if (strcmp(f->name, "target") == 0) v->follows = (modifier_target){0};
  if (!declarations_set_modifier(all, t->record, of->index, v, &error))
    declarations_say(all, SINEW_LOG_WARNING, "%s", error.message);
}

/* Keeps the texts of the copy, because those of the stage's graph vanish with it. */
static void take_living(const declarations *all, const sinew_edit *of, graph_copy *copy) {
  sinew_node_def *nodes = (sinew_node_def *)(uintptr_t)copy->def.nodes;
  sinew_transition_def *ways = (sinew_transition_def *)(uintptr_t)copy->def.transitions;
  for (int i = 0; i < copy->def.node_count; i++) {
    sinew_node_def n = nodes[i];
    sinew_actor_node(all->stage, of->actor, of->layer, i, nodes + i);
    nodes[i].key = n.key;
    nodes[i].sync_group = n.sync_group;
  }
  for (int i = 0; i < copy->def.transition_count; i++) {
    sinew_transition_def w = ways[i];
    sinew_actor_transition_def(all->stage, of->actor, of->layer, i, ways + i);
    ways[i].event = w.event;
    ways[i].when = w.when;
  }
}

/* Names the parameter for the rest of a match, as a scene that names none does. */
static void name_match(const actor_record *record, sinew_node_def *n) {
  bool turns = n->match == SINEW_MATCH_TURN;
  if ((turns || n->match == SINEW_MATCH_TO_STOP) && n->match_param < 0)
    n->match_param = declarations_param_index(record, turns ? "turn" : "to_stop");
}

/* The graph continues with one changed value. */
static void give_graph(declarations *all, const sinew_edit *of, const thing *t, const store_field *f) {
  const graph_copy *graph = graph_of(all, t->record, of);
  graph_copy *copy = graph ? declarations_copy_graph(all, graph) : NULL;
  sinew_error error;
  if (!copy) return;
  take_living(all, of, copy);
  if (t->kind == &kind_node) field_copy(f, (void *)(uintptr_t)(copy->def.nodes + of->index), &t->living.node);
  else field_copy(f, (void *)(uintptr_t)(copy->def.transitions + of->index), &t->living.transition);
  if (t->kind == &kind_node) name_match(t->record, (sinew_node_def *)(uintptr_t)copy->def.nodes + of->index);
  if (!sinew_actor_set_graph(all->stage, of->actor, of->layer, &copy->def, DECLARED_JOIN, &error))
    declarations_say(all, SINEW_LOG_WARNING, "%s", error.message);
  declarations_free(all, copy);
}

static void give_attachment(const declarations *all, const sinew_edit *of, const thing *t) {
  attachment_record *a = (attachment_record *)declaration_first(&t->record->parts[PART_ATTACHMENT]);
  sinew_error ignored;
  a->now = t->living.attachment;
  sinew_actor_attach(all->stage, of->actor, &a->now.def, &ignored);
}

/* Dragging keeps a marker between its neighbours, so their order never changes. */
static void give_marker(declarations *all, const sinew_edit *of, const thing *t) {
  enum { MOST = 256 };
  sinew_marker markers[MOST];
  sinew_error error;
  sinew_model *model = t->record->model;
  int count = 0;
  const sinew_marker *now = sinew_stage_markers(all->stage, model, of->layer, &count);
  if (count > MOST) return;
  memcpy(markers, now, (size_t)count * sizeof *markers);
  double low = of->index > 0 ? now[of->index - 1].time : 0;
  double high =
      of->index + 1 < count ? now[of->index + 1].time : sinew_clip_duration(sinew_model_clip(model, of->layer));
  markers[of->index] = t->living.marker;
  markers[of->index].time = fmin(fmax(t->living.marker.time, low), high);
  if (!declarations_set_markers(all, model, of->layer, markers, count, &error))
    declarations_say(all, SINEW_LOG_WARNING, "%s", error.message);
}

static void give_root(declarations *all, const thing *t) {
  sinew_error error;
  if (!declarations_set_root(all, t->record, &t->living.root, NULL, &error))
    declarations_say(all, SINEW_LOG_WARNING, "%s", error.message);
}

void scene_set_control(void *user, const sinew_edit *of, int index, const float values[3]) {
  declarations *all = &((sinew_scene *)user)->declarations;
  thing t;
  if (of->kind == SINEW_EDIT_KEPT) kept_set_control(user, index, values);
  if (!find_thing(all, of, &t) || !field_has_control(t.kind, t.kind->fields + index)) return;
  const store_field *f = t.kind->fields + index;
  control_take(all, f, values, &t.living);
  if (t.kind == &kind_actor) declarations_set_actor(all, t.record, f, &t.living.actor);
  else if (t.kind == &kind_action) declarations_apply_play(all, of->action, &t.living.action);
  else if (t.kind == &kind_layer) sinew_actor_set_layer(all->stage, of->actor, of->layer, &t.living.layer.def);
  else if (t.kind == &kind_modifier) give_modifier(all, of, &t, f);
  else if (t.kind == &kind_node || t.kind == &kind_transition) give_graph(all, of, &t, f);
  else if (t.kind == &kind_root) give_root(all, &t);
  else if (t.kind == &kind_attachment) give_attachment(all, of, &t);
  else if (t.kind == &kind_marker) give_marker(all, of, &t);
  else if (t.kind == &kind_crowd) crowd_of(all, of)->detail = t.living.crowd.detail;
  else declarations_set_look(all, f, &t.living.look);
}
