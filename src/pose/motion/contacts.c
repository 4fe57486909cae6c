#include "math/float_env.h"
#include "math/vec3.h"
#include "pose/motion/feet.h"

const char *sinew_find_contacts_check(const sinew_find_contacts_job *job) {
  const char *reason = feet_check(job->model, job->clip, job->feet, job->foot_count);
  if (reason) return reason;
  if (job->path_count != 0 && (!job->path || job->path_count < 2))
    return "contacts: the path has fewer than two positions";
  if (!(job->height > 0) || !isfinite(job->height)) return "contacts: the height is not a positive number";
  if (!(job->speed > 0) || !isfinite(job->speed)) return "contacts: the speed is not a positive number";
  if (!(job->shortest >= 0) || !isfinite(job->shortest)) return "contacts: the shortest time is negative or not finite";
  if (!(job->rate >= 1 && job->rate <= 1000)) return "contacts: the rate is not in 1..1000";
  if (job->capacity < 0 || (job->capacity > 0 && !job->output) || !job->count) return "contacts: the output is missing";
  return NULL;
}

typedef struct search {
  const sinew_find_contacts_job *job;
  foot_paths feet;
  int found;
} search;

static sinew_vec3 position_on_ground(const search *s, int foot, int moment) {
  const sinew_find_contacts_job *job = s->job;
  sinew_vec3 position = feet_position(&s->feet, foot, moment), root = {0, 0, 0};
  double duration = s->feet.duration, time = feet_time(&s->feet, moment);
  if (job->path_count && duration > 0)
    sinew_root_path(&(sinew_root_path_job){job->path, job->path_count, duration, 0, time, 0, &root});
  return vec3_add(position, root);
}

/* Whether a foot is near the ground at both moments, and slow in between. */
static bool is_down(const search *s, int foot, int moment) {
  double from = feet_time(&s->feet, moment), to = feet_time(&s->feet, moment + 1);
  sinew_vec3 a = position_on_ground(s, foot, moment), b = position_on_ground(s, foot, moment + 1);
  if (fmaxf(a.y, b.y) - s->feet.lowest[foot] > s->job->height) return false;
  return (double)vec3_distance(a, b) <= (double)s->job->speed * (to - from);
}

static void add_contact(search *s, sinew_contact contact) {
  if (contact.end - contact.start < s->job->shortest) return;
  if (s->found < s->job->capacity) s->job->output[s->found] = contact;
  s->found++;
}

/* A contact at the end continues into one at the beginning, `wrapped` moments long, which then does not count
 * separately. */
static void find_foot(search *s, int foot) {
  int last = s->feet.moments - 1, wrapped = 0, begin = -1;
  while (s->job->loop && wrapped < last && is_down(s, foot, last - 1) && is_down(s, foot, wrapped)) wrapped++;
  if (wrapped == last) { /* it never leaves the ground */
    add_contact(s, (sinew_contact){foot, 0, s->feet.duration});
    return;
  }
  for (int i = wrapped; i <= last; i++) {
    bool down = i < last && is_down(s, foot, i);
    if (down && begin < 0) begin = i;
    if (down || begin < 0) continue;
    double end = feet_time(&s->feet, i);
    if (i == last) end += feet_time(&s->feet, wrapped);
    add_contact(s, (sinew_contact){foot, feet_time(&s->feet, begin), end});
    begin = -1;
  }
}

bool sinew_find_contacts(const sinew_find_contacts_job *job) {
  if (sinew_find_contacts_check(job)) return false;
  uint64_t before = float_env_enter();
  double moments = ceil(sinew_clip_duration(job->clip) * job->rate) + 1;
  if (!(moments < 1e5)) moments = 1e5; /* a clip of hours is sampled less often */
  search s = {.job = job};
  bool measured = feet_measure(&s.feet, job->model, job->clip, job->feet, job->foot_count, (int)moments);
  for (int i = 0; measured && i < job->foot_count; i++) find_foot(&s, i);
  if (measured) *job->count = s.found;
  feet_release(&s.feet);
  float_env_leave(before);
  return measured;
}
