/* sinew cook – turns a model file into one that loads at once. */
#include "base/file.h"
#include "base/memory/memory.h"
#include "base/text.h"
#include "cli/cli.h"
#include "cli/json.h"

#include <sinew/model.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static int cook_folder(const char *folder, const char *output, const sinew_load_options *load);

enum { PATH_SIZE = 4096 };

/* "models/hero.glb" → "models/hero.sinew"; false if that is too long. */
static bool cook_name(const char *path, char *out, size_t size) {
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

/* ---- cooks every model of a folder and the folders below it ---- */

typedef struct folder_cook {
  const char *folder, *output;
  const sinew_load_options *load;
  char *sources[SINEW_FIND_MOST];
  int count, failed;
} folder_cook;

static void keep(void *user, const char *path) {
  folder_cook *c = user;
  char *copy = c->count < SINEW_FIND_MOST ? mem_copy_string(path) : NULL;
  if (copy) c->sources[c->count++] = copy;
}

/* Below the output folder as the model is below its own. */
static bool name_output(const folder_cook *c, const char *source, char out[PATH_SIZE]) {
  char joined[PATH_SIZE];
  const char *below = source + strlen(c->folder);
  while (*below == '/') below++;
  return path_join(joined, sizeof joined, c->output, below) && cook_name(joined, out, PATH_SIZE);
}

/* hero.fbx and hero.glb would have one name. */
static const char *find_rival(const folder_cook *c, int source, const char *output) {
  char other[PATH_SIZE];
  for (int i = 0; i < source; i++)
    if (name_output(c, c->sources[i], other) && strcmp(other, output) == 0) return c->sources[i];
  return NULL;
}

typedef struct result {
  const char *status;
  size_t size;
  sinew_error error;
} result;

typedef struct writing {
  const char *path;
  result *result;
} writing;

static bool holds(const char *path, const void *bytes, size_t size) {
  size_t had = 0;
  unsigned char *old = file_exists(path) ? file_read(path, size, &had, NULL) : NULL;
  bool same = old && had == size && memcmp(old, bytes, size) == 0;
  mem_free(old);
  return same;
}

static void write_cooked(void *user, const void *bytes, size_t size) {
  writing *w = user;
  w->result->size = size;
  w->result->status = "up to date";
  if (holds(w->path, bytes, size)) return;
  w->result->status = file_write(w->path, bytes, size, &w->result->error) ? "cooked" : "failed";
}

static result cook_one(const folder_cook *c, int source, char output[PATH_SIZE]) {
  result r = {.status = "failed"};
  char folder[PATH_SIZE];
  const char *path = c->sources[source], *rival;
  if (!name_output(c, path, output) || !path_folder(folder, sizeof folder, output)) {
    snprintf(r.error.message, sizeof r.error.message, "%.200s: the path is too long", path);
  } else if ((rival = find_rival(c, source, output)) != NULL) {
    snprintf(r.error.message, sizeof r.error.message, "%.200s: would replace what %.200s was cooked to", path, rival);
  } else if (!file_may_replace(output, "SINEWCK")) {
    snprintf(r.error.message, sizeof r.error.message, "%.200s: exists and is not a cooked model; it is not replaced",
             output);
  } else if (folder_create(folder, &r.error)) {
    sinew_model *model = sinew_model_load(path, c->load, &r.error);
    if (model) sinew_model_cook_memory(model, write_cooked, &(writing){output, &r}, &r.error);
    sinew_model_release(model);
  }
  return r;
}

static void print_result(const char *source, const char *output, const result *r) {
  bool failed = strcmp(r->status, "failed") == 0;
  printf("{\"file\":");
  json_string(source);
  printf(",\"status\":\"%s\",", r->status);
  if (failed) printf("\"error\":"), json_string(r->error.message);
  else printf("\"output\":"), json_string(output), printf(",\"bytes\":%zu", r->size);
  printf("}\n");
  fflush(stdout); /* a long list is read while it grows */
}

static int cook_all(folder_cook *c) {
  char output[PATH_SIZE];
  for (int i = 0; i < c->count; i++) {
    result r = cook_one(c, i, output);
    c->failed += strcmp(r.status, "failed") == 0;
    print_result(c->sources[i], output, &r);
  }
  if (c->count == 0) return cli_fail("%s: there is no model in this folder", c->folder);
  if (c->failed) return cli_fail("%s: %d of %d models could not be cooked", c->folder, c->failed, c->count);
  return 0;
}

/* Writes a line of JSON for each model. Files that already have what would be written are not touched. Returns the
 * exit status: 1, with a sentence, if a model could not be cooked. */
static int cook_folder(const char *folder, const char *output, const sinew_load_options *load) {
  char pattern[PATH_SIZE];
  folder_cook *c = mem_alloc_zeroed(sizeof *c);
  int status = 1;
  if (c) *c = (folder_cook){.folder = folder, .output = output, .load = load};
  bool found = c && path_join(pattern, sizeof pattern, folder, "**") && sinew_find_files(pattern, keep, c) >= 0;
  if (!found) cli_fail("%s: has more than %d models, or a path that is too long", folder, SINEW_FIND_MOST);
  else status = cook_all(c);
  for (int i = 0; c && i < c->count; i++) mem_free(c->sources[i]);
  mem_free(c);
  return status;
}
