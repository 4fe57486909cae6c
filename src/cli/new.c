/* sinew new – a folder with a scene to start from. The model is read first, so that a bad one leaves nothing behind. */
#include "base/error.h"
#include "base/file.h"
#include "base/memory.h"
#include "cli/cli.h"
#include "cli/scene_template.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum { PATH_SIZE = 4096 };
static const size_t largest_file = (size_t)1 << 31;

static const char editor_settings[] = "{\n"
                                      "  \"runtime.version\": \"Lua 5.4\",\n"
                                      "  \"workspace.checkThirdParty\": false,\n"
                                      "  \"runtime.builtin\": {\"io\": \"disable\", \"debug\": \"disable\"}\n"
                                      "}\n";

static bool copy_file(const char *from, const char *folder, const char *name, sinew_error *error) {
  char to[PATH_SIZE];
  if (!path_join(to, sizeof to, folder, name)) return error_set(error, "%s/%s: the path is too long", folder, name);
  size_t size = 0;
  unsigned char *data = file_read(from, largest_file, &size, error);
  bool good = data && file_write(to, data, size, error);
  mem_free(data);
  return good;
}

static bool has_stem_of(const char *name, const char *other) {
  size_t length = strlen(other) - strlen(path_extension(other));
  return !strncmp(name, other, length) && strcmp(name, other) != 0;
}

static bool is_image_of(const char *name, const sinew_model *model) {
  for (int i = 0; i < sinew_model_image_count(model); i++) {
    const char *image = sinew_model_image(model, i).name;
    if (image && !strcmp(path_file(image), name)) return true;
  }
  return false;
}

/* A model may consist of several files: those with its stem (x.gltf, x.bin) and its pictures go along. */
static bool copy_companions(const char *path, const sinew_model *model, const char *folder, sinew_error *error) {
  char source[PATH_SIZE], from[PATH_SIZE];
  path_folder(source, sizeof source, path);
  DIR *files = opendir(source);
  if (!files) return true;
  bool good = true;
  for (struct dirent *file = readdir(files); file && good; file = readdir(files)) {
    const char *name = file->d_name;
    if (!has_stem_of(name, path_file(path)) && !is_image_of(name, model)) continue;
    if (path_join(from, sizeof from, source, name) && file_exists(from)) good = copy_file(from, folder, name, error);
  }
  closedir(files);
  return good;
}

static bool copy_model(const char *path, const sinew_model *model, const char *folder, sinew_error *error) {
  return copy_file(path, folder, path_file(path), error) && copy_companions(path, model, folder, error);
}

/* With the names of this scene's clips and joints in it. */
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

static bool write_editor_files(const char *folder, const char *scene, sinew_error *error) {
  char settings[PATH_SIZE];
  return write_stubs(folder, scene, error) && path_join(settings, sizeof settings, folder, ".luarc.json") &&
         file_write(settings, editor_settings, sizeof editor_settings - 1, error);
}

/* What plays at first: standing or walking where a clip is called that, else the first clip. */
static int choose_clip(const sinew_model *model) {
  static const char *const names[] = {"Idle", "idle", "Walk", "walk"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    int clip = sinew_model_find_clip(model, names[i]);
    if (clip >= 0) return clip;
  }
  return sinew_model_clip_count(model) ? 0 : -1;
}

/* model_path NULL: the hero of Sinew's own assets, which every scene finds by name. */
static bool make_folder(const char *folder, const char *model_path, const sinew_model *model, sinew_error *error) {
  char scene[PATH_SIZE];
  if (!path_join(scene, sizeof scene, folder, "main.lua")) return error_set(error, "%s: the path is too long", folder);
  scene_template options = scene_template_default();
  options.clip = choose_clip(model);
  const char *name = model_path ? path_file(model_path) : "hero.glb";
  return folder_create(folder, error) && (!model_path || copy_model(model_path, model, folder, error)) &&
         scene_template_write(scene, name, model, &options, error) && write_editor_files(folder, scene, error);
}

static sinew_model *load(const char *model_path, sinew_error *error) {
  char hero[PATH_SIZE];
  if (model_path) return sinew_model_load(model_path, NULL, error);
  path_join(hero, sizeof hero, sinew_home(), "assets/hero.glb");
  return sinew_model_load(hero, NULL, error);
}

int cli_new(int argc, char **argv) {
  const char *folder = NULL, *model_path = NULL;
  const cli_option options[] = {
      {"--model", CLI_TEXT, &model_path, "FILE  the scene shows this model; it is copied into the folder"}};
  const cli_usage usage = {.command = "new",
                           .arguments = "NAME",
                           .summary = "Makes the folder NAME with a scene of your own, ready to run and to change.",
                           .options = options,
                           .option_count = 1,
                           .min_positional = 1,
                           .max_positional = 1};
  int status = cli_parse(&usage, argc, argv, &folder, NULL);
  if (status >= 0) return status;
  if (!folder[0]) return cli_misuse("new", "the name is empty");
  struct stat there;
  if (stat(folder, &there) == 0) return cli_fail("%s exists already; choose another name", folder);
  sinew_error error;
  sinew_model *model = load(model_path, &error);
  if (!model) return cli_fail("%s", error.message);
  bool good = make_folder(folder, model_path, model, &error);
  sinew_model_release(model);
  if (!good) return cli_fail("%s", error.message);
  printf("%s/main.lua is your scene. Run it, change it, save it:\n\n  sinew run %s/main.lua\n", folder, folder);
  return 0;
}
