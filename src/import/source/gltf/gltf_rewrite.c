#include "import/source/gltf/gltf_file.h"

#include "base/error.h"
#include "base/memory.h"

#include <stdio.h>
#include <string.h>

#define EXTRA_NAME "sinew-extra.bin"

static bool out_of_memory(gltf *g) { return error_memory(g->raw->error, g->raw->path, 0); }

/* Puts a member into an object, in place of one of that name. Takes `item` over, which may be NULL. */
static bool put(gltf *g, cJSON *object, const char *name, cJSON *item) {
  cJSON_DeleteItemFromObjectCaseSensitive(object, name);
  if (item && cJSON_AddItemToObject(object, name, item)) return true;
  cJSON_Delete(item);
  return out_of_memory(g);
}

static bool put_number(gltf *g, cJSON *object, const char *name, double value) {
  return put(g, object, name, cJSON_CreateNumber(value));
}

/* ---- added data ---- */

/* Appends floats to the extra buffer, as a view of their own: its index, or -1 when memory is out. */
static int add_view(gltf *g, const float *values, size_t count) {
  size_t bytes = count * sizeof *values, wanted = g->extra_size + bytes;
  if (wanted > g->extra_capacity) {
    size_t capacity = wanted * 2;
    unsigned char *larger = mem_resize(g->extra, capacity);
    if (!larger) return out_of_memory(g) ? 0 : -1;
    g->extra = larger;
    g->extra_capacity = capacity;
  }
  memcpy(g->extra + g->extra_size, values, bytes);
  cJSON *views = cJSON_GetObjectItemCaseSensitive(g->root, "bufferViews"), *view = cJSON_CreateObject();
  if (!views) views = cJSON_AddArrayToObject(g->root, "bufferViews");
  bool filled = view && put_number(g, view, "buffer", g->buffers.count) &&
                put_number(g, view, "byteOffset", (double)g->extra_size) &&
                put_number(g, view, "byteLength", (double)bytes);
  if (!filled || !cJSON_AddItemToArray(views, view)) {
    cJSON_Delete(view);
    return out_of_memory(g) ? 0 : -1;
  }
  g->extra_size = wanted;
  return cJSON_GetArraySize(views) - 1;
}

static bool point_accessor_at(gltf *g, cJSON *accessor, const float *values, size_t count) {
  static const char *const gone[] = {"byteOffset", "normalized", "sparse", "min", "max"};
  int view = add_view(g, values, count);
  for (size_t i = 0; i < sizeof gone / sizeof *gone; i++) cJSON_DeleteItemFromObjectCaseSensitive(accessor, gone[i]);
  return view >= 0 && put_number(g, accessor, "bufferView", view) && put_number(g, accessor, "componentType", 5126);
}

/* ---- integers to floats ---- */

static bool is_float(const cJSON *accessor) {
  const cJSON *type = cJSON_GetObjectItemCaseSensitive(accessor, "componentType");
  return cJSON_IsNumber(type) && type->valuedouble == 5126;
}

/* Joint indices and indices stay integers; Assimp reads integer colours. */
static bool wants_floats(const char *attribute) {
  return strncmp(attribute, "JOINTS_", 7) != 0 && strncmp(attribute, "COLOR_", 6) != 0;
}

static bool expand_attributes(gltf *g, const cJSON *attributes) {
  const cJSON *item;
  cJSON_ArrayForEach(item, attributes) {
    bool named = cJSON_IsNumber(item) && item->valuedouble >= 0 && item->valuedouble < g->accessors.count;
    cJSON *accessor = named ? g->accessors.items[(int)item->valuedouble] : NULL;
    if (!accessor || !wants_floats(item->string) || is_float(accessor)) continue;
    float *values;
    int count, width = gltf_width(accessor);
    if (!gltf_read_accessor(g, (int)item->valuedouble, width, &values, &count)) return false;
    if (values && !point_accessor_at(g, accessor, values, (size_t)count * (size_t)width)) return false;
  }
  return true;
}

static bool expand_meshes(gltf *g) {
  for (int m = 0; m < g->meshes.count; m++) {
    const cJSON *primitive, *target;
    cJSON_ArrayForEach(primitive, cJSON_GetObjectItemCaseSensitive(g->meshes.items[m], "primitives")) {
      if (!expand_attributes(g, cJSON_GetObjectItemCaseSensitive(primitive, "attributes"))) return false;
      cJSON_ArrayForEach(target, cJSON_GetObjectItemCaseSensitive(primitive, "targets")) {
        if (!expand_attributes(g, target)) return false;
      }
    }
  }
  return true;
}

/* ---- skins ---- */

/* Assimp reads past the end where there are fewer matrices than joints, or none. */
static bool add_inverse_binds(gltf *g, cJSON *skin) {
  int joints = cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(skin, "joints")), count;
  float *values;
  int index = gltf_index(skin, "inverseBindMatrices", g->accessors.count);
  if (!gltf_read_accessor(g, index, 16, &values, &count)) return false;
  if (joints == 0 || (values && count >= joints)) return true;
  float *matrices = raw_alloc(g->raw, (size_t)joints * 16, sizeof *matrices);
  cJSON *accessors = cJSON_GetObjectItemCaseSensitive(g->root, "accessors"), *accessor = cJSON_CreateObject();
  if (!accessors) accessors = cJSON_AddArrayToObject(g->root, "accessors");
  for (int i = 0; matrices && i < joints * 16; i++)
    matrices[i] = values && i < count * 16 ? values[i] : i % 16 % 5 == 0 ? 1.0f : 0.0f;
  bool added = matrices && accessor && point_accessor_at(g, accessor, matrices, (size_t)joints * 16) &&
               put_number(g, accessor, "count", joints) && put(g, accessor, "type", cJSON_CreateString("MAT4")) &&
               cJSON_AddItemToArray(accessors, accessor);
  if (added) return put_number(g, skin, "inverseBindMatrices", cJSON_GetArraySize(accessors) - 1);
  cJSON_Delete(accessor);
  return out_of_memory(g);
}

static bool repair_skins(gltf *g) {
  cJSON *skin;
  cJSON_ArrayForEach(skin, cJSON_GetObjectItemCaseSensitive(g->root, "skins")) {
    if (cJSON_IsObject(skin) && !add_inverse_binds(g, skin)) return false;
  }
  return true;
}

/* Assimp keeps one skin for a mesh: a mesh that nodes show with several becomes several meshes. `used` holds for each
 * mesh 1 + the skin it was first seen with, counted from 1 (no skin is 0). */
static bool clone_meshes(gltf *g) {
  int *used = raw_alloc(g->raw, (size_t)g->meshes.count, sizeof *used);
  cJSON *meshes = cJSON_GetObjectItemCaseSensitive(g->root, "meshes");
  int skins = cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(g->root, "skins")), count = g->meshes.count;
  if (!used) return false;
  for (int i = 0; i < g->nodes.count; i++) {
    int mesh = gltf_index(g->nodes.items[i], "mesh", g->meshes.count);
    int skin = gltf_index(g->nodes.items[i], "skin", skins) + 2;
    if (mesh < 0 || !g->meshes.items[mesh]) continue;
    if (used[mesh] == 0) used[mesh] = skin;
    if (used[mesh] == skin) continue;
    cJSON *copy = cJSON_Duplicate(g->meshes.items[mesh], true);
    if (!copy || !cJSON_AddItemToArray(meshes, copy)) {
      cJSON_Delete(copy);
      return out_of_memory(g);
    }
    if (!put_number(g, g->nodes.items[i], "mesh", count++)) return false;
  }
  return true;
}

/* ---- nodes and scenes ---- */

static bool rename_nodes(gltf *g) {
  g->node_names = raw_alloc(g->raw, (size_t)g->nodes.count, sizeof *g->node_names);
  if (!g->node_names) return false;
  for (int i = 0; i < g->nodes.count; i++) {
    const char *name = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(g->nodes.items[i], "name"));
    char number[40];
    g->node_names[i] = raw_string(g->raw, name ? name : "");
    snprintf(number, sizeof number, GLTF_NODE_NAME "%d", i);
    if (!g->node_names[i]) return false;
    if (g->nodes.items[i] && !put(g, g->nodes.items[i], "name", cJSON_CreateString(number))) return false;
  }
  return true;
}

static bool *find_children(gltf *g) {
  bool *is_child = raw_alloc(g->raw, (size_t)g->nodes.count, sizeof *is_child);
  for (int i = 0; is_child && i < g->nodes.count; i++) {
    const cJSON *child;
    cJSON_ArrayForEach(child, cJSON_GetObjectItemCaseSensitive(g->nodes.items[i], "children")) {
      if (cJSON_IsNumber(child) && child->valuedouble >= 0 && child->valuedouble < g->nodes.count)
        is_child[(int)child->valuedouble] = true;
    }
  }
  return is_child;
}

/* A library of meshes has no scene: all of it is shown. */
static bool add_scene(gltf *g) {
  if (cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(g->root, "scenes")) > 0 || g->nodes.count == 0) return true;
  bool *is_child = find_children(g);
  cJSON *scenes = cJSON_CreateArray(), *scene = cJSON_CreateObject();
  cJSON *roots = scene ? cJSON_AddArrayToObject(scene, "nodes") : NULL;
  if (!is_child || !scenes || !roots || !cJSON_AddItemToArray(scenes, scene)) {
    cJSON_Delete(scenes);
    cJSON_Delete(scene);
    return out_of_memory(g);
  }
  if (!put(g, g->root, "scenes", scenes)) return false;
  for (int i = 0; i < g->nodes.count; i++)
    if (!is_child[i]) cJSON_AddItemToArray(roots, cJSON_CreateNumber(i));
  cJSON_DeleteItemFromObjectCaseSensitive(g->root, "scene");
  return raw_note(g->raw, "the file has no scene: all its nodes are shown");
}

/* ---- writing ---- */

static void write_u32(unsigned char *at, uint32_t value) {
  for (int i = 0; i < 4; i++) at[i] = (unsigned char)(value >> (8 * i));
}

/* Header, JSON chunk padded with blanks, and the file's own BIN chunk. */
static unsigned char *wrap_glb(gltf *g, const char *json, size_t *size) {
  size_t text = strlen(json), padded = (text + 3) / 4 * 4, binary = (g->chunk.size + 3) / 4 * 4;
  *size = 20 + padded + (g->chunk.data ? 8 + binary : 0);
  unsigned char *glb = raw_alloc(g->raw, *size, 1);
  if (!glb) return NULL;
  memcpy(glb, "glTF", 4);
  write_u32(glb + 4, 2);
  write_u32(glb + 8, (uint32_t)*size);
  write_u32(glb + 12, (uint32_t)padded);
  memcpy(glb + 16, "JSON", 4);
  memset(glb + 20, ' ', padded);
  memcpy(glb + 20, json, text);
  if (!g->chunk.data) return glb;
  write_u32(glb + 20 + padded, (uint32_t)binary);
  memcpy(glb + 24 + padded, "BIN", 4);
  memcpy(glb + 28 + padded, g->chunk.data, g->chunk.size);
  return glb;
}

static bool add_extra_buffer(gltf *g) {
  if (g->extra_size == 0) return true;
  cJSON *buffers = cJSON_GetObjectItemCaseSensitive(g->root, "buffers"), *buffer = cJSON_CreateObject();
  if (!buffers) buffers = cJSON_AddArrayToObject(g->root, "buffers");
  if (buffer && put(g, buffer, "uri", cJSON_CreateString(EXTRA_NAME)) &&
      put_number(g, buffer, "byteLength", (double)g->extra_size) && cJSON_AddItemToArray(buffers, buffer))
    return true;
  cJSON_Delete(buffer);
  return out_of_memory(g);
}

static const char *last_part(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

/* Most numbers of a file are whole, and cJSON spells each as a double and reads it again: for one printing they are
 * text. Counts them where there is no room. */
enum { MOST_DIGITS = 12 };

static size_t spell_numbers(cJSON *item, char (*room)[MOST_DIGITS], size_t used) {
  for (; item; item = item->next) {
    if (cJSON_IsNumber(item) && item->valuedouble == item->valueint) {
      if (room) {
        snprintf(room[used], sizeof *room, "%d", item->valueint);
        item->valuestring = room[used];
        item->type = cJSON_Raw;
      }
      used++;
    }
    used = spell_numbers(item->child, room, used);
  }
  return used;
}

static void restore_numbers(cJSON *item) {
  for (; item; item = item->next) {
    if (cJSON_IsRaw(item)) {
      item->valuestring = NULL;
      item->type = cJSON_Number;
    }
    restore_numbers(item->child);
  }
}

static char *print_json(gltf *g) {
  char(*room)[MOST_DIGITS] = raw_alloc(g->raw, spell_numbers(g->root, NULL, 0), sizeof *room);
  if (!room) return NULL;
  spell_numbers(g->root, room, 0);
  char *json = cJSON_PrintUnformatted(g->root);
  restore_numbers(g->root);
  return json;
}

static bool serve(gltf *g, import_files *files) {
  char *json = print_json(g);
  served_file *served = raw_alloc(g->raw, 2, sizeof *served);
  if (!json || !served) {
    mem_free(json);
    return out_of_memory(g);
  }
  size_t size = strlen(json);
  unsigned char *data = g->is_glb ? wrap_glb(g, json, &size) : raw_copy(g->raw, json, size + 1, 1);
  mem_free(json);
  if (!data) return false;
  served[0] = (served_file){last_part(files->path), data, size};
  served[1] = (served_file){EXTRA_NAME, g->extra, g->extra_size};
  files->served = served;
  files->served_count = g->extra_size ? 2 : 1;
  return true;
}

bool gltf_rewrite(gltf *g, import_files *files) {
  g->animations = cJSON_DetachItemFromObjectCaseSensitive(g->root, "animations");
  return rename_nodes(g) && add_scene(g) && expand_meshes(g) && repair_skins(g) && clone_meshes(g) &&
         add_extra_buffer(g) && serve(g, files);
}
