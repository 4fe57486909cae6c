#include "cli/new/scene_template.h"

#include "base/error.h"
#include "base/file.h"
#include "base/text.h"
#include "cli/info/space_hint.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { CLIP_KEYS = 9, SCENE_SIZE = 32768, WORD_SIZE = 1024 };

scene_template scene_template_default(void) { return (scene_template){.speed = 1}; }

/* ---- text ---- */

typedef struct writer {
  char text[SCENE_SIZE];
  size_t used;
  bool overflow;
} writer;

static void add(writer *w, const char *format, ...) SINEW_PRINTF(2, 3);
static void add(writer *w, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int length = text_format_list(w->text + w->used, sizeof w->text - w->used, format, arguments);
  va_end(arguments);
  if (length < 0 || (size_t)length >= sizeof w->text - w->used) w->overflow = true;
  else w->used += (size_t)length;
}

/* Writes a Lua string in quotation marks. Names come from files, so anything that could end the string is escaped. */
static void add_string(writer *w, const char *text) {
  add(w, "\"");
  for (const unsigned char *c = (const unsigned char *)text; *c; c++) {
    if (*c == '"' || *c == '\\') add(w, "\\%c", *c);
    else if (*c < 0x20 || *c == 0x7f) add(w, "\\%03d", *c);
    else add(w, "%c", *c);
  }
  add(w, "\"");
}

static void add_point(writer *w, sinew_vec3 p) {
  add(w, "{ %.4g, %.4g, %.4g }", (double)p.x, (double)p.y, (double)p.z);
}

/* ---- parts ---- */

/* "models/Fox v2.glb" → "fox_v2". */
static void actor_name(char *out, size_t size, const char *path) {
  const char *file = path_file(path);
  size_t length = strcspn(file, "."), used = 0;
  for (size_t i = 0; i < length && used + 1 < size; i++) {
    char c = file[i];
    if (c >= 'A' && c <= 'Z') c = (char)(c - 'A' + 'a');
    bool fits = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    if (fits || (used > 0 && out[used - 1] != '_')) out[used++] = fits ? c : '_';
  }
  while (used > 0 && out[used - 1] == '_') used--;
  out[used] = '\0';
  if (used == 0) snprintf(out, size, "hero");
}

/* A camera in front of the model and a little to its side, at a distance that fits its box. */
static void choose_camera(const sinew_model *model, sinew_vec3 *position, sinew_vec3 *target) {
  sinew_vec3 low, high;
  sinew_model_bounds(model, &low, &high);
  *target = (sinew_vec3){(low.x + high.x) / 2, (low.y + high.y) / 2, (low.z + high.z) / 2};
  float x = high.x - low.x, y = high.y - low.y, z = high.z - low.z, size = sqrtf(x * x + y * y + z * z);
  if (!(size > 1e-6f)) size = 2;
  *position = (sinew_vec3){target->x + 0.6f * size, target->y + 0.3f * size, target->z + 1.2f * size};
}

/* Rounds to numbers that a person would write: to a hundredth of the power of ten below the camera's distance. */
static sinew_vec3 neat(sinew_vec3 p, float distance) {
  float step = powf(10, floorf(log10f(fmaxf(distance, 1e-3f))) - 2);
  return (sinew_vec3){roundf(p.x / step) * step + 0.0f, roundf(p.y / step) * step + 0.0f,
                      roundf(p.z / step) * step + 0.0f};
}

static void add_look(writer *w, const sinew_model *model, const scene_template *options) {
  sinew_vec3 position = options->camera_position, target = options->camera_target;
  if (!options->has_camera) choose_camera(model, &position, &target);
  float distance = hypotf(hypotf(position.x - target.x, position.y - target.y), position.z - target.z);
  add(w, "sinew.camera.position = ");
  add_point(w, neat(position, distance));
  add(w, "\nsinew.camera.target = ");
  add_point(w, neat(target, distance));
  add(w, "\nsinew.light.environment = \"studio\"\n");
}

/* Written before each item of a table: its opening before the first, a comma before the others. */
typedef struct table {
  writer *w;
  const char *open;
  bool begun;
} table;

static void next_item(table *t) {
  add(t->w, "%s", t->begun ? ", " : t->open);
  t->begun = true;
}

static void end_table(const table *t, const char *close) {
  if (t->begun) add(t->w, "%s", close);
}

static void add_clip_files(table *options, const scene_template *from) {
  for (int i = 0; i < from->clip_file_count; i++) {
    if (i == 0) next_item(options);
    add(options->w, i == 0 ? "clips = { " : ", ");
    add_string(options->w, from->clip_files[i]);
  }
  if (from->clip_file_count > 0) add(options->w, " }");
}

static void add_map(table *options, const sinew_load_options *load) {
  writer *w = options->w;
  table pairs = {w, "map = { ", false};
  if (load->map_count > 0) next_item(options);
  for (int i = 0; i < load->map_count; i++) {
    const char *ours = load->map[i].ours;
    next_item(&pairs);
    add(w, "[");
    add_string(w, load->map[i].theirs);
    add(w, "] = ");
    if (ours && ours[0]) add_string(w, ours);
    else add(w, "false");
  }
  end_table(&pairs, " }");
}

static void add_edit(writer *w, const sinew_clip_edit *edit) {
  add(w, "{ clip = ");
  add_string(w, edit->clip);
  if (edit->name) {
    add(w, ", name = ");
    add_string(w, edit->name);
  }
  if (edit->from > 0) add(w, ", from = %.9g", edit->from);
  if (isfinite(edit->to)) add(w, ", to = %.9g", edit->to);
  add(w, "%s%s%s }", edit->reverse ? ", reverse = true" : "", edit->loop ? ", loop = true" : "",
      edit->mirror ? ", mirror = true" : "");
}

static void add_edits(table *options, const sinew_load_options *load) {
  table edits = {options->w, "edits = { ", false};
  if (load->edit_count > 0) next_item(options);
  for (int i = 0; i < load->edit_count; i++) {
    next_item(&edits);
    add_edit(options->w, load->edits + i);
  }
  end_table(&edits, " }");
}

static void add_roles(table *options, const sinew_load_options *load) {
  table roles = {options->w, "roles = { ", false};
  if (load->role_count > 0) next_item(options);
  for (int i = 0; i < load->role_count; i++) {
    next_item(&roles);
    add(options->w, "%s = ", load->roles[i].role);
    add_string(options->w, load->roles[i].joint);
  }
  end_table(&roles, " }");
}

static void add_load_options(table *options, const sinew_load_options *load) {
  static const char *const modes[] = {"auto", "copy", "fit", "raw"};
  add_map(options, load);
  add_roles(options, load);
  if (load->retarget) next_item(options), add(options->w, "retarget = \"%s\"", modes[load->retarget]);
  add_edits(options, load);
  if (load->unit > 0) next_item(options), add(options->w, "unit = %.9g", load->unit);
  if (load->up) next_item(options), add(options->w, "up = "), add_string(options->w, load->up);
  if (load->front) next_item(options), add(options->w, "front = "), add_string(options->w, load->front);
  if (load->max_influences == 8) next_item(options), add(options->w, "influences = 8");
  if (load->exact) next_item(options), add(options->w, "exact = true");
}

/* A humanoid may borrow. */
static void add_offer(writer *w, const char *path) {
  add(w, "-- It has no clips of its own. Our hero's: sinew.model(");
  add_string(w, path);
  add(w, ", { clips = { \"hero.glb\" } }), and then hero:play \"Walk\"\n");
}

/* A hint about the units of the file. */
static void add_hints(writer *w, const sinew_model *model, const sinew_load_options *load) {
  char text[SPACE_HINT];
  double unit = load && load->unit > 0 ? 0 : space_hint_unit(model, text);
  if (unit > 0) add(w, "-- %s Then add { unit = %.4g } to the options of sinew.model\n", text, unit);
  const char *up = load && load->up ? NULL : space_hint_up(model, text);
  if (up) add(w, "-- %s Then add { up = \"%s\" } to the options of sinew.model\n", text, up);
  const char *front = load && load->front ? NULL : space_hint_front(model, text);
  if (front) add(w, "-- %s Then add { front = \"%s\" } to the options of sinew.model\n", text, front);
}

static void add_model(writer *w, const char *path, const sinew_model *model, const scene_template *from) {
  table options = {w, ", { ", false};
  add_hints(w, model, from->load);
  if (sinew_model_clip_count(model) == 0) add_offer(w, path);
  add(w, "local model = sinew.model(");
  add_string(w, path);
  add_clip_files(&options, from);
  if (from->load) add_load_options(&options, from->load);
  end_table(&options, " }");
  add(w, ")\n");
}

static void add_actor(writer *w, const char *name, const scene_template *options) {
  add(w, "local hero = sinew.actor(");
  add_string(w, name);
  add(w, ", model");
  if (options->position.x != 0 || options->position.y != 0 || options->position.z != 0) {
    add(w, ", { position = ");
    add_point(w, options->position);
    add(w, " }");
  }
  add(w, ")\n");
}

static const char *clip_name(const sinew_model *model, int index) {
  return sinew_clip_name(sinew_model_clip(model, index));
}

/* Plays a clip by name if the name finds it, else by its number. */
static void add_clip(writer *w, const sinew_model *model, int index) {
  const char *name = clip_name(model, index);
  char number[16];
  snprintf(number, sizeof number, "#%d", index);
  add_string(w, sinew_model_find_clip(model, name) == index ? name : number);
}

static void add_clips(writer *w, const sinew_model *model, const scene_template *options) {
  int count = sinew_model_clip_count(model);
  if (count == 0) return;
  add(w, "local clips = { ");
  for (int i = 0; i < count && i < CLIP_KEYS; i++) {
    if (i > 0) add(w, ", ");
    add_clip(w, model, i);
  }
  add(w, " } -- on the keys 1 to %d\n", count < CLIP_KEYS ? count : CLIP_KEYS);
  if (options->clip < 0 || options->clip >= count) {
    add(w, "local action\n");
    return;
  }
  add(w, "local action = hero:play(");
  add_clip(w, model, options->clip);
  add(w, ", { fade = 0.2, speed = tune.speed })\n");
}

static void add_callbacks(writer *w, const sinew_model *model) {
  bool plays = sinew_model_clip_count(model) > 0;
  if (plays)
    add(w, "\nfunction sinew.key_pressed(key)\n"
           "  local clip = clips[tonumber(key)]\n"
           "  if clip then action = hero:play(clip, { fade = 0.2, speed = tune.speed }) end\n"
           "end\n");
  add(w,
      "\nfunction sinew.update(dt)\n"
      "  sinew.ui.slider(tune, \"speed\", 0, 2) -- drag it, or change this file and save it\n%s"
      "end\n",
      plays ? "  if action then action.speed = tune.speed end\n" : "");
}

/* ---- the whole ---- */

static void compose(writer *w, const char *path, const char *model_path, const sinew_model *model,
                    const scene_template *options) {
  char name[WORD_SIZE];
  actor_name(name, sizeof name, model_path);
  add(w, "-- sinew run %s%s%s\nlocal sinew = require \"sinew\"\n", path_file(path), options->allow ? " --allow " : "",
      options->allow ? options->allow : "");
  add(w, "local tune = sinew.keep(\"tune\", { speed = %.4g })\n\n", isfinite(options->speed) ? options->speed : 1.0);
  add_model(w, model_path, model, options);
  add_actor(w, options->actor ? options->actor : name, options);
  add_look(w, model, options);
  add_clips(w, model, options);
  add_callbacks(w, model);
}

bool scene_template_write(const char *path, const char *model_path_in_scene, const sinew_model *model,
                          const scene_template *options, sinew_error *error) {
  static writer w; /* too large for a small stack; commands run on one thread */
  scene_template defaults = scene_template_default();
  if (file_exists(path)) return error_set(error, "%s: exists already and is not replaced", path);
  w.used = 0;
  w.overflow = false;
  compose(&w, path, model_path_in_scene, model, options ? options : &defaults);
  if (w.overflow) return error_set(error, "%s: the scene would be longer than %d bytes", path, SCENE_SIZE);
  return file_write(path, w.text, w.used, error);
}
