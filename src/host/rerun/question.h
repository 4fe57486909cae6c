/* question – questions about a moment of the past: why a joint is where it is, and lines of the console. Another
 * process goes to that moment, answers and ends; the present is not affected. */
#ifndef SINEW_HOST_QUESTION_H
#define SINEW_HOST_QUESTION_H

#include "host/panels/console.h"
#include "host/rerun/rerun.h"

typedef struct question {
  bool wants_why;
  double why_at;           /* scene time of the question about a joint */
  char line[CONSOLE_TEXT]; /* the line to evaluate; "": none */
  bool is_open;            /* a process evaluates it */
  bool asks_why;           /* a process explains the joint */
} question;

/* The frames of the loop; an edit takes effect as a save in the first of them. */
rerun_def question_loop(const sinew_host *host);

void question_ask_why(sinew_host *host);
/* False, with the reason, if nothing can be evaluated in the past. The answer arrives as lines of the console. */
bool question_evaluate(sinew_host *host, const char *line, char *reason, size_t size);
/* In each frame of the past, asks once no other process is at work. */
void question_follow(sinew_host *host);
/* The answer is there. */
void question_take(sinew_host *host);

#endif
