#include "lua/tokens.h"

#include <ctype.h>
#include <string.h>

static bool is_name_char(char c) { return isalnum((unsigned char)c) || c == '_'; }

static char peek(const scanner *s, int ahead) { return s->end - s->at > ahead ? s->at[ahead] : 0; }

static void step(scanner *s, size_t count) {
  for (; count > 0 && s->at < s->end; count--) s->line += *s->at++ == '\n';
}

/* The level of the long bracket that opens here, [[ or [==[; or -1. */
static int long_level(const scanner *s) {
  int level = 0;
  if (peek(s, 0) != '[') return -1;
  while (peek(s, 1 + level) == '=') level++;
  return peek(s, 1 + level) == '[' ? level : -1;
}

static text_span skip_long(scanner *s, int level) {
  step(s, (size_t)level + 2);
  const char *begin = s->at;
  for (; s->at < s->end; step(s, 1)) {
    int equals = 0;
    if (*s->at != ']') continue;
    while (peek(s, 1 + equals) == '=') equals++;
    if (equals != level || peek(s, 1 + level) != ']') continue;
    text_span body = {begin, (size_t)(s->at - begin)};
    step(s, (size_t)level + 2);
    return body;
  }
  return (text_span){begin, 0};
}

static text_span skip_quoted(scanner *s) {
  char quote = *s->at;
  step(s, 1);
  const char *begin = s->at;
  while (s->at < s->end && *s->at != quote) step(s, *s->at == '\\' ? 2 : 1);
  text_span body = {begin, (size_t)(s->at - begin)};
  step(s, 1);
  return body;
}

static void skip_comment(scanner *s) {
  step(s, 2);
  int level = long_level(s);
  if (level >= 0) skip_long(s, level);
  else
    while (s->at < s->end && *s->at != '\n') step(s, 1);
}

static void skip_space(scanner *s) {
  for (;;) {
    if (isspace((unsigned char)peek(s, 0))) step(s, 1);
    else if (peek(s, 0) == '-' && peek(s, 1) == '-') skip_comment(s);
    else return;
  }
}

/* Whether this is the sign of an exponent: 1e-5, 0x1p+3. */
static bool is_exponent_sign(const scanner *s, const char *begin) {
  bool hex = s->end - begin > 1 && begin[0] == '0' && (begin[1] == 'x' || begin[1] == 'X');
  char before = s->at > begin ? (char)tolower((unsigned char)s->at[-1]) : 0;
  return (peek(s, 0) == '-' || peek(s, 0) == '+') && before == (hex ? 'p' : 'e');
}

static token word(scanner *s, token_kind kind) {
  const char *begin = s->at;
  int line = s->line;
  while (is_name_char(peek(s, 0)) || (kind == TOKEN_NUMBER && (peek(s, 0) == '.' || is_exponent_sign(s, begin))))
    step(s, 1);
  return (token){kind, {begin, (size_t)(s->at - begin)}, line};
}

token scanner_next(scanner *s) {
  skip_space(s);
  int line = s->line, level = long_level(s);
  char c = peek(s, 0);
  if (s->at >= s->end) return (token){TOKEN_END, {NULL, 0}, line};
  if (level >= 0) return (token){TOKEN_STRING, skip_long(s, level), line};
  if (c == '"' || c == '\'') return (token){TOKEN_STRING, skip_quoted(s), line};
  bool point = c == '.' && isdigit((unsigned char)peek(s, 1)); /* .5 */
  if (isdigit((unsigned char)c) || point) return word(s, TOKEN_NUMBER);
  if (is_name_char(c)) return word(s, TOKEN_NAME);
  bool pair = (c == '=' || c == '~' || c == '<' || c == '>') && peek(s, 1) == '=';
  token sign = {TOKEN_SIGN, {s->at, pair ? 2 : 1}, line};
  step(s, sign.text.size);
  return sign;
}

bool token_is(const token *t, const char *text) {
  return (t->kind == TOKEN_SIGN || t->kind == TOKEN_NAME) && t->text.size == strlen(text) &&
         memcmp(t->text.begin, text, t->text.size) == 0;
}

bool token_is_one_of(const token *t, const char *const *texts) {
  bool found = false;
  for (; *texts && !found; texts++) found = token_is(t, *texts);
  return found;
}
