#include "import/source/collada/collada_text.h"

#include "base/memory/array.h"

#include <limits.h>
#include <string.h>

/* ---- tags ---- */

bool collada_is_name_end(char c) { return c == ' ' || c == '>' || c == '/' || c == '\t' || c == '\r' || c == '\n'; }

bool collada_next_tag(span *in, const char *name, span *tag) {
  size_t length = strlen(name);
  while (in->at < in->end) {
    const char *at = memchr(in->at, '<', (size_t)(in->end - in->at));
    if (!at) break;
    const char *close = memchr(at, '>', (size_t)(in->end - at));
    if (!close) break;
    in->at = at + 1;
    if ((size_t)(close - at) <= length || memcmp(at + 1, name, length) != 0 || !collada_is_name_end(at[1 + length]))
      continue;
    *tag = (span){at, close + 1};
    in->at = close + 1;
    return true;
  }
  in->at = in->end;
  return false;
}

bool collada_next_element(span *in, const char *name, const char *ending, span *tag, span *content) {
  span closing;
  if (!collada_next_tag(in, name, tag)) return false;
  *content = (span){tag->end, tag->end};
  if (tag->end[-2] == '/') return true;
  if (!collada_next_tag(in, ending, &closing)) return false;
  content->end = closing.at;
  return true;
}

span collada_attribute(span tag, const char *name) {
  size_t length = strlen(name);
  for (const char *at = tag.at + 1; at + length + 2 < tag.end; at++) {
    if (memcmp(at, name, length) != 0 || at[length] != '=' || !collada_is_name_end(at[-1])) continue;
    char quote = at[length + 1];
    const char *begin = at + length + 2, *end = memchr(begin, quote, (size_t)(tag.end - begin));
    if ((quote == '"' || quote == '\'') && end) return (span){begin, end};
  }
  return (span){NULL, NULL};
}

bool collada_is_text(span s, const char *text) {
  return s.at && (size_t)(s.end - s.at) == strlen(text) && memcmp(s.at, text, strlen(text)) == 0;
}

int collada_compare(span a, span b) {
  size_t x = (size_t)(a.end - a.at), y = (size_t)(b.end - b.at);
  int order = x && y ? memcmp(a.at, b.at, x < y ? x : y) : 0;
  return order ? order : x < y ? -1 : x > y;
}

bool collada_next_end(span *in, const char *name, span *tag, bool *closes) {
  size_t length = strlen(name);
  while (in->at < in->end) {
    span rest = {memchr(in->at, '<', (size_t)(in->end - in->at)), in->end};
    if (!rest.at) break;
    *closes = rest.end - rest.at > 1 && rest.at[1] == '/';
    const char *word = rest.at + 1 + *closes, *close = memchr(word, '>', (size_t)(rest.end - word));
    if (!close) break;
    in->at = word;
    if ((size_t)(close - word) < length || memcmp(word, name, length) != 0 || !collada_is_name_end(word[length]))
      continue;
    *tag = (span){rest.at, close + 1};
    in->at = close + 1;
    return true;
  }
  in->at = in->end;
  return false;
}

span collada_next_word(span *in) {
  while (in->at < in->end && collada_is_name_end(*in->at)) in->at++;
  span word = {in->at, in->at};
  while (word.end < in->end && !collada_is_name_end(*word.end)) word.end++;
  in->at = word.end;
  return word;
}

/* ---- writing the replacement ---- */

void collada_append(collada_buffer *b, const char *text, size_t size) {
  if (size == 0) return;
  bool fits = !b->full && size < INT_MAX / 2 && b->size < INT_MAX / 2 &&
              array_reserve((void **)&b->text, &b->capacity, b->size + (int)size, 1);
  b->full = !fits;
  if (!fits) return;
  memcpy(b->text + b->size, text, size);
  b->size += (int)size;
}

void collada_append_span(collada_buffer *b, span s) { collada_append(b, s.at, (size_t)(s.end - s.at)); }

bool collada_keep(raw_model *raw, const collada_buffer *b, const unsigned char **text, size_t *size) {
  if (b->full || b->size == 0) return !b->full;
  char *kept = raw_alloc(raw, (size_t)b->size + 1, 1);
  if (kept) *text = memcpy(kept, b->text, (size_t)b->size), *size = (size_t)b->size;
  return kept != NULL;
}
