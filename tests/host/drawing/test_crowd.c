/* A host draws the crowds of its stage as it draws actors that stand and move alike. */
#include "host_fixture.h"

#include "host/host.h"

#include <sinew/crowd.h>

enum { MEMBERS = 4, WIDTH = 320, HEIGHT = 180, GRIN = 12 }; /* GRIN: to be seen in small pictures */

typedef struct member {
  int clip;
  double time;
  sinew_transform transform;
} member;

static sinew_model *model;
static member members[MEMBERS];

static int set_up(void **state) {
  (void)state;
  model = sinew_model_load(SINEW_SOURCE "/assets/hero.glb", NULL, NULL);
  for (int i = 0; i < MEMBERS; i++) {
    double time = 0.2 * i * sinew_clip_duration(sinew_model_clip(model, i));
    members[i] = (member){i, time, sinew_transform_identity()};
    members[i].transform.translation.x = (float)i - 1.5f;
  }
  return model ? 0 : -1;
}

static int tear_down(void **state) {
  (void)state;
  sinew_model_release(model);
  return 0;
}

static sinew_host *make_host(void) {
  sinew_host_def def = sinew_host_def_default();
  sinew_error error = {{0}};
  def.output = SINEW_OUTPUT_OFFSCREEN;
  def.width = WIDTH, def.height = HEIGHT;
  def.samples = 1;
  def.shadow_size = 0;
  sinew_host *host = sinew_host_create(&def, &error);
  if (!host) fail_msg("%s", error.message);
  sinew_host_frame_box(host, (sinew_vec3){-2, 0, -1}, (sinew_vec3){2, 1.8f, 1});
  return host;
}

static void add_actors(sinew_host *host) {
  for (int i = 0; i < MEMBERS; i++) {
    sinew_actor actor = sinew_actor_create(host->stage, "one", model, NULL);
    sinew_play_def play = sinew_play_def_default();
    play.clip = members[i].clip, play.time = members[i].time, play.speed = 0, play.fade = 0;
    assert_int_not_equal(sinew_actor_play(host->stage, actor, &play, NULL).id, 0);
    assert_true(sinew_actor_set_transform(host->stage, actor, &members[i].transform));
    assert_true(sinew_actor_set_morph(host->stage, actor, "Smile", GRIN));
  }
}

static sinew_crowd_characters add_crowd(sinew_host *host) {
  sinew_crowd_def def = sinew_crowd_def_default();
  def.model = model, def.count = MEMBERS;
  sinew_crowd_characters all = sinew_crowd_view(host->stage, sinew_crowd_create(host->stage, &def, NULL));
  assert_int_equal(all.count, MEMBERS);
  for (int i = 0; i < MEMBERS; i++) {
    all.slots[0].clip[i] = members[i].clip;
    all.slots[0].time[i] = members[i].time;
    all.speed[i] = 0;
    all.transform[i] = members[i].transform;
    for (int t = 0; t < all.morph_count; t += 2) all.morph_added[i * all.morph_count + t] = GRIN; /* Smile, Blink */
  }
  return all;
}

static picture picture_of(sinew_host *host) {
  picture p;
  sinew_error error = {{0}};
  for (int i = 0; i < 2; i++)
    if (!sinew_host_step(host, 1.0 / 60, &error)) fail_msg("%s", error.message);
  assert_true(picture_create(&p, WIDTH, HEIGHT, NULL));
  assert_true(sinew_renderer_read(host->renderer, WIDTH, HEIGHT, p.rgba, &error));
  return p;
}

/* Pixels that differ by more than rounding does at an edge. */
static int count_different(picture *a, picture *b) {
  int count = 0;
  for (int i = 0; i < WIDTH * HEIGHT * 4; i++) count += abs(a->rgba[i] - b->rgba[i]) > 8;
  return count;
}

static void a_crowd_looks_like_actors(void **state) {
  (void)state;
  picture pictures[4];
  sinew_host *host = make_host();
  pictures[0] = picture_of(host);
  add_actors(host);
  pictures[1] = picture_of(host);
  sinew_host_destroy(host);
  host = make_host();
  sinew_crowd_characters all = add_crowd(host);
  pictures[2] = picture_of(host);
  memset(all.visible, 0, MEMBERS);
  pictures[3] = picture_of(host);
  sinew_host_destroy(host);
  assert_in_range(count_different(pictures + 1, pictures), WIDTH * HEIGHT / 50, WIDTH * HEIGHT * 4);
  assert_in_range(count_different(pictures + 1, pictures + 2), 0, 40);
  assert_int_equal(count_different(pictures, pictures + 3), 0);
  for (int i = 0; i < 4; i++) picture_release(pictures + i);
}

/* Red loses what is green and blue; what is transparent is not there. */
static void the_tint_colours_each_member(void **state) {
  (void)state;
  picture pictures[4];
  sinew_host *host = make_host();
  pictures[0] = picture_of(host);
  sinew_crowd_characters all = add_crowd(host);
  pictures[1] = picture_of(host);
  for (int i = 0; i < MEMBERS; i++) all.tint[i][1] = all.tint[i][2] = 0;
  pictures[2] = picture_of(host);
  for (int i = 0; i < MEMBERS; i++) all.tint[i][3] = 0;
  pictures[3] = picture_of(host);
  sinew_host_destroy(host);
  int64_t sums[4][3] = {{0}};
  for (int k = 0; k < 4; k++)
    for (int i = 0; i < WIDTH * HEIGHT * 3; i++) sums[k][i % 3] += pictures[k].rgba[i / 3 * 4 + i % 3];
  int64_t red = sums[1][0] - sums[2][0], green = sums[1][1] - sums[2][1];
  assert_true(green > 50000 && green > 4 * llabs(red));
  assert_int_equal(count_different(pictures, pictures + 3), 0);
  for (int i = 0; i < 4; i++) picture_release(pictures + i);
}

static int seen(sinew_host *host) {
  picture p = picture_of(host);
  picture_release(&p);
  return sinew_renderer_stats(host->renderer).seen;
}

/* The camera looks at heads: where a member stands is never in the picture, its skin is or is not. */
static void each_member_is_culled_by_its_skin(void **state) {
  (void)state;
  sinew_host *host = make_host();
  sinew_crowd_characters all = add_crowd(host);
  host->camera = sinew_camera_default();
  host->camera.position = (sinew_vec3){0, 1.55f, 2.2f}, host->camera.target = (sinew_vec3){0, 1.55f, 0};
  host->camera.fov_y = 0.35f;
  all.transform[0].translation.x = -4, all.transform[3].translation.x = 4;
  assert_int_equal(seen(host), 2);
  all.transform[1].translation.y = -2;
  assert_int_equal(seen(host), 1);
  all.transform[3].translation.x = 0.2f;
  assert_int_equal(seen(host), 2);
  all.visible[3] = 0;
  assert_int_equal(seen(host), 1);
  sinew_host_destroy(host);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_crowd_looks_like_actors),
                                     cmocka_unit_test(the_tint_colours_each_member),
                                     cmocka_unit_test(each_member_is_culled_by_its_skin)};
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
