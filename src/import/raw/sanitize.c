#include "import/raw/sanitize.h"

#include "base/file.h"
#include "import/source/bvh/bvh.h"
#include "import/source/collada/collada.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

static bool has_extension(const import_files *files, const char *extension) {
  return strcasecmp(path_extension(files->path), extension) == 0;
}

static bool serve(raw_model *raw, import_files *files, const char *name, const void *text, size_t size) {
  if (!files->served) files->served = raw_alloc(raw, 2, sizeof *files->served);
  if (!files->served) return false;
  files->served[files->served_count++] = (served_file){name, text, size};
  return true;
}

/* ---- Collada ---- */

static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

/* A node's name is followed by its number, so that no two nodes have the same name. */
enum { MARK_SIZE = 16 };

static const char *next_node(const char *text) {
  while ((text = strchr(text, '<')) && strncmp(text, "<node ", 6) != 0) text++;
  return text;
}

/* The end of the name in the tag, or NULL. */
static const char *end_of_name(const char *tag) {
  const char *end = strpbrk(tag + 1, "<>"), *name = tag; /* a tag holds no other */
  if (!end || *end == '<') return NULL;
  while (name < end && strncmp(name, " name=", 6) != 0) name++;
  const char *quote = name < end ? strchr(name + 7, name[6]) : NULL;
  return quote && quote < end ? quote : NULL;
}

static bool sanitize_collada(raw_model *raw, import_files *files) {
  const unsigned char *whole = files->data; /* zero-terminated by file_read */
  size_t whole_size = files->size;
  if (!collada_morphs(raw, &whole, &whole_size) || !collada_curves(raw, &whole, &whole_size) ||
      !collada_joints(raw, &whole, &whole_size) || !collada_clips(raw, &whole, &whole_size))
    return false;
  const char *from = (const char *)whole, *end = from + whole_size;
  const char *node = next_node(from), *name_end = NULL;
  size_t size = 0, nodes = 0;
  for (const char *n = node; n; n = next_node(n + 1)) nodes++;
  char *text = raw_alloc(raw, whole_size + nodes * MARK_SIZE + 1, 1);
  bool begins = false; /* only white space has followed the end of a tag */
  if (!text) return false;
  for (int number = 0; from < end; from++) {
    if (from == node) {
      name_end = end_of_name(node);
      node = next_node(node + 1);
    }
    if (begins && is_space(*from)) continue;
    if (from == name_end) size += (size_t)snprintf(text + size, MARK_SIZE, COLLADA_MARK "%d", number++);
    begins = *from == '>';
    text[size++] = *from;
  }
  return serve(raw, files, path_file(files->path), text, size);
}

bool sanitize_names(raw_model *raw) {
  if (strcasecmp(path_extension(raw->path), "bvh") == 0) return bvh_names_restore(raw);
  for (int i = 0; i < raw->node_count && raw->format == RAW_COLLADA; i++) {
    char *name = raw_string(raw, raw->nodes[i].name), *last = NULL;
    if (!name) return false;
    for (char *mark = strstr(name, COLLADA_MARK); mark; mark = strstr(mark + 1, COLLADA_MARK)) last = mark;
    if (last) *last = '\0';
    raw->nodes[i].name = name;
  }
  return raw->format != RAW_COLLADA || collada_restore_clips(raw);
}

/* ---- MD5 ---- */

static bool end_lines(raw_model *raw, import_files *files, const char *name, const served_file *from) {
  unsigned char *text = raw_alloc(raw, from->size, 2);
  size_t size = 0;
  if (!text) return false;
  for (size_t i = 0; i < from->size; i++) {
    if (from->data[i] == '\n' && (i == 0 || from->data[i - 1] != '\r')) text[size++] = '\r';
    text[size++] = from->data[i];
  }
  return serve(raw, files, name, text, size);
}

/* With hero.md5mesh, Assimp also reads hero.md5anim. */
static bool sanitize_animation_beside(raw_model *raw, import_files *files) {
  served_file found;
  char *path = raw_string(raw, files->path);
  if (!path) return false;
  memcpy(path + strlen(path) - 4, "anim", 4);
  if (!files_read(files, path, &found)) return true;
  bool tidied = end_lines(raw, files, path_file(path), &found);
  files_free(files, &found);
  return tidied;
}

static bool sanitize_md5(raw_model *raw, import_files *files) {
  served_file own = {NULL, files->data, files->size};
  return (!has_extension(files, "md5mesh") || sanitize_animation_beside(raw, files)) &&
         end_lines(raw, files, path_file(files->path), &own);
}

/* ---- X ---- */

/* A file of clips alone has no frames to which Assimp could attach them: it gets an empty one, "{ Arm }", for each name
 * that they use. */
typedef struct frame_name {
  const char *at;
  size_t length;
} frame_name;

static bool read_reference(const char **at, frame_name *name) {
  const char *c = *at + 1 + strspn(*at + 1, " \t\r\n");
  *name = (frame_name){c, strcspn(c, " \t\r\n{};,\"")};
  c += name->length;
  c += strspn(c, " \t\r\n");
  if (*c != '}' || name->length == 0) return false;
  *at = c;
  return true;
}

static bool is_listed(const frame_name *names, size_t count, const frame_name *name) {
  for (size_t i = 0; i < count; i++)
    if (names[i].length == name->length && memcmp(names[i].at, name->at, name->length) == 0) return true;
  return false;
}

static size_t list_references(const char *text, frame_name *names, size_t most) {
  size_t count = 0;
  for (const char *at = strchr(text, '{'); at && count < most; at = strchr(at + 1, '{')) {
    frame_name name;
    if (read_reference(&at, &name) && !is_listed(names, count, &name)) names[count++] = name;
  }
  return count;
}

static bool sanitize_x(raw_model *raw, import_files *files) {
  enum { MOST = 1024, ROOM = 160 };
  const char *text = (const char *)files->data, *begin = strstr(text, "AnimationSet ");
  if (strncmp(text, "xof ", 4) != 0 || strncmp(text + 8, "txt", 3) != 0 || strstr(text, "Frame ") || !begin)
    return true;
  frame_name *names = raw_alloc(raw, MOST, sizeof *names);
  size_t count = names ? list_references(begin, names, MOST) : 0, size = (size_t)(begin - text);
  char *out = names ? raw_alloc(raw, files->size + count * ROOM + files->size + 1, 1) : NULL;
  if (!out) return false;
  memcpy(out, text, size);
  for (size_t i = 0; i < count; i++)
    size += (size_t)sprintf(out + size,
                            "Frame %.*s { FrameTransformMatrix { 1.0,0.0,0.0,0.0, 0.0,1.0,0.0,0.0, "
                            "0.0,0.0,1.0,0.0, 0.0,0.0,0.0,1.0;; } }\n",
                            (int)names[i].length, names[i].at);
  strcpy(out + size, begin);
  raw->has_no_rest = true;
  return serve(raw, files, path_file(files->path), out, size + strlen(begin));
}

/* ---- BVH ---- */

static bool sanitize_bvh(raw_model *raw, import_files *files) {
  const unsigned char *text = files->data; /* a zero is behind it */
  size_t size = files->size;
  if (!bvh_names(raw, &text, size) || !bvh_channels(raw, &text, &size)) return false;
  return text == files->data || serve(raw, files, path_file(files->path), text, size);
}

bool sanitize_text(raw_model *raw, import_files *files) {
  if (has_extension(files, "bvh")) return sanitize_bvh(raw, files);
  if (has_extension(files, "x")) return sanitize_x(raw, files);
  if (raw->format == RAW_MD5) return sanitize_md5(raw, files);
  return !has_extension(files, "dae") || sanitize_collada(raw, files);
}
