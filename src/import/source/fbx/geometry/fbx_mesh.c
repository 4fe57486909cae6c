#include "import/source/fbx/geometry/fbx_mesh.h"

#include "base/error.h"
#include "base/memory/memory.h"
#include "import/raw/weld.h"
#include "import/source/fbx/objects/fbx_pivots.h"

#include <math.h>
#include <string.h>

/* Skins. A vertex is Σ weight · bone's world · Transform · vertex, where Transform = (bone's world at binding)⁻¹ ·
 * mesh's world at binding; the geometric transform is already in the vertices. */

/* Reads a matrix of 16 numbers, column by column, as rows; false if it is missing or zero. */
static bool read_matrix(fbx_scene *scene, const fbx_record *record, double m[12], bool *found) {
  double *numbers;
  size_t count;
  *found = false;
  if (!fbx_doubles(scene->file, record, &numbers, &count)) return false;
  for (int r = 0; count >= 16 && r < 3; r++)
    for (int c = 0; c < 4; c++) {
      m[4 * r + c] = numbers[4 * c + r];
      *found |= m[4 * r + c] != 0;
    }
  mem_free(numbers);
  return true;
}

static void rest_world(const raw_model *raw, int node, double m[12]) {
  static const double identity[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
  memcpy(m, identity, sizeof identity);
  for (; node >= 0; node = raw->nodes[node].parent) {
    double local[12];
    for (int k = 0; k < 12; k++) local[k] = (double)raw->nodes[node].local.m[k];
    fbx_matrix_multiply(local, m, m);
  }
}

/* Without Transform, TransformLink is the bone's world at binding; without either, that is its rest. */
static bool read_inverse_bind(fbx_scene *scene, const fbx_object *cluster, int node, int mesh_node, sinew_mat3x4 *out) {
  double m[12], bone[12], mesh[12];
  bool found, linked;
  if (!read_matrix(scene, fbx_child(cluster->record, "Transform"), m, &found) ||
      !read_matrix(scene, fbx_child(cluster->record, "TransformLink"), bone, &linked))
    return false;
  if (!found) {
    rest_world(scene->raw, mesh_node, mesh);
    if (!linked) rest_world(scene->raw, node, bone);
    fbx_matrix_inverse(bone, bone);
    fbx_matrix_multiply(bone, mesh, m);
  }
  *out = fbx_to_mat3x4(m);
  return true;
}

static size_t count_spread(const fbx_spread *spread, const int32_t *indices, size_t count) {
  size_t total = 0;
  for (size_t i = 0; i < count; i++)
    if (indices[i] >= 0 && (size_t)indices[i] < spread->point_count)
      total += spread->first[indices[i] + 1] - spread->first[indices[i]];
  return total;
}

/* A point listed twice in one cluster counts twice, as in FBX. */
static bool fill_weights(raw_model *raw, const fbx_spread *spread, const int32_t *indices, const double *weights,
                         size_t count, raw_bone *bone) {
  size_t total = count_spread(spread, indices, count);
  bone->weights = total <= INT32_MAX ? raw_alloc(raw, total, sizeof *bone->weights) : NULL;
  for (size_t i = 0; bone->weights && i < count; i++) {
    if (indices[i] < 0 || (size_t)indices[i] >= spread->point_count) continue;
    for (uint32_t k = spread->first[indices[i]]; k < spread->first[indices[i] + 1]; k++)
      bone->weights[bone->weight_count++] = (raw_weight){spread->vertices[k], (float)weights[i]};
  }
  return bone->weights != NULL;
}

static bool read_cluster(fbx_scene *scene, const fbx_object *cluster, int node, int mesh_node, const fbx_spread *spread,
                         raw_bone *bone) {
  int32_t *indices = NULL;
  double *weights = NULL;
  size_t index_count, weight_count;
  bone->node = node;
  bool read = fbx_int32s(scene->file, fbx_child(cluster->record, "Indexes"), &indices, &index_count) &&
              fbx_doubles(scene->file, fbx_child(cluster->record, "Weights"), &weights, &weight_count) &&
              fill_weights(scene->raw, spread, indices, weights,
                           index_count < weight_count ? index_count : weight_count, bone) &&
              read_inverse_bind(scene, cluster, node, mesh_node, &bone->inverse_bind);
  mem_free(indices);
  mem_free(weights);
  return read;
}

static bool read_clusters(fbx_scene *scene, const fbx_object *skin, raw_mesh *mesh, const fbx_spread *spread,
                          int *boneless) {
  const fbx_object *cluster;
  mesh->bones = raw_alloc(scene->raw, (size_t)skin->child_count, sizeof *mesh->bones);
  if (!mesh->bones) return false;
  for (int cursor = 0; (cluster = fbx_next_child(scene, skin, FBX_CLUSTER, &cursor, NULL));) {
    const fbx_object *bone = fbx_first_child(scene, cluster, FBX_MODEL);
    int node = bone ? bone->node : -1;
    if (node < 0 && !cluster->of_root) {
      ++*boneless;
      continue;
    }
    if (!read_cluster(scene, cluster, node, mesh->node, spread, mesh->bones + mesh->bone_count)) return false;
    if (node >= 0) scene->raw->nodes[node].is_joint = true;
    mesh->bone_count++;
  }
  return true;
}

static bool has_total(const fbx_scene *scene, const fbx_object *skin) {
  const fbx_object *cluster;
  for (int cursor = 0; (cluster = fbx_next_child(scene, skin, FBX_CLUSTER, &cursor, NULL));)
    if (fbx_says(fbx_child(cluster->record, "Mode"), 0, "Total1")) return true;
  return false;
}

/* Link mode Normalize divides by the sum of weights. Total1 does not: in Autodesk's sample ViewScene, the remainder of
 * such a vertex stays with its mesh. Both agree if weights add up to 1. */
static bool note_totals(fbx_scene *scene, const fbx_object *skin, const raw_mesh *mesh) {
  static const double same = 1e-3;
  int off = 0;
  if (!has_total(scene, skin)) return true;
  double *totals = fbx_take(scene->file, (size_t)mesh->vertex_count, sizeof *totals);
  if (!totals) return false;
  for (int b = 0; b < mesh->bone_count; b++)
    for (int i = 0; i < mesh->bones[b].weight_count; i++)
      totals[mesh->bones[b].weights[i].vertex] += (double)mesh->bones[b].weights[i].weight;
  for (int v = 0; v < mesh->vertex_count; v++) off += !(fabs(totals[v] - 1) <= same);
  return off == 0 ||
         raw_note_count(
             scene->raw, off,
             "mesh '%s': the weights of %d {vertex|vertices} do not add up to 1: normalised, although link mode "
             "Total1 would leave the rest with the mesh",
             mesh->name, off);
}

/* fbx_mesh.c: turns the clusters of a geometry's skin into bones of raw mesh `mesh`. */
/* Before 7.0 the skin may be connected to the model. */
static bool fbx_read_skin(fbx_scene *scene, const fbx_object *model, const fbx_object *geometry, int index,
                          const fbx_spread *spread) {
  const fbx_object *skin = fbx_first_child(scene, geometry, FBX_SKIN);
  if (!skin) skin = fbx_first_child(scene, model, FBX_SKIN);
  int boneless = 0;
  if (!skin) return true;
  raw_mesh *mesh = scene->raw->meshes + index;
  if (!read_clusters(scene, skin, mesh, spread, &boneless) || !note_totals(scene, skin, mesh)) return false;
  return boneless == 0 || raw_note_count(scene->raw, boneless,
                                         "mesh '%s': %d {cluster of weights dropped: no node is its|clusters of "
                                         "weights dropped: no node is their} joint",
                                         mesh->name, boneless);
}

/* ---- a geometry ---- */

typedef struct mesh_instance {
  const fbx_object *model;
  double geometric[12]; /* moves the mesh, but not the children of its node */
  bool moved;
  int slot, slot_count, material;
  int mesh; /* the raw mesh made from it */
} mesh_instance;

typedef struct mesh_source {
  fbx_scene *scene;
  const fbx_object *geometry;
  double *positions; /* of control points */
  fbx_polygons polygons;
  fbx_element normals, uvs, colors, materials, tangents, binormals;
  double *made_normals;     /* by corner, if the file has none */
  mesh_instance *instances; /* where it was shown before */
  int instance_count, instance_capacity;
} mesh_source;

static void close_source(mesh_source *g) {
  fbx_element *all[] = {&g->normals, &g->uvs, &g->colors, &g->materials, &g->tangents, &g->binormals};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) fbx_element_free(all[i]);
  fbx_polygons_free(&g->polygons);
  mem_free(g->positions);
  mem_free(g->made_normals);
}

/* Before 6.0, normals are plain numbers: per corner if there are as many, else per control point. */
static bool read_plain_normals(mesh_source *g, const fbx_record *r) {
  size_t count;
  if (g->normals.values || !fbx_child(r, "Normals")) return true;
  if (!fbx_floats(g->scene->file, fbx_child(r, "Normals"), &g->normals.values, &count)) return false;
  g->normals.value_count = count / 3;
  g->normals.mapping = g->normals.value_count == g->polygons.point_count ? FBX_BY_POINT : FBX_BY_CORNER;
  return true;
}

static bool read_plain_uvs(mesh_source *g, const fbx_record *r) {
  const fbx_record *info = fbx_child(r, "GeometryUVInfo");
  size_t count;
  if (g->uvs.values || !info) return true;
  if (!fbx_floats(g->scene->file, fbx_child(info, "TextureUV"), &g->uvs.values, &count) ||
      !fbx_int32s(g->scene->file, fbx_child(info, "TextureUVVerticeIndex"), &g->uvs.indices, &g->uvs.index_count))
    return false;
  g->uvs.value_count = count / 2;
  g->uvs.mapping = fbx_says(fbx_child(info, "MappingInformationType"), 0, "ByPolygon") ? FBX_BY_CORNER : FBX_BY_POINT;
  if (g->uvs.index_count == g->polygons.corner_count || g->uvs.value_count == g->polygons.corner_count)
    g->uvs.mapping = FBX_BY_CORNER;
  return true;
}

static bool read_elements(mesh_source *g) {
  fbx_scene *s = g->scene;
  const fbx_record *r = g->geometry->record;
  const fbx_polygons *p = &g->polygons;
  return fbx_element_read(s, r, "LayerElementNormal", "Normals", "NormalsIndex", 3, p, &g->normals) &&
         read_plain_normals(g, r) && fbx_element_read(s, r, "LayerElementUV", "UV", "UVIndex", 2, p, &g->uvs) &&
         read_plain_uvs(g, r) &&
         fbx_element_read(s, r, "LayerElementColor", "Colors", "ColorIndex", 4, p, &g->colors) &&
         fbx_element_read(s, r, "LayerElementTangent", "Tangents", "TangentsIndex", 3, p, &g->tangents) &&
         fbx_element_read(s, r, "LayerElementBinormal", "Binormals", "BinormalsIndex", 3, p, &g->binormals) &&
         fbx_element_read(s, r, "LayerElementMaterial", "Materials", "MaterialsIndex", 1, p, &g->materials);
}

static bool open_source(mesh_source *g, fbx_scene *scene, const fbx_object *geometry) {
  size_t count;
  *g = (mesh_source){.scene = scene, .geometry = geometry};
  if (!fbx_doubles(scene->file, fbx_child(geometry->record, "Vertices"), &g->positions, &count)) return false;
  if (!fbx_polygons_read(scene, geometry->record, count / 3, &g->polygons) || !read_elements(g)) return false;
  if (g->normals.value_count || g->polygons.count == 0) return true;
  g->made_normals = fbx_make_normals(scene, geometry->record, &g->polygons, g->positions);
  return g->made_normals != NULL;
}

/* ---- vertices ---- */

/* Everything that distinguishes a vertex; compared as bytes. */
typedef struct vertex {
  uint32_t point;
  float normal[3], uv[2], tangent[4];
  uint8_t color[4];
} vertex;

static uint8_t to_byte(double value) { return (uint8_t)(value > 0 ? value < 1 ? value * 255 + 0.5 : 255 : 0); }

static void read_tangent(const mesh_source *g, size_t polygon, size_t corner, vertex *v) {
  const float *t = fbx_element_at(&g->tangents, &g->polygons, polygon, corner);
  const float *b = fbx_element_at(&g->binormals, &g->polygons, polygon, corner);
  const float *n = v->normal;
  double side = 0;
  for (int k = 0; t && k < 3; k++) v->tangent[k] = t[k];
  for (int k = 0; t && b && k < 3; k++) {
    int i = (k + 1) % 3, j = (k + 2) % 3;
    side += ((double)n[i] * (double)t[j] - (double)n[j] * (double)t[i]) * (double)b[k];
  }
  v->tangent[3] = side < 0 ? -1.0f : 1.0f;
}

static vertex vertex_at(const mesh_source *g, size_t polygon, size_t corner) {
  const fbx_polygons *p = &g->polygons;
  vertex v;
  memset(&v, 0, sizeof v);
  v.point = (uint32_t)p->points[corner];
  const float *normal = fbx_element_at(&g->normals, p, polygon, corner),
              *uv = fbx_element_at(&g->uvs, p, polygon, corner),
              *color = fbx_element_at(&g->colors, p, polygon, corner);
  const double *made = g->made_normals ? g->made_normals + 3 * corner : NULL;
  for (int k = 0; k < 3; k++) v.normal[k] = made ? (float)made[k] : normal ? normal[k] : 0;
  if (uv) v.uv[0] = uv[0], v.uv[1] = 1 - uv[1];
  for (int k = 0; k < 4; k++) v.color[k] = color ? to_byte((double)color[k]) : 255;
  if (g->tangents.value_count) read_tangent(g, polygon, corner, &v);
  return v;
}

/* The vertices of one material, without duplicates. */
typedef struct welder {
  vertex *vertices;
  uint32_t *slots; /* open addressing: vertex + 1 */
  size_t mask, count;
  uint32_t *indices;
  size_t index_count;
} welder;

static size_t hash_vertex(const vertex *v) {
  uint32_t words[sizeof *v / 4];
  uint64_t hash = 0xcbf29ce484222325u;
  memcpy(words, v, sizeof words);
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    hash = (hash ^ words[i]) * 0x9e3779b97f4a7c15u, hash ^= hash >> 29;
  return (size_t)hash;
}

static uint32_t weld(welder *w, const vertex *v) {
  for (size_t slot = hash_vertex(v) & w->mask;; slot = (slot + 1) & w->mask) {
    if (w->slots[slot] == 0) {
      w->vertices[w->count] = *v;
      w->slots[slot] = (uint32_t)++w->count;
      return (uint32_t)w->count - 1;
    }
    if (memcmp(w->vertices + w->slots[slot] - 1, v, sizeof *v) == 0) return w->slots[slot] - 1;
  }
}

static void close_welder(welder *w) {
  mem_free(w->vertices);
  mem_free(w->slots);
  mem_free(w->indices);
}

static bool open_welder(welder *w, size_t corners, size_t triangles) {
  size_t slots = 16;
  while (slots < corners * 2) slots *= 2;
  *w = (welder){.vertices = mem_alloc_array(corners + 1, sizeof *w->vertices),
                .slots = mem_alloc_array(slots, sizeof *w->slots),
                .mask = slots - 1,
                .indices = mem_alloc_array(3 * triangles + 1, sizeof *w->indices)};
  return w->vertices && w->slots && w->indices;
}

/* ---- the materials of polygons ---- */

/* The index among the model's materials, or -1. */
static int slot_of(const mesh_source *g, size_t polygon, int slot_count) {
  const float *value = fbx_element_at(&g->materials, &g->polygons, polygon, g->polygons.first[polygon]);
  double slot = value ? (double)*value : 0;
  return slot >= 0 && slot < slot_count ? (int)slot : slot_count > 0 && !value ? 0 : -1;
}

static void count_part(const mesh_source *g, int slot, int slot_count, size_t *corners, size_t *triangles) {
  *corners = *triangles = 0;
  for (size_t i = 0; i < g->polygons.count; i++) {
    if (!fbx_polygon_is_good(&g->polygons, i) || slot_of(g, i, slot_count) != slot) continue;
    size_t count = g->polygons.first[i + 1] - g->polygons.first[i];
    *corners += count;
    *triangles += count - 2;
  }
}

static void add_polygon(const mesh_source *g, size_t polygon, bool mirrored, welder *w) {
  size_t start = w->index_count, count = fbx_triangulate(&g->polygons, polygon, g->positions, w->indices + start);
  for (size_t i = 0; i < count; i++) {
    vertex v = vertex_at(g, polygon, w->indices[start + i]);
    w->indices[start + i] = weld(w, &v);
  }
  for (size_t i = 0; mirrored && i < count; i += 3) {
    uint32_t swapped = w->indices[start + i];
    w->indices[start + i] = w->indices[start + i + 1];
    w->indices[start + i + 1] = swapped;
  }
  w->index_count += count;
}

/* ---- one mesh ---- */

static double determinant(const double *m) {
  return m[0] * (m[5] * m[10] - m[6] * m[9]) - m[1] * (m[4] * m[10] - m[6] * m[8]) + m[2] * (m[4] * m[9] - m[5] * m[8]);
}

static void apply(const double *m, const double *v, double w, float *out) {
  for (int r = 0; r < 3; r++)
    out[r] = (float)(m[4 * r] * v[0] + m[4 * r + 1] * v[1] + m[4 * r + 2] * v[2] + w * m[4 * r + 3]);
}

/* Normals are transformed by the cofactors. */
static void turn_normal(const double *m, float *n) {
  double v[3] = {(double)n[0], (double)n[1], (double)n[2]}, c[12] = {0}, sign = determinant(m) < 0 ? -1 : 1;
  for (int r = 0; r < 3; r++)
    for (int k = 0; k < 3; k++) {
      int a = 4 * ((r + 1) % 3), b = 4 * ((r + 2) % 3), i = (k + 1) % 3, j = (k + 2) % 3;
      c[4 * r + k] = sign * (m[a + i] * m[b + j] - m[a + j] * m[b + i]);
    }
  apply(c, v, 0, n);
}

static bool fill_arrays(raw_model *raw, const mesh_source *g, const mesh_instance *instance, const welder *w,
                        raw_mesh *mesh) {
  static const double identity[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
  size_t count = w->count;
  mesh->positions = raw_alloc(raw, 3 * count, sizeof(float));
  mesh->normals = raw_alloc(raw, 3 * count, sizeof(float));
  if (g->uvs.value_count) mesh->uvs = raw_alloc(raw, 2 * count, sizeof(float));
  if (g->tangents.value_count) mesh->tangents = raw_alloc(raw, 4 * count, sizeof(float));
  if (g->colors.value_count) mesh->colors = raw_alloc(raw, count, 4);
  mesh->indices = raw_copy(raw, w->indices, w->index_count, sizeof *w->indices);
  if (!mesh->positions || !mesh->normals || !mesh->indices || (g->uvs.value_count && !mesh->uvs) ||
      (g->tangents.value_count && !mesh->tangents) || (g->colors.value_count && !mesh->colors))
    return false;
  const double *m = instance->moved ? instance->geometric : identity;
  for (size_t i = 0; i < count; i++) {
    const vertex *v = w->vertices + i;
    apply(m, g->positions + 3 * (size_t)v->point, 1, mesh->positions + 3 * i);
    memcpy(mesh->normals + 3 * i, v->normal, sizeof v->normal);
    if (instance->moved) turn_normal(m, mesh->normals + 3 * i);
    if (mesh->uvs) memcpy(mesh->uvs + 2 * i, v->uv, sizeof v->uv);
    if (mesh->colors) memcpy(mesh->colors + 4 * i, v->color, sizeof v->color);
    if (!mesh->tangents) continue;
    memcpy(mesh->tangents + 4 * i, v->tangent, sizeof v->tangent);
    double t[3] = {(double)v->tangent[0], (double)v->tangent[1], (double)v->tangent[2]};
    if (instance->moved) apply(m, t, 0, mesh->tangents + 4 * i);
  }
  return true;
}

/* Lists vertices by the control point that they came from: counts them, then fills in. */
static bool find_spread(const mesh_source *g, const welder *w, uint32_t **made, fbx_spread *spread) {
  size_t points = g->polygons.point_count;
  uint32_t *first = *made = mem_alloc_array(points + 2 + w->count, sizeof *first), *vertices = first + points + 2;
  if (!first) return error_memory(g->scene->raw->error, g->scene->raw->path, points * sizeof *first);
  for (size_t i = 0; i < w->count; i++) first[w->vertices[i].point + 2]++;
  for (size_t p = 0; p < points; p++) first[p + 2] += first[p + 1];
  for (size_t i = 0; i < w->count; i++) vertices[first[w->vertices[i].point + 1]++] = (uint32_t)i;
  *spread = (fbx_spread){first, vertices, points};
  return true;
}

static bool turn_normals_out(raw_model *raw, raw_mesh *mesh) {
  return !normals_point_out(mesh) ||
         raw_note(raw, "mesh '%s': its normals pointed inwards, and are turned round", mesh->name);
}

static bool finish_mesh(const mesh_source *g, const mesh_instance *instance, const welder *w, fbx_blends *blends) {
  fbx_scene *scene = g->scene;
  raw_model *raw = scene->raw;
  raw_mesh *mesh = raw_grow(raw, (void **)&raw->meshes, &raw->mesh_count, &raw->mesh_capacity, sizeof *raw->meshes);
  if (!mesh) return false;
  const char *name = g->geometry->name[0] ? g->geometry->name : instance->model->name;
  *mesh = (raw_mesh){.name = raw_string(raw, name),
                     .node = instance->model->node,
                     .welded = true,
                     .material = instance->material,
                     .vertex_count = (int)w->count,
                     .index_count = (int)w->index_count};
  if (!mesh->name || !fill_arrays(raw, g, instance, w, mesh)) return false;
  int index = raw->mesh_count - 1;
  uint32_t *made;
  fbx_spread spread;
  bool finished =
      find_spread(g, w, &made, &spread) && fbx_read_skin(scene, instance->model, g->geometry, index, &spread) &&
      fbx_read_shapes(scene, g->geometry, index, &spread, instance->moved ? instance->geometric : NULL, blends);
  mem_free(made);
  return finished && turn_normals_out(raw, raw->meshes + index);
}

/* An instance at another node with the same polygons, material and geometric transform. */
static const mesh_instance *find_same(const mesh_source *g, const mesh_instance *instance) {
  for (int i = 0; i < g->instance_count; i++) {
    const mesh_instance *p = g->instances + i;
    bool moved_alike =
        p->moved == instance->moved && memcmp(p->geometric, instance->geometric, sizeof p->geometric) == 0;
    if (moved_alike && p->slot == instance->slot && p->slot_count == instance->slot_count &&
        p->material == instance->material)
      return p;
  }
  return NULL;
}

static bool copy_mesh(const mesh_source *g, const mesh_instance *instance, int first, fbx_blends *blends) {
  fbx_scene *scene = g->scene;
  raw_model *raw = scene->raw;
  raw_mesh *mesh = raw_grow(raw, (void **)&raw->meshes, &raw->mesh_count, &raw->mesh_capacity, sizeof *raw->meshes);
  if (!mesh) return false;
  *mesh = raw->meshes[first];
  mesh->node = instance->model->node;
  mesh->is_copy = true;
  mesh->copy_of = first;
  if (!g->geometry->name[0]) mesh->name = raw_string(raw, instance->model->name);
  mesh->bones = raw_copy(raw, mesh->bones, (size_t)mesh->bone_count, sizeof *mesh->bones);
  mesh->morphs = raw_copy(raw, mesh->morphs, (size_t)mesh->morph_count, sizeof *mesh->morphs);
  if (!mesh->name || !mesh->bones || !mesh->morphs) return false;
  for (int i = 0, count = blends->count; i < count; i++) {
    if (blends->items[i].mesh != first) continue;
    fbx_blend_channel *kept =
        raw_grow(&scene->file->memory, (void **)&blends->items, &blends->count, &blends->capacity, sizeof *kept);
    if (!kept) return false;
    *kept = blends->items[i];
    kept->mesh = raw->mesh_count - 1;
  }
  return true;
}

static bool remember(mesh_source *g, const mesh_instance *instance) {
  mesh_instance *kept = raw_grow(&g->scene->file->memory, (void **)&g->instances, &g->instance_count,
                                 &g->instance_capacity, sizeof *kept);
  if (kept) *kept = *instance, kept->mesh = g->scene->raw->mesh_count - 1;
  return kept != NULL;
}

static bool read_part(mesh_source *g, const mesh_instance *instance, fbx_blends *blends) {
  const mesh_instance *same = find_same(g, instance);
  if (same) return copy_mesh(g, instance, same->mesh, blends);
  welder w;
  size_t corners, triangles;
  raw_model *raw = g->scene->raw;
  count_part(g, instance->slot, instance->slot_count, &corners, &triangles);
  if (triangles == 0) return true;
  if (triangles > INT32_MAX / 8) return error_set(raw->error, "%s: a mesh has too many polygons", raw->path);
  bool read = open_welder(&w, corners, triangles);
  if (!read) error_memory(raw->error, raw->path, corners * sizeof(vertex));
  bool mirrored = instance->moved && determinant(instance->geometric) < 0;
  for (size_t i = 0; read && i < g->polygons.count; i++)
    if (fbx_polygon_is_good(&g->polygons, i) && slot_of(g, i, instance->slot_count) == instance->slot)
      add_polygon(g, i, mirrored, &w);
  read = read && finish_mesh(g, instance, &w, blends) && remember(g, instance);
  close_welder(&w);
  return read;
}

/* ---- all ---- */

static bool read_shown(mesh_source *g, const fbx_object *model, const fbx_materials *materials, fbx_blends *blends) {
  fbx_scene *scene = g->scene;
  mesh_instance instance = {.model = model, .material = -1, .slot = -1};
  const fbx_object *material;
  instance.moved = fbx_geometric(model, instance.geometric);
  for (int cursor = 0; fbx_next_child(scene, model, FBX_MATERIAL, &cursor, NULL);) instance.slot_count++;
  if (!read_part(g, &instance, blends)) return false;
  for (int cursor = 0; (material = fbx_next_child(scene, model, FBX_MATERIAL, &cursor, NULL));) {
    instance.slot++;
    instance.material = materials->index[material - scene->objects] - 1;
    if (!read_part(g, &instance, blends)) return false;
  }
  return true;
}

static bool note_polygons(const mesh_source *g) {
  size_t dropped = 0;
  for (size_t i = 0; i < g->polygons.count; i++) dropped += !fbx_polygon_is_good(&g->polygons, i);
  return dropped == 0 ||
         raw_note(g->scene->raw,
                  "mesh '%s': %zu of %zu polygons dropped: lines, points, or with vertices that do not exist",
                  g->geometry->name, dropped, g->polygons.count);
}

static bool read_geometry(fbx_scene *scene, const fbx_object *geometry, const fbx_materials *materials,
                          fbx_blends *blends) {
  mesh_source g;
  bool read = open_source(&g, scene, geometry), shown = false;
  for (int i = 0; read && i < geometry->owner_count; i++) {
    const fbx_link *link = scene->links + scene->owners[geometry->first_owner + i];
    fbx_object *model = link->to < 0 ? NULL : scene->objects + link->to;
    if (!model || model->type != FBX_MODEL || model->node < 0) continue;
    int before = scene->raw->mesh_count;
    read = read_shown(&g, model, materials, blends);
    scene->raw->nodes[model->node].has_mesh |= scene->raw->mesh_count > before;
    shown = true;
  }
  read = read && (!shown || note_polygons(&g));
  close_source(&g);
  return read;
}

bool fbx_read_meshes(fbx_scene *scene, const fbx_materials *materials, fbx_blends *blends) {
  for (int i = 0; i < scene->object_count; i++)
    if (scene->objects[i].type == FBX_GEOMETRY && fbx_child(scene->objects[i].record, "Vertices") &&
        !read_geometry(scene, scene->objects + i, materials, blends))
      return false;
  return true;
}
