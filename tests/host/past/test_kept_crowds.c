/* The ring keeps crowds: what is shown of a moment is what lived then, to the bit, within a bound of bytes. */
#include "host_fixture.h"
#include "support/failing_heap.h"

#include "base/sanitizers.h"
#include "host/past/review.h"
#include "host/rerun/rerun_result.h"

#include <sinew/graph.h>

enum { FRAMES = 330, LONG = 64 * 60, MEMBERS = 9, GONE = 130, RESIZED = 170, MOST_CROWDS = 5 };

/* Under the address sanitizer, of many equal attempts. */
enum { EACH = SANITIZES_ADDRESSES ? 9 : 1 };

static sinew_model *model;

static int set_up(void **state) {
  model = sinew_model_load(SINEW_SOURCE "/assets/hero.glb", NULL, NULL);
  return model ? make_test_folder(state) : -1;
}

static int tear_down(void **state) {
  sinew_model_release(model);
  return remove_test_folder(state);
}

static int clip(const char *name) { return sinew_model_find_clip(model, name); }

/* ---- a scene with crowds ---- */

typedef struct scene {
  sinew_stage *stage;
  sinew_crowd graph, pair, goes, grows; /* goes: destroyed at GONE; grows: at RESIZED */
} scene;

/* From where some of them are so near that their feet are where their clips have them, and others are not. */
static void see(sinew_stage *stage, sinew_crowd crowd) {
  if (crowd.id)
    sinew_crowd_set_detail(stage, crowd, (sinew_vec3){-12, 0, 0}, &(sinew_crowd_detail){INFINITY, INFINITY});
}

/* A member that is greeted waves once, and stops at the end of the wave. */
static sinew_crowd add_graph(sinew_stage *stage) {
  static const char *const params[] = {"greet"};
  sinew_node_def nodes[3];
  sinew_transition_def hello = sinew_transition_def_default();
  for (int i = 0; i < 3; i++) nodes[i] = sinew_node_def_default();
  nodes[0].kind = SINEW_NODE_MACHINE;
  nodes[0].first_child = 1, nodes[0].child_count = 2, nodes[0].transition_count = 1;
  nodes[1].key = "go", nodes[1].clip = clip("Walk");
  nodes[2].key = "hello", nodes[2].clip = clip("Wave"), nodes[2].loop = SINEW_LOOP_ONCE;
  hello.from = 0, hello.to = 1, hello.when = "greet > 0.5", hello.fade = 0.3;
  sinew_graph_def graph = {nodes, 3, &hello, 1};
  sinew_crowd_def def = sinew_crowd_def_default();
  sinew_error error;
  def.name = "greeters", def.model = model, def.count = MEMBERS, def.graph = &graph;
  def.param_names = params, def.param_count = 1;
  sinew_crowd made = sinew_crowd_create(stage, &def, &error);
  if (!made.id) fail_msg("%s", error.message);
  see(stage, made);
  return made;
}

/* In step, between two gaits: each leg has a time of its own. */
static sinew_crowd add_blend(sinew_stage *stage) {
  static const char *const params[] = {"greet"};
  sinew_node_def nodes[3];
  for (int i = 0; i < 3; i++) nodes[i] = sinew_node_def_default();
  nodes[0].kind = SINEW_NODE_SPACE_1D, nodes[0].param_x = 0, nodes[0].sync = true;
  nodes[0].first_child = 1, nodes[0].child_count = 2;
  nodes[1].clip = clip("Walk"), nodes[2].clip = clip("Run"), nodes[2].x = 3;
  sinew_graph_def graph = {nodes, 3, NULL, 0};
  sinew_crowd_def def = sinew_crowd_def_default();
  sinew_error error;
  def.name = "blenders", def.model = model, def.count = MEMBERS, def.graph = &graph;
  def.param_names = params, def.param_count = 1;
  sinew_crowd made = sinew_crowd_create(stage, &def, &error);
  if (!made.id) fail_msg("%s", error.message);
  see(stage, made);
  return made;
}

static sinew_crowd add_plain(sinew_stage *stage, const char *name, int count, bool sync) {
  sinew_crowd_def def = sinew_crowd_def_default();
  def.name = name, def.model = model, def.count = count, def.slot_count = 2, def.sync = sync;
  def.clips[0] = clip("Walk"), def.clips[1] = clip("Run");
  sinew_crowd made = sinew_crowd_create(stage, &def, NULL);
  see(stage, made);
  return made;
}

static scene make_scene(void) {
  scene s = {.stage = sinew_stage_create(NULL)};
  sinew_stage_set_threads(s.stage, 1);
  s.graph = add_graph(s.stage);
  s.pair = add_plain(s.stage, "walkers", MEMBERS, true);
  s.goes = add_plain(s.stage, "guests", 3, false);
  s.grows = add_plain(s.stage, "growers", 2, false);
  add_blend(s.stage);
  return s;
}

/* Everything that a palette is made of moves, for some members. */
static void change(const scene *s, int frame) {
  for (int k = 0; k < sinew_stage_crowd_count(s->stage); k++) {
    sinew_crowd crowd = sinew_stage_crowd(s->stage, k);
    sinew_crowd_characters all = sinew_crowd_view(s->stage, crowd);
    for (int i = 0; i < all.count; i++) {
      float at = (float)(frame + 7 * i) / 60;
      all.transform[i].translation.x = i % 3 ? at : (float)i;
      all.visible[i] = (frame / 20 + i) % 5 != 0;
      all.tint[i][1] = i % 2 ? 0.5f + 0.5f * sinf(at) : 1;
      if (i % 4 == 0) all.morph_added[i * all.morph_count] = at - floorf(at);
      if (all.params)
        all.params[i] =
            strcmp(sinew_crowd_name(s->stage, crowd), "blenders") ? frame > 40 + 10 * i : 1 + (float)(i % 3);
      else all.slots[1].weight[i] = i % 2 ? 0.5f : 0.5f + 0.4f * sinf(at);
    }
    if (frame % 90 == 0) all.tinted[0] = !all.tinted[0];
  }
}

static void step(scene *s, int frame) {
  change(s, frame);
  if (frame == GONE) sinew_crowd_destroy(s->stage, s->goes);
  if (frame == RESIZED) {
    sinew_crowd larger = add_plain(s->stage, "growers", 5, false);
    if (larger.id) {
      assert_true(sinew_crowd_continue(s->stage, larger, s->grows));
      sinew_crowd_destroy(s->stage, s->grows);
      s->grows = larger;
    }
  }
  sinew_stage_update(s->stage, 1.0 / 60);
}

/* ---- what is seen of a crowd, as one number ---- */

static uint64_t mix(uint64_t hash, const void *bytes, size_t size) {
  for (size_t i = 0; i < size; i += sizeof(uint64_t)) {
    uint64_t word = 0;
    memcpy(&word, (const char *)bytes + i, size - i < sizeof word ? size - i : sizeof word);
    hash = (hash ^ word) * 1099511628211u;
    hash ^= hash >> 32;
  }
  return hash;
}

static uint64_t look_at(const sinew_stage *stage, sinew_crowd crowd) {
  int count, offset = sinew_crowd_palette_offset(stage, crowd);
  size_t each = (size_t)sinew_model_palette_count(model), morphs;
  const sinew_mat3x4 *palettes = sinew_stage_palettes(stage, &count) + offset;
  sinew_crowd_characters all = sinew_crowd_view(stage, crowd);
  uint64_t hash = mix(14695981039346656037u, all.tinted, (size_t)sinew_model_material_count(model));
  morphs = (size_t)all.morph_count;
  for (size_t i = 0; i < (size_t)all.count; i++) {
    hash = mix(hash, &i, sizeof i);
    if (!all.visible[i]) continue;
    hash = mix(hash, palettes + i * each, each * sizeof *palettes);
    hash = mix(hash, all.transform + i, sizeof *all.transform);
    hash = mix(hash, all.tint[i], sizeof *all.tint);
    hash = mix(hash, all.morphs + i * morphs, morphs * sizeof *all.morphs);
  }
  return hash;
}

typedef struct seen {
  uint64_t ids[MOST_CROWDS], hashes[MOST_CROWDS];
  int count;
} seen;

static seen look(const sinew_stage *stage) {
  seen s = {.count = sinew_stage_crowd_count(stage)};
  assert_in_range(s.count, 0, MOST_CROWDS);
  for (int i = 0; i < s.count; i++) {
    s.ids[i] = sinew_stage_crowd(stage, i).id;
    s.hashes[i] = look_at(stage, sinew_stage_crowd(stage, i));
  }
  return s;
}

/* All that were there then, or (with gaps) some of them, and they look the same. */
static void expect_seen(const cast *c, const seen *then, bool gaps) {
  if (!gaps) assert_int_equal(c->crowd_count, then->count);
  for (int i = 0; i < c->crowd_count; i++) {
    int k = 0;
    while (k < then->count && then->ids[k] != c->crowds[i].then.id) k++;
    assert_in_range(k, 0, then->count - 1);
    if (gaps && sinew_crowd_view(c->stage, c->crowds[i].shown).count == 0) continue;
    assert_true(look_at(c->stage, c->crowds[i].shown) == then->hashes[k]);
  }
}

/* Some members are seen from near, some from afar, and legs have times of their own. */
static void expect_legs(const sinew_stage *stage) {
  int near = 0, afar = 0, own = 0;
  for (int k = 0; k < sinew_stage_crowd_count(stage); k++) {
    sinew_crowd_characters all = sinew_crowd_view(stage, sinew_stage_crowd(stage, k));
    for (int i = 0; all.legs && i < all.count; i++) {
      if (!all.visible[i]) continue;
      near += all.legs[i].synced != 0, afar += all.legs[i].synced == 0;
      own += all.legs[i].synced && isfinite(all.legs[i].time[0][0]) &&
             all.legs[i].time[0][0] != (float)all.slots[0].time[i];
    }
  }
  assert_true(near > 0 && afar > 0 && own > 0);
}

static seen lived[LONG + 1];

static void run(scene *s, ring *kept, int frames) {
  for (int frame = 1; frame <= frames; frame++) {
    step(s, frame);
    lived[frame] = look(s->stage);
    ring_update(kept, s->stage, frame / 60.0, frame);
  }
}

static void expect_all(const ring *kept, int from, int step) {
  cast c = {0};
  for (int64_t m = kept->first; m < kept->first + kept->count; m += step) {
    if (ring_frame(kept, m) < from) continue;
    cast_pose(&c, kept, ring_time(kept, m));
    expect_seen(&c, lived + ring_frame(kept, m), false);
  }
  cast_release(&c);
}

/* ---- */

static void a_moment_has_the_palettes_of_its_frame(void **state) {
  (void)state;
  scene s = make_scene();
  ring kept = {0};
  run(&s, &kept, FRAMES);
  assert_int_equal(lived[GONE - 1].count, 5);
  assert_int_equal(lived[GONE].count, 4);
  expect_legs(s.stage);
  assert_true(lived[RESIZED].ids[2] != lived[RESIZED - 1].ids[2]);
  int node = 0;
  sinew_machine_state machine;
  assert_true(sinew_crowd_machine(s.stage, s.graph, 0, node, &machine) && machine.state == 1);
  double end = sinew_clip_duration(sinew_model_clip(model, clip("Wave")));
  assert_true(sinew_crowd_view(s.stage, s.graph).slots[0].time[0] == end); /* it has waved to the end */
  expect_all(&kept, 1, 1);
  sinew_stage_destroy(s.stage); /* the past goes on without it */
  expect_all(&kept, 1, 7);
  ring_release(&kept);
}

static void a_ring_that_has_gone_round_has_the_last_minute(void **state) {
  (void)state;
  scene s = make_scene();
  ring kept = {0};
  run(&s, &kept, LONG);
  assert_true(kept.first > 0 && kept.count >= 60 * RING_RATE);
  assert_true(ring_bytes(&kept) < (4 << 20));
  expect_all(&kept, 1, 11);
  sinew_stage_destroy(s.stage);
  ring_release(&kept);
  assert_int_equal(kept.crowds.bytes, 0);
}

/* From one request on there is no memory, and then there is again. */
static void without_memory_crowds_are_missing(void **state) {
  (void)state;
  enum { STARVED = 40 };
  bool enough = false;
  for (long requests = 0; !enough; requests += EACH) {
    scene s = make_scene();
    failing_heap heap = {.left = -1};
    failing_heap_install(&heap);
    ring kept = {0};
    cast c = {0};
    for (int frame = 1; frame <= 2 * STARVED; frame++) {
      sinew_crowd_characters all = sinew_crowd_view(s.stage, s.pair);
      for (int i = 0; i < all.count; i++) all.transform[i].translation.z = (float)frame;
      sinew_stage_update(s.stage, 1.0 / 60);
      lived[frame] = look(s.stage);
      if (frame == 1) heap.left = requests;
      if (frame == STARVED) enough = heap.left > 0, heap.left = -1;
      ring_update(&kept, s.stage, frame / 60.0, frame);
    }
    for (int64_t m = kept.first; m < kept.first + kept.count; m++) {
      cast_pose(&c, &kept, ring_time(&kept, m));
      expect_seen(&c, lived + ring_frame(&kept, m), ring_frame(&kept, m) < STARVED);
    }
    cast_release(&c);
    ring_release(&kept);
    assert_int_equal(heap.living, 0);
    sinew_set_allocator(NULL);
    sinew_stage_destroy(s.stage);
  }
}

/* ---- a rerun has them, too ---- */

static rerun_result read_result(const char *path, const ring *then, bool is_known) {
  rerun_result back;
  int missing = -1;
  sinew_error error;
  if (!rerun_result_read(&back, path, then, &missing, &error)) fail_msg("%s", error.message);
  assert_int_equal(missing == 0, is_known);
  return back;
}

static void a_rerun_has_the_crowds(void **state) {
  (void)state;
  scene s = make_scene();
  rerun_result made = {.ring = {.has_all = true}};
  ring then = {0}, stranger = {0};
  const char *path = test_file("crowds.poses");
  for (int frame = 1; frame <= FRAMES; frame++) {
    step(&s, frame);
    lived[frame] = look(s.stage);
    ring_update(&then, s.stage, frame / 60.0, frame);
    ring_update(&made.ring, s.stage, frame / 60.0, frame);
  }
  assert_true(rerun_result_write(&made, path, NULL));
  rerun_result back = read_result(path, &then, true);
  assert_int_equal(back.ring.count, FRAMES);
  for (int frame = 1; frame <= FRAMES; frame++) { /* who is resized has the id of near then */
    assert_int_equal(ring_crowd_count(&back.ring, frame - 1), lived[frame].count);
    for (int i = 0; i < lived[frame].count; i++) {
      const kept_crowd *c = ring_crowd(&back.ring, frame - 1, i), *is = ring_crowd(&made.ring, frame - 1, i);
      assert_string_equal(c->name, is->name);
      for (int k = 0; k < lived[frame].count; k++)
        if (lived[frame].ids[k] == is->crowd.id) lived[frame].ids[k] = c->crowd.id;
    }
  }
  expect_all(&back.ring, 1, 1);
  rerun_result_release(&back);
  rerun_result nobody = read_result(path, &stranger, false);
  assert_int_equal(nobody.ring.crowds.bytes, 0);
  rerun_result_release(&nobody);
  rerun_result_release(&made);
  ring_release(&then);
  sinew_stage_destroy(s.stage);
}

/* Cut off anywhere, or with a byte of something else, it is refused, or shows something. */
static void a_damaged_result_does_no_harm(void **state) {
  (void)state;
  enum { SHORT = 12 };
  scene s = make_scene();
  rerun_result made = {.ring = {.has_all = true}}, back;
  const char *path = test_file("whole.poses"), *other = test_file("damaged.poses");
  size_t size;
  int missing, refused = 0;
  for (int frame = 1; frame <= SHORT; frame++) {
    step(&s, frame);
    ring_update(&made.ring, s.stage, frame / 60.0, frame);
  }
  assert_true(rerun_result_write(&made, path, NULL));
  unsigned char *bytes = file_read(path, (size_t)1 << 24, &size, NULL);
  assert_non_null(bytes);
  for (size_t turn = 0; turn < 900 / EACH; turn++) {
    size_t at = turn * 7919 % size, cut = turn % 3 == 0 ? at : size;
    unsigned char was = bytes[at];
    bytes[at] = (unsigned char)(turn % 3 == 1 ? 0xff : was ^ (1u << turn % 8));
    FILE *file = fopen(other, "wb");
    assert_int_equal(fwrite(bytes, 1, cut, file), cut);
    fclose(file);
    bytes[at] = was;
    sinew_error error;
    cast c = {0};
    if (!rerun_result_read(&back, other, &made.ring, &missing, &error)) {
      refused++;
      continue;
    }
    for (int64_t m = 0; m < back.ring.count; m++) cast_pose(&c, &back.ring, ring_time(&back.ring, m));
    cast_release(&c);
    rerun_result_release(&back);
  }
  assert_in_range(refused, 300 / EACH, 899 / EACH);
  mem_free(bytes);
  rerun_result_release(&made);
  sinew_stage_destroy(s.stage);
}

/* ---- the bound ---- */

/* All of each member changes; the stage is not asked for palettes, which would take long. */
static void shake(const sinew_stage *stage, sinew_crowd crowd, int moment) {
  sinew_crowd_characters all = sinew_crowd_view(stage, crowd);
  for (int i = 0; i < all.count; i++) {
    for (int slot = 0; slot < 2; slot++) all.slots[slot].time[i] = (double)(moment + 1) / (i + slot + 3);
    all.transform[i].translation = (sinew_vec3){(float)moment, (float)i, (float)(moment + i)};
  }
}

static void expect_bound(const ring *kept) {
  assert_true(kept->crowds.bytes <= KEPT_LIMIT);
  assert_true(ring_bytes(kept) <= RING_LIMIT);
}

static void large_crowds_keep_less_and_actors_their_minute(void **state) {
  (void)state;
  if (SANITIZES_ADDRESSES) skip(); /* it counts bytes */
  enum { LARGE = 1800, SMALL = 20 };
  sinew_stage *stage = sinew_stage_create(NULL);
  sinew_actor actor = sinew_actor_create(stage, "hero", model, NULL);
  sinew_crowd large = add_plain(stage, "many", LARGE, false), small = add_plain(stage, "few", SMALL, false);
  ring kept = {0};
  sinew_stage_update(stage, 1.0 / 60);
  for (int moment = 0; moment < 62 * RING_RATE; moment++) {
    shake(stage, large, moment);
    shake(stage, small, moment);
    ring_update(&kept, stage, moment / 30.0, moment);
    expect_bound(&kept);
  }
  int64_t last = kept.first + kept.count - 1;
  assert_true(kept.count >= 60 * RING_RATE);
  assert_non_null(ring_model(&kept, kept.first, actor));
  assert_int_equal(ring_crowd_count(&kept, kept.first), 0);
  assert_true(ring_crowds_missing(&kept, kept.first) > 40 && ring_crowds_missing(&kept, last) == 0);
  for (int back = 0; back < 3 * RING_RATE; back += 10) assert_int_equal(ring_crowd_count(&kept, last - back), 2);
  assert_null(kept_crowds_left_out(&kept.crowds, last, 0));
  ring_release(&kept);
  sinew_stage_destroy(stage);
}

/* One that does not fit for a second is left out, by its name; the others keep what they have. */
static void one_that_is_too_large_is_left_out(void **state) {
  (void)state;
  enum { COMES = 60 };
  const int sizes[] = {8000, 70000}; /* the second one before it has a row */
  for (int turn = 0; turn < 2; turn++) {
    sinew_stage *stage = sinew_stage_create(NULL);
    sinew_crowd small = add_plain(stage, "few", 20, false), horde = {0};
    ring kept = {.has_all = true};
    sinew_stage_update(stage, 1.0 / 60);
    for (int moment = 0; moment < COMES + 3 * RING_RATE; moment++) {
      if (moment == COMES) horde = add_plain(stage, "horde", sizes[turn], false);
      shake(stage, small, moment);
      if (horde.id) shake(stage, horde, moment);
      ring_update(&kept, stage, moment / 30.0, moment);
      expect_bound(&kept);
      assert_int_equal(ring_crowd_count(&kept, 0), 1);
    }
    int64_t last = kept.first + kept.count - 1;
    assert_int_equal(ring_crowd_count(&kept, last), 1);
    assert_string_equal(ring_crowd(&kept, last, 0)->name, "few");
    assert_string_equal(kept_crowds_left_out(&kept.crowds, last, 0), "horde");
    assert_string_equal(kept_crowds_left_out(&kept.crowds, COMES, 0), "horde");
    assert_null(kept_crowds_left_out(&kept.crowds, last, 1));
    assert_null(kept_crowds_left_out(&kept.crowds, COMES - 1, 0));
    sinew_crowd_destroy(stage, horde);
    ring_update(&kept, stage, 1000, last + 1);
    assert_null(kept_crowds_left_out(&kept.crowds, last + 1, 0));
    ring_release(&kept);
    sinew_stage_destroy(stage);
  }
}

/* Actors whose every joint turns, as many as fill the ring, and a crowd or none; returns the moments that are kept. */
static int64_t fill_ring(sinew_stage *stage, ring *kept) {
  enum { ACTORS = 66, JOINTS = 128 };
  static sinew_pose_group groups[JOINTS / SINEW_LANES];
  ring_moment nothing = {.transform = sinew_transform_identity(), .opacity = 1, .state = -1};
  sinew_pose pose = {groups, sinew_model_joint_count(model)};
  sinew_crowd crowd = sinew_stage_crowd(stage, 0);
  assert_in_range(pose.joint_count, 60, JOINTS);
  sinew_model_rest_pose(model, pose);
  for (int moment = 0; moment < 62 * RING_RATE; moment++) {
    for (int j = 0; j < pose.joint_count; j++) {
      sinew_transform t = sinew_pose_joint(&pose, j);
      t.rotation = (sinew_quat){sinf(0.1f * (float)(moment + j)), 0, 0, cosf(0.1f * (float)(moment + j))};
      sinew_pose_set_joint(&pose, j, &t);
    }
    if (crowd.id) shake(stage, crowd, moment);
    assert_true(ring_begin(kept, moment / 30.0, moment));
    for (uint64_t i = 1; i <= ACTORS; i++) ring_add(kept, (sinew_actor){i}, "actor", model, &nothing, &pose, NULL);
    kept_crowds_keep(&kept->crowds, stage, kept->first + kept->count);
    ring_end(kept);
    expect_bound(kept);
  }
  return kept->count;
}

static void crowds_give_way_to_actors(void **state) {
  (void)state;
  if (SANITIZES_ADDRESSES) skip(); /* it counts moments; those before have dropped crowds */
  sinew_stage *stage = sinew_stage_create(NULL);
  ring without = {0}, with = {0};
  int64_t before = fill_ring(stage, &without);
  ring_release(&without);
  add_plain(stage, "many", 2600, false); /* two seconds of it are more than RING_CROWDS */
  int64_t after = fill_ring(stage, &with);
  assert_in_range(before, 40 * RING_RATE, 59 * RING_RATE); /* the ring is full */
  assert_true(after >= before - before / 7);
  assert_in_range(with.crowds.bytes, RING_CROWDS, 2 * RING_CROWDS);
  int64_t last = with.first + with.count - 1;
  for (int back = 0; back < 2 * RING_RATE; back++) assert_int_equal(ring_crowd_count(&with, last - back), 1);
  assert_int_equal(ring_crowd_count(&with, with.first), 0);
  assert_true(ring_crowds_missing(&with, with.first) > 10);
  ring_release(&with);
  sinew_stage_destroy(stage);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_moment_has_the_palettes_of_its_frame),
      cmocka_unit_test(a_ring_that_has_gone_round_has_the_last_minute),
      cmocka_unit_test(without_memory_crowds_are_missing),
      cmocka_unit_test(a_rerun_has_the_crowds),
      cmocka_unit_test(a_damaged_result_does_no_harm),
      cmocka_unit_test(large_crowds_keep_less_and_actors_their_minute),
      cmocka_unit_test(one_that_is_too_large_is_left_out),
      cmocka_unit_test(crowds_give_way_to_actors),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
