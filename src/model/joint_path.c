#include "model/joint_path.h"

#include "model/joint_index.h"

#include <string.h>

/* How a joint answers to a path: the least wins, and among equals the lowest rank, then the first joint. */
typedef enum answer { EXACT, BARE, STEP_BY_STEP, WITH_GAPS, NO_ANSWER } answer;

static const char *name_of(const skeleton_view *s, int joint) { return s->names[joint] ? s->names[joint] : ""; }

static int rank_of(const skeleton_view *s, int joint) { return s->ranks ? s->ranks[joint] : 0; }

/* Does the path of that length end with the name, alone or behind a '/'? What is left of the path before it. */
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

/* The next joint above that has a name; 0 where there is none. Helpers have none. */
static int named_above(const skeleton_view *s, int joint) {
  do joint = s->parents[joint];
  while (joint > 0 && !name_of(s, joint)[0]);
  return joint;
}

static answer answer_exactly(const skeleton_view *s, int joint, const char *path) {
  return strcmp(name_of(s, joint), path) == 0 ? EXACT : NO_ANSWER;
}

static answer answer_loosely(const skeleton_view *s, int joint, const char *path) {
  size_t left;
  answer best = STEP_BY_STEP;
  bool from_top = path[0] == '/';
  if (strcmp(joint_name_bare(name_of(s, joint)), path) == 0) return BARE;
  path += from_top;
  if (!names_joint(s, joint, path, strlen(path), &left)) return NO_ANSWER;
  for (joint = named_above(s, joint); joint > 0 && left > 0; joint = named_above(s, joint)) {
    size_t before = left;
    if (!names_joint(s, joint, path, left, &left)) best = WITH_GAPS, left = before;
  }
  return left == 0 && (joint <= 0 || !from_top) ? best : NO_ANSWER;
}

static int find_best(const skeleton_view *s, const char *path,
                     answer (*ask)(const skeleton_view *s, int joint, const char *path)) {
  answer best = NO_ANSWER;
  int found = -1;
  for (int i = 1; i < s->count; i++) {
    answer is = ask(s, i, path);
    if (is == NO_ANSWER || is > best || (is == best && rank_of(s, i) >= rank_of(s, found))) continue;
    best = is;
    found = i;
    if (is == EXACT && rank_of(s, i) == 0) break;
  }
  return found;
}

int joint_path_find(const skeleton_view *s, const char *path) {
  if (!path || !path[0]) return -1;
  int exact = find_best(s, path, answer_exactly);
  return exact < 0 ? find_best(s, path, answer_loosely) : exact;
}

bool joint_path_write(const skeleton_view *s, int joint, char *path, size_t size) {
  size_t begin = size - 1;
  bool found = false;
  path[0] = path[begin] = '\0';
  for (int at = joint; at > 0 && !found; at = named_above(s, at)) {
    const char *name = name_of(s, at);
    size_t length = strlen(name);
    if (length == 0 || length >= begin) return false;
    begin -= length;
    memcpy(path + begin, name, length);
    found = joint_path_find(s, path + begin) == joint;
    if (!found) path[--begin] = '/';
    if (!found && named_above(s, at) <= 0) found = joint_path_find(s, path + begin) == joint;
  }
  memmove(path, path + begin, size - begin);
  return found;
}
