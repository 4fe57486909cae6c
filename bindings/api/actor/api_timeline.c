/* sinew.timeline: the marks of a measured actor, as tables and as sentences. */
#include "api/graph/node.h"

#include <sinew/marks.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MARK_TEXT = 400, STATE_NAME = 64 };

typedef struct marked {
  const declarations *declarations;
  const actor_record *record;
  const sinew_model *model;
  sinew_mark mark;
} marked;

static bool read_mark(const declarations *all, const actor_record *record, int index, marked *out) {
  *out = (marked){all, record, sinew_actor_model(all->stage, record->actor), {0}};
  return sinew_actor_mark(all->stage, record->actor, index, &out->mark);
}

/* ---- transitions ---- */

static const sinew_transition_def *transition_of(const marked *m, const char **line) {
  const graph_copy *graph = m->mark.layer >= 0 ? graph_of_layer(m->declarations, m->record, m->mark.layer) : NULL;
  int index = m->mark.transition;
  *line = NULL;
  if (!graph || index < 0 || index >= graph->def.transition_count) return NULL;
  *line = graph->transition_lines[index];
  return graph->def.transitions + index;
}

static void name_state(const marked *m, int state, char out[STATE_NAME]) {
  const graph_copy *graph = graph_of_layer(m->declarations, m->record, m->mark.layer);
  const sinew_node_def *n = graph && m->mark.node < graph->def.node_count ? graph->def.nodes + m->mark.node : NULL;
  char position[NODE_NAME];
  if (n && state >= 0 && state < n->child_count)
    snprintf(out, STATE_NAME, "%s", node_name(graph, n->first_child + state, state, position));
  else snprintf(out, STATE_NAME, "%d", state + 1);
}

void transition_reason(const sinew_transition_def *t, char *out, size_t size) {
  char event[80] = "", end[40] = "", when[280] = "";
  if (t && t->event) snprintf(event, sizeof event, ", on %s", t->event);
  if (t && t->before_end == t->before_end) snprintf(end, sizeof end, ", before_end %g", t->before_end);
  if (t && t->when) snprintf(when, sizeof when, ", %s", t->when);
  snprintf(out, size, "%s%s%s%s", event, end, when, t && t->condition >= 0 ? ", its condition holds" : "");
  if (!t) snprintf(out, size, ", its parameter says so");
  memmove(out, out + 2, strlen(out) - 1);
}

static void write_refusal(const marked *m, const sinew_transition_def *t, char *out, size_t size) {
  switch (m->mark.refusal) {
  case SINEW_REFUSAL_LOCKED: snprintf(out, size, "the transition before it is locked"); break;
  case SINEW_REFUSAL_EVENT: snprintf(out, size, "'%s' was not sent", t && t->event ? t->event : "its event"); break;
  case SINEW_REFUSAL_TIME:
    snprintf(out, size, "before_end %g, and %.3g s are left", t ? t->before_end : 0, m->mark.left);
    break;
  case SINEW_REFUSAL_DISTANCE:
    snprintf(out, size, "it has %.2f m to go, and the clip covers %.2f", m->mark.left, m->mark.covers);
    break;
  case SINEW_REFUSAL_WHEN: snprintf(out, size, "%s is false", m->mark.text); break;
  default: snprintf(out, size, "its condition is false");
  }
}

static void write_reason(const marked *m, char *out, size_t size) {
  const char *line;
  const sinew_transition_def *t = transition_of(m, &line);
  if (m->mark.kind == SINEW_MARK_REFUSAL) write_refusal(m, t, out, size);
  else transition_reason(t, out, size);
}

static void write_transition(const marked *m, char *out, size_t size) {
  char from[STATE_NAME], to[STATE_NAME], reason[160];
  const char *line, *layer = sinew_actor_layer_name(m->declarations->stage, m->record->actor, m->mark.layer);
  transition_of(m, &line);
  name_state(m, m->mark.from, from);
  name_state(m, m->mark.to, to);
  write_reason(m, reason, sizeof reason);
  snprintf(out, size, "%.40s: %s -> %s%s, because %.110s%s%.60s%s", layer ? layer : "?", from, to,
           m->mark.kind == SINEW_MARK_REFUSAL ? " was not taken" : "", reason, line ? " (" : "", line ? line : "",
           line ? ")" : "");
}

/* ---- sentences ---- */

/* The line of the clip's action or node. */
static const char *clip_line(const marked *m) {
  const char *layer = sinew_actor_layer_name(m->declarations->stage, m->record->actor, m->mark.layer);
  sinew_cause cause = {.kind = m->mark.node >= 0 ? SINEW_CAUSE_NODE : SINEW_CAUSE_ACTION,
                       .node = m->mark.node,
                       .action = m->mark.action};
  const char *line = cause_line(m->declarations, m->record, &cause, layer);
  return line ? line : m->record->head.line;
}

static const char *clip_name(const marked *m) { return sinew_clip_name(sinew_model_clip(m->model, m->mark.clip)); }

static void write_seam(const marked *m, char out[MARK_TEXT]) {
  snprintf(out, MARK_TEXT, "the seam of '%.60s' (%.60s)", clip_name(m), clip_line(m));
}

/* Why the foot slides: the clip goes at another speed than the actor, or at another phase than its neighbours. */
static void write_slide_cause(const marked *m, char out[MARK_TEXT]) {
  const sinew_mark *mark = &m->mark;
  float apart = fabsf(mark->travels - mark->goes), near = fmaxf(0.05f, 0.1f * fmaxf(mark->travels, mark->goes));
  out[0] = '\0';
  if (mark->clip < 0) return;
  if (apart > near)
    snprintf(out, MARK_TEXT, "'%.40s' (%.60s) goes %.2f m/s, the actor %.2f%s%s", clip_name(m), clip_line(m),
             (double)mark->travels, (double)mark->goes, mark->text[0] ? " by " : "", mark->text);
  else if (mark->unsynced)
    snprintf(out, MARK_TEXT, "'%.40s' (%.60s) is not in sync with the clips beside it", clip_name(m), clip_line(m));
  else snprintf(out, MARK_TEXT, "'%.40s' (%.60s) itself", clip_name(m), clip_line(m));
}

static void write_modifier(const marked *m, char out[MARK_TEXT]) {
  sinew_cause cause = {.kind = SINEW_CAUSE_MODIFIER, .modifier = m->mark.modifier};
  const char *name = sinew_actor_modifier_name(m->declarations->stage, m->record->actor, m->mark.modifier);
  const char *line = cause_line(m->declarations, m->record, &cause, NULL);
  snprintf(out, MARK_TEXT, "the modifier '%.60s' (%.60s)", name ? name : "?", line ? line : m->record->head.line);
}

/* What displaced the pose. Returns the word before it. */
static const char *write_cause(const marked *m, char out[MARK_TEXT]) {
  marked cause;
  const sinew_mark *mark = &m->mark;
  snprintf(out, MARK_TEXT, "%s", mark->text);
  if (out[0]) return " after ";
  if (mark->clip >= 0) return write_seam(m, out), " at ";
  if (mark->modifier >= 0) return write_modifier(m, out), " by ";
  if (mark->cause < 0 || !read_mark(m->declarations, m->record, mark->cause, &cause)) return "";
  write_transition(&cause, out, MARK_TEXT);
  return " after ";
}

/* The joint, the morph target, or the actor itself. */
static void write_pop(const marked *m, const char *joint, char *out, size_t size) {
  char cause[MARK_TEXT], turned[32] = "", moved[32] = "";
  const sinew_mark *mark = &m->mark;
  double degrees = (double)mark->angle * 57.29577951308232, centimetres = (double)mark->size * 100;
  const char *what = mark->morph >= 0   ? sinew_model_morph_name(m->model, mark->morph)
                     : mark->joint >= 0 ? joint
                                        : m->record->head.name;
  if (degrees >= 0.5) snprintf(turned, sizeof turned, " by %.0f°", degrees);
  if (centimetres >= 0.5) snprintf(moved, sizeof moved, "%s %.0f cm", turned[0] ? " and" : " by", centimetres);
  const char *word = write_cause(m, cause);
  snprintf(out, size, "%.60s jumped%s%s%s%.300s", what, turned, moved, word, cause);
}

static void write_slide(const marked *m, const char *joint, char out[MARK_TEXT]) {
  char cause[MARK_TEXT];
  write_slide_cause(m, cause);
  snprintf(out, MARK_TEXT, "%.60s slid %.1f cm in %.2f s on the ground%s%.220s", joint, (double)m->mark.size * 100,
           m->mark.end - m->mark.begin, cause[0] ? ": " : "", cause);
}

static void write_sentence(const marked *m, char text[MARK_TEXT]) {
  char joint[SINEW_JOINT_PATH] = "";
  const sinew_mark *mark = &m->mark;
  if (mark->joint >= 0) sinew_model_joint_path(m->model, mark->joint, joint, sizeof joint);
  if (mark->kind == SINEW_MARK_POP) write_pop(m, joint, text, MARK_TEXT);
  else if (mark->kind == SINEW_MARK_SLIDE) write_slide(m, joint, text);
  else write_transition(m, text, MARK_TEXT);
}

static void write_mark(const marked *m, char out[MARK_TEXT]) {
  static const char *const kinds[] = {"pop", "slide", "state", "refused"};
  char text[MARK_TEXT];
  write_sentence(m, text);
  snprintf(out, MARK_TEXT, "%7.3f s  %-8s%.280s", m->mark.begin, kinds[m->mark.kind], text);
}

bool scene_mark_sentence(sinew_scene *scene, sinew_actor actor, int index, char *out, size_t size) {
  char text[MARK_TEXT];
  marked m;
  const actor_record *record = declarations_actor_on_stage(&scene->declarations, actor);
  if (!record || !read_mark(&scene->declarations, record, index, &m)) return false;
  write_sentence(&m, text);
  snprintf(out, size, "%s", text);
  return true;
}

bool sinew_scene_mark_text(sinew_scene *scene, sinew_actor actor, int index, char *out, size_t size) {
  char text[MARK_TEXT];
  marked m;
  const actor_record *record = declarations_actor_on_stage(&scene->declarations, actor);
  if (!record || !read_mark(&scene->declarations, record, index, &m)) return false;
  write_mark(&m, text);
  snprintf(out, size, "%s", text);
  return true;
}

/* ---- tables ---- */

static void set_number(lua_State *L, const char *field, double value) {
  lua_pushnumber(L, value);
  lua_setfield(L, -2, field);
}

static void set_text(lua_State *L, const char *field, const char *text) {
  lua_pushstring(L, text);
  lua_setfield(L, -2, field);
}

static void set_transition(lua_State *L, const marked *m) {
  char name[STATE_NAME], reason[160];
  const char *line;
  transition_of(m, &line);
  write_reason(m, reason, sizeof reason);
  set_text(L, "layer", sinew_actor_layer_name(m->declarations->stage, m->record->actor, m->mark.layer));
  name_state(m, m->mark.from, name);
  set_text(L, "from", name);
  name_state(m, m->mark.to, name);
  set_text(L, "to", name);
  set_text(L, "reason", reason);
  set_text(L, "line", line);
}

static void set_pop(lua_State *L, const marked *m) {
  char cause[MARK_TEXT];
  write_cause(m, cause);
  set_number(L, "angle", (double)m->mark.angle);
  set_number(L, "metres", (double)m->mark.size);
  set_number(L, "speed", (double)m->mark.angle * 60);
  set_number(L, "rank", (double)m->mark.rank);
  if (cause[0]) set_text(L, "cause", cause);
}

static void set_slide(lua_State *L, const marked *m) {
  char cause[MARK_TEXT];
  write_slide_cause(m, cause);
  set_number(L, "metres", (double)m->mark.size);
  set_number(L, "rank", (double)m->mark.rank);
  if (cause[0]) set_text(L, "cause", cause);
}

static void push_mark(lua_State *L, const marked *m) {
  char text[MARK_TEXT];
  const sinew_mark *mark = &m->mark;
  write_mark(m, text);
  lua_createtable(L, 0, 8);
  set_number(L, "time", mark->begin);
  set_number(L, "finish", mark->end);
  set_text(L, "text", text);
  if (mark->joint >= 0) joint_push(L, m->model, mark->joint), lua_setfield(L, -2, "joint");
  if (mark->kind == SINEW_MARK_POP) set_pop(L, m);
  if (mark->kind == SINEW_MARK_SLIDE) set_slide(L, m);
  if (mark->kind >= SINEW_MARK_TRANSITION) set_transition(L, m);
}

static int timeline_tostring(lua_State *L) {
  luaL_Buffer b;
  lua_getfield(L, 1, "marks");
  luaL_checktype(L, -1, LUA_TTABLE);
  luaL_buffinit(L, &b);
  lua_Integer count = (lua_Integer)lua_rawlen(L, 2);
  for (lua_Integer i = 1; i <= count; i++) {
    budget_charge(L, 10);
    lua_rawgeti(L, 2, i);
    if (lua_type(L, -1) != LUA_TTABLE || lua_getfield(L, -1, "text") != LUA_TSTRING) return 0;
    lua_remove(L, -2);
    luaL_addvalue(&b);
    if (i < count) luaL_addchar(&b, '\n');
  }
  luaL_pushresult(&b);
  return 1;
}

/* Adds the mark at the top to the list of its kind and to the list of all. */
static void add_mark(lua_State *L, int table, sinew_mark_kind kind) {
  static const char *const lists[] = {"pops", "slides", "transitions", "refusals"};
  lua_getfield(L, table, lists[kind]);
  lua_pushvalue(L, -2);
  lua_rawseti(L, -2, (lua_Integer)lua_rawlen(L, -2) + 1);
  lua_pop(L, 1);
  lua_getfield(L, table, "marks");
  lua_insert(L, -2);
  lua_rawseti(L, -2, (lua_Integer)lua_rawlen(L, -2) + 1);
  lua_pop(L, 1);
}

static void push_timeline(lua_State *L, const sinew_metrics *metrics) {
  static const char *const lists[] = {"marks", "pops", "slides", "transitions", "refusals"};
  lua_createtable(L, 0, 8);
  for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
    lua_newtable(L);
    lua_setfield(L, -2, lists[i]);
  }
  set_number(L, "seconds", metrics->seconds);
  set_number(L, "slid", metrics->slid);
  lua_pushinteger(L, (lua_Integer)metrics->lost_marks);
  lua_setfield(L, -2, "lost");
  if (luaL_newmetatable(L, "sinew.timeline")) {
    lua_pushcfunction(L, timeline_tostring);
    lua_setfield(L, -2, "__tostring");
    lua_pushliteral(L, "timeline");
    lua_setfield(L, -2, "__metatable");
  }
  lua_setmetatable(L, -2);
}

static int call_timeline(lua_State *L) {
  const declarations *all = &scene_of(L)->declarations;
  const actor_record *record = actor_check(L, 1);
  sinew_metrics metrics;
  marked m;
  lua_settop(L, 1);
  if (!scene_measures(L, record) || !sinew_actor_metrics(all->stage, record->actor, &metrics))
    return luaL_error(L, "sinew.timeline: '%s' is not measured: call actor:measure first", record->head.name);
  push_timeline(L, &metrics);
  for (int i = 0; read_mark(all, record, i, &m); i++) {
    budget_charge(L, 200);
    push_mark(L, &m);
    add_mark(L, 2, m.mark.kind);
  }
  return 1;
}

const api_entry api_timeline_entries[] = {
    {"sinew", "timeline", API_FUNCTION, "actor: actor", "table",
     "The events of an actor's motion since actor:measure, for tests: { pops, slides, transitions, refusals, "
     "marks, seconds, slid, lost }. Each entry has time, finish and text. A pop also has its joint (nil: the actor "
     "itself or a morph target jumped), how far it was displaced at that instant as angle (rad) and metres, the speed "
     "that the angle is over 1/60 s (rad/s), its rank, and cause: the call, the transition, the seam or the modifier. "
     "A "
     "slide has the foot's joint, the metres that it slid in one contact, its rank and its cause. A transition or "
     "refusal has layer, from, to, reason and line. marks lists all of them in the order in which they ended. "
     "Print the result to read it.",
     .call = call_timeline, .cost = 2000},
    {0}};
