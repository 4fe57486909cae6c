#include "cli/json.h"

#include "base/text.h"
#include "cli/quality.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double degrees = 57.29577951308232;

static int count_of(const quality_actor *a, sinew_mark_kind kind) {
  int count = 0;
  for (int i = 0; i < a->mark_count; i++) count += a->marks[i].mark.kind == kind;
  return count;
}

static void print_actor(const quality_actor *a) {
  text_print(stdout,
             "%s: %.3f s, %d pops (the largest %.0f°/s, %s at %.3f s), feet slid %.1f cm, %d transitions, %d refusals, "
             "ends at %.3f %.3f %.3f\n",
             a->name, a->metrics.seconds, count_of(a, SINEW_MARK_POP), (double)a->metrics.turn * degrees,
             a->worst[0] ? a->worst : "no joint", a->metrics.turn_seconds, a->metrics.slid * 100,
             count_of(a, SINEW_MARK_TRANSITION), count_of(a, SINEW_MARK_REFUSAL), (double)a->position.x,
             (double)a->position.y, (double)a->position.z);
  for (int i = 0; i < a->mark_count; i++) printf("  %s\n", a->marks[i].text);
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
  if (m->mark.kind == SINEW_MARK_POP) json_field("radians_per_second", (double)m->mark.size);
  if (m->mark.kind == SINEW_MARK_SLIDE) json_field("metres", (double)m->mark.size);
  if (m->mark.layer >= 0) printf(",\"layer\":%d,\"from\":%d,\"to\":%d", m->mark.layer, m->mark.from, m->mark.to);
  printf(",\"text\":");
  json_string(m->text + strspn(m->text, " "));
  printf("}");
}

static void json_actor(const quality_actor *a) {
  const float position[3] = {a->position.x, a->position.y, a->position.z};
  printf("{\"name\":");
  json_string(a->name);
  json_field("seconds", a->metrics.seconds);
  printf(",\"pops\":%d", count_of(a, SINEW_MARK_POP));
  json_field("pop_radians_per_second", (double)a->metrics.turn);
  json_field("pop_seconds", a->metrics.turn_seconds);
  printf(",\"pop_joint\":"), json_string(a->worst);
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

/* The first frame, counted from 1, after which anything is otherwise; 0 where nothing ever is. */
static int first_difference(const quality *q, const quality *other) {
  int least = q->frame_count < other->frame_count ? q->frame_count : other->frame_count;
  for (int i = 0; i < least; i++)
    if (q->frames[i] != other->frames[i]) return i + 1;
  return q->frame_count == other->frame_count ? 0 : least + 1;
}

static const quality_actor *find_actor(const quality *q, const char *name) {
  for (int i = 0; i < q->actor_count; i++)
    if (strcmp(q->actors[i].name, name) == 0) return q->actors + i;
  return NULL;
}

static void compare_actor(const quality_actor *a, const quality_actor *b) {
  const struct {
    const char *name, *unit;
    double here, there;
  } rows[] = {
      {"pops", "", count_of(a, SINEW_MARK_POP), count_of(b, SINEW_MARK_POP)},
      {"largest pop", "°/s", (double)a->metrics.turn * degrees, (double)b->metrics.turn * degrees},
      {"feet slid", "cm", a->metrics.slid * 100, b->metrics.slid * 100},
      {"reach error", "cm", (double)a->metrics.reach * 100, (double)b->metrics.reach * 100},
      {"transitions", "", count_of(a, SINEW_MARK_TRANSITION), count_of(b, SINEW_MARK_TRANSITION)},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    text_print(stdout, "%s %s: %.4g%s, against %.4g%s\n", a->name, rows[i].name, rows[i].here, rows[i].unit,
               rows[i].there, rows[i].unit);
  text_print(stdout, "%s ends %.1f cm away\n", a->name,
             100 * sqrt(pow((double)a->position.x - (double)b->position.x, 2) +
                        pow((double)a->position.y - (double)b->position.y, 2) +
                        pow((double)a->position.z - (double)b->position.z, 2)));
}

static void name_missing(const quality *q, const quality *other, const char *where) {
  for (int i = 0; i < q->actor_count; i++)
    if (!find_actor(other, q->actors[i].name)) printf("%s is only in %s\n", q->actors[i].name, where);
}

void quality_compare(const quality *q, const quality *other) {
  int frame = first_difference(q, other);
  if (!frame) printf("equal to the bit in %d frames\n", q->frame_count);
  else printf("differs from frame %d on\n", frame);
  for (int i = 0; i < q->actor_count; i++) {
    const quality_actor *b = find_actor(other, q->actors[i].name);
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
