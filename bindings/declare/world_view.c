#include "declare/world.h"

#include <stddef.h>
#include <string.h>

typedef enum kind { CAMERA, LIGHT, ORBIT, FLAG, SPEED, SURFACE, SKINNER } kind;

static const struct {
  const char *owner, *name;
  kind kind;
  int size;
  size_t offset; /* in sinew_camera, sinew_light or sinew_view_options */
} fields[LOOK_FIELDS] = {
    [CAMERA_POSITION] = {"camera", "position", CAMERA, 3, offsetof(sinew_camera, position)},
    [CAMERA_TARGET] = {"camera", "target", CAMERA, 3, offsetof(sinew_camera, target)},
    [CAMERA_FOV] = {"camera", "fov", CAMERA, 1, offsetof(sinew_camera, fov_y)},
    [CAMERA_ORBIT] = {"camera", "orbit", ORBIT, 1, 0},
    [LIGHT_DIRECTION] = {"light", "direction", LIGHT, 3, offsetof(sinew_light, direction)},
    [LIGHT_COLOR] = {"light", "color", LIGHT, 3, offsetof(sinew_light, color)},
    [LIGHT_INTENSITY] = {"light", "intensity", LIGHT, 1, offsetof(sinew_light, intensity)},
    [LIGHT_SKY] = {"light", "sky", LIGHT, 3, offsetof(sinew_light, sky)},
    [LIGHT_GROUND] = {"light", "ground", LIGHT, 3, offsetof(sinew_light, ground)},
    [LIGHT_EXPOSURE] = {"light", "exposure", LIGHT, 1, offsetof(sinew_light, exposure)},
    [LIGHT_FOG] = {"light", "fog", LIGHT, 1, offsetof(sinew_light, fog)},
    [VIEW_WIREFRAME] = {"view", "wireframe", FLAG, 1, offsetof(sinew_view_options, wireframe)},
    [VIEW_SKELETON] = {"view", "skeleton", FLAG, 1, offsetof(sinew_view_options, skeleton)},
    [VIEW_NAMES] = {"view", "names", FLAG, 1, offsetof(sinew_view_options, names)},
    [VIEW_AXES] = {"view", "axes", FLAG, 1, offsetof(sinew_view_options, axes)},
    [VIEW_BIND_POSE] = {"view", "bind_pose", FLAG, 1, offsetof(sinew_view_options, bind_pose)},
    [VIEW_BOUNDS] = {"view", "bounds", FLAG, 1, offsetof(sinew_view_options, bounds)},
    [VIEW_ROOT_PATH] = {"view", "root_path", FLAG, 1, offsetof(sinew_view_options, root_path)},
    [VIEW_CONTACTS] = {"view", "contacts", FLAG, 1, offsetof(sinew_view_options, contacts)},
    [VIEW_SCALE] = {"view", "scale", FLAG, 1, offsetof(sinew_view_options, scale)},
    [VIEW_GROUND] = {"view", "ground", FLAG, 1, offsetof(sinew_view_options, ground)},
    [VIEW_STATS] = {"view", "stats", FLAG, 1, offsetof(sinew_view_options, stats)},
    [VIEW_INSPECTOR] = {"view", "inspector", FLAG, 1, offsetof(sinew_view_options, inspector)},
    [VIEW_PAUSED] = {"view", "paused", FLAG, 1, offsetof(sinew_view_options, paused)},
    [VIEW_SPEED] = {"view", "speed", SPEED, 1, 0},
    [VIEW_SURFACE] = {"view", "surface", SURFACE, 1, 0},
    [VIEW_SKINNER] = {"view", "skinner", SKINNER, 1, 0},
};

int world_look_size(int field) { return fields[field].size; }

static void *at(void *whole, int field) { return (char *)whole + fields[field].offset; }

static int find_skinner(sinew_host *host) {
  const char *now = sinew_host_skinner(host), *name;
  int i = 0;
  while ((name = sinew_host_skinner_name(host, i)) && strcmp(name, now) != 0) i++;
  return i;
}

static void read_living(const world *w, int field, float value[4]) {
  const size_t size = (size_t)fields[field].size * sizeof *value;
  sinew_view_options *view = sinew_host_view(w->host);
  switch (fields[field].kind) {
  case CAMERA: memcpy(value, at(sinew_host_camera(w->host), field), size); break;
  case LIGHT: memcpy(value, at(sinew_host_light(w->host), field), size); break;
  case ORBIT: value[0] = (float)sinew_host_has_orbit(w->host); break;
  case FLAG: value[0] = (float)*(bool *)at(view, field); break;
  case SPEED: value[0] = view->speed > 0 ? view->speed : 1; break;
  case SURFACE: value[0] = (float)view->surface; break;
  case SKINNER: value[0] = (float)find_skinner(w->host);
  }
}

static void apply(world *w, int field, const float *value) {
  const size_t size = (size_t)fields[field].size * sizeof *value;
  sinew_view_options *view = sinew_host_view(w->host);
  sinew_error ignored; /* one that is there is set */
  switch (fields[field].kind) {
  case CAMERA: memcpy(at(sinew_host_camera(w->host), field), value, size); break;
  case LIGHT: memcpy(at(sinew_host_light(w->host), field), value, size); break;
  case ORBIT: sinew_host_set_orbit(w->host, value[0] != 0); break;
  case FLAG: *(bool *)at(view, field) = value[0] != 0; break;
  case SPEED: view->speed = value[0]; break;
  case SURFACE: view->surface = (sinew_surface)value[0]; break;
  case SKINNER: sinew_host_set_skinner(w->host, sinew_host_skinner_name(w->host, (int)value[0]), &ignored);
  }
}

/* What holds where nothing is declared: the scene's default, and of what a person looks at, what it was before. */
static void read_default(const world *w, int field, float value[4]) {
  sinew_camera camera = sinew_camera_default();
  sinew_light light = sinew_light_default();
  const size_t size = (size_t)fields[field].size * sizeof *value;
  switch (fields[field].kind) {
  case CAMERA: memcpy(value, at(&camera, field), size); break;
  case LIGHT: memcpy(value, at(&light, field), size); break;
  case ORBIT: value[0] = 1; break;
  default: value[0] = w->view_before[field - VIEW_FIRST];
  }
}

void world_set_look(world *w, int field, const float value[4]) {
  world_property *p = &w->look[field];
  if (!w->loading) {
    apply(w, field, value);
    return;
  }
  p->next = (world_value){.set = true};
  memcpy(p->next.v, value, (size_t)fields[field].size * sizeof *value);
}

void world_get_look(const world *w, int field, float value[4]) {
  const world_property *p = &w->look[field];
  if (world_property_changed(p)) memcpy(value, p->next.v, sizeof p->next.v);
  else read_living(w, field, value);
}

static void commit(world *w, int field) {
  world_property *p = &w->look[field];
  float living[4] = {0}, fallback[4] = {0};
  read_living(w, field, living);
  if (field >= VIEW_FIRST && p->next.set && !p->last.set) w->view_before[field - VIEW_FIRST] = living[0];
  read_default(w, field, fallback);
  const float *value = world_property_value(p, living, fallback, sinew_host_time(w->host));
  if (value) apply(w, field, value);
  if (value) world_note_property(w, fields[field].owner, fields[field].name, p, fields[field].size);
  world_property_end(p, true);
}

/* ---- the joint whose weights are shown ---- */

static char *living_joint(const world *w) { return sinew_host_view(w->host)->joint; }

void world_set_view_joint(world *w, const char *name) {
  char *to = w->loading ? w->view_joint.next : living_joint(w);
  world_copy(to, VIEW_JOINT_SIZE, name);
  if (w->loading) w->view_joint.has_next = true;
}

static bool joint_changed(const view_joint *j) {
  return j->has_next && (!j->has_last || strcmp(j->next, j->last) != 0);
}

const char *world_view_joint(const world *w) {
  return joint_changed(&w->view_joint) ? w->view_joint.next : living_joint(w);
}

static void commit_joint(world *w) {
  view_joint *j = &w->view_joint;
  if (j->has_next && !j->has_last) memcpy(j->before, living_joint(w), VIEW_JOINT_SIZE);
  if (joint_changed(j)) memcpy(living_joint(w), j->next, VIEW_JOINT_SIZE);
  if (j->has_last && !j->has_next) memcpy(living_joint(w), j->before, VIEW_JOINT_SIZE);
  memcpy(j->last, j->next, VIEW_JOINT_SIZE);
  j->has_last = j->has_next;
  j->has_next = false;
}

/* ---- all of it ---- */

void world_commit_look(world *w) {
  for (int i = 0; i < LOOK_FIELDS; i++) commit(w, i);
  commit_joint(w);
}

void world_rollback_look(world *w) {
  for (int i = 0; i < LOOK_FIELDS; i++) world_property_end(&w->look[i], false);
  w->view_joint.has_next = false;
}

void world_clear_look(world *w) {
  for (int i = VIEW_FIRST; i < LOOK_FIELDS; i++)
    if (w->look[i].last.set) apply(w, i, &w->view_before[i - VIEW_FIRST]);
  if (w->view_joint.has_last) memcpy(living_joint(w), w->view_joint.before, VIEW_JOINT_SIZE);
  memset(w->look, 0, sizeof w->look);
  w->view_joint = (view_joint){0};
}
