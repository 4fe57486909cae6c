/* tokens – the words of a script, one after the other, without spaces and comments. Works on plain text. */
#ifndef SINEW_BINDINGS_TOKENS_H
#define SINEW_BINDINGS_TOKENS_H

#include <stdbool.h>
#include <stddef.h>

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

#endif
