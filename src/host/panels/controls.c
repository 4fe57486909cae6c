/* Draws a control for each field of an object. */
#include "base/text.h"
#include "host/edit/change.h"
#include "host/edit/fields.h"
#include "host/host.h"
#include "host/panels/inspector.h"

#include <math.h>

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

bool panel_change(sinew_host *host, const sinew_edit *of, const double *values, int count) {
  bool made = change_make(host, of, values, count);
  if (made) changes_note_field(host, of);
  return made;
}

bool controls_draw_tree(sinew_host *host, const char *label, const sinew_edit *of) {
  sinew_control first;
  if (!edit_field(host, of, 0, &first) || !ui_begin_tree(host->ui, label, false)) return false;
  controls_draw(host, of);
  if (first.reason) ui_label(host->ui, first.reason);
  ui_end_tree(host->ui);
  return true;
}

void controls_draw(sinew_host *host, const sinew_edit *of) {
  sinew_control c;
  for (int index = 0; edit_field(host, of, index, &c); index++) {
    if (c.reason) show(host->ui, &c);
    if (c.reason || !draw(host->ui, &c)) continue;
    char name[256];
    sinew_edit field = *of;
    const double values[3] = {(double)c.values[0], (double)c.values[1], (double)c.values[2]};
    text_format(name, sizeof name, "%s", c.name);
    field.field = name;
    panel_change(host, &field, values, 3);
  }
}
