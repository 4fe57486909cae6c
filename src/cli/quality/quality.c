/* sinew replay --metrics – replays a recorded run, measures how well its actors move, and compares that with another
 * run. */
#include "cli/quality/quality.h"

#include "base/memory/hash_index.h"
#include "base/memory/memory.h"
#include "base/text.h"
#include "cli/cli.h"
#include "cli/json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { QUALITY_TEXT = 400, QUALITY_NAME = 128 };

typedef struct quality_mark {
  sinew_mark mark;
  char joint[QUALITY_NAME], text[QUALITY_TEXT];
} quality_mark;

typedef struct quality_actor {
  uint64_t id;
  char name[QUALITY_NAME];
  sinew_metrics metrics;
  sinew_vec3 position; /* at the end */
  quality_mark *marks;
  int mark_count, mark_capacity;
} quality_actor;

typedef struct quality {
  sinew_host *host;
  quality_actor *actors;
  int actor_count, actor_capacity;
  uint64_t *frames; /* a hash of all poses and positions after each */
  int frame_count, frame_capacity;
  bool out_of_memory;
} quality;

/* ---- quality measure ---- */

enum { MARKS = 16384, LATEST = 64 };

static void quality_release(quality *q) {
  for (int i = 0; i < q->actor_count; i++) mem_free(q->actors[i].marks);
  mem_free(q->actors);
  mem_free(q->frames);
  *q = (quality){0};
}

/* Before the stage is updated, starts to measure new actors. */
static void quality_measure(quality *q) {
  sinew_stage *stage = sinew_host_stage(q->host);
  sinew_metrics_def def = sinew_metrics_def_default();
  def.marks = MARKS;
  for (int i = 0; i < sinew_stage_actor_count(stage); i++) {
    sinew_metrics metrics;
    sinew_error error;
    sinew_actor actor = sinew_stage_actor(stage, i);
    if (sinew_actor_metrics(stage, actor, &metrics)) continue;
    if (!sinew_actor_set_metrics(stage, actor, &def, &error)) sinew_log(SINEW_LOG_WARNING, "%s", error.message);
  }
}

static uint64_t add_actor(uint64_t hash, const sinew_stage *stage, sinew_actor actor) {
  sinew_pose pose = sinew_actor_pose(stage, actor);
  sinew_transform position = sinew_actor_transform(stage, actor);
  size_t groups = (size_t)sinew_pose_group_count(pose.joint_count);
  hash = fnv_add(hash, pose.groups, groups * sizeof *pose.groups);
  hash = fnv_add(hash, &position.translation, sizeof position.translation);
  hash = fnv_add(hash, &position.rotation, sizeof position.rotation);
  return fnv_add(hash, &position.scale, sizeof position.scale);
}

static void add_frame(quality *q, const sinew_stage *stage) {
  uint64_t *hash = array_grow((void **)&q->frames, &q->frame_count, &q->frame_capacity, sizeof *hash);
  if (!hash) q->out_of_memory = true;
  if (!hash) return;
  *hash = FNV_BEGIN;
  for (int i = 0; i < sinew_stage_actor_count(stage); i++) *hash = add_actor(*hash, stage, sinew_stage_actor(stage, i));
}

/* ---- actors, as long as they exist ---- */

/* The record of an actor; a new one if the scene has restarted its measurement. */
static quality_actor *record_of(quality *q, const sinew_stage *stage, sinew_actor actor, int64_t frames) {
  for (int i = q->actor_count - 1; i >= 0; i--)
    if (q->actors[i].id == actor.id && q->actors[i].metrics.frames <= frames) return q->actors + i;
  quality_actor *a = array_grow((void **)&q->actors, &q->actor_count, &q->actor_capacity, sizeof *a);
  if (!a) q->out_of_memory = true;
  if (!a) return NULL;
  a->id = actor.id;
  snprintf(a->name, sizeof a->name, "%s", sinew_actor_name(stage, actor));
  return a;
}

static bool is_same(const sinew_mark *a, const sinew_mark *b) {
  return a->kind == b->kind && a->begin == b->begin && a->end == b->end && a->size == b->size && a->joint == b->joint &&
         a->transition == b->transition;
}

/* In the words of the graph that is running now. */
static void read_mark(quality *q, quality_actor *a, sinew_scene *scene, sinew_actor actor, int index) {
  const sinew_stage *stage = sinew_host_stage(q->host);
  sinew_mark mark;
  if (!sinew_actor_mark(stage, actor, index, &mark)) return;
  quality_mark *m = index < a->mark_count
                        ? a->marks + index
                        : array_grow((void **)&a->marks, &a->mark_count, &a->mark_capacity, sizeof *m);
  if (!m) q->out_of_memory = true;
  if (!m || (m->text[0] && is_same(&m->mark, &mark))) return;
  m->mark = mark;
  m->joint[0] = '\0';
  if (mark.joint >= 0) sinew_model_joint_path(sinew_actor_model(stage, actor), mark.joint, m->joint, sizeof m->joint);
  sinew_scene_mark_text(scene, actor, index, m->text, sizeof m->text);
}

/* Only the latest marks change: a pop may continue, and the mark of a planted foot is last until it lifts. */
static void read_marks(quality *q, quality_actor *a, sinew_scene *scene, sinew_actor actor) {
  int count = sinew_actor_mark_count(sinew_host_stage(q->host), actor);
  int from = a->mark_count - LATEST < 0 ? 0 : a->mark_count - LATEST;
  if (count < a->mark_count) a->mark_count = count;
  for (int i = from < count ? from : count; i < count; i++) read_mark(q, a, scene, actor, i);
}

static void follow(quality *q, sinew_scene *scene, sinew_actor actor) {
  const sinew_stage *stage = sinew_host_stage(q->host);
  sinew_metrics metrics;
  bool measured = sinew_actor_metrics(stage, actor, &metrics);
  quality_actor *a = measured ? record_of(q, stage, actor, metrics.frames) : NULL;
  if (!a) return;
  a->metrics = metrics;
  a->position = sinew_actor_transform(stage, actor).translation;
  read_marks(q, a, scene, actor);
}

/* After it. */
static void quality_add_frame(quality *q, sinew_scene *scene) {
  const sinew_stage *stage = sinew_host_stage(q->host);
  add_frame(q, stage);
  for (int i = 0; i < sinew_stage_actor_count(stage); i++) follow(q, scene, sinew_stage_actor(stage, i));
}

/* ---- quality print ---- */

static const double degrees = 57.29577951308232;

static int count_of(const quality_actor *a, sinew_mark_kind kind) {
  int count = 0;
  for (int i = 0; i < a->mark_count; i++) count += a->marks[i].mark.kind == kind;
  return count;
}

/* Pops are in order of their ranks, slides of their lengths. */
static float size_of(const sinew_mark *m) { return m->kind == SINEW_MARK_POP ? m->rank : m->size; }

/* The largest mark of the kind below `below`; NULL if there is none. */
static const quality_mark *largest(const quality_actor *a, sinew_mark_kind kind, float below) {
  const quality_mark *most = NULL;
  for (int i = 0; i < a->mark_count; i++) {
    const quality_mark *m = a->marks + i;
    bool is_larger = !most || size_of(&m->mark) > size_of(&most->mark);
    if (m->mark.kind == kind && size_of(&m->mark) < below && is_larger) most = m;
  }
  return most;
}

static sinew_mark largest_pop(const quality_actor *a) {
  const quality_mark *pop = largest(a, SINEW_MARK_POP, INFINITY);
  return pop ? pop->mark : (sinew_mark){0};
}

static void print_sums(const quality_actor *a) {
  const quality_mark *pop = largest(a, SINEW_MARK_POP, INFINITY);
  int pops = count_of(a, SINEW_MARK_POP), transitions = count_of(a, SINEW_MARK_TRANSITION);
  int refusals = count_of(a, SINEW_MARK_REFUSAL);
  text_show(stdout, "%s: %.3f s, %d %s", a->name, a->metrics.seconds, pops, text_plural(pops, "pop", "pops"));
  if (pop)
    text_show(stdout, " (the largest %.0f° and %.1f cm, or %.0f°/s and %.1f m/s over 1/60 s, %s at %.3f s)",
              (double)pop->mark.angle * degrees, (double)pop->mark.size * 100, (double)pop->mark.angle * degrees * 60,
              (double)pop->mark.size * 60, pop->joint[0] ? pop->joint : a->name, pop->mark.begin);
  text_show(stdout, ", feet slid %.1f cm, %d %s, %d %s, ends at %.3f %.3f %.3f\n", a->metrics.slid * 100, transitions,
            text_plural(transitions, "transition", "transitions"), refusals,
            text_plural(refusals, "refusal", "refusals"), (double)a->position.x, (double)a->position.y,
            (double)a->position.z);
}

static int by_begin(const void *a, const void *b) {
  const quality_mark *first = a, *second = b;
  return (first->mark.begin > second->mark.begin) - (first->mark.begin < second->mark.begin);
}

/* Pops, the largest first; then slides likewise. */
static int by_rank(const void *a, const void *b) {
  const quality_mark *first = a, *second = b;
  bool pops[2] = {first->mark.kind == SINEW_MARK_POP, second->mark.kind == SINEW_MARK_POP};
  if (pops[0] != pops[1]) return pops[0] ? -1 : 1;
  int order = (first->mark.rank < second->mark.rank) - (first->mark.rank > second->mark.rank);
  return order ? order : by_begin(a, b);
}

/* The same clip at the same place slides for the same reason. */
static bool is_one_cause(const sinew_mark *a, const sinew_mark *b) {
  bool one = a->kind == SINEW_MARK_SLIDE && b->kind == SINEW_MARK_SLIDE && a->clip == b->clip && a->layer == b->layer;
  return one && a->node == b->node && a->action.id == b->action.id && a->unsynced == b->unsynced &&
         strcmp(a->text, b->text) == 0;
}

/* One line for all slides with the cause of this one, which is the first of them. */
static void print_slides(const quality_actor *a, int first) {
  const quality_mark *most = a->marks + first;
  const char *cause = strstr(most->text, "the ground");
  double sum = 0, begin = most->mark.begin, end = most->mark.end;
  int count = 0;
  for (int i = first; i < a->mark_count; i++) {
    const sinew_mark *m = &a->marks[i].mark;
    if (!is_one_cause(&most->mark, m)) continue;
    sum += (double)m->size;
    begin = fmin(begin, m->begin);
    end = fmax(end, m->end);
    count++;
  }
  if (count == 1) text_show(stdout, "  %s\n", most->text);
  else
    text_show(stdout, "  %7.3f s  slide   feet slid %.1f cm in %d contacts until %.2f s on %s\n", begin, sum * 100,
              count, end, cause ? cause : "the ground");
}

static bool is_told(const quality_actor *a, int index) {
  for (int i = 0; i < index; i++)
    if (is_one_cause(&a->marks[i].mark, &a->marks[index].mark)) return true;
  return false;
}

/* Pops and slides by their ranks; then what the machines did, in the order of time. */
static void print_actor(quality_actor *a) {
  print_sums(a);
  qsort(a->marks, (size_t)a->mark_count, sizeof *a->marks, by_rank);
  for (int i = 0; i < a->mark_count; i++) {
    sinew_mark_kind kind = a->marks[i].mark.kind;
    if (kind == SINEW_MARK_POP) text_show(stdout, "  %s\n", a->marks[i].text);
    else if (kind == SINEW_MARK_SLIDE && !is_told(a, i)) print_slides(a, i);
  }
  qsort(a->marks, (size_t)a->mark_count, sizeof *a->marks, by_begin);
  for (int i = 0; i < a->mark_count; i++)
    if (a->marks[i].mark.kind >= SINEW_MARK_TRANSITION) text_show(stdout, "  %s\n", a->marks[i].text);
  if (a->metrics.lost_marks) printf("  and %lld more\n", (long long)a->metrics.lost_marks);
}

static void quality_print(const quality *q) {
  for (int i = 0; i < q->actor_count; i++) print_actor(q->actors + i);
}

/* ---- JSON ---- */

static void json_field(const char *name, double value) {
  printf(",\"%s\":", name);
  json_number(value);
}

static void json_mark(const quality_mark *m) {
  static const char *const kinds[] = {"pop", "slide", "transition", "refusal"};
  printf("{\"kind\":\"%s\"", kinds[m->mark.kind]);
  json_field("begin", m->mark.begin);
  json_field("end", m->mark.end);
  if (m->joint[0]) printf(",\"joint\":"), json_string(m->joint);
  if (m->mark.kind == SINEW_MARK_POP) json_field("radians", (double)m->mark.angle);
  if (m->mark.kind == SINEW_MARK_POP || m->mark.kind == SINEW_MARK_SLIDE) json_field("metres", (double)m->mark.size);
  if (m->mark.kind >= SINEW_MARK_TRANSITION)
    printf(",\"layer\":%d,\"from\":%d,\"to\":%d", m->mark.layer, m->mark.from, m->mark.to);
  printf(",\"text\":");
  json_string(m->text + strspn(m->text, " "));
  printf("}");
}

static void json_actor(const quality_actor *a) {
  const quality_mark *pop = largest(a, SINEW_MARK_POP, INFINITY);
  const float position[3] = {a->position.x, a->position.y, a->position.z};
  printf("{\"name\":");
  json_string(a->name);
  json_field("seconds", a->metrics.seconds);
  printf(",\"pops\":%d", count_of(a, SINEW_MARK_POP));
  json_field("pop_radians", (double)largest_pop(a).angle);
  json_field("pop_metres", (double)largest_pop(a).size);
  json_field("pop_seconds", pop ? pop->mark.begin : 0);
  printf(",\"pop_joint\":"), json_string(pop ? pop->joint : "");
  json_field("slid_metres", a->metrics.slid);
  json_field("reach_metres", (double)a->metrics.reach);
  printf(",\"transitions\":%d,\"place\":", count_of(a, SINEW_MARK_TRANSITION));
  json_floats(position, 3);
  printf(",\"lost_marks\":%lld,\"marks\":[", (long long)a->metrics.lost_marks);
  for (int i = 0; i < a->mark_count; i++) {
    if (i) printf(",");
    json_mark(a->marks + i);
  }
  printf("]}");
}

static void json_run(const quality *q) {
  printf("{\"frames\":%d,\"actors\":[", q->frame_count);
  for (int i = 0; i < q->actor_count; i++) {
    if (i) printf(",");
    json_actor(q->actors + i);
  }
  printf("]}");
}

static void quality_print_json(const quality *q) {
  json_run(q);
  printf("\n");
}

/* ---- comparing ---- */

/* The first frame, counted from 1, after which the runs differ; 0 if they never do. */
static int first_difference(const quality *q, const quality *other) {
  int least = q->frame_count < other->frame_count ? q->frame_count : other->frame_count;
  for (int i = 0; i < least; i++)
    if (q->frames[i] != other->frames[i]) return i + 1;
  return q->frame_count == other->frame_count ? 0 : least + 1;
}

/* An actor whose measurement restarts appears again with the same name. */
static int times_before(const quality *q, int actor) {
  int times = 0;
  for (int i = 0; i < actor; i++) times += strcmp(q->actors[i].name, q->actors[actor].name) == 0;
  return times;
}

/* The same actor in the other run; NULL if it does not appear there, or less often. */
static const quality_actor *counterpart(const quality *q, int actor, const quality *other) {
  int times = times_before(q, actor);
  for (int i = 0; i < other->actor_count; i++)
    if (strcmp(other->actors[i].name, q->actors[actor].name) == 0 && times-- == 0) return other->actors + i;
  return NULL;
}

static void compare_actor(const quality_actor *a, const quality_actor *b) {
  const struct {
    const char *name, *unit;
    double here, there;
  } rows[] = {
      {"pops", "", count_of(a, SINEW_MARK_POP), count_of(b, SINEW_MARK_POP)},
      {"largest pop", "°", (double)largest_pop(a).angle * degrees, (double)largest_pop(b).angle * degrees},
      {"largest pop", "cm", (double)largest_pop(a).size * 100, (double)largest_pop(b).size * 100},
      {"feet slid", "cm", a->metrics.slid * 100, b->metrics.slid * 100},
      {"reach error", "cm", (double)a->metrics.reach * 100, (double)b->metrics.reach * 100},
      {"transitions", "", count_of(a, SINEW_MARK_TRANSITION), count_of(b, SINEW_MARK_TRANSITION)},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    text_show(stdout, "%s %s: %.4g%s, against %.4g%s\n", a->name, rows[i].name, rows[i].here, rows[i].unit,
              rows[i].there, rows[i].unit);
  text_show(stdout, "%s ends %.1f cm away\n", a->name,
            100 * sqrt(pow((double)a->position.x - (double)b->position.x, 2) +
                       pow((double)a->position.y - (double)b->position.y, 2) +
                       pow((double)a->position.z - (double)b->position.z, 2)));
}

static void name_missing(const quality *q, const quality *other, const char *where) {
  for (int i = 0; i < q->actor_count; i++)
    if (!counterpart(q, i, other)) text_show(stdout, "%s is only in %s\n", q->actors[i].name, where);
}

/* Prints both side by side. */
static void quality_compare(const quality *q, const quality *other) {
  int frame = first_difference(q, other);
  if (!frame)
    text_show(stdout, "equal to the bit in %d %s\n", q->frame_count, text_plural(q->frame_count, "frame", "frames"));
  else printf("differs from frame %d on\n", frame);
  for (int i = 0; i < q->actor_count; i++) {
    const quality_actor *b = counterpart(q, i, other);
    if (b) compare_actor(q->actors + i, b);
  }
  name_missing(q, other, "this run");
  name_missing(other, q, "the other run");
}

static void quality_compare_json(const quality *q, const quality *other) {
  printf("{\"first_difference\":%d,\"run\":", first_difference(q, other));
  json_run(q);
  printf(",\"against\":");
  json_run(other);
  printf("}\n");
}

/* ---- quality ---- */

typedef struct request {
  const char *recording, *scene, *against;
  cli_list allow;
  bool trust, json;
} request;

/* A scene that is measured in every frame. */
typedef struct measured {
  sinew_app scene;
  quality *quality;
} measured;

static void on_update(void *user, double dt) {
  measured *m = user;
  m->scene.update(m->scene.user, dt);
  quality_measure(m->quality);
}

static void on_draw(void *user) {
  measured *m = user;
  quality_add_frame(m->quality, m->scene.user);
  m->scene.draw(m->scene.user);
}

static void on_key(void *user, const char *key, bool down, bool ctrl) {
  const measured *m = user;
  m->scene.key(m->scene.user, key, down, ctrl);
}

static void on_mouse(void *user, int button, bool down) {
  const measured *m = user;
  m->scene.mouse(m->scene.user, button, down);
}

static void on_drop(void *user, const char *path) {
  const measured *m = user;
  m->scene.drop(m->scene.user, path);
}

static void on_files(void *user, const char *const *paths, int count) {
  const measured *m = user;
  m->scene.files_changed(m->scene.user, paths, count);
}

/* Keeps standard output free for the JSON. */
static void print_apart(void *user, const char *line) {
  (void)user;
  text_show(stderr, "%s\n", line);
}

static int run(sinew_scene *scene, quality *q) {
  sinew_error error;
  measured m = {.scene = sinew_scene_app(scene), .quality = q};
  sinew_host_set_app(q->host, &(sinew_app){.user = &m,
                                           .update = on_update,
                                           .draw = on_draw,
                                           .key = on_key,
                                           .mouse = on_mouse,
                                           .drop = on_drop,
                                           .files_changed = on_files});
  sinew_host_set_view_keys(q->host, false);
  if (!sinew_host_run(q->host, &error)) return cli_fail("%s", error.message);
  if (q->out_of_memory) return cli_fail("out of memory for the metrics of the run");
  const char *problem = sinew_scene_problem(scene);
  return problem ? cli_fail("%s", problem) : 0;
}

static int replay(const request *r, const char *recording, const char *path, quality *q) {
  sinew_error error;
  if (r->trust) cli_warn_of_trust(path ? path : recording);
  sinew_host_def host = sinew_host_def_default();
  host.output = SINEW_OUTPUT_NONE;
  host.replay_input = recording;
  q->host = sinew_host_create(&host, &error);
  if (!q->host) return cli_fail("%s", error.message);
  sinew_scene_def def = cli_replayed(&r->allow, r->trust);
  if (r->json) def.print = print_apart;
  sinew_scene *scene = sinew_scene_create(q->host, path, &def, &error);
  int status = scene ? run(scene, q) : cli_fail("%s", error.message);
  sinew_scene_destroy(scene);
  sinew_host_destroy(q->host);
  return status;
}

static void tell(const request *r, const quality *q, const quality *other) {
  if (r->against && r->json) quality_compare_json(q, other);
  else if (r->json) quality_print_json(q);
  else quality_print(q);
  if (r->against && !r->json) quality_compare(q, other);
}

int cli_measure(int argc, char **argv) {
  const char *words[2] = {NULL};
  request r = {0};
  const cli_option options[] = {
      {"--against", CLI_TEXT, &r.against, "RECORDING  compare with this one (it keeps its own scene)"},
      {"--json", CLI_FLAG, &r.json, "print JSON; what the scene prints goes to standard error"},
      {"--allow", CLI_LIST, &r.allow, "DIR  a further folder that SCENE may read; may be repeated"},
      {"--trust", CLI_FLAG, &r.trust, "open all of Lua to the scene"},
  };
  const cli_usage usage = {.command = "replay --metrics",
                           .arguments = "RECORDING [SCENE.lua]",
                           .summary = "Plays back a recording, with its own scene or with another one, and measures "
                                      "each actor:\npops, slides, transitions and refusals.",
                           .options = options,
                           .option_count = sizeof options / sizeof *options,
                           .min_positional = 1,
                           .max_positional = 2};
  int status = cli_parse(&usage, argc, argv, words, NULL);
  if (status >= 0) return status;
  quality here = {0}, there = {0};
  status = replay(&r, words[0], words[1], &here);
  if (status == 0 && r.against) status = replay(&r, r.against, NULL, &there);
  if (status == 0) tell(&r, &here, &there);
  quality_release(&here);
  quality_release(&there);
  return status;
}
