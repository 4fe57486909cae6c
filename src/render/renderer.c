#include "render/renderer.h"

#include "base/error.h"
#include "base/memory/memory.h"
#include "base/text.h"
#include "render/meshes/texture.h"

#include <stdio.h>
#include <string.h>

sinew_renderer_def sinew_renderer_def_default(void) {
  return (sinew_renderer_def){.samples = -1, .shadow_size = -1, .mega_vertices = 64};
}

static int clamp_limit(int wanted, GLenum limit_name) {
  GLint limit = 1;
  glGetIntegerv(limit_name, &limit);
  return wanted < limit ? wanted : limit;
}

static void choose_quality(sinew_renderer *made, const sinew_renderer_def *def) {
  static const char most[] = " (the most here)";
  const char *name = (const char *)glGetString(GL_RENDERER);
  made->software = gl_is_software();
  made->most_vertices = def->mega_vertices * 1048576.0;
  int samples = def->samples >= 1 ? def->samples : made->software ? 1 : 4;
  int shadow = def->shadow_size >= 0 ? def->shadow_size : made->software ? 1024 : 2048;
  made->samples = clamp_limit(samples, GL_MAX_SAMPLES);
  if (made->samples < 1) made->samples = 1;
  made->shadow_map.size = clamp_limit(shadow, GL_MAX_TEXTURE_SIZE);
  made->smoothing = made->software && made->samples == 1;
  bool lowered = made->software && (def->samples < 0 || def->shadow_size < 0);
  GLint major = 0, minor = 0;
  glGetIntegerv(GL_MAJOR_VERSION, &major);
  glGetIntegerv(GL_MINOR_VERSION, &minor);
  snprintf(made->description, sizeof made->description, "%s, OpenGL%s %d.%d; shadow %d%s, %d %s%s%s%s", name,
           gl_is_es() ? " ES" : "", major, minor, made->shadow_map.size, made->shadow_map.size < shadow ? most : "",
           made->samples, text_plural(made->samples, "sample", "samples"), made->samples < samples ? most : "",
           made->smoothing ? " with smoothed edges" : "",
           lowered          ? ": lowered for a software rasteriser"
           : made->software ? ", a software rasteriser"
                            : "");
}

/* Replaces all of them, or none. */
static bool create_programs(sinew_renderer *made, sinew_error *error) {
  static const char *const feedback[] = {"skinned_position", "skinned_normal", "skinned_tangent", NULL};
  const char *quality = made->software ? "#define SHADOW_TAPS 8\n" : "#define SHADOW_TAPS 24\n";
  const struct {
    program *made;
    program_def def;
  } wanted[] = {
      {&made->mesh, {.vertex = "mesh.vert", .fragment = "mesh.frag", .defines = quality}},
      {&made->view, {.vertex = "view.vert", .fragment = "view.frag"}},
      {&made->wire, {.vertex = "wire.vert", .fragment = "wire.frag"}},
      {&made->depth, {.vertex = "shadow_map.vert", .fragment = "shadow_map.frag", .defines = "#define CUTOUT 0\n"}},
      {&made->cutout, {.vertex = "shadow_map.vert", .fragment = "shadow_map.frag", .defines = "#define CUTOUT 1\n"}},
      {&made->faded,
       {.vertex = "shadow_map.vert", .fragment = "shadow_map.frag", .defines = "#define CUTOUT 1\n#define FADED\n"}},
      {&made->contact, {.vertex = "shadow_map.vert", .fragment = "contact.frag"}},
      {&made->blur, {.vertex = "fullscreen.vert", .fragment = "blur.frag"}},
      {&made->finish.bright, {.vertex = "fullscreen.vert", .fragment = "bright.frag"}},
      {&made->finish.spread, {.vertex = "fullscreen.vert", .fragment = "spread.frag"}},
      {&made->finish.curve[SINEW_CURVE_NEUTRAL], {.vertex = "fullscreen.vert", .fragment = "finish.frag"}},
      {&made->finish.curve[SINEW_CURVE_ACES],
       {.vertex = "fullscreen.vert", .fragment = "finish.frag", .defines = "#define ACES\n"}},
      {&made->finish.smooth, {.vertex = "fullscreen.vert", .fragment = "smooth.frag"}},
      {&made->ground, {.vertex = "ground.vert", .fragment = "ground.frag", .defines = quality}},
      {&made->sky, {.vertex = "sky.vert", .fragment = "sky.frag"}},
      {&made->lines.shader, {.vertex = "line.vert", .fragment = "line.frag"}},
      {&made->overlay.shader, {.vertex = "overlay.vert", .fragment = "overlay.frag"}},
      {&made->skin.feedback, {.vertex = "skin.vert", .fragment = "skin.frag", .feedback = feedback}},
      {&made->skin.compute, {.compute = "skin.comp"}},
  };
  enum { COUNT = sizeof wanted / sizeof wanted[0] };
  program fresh[COUNT] = {{0}};
  for (int i = 0; i < COUNT; i++) {
    if (wanted[i].def.compute && !made->skin.computes) continue;
    if (program_create(&fresh[i], &wanted[i].def, error)) continue;
    while (i-- > 0) program_destroy(&fresh[i]);
    return false;
  }
  for (int i = 0; i < COUNT; i++) {
    program_destroy(wanted[i].made);
    *wanted[i].made = fresh[i];
  }
  return true;
}

bool sinew_renderer_reload(sinew_renderer *renderer, sinew_error *error) { return create_programs(renderer, error); }

static bool create_objects(sinew_renderer *made, sinew_error *error) {
  made->texel_limit = texel_pages_limit();
  made->common.white = texture_create_texel(255, 255, 255, 255);
  glGenVertexArrays(1, &made->common.empty_array);
  glGenBuffers(1, &made->frame_buffer);
  return line_pass_create(&made->lines, error) && overlay_pass_create(&made->overlay, error) &&
         shadow_map_create(&made->shadow_map, made->shadow_map.size, error) &&
         contact_map_create(&made->contact_map, made->software ? 128 : 256, error);
}

sinew_renderer *sinew_renderer_create(const sinew_renderer_def *def, sinew_error *error) {
  const sinew_renderer_def defaults = sinew_renderer_def_default();
  sinew_renderer *made = mem_alloc_zeroed(sizeof *made);
  if (!made) {
    error_memory(error, "a renderer", sizeof *made);
    return NULL;
  }
  if (!gl_load(def ? def->proc_address : NULL, error)) {
    mem_free(made);
    return NULL;
  }
  GLint bound = 0;
  glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &bound);
  gl_debug_start(&made->debug_messages);
  choose_quality(made, def ? def : &defaults);
  preskin_start(&made->skin, made->software);
  bool good = create_programs(made, error) && create_objects(made, error) && gl_check("the renderer", error);
  glBindFramebuffer(GL_FRAMEBUFFER, (GLuint)bound);
  if (!good) {
    sinew_renderer_destroy(made);
    return NULL;
  }
  sinew_log(SINEW_LOG_INFO, "%s", made->description);
  return made;
}

void sinew_renderer_destroy(sinew_renderer *renderer) {
  if (!renderer) return;
  finish_pass *finish = &renderer->finish;
  program *const programs[] = {&renderer->mesh,
                               &renderer->view,
                               &renderer->wire,
                               &renderer->depth,
                               &renderer->cutout,
                               &renderer->faded,
                               &renderer->contact,
                               &renderer->blur,
                               &renderer->ground,
                               &renderer->sky,
                               &renderer->skin.feedback,
                               &renderer->skin.compute,
                               &finish->bright,
                               &finish->spread,
                               &finish->curve[SINEW_CURVE_NEUTRAL],
                               &finish->curve[SINEW_CURVE_ACES],
                               &finish->smooth};
  for (size_t i = 0; i < sizeof programs / sizeof programs[0]; i++) program_destroy(programs[i]);
  line_pass_release(&renderer->lines);
  overlay_pass_release(&renderer->overlay);
  finish_pass_release(finish);
  environment_release(&renderer->environment);
  shadow_map_release(&renderer->shadow_map);
  shadow_map_release(&renderer->contact_map);
  target_release(&renderer->target);
  draw_list_release(&renderer->list);
  gpu_timer_release(&renderer->timer);
  glDeleteTextures(1, &renderer->common.white);
  glDeleteVertexArrays(1, &renderer->common.empty_array);
  glDeleteBuffers(1, &renderer->frame_buffer);
  gl_debug_stop();
  mem_free(renderer);
}

bool sinew_renderer_set_skin_stage(sinew_renderer *renderer, sinew_skin_stage stage, sinew_error *error) {
  if ((int)stage < 0 || stage >= SINEW_SKIN_STAGE_COUNT)
    return error_set(error, "skin stage %d is not one of sinew_skin_stage", (int)stage);
  if (stage == SINEW_SKIN_COMPUTE && !renderer->skin.computes)
    return error_set(error, "skinning by a compute shader needs OpenGL 4.3, but this is %s", renderer->description);
  renderer->skin.stage = stage;
  return true;
}

sinew_skin_stage sinew_renderer_skin_stage(const sinew_renderer *renderer) { return renderer->skin.stage; }

void sinew_renderer_set_timing(sinew_renderer *renderer, bool on) { gpu_timer_set(&renderer->timer, on); }

sinew_render_stats sinew_renderer_stats(const sinew_renderer *renderer) {
  const double *seconds = renderer->timer.seconds;
  sinew_render_stats stats = renderer->drawn;
  stats.shadow_seconds = seconds[MOMENT_MAPS];
  stats.seconds = seconds[MOMENT_MAPS] + seconds[MOMENT_END];
  return stats;
}

const char *sinew_renderer_description(const sinew_renderer *renderer) { return renderer->description; }

bool sinew_renderer_set_font(sinew_renderer *renderer, int width, int height, const uint8_t *coverage,
                             sinew_error *error) {
  GLuint font = texture_create_overlay(width, height, 1, coverage, error);
  if (!font) return false;
  glDeleteTextures(1, &renderer->overlay.textures[0]);
  renderer->overlay.textures[0] = font;
  return true;
}

uint32_t sinew_renderer_overlay_texture(sinew_renderer *renderer, int width, int height, const uint8_t *rgba,
                                        sinew_error *error) {
  overlay_pass *overlay = &renderer->overlay;
  if (overlay->texture_count == OVERLAY_MAX_TEXTURES) {
    error_set(error, "the overlay has %d textures already, the most there can be", OVERLAY_MAX_TEXTURES);
    return 0;
  }
  GLuint made = texture_create_overlay(width, height, 4, rgba, error);
  if (!made) return 0;
  overlay->textures[overlay->texture_count] = made;
  return (uint32_t)overlay->texture_count++;
}

uint32_t sinew_renderer_set_overlay_texture(sinew_renderer *renderer, uint32_t texture, int width, int height,
                                            const uint8_t *rgba, sinew_error *error) {
  overlay_pass *overlay = &renderer->overlay;
  if (texture == 0 || texture >= (uint32_t)overlay->texture_count)
    return sinew_renderer_overlay_texture(renderer, width, height, rgba, error);
  GLuint made = texture_create_overlay(width, height, 4, rgba, error);
  if (!made) return 0;
  glDeleteTextures(1, &overlay->textures[texture]);
  overlay->textures[texture] = made;
  return texture;
}

bool sinew_renderer_read(sinew_renderer *renderer, int width, int height, uint8_t *rgba, sinew_error *error) {
  const target *last = &renderer->target;
  if (last->picture == 0) return error_set(error, "no picture has been drawn yet");
  if (width != last->width || height != last->height)
    return error_set(error, "the last picture has %d × %d pixels, not %d × %d", last->width, last->height, width,
                     height);
  GLint bound = 0;
  glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &bound);
  target_read(last, rgba);
  glBindFramebuffer(GL_FRAMEBUFFER, (GLuint)bound);
  return gl_check("reading a picture", error);
}

/* ---- Skinned vertices read back from the GPU, by the same shader code that draws them ---- */

/* Uses transform feedback if the renderer skins in vertex shaders, because the code is the same. False if the mesh is
 * too large. */
static bool run(sinew_renderer *renderer, float *vertices, size_t size) {
  preskin skin = renderer->skin;
  GLint bound = 0;
  if (skin.stage == SINEW_SKIN_VERTEX) skin.stage = SINEW_SKIN_FEEDBACK;
  skin.limit = INT32_MAX;
  glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &bound);
  glBindFramebuffer(GL_FRAMEBUFFER, renderer->contact_map.framebuffer);
  preskin_run(&skin, &renderer->list);
  bool skinned = renderer->list.calls[0].skinned >= 0;
  glBindBuffer(GL_ARRAY_BUFFER, renderer->list.skinned);
  if (skinned) buffer_read(GL_ARRAY_BUFFER, size, vertices);
  glBindBuffer(GL_ARRAY_BUFFER, 0);
  glBindFramebuffer(GL_FRAMEBUFFER, (GLuint)bound);
  return skinned;
}

static void gather(float *out, const float *vertices, int count, int offset, int size) {
  for (int i = 0; out && i < count; i++)
    memcpy(out + (size_t)i * (size_t)size, vertices + (size_t)i * SKINNED_FLOATS + offset,
           (size_t)size * sizeof(float));
}

static bool check(const sinew_gpu_skin_job *job, sinew_error *error) {
  if (job->mesh < 0 || job->mesh >= job->model->mesh_count)
    return error_set(error, "mesh %d: the model has %d meshes", job->mesh, job->model->mesh_count);
  if (job->tangents && !job->model->meshes[job->mesh].has_tangents)
    return error_set(error, "mesh %d has no tangents", job->mesh);
  return true;
}

/* The list needs the weights of every mesh, but reads only this mesh's. */
static bool build(sinew_renderer *renderer, const sinew_gpu_skin_job *job, sinew_error *error) {
  const float **all = mem_alloc_array((size_t)job->model->mesh_count, sizeof *all);
  if (!all) return error_memory(error, "morph weights", (size_t)job->model->mesh_count * sizeof *all);
  all[job->mesh] = job->morph_weights;
  const sinew_draw_item item = {.model = job->model,
                                .transform = sinew_mat3x4_identity(),
                                .palette = job->palette,
                                .dual_quats = job->dual_quats,
                                .morph_weights = all,
                                .tint = {1.0f, 1.0f, 1.0f, 1.0f}};
  bool good = draw_list_build_mesh(&renderer->list, &item, job->mesh, renderer->texel_limit, error);
  mem_free(all);
  return good;
}

bool sinew_renderer_skin(sinew_renderer *renderer, const sinew_gpu_skin_job *job, sinew_error *error) {
  if (!check(job, error)) return false;
  int count = job->model->meshes[job->mesh].vertex_count;
  if (count == 0) return true;
  if (!build(renderer, job, error)) return false;
  size_t size = (size_t)count * SKINNED_FLOATS * sizeof(float);
  float *vertices = mem_alloc(size);
  if (!vertices) return error_memory(error, "skinned vertices", size);
  bool skinned = run(renderer, vertices, size);
  if (skinned) {
    gather(job->positions, vertices, count, 0, 3);
    gather(job->normals, vertices, count, 3, 3);
    gather(job->tangents, vertices, count, 6, 4);
  }
  mem_free(vertices);
  if (!skinned) return error_set(error, "mesh %d: %d vertices are more than this GPU skins at once", job->mesh, count);
  return gl_check("skinning on the GPU", error);
}
