/* Camera, light and view: what a scene declares about the host. */
#include "declare/declarations.h"

#include <string.h>

static void read_look(const declarations *all, look_values *v) {
  *v = (look_values){*sinew_host_camera(all->host), *sinew_host_light(all->host), *sinew_host_view(all->host),
                     sinew_host_has_orbit(all->host), ""};
  if (!(v->view.speed > 0)) v->view.speed = 1;
  declarations_copy(v->skinner, sizeof v->skinner, sinew_host_skinner(all->host));
}

static void read_values(const declarations *all, const actor_record *owner, const property_record *p, void *values) {
  (void)owner, (void)p;
  read_look(all, values);
}

/* Sets a skinner that exists; the declaration has already checked the name. */
static void write_values(declarations *all, actor_record *owner, const property_record *p, const void *values) {
  look_values v;
  sinew_error ignored;
  (void)owner;
  read_look(all, &v);
  char before[sizeof v.skinner];
  memcpy(before, v.skinner, sizeof before);
  field_copy(p->field, &v, values);
  *sinew_host_camera(all->host) = v.camera;
  *sinew_host_light(all->host) = v.light;
  *sinew_host_view(all->host) = v.view;
  sinew_host_set_orbit(all->host, v.orbit);
  if (strcmp(before, v.skinner) != 0) sinew_host_set_skinner(all->host, v.skinner, &ignored);
}

static void standard(void *values) {
  *(look_values *)values =
      (look_values){.camera = sinew_camera_default(), .light = sinew_light_default(), .orbit = true};
}

/* `restoring`: once no script declares it, the view returns to its values from before the scene; the camera and the
 * light return to the defaults of scenes. */
#define LOOK(of, restoring)                                                                                            \
  {                                                                                                                    \
    .declared = PROPERTY_OPERATIONS(look_record, false), .fields = &of, .read = read_values, .write = write_values,    \
    .standard = standard, .restores = restoring                                                                        \
  }

const property_kind look_kinds[] = {LOOK(kind_camera, false), LOOK(kind_light, false), LOOK(kind_view, true)};

static const property_kind *kind_with(const store_field *field) {
  int i = 0;
  while (!kind_has(look_kinds[i].fields, field)) i++;
  return look_kinds + i;
}

bool declarations_set_look(declarations *all, const store_field *field, const look_values *values) {
  return declarations_set_property(all, NULL, &all->look, kind_with(field), field, field->name, values);
}

look_values declarations_look(const declarations *all) {
  look_values v;
  read_look(all, &v);
  declarations_get_properties(&all->look, NULL, &v);
  return v;
}
