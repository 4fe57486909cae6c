#include "import/source/bvh/bvh.h"

#include "base/error.h"
#include "base/memory/memory.h"

#include <string.h>

/* Handles joints of a BVH file with white space in their names, "JOINT Left Arm", where Assimp would end the name. */

/* Control letters that Assimp accepts as letters of a name. */
enum { SPACE_MARK = 0x1e, TAB_MARK = 0x1f };

static bool is_blank(char c) { return c == ' ' || c == '\t'; }

/* The position after the next word "ROOT" or "JOINT", or NULL. */
static char *next_name(char *text) {
  static const char *const words[] = {"ROOT", "JOINT"};
  for (char *c = text; *c; c++) {
    if (*c != 'R' && *c != 'J') continue;
    for (int i = 0; i < 2; i++) {
      size_t length = strlen(words[i]);
      bool begins = c == text || is_blank(c[-1]) || strchr("\r\n{}", c[-1]);
      if (begins && strncmp(c, words[i], length) == 0 && is_blank(c[length])) return c + length;
    }
  }
  return NULL;
}

/* The end of the name: at the end of its line, or before the brace. */
static char *end_of_name(char *name) {
  char *end = name + strcspn(name, "\r\n{");
  while (end > name && is_blank(end[-1])) end--;
  return end;
}

static bool mark_name(char *name, const char *end) {
  bool marked = false;
  for (; name < end; name++) {
    if (!is_blank(*name)) continue;
    *name = *name == ' ' ? SPACE_MARK : TAB_MARK;
    marked = true;
  }
  return marked;
}

bool bvh_names(raw_model *raw, const unsigned char **text, size_t size) {
  char *copy = raw_alloc(raw, size + 1, 1);
  bool marked = false;
  if (!copy) return false;
  memcpy(copy, *text, size);
  const char *motion = strstr(copy, "\nMOTION"); /* numbers follow */
  for (char *name = next_name(copy); name && (!motion || name < motion); name = next_name(name)) {
    while (is_blank(*name)) name++;
    char *end = end_of_name(name);
    if (mark_name(name, end)) marked = true;
    name = end;
  }
  if (marked) *text = (unsigned char *)copy;
  return true;
}

bool bvh_names_restore(raw_model *raw) {
  for (int i = 0; i < raw->node_count; i++) {
    if (!strpbrk(raw->nodes[i].name, "\x1e\x1f")) continue;
    char *name = raw_string(raw, raw->nodes[i].name);
    if (!name) return false;
    for (char *c = name; *c; c++)
      if (*c == SPACE_MARK || *c == TAB_MARK) *c = *c == SPACE_MARK ? ' ' : '\t';
    raw->nodes[i].name = name;
  }
  return true;
}

/* Completes joints of a BVH file that rotate about one or two axes, or move along some: Assimp would take the first
 * three channels of such a joint for its rotations. */

enum { MOST = 6, ROTATION = 3 };

typedef struct token {
  const char *at;
  size_t length; /* 0: the text ends */
} token;

/* Kinds: 0..2 a position along x, y or z; 3..5 a rotation about that axis. */
typedef struct joint {
  token word, offset[3];
  const char *end; /* of the names */
  int kinds[MOST], count;
} joint;

typedef struct bvh {
  raw_model *raw;
  joint *joints;
  int count, capacity;
  const char *motion;
  char *out;
  size_t size, room;
  bool failed;
} bvh;

/* ---- reading ---- */

static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

static token next_token(const char *from) {
  while (is_space(*from)) from++;
  token t = {from, 0};
  while (t.at[t.length] && !is_space(t.at[t.length])) t.length++;
  return t;
}

static const char *end_of(token t) { return t.at + t.length; }

static bool says(token t, const char *word) { return t.length == strlen(word) && strncmp(t.at, word, t.length) == 0; }

static int kind_of(token t) {
  static const char *const names[MOST] = {"Xposition", "Yposition", "Zposition", "Xrotation", "Yrotation", "Zrotation"};
  for (int i = 0; i < MOST; i++)
    if (says(t, names[i])) return i;
  return -1;
}

static bool has_kind(const joint *j, int kind) {
  for (int i = 0; i < j->count; i++)
    if (j->kinds[i] == kind) return true;
  return false;
}

/* False if a channel is unknown or occurs twice. */
static bool read_channels(joint *j) {
  token number = next_token(end_of(j->word));
  j->end = end_of(number);
  if (number.length != 1 || number.at[0] < '0' || number.at[0] > '0' + MOST) return false;
  for (int left = number.at[0] - '0'; left > 0; left--) {
    token name = next_token(j->end);
    int kind = kind_of(name);
    if (kind < 0 || has_kind(j, kind)) return false;
    j->kinds[j->count++] = kind;
    j->end = end_of(name);
  }
  return true;
}

/* Reads the joints up to the motion; false if they cannot be read. */
static bool read_joints(bvh *b, const char *text) {
  joint next = {.count = 0};
  for (token t = next_token(text); t.length > 0; t = next_token(end_of(t))) {
    if (says(t, "MOTION")) {
      b->motion = t.at;
      return true;
    }
    if (says(t, "OFFSET"))
      for (int k = 0; k < 3; k++) t = next.offset[k] = next_token(end_of(t));
    if (!says(t, "CHANNELS")) continue;
    next.word = t;
    if (!read_channels(&next)) return false;
    joint *made = raw_grow(b->raw, (void **)&b->joints, &b->count, &b->capacity, sizeof *made);
    b->failed = !made;
    if (!made) return false;
    *made = next;
    t.length = (size_t)(next.end - t.at);
    next = (joint){.count = 0};
  }
  return false;
}

static bool is_whole(const joint *j) {
  int positions = 0;
  for (int i = 0; i < j->count; i++) positions += j->kinds[i] < ROTATION;
  return j->count - positions == 3 && positions % 3 == 0;
}

/* ---- writing ---- */

static void put(bvh *b, const char *bytes, size_t length) {
  if (b->room - b->size <= length && !b->failed) {
    size_t room = 2 * b->room + length + 1;
    char *more = mem_resize(b->out, room);
    b->failed = !more;
    if (more) b->out = more, b->room = room;
  }
  if (b->failed) return;
  memcpy(b->out + b->size, bytes, length);
  b->size += length;
}

static void put_token(bvh *b, token t) {
  put(b, t.at, t.length);
  put(b, " ", 1);
}

static void put_word(bvh *b, const char *word) { put_token(b, (token){word, strlen(word)}); }

/* Lists the kinds that a joint gets, in order, and returns their number. */
static int list_kinds(const joint *j, int kinds[MOST]) {
  int count = 0;
  bool moves = has_kind(j, 0) || has_kind(j, 1) || has_kind(j, 2);
  for (int first = moves ? 0 : ROTATION; first <= ROTATION; first += ROTATION) {
    for (int i = 0; i < j->count; i++)
      if (j->kinds[i] / ROTATION == first / ROTATION) kinds[count++] = j->kinds[i];
    for (int k = first; k < first + 3; k++)
      if (!has_kind(j, k)) kinds[count++] = k;
  }
  return count;
}

static void put_channels(bvh *b, const joint *j) {
  static const char *const axes[] = {"X", "Y", "Z"};
  int kinds[MOST], count = list_kinds(j, kinds);
  put_word(b, count == MOST ? "CHANNELS 6" : "CHANNELS 3");
  for (int i = 0; i < count; i++) {
    put(b, axes[kinds[i] % 3], 1);
    put_word(b, kinds[i] < ROTATION ? "position" : "rotation");
  }
}

/* Returns the end of the joint's numbers. */
static const char *put_numbers(bvh *b, const joint *j, const char *from) {
  token numbers[MOST];
  int kinds[MOST], count = list_kinds(j, kinds);
  for (int i = 0; i < j->count; i++) {
    token t = next_token(from);
    numbers[j->kinds[i]] = t;
    from = end_of(t);
  }
  for (int i = 0; i < count; i++) {
    if (has_kind(j, kinds[i])) put_token(b, numbers[kinds[i]]);
    else if (kinds[i] < ROTATION && j->offset[kinds[i]].length > 0) put_token(b, j->offset[kinds[i]]);
    else put_word(b, "0");
  }
  return from;
}

static void put_motion(bvh *b) {
  const char *from = b->motion;
  for (token t = next_token(from); t.length > 0 && !says(t, "Time:"); t = next_token(end_of(t))) from = end_of(t);
  token step = next_token(end_of(next_token(from))); /* behind "Time:" */
  put(b, b->motion, (size_t)(end_of(step) - b->motion));
  for (from = end_of(step); next_token(from).length > 0 && !b->failed;) {
    put(b, "\n", 1);
    for (int i = 0; i < b->count; i++) from = put_numbers(b, b->joints + i, from);
  }
  put(b, "\n", 2); /* and the zero */
}

static void put_all(bvh *b, const char *text) {
  for (int i = 0; i < b->count; i++) {
    put(b, text, (size_t)(b->joints[i].word.at - text));
    put_channels(b, b->joints + i);
    text = b->joints[i].end;
  }
  put(b, text, (size_t)(b->motion - text));
  put_motion(b);
}

bool bvh_channels(raw_model *raw, const unsigned char **text, size_t *size) {
  bvh b = {.raw = raw};
  const char *whole = (const char *)*text; /* a zero is behind it */
  bool good = read_joints(&b, whole), rewrites = false;
  int channels = 0;
  for (int i = 0; good && i < b.count; i++) {
    rewrites = rewrites || !is_whole(b.joints + i);
    channels += b.joints[i].count;
  }
  if (!rewrites || channels == 0) return !b.failed;
  put_all(&b, whole);
  char *kept = b.failed ? NULL : raw_copy(raw, b.out, b.size, 1);
  mem_free(b.out);
  if (!kept) return error_memory(raw->error, raw->path, b.size);
  *text = (unsigned char *)kept;
  *size = b.size - 1;
  return true;
}
