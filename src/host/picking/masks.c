#include "base/memory/memory.h"
#include "base/text.h"
#include "host/edit/change.h"
#include "host/edit/notes.h"
#include "host/host.h"
#include "host/picking/picking.h"

#include <stdio.h>
#include <string.h>

enum { STROKES = sizeof((mask_strokes *)0)->items / sizeof(mask_stroke) };

float mask_at(const sinew_host *host, sinew_actor actor, int layer, int joint) {
  const float *weights = sinew_actor_layer(host->stage, actor, layer).joint_weights;
  return weights ? weights[joint] : 1;
}

/* ---- changing ---- */

/* Reports it once, not with each move of the brush. */
static void say_too_long(sinew_host *host, const char *target) {
  char text[256];
  bool *said = &host->selection.told_length;
  if (!*said) {
    text_format(text, sizeof text, "%.120s: more than %d KB of Lua, so it is neither copied nor written", target,
                MASK_TEXT / 1024);
    sinew_host_toast(host, text);
  }
  *said = true;
}

static void note(sinew_host *host, sinew_actor actor, int layer, const float *weights) {
  static char text[MASK_TEXT], line[MASK_TEXT + 4 * LUA_TEXT];
  char target[3 * LUA_TEXT], name[LUA_TEXT], of_layer[LUA_TEXT];
  change_list *changes = &host->inspector.changes;
  lua_actor(name, sinew_actor_name(host->stage, actor));
  lua_string(of_layer, sinew_actor_layer_name(host->stage, actor, layer));
  lua_format(target, sizeof target, "%s:layer(%s):set_mask", name, of_layer);
  if (!mask_as_lua(sinew_actor_model(host->stage, actor), weights, text, sizeof text)) {
    changes_take_back(changes, target); /* a noted earlier mask is out of date */
    say_too_long(host, target);
    return;
  }
  lua_format(line, sizeof line, "%s(%s)", target, text);
  changes_note_line(changes, target, line);
  changes_note_edit(
      changes, target,
      &(sinew_edit){.kind = SINEW_EDIT_LAYER, .actor = actor, .layer = layer, .field = "mask", .text = text});
}

void mask_set(sinew_host *host, sinew_actor actor, int layer, int joint, float weight, bool below) {
  char path[SINEW_JOINT_PATH], field[SINEW_JOINT_PATH + 8];
  const double values[2] = {(double)weight, below};
  const sinew_edit of = {.kind = SINEW_EDIT_LAYER, .actor = actor, .layer = layer, .field = field};
  if (!sinew_model_joint_path(sinew_actor_model(host->stage, actor), joint, path, sizeof path)) return;
  snprintf(field, sizeof field, "mask.%s", path);
  if (!change_make(host, &of, values, 2)) return;
  const float *weights = sinew_actor_layer(host->stage, actor, layer).joint_weights;
  if (weights) note(host, actor, layer, weights);
}

/* ---- undoing strokes ---- */

void mask_begin_stroke(sinew_host *host) {
  mask_strokes *all = &host->selection.strokes;
  sinew_actor actor = host->selection.actor;
  int layer = host->selection.painted, count = sinew_model_joint_count(sinew_actor_model(host->stage, actor));
  float *weights = mem_alloc_array((size_t)count, sizeof *weights);
  if (!weights) return;
  for (int i = 0; i < count; i++) weights[i] = mask_at(host, actor, layer, i);
  if (all->count == STROKES) {
    mem_free(all->items[0].weights);
    memmove(all->items, all->items + 1, (STROKES - 1) * sizeof *all->items);
    all->count--;
  }
  all->items[all->count++] = (mask_stroke){actor, layer, weights, count};
}

/* Layers that are gone, or whose joints now belong to another model, are left alone. */
static bool put_back(sinew_host *host, const mask_stroke *s) {
  const sinew_model *model = sinew_actor_model(host->stage, s->actor);
  bool there = model && sinew_model_joint_count(model) == s->count &&
               s->layer < sinew_actor_layer_count(host->stage, s->actor),
       any = false;
  for (int i = 1; there && i < s->count; i++) {
    if (mask_at(host, s->actor, s->layer, i) == s->weights[i]) continue;
    mask_set(host, s->actor, s->layer, i, s->weights[i], false);
    any = true;
  }
  return any;
}

bool mask_undo(sinew_host *host) {
  mask_strokes *all = &host->selection.strokes;
  for (bool any = false; all->count > 0;) {
    mask_stroke *last = all->items + --all->count;
    any = put_back(host, last);
    mem_free(last->weights);
    if (!any) continue;
    sinew_host_toast(host, "took back a stroke of the mask");
    return true;
  }
  return false;
}

void mask_forget_strokes(sinew_host *host) {
  mask_strokes *all = &host->selection.strokes;
  while (all->count > 0) mem_free(all->items[--all->count].weights);
}

/* ---- painting ---- */

void mask_paint(sinew_host *host) {
  const selection *s = &host->selection;
  sinew_actor actor;
  int joint;
  if (!s->paints || !pick_at(host, host->input.mouse_x, host->input.mouse_y, &actor, &joint)) return;
  if (actor.id != s->actor.id || joint <= 0) return;
  bool same = mask_at(host, actor, s->painted, joint) == s->brush && !s->paints_below;
  if (!same) mask_set(host, actor, s->painted, joint, s->brush, s->paints_below);
}

const sinew_model *mask_painted(const sinew_host *host, const float **joint_weights) {
  const selection *s = &host->selection;
  bool there = s->actor.id && s->painted > 0 && s->painted < sinew_actor_layer_count(host->stage, s->actor);
  if (!there) return NULL;
  *joint_weights = sinew_actor_layer(host->stage, s->actor, s->painted).joint_weights;
  return sinew_actor_model(host->stage, s->actor);
}
