#include "import/source/bvh/bvh_names.h"

#include <string.h>

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
