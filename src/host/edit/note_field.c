/* Turns a changed field into Lua, and into an edit of the script. */
#include "base/text.h"
#include "host/edit/fields.h"
#include "host/edit/notes.h"
#include "host/graph/graph_panel.h"
#include "host/host.h"

#include <sinew/actor_modifiers.h>
#include <sinew/crowd.h>
#include <sinew/event.h>
#include <sinew/playing.h>

#include <stdio.h>
#include <string.h>

/* ---- the object ---- */

/* An action has no name: the line is the call that plays it with these options. */
static void write_action(const sinew_host *host, const sinew_edit *of, const char *actor, char *out, size_t size) {
  char clip[LUA_TEXT], layer[LUA_TEXT];
  sinew_play_def s = {.clip = 0};
  sinew_action_read_state(host->stage, of->action, &s);
  lua_string(clip, sinew_clip_name(sinew_model_clip(sinew_actor_model(host->stage, of->actor), s.clip)));
  lua_string(layer, sinew_actor_layer_name(host->stage, of->actor, s.layer));
  lua_format(out, size, "%s:play(%s, { layer = %s", actor, clip, layer);
}

/* What only a graph contains is described by a comment. */
static void write_node(const sinew_host *host, const sinew_edit *of, const char *actor, char *out, size_t size) {
  char label[256];
  if (of->kind == SINEW_EDIT_NODE) graph_node_label(host->stage, of->actor, of->layer, of->index, label, sizeof label);
  else if (!graph_transition_name(host->stage, of->actor, of->layer, of->index, " → ", label, sizeof label)) return;
  lua_format(out, size, "%s graph, %s", actor, label);
}

/* An object that has an actor. */
static void write_part(const sinew_host *host, const sinew_edit *of, char *out, size_t size) {
  char actor[LUA_TEXT], name[LUA_TEXT];
  const sinew_model *model = sinew_actor_model(host->stage, of->actor);
  lua_actor(actor, sinew_actor_name(host->stage, of->actor));
  switch (of->kind) {
  case SINEW_EDIT_ACTION: write_action(host, of, actor, out, size); break;
  case SINEW_EDIT_LAYER:
    lua_string(name, sinew_actor_layer_name(host->stage, of->actor, of->layer));
    lua_format(out, size, "%s:layer(%s, {", actor, name);
    break;
  case SINEW_EDIT_MODIFIER:
    lua_key(name, sinew_actor_modifier_name(host->stage, of->actor, of->index));
    lua_format(out, size, "%s.modifiers%s", actor, name);
    break;
  case SINEW_EDIT_NODE:
  case SINEW_EDIT_TRANSITION: write_node(host, of, actor, out, size); break;
  case SINEW_EDIT_ROOT: lua_format(out, size, "%s:root_motion({", actor); break;
  case SINEW_EDIT_MARKER:
    lua_string(name, sinew_clip_name(sinew_model_clip(model, of->layer)));
    lua_format(out, size, "%s.model:markers(%s, {", actor, name);
    break;
  default: lua_format(out, size, "%s", actor); break;
  }
}

/* The object as Lua: for an action, a layer, root motion or markers its unfinished call. */
static void write_object(const sinew_host *host, const sinew_edit *of, char *out, size_t size) {
  static const char *const scene[] = {[SINEW_EDIT_VIEW] = "sinew.view",
                                      [SINEW_EDIT_CAMERA] = "sinew.camera",
                                      [SINEW_EDIT_LIGHT] = "sinew.light",
                                      [SINEW_EDIT_KEPT] = "sinew.keep"};
  const char *name = of->kind == SINEW_EDIT_CROWD
                         ? sinew_crowd_name(host->stage, sinew_stage_crowd(host->stage, of->index))
                         : scene[of->kind];
  out[0] = '\0';
  if (name) lua_format(out, size, "%s", name);
  else write_part(host, of, out, size);
}

/* ---- values ---- */

static const char *mask_of(const sinew_host *host, const sinew_edit *of, char *out, size_t size) {
  bool is_layer = of->kind == SINEW_EDIT_LAYER;
  const float *weights = is_layer ? sinew_actor_layer(host->stage, of->actor, of->layer).joint_weights : NULL;
  bool fits = weights && mask_as_lua(sinew_actor_model(host->stage, of->actor), weights, out, size);
  return fits ? out : NULL;
}

static bool is_as_declared(const sinew_host *host, const sinew_edit *of) {
  int count = 0;
  sinew_control c;
  for (; edit_field(host, of, count, &c); count++)
    if (!c.is_declared && c.type != SINEW_CONTROL_NONE) return false;
  return count > 0;
}

/* Notes a call with the options that differ from their defaults, followed by fields that are not options. */
static void note_call(sinew_host *host, const sinew_edit *of, const char *opening) {
  static char line[MASK_TEXT + 8192], mask[MASK_TEXT];
  char rest[256] = "";
  const char *between = opening[strlen(opening) - 1] == '{' ? " " : ", ";
  bool as_declared = is_as_declared(host, of);
  sinew_control c;
  int used = text_format(line, sizeof line, "%s", opening);
  for (int i = 0; edit_field(host, of, i, &c); i++) {
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

static void note_value(sinew_host *host, const char *target, const sinew_control *c) {
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

static void print(char *out, size_t size, const float *values, int count) {
  char numbers[4][24];
  for (int i = 0; i < count; i++) lua_format(numbers[i], sizeof numbers[i], "%.6g", (double)values[i]);
  if (count == 3) lua_format(out, size, "{ %s, %s, %s }", numbers[0], numbers[1], numbers[2]);
  else lua_format(out, size, "{ %s, %s, %s, %s }", numbers[0], numbers[1], numbers[2], numbers[3]);
}

/* For the script, notes the option that changed. */
void changes_note_attachment(sinew_host *host, sinew_actor actor, const char *field) {
  char name[LUA_TEXT], other[LUA_TEXT], joint_text[LUA_TEXT], path[SINEW_JOINT_PATH], position[96], rotation[96],
      scale[96], sized[112] = "", target[4 * LUA_TEXT], line[5 * LUA_TEXT];
  change_list *changes = &host->inspector.changes;
  sinew_attachment a;
  if (!sinew_actor_attachment(host->stage, actor, &a)) return;
  const sinew_transform offset = a.offset;
  sinew_model_joint_path(sinew_actor_model(host->stage, a.to), a.joint, path, sizeof path);
  lua_actor(name, sinew_actor_name(host->stage, actor));
  lua_actor(other, sinew_actor_name(host->stage, a.to));
  lua_string(joint_text, path);
  print(position, sizeof position, &offset.translation.x, 3);
  print(rotation, sizeof rotation, &offset.rotation.x, 4);
  print(scale, sizeof scale, &offset.scale.x, 3);
  bool sizes = offset.scale.x != 1 || offset.scale.y != 1 || offset.scale.z != 1;
  if (sizes) lua_format(sized, sizeof sized, ", scale = %s", scale);
  lua_format(target, sizeof target, "%s:attach(%s, %s", other, joint_text, name);
  if (is_as_declared(host, &(sinew_edit){.kind = SINEW_EDIT_ATTACHMENT, .actor = actor})) {
    changes_take_back(changes, target);
    return;
  }
  sinew_control follows = {.lua = ""};
  edit_find(host, &(sinew_edit){.kind = SINEW_EDIT_ATTACHMENT, .actor = actor, .field = "joint_scale"}, &follows);
  lua_format(line, sizeof line, "%s, { offset = { position = %s, rotation = %s%s }%s })", target, position, rotation,
             sized, strcmp(follows.lua, "true") == 0 ? ", joint_scale = true" : "");
  changes_note_line(changes, target, line);
  changes_note_edit(changes, target,
                    &(sinew_edit){.kind = SINEW_EDIT_ATTACHMENT,
                                  .actor = actor,
                                  .field = field,
                                  .text = strcmp(field, "offset.rotation") == 0   ? rotation
                                          : strcmp(field, "offset.position") == 0 ? position
                                          : strcmp(field, "joint_scale") == 0     ? follows.lua
                                                                                  : scale});
}

/* Only the script has the values of a marker; the line mentions that there are some. */
static void note_markers(sinew_host *host, const sinew_edit *of, const char *opening) {
  enum { MOST = 16384 };
  static char line[MOST];
  int count = 0;
  const sinew_marker *markers =
      sinew_stage_markers(host->stage, sinew_actor_model(host->stage, of->actor), of->layer, &count);
  int used = text_format(line, sizeof line, "%s", opening);
  for (int i = 0; i < count; i++) {
    char name[LUA_TEXT];
    lua_string(name, markers[i].name);
    used += text_format(line + used, sizeof line - (size_t)used, "%s{ %.6g, %s%s%s%s }", i ? ", " : " ",
                        markers[i].time, name, markers[i].sync ? ", sync = true" : "",
                        markers[i].silent ? ", silent = true" : "", markers[i].tag ? " --[[ and its data ]]" : "");
  }
  text_format(line + used, sizeof line - (size_t)used, " })");
  if (is_as_declared(host, of)) changes_take_back(&host->inspector.changes, opening);
  else changes_note_line(&host->inspector.changes, opening, line);
}

/* A parameter or a morph target is a field of a table of the actor's. */
static void write_target(const sinew_edit *of, const sinew_control *c, const char *lua, char *out, size_t size) {
  char key[LUA_TEXT];
  const char *dot = of->kind == SINEW_EDIT_ACTOR ? strchr(c->name, '.') : NULL;
  if (dot) lua_key(key, dot + 1);
  if (c->target) lua_format(out, size, "%s", c->target);
  else if (dot) lua_format(out, size, "%s.%.*s%s", lua, (int)(dot - c->name), c->name, key);
  else lua_format(out, size, "%s.%s", lua, c->name);
}

void changes_note_field(sinew_host *host, const sinew_edit *of) {
  char lua[4 * LUA_TEXT], target[4 * LUA_TEXT];
  bool is_call = of->kind == SINEW_EDIT_ACTION || of->kind == SINEW_EDIT_LAYER || of->kind == SINEW_EDIT_ROOT ||
                 of->kind == SINEW_EDIT_MARKER;
  bool own = of->kind == SINEW_EDIT_ATTACHMENT || of->kind == SINEW_EDIT_MARKER;
  sinew_control c;
  if (!edit_find(host, of, &c) || (own && !c.lua[0])) return;
  write_object(host, of, lua, sizeof lua);
  if (of->kind == SINEW_EDIT_ATTACHMENT) {
    changes_note_attachment(host, of->actor, c.name);
    return;
  }
  if (is_call) lua_format(target, sizeof target, "%s", lua);
  else write_target(of, &c, lua, target, sizeof target);
  if (of->kind == SINEW_EDIT_MARKER) note_markers(host, of, lua);
  else if (is_call) note_call(host, of, lua);
  else if (c.is_fixed) note_fixed(host, target, &c, lua);
  else note_value(host, target, &c);
  note_edit(host, target, of, &c);
}
