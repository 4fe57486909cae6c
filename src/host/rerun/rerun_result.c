#include "host/rerun/rerun_result.h"

#include "base/error.h"
#include "base/file.h"
#include "base/memory/memory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NAME = 64, LARGEST = 1 << 28, MOST_JOINTS = 1 << 16, MOST_MORPHS = 1 << 16 };
static const char title[16] = "sinew rerun 7\n";
static const double near_enough = 1e-4;

void rerun_result_release(rerun_result *t) {
  ring_release(&t->ring);
  past_marks_release(&t->marks);
}

/* ---- writing ---- */

static void put_name(FILE *file, const char *name) {
  char out[NAME] = "";
  snprintf(out, sizeof out, "%s", name ? name : "");
  fwrite(out, sizeof out, 1, file);
}

static void put_actor(FILE *file, const ring *r, int64_t moment, sinew_actor actor, sinew_pose_group *groups) {
  const float *weights = ring_morphs(r, moment, actor);
  int32_t joints = sinew_model_joint_count(ring_model(r, moment, actor)),
          morphs = weights ? ring_morph_count(ring_model(r, moment, actor)) : 0;
  sinew_pose pose = {groups, joints};
  ring_moment kept;
  ring_pose(r, moment, actor, pose);
  ring_read(r, moment, actor, &kept);
  put_name(file, ring_name(r, moment, actor));
  fwrite(&joints, sizeof joints, 1, file);
  fwrite(&kept, sizeof kept, 1, file);
  for (int i = 0; i < joints; i++) {
    sinew_transform t = sinew_pose_joint(&pose, i);
    fwrite(&t, sizeof t, 1, file);
  }
  fwrite(&morphs, sizeof morphs, 1, file);
  if (morphs > 0) fwrite(weights, sizeof *weights, (size_t)morphs, file);
}

static int most_groups(const ring *r) {
  int most = 1;
  for (int64_t m = r->first; m < r->first + r->count; m++)
    for (int i = 0; i < ring_actor_count(r, m); i++) {
      int groups = sinew_pose_group_count(sinew_model_joint_count(ring_model(r, m, ring_actor(r, m, i))));
      if (groups > most) most = groups;
    }
  return most;
}

/* The blocks of the file's ring begin where those of this one do, so each row follows the same one as here. */
static void put_crowd(FILE *file, const kept_crowd *c, int64_t moment) {
  int32_t index = (int32_t)(moment % RING_BLOCK) - c->first, begins = index == 0;
  const kept_row *row = c->rows + index;
  const int32_t numbers[] = {begins, c->members, c->morph_count, c->material_count, row->count};
  put_name(file, c->name);
  fwrite(numbers, sizeof numbers, 1, file);
  fwrite(c->tinted, 1, (size_t)c->material_count, file);
  fwrite(row->words, sizeof *row->words, (size_t)row->count, file);
}

static void put_moment(FILE *file, const ring *r, int64_t moment, sinew_pose_group *groups) {
  double time = ring_time(r, moment);
  int64_t frame = ring_frame(r, moment);
  int32_t actors = ring_actor_count(r, moment), crowds = ring_crowd_count(r, moment);
  fwrite(&time, sizeof time, 1, file);
  fwrite(&frame, sizeof frame, 1, file);
  fwrite(&actors, sizeof actors, 1, file);
  for (int i = 0; i < actors; i++) put_actor(file, r, moment, ring_actor(r, moment, i), groups);
  fwrite(&crowds, sizeof crowds, 1, file);
  for (int i = 0; i < crowds; i++) put_crowd(file, ring_crowd(r, moment, i), moment);
}

/* The last known name of an actor. */
static const char *name_of(const ring *r, sinew_actor actor) {
  for (int64_t m = r->first + r->count - 1; m >= r->first; m--)
    if (ring_name(r, m, actor)) return ring_name(r, m, actor);
  return NULL;
}

static void put_mark(FILE *file, const ring *r, const past_mark *mark) {
  put_name(file, name_of(r, mark->actor));
  fwrite(mark, sizeof *mark, 1, file);
}

bool rerun_result_write(const rerun_result *t, const char *path, sinew_error *error) {
  const ring *r = &t->ring;
  sinew_pose_group *groups = mem_alloc_zeroed((size_t)most_groups(r) * sizeof *groups);
  file_writer *writer = groups ? file_begin(path, false, error) : NULL;
  if (!groups) error_set(error, "out of memory for the poses of %s", path);
  if (writer) {
    FILE *file = file_stream(writer);
    int32_t marks = t->marks.count, refused = t->refused;
    fwrite(title, sizeof title, 1, file);
    fwrite(&r->count, sizeof r->count, 1, file);
    for (int64_t m = r->first; m < r->first + r->count; m++) put_moment(file, r, m, groups);
    fwrite(&marks, sizeof marks, 1, file);
    for (int i = 0; i < marks; i++) put_mark(file, r, t->marks.marks + i);
    fwrite(t->text, sizeof t->text, 1, file);
    fwrite(t->printed, sizeof t->printed, 1, file);
    fwrite(&refused, sizeof refused, 1, file);
  }
  mem_free(groups);
  return writer && file_commit(writer, error);
}

/* ---- reading ---- */

typedef struct source {
  const unsigned char *at, *end;
  const ring *then;
  sinew_pose_group *groups;
  int capacity, missing;
  float *morphs;
  int morph_count, morph_capacity;
  uint32_t *words;
  int word_capacity;
} source;

static bool get(source *s, void *value, size_t size) {
  if ((size_t)(s->end - s->at) < size) return false;
  memcpy(value, s->at, size);
  s->at += size;
  return true;
}

static bool get_name(source *s, char name[NAME]) { return get(s, name, NAME) && memchr(name, 0, NAME); }

/* The actor with that name at about that time. */
static sinew_actor find_actor(const source *s, const char *name, double time, sinew_model **model) {
  int64_t near = ring_find(s->then, time);
  for (int64_t m = near; m < s->then->first + s->then->count; m += RING_RATE)
    for (int i = 0; i < ring_actor_count(s->then, m); i++) {
      sinew_actor actor = ring_actor(s->then, m, i);
      if (strcmp(ring_name(s->then, m, actor), name) != 0) continue;
      *model = ring_model(s->then, m, actor);
      return actor;
    }
  return (sinew_actor){0};
}

static bool is_sound(const ring_moment *m) {
  bool sound = m->clip_count >= 0 && m->clip_count <= RING_CLIPS && m->param_count >= 0 &&
               m->param_count <= RING_PARAMS && m->opacity >= 0 && m->opacity <= 1;
  const float *numbers = &m->transform.translation.x;
  sound = sound && isfinite(m->slid);
  for (int i = 0; i < 10; i++) sound = sound && isfinite(numbers[i]);
  for (int i = 0; sound && i < m->clip_count; i++)
    sound = isfinite(m->clips[i].normalized_weight) && m->clips[i].clip >= 0;
  return sound;
}

static bool get_pose(source *s, int joints) {
  sinew_pose_group *grown = s->groups;
  if (joints > s->capacity) grown = mem_resize(s->groups, (size_t)sinew_pose_group_count(joints) * sizeof *grown);
  if (!grown) return false;
  s->groups = grown;
  if (joints > s->capacity) s->capacity = joints;
  sinew_pose pose = {s->groups, joints};
  for (int i = 0; i < joints; i++) {
    sinew_transform t;
    if (!get(s, &t, sizeof t)) return false;
    sinew_pose_set_joint(&pose, i, &t);
  }
  return true;
}

static bool get_morphs(source *s) {
  int32_t count;
  if (!get(s, &count, sizeof count) || count < 0 || (size_t)count > (size_t)(s->end - s->at) / sizeof(float))
    return false;
  if (!array_reserve((void **)&s->morphs, &s->morph_capacity, count, sizeof *s->morphs)) return false;
  s->morph_count = count;
  bool good = count == 0 || get(s, s->morphs, (size_t)count * sizeof *s->morphs);
  for (int i = 0; good && i < count; i++) good = isfinite(s->morphs[i]);
  return good;
}

static bool get_actor(source *s, rerun_result *t, double time) {
  char name[NAME];
  int32_t joints;
  ring_moment moment;
  sinew_model *model = NULL;
  if (!get_name(s, name) || !get(s, &joints, sizeof joints) || joints < 1 || joints > MOST_JOINTS ||
      !get(s, &moment, sizeof moment) || !is_sound(&moment) || !get_pose(s, joints) || !get_morphs(s))
    return false;
  sinew_actor actor = find_actor(s, name, time, &model);
  bool known = model && sinew_model_joint_count(model) == joints;
  bool has_morphs = known && s->morph_count == ring_morph_count(model);
  if (known)
    ring_add(&t->ring, actor, name, model, &moment, &(sinew_pose){s->groups, joints}, has_morphs ? s->morphs : NULL);
  else s->missing++;
  return true;
}

/* The crowd with that name at about that time. */
static const kept_crowd *find_crowd(const source *s, const char *name, double time) {
  int64_t near = ring_find(s->then, time);
  for (int64_t m = near; m < s->then->first + s->then->count; m += RING_RATE)
    for (int i = 0; i < ring_crowd_count(s->then, m); i++)
      if (strcmp(ring_crowd(s->then, m, i)->name, name) == 0) return ring_crowd(s->then, m, i);
  return NULL;
}

static bool get_numbers(source *s, kept_crowd *c, kept_row *row, int32_t *begins) {
  int32_t numbers[5];
  if (!get_name(s, c->name) || !get(s, numbers, sizeof numbers)) return false;
  *begins = numbers[0];
  c->members = numbers[1], c->morph_count = numbers[2], c->material_count = numbers[3];
  row->count = numbers[4];
  size_t left = (size_t)(s->end - s->at);
  return c->members >= 1 && c->members <= row->count && c->morph_count >= 0 && c->morph_count <= MOST_MORPHS &&
         c->material_count >= 0 && (size_t)c->material_count <= left &&
         (size_t)row->count <= (left - (size_t)c->material_count) / sizeof *row->words;
}

static bool get_words(source *s, kept_row *row) {
  if (!array_reserve((void **)&s->words, &s->word_capacity, row->count, sizeof *s->words)) return false;
  row->words = s->words;
  return get(s, s->words, (size_t)row->count * sizeof *s->words);
}

static bool get_crowd(source *s, rerun_result *t, double time) {
  kept_crowd c = {.first = 0};
  kept_row row;
  int32_t begins;
  if (!get_numbers(s, &c, &row, &begins)) return false;
  c.tinted = (uint8_t *)(uintptr_t)s->at;
  s->at += c.material_count;
  if (!get_words(s, &row)) return false;
  const kept_crowd *then = begins ? find_crowd(s, c.name, time) : NULL;
  if (begins && (!then || c.morph_count != then->morph_count || c.material_count != then->material_count)) {
    s->missing++;
    return true;
  }
  if (then) c.crowd = then->crowd, c.model = then->model;
  return kept_crowds_add(&t->ring.crowds, t->ring.first + t->ring.count, &c, &row, begins);
}

static bool get_moment(source *s, rerun_result *t) {
  double time;
  int64_t frame;
  int32_t actors, crowds;
  if (!get(s, &time, sizeof time) || !isfinite(time) || !get(s, &frame, sizeof frame) ||
      !get(s, &actors, sizeof actors) || actors < 0 || !ring_begin(&t->ring, time, frame))
    return false;
  bool good = true;
  for (int i = 0; good && i < actors; i++) good = get_actor(s, t, time);
  good = good && get(s, &crowds, sizeof crowds) && crowds >= 0;
  for (int i = 0; good && i < crowds; i++) good = get_crowd(s, t, time);
  ring_end(&t->ring);
  return good;
}

static bool get_mark(source *s, past_mark *mark) {
  char name[NAME];
  sinew_model *model = NULL;
  if (!get_name(s, name) || !get(s, mark, sizeof *mark) || !memchr(mark->text, 0, sizeof mark->text) ||
      !isfinite(mark->begin) || !isfinite(mark->end) || !isfinite(mark->worst_end) || !isfinite(mark->mark.size))
    return false;
  if (mark->mark.kind < SINEW_MARK_POP || mark->mark.kind > SINEW_MARK_REFUSAL) return false;
  mark->actor = find_actor(s, name, mark->begin, &model);
  return !model || mark->mark.joint < sinew_model_joint_count(model);
}

static bool get_marks(source *s, rerun_result *t) {
  int32_t marks;
  if (!get(s, &marks, sizeof marks) || marks < 0 || (size_t)marks > (size_t)(s->end - s->at) / sizeof(past_mark))
    return false;
  t->marks.marks = marks > 0 ? mem_alloc_zeroed((size_t)marks * sizeof(past_mark)) : NULL;
  t->marks.capacity = marks;
  bool good = marks == 0 || t->marks.marks;
  for (; good && t->marks.count < marks; t->marks.count++) good = get_mark(s, t->marks.marks + t->marks.count);
  return good;
}

static bool get_texts(source *s, rerun_result *t) {
  int32_t refused;
  bool good = get(s, t->text, sizeof t->text) && memchr(t->text, 0, sizeof t->text) &&
              get(s, t->printed, sizeof t->printed) && memchr(t->printed, 0, sizeof t->printed) &&
              get(s, &refused, sizeof refused);
  t->refused = good && refused != 0;
  return good;
}

static bool get_all(source *s, rerun_result *t) {
  char begins[sizeof title];
  int64_t moments;
  bool good = get(s, begins, sizeof begins) && memcmp(begins, title, sizeof title) == 0 &&
              get(s, &moments, sizeof moments) && moments >= 0;
  for (int64_t i = 0; good && i < moments; i++) good = get_moment(s, t);
  return good && get_marks(s, t) && get_texts(s, t) && s->at == s->end;
}

bool rerun_result_read(rerun_result *t, const char *path, const ring *then, int *missing, sinew_error *error) {
  size_t size;
  unsigned char *bytes = file_read(path, LARGEST, &size, error);
  *t = (rerun_result){0};
  if (!bytes) return false;
  source s = {.at = bytes, .end = bytes + size, .then = then};
  bool good = get_all(&s, t);
  mem_free(bytes);
  mem_free(s.groups);
  mem_free(s.morphs);
  mem_free(s.words);
  *missing = s.missing;
  if (good) return true;
  rerun_result_release(t);
  return error_set(error, "%s is not the result of a rerun, or it is damaged", path);
}

/* ---- comparing ---- */

static double distance_between(const ring_moment *a, const ring_moment *b) {
  const float *p = &a->transform.translation.x, *q = &b->transform.translation.x;
  return sinew_hypot(sinew_hypot((double)(p[0] - q[0]), (double)(p[1] - q[1])), (double)(p[2] - q[2]));
}

typedef struct joints {
  sinew_pose_group *groups;
  sinew_mat3x4 *matrices;
  int count;
} joints;

static bool pose_joints(const ring *r, int64_t moment, sinew_actor actor, const joints *j) {
  sinew_model *model = ring_model(r, moment, actor);
  sinew_pose pose = {j->groups, j->count};
  if (!model || sinew_model_joint_count(model) != j->count) return false;
  sinew_model_rest_pose(model, pose);
  return ring_pose(r, moment, actor, pose) &&
         sinew_local_to_model(&(sinew_local_to_model_job){.model = model, .pose = pose, .output = j->matrices});
}

static double joints_apart(const joints *a, const joints *b) {
  double most = 0;
  for (int i = 0; i < a->count; i++) {
    const float *p = a->matrices[i].m, *q = b->matrices[i].m;
    double away = sinew_hypot(sinew_hypot((double)(p[3] - q[3]), (double)(p[7] - q[7])), (double)(p[11] - q[11]));
    if (away > most) most = away;
  }
  return most;
}

static joints make_joints(int count) {
  return (joints){mem_alloc_zeroed((size_t)sinew_pose_group_count(count) * sizeof(sinew_pose_group)),
                  mem_alloc_zeroed((size_t)count * sizeof(sinew_mat3x4)), count};
}

static void free_joints(joints *j) {
  mem_free(j->groups);
  mem_free(j->matrices);
}

static bool differs(const ring *one, const ring *other, int64_t m, int64_t n, sinew_actor actor) {
  ring_moment a, b;
  bool first = ring_read(one, m, actor, &a), second = ring_read(other, n, actor, &b);
  if (!first || !second) return first != second;
  if (distance_between(&a, &b) > near_enough) return true;
  int count = sinew_model_joint_count(ring_model(one, m, actor));
  joints p = make_joints(count), q = make_joints(count);
  bool good = p.groups && p.matrices && q.groups && q.matrices;
  bool apart = good && (!pose_joints(one, m, actor, &p) || !pose_joints(other, n, actor, &q) ||
                        joints_apart(&p, &q) > near_enough);
  free_joints(&p);
  free_joints(&q);
  return apart;
}

double rerun_result_compare(const ring *one, const ring *other, sinew_actor actor, double from, double to,
                            double *last) {
  double first = -1;
  *last = 0;
  for (int64_t m = ring_find(one, from); ring_time(one, m) >= 0 && ring_time(one, m) <= to; m++) {
    int64_t n = ring_find(other, ring_time(one, m));
    if (ring_frame(other, n) != ring_frame(one, m)) continue;
    ring_moment a, b;
    if (first < 0 && differs(one, other, m, n, actor)) first = ring_time(one, m);
    if (ring_read(one, m, actor, &a) && ring_read(other, n, actor, &b)) *last = distance_between(&a, &b);
  }
  return first;
}

/* ---- comparing crowds ---- */

static bool members_differ(const kept_crowd *c, const uint32_t *a, const uint32_t *b) {
  int stride = kept_crowd_stride(c), visible = (int)(offsetof(kept_member, visible) / sizeof *a);
  for (int i = 0; i < c->members; i++, a += stride, b += stride)
    if (a[visible] != b[visible] || (a[visible] && memcmp(a, b, (size_t)stride * sizeof *a) != 0)) return true;
  return false;
}

static bool crowd_differs(const kept_crowd *a, int64_t m, const kept_crowd *b, int64_t n) {
  if (a->members != b->members || a->morph_count != b->morph_count) return true;
  size_t words = (size_t)a->members * (size_t)kept_crowd_stride(a);
  uint32_t *rooms = mem_alloc(2 * words * sizeof *rooms);
  if (!rooms) return false;
  kept_crowd_read(a, m, rooms);
  kept_crowd_read(b, n, rooms + words);
  bool differs = members_differ(a, rooms, rooms + words);
  mem_free(rooms);
  return differs;
}

static const kept_crowd *crowd_named(const ring *r, int64_t moment, const char *name) {
  for (int i = 0; i < ring_crowd_count(r, moment); i++)
    if (strcmp(ring_crowd(r, moment, i)->name, name) == 0) return ring_crowd(r, moment, i);
  return NULL;
}

const char *rerun_result_compare_crowds(const ring *one, const ring *other) {
  for (int64_t n = other->first + other->count - 1; n >= other->first; n -= RING_RATE / 3) {
    int64_t m = ring_find(one, ring_time(other, n));
    if (ring_frame(one, m) != ring_frame(other, n) && n > other->first) m = ring_find(one, ring_time(other, --n));
    if (ring_frame(one, m) != ring_frame(other, n)) continue;
    for (int i = 0; i < ring_crowd_count(one, m); i++) {
      const kept_crowd *a = ring_crowd(one, m, i), *b = crowd_named(other, n, a->name);
      if (!b || crowd_differs(a, m, b, n)) return a->name;
    }
  }
  return NULL;
}
