/* Reads each primitive once for every node that has it; nodes with the same mesh share its arrays. */
#include "import/source/gltf/geometry/gltf_mesh.h"

#include "base/error.h"
#include "import/raw/normals.h"

#include <stdio.h>
#include <string.h>

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

bool gltf_attribute(gltf_primitive *p, const char *name, int width, float **values) {
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

bool gltf_integer_attribute(gltf_primitive *p, const char *name, int width, uint32_t **values) {
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

/* The raw mesh that a primitive became first, as 1 + its index: without a skin, and with one. */
typedef struct mesh_reader {
  gltf *g;
  int **first;
  int other_modes;
} mesh_reader;

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
  if (!*first) *first = raw->mesh_count;
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
  for (int i = 0; i < g->raw->node_count; i++) {
    const cJSON *node = g->nodes.items[g->raw->nodes[i].file_number];
    int mesh = gltf_index(node, "mesh", g->meshes.count);
    bool is_shown = gltf_has_instances(node) == g->raw->nodes[i].helper;
    if (mesh >= 0 && is_shown && !read_mesh(&r, mesh, i)) return false;
  }
  return !r.other_modes || g->clips_only ||
         raw_note_count(g->raw, r.other_modes,
                        "points and lines are not drawn: %d {part of a mesh|parts of meshes} left out", r.other_modes);
}
