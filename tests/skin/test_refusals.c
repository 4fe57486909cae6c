/* Every job's every refusal: the sentence names the thing and the rule, the job gives false, and nothing is written. */
#include "skin/skin_fixture.h"

#include <sinew/modifier_jobs.h>
#include <sinew/motion.h>

enum { JOINTS = 8, COUNT = JOINTS + 1 };

/* All that jobs could write to. */
static struct outputs {
  sinew_pose_group groups[2];
  sinew_inertia_group inertia[2];
  sinew_mat3x4 joints[COUNT], palette[BONES + 2];
  sinew_dual_quat duals[BONES + 2];
  sinew_joint_extent extents[BONES + 2];
  sinew_transform transform, scratch[5 * COUNT];
  sinew_vec3 low, high, path[4];
  sinew_spring_state states[2];
  sinew_contact contacts[4];
  float vertices[VERTICES * 4], reach_error;
  int count;
} out;

static struct inputs {
  sinew_model *model, *other, *body;
  const sinew_clip *clip, *foreign;
  sinew_pose pose, none, short_pose, output;
  sinew_posed posed;
  sinew_mat3x4 matrices[BONES + 2];
  int chain[65], feet[2];
  int32_t partners[COUNT];
  sinew_foot foot;
  sinew_root_track track;
} in;

/* `words` is what the sentence has to say: what it is about, and what of it. */
static void expect_refusal(const char *job, const char *why, bool ran, const char *words) {
  static const struct outputs untouched;
  if (!why) fail_msg("%s is not refused where it should say '%s'", job, words);
  if (!strstr(why, words)) fail_msg("%s says '%s' and not '%s'", job, why, words);
  assert_true(why[strlen(why) - 1] != '.' && strstr(why, ": "));
  assert_false(ran);
  assert_memory_equal(&out, &untouched, sizeof out);
}

/* The job as it is good, with one change. */
#define REFUSES(name, good, change, words)                                                                             \
  do {                                                                                                                 \
    sinew_##name##_job job = good;                                                                                     \
    assert_null(sinew_##name##_check(&job));                                                                           \
    job.change;                                                                                                        \
    expect_refusal(#name ": " #change, sinew_##name##_check(&job), sinew_##name(&job), words);                         \
  } while (0)

static int set_up(void **state) {
  (void)state;
  static mesh_data d;
  random_seed(8);
  in.model = random_model(JOINTS, SHAPE_CHAIN, 4, false), in.other = random_model(3, SHAPE_CHAIN, 4, false);
  in.body = make_model(&d, 4);
  in.clip = sinew_model_clip(in.model, 0), in.foreign = sinew_model_clip(in.other, 0);
  in.pose = random_pose(COUNT, false);
  in.none = (sinew_pose){NULL, COUNT}, in.short_pose = (sinew_pose){in.pose.groups, COUNT - 1};
  in.output = (sinew_pose){out.groups, COUNT};
  in.posed = (sinew_posed){in.model, in.output, out.joints};
  for (int i = 0; i < 65; i++) in.chain[i] = 1 + i;
  in.feet[0] = 4, in.feet[1] = 6;
  for (int i = 0; i < COUNT; i++) in.partners[i] = i;
  in.foot = (sinew_foot){2, 3, 4, {1, 0, 0}, 0, {0, 1, 0}, 1, {0, 0, 0}};
  in.track = (sinew_root_track){in.model, in.clip, 1, SINEW_ROOT_X};
  return 0;
}

static int tear_down(void **state) {
  (void)state;
  free(in.pose.groups);
  sinew_model_release(in.model), sinew_model_release(in.other), sinew_model_release(in.body);
  forget_made_clip();
  return 0;
}

static void sampling(void **state) {
  (void)state;
  sinew_sample_job good = {in.model, in.clip, 0.1, in.output};
  REFUSES(sample, good, model = NULL, "model is missing");
  REFUSES(sample, good, clip = NULL, "clip is missing");
  REFUSES(sample, good, clip = in.foreign, "clip belongs to another model");
  REFUSES(sample, good, time = NAN, "time is not a finite number");
  REFUSES(sample, good, time = -INFINITY, "time is not a finite number");
  REFUSES(sample, good, output.groups = NULL, "output pose is missing");
  REFUSES(sample, good, output.joint_count = JOINTS, "output pose is not of the model's size");
  sinew_sample_joint_job one = {in.model, in.clip, 0.1, 3, &out.transform};
  REFUSES(sample_joint, one, model = NULL, "model is missing");
  REFUSES(sample_joint, one, clip = NULL, "clip is missing");
  REFUSES(sample_joint, one, clip = in.foreign, "clip belongs to another model");
  REFUSES(sample_joint, one, time = INFINITY, "time is not a finite number");
  REFUSES(sample_joint, one, joint = COUNT, "no such joint");
  REFUSES(sample_joint, one, joint = -1, "no such joint");
  REFUSES(sample_joint, one, output = NULL, "output is missing");
}

static void blending(void **state) {
  (void)state;
  sinew_blend_source source = {in.pose.groups, 1, NULL}, bad[] = {source, source, source, source};
  bad[0].weight = NAN, bad[1].weight = -1, bad[2].weight = INFINITY, bad[3].pose = NULL;
  sinew_blend_job good = {&source, 1, in.pose, 0.1f, in.output};
  for (int i = 0; i < 3; i++) REFUSES(blend, good, sources = bad + i, "weight is negative or not a finite number");
  REFUSES(blend, good, sources = bad + 3, "source has no pose");
  REFUSES(blend, good, sources = NULL, "sources are missing");
  REFUSES(blend, good, source_count = -1, "number of sources is negative");
  REFUSES(blend, good, rest = in.none, "rest pose");
  REFUSES(blend, good, rest = in.short_pose, "differ in size");
  REFUSES(blend, good, output.groups = NULL, "output");
  REFUSES(blend, good, threshold = 0, "threshold is not a positive number");
  REFUSES(blend, good, threshold = NAN, "threshold is not a positive number");
  REFUSES(blend, good, threshold = INFINITY, "threshold is not a positive number");
  sinew_layer_job layer = {in.pose, in.pose, 1, NULL, in.output, NULL};
  REFUSES(layer, layer, weight = NAN, "weight is not a finite number");
  REFUSES(layer, layer, below = in.none, "pose is missing");
  REFUSES(layer, layer, above = in.none, "pose is missing");
  REFUSES(layer, layer, below = in.short_pose, "poses differ in size");
  REFUSES(layer, layer, above = in.short_pose, "poses differ in size");
  REFUSES(layer, layer, output.groups = NULL, "pose is missing");
}

static void additive(void **state) {
  (void)state;
  sinew_additive_make_job make = {in.pose, in.pose, in.output};
  REFUSES(additive_make, make, pose = in.none, "pose is missing");
  REFUSES(additive_make, make, reference = in.none, "pose is missing");
  REFUSES(additive_make, make, reference = in.short_pose, "poses differ in size");
  REFUSES(additive_make, make, output.groups = NULL, "pose is missing");
  sinew_additive_apply_job apply = {in.pose, in.pose, 1, NULL, in.output};
  REFUSES(additive_apply, apply, weight = INFINITY, "weight is not a finite number");
  REFUSES(additive_apply, apply, below = in.none, "pose is missing");
  REFUSES(additive_apply, apply, additive = in.short_pose, "poses differ in size");
  sinew_additive_job both = {in.pose, in.pose, in.pose, 1, NULL, in.output};
  REFUSES(additive, both, weight = NAN, "weight is not a finite number");
  REFUSES(additive, both, below = in.short_pose, "poses differ in size");
  REFUSES(additive, both, pose = in.none, "pose is missing");
  REFUSES(additive, both, reference = in.none, "pose is missing");
}

static void inertia(void **state) {
  (void)state;
  static sinew_inertia_group kept[2];
  sinew_inertialize_begin_job begin = {in.pose, in.pose, in.pose, in.pose, 0.1, NULL, out.inertia, 0};
  REFUSES(inertialize_begin, begin, from = in.none, "pose is missing");
  REFUSES(inertialize_begin, begin, from_before = in.short_pose, "poses differ in size");
  REFUSES(inertialize_begin, begin, to = in.none, "pose is missing");
  REFUSES(inertialize_begin, begin, to_after = in.short_pose, "poses differ in size");
  REFUSES(inertialize_begin, begin, dt = 0, "dt is not a microsecond or more");
  REFUSES(inertialize_begin, begin, dt = NAN, "dt is not a microsecond or more");
  REFUSES(inertialize_begin, begin, dt = INFINITY, "dt is not a microsecond or more");
  REFUSES(inertialize_begin, begin, output = NULL, "memory for the offset is missing");
  sinew_inertialize_job good = {kept, 0.1, 0.4, in.pose, in.output};
  REFUSES(inertialize, good, inertia = NULL, "offset is missing");
  REFUSES(inertialize, good, time = NAN, "time is not a finite number");
  REFUSES(inertialize, good, duration = -1, "duration is not a microsecond or more");
  REFUSES(inertialize, good, duration = INFINITY, "duration is not a microsecond or more");
  REFUSES(inertialize, good, source = in.none, "pose is missing");
  REFUSES(inertialize, good, source = in.short_pose, "poses differ in size");
}

static void matrices(void **state) {
  (void)state;
  sinew_local_to_model_job move = {in.model, in.pose, out.joints, 0};
  REFUSES(local_to_model, move, model = NULL, "model is missing");
  REFUSES(local_to_model, move, pose = in.none, "pose or the output is missing");
  REFUSES(local_to_model, move, pose = in.short_pose, "pose is not of the model's size");
  REFUSES(local_to_model, move, output = NULL, "output is missing");
  REFUSES(local_to_model, move, first = -1, "no such first joint");
  REFUSES(local_to_model, move, first = COUNT, "no such first joint");
  sinew_palette_job palette = {in.body, in.matrices, out.palette};
  REFUSES(palette, palette, model = NULL, "model is missing");
  REFUSES(palette, palette, joints = NULL, "joints or the output");
  REFUSES(palette, palette, output = NULL, "joints or the output");
  sinew_dual_quat_palette_job duals = {in.body, in.matrices, out.duals};
  REFUSES(dual_quat_palette, duals, model = NULL, "model is missing");
  REFUSES(dual_quat_palette, duals, palette = NULL, "palette or the output");
  REFUSES(dual_quat_palette, duals, output = NULL, "palette or the output");
}

static void evaluating(void **state) {
  (void)state;
  sinew_evaluate_source source = {in.clip, 0, 1}, bad[] = {source, source, source, source, source};
  bad[0].weight = NAN, bad[1].weight = -1, bad[2].time = NAN, bad[3].clip = NULL, bad[4].clip = in.foreign;
  static const char *const words[] = {"weight is negative or not a finite number",
                                      "weight is negative or not a finite number", "time is not a finite number",
                                      "clip is missing", "clip belongs to another model"};
  sinew_evaluate_job good = {in.model, &source, 1, 0.1f, in.output, out.joints, NULL};
  for (int i = 0; i < 5; i++) REFUSES(evaluate, good, sources = bad + i, words[i]);
  REFUSES(evaluate, good, model = NULL, "model is missing");
  REFUSES(evaluate, good, sources = NULL, "sources are missing");
  REFUSES(evaluate, good, source_count = -1, "0 to 4 sources");
  REFUSES(evaluate, good, source_count = SINEW_EVALUATE_SOURCES + 1, "0 to 4 sources");
  REFUSES(evaluate, good, threshold = -1, "threshold is not a positive number");
  REFUSES(evaluate, good, pose.joint_count = JOINTS, "pose is not of the model's size");
  REFUSES(evaluate, good, joints = NULL, "output is missing");
}

static void skinning(void **state) {
  (void)state;
  static sinew_dual_quat duals[BONES + 2];
  sinew_cpu_skin_job skin = {in.body, 0, in.matrices, NULL, out.vertices, NULL, NULL, NULL};
  REFUSES(cpu_skin, skin, model = NULL, "model is missing");
  REFUSES(cpu_skin, skin, mesh = -1, "no such mesh");
  REFUSES(cpu_skin, skin, mesh = 1, "no such mesh");
  REFUSES(cpu_skin, skin, palette = NULL, "one of the palette and the dual quaternions");
  REFUSES(cpu_skin, skin, dual_quats = duals, "one of the palette and the dual quaternions");
  sinew_joint_extents_job measure = {in.body, out.extents};
  REFUSES(joint_extents, measure, model = NULL, "model is missing");
  REFUSES(joint_extents, measure, output = NULL, "output is missing");
  static sinew_joint_extent extents[BONES + 2];
  sinew_bounds_job bounds = {extents, in.matrices, BONES + 2, &out.low, &out.high};
  REFUSES(bounds, bounds, count = -1, "number of matrices is negative");
  REFUSES(bounds, bounds, extents = NULL, "extents or the palette are missing");
  REFUSES(bounds, bounds, palette = NULL, "extents or the palette are missing");
  REFUSES(bounds, bounds, minimum = NULL, "output is missing");
  REFUSES(bounds, bounds, maximum = NULL, "output is missing");
}

static void moving(void **state) {
  (void)state;
  sinew_root_motion_job motion = {in.track, 0, 0.1, 0, 0, 0, &out.transform};
  REFUSES(root_motion, motion, track.model = NULL, "model is missing");
  REFUSES(root_motion, motion, track.clip = NULL, "clip is missing");
  REFUSES(root_motion, motion, track.clip = in.foreign, "clip belongs to another model");
  REFUSES(root_motion, motion, track.joint = COUNT, "no such joint");
  REFUSES(root_motion, motion, track.axes = 16, "axis is none of SINEW_ROOT_X");
  REFUSES(root_motion, motion, from = NAN, "time is not a finite number");
  REFUSES(root_motion, motion, to = INFINITY, "time is not a finite number");
  REFUSES(root_motion, motion, loop_begin = 1, "loop does not end after it begins");
  REFUSES(root_motion, motion, loop_end = NAN, "loop does not end after it begins");
  REFUSES(root_motion, motion, output = NULL, "output is missing");
  sinew_root_remove_job remove = {in.track, 0.1, in.output};
  REFUSES(root_remove, remove, track.model = NULL, "model is missing");
  REFUSES(root_remove, remove, time = NAN, "time is not a finite number");
  REFUSES(root_remove, remove, pose = in.none, "pose is missing");
  sinew_root_from_feet_job feet = {in.model, in.clip, in.feet, 2, 0.1f, out.path, 4};
  REFUSES(root_from_feet, feet, model = NULL, "model is missing");
  REFUSES(root_from_feet, feet, foot_count = 17, "not 1 to 16");
  REFUSES(root_from_feet, feet, feet = NULL, "not 1 to 16");
  REFUSES(root_from_feet, feet, height = NAN, "height is not a positive number");
  REFUSES(root_from_feet, feet, path_count = 1, "path has no room");
  const sinew_vec3 path[2] = {{0, 0, 0}, {1, 0, 0}};
  sinew_root_path_job way = {path, 2, 1, 0, 0.5, 0, &out.low};
  REFUSES(root_path, way, path = NULL, "two positions");
  REFUSES(root_path, way, duration = 0, "duration is not a positive number");
  REFUSES(root_path, way, from = NAN, "time is not a finite number");
  REFUSES(root_path, way, to = INFINITY, "time is not a finite number");
  REFUSES(root_path, way, output = NULL, "output is missing");
  sinew_find_contacts_job find = {in.model, in.clip, in.feet, 2,     NULL,         0, 0.1f,
                                  1,        0,       60,      false, out.contacts, 4, &out.count};
  REFUSES(find_contacts, find, clip = in.foreign, "clip belongs to another model");
  REFUSES(find_contacts, find, path_count = 1, "path has fewer than two positions");
  REFUSES(find_contacts, find, height = 0, "height is not a positive number");
  REFUSES(find_contacts, find, speed = NAN, "speed is not a positive number");
  REFUSES(find_contacts, find, shortest = -1, "shortest time is negative");
  REFUSES(find_contacts, find, rate = NAN, "rate is not in 1..1000");
  REFUSES(find_contacts, find, output = NULL, "output is missing");
  REFUSES(find_contacts, find, count = NULL, "output is missing");
}

/* Checks of the pose and the weight that all modifiers share. */
#define REFUSES_POSED(name, good)                                                                                      \
  do {                                                                                                                 \
    REFUSES(name, good, posed.model = NULL, "model is missing");                                                       \
    REFUSES(name, good, posed.pose.groups = NULL, "pose or its joints");                                               \
    REFUSES(name, good, posed.joints = NULL, "pose or its joints");                                                    \
    REFUSES(name, good, posed.pose.joint_count = JOINTS, "pose is not of the model's size");                           \
    REFUSES(name, good, weight = NAN, "weight is not in 0..1");                                                        \
    REFUSES(name, good, weight = -0.1f, "weight is not in 0..1");                                                      \
    REFUSES(name, good, weight = 1.1f, "weight is not in 0..1");                                                       \
  } while (0)

static void inverse_kinematics(void **state) {
  (void)state;
  sinew_two_bone_job bend = {
      .posed = in.posed, .upper = 1, .middle = 2, .tip = 3, .soften = 1, .weight = 1, .reach_error = &out.reach_error};
  REFUSES_POSED(two_bone, bend);
  REFUSES(two_bone, bend, tip = COUNT, "no such joint");
  REFUSES(two_bone, bend, middle = 4, "tip is not below the middle joint");
  REFUSES(two_bone, bend, target.x = NAN, "target is not finite");
  REFUSES(two_bone, bend, hinge.z = INFINITY, "hinge is not finite");
  REFUSES(two_bone, bend, soften = 0.4f, "soften is not in 0.5..1");
  bend.has_pole = true;
  REFUSES(two_bone, bend, pole.y = NAN, "pole is not finite");
  const float weights[2][3] = {{-1, 1, 1}, {0, 0, 0}};
  sinew_aim_job look_at = {
      .posed = in.posed, .chain = in.chain, .count = 3, .forward = {0, 0, 1}, .limit = 1, .weight = 1};
  REFUSES_POSED(aim, look_at);
  REFUSES(aim, look_at, chain = NULL, "chain does not have 1 to 64 joints");
  REFUSES(aim, look_at, count = 65, "chain does not have 1 to 64 joints");
  REFUSES(aim, look_at, count = JOINTS + 1, "no such joint");
  REFUSES(aim, look_at, joint_weights = weights[0], "weight is negative");
  REFUSES(aim, look_at, joint_weights = weights[1], "weights do not add up to a positive number");
  REFUSES(aim, look_at, target.y = NAN, "target is not finite");
  REFUSES(aim, look_at, forward.z = 0, "forward is not a direction");
  REFUSES(aim, look_at, up.x = NAN, "up is not finite");
  REFUSES(aim, look_at, limit = 4, "limit is not in 0..π");
  sinew_fabrik_job chain = {.posed = in.posed,
                            .root = 1,
                            .tip = 5,
                            .iterations = 8,
                            .tolerance = 0,
                            .weight = 1,
                            .reach_error = &out.reach_error};
  REFUSES_POSED(fabrik, chain);
  REFUSES(fabrik, chain, root = -1, "no such joint");
  REFUSES(fabrik, chain, root = 6, "tip is not below the root");
  REFUSES(fabrik, chain, target.z = NAN, "target is not finite");
  REFUSES(fabrik, chain, iterations = 0, "iterations are not 1 to 1000");
  REFUSES(fabrik, chain, tolerance = NAN, "tolerance is negative or not a number");
}

static void constraints(void **state) {
  (void)state;
  sinew_limit_job limit = {in.posed, 2, {0, 1, 0}, 1, -1, 1, 1};
  REFUSES_POSED(limit, limit);
  REFUSES(limit, limit, joint = COUNT, "no such joint");
  REFUSES(limit, limit, axis.y = 0, "axis is not a direction");
  REFUSES(limit, limit, swing = NAN, "swing is not in 0..π");
  REFUSES(limit, limit, twist_min = 2, "twist is not a range in −π..π");
  sinew_copy_transform_job copy_transform = {in.posed, 3, 2, SINEW_COPY_POSITION, sinew_transform_identity(), 1};
  REFUSES_POSED(copy_transform, copy_transform);
  REFUSES(copy_transform, copy_transform, joint = -1, "no such joint");
  REFUSES(copy_transform, copy_transform, source = 4, "source is below the joint");
  REFUSES(copy_transform, copy_transform, parts = 8, "part is none of SINEW_COPY_POSITION");
  REFUSES(copy_transform, copy_transform, offset.scale.x = NAN, "offset is not finite");
  sinew_spring_job spring = {in.posed, in.chain, 2, out.states, sinew_mat3x4_identity(), 0.1, 2, 0.5f, {0, 0, 0}, 1};
  REFUSES_POSED(spring, spring);
  REFUSES(spring, spring, joints = NULL, "joints or their states are missing");
  REFUSES(spring, spring, states = NULL, "joints or their states are missing");
  REFUSES(spring, spring, joints = in.feet + 1, "not in ascending order");
  REFUSES(spring, spring, world.m[0] = NAN, "world matrix is not finite");
  REFUSES(spring, spring, dt = -1, "dt is negative or not finite");
  REFUSES(spring, spring, dt = INFINITY, "dt is negative or not finite");
  REFUSES(spring, spring, frequency = 0, "frequency is not in 0.01..1000");
  REFUSES(spring, spring, damping = NAN, "damping is not in 0..100");
  REFUSES(spring, spring, gravity.y = NAN, "gravity is not finite");
  sinew_plant_job plant = {in.posed, 1, &in.foot, 1, 1, 1, 1, NULL};
  sinew_foot bad[] = {in.foot, in.foot, in.foot, in.foot};
  bad[0].weight = NAN, bad[1].ground = NAN, bad[2].normal.y = 0, bad[3].tip = 2;
  static const char *const words[] = {"weight is not in 0..1", "height of the ground is not finite",
                                      "normal of the ground does not point up", "tip is not below"};
  REFUSES_POSED(plant, plant);
  for (int i = 0; i < 4; i++) REFUSES(plant, plant, feet = bad + i, words[i]);
  REFUSES(plant, plant, pelvis = COUNT, "no such pelvis");
  REFUSES(plant, plant, pelvis = 3, "leg is not below the pelvis");
  REFUSES(plant, plant, feet = NULL, "feet are missing");
  REFUSES(plant, plant, max_shift = NAN, "shift is negative or not finite");
  REFUSES(plant, plant, max_tilt = 2, "tilt is not in 0..π/2");
}

/* Two that hang from one joint. */
static void twisting(void **state) {
  (void)state;
  sinew_model *star = random_model(JOINTS, SHAPE_STAR, 0, false);
  sinew_posed posed = {star, in.output, out.joints};
  sinew_twist_job twist = {posed, 3, 2, {0, 1, 0}, 0.5f, 1};
  REFUSES_POSED(twist, twist);
  REFUSES(twist, twist, joint = COUNT, "no such joint");
  REFUSES(twist, twist, source = 3, "not different joints with the same parent");
  REFUSES(twist, twist, axis.x = NAN, "axis is not finite");
  REFUSES(twist, twist, fraction = 2, "fraction is not in −1..1");
  sinew_model_release(star);
}

static void other_skeletons(void **state) {
  (void)state;
  sinew_retarget_map *map = sinew_retarget_map_create(in.model, in.model, NULL, 0, NULL);
  sinew_retarget_job retarget = {map, in.pose, out.scratch, in.output};
  REFUSES(retarget, retarget, map = NULL, "map is missing");
  REFUSES(retarget, retarget, input = in.none, "pose or the scratch is missing");
  REFUSES(retarget, retarget, scratch = NULL, "pose or the scratch is missing");
  REFUSES(retarget, retarget, input = in.short_pose, "input is not of the first model's size");
  REFUSES(retarget, retarget, output.joint_count = JOINTS, "output is not of the second model's size");
  sinew_retarget_map_destroy(map);
  const int32_t wild[COUNT] = {0, COUNT};
  sinew_mirror_job mirror = {in.model, in.partners, in.pose, out.scratch, in.output};
  REFUSES(mirror, mirror, model = NULL, "model is missing");
  REFUSES(mirror, mirror, joints = NULL, "joints are missing");
  REFUSES(mirror, mirror, joints = wild, "partner is not one of the model's joints");
  REFUSES(mirror, mirror, input = in.short_pose, "pose is not of the model's size");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sampling),    cmocka_unit_test(blending), cmocka_unit_test(additive),
      cmocka_unit_test(inertia),     cmocka_unit_test(matrices), cmocka_unit_test(evaluating),
      cmocka_unit_test(skinning),    cmocka_unit_test(moving),   cmocka_unit_test(inverse_kinematics),
      cmocka_unit_test(constraints), cmocka_unit_test(twisting), cmocka_unit_test(other_skeletons),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
