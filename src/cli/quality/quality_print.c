#include "cli/json.h"

#include "base/text.h"
#include "cli/quality/quality.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SLIDES = 5 };

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

/* The smallest slide that is printed: one that a person would notice. */
static float least_slide(const quality_actor *a) {
  float least = INFINITY;
  for (int i = 0; i < MOST_SLIDES; i++) {
    const quality_mark *m = largest(a, SINEW_MARK_SLIDE, least);
    if (m) least = m->mark.size;
  }
  return least;
}

static int by_begin(const void *a, const void *b) {
  const quality_mark *first = a, *second = b;
  return (first->mark.begin > second->mark.begin) - (first->mark.begin < second->mark.begin);
}

/* In the order of time. */
static void print_actor(quality_actor *a) {
  int hidden = 0;
  float least = least_slide(a);
  print_sums(a);
  qsort(a->marks, (size_t)a->mark_count, sizeof *a->marks, by_begin);
  for (int i = 0; i < a->mark_count; i++) {
    const sinew_mark *m = &a->marks[i].mark;
    bool hides = m->kind == SINEW_MARK_SLIDE && m->size < least;
    hidden += hides;
    if (!hides) text_show(stdout, "  %s\n", a->marks[i].text);
  }
  if (hidden)
    text_show(stdout, "  and %d %s in which a foot slid less; --json has them all\n", hidden,
              text_plural(hidden, "contact", "contacts"));
  if (a->metrics.lost_marks) printf("  and %lld more\n", (long long)a->metrics.lost_marks);
}

void quality_print(const quality *q) {
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

void quality_print_json(const quality *q) {
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

void quality_compare(const quality *q, const quality *other) {
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

void quality_compare_json(const quality *q, const quality *other) {
  printf("{\"first_difference\":%d,\"run\":", first_difference(q, other));
  json_run(q);
  printf(",\"against\":");
  json_run(other);
  printf("}\n");
}
