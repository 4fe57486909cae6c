#ifndef SINEW_BASE_FILE_H
#define SINEW_BASE_FILE_H

#include <sinew/base.h>

/* The whole file and its size, with a zero byte behind it that does not count; free with mem_free. NULL and a sentence
 * that names the path: missing, a folder, not readable, larger than `limit` bytes. */
unsigned char *file_read(const char *path, size_t limit, size_t *size, sinew_error *error);

/* Writes beside the path and renames, so that a reader sees the old file or the new one and never half. */
bool file_write(const char *path, const void *data, size_t size, sinew_error *error);

bool file_exists(const char *path); /* a regular file */
bool folder_exists(const char *path);
bool folder_create(const char *path, sinew_error *error); /* with its parents; fine where it exists */

bool path_is_absolute(const char *path); /* "/a", and on Windows "C:/a" */
/* Paths are UTF-8 with '/'. The results are cut at the size of `out`; false says so. */
bool path_join(char *out, size_t size, const char *folder, const char *name); /* an absolute name stays as it is */
bool path_folder(char *out, size_t size, const char *path);                   /* "a/b.c" → "a", "b.c" → "." */
const char *path_file(const char *path);                                      /* "a/b.c" → "b.c" */
const char *path_extension(const char *path);                                 /* "a/b.GLB" → "GLB"; "" without one */

#endif
