/* Morph weights through clips, layers and by hand, of actors and of crowds. */
#include "model/pose_group.h"
#include "support/fixture.h"

#include <sinew/crowd.h>

enum { CLIPS = 3 };

/* A mesh with targets Smile (rest 0) and Blink (rest 0.25), and one with Puff (rest −0.5). Clip "Grin" moves Smile
 * 0 → 1 in a second and holds Blink at 0.5; clip "Still" knows no morphs; clip "Breathe" moves Puff 0 → 2. */
static sinew_model *make_model(void) {
  joint_desc joint = {.name = "root", .parent = -1, .rest = sinew_transform_identity()};
  float position[3] = {0}, normal[3] = {0, 1, 0}, weights[4] = {1}, times[2] = {0, 1}, rows[2] = {0, 1}, held = 0.5f;
  float breath[2] = {0, 2};
  uint16_t bones[4] = {0};
  int32_t bone = 0;
  sinew_mat3x4 bind = sinew_mat3x4_identity();
  sinew_morph_view morphs[2] = {{.name = "Smile", .positions = position},
                                {.name = "Blink", .positions = position, .rest_weight = 0.25f}};
  sinew_morph_view puff = {.name = "Puff", .positions = position, .rest_weight = -0.5f};
  sinew_mesh_view meshes[3];
  for (int i = 0; i < 3; i++)
    meshes[i] = (sinew_mesh_view){.name = "m",
                                  .same_as = -1,
                                  .material = -1,
                                  .vertex_count = 1,
                                  .influences = 4,
                                  .positions = position,
                                  .normals = normal,
                                  .joints = bones,
                                  .weights = weights};
  meshes[0].morphs = morphs, meshes[0].morph_count = 2;
  meshes[2].morphs = &puff, meshes[2].morph_count = 1;
  skin_desc skin = {1, &bone, &bind};
  bool animated = false;
  sinew_transform base = sinew_transform_identity();
  clip_track track = {TRACK_MORPH, 0, 0, false, 0, true, 0}, constant = {TRACK_MORPH, 0, 1, false, 0, true, 0};
  clip_track chest = {TRACK_MORPH, 2, 0, false, 0, true, 0};
  track_group_desc tracks = {times, 2, rows, 1, &track, 1, 0, NULL},
                   chest_track_group = {times, 2, breath, 1, &chest, 1, 0, NULL};
  clip_desc clips[CLIPS] = {{.name = "Grin",
                             .duration = 1,
                             .track_groups = &tracks,
                             .track_group_count = 1,
                             .animated = &animated,
                             .base = &base,
                             .constant_morphs = &constant,
                             .constant_weights = &held,
                             .constant_morph_count = 1},
                            {.name = "Still", .duration = 1, .animated = &animated, .base = &base},
                            {.name = "Breathe",
                             .duration = 1,
                             .track_groups = &chest_track_group,
                             .track_group_count = 1,
                             .animated = &animated,
                             .base = &base}};
  model_desc desc = {.path = "x",
                     .root = sinew_transform_identity(),
                     .joints = &joint,
                     .joint_count = 1,
                     .clips = clips,
                     .clip_count = CLIPS,
                     .skins = &skin,
                     .skin_count = 1,
                     .meshes = meshes,
                     .mesh_count = 3};
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
  def.fade = 0, def.solo = false;
  sinew_actor_play(stage, actor, &def, NULL);
  def.clip = 1;
  sinew_actor_play(stage, actor, &def, NULL); /* a whole clip without morphs does not dilute */
  sinew_stage_update(stage, 0.5);
  expect(stage, actor, 0.5, 0.5);
  assert_true(sinew_actor_set_morph(stage, actor, "Smile", 2));
  sinew_stage_update(stage, 0);
  expect(stage, actor, 2.5, 0.5);
  assert_near(sinew_actor_morph(stage, actor, "Smile"), 2, 0);
  assert_false(sinew_actor_set_morph(stage, actor, "Frown", 1));
  assert_false(sinew_actor_set_morph(stage, actor, "Smile", NAN));
  assert_null(sinew_actor_morphs(stage, actor, 1)); /* a mesh without targets */
  sinew_stage_destroy(stage);
  sinew_model_release(model);
}

static void layers_cover_and_add_morphs(void **state) {
  (void)state;
  sinew_model *model = make_model();
  sinew_stage *stage = sinew_stage_create(NULL);
  sinew_actor actor = sinew_actor_create(stage, "face", model, NULL);
  sinew_layer_def over = {.mode = SINEW_LAYER_OVERRIDE, .weight = 0.5f},
                  add = {.mode = SINEW_LAYER_ADDITIVE, .weight = 1};
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
  add.reference = (sinew_reference){.kind = SINEW_REFERENCE_CLIP, .clip = 0, .time = 0.25};
  assert_true(sinew_actor_set_layer(stage, actor, def.layer, &add));
  sinew_stage_update(stage, 0);
  expect(stage, actor, 1.25, 0.25 + 0.5 * (0.5 - 0.25));
  add.reference = (sinew_reference){.kind = SINEW_REFERENCE_POSE, .pose = model_rest_pose(model)};
  assert_true(sinew_actor_set_layer(stage, actor, def.layer, &add));
  sinew_stage_update(stage, 0);
  expect(stage, actor, 1.5, 0.25 + 0.5 * (0.5 - 0.25) + (0.5 - 0.25));
  sinew_stage_destroy(stage);
  sinew_model_release(model);
}

/* ---- crowds ---- */

enum { MEMBERS = 40, TARGETS = 3 };

static sinew_crowd_characters make_crowd(sinew_stage *stage, sinew_model *model) {
  sinew_crowd_def def = sinew_crowd_def_default();
  def.model = model, def.count = MEMBERS, def.slot_count = SINEW_CROWD_SLOTS;
  sinew_crowd_characters all = sinew_crowd_view(stage, sinew_crowd_create(stage, &def, NULL));
  assert_int_equal(all.morph_count, TARGETS);
  return all;
}

/* Times and weights of all kinds, small ones and none among them. */
static void scatter(const sinew_crowd_characters *all) {
  for (int i = 0; i < MEMBERS; i++) {
    all->speed[i] = 0;
    for (int s = 0; s < SINEW_CROWD_SLOTS; s++) {
      all->slots[s].clip[i] = (int)(random_bits() % (CLIPS + 1)) - 1;
      all->slots[s].time[i] = (double)random_range(0, 0.99f);
      all->slots[s].weight[i] = random_bits() % 3 ? random_range(0, 1) : random_bits() % 2 ? 0.01f : 0;
    }
    for (int t = 0; t < TARGETS; t++) all->morph_added[TARGETS * i + t] = random_range(-1, 1);
  }
}

/* Plays what character i plays. */
static sinew_actor make_double(sinew_stage *stage, sinew_model *model, const sinew_crowd_characters *all, int i) {
  static const char *const names[TARGETS] = {"Smile", "Blink", "Puff"};
  sinew_actor actor = sinew_actor_create(stage, "one", model, NULL);
  for (int s = 0; s < SINEW_CROWD_SLOTS; s++) {
    sinew_play_def def = sinew_play_def_default();
    def.clip = all->slots[s].clip[i], def.time = all->slots[s].time[i], def.weight = all->slots[s].weight[i];
    def.fade = 0, def.solo = false, def.speed = 0;
    if (def.clip >= 0) assert_int_not_equal(sinew_actor_play(stage, actor, &def, NULL).id, 0);
  }
  for (int t = 0; t < TARGETS; t++)
    assert_true(sinew_actor_set_morph(stage, actor, names[t], all->morph_added[TARGETS * i + t]));
  return actor;
}

static void a_character_of_a_crowd_has_the_morphs_of_an_actor(void **state) {
  (void)state;
  sinew_model *model = make_model();
  sinew_stage *stage = sinew_stage_create(NULL);
  sinew_crowd_characters all = make_crowd(stage, model);
  static const float first[TARGETS] = {0, 0.5f, -0.5f};
  for (int i = 0; i < MEMBERS; i++) /* from the beginning on: Grin at 0 */
    for (int t = 0; t < TARGETS; t++) assert_near(all.morphs[TARGETS * i + t], first[t], 1e-6);
  random_seed(12);
  scatter(&all);
  sinew_actor actors[MEMBERS];
  for (int i = 0; i < MEMBERS; i++) actors[i] = make_double(stage, model, &all, i);
  sinew_stage_update(stage, 0.1);
  for (int i = 0; i < MEMBERS; i++) {
    const float *is = all.morphs + TARGETS * i, *face = sinew_actor_morphs(stage, actors[i], 0);
    for (int t = 0; t < 2; t++) assert_near(is[t], face[t], 1e-6);
    assert_near(is[2], sinew_actor_morphs(stage, actors[i], 2)[0], 1e-6);
  }
  sinew_stage_destroy(stage);
  sinew_model_release(model);
}

static void the_morphs_of_the_hidden_are_held(void **state) {
  (void)state;
  sinew_model *model = make_model();
  sinew_stage *stage = sinew_stage_create(NULL);
  sinew_crowd_characters all = make_crowd(stage, model);
  all.visible[1] = 0;
  sinew_stage_update(stage, 0.25);
  assert_near(all.morphs[0], 0.25, 1e-6);
  assert_near(all.morphs[TARGETS], 0, 1e-6);
  all.visible[1] = 1;
  sinew_stage_update(stage, 0.25);
  assert_near(all.morphs[TARGETS], 0.5, 1e-6);
  sinew_stage_destroy(stage);
  sinew_model_release(model);
}

static void strange_additions_do_no_harm(void **state) {
  (void)state;
  sinew_model *model = make_model();
  sinew_stage *stage = sinew_stage_create(NULL);
  sinew_crowd_characters all = make_crowd(stage, model);
  static const float strange[TARGETS] = {NAN, INFINITY, -INFINITY}, wanted[TARGETS] = {0.25f, 0.5f, -0.5f};
  memcpy(all.morph_added, strange, sizeof strange);
  all.morph_added[TARGETS] = 3e38f;
  sinew_stage_update(stage, 0.25);
  for (int t = 0; t < TARGETS; t++) assert_near(all.morphs[t], wanted[t], 1e-6);
  assert_true(isfinite(all.morphs[TARGETS]));
  sinew_stage_destroy(stage);
  sinew_model_release(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(morphs_blend_like_joints), cmocka_unit_test(layers_cover_and_add_morphs),
      cmocka_unit_test(a_character_of_a_crowd_has_the_morphs_of_an_actor),
      cmocka_unit_test(the_morphs_of_the_hidden_are_held), cmocka_unit_test(strange_additions_do_no_harm)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
