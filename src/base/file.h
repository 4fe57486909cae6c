#ifndef SINEW_BASE_FILE_H
#define SINEW_BASE_FILE_H

#include <sinew/base.h>

#include <stdio.h>

/* The whole file and its size, with a zero byte behind it that does not count; free with mem_free. NULL and an error
 * message that names the path: missing, a folder, not readable, larger than `limit` bytes. */
unsigned char *file_read(const char *path, size_t limit, size_t *size, sinew_error *error);

/* Opens a regular file for reading, or returns NULL: a fifo would block until somebody writes to it. */
FILE *file_open(const char *path);

/* ---- writing: beside the path, then in its place, so that whatever happens there is the old file or the new one ----
 */

typedef struct file_writer file_writer;

/* Begins a file that will stand at `path`. A `lasting` one is on the disk before it takes its place, so that no loss of
 * power leaves half of it there; one that can be made again need not wait for the disk. NULL and an error message. */
file_writer *file_begin(const char *path, bool lasting, sinew_error *error);
FILE *file_stream(file_writer *w); /* to write to; a failure is remembered */

/* It takes its place and keeps the rights of the file that was there. False and an error message, the old file as it
 * was, where something could not be written. The writer is gone either way. */
bool file_commit(file_writer *w, sinew_error *error);
void file_abandon(file_writer *w); /* nothing has changed; NULL is allowed */

/* All at once, lasting. */
bool file_write(const char *path, const void *data, size_t size, sinew_error *error);

/* For programs that write a file themselves: a name beside `path` with its extension, and then its place. */
bool file_name_beside(char *out, size_t size, const char *path);
bool file_replace(const char *beside, const char *path, sinew_error *error);

bool file_exists(const char *path);                        /* a regular file */
bool file_begins_with(const char *path, const char *text); /* of 64 bytes at most; false where it cannot be read */
/* Whether nothing is there, or a regular file that begins with that text, as those do that are ours. */
bool file_may_replace(const char *path, const char *text);
bool file_is_same(const char *a, const char *b); /* two paths of one file that is there */
bool folder_exists(const char *path);
bool folder_create(const char *path, sinew_error *error); /* with its parents; fine where it exists */
void folder_remove(const char *path);                     /* with everything in it that can be removed */

bool path_is_absolute(const char *path); /* "/a", and on Windows "C:/a" */
/* Paths are UTF-8 with '/'. The results are cut at the size of `out`; false says so. */
bool path_join(char *out, size_t size, const char *folder, const char *name); /* an absolute name stays as it is */
bool path_folder(char *out, size_t size, const char *path);                   /* "a/b.c" → "a", "b.c" → "." */
const char *path_file(const char *path);                                      /* "a/b.c" → "b.c" */
const char *path_extension(const char *path);                                 /* "a/b.GLB" → "GLB"; "" without one */

#endif
