/* Shows how the layers of the picked actor animate the picked joint, with controls to change that while they play. */
#include "host/host.h"
#include "host/panels/joints.h"

#include <math.h>

typedef struct layer_desk {
  sinew_host *host;
  sinew_actor actor;
  int layer, joint;
} layer_desk;

static void draw_weight(const layer_desk *d, const sinew_layer_def *def) {
  float weight = def->weight;
  const sinew_edit of = {.kind = SINEW_EDIT_LAYER, .actor = d->actor, .layer = d->layer, .field = "weight"};
  if (ui_slider(d->host->ui, "weight", &weight, 0, 1)) panel_change(d->host, &of, &(double){(double)weight}, 1);
}

static void draw_space(const layer_desk *d, const sinew_layer_def *def) {
  bool model = def->space == SINEW_LAYER_MODEL;
  const sinew_edit of = {.kind = SINEW_EDIT_LAYER, .actor = d->actor, .layer = d->layer, .field = "space"};
  if (ui_checkbox(d->host->ui, "in model space", &model)) panel_change(d->host, &of, &(double){model}, 1);
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
