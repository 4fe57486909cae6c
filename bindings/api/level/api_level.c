/* Levels: each part is an actor that is declared like any other, and its triangles stand where that actor does. */
#include "api/level/level_object.h"

#include <sinew/build.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NAME_SIZE = 256 };

level_object *level_check(lua_State *L, int index) {
  level_object *object = api_check(L, index, "level");
  if (!object->level) luaL_error(L, "the level has been closed");
  return object;
}

static int level_release(lua_State *L) {
  level_object *object = lua_touserdata(L, 1);
  sinew_level_destroy(object->level);
  object->level = NULL;
  return 0;
}

/* ---- shapes: the row of a part names one of them ------------------------------------------------------------- */

static const char *const shapes[] = {"box", "plane", "sphere", "capsule", "stairs", "heights"};
enum { SHAPES = sizeof shapes / sizeof *shapes };

/* Number i of the list at the top, from 1. */
static float item(lua_State *L, int i, const char *what) {
  lua_rawgeti(L, -1, i);
  int is_number = 0;
  lua_Number value = lua_tonumberx(L, -1, &is_number);
  if (!is_number || !isfinite(value))
    luaL_error(L, "%s: number %d is %s, not a finite number", what, i, luaL_typename(L, -1));
  lua_pop(L, 1);
  return (float)value;
}

static float field(lua_State *L, const char *name, const char *what) {
  lua_getfield(L, -1, name);
  int is_number = 0;
  lua_Number value = lua_tonumberx(L, -1, &is_number);
  if (!is_number || !isfinite(value)) luaL_error(L, "%s: '%s' must be a number", what, name);
  lua_pop(L, 1);
  return (float)value;
}

/* Rows of heights, { { 0, 1, … }, … }, kept alive by a userdata that is left below the list. */
static void read_heights(lua_State *L, sinew_shape *shape, const char *what) {
  shape->rows = (int)lua_rawlen(L, -1);
  lua_rawgeti(L, -1, 1);
  shape->columns = lua_istable(L, -1) ? (int)lua_rawlen(L, -1) : 0;
  lua_pop(L, 1);
  if (shape->rows < 2 || shape->columns < 2 || shape->rows > 2048 || shape->columns > 2048)
    luaL_error(L, "%s: heights are 2 to 2048 rows of 2 to 2048 numbers: heights = { { 0, 1 }, { 0, 2 } }", what);
  float *heights = lua_newuserdatauv(L, sizeof *heights * (size_t)shape->rows * (size_t)shape->columns, 0);
  lua_insert(L, -2);
  for (int row = 0; row < shape->rows; row++) {
    if (lua_rawgeti(L, -1, row + 1) != LUA_TTABLE || (int)lua_rawlen(L, -1) != shape->columns)
      luaL_error(L, "%s: row %d of heights does not have %d numbers, as the first does", what, row + 1, shape->columns);
    for (int column = 0; column < shape->columns; column++)
      heights[row * shape->columns + column] = item(L, column + 1, what);
    lua_pop(L, 1);
  }
  shape->heights = heights;
}

/* The value of the shape's key is at the top; more may be left there. */
static void read_shape(lua_State *L, int part, sinew_shape *shape, const char *what) {
  bool list = lua_istable(L, -1);
  if (!list && shape->kind != SINEW_SHAPE_SPHERE) luaL_error(L, "%s: '%s' must be a table", what, shapes[shape->kind]);
  switch (shape->kind) {
  case SINEW_SHAPE_BOX: shape->size = (sinew_vec3){item(L, 1, what), item(L, 2, what), item(L, 3, what)}; break;
  case SINEW_SHAPE_PLANE: shape->size = (sinew_vec3){item(L, 1, what), 0, item(L, 2, what)}; break;
  case SINEW_SHAPE_SPHERE:
    if (!lua_isnumber(L, -1)) luaL_error(L, "%s: 'sphere' must be a radius", what);
    shape->radius = (float)lua_tonumber(L, -1);
    break;
  case SINEW_SHAPE_CAPSULE: shape->radius = item(L, 1, what), shape->size.y = item(L, 2, what); break;
  case SINEW_SHAPE_STAIRS:
    shape->count = (int)item(L, 1, what);
    shape->rise = field(L, "rise", what), shape->run = field(L, "run", what), shape->width = field(L, "width", what);
    break;
  case SINEW_SHAPE_HEIGHTS:
    read_heights(L, shape, what);
    lua_getfield(L, part, "size");
    if (!lua_istable(L, -1)) luaL_error(L, "%s: heights need size = { width, depth } in metres", what);
    shape->size = (sinew_vec3){item(L, 1, what), 0, item(L, 2, what)};
    break;
  }
}

/* The one shape that a part has, or −1 for a model; its value is pushed. */
static int find_shape(lua_State *L, int part, const char *what) {
  int found = -2;
  for (int i = -1; i < SHAPES; i++) {
    const char *name = i < 0 ? "model" : shapes[i];
    if (lua_getfield(L, part, name) == LUA_TNIL) {
      lua_pop(L, 1);
      continue;
    }
    if (found != -2)
      luaL_error(L, "%s has two shapes, %s and %s; give it one", what, found < 0 ? "model" : shapes[found], name);
    found = i;
  }
  if (found == -2)
    luaL_error(L, "%s has no shape; give it box, plane, sphere, capsule, stairs, heights or model", what);
  return found;
}

/* ---- the model that is drawn ------------------------------------------------------------------------------------ */

static void push_shape_model(lua_State *L, int part, const char *name, const sinew_triangles *t) {
  sinew_material material = sinew_material_default();
  material.base_color[0] = material.base_color[1] = material.base_color[2] = 0.5f, material.roughness = 0.9f;
  vector_option(L, part, "color", material.base_color, 3);
  sinew_joint_def joint = sinew_joint_def_default();
  joint.name = name;
  sinew_mesh_def mesh = sinew_mesh_def_default();
  mesh.name = name, mesh.joint = 0, mesh.material = 0;
  mesh.vertex_count = t->vertex_count, mesh.index_count = t->index_count;
  mesh.positions = t->positions, mesh.normals = t->normals, mesh.uvs = t->uvs, mesh.indices = t->indices;
  sinew_model_def def = sinew_model_def_default();
  def.name = name, def.joints = &joint, def.joint_count = 1, def.meshes = &mesh, def.mesh_count = 1;
  def.materials = &material, def.material_count = 1;
  model_push_built(L, &def, 0);
}

/* The model of a part, and its triangles, which the caller frees. */
static void push_model(lua_State *L, int part, const char *name, const char *what, sinew_triangles *t) {
  sinew_error error;
  int kind = find_shape(L, part, what);
  if (kind < 0) {
    if (lua_isstring(L, -1)) {
      api_push_sinew(L);
      lua_getfield(L, -1, "model");
      lua_pushvalue(L, -3);
      lua_call(L, 1, 1);
    }
    if (!sinew_triangles_of_model(model_check(L, -1), t, &error)) luaL_error(L, "%s: %s", what, error.message);
    return;
  }
  sinew_shape shape = {.kind = (sinew_shape_kind)kind};
  read_shape(L, part, &shape, what);
  if (!sinew_shape_build(&shape, t, &error)) luaL_error(L, "%s: %s", what, error.message);
  push_shape_model(L, part, name, t);
}

/* ---- parts ------------------------------------------------------------------------------------------------------ */

/* Declares the actor that shows the part, whose model is at the top, and leaves the actor there. */
static void push_actor(lua_State *L, int part, const char *name) {
  static const char *const placed[] = {"position", "rotation", "scale"};
  int model = lua_gettop(L);
  api_push_sinew(L);
  lua_getfield(L, -1, "actor");
  lua_pushstring(L, name);
  lua_pushvalue(L, model);
  lua_newtable(L);
  for (int i = 0; i < 3; i++) {
    lua_getfield(L, part, placed[i]);
    lua_setfield(L, -2, placed[i]);
  }
  lua_call(L, 3, 1);
}

static level_part *add_part(lua_State *L, level_object *object, const sinew_triangles *t, const sinew_transform *place,
                            const char *what) {
  sinew_error error;
  int index = sinew_level_add(object->level, t, place, &error);
  if (index < 0) luaL_error(L, "%s: %s", what, error.message);
  return &object->parts[index];
}

/* The name of number i, from 1: its first entry, or "part i". */
static void push_name(lua_State *L, int part, int i) {
  if (lua_rawgeti(L, part, 1) == LUA_TSTRING) return;
  if (!lua_isnil(L, -1)) luaL_error(L, "sinew.level: the first entry of part %d must be its name", i);
  lua_pop(L, 1);
  lua_pushfstring(L, "part %d", i);
}

/* Reads the part at the top into number i of the level, from 1: parts by name are at `names`. */
static void read_part(lua_State *L, level_object *object, int names, int i) {
  int part = lua_gettop(L);
  char what[NAME_SIZE];
  snprintf(what, sizeof what, "sinew.level: part %d", i);
  api_check_value(L, part, "level_part", 10, what);
  push_name(L, part, i);
  const char *name = lua_tostring(L, -1);
  snprintf(what, sizeof what, "sinew.level: part '%s'", name);
  if (lua_getfield(L, names, name) != LUA_TNIL) luaL_error(L, "%s exists twice", what);
  const char *whole = lua_pushfstring(L, "%s.%s", object->name, name);
  sinew_transform place = sinew_transform_identity();
  transform_read(L, part, &place);
  sinew_triangles *t = lua_newuserdatauv(L, sizeof *t, 0); /* freed where an error is raised */
  memset(t, 0, sizeof *t);
  luaL_setmetatable(L, "level_triangles");
  push_model(L, part, whole, what, t);
  push_actor(L, part, whole);
  level_part *added = add_part(L, object, t, &place, what);
  sinew_triangles_free(t);
  added->actor = actor_check(L, -1)->head.id;
  snprintf(added->name, sizeof added->name, "%s", name);
  lua_getfield(L, part, "surface");
  snprintf(added->surface, sizeof added->surface, "%s", lua_isstring(L, -1) ? lua_tostring(L, -1) : "");
  lua_pop(L, 1);
  lua_setfield(L, names, name);
  lua_settop(L, part - 1);
}

static int free_triangles(lua_State *L) {
  sinew_triangles_free(lua_touserdata(L, 1));
  return 0;
}

static void open_triangles(lua_State *L) {
  if (luaL_newmetatable(L, "level_triangles")) {
    lua_pushcfunction(L, free_triangles);
    lua_setfield(L, -2, "__gc");
  }
  lua_pop(L, 1);
}

/* The name of the level at 1: the option `name`, or "level", "level 2" … */
static void read_name(lua_State *L, level_object *object, int number) {
  lua_getfield(L, 1, "name");
  if (lua_isstring(L, -1)) snprintf(object->name, sizeof object->name, "%s", lua_tostring(L, -1));
  else if (number > 1) snprintf(object->name, sizeof object->name, "level %d", number);
  else snprintf(object->name, sizeof object->name, "level");
  lua_pop(L, 1);
}

static int call_level(lua_State *L) {
  sinew_error error;
  lua_settop(L, 1);
  int count = (int)lua_rawlen(L, 1);
  if (count < 1)
    luaL_error(L, "sinew.level: it has no part; give it { \"floor\", box = { 20, 0.2, 20 } }, for example");
  if (count > LEVEL_PARTS) luaL_error(L, "sinew.level: it has %d parts; %d are the most", count, LEVEL_PARTS);
  open_triangles(L);
  epoch_push(L, "levels");
  int number = (int)lua_rawlen(L, 2) + 1;
  size_t size = sizeof(level_object) + (size_t)count * sizeof(level_part);
  level_object *object = api_new(L, "level", size, ++scene_of(L)->declarations.next_id);
  object->level = sinew_level_create(&error);
  if (!object->level) luaL_error(L, "sinew.level: %s", error.message);
  object->serial = scene_of(L)->declarations.next_id, object->count = count;
  read_name(L, object, number);
  lua_newtable(L);
  lua_pushvalue(L, -1);
  lua_setiuservalue(L, 3, 2);
  for (int i = 1; i <= count; i++) {
    if (lua_rawgeti(L, 1, i) != LUA_TTABLE)
      luaL_error(L, "sinew.level: part %d must be a table: { \"name\", box = { 1, 1, 1 } }", i);
    read_part(L, object, 4, i);
  }
  lua_settop(L, 3);
  lua_pushvalue(L, 3);
  lua_rawseti(L, 2, number);
  return 1;
}

/* A part by its name, before the members of the type. Upvalue: what finds those. */
static int index_level(lua_State *L) {
  level_check(L, 1);
  if (lua_getiuservalue(L, 1, 2) == LUA_TTABLE && lua_type(L, 2) == LUA_TSTRING) {
    lua_pushvalue(L, 2);
    if (lua_rawget(L, -2) != LUA_TNIL) return 1;
  }
  lua_settop(L, 2);
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_insert(L, 1);
  lua_call(L, 2, 1);
  return 1;
}

void level_open(lua_State *L) {
  luaL_getmetatable(L, "level");
  lua_getfield(L, -1, "__index");
  lua_pushcclosure(L, index_level, 1);
  lua_setfield(L, -2, "__index");
  lua_pushcfunction(L, level_release);
  lua_setfield(L, -2, "__gc");
  lua_pop(L, 1);
}

/* ---- each frame ---------------------------------------------------------------------------------------------------
 */

static void place_parts(declarations *all, level_object *object) {
  for (int i = 0; i < object->count; i++) {
    const actor_record *record = declarations_actor_near(all, object->parts[i].actor, &object->parts[i].hint);
    bool solid = record && record->actor.id;
    sinew_level_set_solid(object->level, i, solid);
    if (!solid) continue;
    sinew_transform place = sinew_actor_transform(all->stage, record->actor);
    sinew_level_place(object->level, i, &place);
  }
}

void levels_place(lua_State *L) {
  epoch_push_current(L, "levels");
  int levels = lua_gettop(L);
  for (int i = 1; lua_istable(L, levels) && lua_rawgeti(L, levels, i) != LUA_TNIL; i++)
    place_parts(&scene_of(L)->declarations, level_check(L, -1));
  lua_settop(L, levels - 1);
}

/* ---- questions ------------------------------------------------------------------------------------------------------
 */

typedef struct best_hit {
  sinew_hit hit;
  const level_object *object; /* NULL: none */
} best_hit;

static sinew_vec3 point_at(lua_State *L, int index) {
  sinew_vec3 point = {0};
  vector_read(L, index, &point.x, 3);
  return point;
}

/* The nearest hit in all levels of the scene. */
static best_hit ask_all(lua_State *L, sinew_vec3 from, sinew_vec3 to, int64_t ignored) {
  best_hit best = {.object = NULL};
  refuse_while_loading(L, "a question about a level", "ask in sinew.update");
  epoch_push_current(L, "levels");
  int levels = lua_gettop(L);
  for (int i = 1; lua_istable(L, levels) && lua_rawgeti(L, levels, i) != LUA_TNIL; i++, lua_pop(L, 1)) {
    const level_object *object = level_check(L, -1);
    sinew_hit hit;
    int passed = -1;
    for (int p = 0; p < object->count && ignored; p++)
      if (object->parts[p].actor == ignored) sinew_level_set_solid(object->level, passed = p, false);
    if (sinew_level_ray(object->level, from, to, &hit) && (!best.object || hit.distance < best.hit.distance))
      best = (best_hit){hit, object};
    if (passed >= 0) sinew_level_set_solid(object->level, passed, true);
  }
  lua_settop(L, levels - 1);
  return best;
}

static int push_hit(lua_State *L, const best_hit *best) {
  if (!best->object) return 0;
  const level_part *part = &best->object->parts[best->hit.part];
  lua_createtable(L, 0, 6);
  vector_push(L, &best->hit.point.x, 3);
  lua_setfield(L, -2, "point");
  vector_push(L, &best->hit.normal.x, 3);
  lua_setfield(L, -2, "normal");
  lua_pushnumber(L, (lua_Number)best->hit.distance);
  lua_setfield(L, -2, "distance");
  lua_pushstring(L, part->name);
  lua_setfield(L, -2, "part");
  if (part->surface[0]) {
    lua_pushstring(L, part->surface);
    lua_setfield(L, -2, "surface");
  }
  int hint = part->hint;
  const actor_record *record = declarations_actor_near(&scene_of(L)->declarations, part->actor, &hint);
  if (record) {
    actor_push(L, record);
    lua_setfield(L, -2, "actor");
  }
  return 1;
}

static int call_raycast(lua_State *L) {
  int64_t ignored = 0;
  lua_settop(L, 3);
  if (option_push(L, 3, "ignore")) ignored = actor_check(L, -1)->head.id;
  sinew_vec3 from = point_at(L, 1), to = point_at(L, 2);
  if (from.x == to.x && from.y == to.y && from.z == to.z)
    return luaL_error(L, "sinew.raycast: the two points are the same, so that the ray has no direction");
  best_hit best = ask_all(L, from, to, ignored);
  return push_hit(L, &best);
}

static int call_ground(lua_State *L) {
  float x = (float)lua_tonumber(L, 1), z = (float)lua_tonumber(L, 2), y = (float)luaL_optnumber(L, 3, 1000);
  best_hit best = ask_all(L, (sinew_vec3){x, y, z}, (sinew_vec3){x, y - 4000, z}, 0);
  if (!best.object) return 0;
  lua_pushnumber(L, (lua_Number)best.hit.point.y);
  vector_push(L, &best.hit.normal.x, 3);
  lua_pushstring(L, best.object->parts[best.hit.part].name);
  return 3;
}

static void get_name(lua_State *L, const api_entry *entry) {
  (void)entry;
  lua_pushstring(L, level_check(L, 1)->name);
}

const api_entry api_level_entries[] = {
    {"sinew", "level", API_FUNCTION, "parts: level_options", "level",
     "What characters stand on: a list of parts, { \"floor\", box = { 20, 0.2, 20 }, position = { 0, -0.1, 0 } }. Each "
     "part "
     "is an actor, called \"level.floor\", that you find as level.floor: move it, and what is said of it moves along. "
     "Questions and motors see the parts where they were when the frame began.",
     .call = call_level, .cost = 2000},
    {"sinew", "raycast", API_FUNCTION, "from: vec3, to: vec3, options?: raycast_options", "raycast_hit|nil",
     "The first surface of a level between two points, or nil.", .call = call_raycast},
    {"sinew", "ground", API_FUNCTION, "x: number, z: number, y?: number", "number|nil, sinew.Vec3, string",
     "The height of the highest surface of a level at x and z that is not above y (default 1000), its normal and the "
     "name "
     "of its part; nil where there is none. Two storeys differ by y.",
     .call = call_ground},
    {"level", "name", API_FIELD, "string", "", "What the names of its actors begin with.", .get = get_name},
    {0}};
