/* Clips of files with other skeletons, from the file to the pose: against the same motion in the model's own file, and
 * against a BVH file written here and evaluated in doubles. */
#include "import/fixtures/small_gltf.h"

#include "support/failing_heap.h"

#define HERO SINEW_SOURCE "/assets/hero.glb"

static sinew_model *load(const char *path, const char *clips, const sinew_load_options *more) {
  sinew_load_options options = more ? *more : sinew_load_options_default();
  sinew_error error = {""};
  options.clip_files = &clips;
  options.clip_file_count = clips != NULL;
  sinew_model *model = sinew_model_load(path, &options, &error);
  if (!model) fail_msg("%s", error.message);
  return model;
}

/* Model-space joints of a clip at a time; free them. */
static sinew_mat3x4 *joints_at(const sinew_model *model, int clip, double time) {
  int count = sinew_model_joint_count(model);
  sinew_pose pose = {calloc((size_t)sinew_pose_group_count(count), sizeof(sinew_pose_group)), count};
  sinew_mat3x4 *joints = calloc((size_t)count, sizeof *joints);
  assert_true(sinew_sample(&(sinew_sample_job){model, sinew_model_clip(model, clip), time, pose}));
  assert_true(sinew_local_to_model(&(sinew_local_to_model_job){.model = model, .pose = pose, .output = joints}));
  free(pose.groups);
  return joints;
}

static sinew_vec3 place_of(const sinew_mat3x4 *m) { return (sinew_vec3){m->m[3], m->m[7], m->m[11]}; }

/* The same walk from BVH, Collada with z up, MD5 and FBX: other axes in every joint, and the model's own clip again. */
static void a_walk_is_the_same_from_every_format(void **state) {
  (void)state;
  static const struct {
    const char *file;
    bool corrected;
    double millimetres;
  } files[] = {{"hero_walk.bvh", true, 0.2},
               {"hero_zup.dae", true, 0.2},
               {"hero.md5mesh", true, 0.5},
               {"hero.gltf", false, 0.2}};
  for (size_t f = 0; f < sizeof files / sizeof *files; f++) {
    char path[256];
    snprintf(path, sizeof path, "%s/assets/%s", SINEW_SOURCE, files[f].file);
    sinew_model *model = load(HERO, path, NULL);
    int own = sinew_model_find_clip(model, "Walk"), other = 8;
    sinew_clip_file_view file = sinew_model_clip_file(model, 0);
    assert_int_equal(sinew_model_clip_file_count(model), 1);
    assert_string_equal(file.path, path);
    assert_int_equal(file.corrected, files[f].corrected);
    assert_near(file.scale, 1, 1e-3);
    for (int k = 0; k <= 10; k++) {
      double time = 0.093 * k;
      sinew_mat3x4 *a = joints_at(model, own, time), *b = joints_at(model, other, time);
      for (int i = 0; i < file.match_count; i++) {
        int joint = file.matches[i].joint;
        if (joint < 0) continue;
        assert_int_equal(file.matches[i].kind, SINEW_MATCH_NAME);
        assert_string_equal(file.matches[i].theirs, sinew_model_joint_name(model, joint));
        double off = distance_between(place_of(a + joint), place_of(b + joint));
        if (off > 1e-3 * files[f].millimetres)
          fail_msg("%s: '%s' is %.3f mm off at %g s", files[f].file, file.matches[i].theirs, 1000 * off, time);
      }
      free(a), free(b);
    }
    sinew_model_release(model);
  }
}

/* The nodes of an MD5 animation stand as in its first frame, which says nothing about the skeleton. */
static void an_md5_animation_fits_its_mesh_as_it_is(void **state) {
  (void)state;
  sinew_model *model = load(SINEW_SOURCE "/assets/hero.md5mesh", SINEW_SOURCE "/assets/hero_run.md5anim", NULL);
  sinew_model *hero = load(HERO, NULL, NULL);
  int run = sinew_model_find_clip(model, "hero_run"), original = sinew_model_find_clip(hero, "Run");
  assert_true(run >= 0 && original >= 0);
  assert_false(sinew_model_clip_file(model, 0).corrected);
  for (int k = 0; k <= 10; k++) {
    sinew_mat3x4 *a = joints_at(model, run, 0.0667 * k), *b = joints_at(hero, original, 0.0667 * k);
    for (int i = 1; i < sinew_model_joint_count(model); i++) {
      int joint = sinew_model_find_joint(hero, sinew_model_joint_name(model, i));
      assert_true(joint >= 0);
      double off = distance_between(place_of(a + i), place_of(b + joint));
      if (off > 1e-3) fail_msg("'%s' is %.3f mm off", sinew_model_joint_name(model, i), 1000 * off);
    }
    free(a), free(b);
  }
  sinew_model_release(model);
  sinew_model_release(hero);
}

/* ---- a file of another person ---- */

enum { BONES = 14, FRAMES = 4 };

/* Unreal's names, a T-pose with the legs apart, centimetres, 1.2 of everything, two spine joints. */
static const struct bone {
  const char *name, *ours;
  int parent;
  double offset[3];
} bones[BONES] = {{"pelvis", "Hips", -1, {0, 110, 0}},
                  {"spine_01", "Spine1", 0, {0, 12, 0}},
                  {"spine_02", "Spine2", 1, {0, 25, 0}},
                  {"head", "Head", 2, {0, 30, 0}},
                  {"upperarm_l", "LeftArm", 2, {18, 15, 0}},
                  {"lowerarm_l", "LeftForeArm", 4, {30, 0, 0}},
                  {"hand_l", "LeftHand", 5, {28, 0, 0}},
                  {"upperarm_r", "RightArm", 2, {-18, 15, 0}},
                  {"lowerarm_r", "RightForeArm", 7, {-30, 0, 0}},
                  {"hand_r", "RightHand", 8, {-28, 0, 0}},
                  {"thigh_l", "LeftUpLeg", 0, {11, -5, 0}},
                  {"calf_l", "LeftLeg", 10, {12, -46, 0}},
                  {"thigh_r", "RightUpLeg", 0, {-11, -5, 0}},
                  {"calf_r", "RightLeg", 12, {-12, -46, 0}}};

static double angles[FRAMES][BONES][3]; /* degrees about z, x, y, applied in that order of channels */

static void write_bone(char *text, size_t size, int bone, int depth) {
  const struct bone *b = bones + bone;
  size_t used = strlen(text);
  snprintf(text + used, size - used, "%s %s\n{\nOFFSET %g %g %g\nCHANNELS %s\n", depth ? "JOINT" : "ROOT", b->name,
           b->offset[0], b->offset[1], b->offset[2],
           depth ? "3 Zrotation Xrotation Yrotation" : "6 Xposition Yposition Zposition Zrotation Xrotation Yrotation");
  bool leaf = true;
  for (int i = bone + 1; i < BONES; i++)
    if (bones[i].parent == bone) write_bone(text, size, i, depth + 1), leaf = false;
  strcat(text, leaf ? "End Site\n{\nOFFSET 0 5 0\n}\n}\n" : "}\n");
}

static void write_numbers(char *text, size_t size, int frame) {
  for (int i = 0; i < BONES; i++) { /* the order of the file is that of the list: depth first */
    size_t used = strlen(text);
    if (i == 0) used += (size_t)snprintf(text + used, size - used, "%g 110 %g ", 10.0 * frame, 5.0 * frame);
    snprintf(text + used, size - used, "%.6f %.6f %.6f ", angles[frame][i][0], angles[frame][i][1],
             angles[frame][i][2]);
  }
  strcat(text, "\n");
}

static void make_person(void) {
  static char text[20000];
  strcpy(text, "HIERARCHY\n");
  write_bone(text, sizeof text, 0, 0);
  sprintf(text + strlen(text), "MOTION\nFrames: %d\nFrame Time: 0.5\n", FRAMES);
  for (int f = 0; f < FRAMES; f++) {
    for (int i = 0; i < BONES; i++)
      for (int k = 0; k < 3; k++) angles[f][i][k] = (double)random_range(-40, 40);
    write_numbers(text, sizeof text, f);
  }
  write_small("person.bvh", text, strlen(text));
}

/* v turned about axis 0 … 2 by degrees. */
static void turn(double *v, int axis, double degrees) {
  double c = cos(degrees * M_PI / 180), s = sin(degrees * M_PI / 180);
  double *a = v + (axis + 1) % 3, *b = v + (axis + 2) % 3, x = *a, y = *b;
  *a = c * x - s * y;
  *b = s * x + c * y;
}

/* Where the bone's own direction `v` points in a frame: up through all parents, the last channel first. */
static void direction(int frame, int bone, double *v) {
  for (int i = bone; i >= 0; i = bones[i].parent) {
    turn(v, 1, angles[frame][i][2]);
    turn(v, 0, angles[frame][i][1]);
    turn(v, 2, angles[frame][i][0]);
  }
}

static void assert_points_alike(const sinew_model *model, const sinew_mat3x4 *joints, int frame, int bone) {
  double theirs[3] = {bones[bone].offset[0], bones[bone].offset[1], bones[bone].offset[2]}, length = 0, sum = 0;
  int from = sinew_model_find_joint(model, bones[bones[bone].parent].ours);
  int to = sinew_model_find_joint(model, bones[bone].ours);
  direction(frame, bones[bone].parent, theirs);
  sinew_vec3 a = place_of(joints + from), b = place_of(joints + to);
  double ours[3] = {(double)b.x - a.x, (double)b.y - a.y, (double)b.z - a.z}, ours_length = 0;
  for (int k = 0; k < 3; k++) length += theirs[k] * theirs[k], ours_length += ours[k] * ours[k];
  for (int k = 0; k < 3; k++) sum += pow(theirs[k] / sqrt(length) - ours[k] / sqrt(ours_length), 2);
  if (sqrt(sum) > 2e-3) fail_msg("'%s' is %g rad off in frame %d", bones[bone].ours, sqrt(sum), frame);
}

static void another_person_moves_as_it_does_in_its_file(void **state) {
  (void)state;
  char path[256];
  make_person();
  snprintf(path, sizeof path, "%s/person.bvh", small_folder);
  sinew_model *model = load(HERO, path, NULL);
  sinew_clip_file_view file = sinew_model_clip_file(model, 0);
  assert_true(file.corrected);
  assert_int_equal(file.match_count, BONES);
  for (int i = 0; i < file.match_count; i++) {
    assert_string_equal(file.matches[i].theirs, bones[i].name);
    assert_int_equal(file.matches[i].kind, SINEW_MATCH_GUESS);
    assert_string_equal(sinew_model_joint_name(model, file.matches[i].joint), bones[i].ours);
  }
  static const int limbs[] = {5, 6, 8, 9, 11, 13};
  sinew_vec3 start = {0};
  for (int f = 0; f < FRAMES; f++) {
    sinew_mat3x4 *joints = joints_at(model, 8, 0.5 * f);
    for (size_t i = 0; i < sizeof limbs / sizeof *limbs; i++) assert_points_alike(model, joints, f, limbs[i]);
    sinew_vec3 hips = place_of(joints + sinew_model_find_joint(model, "Hips"));
    if (f == 0) start = hips;
    assert_near(hips.x - start.x, 10 * f * file.scale, 1e-3);
    assert_near(hips.z - start.z, 5 * f * file.scale, 1e-3);
    free(joints);
  }
  sinew_model_release(model);
  remove_small("person.bvh");
}

/* ---- morphs, errors, units ---- */

static void morph_curves_of_a_clip_file_find_their_targets(void **state) {
  (void)state;
  sinew_model *model = load(small_path, small_path, NULL);
  assert_int_equal(sinew_model_clip_count(model), 2);
  for (int k = 0; k <= 4; k++) {
    float own[4] = {0}, other[4] = {9};
    assert_true(sinew_sample_morphs(model, sinew_model_clip(model, 0), 0.25 * k, 0, own));
    assert_true(sinew_sample_morphs(model, sinew_model_clip(model, 1), 0.25 * k, 0, other));
    assert_near(own[0], -1 + 0.5 * k, 1e-5); /* the curve from -1 to 1 in a second */
    assert_near(own[0], other[0], 1e-6);
  }
  sinew_model_release(model);
}

static void assert_refused(const char *path, sinew_load_options options, const char *const words[2]) {
  sinew_error error = {""};
  sinew_model *model = sinew_model_load(path, &options, &error);
  assert_null(model);
  for (int i = 0; i < 2; i++)
    if (!strstr(error.message, words[i])) fail_msg("'%s' lacks %s", error.message, words[i]);
}

static void what_cannot_be_bound_or_changed_is_said(void **state) {
  (void)state;
  sinew_load_options with_clips = sinew_load_options_default(), other;
  with_clips.clip_files = (const char *const[]){SINEW_SOURCE "/assets/hero_extra.glb"};
  with_clips.clip_file_count = 1;
  other = with_clips;
  other.map = &(sinew_joint_pair){"LeftHnd", "LeftHand"};
  other.map_count = 1;
  assert_refused(HERO, other, (const char *const[]){"'LeftHnd', which no clip file has", "'LeftHand'"});
  other.map = &(sinew_joint_pair){"LeftHand", "LeftHnd"};
  assert_refused(HERO, other, (const char *const[]){"'LeftHnd', which the model does not have", "'LeftHand'"});
  other.clip_file_count = 0;
  assert_refused(HERO, other, (const char *const[]){"a map needs a clip file", "hero.glb"});
  other.clip_file_count = 1;
  other.map = &(sinew_joint_pair){"", "LeftHand"};
  assert_refused(HERO, other, (const char *const[]){"pair 1 of the map", "hero.glb"});
  assert_refused(small_path, with_clips, (const char *const[]){"no joint that its clips move", "hero_extra.glb"});
  sinew_clip_edit edit = sinew_clip_edit_default();
  other = sinew_load_options_default();
  other.edits = &edit;
  other.edit_count = 1;
  assert_refused(HERO, other, (const char *const[]){"edit 1 names no clip", "hero.glb"});
  edit.clip = "Wlak";
  assert_refused(HERO, other, (const char *const[]){"'Wlak'", "'Walk'"});
  edit.clip = "Walk", edit.from = 0.5, edit.to = 0.25;
  assert_refused(HERO, other, (const char *const[]){"from 0.5 s to 0.25 s", "Walk"});
  edit.to = NAN;
  assert_refused(HERO, other, (const char *const[]){"'Walk'", "later"});
  other = sinew_load_options_default();
  other.unit = -1;
  assert_refused(HERO, other, (const char *const[]){"unit is -1", "1e6"});
  other.unit = 0;
  other.up = "up";
  assert_refused(HERO, other, (const char *const[]){"up is 'up'", "+z"});
  other.up = NULL, other.front = "+y";
  assert_refused(HERO, other, (const char *const[]){"front is '+y'", "-x"});
  other.up = "+z", other.front = NULL;
  other.raw = true;
  assert_refused(HERO, other, (const char *const[]){"raw", "axes"});
}

static void edits_reach_the_model(void **state) {
  (void)state;
  const sinew_clip_edit edits[] = {{"Walk", "Back", 0, INFINITY, true, false, false},
                                   {"Walk", "Step", 0.2, 0.6, false, false, false}};
  sinew_load_options options = sinew_load_options_default();
  options.edits = edits;
  options.edit_count = 2;
  sinew_model *plain = load(HERO, NULL, NULL), *edited = load(HERO, NULL, &options);
  int walk = sinew_model_find_clip(plain, "Walk"), back = sinew_model_find_clip(edited, "Back"),
      step = sinew_model_find_clip(edited, "Step"), joint = sinew_model_find_joint(plain, "LeftFoot");
  assert_int_equal(back, walk);
  assert_int_equal(sinew_model_clip_count(edited), sinew_model_clip_count(plain) + 1);
  double length = sinew_clip_duration(sinew_model_clip(plain, walk));
  assert_near(sinew_clip_duration(sinew_model_clip(edited, step)), 0.4, 1e-6);
  for (int k = 0; k <= 8; k++) {
    sinew_mat3x4 *a = joints_at(plain, walk, 0.2 + 0.05 * k), *b = joints_at(edited, step, 0.05 * k),
                 *c = joints_at(edited, back, length - 0.2 - 0.05 * k);
    assert_true(distance_between(place_of(a + joint), place_of(b + joint)) < 3e-4);
    assert_true(distance_between(place_of(a + joint), place_of(c + joint)) < 3e-4);
    free(a), free(b), free(c);
  }
  sinew_model_release(plain), sinew_model_release(edited);
}

/* Sampling a mirrored clip gives the same pose as sinew_mirror of the clip's pose, at any moment. */
static void a_mirrored_clip_is_the_clip_mirrored(void **state) {
  (void)state;
  static const char *const clips[] = {"Wave", "WalkRoot", "Turn90", "HitReact"};
  enum { CLIPS = sizeof clips / sizeof *clips };
  sinew_clip_edit edits[2 * CLIPS];
  sinew_load_options options = sinew_load_options_default();
  for (int i = 0; i < CLIPS; i++) {
    edits[2 * i] = edits[2 * i + 1] = sinew_clip_edit_default();
    edits[2 * i].clip = edits[2 * i + 1].clip = clips[i];
    edits[2 * i + 1].name = "Mirrored";
    edits[2 * i + 1].mirror = true;
  }
  options.edits = edits;
  options.edit_count = 2 * CLIPS;
  sinew_model *model = load(HERO, SINEW_SOURCE "/assets/hero_extra.glb", &options);
  int count = sinew_model_joint_count(model), plain_count = sinew_model_clip_count(model) - CLIPS;
  size_t groups = (size_t)sinew_pose_group_count(count);
  sinew_pose was = {calloc(groups, sizeof(sinew_pose_group)), count},
             is = {calloc(groups, sizeof(sinew_pose_group)), count};
  sinew_transform *scratch = calloc(3 * (size_t)count, sizeof *scratch);
  sinew_mat3x4 *a = calloc((size_t)count, sizeof *a), *b = calloc((size_t)count, sizeof *b);
  int32_t *partners = calloc((size_t)count, sizeof *partners);
  assert_true(sinew_model_mirror_joints(model, partners));
  for (int c = 0; c < CLIPS; c++) {
    const sinew_clip *clip = sinew_model_clip(model, sinew_model_find_clip(model, clips[c])),
                     *mirrored = sinew_model_clip(model, plain_count + c);
    char name[32] = "Mirrored"; /* an edit that gives several one name gets them numbered */
    if (c > 0) snprintf(name, sizeof name, "Mirrored %d", c + 1);
    assert_string_equal(sinew_clip_name(mirrored), name);
    assert_near(sinew_clip_duration(mirrored), sinew_clip_duration(clip), 1e-6);
    for (int k = 0; k <= 100; k++) {
      double time = sinew_clip_duration(clip) * k / 100;
      assert_true(sinew_sample(&(sinew_sample_job){model, clip, time, was}));
      assert_true(sinew_local_to_model(&(sinew_local_to_model_job){.model = model, .pose = was, .output = b}));
      assert_true(sinew_mirror(&(sinew_mirror_job){model, partners, was, scratch, was}));
      assert_true(sinew_sample(&(sinew_sample_job){model, mirrored, time, is}));
      assert_true(sinew_local_to_model(&(sinew_local_to_model_job){.model = model, .pose = was, .output = a}));
      assert_true(sinew_local_to_model(&(sinew_local_to_model_job){.model = model, .pose = is, .output = b}));
      for (int joint = 0; joint < count; joint++)
        if (!(distance_between(place_of(a + joint), place_of(b + joint)) < 2e-4))
          fail_msg("%s at %g s: %s is %g m off", clips[c], time, sinew_model_joint_name(model, joint),
                   distance_between(place_of(a + joint), place_of(b + joint)));
    }
  }
  free(was.groups), free(is.groups), free(scratch), free(a), free(b), free(partners);
  sinew_model_release(model);
}

static void unit_and_axis_replace_the_file_s(void **state) {
  (void)state;
  static const struct {
    const char *up, *front;
    sinew_vec3 y, z; /* where the file's (0, 1, 0) and (0, 0, 1) go */
  } axes[] = {
      {NULL, NULL, {0, 1, 0}, {0, 0, 1}},  {"+y", NULL, {0, 1, 0}, {0, 0, 1}},  {"y", NULL, {0, 1, 0}, {0, 0, 1}},
      {"+z", NULL, {0, 0, -1}, {0, 1, 0}}, {"-z", NULL, {0, 0, 1}, {0, -1, 0}}, {"-y", NULL, {0, -1, 0}, {0, 0, -1}},
      {"+x", NULL, {-1, 0, 0}, {0, 0, 1}}, {"-x", NULL, {1, 0, 0}, {0, 0, 1}},  {NULL, "+z", {0, 1, 0}, {0, 0, 1}},
      {NULL, "z", {0, 1, 0}, {0, 0, 1}},   {NULL, "-z", {0, 1, 0}, {0, 0, -1}}, {NULL, "+x", {0, 1, 0}, {-1, 0, 0}},
      {NULL, "-x", {0, 1, 0}, {1, 0, 0}},  {"+z", "-z", {0, 0, 1}, {0, 1, 0}}};
  for (size_t i = 0; i < sizeof axes / sizeof *axes; i++) {
    sinew_load_options options = sinew_load_options_default();
    options.up = axes[i].up, options.front = axes[i].front;
    options.unit = 0.01;
    sinew_model *model = load(HERO, NULL, &options);
    sinew_transform root = sinew_model_joint_rest(model, 0);
    sinew_mat3x4 m = sinew_mat3x4_from_transform(&root);
    sinew_vec3 y = sinew_mat3x4_transform_point(&m, (sinew_vec3){0, 100, 0}),
               z = sinew_mat3x4_transform_point(&m, (sinew_vec3){0, 0, 100});
    assert_true(distance_between(y, axes[i].y) < 1e-5 && distance_between(z, axes[i].z) < 1e-5);
    sinew_model_release(model);
  }
}

static void every_request_may_fail(void **state) {
  (void)state;
  char path[256];
  make_person();
  snprintf(path, sizeof path, "%s/person.bvh", small_folder);
  sinew_clip_edit edits[] = {sinew_clip_edit_default(), sinew_clip_edit_default()};
  edits[0].clip = edits[1].clip = "#1";
  edits[0].loop = edits[0].reverse = true;
  edits[1].name = "Cut", edits[1].from = 0.2, edits[1].to = 0.9;
  sinew_load_options options = sinew_load_options_default();
  options.in_process = options.no_cache = true;
  options.clip_files = (const char *const[]){path};
  options.clip_file_count = 1;
  options.map = &(sinew_joint_pair){"pelvis", "twin"};
  options.map_count = 1;
  options.edits = edits;
  options.edit_count = 2;
  long requests = 0;
  for (bool loaded = false; !loaded; requests++) {
    sinew_error error = {""};
    failing_heap heap = {.left = requests};
    failing_heap_install(&heap);
    sinew_model *model = sinew_model_load(small_path, &options, &error);
    loaded = model != NULL;
    if (!loaded && !error.message[0]) fail_msg("request %ld fails without a word", requests);
    sinew_model_release(model);
    sinew_set_allocator(NULL);
    if (heap.living) fail_msg("%ld blocks are left when request %ld fails", heap.living, requests);
  }
  assert_true(requests > 50);
  remove_small("person.bvh");
}

static int open_folder(void **state) {
  (void)state;
  make_small_gltf();
  return 0;
}

static int close_folder(void **state) {
  (void)state;
  remove_small_gltf();
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_walk_is_the_same_from_every_format),
      cmocka_unit_test(an_md5_animation_fits_its_mesh_as_it_is),
      cmocka_unit_test(another_person_moves_as_it_does_in_its_file),
      cmocka_unit_test(morph_curves_of_a_clip_file_find_their_targets),
      cmocka_unit_test(what_cannot_be_bound_or_changed_is_said),
      cmocka_unit_test(edits_reach_the_model),
      cmocka_unit_test(a_mirrored_clip_is_the_clip_mirrored),
      cmocka_unit_test(unit_and_axis_replace_the_file_s),
      cmocka_unit_test(every_request_may_fail),
  };
  return cmocka_run_group_tests(tests, open_folder, close_folder);
}
