/* sinew.camera, sinew.light and sinew.view. */
#include "core/api.h"

#include <string.h>

static const store_kind *kind_of(const api_entry *entry) {
  static const store_kind *const kinds[] = {&kind_camera, &kind_light, &kind_view};
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

#define LOOK(owner, name, type, doc)                                                                                   \
  { "sinew." owner, name, API_FIELD, type, "", doc, .get = get_look, .set = set_look }
#define CAMERA(name, type, doc) LOOK("camera", name, type, doc)
#define LIGHT(name, type, doc) LOOK("light", name, type, doc)
#define VIEW(name, doc) LOOK("view", name, "boolean", doc)

const api_entry api_view_entries[] = {
    CAMERA("position", "vec3", "Its position in metres, in world space."),
    CAMERA("target", "vec3", "The point it looks at."),
    CAMERA("fov", "positive", "The vertical field of view, in radians."),
    CAMERA("orbit", "boolean", "Whether the mouse orbits the camera about its target."),
    LIGHT("environment", "environment",
          "What shines from all around: \"studio\", \"noon\", \"golden_hour\", \"overcast\" or \"night\", each with a "
          "sun "
          "of its own; or \"colors\", the default: direction, color, intensity, sky and ground of this table."),
    LIGHT("direction", "vec3", "Towards the sun."),
    LIGHT("color", "vec3", "The sun's colour, linear {red, green, blue} from 0 to 1."),
    LIGHT("intensity", "weight", "The brightness of the sun; 3 is a clear day."),
    LIGHT("sky", "vec3", "The light from above, linear {red, green, blue}."),
    LIGHT("ground", "vec3", "The light from below, linear {red, green, blue}."),
    LIGHT("exposure", "positive", "The brightness of the picture; 1 is neutral."),
    LIGHT(
        "curve", "curve",
        "How light becomes colours: \"neutral\" keeps those of the materials (Khronos' PBR Neutral), \"aces\" has the "
        "contrast of film."),
    LIGHT("fog", "weight",
          "The density of the fog per metre: exp(-fog * metres) of the light arrives. 0 is "
          "clear, 0.02 a misty morning."),
    VIEW("wireframe", "Triangles over the shaded picture."),
    VIEW("skeleton", "Joints of every actor."),
    VIEW("names", "Names of joints."),
    VIEW("axes", "Axes of joints: x red, y green, z blue."),
    VIEW("bind_pose", "Shows every actor in its bind pose."),
    VIEW("bounds", "The bounding box by which each actor is culled."),
    VIEW("root_path", "The path of each actor's root."),
    VIEW("contacts", "Rings where feet touch the ground: green for planted feet, orange for sliding ones."),
    VIEW("scale", "Metres along the axes of the ground: x red, z blue."),
    VIEW("ground", "The ground with its metre grid."),
    VIEW("stats", "Numbers about performance."),
    VIEW("inspector", "The panel that shows and edits what every actor does."),
    VIEW("graph", "The panel that draws an actor's graph: the weight of each node, the transitions out of a state, "
                  "blend spaces."),
    VIEW("console", "The panel with the log, and a line that is evaluated in the scene."),
    VIEW("paused", "Stops time: dt is 0, and only the camera and panels move. F6 does the same; F7 steps one frame."),
    LOOK("view", "speed", "positive",
         "The speed of scene time; 0.25 is slow motion, default 1. F8 steps through 1, ¼ and 1/16."),
    LOOK("view", "surface", "surface",
         "The display of surfaces: \"shaded\", \"normals\", \"joints\", \"weight\" (of sinew.view.joint) or "
         "\"velocity\"."),
    LOOK("view", "joint", "string", "The joint whose weights the surface \"weight\" shows."),
    LOOK("view", "skinner", "string",
         "Where actors are skinned: \"cpu\", \"vertex\" (in the vertex shader of each pass), \"feedback\" or "
         "\"compute\" (once for all passes). The picture is the same."),
    {"sinew.view", "skinners", API_FIELD, "table", "", "The names of those that work here.", .get = get_skinners},
    {0}};
