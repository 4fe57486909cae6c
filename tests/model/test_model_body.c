/* What is concluded about a body where names, tree, mesh and clips agree, disagree, or are missing. */
#include "support/fixture.h"

#include "math/vec3.h"
#include "model/body/body.h"

enum { MOST = 24 };

typedef struct figure {
  const char *names[MOST];
  int32_t parents[MOST];
  sinew_transform rest[MOST];
  uint8_t ranks[MOST];
  body_sole soles[MOST];
  skeleton_view view;
} figure;

static int add(figure *f, const char *name, int parent, float x, float y, float z) {
  int i = f->view.count++;
  sinew_vec3 above = {0, 0, 0};
  for (int up = parent; up > 0; up = f->parents[up]) above = vec3_add(above, f->rest[up].translation);
  f->names[i] = name, f->parents[i] = parent, f->ranks[i] = 0;
  f->rest[i] = sinew_transform_identity();
  f->rest[i].translation = vec3_sub((sinew_vec3){x, y, z}, above);
  f->view = (skeleton_view){f->view.count, f->names, f->parents, f->rest, f->ranks, NULL};
  return i;
}

static void begin(figure *f) {
  memset(f, 0, sizeof *f);
  f->names[0] = "", f->parents[0] = -1, f->rest[0] = sinew_transform_identity();
  f->view.count = 1;
}

static void give_sole(figure *f, int joint, sinew_vec3 low, sinew_vec3 high) {
  f->soles[joint] = (body_sole){8, low, high, low, {high.x, low.y, high.z}};
}

static model_body find(const figure *f, bool mesh, const body_clips *clips, const int32_t *roles) {
  model_body b;
  assert_true(body_find(&(body_evidence){&f->view, mesh ? f->soles : NULL, clips, roles}, &b));
  return b;
}

/* Legs at x = ±0.1; `first` names the leg at +x. */
static void add_legs(figure *f, const char *first, const char *other, float toes) {
  static char texts[16][32];
  const char *sides[] = {first, other};
  begin(f);
  int hips = add(f, "Hips", 0, 0, 0.9f, 0);
  for (int i = 0; i < 2; i++) {
    const char *const words[] = {"UpLeg", "Leg", "Foot", "ToeBase"};
    float x = i ? -0.1f : 0.1f, heights[] = {0.88f, 0.48f, 0.08f, 0.01f};
    for (int k = 0, above = hips; k < (toes != 0 ? 4 : 3); k++) {
      snprintf(texts[4 * i + k], sizeof texts[0], "%s%s", sides[i], words[k]);
      above = add(f, texts[4 * i + k], above, x, heights[k], k == 3 ? toes : 0);
    }
  }
}

static void names_and_toes_that_agree(void **state) {
  (void)state;
  figure f;
  add_legs(&f, "Left", "Right", 0.1f);
  model_body b = find(&f, false, NULL, NULL);
  assert_int_equal(b.foot_count, 2);
  assert_string_equal(f.names[b.feet[0].foot], "LeftFoot");
  assert_string_equal(f.names[b.feet[0].contact], "LeftToeBase");
  assert_true(b.front.z == 1 && !b.exchanged && body_has_legs(&b, &f.view));
  assert_near((double)b.size, 0.8 / 0.8147, 1e-3);
  add_legs(&f, "Right", "Left", -0.1f); /* the same figure turned round */
  b = find(&f, false, NULL, NULL);
  assert_string_equal(f.names[b.feet[0].foot], "LeftFoot");
  assert_true(b.front.z == -1 && !b.exchanged && body_has_legs(&b, &f.view));
}

/* "Left" as the viewer sees it: the toes show where it faces. */
static void toes_outvote_names(void **state) {
  (void)state;
  figure f;
  add_legs(&f, "Right", "Left", 0.1f);
  model_body b = find(&f, false, NULL, NULL);
  assert_true(b.front.z == 1 && b.exchanged);
  assert_string_equal(f.names[b.feet[0].foot], "RightFoot");
  assert_string_equal(f.names[b.person.limbs[0][LIMB_THIGH]], "RightUpLeg");
}

/* A walk on the spot towards +z: the foot that stands goes back by a metre a second. */
static double four_seconds(void *user, int clip) {
  (void)user, (void)clip;
  return 1;
}

static void walk(void *user, int clip, double time, sinew_transform *placed) {
  const figure *f = user;
  (void)clip;
  for (int i = 0; i < f->view.count; i++) {
    placed[i] = f->rest[i];
    if (i) placed[i].translation = vec3_add(placed[f->parents[i]].translation, f->rest[i].translation);
  }
  for (int i = 1; i < f->view.count; i++) {
    if (!strstr(f->names[i], "Foot") && !strstr(f->names[i], "Toe")) continue;
    double phase = fmod(2 * time + (strstr(f->names[i], "Left") ? 0.5 : 0), 1);
    placed[i].translation.z += (float)(phase < 0.5 ? 0.25 - phase : phase - 0.75);
    placed[i].translation.y += phase < 0.5 ? 0 : 0.1f;
  }
}

static void soles_and_clips_outvote_names(void **state) {
  (void)state;
  figure f;
  add_legs(&f, "Right", "Left", 0);
  body_clips clips = {1, four_seconds, walk, &f};
  model_body b = find(&f, false, &clips, NULL);
  assert_true(b.findings[SINEW_FINDING_SIDES].confidence < 0.25f); /* one against the other: nobody knows */
  assert_false(body_has_legs(&b, &f.view));
  for (int i = 1; i < f.view.count; i++)
    if (strstr(f.names[i], "Foot")) {
      float x = f.names[i][0] == 'R' ? 0.1f : -0.1f;
      give_sole(&f, i, (sinew_vec3){x - 0.04f, 0, -0.05f}, (sinew_vec3){x + 0.04f, 0.1f, 0.2f});
    }
  give_sole(&f, 1, (sinew_vec3){-0.2f, 0.7f, -0.1f}, (sinew_vec3){0.2f, 1.7f, 0.1f});
  b = find(&f, true, &clips, NULL);
  assert_true(b.front.z == 1 && b.exchanged && body_has_legs(&b, &f.view));
  assert_near((double)b.feet[0].ball.y, -0.08, 1e-6);  /* the sole, from the ankle */
  assert_near((double)b.feet[0].heel.z, -0.025, 1e-6); /* 10 and 90 % from heel to toe */
  assert_near((double)b.feet[0].ball.z, 0.175, 1e-6);
}

/* Four paws that nobody named, of a body along x; a tail touches the ground as well. */
static void paws_are_paired(void **state) {
  (void)state;
  figure f;
  begin(&f);
  int body = add(&f, "Bone", 0, 0, 1, 0), tail = add(&f, "Bone.9", body, -1.5f, 0.05f, 0);
  for (int i = 0; i < 4; i++) {
    float x = i < 2 ? 0.8f : -0.8f, z = i % 2 ? 0.2f : -0.2f;
    int leg = add(&f, "Bone.1", body, x, 0.9f, z), shin = add(&f, "Bone.2", leg, x, 0.5f, z);
    int paw = add(&f, "Bone.3", shin, x, 0.05f, z);
    give_sole(&f, paw, (sinew_vec3){x - 0.05f, 0, z - 0.05f}, (sinew_vec3){x + 0.1f, 0.1f, z + 0.05f});
  }
  give_sole(&f, tail, (sinew_vec3){-1.6f, 0, -0.01f}, (sinew_vec3){-1.4f, 0.1f, 0.01f});
  give_sole(&f, body, (sinew_vec3){-1, 0.7f, -0.2f}, (sinew_vec3){1, 1.2f, 0.2f});
  model_body b = find(&f, true, NULL, NULL);
  assert_int_equal(b.foot_count, 4);
  assert_true(b.front.x == 1); /* their soles are longer ahead */
  assert_near((double)f.rest[f.parents[f.parents[b.feet[0].foot]]].translation.x, -0.8, 1e-6); /* hind ones first */
  assert_true(f.rest[f.parents[f.parents[b.feet[0].foot]]].translation.z < 0);                 /* left */
  assert_true(b.feet[2].is_front && !b.feet[1].is_front);
  assert_near((double)b.size, 0.85 / 0.8147, 1e-3);
}

static void the_authors_word_comes_first(void **state) {
  (void)state;
  figure f;
  int32_t roles[SINEW_ROLES];
  for (int i = 0; i < SINEW_ROLES; i++) roles[i] = -1;
  begin(&f);
  int body = add(&f, "a", 0, 0, 1, 0);
  roles[SINEW_ROLE_LEFT_FOOT] = add(&f, "b", body, 0.1f, 0, 0);
  roles[SINEW_ROLE_RIGHT_FOOT] = add(&f, "c", body, -0.1f, 0, 0);
  roles[SINEW_ROLE_PELVIS] = body;
  model_body b = find(&f, false, NULL, roles);
  assert_int_equal(b.foot_count, 2);
  assert_int_equal(b.feet[0].foot, roles[SINEW_ROLE_LEFT_FOOT]);
  assert_int_equal(b.person.hips, body);
  assert_int_equal(b.findings[SINEW_FINDING_FEET].evidence, SINEW_BY_AUTHOR);
  assert_false(body_has_legs(&b, &f.view));
}

static void a_chair_has_no_feet(void **state) {
  (void)state;
  figure f;
  begin(&f);
  add(&f, "Seat", 0, 0, 0.5f, 0);
  model_body b = find(&f, false, NULL, NULL);
  assert_int_equal(b.foot_count, 0);
  assert_true(b.front.z == 1 && b.size > 0 && b.findings[SINEW_FINDING_FEET].confidence == 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(names_and_toes_that_agree),     cmocka_unit_test(toes_outvote_names),
      cmocka_unit_test(soles_and_clips_outvote_names), cmocka_unit_test(paws_are_paired),
      cmocka_unit_test(the_authors_word_comes_first),  cmocka_unit_test(a_chair_has_no_feet)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
