#include "cli/cook_folder.h"

#include "base/file.h"
#include "base/memory/memory.h"
#include "base/text.h"
#include "cli/cli.h"
#include "cli/json.h"

#include <stdio.h>
#include <string.h>

enum { PATH_SIZE = 4096 };

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

int cook_folder(const char *folder, const char *output, const sinew_load_options *load) {
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
