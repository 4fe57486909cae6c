/* The passes of a frame, in order: gather ▸ shadow ▸ contact ▸ opaque ▸ ground ▸ sky ▸ blended ▸ lines ▸ resolve ▸
 * finish ▸ overlay ▸ copy. */
#include "base/error.h"
#include "math/vec3.h"
#include "render/camera.h"
#include "render/gl/gl.h"
#include "render/renderer.h"

#include <math.h>

static bool check_lines(const sinew_line *lines, int count, sinew_error *error) {
  if (count < 0 || count > SINEW_MAX_LINES)
    return error_set(error, "%d lines, but 0 .. %d are possible", count, SINEW_MAX_LINES);
  for (int i = 0; i < count; i++)
    if (!vec3_is_finite(lines[i].a) || !vec3_is_finite(lines[i].b))
      return error_set(error, "line %d: both ends must be finite numbers", i);
  return true;
}

static bool check_frame(const sinew_renderer *renderer, const sinew_frame *frame, sinew_error *error) {
  if ((int)frame->surface < 0 || frame->surface >= SINEW_SURFACE_COUNT)
    return error_set(error, "surface %d is not one of sinew_surface", (int)frame->surface);
  return check_lines(frame->lines, frame->line_count, error) &&
         check_lines(frame->overlay_lines, frame->overlay_line_count, error) &&
         (!frame->overlay || overlay_check(&renderer->overlay, frame->overlay, error));
}

static void upload_uniforms(const sinew_renderer *renderer, const frame_uniforms *uniforms) {
  glBindBuffer(GL_UNIFORM_BUFFER, renderer->frame_buffer);
  glBufferData(GL_UNIFORM_BUFFER, sizeof *uniforms, uniforms, GL_STREAM_DRAW);
  glBindBuffer(GL_UNIFORM_BUFFER, 0);
  glBindBufferBase(GL_UNIFORM_BUFFER, 0, renderer->frame_buffer);
}

/* Skins vertices once if the shadow or contact pass needs them, too. Debug views read joints and weights themselves. */
static void skin_ahead(sinew_renderer *renderer, const sinew_frame *frame, const frame_uniforms *uniforms) {
  const float *sun = uniforms->sun_color;
  bool several =
      frame->ground || frame->wireframe || (renderer->shadow_map.size > 0 && sun[0] + sun[1] + sun[2] > 0.0f);
  if (!(several || renderer->list.has_given) || frame->surface != SINEW_SURFACE_SHADED) return;
  glBindFramebuffer(GL_FRAMEBUFFER, renderer->contact_map.framebuffer);
  preskin_run(&renderer->skin, &renderer->list);
}

static void bind_texture(texture_unit unit, GLuint texture) {
  glActiveTexture(GL_TEXTURE0 + (GLenum)unit);
  glBindTexture(GL_TEXTURE_2D, texture);
}

static void draw_maps(sinew_renderer *renderer, const sinew_frame *frame, frame_uniforms *uniforms) {
  const shadow_programs programs = {&renderer->depth, &renderer->cutout, &renderer->faded};
  if (uniforms->sun_color[0] + uniforms->sun_color[1] + uniforms->sun_color[2] > 0.0f)
    shadow_map_draw(&renderer->shadow_map, &programs, &renderer->list, &renderer->common, uniforms);
  if (frame->ground)
    contact_map_draw(&renderer->contact_map, &renderer->contact, &renderer->blur, &renderer->list, &renderer->common,
                     uniforms);
  const shadow_map *map = &renderer->shadow_map;
  bind_texture(UNIT_SHADOW, map->texture);
  bind_texture(UNIT_FADED_SHADOW, map->faded_texture ? map->faded_texture : map->texture);
  bind_texture(UNIT_FADED_OPACITY, map->opacity_texture ? map->opacity_texture : renderer->common.white);
  bind_texture(UNIT_CONTACT, renderer->contact_map.texture);
  bind_texture(UNIT_REFLECTANCE, renderer->environment.reflectance);
  glActiveTexture(GL_TEXTURE0 + UNIT_ENVIRONMENT);
  glBindTexture(GL_TEXTURE_CUBE_MAP, renderer->environment.mirrored);
}

/* Powers of ten metres, which suit what the camera looks at. From a distance of ten times the spacing to thirty times,
 * lines give way to those ten times as far apart. */
static void set_grid(const program *ground, const sinew_camera *camera) {
  float level = log10f(vec3_distance(camera->position, camera->target) / 3.0f), step = floorf(level);
  float coarse = fmaxf(2.0f * (level - step) - 1.0f, 0.0f);
  program_set_vec4(ground, "u_grid", (float[4]){powf(10.0f, step), 1.0f - coarse, coarse, 0.0f});
}

static void draw_ground(const sinew_renderer *renderer, const sinew_frame *frame) {
  float reach = fminf(0.7f * frame->camera.far_plane, 4.0f * camera_reach(&frame->camera));
  program_use(&renderer->ground);
  program_set_float(&renderer->ground, "u_reach", reach);
  set_grid(&renderer->ground, &frame->camera);
  glEnable(GL_CULL_FACE);
  /* soles lie in the ground's plane, and should win */
  glEnable(GL_POLYGON_OFFSET_FILL);
  glPolygonOffset(1.0f, 8.0f);
  glBindVertexArray(renderer->common.empty_array);
  glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
  glDisable(GL_POLYGON_OFFSET_FILL);
  glDisable(GL_CULL_FACE);
}

static void draw_sky(const sinew_renderer *renderer) {
  program_use(&renderer->sky);
  glDepthFunc(GL_LEQUAL);
  glBindVertexArray(renderer->common.empty_array);
  glDrawArrays(GL_TRIANGLES, 0, 3);
}

typedef enum draw_stage { STAGE_OPAQUE, STAGE_SOLID_DEPTH, STAGE_BLENDED } draw_stage;

static void draw_items(const sinew_renderer *renderer, const sinew_frame *frame, draw_stage stage, int first,
                       int count) {
  const item_pass pass = {.used = frame->surface == SINEW_SURFACE_SHADED ? &renderer->mesh : &renderer->view,
                          .surface = frame->surface,
                          .common = &renderer->common,
                          .materials = true,
                          .blended = stage == STAGE_BLENDED,
                          .solid = stage == STAGE_SOLID_DEPTH,
                          .alpha_to_coverage = renderer->target.samples > 1};
  item_pass_draw(&pass, &renderer->list, first, count);
}

/* The number of calls from `first` on that are solid meshes of one faded character. */
static int count_solid(const draw_list *list, int first) {
  int i = first;
  while (i < list->count && list->calls[i].faded && list->calls[i].faded == list->calls[first].faded &&
         list->calls[i].material->values.alpha_mode != SINEW_ALPHA_BLEND)
    i++;
  return i - first;
}

/* In a half-transparent character or material, neither its far side nor a hidden mesh should show through, so its depth
 * is drawn first. */
static void draw_blended(const sinew_renderer *renderer, const sinew_frame *frame) {
  const draw_list *list = &renderer->list;
  for (int i = list->opaque_count, count; i < list->count; i += count) {
    int solid = count_solid(list, i);
    count = solid > 0 ? solid : 1;
    glColorMask(GL_FALSE, GL_FALSE, GL_FALSE, GL_FALSE);
    draw_items(renderer, frame, STAGE_SOLID_DEPTH, i, count);
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    draw_items(renderer, frame, STAGE_BLENDED, i, count);
  }
}

static void draw_wireframe(const sinew_renderer *renderer) {
  glEnable(GL_BLEND);
  blend_colors();
  item_pass_draw(&(item_pass){.used = &renderer->wire, .common = &renderer->common, .edges = true}, &renderer->list, 0,
                 renderer->list.count);
  glDisable(GL_BLEND);
}

static void add_edge(sinew_line *line, const float corners[2][3], int from, int to) {
  *line = (sinew_line){.color = {255, 214, 64, 255}};
  float *ends[2] = {&line->a.x, &line->b.x};
  const int corner[2] = {from, to};
  for (int end = 0; end < 2; end++)
    for (int axis = 0; axis < 3; axis++) ends[end][axis] = corners[corner[end] >> axis & 1][axis];
}

/* Corners are numbered by their bits; an edge joins two that differ in one. */
static void draw_bounds(const sinew_renderer *renderer) {
  enum { MOST_BOXES = 256 };
  sinew_line lines[12 * MOST_BOXES];
  int count = 0;
  for (int i = 0; i < renderer->list.box_count && count < 12 * MOST_BOXES; i++) {
    const bounds_box *box = &renderer->list.boxes[i];
    const float corners[2][3] = {{box->minimum.x, box->minimum.y, box->minimum.z},
                                 {box->maximum.x, box->maximum.y, box->maximum.z}};
    if (bounds_is_empty(box)) continue;
    for (int from = 0; from < 8; from++)
      for (int axis = 0; axis < 3; axis++)
        if (!(from >> axis & 1)) add_edge(&lines[count++], corners, from, from | 1 << axis);
  }
  line_pass_draw(&renderer->lines, lines, count, true);
}

static void set_rate(const sinew_renderer *renderer, const sinew_frame *frame) {
  if (frame->surface != SINEW_SURFACE_VELOCITY) return;
  program_use(&renderer->view);
  program_set_float(&renderer->view, "u_rate", frame->seconds > 0 ? 1.0f / (float)frame->seconds : 60.0f);
}

static void draw_scene(const sinew_renderer *renderer, const sinew_frame *frame) {
  target_begin(&renderer->target);
  glEnable(GL_DEPTH_TEST);
  glDepthFunc(GL_LEQUAL);
  glDisable(GL_BLEND);
  set_rate(renderer, frame);
  draw_items(renderer, frame, STAGE_OPAQUE, 0, renderer->list.opaque_count);
  if (frame->ground) draw_ground(renderer, frame);
  draw_sky(renderer);
  draw_blended(renderer, frame);
  if (frame->wireframe) draw_wireframe(renderer);
  line_pass_draw(&renderer->lines, frame->lines, frame->line_count, true);
  if (frame->bounds) draw_bounds(renderer);
  line_pass_draw(&renderer->lines, frame->overlay_lines, frame->overlay_line_count, false);
  glDisable(GL_DEPTH_TEST);
  glBindVertexArray(0);
}

/* The soft darkness under feet ends where shadows do, but does not need them. */
static int shadow_texels(const sinew_renderer *renderer) {
  return renderer->shadow_map.size > 0 ? renderer->shadow_map.size : 1024;
}

/* Counts while the list's models exist: they may be gone when the counts are read. */
static sinew_render_stats count(const draw_list *list) {
  sinew_render_stats stats = {.characters = list->box_count,
                              .seen = list->seen_count,
                              .instances = list->entry_count,
                              .calls = list->count,
                              .left_out = list->budget.left_out,
                              .bytes = draw_list_bytes(list)};
  for (int i = 0; i < list->count; i++) {
    const draw_call *call = &list->calls[i];
    int64_t vertices = (int64_t)call->mesh->vertex_count * call->seen;
    stats.vertices += vertices;
    if (!call->given && call->skinned >= 0) stats.skinned_once += vertices;
    if (call->given && call->skinned >= 0) stats.bytes += (int64_t)call->mesh->vertex_count * SKINNED_BYTES;
  }
  return stats;
}

bool sinew_renderer_draw(sinew_renderer *renderer, const sinew_frame *frame, sinew_error *error) {
  if (frame->width <= 0 || frame->height <= 0) return true;
  frame_uniforms uniforms;
  const draw_limits limits = {renderer->texel_limit, shadow_texels(renderer), renderer->most_vertices};
  GLint bound = 0;
  glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &bound);
  if (!check_frame(renderer, frame, error) || !frame_uniforms_fill(&uniforms, frame, error) ||
      !environment_update(&renderer->environment, &frame->light, error) ||
      !draw_list_build(&renderer->list, frame, &limits, error))
    return false;
  frame_uniforms_light(&uniforms, &renderer->environment);
  uniforms.sun[3] = 1.0f / renderer->list.shadows_end;
  bool good = target_resize(&renderer->target, frame->width, frame->height, renderer->samples, error) &&
              finish_pass_resize(&renderer->finish, frame->width, frame->height, renderer->smoothing, error);
  if (good) {
    gpu_timer_mark(&renderer->timer, MOMENT_BEGIN);
    skin_ahead(renderer, frame, &uniforms);
    draw_maps(renderer, frame, &uniforms);
    gpu_timer_mark(&renderer->timer, MOMENT_MAPS);
    upload_uniforms(renderer, &uniforms);
    draw_scene(renderer, frame);
    target_resolve(&renderer->target);
    finish_pass_draw(&renderer->finish, &renderer->target, frame->light.curve);
    if (frame->overlay) overlay_pass_draw(&renderer->overlay, frame->overlay, frame->width, frame->height);
    target_copy(&renderer->target, (GLuint)bound);
    gpu_timer_mark(&renderer->timer, MOMENT_END);
    renderer->drawn = count(&renderer->list);
    glUseProgram(0);
  }
  glBindFramebuffer(GL_FRAMEBUFFER, (GLuint)bound);
  return good && gl_check("drawing a frame", error);
}
