/* sinew_load: a cooked or cached file loads at once; a worker imports any other, and is polled until it is done.
 * sinew_model_load waits for one. */
#include "base/clock.h"
#include "base/error.h"
#include "base/memory/block.h"
#include "base/memory/memory.h"
#include "import/cache/cache.h"
#include "import/cook/cook.h"
#include "import/import_model.h"
#include "import/load.h"
#include "import/vfs/vfs.h"
#include "import/worker/worker.h"

#include <stdatomic.h>

/* Seconds after which a wait is explained. */
static const double patience = 0.5;

struct sinew_load {
  char *path;
  sinew_load_options *options; /* a copy */
  caller_vfs own;              /* with `has_own`: the files come from the caller, not from the disk */
  bool has_own;
  worker *worker;     /* while it runs */
  sinew_model *model; /* until it is handed out */
  sinew_error error;
  sinew_load_state state;
  double started;
  bool told;
};

/* ---- ends ---- */

static void settle(sinew_load *load) { load->state = load->model ? SINEW_LOAD_DONE : SINEW_LOAD_FAILED; }

static void keep(const sinew_load *load) {
  process_bytes cooked = worker_cooked(load->worker);
  const source_list *sources = worker_sources(load->worker);
  if (sources->broken || sources->count == 0) return;
  source_list_note(sources, load->model);
  if (!load->options->no_cache) cache_store(load->path, load->options, sources, cooked.data, cooked.size);
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

/* Once for this program. */
static void tell_no_jail(const sinew_load *load, bool asked) {
  static atomic_flag told = ATOMIC_FLAG_INIT;
  if (!process_can_start() || atomic_flag_test_and_set(&told)) return;
  sinew_log(asked ? SINEW_LOG_INFO : SINEW_LOG_WARNING,
            "%s: is imported in this process%s, without limits and without a jail", load->path,
            asked ? ", as asked for" : ", because there is no sinew-import beside the program");
}

static void import_here(sinew_load *load) {
  source_list sources = {0};
  disk_vfs disk = disk_vfs_open(&sources);
  vfs *fs = load->has_own ? &load->own.fs : &disk.fs;
  load->model = import_model(load->path, load->options, fs, &load->error);
  if (load->model) source_list_note(&sources, load->model);
  if (load->model && !load->options->no_cache) cache_store_model(load->path, load->options, &sources, load->model);
  source_list_reset(&sources);
}

/* A child that cannot request files can only read the disk. */
static void start_import(sinew_load *load) {
  char program[4096];
  bool here = load->options->in_process || worker_is_off();
  vfs *fs = load->has_own ? &load->own.fs : NULL;
  if (!here && worker_find(program, sizeof program) && (!fs || process_can_serve())) {
    load->worker = worker_start(program, load->path, load->options, fs, load->own.own.size, &load->error);
    return;
  }
  tell_no_jail(load, here);
  import_here(load);
}

static void start(sinew_load *load) {
  bool ready = !load->has_own && load_is_ready(load->path, load->options, &load->model, &load->error);
  bool cooked = load->has_own && cook_is_path(load->path);
  if (cooked) load->model = cook_read(load->own.own.data, load->own.own.size, load->path, &load->error);
  if (!ready && !cooked) start_import(load);
  if (!load->worker) settle(load);
}

static sinew_load *make_load(const char *path, const sinew_load_options *options, sinew_error *error) {
  sinew_load *load = mem_alloc_zeroed(sizeof *load);
  if (load) load->path = mem_copy_string(path);
  if (load && load->path) load->options = options_copy(options, path, error);
  else error_memory(error, path, sizeof *load);
  if (load && load->options) return load;
  sinew_load_end(load);
  return NULL;
}

/* Takes `options` with patterns already replaced, if the files are on the disk. */
static sinew_load *make_found(const char *path, const sinew_load_options *options, sinew_error *error) {
  sinew_load_options full = *options;
  file_list found;
  if (!load_find_clips(path, &full, &found, error)) return NULL;
  sinew_load *load = make_load(path, &full, error);
  file_list_reset(&found);
  return load;
}

/* `bytes` NULL: reads the file as the options say. */
static sinew_load *begin(const char *path, const sinew_file_bytes *bytes, const sinew_load_options *options,
                         sinew_error *error) {
  sinew_load_options defaults = sinew_load_options_default();
  if (!options) options = &defaults;
  if (!load_check_options(path, options, error)) return NULL;
  bool has_own = bytes || options->reader.read;
  sinew_load *load = has_own ? make_load(path, options, error) : make_found(path, options, error);
  if (!load) return NULL;
  load->started = clock_seconds();
  load->has_own = has_own;
  if (load->has_own) load->options->no_cache = true;
  if (load->has_own && !caller_vfs_open(&load->own, load->path, bytes, &load->options->reader, &load->error))
    settle(load);
  else start(load);
  return load;
}

sinew_load *sinew_load_begin(const char *path, const sinew_load_options *options, sinew_error *error) {
  return begin(path, NULL, options, error);
}

sinew_load *sinew_load_begin_memory(const char *path, const void *data, size_t size, const sinew_load_options *options,
                                    sinew_error *error) {
  return begin(path, &(sinew_file_bytes){.data = data, .size = size}, options, error);
}

void sinew_load_end(sinew_load *load) {
  if (!load) return;
  worker_destroy(load->worker);
  caller_vfs_close(&load->own);
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

static sinew_model *wait_to_the_end(sinew_load *load, sinew_error *error) {
  sinew_model *model = NULL;
  if (!load) return NULL;
  while (wait_for(load, 0.1) == SINEW_LOAD_RUNNING) {
  }
  sinew_load_poll(load, &model, error);
  sinew_load_end(load);
  return model;
}

sinew_model *sinew_model_load(const char *path, const sinew_load_options *options, sinew_error *error) {
  return wait_to_the_end(sinew_load_begin(path, options, error), error);
}

sinew_model *sinew_model_load_memory(const char *path, const void *data, size_t size, const sinew_load_options *options,
                                     sinew_error *error) {
  return wait_to_the_end(sinew_load_begin_memory(path, data, size, options, error), error);
}

sinew_importer sinew_importer_check(void) {
  char program[4096];
  unsigned walls = 0;
  bool separate = !worker_is_off() && worker_find(program, sizeof program) && worker_walls(program, &walls);
  return (sinew_importer){separate, walls & WORKER_WALL_CALLS, walls & WORKER_WALL_FILES};
}
