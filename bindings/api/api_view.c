/* sinew.camera, sinew.light and sinew.view. */
#include "core/api.h"

#include <stdlib.h>
#include <string.h>

static const store_kind *const kinds[] = {&kind_camera, &kind_light, &kind_view};

static const store_kind *kind_of(const api_entry *entry) {
  int i = 0;
  while (strcmp(kinds[i]->name, entry->owner + strlen("sinew.")) != 0) i++;
  return kinds[i];
}

static void get_look(lua_State *L, const api_entry *entry) {
  look_values v = declarations_look(&scene_of(L)->declarations);
  field_push(L, kind_field(kind_of(entry), entry->name), &v);
}

/* An unknown name changes nothing here; the code that knows all names refuses it. */
static void check_skinner(lua_State *L, const char *wanted) {
  sinew_host *host = scene_of(L)->host;
  const char *name;
  sinew_error error;
  for (int i = 0; (name = sinew_host_skinner_name(host, i)); i++)
    if (strcmp(name, wanted) == 0) return;
  sinew_host_set_skinner(host, wanted, &error);
  luaL_error(L, "sinew.view.skinner: %s", error.message);
}

static void set_look(lua_State *L, const api_entry *entry) {
  look_values v = declarations_look(&scene_of(L)->declarations);
  const store_field *f = kind_field(kind_of(entry), entry->name);
  field_read(L, 3, f, entry->owner, &v);
  if (strcmp(f->name, "fov") == 0 && v.camera.fov_y >= 3.1f)
    luaL_error(L, "sinew.camera.fov is an angle in radians, under 3.1; math.rad converts degrees");
  if (strcmp(f->name, "skinner") == 0) check_skinner(L, v.skinner);
  if (strcmp(f->name, "joint") == 0) note_joint(L, v.view.joint);
  scene_note_line(L);
  if (!declarations_set_look(&scene_of(L)->declarations, f, &v))
    luaL_error(L, "out of memory for %s.%s", entry->owner, f->name);
}

static void get_skinners(lua_State *L, const api_entry *entry) {
  const char *name;
  (void)entry;
  lua_newtable(L);
  for (int i = 0; (name = sinew_host_skinner_name(scene_of(L)->host, i)); i++) {
    lua_pushstring(L, name);
    lua_rawseti(L, -2, i + 1);
  }
}

/* The fields of the camera, the light and the view, by their tables. */
api_entry api_view_entries[API_LOOKS] = {
    {"sinew.view", "skinners", API_FIELD, "table", "", "The names of those that work here.", .get = get_skinners}};

void looks_fill(void) {
  static const char *const owners[] = {"sinew.camera", "sinew.light", "sinew.view"};
  int count = 1;
  for (size_t i = 0; i < sizeof owners / sizeof *owners; i++)
    for (const store_field *f = kinds[i]->fields; f->name; f++) {
      if (count + 1 == API_LOOKS) abort();
      api_view_entries[count++] =
          (api_entry){owners[i], f->name, API_FIELD, f->spec, "", f->doc, .get = get_look, .set = set_look};
    }
}
