/* Crowds: what each character gets, against the jobs run one by one; times, phases and weights, against their formulas.
 */
#include "actor/cast.h"
#include "support/failing_heap.h"
#include "support/large_pages.h"

#include "base/memory/memory.h"
#include "model/pose_group.h"

#include <sinew/crowd.h>

static sinew_model *model;

static int set_up(void **state) {
  (void)state;
  random_seed(31);
  model = cast_model(CAST_JOINTS - 3);
  return 0;
}

static int tear_down(void **state) {
  (void)state;
  sinew_model_release(model);
  return 0;
}

typedef struct world {
  sinew_stage *stage;
  sinew_crowd crowd;
  sinew_crowd_characters all;
  int palette_count;
} world;

static world make_world(const sinew_crowd_def *def, int threads) {
  world w = {.stage = sinew_stage_create(NULL), .palette_count = sinew_model_palette_count(model)};
  assert_true(sinew_stage_set_threads(w.stage, threads));
  w.crowd = sinew_crowd_create(w.stage, def, NULL);
  assert_true(sinew_crowd_is_valid(w.stage, w.crowd));
  w.all = sinew_crowd_view(w.stage, w.crowd);
  return w;
}

static sinew_crowd_def plain(int count, int slots) {
  sinew_crowd_def def = sinew_crowd_def_default();
  def.model = model;
  def.count = count;
  def.slot_count = slots;
  for (int s = 0; s < slots; s++) def.clips[s] = s;
  return def;
}

static const sinew_mat3x4 *palette_of(const world *w, int character) {
  int count;
  int offset = sinew_crowd_palette_offset(w->stage, w->crowd);
  return sinew_stage_palettes(w->stage, &count) + offset + character * w->palette_count;
}

static void shuffle(sinew_crowd_characters *c) {
  for (int i = 0; i < c->count; i++) {
    for (int s = 0; s < c->slot_count; s++) {
      c->slots[s].clip[i] = (int)(random_bits() % (CAST_CLIPS + 1)) - 1;
      c->slots[s].time[i] = (double)random_range(-1, 3);
      c->slots[s].weight[i] = random_bits() % 4 ? random_range(0, 1) : 0;
    }
    c->speed[i] = random_range(-2, 2);
    c->transform[i] = random_transform(false);
    c->visible[i] = random_bits() % 8 != 0;
  }
}

static double duration(int clip) { return sinew_clip_duration(sinew_model_clip(model, clip)); }

/* ---- what a character gets ---- */

/* Sample, blend, local to model, palette as four jobs, at the times that the arrays say. */
static void palette_by_jobs(const world *w, int i, sinew_mat3x4 *palette) {
  sinew_blend_source sources[SINEW_CROWD_SLOTS];
  float sum = 0;
  int count = 0, joint_count = sinew_model_joint_count(model);
  sinew_mat3x4 joints[CAST_JOINTS + 1];
  sinew_pose pose = random_pose(joint_count, false), slots[SINEW_CROWD_SLOTS];
  for (int s = 0; s < w->all.slot_count; s++) {
    slots[s] = random_pose(joint_count, false);
    const sinew_crowd_slot *slot = &w->all.slots[s];
    if (slot->clip[i] < 0) continue;
    const sinew_clip *clip = sinew_model_clip(model, slot->clip[i]);
    assert_true(sinew_sample(&(sinew_sample_job){model, clip, slot->time[i], slots[s]}));
    sources[count++] = (sinew_blend_source){slots[s].groups, slot->weight[i], clip->animated};
    sum += slot->weight[i];
  }
  for (int k = 0; k < count && sum > 0; k++) sources[k].weight /= sum; /* they share the whole */
  assert_true(sinew_blend(&(sinew_blend_job){sources, count, model_rest_pose(model), 0.9999f / fmaxf(sum, 1), pose}));
  assert_true(sinew_local_to_model(&(sinew_local_to_model_job){model, pose, joints, 0}));
  assert_true(sinew_palette(&(sinew_palette_job){model, joints, palette}));
  free(pose.groups);
  for (int s = 0; s < w->all.slot_count; s++) free(slots[s].groups);
}

static void expect_jobs_palette(const world *w, int i) {
  sinew_mat3x4 wanted[CAST_JOINTS];
  palette_by_jobs(w, i, wanted);
  const float *is = palette_of(w, i)->m, *should = wanted[0].m;
  float size = 1;
  for (int k = 0; k < w->palette_count * 12; k++) size = fmaxf(size, fabsf(should[k]));
  for (int k = 0; k < w->palette_count * 12; k++) assert_near(is[k], should[k], 1e-5 * size);
}

static void each_character_gets_what_the_jobs_give(void **state) {
  (void)state;
  random_seed(3);
  for (int slots = 1; slots <= SINEW_CROWD_SLOTS; slots++) {
    sinew_crowd_def def = plain(37, slots);
    world w = make_world(&def, 1 + slots % 2 * 3);
    for (int i = 0; i < def.count; i++) expect_jobs_palette(&w, i); /* at creation */
    for (int frame = 0; frame < 4; frame++) {
      shuffle(&w.all);
      sinew_stage_update(w.stage, 0.07);
      for (int i = 0; i < def.count; i++)
        if (w.all.visible[i]) expect_jobs_palette(&w, i);
    }
    sinew_stage_destroy(w.stage);
  }
}

static record play_random_crowds(uint64_t seed, int threads) {
  record r = {0};
  random_seed(seed);
  sinew_crowd_def def = plain(1 + (int)(random_bits() % 200), 1 + (int)(random_bits() % 4));
  def.sync = random_bits() % 2;
  def.has_positions = random_bits() % 2;
  for (int s = 0; s < SINEW_CROWD_SLOTS; s++) def.positions[s] = (float)(s * s);
  world w = make_world(&def, threads);
  sinew_crowd_set_detail(w.stage, w.crowd, (sinew_vec3){0, 0, 0},
                         &(sinew_crowd_detail){random_range(0, 1), random_range(0, 2)});
  for (int frame = 0; frame < 10; frame++) {
    if (frame % 3 == 0) shuffle(&w.all);
    sinew_stage_update(w.stage, (double)random_range(0, 0.1f));
    size_t matrices = (size_t)(def.count * w.palette_count);
    record_add(&r, palette_of(&w, 0), matrices * sizeof(sinew_mat3x4));
    expect_finite(palette_of(&w, 0)->m, matrices * 12);
    for (int s = 0; s < def.slot_count; s++) {
      record_add(&r, w.all.slots[s].time, (size_t)def.count * sizeof(double));
      record_add(&r, w.all.slots[s].weight, (size_t)def.count * sizeof(float));
    }
  }
  sinew_stage_destroy(w.stage);
  return r;
}

static void threads_do_not_change_a_bit(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 8; seed++) {
    record one = play_random_crowds(seed, 1), many = play_random_crowds(seed, 2 + (int)seed % 4);
    expect_same_record(&one, &many);
  }
}

/* ---- time and weight ---- */

static void times_loop_at_any_speed(void **state) {
  (void)state;
  sinew_crowd_def def = plain(8, 2);
  world w = make_world(&def, 1);
  static const float speeds[] = {1, -1, 0.5f, -3, 0, 100, NAN, INFINITY};
  double travelled[2][8] = {{0}};
  memcpy(w.all.speed, speeds, sizeof speeds);
  for (int frame = 0; frame < 60; frame++) {
    sinew_stage_update(w.stage, 0.03);
    for (int s = 0; s < 2; s++)
      for (int i = 0; i < 8; i++) {
        if (isfinite(speeds[i])) travelled[s][i] += 0.03 * speeds[i];
        double time = w.all.slots[s].time[i], length = duration(s);
        assert_true(time >= 0 && time <= length);
        double difference = remainder(time - travelled[s][i], length);
        assert_near(difference, 0, 1e-9);
      }
  }
  sinew_stage_destroy(w.stage);
}

/* Where no time passes, the end of a clip is not its beginning: who stands there stays. */
static void the_end_of_a_clip_stays(void **state) {
  (void)state;
  sinew_crowd_def def = plain(1, 1);
  world w = make_world(&def, 1);
  w.all.slots[0].time[0] = duration(0);
  sinew_stage_update(w.stage, 0);
  assert_true(w.all.slots[0].time[0] == duration(0));
  expect_jobs_palette(&w, 0);
  w.all.speed[0] = 0;
  sinew_stage_update(w.stage, 0.1);
  assert_true(w.all.slots[0].time[0] == duration(0));
  w.all.speed[0] = 1;
  sinew_stage_update(w.stage, 0.1);
  assert_near(w.all.slots[0].time[0], 0.1, 1e-9);
  sinew_stage_destroy(w.stage);
}

/* Σ weight × duration / Σ weight is how long a cycle of the mix takes. */
static void synchronised_clips_share_one_phase(void **state) {
  (void)state;
  sinew_crowd_def def = plain(2, 3);
  def.sync = true;
  world w = make_world(&def, 1);
  static const float weights[3] = {0.2f, 0.5f, 0.3f};
  double length = 0, phase = 0.25;
  for (int s = 0; s < 3; s++) {
    w.all.slots[s].weight[0] = weights[s];
    length += (double)weights[s] * duration(s);
  }
  w.all.slots[0].time[0] = phase * duration(0);
  w.all.slots[1].time[0] = 0.01; /* follows the leader whatever it was */
  w.all.speed[0] = 1.5f;
  w.all.slots[0].clip[1] = -1; /* the second slot leads, alone */
  w.all.slots[1].weight[1] = 1;
  for (int frame = 1; frame <= 50; frame++) {
    sinew_stage_update(w.stage, 0.02);
    double now = phase + frame * 0.02 * 1.5 / length;
    for (int s = 0; s < 3; s++) assert_near(remainder(w.all.slots[s].time[0] / duration(s) - now, 1), 0, 1e-6);
    assert_near(remainder(w.all.slots[1].time[1] - frame * 0.02, duration(1)), 0, 1e-9);
    assert_near(w.all.slots[2].time[1] / duration(2), w.all.slots[1].time[1] / duration(1), 1e-9);
  }
  sinew_stage_destroy(w.stage);
}

static void weights_follow_the_positions(void **state) {
  (void)state;
  sinew_crowd_def def = plain(9, 3);
  def.has_positions = true;
  def.positions[0] = -1, def.positions[1] = 0, def.positions[2] = 3;
  world w = make_world(&def, 1);
  static const float blends[9] = {-1, -0.75f, 0, 0.75f, 3, 9, -9, INFINITY, NAN};
  static const float wanted[9][3] = {{1, 0, 0}, {0.75f, 0.25f, 0}, {0, 1, 0}, {0, 0.75f, 0.25f}, {0, 0, 1},
                                     {0, 0, 1}, {1, 0, 0},         {1, 0, 0}, {1, 0, 0}}; /* the last two keep theirs */
  memcpy(w.all.blend, blends, sizeof blends);
  sinew_stage_update(w.stage, 0.1);
  for (int i = 0; i < 9; i++)
    for (int s = 0; s < 3; s++) assert_near(w.all.slots[s].weight[i], wanted[i][s], 1e-6);
  sinew_stage_destroy(w.stage);
}

static void strange_values_do_no_harm(void **state) {
  (void)state;
  static const float strange[] = {NAN, INFINITY, -INFINITY, -1, 3e38f, -3e38f, 1e-40f, 0};
  static const double steps[] = {NAN, INFINITY, 1e300, -1e300, 1e9, -0.5, 0};
  sinew_crowd_def def = plain(100, 4);
  for (int sync = 0; sync < 2; sync++) {
    def.sync = sync;
    world w = make_world(&def, 2);
    random_seed(8);
    for (int frame = 0; frame < 7; frame++) {
      for (int i = 0; i < def.count; i++) {
        for (int s = 0; s < 4; s++) {
          w.all.slots[s].clip[i] = random_bits() % 4 ? (int)(random_bits() % CAST_CLIPS) : (int32_t)random_bits();
          w.all.slots[s].time[i] = random_bits() % 2 ? 0.1 : (double)strange[random_bits() % 8];
          w.all.slots[s].weight[i] = random_bits() % 2 ? 0.5f : strange[random_bits() % 8];
        }
        w.all.speed[i] = random_bits() % 2 ? 1 : strange[random_bits() % 8];
        w.all.transform[i].translation.y = strange[random_bits() % 8];
      }
      sinew_stage_update(w.stage, steps[frame]);
      expect_finite(palette_of(&w, 0)->m, (size_t)(def.count * w.palette_count * 12));
      for (int i = 0; i < def.count; i++)
        for (int s = 0; s < 4; s++) {
          int clip = w.all.slots[s].clip[i];
          double time = w.all.slots[s].time[i];
          if (clip >= 0 && clip < CAST_CLIPS) assert_true(time >= 0 && time <= duration(clip));
        }
    }
    sinew_stage_destroy(w.stage);
  }
}

/* Character 0 has the strange value, character 1 what the header says that it counts as. */
static void expect_alike(world *w, double dt) {
  sinew_stage_update(w->stage, dt);
  size_t targets = (size_t)w->all.morph_count * sizeof *w->all.morphs;
  assert_memory_equal(palette_of(w, 0), palette_of(w, 1), (size_t)w->palette_count * sizeof(sinew_mat3x4));
  assert_memory_equal(w->all.morphs, w->all.morphs + w->all.morph_count, targets);
  for (int s = 0; s < w->all.slot_count; s++)
    assert_memory_equal(w->all.slots[s].time, w->all.slots[s].time + 1, sizeof(double));
}

static world make_twins(bool positions) {
  sinew_crowd_def def = plain(2, 3);
  def.has_positions = positions;
  for (int s = 0; s < 3; s++) def.positions[s] = (float)s;
  world w = make_world(&def, 1);
  for (int i = 0; i < 2; i++)
    for (int s = 0; s < 3; s++) {
      w.all.slots[s].weight[i] = 0.5f;
      w.all.slots[s].time[i] = 0.1;
    }
  return w;
}

static void strange_values_count_as_the_header_says(void **state) {
  (void)state;
  static const float strange[] = {NAN, INFINITY, -INFINITY};
  static const struct weight {
    float is, counts_as;
  } weights[] = {{NAN, 0}, {INFINITY, 0}, {-INFINITY, 0}, {-1, 0}, {3e38f, 1e6f}};
  static const int32_t no_clips[] = {-1, -7, CAST_CLIPS, INT32_MAX, INT32_MIN};
  world w = make_twins(false);
  for (size_t i = 0; i < sizeof weights / sizeof *weights; i++) {
    w.all.slots[1].weight[0] = weights[i].is, w.all.slots[1].weight[1] = weights[i].counts_as;
    expect_alike(&w, 0.05);
  }
  for (int i = 0; i < 5; i++) {
    w.all.slots[1].clip[0] = no_clips[i], w.all.slots[1].clip[1] = -1;
    expect_alike(&w, 0.05);
  }
  for (int i = 0; i < 3; i++) {
    w.all.slots[0].time[0] = (double)strange[i], w.all.slots[0].time[1] = 0;
    w.all.morph_added[0] = strange[i], w.all.morph_added[w.all.morph_count] = 0;
    expect_alike(&w, 0);
    w.all.speed[0] = strange[i], w.all.speed[1] = 0;
    expect_alike(&w, 0.05);
    w.all.speed[0] = w.all.speed[1] = 1;
  }
  sinew_stage_destroy(w.stage);
}

static void a_position_that_is_not_finite_keeps_the_weights(void **state) {
  (void)state;
  static const float strange[] = {NAN, INFINITY, -INFINITY};
  world w = make_twins(true);
  for (int i = 0; i < 3; i++) {
    w.all.blend[0] = w.all.blend[1] = 0.75f;
    expect_alike(&w, 0.05);
    w.all.blend[0] = strange[i];
    expect_alike(&w, 0.05);
    assert_near(w.all.slots[0].weight[0], 0.25, 1e-7);
    assert_near(w.all.slots[1].weight[0], 0.75, 1e-7);
  }
  w.all.blend[0] = 3e38f, w.all.blend[1] = 2; /* beyond the last */
  expect_alike(&w, 0.05);
  w.all.blend[0] = -3e38f, w.all.blend[1] = 0;
  expect_alike(&w, 0.05);
  sinew_stage_destroy(w.stage);
}

/* ---- how often ---- */

typedef struct shown {
  sinew_mat3x4 palette[CAST_JOINTS];
} shown;

static size_t palette_bytes(const world *w) { return (size_t)w->palette_count * sizeof(sinew_mat3x4); }

static bool has_moved(const world *w, int i, shown *before) {
  bool moved = memcmp(before->palette, palette_of(w, i), palette_bytes(w)) != 0;
  memcpy(before->palette, palette_of(w, i), palette_bytes(w));
  return moved;
}

/* Character i stands i metres away: the near ones move in every update, those beyond 10 m in every second, those beyond
 * 20 m in every fourth, and where they move they are where they would be had they never been held. */
static void far_characters_take_turns(void **state) {
  (void)state;
  sinew_crowd_def def = plain(30, 1);
  world held = make_world(&def, 1), full = make_world(&def, 1);
  assert_true(sinew_crowd_set_detail(held.stage, held.crowd, (sinew_vec3){5, 0, 0}, &(sinew_crowd_detail){10, 20}));
  static shown before[30];
  for (int i = 0; i < 30; i++) {
    held.all.transform[i].translation = (sinew_vec3){5, 0, i % 2 ? (float)i : -(float)i};
    has_moved(&held, i, before + i);
  }
  int moves[30] = {0}, busiest = 0;
  for (int frame = 0; frame < 8; frame++) {
    sinew_stage_update(held.stage, 0.01), sinew_stage_update(full.stage, 0.01);
    int moved_now = 0;
    for (int i = 0; i < 30; i++) {
      assert_true(held.all.slots[0].time[i] == full.all.slots[0].time[i]);
      if (!has_moved(&held, i, before + i)) continue;
      moves[i]++, moved_now++;
      assert_memory_equal(before[i].palette, palette_of(&full, i), palette_bytes(&full));
    }
    if (moved_now > busiest) busiest = moved_now;
  }
  for (int i = 0; i < 30; i++) assert_int_equal(moves[i], i > 20 ? 2 : i > 10 ? 4 : 8);
  assert_in_range(busiest, 18, 11 + 5 + 3); /* not all of them in the same update */
  sinew_stage_destroy(held.stage), sinew_stage_destroy(full.stage);
}

static void the_hidden_are_held_and_the_shown_are_there_at_once(void **state) {
  (void)state;
  sinew_crowd_def def = plain(8, 1);
  world w = make_world(&def, 1);
  sinew_crowd_set_detail(w.stage, w.crowd, (sinew_vec3){100, 0, 0}, &(sinew_crowd_detail){1, 2});
  memset(w.all.visible, 0, 8);
  static shown before;
  has_moved(&w, 3, &before);
  for (int frame = 0; frame < 5; frame++) sinew_stage_update(w.stage, 0.01);
  assert_false(has_moved(&w, 3, &before));
  assert_near(w.all.slots[0].time[3], 0.05, 1e-9);
  memset(w.all.visible, 1, 8);
  sinew_stage_update(w.stage, 0.01);
  for (int i = 0; i < 8; i++) expect_jobs_palette(&w, i);
  sinew_stage_destroy(w.stage);
}

/* ---- one array ---- */

/* A crowd or actor that is removed closes its gap, and palettes that were kept move along. */
static void crowds_and_actors_share_one_array(void **state) {
  (void)state;
  sinew_stage *stage = sinew_stage_create(NULL);
  sinew_crowd_def def = plain(10, 1);
  sinew_actor a = sinew_actor_create(stage, "a", model, NULL);
  sinew_crowd b = sinew_crowd_create(stage, &def, NULL);
  sinew_actor c = sinew_actor_create(stage, "c", model, NULL);
  sinew_crowd d = sinew_crowd_create(stage, &def, NULL);
  int each = sinew_model_palette_count(model), count;
  assert_int_equal(sinew_crowd_palette_offset(stage, b), each);
  assert_int_equal(sinew_actor_palette_offset(stage, c), 11 * each);
  assert_int_equal(sinew_crowd_palette_offset(stage, d), 12 * each);
  sinew_stage_update(stage, 0.1);
  memset(sinew_crowd_view(stage, d).visible, 0, 10); /* never evaluated again */
  sinew_mat3x4 held = sinew_stage_palettes(stage, &count)[21 * each];
  assert_int_equal(count, 22 * each);
  sinew_actor_destroy(stage, a);
  sinew_crowd_destroy(stage, b);
  sinew_stage_update(stage, 0.1);
  assert_int_equal(sinew_actor_palette_offset(stage, c), 0);
  assert_int_equal(sinew_crowd_palette_offset(stage, d), each);
  assert_memory_equal(sinew_stage_palettes(stage, &count) + 10 * each, &held, sizeof held);
  assert_int_equal(count, 11 * each);
  assert_int_equal(sinew_stage_crowd_count(stage), 1);
  assert_int_equal(sinew_stage_crowd(stage, 0).id, d.id);
  sinew_stage_destroy(stage);
}

static void the_palettes_of_many_lie_in_large_pages(void **state) {
  (void)state;
  const int megabytes = 9, count = (megabytes << 20) / (sinew_model_palette_count(model) * (int)sizeof(sinew_mat3x4));
  sinew_crowd_def def = plain(count, 1);
  world w = make_world(&def, 1);
  int large = large_pages_at(palette_of(&w, count / 2));
  sinew_stage_destroy(w.stage);
  if (large < 0) skip();
  assert_int_equal(large, 1);
}

static void a_warm_update_allocates_nothing(void **state) {
  (void)state;
  sinew_crowd_def def = plain(300, 3);
  world w = make_world(&def, 3);
  sinew_stage_update(w.stage, 0.01);
  assert_int_equal(sinew_stage_threads(w.stage), 3);
  uint64_t before = mem_request_count();
  for (int i = 0; i < 20; i++) sinew_stage_update(w.stage, 0.01);
  assert_int_equal(mem_request_count(), before);
  sinew_stage_destroy(w.stage);
}

/* ---- misuse ---- */

static void expect_refused(sinew_crowd_def def, const char *why) {
  sinew_stage *stage = sinew_stage_create(NULL);
  sinew_error error = {{0}};
  assert_int_equal(sinew_crowd_create(stage, &def, &error).id, 0);
  if (!strstr(error.message, why)) fail_msg("'%s' does not say '%s'", error.message, why);
  assert_int_equal(sinew_stage_crowd_count(stage), 0);
  sinew_stage_destroy(stage);
}

static void misuse_gets_a_sentence(void **state) {
  (void)state;
  sinew_crowd_def good = plain(10, 3), def;
  expect_refused((def = good, def.model = NULL, def), "no model");
  expect_refused((def = good, def.count = 0, def), "no characters");
  expect_refused((def = good, def.sync = def.has_legs = true, def), "its legs are given");
  expect_refused((def = good, def.count = INT32_MAX, def), "too many");
  expect_refused((def = good, def.slot_count = 0, def), "1 to 4");
  expect_refused((def = good, def.slot_count = 5, def), "1 to 4");
  expect_refused((def = good, def.clips[1] = CAST_CLIPS, def), "no such clip");
  expect_refused((def = good, def.clips[2] = -2, def), "no such clip");
  good.has_positions = true;
  expect_refused(good, "do not ascend");
  expect_refused((def = good, def.positions[0] = NAN, def), "not a finite");
}

static void stale_ids_are_questions(void **state) {
  (void)state;
  sinew_crowd_def def = plain(4, 1);
  world w = make_world(&def, 1);
  assert_ptr_equal(sinew_crowd_model(w.stage, w.crowd), model);
  assert_false(sinew_crowd_set_detail(w.stage, w.crowd, (sinew_vec3){NAN, 0, 0}, &(sinew_crowd_detail){1, 2}));
  assert_false(sinew_crowd_set_detail(w.stage, w.crowd, (sinew_vec3){0, 0, 0}, &(sinew_crowd_detail){NAN, 2}));
  sinew_crowd_destroy(w.stage, w.crowd);
  sinew_crowd newer = sinew_crowd_create(w.stage, &def, NULL);
  assert_int_not_equal(newer.id, w.crowd.id);
  assert_false(sinew_crowd_is_valid(w.stage, w.crowd));
  assert_null(sinew_crowd_model(w.stage, w.crowd));
  assert_int_equal(sinew_crowd_palette_offset(w.stage, w.crowd), -1);
  assert_false(sinew_crowd_set_detail(w.stage, w.crowd, (sinew_vec3){0, 0, 0}, &(sinew_crowd_detail){1, 2}));
  assert_int_equal(sinew_crowd_view(w.stage, w.crowd).count, 0);
  sinew_crowd_destroy(w.stage, w.crowd);
  assert_int_equal(sinew_stage_crowd(w.stage, 0).id, newer.id);
  assert_int_equal(sinew_stage_crowd(w.stage, 1).id, 0);
  assert_int_equal(sinew_stage_crowd(w.stage, -1).id, 0);
  sinew_stage_destroy(w.stage);
}

static void without_memory_there_is_a_sentence_and_no_leak(void **state) {
  (void)state;
  sinew_crowd_def def = plain(20, 2);
  bool made = false;
  for (long requests = 1; !made; requests++) {
    failing_heap heap = {.left = requests};
    failing_heap_install(&heap);
    sinew_error error = {{0}};
    sinew_stage *stage = sinew_stage_create(&error);
    if (stage) {
      sinew_stage_set_threads(stage, 1);
      made = sinew_crowd_create(stage, &def, &error).id != 0;
      sinew_stage_update(stage, 0.1);
    }
    assert_true(made || strstr(error.message, "memory"));
    sinew_stage_destroy(stage);
    assert_int_equal(heap.living, 0);
    sinew_set_allocator(NULL);
    assert_in_range(requests, 1, 20);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_character_gets_what_the_jobs_give),
      cmocka_unit_test(threads_do_not_change_a_bit),
      cmocka_unit_test(times_loop_at_any_speed),
      cmocka_unit_test(the_end_of_a_clip_stays),
      cmocka_unit_test(synchronised_clips_share_one_phase),
      cmocka_unit_test(weights_follow_the_positions),
      cmocka_unit_test(strange_values_do_no_harm),
      cmocka_unit_test(strange_values_count_as_the_header_says),
      cmocka_unit_test(a_position_that_is_not_finite_keeps_the_weights),
      cmocka_unit_test(far_characters_take_turns),
      cmocka_unit_test(the_hidden_are_held_and_the_shown_are_there_at_once),
      cmocka_unit_test(crowds_and_actors_share_one_array),
      cmocka_unit_test(the_palettes_of_many_lie_in_large_pages),
      cmocka_unit_test(a_warm_update_allocates_nothing),
      cmocka_unit_test(misuse_gets_a_sentence),
      cmocka_unit_test(stale_ids_are_questions),
      cmocka_unit_test(without_memory_there_is_a_sentence_and_no_leak),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
