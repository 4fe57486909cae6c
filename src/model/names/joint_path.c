#include "model/names/joint_path.h"

#include <string.h>

/* How well a joint matches a path that is not its name. The lowest value wins; among equals the lowest rank, then the
 * first joint. */
typedef enum answer { STEP_BY_STEP, WITH_GAPS, NO_ANSWER } answer;

/* The most joints that are examined for one path: a file may give all its joints the same name. */
enum { EFFORT = 1 << 16 };

enum { BARE = 256 /* more than any rank: an exact name comes before one without its namespace */ };

static const char *name_of(const skeleton_view *s, int joint) { return s->names[joint] ? s->names[joint] : ""; }

static int rank_of(const skeleton_view *s, int joint) { return s->ranks ? s->ranks[joint] : 0; }

/* Whether the first `length` bytes of the path end with the name, alone or after a '/'. *left: the length before it. */
static bool ends_with(const char *path, size_t length, const char *name, size_t *left) {
  size_t size = strlen(name);
  if (size == 0 || size > length || memcmp(path + length - size, name, size) != 0) return false;
  *left = length - size;
  if (*left == 0) return true;
  return path[--*left] == '/' && *left > 0;
}

static bool names_joint(const skeleton_view *s, int joint, const char *path, size_t length, size_t *left) {
  const char *name = name_of(s, joint);
  return ends_with(path, length, name, left) || ends_with(path, length, joint_name_bare(name), left);
}

/* The next joint above that has a name; 0 if there is none. Helpers have no name. */
static int named_above(const skeleton_view *s, int joint) {
  do joint = s->parents[joint];
  while (joint > 0 && !name_of(s, joint)[0]);
  return joint;
}

int joint_path_list(const skeleton_view *s, joint_entry *entries) {
  int count = 0;
  for (int i = 1; i < s->count; i++) {
    const char *name = name_of(s, i), *bare = joint_name_bare(name);
    if (name[0]) entries[count++] = (joint_entry){name, i, rank_of(s, i)};
    if (bare != name) entries[count++] = (joint_entry){bare, i, BARE + rank_of(s, i)};
  }
  joint_index_sort(entries, count);
  return count;
}

static answer answer_of(const skeleton_view *s, int joint, const char *path, int *effort) {
  size_t left;
  answer best = STEP_BY_STEP;
  bool from_top = path[0] == '/';
  path += from_top;
  if (!names_joint(s, joint, path, strlen(path), &left)) return NO_ANSWER;
  for (joint = named_above(s, joint); joint > 0 && left > 0; joint = named_above(s, joint)) {
    size_t before = left;
    if (--*effort <= 0) return NO_ANSWER;
    if (!names_joint(s, joint, path, left, &left)) best = WITH_GAPS, left = before;
  }
  return left == 0 && (joint <= 0 || !from_top) ? best : NO_ANSWER;
}

typedef struct candidate {
  answer is;
  int rank, joint; /* -1: none */
} candidate;

static bool is_better(const candidate *a, const candidate *b) {
  if (a->is != b->is) return a->is < b->is;
  return a->rank != b->rank ? a->rank < b->rank : a->joint < b->joint;
}

/* Examines the joints whose name is the end of the path. */
static void look_at(const joint_paths *paths, const char *path, const char *end, int *effort, candidate *best) {
  const joint_entry *e = paths->entries;
  for (int i = joint_index_find(e, paths->entry_count, end);
       i < paths->entry_count && --*effort > 0 && strcmp(e[i].name, end) == 0; i++) {
    int joint = e[i].joint;
    candidate c = {answer_of(&paths->skeleton, joint, path, effort), rank_of(&paths->skeleton, joint), joint};
    if (c.is != NO_ANSWER && is_better(&c, best)) *best = c;
  }
}

static int find(const joint_paths *paths, const char *path, int *effort) {
  candidate best = {.is = NO_ANSWER, .joint = -1};
  int named = joint_index_find(paths->entries, paths->entry_count, path);
  if (named < paths->entry_count) return paths->entries[named].joint;
  for (const char *end = strchr(path, '/'); end; end = strchr(end + 1, '/'))
    if (end[1]) look_at(paths, path, end + 1, effort, &best);
  return best.joint;
}

int joint_path_find(const joint_paths *paths, const char *path) {
  int effort = EFFORT;
  return path && path[0] ? find(paths, path, &effort) : -1;
}

bool joint_path_write(const joint_paths *paths, int joint, char *path, size_t size) {
  const skeleton_view *s = &paths->skeleton;
  int effort = EFFORT;
  size_t begin = size - 1;
  bool found = false;
  path[0] = path[begin] = '\0';
  for (int at = joint; at > 0 && !found; at = named_above(s, at)) {
    const char *name = name_of(s, at);
    size_t length = strlen(name);
    if (length == 0 || length >= begin) return false;
    begin -= length;
    memcpy(path + begin, name, length);
    found = find(paths, path + begin, &effort) == joint;
    if (!found) path[--begin] = '/';
    if (!found && named_above(s, at) <= 0) found = find(paths, path + begin, &effort) == joint;
  }
  memmove(path, path + begin, size - begin);
  return found;
}
