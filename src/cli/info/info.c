/* sinew info – lists the contents of a model file, for people and (--json) for programs. */
#include "cli/cli.h"
#include "cli/info/model_print.h"
#include "cli/pack_print.h"

#include "base/file.h"

typedef struct info_request {
  bool json, rig;
  const char *path, *model, *order;
  cli_load more;
  sinew_load_options load;
} info_request;

static int print_folder(const info_request *r) {
  pack p;
  sinew_error error;
  pack_column column = PACK_NAME;
  bool descending = false;
  if (r->order && !pack_read_order(r->order, &column, &descending))
    return cli_misuse("info", "--sort wants clip, file, length, speed, turn, seam, slide or fit, or -speed …, got '%s'",
                      r->order);
  bool opened = pack_open(&p, r->path, r->model, &r->load, &error);
  if (opened && r->order) pack_sort(&p, column, descending);
  if (opened) pack_print(&p, r->path, r->json);
  pack_close(&p);
  return opened ? 0 : cli_fail("%s", error.message);
}

static int print_model(const info_request *r) {
  sinew_error error = {""};
  sinew_model *model = sinew_model_load(r->path, &r->load, &error);
  if (!model) return cli_fail("%s", error.message);
  bool printed = r->json ? model_print_json(model) : model_print(model);
  if (printed && r->rig && !r->json) model_print_rig(model);
  sinew_model_release(model);
  return printed ? 0 : cli_fail("%s: out of memory", r->path);
}

int cli_info(int argc, char **argv) {
  info_request r = {.load = sinew_load_options_default()};
  int count;
  const cli_option options[] = {
      {"--json", CLI_FLAG, &r.json, "print JSON"},
      {"--rig", CLI_FLAG, &r.rig, "say what its body is taken for, and by what evidence"},
      {"--model", CLI_TEXT, &r.model, "FILE  for a folder: the model that plays its clips"},
      {"--sort", CLI_TEXT, &r.order, "COLUMN  for a folder: sort by this; -speed puts the fastest first"},
      CLI_CLIPS_OPTION(&r.more),
      CLI_LOAD_OPTIONS(&r.more)};
  const cli_usage usage = {"info",
                           "MODEL|FOLDER",
                           "Lists the contents of a model file, and what the import repaired or dropped. For a "
                           "folder, prints a row for each clip.",
                           options,
                           sizeof options / sizeof *options,
                           1,
                           1};
  int status = cli_parse(&usage, argc, argv, &r.path, &count);
  if (status < 0) status = cli_load_options("info", &r.more, &r.load);
  if (status >= 0) return status;
  r.load.max_influences = 8;
  return folder_exists(r.path) ? print_folder(&r) : print_model(&r);
}
