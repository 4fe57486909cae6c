/* Morph weights through clips, layers and by hand. */
#include "support/fixture.h"

#include <sinew/actor.h>

/* One vertex with targets Smile (rest 0) and Blink (rest 0.25); clip "Grin" moves Smile 0 → 1 in a second and holds
 * Blink at 0.5; clip "Still" knows no morphs. */
static sinew_model *make_model(void) {
  joint_desc joint = {.name = "root", .parent = -1, .rest = sinew_transform_identity()};
  float position[3] = {0}, normal[3] = {0, 1, 0}, weights[4] = {1}, times[2] = {0, 1}, rows[2] = {0, 1}, held = 0.5f;
  uint16_t bones[4] = {0};
  int32_t bone = 0;
  sinew_mat3x4 bind = sinew_mat3x4_identity();
  sinew_morph_view morphs[2] = {{.name = "Smile", .positions = position},
                                {.name = "Blink", .positions = position, .rest_weight = 0.25f}};
  sinew_mesh_view mesh = {.name = "m",
                          .material = -1,
                          .vertex_count = 1,
                          .influences = 4,
                          .positions = position,
                          .normals = normal,
                          .joints = bones,
                          .weights = weights,
                          .morphs = morphs,
                          .morph_count = 2};
  skin_desc skin = {1, &bone, &bind};
  bool carried = false;
  sinew_transform base = sinew_transform_identity();
  clip_track track = {TRACK_MORPH, 0, 0, false, 0, true}, constant = {TRACK_MORPH, 0, 1, false, 0, true};
  clip_table_desc table = {times, 2, rows, 1, &track, 1};
  clip_desc clips[2] = {{.name = "Grin",
                         .duration = 1,
                         .tables = &table,
                         .table_count = 1,
                         .carried = &carried,
                         .base = &base,
                         .constant_morphs = &constant,
                         .constant_weights = &held,
                         .constant_morph_count = 1},
                        {.name = "Still", .duration = 1, .carried = &carried, .base = &base}};
  model_desc desc = {.path = "x",
                     .root = sinew_transform_identity(),
                     .joints = &joint,
                     .joint_count = 1,
                     .clips = clips,
                     .clip_count = 2,
                     .skins = &skin,
                     .skin_count = 1,
                     .meshes = &mesh,
                     .mesh_count = 1};
  return model_create(&desc, NULL);
}

static void expect(const sinew_stage *stage, sinew_actor actor, double smile, double blink) {
  const float *weights = sinew_actor_morphs(stage, actor, 0);
  assert_near(weights[0], smile, 1e-6);
  assert_near(weights[1], blink, 1e-6);
}

static void morphs_blend_like_joints(void **state) {
  (void)state;
  sinew_model *model = make_model();
  sinew_stage *stage = sinew_stage_create(NULL);
  sinew_actor actor = sinew_actor_create(stage, "face", model, NULL);
  expect(stage, actor, 0, 0.25);
  sinew_play_def def = sinew_play_def_default();
  def.fade = 0, def.weight = 0.5f, def.solo = false;
  sinew_actor_play(stage, actor, &def, NULL);
  def.clip = 1;
  sinew_actor_play(stage, actor, &def, NULL); /* a clip without morphs does not dilute */
  sinew_stage_update(stage, 0.5);
  expect(stage, actor, 0.5, 0.5);
  assert_true(sinew_actor_set_morph(stage, actor, "Smile", 2));
  sinew_stage_update(stage, 0);
  expect(stage, actor, 2.5, 0.5);
  assert_near(sinew_actor_morph(stage, actor, "Smile"), 2, 0);
  assert_false(sinew_actor_set_morph(stage, actor, "Frown", 1));
  assert_false(sinew_actor_set_morph(stage, actor, "Smile", NAN));
  assert_null(sinew_actor_morphs(stage, actor, 1));
  sinew_stage_destroy(stage);
  sinew_model_release(model);
}

static void layers_cover_and_add_morphs(void **state) {
  (void)state;
  sinew_model *model = make_model();
  sinew_stage *stage = sinew_stage_create(NULL);
  sinew_actor actor = sinew_actor_create(stage, "face", model, NULL);
  sinew_layer_def over = {SINEW_LAYER_OVERRIDE, 0.5f, NULL}, add = {SINEW_LAYER_ADDITIVE, 1, NULL};
  sinew_play_def def = sinew_play_def_default();
  def.fade = 0, def.time = 1, def.loop = SINEW_LOOP_ONCE;
  def.layer = sinew_actor_add_layer(stage, actor, "over", &over, NULL);
  sinew_actor_play(stage, actor, &def, NULL);
  sinew_stage_update(stage, 0);
  expect(stage, actor, 0.5, 0.25 + 0.5 * (0.5 - 0.25));
  def.layer = sinew_actor_add_layer(stage, actor, "add", &add, NULL);
  sinew_actor_play(stage, actor, &def, NULL);
  sinew_stage_update(stage, 0);
  expect(stage, actor, 1.5, 0.25 + 0.5 * (0.5 - 0.25));
  sinew_stage_destroy(stage);
  sinew_model_release(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(morphs_blend_like_joints),
                                     cmocka_unit_test(layers_cover_and_add_morphs)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
