/* rewrite – finds the value that a script's text gives to an option of a call, or to a field by an assignment, and its
 * position. */
#ifndef SINEW_BINDINGS_REWRITE_H
#define SINEW_BINDINGS_REWRITE_H

#include "lua/constructors.h"

#include <sinew/base.h>

typedef struct rewrite_job {
  const char *text;
  size_t size;
  int line;           /* of the call, from 1: where its parenthesis or brace opens */
  const char *callee; /* the last name of what is called: "play" of hero:play(…); NULL: an assignment */
  const char *path;  /* "speed", "params.turn", "[2][1]": keys, and positions from 1; for an assignment, the last key */
  const char *value; /* the new value, as Lua, of the same kind as the old one: a number, true or false, "text", or a
                        table of such values */
  const sinew_allocator *allocator;
  /* An assignment sets it: sinew.view.field ("view"), or a field of the variable that the call is assigned to (""); or
   * NULL. */
  const char *module;
  /* The path leads to a text that stands for a clip ("Walk"), or to the text of a transition ("a -> b: on x"), and this
   * is the field of it that gets the value; or NULL. */
  const char *field;
  bool is_transition;
} rewrite_job;

/* What to write: `text` in place of `length` bytes, `begin` bytes into the text. `is_new`: nothing was written there;
 * `lines`: so many more. */
enum { REWRITE_TEXT = 640 };
typedef struct rewrite_place {
  size_t begin, length;
  char text[REWRITE_TEXT];
  bool is_new;
  int lines;
} rewrite_place;

/* Where the value is written, or where it belongs. Returns false and a reason unless there is exactly one place. */
bool rewrite_find(const rewrite_job *job, rewrite_place *out, char *reason, size_t reason_size);

/* Whether both are numbers, truth values, texts or tables, by how they begin. */
bool rewrite_same_kind(const char *a, const char *b);

/* ---- insert.c: the place of a value that is not written yet, and what to write there ---- */

/* `job` as in rewrite_find, which found no value. False, and a reason, if there is no place. */
bool insert_find(const rewrite_job *job, const constructors *all, rewrite_place *out, char *reason, size_t size);

/* A clip that is written as a text, "Walk", becomes sinew.clip { "Walk", speed = 2 }. `callee` and `path` lead to the
 * text; `literal` is that text. */
bool insert_clip(const rewrite_job *job, text_span literal, rewrite_place *out, char *reason, size_t size);

/* In the text of a transition, "a -> b: on x, fade 0.2", the word of the field. */
bool insert_word(const rewrite_job *job, text_span literal, rewrite_place *out, char *reason, size_t size);

/* The shortest Lua text that reads back as the same float. */
enum { REWRITE_NUMBER = 32 };
void rewrite_number(double value, char out[REWRITE_NUMBER]);

#endif
