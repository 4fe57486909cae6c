/* constructors – finds the table constructors in a script's text, and each of their items.
 *
 * Lua knows the line of a call and of nothing inside its table. This reads the text: strings, comments and functions in
 * between are skipped as Lua does. Knows text only, of scripts that have compiled. */
#ifndef SINEW_BINDINGS_CONSTRUCTORS_H
#define SINEW_BINDINGS_CONSTRUCTORS_H

#include "lua/tokens.h"

/* One item of a constructor: { 1, x = 2, [f()] = 3 }. */
typedef struct constructor_item {
  int table;      /* that it is in */
  int line;       /* where it begins */
  int position;   /* 1, 2, … where it has no key; else 0 */
  text_span key;  /* a name or a constant string; none: another key, or a position */
  int value;      /* the constructor that it is, or -1 */
  text_span name; /* the variable that it is, or none */
  text_span
      literal; /* the number (with its sign), true, false or quoted string that it is, as it is written; or none */
} constructor_item;

typedef struct constructor {
  int line;             /* of its brace … */
  int call, prefix;     /* … of the parenthesis before it, and of what is called with it */
  int first, positions; /* its first item; how many have no key */
  bool open;            /* the last one of these may be several values, or a key is no constant */
  text_span text;       /* from brace to brace; none where it is not closed */
  text_span assigned;   /* the variable that it is assigned to, or none */
  text_span callee;     /* the last name before the parenthesis, or the brace, that it is given to: play; or none … */
  int given;            /* … and the line of that parenthesis or brace */
  int uses;
} constructor;

typedef struct constructors {
  constructor *tables;
  constructor_item *items;
  int table_count, item_count;
} constructors;

/* The largest numbers of tables and items that constructors_read may write. */
void constructors_count(const char *text, size_t size, int *tables, int *items);
/* `out` has room; what it says points into the text. */
void constructors_read(const char *text, size_t size, constructors *out);
/* The constructor that the variable was given last before a line; or -1. */
int constructors_assigned(const constructors *all, text_span name, int line);

/* Counts the statements of a line that set this field of something to one literal, `hero.opacity = 0.5` or
 * `hero.morphs["Smile"] = 1`, and returns the first one's literal. Values that are more than a literal count in
 * `others`. */
int assignments_read(const char *text, size_t size, int line, text_span field, text_span *literal, int *others);

#endif
