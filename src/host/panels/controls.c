/* Draws controls for the fields that the application describes, and notes changes as Lua. */
#include "base/text.h"
#include "host/host.h"
#include "host/panels/inspector.h"
#include "host/picking/picking.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- drawing ---- */

static bool draw_number(ui *u, const char *label, sinew_control *c) {
  bool ends = isfinite(c->low) && isfinite(c->high);
  return ends ? ui_slider(u, label, c->values, c->low, c->high)
              : ui_drag(u, label, c->values, 0.01f, -INFINITY, INFINITY);
}

static bool draw_vector(ui *u, const char *label, float values[3]) {
  bool changed = false;
  for (int i = 0; i < 3; i++) {
    char axis[80];
    text_format(axis, sizeof axis, "%s %c", label, "xyz"[i]);
    changed |= ui_drag(u, axis, values + i, 0.005f, -INFINITY, INFINITY);
  }
  return changed;
}

static bool draw_choice(ui *u, const char *label, sinew_control *c) {
  int count = 0, chosen = (int)c->values[0];
  while (c->words[count]) count++;
  bool changed = ui_combo(u, label, c->words, count, &chosen);
  c->values[0] = (float)chosen;
  return changed;
}

static bool draw_flag(ui *u, const char *label, sinew_control *c) {
  bool value = c->values[0] != 0;
  bool changed = ui_checkbox(u, label, &value);
  c->values[0] = value ? 1 : 0;
  return changed;
}

static bool draw(ui *u, sinew_control *c) {
  char label[64];
  text_format(label, sizeof label, "%s", c->name);
  for (char *at = label; *at; at++)
    if (*at == '_') *at = ' ';
  switch (c->type) {
  case SINEW_CONTROL_NUMBER: return draw_number(u, label, c);
  case SINEW_CONTROL_FLAG: return draw_flag(u, label, c);
  case SINEW_CONTROL_CHOICE: return draw_choice(u, label, c);
  case SINEW_CONTROL_VECTOR: return draw_vector(u, label, c->values);
  case SINEW_CONTROL_COLOR: return ui_pick_color(u, label, c->values);
  case SINEW_CONTROL_NONE: break;
  }
  return false;
}

/* Shows a value that cannot be edited. */
static void show(ui *u, const sinew_control *c) {
  char text[320];
  text_format(text, sizeof text, "%s: %s", c->name, c->lua[0] && !c->is_default ? c->lua : "default");
  ui_begin_off(u);
  ui_label(u, text);
  ui_end_off(u);
}

/* ---- as Lua ---- */

static const char *mask_of(const sinew_host *host, const sinew_edit *of, char *out, size_t size) {
  bool is_layer = of->kind == SINEW_EDIT_LAYER;
  const float *weights = is_layer ? sinew_actor_layer(host->stage, of->actor, of->layer).joint_weights : NULL;
  bool fits = weights && mask_as_lua(sinew_actor_model(host->stage, of->actor), weights, out, size);
  return fits ? out : NULL;
}

static bool is_as_declared(const sinew_host *host, const sinew_edit *of) {
  bool is = true;
  sinew_control c;
  for (int i = 0; is && host->app.control(host->app.user, of, i, &c); i++)
    is = c.is_declared || c.type == SINEW_CONTROL_NONE;
  return is;
}

/* Notes a call with the options that differ from their defaults, followed by fields that are not options. */
static void note_call(sinew_host *host, const sinew_edit *of, const char *opening) {
  static char line[MASK_TEXT + 8192], mask[MASK_TEXT];
  char rest[256] = "";
  const char *between = opening[strlen(opening) - 1] == '{' ? " " : ", ";
  bool as_declared = is_as_declared(host, of);
  sinew_control c;
  int used = text_format(line, sizeof line, "%s", opening);
  for (int i = 0; host->app.control(host->app.user, of, i, &c); i++) {
    if (c.is_default || !c.lua[0] || strcmp(c.name, "time") == 0) continue;
    if (c.is_option) used += text_format(line + used, sizeof line - (size_t)used, "%s%s = %s", between, c.name, c.lua);
    else if (c.type != SINEW_CONTROL_NONE) text_format(rest, sizeof rest, ".%s = %s", c.name, c.lua);
    if (c.is_option) between = ", ";
  }
  if (mask_of(host, of, mask, sizeof mask))
    used += text_format(line + used, sizeof line - (size_t)used, "%smask = %s", between, mask);
  else if (of->kind == SINEW_EDIT_LAYER && sinew_actor_layer(host->stage, of->actor, of->layer).joint_weights)
    used += text_format(line + used, sizeof line - (size_t)used, " --[[ its mask is too long for a line ]]");
  text_format(line + used, sizeof line - (size_t)used, " })%s", rest);
  if (as_declared) changes_take_back(&host->inspector.changes, opening);
  else changes_note_line(&host->inspector.changes, opening, line);
}

static void note_field(sinew_host *host, const char *target, const sinew_control *c) {
  if (c->is_declared) changes_take_back(&host->inspector.changes, target);
  else if (c->lua[0]) changes_note(&host->inspector.changes, target, c->lua);
}

/* Notes a value that cannot be assigned as it is written in the table of a call, followed by a comment on its target.
 */
static void note_fixed(sinew_host *host, const char *target, const sinew_control *c, const char *of) {
  char line[4 * LUA_TEXT];
  text_format(line, sizeof line, "%s = %s -- of %s", c->name, c->lua, of);
  if (c->is_declared) changes_take_back(&host->inspector.changes, target);
  else if (c->lua[0]) changes_note_line(&host->inspector.changes, target, line);
}

static void note_edit(sinew_host *host, const char *target, const sinew_edit *of, const sinew_control *c) {
  sinew_edit edit = *of;
  bool point = of->kind == SINEW_EDIT_MODIFIER && strcmp(c->name, "target") == 0;
  edit.field = c->name;
  edit.text = point || c->type == SINEW_CONTROL_NUMBER ? NULL : c->lua;
  edit.value = (double)c->values[0];
  edit.y = (double)c->values[1];
  edit.z = (double)c->values[2];
  changes_note_edit(&host->inspector.changes, target, &edit);
}

static void note(sinew_host *host, const sinew_edit *of, const sinew_control *c, const char *lua) {
  char target[4 * LUA_TEXT];
  bool is_call = of->kind == SINEW_EDIT_ACTION || of->kind == SINEW_EDIT_LAYER || of->kind == SINEW_EDIT_ROOT ||
                 of->kind == SINEW_EDIT_MARKER;
  lua_format(target, sizeof target, "%s%s%s", lua, is_call ? "" : ".", is_call ? "" : c->name);
  if (c->target) lua_format(target, sizeof target, "%s", c->target);
  bool own = of->kind == SINEW_EDIT_ATTACHMENT || of->kind == SINEW_EDIT_MARKER;
  if (own && !c->lua[0]) return;
  if (of->kind == SINEW_EDIT_ATTACHMENT) {
    changes_note_attachment(host, of->actor, c->name, is_as_declared(host, of));
    return;
  }
  if (of->kind == SINEW_EDIT_MARKER) changes_note_markers(host, of, lua, is_as_declared(host, of));
  else if (is_call) note_call(host, of, lua);
  else if (c->is_fixed) note_fixed(host, target, c, lua);
  else note_field(host, target, c);
  note_edit(host, target, of, c);
}

bool controls_draw_tree(sinew_host *host, const char *label, const sinew_edit *of, const char *lua) {
  sinew_control first;
  const sinew_app *app = &host->app;
  if (!app->control || !app->control(app->user, of, 0, &first) || !ui_begin_tree(host->ui, label, false)) return false;
  controls_draw(host, of, lua);
  if (first.reason) ui_label(host->ui, first.reason);
  ui_end_tree(host->ui);
  return true;
}

bool controls_draw(sinew_host *host, const sinew_edit *of, const char *lua) {
  const sinew_app *app = &host->app;
  sinew_control c;
  int index = 0;
  for (; app->control && app->control(app->user, of, index, &c); index++) {
    if (c.reason) show(host->ui, &c);
    if (c.reason || !draw(host->ui, &c)) continue;
    const double values[4] = {of->kind, (double)c.values[0], (double)c.values[1], (double)c.values[2]};
    change_make(host, CHANGE_CONTROL, of, c.name, values, 4);
    if (app->control(app->user, of, index, &c)) note(host, of, &c, lua);
  }
  return index > 0;
}

void controls_draw_picture(sinew_host *host) {
  for (int light = 0; light < 2; light++) {
    sinew_edit of = {.kind = light ? SINEW_EDIT_LIGHT : SINEW_EDIT_CAMERA};
    if (!ui_begin_tree(host->ui, light ? "light" : "camera", true)) continue;
    controls_draw(host, &of, light ? "sinew.light" : "sinew.camera");
    ui_end_tree(host->ui);
  }
}
