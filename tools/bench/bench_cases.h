/* bench_cases – the measurements of `sinew-dev bench`: the jobs of the core on one model. Inputs change from call to
 * call, and results are summed so that no work can be optimised away. */
#ifndef SINEW_BENCH_CASES_H
#define SINEW_BENCH_CASES_H

#include <sinew/actor.h>

enum { BENCH_POSES = 16, BENCH_ACTORS = 100 };

typedef struct bench_scene {
  sinew_model *model;
  sinew_pose poses[BENCH_POSES]; /* moments of the clips */
  sinew_mat3x4 *joints[BENCH_POSES], *palettes[BENCH_POSES];
  sinew_dual_quat *dual_quats[BENCH_POSES];
  sinew_joint_extent *extents;
  sinew_inertia_group *inertia; /* of a transition between two of the poses */
  sinew_pose output, sampled[3];
  sinew_mat3x4 *matrices, *palette;
  float *positions, *normals; /* of the largest mesh */
  int mesh;
  sinew_stage *one, *many; /* actors; the update is not shared */
  sinew_stage *crowd;      /* NULL, or as set by bench_crowd_open */
  double sum;              /* of results */
} bench_scene;

/* Leaves out cases that need clips or meshes if the model has none. False and an error message on failure. */
bool bench_scene_init(bench_scene *scene, const char *path, sinew_error *error);
void bench_scene_reset(bench_scene *scene);

typedef enum bench_per { BENCH_PER_JOINT, BENCH_PER_VERTEX, BENCH_PER_CHARACTER } bench_per;

typedef struct bench_case {
  const char *name;
  void (*run)(bench_scene *scene, int64_t turn);
  int characters; /* in one run */
  bench_per per;
  double goal; /* nanoseconds per part; 0: none */
} bench_case;

/* A different moment for every turn, 0 .. 1, spread evenly. */
double bench_moment(int64_t turn);
/* Seconds from one update to the next, of varying length, so that no two updates sample the same moment. */
double bench_step(int64_t turn);

extern const bench_case bench_cases[];
extern const int bench_case_count;
bool bench_case_applies(const bench_case *wanted, const bench_scene *scene);

#endif
