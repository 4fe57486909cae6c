#include "import/source/gltf/gltf_file.h"

#include "model/names/humanoid.h"

#include <string.h>

/* ---- parts of a body ---- */

/* The names in both versions, which differ for the thumb's joints; in pairs, "left" or "right" comes first. */
static const struct {
  const char *name;
  uint8_t part;
} middle[] = {{"hips", PART_HIPS}, {"spine", PART_SPINE}, {"chest", PART_SPINE + 1}, {"upperChest", PART_SPINE + 2},
              {"neck", PART_NECK}, {"head", PART_HEAD}},
  sides[] = {{"Shoulder", LIMB_CLAVICLE}, {"UpperArm", LIMB_UPPER_ARM}, {"LowerArm", LIMB_FOREARM},
             {"Hand", LIMB_HAND},         {"UpperLeg", LIMB_THIGH},     {"LowerLeg", LIMB_SHIN},
             {"Foot", LIMB_FOOT},         {"Toes", LIMB_TOES}};

static uint8_t read_finger(const char *name, bool is_version_0) {
  static const char *const fingers[] = {"Thumb", "Index", "Middle", "Ring", "Little"};
  static const char *const segments[] = {"Proximal", "Intermediate", "Distal"};
  static const char *const thumb[] = {"Metacarpal", "Proximal", "Distal"};
  for (int f = 0; f < HUMANOID_FINGERS; f++) {
    size_t length = strlen(fingers[f]);
    const char *const *words = f == 0 && !is_version_0 ? thumb : segments;
    if (strncmp(name, fingers[f], length) != 0) continue;
    for (int s = 0; s < 3; s++)
      if (strcmp(name + length, words[s]) == 0) return (uint8_t)(PART_FINGER + f * HUMANOID_SEGMENTS + s);
  }
  return PART_NONE;
}

static uint8_t read_part(const char *name, bool is_version_0) {
  for (size_t i = 0; i < sizeof middle / sizeof *middle; i++)
    if (strcmp(name, middle[i].name) == 0) return middle[i].part;
  bool left = strncmp(name, "left", 4) == 0, right = strncmp(name, "right", 5) == 0;
  if (!left && !right) return PART_NONE;
  name += left ? 4 : 5;
  for (size_t i = 0; i < sizeof sides / sizeof *sides; i++)
    if (strcmp(name, sides[i].name) == 0) return (uint8_t)(PART_LIMB + right * LIMB_COUNT + sides[i].part);
  uint8_t finger = read_finger(name, is_version_0);
  return finger && right ? (uint8_t)(finger + HUMANOID_FINGERS * HUMANOID_SEGMENTS) : finger;
}

static void set_part(gltf *g, const cJSON *bone, const char *name, bool is_version_0) {
  int file = gltf_index(bone, "node", g->nodes.count), node = file < 0 ? -1 : g->node_of[file];
  if (node >= 0 && name) g->raw->nodes[node].part = read_part(name, is_version_0);
}

/* ---- versions ---- */

static const cJSON *version_0(const gltf *g) { return gltf_extension(g->root, "VRM"); }
static const cJSON *version_1(const gltf *g) { return gltf_extension(g->root, "VRMC_vrm"); }

static bool note_unread(gltf *g) {
  const cJSON *springs = gltf_member(gltf_member(version_0(g), "secondaryAnimation"), "boneGroups");
  return (cJSON_GetArraySize(springs) == 0 || raw_note(g->raw, "spring bones of VRM are not read: hair and cloth "
                                                               "stay stiff unless a spring modifier moves "
                                                               "them")) &&
         raw_note(g->raw, "VRM: eyes that look, first person, and toon "
                          "materials are not read");
}

bool gltf_read_vrm_body(gltf *g) {
  const cJSON *bone;
  cJSON_ArrayForEach(bone, gltf_member(gltf_member(version_0(g), "humanoid"), "humanBones"))
      set_part(g, bone, gltf_text(bone, "bone"), true);
  cJSON_ArrayForEach(bone, gltf_member(gltf_member(version_1(g), "humanoid"), "humanBones"))
      set_part(g, bone, bone->string, false);
  if (!version_0(g) && !version_1(g)) return true;
  /* Half a turn about y. */
  if (!version_1(g)) g->raw->conversion = (sinew_mat3x4){{-1, 0, 0, 0, 0, 1, 0, 0, 0, 0, -1, 0}};
  return g->clips_only || note_unread(g);
}

/* ---- expressions ---- */

typedef struct expression {
  gltf *g;
  const char *name;
  const cJSON *binds;
  bool is_version_0; /* binds refer to meshes, with weights of 0 … 100; else to nodes, with 0 … 1 */
} expression;

/* The data collected for a raw mesh. */
typedef struct gathered {
  int targets;       /* of the file */
  int shown;         /* the index to which binds refer: the file's mesh (VRM 0), or its node */
  const cJSON *last; /* the bind added last, because one bind may match several copies of a mesh */
  raw_morph morph;
} gathered;

static void add_scaled(float *to, const float *from, float weight, size_t count) {
  for (size_t i = 0; i < count; i++) to[i] += weight * from[i];
}

/* False when memory runs out. */
static bool add_shape(const expression *e, const cJSON *bind, int mesh, gathered *sum) {
  const raw_mesh *from = e->g->raw->meshes + mesh;
  int index = gltf_index(bind, "index", sum->targets);
  size_t count = (size_t)from->vertex_count * 3;
  float weight = gltf_number(bind, "weight", 0) * (e->is_version_0 ? 0.01f : 1);
  if (index < 0 || sum->last == bind) return true;
  const raw_morph *shape = from->morphs + index;
  sum->last = bind;
  if (!sum->morph.positions) sum->morph.positions = gltf_zeros(e->g, count);
  if (!sum->morph.normals && shape->normals) sum->morph.normals = gltf_zeros(e->g, count);
  if (!sum->morph.positions || (shape->normals && !sum->morph.normals)) return false;
  add_scaled(sum->morph.positions, shape->positions, weight, count);
  if (shape->normals) add_scaled(sum->morph.normals, shape->normals, weight, count);
  return true;
}

/* Adds it to every mesh that the bind refers to, and to those that share its arrays. */
static bool add_bind(const expression *e, const cJSON *bind, gathered *sums) {
  const raw_model *raw = e->g->raw;
  int named = gltf_index(bind, e->is_version_0 ? "mesh" : "node", INT32_MAX);
  for (int m = 0; named >= 0 && m < raw->mesh_count; m++) {
    int owner = raw->meshes[m].is_copy ? raw->meshes[m].copy_of : m;
    if (sums[m].shown == named && !add_shape(e, bind, owner, sums + owner)) return false;
  }
  return true;
}

static bool has_morph(const raw_mesh *mesh, const char *name) {
  for (int i = 0; i < mesh->morph_count; i++)
    if (strcmp(mesh->morphs[i].name, name) == 0) return true;
  return false;
}

static bool append_morph(raw_model *raw, raw_mesh *mesh, raw_morph morph) {
  raw_morph *morphs = raw_alloc(raw, (size_t)mesh->morph_count + 1, sizeof *morphs);
  if (!morphs) return false;
  memcpy(morphs, mesh->morphs, (size_t)mesh->morph_count * sizeof *morphs);
  morphs[mesh->morph_count++] = morph;
  mesh->morphs = morphs;
  return true;
}

/* A target in the file that already has the expression's name takes precedence. */
static bool add_expression(const expression *e, gathered *sums) {
  raw_model *raw = e->g->raw;
  const cJSON *bind;
  cJSON_ArrayForEach(bind, e->binds) {
    if (!add_bind(e, bind, sums)) return false;
  }
  for (int m = 0; m < raw->mesh_count; m++) {
    raw_morph morph = sums[m].morph;
    sums[m].morph = (raw_morph){0};
    if (!morph.positions || has_morph(raw->meshes + m, e->name)) continue;
    morph.name = e->name;
    if (!append_morph(raw, raw->meshes + m, morph)) return false;
  }
  return true;
}

static bool read_group(gltf *g, const cJSON *group, gathered *sums) {
  const char *name = gltf_text(group, "name"), *preset = gltf_text(group, "presetName");
  if (!name || !name[0]) name = preset ? preset : "";
  expression e = {g, raw_string(g->raw, name), gltf_member(group, "binds"), true};
  return e.name && (!name[0] || add_expression(&e, sums));
}

static bool read_expressions(gltf *g, const cJSON *list, gathered *sums) {
  const cJSON *item;
  cJSON_ArrayForEach(item, list) {
    expression e = {g, raw_string(g->raw, item->string ? item->string : ""), gltf_member(item, "morphTargetBinds"),
                    false};
    if (!e.name || !add_expression(&e, sums)) return false;
  }
  return true;
}

/* Meshes that share this mesh's arrays also get its new targets. */
static bool follow_copies(raw_model *raw) {
  for (int m = 0; m < raw->mesh_count; m++) {
    raw_mesh *mesh = raw->meshes + m;
    int count = mesh->is_copy ? raw->meshes[mesh->copy_of].morph_count : 0;
    while (mesh->morph_count < count)
      if (!append_morph(raw, mesh, (raw_morph){0})) return false;
    if (mesh->is_copy) raw_follow(raw, mesh);
  }
  return true;
}

static void open_sum(const gltf *g, int mesh, gathered *sum) {
  int node = g->raw->nodes[g->raw->meshes[mesh].node].file_number;
  sum->targets = g->raw->meshes[mesh].morph_count;
  sum->shown = version_1(g) ? node : gltf_index(g->nodes.items[node], "mesh", g->meshes.count);
}

bool gltf_read_vrm_expressions(gltf *g) {
  raw_model *raw = g->raw;
  const cJSON *group, *expressions = gltf_member(version_1(g), "expressions");
  const cJSON *groups = gltf_member(gltf_member(version_0(g), "blendShapeMaster"), "blendShapeGroups");
  gathered *sums = raw_alloc(raw, (size_t)raw->mesh_count, sizeof *sums);
  if (!sums) return false;
  if (g->clips_only || (!version_0(g) && !version_1(g))) return true;
  for (int m = 0; m < raw->mesh_count; m++) open_sum(g, m, sums + m);
  if (version_1(g)) groups = NULL;
  cJSON_ArrayForEach(group, groups) {
    if (!read_group(g, group, sums)) return false;
  }
  return read_expressions(g, gltf_member(expressions, "preset"), sums) &&
         read_expressions(g, gltf_member(expressions, "custom"), sums) && follow_copies(raw);
}
