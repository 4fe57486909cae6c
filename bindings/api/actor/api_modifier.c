/* The functions of sinew that make modifiers: each returns a copy of its table, marked with its kind. */
#include "api/graph/node.h"

#include <math.h>
#include <string.h>

static const char kind_key;

bool modifier_is(lua_State *L, int index) { return marked_is(L, index, &kind_key); }

static int call_look_at(lua_State *L) { return marked_push(L, &kind_key, SINEW_MODIFIER_AIM); }
static int call_ik(lua_State *L) { return marked_push(L, &kind_key, SINEW_MODIFIER_TWO_BONE); }
static int call_chain(lua_State *L) { return marked_push(L, &kind_key, SINEW_MODIFIER_FABRIK); }
static int call_spring(lua_State *L) { return marked_push(L, &kind_key, SINEW_MODIFIER_SPRING); }
static int call_limit(lua_State *L) { return marked_push(L, &kind_key, SINEW_MODIFIER_LIMIT); }
static int call_copy_transform(lua_State *L) { return marked_push(L, &kind_key, SINEW_MODIFIER_COPY_TRANSFORM); }
static int call_twist(lua_State *L) { return marked_push(L, &kind_key, SINEW_MODIFIER_TWIST); }
static int call_plant(lua_State *L) { return marked_push(L, &kind_key, SINEW_MODIFIER_PLANT); }
static int call_warp(lua_State *L) { return marked_push(L, &kind_key, SINEW_MODIFIER_WARP); }
static int call_modifier(lua_State *L) { return marked_push(L, &kind_key, SINEW_MODIFIER_FUNCTION); }

static int fail(lua_State *L, int index, const char *reason) {
  return luaL_error(L, "the modifier of %s: %s", marked_line(L, index), reason);
}

/* ---- joints ---- */

static void *keep_memory(lua_State *L, const modifier_reader *r, size_t size) {
  void *memory = lua_newuserdatauv(L, size, 0);
  lua_rawseti(L, r->keep, (lua_Integer)lua_rawlen(L, r->keep) + 1);
  return memory;
}

static int *add_joints(lua_State *L, const modifier_reader *r, sinew_modifier_def *def, int count) {
  int *joints = keep_memory(L, r, (size_t)count * sizeof *joints);
  def->joints = joints;
  def->joint_count = count;
  return joints;
}

static int joint_option(lua_State *L, int index, const modifier_reader *r, const char *option) {
  if (!option_push(L, index, option)) {
    lua_pushfstring(L, "it needs %s = \"the name of a joint\"", option);
    return fail(L, index, lua_tostring(L, -1));
  }
  int joint = joint_check(L, r->model, -1);
  lua_pop(L, 1);
  return joint;
}

/* The joint of an option, or of its default. */
static int joint_or(lua_State *L, int index, const modifier_reader *r, const char *option, int joint) {
  if (!option_push(L, index, option)) return joint;
  lua_pop(L, 1);
  return joint_option(L, index, r, option);
}

/* Facts about each joint. */
enum { MARKED = 1, BELOW = 2 };

/* Joints come after their parents, so one loop finds all below `top`. */
static void mark_below(const sinew_model *model, int top, uint8_t *marks) {
  for (int i = top; i < sinew_model_joint_count(model); i++) {
    int parent = sinew_model_joint_parent(model, i);
    bool below = i == top || (parent >= top && (marks[parent] & BELOW));
    marks[i] = below ? MARKED | BELOW : marks[i] & MARKED;
  }
}

/* On the top of the stack: a name or a number; followed by "/" and two stars, a joint with everything below it. */
static void mark_joints(lua_State *L, const modifier_reader *r, uint8_t *marks) {
  size_t size = 0;
  const char *pattern = lua_type(L, -1) == LUA_TSTRING ? lua_tolstring(L, -1, &size) : NULL;
  bool subtree = size > 3 && strcmp(pattern + size - 3, "/**") == 0;
  if (subtree) {
    lua_pushlstring(L, pattern, size - 3);
    lua_replace(L, -2);
  }
  int top = joint_check(L, r->model, -1);
  marks[top] |= MARKED;
  if (!subtree) return;
  budget_charge(L, sinew_model_joint_count(r->model));
  mark_below(r->model, top, marks);
}

/* A list of names. The result is sorted, because in a model parents come before their children. */
static int read_joints(lua_State *L, int index, const modifier_reader *r, const char *option, sinew_modifier_def *def) {
  int all = sinew_model_joint_count(r->model), count = 0;
  if (!option_push(L, index, option)) {
    lua_pushfstring(L, "it needs %s = { \"names of joints\" }", option);
    return fail(L, index, lua_tostring(L, -1));
  }
  int list = lua_gettop(L);
  uint8_t *marks = keep_memory(L, r, (size_t)all);
  memset(marks, 0, (size_t)all);
  for (lua_Integer i = 1; i <= (lua_Integer)lua_rawlen(L, list); i++) {
    int type = lua_rawgeti(L, list, i);
    if (type != LUA_TSTRING && type != LUA_TNUMBER)
      return fail(L, index, "its list of joints contains something other than joints");
    mark_joints(L, r, marks);
    lua_pop(L, 1);
  }
  for (int i = 0; i < all; i++) count += marks[i] & MARKED;
  int *joints = add_joints(L, r, def, count);
  for (int i = 0, k = 0; i < all; i++)
    if (marks[i] & MARKED) joints[k++] = i;
  lua_settop(L, list - 1);
  return count;
}

/* ---- directions: from those of the model at rest to those in a joint's own space ---- */

static sinew_vec3 own_direction(const modifier_reader *r, int joint, sinew_vec3 direction) {
  sinew_mat3x4 inverse;
  sinew_mat3x4_inverse(r->rest + joint, &inverse);
  sinew_vec3 zero = sinew_mat3x4_transform_point(&inverse, (sinew_vec3){0, 0, 0});
  sinew_vec3 d = sinew_mat3x4_transform_point(&inverse, direction);
  return (sinew_vec3){d.x - zero.x, d.y - zero.y, d.z - zero.z};
}

/* To the first child. */
static sinew_vec3 bone_direction(const modifier_reader *r, int joint) {
  for (int i = joint + 1; i < sinew_model_joint_count(r->model); i++) {
    sinew_vec3 t = sinew_model_joint_rest(r->model, i).translation;
    bool first = sinew_model_joint_parent(r->model, i) == joint;
    if (first && t.x * t.x + t.y * t.y + t.z * t.z > 0) return t;
  }
  return (sinew_vec3){0, 1, 0};
}

/* ---- targets ---- */

void modifier_target_read(lua_State *L, int index, sinew_vec3 *point, modifier_target *target, const char *what) {
  float v[3];
  index = lua_absindex(L, index);
  *target = (modifier_target){0};
  if (lua_isnil(L, index)) {
    *point = (sinew_vec3){NAN, NAN, NAN};
    return;
  }
  if (vector_read(L, index, v, 3)) {
    *point = (sinew_vec3){v[0], v[1], v[2]};
    return;
  }
  bool pair = lua_istable(L, index);
  if (pair) {
    lua_rawgeti(L, index, 1);
    lua_rawgeti(L, index, 2);
    pair = api_test(L, -2, "actor") && (lua_type(L, -1) == LUA_TSTRING || lua_isinteger(L, -1));
  }
  if (!pair) luaL_error(L, "%s must be three finite numbers {x, y, z}, or { actor, \"joint\" }", what);
  const actor_record *other = actor_check(L, -2);
  const sinew_model *model = declarations_actor_model(&scene_of(L)->declarations, other);
  target->actor = other->head.id;
  sinew_model_joint_path(model, joint_check(L, model, -1), target->joint, sizeof target->joint);
  lua_pop(L, 2);
}

static void read_target(lua_State *L, int index, modifier_values *item) {
  if (!option_push(L, index, "target")) return;
  modifier_target_read(L, -1, &item->def.target, &item->declared, "a modifier's target");
  lua_pop(L, 1);
}

/* ---- kinds ---- */

static void read_joint_weights(lua_State *L, int index, const modifier_reader *r, sinew_modifier_def *def) {
  if (!option_push(L, index, "weights")) return;
  float *weights = keep_memory(L, r, (size_t)def->joint_count * sizeof *weights);
  if ((int)lua_rawlen(L, -1) != def->joint_count) fail(L, index, "it needs as many weights as joints in the chain");
  for (int i = 0; i < def->joint_count; i++) {
    if (lua_rawgeti(L, -1, i + 1) != LUA_TNUMBER) fail(L, index, "its weights are numbers");
    weights[i] = (float)lua_tonumber(L, -1);
    lua_pop(L, 1);
  }
  def->joint_weights = weights;
  lua_pop(L, 1);
}

static void read_look_at(lua_State *L, int index, const modifier_reader *r, modifier_values *item) {
  sinew_modifier_def *def = &item->def;
  int count = read_joints(L, index, r, "chain", def);
  if (count == 0) fail(L, index, "its chain is empty");
  def->forward = own_direction(r, def->joints[count - 1], sinew_model_front(r->model));
  def->up = own_direction(r, def->joints[count - 1], (sinew_vec3){0, 1, 0});
  read_joint_weights(L, index, r, def);
}

/* Upper, middle and tip: joints that are not given are the parents. */
static void read_limb(lua_State *L, int index, const modifier_reader *r, int tip, int joints[3]) {
  int middle = joint_or(L, index, r, "middle", sinew_model_joint_parent(r->model, tip));
  int upper = joint_or(L, index, r, "upper", middle > 0 ? sinew_model_joint_parent(r->model, middle) : -1);
  if (upper <= 0) fail(L, index, "its tip has no two joints above it");
  memcpy(joints, (int[]){upper, middle, tip}, 3 * sizeof *joints);
}

static void read_ik(lua_State *L, int index, const modifier_reader *r, modifier_values *item) {
  sinew_modifier_def *def = &item->def;
  int tip = joint_option(L, index, r, "tip");
  read_limb(L, index, r, tip, add_joints(L, r, def, 3));
  if (option_push(L, index, "pole")) def->has_pole = true, lua_pop(L, 1);
}

static void read_pair(lua_State *L, int index, const modifier_reader *r, sinew_modifier_def *def, const char *first,
                      const char *second) {
  int *joints = add_joints(L, r, def, 2);
  joints[0] = joint_option(L, index, r, first);
  joints[1] = joint_option(L, index, r, second);
}

static void read_limit(lua_State *L, int index, const modifier_reader *r, modifier_values *item) {
  int joint = joint_option(L, index, r, "joint");
  add_joints(L, r, &item->def, 1)[0] = joint;
  item->def.axis = bone_direction(r, joint);
}

/* "position rotation scale" */
static unsigned read_parts(lua_State *L, int index, unsigned fallback) {
  static const char *const words[] = {"position", "rotation", "scale", NULL};
  unsigned parts = 0;
  if (!option_push(L, index, "parts")) return fallback;
  for (const char *p = lua_tostring(L, -1); *p; p += strspn(p, " ,")) {
    size_t size = strcspn(p, " ,");
    int word = 0;
    while (words[word] && (strlen(words[word]) != size || memcmp(words[word], p, size) != 0)) word++;
    if (!words[word]) fail(L, index, "its parts are one or more of \"position rotation scale\"");
    parts |= 1u << word;
    p += size;
  }
  lua_pop(L, 1);
  return parts;
}

/* Pops the names at the top; reads as many as fit. */
static int pop_names(lua_State *L, const modifier_reader *r, int joints[SINEW_FEET_MAX]) {
  int list = lua_gettop(L), count = (int)lua_rawlen(L, list);
  for (int i = 0; i < count && i < SINEW_FEET_MAX; i++) {
    lua_rawgeti(L, list, i + 1);
    joints[i] = joint_check(L, r->model, -1);
    lua_pop(L, 1);
  }
  lua_settop(L, list - 1);
  return count;
}

/* Reads the named feet, otherwise those of the rig. Returns their number. */
static int read_feet(lua_State *L, int index, const modifier_reader *r, const char *what, int feet[SINEW_FEET_MAX]) {
  if (!option_push(L, index, "feet")) {
    for (int i = 0; i < 2; i++) feet[i] = joint_of_role(L, r->model, (sinew_role)(SINEW_ROLE_LEFT_FOOT + i), what);
    return 2;
  }
  int count = pop_names(L, r, feet);
  if (count < 1 || count > SINEW_FEET_MAX) fail(L, index, "it has 1 to 16 feet");
  return count;
}

/* The pelvis, then the limbs of the feet. A knee bends about the axis from right to left, so that the shin goes back.
 */
static void read_legs(lua_State *L, int index, const modifier_reader *r, const int *feet, int count, const char *what,
                      sinew_modifier_def *def) {
  int *joints = (int *)(uintptr_t)def->joints;
  bool said = option_push(L, index, "pelvis");
  joints[0] = said ? joint_check(L, r->model, -1) : joint_of_role(L, r->model, SINEW_ROLE_PELVIS, what);
  if (said) lua_pop(L, 1);
  for (int i = 0; i < count; i++) read_limb(L, index, r, feet[i], joints + 1 + 3 * i);
  sinew_vec3 front = sinew_model_front(r->model);
  def->hinge = own_direction(r, joints[2], (sinew_vec3){front.z, 0, -front.x});
}

static void read_plant(lua_State *L, int index, const modifier_reader *r, modifier_values *item) {
  sinew_modifier_def *def = &item->def;
  int feet[SINEW_FEET_MAX] = {0}, count = read_feet(L, index, r, "sinew.plant: feet", feet);
  add_joints(L, r, def, 1 + 3 * count);
  read_legs(L, index, r, feet, count, "sinew.plant: pelvis", def);
  item->grounded = option_push(L, index, "ground");
  if (item->grounded) {
    lua_setfield(L, r->functions, def->name);
    def->ground = rig_ground;
    def->ground_user = scene_of(L);
  }
}

/* The joints from the pelvis to the one above both hands; none if the rig does not tell. */
static int find_spine(lua_State *L, const sinew_model *model, int pelvis, int spine[SINEW_FEET_MAX]) {
  int roles[SINEW_ROLES], count = 0;
  roles_find(L, model, roles);
  int left = roles[SINEW_ROLE_LEFT_HAND], right = roles[SINEW_ROLE_RIGHT_HAND];
  while (left >= 0 && right >= 0 && left != right)
    if (left > right) left = sinew_model_joint_parent(model, left);
    else right = sinew_model_joint_parent(model, right);
  for (; left >= 0 && right >= 0 && left != pelvis && count < SINEW_FEET_MAX; count++) {
    spine[count] = left;
    left = sinew_model_joint_parent(model, left);
  }
  return left == pelvis ? count : 0;
}

static void read_warp(lua_State *L, int index, const modifier_reader *r, modifier_values *item) {
  sinew_modifier_def *def = &item->def;
  int feet[SINEW_FEET_MAX] = {0}, spine[SINEW_FEET_MAX], legs[7];
  if (read_feet(L, index, r, "sinew.warp: feet", feet) != 2) fail(L, index, "it has 2 feet");
  def->joints = legs;
  read_legs(L, index, r, feet, 2, "sinew.warp: pelvis", def);
  bool said = option_push(L, index, "spine");
  int count = said ? pop_names(L, r, spine) : find_spine(L, r->model, legs[0], spine);
  if (count > SINEW_FEET_MAX) fail(L, index, "its spine has more than 16 joints");
  int *joints = add_joints(L, r, def, 7 + count);
  memcpy(joints, legs, sizeof legs);
  memcpy(joints + 7, spine, (size_t)count * sizeof *spine);
}

static void read_function(lua_State *L, int index, const modifier_reader *r, modifier_values *item) {
  if (lua_rawgeti(L, index, 2) != LUA_TFUNCTION)
    fail(L, index, "after its name it needs a function, as in { \"lean\", function(pose, actor, dt) … end }");
  lua_setfield(L, r->functions, item->def.name);
  item->def.function = rig_call;
  item->def.user = scene_of(L);
}

static void read_kind(lua_State *L, int index, const modifier_reader *r, modifier_values *item) {
  switch (item->def.kind) {
  case SINEW_MODIFIER_AIM: read_look_at(L, index, r, item); break;
  case SINEW_MODIFIER_TWO_BONE: read_ik(L, index, r, item); break;
  case SINEW_MODIFIER_FABRIK: read_pair(L, index, r, &item->def, "root", "tip"); break;
  case SINEW_MODIFIER_SPRING: read_joints(L, index, r, "joints", &item->def); break;
  case SINEW_MODIFIER_LIMIT: read_limit(L, index, r, item); break;
  case SINEW_MODIFIER_TWIST: item->def.axis = (sinew_vec3){0, 0, 0}; /* fall through */
  case SINEW_MODIFIER_COPY_TRANSFORM: read_pair(L, index, r, &item->def, "joint", "source"); break;
  case SINEW_MODIFIER_PLANT: read_plant(L, index, r, item); break;
  case SINEW_MODIFIER_WARP: read_warp(L, index, r, item); break;
  case SINEW_MODIFIER_FUNCTION: read_function(L, index, r, item); break;
  }
}

static const char *read_name(lua_State *L, int index, const modifier_reader *r) {
  if (lua_rawgeti(L, index, 1) != LUA_TSTRING) fail(L, index, "its name comes first, as in sinew.look_at { \"look\" }");
  const char *name = lua_tostring(L, -1); /* the table holds it */
  if (!name[0] || strlen(name) >= DECLARED_NAME) fail(L, index, "its name has 1 to 95 bytes");
  for (int i = 0; i < r->count; i++)
    if (strcmp(r->items[i].def.name, name) == 0) fail(L, index, "another modifier of the actor has that name");
  lua_pop(L, 1);
  return name;
}

/* The name at the top is a parameter of the actor or a curve of its clips. */
static void read_weight_param(lua_State *L, int index, const modifier_reader *r, sinew_modifier_def *def) {
  const char *names[DECLARED_PARAMS], *name = lua_tostring(L, -1);
  const declaration_list *params = &r->record->parts[PART_PARAMS];
  for (int i = 0; i < params->count; i++) names[i] = params->items[i]->name;
  const declarations *all = &scene_of(L)->declarations;
  bool curve = declarations_has_curve(all, declarations_actor_model(all, r->record), name);
  if (!curve && declarations_param_index(r->record, name) < 0) {
    const char *after = lua_pushfstring(
        L, " in actor '%s', and no curve of its clips; params = { ... = 0 } or model:curve declares one",
        r->record->head.name);
    const char *what = lua_pushfstring(L, "the modifier of %s: its weight is no parameter", marked_line(L, index));
    api_unknown(L, what, name, after, names, params->count);
  }
  if (strlen(name) >= sizeof def->weight_param) fail(L, index, "its weight's parameter has at most 63 bytes");
  declarations_copy(def->weight_param, sizeof def->weight_param, name);
}

static void read_weight(lua_State *L, int index, const modifier_reader *r, modifier_values *item) {
  if (!option_push(L, index, "weight")) return;
  if (lua_type(L, -1) == LUA_TSTRING) read_weight_param(L, index, r, &item->def);
  else field_read(L, lua_gettop(L), kind_field(&kind_modifier, "weight"), "actor:set_modifiers", item);
  lua_pop(L, 1);
}

static void read_modifier(lua_State *L, int index, modifier_reader *r) {
  modifier_values *item = r->items + r->count;
  lua_rawgetp(L, index, &kind_key);
  item->def = sinew_modifier_def_default((sinew_modifier_kind)lua_tointeger(L, -1));
  lua_pop(L, 1);
  if (item->def.kind == SINEW_MODIFIER_PLANT) item->def.max_shift *= r->metre;
  if (item->def.kind == SINEW_MODIFIER_FABRIK) item->def.tolerance *= r->metre;
  item->def.name = read_name(L, index, r);
  declarations_copy(item->line, sizeof item->line, marked_line(L, index));
  read_target(L, index, item);
  item->follows = item->declared;
  read_kind(L, index, r, item);
  read_weight(L, index, r, item);
  fields_read(L, index, &kind_modifier, "actor:set_modifiers", item);
  item->def.parts = read_parts(L, index, item->def.parts);
  r->count++;
}

void modifiers_read(lua_State *L, int index, modifier_reader *r) {
  luaL_checkstack(L, 20, NULL);
  r->metre = (float)sinew_model_metre(r->model);
  for (lua_Integer i = 1; i <= (lua_Integer)lua_rawlen(L, index); i++) {
    if (r->count == DECLARED_MODIFIERS) luaL_error(L, "actor:set_modifiers: %d at most", DECLARED_MODIFIERS);
    lua_rawgeti(L, index, i);
    if (!modifier_is(L, -1))
      luaL_error(L, "actor:set_modifiers: number %d is not a modifier made by a function of sinew", (int)i);
    read_modifier(L, lua_gettop(L), r);
    lua_pop(L, 1);
  }
}

#define MODIFIER(name, doc)                                                                                            \
  { "sinew", #name, API_FUNCTION, "definition: " #name "_modifier", "modifier", doc, .call = call_##name }

const api_entry api_modifier_entries[] = {
    MODIFIER(look_at, "A modifier that turns a chain of joints until the last one looks at a target."),
    MODIFIER(ik, "A modifier that bends an arm or a leg until its tip reaches a target (two-bone IK)."),
    MODIFIER(chain, "A modifier that brings the tip of a chain of any length to a target (FABRIK)."),
    MODIFIER(spring, "A modifier that lets joints swing: hair, tails, straps."),
    MODIFIER(limit, "A modifier that keeps a joint's swing from its rest rotation within a cone, and its twist between "
                    "two angles."),
    MODIFIER(copy_transform, "A modifier that gives a joint the transform of another one."),
    MODIFIER(twist, "A modifier that turns a helper joint by a fraction of another joint's rotation."),
    MODIFIER(plant, "A modifier that puts feet on uneven ground, and lowers the pelvis until every leg reaches."),
    MODIFIER(warp, "A modifier that fits strides to the actor's true velocity, however it is moved: it makes them "
                   "shorter or longer, and turns them with the hips. List it before sinew.plant."),
    MODIFIER(modifier, "A modifier that calls a function: sinew.modifier { \"lean\", function(pose, actor, dt) … end "
                       "}. The pose is valid during the call."),
    {0}};
