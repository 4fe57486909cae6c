/* constructors – finds the table constructors in a script's text, and each of their items.
 *
 * Lua knows the line of a call, but not of the items in its table. This reads them from the text, and skips strings,
 * comments and functions as Lua does. Works on plain text, of scripts that have compiled. */
#ifndef SINEW_BINDINGS_CONSTRUCTORS_H
#define SINEW_BINDINGS_CONSTRUCTORS_H

#include <stdbool.h>
#include <stddef.h>

/* ---- the words of a script, one after the other, without spaces and comments ---- */

typedef struct text_span {
  const char *begin; /* in the text; NULL: none */
  size_t size;
} text_span;

typedef enum token_kind { TOKEN_END, TOKEN_NAME, TOKEN_STRING, TOKEN_NUMBER, TOKEN_SIGN } token_kind;

typedef struct token {
  token_kind kind;
  text_span text; /* of a string: without its quotes */
  int line;
} token;

typedef struct scanner {
  const char *at, *end;
  int line;
} scanner;

/* At the end returns TOKEN_END, repeatedly. */
token scanner_next(scanner *s);
/* Whether a name or sign has this text; a string never does. */
bool token_is(const token *t, const char *text);
bool token_is_one_of(const token *t, const char *const *texts); /* they end with NULL */

/* One item of a constructor: { 1, x = 2, [f()] = 3 }. */
typedef struct constructor_item {
  int table;      /* that it is in */
  int line;       /* where it begins */
  int position;   /* 1, 2, … if it has no key; else 0 */
  text_span key;  /* a name or a constant string; none: another key, or a position */
  int value;      /* the constructor that is its value, or -1 */
  text_span name; /* the variable that is its value, or none */
  text_span
      literal; /* the number (with its sign), true, false or quoted string that is its value, as written; or none */
} constructor_item;

typedef struct constructor {
  int line;             /* of its brace … */
  int call, prefix;     /* … of the parenthesis before it, and of the start of the called expression */
  int first, positions; /* its first item; the number of items without a key */
  bool open;            /* the last item may be several values, or a key is not constant */
  text_span text;       /* from brace to brace; empty if it is not closed */
  text_span assigned;   /* the variable to which it is assigned, or none */
  text_span callee;     /* the last name before the parenthesis or brace that it is an argument of: play; or none … */
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
/* `out` has enough room; it points into the text. */
void constructors_read(const char *text, size_t size, constructors *out);
/* The last constructor assigned to the variable before a line; or -1. */
int constructors_assigned(const constructors *all, text_span name, int line);

/* Counts the statements of a line that set this field of something to one literal, `hero.opacity = 0.5` or
 * `hero.morphs["Smile"] = 1`, and returns the first one's literal. Assignments of other values are counted in `others`.
 */
int assignments_read(const char *text, size_t size, int line, text_span field, text_span *literal, int *others);

#endif
