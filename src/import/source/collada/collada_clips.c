#include "import/source/collada/collada_clips.h"

#include "base/error.h"
#include "base/memory/array.h"
#include "base/memory/memory.h"
#include "base/text.h"
#include "import/source/collada/collada_text.h"

#include <math.h>
#include <string.h>

/* ---- animations ---- */

typedef struct animation {
  span tag, content;
  int parent;   /* −1 at the top */
  bool is_told; /* it is used by a clip, itself or something in it */
} animation;

typedef struct animations {
  animation *items;
  int count, capacity;
} animations;

static bool list_animations(animations *all, span text) {
  span tag;
  int open = -1;
  for (bool closes; collada_next_end(&text, "animation", &tag, &closes);) {
    if (closes) {
      if (open < 0) continue;
      all->items[open].content.end = tag.at;
      open = all->items[open].parent;
      continue;
    }
    animation *made = array_grow((void **)&all->items, &all->count, &all->capacity, sizeof *made);
    if (!made) return false;
    *made = (animation){tag, {tag.end, tag.end}, open, false};
    if (tag.end[-2] != '/') open = all->count - 1;
  }
  return true;
}

static int find_animation(const animations *all, span reference) {
  span id = {reference.at + 1, reference.end};
  for (int i = 0; reference.at && reference.at < reference.end && i < all->count; i++) {
    span own = collada_attribute(all->items[i].tag, "id");
    if (own.at && collada_compare(own, id) == 0) return i;
  }
  return -1;
}

static void append_text(collada_buffer *b, const char *text) { collada_append(b, text, strlen(text)); }

/* Leaves out the tags of nested animations, so that Assimp makes one clip of all. */
static void append_content(collada_buffer *b, span content) {
  span rest = content, tag;
  const char *copied = content.at;
  for (bool closes; collada_next_end(&rest, "animation", &tag, &closes); copied = tag.end)
    collada_append_span(b, (span){copied, tag.at});
  collada_append_span(b, (span){copied, content.end});
}

/* ---- clips ---- */

static double seconds_at(span clip, const char *name, double otherwise) {
  span told = collada_attribute(clip, name);
  double value = told.at ? text_number(told.at, NULL) : otherwise;
  return isfinite(value) ? value : otherwise;
}

/* An <animation_clip>, or an <animation> that is one. */
static void begin_clip(collada_buffer *b, span clip) {
  char range[80];
  span name = collada_attribute(clip, "name");
  if (!name.at) name = collada_attribute(clip, "id");
  double from = seconds_at(clip, "start", 0), to = seconds_at(clip, "end", -1);
  append_text(b, "<animation name=\"" COLLADA_MARK);
  if (name.at) collada_append_span(b, name);
  append_text(b, COLLADA_MARK);
  if (to > from) collada_append(b, range, (size_t)text_format(range, sizeof range, "%.9g,%.9g", from, to));
  append_text(b, "\">");
}

/* The limit of the text: many clips may name one animation. */
enum { MOST_BYTES = 1 << 28 };

static void append_clip(animations *all, span clip, span content, collada_buffer *b) {
  span tag;
  begin_clip(b, clip);
  while (collada_next_tag(&content, "instance_animation", &tag)) {
    int found = find_animation(all, collada_attribute(tag, "url"));
    if (found < 0) continue;
    append_content(b, all->items[found].content);
    for (int i = found; i >= 0 && !all->items[i].is_told; i = all->items[i].parent) all->items[i].is_told = true;
    b->full = b->full || b->size > MOST_BYTES;
  }
  append_text(b, "</animation>");
}

/* Appends the animations that no clip names; a single one keeps its name. */
static void append_rest(const animations *all, collada_buffer *b) {
  int tops = 0, first = -1;
  for (int i = 0; i < all->count; i++) {
    if (all->items[i].parent >= 0 || all->items[i].is_told) continue;
    if (tops++ == 0) first = i;
  }
  if (tops == 0) return;
  static const char none[] = "<animation>";
  begin_clip(b, tops == 1 ? all->items[first].tag : (span){none, none + sizeof none - 1});
  for (int i = first; i < all->count; i++)
    if (all->items[i].parent < 0 && !all->items[i].is_told) append_content(b, all->items[i].content);
  append_text(b, "</animation>");
}

/* Everything goes into the first library of animations; the others are left out. */
static void append_libraries(animations *all, span text, collada_buffer *b) {
  span rest = text, tag, content;
  const char *copied = text.at;
  for (bool first = true; collada_next_element(&rest, "library_animations", "/library_animations", &tag, &content);) {
    collada_append_span(b, (span){copied, content.at});
    copied = content.end;
    span clips = text, clip, inside;
    while (first && collada_next_element(&clips, "animation_clip", "/animation_clip", &clip, &inside))
      append_clip(all, clip, inside, b);
    if (first) append_rest(all, b);
    first = false;
  }
  collada_append_span(b, (span){copied, text.end});
}

bool collada_clips(raw_model *raw, const unsigned char **text, size_t *size) {
  span whole = {(const char *)*text, (const char *)*text + *size};
  animations all = {0};
  collada_buffer b = {0};
  bool done = list_animations(&all, whole);
  if (done && all.count > 1) append_libraries(&all, whole, &b);
  done = done && collada_keep(raw, &b, text, size);
  mem_free(all.items);
  mem_free(b.text);
  return done || error_memory(raw->error, raw->path, *size);
}

/* ---- afterwards ---- */

/* The last mark before `end`, or NULL. */
static char *last_mark(char *name, const char *end) {
  char *found = NULL;
  for (char *at = strstr(name, COLLADA_MARK); at && at < end; at = strstr(at + 1, COLLADA_MARK)) found = at;
  return found;
}

bool collada_restore_clips(raw_model *raw) {
  for (int i = 0; i < raw->clip_count; i++) {
    raw_clip *clip = raw->clips + i;
    char *name = raw_string(raw, clip->name), *comma;
    if (!name) return false;
    char *range = last_mark(name, name + strlen(name)), *begin = range ? last_mark(name, range) : NULL;
    if (!begin) continue;
    clip->from = text_number(range + 2, &comma);
    clip->to = *comma == ',' ? text_number(comma + 1, NULL) : clip->from;
    *range = '\0';
    clip->name = begin + 2;
  }
  return true;
}
