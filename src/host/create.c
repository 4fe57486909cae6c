/* Creates and destroys a host. */
#include "base/clock.h"
#include "base/error.h"
#include "base/memory/memory.h"
#include "host/drawing/shaders.h"
#include "host/host.h"
#include "host/panels/layout.h"
#include "host/system/driver_cache.h"

#include <math.h>
#include <string.h>

/* ---- create ---- */

sinew_host_def sinew_host_def_default(void) {
  return (sinew_host_def){.output = SINEW_OUTPUT_WINDOW,
                          .title = "Sinew",
                          .width = 1280,
                          .height = 720,
                          .samples = -1,
                          .shadow_size = -1,
                          .mega_vertices = 64,
                          .mega_texels = 64,
                          .vsync = true};
}

static bool check_def(const sinew_host_def *def, sinew_error *error) {
  enum { LARGEST = 16384 };
  if (def->output < SINEW_OUTPUT_WINDOW || def->output > SINEW_OUTPUT_NONE)
    return error_set(error, "host: output %d is not one of sinew_output", (int)def->output);
  if (def->width < 1 || def->height < 1 || def->width > LARGEST || def->height > LARGEST)
    return error_set(error, "a picture of %d x %d pixels: each side must be in 1 .. %d", def->width, def->height,
                     LARGEST);
  if (!isfinite(def->fixed_dt) || def->fixed_dt < 0)
    return error_set(error, "a time step of %g seconds: it must be finite and not negative", def->fixed_dt);
  if (def->frame_limit < 0) return error_set(error, "%d frames: the number must not be negative", def->frame_limit);
  if (def->capture_from < 0 || (def->frame_limit > 0 && def->capture_from >= def->frame_limit))
    return error_set(error, "pictures from frame %d on: the run has frames 0 .. %d", def->capture_from,
                     def->frame_limit - 1);
  if (def->capture && def->output == SINEW_OUTPUT_NONE)
    return error_set(error, "%s: nothing is drawn, so there are no pictures to save", def->capture);
  if (def->panels_only && (def->capture || def->output != SINEW_OUTPUT_OFFSCREEN))
    return error_set(error, "panels without pictures are for hosts that are offscreen and have no capture");
  if (def->record_input && def->replay_input && strcmp(def->record_input, def->replay_input) == 0)
    return error_set(error, "%s: cannot be recorded while it is played back", def->record_input);
  return true;
}

static bool create_capture(sinew_host *host, const sinew_host_def *def, sinew_error *error) {
  if (!def->capture) return true;
  capture_def wanted = {.target = def->capture,
                        .frame_limit = def->frame_limit,
                        .frames_per_second = def->fixed_dt > 0 ? 1 / def->fixed_dt : 60,
                        .first = def->capture_from};
  host->capture = capture_create(&wanted, error);
  return host->capture != NULL;
}

static bool create_context(sinew_host *host, const sinew_host_def *def, sinew_error *error) {
  driver_cache_guard();
  if (def->output == SINEW_OUTPUT_OFFSCREEN) {
    host->offscreen = offscreen_create(error);
    return host->offscreen != NULL;
  }
  window_def wanted = {def->title, def->width, def->height, def->vsync, &host->input};
  host->window = window_create(&wanted, error);
  if (host->window) window_size(host->window, &host->width, &host->height);
  return host->window != NULL;
}

static bool create_renderer(sinew_host *host, const sinew_host_def *def, sinew_error *error) {
  sinew_renderer_def wanted = sinew_renderer_def_default();
  wanted.proc_address = host->window ? window_proc : offscreen_proc;
  wanted.samples = def->samples;
  wanted.shadow_size = def->shadow_size;
  wanted.mega_vertices = def->mega_vertices > 0 ? def->mega_vertices : 1;
  host->models.most_texels = (uint64_t)(def->mega_texels > 0 ? def->mega_texels : 1) << 20;
  host->models.waits = host->offscreen || def->capture; /* so that each run gives the same pictures */
  host->renderer = sinew_renderer_create(&wanted, error);
  if (host->renderer) host->stats.renderer = sinew_renderer_description(host->renderer);
  return host->renderer != NULL;
}

static void write_clipboard(void *user, const char *text) { sinew_host_set_clipboard(user, text); }
static const char *read_clipboard(void *user) { return sinew_host_clipboard(user); }

static float panel_scale(const sinew_host *host) {
  if (host->replay) return run_log_start(host->replay).scale;
  return host->def.scale > 0 ? host->def.scale : host->window ? window_scale(host->window) : 1;
}

static bool send_font(sinew_host *host, sinew_error *error) {
  int width, height;
  const uint8_t *coverage;
  ui_font(host->ui, &width, &height, &coverage);
  bool set = !host->renderer || sinew_renderer_set_font(host->renderer, width, height, coverage, error);
  ui_drop_font(host->ui);
  return set;
}

static bool create_ui(sinew_host *host, sinew_error *error) {
  host->ui = ui_create(panel_scale(host), error);
  if (!host->ui) return false;
  ui_set_clipboard(host->ui, &(ui_clipboard){host, write_clipboard, read_clipboard});
  return send_font(host, error);
}

void host_follow_scale(sinew_host *host) {
  sinew_error reason;
  float scale = panel_scale(host);
  if (!host->ui || scale == ui_scale(host->ui)) return;
  ui_set_scale(host->ui, scale);
  if (!send_font(host, &reason)) sinew_log(SINEW_LOG_ERROR, "%s", reason.message);
}

/* A software rasteriser lowers anti-aliasing and shadows; tells the user of a window why. */
static void say_what_was_lowered(sinew_host *host) {
  const char *description = host->stats.renderer;
  if (host->window && strstr(description, "lowered")) sinew_host_log(host, SINEW_LOG_INFO, description);
}

static bool create_picture(sinew_host *host, const sinew_host_def *def, sinew_error *error) {
  bool needs_panels = host->replay && run_log_start(host->replay).has_panels;
  if (def->output == SINEW_OUTPUT_NONE) return !needs_panels || create_ui(host, error);
  if (!create_capture(host, def, error) || !create_context(host, def, error)) return false;
  if (!create_renderer(host, def, error) || !create_ui(host, error)) return false;
  driver_cache_hold();
  say_what_was_lowered(host);
  return true;
}

/* A run repeats bit for bit only where products and sums are rounded as they were. */
static void use_arithmetic_of(sinew_host *host, const run_log_head *recorded, const char *path) {
  host->simd_before = simd_current();
  host->set_simd = true;
  if (!recorded->is_older) simd_use_rounding(recorded->rounds_once);
  else
    sinew_log(SINEW_LOG_WARNING,
              "%s: recorded by an earlier version of Sinew, whose arithmetic differs in the last bits", path);
}

/* A replay uses the size of the recorded picture. */
static bool open_replay(sinew_host *host, const sinew_host_def *def, sinew_error *error) {
  if (!def->replay_input) return true;
  host->replay = (def->follows ? run_log_open_live : run_log_open)(def->replay_input, error);
  if (!host->replay) return false;
  run_log_head head = run_log_start(host->replay);
  use_arithmetic_of(host, &head, def->replay_input);
  if (def->rerun && !rerun_replay_begin(&host->rerun_replay, def->rerun, error)) return false;
  host->width = host->def.width = head.width;
  host->height = host->def.height = head.height;
  host->input.is_deaf = true;
  return true;
}

static bool open_log(sinew_host *host, const sinew_host_def *def, sinew_error *error) {
  run_log_head head = {
      .has_panels = host->ui != NULL, .scale = panel_scale(host), .rounds_once = simd_rounds_once(simd_current())};
  if (!def->record_input) return true;
  host->log = run_log_create(def->record_input, &head, def->record_is_temporary, error);
  if (!host->log && def->record_is_temporary) sinew_log(SINEW_LOG_WARNING, "%s", error->message);
  if (host->log) host->log_path = mem_copy_string(def->record_input);
  if (host->log && def->rerun_program) host->self = mem_copy_string(def->rerun_program);
  return host->log || def->record_is_temporary;
}

static bool create_parts(sinew_host *host, sinew_error *error) {
  const sinew_host_def *def = &host->def;
  host->stage = sinew_stage_create(error);
  if (!host->stage || !open_replay(host, def, error) || !create_picture(host, def, error)) return false;
  if (!open_log(host, def, error)) return false;
  layout_load(host);
  bool watches =
      (def->output == SINEW_OUTPUT_WINDOW || def->watch) && !host->replay; /* a recording contains its own saves */
  if (!watches) return true;
  host->watch = watch_create(error);
  if (host->watch && host->renderer) shaders_watch(host);
  return host->watch != NULL;
}

static void set_defaults(sinew_host *host, const sinew_host_def *def) {
  host->def = *def;
  host->created = clock_seconds();
  host->width = def->width;
  host->height = def->height;
  host->camera = host->drawn_camera = sinew_camera_default();
  host->light = host->drawn_light = sinew_light_default();
  host->past.most_watched = PAST_WATCHED;
  host->view.ground = true;
  host->view.speed = 1;
  host->selection.pressed[0] = -1;
  host->selection.brush = 1;
  host->telling = SET_IN_PANELS;
  host->jump_at = -1;
  host->has_view_keys = host->has_orbit = true;
}

sinew_host *sinew_host_create(const sinew_host_def *def, sinew_error *error) {
  sinew_host_def defaults = sinew_host_def_default();
  if (!def) def = &defaults;
  if (!check_def(def, error)) return NULL;
  sinew_host *host = mem_alloc_zeroed(sizeof *host);
  if (!host) {
    error_memory(error, "a host", sizeof *host);
    return NULL;
  }
  set_defaults(host, def);
  bool good = create_parts(host, error);
  host->def.title = host->def.capture = host->def.record_input = host->def.replay_input = host->def.rerun_program =
      NULL;
  host->def.rerun = NULL;
  if (good) return host;
  sinew_host_destroy(host);
  return NULL;
}

/* ---- destroy ---- */

static void release_picture(sinew_host *host) {
  capture_destroy(host->capture);
  picture_release(&host->pixels);
  gpu_models_release(&host->models, host->renderer);
  ui_destroy(host->ui);
  if (host->renderer) sinew_renderer_destroy(host->renderer);
  offscreen_destroy(host->offscreen);
  window_destroy(host->window);
}

void sinew_host_destroy(sinew_host *host) {
  if (!host) return;
  sinew_error reason;
  layout_save(host);
  host_end_recording(host);
  branch_release(host);
  if (host->ends_app && host->app.end) host->app.end(host->app.user);
  if (host->renderer && !host_finish_capture(host, &reason)) sinew_log(SINEW_LOG_ERROR, "%s", reason.message);
  if (host->set_simd) simd_use(host->simd_before);
  run_log_end(host->log);
  run_log_close(host->replay);
  run_log_close(host->replayed);
  run_log_close(host->bundle);
  rerun_release(&host->rerun);
  rerun_replay_release(&host->rerun_replay);
  mem_free(host->log_path);
  mem_free(host->self);
  review_release(&host->review);
  past_marks_release(&host->past);
  ring_release(&host->ring);
  release_picture(host);
  if (host->stage) sinew_stage_destroy(host->stage);
  watch_destroy(host->watch);
  input_release(&host->input);
  mem_free(host->opens);
  inspector_release(&host->inspector);
  mask_forget_strokes(host);
  graph_panel_release(&host->graph);
  console_release(&host->console);
  messages_release(&host->messages);
  line_list_release(&host->lines);
  line_list_release(&host->lines_on_top);
  mem_free(host->items);
  mem_free(host->morphs);
  mem_free(host->dual_quats);
  skinned_release(&host->skinned);
  mem_free(host->bounds);
  trail_list_release(&host->trails);
  mem_free(host->marks);
  mem_free(host->clipboard);
  mem_free(host);
}
