/* sinew new – makes a folder with a scene to start from. Reads the model first, so that a bad one leaves nothing
 * behind. */
#include "base/error.h"
#include "base/file.h"
#include "base/memory/memory.h"
#include "base/text.h"
#include "cli/cli.h"
#include "cli/info/space_hint.h"
#include "cli/new/new_files.h"
#include "cli/new/scene_template.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum { PATH_SIZE = 4096 };

/* The library: the modules that scenes require. */
static const char editor_settings[] = "{\n"
                                      "  \"runtime.version\": \"Lua 5.4\",\n"
                                      "  \"workspace.library\": [\"%s/scripts/sinew\"],\n"
                                      "  \"workspace.checkThirdParty\": false,\n"
                                      "  \"runtime.path\": [\"?.lua\", \"%s/scripts/?.lua\"],\n"
                                      "  \"runtime.builtin\": {\"io\": \"disable\", \"debug\": \"disable\"}\n"
                                      "}\n";

static const char luacheck_settings[] = "std = \"lua54\"\n"
                                        "globals = { sinew = { other_fields = true } }\n"
                                        "not_globals = { \"io\", \"debug\", \"package\", \"dofile\", \"loadfile\" }\n"
                                        "exclude_files = { \"sinew.d.lua\" }\n";

/* Includes the names of this scene's clips and joints. */
static bool write_stubs(const char *folder, const char *scene, sinew_error *error) {
  char path[PATH_SIZE];
  const cli_list nothing = {0};
  if (!path_join(path, sizeof path, folder, "sinew.d.lua")) return error_set(error, "%s: the path is too long", folder);
  file_writer *w = file_begin(path, true, error);
  if (!w) return false;
  if (cli_write_stubs(scene, &nothing, false, file_stream(w), error)) return file_commit(w, error);
  file_abandon(w);
  return false;
}

static bool write_setting(const char *folder, const char *name, const char *text, sinew_error *error) {
  char path[PATH_SIZE];
  return path_join(path, sizeof path, folder, name) && file_write(path, text, strlen(text), error);
}

static bool write_editor_files(const char *folder, const char *scene, sinew_error *error) {
  char settings[sizeof editor_settings + 2 * PATH_SIZE];
  const char *home = sinew_home();
  text_format(settings, sizeof settings, editor_settings, home, home);
  return write_stubs(folder, scene, error) && write_setting(folder, ".luarc.json", settings, error) &&
         write_setting(folder, ".luacheckrc", luacheck_settings, error);
}

/* The clip that plays first: one named idle or walk if there is one, else the first. */
static int choose_clip(const sinew_model *model) {
  static const char *const names[] = {"Idle", "idle", "Walk", "walk"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    int clip = sinew_model_find_clip(model, names[i]);
    if (clip >= 0) return clip;
  }
  return sinew_model_clip_count(model) ? 0 : -1;
}

typedef struct new_request {
  const char *folder, *model; /* model NULL: the hero of Sinew's own assets, which every scene finds by name */
  cli_list clips;
  cli_load more;
  sinew_load_options load; /* as said, and as found */
  sinew_joint_role found[SINEW_ROLES];
} new_request;

/* The positions of the model's clip files in the folder. */
typedef struct placed_clips {
  char **names; /* in `text` */
  char *text;
  int count;
} placed_clips;

static void drop_placed(placed_clips *p) {
  mem_free(p->names);
  mem_free(p->text);
}

static bool place_clips(const sinew_model *model, placed_clips *p, sinew_error *error) {
  int count = sinew_model_clip_file_count(model);
  size_t room = (size_t)count + 1;
  *p = (placed_clips){mem_alloc_array(room, sizeof *p->names), mem_alloc_array(room, NEW_PATH), 0};
  if (!p->names || !p->text) return error_memory(error, "the clips", room * NEW_PATH);
  for (int i = 0; i < count; i++) {
    char *position = p->text + (size_t)i * NEW_PATH;
    if (!new_position(position, NEW_PATH, model, sinew_model_clip_file(model, i).path))
      return error_set(error, "%s: its path does not fit into the scene's folder",
                       sinew_model_clip_file(model, i).path);
    p->names[p->count++] = position;
  }
  return true;
}

/* Many packs distinguish files by their folders. */
static void shorten(placed_clips *p) {
  enum { NAMED = 6 };
  int kept = 0;
  if (p->count <= NAMED) return;
  for (int i = 0; i < p->count; i++) {
    char *slash = strrchr(p->names[i], '/');
    if (slash) memcpy(slash, "/*", 3);
    if (kept == 0 || strcmp(p->names[kept - 1], p->names[i]) != 0) p->names[kept++] = p->names[i];
  }
  p->count = kept;
}

/* What names do not tell is written into the scene, where it can be corrected. */
static void take_roles(new_request *r, const sinew_model *model) {
  int joints[SINEW_ROLES], count = 0, by = sinew_model_finding(model, SINEW_FINDING_FEET).evidence;
  bool plain = by == SINEW_BY_NAMES || by == SINEW_BY_FILE || by == SINEW_BY_AUTHOR || by == SINEW_BY_NOTHING;
  if (!r->model || r->load.role_count > 0 || plain) return;
  sinew_model_roles(model, joints);
  for (int i = SINEW_ROLE_LEFT_FOOT; i < SINEW_ROLES; i += 2)
    for (int side = 0; side < 2 && joints[i] > 0 && joints[i + 1] > 0; side++)
      r->found[count++] =
          (sinew_joint_role){sinew_role_name((sinew_role)(i + side)), sinew_model_joint_name(model, joints[i + side])};
  r->load.roles = r->found, r->load.role_count = count;
}

static bool write_scene(const new_request *r, const sinew_model *model, const placed_clips *clips, sinew_error *error) {
  char scene[PATH_SIZE];
  if (!path_join(scene, sizeof scene, r->folder, "main.lua"))
    return error_set(error, "%s: the path is too long", r->folder);
  scene_template options = scene_template_default();
  options.clip = choose_clip(model);
  options.load = &r->load;
  options.clip_files = (const char *const *)clips->names;
  options.clip_file_count = clips->count;
  return scene_template_write(scene, r->model ? path_file(r->model) : "hero.glb", model, &options, error) &&
         write_editor_files(r->folder, scene, error);
}

/* What the file states wrongly, or not at all, becomes an option of the scene. False if nothing is new. */
static bool take_hints(new_request *r, const sinew_model *model) {
  char text[SPACE_HINT];
  const char *path = sinew_model_path(model);
  double unit = r->load.unit > 0 ? 0 : space_hint_unit(model, text);
  if (unit > 0) sinew_log(SINEW_LOG_WARNING, "%s: %s The scene says unit = %.4g", path, text, r->load.unit = unit);
  if (unit > 0) return true;
  const char *up = r->load.up ? NULL : space_hint_up(model, text);
  if (up) sinew_log(SINEW_LOG_WARNING, "%s: %s The scene says up = \"%s\"", path, text, r->load.up = up);
  if (up) return true;
  const char *front = r->load.front ? NULL : space_hint_front(model, text);
  if (front) sinew_log(SINEW_LOG_WARNING, "%s: %s The scene says front = \"%s\"", path, text, r->load.front = front);
  return front != NULL;
}

/* The hero stays in the assets; clips for it are copied. */
static bool make_folder(const new_request *r, const sinew_model *model, sinew_error *error) {
  placed_clips clips = {0};
  bool good = folder_create(r->folder, error) && new_copy_files(model, r->model, r->folder, error) &&
              place_clips(model, &clips, error);
  if (good) shorten(&clips);
  good = good && write_scene(r, model, &clips, error);
  drop_placed(&clips);
  return good;
}

static sinew_model *load_with(const new_request *r, const char *const *clips, int count, sinew_error *error) {
  char hero[PATH_SIZE];
  sinew_load_options options = r->load;
  options.clip_files = clips;
  options.clip_file_count = count;
  path_join(hero, sizeof hero, sinew_home(), "assets/hero.glb");
  return sinew_model_load(r->model ? r->model : hero, &options, error);
}

/* Files of a pattern that do not fit are left out, so the model's sources are exactly the files needed. */
static sinew_model *load_model(new_request *r, sinew_error *error) {
  sinew_model *model = load_with(r, r->clips.items, r->clips.count, error), *exact = NULL;
  int count = model ? sinew_model_clip_file_count(model) : 0;
  const char **files = mem_alloc_array((size_t)count + 1, sizeof *files);
  for (int i = 0; files && i < count; i++) files[i] = sinew_model_clip_file(model, i).path;
  bool is_theirs = r->model || r->clips.count > 0;
  for (int i = 0; model && is_theirs && i < sinew_model_note_count(model); i++)
    sinew_log(SINEW_LOG_INFO, "%s", sinew_model_note(model, i));
  if (model && files) exact = load_with(r, files, count, error);
  else if (model) error_memory(error, "the clips", sizeof *files);
  while (exact && take_hints(r, exact)) {
    sinew_model_release(exact);
    exact = load_with(r, files, count, error);
  }
  sinew_model_release(model);
  mem_free(files);
  return exact;
}

/* If the folder cannot be completed, removes it, so that the name is free for another try. */
static bool make(new_request *r, sinew_error *error) {
  sinew_model *model = load_model(r, error);
  if (model) take_roles(r, model);
  bool good = model && make_folder(r, model, error);
  if (model && !good) folder_remove(r->folder);
  sinew_model_release(model);
  return good;
}

/* A word for a shell. */
static void quote(char *out, size_t size, const char *word) {
  size_t used = 0;
  bool plain = word[strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+.,/:=@%")] == '\0';
  if (!plain) used += (size_t)snprintf(out, size, "'");
  for (const char *c = word; *c && used + 6 < size; c++)
    used += (size_t)snprintf(out + used, size - used, *c == '\'' ? "'\\''" : "%c", *c);
  snprintf(out + used, size - used, "%s", plain ? "" : "'");
}

int cli_new(int argc, char **argv) {
  new_request r = {.load = sinew_load_options_default()};
  const cli_option options[] = {
      {"--model", CLI_TEXT, &r.model, "FILE  the scene shows this model; it is copied into the folder"},
      {"--clips", CLI_LIST, &r.clips, "FILE  with the clips of this file, folder or 'pattern/*.fbx'; may be repeated"},
      CLI_LOAD_OPTIONS(&r.more)};
  const cli_usage usage = {.command = "new",
                           .arguments = "NAME",
                           .summary = "Makes the folder NAME with a scene of your own, ready to run and to change.",
                           .options = options,
                           .option_count = sizeof options / sizeof options[0],
                           .min_positional = 1,
                           .max_positional = 1};
  int status = cli_parse(&usage, argc, argv, &r.folder, NULL);
  if (status < 0) status = cli_load_options("new", &r.more, &r.load);
  if (status >= 0) return status;
  if (!r.folder[0]) return cli_misuse("new", "the name is empty");
  struct stat there;
  if (stat(r.folder, &there) == 0) return cli_fail("%s exists already; choose another name", r.folder);
  sinew_error error;
  if (!make(&r, &error)) return cli_fail("%s", error.message);
  char scene[PATH_SIZE], quoted[2 * PATH_SIZE];
  snprintf(scene, sizeof scene, "%.4000s/main.lua", r.folder);
  quote(quoted, sizeof quoted, scene);
  text_show(stdout, "%s is your scene. Run it, change it, save it:\n\n  sinew run %s\n", scene, quoted);
  return 0;
}
