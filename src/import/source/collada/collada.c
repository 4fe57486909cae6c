#include "import/source/collada/collada.h"

#include "base/error.h"
#include "base/memory/memory.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* ---- finds tags in the text of a Collada file, and rewrites parts of it ---- */

/* ---- tags ---- */

static bool collada_is_name_end(char c) {
  return c == ' ' || c == '>' || c == '/' || c == '\t' || c == '\r' || c == '\n';
}

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

/* ---- finds the joints of Collada skins, which Assimp would look for among all names and ids of a file ---- */

/* ---- nodes ---- */

typedef struct joint {
  span id, sid;
  int self, parent; /* indices in the file's order; parent −1 at the top */
  int root_of;      /* the last skin whose skeleton starts here, counted from 1 */
} joint;

typedef struct instance {
  span controller, content; /* '#' and an id */
} instance;

typedef struct skeletons {
  joint *nodes, *by_sid;
  instance *instances;
  int count, capacity, instance_count, instance_capacity;
  span text;
  int64_t budget; /* steps left: many nodes may have one sid, and skins many skeletons */
} skeletons;

static bool list_nodes(skeletons *all) {
  span rest = all->text, tag;
  int open = -1;
  for (bool closes; collada_next_end(&rest, "node", &tag, &closes);) {
    if (closes) {
      if (open >= 0) open = all->nodes[open].parent;
      continue;
    }
    joint *made = array_grow((void **)&all->nodes, &all->count, &all->capacity, sizeof *made);
    if (!made) return false;
    *made = (joint){collada_attribute(tag, "id"), collada_attribute(tag, "sid"), all->count - 1, open, 0};
    if (tag.end[-2] != '/') open = made->self;
  }
  return true;
}

static int compare_sids(const void *a, const void *b) {
  const joint *x = a, *y = b;
  int order = collada_compare(x->sid, y->sid);
  return order ? order : (x->self > y->self) - (x->self < y->self);
}

static bool sort_nodes(skeletons *all) {
  all->by_sid = mem_alloc_array((size_t)all->count, sizeof *all->by_sid);
  if (!all->by_sid) return false;
  for (int i = 0; i < all->count; i++) all->by_sid[i] = all->nodes[i];
  qsort(all->by_sid, (size_t)all->count, sizeof *all->by_sid, compare_sids);
  return true;
}

static int first_of_sid(const skeletons *all, span sid) {
  int low = 0, high = all->count;
  while (low < high) {
    int middle = (low + high) / 2;
    if (collada_compare(all->by_sid[middle].sid, sid) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/* ---- which skeleton ---- */

static bool names(span reference, span id) {
  return reference.at < reference.end && *reference.at == '#' && id.at &&
         collada_compare((span){reference.at + 1, reference.end}, id) == 0;
}

static bool list_instances(skeletons *all) {
  span rest = all->text, tag, content;
  while (collada_next_element(&rest, "instance_controller", "/instance_controller", &tag, &content)) {
    instance *made = array_grow((void **)&all->instances, &all->instance_count, &all->instance_capacity, sizeof *made);
    if (!made) return false;
    *made = (instance){collada_attribute(tag, "url"), content};
  }
  return true;
}

static void mark_root(skeletons *all, span reference, int skin) {
  for (int i = 0; i < all->count && all->budget-- > 0; i++)
    if (names(reference, all->nodes[i].id)) all->nodes[i].root_of = skin;
}

/* Marks the roots of a controller's first instance. */
static void mark_roots(skeletons *all, span controller, int skin) {
  span tag, content;
  for (int i = 0; i < all->instance_count && all->budget-- > 0; i++) {
    if (!names(all->instances[i].controller, controller)) continue;
    span rest = all->instances[i].content;
    while (collada_next_element(&rest, "skeleton", "/skeleton", &tag, &content))
      mark_root(all, collada_next_word(&content), skin);
    return;
  }
}

static bool is_below(skeletons *all, int node, int skin) {
  for (; node >= 0 && all->budget-- > 0; node = all->nodes[node].parent)
    if (all->nodes[node].root_of == skin) return true;
  return false;
}

/* The joint with that sid for a skin: below its skeleton, else the first one; NULL if there is none with an id. */
static const joint *find_joint(skeletons *all, span sid, int skin) {
  const joint *found = NULL;
  for (int i = first_of_sid(all, sid); i < all->count && collada_compare(all->by_sid[i].sid, sid) == 0; i++) {
    const joint *j = all->by_sid + i;
    if (!j->id.at) continue;
    if (!found) found = j;
    if (all->budget <= 0) break;
    if (is_below(all, j->self, skin)) return j;
  }
  return found;
}

/* ---- skins ---- */

/* The names in the source of a skin's joint input. */
static span joint_names(span skin) {
  span inputs = skin, sources = skin, wanted = {NULL, NULL}, tag, content, array;
  while (!wanted.at && collada_next_tag(&inputs, "input", &tag))
    if (collada_is_text(collada_attribute(tag, "semantic"), "JOINT")) wanted = collada_attribute(tag, "source");
  while (wanted.at && collada_next_element(&sources, "source", "/source", &tag, &content))
    if (names(wanted, collada_attribute(tag, "id")) &&
        collada_next_element(&content, "Name_array", "/Name_array", &tag, &array))
      return array;
  return (span){NULL, NULL};
}

static void append_ids(skeletons *all, span list, int skin, collada_buffer *b) {
  for (span word = collada_next_word(&list); word.at < word.end; word = collada_next_word(&list)) {
    const joint *j = find_joint(all, word, skin);
    collada_append_span(b, j ? j->id : word);
    collada_append(b, " ", 1);
  }
}

static bool replace_names(skeletons *all, collada_buffer *b) {
  span rest = all->text, tag, content;
  const char *copied = rest.at;
  for (int skin = 1; collada_next_element(&rest, "controller", "/controller", &tag, &content); skin++) {
    span list = joint_names(content);
    if (!list.at) continue;
    mark_roots(all, collada_attribute(tag, "id"), skin);
    collada_append_span(b, (span){copied, list.at});
    append_ids(all, list, skin, b);
    copied = list.end;
  }
  if (b->size > 0) collada_append_span(b, (span){copied, all->text.end});
  return !b->full;
}

bool collada_joints(raw_model *raw, const unsigned char **text, size_t *size) {
  skeletons all = {.text = {(const char *)*text, (const char *)*text + *size}, .budget = 1 << 24};
  collada_buffer b = {0};
  bool done = list_nodes(&all) && list_instances(&all) &&
              (all.count == 0 || (sort_nodes(&all) && replace_names(&all, &b))) && collada_keep(raw, &b, text, size);
  mem_free(all.nodes);
  mem_free(all.by_sid);
  mem_free(all.instances);
  mem_free(b.text);
  return done || error_memory(raw->error, raw->path, *size);
}

/* ---- Collada files with morph targets ---- */

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
