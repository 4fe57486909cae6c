#include "support/fixture.h"

#include "import/build/build.h"
#include "import/source/fbx/fbx.h"

enum { MAX_NODES = 12, KEYS = 4 };

/* A chain as Assimp writes it for one FBX node with pivots, below a node P. */
typedef struct chain {
  raw_model raw;
  raw_node nodes[MAX_NODES];
  sinew_transform parts[MAX_NODES]; /* at rest */
  int count;
  raw_clip clip;
  raw_track tracks[3 * MAX_NODES];
  double times[KEYS];
  float values[3 * MAX_NODES][KEYS * 4];
} chain;

static void open_chain(chain *c) {
  memset(c, 0, sizeof *c);
  raw_init(&c->raw, "chain", NULL);
  c->clip = (raw_clip){.name = "clip", .tracks = c->tracks};
  for (int k = 0; k < KEYS; k++) c->times[k] = k;
  c->raw.nodes = c->nodes;
  c->raw.clips = &c->clip;
  c->raw.clip_count = 1;
}

static int add_part(chain *c, const char *name, sinew_transform part) {
  bool helper = strchr(name, '$') != NULL;
  c->parts[c->count] = part;
  c->nodes[c->count] = (raw_node){.name = name,
                                  .parent = c->count - 1,
                                  .helper = helper,
                                  .geometric = strstr(name, "Geometric") != NULL,
                                  .local = sinew_mat3x4_from_transform(&part)};
  c->raw.node_count = ++c->count;
  return c->count - 1;
}

static sinew_transform moved_by(sinew_vec3 v) { return (sinew_transform){v, {0, 0, 0, 1}, {1, 1, 1}}; }
static sinew_transform turned_by(sinew_quat q) { return (sinew_transform){{0, 0, 0}, q, {1, 1, 1}}; }
static sinew_transform scaled_by(sinew_vec3 s) { return (sinew_transform){{0, 0, 0}, {0, 0, 0, 1}, s}; }
static sinew_vec3 any_vector(void) { return random_transform(true).translation; }
static sinew_vec3 minus(sinew_vec3 v) { return (sinew_vec3){-v.x, -v.y, -v.z}; }

static void move_part(chain *c, track_kind kind, int node) {
  int index = c->clip.track_count++, width = clip_kind_width(kind);
  for (int k = 0; k < KEYS; k++) {
    sinew_transform t = random_transform(true);
    const float *from = kind == TRACK_ROTATION ? &t.rotation.x : kind == TRACK_SCALE ? &t.scale.x : &t.translation.x;
    memcpy(c->values[index] + k * width, from, (size_t)width * sizeof(float));
  }
  c->tracks[index] = (raw_track){kind, node, 0, RAW_LINEAR, KEYS, c->times, c->values[index]};
}

/* The product of all parts at a key, from the definition; `skip_pivots`: the helpers that are not geometric count as
 * identity. */
static sinew_mat3x4 expected(const chain *c, int key, int last, bool skip_pivots) {
  sinew_mat3x4 product = sinew_mat3x4_identity();
  for (int i = 0; i <= last; i++) {
    sinew_transform part = c->parts[i];
    if (skip_pivots && c->nodes[i].helper && !c->nodes[i].geometric) continue;
    for (int t = 0; t < c->clip.track_count; t++) {
      const raw_track *track = c->tracks + t;
      if (track->node != i) continue;
      float *to = track->kind == TRACK_ROTATION ? &part.rotation.x
                  : track->kind == TRACK_SCALE  ? &part.scale.x
                                                : &part.translation.x;
      memcpy(to, track->values + key * clip_kind_width(track->kind),
             (size_t)clip_kind_width(track->kind) * sizeof(float));
    }
    sinew_mat3x4 m = sinew_mat3x4_from_transform(&part);
    product = sinew_mat3x4_multiply(&product, &m);
  }
  return product;
}

static sinew_mat3x4 evaluated(const sinew_model *model, const char *name, double time) {
  int count = sinew_model_joint_count(model);
  sinew_pose pose = {calloc((size_t)sinew_pose_group_count(count), sizeof(sinew_pose_group)), count};
  sinew_mat3x4 *joints = calloc((size_t)count, sizeof *joints);
  sinew_sample_job sample = {model, sinew_model_clip(model, 0), time, pose};
  sinew_local_to_model_job place = {model, pose, joints, 0};
  assert_true(sinew_sample(&sample) && sinew_local_to_model(&place));
  sinew_mat3x4 matrix = joints[sinew_model_find_joint(model, name)];
  free(pose.groups), free(joints);
  return matrix;
}

static void assert_same_matrix(const sinew_mat3x4 *is, const sinew_mat3x4 *should) {
  for (int i = 0; i < 12; i++) assert_near(is->m[i], should->m[i], 3e-5);
}

/* Repairs the chain and compares all keys; returns how many joints are left besides the virtual root. */
static int repair_and_compare(chain *c, const char *name, int last, bool plain) {
  sinew_mat3x4 should[KEYS];
  model_desc desc = {.path = "chain"};
  for (int k = 0; k < KEYS; k++) should[k] = expected(c, k, last, plain);
  assert_true(fbx_repair(&c->raw) && raw_check(&c->raw));
  assert_true(build_skeleton(&c->raw, true, &desc) && build_clips(&c->raw, true, &desc));
  sinew_model *model = model_create(&desc, NULL);
  for (int k = 0; k < KEYS; k++) {
    sinew_mat3x4 is = evaluated(model, name, c->times[k]);
    assert_same_matrix(&is, should + k);
  }
  int count = sinew_model_joint_count(model) - 1;
  sinew_model_release(model);
  raw_release(&c->raw);
  return count;
}

/* ---- pivots ---- */

static void a_joint_orient_folds_into_the_node(void **state) {
  (void)state;
  for (int round = 0; round < 20; round++) {
    chain c;
    open_chain(&c);
    add_part(&c, "P", random_transform(false));
    int t = add_part(&c, "X_$AssimpFbx$_Translation", moved_by(any_vector()));
    add_part(&c, "X_$AssimpFbx$_PreRotation", turned_by(random_quat()));
    int r = add_part(&c, "X_$AssimpFbx$_Rotation", turned_by(random_quat()));
    add_part(&c, "X_$AssimpFbx$_PostRotation", turned_by(random_quat()));
    int s = add_part(&c, "X_$AssimpFbx$_Scaling", scaled_by((sinew_vec3){1, 2, 3}));
    int x = add_part(&c, "X", sinew_transform_identity());
    move_part(&c, TRACK_TRANSLATION, t);
    move_part(&c, TRACK_ROTATION, r);
    move_part(&c, TRACK_SCALE, s);
    assert_int_equal(repair_and_compare(&c, "X", x, false), 2);
  }
}

static void pivots_that_do_not_fold_stay_helpers(void **state) {
  (void)state;
  for (int round = 0; round < 20; round++) {
    chain c;
    open_chain(&c);
    sinew_vec3 pivot = any_vector(), other = any_vector();
    add_part(&c, "P", random_transform(false));
    int t = add_part(&c, "X_$AssimpFbx$_Translation", moved_by(any_vector()));
    add_part(&c, "X_$AssimpFbx$_RotationPivot", moved_by(pivot));
    add_part(&c, "X_$AssimpFbx$_PreRotation", turned_by(random_quat()));
    int r = add_part(&c, "X_$AssimpFbx$_Rotation", turned_by(random_quat()));
    add_part(&c, "X_$AssimpFbx$_RotationPivotInverse", moved_by(minus(pivot)));
    add_part(&c, "X_$AssimpFbx$_ScalingPivot", moved_by(other));
    int s = add_part(&c, "X_$AssimpFbx$_Scaling", scaled_by((sinew_vec3){1, 2, 3}));
    add_part(&c, "X_$AssimpFbx$_ScalingPivotInverse", moved_by(minus(other)));
    int x = add_part(&c, "X", sinew_transform_identity());
    move_part(&c, TRACK_TRANSLATION, t);
    move_part(&c, TRACK_ROTATION, r);
    move_part(&c, TRACK_SCALE, s);
    int joints = repair_and_compare(&c, "X", x, false);
    assert_true(joints > 2 && joints <= 4); /* ten nodes in the file's tree */
  }
}

static void a_channel_of_the_node_itself_replaces_the_pivots(void **state) {
  (void)state;
  chain c;
  open_chain(&c);
  add_part(&c, "P", random_transform(false));
  add_part(&c, "X_$AssimpFbx$_PreRotation", turned_by(random_quat()));
  int x = add_part(&c, "X", moved_by(any_vector()));
  move_part(&c, TRACK_TRANSLATION, x);
  move_part(&c, TRACK_ROTATION, x);
  move_part(&c, TRACK_SCALE, x);
  assert_int_equal(repair_and_compare(&c, "X", x, true), 2);
}

static void at_rest_the_pivots_count(void **state) {
  (void)state;
  chain c;
  open_chain(&c);
  add_part(&c, "P", random_transform(false));
  add_part(&c, "X_$AssimpFbx$_PreRotation", turned_by(random_quat()));
  add_part(&c, "X", moved_by(any_vector()));
  assert_int_equal(repair_and_compare(&c, "X", 2, false), 2);
}

/* ---- geometric transforms ---- */

static void a_geometric_transform_goes_right_of_the_inverse_bind(void **state) {
  (void)state;
  chain c;
  open_chain(&c);
  sinew_transform geometry = moved_by((sinew_vec3){1, 2, 3}), bind = random_transform(false);
  raw_bone bone = {.node = 0, .inverse_bind = sinew_mat3x4_from_transform(&bind)};
  raw_mesh mesh = {.name = "m", .node = 3, .bones = &bone, .bone_count = 1};
  add_part(&c, "P", sinew_transform_identity());
  add_part(&c, "X_$AssimpFbx$_PreRotation", turned_by(random_quat()));
  add_part(&c, "X_$AssimpFbx$_GeometricTranslation", geometry);
  add_part(&c, "X", sinew_transform_identity());
  c.raw.meshes = &mesh;
  c.raw.mesh_count = 1;
  sinew_mat3x4 g = sinew_mat3x4_from_transform(&geometry), b = sinew_mat3x4_from_transform(&bind);
  sinew_mat3x4 should = sinew_mat3x4_multiply(&b, &g);
  assert_true(fbx_repair(&c.raw));
  assert_same_matrix(&bone.inverse_bind, &should);
  raw_release(&c.raw);
}

/* The channel of the node itself is its transform without the geometric part, which stays below it. */
static void geometry_stays_below_a_channel_of_the_node(void **state) {
  (void)state;
  chain c;
  open_chain(&c);
  sinew_transform geometry = moved_by((sinew_vec3){1, 2, 3});
  add_part(&c, "P", random_transform(false));
  add_part(&c, "X_$AssimpFbx$_PreRotation", turned_by(random_quat()));
  add_part(&c, "X_$AssimpFbx$_GeometricTranslation", geometry);
  int x = add_part(&c, "X", sinew_transform_identity());
  move_part(&c, TRACK_ROTATION, x);
  sinew_mat3x4 should[KEYS], p = sinew_mat3x4_from_transform(c.parts), g = sinew_mat3x4_from_transform(&geometry);
  for (int k = 0; k < KEYS; k++) {
    sinew_transform own = sinew_transform_identity();
    memcpy(&own.rotation, c.values[0] + 4 * k, sizeof own.rotation);
    sinew_mat3x4 m = sinew_mat3x4_from_transform(&own);
    should[k] = sinew_mat3x4_multiply(&p, &m);
    should[k] = sinew_mat3x4_multiply(should + k, &g);
  }
  model_desc desc = {.path = "chain"};
  assert_true(fbx_repair(&c.raw) && raw_check(&c.raw));
  assert_true(build_skeleton(&c.raw, true, &desc) && build_clips(&c.raw, true, &desc));
  sinew_model *model = model_create(&desc, NULL);
  for (int k = 0; k < KEYS; k++) {
    sinew_mat3x4 is = evaluated(model, "X", c.times[k]);
    assert_same_matrix(&is, should + k);
  }
  sinew_model_release(model);
  raw_release(&c.raw);
}

/* ---- segment scale ---- */

static void the_parents_scale_stops_at_a_segment(void **state) {
  (void)state;
  chain c;
  open_chain(&c);
  int p = add_part(&c, "P", scaled_by((sinew_vec3){2, 3, 4}));
  int x = add_part(&c, "X", random_transform(true));
  c.nodes[x].segment_scale = true;
  move_part(&c, TRACK_SCALE, p);
  move_part(&c, TRACK_ROTATION, x);
  move_part(&c, TRACK_TRANSLATION, x);
  sinew_mat3x4 should[KEYS];
  for (int k = 0; k < KEYS; k++) { /* P · T · (P's scale)⁻¹ · R · S: the definition */
    const float *s = c.values[0] + 3 * k;
    sinew_transform scale = scaled_by((sinew_vec3){s[0], s[1], s[2]});
    sinew_transform undo = scaled_by((sinew_vec3){1 / s[0], 1 / s[1], 1 / s[2]});
    sinew_transform own = c.parts[x],
                    step = moved_by((sinew_vec3){c.values[2][3 * k], c.values[2][3 * k + 1], c.values[2][3 * k + 2]});
    memcpy(&own.rotation, c.values[1] + 4 * k, sizeof own.rotation);
    own.translation = (sinew_vec3){0, 0, 0};
    sinew_transform parts[] = {scale, step, undo, own};
    should[k] = sinew_mat3x4_identity();
    for (int i = 0; i < 4; i++) {
      sinew_mat3x4 m = sinew_mat3x4_from_transform(parts + i);
      should[k] = sinew_mat3x4_multiply(should + k, &m);
    }
  }
  model_desc desc = {.path = "chain"};
  assert_true(fbx_repair(&c.raw) && raw_check(&c.raw));
  assert_true(build_skeleton(&c.raw, true, &desc) && build_clips(&c.raw, true, &desc));
  sinew_model *model = model_create(&desc, NULL);
  for (int k = 0; k < KEYS; k++) {
    sinew_mat3x4 is = evaluated(model, "X", c.times[k]);
    assert_same_matrix(&is, should + k);
  }
  assert_int_equal(sinew_model_joint_file_index(model, sinew_model_find_joint(model, "X")), 1);
  sinew_model_release(model);
  raw_release(&c.raw);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_joint_orient_folds_into_the_node),
      cmocka_unit_test(pivots_that_do_not_fold_stay_helpers),
      cmocka_unit_test(a_channel_of_the_node_itself_replaces_the_pivots),
      cmocka_unit_test(at_rest_the_pivots_count),
      cmocka_unit_test(a_geometric_transform_goes_right_of_the_inverse_bind),
      cmocka_unit_test(geometry_stays_below_a_channel_of_the_node),
      cmocka_unit_test(the_parents_scale_stops_at_a_segment),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
