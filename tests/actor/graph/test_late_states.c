/* States that begin within an update: what the motion before did until that moment is part of it. */
#include "support/hero.h"

#include "math/vec3.h"

#include <sinew/actor_modifiers.h>
#include <sinew/graph.h>

static int set_up(void **state) {
  static world w;
  world_open(&w, load_hero());
  *state = &w;
  return 0;
}

static void set_root(world *w, sinew_actor actor) {
  sinew_root_def def = sinew_root_def_default();
  def.joint = hero_joint(w->model, "Root");
  assert_true(sinew_actor_set_root(w->stage, actor, &def, NULL));
}

static void give_states(world *w, sinew_actor actor, const char *clip) {
  sinew_node_def nodes[3] = {sinew_node_def_default(), sinew_node_def_default(), sinew_node_def_default()};
  nodes[0].kind = SINEW_NODE_MACHINE, nodes[0].first_child = 1, nodes[0].child_count = 2;
  nodes[0].transition_count = 1;
  nodes[1].clip = nodes[2].clip = hero_clip(w->model, clip);
  nodes[1].loop = SINEW_LOOP_ONCE;
  sinew_transition_def t = sinew_transition_def_default();
  t.from = 0, t.to = 1, t.before_end = 0, t.fade = 0.1, t.kind = SINEW_TRANSITION_INERTIAL;
  sinew_graph_def def = {nodes, 3, &t, 1};
  sinew_error error = {""};
  if (!sinew_actor_set_graph(w->stage, actor, 0, &def, 0, &error)) fail_msg("%s", error.message);
}

static sinew_vec3 joint_of(const world *w, sinew_actor actor, const char *joint) {
  const float *m = sinew_actor_joints(w->stage, actor)[hero_joint(w->model, joint)].m;
  sinew_vec3 at = sinew_actor_transform(w->stage, actor).translation;
  return (sinew_vec3){m[3] + at.x, m[7] + at.y, m[11] + at.z};
}

/* A run that ends goes over into the same run, as if it had never ended: how far a foot is ever from where it is in the
 * looping run. */
static double strays(world *w, const char *clip, double first, double rate) {
  double farthest = 0;
  sinew_play_def play = sinew_play_def_default();
  sinew_actor ended = sinew_actor_create(w->stage, "ended", w->model, NULL);
  sinew_actor looped = sinew_actor_create(w->stage, "looped", w->model, NULL);
  set_root(w, ended), set_root(w, looped);
  give_states(w, ended, clip);
  play.clip = hero_clip(w->model, clip), play.fade = 0;
  assert_true(sinew_actor_play(w->stage, looped, &play, NULL).id != 0);
  sinew_stage_update(w->stage, first);
  for (int i = 0; i < 1.2 * rate; i++) {
    sinew_stage_update(w->stage, 1 / rate);
    farthest = fmax(farthest, (double)vec3_distance(joint_of(w, ended, "LeftFoot"), joint_of(w, looped, "LeftFoot")));
    farthest = fmax(farthest, (double)vec3_distance(joint_of(w, ended, "RightFoot"), joint_of(w, looped, "RightFoot")));
  }
  sinew_actor_destroy(w->stage, ended);
  sinew_actor_destroy(w->stage, looped);
  return farthest;
}

/* Whatever part of the frame is over by then: the speed of a foot changes at the seam, which is worth 2 cm. */
static void an_inertial_transition_begins_where_the_clip_ends(void **state) {
  world *w = *state;
  static const char *const clips[] = {"Run", "RunRoot"};
  for (int c = 0; c < 2; c++)
    for (int k = 0; k < FRAME_RATES; k++)
      for (int part = 0; part <= 8; part++) {
        double way = strays(w, clips[c], part / 8.0 / frame_rates[k], frame_rates[k]);
        if (way > 0.022) fail_msg("%s, %g Hz, %d/8 of a frame: %g m", clips[c], frame_rates[k], part, way);
      }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      WITH_WORLD(an_inertial_transition_begins_where_the_clip_ends),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
