#include "import/source/fbx/objects/fbx_scene.h"

#include "base/memory/memory.h"

#include <string.h>

/* ---- objects ---- */

fbx_type fbx_type_of(const fbx_record *record, uint32_t subclass) {
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

fbx_object *fbx_add_object(fbx_scene *scene, fbx_type type, int64_t id, const char *name, const fbx_record *record) {
  fbx_object *object = name ? raw_grow(&scene->file->memory, (void **)&scene->objects, &scene->object_count,
                                       &scene->object_capacity, sizeof *object)
                            : NULL;
  if (object) *object = (fbx_object){.id = id, .type = type, .name = name, .record = record, .node = -1};
  return object;
}

bool fbx_add_link(fbx_scene *scene, int from, int to, const char *property) {
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
