/* A clip of two strides that are not alike beside a clip of one, with markers that do not lie where the feet come down:
 * each leg is where the stride has it that its clip is in, and goes on without a jump. */
#include "support/stage_world.h"

#include <sinew/event.h>
#include <sinew/playing.h>

enum { HIPS, LEFT_THIGH, LEFT_SHIN, LEFT_FOOT, RIGHT_THIGH, RIGHT_SHIN, RIGHT_FOOT, JOINTS, FRAMES = 265 };
static const char *const names[JOINTS] = {"Hips",       "LeftUpLeg", "LeftLeg",  "LeftFoot",
                                          "RightUpLeg", "RightLeg",  "RightFoot"};
static const int parents[JOINTS] = {-1, 0, 1, 2, 0, 4, 5};
static const double stride = 1.1, speed = 1, step = 0.66; /* seconds, m/s, seconds on the ground */

/* Of a foot, from its shin; `side` is 1 to the left. In its second stride a foot stands 8 cm farther out. */
static sinew_vec3 foot_at(double time, int side, bool second) {
  double phase = fmod(time + (side < 0 ? stride / 2 : 0), stride), reach = speed * step / 2;
  double out = second ? 0.08 : 0, s = (phase - step) / (stride - step);
  if (phase < step) return (sinew_vec3){(float)(side * out), -0.4f, (float)(reach - speed * phase)};
  return (sinew_vec3){(float)(side * out), -0.4f + (float)(0.12 * sin(3.14159265358979 * s)),
                      (float)(reach * (2 * s - 1))};
}

/* Which stride of its clip a foot is in; on its way it goes over to the next. */
static sinew_vec3 foot_of(double time, int side, int strides) {
  double own = time + (side < 0 ? stride / 2 : 0);
  int index = (int)floor(own / stride);
  double phase = own - index * stride, over = fmin(fmax((phase - step) / (stride - step), 0), 1);
  sinew_vec3 now = foot_at(time, side, strides > 1 && index % 2),
             next = foot_at(time, side, strides > 1 && !(index % 2));
  now.x += (float)over * (next.x - now.x);
  return now;
}

static sinew_model *make_walker(void) {
  static float times[2][FRAMES], values[2][FRAMES][6];
  joint_desc joints[JOINTS];
  clip_track tracks[] = {{TRACK_TRANSLATION, LEFT_FOOT, 0, false, 0, true, 0},
                         {TRACK_TRANSLATION, RIGHT_FOOT, 0, false, 3, true, 0}};
  bool animated[JOINTS];
  sinew_transform base[JOINTS];
  track_group_desc groups[2];
  clip_desc clips[2];
  for (int j = 0; j < JOINTS; j++) {
    float side = j == HIPS ? 0 : j < RIGHT_THIGH ? 1 : -1, down = j == HIPS ? 0.8f : parents[j] == HIPS ? 0 : -0.4f;
    joints[j] = (joint_desc){.name = names[j], .parent = parents[j], .rest = sinew_transform_identity()};
    joints[j].rest.translation = (sinew_vec3){parents[j] == HIPS ? 0.1f * side : 0, down, 0};
    base[j] = joints[j].rest;
    animated[j] = true;
  }
  for (int c = 0; c < 2; c++) {
    int strides = c + 1;
    for (int i = 0; i < FRAMES; i++) {
      double time = strides * stride * i / (FRAMES - 1);
      sinew_vec3 left = foot_of(time, 1, strides), right = foot_of(time, -1, strides);
      times[c][i] = (float)time;
      memcpy(values[c][i], &left, sizeof left), memcpy(values[c][i] + 3, &right, sizeof right);
    }
    groups[c] = (track_group_desc){times[c], FRAMES, values[c][0], 6, tracks, 2, 0, NULL};
    clips[c] = (clip_desc){.name = c ? "two" : "one",
                           .duration = strides * stride,
                           .track_groups = groups + c,
                           .track_group_count = 1,
                           .animated = animated,
                           .base = base};
  }
  model_desc desc = {.path = "walker",
                     .root = sinew_transform_identity(),
                     .joints = joints,
                     .joint_count = JOINTS,
                     .clips = clips,
                     .clip_count = 2};
  return model_create(&desc, NULL);
}

static int set_up(void **state) {
  static world w;
  world_open(&w, make_walker());
  *state = &w;
  return 0;
}

static void play_in_step(world *w, int clip, float weight) {
  sinew_play_def def = sinew_play_def_default();
  def.clip = clip, def.fade = 0, def.weight = weight, def.solo = false, strcpy(def.sync_group, "legs");
  assert_int_not_equal(sinew_actor_play(w->stage, w->actor, &def, NULL).id, 0);
}

/* `off`: seconds that the markers of the second clip lie after its steps. */
static void set_marks(world *w, double off) {
  sinew_marker one[] = {{0, "left", 0, true, false}, {stride / 2, "right", 0, true, false}}, two[4];
  for (int i = 0; i < 4; i++) two[i] = (sinew_marker){i * stride / 2 + off, i % 2 ? "right" : "left", 0, true, false};
  assert_true(sinew_stage_set_markers(w->stage, w->model, 0, one, 2, NULL));
  assert_true(sinew_stage_set_markers(w->stage, w->model, 1, two, 4, NULL));
}

static sinew_vec3 left_foot(const world *w) {
  const float *m = sinew_actor_joints(w->stage, w->actor)[sinew_model_find_joint(w->model, "LeftFoot")].m;
  return (sinew_vec3){m[3], m[7], m[11]};
}

/* Half of each: on the ground it stands 0 and 4 cm out, in turns, and in the air it goes from one to the other. */
static void a_leg_stays_in_its_stride(void **state) {
  static const double rates[] = {30, 60, 144}, offs[] = {0, 0.04, 0.15};
  world *w = *state;
  for (int r = 0; r < 3; r++)
    for (int o = 0; o < 3; o++) {
      int near = 0, far = 0;
      double worst = 0;
      world_close(w), world_open(w, make_walker());
      set_marks(w, offs[o]);
      play_in_step(w, 0, 0.5f), play_in_step(w, 1, 0.5f);
      sinew_stage_update(w->stage, 0.3);
      sinew_vec3 before = left_foot(w);
      for (int i = 0; i < 6 * stride * rates[r]; i++) {
        sinew_stage_update(w->stage, 1 / rates[r]);
        sinew_vec3 now = left_foot(w);
        worst = fmax(worst, fabs((double)(now.x - before.x)) * rates[r]);
        if (now.y < 0.001f && fabsf(now.x - 0.1f) < 0.004f) near++;
        if (now.y < 0.001f && fabsf(now.x - 0.14f) < 0.004f) far++;
        before = now;
      }
      if (worst > 0.2) fail_msg("%g Hz, off by %g s: a foot goes aside at %.2f m/s", rates[r], offs[o], worst);
      if (near < 20 || abs(near - far) > 0.2 * near)
        fail_msg("%g Hz, off by %g s: %d and %d", rates[r], offs[o], near, far);
    }
}

/* Whichever of its strides a clip joins in, it goes on in that one, however often the group has gone round. */
static void who_joins_goes_on_in_its_own_stride(void **state) {
  world *w = *state;
  for (int rounds = 0; rounds < 4; rounds++)
    for (int second = 0; second < 2; second++) {
      world_close(w), world_open(w, make_walker());
      set_marks(w, 0);
      play_in_step(w, 0, 0.5f);
      sinew_stage_update(w->stage, 0.3);
      for (int i = 0; i < 10 * rounds; i++) sinew_stage_update(w->stage, stride / 10);
      sinew_play_def def = sinew_play_def_default();
      def.clip = 1, def.fade = 0, def.weight = 0.5f, def.solo = false, strcpy(def.sync_group, "legs");
      def.time = 0.3 + second * stride;
      sinew_action action = sinew_actor_play(w->stage, w->actor, &def, NULL);
      assert_int_not_equal(action.id, 0);
      for (int i = 0; i < 100; i++) {
        sinew_playing playing;
        sinew_stage_update(w->stage, 0.05);
        assert_true(sinew_action_playing(w->stage, action, &playing));
        double wanted = def.time + 0.05 * (i + 1);
        assert_near(remainder(playing.time - wanted, 2 * stride), 0, 1e-3);
      }
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {WITH_WORLD(a_leg_stays_in_its_stride),
                                     WITH_WORLD(who_joins_goes_on_in_its_own_stride)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
