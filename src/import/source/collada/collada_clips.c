#include "import/source/collada/collada.h"

#include "base/error.h"
#include "base/memory/memory.h"
#include "base/text.h"

#include <math.h>
#include <stdlib.h>
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

/* ---- collada curves ---- */

/* ---- sources ---- */

typedef struct source {
  span id, content;
} source;

typedef struct source_table {
  source *items;
  int count, capacity;
  int64_t budget; /* numbers that may still be read or made: many samplers may share one source */
} source_table;

static int compare_sources(const void *a, const void *b) {
  return collada_compare(((const source *)a)->id, ((const source *)b)->id);
}

static bool list_sources(source_table *table, span text) {
  span tag, content;
  while (collada_next_element(&text, "source", "/source", &tag, &content)) {
    span id = collada_attribute(tag, "id");
    if (!id.at) continue;
    source *made = array_grow((void **)&table->items, &table->count, &table->capacity, sizeof *made);
    if (!made) return false;
    *made = (source){id, content};
  }
  if (table->count) qsort(table->items, (size_t)table->count, sizeof *table->items, compare_sources);
  return true;
}

static const source *find_source(const source_table *table, span reference) {
  if (!reference.at || reference.at == reference.end || *reference.at != '#' || table->count == 0) return NULL;
  const source wanted = {.id = {reference.at + 1, reference.end}};
  return bsearch(&wanted, table->items, (size_t)table->count, sizeof wanted, compare_sources);
}

/* ---- numbers ---- */

typedef struct numbers {
  double *items;
  int count, capacity, stride;
} numbers;

static bool add_number(numbers *list, double value) {
  double *item = array_grow((void **)&list->items, &list->count, &list->capacity, sizeof *item);
  if (item) *item = value;
  return item != NULL;
}

static bool read_numbers(source_table *table, const source *from, numbers *list) {
  span in = from ? from->content : (span){NULL, NULL}, tag, content;
  list->stride = 1;
  if (!from || !collada_next_element(&in, "float_array", "/float_array", &tag, &content)) return true;
  for (const char *at = content.at; at < content.end;) { /* it ends with '<', which ends the last number, too */
    char *end;
    double value = text_number(at, &end);
    if (end == at || end > content.end || table->budget-- <= 0) break;
    if (!add_number(list, value)) return false;
    at = end;
  }
  in = from->content;
  span stride = collada_next_tag(&in, "accessor", &tag) ? collada_attribute(tag, "stride") : (span){NULL, NULL};
  double told = stride.at ? text_number(stride.at, NULL) : 1;
  list->stride = told >= 1 && told <= 64 ? (int)told : 1;
  return true;
}

/* ---- a sampler ---- */

typedef enum mode { MODE_LINEAR, MODE_STEP, MODE_BEZIER, MODE_HERMITE, MODE_OTHER } mode;

typedef struct sampler {
  const source *times, *values, *in, *out, *modes;
  numbers time, value, in_tangent, out_tangent;
} sampler;

static void read_inputs(const source_table *table, span content, sampler *s) {
  const struct {
    const char *semantic;
    const source **slot;
  } inputs[] = {{"INPUT", &s->times},
                {"OUTPUT", &s->values},
                {"IN_TANGENT", &s->in},
                {"OUT_TANGENT", &s->out},
                {"INTERPOLATION", &s->modes}};
  for (span tag; collada_next_tag(&content, "input", &tag);)
    for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++)
      if (collada_is_text(collada_attribute(tag, "semantic"), inputs[i].semantic))
        *inputs[i].slot = find_source(table, collada_attribute(tag, "source"));
}

/* The next of the names separated by white space; LINEAR past the last. */
static mode next_mode(span *names) {
  static const char *const words[] = {"LINEAR", "STEP", "BEZIER", "HERMITE"};
  span word = collada_next_word(names);
  for (int i = 0; i < MODE_OTHER; i++)
    if (collada_is_text(word, words[i])) return (mode)i;
  return word.at == word.end ? MODE_LINEAR : MODE_OTHER;
}

static span mode_names(const sampler *s) {
  span in = s->modes ? s->modes->content : (span){NULL, NULL}, tag, content;
  return s->modes && collada_next_element(&in, "Name_array", "/Name_array", &tag, &content) ? content
                                                                                            : (span){NULL, NULL};
}

/* The point of a key's tangent, in time and value. The source has a value alone, or a time and a value for each part of
 * a value, or one time for all of them. `third` is the time if it has none. */
static void control_point(const numbers *tangents, int key, int part, int parts, double third, double *time,
                          double *value) {
  const double *t = tangents->items + (size_t)key * (size_t)tangents->stride;
  if (tangents->stride == 2 * parts) *time = t[2 * part], *value = t[2 * part + 1];
  else if (tangents->stride == parts) *time = third, *value = t[part];
  else *time = t[0], *value = t[1 + part];
}

static bool has_tangents(const sampler *s, int keys, int parts) {
  const numbers *all[2] = {&s->in_tangent, &s->out_tangent};
  for (int i = 0; i < 2; i++) {
    int stride = all[i]->stride;
    if ((stride != parts && stride != parts + 1 && stride != 2 * parts) || all[i]->count / stride < keys) return false;
  }
  return true;
}

/* Bernstein's polynomials. */
static double bezier(const double p[4], double t) {
  double u = 1 - t;
  return u * u * u * p[0] + 3 * u * u * t * p[1] + 3 * u * t * t * p[2] + t * t * t * p[3];
}

/* The parameter at which a curve whose time never decreases reaches a time. */
static double part_at(const double times[4], double time) {
  double low = 0, high = 1;
  for (int i = 0; i < 50; i++) {
    double middle = 0.5 * (low + high);
    if (bezier(times, middle) < time) low = middle;
    else high = middle;
  }
  return 0.5 * (low + high);
}

/* The value of one part at the fraction `at` of the time between two keys. */
static double bent_value(const sampler *s, mode m, int key, int part, int parts, double at) {
  double t[4] = {s->time.items[key], 0, 0, s->time.items[key + 1]}, length = t[3] - t[0];
  double v[4] = {s->value.items[key * parts + part], 0, 0, s->value.items[(key + 1) * parts + part]};
  bool hermite = m == MODE_HERMITE; /* tangents are derivatives, three times as long */
  control_point(&s->out_tangent, key, part, parts, hermite ? length : t[0] + length / 3, &t[1], &v[1]);
  control_point(&s->in_tangent, key + 1, part, parts, hermite ? length : t[3] - length / 3, &t[2], &v[2]);
  if (hermite) t[1] = t[0] + t[1] / 3, v[1] = v[0] + v[1] / 3, t[2] = t[3] - t[2] / 3, v[2] = v[3] - v[2] / 3;
  t[1] = fmin(fmax(t[1], t[0]), t[3]);
  t[2] = fmin(fmax(t[2], t[0]), t[3]);
  return bezier(v, part_at(t, t[0] + at * length));
}

/* ---- the replacement of a sampler ---- */

typedef struct dense {
  numbers times, values;
} dense;

static bool add_key(dense *to, double time, const double *values, int parts) {
  bool added = add_number(&to->times, time);
  for (int i = 0; i < parts; i++) added = added && add_number(&to->values, values[i]);
  return added;
}

enum { PARTS = 16, RATE = 120, LEAST = 4, MOST = 1200 };
static const double jump = 1e-4; /* seconds that a step takes */

static bool add_segment(const sampler *s, mode m, int key, int parts, dense *to) {
  double begin = s->time.items[key], length = s->time.items[key + 1] - begin, values[PARTS];
  const double *first = s->value.items + key * parts;
  if (m == MODE_STEP && length > 2 * jump) return add_key(to, begin + length - jump, first, parts);
  if (m != MODE_BEZIER && m != MODE_HERMITE) return true;
  int count = (int)fmin(fmax(ceil(length * RATE), LEAST), MOST);
  for (int i = 1; i < count; i++) {
    double at = (double)i / count;
    for (int part = 0; part < parts; part++) values[part] = bent_value(s, m, key, part, parts, at);
    if (!add_key(to, begin + at * length, values, parts)) return false;
  }
  return true;
}

static bool add_segments(const sampler *s, int keys, int parts, dense *to) {
  span names = mode_names(s);
  bool added = true;
  for (int key = 0; key < keys && added; key++) {
    mode m = next_mode(&names);
    added = add_key(to, s->time.items[key], s->value.items + key * parts, parts) &&
            (key + 1 == keys || add_segment(s, m, key, parts, to));
  }
  return added;
}

static void append_source(collada_buffer *b, int number, const char *kind, const numbers *list, int stride) {
  char line[160];
  collada_append(b, line,
                 (size_t)text_format(line, sizeof line,
                                     "<source id=\"sinew-%d-%s\"><float_array id=\"sinew-%d-%s-array\" count=\"%d\">",
                                     number, kind, number, kind, list->count));
  for (int i = 0; i < list->count; i++)
    collada_append(b, line, (size_t)text_format(line, sizeof line, i ? " %.9g" : "%.9g", list->items[i]));
  collada_append(
      b, line,
      (size_t)text_format(
          line, sizeof line,
          "</float_array><technique_common><accessor source=\"#sinew-%d-%s-array\" count=\"%d\" stride=\"%d\">", number,
          kind, list->count / stride, stride));
  for (int i = 0; i < stride && stride < PARTS; i++)
    collada_append(b, line,
                   (size_t)text_format(line, sizeof line, "<param name=\"%c\" type=\"float\"/>", "XYZW"[i % 4]));
  if (stride == PARTS)
    collada_append(b, line, (size_t)text_format(line, sizeof line, "<param name=\"TRANSFORM\" type=\"float4x4\"/>"));
  static const char end[] = "</accessor></technique_common></source>";
  collada_append(b, end, sizeof end - 1);
}

static void append_sampler(collada_buffer *b, int number, span id, const dense *d, int parts) {
  char line[200];
  append_source(b, number, "times", &d->times, 1);
  append_source(b, number, "values", &d->values, parts);
  collada_append(b, "<sampler id=\"", 13);
  collada_append_span(b, id);
  collada_append(b, line,
                 (size_t)text_format(line, sizeof line,
                                     "\"><input semantic=\"INPUT\" source=\"#sinew-%d-times\"/>"
                                     "<input semantic=\"OUTPUT\" source=\"#sinew-%d-values\"/></sampler>",
                                     number, number));
}

/* ---- all of them ---- */

typedef enum bends { BENDS_NOT, BENDS_HERE, BENDS_UNKNOWN } bends;

/* Checks that times ascend, each has its value, and curved segments have their tangents. */
static bends how_it_bends(const sampler *s, int keys, int parts) {
  span names = mode_names(s);
  bool steps = false, bent = false, other = false;
  for (int i = 0; i < keys; i++) {
    mode m = next_mode(&names);
    steps = steps || m == MODE_STEP;
    bent = bent || m == MODE_BEZIER || m == MODE_HERMITE;
    other = other || m == MODE_OTHER;
  }
  if (!steps && !bent && !other) return BENDS_NOT;
  bool sound = parts <= PARTS && s->value.count / parts >= keys;
  for (int i = 0; i < keys; i++) sound = sound && isfinite(s->time.items[i]);
  for (int i = 1; i < keys; i++) sound = sound && s->time.items[i] > s->time.items[i - 1];
  return !sound || other || (bent && !has_tangents(s, keys, parts)) ? BENDS_UNKNOWN : BENDS_HERE;
}

static bool read_sampler(source_table *table, span content, sampler *s) {
  *s = (sampler){0};
  read_inputs(table, content, s);
  if (mode_names(s).at == NULL) return true;
  return read_numbers(table, s->times, &s->time) && read_numbers(table, s->values, &s->value) &&
         read_numbers(table, s->in, &s->in_tangent) && read_numbers(table, s->out, &s->out_tangent);
}

/* Charges the dense keys to the budget; false if that exceeds it. */
static bool afford(source_table *table, const sampler *s, int keys, int parts) {
  double seconds = s->time.items[keys - 1] - s->time.items[0];
  double needed = (keys * (LEAST + 1.0) + fmin(seconds * RATE, (double)keys * MOST)) * (parts + 1);
  if (!(needed <= (double)table->budget)) return false;
  table->budget -= (int64_t)needed;
  return true;
}

static void free_sampler(sampler *s) {
  mem_free(s->time.items), mem_free(s->value.items), mem_free(s->in_tangent.items), mem_free(s->out_tangent.items);
}

/* Appends `before` and the sampler's replacement, if any, as *replaced says. */
static bool replace(raw_model *raw, source_table *table, span before, span tag, span content, collada_buffer *b,
                    int number, bool *replaced) {
  sampler s;
  dense d = {{0}, {0}};
  span id = collada_attribute(tag, "id");
  bool read = read_sampler(table, content, &s);
  bends how = read && s.time.count > 0 ? how_it_bends(&s, s.time.count, s.value.stride) : BENDS_NOT;
  if (table->budget <= 0 || (how == BENDS_HERE && !afford(table, &s, s.time.count, s.value.stride)))
    how = BENDS_UNKNOWN;
  *replaced = how == BENDS_HERE && id.at;
  raw->straight_curves += how == BENDS_UNKNOWN;
  if (*replaced) read = add_segments(&s, s.time.count, s.value.stride, &d);
  if (*replaced) collada_append_span(b, before);
  if (*replaced && read) append_sampler(b, number, id, &d, s.value.stride);
  free_sampler(&s);
  mem_free(d.times.items), mem_free(d.values.items);
  return read && !b->full;
}

static bool replace_all(raw_model *raw, source_table *table, span text, collada_buffer *b) {
  span tag, content, rest = text;
  const char *copied = text.at;
  for (int number = 0; collada_next_element(&rest, "sampler", "/sampler", &tag, &content); number++) {
    bool replaced;
    if (!replace(raw, table, (span){copied, tag.at}, tag, content, b, number, &replaced)) return false;
    if (replaced) copied = rest.at;
  }
  if (b->size > 0) collada_append_span(b, (span){copied, text.end});
  return !b->full;
}

bool collada_curves(raw_model *raw, const unsigned char **text, size_t *size) {
  source_table table = {.budget = 1 << 23};
  collada_buffer b = {0};
  span all = {(const char *)*text, (const char *)*text + *size};
  bool done = list_sources(&table, all) && replace_all(raw, &table, all, &b);
  done = done && collada_keep(raw, &b, text, size);
  mem_free(table.items);
  mem_free(b.text);
  return done || error_memory(raw->error, raw->path, *size);
}
