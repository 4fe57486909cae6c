/* fbx_scene – the objects of a file and the connections between them, in the same form for every version: objects that
 * files before 7.0 nest in models become separate. */
#ifndef SINEW_IMPORT_FBX_SCENE_H
#define SINEW_IMPORT_FBX_SCENE_H

#include "import/source/fbx/records/fbx_tree.h"

typedef enum fbx_type {
  FBX_OTHER,
  FBX_MODEL,
  FBX_ATTRIBUTE,
  FBX_GEOMETRY,
  FBX_SHAPE,
  FBX_SKIN,
  FBX_CLUSTER,
  FBX_BLEND,
  FBX_CHANNEL,
  FBX_DEFORMER, /* of another kind */
  FBX_MATERIAL,
  FBX_TEXTURE,
  FBX_LAYERED_TEXTURE,
  FBX_VIDEO,
  FBX_STACK,
  FBX_LAYER,
  FBX_CURVE_NODE,
  FBX_CURVE,
  FBX_CONSTRAINT,
  FBX_CHARACTER,
  FBX_AUDIO,
  FBX_TYPE_COUNT
} fbx_type;

typedef struct fbx_object {
  int64_t id;
  fbx_type type;
  const char *name;
  const fbx_record *record;
  const fbx_record *template;   /* the properties of its type's template, or NULL */
  int first_child, child_count; /* of scene->children */
  int owner_count;              /* connections from this object */
  int32_t first_owner;          /* of scene->owners */
  int node;                     /* the raw node of a model, or -1 */
  bool of_root;                 /* connected to the scene's root: a cluster that the root moves */
} fbx_object;

typedef struct fbx_link {
  int32_t from, to;     /* object indices; `to` is -1 for the scene's root */
  const char *property; /* of `to`; "" for a plain connection */
} fbx_link;

typedef struct fbx_scene {
  fbx_file *file;
  raw_model *raw;
  fbx_object *objects;
  int object_count, object_capacity;
  fbx_link *links; /* in the file's order */
  int link_count, link_capacity;
  int32_t *children, *owners; /* links by `to` and by `from`, in the file's order */
  struct fbx_id *ids;         /* sorted */
  int32_t *root_children;
  int root_child_count;
  double ticks; /* a second's */
  bool made_by_blender;
  const char *without_picture; /* a texture whose use is unknown, or NULL */
} fbx_scene;

bool fbx_scene_open(fbx_scene *scene, fbx_file *file);

/* The first object with the id, or -2. */
int fbx_find_id(const fbx_scene *scene, int64_t id);

/* The child of that type at or after *cursor, which moves past it; NULL past the last. */
const fbx_object *fbx_next_child(const fbx_scene *scene, const fbx_object *object, fbx_type type, int *cursor,
                                 const char **property);
const fbx_object *fbx_first_child(const fbx_scene *scene, const fbx_object *object, fbx_type type);
const fbx_object *fbx_first_owner(const fbx_scene *scene, const fbx_object *object, fbx_type type);

/* ---- properties: the object's own, else its template's, else `otherwise` ---- */

typedef enum fbx_property_kind { FBX_ABSENT, FBX_OWN, FBX_TEMPLATE } fbx_property_kind;

double fbx_property(const fbx_object *object, const char *name, double otherwise);
/* Writes nothing if it is absent. */
fbx_property_kind fbx_property_vector(const fbx_object *object, const char *name, double out[3]);
bool fbx_has_property(const fbx_object *object, const char *name);
/* The P or Property record of the object itself, or NULL; *first: the index of its first value. */
const fbx_record *fbx_find_property(const fbx_record *properties, const char *name, uint32_t *first);
/* The record that holds an object's properties. */
const fbx_record *fbx_properties_of(const fbx_record *record);

#endif
