/* Each field of each kind is declared, saved with another value, and its effect is read from what lives. Then the eyes
 * are proved: with a field's reading, comparing or applying switched off, the very same check must fail. */
#include "harness.h"

#include "declare/kinds.h"

#define PREFIX                                                                                                         \
  "local sinew = require 'sinew'\n"                                                                                    \
  "local man = sinew.model 'hero.glb'\n"                                                                               \
  "local hero = sinew.actor('hero', man)\n"

static sinew_actor hero_of(const harness *h) { return sinew_scene_find_actor(h->scene, "hero"); }
static sinew_stage *stage_of(const harness *h) { return sinew_host_stage(h->host); }

/* What lives: the newest action of the base layer. */
static sinew_action_state action_of(const harness *h) {
  sinew_action_state state;
  int count = sinew_actor_action_count(stage_of(h), hero_of(h), 0);
  sinew_action_get(stage_of(h), sinew_actor_action(stage_of(h), hero_of(h), 0, count - 1), &state);
  return state;
}

typedef struct probe probe;
struct probe {
  const store_kind *kind;
  const char *field, *before, *after; /* the two scenes, after PREFIX */
  const char *told;                   /* what the toast says */
  bool (*has)(harness *h);            /* the living thing is as the second scene wants it */
  const char *restart;                /* what makes the field act that only a new start can use; or NULL */
};

/* ---- actions ---- */

static bool leaves_early(harness *h) {
  harness_step(h, 1);
  return sinew_action_is_stopping(stage_of(h), sinew_actor_action(stage_of(h), hero_of(h), 0, 0));
}
static bool loops_twice(harness *h) { return action_of(h).loop == SINEW_LOOP_COUNT && action_of(h).loop_count == 2; }
static bool is_fast(harness *h) { return action_of(h).speed == 2; }
static bool weighs_half(harness *h) { return action_of(h).weight == 0.5f; }
static bool is_late(harness *h) { return fabs(action_of(h).time - 0.6) < 1e-9; }
static bool begins_later(harness *h) { return action_of(h).from == 0.25 && action_of(h).time >= 0.25; }
static bool ends_earlier(harness *h) { return action_of(h).to == 0.4; }
static bool is_in_sync(harness *h) { return action_of(h).sync_group && !strcmp(action_of(h).sync_group, "feet"); }
static bool stands(harness *h) { return action_of(h).paused; }

static float newest_weight(harness *h) {
  harness_step(h, 6);
  return action_of(h).faded;
}
static bool fades_slowly(harness *h) { return fabsf(newest_weight(h) - 0.1f) < 0.02f; } /* 6 of 60 frames */
static bool eases_in(harness *h) { return fabsf(newest_weight(h) - 0.01f) < 0.005f; }
static bool cuts(harness *h) {
  harness_step(h, 2);
  return sinew_actor_action_count(stage_of(h), hero_of(h), 0) == 1;
}
static bool mixes(harness *h) {
  harness_step(h, 40);
  return sinew_actor_action_count(stage_of(h), hero_of(h), 0) == 2;
}

/* A declaration that goes and comes back later than it is held starts anew. */
#define PLAY(options) "hero:play('Walk', { " options " })\n"
#define AGAIN "hero:play('Idle', { fade = 0 })\n"

static const probe probes[] = {
    {&kind_action, "fade", PLAY("fade = 0.2"), PLAY("fade = 1"), "fade 0.2 → 1 (when it starts next)", fades_slowly,
     AGAIN},
    {&kind_action, "fade_out", PLAY("loop = 'once', speed = 4"), PLAY("loop = 'once', speed = 4, fade_out = 0.5"),
     "fade_out default → 0.5", leaves_early, NULL},
    {&kind_action, "loop", PLAY("loop = 'once'"), PLAY("loop = 2"), "loop once → 2", loops_twice, NULL},
    {&kind_action, "speed", PLAY("speed = 1"), PLAY("speed = 2"), "speed 1 → 2", is_fast, NULL},
    {&kind_action, "weight", PLAY("weight = 1"), PLAY("weight = 0.5"), "weight 1 → 0.5", weighs_half, NULL},
    {&kind_action, "time", PLAY("time = 0.1"), PLAY("time = 0.6"), "time 0.1 → 0.6", is_late, NULL},
    {&kind_action, "ease", PLAY("fade = 1"), PLAY("fade = 1, ease = 'in'"), "ease linear → in (when it starts next)",
     eases_in, AGAIN},
    {&kind_action, "blend", PLAY("fade = 1"), PLAY("fade = 1, blend = 'inertial'"),
     "blend crossfade → inertial (when it starts next)", cuts, AGAIN},
    {&kind_action, "from", PLAY("from = 0.1"), PLAY("from = 0.25"), "from 0.1 → 0.25", begins_later, NULL},
    {&kind_action, "to", PLAY("to = 0.8"), PLAY("to = 0.4"), "to 0.8 → 0.4", ends_earlier, NULL},
    {&kind_action, "sync", PLAY(""), PLAY("sync = 'feet'"), "sync none → feet", is_in_sync, NULL},
    {&kind_action, "paused", "local a = " PLAY("") "a.paused = false\n", "local a = " PLAY("") "a.paused = true\n",
     "paused false → true", stands, NULL},
    {&kind_action, "way", AGAIN PLAY("fade = 0.2"), AGAIN PLAY("fade = 0.2, weight = 1"),
     "way crossfade → mix (when it starts next)", mixes, AGAIN},
};
enum { PROBES = sizeof probes / sizeof *probes };

static void load(harness *h, const char *text) {
  char whole[4096];
  snprintf(whole, sizeof whole, "%s%s", PREFIX, text);
  if (h->scene ? !harness_reload(h, whole) : !harness_load(h, whole, NULL)) fail_msg("%s", h->error.message);
}

/* Whether the save is told and has its effect. */
static bool works(const probe *p) {
  static harness h;
  harness_open_host(&h);
  load(&h, p->before);
  harness_step(&h, 6);
  load(&h, p->after);
  bool told = strstr(sinew_scene_summary(h.scene), p->told) != NULL;
  if (p->restart) {
    load(&h, p->restart);
    harness_step(&h, 660); /* ten seconds, and what is held is forgotten */
    load(&h, p->after);
  }
  bool has = p->has(&h);
  harness_close(&h);
  return told && has;
}

static void each_field_acts_when_a_save_changes_it(void **state) {
  (void)state;
  for (int i = 0; i < PROBES; i++)
    if (!works(probes + i)) fail_msg("%s.%s", probes[i].kind->name, probes[i].field);
}

/* A value that only a start uses is applied as a whole, and one that scripts alone set is not read as an option. */
static bool is_used(const store_field *f, int use) {
  if (use == FIELD_READ) return f->spec;
  return use == FIELD_COMPARE || f->effect != FIELD_START;
}

static void without_reading_comparing_or_applying_a_field_its_check_fails(void **state) {
  (void)state;
  for (int i = 0; i < PROBES; i++) {
    const store_field *f = kind_field(probes[i].kind, probes[i].field);
    assert_non_null(f);
    for (int use = 0; use < FIELD_USES; use++) {
      if (!is_used(f, use)) continue;
      field_blind[use] = f;
      bool unseen = works(probes + i);
      field_blind[use] = NULL;
      if (unseen) fail_msg("%s.%s is not missed (%d)", probes[i].kind->name, f->name, use);
    }
  }
}

static void every_field_has_a_check(void **state) {
  (void)state;
  for (const store_kind *const *k = store_kinds; *k; k++)
    for (const store_field *f = (*k)->fields; f->name; f++) {
      bool found = false;
      for (int i = 0; i < PROBES; i++) found |= probes[i].kind == *k && strcmp(probes[i].field, f->name) == 0;
      if (!found) fail_msg("%s.%s has none", (*k)->name, f->name);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_field_has_a_check),
      cmocka_unit_test(each_field_acts_when_a_save_changes_it),
      cmocka_unit_test(without_reading_comparing_or_applying_a_field_its_check_fails),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
