/* Turns drags of handles in the picture into Lua, and into edits of the script. */
#include "base/text.h"
#include "host/host.h"
#include "host/panels/inspector.h"

#include <sinew/actor_modifiers.h>
#include <sinew/event.h>

#include <stdio.h>
#include <string.h>

void changes_note_target(sinew_host *host, sinew_actor actor, int modifier, sinew_vec3 at) {
  char key[LUA_TEXT], name[LUA_TEXT], target[3 * LUA_TEXT], value[96];
  change_list *changes = &host->inspector.changes;
  lua_actor(name, sinew_actor_name(host->stage, actor));
  lua_key(key, sinew_actor_modifier_name(host->stage, actor, modifier));
  lua_format(target, sizeof target, "%s.modifiers%s.target", name, key);
  lua_format(value, sizeof value, "{ %.4g, %.4g, %.4g }", (double)at.x, (double)at.y, (double)at.z);
  changes_note(changes, target, value);
  changes_note_edit(changes, target,
                    &(sinew_edit){.kind = SINEW_EDIT_MODIFIER,
                                  .actor = actor,
                                  .index = modifier,
                                  .field = "target",
                                  .value = (double)at.x,
                                  .y = (double)at.y,
                                  .z = (double)at.z});
}

static void print(char *out, size_t size, const float *values, int count) {
  char numbers[4][24];
  for (int i = 0; i < count; i++) lua_format(numbers[i], sizeof numbers[i], "%.6g", (double)values[i]);
  if (count == 3) lua_format(out, size, "{ %s, %s, %s }", numbers[0], numbers[1], numbers[2]);
  else lua_format(out, size, "{ %s, %s, %s, %s }", numbers[0], numbers[1], numbers[2], numbers[3]);
}

/* For the script, notes the part of the offset that changed. */
void changes_note_attachment(sinew_host *host, sinew_actor actor, const char *field, bool is_declared) {
  char name[LUA_TEXT], other[LUA_TEXT], joint_text[LUA_TEXT], path[SINEW_JOINT_PATH], position[96], rotation[96],
      scale[96], sized[112] = "", target[4 * LUA_TEXT], line[5 * LUA_TEXT];
  change_list *changes = &host->inspector.changes;
  sinew_actor to;
  sinew_transform offset;
  int joint;
  if (!sinew_actor_attachment(host->stage, actor, &to, &joint, &offset)) return;
  sinew_model_joint_path(sinew_actor_model(host->stage, to), joint, path, sizeof path);
  lua_actor(name, sinew_actor_name(host->stage, actor));
  lua_actor(other, sinew_actor_name(host->stage, to));
  lua_string(joint_text, path);
  print(position, sizeof position, &offset.translation.x, 3);
  print(rotation, sizeof rotation, &offset.rotation.x, 4);
  print(scale, sizeof scale, &offset.scale.x, 3);
  bool sizes = offset.scale.x != 1 || offset.scale.y != 1 || offset.scale.z != 1;
  if (sizes) lua_format(sized, sizeof sized, ", scale = %s", scale);
  lua_format(target, sizeof target, "%s:attach(%s, %s", other, joint_text, name);
  if (is_declared) {
    changes_take_back(changes, target);
    return;
  }
  lua_format(line, sizeof line, "%s, { offset = { position = %s, rotation = %s%s } })", target, position, rotation,
             sized);
  changes_note_line(changes, target, line);
  changes_note_edit(changes, target,
                    &(sinew_edit){.kind = SINEW_EDIT_ATTACHMENT,
                                  .actor = actor,
                                  .field = field,
                                  .text = strcmp(field, "offset.rotation") == 0   ? rotation
                                          : strcmp(field, "offset.position") == 0 ? position
                                                                                  : scale});
}

/* Only the script has the values of a marker; the line mentions that there are some. */
void changes_note_markers(sinew_host *host, const sinew_edit *of, const char *opening, bool is_declared) {
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
  if (is_declared) changes_take_back(&host->inspector.changes, opening);
  else changes_note_line(&host->inspector.changes, opening, line);
}
