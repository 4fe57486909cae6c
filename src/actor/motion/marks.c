#include "actor/motion/marks.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Seconds. Frames that jump with no more than this between them are one pop; a pop this soon after a transition is
 * caused by it. */
static const double together = 0.1;
static const double early = 1e-9;

/* True if two moments belong together. However long a frame is, an action before it causes the mark in it. */
static bool are_together(const mark_list *list, double before, double after) {
  return after - before <= fmax(together, 1.5 * list->step);
}

sinew_mark mark_at(sinew_mark_kind kind, double begin, double end) {
  return (sinew_mark){.kind = kind,
                      .begin = begin,
                      .end = end,
                      .joint = -1,
                      .clip = -1,
                      .modifier = -1,
                      .morph = -1,
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

void marks_note(mark_list *list, sinew_note_of of, const char *text) {
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
  note->of = of;
  note->began = note->last = list->now;
}

/* Of what the caller did in the frame of the pop, what it began last: a value that it sets in every frame explains
 * less.
 */
static const mark_note *find_note(const mark_list *list, const sinew_mark *pop, double frame) {
  sinew_note_of of = pop->morph >= 0 ? SINEW_NOTE_MORPH : pop->joint >= 0 ? SINEW_NOTE_POSE : SINEW_NOTE_PLACE;
  const mark_note *latest = NULL;
  for (int i = 0; i < MARK_NOTES; i++) {
    const mark_note *n = list->notes + i;
    bool fits = n->text[0] && n->of == of && n->last >= frame - early && n->began < pop->end - early;
    if (fits && (!latest || n->began >= latest->began)) latest = n;
  }
  return latest;
}

void marks_place_note(const mark_list *list, char text[SINEW_MARK_TEXT]) {
  const sinew_mark here = {.end = list->now + list->step, .joint = -1, .morph = -1};
  const mark_note *note = find_note(list, &here, list->now);
  snprintf(text, SINEW_MARK_TEXT, "%s", note ? note->text : "");
}

/* The last transition without a fade in the frame of the pop. */
static int find_transition(const mark_list *list, const sinew_mark *pop, double frame) {
  for (int i = list->count - 1; i >= 0 && pop->joint >= 0; i--) {
    const sinew_mark *t = list->items + i;
    bool in_frame = t->begin >= frame - early && t->begin < pop->end - early;
    if (t->kind == SINEW_MARK_TRANSITION && in_frame && t->fade == 0) return i;
  }
  return -1;
}

/* A transition explains more than the call that caused it. */
static void find_cause(const mark_list *list, sinew_mark *pop, double frame) {
  pop->cause = pop->clip < 0 ? find_transition(list, pop, frame) : -1;
  const mark_note *note = pop->clip < 0 && pop->cause < 0 ? find_note(list, pop, frame) : NULL;
  if (note) snprintf(pop->text, sizeof pop->text, "%s", note->text);
}

/* ---- pops ---- */

/* Another transition begins another pop. */
static bool goes_on(const mark_list *list, int before, const sinew_mark *pop) {
  const sinew_mark *known = list->items + before;
  return before >= 0 && are_together(list, known->end, pop->begin) && (known->joint < 0) == (pop->joint < 0) &&
         known->morph == pop->morph && (pop->cause < 0 || known->cause == pop->cause);
}

void marks_add_pop(mark_list *list, const sinew_mark *pop, double frame) {
  int before = find_last(list, SINEW_MARK_POP);
  sinew_mark made = *pop;
  find_cause(list, &made, frame);
  if (goes_on(list, before, &made)) {
    sinew_mark *known = list->items + before;
    made.begin = known->begin;
    if (pop->rank > known->rank) *known = made;
    known->end = pop->end;
    return;
  }
  bool is_lost = list->count == list->capacity,
       was_lost = list->lost_pop > 0 && are_together(list, list->lost_pop, pop->begin);
  if (is_lost) list->lost_pop = pop->end;
  if (!was_lost) marks_add(list, &made);
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
