#include "actor/motion/marks.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Seconds. Frames that jump with no more than this between them are one pop; a pop this soon after a transition is
 * caused by it. */
static const double together = 0.1;

/* True if two moments belong together. However long a frame is, an action before it causes the mark in it. */
static bool are_together(const mark_list *list, double before, double after) {
  return after - before <= fmax(together, 1.5 * list->step);
}

sinew_mark mark_at(sinew_mark_kind kind, double begin, double end) {
  return (sinew_mark){.kind = kind,
                      .begin = begin,
                      .end = end,
                      .joint = -1,
                      .layer = -1,
                      .node = -1,
                      .from = -1,
                      .to = -1,
                      .transition = -1,
                      .cause = -1};
}

sinew_mark mark_of_machine(sinew_mark_kind kind, const mark_list *list, int layer, int node) {
  sinew_mark mark = mark_at(kind, list->now, list->now);
  mark.layer = layer;
  mark.node = node;
  return mark;
}

void marks_add(mark_list *list, const sinew_mark *mark) {
  if (list->count < list->capacity) list->items[list->count++] = *mark;
  else list->lost++;
}

static int find_last(const mark_list *list, sinew_mark_kind kind) {
  int i = list->count - 1;
  while (i >= 0 && list->items[i].kind != kind) i--;
  return i;
}

/* ---- notes of the caller ---- */

void marks_note(mark_list *list, const char *text) {
  mark_note *note = list->notes;
  for (int i = 0; i < MARK_NOTES; i++) {
    mark_note *n = list->notes + i;
    if (n->text[0] && are_together(list, n->last, list->now) && strncmp(n->text, text, sizeof n->text - 1) == 0) {
      n->last = list->now;
      return;
    }
    if (n->last < note->last || (!n->text[0] && note->text[0])) note = n;
  }
  snprintf(note->text, sizeof note->text, "%s", text);
  note->began = note->last = list->now;
}

/* The note that began last, if a pop can be due to it. An action repeated in every frame began long before. */
static const mark_note *recent_note(const mark_list *list, double now) {
  const mark_note *latest = NULL;
  for (int i = 0; i < MARK_NOTES; i++) {
    const mark_note *n = list->notes + i;
    if (n->text[0] && are_together(list, n->began, now) && (!latest || n->began > latest->began)) latest = n;
  }
  return latest;
}

/* A transition explains more than the call that caused it. */
static void find_cause(const mark_list *list, sinew_mark *pop) {
  int transition = find_last(list, SINEW_MARK_TRANSITION);
  const mark_note *note = recent_note(list, pop->begin);
  if (transition >= 0 && are_together(list, list->items[transition].begin, pop->begin)) pop->cause = transition;
  if (!note || (pop->cause >= 0 && list->items[transition].begin >= note->began)) return;
  pop->cause = -1;
  snprintf(pop->text, sizeof pop->text, "%s", note->text);
}

/* ---- pops ---- */

void marks_add_pop(mark_list *list, double now, int joint, float jump) {
  int before = find_last(list, SINEW_MARK_POP), cause = find_last(list, SINEW_MARK_TRANSITION);
  sinew_mark made = mark_at(SINEW_MARK_POP, now, now);
  bool goes_on = before >= 0 && are_together(list, list->items[before].end, now) &&
                 (cause < before || list->items[cause].begin < list->items[before].begin);
  sinew_mark *pop = goes_on ? list->items + before : &made;
  pop->end = now;
  if (jump > pop->size) pop->joint = joint, pop->size = jump;
  if (goes_on) return;
  bool is_lost = list->count == list->capacity,
       was_lost = list->lost_pop > 0 && are_together(list, list->lost_pop, now);
  if (is_lost) list->lost_pop = now;
  if (was_lost) return;
  find_cause(list, pop);
  marks_add(list, pop);
}

static bool is_machine(const sinew_mark *a, const sinew_mark *b) { return a->layer == b->layer && a->node == b->node; }

void marks_refuse(mark_list *list, const sinew_mark *mark) {
  for (int i = 0; i < list->refusal_count; i++) {
    sinew_mark *known = list->refusals + i;
    if (!is_machine(known, mark) || known->transition != mark->transition) continue;
    if (known->refusal != mark->refusal || known->part != mark->part) marks_add(list, mark);
    *known = *mark;
    return;
  }
  if (list->refusal_count < MARK_REFUSALS) list->refusals[list->refusal_count++] = *mark;
  marks_add(list, mark);
}

void marks_take(mark_list *list, const sinew_mark *mark) {
  int kept = 0;
  for (int i = 0; i < list->refusal_count; i++)
    if (!is_machine(list->refusals + i, mark)) list->refusals[kept++] = list->refusals[i];
  list->refusal_count = kept;
  marks_add(list, mark);
}
