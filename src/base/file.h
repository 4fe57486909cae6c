#ifndef SINEW_BASE_FILE_H
#define SINEW_BASE_FILE_H

#include <sinew/base.h>
#include <stdio.h>

/* Reads a whole file and its size, followed by a zero byte that the size does not count; free with mem_free. NULL and
 * an error message with the path if it is missing, a folder, not readable, or larger than `limit` bytes. */
unsigned char *file_read(const char *path, size_t limit, size_t *size, sinew_error *error);

/* The same for its first `most` bytes; a file larger than `limit` is refused all the same. */
unsigned char *file_read_head(const char *path, size_t limit, size_t most, size_t *size, sinew_error *error);

/* Opens a regular file for reading, or returns NULL: opening a fifo would block until somebody writes to it. */
FILE *file_open(const char *path);

/* ---- writing: into a file beside the path, then renamed, so that a crash leaves the old file or the new one ---- */

typedef struct file_writer file_writer;

/* Begins a file that will be at `path`. A `lasting` one is flushed to the disk before the rename, so that a loss of
 * power never leaves half of it; a file that can be made again need not wait for that. NULL and an error message on
 * failure. */
file_writer *file_begin(const char *path, bool lasting, sinew_error *error);
FILE *file_stream(file_writer *w); /* for writing; an error is remembered */

/* Renames the new file to its path, with the permissions of the old one. On failure returns false and an error message,
 * and leaves the old file as it was. Releases the writer in any case. */
bool file_commit(file_writer *w, sinew_error *error);
void file_abandon(file_writer *w); /* leaves everything as it was; NULL is allowed */

/* All at once, lasting. */
bool file_write(const char *path, const void *data, size_t size, sinew_error *error);

/* For programs that write a file themselves: a temporary name beside `path` with its extension, and the rename. */
bool file_name_beside(char *out, size_t size, const char *path);
bool file_replace(const char *beside, const char *path, sinew_error *error);

bool file_exists(const char *path);                        /* a regular file */
bool file_begins_with(const char *path, const char *text); /* up to 64 bytes; false if it cannot be read */
/* Whether the path is free, or a regular file that begins with that text, as our own files do. */
bool file_may_replace(const char *path, const char *text);
bool file_is_same(const char *a, const char *b); /* two paths of one existing file */
bool folder_exists(const char *path);
bool folder_create(const char *path, sinew_error *error); /* with its parents; succeeds if it exists */
void folder_remove(const char *path);                     /* with everything in it that can be removed */

bool path_is_absolute(const char *path); /* "/a", and on Windows "C:/a" */
/* Paths are UTF-8 with '/'. The results are cut to the size of `out`, in which case the functions return false. */
bool path_join(char *out, size_t size, const char *folder, const char *name); /* an absolute name stays as it is */
bool path_folder(char *out, size_t size, const char *path);                   /* "a/b.c" → "a", "b.c" → "." */
const char *path_file(const char *path);                                      /* "a/b.c" → "b.c" */
const char *path_extension(const char *path);                                 /* "a/b.GLB" → "GLB"; "" without one */

/* ---- maps part of a file into memory ---- */

typedef struct file_map {
  void *start; /* NULL: nothing is mapped */
  size_t size;
} file_map;

/* Maps the bytes from `offset` on, read-only; NULL if they cannot be mapped: read them instead. The file may be closed,
 * renamed or removed afterwards. Only for files that are never shortened: access to a page that is gone ends the
 * program (SIGBUS). Files of other machines may disappear at any time, so they are not mapped. */
const unsigned char *file_map_open(file_map *map, int file, uint64_t offset, size_t size);
void file_map_close(file_map *map);

#endif
