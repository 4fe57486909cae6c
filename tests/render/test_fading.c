/* A character that is shown half there, and whose colours are tinted: a box in a box, seen from the front. */
#include "render/picture.h"

#include <sinew/build.h>

enum { CORNERS = 24, INDICES = 36 };

/* A box around the origin's upward axis, from the ground up. */
static void box_make(float half, float height, float positions[3 * CORNERS], uint32_t indices[INDICES]) {
  int v = 0, n = 0;
  for (int axis = 0; axis < 3; axis++)
    for (int side = 0; side < 2; side++, v += 4) {
      for (int c = 0; c < 4; c++) {
        float p[3];
        p[axis] = (float)side, p[(axis + 1) % 3] = (float)(c == 1 || c == 2), p[(axis + 2) % 3] = (float)(c >= 2);
        float *to = positions + 3 * (v + c);
        to[0] = half * (2 * p[0] - 1), to[1] = height * p[1], to[2] = half * (2 * p[2] - 1);
      }
      static const uint32_t front[6] = {0, 1, 2, 0, 2, 3}, back[6] = {0, 2, 1, 0, 3, 2};
      for (int i = 0; i < 6; i++) indices[n++] = (uint32_t)v + (side ? front[i] : back[i]);
    }
}

typedef struct boxes {
  sinew_model *model;
  sinew_gpu_model *uploaded;
  sinew_mat3x4 palette[2];
  sinew_draw_item item;
  sinew_frame frame;
} boxes;

/* The first box encloses the second; each has the material of its number. */
static void boxes_open(boxes *b, sinew_renderer *renderer, int count, const sinew_material materials[2]) {
  static float positions[2][3 * CORNERS];
  static uint32_t indices[2][INDICES];
  sinew_error error = {0};
  sinew_mesh_def meshes[2] = {sinew_mesh_def_default(), sinew_mesh_def_default()};
  for (int i = 0; i < 2; i++) {
    box_make(i == 0 ? 0.4f : 0.3f, i == 0 ? 1.2f : 1.0f, positions[i], indices[i]);
    meshes[i].name = i == 0 ? "shirt" : "skin", meshes[i].material = i;
    meshes[i].vertex_count = CORNERS, meshes[i].index_count = INDICES;
    meshes[i].positions = positions[i], meshes[i].indices = indices[i];
  }
  sinew_model_def def = sinew_model_def_default();
  def.meshes = meshes, def.mesh_count = count, def.materials = materials, def.material_count = 2;
  *b = (boxes){.model = sinew_model_build(&def, &error)};
  if (!b->model) fail_msg("%s", error.message);
  b->uploaded = sinew_gpu_model_create(renderer, b->model, &error);
  b->palette[0] = b->palette[1] = sinew_mat3x4_identity();
  b->item = (sinew_draw_item){
      .model = b->uploaded, .transform = sinew_mat3x4_identity(), .palette = b->palette, .tint = {1, 1, 1, 1}};
  b->frame = (sinew_frame){.width = 240,
                           .height = 180,
                           .camera = sinew_camera_default(),
                           .light = sinew_light_default(),
                           .items = &b->item,
                           .item_count = 1,
                           .ground = true};
  b->frame.camera.position = (sinew_vec3){0.8f, 1.6f, 4};
  b->frame.camera.target = (sinew_vec3){0.3f, 0.5f, 0};
  b->frame.light.direction = (sinew_vec3){-0.7f, 0.7f, 0.25f};
}

static void boxes_close(boxes *b, sinew_renderer *renderer) {
  sinew_gpu_model_destroy(renderer, b->uploaded);
  sinew_model_release(b->model);
}

static sinew_material of_color(float r, float g, float b) {
  sinew_material m = sinew_material_default();
  m.base_color[0] = r, m.base_color[1] = g, m.base_color[2] = b;
  m.roughness = 0.7f;
  return m;
}

/* One mesh still hides another inside it: the picture is the same as without the inner box. The sun is off, because two
 * boxes fit the shadow map differently than one. */
static void a_faded_character_shows_no_inner_mesh(void **state) {
  gpu *g = *state;
  const sinew_material materials[2] = {of_color(0.1f, 0.2f, 0.9f), of_color(0.9f, 0.05f, 0.05f)};
  picture drawn[2];
  for (int i = 0; i < 2; i++) {
    boxes b;
    boxes_open(&b, g->renderer, 1 + i, materials);
    b.item.tint[3] = 0.4f;
    b.frame.light.intensity = 0;
    drawn[i] = picture_draw(g->renderer, &b.frame);
    boxes_close(&b, g->renderer);
  }
  assert_int_equal(picture_difference(&drawn[0], &drawn[1], 2), 0);
  picture_free(&drawn[0]), picture_free(&drawn[1]);
}

/* Of two faded characters the nearer one lets the other through. */
static void faded_characters_show_each_other(void **state) {
  gpu *g = *state;
  const sinew_material materials[2] = {of_color(0.6f, 0.6f, 0.6f), of_color(0.6f, 0.6f, 0.6f)};
  boxes b;
  boxes_open(&b, g->renderer, 2, materials);
  sinew_draw_item items[2] = {b.item, b.item};
  for (int i = 0; i < 2; i++) items[i].tint[3] = 0.5f;
  items[0].transform.m[3] = -0.1f, items[0].transform.m[11] = -1.2f;
  items[0].tint[1] = items[0].tint[2] = 0;
  b.frame.items = items;
  int x, y;
  picture_position(&b.frame, (sinew_vec3){0, 0.8f, 0.4f}, &x, &y);
  for (int order = 0; order < 2; order++) { /* whoever is given first */
    b.frame.item_count = 2;
    picture both = picture_draw(g->renderer, &b.frame);
    b.frame.items = items + 1 - order, b.frame.item_count = 1;
    picture near = picture_draw(g->renderer, &b.frame);
    const uint8_t *with = picture_at(&both, x, y), *without = picture_at(&near, x, y);
    assert_true(without[1] - with[1] > 12 && with[0] - with[1] > 12); /* the red of the far one */
    picture_free(&both), picture_free(&near);
    sinew_draw_item first = items[0];
    items[0] = items[1], items[1] = first;
    b.frame.items = items;
  }
  boxes_close(&b, g->renderer);
}

/* The fraction of sunlight that the ground beside the box lacks. */
static double shade(const boxes *b, sinew_renderer *renderer) {
  int left, right, top, bottom;
  double sum = 0;
  picture_position(&b->frame, (sinew_vec3){0.6f, 0, -0.35f}, &left, &top);
  picture_position(&b->frame, (sinew_vec3){1.1f, 0, 0.0f}, &right, &bottom);
  picture p = picture_draw(renderer, &b->frame);
  assert_true(right > left + 5 && bottom > top + 5);
  for (int y = top; y <= bottom; y++)
    for (int x = left; x <= right; x++) sum += pow(picture_light(&p, x, y), 2.2);
  picture_free(&p);
  return sum;
}

/* In linear light the shadow is as strong as the opacity; and it is grey, not a pattern. */
static void the_shadow_fades_with_the_character(void **state) {
  gpu *g = *state;
  const sinew_material materials[2] = {of_color(0.5f, 0.5f, 0.5f), of_color(0.5f, 0.5f, 0.5f)};
  boxes b;
  boxes_open(&b, g->renderer, 1, materials);
  double solid = shade(&b, g->renderer);
  b.frame.item_count = 0;
  double lit = shade(&b, g->renderer);
  b.frame.item_count = 1;
  assert_true(solid < 0.6 * lit);
  for (int i = 1; i < 8; i++) {
    b.item.tint[3] = (float)i / 8;
    double share = (lit - shade(&b, g->renderer)) / (lit - solid);
    if (fabs(share - i / 8.0) > 0.09) fail_msg("at an opacity of %d/8 the shadow has %.3f of its strength", i, share);
  }
  boxes_close(&b, g->renderer);
}

/* Well inside the shadow of a faded character no pixel differs from its neighbours: opacity is no pattern. */
static void the_shadow_of_the_faded_is_even(void **state) {
  gpu *g = *state;
  const sinew_material materials[2] = {of_color(0.5f, 0.5f, 0.5f), of_color(0.5f, 0.5f, 0.5f)};
  boxes b;
  boxes_open(&b, g->renderer, 1, materials);
  for (int i = 1; i < 8; i++) {
    int left, right, top, bottom, least = 255, most = 0;
    b.item.tint[3] = (float)i / 8;
    b.frame.camera.position = (sinew_vec3){0.9f, 3, 0.5f}, b.frame.camera.target = (sinew_vec3){0.85f, 0, -0.2f};
    picture_position(&b.frame, (sinew_vec3){0.75f, 0, -0.3f}, &left, &top);
    picture_position(&b.frame, (sinew_vec3){0.95f, 0, -0.1f}, &right, &bottom);
    picture p = picture_draw(g->renderer, &b.frame);
    assert_true(right > left + 5 && bottom > top + 5);
    for (int y = top; y <= bottom; y++)
      for (int x = left; x <= right; x++) {
        int green = picture_at(&p, x, y)[1];
        least = green < least ? green : least, most = green > most ? green : most;
      }
    picture_free(&p);
    if (most - least > 8) fail_msg("at an opacity of %d/8 the shadow has greens of %d to %d", i, least, most);
  }
  boxes_close(&b, g->renderer);
}

/* Blended, too: the far side and the inner box of one that is drawn from both sides make no difference. */
static void glass_shows_no_inside(void **state) {
  gpu *g = *state;
  picture drawn[2];
  for (int i = 0; i < 2; i++) {
    sinew_material glass = of_color(0.1f, 0.2f, 0.9f);
    glass.alpha_mode = SINEW_ALPHA_BLEND, glass.base_color[3] = 0.4f, glass.double_sided = i == 1;
    boxes b;
    boxes_open(&b, g->renderer, 1, (const sinew_material[2]){glass, glass});
    b.frame.ground = false;
    drawn[i] = picture_draw(g->renderer, &b.frame);
    boxes_close(&b, g->renderer);
  }
  assert_int_equal(picture_difference(&drawn[0], &drawn[1], 2), 0);
  picture_free(&drawn[0]), picture_free(&drawn[1]);
}

/* Fading takes from what is there: neither does what is cut out end early, nor does the alpha of a material that is
 * opaque come to count. */
static void fading_knows_one_alpha(void **state) {
  gpu *g = *state;
  sinew_material cut = of_color(0.8f, 0.1f, 0.1f), clear = of_color(0.8f, 0.1f, 0.1f), solid = clear;
  cut.alpha_mode = SINEW_ALPHA_MASK, cut.alpha_cutoff = 0.5f, cut.base_color[3] = 0.6f;
  clear.base_color[3] = 0.0f;
  const sinew_material all[3] = {solid, cut, clear};
  picture drawn[3];
  for (int i = 0; i < 3; i++) {
    boxes b;
    boxes_open(&b, g->renderer, 1, (const sinew_material[2]){all[i], all[i]});
    b.item.tint[3] = 0.3f;
    drawn[i] = picture_draw(g->renderer, &b.frame);
    if (i > 0) assert_int_equal(picture_difference(&drawn[0], &drawn[i], 2), 0);
    boxes_close(&b, g->renderer);
  }
  for (int i = 0; i < 3; i++) picture_free(&drawn[i]);
}

static void a_tint_is_for_the_materials_that_take_it(void **state) {
  gpu *g = *state;
  const sinew_material grey = of_color(0.5f, 0.5f, 0.5f);
  boxes b;
  picture drawn[4];
  static const uint8_t masks[2][2] = {{1, 0}, {0, 1}};
  boxes_open(&b, g->renderer, 1, (const sinew_material[2]){grey, grey});
  for (int i = 0; i < 4; i++) {
    b.item.tint[0] = i == 0 ? 1.0f : 0.1f;
    b.item.tinted = i < 2 ? NULL : masks[i - 2];
    drawn[i] = picture_draw(g->renderer, &b.frame);
  }
  assert_int_equal(picture_difference(&drawn[1], &drawn[2], 0), 0); /* the shirt takes it */
  assert_int_equal(picture_difference(&drawn[0], &drawn[3], 0), 0); /* and here it does not */
  assert_true(picture_difference(&drawn[0], &drawn[1], 30) > 500);
  b.item.tint[3] = 0.5f;
  picture faded = picture_draw(g->renderer, &b.frame);
  assert_true(picture_difference(&drawn[0], &faded, 10) > 500); /* opacity is for all of it */
  for (int i = 0; i < 4; i++) picture_free(&drawn[i]);
  picture_free(&faded);
  boxes_close(&b, g->renderer);
}

int main(void) {
  gpu_or_skip();
  const struct CMUnitTest tests[] = {gpu_test(a_faded_character_shows_no_inner_mesh),
                                     gpu_test(faded_characters_show_each_other),
                                     gpu_test(the_shadow_fades_with_the_character),
                                     gpu_test(the_shadow_of_the_faded_is_even),
                                     gpu_test(glass_shows_no_inside),
                                     gpu_test(fading_knows_one_alpha),
                                     gpu_test(a_tint_is_for_the_materials_that_take_it)};
  return cmocka_run_group_tests_name("fading", tests, gpu_setup, gpu_teardown);
}
