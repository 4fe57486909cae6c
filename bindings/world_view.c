#include "world.h"

#include <string.h>

static const int camera_sizes[CAMERA_FIELDS] = {3, 3, 1, 1};
static const int light_sizes[LIGHT_FIELDS] = {3, 3, 1, 3, 3, 1, 1};
static const char *const camera_names[CAMERA_FIELDS] = {"position", "target", "fov", "orbit"};
static const char *const light_names[LIGHT_FIELDS] = {"direction", "color",    "intensity", "sky",
                                                      "ground",    "exposure", "fog"};

int world_camera_field_size(int field) { return camera_sizes[field]; }
int world_light_field_size(int field) { return light_sizes[field]; }

static float *camera_floats(sinew_camera *camera, int field) {
  if (field == CAMERA_POSITION) return &camera->position.x;
  return field == CAMERA_TARGET ? &camera->target.x : &camera->fov_y;
}

static float *light_floats(sinew_light *light, int field) {
  switch (field) {
  case LIGHT_DIRECTION: return &light->direction.x;
  case LIGHT_COLOR: return light->color;
  case LIGHT_INTENSITY: return &light->intensity;
  case LIGHT_SKY: return light->sky;
  case LIGHT_GROUND: return light->ground;
  case LIGHT_FOG: return &light->fog;
  default: return &light->exposure;
  }
}

static void apply_camera(world *w, int field, const float *value) {
  if (field == CAMERA_ORBIT) {
    sinew_host_set_orbit(w->host, value[0] != 0);
  } else {
    memcpy(camera_floats(sinew_host_camera(w->host), field), value, (size_t)camera_sizes[field] * sizeof *value);
  }
}

static void apply_light(world *w, int field, const float *value) {
  memcpy(light_floats(sinew_host_light(w->host), field), value, (size_t)light_sizes[field] * sizeof *value);
}

static void note_next(world_property *p, const float *value, int count) {
  p->next = (world_value){.set = true};
  memcpy(p->next.v, value, (size_t)count * sizeof *value);
}

void world_set_camera(world *w, int field, const float value[4]) {
  if (w->loading) {
    note_next(&w->camera[field], value, camera_sizes[field]);
  } else {
    apply_camera(w, field, value);
  }
}

void world_set_light(world *w, int field, const float value[4]) {
  if (w->loading) {
    note_next(&w->light[field], value, light_sizes[field]);
  } else {
    apply_light(w, field, value);
  }
}

static void living_camera(const world *w, int field, float value[4]) {
  if (field == CAMERA_ORBIT) {
    value[0] = sinew_host_has_orbit(w->host) ? 1.0f : 0.0f;
  } else {
    memcpy(value, camera_floats(sinew_host_camera(w->host), field), (size_t)camera_sizes[field] * sizeof *value);
  }
}

static void living_light(const world *w, int field, float value[4]) {
  memcpy(value, light_floats(sinew_host_light(w->host), field), (size_t)light_sizes[field] * sizeof *value);
}

void world_get_camera(const world *w, int field, float value[4]) {
  if (world_property_changed(&w->camera[field])) {
    memcpy(value, w->camera[field].next.v, sizeof w->camera[field].next.v);
  } else {
    living_camera(w, field, value);
  }
}

void world_get_light(const world *w, int field, float value[4]) {
  if (world_property_changed(&w->light[field])) {
    memcpy(value, w->light[field].next.v, sizeof w->light[field].next.v);
  } else {
    living_light(w, field, value);
  }
}

static void commit_camera(world *w, int field) {
  world_property *p = &w->camera[field];
  sinew_camera defaults = sinew_camera_default();
  const float on = 1;
  const float *fallback = field == CAMERA_ORBIT ? &on : camera_floats(&defaults, field);
  float living[4] = {0};
  living_camera(w, field, living);
  const float *value = world_property_value(p, living, fallback, sinew_host_time(w->host));
  if (value) apply_camera(w, field, value);
  if (value) world_note_property(w, "camera", camera_names[field], p, camera_sizes[field]);
  world_property_end(p, true);
}

static void commit_light(world *w, int field) {
  world_property *p = &w->light[field];
  sinew_light defaults = sinew_light_default();
  float living[4] = {0};
  living_light(w, field, living);
  const float *value = world_property_value(p, living, light_floats(&defaults, field), sinew_host_time(w->host));
  if (value) apply_light(w, field, value);
  if (value) world_note_property(w, "light", light_names[field], p, light_sizes[field]);
  world_property_end(p, true);
}

void world_commit_view(world *w) {
  for (int i = 0; i < CAMERA_FIELDS; i++) commit_camera(w, i);
  for (int i = 0; i < LIGHT_FIELDS; i++) commit_light(w, i);
}

void world_rollback_view(world *w) {
  for (int i = 0; i < CAMERA_FIELDS; i++) world_property_end(&w->camera[i], false);
  for (int i = 0; i < LIGHT_FIELDS; i++) world_property_end(&w->light[i], false);
}
