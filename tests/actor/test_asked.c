/* Poses and joints are made when somebody asks for them. What they are, and what comes of them, does not depend on who
 * has asked, or when. */
#include "actor/cast.h"

#include "model/pose_group.h"

#include <sinew/actor_modifiers.h>
#include <sinew/metrics.h>

enum { JOINTS = 70, UPDATES = 40 };

static sinew_model *model;

static int set_up(void **state) {
  (void)state;
  random_seed(5);
  model = cast_model(JOINTS);
  return 0;
}

static int tear_down(void **state) {
  (void)state;
  sinew_model_release(model);
  return 0;
}

typedef struct scene {
  sinew_stage *stage;
  sinew_actor actor, prop;
} scene;

static void play(const scene *s, int clip, double fade, sinew_transition_kind kind) {
  sinew_play_def def = sinew_play_def_default();
  def.clip = clip, def.fade = fade, def.kind = kind;
  assert_int_not_equal(sinew_actor_play(s->stage, s->actor, &def, NULL).id, 0);
}

static scene open_scene(void) {
  scene s = {.stage = sinew_stage_create(NULL)};
  s.actor = sinew_actor_create(s.stage, "one", model, NULL);
  s.prop = sinew_actor_create(s.stage, "prop", model, NULL);
  play(&s, 0, 0, SINEW_TRANSITION_CROSSFADE);
  return s;
}

static void record_pose(record *r, const scene *s) {
  sinew_pose pose = sinew_actor_pose(s->stage, s->actor);
  record_add(r, pose.groups, (size_t)sinew_pose_group_count(pose.joint_count) * sizeof *pose.groups);
}

static void record_joints(record *r, const scene *s) {
  record_add(r, sinew_actor_joints(s->stage, s->actor), (size_t)sinew_model_joint_count(model) * sizeof(sinew_mat3x4));
}

static void record_palette(record *r, const scene *s) {
  record_add(r, sinew_actor_palette(s->stage, s->actor),
             (size_t)sinew_model_palette_count(model) * sizeof(sinew_mat3x4));
}

/* The event of update `i`; nobody asks for a pose. */
static void disturb(const scene *s, int i, int event, int joint) {
  if (i == 5) play(s, 1, 0.3, SINEW_TRANSITION_CROSSFADE);
  if (i != 12) return;
  if (event == 1) play(s, 2, 0.3, SINEW_TRANSITION_INERTIAL);
  if (event == 2)
    assert_true(sinew_actor_attach(
        s->stage, s->prop, &(sinew_attachment){.to = s->actor, .joint = joint, .offset = sinew_transform_identity()},
        NULL));
  sinew_metrics_def metrics = sinew_metrics_def_default();
  metrics.foot_count = 0;
  if (event == 3) assert_true(sinew_actor_set_metrics(s->stage, s->actor, &metrics, NULL));
}

/* Bits of the palettes of all updates, and in the end of all else. `asks`: for everything, in each update. */
static void run(record *r, int event, bool asks) {
  scene s = open_scene();
  record ignored = {0};
  for (int i = 0; i < UPDATES; i++) {
    disturb(&s, i, event, 30);
    sinew_stage_update(s.stage, 1 / 60.0);
    if (asks) record_pose(&ignored, &s), record_joints(&ignored, &s);
    record_palette(r, &s);
    sinew_transform prop = sinew_actor_transform(s.stage, s.prop);
    record_add(r, &prop, sizeof prop);
  }
  record_joints(r, &s);
  record_pose(r, &s);
  record_joints(r, &s);
  free(ignored.bytes);
  sinew_stage_destroy(s.stage);
}

/* Nothing, an inertial transition, something that is attached, and measuring, half-way. */
static void asking_changes_nothing(void **state) {
  (void)state;
  for (int event = 0; event < 4; event++) {
    record quiet = {0}, asked = {0};
    run(&quiet, event, false);
    run(&asked, event, true);
    expect_same_record(&quiet, &asked);
  }
}

/* Two updates are in the speed that a transition begins with; neither pose was asked for. */
static void an_inertial_transition_begins_as_fast_as_what_played(void **state) {
  (void)state;
  scene s = open_scene();
  double dt = 1 / 240.0, step[3];
  sinew_mat3x4 at[4];
  for (int i = 0; i < 4; i++) {
    if (i == 3) play(&s, 1, 0.5, SINEW_TRANSITION_INERTIAL);
    sinew_stage_update(s.stage, dt);
    at[i] = sinew_actor_palette(s.stage, s.actor)[20];
  }
  for (int i = 0; i < 3; i++) {
    step[i] = 0;
    for (int k = 0; k < 12; k++) step[i] += (double)((at[i + 1].m[k] - at[i].m[k]) * (at[i + 1].m[k] - at[i].m[k]));
    step[i] = sqrt(step[i]);
  }
  assert_true(step[0] > 1e-4);
  assert_near(step[2] / step[1], 1, 0.2);
  sinew_stage_destroy(s.stage);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(asking_changes_nothing),
                                     cmocka_unit_test(an_inertial_transition_begins_as_fast_as_what_played)};
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
