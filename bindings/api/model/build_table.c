#include "api/model/build_table.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_ITEMS = 32000 };

/* ---- tables of options in lists ---- */

/* Pushes the list `field` of the table at `table`; returns its length, 0 without one. */
static int push_list(const build_reader *r, int table, const char *field, const char *path) {
  if (!option_push(r->L, table, field)) return lua_pushnil(r->L), 0;
  if (lua_rawlen(r->L, -1) > MOST_ITEMS)
    luaL_error(r->L, "%s%s: %d are too many, %d are possible", path, field, (int)lua_rawlen(r->L, -1), MOST_ITEMS);
  return (int)lua_rawlen(r->L, -1);
}

/* Pushes an item of the list, a table of such options; pushes and returns its path. */
static const char *push_item(const build_reader *r, int list, int i, const char *name, const char *options) {
  lua_rawgeti(r->L, list, i + 1);
  int item = lua_gettop(r->L);
  const char *path = lua_pushfstring(r->L, "sinew.build_model: %s[%d]", name, i + 1);
  api_check_value(r->L, item, options, strlen(options), path);
  lua_settop(r->L, item + 1);
  return path;
}

static const char *name_of(build_reader *r, int item, const char *path) {
  if (!option_push(r->L, item, "name")) luaL_error(r->L, "%s: has no name", path);
  const char *name = build_keep_text(r, lua_gettop(r->L), path);
  lua_pop(r->L, 1);
  return name;
}

static int joint_option(const build_reader *r, int item, const char *field, const char *path, const char *where) {
  int top = lua_gettop(r->L), joint = -1;
  if (option_push(r->L, item, field))
    joint = build_joint(r, top + 1, lua_pushfstring(r->L, "%s.%s", path, field), where);
  lua_settop(r->L, top);
  return joint;
}

/* ---- joints ---- */

static void read_joint(build_reader *r, int item, const char *path, sinew_joint_def *joint) {
  *joint = (sinew_joint_def){name_of(r, item, path), -1, sinew_transform_identity()};
  joint->parent = joint_option(r, item, "parent", path, " before it");
  transform_read(r->L, item, &joint->rest);
  if (lua_getfield(r->L, r->names, joint->name) != LUA_TNIL)
    luaL_error(r->L, "%s: '%s' is the name of joints[%d], too", path, joint->name, (int)lua_tointeger(r->L, -1));
  lua_pop(r->L, 1);
  r->def.joint_count++;
  lua_pushinteger(r->L, r->def.joint_count);
  lua_setfield(r->L, r->names, joint->name);
}

static void read_joints(build_reader *r, int table) {
  int count = push_list(r, table, "joints", "sinew.build_model: "), list = lua_gettop(r->L);
  sinew_joint_def *joints = build_keep(r, (size_t)count, sizeof *joints);
  r->def.joints = joints;
  for (int i = 0; i < count; i++) {
    const char *path = push_item(r, list, i, "joints", "joint_options");
    read_joint(r, list + 1, path, joints + i);
    lua_settop(r->L, list);
  }
  lua_settop(r->L, list - 1);
}

/* ---- weights ---- */

typedef struct weight_list {
  sinew_vertex_weight *items;
  int count;
} weight_list;

static int compare_weights(const void *a, const void *b) {
  const sinew_vertex_weight *x = a, *y = b;
  if (x->vertex != y->vertex) return (x->vertex > y->vertex) - (x->vertex < y->vertex);
  return (x->joint > y->joint) - (x->joint < y->joint);
}

static float weight_at(lua_State *L, int index, const char *path) {
  api_check_value(L, index, "weight", 6, path);
  return (float)lua_tonumber(L, index);
}

static int pairs_in(lua_State *L, int table) {
  int count = 0;
  for (lua_pushnil(L); lua_next(L, table); lua_pop(L, 1)) count++;
  return count;
}

/* One vertex: { Elbow = 0.5, Hand = 0.5 }, or the name of one joint. With `list` NULL only counts the weights. */
static void read_vertex(build_reader *r, int value, int vertex, const char *path, weight_list *list) {
  lua_State *L = r->L;
  bool whole = !lua_istable(L, value);
  if (!list->items) {
    list->count += whole ? 1 : pairs_in(L, value);
    return;
  }
  path = lua_pushfstring(L, "%s[%d]", path, vertex + 1);
  if (whole) list->items[list->count++] = (sinew_vertex_weight){vertex, build_joint(r, value, path, ""), 1};
  int top = lua_gettop(L);
  for (lua_pushnil(L); !whole && lua_next(L, value); lua_settop(L, top + 1)) {
    int joint = build_joint(r, top + 1, path, "");
    list->items[list->count++] = (sinew_vertex_weight){vertex, joint, weight_at(L, top + 2, path)};
  }
}

/* A list with an entry for each vertex. */
static void read_by_vertex(build_reader *r, int table, int vertices, const char *path, weight_list *list) {
  list->count = 0;
  for (int v = 0; v < vertices; v++) {
    int top = lua_gettop(r->L);
    lua_rawgeti(r->L, table, v + 1);
    read_vertex(r, top + 1, v, path, list);
    lua_settop(r->L, top);
  }
}

static void check_length(lua_State *L, int count, int expected, const char *of, const char *path) {
  if (count != expected) luaL_error(L, "%s: %d for %d %s", path, count, expected, of);
}

/* { Elbow = { a weight for each vertex }, … }. */
static void read_by_joint(build_reader *r, int table, int vertices, const char *path, weight_list *list) {
  lua_State *L = r->L;
  int top = lua_gettop(L);
  list->count = 0;
  for (lua_pushnil(L); lua_next(L, table); lua_settop(L, top + 1)) {
    int joint = build_joint(r, top + 1, path, ""), count = 0;
    const char *here = lua_pushfstring(L, "%s.%s", path, r->def.joints[joint].name);
    const double *weights = build_times(r, top + 2, here, &count);
    check_length(L, count, vertices, "vertices", here);
    for (int v = 0; v < vertices; v++)
      if (weights[v] != 0) list->items[list->count++] = (sinew_vertex_weight){v, joint, (float)weights[v]};
  }
}

static void read_weights(build_reader *r, int table, const char *path, sinew_mesh_def *mesh) {
  weight_list list = {0};
  int vertices = mesh->vertex_count, entries = (int)lua_rawlen(r->L, table);
  budget_charge(r->L, (int64_t)vertices * 16);
  if (entries > 0) {
    check_length(r->L, entries, vertices, "vertices", path);
    read_by_vertex(r, table, vertices, path, &list);
    list.items = build_keep(r, (size_t)list.count, sizeof *list.items);
    read_by_vertex(r, table, vertices, path, &list);
  } else {
    list.items = build_keep(r, (size_t)pairs_in(r->L, table) * (size_t)vertices, sizeof *list.items);
    read_by_joint(r, table, vertices, path, &list);
  }
  /* sorted, because the order of lua_next differs between runs */
  if (list.count > 1) qsort(list.items, (size_t)list.count, sizeof *list.items, compare_weights);
  mesh->weights = list.items;
  mesh->weight_count = list.count;
}

/* ---- meshes ---- */

static void read_material(build_reader *r, int item, sinew_mesh_def *mesh) {
  lua_State *L = r->L;
  if (!option_push(L, item, "material")) return;
  int index = lua_gettop(L);
  sinew_material *m = (sinew_material *)(uintptr_t)r->def.materials + r->def.material_count;
  *m = sinew_material_default();
  m->metallic = (float)option_number(L, index, "metallic", (double)m->metallic);
  m->roughness = (float)option_number(L, index, "roughness", (double)m->roughness);
  m->double_sided = flag_option(L, index, "double_sided", false);
  vector_option(L, index, "color", m->base_color, 3);
  vector_option(L, index, "emissive", m->emissive, 3);
  m->base_color[3] = (float)option_number(L, index, "opacity", 1);
  if (m->base_color[3] < 1) m->alpha_mode = SINEW_ALPHA_BLEND;
  mesh->material = r->def.material_count++;
  lua_settop(L, index - 1);
}

/* Reads `expected` numbers; NULL if there is no such field. */
static const float *read_floats(build_reader *r, int item, const char *field, const char *path, build_kind kind,
                                int expected, const char *of) {
  int top = lua_gettop(r->L), count = 0;
  if (!option_push(r->L, item, field)) return NULL;
  path = lua_pushfstring(r->L, "%s.%s", path, field);
  const float *floats = build_floats(r, top + 1, path, kind, &count);
  check_length(r->L, count, expected, of, path);
  lua_settop(r->L, top);
  return floats;
}

static int compare_morphs(const void *a, const void *b) {
  return strcmp(((const sinew_morph_def *)a)->name, ((const sinew_morph_def *)b)->name);
}

/* { Smile = { an offset for each vertex }, … }, sorted by name. */
static void read_morphs(build_reader *r, int table, const char *path, sinew_mesh_def *mesh) {
  lua_State *L = r->L;
  sinew_morph_def *morphs = build_keep(r, (size_t)pairs_in(L, table), sizeof *morphs);
  int top = lua_gettop(L), count = 0;
  for (lua_pushnil(L); lua_next(L, table); lua_settop(L, top + 1)) {
    if (lua_type(L, top + 1) != LUA_TSTRING)
      luaL_error(L, "%s is a table such as { Smile = { {0, 0, 0.1}, … } } (got a %s for a name)", path,
                 luaL_typename(L, top + 1));
    sinew_morph_def *morph = morphs + mesh->morph_count++;
    morph->name = build_keep_text(r, top + 1, path);
    const char *here = lua_pushfstring(L, "%s.%s", path, morph->name);
    morph->positions = build_floats(r, top + 2, here, BUILD_VECTORS, &count);
    check_length(L, count, mesh->vertex_count, "vertices", here);
  }
  if (mesh->morph_count > 1) qsort(morphs, (size_t)mesh->morph_count, sizeof *morphs, compare_morphs);
  mesh->morphs = morphs;
}

static void read_mesh(build_reader *r, int item, const char *path, sinew_mesh_def *mesh) {
  lua_State *L = r->L;
  int top = lua_gettop(L);
  *mesh = (sinew_mesh_def){.joint = joint_option(r, item, "joint", path, ""), .material = -1};
  if (option_push(L, item, "name")) mesh->name = build_keep_text(r, top + 1, path);
  lua_settop(L, top);
  if (!option_push(L, item, "positions")) luaL_error(L, "%s: has no positions", path);
  const char *where = lua_pushfstring(L, "%s.positions", path);
  mesh->positions = build_floats(r, top + 1, where, BUILD_VECTORS, &mesh->vertex_count);
  lua_settop(L, top);
  mesh->normals = read_floats(r, item, "normals", path, BUILD_VECTORS, mesh->vertex_count, "vertices");
  mesh->uvs = read_floats(r, item, "uvs", path, BUILD_UVS, mesh->vertex_count, "vertices");
  mesh->colors = read_floats(r, item, "colors", path, BUILD_COLORS, mesh->vertex_count, "vertices");
  if (!option_push(L, item, "indices")) luaL_error(L, "%s: has no indices", path);
  mesh->indices = build_indices(r, top + 1, lua_pushfstring(L, "%s.indices", path), &mesh->index_count);
  lua_settop(L, top);
  if (option_push(L, item, "weights")) read_weights(r, top + 1, lua_pushfstring(L, "%s.weights", path), mesh);
  lua_settop(L, top);
  if (option_push(L, item, "morphs")) read_morphs(r, top + 1, lua_pushfstring(L, "%s.morphs", path), mesh);
  lua_settop(L, top);
  read_material(r, item, mesh);
}

static void read_meshes(build_reader *r, int table) {
  int count = push_list(r, table, "meshes", "sinew.build_model: "), list = lua_gettop(r->L);
  sinew_mesh_def *meshes = build_keep(r, (size_t)count, sizeof *meshes);
  r->def.materials = build_keep(r, (size_t)count, sizeof *r->def.materials);
  for (int i = 0; i < count; i++) {
    const char *path = push_item(r, list, i, "meshes", "mesh_options");
    read_mesh(r, list + 1, path, meshes + i);
    lua_settop(r->L, list);
  }
  r->def.meshes = meshes;
  r->def.mesh_count = count;
  lua_settop(r->L, list - 1);
}

/* ---- clips ---- */

static const char *const curve_fields[] = {"positions", "rotations", "scales"};
static const char *const interpolations[] = {"linear", "step", "cubic"};

static sinew_interpolation interpolation_of(lua_State *L, int track) {
  int found = 0;
  if (!option_push(L, track, "interpolation")) return SINEW_INTERPOLATION_LINEAR;
  for (int i = 0; i < 3; i++)
    if (strcmp(lua_tostring(L, -1), interpolations[i]) == 0) found = i;
  lua_pop(L, 1);
  return (sinew_interpolation)found;
}

/* The curves of one joint; `clip` has room for three. */
static void read_track(build_reader *r, int track, int joint, const char *path, sinew_clip_def *clip) {
  lua_State *L = r->L;
  sinew_curve_def *curves = (sinew_curve_def *)(uintptr_t)clip->curves;
  sinew_curve_def curve = {.joint = joint, .interpolation = interpolation_of(L, track)};
  bool cubic = curve.interpolation == SINEW_INTERPOLATION_CUBIC;
  const build_kind kinds[] = {BUILD_VECTORS, cubic ? BUILD_TANGENTS : BUILD_QUATERNIONS, BUILD_VECTORS};
  const char *of = cubic ? "entries (in-tangent, value and out-tangent for each time)" : "times";
  int top = lua_gettop(L), before = clip->curve_count;
  if (!option_push(L, track, "times")) luaL_error(L, "%s: has no times", path);
  curve.times = build_times(r, top + 1, lua_pushfstring(L, "%s.times", path), &curve.key_count);
  lua_settop(L, top);
  for (int kind = 0; kind < 3; kind++) {
    curve.kind = (sinew_curve_kind)kind;
    curve.values = read_floats(r, track, curve_fields[kind], path, kinds[kind], curve.key_count * (cubic ? 3 : 1), of);
    if (curve.values) curves[clip->curve_count++] = curve;
  }
  if (clip->curve_count == before) luaL_error(L, "%s: has neither positions nor rotations nor scales", path);
}

static int compare_curves(const void *a, const void *b) {
  const sinew_curve_def *x = a, *y = b;
  if (x->joint != y->joint) return (x->joint > y->joint) - (x->joint < y->joint);
  return ((int)x->kind > (int)y->kind) - ((int)x->kind < (int)y->kind);
}

static void read_tracks(build_reader *r, int tracks, const char *path, sinew_clip_def *clip) {
  lua_State *L = r->L;
  int top = lua_gettop(L);
  sinew_curve_def *curves = build_keep(r, (size_t)pairs_in(L, tracks) * 3, sizeof *curves);
  clip->curves = curves;
  for (lua_pushnil(L); lua_next(L, tracks); lua_settop(L, top + 1)) {
    int joint = build_joint(r, top + 1, path, "");
    const char *here = lua_pushfstring(L, "%s.%s", path, r->def.joints[joint].name);
    api_check_value(L, top + 2, "track_options", strlen("track_options"), here);
    read_track(r, top + 2, joint, here, clip);
  }
  if (clip->curve_count > 1) qsort(curves, (size_t)clip->curve_count, sizeof *curves, compare_curves);
}

static void read_clips(build_reader *r, int table) {
  lua_State *L = r->L;
  int count = push_list(r, table, "clips", "sinew.build_model: "), list = lua_gettop(L);
  sinew_clip_def *clips = build_keep(r, (size_t)count, sizeof *clips);
  for (int i = 0; i < count; i++) {
    const char *path = push_item(r, list, i, "clips", "clip_options");
    clips[i].name = name_of(r, list + 1, path);
    if (!option_push(L, list + 1, "tracks")) luaL_error(L, "%s: has no tracks", path);
    read_tracks(r, list + 3, lua_pushfstring(L, "%s.tracks", path), clips + i);
    lua_settop(L, list);
  }
  r->def.clips = clips;
  r->def.clip_count = count;
  lua_settop(L, list - 1);
}

void build_read(build_reader *r, int table) {
  luaL_checkstack(r->L, 32, NULL);
  if (option_push(r->L, table, "name")) {
    r->def.name = build_keep_text(r, lua_gettop(r->L), "sinew.build_model: name");
    lua_pop(r->L, 1);
  }
  r->def.first = 1;
  read_joints(r, table);
  read_meshes(r, table);
  read_clips(r, table);
}

/* ---- a hash of the content: FNV-1a ---- */

static void add(uint64_t *hash, const void *data, size_t size) {
  const unsigned char *bytes = data;
  for (size_t i = 0; i < size; i++) *hash = (*hash ^ bytes[i]) * UINT64_C(1099511628211);
}

static void add_int(uint64_t *hash, int value) { add(hash, &value, sizeof value); }
static void add_text(uint64_t *hash, const char *text) { add(hash, text ? text : "", text ? strlen(text) + 1 : 1); }

static void add_floats(uint64_t *hash, const float *values, size_t count) {
  add_int(hash, values != NULL);
  if (values) add(hash, values, count * sizeof *values);
}

static void add_mesh(uint64_t *hash, const sinew_mesh_def *mesh) {
  size_t vertices = (size_t)mesh->vertex_count;
  const int counts[] = {mesh->joint, mesh->material, mesh->vertex_count, mesh->index_count, mesh->weight_count};
  add_text(hash, mesh->name);
  add(hash, counts, sizeof counts);
  add_floats(hash, mesh->positions, vertices * 3);
  add_floats(hash, mesh->normals, vertices * 3);
  add_floats(hash, mesh->uvs, vertices * 2);
  add_floats(hash, mesh->colors, vertices * 4);
  add(hash, mesh->indices, (size_t)mesh->index_count * sizeof *mesh->indices);
  for (int i = 0; i < mesh->weight_count; i++) add(hash, mesh->weights + i, sizeof *mesh->weights);
  for (int i = 0; i < mesh->morph_count; i++) {
    add_text(hash, mesh->morphs[i].name);
    add_floats(hash, mesh->morphs[i].positions, vertices * 3);
  }
}

static void add_curve(uint64_t *hash, const sinew_curve_def *curve) {
  size_t keys = (size_t)curve->key_count, width = curve->kind == SINEW_CURVE_ROTATION ? 4 : 3;
  const int head[] = {curve->joint, (int)curve->kind, (int)curve->interpolation, curve->key_count};
  add(hash, head, sizeof head);
  add(hash, curve->times, keys * sizeof *curve->times);
  add_floats(hash, curve->values, keys * width * (curve->interpolation == SINEW_INTERPOLATION_CUBIC ? 3 : 1));
}

static void add_material(uint64_t *hash, const sinew_material *m) {
  const float values[] = {m->base_color[0], m->base_color[1],      m->base_color[2], m->base_color[3],
                          m->metallic,      m->roughness,          m->emissive[0],   m->emissive[1],
                          m->emissive[2],   (float)m->double_sided};
  add(hash, values, sizeof values);
}

uint64_t build_hash(const sinew_model_def *def) {
  uint64_t hash = UINT64_C(14695981039346656037);
  const int counts[] = {def->joint_count, def->mesh_count, def->clip_count, def->material_count};
  add_text(&hash, def->name);
  add(&hash, counts, sizeof counts);
  for (int i = 0; i < def->joint_count; i++) {
    add_text(&hash, def->joints[i].name);
    add_int(&hash, def->joints[i].parent);
    add_floats(&hash, &def->joints[i].rest.translation.x, sizeof(sinew_transform) / sizeof(float));
  }
  for (int i = 0; i < def->mesh_count; i++) add_mesh(&hash, def->meshes + i);
  for (int i = 0; i < def->material_count; i++) add_material(&hash, def->materials + i);
  for (int i = 0; i < def->clip_count; i++) {
    add_text(&hash, def->clips[i].name);
    add_int(&hash, def->clips[i].curve_count);
    for (int k = 0; k < def->clips[i].curve_count; k++) add_curve(&hash, def->clips[i].curves + k);
  }
  return hash;
}
