#include "import/source/collada/collada_morphs.h"

#include "base/error.h"
#include "base/memory/array.h"
#include "base/memory/memory.h"
#include "import/source/collada/collada_text.h"

#include <string.h>

typedef struct controller {
  span id, source; /* '#' and the id of the deformed mesh; empty for a skin */
} controller;

typedef struct morphs {
  controller *items;
  int count, capacity, found;
} morphs;

static bool list_controllers(morphs *all, span text) {
  span tag, content, morph;
  while (collada_next_element(&text, "controller", "/controller", &tag, &content)) {
    controller *made = array_grow((void **)&all->items, &all->count, &all->capacity, sizeof *made);
    if (!made) return false;
    *made = (controller){collada_attribute(tag, "id"), {NULL, NULL}};
    if (!collada_next_tag(&content, "morph", &morph)) continue;
    made->source = collada_attribute(morph, "source");
    all->found++;
  }
  return true;
}

static const controller *find_controller(const morphs *all, span reference) {
  span id = {reference.at + 1, reference.end};
  for (int i = 0; reference.at && reference.at < reference.end && i < all->count; i++)
    if (all->items[i].id.at && collada_compare(all->items[i].id, id) == 0) return all->items + i;
  return NULL;
}

/* The mesh that a morph (or a morph of a morph) deforms; the reference itself if it names no morph. */
static span base_of(const morphs *all, span reference) {
  const controller *found = find_controller(all, reference);
  for (int i = 0; i < all->count && found && found->source.at; i++) {
    reference = found->source;
    found = find_controller(all, reference);
  }
  return reference;
}

/* ---- the text ---- */

static void append_text(collada_buffer *b, const char *text) { collada_append(b, text, strlen(text)); }

/* Appends the tag with another reference. */
static void append_tag(collada_buffer *b, span tag, span old, span now) {
  collada_append_span(b, (span){tag.at, old.at});
  collada_append_span(b, now);
  collada_append_span(b, (span){old.end, tag.end});
}

static bool is_open(span tag) { return tag.end[-2] != '/'; }

/* Puts a mesh without a skin in place, with its materials. */
static void append_instance(const morphs *all, span tag, span content, collada_buffer *b) {
  span url = collada_attribute(tag, "url"), base = base_of(all, url);
  bool is_skin = find_controller(all, base) != NULL;
  if (base.at == url.at || is_skin) {
    append_tag(b, tag, url, base);
    collada_append_span(b, content);
    if (is_open(tag)) append_text(b, "</instance_controller>");
    return;
  }
  append_text(b, "<instance_geometry url=\"");
  collada_append_span(b, base);
  append_text(b, "\">");
  collada_append_span(b, content);
  append_text(b, "</instance_geometry>");
}

static bool starts_with(span s, const char *text) {
  size_t length = strlen(text);
  return (size_t)(s.end - s.at) > length && memcmp(s.at, text, length) == 0 && collada_is_name_end(s.at[length]);
}

/* Behind an element's end. */
static const char *end_of(span tag, span content, const char *ending, const char *last) {
  span rest = {content.end, last}, closing;
  return is_open(tag) && collada_next_tag(&rest, ending, &closing) ? closing.end : content.end;
}

/* Writes the replacement of the element that begins at `at`. Returns the end of that element; NULL if it stays. */
static const char *replace_one(const morphs *all, span text, const char *at, collada_buffer *b) {
  span rest = {at, text.end}, tag, content;
  if (starts_with(rest, "<controller") && collada_next_element(&rest, "controller", "/controller", &tag, &content)) {
    span inside = content, morph;
    return collada_next_tag(&inside, "morph", &morph) ? end_of(tag, content, "/controller", text.end) : NULL;
  }
  if (starts_with(rest, "<skin") && collada_next_tag(&rest, "skin", &tag)) {
    span source = collada_attribute(tag, "source");
    if (source.at) append_tag(b, tag, source, base_of(all, source));
    return source.at ? tag.end : NULL;
  }
  if (starts_with(rest, "<instance_controller") &&
      collada_next_element(&rest, "instance_controller", "/instance_controller", &tag, &content)) {
    if (!collada_attribute(tag, "url").at) return NULL;
    append_instance(all, tag, content, b);
    return end_of(tag, content, "/instance_controller", text.end);
  }
  if (!starts_with(rest, "<channel") || !collada_next_tag(&rest, "channel", &tag)) return NULL;
  span target = collada_attribute(tag, "target");
  bool is_weight = target.at && target.at < target.end && !memchr(target.at, '/', (size_t)(target.end - target.at));
  return is_weight ? tag.end : NULL;
}

static void replace_all(const morphs *all, span text, collada_buffer *b) {
  collada_buffer instead = {0};
  const char *copied = text.at, *at = text.at;
  while ((at = memchr(at, '<', (size_t)(text.end - at)))) {
    instead.size = 0;
    const char *next = replace_one(all, text, at, &instead);
    if (next) {
      collada_append_span(b, (span){copied, at});
      collada_append(b, instead.text, (size_t)instead.size);
      copied = next;
    }
    at = next ? next : at + 1;
  }
  collada_append_span(b, (span){copied, text.end});
  b->full = b->full || instead.full;
  mem_free(instead.text);
}

bool collada_morphs(raw_model *raw, const unsigned char **text, size_t *size) {
  span whole = {(const char *)*text, (const char *)*text + *size};
  morphs all = {0};
  collada_buffer b = {0};
  bool done = list_controllers(&all, whole);
  if (done && all.found > 0) replace_all(&all, whole, &b);
  done = done && collada_keep(raw, &b, text, size);
  mem_free(all.items);
  mem_free(b.text);
  if (!done) return error_memory(raw->error, raw->path, *size);
  return all.found == 0 ||
         raw_note_count(raw, all.found,
                        "%d {mesh is|meshes are} read without morph targets, which Assimp cannot read in "
                        "Collada: export glTF or FBX",
                        all.found);
}
