#include "import/source/files.h"

#include "base/error.h"
#include "base/file.h"
#include "base/memory/memory.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <strings.h>

/* ---- converts UTF-16 text, as some programs write XML, to UTF-8 before it is read ---- */

typedef struct reader {
  const unsigned char *at, *end;
  bool big;
} reader;

static uint32_t peek(const reader *r) {
  return r->end - r->at < 2 ? 0 : (uint32_t)(r->big ? r->at[0] << 8 | r->at[1] : r->at[1] << 8 | r->at[0]);
}

static uint32_t next_letter(reader *r) {
  uint32_t first = peek(r);
  r->at += 2;
  if (first < 0xD800 || first > 0xDFFF) return first;
  uint32_t second = peek(r);
  if (first > 0xDBFF || second < 0xDC00 || second > 0xDFFF) return 0xFFFD;
  r->at += 2;
  return 0x10000 + ((first - 0xD800) << 10 | (second - 0xDC00));
}

static unsigned char *write_letter(unsigned char *to, uint32_t c) {
  if (c < 0x80) {
    *to++ = (unsigned char)c;
    return to;
  }
  int more = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
  *to++ = (unsigned char)((0xF00u >> (more + 1) & 0xFF) | c >> 6 * more);
  while (more-- > 0) *to++ = (unsigned char)(0x80 | (c >> 6 * more & 0x3F));
  return to;
}

/* Binary formats begin with letters, and no text begins with a zero. */
static bool is_utf16(const unsigned char *d, size_t size, bool *big, size_t *mark) {
  if (size < 4) return false;
  bool little_mark = d[0] == 0xFF && d[1] == 0xFE && d[3] == 0, big_mark = d[0] == 0xFE && d[1] == 0xFF && d[2] == 0;
  *mark = little_mark || big_mark ? 2 : 0;
  *big = big_mark || (d[0] == 0 && d[1] == '<' && d[2] == 0);
  return *mark > 0 || *big || (d[0] == '<' && d[1] == 0 && d[3] == 0);
}

/* If a byte order mark, or a '<' and its zero, shows that the bytes are UTF-16, sets *text (mem_alloc, zero-terminated)
 * and its *size; else NULL. Half a surrogate pair becomes U+FFFD. False when memory runs out. */
static bool utf16_is(const unsigned char *data, size_t size) {
  bool big;
  size_t mark;
  return is_utf16(data, size, &big, &mark);
}

static bool utf16_to_utf8(const unsigned char *data, size_t data_size, unsigned char **text, size_t *size) {
  size_t mark;
  reader r = {.end = data + data_size};
  *text = NULL;
  if (!is_utf16(data, data_size, &r.big, &mark)) return true;
  unsigned char *to = *text = mem_alloc_array(data_size / 2 + 1, 3);
  if (!to) return false;
  for (r.at = data + mark; r.end - r.at >= 2;) to = write_letter(to, next_letter(&r));
  *to = '\0';
  *size = (size_t)(to - *text);
  return true;
}

/* ---- recognises a file by its first bytes, when that gives a better error message than a parser would ---- */

raw_format raw_format_of(const char *path) {
  const char *extension = path_extension(path);
  if (strcasecmp(extension, "glb") == 0 || strcasecmp(extension, "gltf") == 0 || strcasecmp(extension, "vrm") == 0)
    return RAW_GLTF;
  if (strcasecmp(extension, "fbx") == 0) return RAW_FBX;
  if (strcasecmp(extension, "dae") == 0 || strcasecmp(extension, "zae") == 0) return RAW_COLLADA;
  if (strncasecmp(extension, "md5", 3) == 0) return RAW_MD5;
  return RAW_OTHER;
}

static uint32_t read_u32(const unsigned char *at) {
  return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

/* ---- the first bytes ---- */

bool sniff_is_pointer(const void *bytes, size_t size) {
  static const char begin[] = "version https://git-lfs.github.com/spec/";
  return size >= sizeof begin - 1 && memcmp(bytes, begin, sizeof begin - 1) == 0;
}

static bool is_glb(const char *extension) {
  return strcasecmp(extension, "glb") == 0 || strcasecmp(extension, "vrm") == 0;
}

static bool holds_only_zeros(const unsigned char *head, size_t size) {
  size_t i = 0;
  while (i < size && head[i] == 0) i++;
  return i == size;
}

static bool begins_as_fbx(const unsigned char *head, size_t size) {
  static const char magic[] = "Kaydara FBX Binary  ";
  bool is_binary = size >= sizeof magic - 1 && memcmp(head, magic, sizeof magic - 1) == 0;
  return is_binary || !memchr(head, 0, size) || utf16_is(head, size);
}

/* Decides by the first VFS_HEAD bytes, or all of a smaller file, before the rest is read. False and an error message
 * for what no reader would take: a foreign .glb or FBX, zeros, a pointer of Git LFS. */
static bool sniff_head(const char *path, const unsigned char *head, size_t size, sinew_error *error) {
  const char *extension = path_extension(path);
  if (size == 0) return error_set(error, "%s: is empty", path);
  if (sniff_is_pointer(head, size))
    return error_set(error, "%s: is a pointer of Git LFS, and not the file itself: git lfs pull fetches that", path);
  if (is_glb(extension) && (size < 4 || memcmp(head, "glTF", 4) != 0))
    return error_set(error, "%s: is not a GLB file: it does not begin with 'glTF'", path);
  if (strcasecmp(extension, "fbx") == 0 && !begins_as_fbx(head, size))
    return error_set(error, "%s: is not an FBX file: neither its first bytes nor its text say so", path);
  return size < VFS_HEAD || !holds_only_zeros(head, size) ||
         error_set(error, "%s: is not a model file: it begins with %d zero bytes", path, VFS_HEAD);
}

/* ---- the whole file ---- */

static bool check_glb(const import_files *files, sinew_error *error) {
  if (files->size < 20) return error_set(error, "%s: is cut short: a GLB header alone has 20 bytes", files->path);
  uint32_t length = read_u32(files->data + 8);
  if (length > files->size)
    return error_set(error, "%s: is cut short: it says it has %u bytes and has %zu", files->path, length, files->size);
  return true;
}

static bool check_fbx(const import_files *files, sinew_error *error) {
  static const char magic[] = "Kaydara FBX Binary  ";
  if (files->size >= 27 && memcmp(files->data, magic, sizeof magic - 1) == 0) return true;
  const char *text = (const char *)files->data; /* zero-terminated (files_open) */
  bool text_like = strstr(text, "FBX") != NULL || strstr(text, "Objects:") != NULL;
  return text_like ||
         error_set(error, "%s: is not an FBX file: neither its first bytes nor its text say so", files->path);
}

bool sniff_check(const import_files *files, sinew_error *error) {
  const char *extension = path_extension(files->path);
  if (is_glb(extension)) return check_glb(files, error);
  if (strcasecmp(extension, "fbx") == 0) return check_fbx(files, error);
  return true;
}

/* ---- files ---- */

static bool check_head(vfs *fs, const char *path, sinew_error *error) {
  file_bytes head = {0};
  if (!fs->read_head(fs, path, &head, error)) return false;
  bool fits = sniff_head(path, head.data, head.size, error);
  fs->release(&head);
  return fits;
}

bool files_open(import_files *files, vfs *fs, const char *path, sinew_error *error) {
  *files = (import_files){.path = path, .fs = fs};
  if (!check_head(fs, path, error) || !fs->read(fs, path, NULL, &files->own, error)) return false;
  files->size = files->own.size;
  if (!utf16_to_utf8(files->own.data, files->own.size, &files->text, &files->size)) {
    files_close(files);
    return error_memory(error, path, files->size);
  }
  files->data = files->text ? files->text : files->own.data;
  if (files->size > 0) return true;
  files_close(files);
  return error_set(error, "%s: is empty", path);
}

void files_close(import_files *files) {
  mem_free(files->text);
  if (files->fs) files->fs->release(&files->own);
  files->data = files->text = NULL;
}

static const char *last_part(const char *path) {
  const char *part = path;
  for (const char *c = path; *c; c++)
    if (*c == '/' || *c == '\\') part = c + 1;
  return part;
}

/* Assimp puts the main file's folder in front of the name in the file. */
static const char *without_folder(const char *path, const char *name) {
  size_t length = (size_t)(path_file(path) - path);
  return length > 0 && strncmp(path, name, length) == 0 ? name + length : name;
}

bool files_read(const import_files *files, const char *name, served_file *found) {
  const char *last = last_part(name);
  for (int i = 0; i < files->served_count; i++)
    if (strcmp(files->served[i].name, last) == 0) {
      *found = files->served[i];
      return true;
    }
  if (strcmp(name, files->path) == 0) {
    *found = (served_file){last, files->data, files->size};
    return true;
  }
  file_bytes bytes = {0};
  if (!files->fs || !files->fs->read(files->fs, files->path, without_folder(files->path, name), &bytes, NULL))
    return false;
  *found = (served_file){NULL, bytes.data, bytes.size};
  return true;
}

void files_free(const import_files *files, served_file *found) {
  file_bytes bytes = {(unsigned char *)(uintptr_t)found->data, found->size};
  if (found->name == NULL && files->fs) files->fs->release(&bytes);
}
