/* Joints are found by map, name and the words of other programs. */
#include "model/body.h"

#include "model/names/joint_name.h"
#include "support/failing_heap.h"

static const rot no_turn = {0, 0, 0, 1};

static joint_map match(const body *theirs, const body *ours, const sinew_joint_pair *pairs, int pair_count) {
  joint_map map;
  sinew_error error = {""};
  joint_map_job job = {&theirs->view, &ours->view, pairs, pair_count, "test", &error, NULL, NULL};
  if (!joint_map_find(&job, &map)) fail_msg("%s", error.message);
  return map;
}

static void names_say_a_part_and_a_side(void **state) {
  (void)state;
  static const struct {
    const char *name;
    joint_word word;
    joint_side side;
  } cases[] = {{"mixamorig:LeftUpLeg", WORD_THIGH, SIDE_LEFT},
               {"mixamorigRightHandIndex2", WORD_INDEX, SIDE_RIGHT},
               {"Armature|upper_arm.L", WORD_UPPER_ARM, SIDE_LEFT},
               {"DEF-forearm.R.001", WORD_FOREARM, SIDE_RIGHT},
               {"DEF-f_ring.02.L", WORD_RING, SIDE_LEFT},
               {"upperarm_l", WORD_UPPER_ARM, SIDE_LEFT},
               {"ball_r", WORD_TOES, SIDE_RIGHT},
               {"spine_03", WORD_SPINE, SIDE_NONE},
               {"Bip01 L Thigh", WORD_THIGH, SIDE_LEFT},
               {"Bip001 R Finger0", WORD_THUMB, SIDE_RIGHT},
               {"Bip001 R Finger01", WORD_THUMB, SIDE_RIGHT},
               {"Bip001 R Finger42", WORD_PINKY, SIDE_RIGHT},
               {"Character1_LeftForeArm", WORD_FOREARM, SIDE_LEFT},
               {"J_Bip_C_UpperChest", WORD_SPINE, SIDE_NONE},
               {"ValveBiped.Bip01_R_Calf", WORD_SHIN, SIDE_RIGHT},
               {"lfemur", WORD_THIGH, SIDE_LEFT},
               {"rhumerus", WORD_UPPER_ARM, SIDE_RIGHT},
               {"lowerback", WORD_SPINE, SIDE_NONE},
               {"lShldrBend", WORD_SHOULDER, SIDE_LEFT},
               {"mKneeLeft", WORD_SHIN, SIDE_LEFT},
               {"LHipJoint", WORD_HIP, SIDE_LEFT},
               {"pelvis", WORD_HIPS, SIDE_NONE},
               {"LFT_hand_JNT", WORD_HAND, SIDE_LEFT},
               {"\u4e0b\u534a\u8eab", WORD_HIPS, SIDE_NONE},
               {"\u4e0a\u534a\u8eab2", WORD_SPINE, SIDE_NONE},
               {"\u5de6\u8db3\u9996", WORD_FOOT, SIDE_LEFT},
               {"\u53f3\u89aa\u6307\uff10", WORD_THUMB, SIDE_RIGHT},
               {"\u5de6\u8db3D", WORD_NONE, SIDE_NONE},
               {"\u5de6\u8db3\uff29\uff2b", WORD_NONE, SIDE_NONE},
               {"LeftArmTwist", WORD_NONE, SIDE_LEFT},
               {"upperarm_twist_01_l", WORD_NONE, SIDE_LEFT},
               {"LeftFingerBase", WORD_NONE, SIDE_LEFT},
               {"HeadTop_End", WORD_NONE, SIDE_NONE},
               {"IK_hand_l", WORD_NONE, SIDE_LEFT},
               {"", WORD_NONE, SIDE_NONE},
               {":", WORD_NONE, SIDE_NONE},
               {"...", WORD_NONE, SIDE_NONE},
               {"l", WORD_NONE, SIDE_LEFT}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    joint_side side;
    joint_word word = joint_name_word(cases[i].name, NULL, &side);
    if (word != cases[i].word || side != cases[i].side)
      fail_msg("'%s' is word %d on side %d", cases[i].name, (int)word, (int)side);
  }
}

/* The same person as other programs call it. */
static const char *const spellings[][BODY_JOINTS] = {
    {"",           "pelvis",     "spine_01", "spine_02", "neck_01", "head",   "clavicle_l",
     "upperarm_l", "lowerarm_l", "hand_l",   "thigh_l",  "calf_l",  "foot_l", "clavicle_r",
     "upperarm_r", "lowerarm_r", "hand_r",   "thigh_r",  "calf_r",  "foot_r", "weapon_r"},
    {"",
     "DEF-spine",
     "DEF-spine.001",
     "DEF-spine.002",
     "DEF-spine.004",
     "DEF-head",
     "DEF-shoulder.L",
     "DEF-upper_arm.L",
     "DEF-forearm.L",
     "DEF-hand.L",
     "DEF-thigh.L",
     "DEF-shin.L",
     "DEF-foot.L",
     "DEF-shoulder.R",
     "DEF-upper_arm.R",
     "DEF-forearm.R",
     "DEF-hand.R",
     "DEF-thigh.R",
     "DEF-shin.R",
     "DEF-foot.R",
     "x"},
    {"", /* a spine that goes on to the head */
     "DEF-spine",
     "DEF-spine.001",
     "DEF-spine.003",
     "DEF-spine.004",
     "DEF-spine.006",
     "DEF-shoulder.L",
     "DEF-upper_arm.L",
     "DEF-forearm.L",
     "DEF-hand.L",
     "DEF-thigh.L",
     "DEF-shin.L",
     "DEF-foot.L",
     "DEF-shoulder.R",
     "DEF-upper_arm.R",
     "DEF-forearm.R",
     "DEF-hand.R",
     "DEF-thigh.R",
     "DEF-shin.R",
     "DEF-foot.R",
     "x"},
    {"", /* names of ours for other joints: SOMA */
     "Hips",     "Spine1",    "Spine2",    "Neck1",    "Head",          "LeftShoulder", "LeftArm",      "LeftForeArm",
     "LeftHand", "LeftLeg",   "LeftShin",  "LeftFoot", "RightShoulder", "RightArm",     "RightForeArm", "RightHand",
     "RightLeg", "RightShin", "RightFoot", "x"},
    {"",
     "\u4e0b\u534a\u8eab",
     "\u4e0a\u534a\u8eab",
     "\u4e0a\u534a\u8eab2",
     "\u9996",
     "\u982d",
     "\u5de6\u80a9",
     "\u5de6\u8155",
     "\u5de6\u3072\u3058",
     "\u5de6\u624b\u9996",
     "\u5de6\u8db3",
     "\u5de6\u3072\u3056",
     "\u5de6\u8db3\u9996",
     "\u53f3\u80a9",
     "\u53f3\u8155",
     "\u53f3\u3072\u3058",
     "\u53f3\u624b\u9996",
     "\u53f3\u8db3",
     "\u53f3\u3072\u3056",
     "\u53f3\u8db3\u9996",
     "x"},
    {"",
     "Bip01 Pelvis",
     "Bip01 Spine",
     "Bip01 Spine1",
     "Bip01 Neck",
     "Bip01 Head",
     "Bip01 L Clavicle",
     "Bip01 L UpperArm",
     "Bip01 L Forearm",
     "Bip01 L Hand",
     "Bip01 L Thigh",
     "Bip01 L Calf",
     "Bip01 L Foot",
     "Bip01 R Clavicle",
     "Bip01 R UpperArm",
     "Bip01 R Forearm",
     "Bip01 R Hand",
     "Bip01 R Thigh",
     "Bip01 R Calf",
     "Bip01 R Foot",
     "x"},
    {"",
     "Character1_Hips",
     "Character1_Spine",
     "Character1_Spine1",
     "Character1_Neck",
     "Character1_Head",
     "Character1_LeftShoulder",
     "Character1_LeftArm",
     "Character1_LeftForeArm",
     "Character1_LeftHand",
     "Character1_LeftUpLeg",
     "Character1_LeftLeg",
     "Character1_LeftFoot",
     "Character1_RightShoulder",
     "Character1_RightArm",
     "Character1_RightForeArm",
     "Character1_RightHand",
     "Character1_RightUpLeg",
     "Character1_RightLeg",
     "Character1_RightFoot",
     "x"},
    {"",         "root",    "lowerback", "thorax", "lowerneck", "head",  "lclavicle",
     "lhumerus", "lradius", "lhand",     "lfemur", "ltibia",    "lfoot", "rclavicle",
     "rhumerus", "rradius", "rhand",     "rfemur", "rtibia",    "rfoot", "x"},
    {"",
     "mPelvis",
     "mTorso",
     "mChest",
     "mNeck",
     "mHead",
     "mCollarLeft",
     "mShoulderLeft",
     "mElbowLeft",
     "mWristLeft",
     "mHipLeft",
     "mKneeLeft",
     "mAnkleLeft",
     "mCollarRight",
     "mShoulderRight",
     "mElbowRight",
     "mWristRight",
     "mHipRight",
     "mKneeRight",
     "mAnkleRight",
     "x"},
    {"",
     "zed_hips",
     "zed_spine",
     "zed_chest",
     "zed_neck",
     "zed_head",
     "zed_l_shoulder",
     "zed_l_upleg_x",
     "zed_l_forearm",
     "zed_l_hand",
     "zed_l_upleg",
     "zed_l_leg",
     "zed_l_foot",
     "zed_r_shoulder",
     "zed_r_arm",
     "zed_r_forearm",
     "zed_r_hand",
     "zed_r_upleg",
     "zed_r_leg",
     "zed_r_foot",
     "x"}};

static void bodies_are_matched_under_other_names(void **state) {
  (void)state;
  body ours, theirs;
  body_make(&ours, mixamo_names, 1.8, 0, 0, false, no_turn);
  for (size_t s = 0; s < sizeof spellings / sizeof *spellings; s++) {
    body_make(&theirs, spellings[s], 1.8, 0, 0, false, no_turn);
    joint_map map = match(&theirs, &ours, NULL, 0);
    for (int i = B_HIPS; i < B_PROP; i++) {
      if (strcmp(spellings[s][i], "zed_l_upleg_x") == 0) {
        /* no arm by name, so the shoulder above it is taken for one */
        assert_int_equal(map.ours[i], -1);
        continue;
      }
      int expected = strcmp(spellings[s][i], "zed_l_shoulder") == 0 ? B_L_ARM : i;
      if (map.ours[i] != expected)
        fail_msg("'%s' is matched with %d and not with '%s'", spellings[s][i], map.ours[i], mixamo_names[expected]);
      assert_int_equal(map.theirs[expected], i);
      bool named = strcmp(spellings[s][i], mixamo_names[i]) == 0;
      assert_int_equal(map.kinds[i], named ? SINEW_MATCH_NAME : SINEW_MATCH_GUESS);
    }
    assert_int_equal(map.ours[B_PROP], -1);
    joint_map_reset(&map);
  }
}

static void a_map_comes_before_a_name_and_a_name_before_a_guess(void **state) {
  (void)state;
  body ours, theirs;
  const char *names[BODY_JOINTS];
  memcpy(names, mixamo_names, sizeof names);
  names[B_L_HAND] = "x:LeftHand"; /* a namespace */
  names[B_R_HAND] = "hand.R";     /* a guess */
  names[B_NECK] = "LeftFoot";     /* the wrong name */
  names[B_L_FOOT] = "Neck";
  body_make(&ours, mixamo_names, 1.8, 0, 0, false, no_turn);
  body_make(&theirs, names, 1.8, 0, 0, false, no_turn);
  static const sinew_joint_pair pairs[] = {{"Head", "Prop"}, {"Prop", NULL}, {"Spine1", "x:Spine"}, {"Nobody", "Hips"}};
  joint_map map;
  sinew_error error = {""};
  joint_map_job job = {&theirs.view, &ours.view, pairs, 3, "hero.glb", &error, NULL, NULL};
  assert_false(joint_map_find(&job, &map)); /* we have no x:Spine */
  assert_non_null(strstr(error.message, "'x:Spine'"));
  assert_non_null(strstr(error.message, "'Spine'"));
  map = match(&theirs, &ours, (const sinew_joint_pair[]){pairs[0], pairs[1], {"Spine1", "Spine"}, pairs[3]}, 4);
  static const struct {
    int theirs, ours, kind;
  } expected[] = {{B_HEAD, B_PROP, SINEW_MATCH_MAP},       {B_PROP, -1, SINEW_MATCH_MAP},
                  {B_CHEST, B_SPINE, SINEW_MATCH_MAP},     {B_L_HAND, B_L_HAND, SINEW_MATCH_NAME},
                  {B_R_HAND, B_R_HAND, SINEW_MATCH_GUESS}, {B_NECK, B_L_FOOT, SINEW_MATCH_NAME},
                  {B_HIPS, B_HIPS, SINEW_MATCH_NAME},      {B_SPINE, -1, SINEW_MATCH_NONE}};
  for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
    assert_int_equal(map.ours[expected[i].theirs], expected[i].ours);
    assert_int_equal(map.kinds[expected[i].theirs], expected[i].kind);
  }
  assert_true(map.pair_found[0] && map.pair_found[2] && !map.pair_found[3]);
  joint_map_reset(&map);
}

static void equal_names_are_matched_in_order(void **state) {
  (void)state;
  body ours, theirs;
  const char *names[BODY_JOINTS];
  for (int i = 0; i < BODY_JOINTS; i++) names[i] = i ? i % 2 ? "bone" : "tail" : "";
  names[B_PROP] = "";
  body_make(&ours, names, 1.8, 0, 0, false, no_turn);
  body_make(&theirs, names, 1.8, 0, 0, false, no_turn);
  joint_map map = match(&theirs, &ours, NULL, 0);
  for (int i = 1; i < B_PROP; i++) assert_int_equal(map.ours[i], i);
  assert_int_equal(map.ours[B_PROP], -1); /* an empty name is none */
  joint_map_reset(&map);
}

static void other_spellings_match_what_is_no_body(void **state) {
  (void)state;
  body ours, theirs;
  const char *a[BODY_JOINTS], *b[BODY_JOINTS];
  memcpy(a, mixamo_names, sizeof a), memcpy(b, mixamo_names, sizeof b);
  a[B_PROP] = "Hair_Back.01_L";
  b[B_PROP] = "left_hairBack1";
  body_make(&ours, a, 1.8, 0, 0, false, no_turn);
  body_make(&theirs, b, 1.8, 0, 0, false, no_turn);
  joint_map map = match(&theirs, &ours, NULL, 0);
  assert_int_equal(map.ours[B_PROP], B_PROP);
  assert_int_equal(map.kinds[B_PROP], SINEW_MATCH_GUESS);
  joint_map_reset(&map);
}

/* A spine of `count` joints with arms at its end and legs at its start. */
static int make_spine(skeleton_view *view, const char **names, int32_t *parents, char (*made)[16], int count) {
  static const char *const limbs[] = {"LeftArm", "RightArm", "LeftUpLeg", "RightUpLeg", "Head"};
  int n = 0;
  names[n] = "", parents[n++] = -1;
  names[n] = "pelvis", parents[n++] = 0;
  for (int i = 0; i < count; i++) {
    snprintf(made[i], sizeof made[i], "v%d", i);
    names[n] = made[i], parents[n] = n - 1, n++;
  }
  int top = n - 1;
  for (int i = 0; i < 5; i++) names[n] = limbs[i], parents[n++] = i == 2 || i == 3 ? 1 : top;
  *view = (skeleton_view){n, names, parents, NULL, NULL, NULL};
  return top;
}

static void spines_of_other_lengths_share_their_ends(void **state) {
  (void)state;
  for (int a = 1; a <= 6; a++)
    for (int b = 1; b <= 6; b++) {
      const char *names[2][16];
      int32_t parents[2][16];
      char made[2][8][16];
      skeleton_view views[2];
      int tops[2] = {make_spine(&views[0], names[0], parents[0], made[0], a),
                     make_spine(&views[1], names[1], parents[1], made[1], b)};
      for (int i = 0; i < b; i++) made[1][i][0] = 'w';
      joint_map map;
      joint_map_job job = {&views[0], &views[1], NULL, 0, "test", NULL, NULL, NULL};
      assert_true(joint_map_find(&job, &map));
      assert_int_equal(map.ours[tops[0]], tops[1]);
      int matched = 0, before = 1;
      for (int i = 2; i <= tops[0]; i++) {
        if (map.ours[i] < 0) continue;
        assert_true(map.ours[i] > before); /* in order */
        before = map.ours[i];
        matched++;
      }
      assert_int_equal(matched, a < b ? a : b);
      joint_map_reset(&map);
    }
}

/* A thousand joints with names of all kinds, every third the same: found or not, and no request fails unseen. */
static void large_and_hostile_skeletons_are_matched(void **state) {
  (void)state;
  enum { COUNT = 1000 };
  static char made[COUNT][80];
  static const char *names[COUNT];
  static int32_t parents[COUNT];
  for (int i = 0; i < COUNT; i++) {
    parents[i] = i ? (int32_t)(random_bits() % (uint32_t)i) : -1;
    int length = (int)(random_bits() % 79);
    for (int k = 0; k < length; k++) made[i][k] = (char)(1 + random_bits() % 255);
    if (i % 3 == 0) strcpy(made[i], "LeftArm");
    if (i % 7 == 0) made[i][0] = '\0';
    names[i] = i % 11 ? made[i] : NULL;
  }
  skeleton_view view = {COUNT, names, parents, NULL, NULL, NULL};
  joint_map_job job = {&view, &view, NULL, 0, "test", NULL, NULL, NULL};
  joint_map map;
  assert_true(joint_map_find(&job, &map));
  for (int i = 0; i < COUNT; i++) {
    bool named = i && names[i] && names[i][0];
    if (map.ours[i] >= 0) assert_int_equal(map.theirs[map.ours[i]], i);
    if (named) assert_int_equal(map.ours[i], i);
  }
  joint_map_reset(&map);
  for (long left = 0;; left++) {
    sinew_error error = {""};
    failing_heap heap = {.left = left};
    failing_heap_install(&heap);
    job.error = &error;
    bool found = joint_map_find(&job, &map);
    joint_map_reset(&map);
    sinew_set_allocator(NULL);
    assert_int_equal(heap.living, 0);
    if (found) break;
    assert_true(error.message[0]);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(names_say_a_part_and_a_side),
      cmocka_unit_test(bodies_are_matched_under_other_names),
      cmocka_unit_test(a_map_comes_before_a_name_and_a_name_before_a_guess),
      cmocka_unit_test(equal_names_are_matched_in_order),
      cmocka_unit_test(other_spellings_match_what_is_no_body),
      cmocka_unit_test(spines_of_other_lengths_share_their_ends),
      cmocka_unit_test(large_and_hostile_skeletons_are_matched),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
