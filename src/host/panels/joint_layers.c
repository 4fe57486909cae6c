/* Shows how the layers of the picked actor animate the picked joint, with controls to change that while they play. */
#include "host/host.h"
#include "host/panels/joints.h"

#include <math.h>

typedef struct layer_desk {
  sinew_host *host;
  sinew_actor actor;
  int layer, joint;
} layer_desk;

static void note(const layer_desk *d, const char *format, const char *value, const sinew_edit *edit) {
  char name[LUA_TEXT], layer[LUA_TEXT], target[3 * LUA_TEXT], line[4 * LUA_TEXT];
  change_list *changes = &d->host->inspector.changes;
  sinew_edit mine = *edit;
  mine.kind = SINEW_EDIT_LAYER, mine.actor = d->actor, mine.layer = d->layer;
  lua_actor(name, sinew_actor_name(d->host->stage, d->actor));
  lua_string(layer, sinew_actor_layer_name(d->host->stage, d->actor, d->layer));
  lua_format(target, sizeof target, "%s:layer(%s).%s", name, layer, edit->field);
  lua_format(line, sizeof line, format, name, layer, value);
  changes_note_line(changes, target, line);
  changes_note_edit(changes, target, &mine);
}

static void draw_weight(const layer_desk *d, const sinew_layer_def *def) {
  char value[32];
  float weight = def->weight;
  if (!ui_slider(d->host->ui, "weight", &weight, 0, 1)) return;
  const sinew_edit of = {.actor = d->actor, .layer = d->layer};
  if (!change_make(d->host, CHANGE_WEIGHT, &of, NULL, &(double){(double)weight}, 1)) return;
  lua_format(value, sizeof value, "%.6g", (double)weight);
  note(d, "%s:layer(%s).weight = %s", value, &(sinew_edit){.field = "weight", .value = (double)weight});
}

static void draw_space(const layer_desk *d, const sinew_layer_def *def) {
  bool model = def->space == SINEW_LAYER_MODEL;
  if (!ui_checkbox(d->host->ui, "in model space", &model)) return;
  const sinew_edit of = {.actor = d->actor, .layer = d->layer};
  const char *value = model ? "\"model\"" : "\"local\"";
  if (change_make(d->host, CHANGE_SPACE, &of, NULL, &(double){model}, 1))
    note(d, "%s:layer(%s, { space = %s })", value, &(sinew_edit){.field = "space", .text = value});
}

static void draw_mask(const layer_desk *d) {
  selection *s = &d->host->selection;
  float weight = mask_at(d->host, d->actor, d->layer, d->joint);
  bool painted = s->painted == d->layer;
  if (d->joint > 0 && ui_slider(d->host->ui, "mask here", &weight, 0, 1))
    mask_set(d->host, d->actor, d->layer, d->joint, weight, s->paints_below);
  if (ui_checkbox(d->host->ui, "paint the mask", &painted)) s->painted = painted ? d->layer : 0;
  if (!painted) return;
  ui_slider(d->host->ui, "brush", &s->brush, 0, 1);
  ui_checkbox(d->host->ui, "joints below, too", &s->paints_below);
  ui_label(d->host->ui, "drag on the character");
}

static void draw_layer(const layer_desk *d) {
  const sinew_stage *stage = d->host->stage;
  if (!ui_begin_tree(d->host->ui, sinew_actor_layer_name(stage, d->actor, d->layer), true)) return;
  sinew_layer_def def = sinew_actor_layer(stage, d->actor, d->layer);
  draw_weight(d, &def);
  draw_space(d, &def);
  draw_mask(d);
  ui_end_tree(d->host->ui);
}

void joint_layers_draw(sinew_host *host, sinew_actor actor, int joint) {
  int count = sinew_actor_layer_count(host->stage, actor);
  for (int i = 1; i < count; i++) draw_layer(&(layer_desk){host, actor, i, joint});
}
