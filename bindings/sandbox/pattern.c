#include "sandbox/pattern.h"

#include <ctype.h>
#include <string.h>

enum { CHECK_EVERY = 2048, BYTES_PER_STEP = 64 };

/* Every comparison of a character is a step, and steps are charged: a pattern whose backtracking explodes ends like an
 * endless loop. A set takes as many steps as its length. */
static void take_steps(matcher *m, ptrdiff_t count) {
  m->steps += count;
  if (m->steps < CHECK_EVERY) return;
  int64_t steps = m->steps;
  m->steps = 0;
  m->charge(m->user, steps);
}

static void step(matcher *m) { take_steps(m, 1); }

static void fail(matcher *m, const char *sentence) { m->fail(m->user, sentence); }

/* ---- one item of a pattern ---- */

static const char *class_end(matcher *m, const char *p) {
  if (*p++ == '%') {
    if (p == m->pattern_end) fail(m, "malformed pattern (ends with '%')");
    return p + 1;
  }
  if (p[-1] != '[') return p;
  if (p < m->pattern_end && *p == '^') p++;
  const char *begin = p;
  do { /* the first ']' stands for itself */
    if (p >= m->pattern_end) fail(m, "malformed pattern (missing ']')");
    if (*p++ == '%') p++;
  } while (p >= m->pattern_end || *p != ']');
  take_steps(m, p - begin);
  return p + 1;
}

static bool in_class(int c, int class) {
  bool result;
  switch (tolower(class)) {
  case 'a': result = isalpha(c); break;
  case 'c': result = iscntrl(c); break;
  case 'd': result = isdigit(c); break;
  case 'g': result = isgraph(c); break;
  case 'l': result = islower(c); break;
  case 'p': result = ispunct(c); break;
  case 's': result = isspace(c); break;
  case 'u': result = isupper(c); break;
  case 'w': result = isalnum(c); break;
  case 'x': result = isxdigit(c); break;
  default: return class == c;
  }
  return isupper(class) ? !result : result;
}

/* p is at '[', end at its ']'. */
static bool in_set(int c, const char *p, const char *end) {
  bool wanted = true;
  if (p[1] == '^') {
    wanted = false;
    p++;
  }
  while (++p < end) {
    if (*p == '%') {
      p++;
      if (in_class(c, (unsigned char)*p)) return wanted;
    } else if (p[1] == '-' && p + 2 < end) {
      p += 2;
      if ((unsigned char)p[-2] <= c && c <= (unsigned char)*p) return wanted;
    } else if ((unsigned char)*p == c) {
      return wanted;
    }
  }
  return !wanted;
}

static bool single(matcher *m, const char *s, const char *p, const char *end) {
  take_steps(m, end - p);
  if (s >= m->text_end) return false;
  int c = (unsigned char)*s;
  switch (*p) {
  case '.': return true;
  case '%': return in_class(c, (unsigned char)p[1]);
  case '[': return in_set(c, p, end - 1);
  default: return (unsigned char)*p == c;
  }
}

/* ---- captures ---- */

static int capture_to_close(matcher *m) {
  for (int level = m->level - 1; level >= 0; level--)
    if (m->captures[level].length == CAPTURE_OPEN) return level;
  fail(m, "invalid pattern capture");
  return 0;
}

static const char *match(matcher *m, const char *s, const char *p);

static const char *start_capture(matcher *m, const char *s, const char *p, ptrdiff_t what) {
  if (m->level >= PATTERN_CAPTURES) fail(m, "too many captures");
  m->captures[m->level].start = s;
  m->captures[m->level].length = what;
  m->level++;
  const char *end = match(m, s, p);
  if (!end) m->level--;
  return end;
}

static const char *end_capture(matcher *m, const char *s, const char *p) {
  int level = capture_to_close(m);
  m->captures[level].length = s - m->captures[level].start;
  const char *end = match(m, s, p);
  if (!end) m->captures[level].length = CAPTURE_OPEN;
  return end;
}

static const char *match_back(matcher *m, const char *s, int digit) {
  int level = digit - '1';
  if (level < 0 || level >= m->level || m->captures[level].length < 0) fail(m, "invalid capture index in the pattern");
  size_t length = (size_t)m->captures[level].length;
  take_steps(m, (ptrdiff_t)(length / BYTES_PER_STEP));
  if ((size_t)(m->text_end - s) < length || memcmp(m->captures[level].start, s, length) != 0) return NULL;
  return s + length;
}

/* ---- repetition, balance, frontier ---- */

static const char *match_balance(matcher *m, const char *s, const char *p) {
  if (p + 1 >= m->pattern_end) fail(m, "malformed pattern (missing arguments to '%b')");
  if (s >= m->text_end || *s != *p) return NULL;
  int depth = 1;
  while (++s < m->text_end) {
    step(m);
    if (*s == p[1]) {
      if (--depth == 0) return s + 1;
    } else if (*s == *p) {
      depth++;
    }
  }
  return NULL;
}

static const char *longest(matcher *m, const char *s, const char *p, const char *end) {
  ptrdiff_t count = 0;
  while (single(m, s + count, p, end)) count++;
  for (; count >= 0; count--) {
    const char *result = match(m, s + count, end + 1);
    if (result) return result;
  }
  return NULL;
}

static const char *shortest(matcher *m, const char *s, const char *p, const char *end) {
  for (;; s++) {
    const char *result = match(m, s, end + 1);
    if (result) return result;
    if (!single(m, s, p, end)) return NULL;
  }
}

static bool frontier(matcher *m, const char *s, const char *p, const char **after) {
  if (p >= m->pattern_end || *p != '[') fail(m, "missing '[' after '%f' in pattern");
  *after = class_end(m, p);
  int before = s == m->text ? 0 : (unsigned char)s[-1];
  int here = s == m->text_end ? 0 : (unsigned char)*s;
  return !in_set(before, p, *after - 1) && in_set(here, p, *after - 1);
}

/* Matches one item. Returns the rest of the pattern, or NULL if `*result` is the answer. */
static const char *match_item(matcher *m, const char **s, const char *p, const char **result) {
  const char *end = class_end(m, p);
  char suffix = end < m->pattern_end ? *end : '\0';
  *result = NULL;
  if (suffix == '*') return *result = longest(m, *s, p, end), NULL;
  if (suffix == '-') return *result = shortest(m, *s, p, end), NULL;
  if (suffix == '+') return *result = single(m, *s, p, end) ? longest(m, *s + 1, p, end) : NULL, NULL;
  bool matched = single(m, *s, p, end);
  if (suffix != '?') return matched ? (++*s, end) : NULL;
  if (matched && (*result = match(m, *s + 1, end + 1))) return NULL;
  return end + 1;
}

/* '%b', '%f', '%1': as match_item; `*known` is false if p begins none of them. */
static const char *match_escape(matcher *m, const char **s, const char *p, bool *known) {
  const char *after;
  *known = true;
  if (p[1] == 'b') {
    *s = match_balance(m, *s, p + 2);
    return *s ? p + 4 : NULL;
  }
  if (p[1] == 'f') return frontier(m, *s, p + 2, &after) ? after : NULL;
  if (isdigit((unsigned char)p[1])) {
    *s = match_back(m, *s, (unsigned char)p[1]);
    return *s ? p + 2 : NULL;
  }
  *known = false;
  return p;
}

static const char *match_from(matcher *m, const char *s, const char *p) {
  while (p != m->pattern_end) {
    const char *result = NULL;
    bool known = false;
    if (*p == '(') {
      bool position = p + 1 < m->pattern_end && p[1] == ')';
      return position ? start_capture(m, s, p + 2, CAPTURE_POSITION) : start_capture(m, s, p + 1, CAPTURE_OPEN);
    }
    if (*p == ')') return end_capture(m, s, p + 1);
    if (*p == '$' && p + 1 == m->pattern_end) return s == m->text_end ? s : NULL;
    const char *next = p;
    if (*p == '%' && p + 1 < m->pattern_end) next = match_escape(m, &s, p, &known);
    if (!known) next = match_item(m, &s, p, &result);
    if (!next) return result;
    p = next;
  }
  return s;
}

static const char *match(matcher *m, const char *s, const char *p) {
  if (--m->depth == 0) fail(m, "pattern too complex");
  step(m);
  const char *result = match_from(m, s, p);
  m->depth++;
  return result;
}

const char *pattern_match(matcher *m, const char *s, const char *p) {
  m->level = 0;
  m->depth = PATTERN_DEPTH;
  return match(m, s, p);
}
