#include "host/edit/fields.h"

#include "base/memory/memory.h"
#include "base/text.h"
#include "host/edit/notes.h"
#include "host/host.h"
#include "host/past/recorded_change.h"

#include <sinew/actor_modifiers.h>
#include <sinew/curve.h>
#include <sinew/graph.h>
#include <sinew/playing.h>

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* ---- fields of a state that is read and set whole ---- */

typedef union state {
  struct {
    bool visible;
    float opacity;
  } actor;
  sinew_play_def action;
  sinew_layer_def layer;
  sinew_modifier_def modifier;
  sinew_view_options view;
} state;

typedef enum row_type { FLAG, FLOAT, DOUBLE, WORD, POINT, TEXT } row_type;

typedef struct row {
  sinew_edit_kind kind;
  const char *name;
  size_t offset; /* in the state */
  row_type type;
  float low, high;
  const char *const *words;
  bool is_option; /* of the call that makes the object */
  bool is_hidden; /* from the list of fields: it is drawn in its own way */
} row;

static const char *const surfaces[] = {"shaded", "normals", "joints", "weight", "velocity", NULL};
static const char *const spaces[] = {"local", "model", NULL};

/* A member of the state, under its own name. */
#define OF(edit, part, member, what) .kind = edit, .name = #member, .offset = offsetof(state, part.member), .type = what
#define ACTOR(member, what) OF(SINEW_EDIT_ACTOR, actor, member, what)
#define ACTION(member, what) OF(SINEW_EDIT_ACTION, action, member, what)
#define LAYER(member, what) OF(SINEW_EDIT_LAYER, layer, member, what)
#define MODIFIER(member, what) OF(SINEW_EDIT_MODIFIER, modifier, member, what)
#define VIEW(member, what) OF(SINEW_EDIT_VIEW, view, member, what)

static const row rows[] = {
    {ACTOR(visible, FLAG)},
    {ACTOR(opacity, FLOAT), .low = 0, .high = 1},
    {ACTION(weight, FLOAT), .low = 0, .high = 1, .is_option = true},
    {ACTION(speed, DOUBLE), .low = -2, .high = 2, .is_option = true},
    {ACTION(paused, FLAG)},
    {ACTION(time, DOUBLE), .is_hidden = true},
    {LAYER(weight, FLOAT), .low = 0, .high = 1, .is_option = true},
    {LAYER(space, WORD), .words = spaces, .is_option = true},
    {MODIFIER(weight, FLOAT), .low = 0, .high = 1},
    {MODIFIER(target, POINT)},
    {VIEW(wireframe, FLAG)},
    {VIEW(skeleton, FLAG)},
    {VIEW(names, FLAG)},
    {VIEW(axes, FLAG)},
    {VIEW(bind_pose, FLAG)},
    {VIEW(bounds, FLAG)},
    {VIEW(root_path, FLAG)},
    {VIEW(contacts, FLAG)},
    {VIEW(ground, FLAG)},
    {VIEW(scale, FLAG)},
    {VIEW(stats, FLAG)},
    {VIEW(paused, FLAG)},
    {VIEW(surface, WORD), .words = surfaces},
    {VIEW(speed, FLOAT), .low = 0.01f, .high = 2},
    {VIEW(joint, TEXT), .is_hidden = true},
};
enum { ROWS = sizeof rows / sizeof *rows };

static bool read_state(const sinew_host *host, const sinew_edit *of, state *out) {
  const sinew_stage *stage = host->stage;
  switch (of->kind) {
  case SINEW_EDIT_ACTOR:
    out->actor.visible = sinew_actor_is_visible(stage, of->actor);
    out->actor.opacity = sinew_actor_opacity(stage, of->actor);
    return sinew_actor_model(stage, of->actor);
  case SINEW_EDIT_ACTION: return sinew_action_read_state(stage, of->action, &out->action);
  case SINEW_EDIT_LAYER:
    out->layer = sinew_actor_layer(stage, of->actor, of->layer);
    return of->layer >= 0 && of->layer < sinew_actor_layer_count(stage, of->actor);
  case SINEW_EDIT_MODIFIER: return sinew_actor_read_modifier_state(stage, of->actor, of->index, &out->modifier);
  case SINEW_EDIT_VIEW:
    out->view = host->view;
    if (!(out->view.speed > 0)) out->view.speed = 1; /* as it counts */
    return true;
  default: return false;
  }
}

static bool set_state(sinew_host *host, const sinew_edit *of, const state *now) {
  sinew_stage *stage = host->stage;
  switch (of->kind) {
  case SINEW_EDIT_ACTOR:
    sinew_actor_set_visible(stage, of->actor, now->actor.visible);
    sinew_actor_set_opacity(stage, of->actor, now->actor.opacity);
    return true;
  case SINEW_EDIT_ACTION: return sinew_action_set_state(stage, of->action, &now->action);
  case SINEW_EDIT_LAYER: return sinew_actor_set_layer(stage, of->actor, of->layer, &now->layer);
  case SINEW_EDIT_MODIFIER: return sinew_actor_set_modifier_state(stage, of->actor, of->index, &now->modifier);
  case SINEW_EDIT_VIEW: return host->view = now->view, true;
  default: return false;
  }
}

static const row *find_row(const sinew_edit *of) {
  for (int i = 0; i < ROWS; i++)
    if (rows[i].kind == of->kind && strcmp(rows[i].name, of->field) == 0) return rows + i;
  return NULL;
}

static bool set_word(int *at, const row *r, double value) {
  int chosen = recorded_change_whole(value), count = 0;
  while (r->words[count]) count++;
  if (chosen >= 0 && chosen < count) *at = chosen;
  return chosen >= 0 && chosen < count;
}

static bool set_value(const row *r, void *at, const double *values, const char *text) {
  float *floats = at;
  switch (r->type) {
  case FLAG: return *(bool *)at = values[0] != 0, true;
  case FLOAT: return *floats = (float)values[0], true;
  case DOUBLE: return *(double *)at = values[0], true;
  case WORD: return set_word(at, r, values[0]);
  case POINT:
    for (int i = 0; i < 3; i++) floats[i] = (float)values[i];
    return true;
  case TEXT: return text_format(at, SINEW_JOINT_PATH, "%s", text), true;
  }
  return false;
}

static bool set_row(sinew_host *host, const sinew_edit *of, const row *r, const double *values, int count) {
  state now;
  int needed = r->type == POINT ? 3 : r->type == TEXT ? 0 : 1;
  bool fits = count >= needed && (of->text || r->type != TEXT);
  return fits && read_state(host, of, &now) && set_value(r, (char *)&now + r->offset, values, of->text) &&
         set_state(host, of, &now);
}

/* ---- shown ---- */

static sinew_control_type type_of(row_type type) {
  static const sinew_control_type types[] = {
      [FLAG] = SINEW_CONTROL_FLAG,   [FLOAT] = SINEW_CONTROL_NUMBER, [DOUBLE] = SINEW_CONTROL_NUMBER,
      [WORD] = SINEW_CONTROL_CHOICE, [POINT] = SINEW_CONTROL_VECTOR, [TEXT] = SINEW_CONTROL_NONE};
  return types[type];
}

static void show_point(const float *at, sinew_control *out) {
  memcpy(out->values, at, sizeof out->values);
  text_format(out->lua, sizeof out->lua, "{ %.4g, %.4g, %.4g }", (double)at[0], (double)at[1], (double)at[2]);
}

static void show_number(double value, sinew_control *out) {
  out->values[0] = (float)value;
  text_format(out->lua, sizeof out->lua, "%.6g", value);
}

static void show_text(const char *text, sinew_control *out) {
  char lua[LUA_TEXT];
  lua_string(lua, text);
  text_format(out->lua, sizeof out->lua, "%s", lua);
}

static void show_value(const row *r, const void *at, sinew_control *out) {
  switch (r->type) {
  case FLAG:
    out->values[0] = *(const bool *)at;
    out->is_default = !r->is_option && !*(const bool *)at;
    text_format(out->lua, sizeof out->lua, "%s", *(const bool *)at ? "true" : "false");
    break;
  case FLOAT: show_number((double)*(const float *)at, out); break;
  case DOUBLE: show_number(*(const double *)at, out); break;
  case WORD:
    out->values[0] = (float)*(const int *)at;
    out->is_default = *(const int *)at == 0;
    show_text(r->words[*(const int *)at], out);
    break;
  case POINT: show_point(at, out); break;
  case TEXT: show_text(at, out); break;
  }
}

static bool show_row(const sinew_host *host, const sinew_edit *of, const row *r, sinew_control *out) {
  state now;
  if (!read_state(host, of, &now)) return false;
  *out = (sinew_control){.name = r->name, .type = type_of(r->type), .is_option = r->is_option, .words = r->words};
  out->low = r->low < r->high ? r->low : -INFINITY;
  out->high = r->low < r->high ? r->high : INFINITY;
  show_value(r, (char *)&now + r->offset, out);
  return true;
}

static bool has_row(const sinew_host *host, const sinew_edit *of, const row *r) {
  bool aims = r->type != POINT || sinew_actor_modifier_aims(host->stage, of->actor, of->index);
  return r->kind == of->kind && !r->is_hidden && aims;
}

static bool row_at(const sinew_host *host, const sinew_edit *of, int index, sinew_control *out) {
  for (int i = 0; i < ROWS; i++)
    if (has_row(host, of, rows + i) && index-- == 0) return show_row(host, of, rows + i, out);
  return false;
}

/* ---- fields that the host draws in its own way ---- */

typedef bool set_op(sinew_host *host, const sinew_edit *of, const char *name, const double *values);

static int find_param(const sinew_host *host, const sinew_edit *of, const char *name) {
  for (int i = 0; i < sinew_actor_param_count(host->stage, of->actor); i++)
    if (strcmp(sinew_actor_param_name(host->stage, of->actor, i), name) == 0) return i;
  return -1;
}

static bool set_param(sinew_host *host, const sinew_edit *of, const char *name, const double *values) {
  int param = find_param(host, of, name);
  return param >= 0 && sinew_actor_set_param(host->stage, of->actor, param, values[0]);
}

/* Only one space's parameters are pinned at a time. */
static bool set_pin(sinew_host *host, const sinew_edit *of, const char *name, const double *values) {
  graph_panel *panel = &host->graph;
  int param = find_param(host, of, name);
  bool known = false, room = panel->pinned_count < (int)(sizeof panel->pinned / sizeof *panel->pinned);
  if (param < 0 || !sinew_actor_pin_param(host->stage, of->actor, param, values[0])) return false;
  for (int i = 0; i < panel->pinned_count; i++) known |= panel->pinned[i] == param;
  panel->pinned_actor = of->actor;
  if (!known && room) panel->pinned[panel->pinned_count++] = param;
  return true;
}

static bool release_pins(sinew_host *host, const sinew_edit *of, const char *name, const double *values) {
  (void)of, (void)name, (void)values;
  graph_panel *panel = &host->graph;
  bool any = false;
  for (int i = 0; i < panel->pinned_count; i++)
    any |= sinew_actor_unpin_param(host->stage, panel->pinned_actor, panel->pinned[i]);
  panel->pinned_count = 0;
  return any;
}

static bool set_morph(sinew_host *host, const sinew_edit *of, const char *name, const double *values) {
  return sinew_actor_set_morph(host->stage, of->actor, name, (float)values[0]);
}

static int find_joint(const sinew_host *host, const sinew_edit *of, const char *path) {
  const sinew_model *model = sinew_actor_model(host->stage, of->actor);
  return model && path[0] ? sinew_model_find_joint(model, path) : -1;
}

/* The virtual root has no path: its index is the value. Below 0, nothing is selected. */
static bool select_joint(sinew_host *host, const sinew_edit *of, const char *path, const double *values) {
  int joint = path[0] ? find_joint(host, of, path) : recorded_change_whole(values[0]);
  sinew_host_select(host, joint < 0 ? (sinew_actor){0} : of->actor, joint < 0 ? 0 : joint);
  return true;
}

static bool is_below(const sinew_model *model, int joint, int above) {
  while (joint > above) joint = sinew_model_joint_parent(model, joint);
  return joint == above;
}

static bool set_mask(sinew_host *host, const sinew_edit *of, const char *path, const double *values) {
  int joint = find_joint(host, of, path);
  if (joint <= 0) return false;
  const sinew_model *model = sinew_actor_model(host->stage, of->actor);
  sinew_layer_def def = sinew_actor_layer(host->stage, of->actor, of->layer);
  int count = sinew_model_joint_count(model);
  float *weights = mem_alloc_array((size_t)count, sizeof *weights);
  for (int i = 0; weights && i < count; i++) {
    bool changes = i == joint || (values[1] != 0 && is_below(model, i, joint));
    weights[i] = changes ? (float)values[0] : def.joint_weights ? def.joint_weights[i] : 1;
  }
  def.joint_weights = weights;
  bool set = weights && sinew_actor_set_layer(host->stage, of->actor, of->layer, &def);
  mem_free(weights);
  return set;
}

static bool set_offset(sinew_host *host, const sinew_edit *of, const char *name, const double *values) {
  sinew_attachment a;
  sinew_error ignored;
  (void)name;
  if (!sinew_actor_attachment(host->stage, of->actor, &a)) return false;
  for (int i = 0; i < 3; i++) (&a.offset.translation.x)[i] = (float)values[i];
  for (int i = 0; i < 4; i++) (&a.offset.rotation.x)[i] = (float)values[3 + i];
  return sinew_actor_attach(host->stage, of->actor, &a, &ignored);
}

static bool seek(sinew_host *host, const sinew_edit *of, const char *name, const double *values) {
  (void)name;
  return sinew_actor_seek_node(host->stage, of->actor, of->layer, of->index, values[0]);
}

static bool move_sample(sinew_host *host, const sinew_edit *of, const char *name, const double *values) {
  (void)name;
  return sinew_actor_set_node(host->stage, of->actor, of->layer, of->index, values[0], values[1]);
}

/* A dot stands before a name. */
static const struct {
  sinew_edit_kind kind;
  const char *field;
  int values; /* at least */
  set_op *set;
} special[] = {
    {SINEW_EDIT_ACTOR, "params.", 1, set_param}, {SINEW_EDIT_ACTOR, "pins.", 1, set_pin},
    {SINEW_EDIT_ACTOR, "morphs.", 1, set_morph}, {SINEW_EDIT_ACTOR, "joint.", 1, select_joint},
    {SINEW_EDIT_LAYER, "mask.", 2, set_mask},    {SINEW_EDIT_ATTACHMENT, "offset", 7, set_offset},
    {SINEW_EDIT_SAMPLE, "time", 1, seek},        {SINEW_EDIT_SAMPLE, "place", 2, move_sample},
    {SINEW_EDIT_VIEW, "pins", 0, release_pins},
};

static bool set_special(sinew_host *host, const sinew_edit *of, const double *values, int count) {
  for (size_t i = 0; i < sizeof special / sizeof *special; i++) {
    size_t length = strlen(special[i].field);
    bool named = special[i].field[length - 1] == '.';
    bool is = special[i].kind == of->kind &&
              (named ? !strncmp(special[i].field, of->field, length) : !strcmp(special[i].field, of->field));
    if (is) return count >= special[i].values && special[i].set(host, of, of->field + length, values);
  }
  return false;
}

/* A parameter or a morph target, which are noted as Lua. */
static bool show_named(const sinew_host *host, const sinew_edit *of, sinew_control *out) {
  const char *dot = of->kind == SINEW_EDIT_ACTOR ? strchr(of->field, '.') : NULL;
  bool morph = dot && strncmp(of->field, "morphs.", 7) == 0;
  int param = dot && !morph ? find_param(host, of, dot + 1) : -1;
  *out = (sinew_control){.name = of->field, .type = SINEW_CONTROL_NUMBER};
  if (morph) show_number((double)sinew_actor_morph(host->stage, of->actor, dot + 1), out);
  else if (param >= 0) show_number(sinew_actor_param(host->stage, of->actor, param), out);
  return morph || param >= 0;
}

/* ---- of the application or of the host ---- */

bool edit_field(const sinew_host *host, const sinew_edit *of, int index, sinew_control *out) {
  return host->app.control ? host->app.control(host->app.user, of, index, out) : row_at(host, of, index, out);
}

/* The application's index of a field; −1: it has none. */
static int find_of_app(const sinew_host *host, const sinew_edit *of, sinew_control *out) {
  for (int i = 0; host->app.control && host->app.control(host->app.user, of, i, out); i++)
    if (strcmp(out->name, of->field) == 0) return i;
  return -1;
}

bool edit_find(const sinew_host *host, const sinew_edit *of, sinew_control *out) {
  const row *r = find_row(of);
  return find_of_app(host, of, out) >= 0 || (r ? show_row(host, of, r, out) : show_named(host, of, out));
}

bool edit_set(sinew_host *host, const sinew_edit *of, const double *values, int count) {
  sinew_control c;
  float floats[3] = {0};
  const row *r = find_row(of);
  int index = find_of_app(host, of, &c);
  for (int i = 0; i < count && i < 3; i++) floats[i] = (float)values[i];
  if (index < 0 || c.type == SINEW_CONTROL_NONE)
    return r ? set_row(host, of, r, values, count) : set_special(host, of, values, count);
  host->app.set_control(host->app.user, of, index, floats);
  return count > 0;
}
