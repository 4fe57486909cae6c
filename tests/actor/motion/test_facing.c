/* Characters that do not face +z: whatever blends their legs, they move as the hero does, turned. */
#include "support/hero.h"

enum { JOINTS = 128 };

static sinew_model *load_facing(const char *front) {
  sinew_error error = {""};
  sinew_load_options options = sinew_load_options_default();
  options.front = front;
  options.clip_files = (const char *const[]){SINEW_SOURCE "/assets/hero_extra.glb"};
  options.clip_file_count = 1;
  sinew_model *model = sinew_model_load(SINEW_SOURCE "/assets/hero.glb", &options, &error);
  if (!model) fail_msg("%s", error.message);
  return model;
}

typedef struct side {
  const char *front;      /* as which the file is loaded: the model then faces … */
  sinew_vec3 faces, x, z; /* … this, and the hero's axes go there */
} side;

static const side sides[] = {{"-z", {0, 0, -1}, {-1, 0, 0}, {0, 0, -1}},
                             {"+x", {-1, 0, 0}, {0, 0, 1}, {-1, 0, 0}},
                             {"-x", {1, 0, 0}, {0, 0, -1}, {1, 0, 0}}};
enum { SIDES = sizeof sides / sizeof *sides };

static void a_model_says_where_it_faces(void **state) {
  (void)state;
  for (int i = 0; i < SIDES; i++) {
    sinew_model *model = load_facing(sides[i].front);
    sinew_vec3 front = sinew_model_front(model);
    assert_true(front.x == sides[i].faces.x && front.y == 0 && front.z == sides[i].faces.z);
    sinew_model_release(model);
  }
  sinew_model *model = load_hero(), *fox = sinew_model_load(SINEW_SOURCE "/assets/fox.glb", NULL, NULL);
  sinew_vec3 front = sinew_model_front(model), of_fox = sinew_model_front(fox);
  assert_true(front.x == 0 && front.z == 1 && of_fox.x == 0 && of_fox.z == 1);
  sinew_model_release(model), sinew_model_release(fox);
}

typedef struct walker {
  sinew_model *model;
  sinew_stage *stage;
  sinew_actor actor;
} walker;

static walker open_walker(sinew_model *model) {
  walker w = {.model = model, .stage = sinew_stage_create(NULL)};
  w.actor = sinew_actor_create(w.stage, "one", model, NULL);
  return w;
}

static void close_walker(walker *w) {
  sinew_stage_destroy(w->stage);
  sinew_model_release(w->model);
}

static void play(const walker *w, const char *clip, float weight, const char *sync, sinew_transition_kind kind) {
  sinew_play_def def = sinew_play_def_default();
  def.clip = hero_clip(w->model, clip), def.kind = kind, def.fade = 0.3;
  if (weight >= 0) def.weight = weight, def.solo = false, def.fade = 0;
  if (sync) strcpy(def.sync_group, sync);
  assert_int_not_equal(sinew_actor_play(w->stage, w->actor, &def, NULL).id, 0);
}

/* The largest distance of a joint from the hero's, turned. */
static double compare(const walker *hero, const walker *other, const side *s) {
  const sinew_mat3x4 *a = sinew_actor_joints(hero->stage, hero->actor),
                     *b = sinew_actor_joints(other->stage, other->actor);
  double most = 0;
  for (int i = 1; i < sinew_model_joint_count(hero->model); i++) {
    double x = (double)a[i].m[3], y = (double)a[i].m[7], z = (double)a[i].m[11];
    double dx = x * s->x.x + z * s->z.x - b[i].m[3], dz = x * s->x.z + z * s->z.z - b[i].m[11];
    most = fmax(most, sqrt(dx * dx + dz * dz + pow(y - b[i].m[7], 2)));
  }
  return most;
}

typedef void begin_motion(const walker *w);

/* A leg's straight knee used to fold forwards: a foot went at 128 m/s. */
static void mix(const walker *w) {
  play(w, "Walk", 0.4f, "legs", SINEW_TRANSITION_CROSSFADE);
  play(w, "Run", 0.3f, "legs", SINEW_TRANSITION_CROSSFADE);
  play(w, "Idle", 0.3f, NULL, SINEW_TRANSITION_CROSSFADE);
}

static void fade(const walker *w) {
  play(w, "Run", -1, NULL, SINEW_TRANSITION_CROSSFADE);
  for (int i = 0; i < 40; i++) sinew_stage_update(w->stage, 1.0 / 60);
  play(w, "Walk", -1, NULL, SINEW_TRANSITION_CROSSFADE);
}

static void go_over(const walker *w) {
  play(w, "Run", -1, NULL, SINEW_TRANSITION_CROSSFADE);
  for (int i = 0; i < 40; i++) sinew_stage_update(w->stage, 1.0 / 60);
  play(w, "Idle", -1, NULL, SINEW_TRANSITION_INERTIAL);
}

static void legs_bend_alike(void **state) {
  static begin_motion *const motions[] = {mix, fade, go_over};
  (void)state;
  for (int i = 0; i < SIDES; i++)
    for (size_t k = 0; k < sizeof motions / sizeof *motions; k++) {
      walker hero = open_walker(load_hero()), other = open_walker(load_facing(sides[i].front));
      motions[k](&hero), motions[k](&other);
      for (int frame = 0; frame < 120; frame++) {
        sinew_stage_update(hero.stage, 1.0 / 60), sinew_stage_update(other.stage, 1.0 / 60);
        double off = compare(&hero, &other, sides + i);
        if (off > 1e-3)
          fail_msg("facing %s, motion %d, frame %d: a joint is %.4f m off", sides[i].front, (int)k, frame, off);
      }
      close_walker(&hero), close_walker(&other);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_model_says_where_it_faces), cmocka_unit_test(legs_bend_alike)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
