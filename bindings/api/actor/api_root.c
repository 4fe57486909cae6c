/* Functions that move an actor: root motion and attachments. */
#include "core/api.h"

#include <string.h>

/* ---- root motion ---- */

/* "xz yaw" */
static uint32_t read_axes(lua_State *L, int index, uint32_t fallback) {
  uint32_t axes = 0;
  if (!option_push(L, index, "axes")) return fallback;
  for (const char *p = lua_tostring(L, -1); *p; p++) {
    if (strncmp(p, "yaw", 3) == 0) axes |= SINEW_ROOT_YAW, p += 2;
    else if (*p == 'x') axes |= SINEW_ROOT_X;
    else if (*p == 'y') axes |= SINEW_ROOT_Y;
    else if (*p == 'z') axes |= SINEW_ROOT_Z;
    else if (*p != ' ') luaL_error(L, "axes are x, y, z and yaw, as in \"xz yaw\" (got '%s')", lua_tostring(L, -1));
  }
  lua_pop(L, 1);
  return axes;
}

/* The feet of a biped with their balls, or the feet of any walker. Returns their number. */
static int feet_of_rig(lua_State *L, const sinew_model *model, int32_t feet[SINEW_FEET_MAX]) {
  static const sinew_role pairs[] = {SINEW_ROLE_LEFT_FOOT, SINEW_ROLE_LEFT_BALL, SINEW_ROLE_LEFT_FRONT_FOOT};
  int joints[SINEW_ROLES], count = 0;
  joint_of_role(L, model, SINEW_ROLE_LEFT_FOOT, "actor:root_motion: feet");
  roles_find(L, model, joints);
  for (int i = 0; i < 6; i++) {
    int joint = joints[pairs[i / 2] + (sinew_role)(i % 2)];
    if (joint >= 0) feet[count++] = joint;
  }
  return count;
}

/* The option `feet`: names of joints, or true for those of the rig. Returns their number. */
static int read_feet(lua_State *L, int index, const sinew_model *model, int feet[SINEW_FEET_MAX]) {
  if (!option_push(L, index, "feet")) return 0;
  if (lua_isboolean(L, -1)) {
    bool wanted = lua_toboolean(L, -1);
    lua_pop(L, 1);
    return wanted ? feet_of_rig(L, model, feet) : 0;
  }
  int count = (int)lua_rawlen(L, -1);
  if (count > SINEW_FEET_MAX) luaL_error(L, "there are %d feet at most", SINEW_FEET_MAX);
  for (int i = 0; i < count; i++) {
    lua_rawgeti(L, -1, i + 1);
    feet[i] = joint_check(L, model, -1);
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
  return count;
}

static int call_root_motion(lua_State *L) {
  sinew_error error;
  declarations *all = &scene_of(L)->declarations;
  actor_record *record = actor_check(L, 1);
  const sinew_model *model = declarations_actor_model(all, record);
  sinew_root_def v = sinew_root_def_default();
  char line[DECLARED_LINE];
  lua_settop(L, 2);
  v.foot_height = (float)(0.02 * sinew_model_size(model));
  if (!lua_isboolean(L, 2) || lua_toboolean(L, 2)) {
    if (lua_isboolean(L, 2)) lua_settop(L, 1), lua_settop(L, 2);
    bool said = option_push(L, 2, "joint");
    v.joint = said ? joint_check(L, model, -1) : joint_of_role(L, model, SINEW_ROLE_ROOT, "actor:root_motion: joint");
    v.axes = read_axes(L, 2, v.axes);
    fields_read(L, 2, &kind_root, "actor:root_motion", &v);
    v.foot_count = read_feet(L, 2, model, v.feet);
  }
  scene_line(L, line);
  if (!declarations_set_root(all, record, &v, line, &error)) return luaL_error(L, "%s", error.message);
  return 0;
}

static int call_root_delta(lua_State *L) {
  sinew_transform t = sinew_actor_root_delta(scene_of(L)->declarations.stage, actor_check(L, 1)->actor);
  vector_push(L, &t.translation.x, 3);
  vector_push(L, &t.rotation.x, 4);
  return 2;
}

/* ---- attachments ---- */

/* The actor at 3, or the one created from a model there. */
static actor_record *attached_check(lua_State *L) {
  if (!api_test(L, 3, "model")) return actor_check(L, 3);
  actor_declare(L, option_push(L, 4, "name") ? lua_tostring(L, -1) : NULL, model_check(L, 3));
  lua_replace(L, 3);
  return actor_check(L, 3);
}

static int call_attach(lua_State *L) {
  sinew_error error;
  declarations *all = &scene_of(L)->declarations;
  const actor_record *record = actor_check(L, 1);
  attachment_values v = {.to = record->head.id, .def = sinew_attachment_default()};
  lua_settop(L, 4);
  const sinew_model *model = declarations_actor_model(all, record);
  sinew_model_joint_path(model, joint_check(L, model, 2), v.joint, sizeof v.joint);
  fields_read(L, 4, &kind_attachment, "actor:attach", &v);
  if (option_push(L, 4, "offset")) transform_read(L, lua_gettop(L), &v.def.offset);
  actor_record *attached = attached_check(L);
  note_change(L, attached, SINEW_NOTE_PLACE, "actor:attach");
  scene_note_line(L);
  if (!declarations_attach(all, attached, &v, &error)) return luaL_error(L, "%s", error.message);
  lua_pushvalue(L, 3);
  return 1;
}

static int call_detach(lua_State *L) {
  sinew_error error;
  declarations *all = &scene_of(L)->declarations;
  actor_record *record = actor_check(L, 1);
  if (all->loading)
    return luaL_error(L, "actor:detach cannot be called at the top level of a scene: leave actor:attach out");
  if (!declarations_attach(all, record, &(attachment_values){0}, &error)) return luaL_error(L, "%s", error.message);
  return 0;
}

const api_entry api_root_entries[] = {
    {"actor", "root_motion", API_METHOD, "options?: root_options|boolean", "",
     "Takes the motion of a joint out of the pose of the base layer and moves the actor by it: { joint = \"Hips\", "
     "axes = \"xz yaw\" }. Without options: the rig's root, along x and z and about y. false ends it.",
     .call = call_root_motion, .waits = true},
    {"actor", "root_delta", API_METHOD, "", "vec3, rotation",
     "The displacement and rotation of the root in the last frame, in the actor's own space.", .call = call_root_delta},
    {"actor", "attach", API_METHOD, "joint: joint, what: actor|model, options?: attach_options", "actor",
     "Attaches an actor to a joint and returns it. Given a model, it makes an actor first.", .call = call_attach,
     .cost = 2000, .waits = true},
    {"actor", "detach", API_METHOD, "", "", "Detaches it; the actor keeps its position.", .call = call_detach},
    {0}};
