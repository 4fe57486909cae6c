/* "P: name, type, label, flags, value…" of 7.x, "Property: name, type, flags, value…" of 6.x, plain records of 5.x. */
#include "import/source/fbx/objects/fbx_scene.h"

#include <string.h>

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
