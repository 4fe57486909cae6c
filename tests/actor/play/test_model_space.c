/* Layers in model space against their definition, joint by joint from model-space matrices of other actors. */
#include "support/hero.h"

#include <math.h>

static int set_up(void **state) {
  static world w;
  world_open(&w, load_hero());
  *state = &w;
  return 0;
}

static sinew_actor show(const world *w, const char *name, const char *clip, double time) {
  sinew_actor actor = sinew_actor_create(w->stage, name, w->model, NULL);
  sinew_play_def def = sinew_play_def_default();
  def.clip = hero_clip(w->model, clip), def.fade = 0, def.speed = 0, def.time = time;
  assert_true(sinew_actor_play(w->stage, actor, &def, NULL).id != 0);
  return actor;
}

/* The clip on a layer of the actor. */
static void lay(const world *w, sinew_actor actor, const sinew_layer_def *layer, const char *clip, double time) {
  sinew_play_def def = sinew_play_def_default();
  def.clip = hero_clip(w->model, clip), def.fade = 0, def.speed = 0, def.time = time;
  int index = sinew_actor_find_layer(w->stage, actor, "top");
  if (index < 0) index = sinew_actor_add_layer(w->stage, actor, "top", layer, NULL);
  assert_true(sinew_actor_set_layer(w->stage, actor, index, layer));
  def.layer = index;
  assert_true(sinew_actor_play(w->stage, actor, &def, NULL).id != 0);
}

static void mask_below(const world *w, const char *joint, float *mask) {
  int top = hero_joint(w->model, joint), count = sinew_model_joint_count(w->model);
  for (int i = 0; i < count; i++) mask[i] = i == top || (i > top && mask[sinew_model_joint_parent(w->model, i)] > 0);
}

static sinew_quat turned(const world *w, sinew_actor actor, int joint) {
  return sinew_transform_from_mat3x4(sinew_actor_joints(w->stage, actor) + joint).rotation;
}

static sinew_quat inverse(sinew_quat q) { return (sinew_quat){-q.x, -q.y, -q.z, q.w}; }

/* The angle between two rotations, from the sine of its half: exact also near 0. */
static double apart(sinew_quat a, sinew_quat b) {
  sinew_quat d = sinew_quat_multiply(inverse(a), b);
  double sine = sqrt((double)d.x * d.x + (double)d.y * d.y + (double)d.z * d.z);
  return 2 * asin(fmin(sine, 1));
}

/* From the definition: axis and angle in doubles. */
static sinew_quat power(sinew_quat q, double exponent) {
  double sign = q.w < 0 ? -1 : 1, sine = sqrt((double)q.x * q.x + (double)q.y * q.y + (double)q.z * q.z);
  double half = atan2(sine, sign * (double)q.w) * exponent, scale = sine > 0 ? sign * sin(half) / sine : 0;
  return (sinew_quat){(float)(q.x * scale), (float)(q.y * scale), (float)(q.z * scale), (float)cos(half)};
}

static sinew_quat local_of(const world *w, sinew_actor actor, int joint) {
  sinew_pose pose = sinew_actor_pose(w->stage, actor);
  return sinew_pose_joint(&pose, joint).rotation;
}

/* Over a run that leans and twists, the arm points where the clip points it; in local space it does not. */
static void an_override_layer_shows_the_directions_of_its_clip(void **state) {
  world *w = *state;
  float mask[128];
  mask_below(w, "RightArm", mask);
  sinew_layer_def layer = sinew_layer_def_default();
  layer.joint_weights = mask;
  sinew_actor alone = show(w, "alone", "Point", 1), both = show(w, "both", "Run", 0.2);
  int hand = hero_joint(w->model, "RightHand");
  for (int space = 0; space < 2; space++) {
    layer.space = (sinew_layer_space)space;
    lay(w, both, &layer, "Point", 1);
    sinew_stage_update(w->stage, 0);
    double off = apart(turned(w, alone, hand), turned(w, both, hand));
    if (space == SINEW_LAYER_LOCAL) assert_true(off > 0.1);
    else assert_true(off < 1e-3);
  }
  int count = sinew_model_joint_count(w->model);
  for (int i = 0; i < count; i++)
    if (mask[i] > 0) assert_true(apart(turned(w, alone, i), turned(w, both, i)) < 1e-3);
}

/* Part of the way from the local rotation below to the one that shows the clip's direction; joints that are not covered
 * keep theirs. */
static void a_weight_goes_part_of_the_way(void **state) {
  world *w = *state;
  int spine = hero_joint(w->model, "Spine1"), above = sinew_model_joint_parent(w->model, spine),
      count = sinew_model_joint_count(w->model);
  sinew_actor alone = show(w, "alone", "Point", 1), plain = show(w, "plain", "Run", 0.2),
              both = show(w, "both", "Run", 0.2);
  float mask[128] = {0};
  mask[spine] = 0.8f;
  sinew_layer_def layer = sinew_layer_def_default();
  layer.joint_weights = mask, layer.space = SINEW_LAYER_MODEL;
  for (int i = 0; i <= 4; i++) {
    layer.weight = 0.25f * (float)i;
    lay(w, both, &layer, "Point", 1);
    sinew_stage_update(w->stage, 0);
    sinew_quat below = local_of(w, plain, spine),
               whole = sinew_quat_multiply(inverse(turned(w, both, above)), turned(w, alone, spine));
    sinew_quat way = power(sinew_quat_multiply(inverse(below), whole), 0.8 * 0.25 * i);
    assert_true(apart(local_of(w, both, spine), sinew_quat_multiply(below, way)) < 1e-3);
    for (int k = 0; k < count; k++)
      if (k != spine) assert_true(apart(local_of(w, plain, k), local_of(w, both, k)) < 1e-5);
  }
}

/* The difference of the clip from its reference, in model space, to the power of the weight. */
static void an_additive_layer_adds_rotations_of_model_space(void **state) {
  static const float weights[] = {0, 0.5f, 1, 2, -1};
  world *w = *state;
  float mask[128];
  int count = sinew_model_joint_count(w->model), checked = 0;
  mask_below(w, "Spine", mask);
  sinew_actor pose = show(w, "pose", "Point", 1), reference = show(w, "reference", "Idle", 0.5),
              plain = show(w, "plain", "Run", 0.2), both = show(w, "both", "Run", 0.2);
  sinew_layer_def layer = sinew_layer_def_default();
  layer.mode = SINEW_LAYER_ADDITIVE, layer.space = SINEW_LAYER_MODEL, layer.joint_weights = mask;
  layer.reference = (sinew_reference){.kind = SINEW_REFERENCE_CLIP, .clip = hero_clip(w->model, "Idle"), .time = 0.5};
  for (int k = 0; k < 5; k++) {
    layer.weight = weights[k];
    lay(w, both, &layer, "Point", 1);
    sinew_stage_update(w->stage, 0);
    for (int i = 0; i < count; i++) {
      if (mask[i] == 0) continue;
      sinew_quat difference = sinew_quat_multiply(turned(w, pose, i), inverse(turned(w, reference, i)));
      if (fabsf(difference.w) < 0.2f) continue; /* half a turn has two ways */
      sinew_quat wanted = sinew_quat_multiply(power(difference, (double)weights[k]), turned(w, plain, i));
      double off = apart(wanted, turned(w, both, i));
      if (off > 2e-3) fail_msg("%s, weight %g: %g", sinew_model_joint_name(w->model, i), (double)weights[k], off);
      checked++;
    }
  }
  assert_true(checked > 100);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      WITH_WORLD(an_override_layer_shows_the_directions_of_its_clip),
      WITH_WORLD(a_weight_goes_part_of_the_way),
      WITH_WORLD(an_additive_layer_adds_rotations_of_model_space),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
