/* collada_text – finds tags in the text of a Collada file, and rewrites parts of it. */
#ifndef SINEW_IMPORT_COLLADA_H
#define SINEW_IMPORT_COLLADA_H

#include "import/raw/raw.h"

/* A part of the text; `end` points past it. */
typedef struct span {
  const char *at, *end;
} span;
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

/* ---- finds the joints of Collada skins, which Assimp would look for among all names and ids of a file ---- */

/* Returns the text with the sids in skins replaced by the ids of those joints, preferably below the skeleton that the
 * skin's first instance names. Without this, a mesh called Head would be taken for the joint Head, and the second of
 * two skeletons would move both skins. In zero-terminated raw memory; the same text if there is no skin. False when
 * memory runs out. */
bool collada_joints(raw_model *raw, const unsigned char **text, size_t *size);

/* ---- Collada files with morph targets ---- */

/* Returns the text with each <morph> replaced by its mesh, and without the curves of its weights; a note says so. In
 * zero-terminated raw memory; the same text if there are none. False when memory runs out. */
bool collada_morphs(raw_model *raw, const unsigned char **text, size_t *size);

/* Finds the clips of a Collada file. Assimp 5.2 reads none of its <animation_clip>, and makes a clip of each
 * <animation> that has channels instead. */

/* Follows a name, and separates it from a node's number, or from a clip's begin and end in seconds. A clip's name also
 * has a mark in front, "~#Walk~#0.5,2", because Assimp puts the first clip's name in front of all others. */
#define COLLADA_MARK "~#"

/* Returns the text with one <animation> for each clip in the file, with its name and the mark, and one for everything
 * that is in no clip. In zero-terminated raw memory; the same text if there is nothing to join. False when memory runs
 * out. */
bool collada_clips(raw_model *raw, const unsigned char **text, size_t *size);

/* After the import: removes the marks from the clips' names and sets their ranges. False when memory runs out. */
bool collada_restore_clips(raw_model *raw);

/* Replaces the curves of a Collada file that bend or jump between keys by dense keys with straight lines. Assimp reads
 * times and values, and ignores the interpolation. */

/* The text with every sampler of BEZIER, HERMITE or STEP segments replaced (COLLADA 1.4.1, "Curve interpolation"), in
 * zero-terminated raw memory; the same text if there is none. Curves that remain straight lines, because tangents are
 * missing or the kind is unknown, are counted in raw->straight_curves. False when memory runs out. */
bool collada_curves(raw_model *raw, const unsigned char **text, size_t *size);

#endif
