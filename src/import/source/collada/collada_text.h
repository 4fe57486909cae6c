/* collada_text – finds tags in the text of a Collada file, and rewrites parts of it. */
#ifndef SINEW_IMPORT_COLLADA_TEXT_H
#define SINEW_IMPORT_COLLADA_TEXT_H

#include "import/raw/raw.h"

/* A part of the text; `end` is behind it. */
typedef struct span {
  const char *at, *end;
} span;

bool collada_is_name_end(char c);
bool collada_is_text(span s, const char *text);
int collada_compare(span a, span b);

/* The next tag of that name in a span, from '<' to behind '>', and the span's rest behind it. */
bool collada_next_tag(span *in, const char *name, span *tag);

/* The next of the two, "node" and "/node"; *closes says which. */
bool collada_next_end(span *in, const char *name, span *tag, bool *closes);

/* The tag, what is between it and its end, and the rest behind that; false where it has no end. */
bool collada_next_element(span *in, const char *name, const char *ending, span *tag, span *content);

span collada_attribute(span tag, const char *name);

/* The next word between white space; empty behind the last. */
span collada_next_word(span *in);

typedef struct collada_buffer {
  char *text;
  int size, capacity;
  bool full;
} collada_buffer;

void collada_append(collada_buffer *b, const char *text, size_t size);
void collada_append_span(collada_buffer *b, span s);

/* If anything was written, it replaces the text, in raw memory and followed by a zero. */
bool collada_keep(raw_model *raw, const collada_buffer *b, const unsigned char **text, size_t *size);

#endif
