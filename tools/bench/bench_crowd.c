#include "bench/bench_crowd.h"

#include <sinew/crowd.h>

static void run_update(bench_scene *scene, int64_t turn) {
  sinew_stage_update(scene->crowd, bench_step(turn));
  int count;
  const sinew_mat3x4 *palettes = sinew_stage_palettes(scene->crowd, &count);
  scene->sum += (double)palettes[turn % count].m[0];
}

#define ONE(characters) characters, BENCH_PER_JOINT, 250.0 / 67
#define THREE(characters) characters, BENCH_PER_JOINT, 450.0 / 67
const bench_crowd bench_crowds[] = {
    {{"crowd of 1, one clip", run_update, ONE(1)}, 1, false, NULL},
    {{"crowd of 10, one clip", run_update, ONE(10)}, 1, false, NULL},
    {{"crowd of 100, one clip", run_update, ONE(100)}, 1, false, NULL},
    {{"crowd of 1000, one clip", run_update, ONE(1000)}, 1, false, NULL},
    {{"crowd of 10000, one clip", run_update, ONE(10000)}, 1, false, NULL},
    {{"crowd of 100, one clip, all threads", run_update, ONE(100)}, 1, true, NULL},
    {{"crowd of 1000, one clip, all threads", run_update, ONE(1000)}, 1, true, NULL},
    {{"crowd of 10000, one clip, all threads", run_update, ONE(10000)}, 1, true, NULL},
    {{"crowd of 1, three clips", run_update, THREE(1)}, 3, false, NULL},
    {{"crowd of 10, three clips", run_update, THREE(10)}, 3, false, NULL},
    {{"crowd of 100, three clips", run_update, THREE(100)}, 3, false, NULL},
    {{"crowd of 1000, three clips", run_update, THREE(1000)}, 3, false, NULL},
    {{"crowd of 10000, three clips", run_update, THREE(10000)}, 3, false, NULL},
    {{"crowd of 100, three clips, all threads", run_update, THREE(100)}, 3, true, NULL},
    {{"crowd of 1000, three clips, all threads", run_update, THREE(1000)}, 3, true, NULL},
    {{"crowd of 10000, three clips, all threads", run_update, THREE(10000)},
     3,
     true,
     "update of 10000, three clips, all threads"},
};
const int bench_crowd_count = sizeof bench_crowds / sizeof *bench_crowds;

/* Neighbours in the arrays play different clips at unrelated times. */
static void scatter(sinew_crowd_characters *c, const sinew_model *model) {
  int clips = sinew_model_clip_count(model);
  for (int s = 0; s < c->slot_count; s++)
    for (int i = 0; i < c->count; i++) {
      int64_t turn = (int64_t)s * c->count + i;
      int clip = (int)(bench_moment(7 * turn) * clips);
      c->slots[s].clip[i] = clip;
      c->slots[s].time[i] = bench_moment(turn * turn) * sinew_clip_duration(sinew_model_clip(model, clip));
      c->slots[s].weight[i] = 0.25f + (float)bench_moment(3 * turn);
    }
}

bool bench_crowd_open(const bench_crowd *wanted, int threads, bench_scene *scene, sinew_error *error) {
  sinew_crowd_def def = sinew_crowd_def_default();
  def.model = scene->model;
  def.count = wanted->measured.characters;
  def.slot_count = wanted->clips;
  scene->crowd = sinew_stage_create(error);
  if (!scene->crowd) return false;
  sinew_stage_set_threads(scene->crowd, wanted->shared ? threads : 1);
  sinew_crowd crowd = sinew_crowd_create(scene->crowd, &def, error);
  sinew_crowd_characters characters = sinew_crowd_view(scene->crowd, crowd);
  scatter(&characters, scene->model);
  if (crowd.id) return true;
  bench_crowd_close(scene);
  return false;
}

void bench_crowd_close(bench_scene *scene) {
  sinew_stage_destroy(scene->crowd);
  scene->crowd = NULL;
}
