/* Files before 7.0 nest objects in a model that are separate in later files: its mesh, shapes, materials, clusters. */
#include "import/source/fbx/objects/fbx_scene.h"

#include <string.h>

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

bool fbx_add_nested_shapes(fbx_scene *scene) {
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

bool fbx_read_legacy(fbx_scene *scene) {
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

bool fbx_link_legacy(fbx_scene *scene) {
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
