/* Camera, light and view: what a scene says of the host. */
#include "declare/world.h"

#include <string.h>

static void read_look(const world *w, look_values *v) {
  *v = (look_values){*sinew_host_camera(w->host), *sinew_host_light(w->host), *sinew_host_view(w->host),
                     sinew_host_has_orbit(w->host), ""};
  if (!(v->view.speed > 0)) v->view.speed = 1;
  world_copy(v->skinner, sizeof v->skinner, sinew_host_skinner(w->host));
}

static void read_values(const world *w, const actor_record *owner, const property_record *p, void *values) {
  (void)owner, (void)p;
  read_look(w, values);
}

/* A skinner that is there is set; who declared it has asked. */
static void write_values(world *w, actor_record *owner, const property_record *p, const void *values) {
  look_values v;
  sinew_error ignored;
  (void)owner;
  read_look(w, &v);
  char before[sizeof v.skinner];
  memcpy(before, v.skinner, sizeof before);
  field_copy(p->field, &v, values);
  *sinew_host_camera(w->host) = v.camera;
  *sinew_host_light(w->host) = v.light;
  *sinew_host_view(w->host) = v.view;
  sinew_host_set_orbit(w->host, v.orbit);
  if (strcmp(before, v.skinner) != 0) sinew_host_set_skinner(w->host, v.skinner, &ignored);
}

static void standard(void *values) {
  *(look_values *)values =
      (look_values){.camera = sinew_camera_default(), .light = sinew_light_default(), .orbit = true};
}

/* What a person looks at goes back to what it was before the scene; the picture, to the default of scenes. */
#define LOOK(of, restoring)                                                                                            \
  {                                                                                                                    \
    .declared = PROPERTY_OPERATIONS(look_record, false), .fields = &of, .read = read_values, .write = write_values,    \
    .standard = standard, .restores = restoring                                                                        \
  }

static const property_kind kinds[] = {LOOK(kind_camera, false), LOOK(kind_light, false), LOOK(kind_view, true)};

static const property_kind *kind_with(const store_field *field) {
  int i = 0;
  while (!kind_has(kinds[i].fields, field)) i++;
  return kinds + i;
}

bool world_set_look(world *w, const store_field *field, const look_values *values) {
  return world_set_property(w, NULL, &w->look, kind_with(field), field, field->name, values);
}

look_values world_look(const world *w) {
  look_values v;
  read_look(w, &v);
  world_get_properties(&w->look, NULL, &v);
  return v;
}

void world_commit_look(world *w) { declaration_commit(w, NULL, &kinds[0].declared, &w->look); }
void world_rollback_look(world *w) { declaration_rollback(w, NULL, &kinds[0].declared, &w->look); }
void world_update_look(world *w) { declaration_update(w, NULL, &kinds[0].declared, &w->look, 0); }

void world_clear_look(world *w) {
  for (int i = 0; i < w->look.count; i++) property_restore(w, (property_record *)w->look.items[i]);
  declaration_free_all(w, &kinds[0].declared, &w->look);
}
