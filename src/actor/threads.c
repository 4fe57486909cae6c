/* The threads that share the work of an update. */
#include "actor/stage.h"
#include "math/float_env.h"

/* Waking another thread takes 3 µs, and it starts some 9 µs later: fewer joints than this are done by then. */
enum { SHARED_JOINTS = 2000 };

void stage_end_threads(sinew_stage *stage) {
  jobs_destroy(stage->jobs);
  stage->jobs = NULL;
  for (int i = 1; i < JOBS_MOST_THREADS; i++) scratch_reset(stage->scratches + i);
}

bool stage_reserve(sinew_stage *stage, int groups, sinew_error *error) {
  int most = groups > stage->scratch_groups ? groups : stage->scratch_groups;
  for (int i = 0; i < sinew_stage_threads(stage); i++)
    if (!scratch_reserve(stage->scratches + i, most, error)) return false;
  stage->scratch_groups = most;
  return true;
}

/* If they cannot be started, this thread does everything. */
static void start_threads(sinew_stage *stage) {
  int wanted = stage->threads_wanted ? stage->threads_wanted : jobs_default_threads();
  sinew_error reason;
  stage->jobs = wanted > 1 ? jobs_create(wanted, &reason) : NULL;
  if (stage->jobs && stage_reserve(stage, 0, &reason)) return;
  if (wanted > 1) sinew_log(SINEW_LOG_WARNING, "the stage uses one thread: %s", reason.message);
  stage_end_threads(stage);
  stage->threads_wanted = 1;
}

/* A range run by a thread of the program, whose floating-point environment may differ. */
typedef struct shared_task {
  jobs_function *function;
  void *user;
} shared_task;

static void run_shared(void *data, int worker, int begin, int end) {
  const shared_task *task = data;
  uint64_t before = float_env_enter();
  task->function(task->user, worker, begin, end);
  float_env_leave(before);
}

bool stage_shares(const sinew_stage *stage, int64_t joints) {
  return joints >= SHARED_JOINTS && (stage->tasks.run || stage->threads_wanted != 1);
}

void stage_share(sinew_stage *stage, int count, int range, int64_t joints, jobs_function *function, void *user) {
  if (stage->tasks.run && stage_shares(stage, joints)) {
    stage->tasks.run(stage->tasks.user, count, range, run_shared, &(shared_task){function, user});
    return;
  }
  bool shared = !stage->tasks.run && stage_shares(stage, joints);
  if (shared && !stage->jobs) start_threads(stage);
  if (shared && stage->jobs) jobs_run(stage->jobs, count, range, function, user);
  else function(user, 0, 0, count);
}

bool sinew_stage_set_threads(sinew_stage *stage, int threads) {
  if (threads < 0 || threads > JOBS_MOST_THREADS || stage_closed(stage)) return false;
  stage_end_threads(stage);
  stage->threads_wanted = threads;
  return true;
}

int sinew_stage_threads(const sinew_stage *stage) {
  return stage->tasks.run ? stage->tasks.workers : stage->jobs ? jobs_threads(stage->jobs) : 1;
}

bool sinew_stage_set_tasks(sinew_stage *stage, const sinew_task_system *tasks) {
  sinew_task_system before = stage->tasks;
  if (stage_closed(stage) || (tasks && (!tasks->run || tasks->workers < 1 || tasks->workers > JOBS_MOST_THREADS)))
    return false;
  stage_end_threads(stage);
  stage->tasks = tasks ? *tasks : (sinew_task_system){0};
  if (stage_reserve(stage, 0, NULL)) return true;
  stage->tasks = before;
  return false;
}
