/* The feet of a crowd's characters that are near: as those of actors with the same graph and the same parameters. */
#include "support/hero.h"

#include <sinew/crowd.h>
#include <sinew/graph.h>

enum { COUNT = 5 };
static const float speeds[COUNT] = {0.35f, 0.7f, 1.4f, 2.7f, 0.7f}; /* the last one stands far away */
static const char *const names[] = {"speed"};

typedef struct gait_graph {
  sinew_node_def nodes[6];
  sinew_graph_def def;
} gait_graph;

/* The gaits alone, or over a clip that is not in sync with them and has a third of the weight. */
static void make_graph(gait_graph *g, const sinew_model *model, bool mixed) {
  static const char *const clips[] = {"Idle", "Walk", "Run"};
  static const double places[] = {0, 1.4, 4};
  const int space = mixed ? 1 : 0, first = mixed ? 3 : 1;
  for (int i = 0; i < 6; i++) g->nodes[i] = sinew_node_def_default();
  if (mixed) {
    g->nodes[0].kind = SINEW_NODE_BLEND, g->nodes[0].first_child = 1, g->nodes[0].child_count = 2;
    g->nodes[1].x = 2, g->nodes[2].x = 1, g->nodes[2].clip = hero_clip(model, "Wave");
  }
  g->nodes[space].kind = SINEW_NODE_SPACE_1D, g->nodes[space].first_child = first, g->nodes[space].child_count = 3;
  g->nodes[space].sync = true, g->nodes[space].param_x = 0;
  for (int i = 0; i < 3; i++) g->nodes[first + i].clip = hero_clip(model, clips[i]), g->nodes[first + i].x = places[i];
  g->def = (sinew_graph_def){g->nodes, first + 3, NULL, 0};
}

static int set_up(void **state) {
  static world w;
  world_open(&w, load_hero());
  *state = &w;
  return 0;
}

static sinew_crowd make_crowd(world *w, const gait_graph *g) {
  sinew_crowd_def def = sinew_crowd_def_default();
  sinew_error error = {""};
  def.model = w->model, def.count = COUNT, def.slot_count = 4, def.graph = &g->def;
  def.param_names = names, def.param_count = 1;
  sinew_crowd crowd = sinew_crowd_create(w->stage, &def, &error);
  if (!crowd.id) fail_msg("%s", error.message);
  sinew_crowd_characters all = sinew_crowd_view(w->stage, crowd);
  for (int i = 0; i < COUNT; i++) all.params[i] = speeds[i];
  all.transform[COUNT - 1].translation.x = 20;
  return crowd;
}

static void make_actors(world *w, const gait_graph *g, sinew_actor actors[COUNT]) {
  for (int i = 0; i < COUNT; i++) {
    double speed = (double)speeds[i];
    actors[i] = sinew_actor_create(w->stage, "twin", w->model, NULL);
    assert_true(sinew_actor_set_params(w->stage, actors[i], names, &speed, 1, NULL));
    assert_true(sinew_actor_set_graph(w->stage, actors[i], 0, &g->def, 0, NULL));
  }
}

/* Metres that matrices of two palettes move a point by the hero's feet apart. */
static double apart(const sinew_mat3x4 *a, const sinew_mat3x4 *b, int count) {
  const sinew_vec3 low = {0.1f, 0.05f, 0.05f};
  double worst = 0;
  for (int i = 0; i < count; i++) {
    sinew_vec3 p = sinew_mat3x4_transform_point(a + i, low), q = sinew_mat3x4_transform_point(b + i, low);
    worst = fmax(worst, fmax(fabs((double)(p.x - q.x)), fmax(fabs((double)(p.y - q.y)), fabs((double)(p.z - q.z)))));
  }
  return worst;
}

/* Measures the distance between each member's joints and those of its twin. */
static void compare(world *w, double rate, bool has_viewpoint, bool mixed, double worst[COUNT]) {
  sinew_actor actors[COUNT];
  gait_graph g;
  int count, size = sinew_model_palette_count(w->model);
  world_close(w), world_open(w, load_hero());
  make_graph(&g, w->model, mixed);
  sinew_crowd crowd = make_crowd(w, &g);
  const sinew_vec3 origin = {0, 0, 0};
  if (has_viewpoint)
    assert_true(sinew_crowd_set_detail(w->stage, crowd, origin, &(sinew_crowd_detail){INFINITY, INFINITY}));
  make_actors(w, &g, actors);
  for (int frame = 0; frame < 1.5 * rate; frame++) {
    sinew_stage_update(w->stage, 1 / rate);
    const sinew_mat3x4 *all = sinew_stage_palettes(w->stage, &count);
    const sinew_mat3x4 *members = all + sinew_crowd_palette_offset(w->stage, crowd);
    for (int i = 0; i < COUNT; i++)
      worst[i] = fmax(worst[i], apart(members + (size_t)i * (size_t)size,
                                      all + sinew_actor_palette_offset(w->stage, actors[i]), size));
  }
}

static void who_is_near_has_feet_as_an_actor(void **state) {
  for (int r = 0; r < 2 * FRAME_RATES; r++) {
    double worst[COUNT] = {0};
    compare(*state, frame_rates[r / 2], true, r % 2, worst);
    for (int i = 0; i + 1 < COUNT; i++)
      if (worst[i] > 1e-4) fail_msg("%g Hz, %g m/s: %g m apart", frame_rates[r / 2], (double)speeds[i], worst[i]);
    assert_true(worst[COUNT - 1] > 0.01); /* whose joints are blended */
  }
}

/* The quick way for all of them, wherever they stand, and nobody takes turns. */
static void without_a_viewpoint_nobody_is_near(void **state) {
  double worst[COUNT] = {0};
  compare(*state, 60, false, false, worst);
  for (int i = 0; i < COUNT; i++) {
    bool blends = speeds[i] != 1.4f;
    if (blends != (worst[i] > 0.01)) fail_msg("%g m/s: %g m apart", (double)speeds[i], worst[i]);
    assert_true(worst[i] < 0.3);
  }
}

static bool far_one_has_feet(world *w, float unit, float scale) {
  sinew_load_options options = sinew_load_options_default();
  double worst = 0;
  gait_graph g;
  int count;
  options.unit = unit;
  world_close(w), world_open(w, sinew_model_load(SINEW_SOURCE "/assets/hero.glb", &options, NULL));
  make_graph(&g, w->model, false);
  sinew_actor actors[COUNT];
  sinew_crowd crowd = make_crowd(w, &g);
  sinew_crowd_characters all = sinew_crowd_view(w->stage, crowd);
  assert_true(
      sinew_crowd_set_detail(w->stage, crowd, (sinew_vec3){0, 0, 0}, &(sinew_crowd_detail){INFINITY, INFINITY}));
  for (int i = 0; i < COUNT; i++) all.transform[i].scale = (sinew_vec3){scale, scale, scale};
  make_actors(w, &g, actors);
  const size_t size = (size_t)sinew_model_palette_count(w->model);
  for (int frame = 0; frame < 60; frame++) {
    sinew_stage_update(w->stage, 1 / 60.0);
    const sinew_mat3x4 *palettes = sinew_stage_palettes(w->stage, &count);
    const sinew_mat3x4 *member = palettes + sinew_crowd_palette_offset(w->stage, crowd) + (COUNT - 1) * size;
    worst = fmax(worst, apart(member, palettes + sinew_actor_palette_offset(w->stage, actors[COUNT - 1]), (int)size));
  }
  return worst < 0.01 * (double)unit;
}

/* At 20 units: 20 m from a person, beside a giant, in a world of centimetres, and from a file of centimetres that is
 * scaled to metres. */
static void near_is_in_the_figures_own_size(void **state) {
  assert_false(far_one_has_feet(*state, 1, 1));
  assert_true(far_one_has_feet(*state, 1, 2));
  assert_true(far_one_has_feet(*state, 100, 1));
  assert_false(far_one_has_feet(*state, 100, 0.01f));
}

/* The state of a crowd gives the same palettes, to the bit, in another crowd that has neither its graph nor its
 * viewpoint. Without the legs it does not. */
static void given_legs_pose_the_same(void **state) {
  world *w = *state;
  gait_graph g;
  int size = sinew_model_palette_count(w->model), count, apart_without = 0;
  world_close(w), world_open(w, load_hero());
  make_graph(&g, w->model, false);
  sinew_crowd crowd = make_crowd(w, &g);
  sinew_stage *other = sinew_stage_create(NULL);
  sinew_crowd_def def = sinew_crowd_def_default();
  def.model = w->model, def.count = COUNT, def.slot_count = 4, def.has_legs = true;
  sinew_crowd again = sinew_crowd_create(other, &def, NULL);
  sinew_crowd_characters then = sinew_crowd_view(w->stage, crowd), now = sinew_crowd_view(other, again);
  assert_true(
      sinew_crowd_set_detail(w->stage, crowd, (sinew_vec3){0, 0, 0}, &(sinew_crowd_detail){INFINITY, INFINITY}));
  assert_non_null(now.legs);
  for (int frame = 0; frame < 90; frame++) {
    sinew_stage_update(w->stage, 1.0 / 60);
    for (int with = 0; with <= 1; with++) {
      for (int i = 0; i < COUNT; i++) {
        now.transform[i] = then.transform[i];
        now.legs[i] = with ? then.legs[i] : (sinew_crowd_legs){.synced = 0};
        for (int s = 0; s < 4; s++) {
          now.slots[s].clip[i] = then.slots[s].clip[i];
          now.slots[s].time[i] = then.slots[s].time[i];
          now.slots[s].weight[i] = then.slots[s].weight[i];
        }
      }
      sinew_stage_update(other, 0);
      const sinew_mat3x4 *a = sinew_stage_palettes(w->stage, &count) + sinew_crowd_palette_offset(w->stage, crowd);
      const sinew_mat3x4 *b = sinew_stage_palettes(other, &count) + sinew_crowd_palette_offset(other, again);
      bool same = memcmp(a, b, (size_t)(COUNT * size) * sizeof *a) == 0;
      if (with) assert_true(same);
      else apart_without += !same;
    }
  }
  assert_true(apart_without > 80);
  sinew_stage_destroy(other);
}

int main(void) {
  const struct CMUnitTest tests[] = {WITH_WORLD(who_is_near_has_feet_as_an_actor),
                                     WITH_WORLD(without_a_viewpoint_nobody_is_near),
                                     WITH_WORLD(near_is_in_the_figures_own_size), WITH_WORLD(given_legs_pose_the_same)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
