/* Notes: what a script does that is no mistake, and does not do what its author expects. Each is said once. */
#include "core/api.h"
#include "core/scene.h"

#include <stdio.h>
#include <string.h>

static const char noted_key;

void note_once(lua_State *L, const char *text) {
  if (lua_rawgetp(L, LUA_REGISTRYINDEX, &noted_key) != LUA_TTABLE) {
    lua_pop(L, 1);
    lua_newtable(L);
    lua_pushvalue(L, -1);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &noted_key);
  }
  if (lua_getfield(L, -1, text) == LUA_TNIL) {
    declarations_say(&scene_of(L)->declarations, SINEW_LOG_INFO, "%s", text);
    lua_pushboolean(L, 1);
    lua_setfield(L, -3, text);
  }
  lua_pop(L, 2);
}

void note_front(lua_State *L, const sinew_model *model, const char *line) {
  sinew_vec3 front = sinew_model_front(model);
  if (front.z > 0) return;
  const char *path = sinew_model_path(model), *slash = path ? strrchr(path, '/') : NULL;
  const char *axis = front.z < 0 ? "-z" : front.x < 0 ? "-x" : "+x";
  char text[DECLARED_LINE + 256];
  snprintf(text, sizeof text,
           "%s: '%.80s' faces %s, but motors and blend spaces of velocities expect characters that face +z: load it "
           "with { front = \"%s\" }",
           line,
           slash  ? slash + 1
           : path ? path
                  : "the model",
           axis, axis);
  note_once(L, text);
}

/* The joints of a clip with a single frame stand where they stand in its first one. */
static bool is_still(const sinew_model *model, int clip) {
  const sinew_clip *c = sinew_model_clip(model, clip);
  bool moves_joints = false;
  for (int i = 1; i < sinew_model_joint_count(model) && !moves_joints; i++) moves_joints = sinew_clip_has_joint(c, i);
  return moves_joints && sinew_clip_frame_count(c) == 0;
}

void note_still(lua_State *L, const actor_record *record, int64_t layer, int clip, const char *line) {
  const declarations *all = &scene_of(L)->declarations;
  const layer_record *l = layer ? declarations_layer(record, layer) : NULL;
  const sinew_model *model = declarations_actor_model(all, record);
  if (!l || clip < 0 || clip >= sinew_model_clip_count(model)) return;
  const layer_values *values = all->loading && l->head.next_set ? &l->next : &l->last;
  if (values->mode != SINEW_LAYER_ADDITIVE || values->reference.kind != SINEW_REFERENCE_BEGIN) return;
  if (!is_still(model, clip)) return;
  char text[DECLARED_LINE + 256];
  snprintf(
      text, sizeof text,
      "%s: '%.80s' is a single pose, and adds nothing to what is below the additive layer '%.60s': give the layer a "
      "reference that differs from it, such as reference = \"Idle\"",
      line, sinew_clip_name(sinew_model_clip(model, clip)), declarations_layer_name(record, layer));
  note_once(L, text);
}
