/* sinew_load: a cooked file or one that the cache holds is there at once; any other is imported by a worker, which is
 * asked now and then whether it is done. sinew_model_load waits for one. */
#include "base/block.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/memory.h"
#include "import/cache/cache.h"
#include "import/import_model.h"
#include "import/load.h"
#include "import/options.h"
#include "import/worker/worker.h"

/* Seconds after which a person wants to know why nothing happens. */
static const double patience = 0.5;

struct sinew_load {
  char *path;
  sinew_load_options *options; /* a copy */
  worker *worker;              /* while it runs */
  sinew_model *model;          /* until it is handed out */
  sinew_error error;
  sinew_load_state state;
  double started;
  bool told;
};

/* ---- ends ---- */

static void settle(sinew_load *load) { load->state = load->model ? SINEW_LOAD_DONE : SINEW_LOAD_FAILED; }

static void keep(const sinew_load *load) {
  process_bytes cooked = worker_cooked(load->worker), files = worker_files(load->worker);
  source_list sources = {0};
  if (files.size > 0 && source_list_from_bytes(&sources, files.data, files.size)) {
    source_list_note(&sources, load->model);
    if (!load->options->no_cache) cache_store(load->path, load->options, &sources, cooked.data, cooked.size);
  }
  source_list_reset(&sources);
}

static void take_answer(sinew_load *load) {
  load->model = worker_model(load->worker, &load->error);
  if (load->model) keep(load);
  if (load->told && load->model)
    sinew_log(SINEW_LOG_INFO, "%s: imported in %.1f s", load->path, clock_seconds() - load->started);
  worker_destroy(load->worker);
  load->worker = NULL;
  settle(load);
}

/* ---- begin ---- */

static void import_here(sinew_load *load) {
  source_list sources = {0};
  disk_door disk = disk_door_open(&sources);
  load->model = import_model(load->path, load->options, &disk.door, &load->error);
  if (load->model) source_list_note(&sources, load->model);
  if (load->model && !load->options->no_cache) cache_store_model(load->path, load->options, &sources, load->model);
  source_list_reset(&sources);
}

static void start(sinew_load *load) {
  char program[4096];
  if (!load_is_ready(load->path, load->options, &load->model, &load->error)) {
    if (load->options->in_process || !worker_find(program, sizeof program)) import_here(load);
    else load->worker = worker_start(program, load->path, load->options, &load->error);
  }
  if (!load->worker) settle(load);
}

sinew_load *sinew_load_begin(const char *path, const sinew_load_options *options, sinew_error *error) {
  sinew_load_options defaults = sinew_load_options_default();
  if (!options) options = &defaults;
  if (!load_check_options(path, options, error)) return NULL;
  sinew_load *load = mem_alloc_zeroed(sizeof *load);
  if (load) load->path = mem_copy_string(path);
  if (load && load->path) load->options = options_copy(options, path, error);
  else error_memory(error, path, sizeof *load);
  if (!load || !load->options) {
    sinew_load_end(load);
    return NULL;
  }
  load->started = clock_seconds();
  start(load);
  return load;
}

void sinew_load_end(sinew_load *load) {
  if (!load) return;
  worker_destroy(load->worker);
  sinew_model_release(load->model);
  block_release(load->options);
  mem_free(load->path);
  mem_free(load);
}

/* ---- wait ---- */

static sinew_load_state wait_for(sinew_load *load, double seconds) {
  if (load->state != SINEW_LOAD_RUNNING) return load->state;
  if (worker_wait(load->worker, seconds)) {
    take_answer(load);
  } else if (!load->told && clock_seconds() - load->started > patience) {
    load->told = true;
    sinew_log(SINEW_LOG_INFO, "%s: is being imported", load->path);
  }
  return load->state;
}

sinew_load_state sinew_load_poll(sinew_load *load, sinew_model **model, sinew_error *error) {
  sinew_load_state state = wait_for(load, 0);
  if (model) *model = NULL;
  if (state == SINEW_LOAD_FAILED && error) *error = load->error;
  if (state == SINEW_LOAD_DONE && model) {
    *model = load->model;
    load->model = NULL;
  }
  return state;
}

sinew_model *sinew_model_load(const char *path, const sinew_load_options *options, sinew_error *error) {
  sinew_load *load = sinew_load_begin(path, options, error);
  sinew_model *model = NULL;
  if (!load) return NULL;
  while (wait_for(load, 0.1) == SINEW_LOAD_RUNNING) {
  }
  sinew_load_poll(load, &model, error);
  sinew_load_end(load);
  return model;
}
