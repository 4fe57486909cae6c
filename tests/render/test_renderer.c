/* Making and unmaking renderers and models: nothing may stay behind, and failures say what is needed. */
#include "render/picture.h"

#include "base/memory/memory.h"

enum { NAMES = 4096 };

/* Names are small numbers on every driver that these tests run on, so a scan finds what is left. */
static int living_objects(void) {
  int buffers = 0, textures = 0, targets = 0, arrays = 0, programs = 0;
  for (GLuint name = 1; name < NAMES; name++) {
    buffers += glIsBuffer(name);
    textures += glIsTexture(name);
    targets += glIsFramebuffer(name) + glIsRenderbuffer(name);
    arrays += glIsVertexArray(name);
    programs += glIsProgram(name) + glIsShader(name);
  }
  if (getenv("SINEW_VERBOSE"))
    printf("  %d buffers, %d textures, %d targets, %d arrays, %d programs\n", buffers, textures, targets, arrays,
           programs);
  return buffers + textures + targets + arrays + programs;
}

static void nothing_stays_behind(void **state) {
  (void)state;
  sinew_error error = {0};
  offscreen *context = offscreen_create(&error);
  assert_non_null(context);
  sinew_renderer *first = gpu_renderer(-1, -1);
  assert_true(living_objects() > 20); /* the scan can see */
  sinew_renderer_destroy(first);
  assert_int_equal(living_objects(), 0);
  for (int i = 0; i < 6; i++) {
    sinew_renderer *renderer = gpu_renderer(i % 2 ? 4 : -1, i % 3 ? 256 : 0);
    post_scene *s = post_scene_make(renderer, NULL, NULL);
    picture p = picture_draw(renderer, &s->frame);
    picture_free(&p);
    post_scene_free(s, renderer);
    sinew_renderer_destroy(renderer);
    assert_int_equal(living_objects(), 0);
  }
  offscreen_destroy(context);
}

static void models_come_and_go(void **state) {
  (void)state;
  sinew_error error = {0};
  offscreen *context = offscreen_create(&error);
  sinew_renderer *renderer = gpu_renderer(-1, -1);
  sinew_model *model = soup_model(&(soup_def){20, 8, 300, 3, true, true, false});
  int before = living_objects();
  for (int i = 0; i < 100; i++) {
    sinew_gpu_model *uploaded = sinew_gpu_model_create(renderer, model, &error);
    assert_non_null(uploaded);
    assert_true(living_objects() > before);
    sinew_gpu_model_destroy(renderer, uploaded);
    assert_int_equal(living_objects(), before);
  }
  sinew_gpu_model_destroy(renderer, NULL);
  sinew_renderer_destroy(NULL);
  sinew_model_release(model);
  sinew_renderer_destroy(renderer);
  offscreen_destroy(context);
}

/* Sent byte by byte, each step is a mesh or a material; the picture is the same in the end. */
static void a_model_may_come_in_parts(void **state) {
  (void)state;
  sinew_error error = {0};
  offscreen *context = offscreen_create(&error);
  sinew_renderer *renderer = gpu_renderer(-1, -1);
  static uint8_t texels[16];
  for (int i = 0; i < 16; i++) texels[i] = (uint8_t)(255 - 40 * (i % 4));
  sinew_image_view image = {.name = "i", .width = 2, .height = 2, .rgba = texels};
  sinew_material material = sinew_material_default();
  material.textures[SINEW_TEXTURE_BASE_COLOR].image = 0;
  post_scene *s = post_scene_make(renderer, &material, &image);
  picture whole = picture_draw(renderer, &s->frame);
  sinew_gpu_model *parts = sinew_gpu_model_begin(renderer, s->model, &error);
  s->item.model = parts;
  assert_int_equal(sinew_gpu_model_left(parts), 2);
  for (int left = 2; left > 0; left--) {
    picture p = picture_draw(renderer, &s->frame);
    assert_true(picture_difference(&whole, &p, 0) > 0);
    picture_free(&p);
    assert_true(sinew_gpu_model_continue(renderer, parts, s->model, 1, &error));
    assert_int_equal(sinew_gpu_model_left(parts), left - 1);
  }
  picture p = picture_draw(renderer, &s->frame);
  assert_int_equal(picture_difference(&whole, &p, 0), 0);
  assert_true(sinew_gpu_model_continue(renderer, parts, s->model, 1, &error));
  picture_free(&p), picture_free(&whole);
  sinew_gpu_model_destroy(renderer, parts);
  post_scene_free(s, renderer);
  sinew_renderer_destroy(renderer);
  offscreen_destroy(context);
}

/* A hundred pictures of changing sizes, then as many objects as after the first. */
static void frames_leave_nothing(void **state) {
  (void)state;
  sinew_error error = {0};
  offscreen *context = offscreen_create(&error);
  sinew_renderer *renderer = gpu_renderer(-1, -1);
  post_scene *s = post_scene_make(renderer, NULL, NULL);
  picture p = picture_draw(renderer, &s->frame);
  picture_free(&p);
  int before = living_objects();
  for (int i = 0; i < 100; i++) {
    s->frame.width = 32 + i % 7, s->frame.height = 20 + i % 5;
    assert_true(sinew_renderer_draw(renderer, &s->frame, &error));
  }
  assert_int_equal(living_objects(), before);
  post_scene_free(s, renderer);
  sinew_renderer_destroy(renderer);
  offscreen_destroy(context);
}

static void warm_frames_allocate_nothing(void **state) {
  (void)state;
  sinew_error error = {0};
  offscreen *context = offscreen_create(&error);
  sinew_renderer *renderer = gpu_renderer(-1, -1);
  post_scene *s = post_scene_make(renderer, NULL, NULL);
  assert_true(sinew_renderer_draw(renderer, &s->frame, &error));
  uint64_t before = mem_request_count();
  for (int i = 0; i < 5; i++) assert_true(sinew_renderer_draw(renderer, &s->frame, &error));
  assert_int_equal(mem_request_count() - before, 0);
  post_scene_free(s, renderer);
  sinew_renderer_destroy(renderer);
  offscreen_destroy(context);
}

/* A driver may do anything for a shader whose shadow sampler finds no depths, whether it asks for one or not. */
static void shadow_samplers_have_depths_without_a_shadow(void **state) {
  (void)state;
  sinew_error error = {0};
  offscreen *context = offscreen_create(&error);
  sinew_renderer *plain = gpu_renderer(1, 0);
  GLint bits = 0, mode = GL_NONE;
  glBindTexture(GL_TEXTURE_2D, plain->shadow_map.texture);
  glGetTexLevelParameteriv(GL_TEXTURE_2D, 0, GL_TEXTURE_DEPTH_SIZE, &bits);
  glGetTexParameteriv(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_MODE, &mode);
  assert_true(bits > 0);
  assert_int_equal(mode, GL_COMPARE_REF_TO_TEXTURE);
  sinew_renderer_destroy(plain);
  offscreen_destroy(context);
}

static void description_says_what_was_chosen(void **state) {
  (void)state;
  sinew_error error = {0};
  offscreen *context = offscreen_create(&error);
  sinew_renderer *chosen = gpu_renderer(-1, -1);
  const char *text = sinew_renderer_description(chosen);
  assert_non_null(strstr(text, "OpenGL "));
  assert_int_equal(strstr(text, "lowered for a software rasteriser") != NULL, strstr(text, "llvmpipe") != NULL);
  sinew_renderer_destroy(chosen);
  sinew_renderer *wanted = gpu_renderer(4, 512);
  text = sinew_renderer_description(wanted);
  assert_non_null(strstr(text, "shadow 512, 4 samples"));
  assert_null(strstr(text, "lowered"));
  assert_null(strstr(text, "the most here"));
  sinew_renderer_destroy(wanted);
  sinew_renderer *most = gpu_renderer(1000, 1 << 28);
  text = strstr(sinew_renderer_description(most), " (the most here), ");
  assert_non_null(text);
  assert_non_null(strstr(text + 1, "samples (the most here)"));
  sinew_renderer_destroy(most);
  offscreen_destroy(context);
}

static void *finds_nothing(const char *name) {
  (void)name;
  return NULL;
}

static void without_opengl_there_is_a_sentence(void **state) {
  (void)state;
  sinew_error error = {0};
  sinew_renderer_def def = sinew_renderer_def_default();
  assert_null(sinew_renderer_create(&def, &error));
  assert_non_null(strstr(error.message, "proc_address"));
  assert_null(sinew_renderer_create(NULL, &error));
  def.proc_address = finds_nothing;
  assert_null(sinew_renderer_create(&def, &error));
  assert_non_null(strstr(error.message, "3.3"));
  def.proc_address = offscreen_proc; /* functions are there, but no context is current */
  assert_null(sinew_renderer_create(&def, &error));
  assert_non_null(strstr(error.message, "3.3"));
}

static void missing_shaders_are_named(void **state) {
  (void)state;
  sinew_error error = {0};
  offscreen *context = offscreen_create(&error);
  program made;
  sinew_renderer *renderer = gpu_renderer(-1, -1);
  assert_false(program_create(&made, &(program_def){.folder = "/nowhere", .vertex = "mesh.vert"}, &error));
  assert_non_null(strstr(error.message, "/nowhere/mesh.vert"));
  sinew_renderer_destroy(renderer);
  offscreen_destroy(context);
}

int main(void) {
  gpu_or_skip();
  const struct CMUnitTest tests[] = {cmocka_unit_test(nothing_stays_behind),
                                     cmocka_unit_test(a_model_may_come_in_parts), cmocka_unit_test(models_come_and_go),
                                     cmocka_unit_test(frames_leave_nothing),
                                     cmocka_unit_test(warm_frames_allocate_nothing),
                                     cmocka_unit_test(shadow_samplers_have_depths_without_a_shadow),
                                     cmocka_unit_test(description_says_what_was_chosen),
                                     cmocka_unit_test(without_opengl_there_is_a_sentence),
                                     cmocka_unit_test(missing_shaders_are_named)};
  return cmocka_run_group_tests_name("renderer", tests, NULL, NULL);
}
