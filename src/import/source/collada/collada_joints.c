#include "import/source/collada/collada_joints.h"

#include "base/error.h"
#include "base/memory/array.h"
#include "base/memory/memory.h"
#include "import/source/collada/collada_text.h"

#include <stdlib.h>

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
