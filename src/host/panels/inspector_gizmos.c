/* What was dragged in the picture, as Lua and for the script. */
#include "host/host.h"
#include "host/panels/inspector.h"

#include <sinew/actor_modifiers.h>

#include <stdio.h>

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
  for (int i = 0; i < count; i++) lua_format(numbers[i], sizeof numbers[i], "%.4g", (double)values[i]);
  if (count == 3) lua_format(out, size, "{ %s, %s, %s }", numbers[0], numbers[1], numbers[2]);
  else lua_format(out, size, "{ %s, %s, %s, %s }", numbers[0], numbers[1], numbers[2], numbers[3]);
}

/* For the script the position or the rotation, whichever was dragged. */
void changes_note_attachment(sinew_host *host, sinew_actor actor, bool turned) {
  char name[LUA_TEXT], other[LUA_TEXT], joint_text[LUA_TEXT], path[SINEW_JOINT_PATH], position[96], rotation[96],
      target[4 * LUA_TEXT], line[5 * LUA_TEXT];
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
  lua_format(target, sizeof target, "%s:attach(%s, %s", other, joint_text, name);
  lua_format(line, sizeof line, "%s, { offset = { position = %s, rotation = %s } })", target, position, rotation);
  changes_note_line(changes, target, line);
  changes_note_edit(changes, target,
                    &(sinew_edit){.kind = SINEW_EDIT_ATTACHMENT,
                                  .actor = actor,
                                  .field = turned ? "offset.rotation" : "offset.position",
                                  .text = turned ? rotation : position});
}
