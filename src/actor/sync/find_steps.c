/* The steps of feet that a caller names. */
#include "actor/sync/gait_search.h"
#include "math/elementary.h"
#include "math/float_env.h"
#include "model/model.h"

#include <sinew/graph.h>

#include <math.h>
#include <string.h>

const char *sinew_find_steps_check(const sinew_steps_job *job) {
  if (!job->model) return "steps: the model is missing";
  if (job->clip < 0 || job->clip >= job->model->clip_count) return "steps: the model has no such clip";
  if (job->foot_count < 1 || job->foot_count > SINEW_STEP_FEET || !job->feet) return "steps: 1 to 8 feet are needed";
  for (int i = 0; i < job->foot_count; i++)
    if (job->feet[i] < 0 || job->feet[i] >= job->model->joint_count) return "steps: the model has no such joint";
  if (job->capacity < 0 || (job->capacity > 0 && !job->output) || !job->count) return "steps: the output is missing";
  return NULL;
}

/* Whether a foot that leaves the ground at times is never seen to stand while another one is. */
static bool misses_a_foot(const gait_search *s) {
  int seen = 0, goers = 0;
  for (int foot = 0; foot < s->gait->foot_count; foot++) {
    bool stands = false;
    for (int i = 0; i + 1 < s->moments; i++) stands |= s->down[foot][i];
    seen += s->goes[foot] && stands, goers += s->goes[foot];
  }
  return seen > 0 && seen < goers;
}

/* A foot that is never seen to stand does while it goes back. */
static void stand_by_reach(gait_search *s, double x, double z) {
  double speed = fmax(sinew_hypot(x, z), 1e-9);
  search_contacts(s, x, z, search_slack(s, x, z));
  for (int foot = 0; foot < s->gait->foot_count; foot++) {
    gait_step step;
    bool stands = false;
    for (int i = 0; i + 1 < s->moments; i++) stands |= s->down[foot][i];
    if (stands || !s->goes[foot] || search_reach(s, s->positions[foot], x / speed, z / speed, &step) != 1) continue;
    int first = (int)lround(step.time / search_interval(s)), count = (int)(step.down / search_interval(s));
    for (int i = 0; i < count; i++) s->down[foot][(first + i) % (s->moments - 1)] = true;
  }
}

/* At the speed that the clip has, where that is known. Between the keys of a recording a foot that stands may go to and
 * fro at metres a second. */
static void find_named_contacts(gait_search *s, const clip_gait *own) {
  static const double of_recordings = 1.0 / 30; /* seconds between keys */
  bool known = own->known && own->kind != GAIT_UNKNOWN;
  double x = known ? own->x : 0, z = known ? own->z : 0;
  search_watch_hips(s);
  for (int pass = known ? 1 : 0; pass < (known ? 2 : SEARCH_PASSES); pass++) {
    search_contacts(s, x, z, pass ? 1 : HUGE_VAL);
    if (!known) x = search_median(s, true, x), z = search_median(s, false, z);
  }
  if (misses_a_foot(s)) {
    s->smooth = (int)(of_recordings * SEARCH_RATE / 2);
    search_contacts(s, x, z, 1);
  }
  if (misses_a_foot(s)) stand_by_reach(s, x, z);
  search_close_gaps(s);
}

static void take_contacts(const gait_search *s, const sinew_steps_job *job) {
  static const double shortest = 0.04; /* seconds */
  int count = 0;
  for (int foot = 0; foot < job->foot_count; foot++)
    for (int i = 0; i + 1 < s->moments; i++) {
      double start = search_time(s, i), down = search_time_down(s, foot, i);
      if (!search_touches_down(s, foot, i) || down < shortest) continue;
      if (count < job->capacity) job->output[count] = (sinew_contact){foot, start, start + down};
      count++;
    }
  *job->count = count;
}

static bool find_named_steps(const sinew_steps_job *job) {
  model_gait named;
  clip_gait own = {0};
  if (!gait_alone(job->model, job->clip, &named, &own)) return false;
  gait_search s = {.gait = &named, .clip = job->model->clips + job->clip};
  named.foot_count = job->foot_count;
  memcpy(named.feet, job->feet, (size_t)job->foot_count * sizeof *job->feet);
  *job->count = 0;
  bool found = search_begin(&s);
  if (found && s.moments > 2) find_named_contacts(&s, &own), take_contacts(&s, job);
  search_end(&s);
  return found;
}

bool sinew_find_steps(const sinew_steps_job *job) {
  if (sinew_find_steps_check(job)) return false;
  uint64_t before = float_env_enter();
  bool found = find_named_steps(job);
  float_env_leave(before);
  return found;
}
