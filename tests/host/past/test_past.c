/* The last minute is kept, and F9 goes back to it: as a person does, with keys and the mouse. */
#include "host_fixture.h"

#include "host/capture/picture.h"
#include "host/host.h"
#include "host/past/ring_part.h"
#include "host/timeline/timeline.h"

#include <sinew/crowd.h>

#include <math.h>

enum { WIDTH = 960, HEIGHT = 540, CUT = 240, FRAMES = 270 };

typedef struct bench {
  sinew_host *host;
  sinew_model *model;
  sinew_actor actor;
  int frame;
} bench;

static void play(bench *b, const char *clip, double fade) {
  sinew_play_def def = sinew_play_def_default();
  sinew_error error;
  def.clip = sinew_model_find_clip(b->model, clip), def.fade = fade;
  assert_true(sinew_actor_play(b->host->stage, b->actor, &def, &error).id);
}

static bool say_mark(void *user, sinew_actor actor, int index, char *out, size_t size) {
  (void)user, (void)actor;
  snprintf(out, size, "mark %d of the test", index);
  return true;
}

/* Nothing is drawn but for save_picture. */
static bench make(float scale, bool keeps) {
  bench b = {0};
  sinew_error error = {{0}};
  sinew_host_def def = sinew_host_def_default();
  def.output = SINEW_OUTPUT_OFFSCREEN;
  def.width = (int)(WIDTH * scale), def.height = (int)(HEIGHT * scale), def.scale = scale;
  def.panels_only = true;
  def.keeps_past = keeps;
  b.host = sinew_host_create(&def, &error);
  if (!b.host) fail_msg("%s", error.message);
  sinew_host_set_app(b.host, &(sinew_app){.mark_text = say_mark});
  b.model = sinew_model_load(SINEW_SOURCE "/assets/hero.glb", NULL, &error);
  if (!b.model) fail_msg("%s", error.message);
  b.actor = sinew_actor_create(b.host->stage, "hero", b.model, &error);
  sinew_vec3 low, high;
  sinew_model_bounds(b.model, &low, &high);
  sinew_host_frame_box(b.host, low, high);
  play(&b, "Walk", 0);
  return b;
}

static void release(bench *b) {
  sinew_host_destroy(b->host);
  sinew_model_release(b->model);
}

static void step(bench *b, int frames) {
  sinew_error error = {{0}};
  for (int i = 0; i < frames; i++)
    if (!sinew_host_step(b->host, 1.0 / 60, &error)) fail_msg("%s", error.message);
}

static void tap(bench *b, const char *key) {
  for (int down = 1; down >= 0; down--) {
    assert_true(sinew_host_send_key(b->host, key, down));
    step(b, 1);
  }
}

/* A walk that is cut over to a jump, and half a second. */
static void run(bench *b) {
  step(b, CUT);
  play(b, "Jump", 0);
  step(b, FRAMES - CUT);
}

static sinew_vec3 toe_of(const bench *b, const sinew_mat3x4 *joints) {
  const float *m = joints[sinew_model_find_joint(b->model, "LeftFoot")].m;
  return (sinew_vec3){m[3], m[7], m[11]};
}

/* Of the frame that the key is pressed in; NULL: of another one. */
static void save_picture_of(bench *b, const char *key, const char *name) {
  const char *folder = getenv("SINEW_PICTURES");
  char path[512];
  sinew_error error;
  b->host->def.panels_only = !folder;
  if (key) assert_true(sinew_host_send_key(b->host, key, true));
  if (folder || key) step(b, 1);
  if (!folder) return;
  assert_true(host_read_picture(b->host, &error));
  snprintf(path, sizeof path, "%s/%s", folder, name);
  assert_true(png_write(path, &b->host->pixels, &error));
  b->host->def.panels_only = true;
}

static void save_picture(bench *b, const char *name) { save_picture_of(b, NULL, name); }

/* ---- */

static sinew_quat packed_and_open(sinew_quat turn, int lane) {
  sinew_pose_group group = {.rotation = {{0}}};
  uint16_t parts[3][SINEW_LANES];
  for (int k = 0; k < 4; k++) group.rotation[k][lane] = (&turn.x)[k];
  packed_rotations_of(&group, parts);
  return packed_rotation_open((packed_rotation){{parts[0][lane], parts[1][lane], parts[2][lane]}});
}

static void a_turn_comes_back(void **state) {
  (void)state;
  uint32_t random = 1;
  for (int i = 0; i < 10000; i++) {
    double q[4], size = 0;
    for (int k = 0; k < 4; k++) {
      random = random * 1664525u + 1013904223u;
      q[k] = (double)(random >> 8) / (1 << 23) - 1;
      size += q[k] * q[k];
    }
    size = sqrt(size);
    sinew_quat turn = {(float)(q[0] / size), (float)(q[1] / size), (float)(q[2] / size), (float)(q[3] / size)};
    sinew_quat back = packed_and_open(turn, i % SINEW_LANES);
    const float *a = &turn.x, *c = &back.x;
    double dot = 0, away = 0;
    for (int k = 0; k < 4; k++) dot += (double)(a[k] * c[k]);
    for (int k = 0; k < 4; k++) away += pow((double)a[k] - (dot < 0 ? -1 : 1) * (double)c[k], 2);
    assert_true(2 * sqrt(away) < 1.5e-4); /* twice the distance on the sphere is the angle */
  }
  sinew_quat still = packed_and_open((sinew_quat){0, 0, 0, 1}, 5);
  assert_true(still.x == 0 && still.y == 0 && still.z == 0 && still.w == 1);
  const float wild[] = {NAN, INFINITY, -INFINITY, 1e30f, 0};
  for (int i = 0; i < 625; i++) {
    sinew_quat none = packed_and_open((sinew_quat){wild[i % 5], wild[i / 5 % 5], wild[i / 25 % 5], wild[i / 125 % 5]},
                                      i % SINEW_LANES);
    assert_true(isfinite(none.x) && isfinite(none.y) && isfinite(none.z) && isfinite(none.w));
  }
}

/* Each moment is the pose that was shown in its frame, over more than a block, and after the ring has gone round. */
static void the_ring_has_the_poses_that_were_shown(void **state) {
  (void)state;
  bench b = make(1, true);
  enum { SECONDS = 66 };
  static sinew_vec3 toes[SECONDS * 60 + 2];
  for (int i = 1; i <= SECONDS * 60; i++) {
    step(&b, 1);
    toes[i] = toe_of(&b, sinew_actor_joints(b.host->stage, b.actor));
  }
  const ring *r = &b.host->ring;
  assert_true(r->count >= 60 * RING_RATE && r->count <= 61 * RING_RATE && r->first > 0);
  cast look = {0};
  for (int64_t moment = r->first; moment < r->first + r->count; moment += 7) {
    cast_pose(&look, r, ring_time(r, moment));
    assert_int_equal(look.shown_count, 1);
    sinew_vec3 then = toes[ring_frame(r, moment)], now = toe_of(&b, look.shown[0].joints);
    assert_near(now.x, then.x, 2e-4);
    assert_near(now.y, then.y, 2e-4);
    assert_near(now.z, then.z, 2e-4);
    assert_near(ring_time(r, moment), (double)ring_frame(r, moment) / 60, 1e-9);
    ring_moment is;
    assert_true(ring_read(r, moment, b.actor, &is));
    assert_int_equal(is.clips[0].clip, sinew_model_find_clip(b.model, "Walk"));
    assert_near(is.clips[0].normalized_weight, 1, 1e-6);
  }
  assert_true(r->bytes < (1 << 20)); /* 50 such actors stay within the limit */
  cast_release(&look);
  release(&b);
}

static void f9_goes_to_the_jump(void **state) {
  (void)state;
  bench b = make(1, true);
  run(&b);
  double now = b.host->time;
  tap(&b, "f9");
  const review *r = &b.host->review;
  assert_true(r->is_on && r->mark >= 0 && !r->plays);
  const past_mark *m = b.host->past.marks + r->mark;
  assert_int_equal(m->mark.kind, SINEW_MARK_POP);
  assert_near(m->begin, (CUT + 1) / 60.0, 1.5 / 60);
  assert_near(r->at, m->begin, 1.0 / RING_RATE);
  assert_near(r->loop[0], m->begin - 1, 0.04);
  assert_near(b.host->time, now + 1.0 / 60, 1e-9); /* the frame of the key is the last one */
  step(&b, 1);
  save_picture(&b, "past.png");
  double at = r->at;
  tap(&b, "left");
  assert_near(r->at, at - 1.0 / RING_RATE, 0.02);
  assert_true(b.host->input.count == 0);
  sinew_host_send_key(b.host, "left_shift", true);
  tap(&b, "right");
  sinew_host_send_key(b.host, "left_shift", false);
  assert_near(r->at, at + 9.0 / RING_RATE, 0.04);
  tap(&b, "p");
  tap(&b, "space");
  assert_true(r->plays);
  step(&b, 600);
  assert_true(r->at >= r->loop[0] && r->at <= r->loop[1]);
  tap(&b, "escape");
  assert_false(r->is_on);
  assert_near(b.host->time, now + 2.0 / 60, 1e-9); /* the key is let go in the present */
  release(&b);
}

static void the_mouse_scrubs_and_picks(void **state) {
  (void)state;
  bench b = make(2, true);
  run(&b);
  tap(&b, "f9");
  const review *r = &b.host->review;
  float y = timeline_top(b.host) + 300;
  double seen[2];
  for (int i = 0; i < 2; i++) {
    sinew_host_send_mouse(b.host, 400 + 800 * (float)i, y);
    sinew_host_send_button(b.host, 1, true);
    step(&b, 2);
    seen[i] = r->at;
    sinew_host_send_button(b.host, 1, false);
    step(&b, 2);
  }
  assert_true(seen[1] > seen[0] + 1);
  step(&b, 1);
  save_picture(&b, "past2.png");
  release(&b);
}

/* Whoever looked back goes on as if nothing had been: poses to the bit, keys that were let go meanwhile. */
static void the_present_is_as_it_was(void **state) {
  (void)state;
  bench b = make(1, true), twin = make(1, false);
  sinew_host_send_key(b.host, "w", true);
  run(&b);
  run(&twin);
  assert_true(sinew_host_is_down(b.host, "w"));
  sinew_camera before = b.host->camera;
  tap(&b, "f9");
  sinew_host_send_key(b.host, "w", false);
  sinew_host_send_mouse(b.host, 300, 100);
  sinew_host_send_button(b.host, 1, true);
  step(&b, 2);
  sinew_host_send_mouse(b.host, 500, 150);
  step(&b, 30);
  assert_true(fabsf(before.position.x - b.host->camera.position.x) > 0.1f);
  sinew_host_send_button(b.host, 1, false);
  step(&b, 2);
  tap(&b, "escape");
  assert_memory_equal(&before.position, &b.host->camera.position, sizeof before.position);
  step(&twin, (int)(b.host->frame - twin.host->frame));
  step(&b, 1);
  step(&twin, 1);
  assert_false(sinew_host_is_down(b.host, "w"));
  sinew_pose here = sinew_actor_pose(b.host->stage, b.actor), there = sinew_actor_pose(twin.host->stage, twin.actor);
  assert_memory_equal(here.groups, there.groups,
                      (size_t)sinew_pose_group_count(here.joint_count) * sizeof *here.groups);
  release(&b);
  release(&twin);
}

static void an_actor_that_is_gone_is_still_there_then(void **state) {
  (void)state;
  bench b = make(1, true);
  run(&b);
  sinew_actor_destroy(b.host->stage, b.actor);
  step(&b, 10);
  tap(&b, "f9");
  step(&b, 2);
  assert_int_equal(b.host->review.cast.shown_count, 1);
  tap(&b, "end");
  step(&b, 2);
  assert_int_equal(b.host->review.cast.shown_count, 0);
  release(&b);
}

/* A smile that comes and goes is looked back at as it was, and after its block was packed, too. */
static void morphs_are_those_of_then(void **state) {
  (void)state;
  bench b = make(1, true);
  enum { SECONDS = 4 };
  for (int i = 1; i <= SECONDS * 60; i++) {
    assert_true(sinew_actor_set_morph(b.host->stage, b.actor, "Smile", (float)(i % 100) / 100));
    step(&b, 1);
  }
  assert_true(sinew_actor_set_morph(b.host->stage, b.actor, "Smile", 1));
  const ring *r = &b.host->ring;
  cast look = {0};
  int mesh = 0, before = 0;
  for (; sinew_model_mesh(b.model, mesh).morph_count == 0; mesh++)
    before += sinew_model_mesh(b.model, mesh).morph_count;
  assert_true(ring_morph_count(b.model) >= 2);
  for (int64_t moment = r->first; moment < r->first + r->count; moment++) {
    cast_pose(&look, r, ring_time(r, moment));
    assert_non_null(look.shown[0].morphs);
    const float *weights = look.shown[0].morphs + before;
    assert_near(weights[0] + weights[1], (float)(ring_frame(r, moment) % 100) / 100, 1e-6);
  }
  cast_release(&look);
  release(&b);
}

static sinew_crowd add_crowd(const bench *b, const char *name, int count) {
  sinew_crowd_def def = sinew_crowd_def_default();
  def.name = name, def.model = b->model, def.count = count;
  sinew_crowd made = sinew_crowd_create(b->host->stage, &def, NULL);
  sinew_crowd_characters all = sinew_crowd_view(b->host->stage, made);
  for (int i = 0; i < all.count; i++) {
    all.slots[0].clip[i] = sinew_model_find_clip(b->model, i % 2 ? "Walk" : "Run");
    all.transform[i].translation = (sinew_vec3){(float)(i % 100) - 3, 0, -1.5f - (float)(i / 100)};
  }
  return made;
}

/* Not a frame goes by without anybody in it. */
static void the_frame_of_f9_shows_the_past_already(void **state) {
  (void)state;
  bench b = make(1, true);
  run(&b);
  assert_int_equal(b.host->item_count, 1);
  save_picture_of(&b, "f9", "f9.png");
  assert_true(b.host->review.is_on);
  assert_true(b.host->lines_on_top.count > 50); /* about the joint, and where feet slid */
  assert_int_equal(b.host->item_count, 1);
  release(&b);
}

static void the_crowds_of_then_are_shown(void **state) {
  (void)state;
  char text[TIMELINE_TEXT];
  bench b = make(1, true);
  step(&b, 60);
  sinew_crowd crowd = add_crowd(&b, "walkers", 7);
  run(&b);
  assert_int_equal(b.host->stats.members, 7);
  sinew_crowd_destroy(b.host->stage, crowd);
  crowd = add_crowd(&b, "runners", 3);
  step(&b, 30);
  tap(&b, "f9");
  step(&b, 1);
  assert_int_equal(b.host->stats.members, 7);
  assert_int_equal(b.host->item_count, 8);
  save_picture(&b, "crowd.png");
  tap(&b, "end");
  assert_int_equal(b.host->stats.members, 3);
  tap(&b, "home");
  assert_int_equal(b.host->stats.members, 0);
  timeline_say_time(b.host, text);
  assert_null(strstr(text, "crowd"));
  tap(&b, "escape");
  step(&b, 1);
  assert_int_equal(b.host->stats.members, 3);
  assert_null(b.host->review.cast.stage);
  release(&b);
}

static void a_crowd_that_is_too_large_is_named(void **state) {
  (void)state;
  char text[TIMELINE_TEXT];
  bench b = make(1, true);
  add_crowd(&b, "horde", 66000);
  add_crowd(&b, "few", 5);
  step(&b, 1);
  tap(&b, "f9");
  step(&b, 1);
  timeline_say_time(b.host, text);
  assert_non_null(strstr(text, "the crowd horde is too large to be kept"));
  assert_int_equal(b.host->stats.members, 5);
  release(&b);
}

/* An actor that stands for half a minute moves its feet by millimetres, which is no slide; one that is carried at 10 cm
 * a second slides. */
static void who_stands_does_not_slide(void **state) {
  (void)state;
  for (int carried = 0; carried <= 1; carried++) {
    bench b = make(1, true);
    play(&b, "Idle", 0);
    for (int i = 1; i <= 30 * 60; i++) {
      sinew_transform at = sinew_transform_identity();
      at.translation.z = carried ? 0.1f * (float)i / 60 : 0;
      sinew_actor_set_transform(b.host->stage, b.actor, &at);
      step(&b, 1);
    }
    int contacts = 0;
    for (int i = 0; i < b.host->past.count; i++) {
      const past_mark *m = b.host->past.marks + i;
      if (m->mark.kind != SINEW_MARK_SLIDE) continue;
      contacts++;
      if (m->end - m->begin < 5) continue;
      assert_true(carried ? m->worst > 0.049f && m->worst < 0.055f : m->worst < 0.005f);
      assert_true(m->mark.size > 2 * m->worst);
      assert_int_equal(past_mark_score(m) > 0, carried);
    }
    assert_true(contacts >= 2);
    tap(&b, "f9");
    step(&b, 2);
    save_picture(&b, carried ? "carried.png" : "stands.png");
    sinew_host_send_key(b.host, "left_shift", true);
    tap(&b, "slash");
    save_picture(&b, "keys.png");
    release(&b);
  }
}

/* An actor stands for half a minute, and is pushed for a second: F9 goes to the push; long after it, to no slide. */
static void a_slide_is_shown_where_it_was(void **state) {
  (void)state;
  for (int since = 1; since <= 10; since += 9) {
    bench b = make(1, true);
    enum { PUSHED = 25 * 60, FOR = 60 };
    play(&b, "Idle", 0);
    for (int i = 1; i <= PUSHED + FOR + since * 60; i++) {
      sinew_transform at = sinew_transform_identity();
      at.translation.z = 0.1f * (float)(i < PUSHED ? 0 : i < PUSHED + FOR ? i - PUSHED : FOR) / 60;
      sinew_actor_set_transform(b.host->stage, b.actor, &at);
      step(&b, 1);
    }
    tap(&b, "f9");
    const review *r = &b.host->review;
    if (since == 1) {
      assert_true(r->mark >= 0);
      const past_mark *m = b.host->past.marks + r->mark;
      assert_int_equal(m->mark.kind, SINEW_MARK_SLIDE);
      assert_true(m->end - m->begin > 20);
      assert_true(r->at > PUSHED / 60.0 && r->at < (PUSHED + FOR) / 60.0);
      assert_true(r->loop[0] < r->at && r->loop[1] > r->at && r->loop[1] - r->loop[0] < 2.6);
    } else {
      assert_true(r->mark < 0 || b.host->past.marks[r->mark].mark.kind != SINEW_MARK_SLIDE);
    }
    release(&b);
  }
}

int main(void) {
  if (no_pictures_here()) return 77;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_turn_comes_back),
      cmocka_unit_test(the_ring_has_the_poses_that_were_shown),
      cmocka_unit_test(f9_goes_to_the_jump),
      cmocka_unit_test(the_frame_of_f9_shows_the_past_already),
      cmocka_unit_test(the_mouse_scrubs_and_picks),
      cmocka_unit_test(the_present_is_as_it_was),
      cmocka_unit_test(an_actor_that_is_gone_is_still_there_then),
      cmocka_unit_test(morphs_are_those_of_then),
      cmocka_unit_test(who_stands_does_not_slide),
      cmocka_unit_test(a_slide_is_shown_where_it_was),
      cmocka_unit_test(the_crowds_of_then_are_shown),
      cmocka_unit_test(a_crowd_that_is_too_large_is_named),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
