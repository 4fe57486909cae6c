/* The surface of a character: its meshes, and the positions of their vertices, skinned by the CPU reference. */
#include "core/api.h"

#include <math.h>
#include <string.h>

enum { CANDIDATES = 512, VERTEX_COST = 20 };

static int call_meshes(lua_State *L) {
  const sinew_model *model = model_check(L, 1);
  lua_newtable(L);
  for (int i = 0; i < sinew_model_mesh_count(model); i++) {
    lua_pushstring(L, sinew_model_mesh(model, i).name);
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
}

static int mesh_check(lua_State *L, const sinew_model *model, int index) {
  const char *names[CANDIDATES];
  int count = sinew_model_mesh_count(model), known = count < CANDIDATES ? count : CANDIDATES;
  if (lua_isinteger(L, index)) {
    lua_Integer number = lua_tointeger(L, index);
    if (number >= 1 && number <= count) return (int)number - 1;
    return luaL_error(L, "no mesh %d among %d", (int)number, count);
  }
  const char *name = lua_tostring(L, index);
  for (int i = 0; i < count; i++)
    if (strcmp(sinew_model_mesh(model, i).name, name) == 0) return i;
  for (int i = 0; i < known; i++) names[i] = sinew_model_mesh(model, i).name;
  return api_unknown(L, "no mesh", name, "", names, known);
}

/* ---- the palette of the last frame, or of the rest pose before the first ---- */

typedef struct skin_source {
  const actor_record *record;
  const sinew_model *model;
  const sinew_mat3x4 *palette;
  const sinew_dual_quat *dual_quats; /* in place of the palette */
  sinew_mat3x4 position;
} skin_source;

static void *push_memory(lua_State *L, int count, size_t size) {
  return lua_newuserdatauv(L, (size_t)count * size + 1, 0);
}

static const sinew_mat3x4 *push_rest(lua_State *L, const sinew_model *model) {
  sinew_evaluate_job job = {.model = model, .threshold = 0.1f};
  job.joints = push_memory(L, sinew_model_joint_count(model), sizeof *job.joints);
  job.palette = push_memory(L, sinew_model_palette_count(model), sizeof *job.palette);
  return sinew_evaluate(&job) ? job.palette : NULL;
}

static const sinew_dual_quat *push_dual(lua_State *L, const sinew_model *model, const sinew_mat3x4 *palette) {
  sinew_dual_quat *out = push_memory(L, sinew_model_palette_count(model), sizeof *out);
  return sinew_dual_quat_palette(&(sinew_dual_quat_palette_job){model, palette, out}) ? out : NULL;
}

static skin_source source_of(lua_State *L) {
  const declarations *all = &scene_of(L)->declarations;
  skin_source s = {.record = actor_check(L, 1)};
  s.model = declarations_actor_model(all, s.record);
  if (s.model == s.record->model) s.palette = sinew_actor_palette(all->stage, s.record->actor);
  if (!s.palette) s.palette = push_rest(L, s.model);
  actor_values v = declarations_actor_values(all, s.record);
  s.position = sinew_mat3x4_from_transform(&v.position);
  if (v.skinning == SINEW_SKINNING_DUAL_QUATERNION) s.dual_quats = push_dual(L, s.model, s.palette);
  return s;
}

/* Pushes the vertices in world space, three numbers each. */
static float *push_vertices(lua_State *L, const skin_source *s, int mesh, int *count) {
  *count = sinew_model_mesh(s->model, mesh).vertex_count;
  budget_charge(L, (int64_t)*count * VERTEX_COST);
  sinew_cpu_skin_job job = {.model = s->model, .mesh = mesh, .dual_quats = s->dual_quats};
  if (!s->dual_quats) job.palette = s->palette;
  if (s->model == s->record->model)
    job.morph_weights = sinew_actor_morphs(scene_of(L)->declarations.stage, s->record->actor, mesh);
  job.positions = push_memory(L, *count * 3, sizeof(float));
  if (!sinew_cpu_skin(&job)) luaL_error(L, "this mesh cannot be skinned");
  for (int v = 0; v < *count; v++) {
    float *p = job.positions + (size_t)v * 3;
    sinew_vec3 at = sinew_mat3x4_transform_point(&s->position, (sinew_vec3){p[0], p[1], p[2]});
    memcpy(p, &at, sizeof at);
  }
  return job.positions;
}

static int call_vertices(lua_State *L) {
  int count;
  lua_settop(L, 2);
  if (queue_holds(L, 1)) return lua_newtable(L), 1;
  skin_source s = source_of(L);
  if (lua_isnil(L, 2)) {
    lua_pushinteger(L, 1);
    lua_replace(L, 2);
  }
  const float *at = push_vertices(L, &s, mesh_check(L, s.model, 2), &count);
  lua_createtable(L, count * 3, 0);
  for (int i = 0; i < count * 3; i++) {
    lua_pushnumber(L, (lua_Number)at[i]);
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
}

static int call_bounds(lua_State *L) {
  float low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
  lua_settop(L, 1);
  skin_source s = source_of(L);
  int top = lua_gettop(L);
  for (int mesh = 0; mesh < sinew_model_mesh_count(s.model); mesh++) {
    int count;
    const float *at = push_vertices(L, &s, mesh, &count);
    for (int i = 0; i < count * 3; i++) {
      low[i % 3] = fminf(low[i % 3], at[i]);
      high[i % 3] = fmaxf(high[i % 3], at[i]);
    }
    lua_settop(L, top);
  }
  if (!(low[0] <= high[0])) { /* nothing to see */
    const float *m = s.position.m;
    for (int k = 0; k < 3; k++) low[k] = high[k] = m[4 * k + 3];
  }
  vector_push(L, low, 3);
  vector_push(L, high, 3);
  return 2;
}

const api_entry api_skin_entries[] = {
    {"model", "meshes", API_METHOD, "", "string[]", "The names of its meshes.", .call = call_meshes},
    {"actor", "vertices", API_METHOD, "mesh?: string|integer", "number[]",
     "The skinned vertices of a mesh (by default the first) in the last frame, in world space: { x, y, z, x, y, z, … "
     "}. They are skinned on the CPU, as actor.skinning says.",
     .call = call_vertices, .cost = 1000},
    {"actor", "bounds", API_METHOD, "", "vec3, vec3",
     "The lowest and highest corner of the box around all its vertices in the last frame, in world space.",
     .call = call_bounds, .cost = 1000},
    {0}};
