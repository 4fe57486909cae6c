/* collada_text – finds tags in the text of a Collada file, and rewrites parts of it. */
#ifndef SINEW_IMPORT_COLLADA_TEXT_H
#define SINEW_IMPORT_COLLADA_TEXT_H

#include "import/raw/raw.h"

/* A part of the text; `end` points past it. */
typedef struct span {
  const char *at, *end;
} span;

bool collada_is_name_end(char c);
bool collada_is_text(span s, const char *text);
int collada_compare(span a, span b);

/* The next tag of that name in a span, including '<' and '>'; moves the span past it. */
bool collada_next_tag(span *in, const char *name, span *tag);

/* The next tag of either kind, "node" or "/node"; *closes says which. */
bool collada_next_end(span *in, const char *name, span *tag, bool *closes);

/* The tag and its content; moves the span past the element. False if it has no end. */
bool collada_next_element(span *in, const char *name, const char *ending, span *tag, span *content);

span collada_attribute(span tag, const char *name);

/* The next word separated by white space; empty past the last. */
span collada_next_word(span *in);

typedef struct collada_buffer {
  char *text;
  int size, capacity;
  bool full;
} collada_buffer;

void collada_append(collada_buffer *b, const char *text, size_t size);
void collada_append_span(collada_buffer *b, span s);

/* If anything was written, it replaces the text, in zero-terminated raw memory. */
bool collada_keep(raw_model *raw, const collada_buffer *b, const unsigned char **text, size_t *size);

#endif
