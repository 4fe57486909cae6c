/* marks – the notable moments of a measured actor; the memory for them is allocated when measuring begins. */
#ifndef SINEW_ACTOR_MARKS_H
#define SINEW_ACTOR_MARKS_H

#include <sinew/marks.h>

/* Transitions whose refusal is remembered; refusals of further ones are reported each time. */
enum { MARK_REFUSALS = 64, MARK_NOTES = 64 };

/* A cause: what the caller did, since when, and when last. */
typedef struct mark_note {
  char text[SINEW_MARK_TEXT];
  sinew_note_of of;
  double began, last;
} mark_note;

typedef struct mark_list {
  sinew_mark *items;
  int count, capacity;
  int64_t lost;
  sinew_mark refusals[MARK_REFUSALS]; /* the last one of each transition out of the present states */
  int refusal_count;
  double lost_pop; /* the end of the last pop that did not fit; 0: none */
  mark_note notes[MARK_NOTES];
  double now;  /* seconds before this update */
  double step; /* seconds that it takes */
} mark_list;

sinew_mark mark_at(sinew_mark_kind kind, double begin, double end);
/* A mark of a machine; `transition` as in the mark. */
sinew_mark mark_of_machine(sinew_mark_kind kind, const mark_list *list, int layer, int node);

void marks_add(mark_list *list, const sinew_mark *mark);
/* Adds a pop of the frame that began at `frame`, or makes it part of the one of the frames before. */
void marks_add_pop(mark_list *list, const sinew_mark *pop, double frame);
/* Names the action that the caller takes before the next update. Repeating it within 0.1 s continues the same note. */
void marks_note(mark_list *list, sinew_note_of of, const char *text);
/* What moves the actor in the present frame, or "". */
void marks_place_note(const mark_list *list, char text[SINEW_MARK_TEXT]);
/* Adds the refusal if its reason differs from that of the last one. */
void marks_refuse(mark_list *list, const sinew_mark *mark);
/* Adds it, and forgets the refusals of the state that is left. */
void marks_take(mark_list *list, const sinew_mark *mark);

#endif
