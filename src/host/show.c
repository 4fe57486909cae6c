/* Draws a frame: the visible actors and crowds, lines, panels and messages, as one picture. */
#include "host/host.h"

#include "base/clock.h"
#include "base/memory/memory.h"
#include "host/timeline/crowd_differences.h"
#include "host/timeline/timeline.h"

#include <sinew/crowd.h>

#include <limits.h>
#include <stdio.h>
#include <string.h>

/* ---- characters ---- */

/* A ghost stands at the place of the actor in the rerun, or beside it. */
static shown_actor ghost_at(const review *r, int index) {
  shown_actor ghost = r->ghosts.shown[index];
  ghost.is_ghost = true;
  for (int i = 0; i < r->cast.shown_count; i++)
    if (r->cast.shown[i].actor.id == ghost.actor.id) ghost.transform = r->cast.shown[i].transform;
  if (r->ghosts_beside) ghost.transform.translation.x += 1;
  return ghost;
}

/* The i-th actor to draw, of the present or of the past moment shown. */
static shown_actor shown_at(const sinew_host *host, int index) {
  const review *r = &host->review;
  if (r->is_on && index >= r->cast.shown_count) return ghost_at(r, index - r->cast.shown_count);
  if (r->is_on) return r->cast.shown[index];
  const sinew_stage *stage = host->stage;
  sinew_actor actor = sinew_stage_actor(stage, index);
  return (shown_actor){.actor = actor,
                       .model = sinew_actor_model(stage, actor),
                       .transform = sinew_actor_transform(stage, actor),
                       .opacity = sinew_actor_is_visible(stage, actor) ? sinew_actor_opacity(stage, actor) : 0,
                       .palette = sinew_actor_palette(stage, actor)};
}

static int shown_count(const sinew_host *host) {
  const review *r = &host->review;
  return r->is_on ? r->cast.shown_count + r->ghosts.shown_count : sinew_stage_actor_count(host->stage);
}

/* A crowd to draw; `then` is the kept state to show. */
typedef struct shown_crowd {
  const sinew_stage *stage;
  sinew_crowd crowd, then;
  bool is_ghost;
} shown_crowd;

static int shown_crowd_count(const sinew_host *host) {
  const review *r = &host->review;
  return r->is_on ? r->cast.crowd_count + r->ghosts.crowd_count : sinew_stage_crowd_count(host->stage);
}

static shown_crowd shown_crowd_at(const sinew_host *host, int index) {
  const review *r = &host->review;
  bool is_ghost = r->is_on && index >= r->cast.crowd_count;
  const cast *c = is_ghost ? &r->ghosts : &r->cast;
  sinew_crowd now = sinew_stage_crowd(host->stage, index);
  if (!r->is_on) return (shown_crowd){.stage = host->stage, .crowd = now, .then = now};
  const cast_crowd *is = c->crowds + (is_ghost ? index - r->cast.crowd_count : index);
  return (shown_crowd){.stage = c->stage, .crowd = is->shown, .then = is->then, .is_ghost = is_ghost};
}

/* The rerun's crowd, if this one is its ghost; else an empty one. */
static sinew_crowd_characters again_of(const review *r, const shown_crowd *s) {
  for (int i = 0; s->is_ghost && i < r->cast.crowd_count; i++)
    if (r->cast.crowds[i].then.id == s->then.id) return sinew_crowd_view(r->cast.stage, r->cast.crowds[i].shown);
  return (sinew_crowd_characters){0};
}

static bool is_dual(const sinew_host *host, sinew_actor actor) {
  return sinew_actor_skinning(host->stage, actor) == SINEW_SKINNING_DUAL_QUATERNION;
}

static int count_members(const sinew_host *host) {
  int count = 0;
  for (int i = 0; i < shown_crowd_count(host); i++) {
    shown_crowd s = shown_crowd_at(host, i);
    count += sinew_crowd_view(s.stage, s.crowd).count;
  }
  return count;
}

/* Makes room first, because items hold pointers into these arrays. */
static bool reserve_parts(sinew_host *host) {
  int morphs = 1, dual_quats = 0; /* morphs: never NULL, so that items may point to its end */
  for (int i = 0; i < shown_count(host); i++) {
    shown_actor s = shown_at(host, i);
    const sinew_model *model = s.model;
    morphs += sinew_model_mesh_count(model);
    if (is_dual(host, s.actor)) dual_quats += sinew_model_palette_count(model);
  }
  for (int i = 0; i < shown_crowd_count(host); i++) {
    shown_crowd s = shown_crowd_at(host, i);
    sinew_crowd_characters all = sinew_crowd_view(s.stage, s.crowd);
    if (all.morph_count) morphs += all.count * sinew_model_mesh_count(sinew_crowd_model(s.stage, s.crowd));
  }
  int corners = 2 * host->stats.characters;
  if (host->skins_on_cpu && !skinned_reserve(&host->skinned, host->stage)) return false;
  return array_reserve((void **)&host->bounds, &host->bounds_capacity, corners, sizeof *host->bounds) &&
         array_reserve((void **)&host->morphs, &host->morph_capacity, morphs, sizeof *host->morphs) &&
         array_reserve((void **)&host->dual_quats, &host->dual_quat_capacity, dual_quats, sizeof *host->dual_quats);
}

static const sinew_dual_quat *dual_quats_of(sinew_host *host, sinew_actor actor, const sinew_model *model,
                                            const sinew_mat3x4 *palette) {
  if (!is_dual(host, actor)) return NULL;
  sinew_dual_quat *made = host->dual_quats + host->dual_quat_count;
  if (!sinew_dual_quat_palette(&(sinew_dual_quat_palette_job){.model = model, .palette = palette, .output = made}))
    return NULL;
  host->dual_quat_count += sinew_model_palette_count(model);
  return made;
}

static sinew_draw_item *grow_items(sinew_host *host) {
  return array_grow((void **)&host->items, &host->item_count, &host->item_capacity, sizeof *host->items);
}

/* Extents cover target weights from 0 to 1. */
static bool is_extreme(const sinew_model *model, const float *const *morphs) {
  for (int mesh = 0; morphs && mesh < sinew_model_mesh_count(model); mesh++)
    for (int i = 0; morphs[mesh] && i < sinew_model_mesh(model, mesh).morph_count; i++)
      if (!(morphs[mesh][i] >= 0 && morphs[mesh][i] <= 1)) return true;
  return false;
}

/* The bounds of linear blend skinning; NULL if the renderer has to measure them. */
static const sinew_vec3 *bounds_of(sinew_host *host, const gpu_entry *gpu, const sinew_draw_item *item) {
  if (item->dual_quats || is_extreme(gpu->model, item->morph_weights)) return NULL;
  sinew_vec3 *corners = host->bounds + 2 * (host->item_count - 1);
  sinew_bounds_job job = {.extents = gpu->extents,
                          .palette = item->palette,
                          .count = sinew_model_palette_count(gpu->model),
                          .minimum = corners,
                          .maximum = corners + 1};
  return sinew_bounds(&job) ? corners : NULL;
}

/* Enlarges a little about the camera, so that it covers the same pixels but lies behind whatever is at the same place.
 */
static void move_behind(sinew_mat3x4 *transform, sinew_vec3 camera) {
  const float away = 1.03f, from[3] = {camera.x, camera.y, camera.z};
  for (int row = 0; row < 3; row++) {
    float *m = transform->m + 4 * row;
    for (int i = 0; i < 3; i++) m[i] *= away;
    m[3] = from[row] + away * (m[3] - from[row]);
  }
}

static void make_ghost(sinew_draw_item *item, sinew_vec3 camera) {
  static const float tint[4] = {0.10f, 0.24f, 0.75f, 0.5f};
  item->flat = true;
  item->tinted = NULL;
  for (int i = 0; i < 4; i++) item->tint[i] = tint[i];
  move_behind(&item->transform, camera);
  item->id ^= (uint64_t)1 << 62;
}

/* One pointer for each mesh: weights of the past moment, or of the present. */
static void add_morphs(sinew_host *host, const shown_actor *s, const sinew_model *model) {
  const float *kept = s->morphs;
  bool is_here = sinew_actor_model(host->stage, s->actor) == model;
  for (int mesh = 0; mesh < sinew_model_mesh_count(model); mesh++) {
    int count = sinew_model_mesh(model, mesh).morph_count;
    const float *now = is_here ? sinew_actor_morphs(host->stage, s->actor, mesh) : NULL;
    host->morphs[host->morph_count++] = !s->morphs ? now : count > 0 ? kept : NULL;
    if (kept) kept += count;
  }
}

static void add_item(sinew_host *host, const shown_actor *s, const gpu_entry *gpu) {
  sinew_draw_item *item = grow_items(host);
  if (!item) return;
  const sinew_mat3x4 *palette = s->palette;
  const sinew_model *model = gpu->model;
  *item = (sinew_draw_item){.model = gpu->made,
                            .transform = sinew_mat3x4_from_transform(&s->transform),
                            .palette = palette,
                            .dual_quats = dual_quats_of(host, s->actor, model, palette),
                            .morph_weights = &host->morphs[host->morph_count],
                            .id = s->actor.id,
                            .tint = {1, 1, 1, s->opacity}};
  add_morphs(host, s, model);
  if (s->is_ghost) make_ghost(item, host->camera.position);
  item->bounds = bounds_of(host, gpu, item);
  if (host->skins_on_cpu && host->view.surface == SINEW_SURFACE_SHADED)
    item->skinned = skinned_add(&host->skinned, model, item->palette, item->dual_quats, item->morph_weights);
}

static const gpu_entry *use_model(sinew_host *host, sinew_model *model) {
  sinew_error reason;
  const gpu_entry *gpu = gpu_models_use(&host->models, host->renderer, model, host->frame, &reason);
  if (!gpu && reason.message[0]) {
    sinew_log(SINEW_LOG_ERROR, "%s", reason.message);
    sinew_host_log(host, SINEW_LOG_ERROR, reason.message);
  }
  return gpu;
}

/* An actor created after the evaluation (in `draw`) has no palette yet, and appears in the next frame. */
static void gather_actor(sinew_host *host, const shown_actor *s) {
  const gpu_entry *gpu = use_model(host, s->model);
  host->stats.joints += sinew_model_joint_count(s->model);
  if (!gpu || s->opacity <= 0) return;
  if (s->palette) add_item(host, s, gpu);
  if (host->review.is_on) return; /* debug views exist only for the present */
  if (host->view.skeleton) sinew_host_draw_skeleton(host, s->actor);
  debug_views_draw(host, s->actor);
}

/* One pointer for each mesh; NULL for none at all. */
static const float *const *crowd_morphs(sinew_host *host, const sinew_model *model, const sinew_crowd_characters *all,
                                        int character) {
  if (!all->morph_count) return NULL;
  const float **first = &host->morphs[host->morph_count];
  const float *weights = all->morphs + (size_t)character * (size_t)all->morph_count;
  for (int mesh = 0; mesh < sinew_model_mesh_count(model); mesh++) {
    host->morphs[host->morph_count++] = weights;
    weights += sinew_model_mesh(model, mesh).morph_count;
  }
  return first;
}

/* The ids of actors fit 63 bits. A crowd's id is cut to the bits that distinguish it within two consecutive pictures.
 */
static uint64_t member_id(sinew_crowd crowd, int member) {
  uint32_t mixed = (uint32_t)(crowd.id ^ (crowd.id >> 32) << 20);
  return (uint64_t)1 << 63 | (uint64_t)mixed << 31 | (uint32_t)member;
}

/* Red, all of it. */
static void mark_different(sinew_draw_item *item) {
  const float red[3] = {1.5f, 0.3f, 0.25f};
  memcpy(item->tint, red, sizeof red);
  item->tinted = NULL;
}

static void gather_crowd(sinew_host *host, const shown_crowd *s, const crowd_differences *differ) {
  sinew_model *model = sinew_crowd_model(s->stage, s->crowd);
  const gpu_entry *gpu = model ? use_model(host, model) : NULL;
  sinew_crowd_characters all = sinew_crowd_view(s->stage, s->crowd), again = again_of(&host->review, s);
  int count, offset = sinew_crowd_palette_offset(s->stage, s->crowd);
  const sinew_mat3x4 *palettes = sinew_stage_palettes(s->stage, &count);
  if (!model) return; /* there was no memory for it */
  host->stats.joints += all.count * sinew_model_joint_count(model);
  for (int i = 0; gpu && offset >= 0 && i < all.count; i++) {
    const float *tint = all.tint[i];
    sinew_transform transform = i < again.count ? again.transform[i] : all.transform[i];
    if (s->is_ghost && host->review.ghosts_beside) transform.translation.x += 1;
    sinew_draw_item *item = all.visible[i] && tint[3] > 0 ? grow_items(host) : NULL;
    if (!item) continue;
    *item = (sinew_draw_item){.model = gpu->made,
                              .transform = sinew_mat3x4_from_transform(&transform),
                              .palette = palettes + offset + (size_t)i * (size_t)sinew_model_palette_count(model),
                              .morph_weights = crowd_morphs(host, model, &all, i),
                              .tint = {tint[0], tint[1], tint[2], tint[3]},
                              .tinted = all.tinted,
                              .id = member_id(s->then, i)};
    if (s->is_ghost) make_ghost(item, host->camera.position);
    else if (crowd_differences_has(differ, i)) mark_different(item);
    item->bounds = bounds_of(host, gpu, item);
  }
}

/* While a mask is painted, it replaces the surface asked for. */
static sinew_surface shown_surface(const sinew_host *host) {
  const float *weights;
  return mask_painted(host, &weights) ? SINEW_SURFACE_WEIGHT : host->view.surface;
}

static void show_weights(sinew_host *host) {
  const float *weights;
  const sinew_model *painted = mask_painted(host, &weights);
  if (painted) gpu_models_show_mask(&host->models, painted, weights);
  else if (host->view.surface == SINEW_SURFACE_WEIGHT) gpu_models_show_joint(&host->models, host->view.joint);
}

/* Outlines the picked actor, if it is in the picture. */
static void add_outline(sinew_host *host) {
  static const float color[4] = {1, 0.38f, 0.05f, 1};
  int at = 0, count = host->item_count;
  while (at < count && host->items[at].id != host->selection.actor.id) at++;
  bool shows = host->selection.actor.id && at < count && shown_surface(host) == SINEW_SURFACE_SHADED;
  sinew_draw_item *outline = shows ? grow_items(host) : NULL;
  if (!outline) return;
  *outline = host->items[at];
  outline->flat = true;
  outline->outline = 2.5f * ui_scale(host->ui);
  outline->id ^= (uint64_t)1 << 61;
  memcpy(outline->tint, color, sizeof color);
}

static void gather_characters(sinew_host *host) {
  host->item_count = host->morph_count = host->dual_quat_count = host->stats.joints = 0;
  host->models.stays_off = host->def.panels_only && !host->recording.capture;
  host->stats.members = count_members(host);
  host->stats.characters = shown_count(host) + host->stats.members;
  if (!reserve_parts(host)) return;
  for (int i = 0; i < shown_count(host); i++) {
    shown_actor s = shown_at(host, i);
    gather_actor(host, &s);
  }
  for (int i = 0; i < shown_crowd_count(host); i++) {
    shown_crowd s = shown_crowd_at(host, i);
    crowd_differences differ = crowd_differences_begin(&host->review, host->review.is_on && !s.is_ghost ? i : INT_MAX);
    gather_crowd(host, &s, &differ);
    crowd_differences_end(&differ);
  }
  if (host->view.scale) debug_views_draw_scale(host);
  debug_views_draw_legend(host);
  add_outline(host);
  gpu_models_sweep(&host->models, host->renderer, host->frame);
  show_weights(host);
}

/* ---- picture ---- */

static void draw_over(sinew_host *host) {
  overlay o = {.messages = &host->messages,
               .stats = host->view.stats ? &host->stats : NULL,
               .width = (float)host->width,
               .height = (float)host->height,
               .problem_boxes = host->problem_boxes,
               .is_interactive = host->window != NULL,
               .hides_lines = host->view.console,
               .shows_keys = host->shows_keys && (host->view.paused || host->review.is_on),
               .paused = host->view.paused && !host->review.is_on,
               .speed = host->view.speed > 0 ? (double)host->view.speed : 1};
  timeline_draw(host);
  ui_free_area(host->ui, o.area);
  overlay_draw(host->ui, &o);
  ui_end_frame(host->ui);
  if (host->window) window_set_cursor(host->window, (int)ui_cursor_shape(host->ui));
}

/* A camera or a light that cannot be drawn does not end a window: the last valid one stays. */
static bool draw_from_before(sinew_host *host, sinew_frame *frame, sinew_error *error) {
  if (!host->told_view) sinew_log(SINEW_LOG_ERROR, "%s", error->message);
  sinew_host_log(host, SINEW_LOG_ERROR, error->message);
  host->told_view = true;
  frame->camera = host->drawn_camera, frame->light = host->drawn_light;
  return sinew_renderer_draw(host->renderer, frame, error);
}

/* Once for a run. */
static void tell_left_out(sinew_host *host) {
  int count = sinew_renderer_stats(host->renderer).left_out;
  char line[256];
  if (count == 0 || host->told_left_out) return;
  host->told_left_out = true;
  snprintf(line, sizeof line,
           "%d meshes are not drawn, because a picture may cost %d million vertices (--vertices allows more)", count,
           host->def.mega_vertices);
  sinew_log(SINEW_LOG_WARNING, "%s", line);
  sinew_host_log(host, SINEW_LOG_WARNING, line);
}

static bool render(sinew_host *host, sinew_error *error) {
  sinew_frame frame = {.width = host->width,
                       .height = host->height,
                       .camera = sinew_host_shown_camera(host),
                       .light = host->light,
                       .items = host->items,
                       .item_count = host->item_count,
                       .lines = host->lines.lines,
                       .line_count = host->lines.count,
                       .overlay_lines = host->lines_on_top.lines,
                       .overlay_line_count = host->lines_on_top.count,
                       .overlay = ui_overlay(host->ui),
                       .wireframe = host->view.wireframe,
                       .bounds = host->view.bounds,
                       .surface = shown_surface(host),
                       .seconds = host->dt,
                       .ground = host->view.ground};
  if (sinew_renderer_draw(host->renderer, &frame, error)) {
    tell_left_out(host);
    host->drawn_camera = frame.camera, host->drawn_light = frame.light;
    host->told_view = false;
    return true;
  }
  return host->window && draw_from_before(host, &frame, error);
}

static double smoothed(double before, double now) { return before > 0 ? before + 0.05 * (now - before) : now; }

static void measure(sinew_host *host, double begun, double ended) {
  stats *s = &host->stats;
  s->render = sinew_renderer_stats(host->renderer);
  sinew_renderer_set_timing(host->renderer, host->view.stats);
  s->draw_seconds = smoothed(s->draw_seconds, ended - begun);
  s->evaluate_microseconds = smoothed(s->evaluate_microseconds, sinew_stage_microseconds_per_actor(host->stage));
  if (s->first_frame_seconds == 0) s->first_frame_seconds = ended - host->created;
  double since = ended - host->pictured;
  if (host->pictured > 0) s->frame_seconds = smoothed(s->frame_seconds, since);
  host->pictured = ended;
}

/* ---- capture ---- */

/* File names count frames from 0. */
static bool capture_frame(sinew_host *host, sinew_error *error) {
  int64_t number = host->frame - 1;
  if (!host->capture || !capture_wants(host->capture, number)) return true;
  return host_read_picture(host, error) && capture_add(host->capture, number, host->replay_dt, &host->pixels, error);
}

bool host_finish_capture(sinew_host *host, sinew_error *error) {
  if (!host->capture) return true;
  bool has_last = capture_wants_last(host->capture) && host->has_picture;
  bool fine = !has_last || host_read_picture(host, error);
  fine = fine && capture_finish(host->capture, has_last ? &host->pixels : NULL, error);
  capture_destroy(host->capture);
  host->capture = NULL;
  return fine;
}

/* ---- */

/* The end of a recording is unknown; a scene that quits or fails has its last frame before the limit. */
static bool may_be_last(const sinew_host *host) {
  return host->quits || host->replay || (host->app.failed && host->app.failed(host->app.user));
}

/* Draws only pictures that are seen or kept, and, for velocities, the one before. If the last picture cannot be
 * predicted, all that show velocities are drawn. */
static bool is_drawn(const sinew_host *host) {
  if (host->recording.capture) return true;
  if (host->def.panels_only) return false;
  if (host->window || !host->capture) return true;
  if (host->frame < host->def.capture_from) return false;
  if (capture_needs(host->capture, host->frame - 1)) return true;
  bool shows_velocity = host->view.surface == SINEW_SURFACE_VELOCITY;
  return capture_wants_last(host->capture) && (shows_velocity || may_be_last(host));
}

/* False also for a window without a size. */
static bool draw_picture(sinew_host *host, sinew_error *error) {
  gather_characters(host);
  draw_over(host);
  if (host->width <= 0 || host->height <= 0) return false;
  return !is_drawn(host) || render(host, error);
}

void host_show_again(sinew_host *host) {
  sinew_error ignored;
  if (draw_picture(host, &ignored) && host->window) window_swap(host->window);
}

bool host_show(sinew_host *host, sinew_error *error) {
  if (!host->renderer) {
    if (host->ui) draw_over(host); /* panels take part in replaying a recording */
    return true;
  }
  double begun = clock_seconds();
  bool drawn = draw_picture(host, error);
  if (host->width <= 0 || host->height <= 0) return true;
  if (!drawn) return false;
  host->has_picture = is_drawn(host);
  if (!capture_frame(host, error)) return false;
  if (host->has_picture) host_record_frame(host);
  double ended = clock_seconds();
  if (host->window) window_swap(host->window);
  measure(host, begun, ended);
  return true;
}
