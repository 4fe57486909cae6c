/* OpenGL ES 3.0, of which WebGL 2 is a form: every shader compiles there, and pictures look as on the desktop. */
#include "render/picture.h"

#include "render/gl/gl.h"
#include "render/gl/program.h"

#include <sinew/pose.h>

#include <dirent.h>

static gpu open_gpu(bool es, int samples) {
  sinew_error error = {0};
  if (es) setenv("SINEW_GL_ES", "1", 1);
  else unsetenv("SINEW_GL_ES");
  gpu made = {offscreen_create(&error), NULL};
  if (!made.context) fail_msg("%s", error.message);
  made.renderer = gpu_renderer(samples, 512);
  assert_int_equal(gl_is_es(), es);
  return made;
}

static void close_gpu(gpu *made) {
  sinew_renderer_destroy(made->renderer);
  offscreen_destroy(made->context);
}

/* What the renderer's programs leave out of a file would not be seen by linking them, so each file is compiled. */
static void every_shader_compiles(void **state) {
  (void)state;
  gpu es = open_gpu(true, 1);
  char folder[4096], log[2048];
  int compiled = 0;
  snprintf(folder, sizeof folder, "%s/shaders", sinew_home());
  DIR *files = opendir(folder);
  assert_non_null(files);
  for (const struct dirent *file; (file = readdir(files));) {
    const char *ending = strrchr(file->d_name, '.');
    bool vertex = ending && strcmp(ending, ".vert") == 0, fragment = ending && strcmp(ending, ".frag") == 0;
    if (!vertex && !fragment) continue;
    sinew_error error = {0};
    shader_source source;
    static const char defines[] = "#define SHADOW_TAPS 24\n#define ACES\n#define CUTOUT 1\n#define FADED\n";
    if (!shader_source_load(&source, folder, file->d_name, defines, &error)) fail_msg("%s", error.message);
    assert_memory_equal(source.text, "#version 300 es\n", 16);
    GLuint shader = glCreateShader(vertex ? GL_VERTEX_SHADER : GL_FRAGMENT_SHADER);
    GLint good = GL_FALSE;
    glShaderSource(shader, 1, &(const GLchar *){source.text}, NULL);
    glCompileShader(shader);
    glGetShaderiv(shader, GL_COMPILE_STATUS, &good);
    glGetShaderInfoLog(shader, sizeof log, NULL, log);
    if (!good) fail_msg("%s: %s", file->d_name, log);
    glDeleteShader(shader);
    shader_source_release(&source);
    compiled++;
  }
  closedir(files);
  assert_true(compiled >= 20);
  close_gpu(&es);
}

/* What a picture shows; each is drawn on the desktop and in OpenGL ES. */
typedef struct sight {
  const char *name;
  sinew_surface surface;
  sinew_alpha_mode alpha;
  bool wireframe, bounds, dual, morph, skinned_once, overlay;
  float opacity;
  int samples;
} sight;

static const uint8_t checker[4 * 4] = {220, 60, 40, 255, 240, 230, 210, 90, 240, 230, 210, 90, 220, 60, 40, 255};
static const sinew_image_view checker_image = {.name = "checker", .width = 2, .height = 2, .rgba = checker};

static const sinew_overlay_vertex corners[] = {{0, 0, 0, 0, 0xff0000ff},   {1, 1, 0, 0, 0xff0000ff},
                                               {2, 0, 0, 0, 0xff0000ff}, /* unused: the command skips them */
                                               {10, 10, 0, 0, 0xc000ff40}, {90, 10, 1, 0, 0xc000ff40},
                                               {90, 60, 1, 1, 0xc000ff40}};
static const uint16_t triangle[] = {0, 1, 2};
static const sinew_overlay_command command = {.clip = {0, 0, 200, 200}, .index_count = 3, .first_vertex = 3};
static const sinew_overlay overlay = {corners, 6, triangle, 3, &command, 1};

static picture draw(gpu *on, const sight *shown) {
  sinew_material material = sinew_material_default();
  material.alpha_mode = shown->alpha, material.alpha_cutoff = 0.5f, material.roughness = 0.5f;
  material.textures[SINEW_TEXTURE_BASE_COLOR].image = 0;
  post_scene *s = post_scene_make(on->renderer, &material, &checker_image);
  sinew_error error = {0};
  sinew_skin_stage stage = shown->skinned_once ? SINEW_SKIN_FEEDBACK : SINEW_SKIN_VERTEX;
  if (!sinew_renderer_set_skin_stage(on->renderer, stage, &error)) fail_msg("%s", error.message);
  s->palette[2].m[3] = 0.35f;
  sinew_dual_quat dual[3];
  assert_true(sinew_dual_quat_palette(&(sinew_dual_quat_palette_job){s->model, s->palette, dual}));
  if (shown->dual) s->item.dual_quats = dual;
  const float lean[1] = {0.5f}, *weights[1] = {lean};
  if (shown->morph) s->item.morph_weights = weights;
  s->item.tint[3] = shown->opacity;
  s->item.id = 7;
  sinew_gpu_model_show_weights(s->uploaded, (const float[]){0, 0.1f, 0.6f, 1.0f});
  sinew_line line = {{-0.6f, 0.01f, 0.6f}, {-0.6f, 0.8f, 0.6f}, {40, 200, 90, 255}};
  s->frame.lines = &line, s->frame.line_count = 1;
  s->frame.surface = shown->surface, s->frame.wireframe = shown->wireframe, s->frame.bounds = shown->bounds;
  if (shown->overlay) s->frame.overlay = &overlay;
  picture p = picture_draw(on->renderer, &s->frame);
  if (shown->surface == SINEW_SURFACE_VELOCITY) {
    picture_free(&p);
    s->item.transform.m[3] = 0.04f;
    p = picture_draw(on->renderer, &s->frame);
  }
  if (!gl_check(shown->name, &error)) fail_msg("%s", error.message);
  post_scene_free(s, on->renderer);
  return p;
}

static void pictures_are_the_desktops(void **state) {
  (void)state;
  static const sight sights[] = {
      {.name = "plain", .opacity = 1, .samples = 1},
      {.name = "four samples", .opacity = 1, .samples = 4},
      {.name = "in each pass", .opacity = 1, .samples = 1, .morph = true},
      {.name = "skinned once", .opacity = 1, .samples = 1, .morph = true, .skinned_once = true},
      {.name = "dual quaternions", .opacity = 1, .samples = 1, .dual = true},
      {.name = "faded", .opacity = 0.5f, .samples = 1},
      {.name = "masked", .opacity = 1, .samples = 4, .alpha = SINEW_ALPHA_MASK},
      {.name = "blended", .opacity = 1, .samples = 1, .alpha = SINEW_ALPHA_BLEND},
      {.name = "wires", .opacity = 1, .samples = 1, .wireframe = true, .overlay = true},
      {.name = "wires, skinned once", .opacity = 1, .samples = 1, .wireframe = true, .skinned_once = true},
      {.name = "normals", .opacity = 1, .samples = 1, .surface = SINEW_SURFACE_NORMALS, .bounds = true},
      {.name = "joints", .opacity = 1, .samples = 1, .surface = SINEW_SURFACE_JOINTS},
      {.name = "weights", .opacity = 1, .samples = 1, .surface = SINEW_SURFACE_WEIGHT},
      {.name = "velocity", .opacity = 1, .samples = 1, .surface = SINEW_SURFACE_VELOCITY, .morph = true}};
  enum { COUNT = sizeof sights / sizeof sights[0] };
  picture drawn[2][COUNT];
  for (int es = 0; es < 2; es++)
    for (int samples = 1; samples <= 4; samples += 3) {
      gpu on = open_gpu(es, samples);
      for (int i = 0; i < COUNT; i++)
        if (sights[i].samples == samples) drawn[es][i] = draw(&on, &sights[i]);
      close_gpu(&on);
    }
  for (int i = 0; i < COUNT; i++) {
    int pixels = drawn[0][i].width * drawn[0][i].height;
    int differ = picture_difference(&drawn[0][i], &drawn[1][i], 2);
    if (differ > pixels * 3 / 100)
      fail_msg("%s: %d of %d pixels are not as on the desktop", sights[i].name, differ, pixels);
    picture_free(&drawn[0][i]), picture_free(&drawn[1][i]);
  }
}

int main(void) {
  gpu_or_skip();
  setenv("SINEW_GL_ES", "1", 1);
  gpu_or_skip();
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_shader_compiles),
                                     cmocka_unit_test(pictures_are_the_desktops)};
  return cmocka_run_group_tests_name("es", tests, NULL, NULL);
}
