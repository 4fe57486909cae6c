/* sinew cook – turns a model file into one that loads at once. */
#include "base/file.h"
#include "base/text.h"
#include "cli/cli.h"
#include "cli/cook_folder.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum { PATH_SIZE = 4096 };

bool cook_name(const char *path, char *out, size_t size) {
  int stem = (int)(strlen(path) - strlen(path_extension(path)));
  const char *dot = stem > 0 && path[stem - 1] == '.' ? "" : ".";
  return snprintf(out, size, "%.*s%ssinew", stem, path, dot) < (int)size;
}

static double megabytes(const char *path) {
  struct stat info;
  return stat(path, &info) == 0 ? (double)info.st_size / 1e6 : 0;
}

static int cook(const char *path, const char *output, const sinew_load_options *load) {
  sinew_error error = {""};
  sinew_model *model = sinew_model_load(path, load, &error);
  bool good = model && sinew_model_cook(model, output, &error);
  sinew_model_release(model);
  if (!good) return cli_fail("%s", error.message);
  text_show(stdout, "%s: %.2f MB from %.2f MB\n", output, megabytes(output), megabytes(path));
  return 0;
}

int cli_cook(int argc, char **argv) {
  const char *path = NULL, *output = NULL;
  cli_load more = {0};
  char named[PATH_SIZE];
  double millimetres = 0;
  sinew_load_options load = sinew_load_options_default();
  const cli_option options[] = {
      {"-o", CLI_TEXT, &output,
       "FILE|FOLDER  write this file (default: beside the model, with the extension .sinew); for a folder, the one for "
       "the cooked files"},
      CLI_CLIPS_OPTION(&more),
      CLI_LOAD_OPTIONS(&more),
      {"--tolerance", CLI_NUMBER, &millimetres, "MM  largest error of clips (default: 5e-5 of the model's size)"},
      {"--influences", CLI_INT, &load.max_influences, "N  joints kept for each vertex: 4 (the default) or 8"}};
  const cli_usage usage = {.command = "cook",
                           .arguments = "MODEL|FOLDER",
                           .summary = "Turns a model file into one that loads at once: everything in one .sinew file, "
                                      "checked but not parsed. For a folder, does so for every model in it and below, "
                                      "prints a line of JSON for each, and leaves alone what is up to date.",
                           .options = options,
                           .option_count = sizeof options / sizeof *options,
                           .min_positional = 1,
                           .max_positional = 1};
  int status = cli_parse(&usage, argc, argv, &path, NULL);
  if (status < 0) status = cli_load_options("cook", &more, &load);
  if (status >= 0) return status;
  if (load.max_influences != 4 && load.max_influences != 8)
    return cli_misuse("cook", "--influences is 4 or 8, got %d", load.max_influences);
  if (!(millimetres == 0 || (millimetres >= 1e-6 && millimetres <= 1000)))
    return cli_misuse("cook", "--tolerance is 1e-6 to 1000 mm, got %g", millimetres);
  load.tolerance = millimetres / 1000;
  if (folder_exists(path) && !output) return cli_misuse("cook", "%s is a folder: -o names one for the files", path);
  if (folder_exists(path)) return cook_folder(path, output, &load);
  if (!output && !cook_name(path, named, sizeof named)) return cli_fail("%s: the path is too long", path);
  if (!output) output = named;
  if (!file_may_replace(output, "SINEWCK"))
    return cli_fail("%s: exists and is not a cooked model; it is not replaced", output);
  if (strcmp(output, path) == 0) return cli_fail("%s: is cooked already; -o names another file", path);
  return cook(path, output, &load);
}
