/* gltf_mesh – shared by the files that read meshes; only they include this. */
/* Reads each primitive once for every node that has it; nodes with the same mesh share its arrays. */
#include "base/error.h"
#include "base/memory/hash_index.h"
#include "import/raw/weld.h"
#include "import/source/gltf/geometry/gltf_draco.h"
#include "import/source/gltf/gltf_file.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

/* One primitive while it becomes a raw mesh. */
typedef struct gltf_primitive {
  gltf *g;
  const cJSON *json, *attributes; /* those of the morph target while one is read */
  draco_mesh *draco;              /* or NULL: not compressed */
  const cJSON *draco_ids;         /* the ids of attributes there; NULL while a morph target is read */
  raw_mesh *mesh;
  int file_count;        /* the number of vertices in the file */
  const uint32_t *which; /* the file's vertex for each of the mesh; NULL: identical */
  bool has_normals;
} gltf_primitive;

static bool gltf_attribute(gltf_primitive *p, const char *name, int width, float **values);
static bool gltf_integer_attribute(gltf_primitive *p, const char *name, int width, uint32_t **values);

/* ---- gltf morph ---- */

static const char *read_name(gltf *g, const cJSON *item, int index) {
  const char *name = cJSON_GetStringValue(item);
  char number[32];
  snprintf(number, sizeof number, "morph %d", index);
  return raw_string(g->raw, name && name[0] ? name : number);
}

/* A target without positions moves nothing. */
static bool read_target(gltf_primitive *p, const cJSON *target, raw_morph *morph) {
  raw_mesh *mesh = p->mesh;
  p->attributes = target;
  p->draco_ids = NULL; /* targets are never compressed */
  if (!gltf_attribute(p, "POSITION", 3, &morph->positions)) return false;
  if (!morph->positions) morph->positions = gltf_zeros(p->g, (size_t)mesh->vertex_count * 3);
  if (!morph->positions) return false;
  if (p->g->clips_only) return true;
  if (!p->has_normals) return flat_morph_normals(p->g->raw, mesh, morph);
  return gltf_attribute(p, "NORMAL", 3, &morph->normals);
}

/* gltf_mesh.c: reads the targets of the primitive; and their rest weights, which `node` may override. */
static bool gltf_read_morphs(gltf_primitive *p, const cJSON *json) {
  raw_mesh *mesh = p->mesh;
  const cJSON *targets = gltf_member(p->json, "targets"), *target;
  const cJSON *names = gltf_member(gltf_member(json, "extras"), "targetNames"), *name = names ? names->child : NULL;
  mesh->morphs = raw_alloc(p->g->raw, (size_t)cJSON_GetArraySize(targets), sizeof *mesh->morphs);
  if (!mesh->morphs) return false;
  cJSON_ArrayForEach(target, targets) {
    raw_morph *morph = mesh->morphs + mesh->morph_count;
    morph->name = read_name(p->g, name, mesh->morph_count);
    name = name ? name->next : NULL;
    if (!morph->name || !read_target(p, target, morph)) return false;
    mesh->morph_count++;
  }
  return true;
}

static void gltf_read_morph_weights(const cJSON *json, const cJSON *node, raw_mesh *to) {
  const cJSON *weights = gltf_member(node, "weights"), *weight;
  int i = 0;
  if (!weights) weights = gltf_member(json, "weights");
  for (int k = 0; k < to->morph_count; k++) to->morphs[k].weight = 0;
  cJSON_ArrayForEach(weight, weights) {
    if (i < to->morph_count && cJSON_IsNumber(weight)) to->morphs[i].weight = (float)weight->valuedouble;
    i++;
  }
}

/* ---- Triangles from lists, strips and fans, with and without indices (glTF 2.0, 3.7.2.1) ---- */

enum { LIST = 4, STRIP = 5, FAN = 6 };

/* Finds the corners of triangle `i` in the sequence of vertices. */
static void corners_of(int mode, size_t i, size_t corner[3]) {
  size_t odd = mode == STRIP ? i & 1 : 0;
  corner[0] = mode == LIST ? 3 * i : mode == FAN ? 0 : i;
  corner[1] = mode == LIST ? 3 * i + 1 : i + 1 + odd;
  corner[2] = mode == LIST ? 3 * i + 2 : i + 2 - odd;
}

/* Always a list. */
static bool read_draco_indices(gltf_primitive *p, uint32_t **sequence, size_t *count) {
  *count = (size_t)draco_index_count(p->draco);
  *sequence = gltf_spend(p->g, *count, 1) ? raw_alloc(p->g->raw, *count, sizeof **sequence) : NULL;
  if (*sequence) draco_indices(p->draco, *sequence);
  return *sequence != NULL;
}

/* The order in which vertices are drawn; NULL for the order in which they are stored. False when memory runs out or the
 * indices are broken. */
static bool read_sequence(gltf_primitive *p, uint32_t **sequence, size_t *count) {
  gltf *g = p->g;
  gltf_elements indices;
  *sequence = NULL;
  *count = (size_t)p->file_count;
  if (p->draco) return read_draco_indices(p, sequence, count);
  if (!gltf_member(p->json, "indices")) return true;
  if (!gltf_accessor(g, gltf_index(p->json, "indices", g->accessors.count), &indices)) return false;
  *count = indices.width == 1 ? (size_t)indices.count : 0;
  if (*count == 0) return raw_note(g->raw, "mesh '%s': its indices are broken: not shown", p->mesh->name);
  *sequence = gltf_integers(g, &indices, NULL, *count);
  return *sequence != NULL;
}

static size_t triangle_count(int mode, size_t vertices) {
  return mode == LIST ? vertices / 3 : vertices < 3 ? 0 : vertices - 2;
}

/* gltf_mesh.c: reads the corners of all triangles as indices of the file's vertices, for every way of storing
 * them. False when memory runs out; *corners is NULL if there are none. */
static bool gltf_read_corners(gltf_primitive *p, uint32_t **corners, int *count) {
  const cJSON *mode_json = gltf_member(p->json, "mode");
  int mode = mode_json && !p->draco ? gltf_index(p->json, "mode", FAN + 1) : LIST, missing = 0;
  uint32_t *sequence;
  size_t length;
  *corners = NULL;
  *count = 0;
  if (!read_sequence(p, &sequence, &length)) return false;
  size_t triangles = triangle_count(mode, length);
  if (triangles == 0 || triangles > INT_MAX / 4) return true;
  *corners = raw_alloc(p->g->raw, triangles * 3, sizeof **corners);
  for (size_t i = 0; *corners && i < triangles; i++) {
    size_t corner[3];
    uint32_t *to = *corners + *count;
    bool inside = true;
    corners_of(mode, i, corner);
    for (int k = 0; k < 3; k++) {
      to[k] = sequence ? sequence[corner[k]] : (uint32_t)corner[k];
      inside = inside && to[k] < (uint32_t)p->file_count;
    }
    if (inside) *count += 3;
    missing += !inside;
  }
  return *corners &&
         (!missing ||
          raw_note_count(
              p->g->raw, missing,
              "mesh '%s': %d {triangle dropped that names|triangles dropped that name} vertices that do not exist",
              p->mesh->name, missing));
}

/* ---- which vertices ---- */

/* Numbers the used vertices in the file's order. */
static int number_used(uint32_t *numbers, int file_count, const uint32_t *corners, int count) {
  int used = 0;
  for (int i = 0; i < count; i++) numbers[corners[i]] = 1;
  for (int v = 0; v < file_count; v++)
    if (numbers[v]) numbers[v] = (uint32_t)++used;
  return used;
}

/* Primitives often share one array of vertices, of which each uses a part. */
static bool keep_used(gltf_primitive *p, uint32_t *corners, int count) {
  raw_model *raw = p->g->raw;
  uint32_t *numbers = raw_alloc(raw, (size_t)p->file_count, sizeof *numbers);
  if (!numbers) return false;
  int used = number_used(numbers, p->file_count, corners, count);
  p->mesh->vertex_count = used;
  if (used == p->file_count) return true;
  uint32_t *which = raw_alloc(raw, (size_t)used, sizeof *which);
  if (!which) return false;
  for (int v = 0; v < p->file_count; v++)
    if (numbers[v]) which[numbers[v] - 1] = (uint32_t)v;
  for (int i = 0; i < count; i++) corners[i] = numbers[corners[i]] - 1;
  p->which = which;
  return true;
}

/* Sets the mesh's vertices and indices: if normals are missing, each corner is a separate vertex (flat shading), else
 * those that a triangle uses. */
static bool gltf_choose_vertices(gltf_primitive *p, uint32_t *corners, int count) {
  raw_mesh *mesh = p->mesh;
  mesh->index_count = count;
  mesh->indices = corners;
  mesh->welded = p->has_normals && (p->draco || gltf_member(p->json, "indices"));
  if (p->has_normals) return keep_used(p, corners, count);
  p->which = corners;
  mesh->vertex_count = count;
  mesh->indices = raw_alloc(p->g->raw, (size_t)count, sizeof *mesh->indices);
  for (int i = 0; mesh->indices && i < count; i++) mesh->indices[i] = (uint32_t)i;
  return mesh->indices != NULL;
}

/* ---- gltf skin ---- */

enum { MOST_SETS = 16 };

/* ---- joints ---- */

/* If there are fewer matrices than joints, or none, the others are identity. */
static bool read_inverse_binds(gltf *g, const cJSON *skin, float **values, int *count) {
  gltf_elements elements;
  *values = NULL;
  *count = 0;
  if (!gltf_accessor(g, gltf_index(skin, "inverseBindMatrices", g->accessors.count), &elements)) return false;
  if (elements.count == 0 || elements.width != 16) return true;
  *count = elements.count;
  *values = gltf_floats(g, &elements, NULL, (size_t)elements.count);
  return *values != NULL;
}

/* A joint outside the scene cannot move anything. */
static bool read_joint(gltf *g, const cJSON *number, raw_mesh *mesh, raw_bone *bone) {
  bool named = cJSON_IsNumber(number) && number->valuedouble >= 0 && number->valuedouble < g->nodes.count;
  int node = named ? g->node_of[(int)number->valuedouble] : -1;
  bone->node = node >= 0 ? node : mesh->node;
  if (node >= 0) g->raw->nodes[node].is_joint = true;
  return node >= 0 || raw_note(g->raw,
                               "mesh '%s': a joint of its skin is not a node of the scene: its vertices follow the "
                               "mesh's node",
                               mesh->name);
}

/* gltf_mesh.c: reads the joints of a skin as bones; and with them the weights of the primitive. */
static bool gltf_read_joints(gltf *g, const cJSON *skin, raw_mesh *mesh) {
  const cJSON *joints = gltf_member(skin, "joints"), *joint;
  int count = cJSON_GetArraySize(joints), i = 0, matrices;
  float *values;
  mesh->bones = raw_alloc(g->raw, (size_t)count, sizeof *mesh->bones);
  if (!mesh->bones || !read_inverse_binds(g, skin, &values, &matrices)) return false;
  if (values && matrices < count &&
      !raw_note_count(g->raw, matrices,
                      "a skin has %d inverse bind {matrix|matrices} for %d joints: identity for the others", matrices,
                      count))
    return false;
  cJSON_ArrayForEach(joint, joints) {
    raw_bone *bone = mesh->bones + i;
    bone->inverse_bind = i < matrices ? gltf_matrix(values + (size_t)i * 16) : sinew_mat3x4_identity();
    if (!read_joint(g, joint, mesh, bone)) return false;
    i++;
  }
  mesh->bone_count = count;
  return true;
}

/* ---- weights ---- */

/* One set: four joints and four weights of each vertex. */
typedef struct weight_set {
  uint32_t *joints;
  float *weights;
} weight_set;

static bool read_set(gltf_primitive *p, int index, weight_set *set) {
  char name[32];
  snprintf(name, sizeof name, "WEIGHTS_%d", index);
  if (!gltf_attribute(p, name, 4, &set->weights)) return false;
  snprintf(name, sizeof name, "JOINTS_%d", index);
  return gltf_integer_attribute(p, name, 4, &set->joints);
}

/* Sorts the weights by joint: counts them first, so that each bone's list has the right length. */
static int count_weights(const weight_set *set, int vertices, raw_mesh *mesh) {
  int missing = 0;
  for (size_t i = 0; i < (size_t)vertices * 4; i++) {
    if (set->weights[i] == 0) continue;
    if (set->joints[i] < (uint32_t)mesh->bone_count) mesh->bones[set->joints[i]].weight_count++;
    else missing++;
  }
  return missing;
}

static bool make_lists(raw_model *raw, raw_mesh *mesh) {
  for (int b = 0; b < mesh->bone_count; b++) {
    raw_bone *bone = mesh->bones + b;
    bone->weights = raw_alloc(raw, (size_t)bone->weight_count, sizeof *bone->weights);
    if (!bone->weights) return false;
    bone->weight_count = 0;
  }
  return true;
}

static void fill_lists(const weight_set *set, raw_mesh *mesh) {
  for (size_t i = 0; i < (size_t)mesh->vertex_count * 4; i++) {
    if (set->weights[i] == 0 || set->joints[i] >= (uint32_t)mesh->bone_count) continue;
    raw_bone *bone = mesh->bones + set->joints[i];
    bone->weights[bone->weight_count++] = (raw_weight){(uint32_t)(i / 4), set->weights[i]};
  }
}

static bool read_weights(gltf_primitive *p) {
  raw_mesh *mesh = p->mesh;
  weight_set sets[MOST_SETS];
  int count = 0, missing = 0;
  for (; count < MOST_SETS; count++) {
    if (!read_set(p, count, sets + count)) return false;
    if (!sets[count].joints || !sets[count].weights) break;
    missing += count_weights(sets + count, mesh->vertex_count, mesh);
  }
  if (!make_lists(p->g->raw, mesh)) return false;
  for (int i = 0; i < count; i++) fill_lists(sets + i, mesh);
  return !missing ||
         raw_note_count(p->g->raw, missing,
                        "mesh '%s': %d {weight dropped that names|weights dropped that name} joints that do not "
                        "exist",
                        mesh->name, missing);
}

static bool gltf_read_skin(gltf_primitive *p, const cJSON *skin) {
  return gltf_read_joints(p->g, skin, p->mesh) && read_weights(p);
}

/* ---- attributes ---- */

static bool leave_out(gltf_primitive *p, const char *name) {
  return raw_note(p->g->raw, "mesh '%s': %s is broken, or has another number of vertices: left out", p->mesh->name,
                  name);
}

/* Finds the accessor of an attribute; count 0 if the primitive has none, or a broken one. */
static bool find_attribute(gltf_primitive *p, const char *name, int width, gltf_elements *elements) {
  gltf *g = p->g;
  *elements = (gltf_elements){0};
  if (!gltf_member(p->attributes, name)) return true;
  if (!gltf_accessor(g, gltf_index(p->attributes, name, g->accessors.count), elements)) return false;
  if (elements->width == width && elements->count >= p->file_count) return true;
  elements->count = 0;
  return leave_out(p, name);
}

/* Reads an attribute from Draco's data. Its accessor says whether integers are normalised. */
static bool read_draco(gltf_primitive *p, const char *name, int width, float **values) {
  gltf *g = p->g;
  const cJSON *accessor = gltf_item(&g->accessors, gltf_index(p->attributes, name, g->accessors.count));
  float *all = gltf_zeros(g, (size_t)p->file_count * (size_t)width);
  float *chosen = p->which ? gltf_zeros(g, (size_t)p->mesh->vertex_count * (size_t)width) : all;
  if (!all || !chosen) return false;
  if (!draco_floats(p->draco, gltf_index(p->draco_ids, name, INT32_MAX), width, all)) return leave_out(p, name);
  gltf_normalize(accessor, all, (size_t)p->file_count * (size_t)width);
  for (size_t v = 0; p->which && v < (size_t)p->mesh->vertex_count; v++)
    memcpy(chosen + v * (size_t)width, all + p->which[v] * (size_t)width, (size_t)width * sizeof *all);
  *values = chosen;
  return true;
}

/* Reads an attribute of the mesh's vertices as floats, or NULL if it is missing or broken (with a note). False when
 * memory runs out. */
static bool gltf_attribute(gltf_primitive *p, const char *name, int width, float **values) {
  gltf_elements elements;
  *values = NULL;
  if (gltf_member(p->draco_ids, name)) return read_draco(p, name, width, values);
  if (!find_attribute(p, name, width, &elements)) return false;
  if (elements.count == 0) return true;
  *values = gltf_floats(p->g, &elements, p->which, (size_t)p->mesh->vertex_count);
  return *values != NULL;
}

/* Reads joints, which a float holds exactly. */
static bool read_draco_integers(gltf_primitive *p, const char *name, int width, uint32_t **values) {
  size_t count = (size_t)p->mesh->vertex_count * (size_t)width;
  float *numbers = NULL;
  if (!read_draco(p, name, width, &numbers)) return false;
  if (!numbers) return true;
  *values = raw_alloc(p->g->raw, count, sizeof **values);
  for (size_t i = 0; *values && i < count; i++)
    (*values)[i] = numbers[i] >= 0 && numbers[i] < 65536 ? (uint32_t)numbers[i] : UINT32_MAX;
  return *values != NULL;
}

static bool gltf_integer_attribute(gltf_primitive *p, const char *name, int width, uint32_t **values) {
  gltf_elements elements;
  *values = NULL;
  if (gltf_member(p->draco_ids, name)) return read_draco_integers(p, name, width, values);
  if (!find_attribute(p, name, width, &elements)) return false;
  if (elements.count == 0) return true;
  *values = gltf_integers(p->g, &elements, p->which, (size_t)p->mesh->vertex_count);
  return *values != NULL;
}

static uint8_t to_byte(float value) { return (uint8_t)(value > 0 ? value < 1 ? value * 255 + 0.5f : 255 : 0); }

/* Three or four components. */
static bool read_colors(gltf_primitive *p) {
  gltf *g = p->g;
  raw_mesh *mesh = p->mesh;
  const char *type =
      gltf_text(gltf_item(&g->accessors, gltf_index(p->attributes, "COLOR_0", g->accessors.count)), "type");
  size_t width = type && strcmp(type, "VEC3") == 0 ? 3 : 4;
  float *values;
  if (!gltf_attribute(p, "COLOR_0", (int)width, &values)) return false;
  if (!values) return true;
  mesh->colors = raw_alloc(g->raw, (size_t)mesh->vertex_count, 4);
  for (size_t v = 0; mesh->colors && v < (size_t)mesh->vertex_count; v++)
    for (size_t k = 0; k < 4; k++) mesh->colors[4 * v + k] = k < width ? to_byte(values[v * width + k]) : 255;
  return mesh->colors != NULL;
}

/* Tangents without normals must be ignored. */
static bool read_vertices(gltf_primitive *p) {
  raw_mesh *mesh = p->mesh;
  if (!gltf_attribute(p, "POSITION", 3, &mesh->positions) || !gltf_attribute(p, "NORMAL", 3, &mesh->normals))
    return false;
  if (!mesh->positions) mesh->vertex_count = mesh->index_count = 0;
  if (!mesh->positions || p->g->clips_only) return true;
  if (!mesh->normals && !flat_normals(p->g->raw, mesh)) return false;
  return (!p->has_normals || gltf_attribute(p, "TANGENT", 4, &mesh->tangents)) &&
         gltf_attribute(p, "TEXCOORD_0", 2, &mesh->uvs) && gltf_attribute(p, "TEXCOORD_1", 2, &mesh->uvs2) &&
         read_colors(p);
}

/* ---- primitives ---- */

/* `first`: the raw mesh that a primitive became first, as 1 + its index. `like`: the same by the primitive's own text,
 * because some exporters write a mesh once for each of its nodes. */
typedef struct mesh_reader {
  gltf *g;
  int **first;
  hash_index like;
  int other_modes;
} mesh_reader;

static uint64_t hash_json(uint64_t hash, const cJSON *json) {
  const char *texts[] = {json->string ? json->string : "", json->valuestring ? json->valuestring : ""};
  for (int i = 0; i < 2; i++) hash = fnv_add(hash, texts[i], strlen(texts[i]) + 1);
  hash = fnv_add(fnv_add(hash, &json->type, sizeof json->type), &json->valuedouble, sizeof json->valuedouble);
  for (const cJSON *child = json->child; child; child = child->next) hash = hash_json(hash, child);
  return fnv_add(hash, "", 1);
}

/* Targets have their names in the mesh. */
static int find_like(const mesh_reader *r, const cJSON *primitive) {
  if (gltf_member(primitive, "targets")) return 0;
  return 1 + hash_index_find(&r->like, hash_json(FNV_BEGIN, primitive));
}

static void remember_like(mesh_reader *r, const cJSON *primitive, int index) {
  if (!gltf_member(primitive, "targets")) hash_index_set(&r->like, hash_json(FNV_BEGIN, primitive), index);
}

static bool count_vertices(gltf_primitive *p) {
  gltf *g = p->g;
  gltf_elements positions, normals;
  if (p->draco) {
    p->file_count = draco_vertex_count(p->draco);
    p->has_normals = gltf_member(p->draco_ids, "NORMAL") != NULL;
    return true;
  }
  if (!gltf_accessor(g, gltf_index(p->attributes, "POSITION", g->accessors.count), &positions) ||
      !gltf_accessor(g, gltf_index(p->attributes, "NORMAL", g->accessors.count), &normals))
    return false;
  p->file_count = positions.width == 3 ? positions.count : 0;
  p->has_normals = normals.width == 3 && normals.count >= p->file_count;
  return true;
}

/* Without the compressed data, or if it is broken, the accessors' own data is used. */
static bool open_draco(gltf_primitive *p) {
  gltf *g = p->g;
  const cJSON *json = gltf_extension(p->json, "KHR_draco_mesh_compression");
  gltf_bytes bytes = gltf_view(g, gltf_index(json, "bufferView", g->views.count));
  if (!json) return true;
  if (bytes.data) p->draco = draco_open(bytes.data, bytes.size);
  if (p->draco) p->draco_ids = gltf_member(json, "attributes");
  return p->draco || raw_note(g->raw, "mesh '%s': its Draco data are broken", p->mesh->name);
}

static bool fill_mesh(gltf_primitive *p, const cJSON *mesh, const cJSON *skin) {
  uint32_t *corners;
  int count;
  if (!open_draco(p) || !count_vertices(p)) return false;
  if (p->file_count == 0) return raw_note(p->g->raw, "mesh '%s': a part without positions is not shown", p->mesh->name);
  if (!gltf_read_corners(p, &corners, &count)) return false;
  if (count == 0) return true;
  return gltf_choose_vertices(p, corners, count) && read_vertices(p) && (!skin || gltf_read_skin(p, skin)) &&
         gltf_read_morphs(p, mesh);
}

/* Shares the arrays, but has its own bones, if the first mesh has as many. */
static bool copy_mesh(gltf *g, raw_mesh *mesh, int first, const cJSON *skin, bool *copied) {
  const raw_mesh *from = g->raw->meshes + first;
  *copied = false;
  if (skin && !gltf_read_joints(g, skin, mesh)) return false;
  if (mesh->bone_count != from->bone_count) return true;
  mesh->is_copy = *copied = true;
  mesh->copy_of = first;
  mesh->morphs = raw_alloc(g->raw, (size_t)from->morph_count, sizeof *mesh->morphs);
  if (mesh->morphs) raw_follow(g->raw, mesh);
  return mesh->morphs != NULL;
}

static bool read_primitive(mesh_reader *r, int index, const cJSON *json, int *first, int node) {
  gltf *g = r->g;
  raw_model *raw = g->raw;
  const cJSON *from = g->meshes.items[index], *file_node = g->nodes.items[raw->nodes[node].file_number];
  const cJSON *skin = gltf_item(&g->skins, gltf_index(file_node, "skin", g->skins.count));
  raw_mesh made = {.name = gltf_name(g, from), .node = node, .material = -1};
  gltf_primitive p = {.g = g, .json = json, .attributes = gltf_member(json, "attributes"), .mesh = &made};
  bool copied = false;
  if (!made.name) return false;
  if (skin && !gltf_member(p.attributes, "JOINTS_0")) skin = NULL;
  made.material = gltf_index(json, "material", g->materials.count);
  if (!*first) *first = find_like(r, json);
  if (*first && !copy_mesh(g, &made, *first - 1, skin, &copied)) return false;
  if (!copied) made.bone_count = 0;
  bool filled = copied || fill_mesh(&p, from, skin);
  draco_close(p.draco);
  if (!filled) return false;
  if (made.vertex_count == 0) return true;
  gltf_read_morph_weights(from, file_node, &made);
  raw_mesh *mesh = raw_grow(raw, (void **)&raw->meshes, &raw->mesh_count, &raw->mesh_capacity, sizeof *raw->meshes);
  if (!mesh) return false;
  *mesh = made;
  if (*first) return true;
  *first = raw->mesh_count;
  remember_like(r, json, raw->mesh_count - 1);
  return true;
}

static bool is_drawn(const cJSON *primitive) {
  const cJSON *mode = gltf_member(primitive, "mode");
  return !mode || (cJSON_IsNumber(mode) && mode->valuedouble >= 4 && mode->valuedouble <= 6);
}

static bool read_mesh(mesh_reader *r, int index, int node) {
  const cJSON *primitives = gltf_member(gltf_item(&r->g->meshes, index), "primitives"), *primitive;
  int i = 0;
  if (!r->first[index])
    r->first[index] = raw_alloc(r->g->raw, (size_t)cJSON_GetArraySize(primitives), sizeof **r->first);
  if (!r->first[index]) return false;
  cJSON_ArrayForEach(primitive, primitives) {
    if (!is_drawn(primitive)) r->other_modes++;
    else if (!read_primitive(r, index, primitive, r->first[index] + i, node)) return false;
    i++;
  }
  return true;
}

/* In a clip file's meshes, only the morph targets matter. */
static bool has_morphs(const gltf *g) {
  for (int m = 0; m < g->meshes.count; m++) {
    const cJSON *primitive;
    cJSON_ArrayForEach(primitive, gltf_member(g->meshes.items[m], "primitives")) {
      if (cJSON_GetArraySize(gltf_member(primitive, "targets")) > 0) return true;
    }
  }
  return false;
}

bool gltf_read_meshes(gltf *g) {
  mesh_reader r = {.g = g, .first = raw_alloc(g->raw, (size_t)g->meshes.count, sizeof *r.first)};
  if (!r.first) return false;
  if (g->clips_only && !has_morphs(g)) return true;
  bool read = true;
  for (int i = 0; i < g->raw->node_count && read; i++) {
    const cJSON *node = g->nodes.items[g->raw->nodes[i].file_number];
    int mesh = gltf_index(node, "mesh", g->meshes.count);
    bool is_shown = gltf_has_instances(node) == g->raw->nodes[i].helper;
    if (mesh >= 0 && is_shown) read = read_mesh(&r, mesh, i);
  }
  hash_index_release(&r.like);
  return read && (!r.other_modes || g->clips_only ||
                  raw_note_count(g->raw, r.other_modes,
                                 "points and lines are not drawn: %d {part of a mesh|parts of meshes} left out",
                                 r.other_modes));
}
