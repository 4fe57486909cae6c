#include "import/source/fbx/fbx_takes.h"

#include "base/memory.h"
#include "import/raw/scan.h"

#include <stdlib.h>

/* In FBX's own unit of time. */
typedef struct span {
  int64_t first, last;
} span;

/* Behind a name such as LocalStop: "KTime", "Time", some flags, and the number, which in a binary file is tagged L. */
static bool read_time(scan t, int64_t *time) {
  t = scan_near(t);
  if (!scan_next(&t, "KTime") || !scan_next(&t, "Time")) return false;
  if (t.left < 5 || *t.at != 'S') {
    if (!scan_next(&t, ",") || !scan_next(&t, "\",")) return false;
    *time = strtoll((const char *)t.at, NULL, 10);
    return true;
  }
  size_t flags = scan_u32(t.at + 1);
  if (flags > t.left || t.left - flags < 5 + 9 || t.at[5 + flags] != 'L') return false;
  *time = scan_i64(t.at + 5 + flags + 1);
  return true;
}

/* How often the time is said; the span is widened to it. */
static int widen(scan t, const char *name, span *all) {
  int64_t time;
  int n = 0;
  while (scan_next(&t, name))
    if (read_time(t, &time)) {
      all->first = n && all->first < time ? all->first : time;
      all->last = n && all->last > time ? all->last : time;
      n++;
    }
  return n;
}

/* From the beginning of the first take to the end of the last; false where the takes are as long as their keys. What a
 * file does not say is 0. */
static bool find_takes(const import_files *files, int stacks, span *takes) {
  scan t = {files->data, files->size};
  span starts = {0, 0}, stops = {0, 0};
  static const int64_t longest = INT64_C(1) << 60; /* centuries; and no sum with it ends */
  if (!scan_next(&t, "Objects")) return false;     /* before it are definitions, with what most files do not say */
  int said = widen(t, "LocalStart", &starts);
  widen(t, "LocalStop", &stops);
  *takes = (span){said < stacks && starts.first > 0 ? 0 : starts.first, stops.last};
  return (takes->first != 0 || takes->last != 0) && takes->first > -longest && takes->last < longest &&
         takes->first <= takes->last;
}

/* The keys of a curve, one after the other. */
typedef struct curve_keys {
  span takes;
  int64_t before;
  bool any, inside, cut; /* `cut`: a take begins or ends between two of them */
} curve_keys;

enum { SLACK = 10000 }; /* Assimp's */

static bool lies_between(int64_t edge, int64_t a, int64_t b) { return a < edge - SLACK && b > edge + SLACK; }

static void see_key(curve_keys *keys, int64_t time) {
  if (time >= keys->takes.first - SLACK && time <= keys->takes.last + SLACK) keys->inside = true;
  if (keys->any &&
      (lies_between(keys->takes.first, keys->before, time) || lies_between(keys->takes.last, keys->before, time)))
    keys->cut = true;
  keys->before = time;
  keys->any = true;
}

static void see_binary_keys(scan *t, curve_keys *keys) {
  uint32_t count;
  unsigned char *made;
  const unsigned char *times = scan_array(t, 8, &count, &made);
  for (size_t i = 0; times && i < count; i++) see_key(keys, scan_i64(times + 8 * i));
  mem_free(made);
}

static void see_text_keys(scan t, curve_keys *keys) {
  const char *at = scan_text_array(t);
  for (char *end; at; at = *end == ',' ? end + 1 : NULL) {
    int64_t time = strtoll(at, &end, 10);
    if (end == at) return;
    see_key(keys, time);
  }
}

bool fbx_takes_cut_curves(const import_files *files, int stacks) {
  scan t = {files->data, files->size};
  span takes;
  if (!find_takes(files, stacks, &takes)) return false;
  while (scan_next(&t, "KeyTime")) {
    curve_keys keys = {.takes = takes};
    bool binary = t.left && *t.at == 'l', in_text = t.left && *t.at == ':';
    if (binary) t.at++, t.left--;
    if (binary) see_binary_keys(&t, &keys);
    else if (in_text) see_text_keys(t, &keys);
    if (keys.cut || (keys.any && !keys.inside)) return true;
  }
  return false;
}
