// A crowd on the program's own threads: a thousand characters, evaluated by tasks. Prints the mean height of a joint's
// skinning matrices, which does not depend on the number of threads. crowd MODEL CLIP THREADS
#include <sinew/sinew.h>

#include <atomic>
#include <clocale>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <thread>
#include <vector>

struct Threads { // the simplest task system: a thread for each worker, ranges as they come
  int workers;
  static void run(void *user, int count, int grain, sinew_task *task, void *data) {
    const Threads *self = static_cast<Threads *>(user);
    std::atomic<int> next{0};
    std::vector<std::thread> threads;
    auto work = [&](int worker) {
      for (int begin; (begin = next.fetch_add(grain)) < count;)
        task(data, worker, begin, begin + grain < count ? begin + grain : count);
    };
    for (int i = 1; i < self->workers; i++) threads.emplace_back(work, i);
    work(0);
    for (auto &thread : threads) thread.join();
  }
};

static int fail(const char *why) { return std::fprintf(stderr, "crowd: %s\n", why), 1; }

int main(int argc, char **argv) {
  std::setlocale(LC_ALL, "");
  sinew_error error;
  if (argc != 4) return fail("needs a model, a clip and a number of threads, as in: crowd hero.glb Walk 4");
  std::unique_ptr<sinew_model, decltype(&sinew_model_release)> model(sinew_model_load(argv[1], nullptr, &error),
                                                                     sinew_model_release);
  if (!model) return fail(error.message);
  std::unique_ptr<sinew_stage, decltype(&sinew_stage_destroy)> stage(sinew_stage_create(&error), sinew_stage_destroy);
  Threads threads{std::atoi(argv[3])};
  const sinew_task_system tasks = {Threads::run, &threads, threads.workers};
  if (!stage || !sinew_stage_set_tasks(stage.get(), &tasks)) return fail("1 to 64 threads");

  sinew_crowd_def def = sinew_crowd_def_default();
  def.model = model.get();
  def.count = 1000;
  def.clips[0] = sinew_model_find_clip(model.get(), argv[2]);
  sinew_crowd crowd = sinew_crowd_create(stage.get(), &def, &error);
  if (!crowd.id) return fail(error.message);
  const sinew_crowd_characters all = sinew_crowd_view(stage.get(), crowd);
  for (int i = 0; i < all.count; i++) all.slots[0].time[i] = i * 0.01;
  for (int frame = 0; frame < 10; frame++) sinew_stage_update(stage.get(), 1.0 / 60);

  int count;
  const sinew_mat3x4 *palettes = sinew_stage_palettes(stage.get(), &count);
  double sum = 0;
  for (int i = 0; i < count; i++) sum += palettes[i].m[7];
  std::printf("%d matrices, mean %.17g\n", count, sum / count);
}
