#include "import/source/fbx/objects/fbx_scene.h"

#include "base/memory/memory.h"

#include <string.h>

static bool fbx_read_legacy(fbx_scene *scene);
static bool fbx_link_legacy(fbx_scene *scene);
static bool fbx_add_nested_shapes(fbx_scene *scene);

/* "P: name, type, label, flags, value…" of 7.x, "Property: name, type, flags, value…" of 6.x, plain records of 5.x. */

const fbx_record *fbx_properties_of(const fbx_record *record) {
  const fbx_record *properties = fbx_child(record, "Properties70");
  return properties ? properties : fbx_child(record, "Properties60");
}

/* If several have the same name, the last one counts. */
const fbx_record *fbx_find_property(const fbx_record *properties, const char *name, uint32_t *first) {
  const fbx_record *found = NULL;
  for (const fbx_record *p = properties ? properties->child : NULL; p; p = p->next) {
    if (!fbx_says(p, 0, name)) continue;
    found = p;
    *first = fbx_is_named(p, "P") ? 4 : 3;
  }
  return found;
}

static const fbx_record *find(const fbx_object *object, const char *name, uint32_t *first, fbx_property_kind *kind) {
  const fbx_record *own = fbx_find_property(fbx_properties_of(object->record), name, first);
  *kind = FBX_OWN;
  if (!own && !fbx_properties_of(object->record)) {
    own = fbx_child(object->record, name);
    *first = 0;
  }
  if (own && own->value_count > *first) return own;
  *kind = FBX_TEMPLATE;
  own = fbx_find_property(object->template, name, first);
  if (own && own->value_count > *first) return own;
  *kind = FBX_ABSENT;
  return NULL;
}

double fbx_property(const fbx_object *object, const char *name, double otherwise) {
  uint32_t first = 0;
  fbx_property_kind kind;
  const fbx_record *found = find(object, name, &first, &kind);
  return fbx_number(found, first, otherwise);
}

fbx_property_kind fbx_property_vector(const fbx_object *object, const char *name, double out[3]) {
  uint32_t first = 0;
  fbx_property_kind kind;
  const fbx_record *found = find(object, name, &first, &kind);
  for (uint32_t i = 0; found && i < 3; i++) out[i] = fbx_number(found, first + i, out[i]);
  return kind;
}

bool fbx_has_property(const fbx_object *object, const char *name) {
  uint32_t first = 0;
  fbx_property_kind kind;
  return find(object, name, &first, &kind) != NULL;
}

/* ---- Units, axes and the unit of time ---- */

/* One row of the conversion: the file's axis that becomes ours, and its sign. */
static bool axis_row(const fbx_object *settings, const char *axis, const char *sign, int otherwise, double scale,
                     float *row) {
  double index = fbx_property(settings, axis, otherwise);
  if (!(index >= 0 && index <= 2)) return false;
  row[(int)index] = (float)(fbx_property(settings, sign, 1) < 0 ? -scale : scale);
  return true;
}

static float determinant(const float *m) {
  return m[0] * (m[5] * m[10] - m[6] * m[9]) - m[1] * (m[4] * m[10] - m[6] * m[8]) + m[2] * (m[4] * m[9] - m[5] * m[8]);
}

/* FBX uses centimetres times UnitScaleFactor, and settings for the right, up and front axes. */
static bool find_space(raw_model *raw, const fbx_object *settings) {
  double unit = fbx_property(settings, "UnitScaleFactor", 1) * 0.01;
  if (!(unit > 1e-9 && unit < 1e9)) unit = 0.01;
  sinew_mat3x4 space = {{0}};
  bool known = axis_row(settings, "CoordAxis", "CoordAxisSign", 0, unit, space.m) &&
               axis_row(settings, "UpAxis", "UpAxisSign", 1, unit, space.m + 4) &&
               axis_row(settings, "FrontAxis", "FrontAxisSign", 2, unit, space.m + 8);
  if (known && determinant(space.m) > 0) {
    raw->conversion = space;
    return true;
  }
  float u = (float)unit;
  raw->conversion = (sinew_mat3x4){{u, 0, 0, 0, 0, u, 0, 0, 0, 0, u, 0}};
  return raw_note(raw, "the file's axes are not a right-handed system: taken as y up");
}

/* Ticks per second; newer files may use another unit of time. */
static double find_ticks(const fbx_file *file) {
  const fbx_record *header = fbx_child(&file->root, "FBXHeaderExtension");
  const fbx_record *flags = fbx_child(fbx_child(header, "OtherFlags"), "TCDefinition");
  bool newer = fbx_integer(fbx_child(header, "FBXHeaderVersion"), 0, 0) >= 1004 && flags;
  return newer && fbx_integer(flags, 0, 127) != 127 ? 141120000.0 : 46186158000.0;
}

/* fbx_scene.c: units, axes and ticks. False when memory runs out. */
static bool fbx_read_settings(fbx_scene *scene) {
  const fbx_record *root = &scene->file->root, *global = fbx_child(root, "GlobalSettings");
  if (!global) global = fbx_child(fbx_child(root, "Objects"), "GlobalSettings");
  if (!global) global = fbx_child(fbx_child(root, "Version5"), "Settings");
  scene->ticks = find_ticks(scene->file);
  return find_space(scene->raw, &(fbx_object){.record = global});
}

/* ---- objects ---- */

/* Determined by an object's class and subclass. */
static fbx_type fbx_type_of(const fbx_record *record, uint32_t subclass) {
  static const struct {
    const char *class, *subclass;
    fbx_type type;
  } types[] = {{"Model", NULL, FBX_MODEL},
               {"NodeAttribute", NULL, FBX_ATTRIBUTE},
               {"Geometry", "Shape", FBX_SHAPE},
               {"Geometry", NULL, FBX_GEOMETRY},
               {"Deformer", "Skin", FBX_SKIN},
               {"Deformer", "Cluster", FBX_CLUSTER},
               {"Deformer", "BlendShape", FBX_BLEND},
               {"Deformer", "BlendShapeChannel", FBX_CHANNEL},
               {"Deformer", NULL, FBX_DEFORMER},
               {"Material", NULL, FBX_MATERIAL},
               {"Texture", NULL, FBX_TEXTURE},
               {"LayeredTexture", NULL, FBX_LAYERED_TEXTURE},
               {"Video", NULL, FBX_VIDEO},
               {"AnimationStack", NULL, FBX_STACK},
               {"AnimationLayer", NULL, FBX_LAYER},
               {"AnimationCurveNode", NULL, FBX_CURVE_NODE},
               {"AnimationCurve", NULL, FBX_CURVE},
               {"Constraint", "Character", FBX_CHARACTER},
               {"Constraint", NULL, FBX_CONSTRAINT},
               {"Audio", NULL, FBX_AUDIO}};
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    if (fbx_is_named(record, types[i].class) && (!types[i].subclass || fbx_says(record, subclass, types[i].subclass)))
      return types[i].type;
  return FBX_OTHER;
}

/* For functions that fill the scene. NULL and false when memory runs out. */
static fbx_object *fbx_add_object(fbx_scene *scene, fbx_type type, int64_t id, const char *name,
                                  const fbx_record *record) {
  fbx_object *object = name ? raw_grow(&scene->file->memory, (void **)&scene->objects, &scene->object_count,
                                       &scene->object_capacity, sizeof *object)
                            : NULL;
  if (object) *object = (fbx_object){.id = id, .type = type, .name = name, .record = record, .node = -1};
  return object;
}

static bool fbx_add_link(fbx_scene *scene, int from, int to, const char *property) {
  if (from < 0 || from == to || to < -1 || !property) return property != NULL;
  fbx_link *link =
      raw_grow(&scene->file->memory, (void **)&scene->links, &scene->link_count, &scene->link_capacity, sizeof *link);
  if (link) *link = (fbx_link){from, to, property};
  return link != NULL;
}

static bool read_objects(fbx_scene *scene) {
  const fbx_record *objects = fbx_child(&scene->file->root, "Objects");
  for (const fbx_record *r = objects ? objects->child : NULL; r; r = r->next) {
    if (r->value_count < 2) continue;
    if (!fbx_add_object(scene, fbx_type_of(r, 2), fbx_integer(r, 0, 0), fbx_name(scene->file, r, 1), r)) return false;
  }
  return true;
}

/* ---- ids ---- */

typedef struct fbx_id {
  int64_t id;
  int32_t object;
} fbx_id;

/* Sorts by one byte of the ids, stably. */
static void sort_by_byte(const fbx_id *from, size_t count, int shift, fbx_id *to) {
  size_t first[257] = {0};
  for (size_t i = 0; i < count; i++) first[((uint64_t)from[i].id >> shift & 255) + 1]++;
  for (int b = 0; b < 256; b++) first[b + 1] += first[b];
  for (size_t i = 0; i < count; i++) to[first[(uint64_t)from[i].id >> shift & 255]++] = from[i];
}

/* Sorts as unsigned numbers, for equal ones the first object first; byte by byte, because some files have a hundred
 * thousand ids. */
static bool sort_ids(fbx_scene *scene) {
  size_t count = (size_t)scene->object_count;
  fbx_id *ids = fbx_take(scene->file, count + 1, sizeof *ids), *other = fbx_take(scene->file, count + 1, sizeof *ids);
  if (!ids || !other) return false;
  for (size_t i = 0; i < count; i++) ids[i] = (fbx_id){scene->objects[i].id, (int32_t)i};
  for (int shift = 0; shift < 64; shift += 16) {
    sort_by_byte(ids, count, shift, other);
    sort_by_byte(other, count, shift + 8, ids);
  }
  scene->ids = ids;
  return true;
}

int fbx_find_id(const fbx_scene *scene, int64_t id) {
  int low = 0, high = scene->object_count;
  while (low < high) {
    int middle = low + (high - low) / 2;
    if ((uint64_t)scene->ids[middle].id < (uint64_t)id) low = middle + 1;
    else high = middle;
  }
  return low < scene->object_count && scene->ids[low].id == id ? scene->ids[low].object : -2;
}

/* ---- connections ---- */

static int64_t link_id(const fbx_record *c, uint32_t index) {
  bool integer = index < c->value_count && c->values[index].kind == FBX_INTEGER;
  return integer ? c->values[index].integer : fbx_hash(c, index);
}

static int64_t root_id(const fbx_scene *scene) {
  const fbx_record *document = fbx_child(fbx_child(&scene->file->root, "Documents"), "Document");
  return fbx_integer(fbx_child(document, "RootNode"), 0, 0);
}

static bool is_root(const fbx_record *c, uint32_t index, int64_t id, int64_t root) {
  return fbx_says(c, index, "Model::Scene") || fbx_says(c, index, "Scene") ||
         (index < c->value_count && c->values[index].kind == FBX_STRING && c->values[index].size == 12 &&
          memcmp(c->values[index].bytes, "Scene\0\1Model", 12) == 0) ||
         id == 0 || id == root;
}

/* "OO" and "OP"; "PO" and "PP" differ only in the source's property, which is not needed here. */
static bool read_connection(fbx_scene *scene, const fbx_record *c, int64_t root) {
  bool from_property = fbx_says(c, 0, "PO") || fbx_says(c, 0, "PP");
  bool to_property = fbx_says(c, 0, "OP") || fbx_says(c, 0, "PP");
  uint32_t to_index = from_property ? 3 : 2;
  if (c->value_count <= to_index) return true;
  int64_t from = link_id(c, 1), to = link_id(c, to_index);
  int parent = is_root(c, to_index, to, root) ? -1 : fbx_find_id(scene, to);
  if (parent >= 0 && is_root(c, 1, from, root)) scene->objects[parent].of_root = true;
  return fbx_add_link(scene, fbx_find_id(scene, from), parent,
                      to_property ? fbx_text(scene->file, c, to_index + 1) : "");
}

static bool read_connections(fbx_scene *scene) {
  const fbx_record *all = fbx_child(&scene->file->root, "Connections");
  int64_t root = root_id(scene);
  for (const fbx_record *c = all ? all->child : NULL; c; c = c->next)
    if (!read_connection(scene, c, root)) return false;
  return true;
}

/* Sorts links by target and by source: counts them, then fills in. */
static bool sort_links(fbx_scene *scene) {
  size_t count = (size_t)scene->link_count;
  scene->children = fbx_take(scene->file, count, sizeof *scene->children);
  scene->owners = fbx_take(scene->file, count, sizeof *scene->owners);
  scene->root_children = fbx_take(scene->file, count, sizeof *scene->root_children);
  if (!scene->children || !scene->owners || !scene->root_children) return false;
  for (int i = 0; i < scene->link_count; i++) {
    const fbx_link *link = scene->links + i;
    scene->objects[link->from].owner_count++;
    if (link->to < 0) scene->root_children[scene->root_child_count++] = i;
    else scene->objects[link->to].child_count++;
  }
  int children = 0, owners = 0;
  for (int i = 0; i < scene->object_count; i++) {
    fbx_object *o = scene->objects + i;
    o->first_child = children, o->first_owner = owners;
    children += o->child_count, owners += o->owner_count;
    o->child_count = o->owner_count = 0;
  }
  for (int i = 0; i < scene->link_count; i++) {
    const fbx_link *link = scene->links + i;
    fbx_object *from = scene->objects + link->from, *to = link->to < 0 ? NULL : scene->objects + link->to;
    scene->owners[from->first_owner + from->owner_count++] = i;
    if (to) scene->children[to->first_child + to->child_count++] = i;
  }
  return true;
}

const fbx_object *fbx_next_child(const fbx_scene *scene, const fbx_object *object, fbx_type type, int *cursor,
                                 const char **property) {
  while (*cursor < object->child_count) {
    const fbx_link *link = scene->links + scene->children[object->first_child + (*cursor)++];
    if (scene->objects[link->from].type != type) continue;
    if (property) *property = link->property;
    return scene->objects + link->from;
  }
  return NULL;
}

const fbx_object *fbx_first_child(const fbx_scene *scene, const fbx_object *object, fbx_type type) {
  int cursor = 0;
  return fbx_next_child(scene, object, type, &cursor, NULL);
}

const fbx_object *fbx_first_owner(const fbx_scene *scene, const fbx_object *object, fbx_type type) {
  for (int i = 0; i < object->owner_count; i++) {
    const fbx_link *link = scene->links + scene->owners[object->first_owner + i];
    if (link->to >= 0 && scene->objects[link->to].type == type) return scene->objects + link->to;
  }
  return NULL;
}

/* ---- templates ---- */

static bool is_class(const fbx_record *type, const fbx_record *object) {
  const fbx_value *name = type->values;
  return type->value_count && name->kind == FBX_STRING && name->size == object->name_size &&
         memcmp(name->bytes, object->name, name->size) == 0;
}

/* Writers leave out values that equal the template, which depends on the object's class; for attributes, on their kind.
 */
static void find_templates(fbx_scene *scene) {
  const fbx_record *definitions = fbx_child(&scene->file->root, "Definitions");
  for (const fbx_record *type = fbx_child(definitions, "ObjectType"); type; type = fbx_again(type)) {
    const fbx_record *template = fbx_properties_of(fbx_child(type, "PropertyTemplate"));
    for (int i = 0; template && i < scene->object_count; i++) {
      fbx_object *object = scene->objects + i;
      if (!object->template && object->type != FBX_ATTRIBUTE && is_class(type, object->record))
        object->template = template;
    }
  }
}

static bool is_blenders(fbx_scene *scene) {
  const fbx_record *creator = fbx_child(&scene->file->root, "Creator");
  const char *text = fbx_text(scene->file, creator, 0);
  return text && strncmp(text, "Blender", 7) == 0;
}

bool fbx_scene_open(fbx_scene *scene, fbx_file *file) {
  *scene = (fbx_scene){.file = file, .raw = file->raw};
  scene->made_by_blender = is_blenders(scene);
  bool read = file->version < 7000 ? fbx_read_legacy(scene) : read_objects(scene);
  if (!read || !fbx_add_nested_shapes(scene) || !sort_ids(scene) || !read_connections(scene) ||
      !fbx_link_legacy(scene) || !sort_links(scene))
    return false;
  find_templates(scene);
  return fbx_read_settings(scene);
}

/* Files before 7.0 nest objects in a model that are separate in later files: its mesh, shapes, materials, clusters. */

/* Ids of nested objects; the hashes of names are different numbers. */
static int64_t part_id(const fbx_scene *scene) { return INT64_MIN + scene->object_count; }

static int add_part(fbx_scene *scene, fbx_type type, const char *name, const fbx_record *record) {
  int index = scene->object_count;
  return fbx_add_object(scene, type, part_id(scene), name, record) ? index : -1;
}

/* ---- shapes ---- */

/* A target, its channel and the single deformer of the geometry. */
static bool add_shape(fbx_scene *scene, int blend, const fbx_record *record) {
  const char *name = fbx_text(scene->file, record, 0);
  int channel = name ? add_part(scene, FBX_CHANNEL, name, record) : -1;
  int shape = channel >= 0 ? add_part(scene, FBX_SHAPE, name, record) : -1;
  return shape >= 0 && fbx_add_link(scene, channel, blend, "") && fbx_add_link(scene, shape, channel, "");
}

static bool add_shapes(fbx_scene *scene, int geometry) {
  const fbx_record *record = scene->objects[geometry].record, *shape = fbx_child(record, "Shape");
  if (!shape) return true;
  int blend = add_part(scene, FBX_BLEND, "", record);
  if (blend < 0 || !fbx_add_link(scene, blend, geometry, "")) return false;
  for (; shape; shape = fbx_again(shape))
    if (!add_shape(scene, blend, shape)) return false;
  return true;
}

static bool fbx_add_nested_shapes(fbx_scene *scene) {
  for (int i = 0, count = scene->object_count; i < count; i++)
    if (scene->objects[i].type == FBX_GEOMETRY && !add_shapes(scene, i)) return false;
  return true;
}

/* ---- models ---- */

static bool add_materials(fbx_scene *scene, int model) {
  const fbx_record *m = fbx_child(scene->objects[model].record, "Material");
  for (; m; m = fbx_again(m)) {
    int material = add_part(scene, FBX_MATERIAL, fbx_name(scene->file, m, 0), m);
    if (material < 0 || !fbx_add_link(scene, material, model, "")) return false;
  }
  return true;
}

static bool add_clusters(fbx_scene *scene, int geometry) {
  const fbx_record *record = scene->objects[geometry].record, *link = fbx_child(record, "Link");
  if (!link) return true;
  int skin = add_part(scene, FBX_SKIN, "", record);
  if (skin < 0 || !fbx_add_link(scene, skin, geometry, "")) return false;
  for (; link; link = fbx_again(link)) {
    int cluster = add_part(scene, FBX_CLUSTER, fbx_name(scene->file, link, 0), link);
    if (cluster < 0 || !fbx_add_link(scene, cluster, skin, "")) return false;
  }
  return true;
}

static bool add_model(fbx_scene *scene, const fbx_record *record) {
  int model = scene->object_count;
  if (!fbx_add_object(scene, FBX_MODEL, fbx_hash(record, 0), fbx_name(scene->file, record, 0), record)) return false;
  if (!add_materials(scene, model)) return false;
  if (!fbx_child(record, "Vertices")) return true;
  int geometry = add_part(scene, FBX_GEOMETRY, "", record);
  return geometry >= 0 && fbx_add_link(scene, geometry, model, "") && add_clusters(scene, geometry);
}

/* fbx_scene.c: turns data that files before 7.0 nest in models, and shapes that files before 7.2 nest in geometries,
 * into objects; then adds the links that the file's connections lack, once ids can be found. */
static bool fbx_read_legacy(fbx_scene *scene) {
  const fbx_record *objects = fbx_child(&scene->file->root, "Objects");
  for (const fbx_record *r = objects ? objects->child : scene->file->root.child; r; r = r->next) {
    if (r->value_count < 1) continue;
    fbx_type type = fbx_type_of(r, 1);
    if (type == FBX_MODEL
            ? !add_model(scene, r)
            : type != FBX_OTHER && !fbx_add_object(scene, type, fbx_hash(r, 0), fbx_name(scene->file, r, 0), r))
      return false;
  }
  return true;
}

/* ---- links by name, before 6.0 ---- */

static bool link_children(fbx_scene *scene, int model, bool *is_child) {
  const fbx_record *children = fbx_child(scene->objects[model].record, "Children");
  for (uint32_t i = 0; children && i < children->value_count; i++) {
    int child = fbx_find_id(scene, fbx_hash(children, i));
    if (child < 0) continue;
    is_child[child] = true;
    if (!fbx_add_link(scene, child, model, "")) return false;
  }
  return true;
}

static bool fbx_link_legacy(fbx_scene *scene) {
  if (scene->file->version >= 6000) return true;
  bool *is_child = fbx_take(scene->file, (size_t)scene->object_count, sizeof *is_child);
  for (int i = 0; is_child && i < scene->object_count; i++) {
    const fbx_object *o = scene->objects + i;
    if (o->type == FBX_MODEL && !link_children(scene, i, is_child)) return false;
    if (o->type == FBX_CLUSTER && !fbx_add_link(scene, fbx_find_id(scene, fbx_hash(o->record, 0)), i, "")) return false;
  }
  for (int i = 0; is_child && i < scene->object_count; i++)
    if (scene->objects[i].type == FBX_MODEL && !is_child[i] && !fbx_add_link(scene, i, -1, "")) return false;
  return is_child != NULL;
}
