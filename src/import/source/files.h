/* files – the files of one import as a reader sees them: the main file's bytes or their replacement, and the files that
 * the main file names. All of them are read through import/vfs/vfs.h; a reader never opens a file itself. */
#ifndef SINEW_IMPORT_FILES_H
#define SINEW_IMPORT_FILES_H

#include "import/raw/raw.h"
#include "import/vfs/vfs.h"

/* Bytes that replace a file of the virtual file system. */
typedef struct served_file {
  const char *name; /* the last part of the path */
  const unsigned char *data;
  size_t size;
} served_file;

typedef struct import_files {
  const char *path; /* of the main file, for messages and its extension */
  const unsigned char *data;
  size_t size;
  file_bytes own;      /* as they came */
  unsigned char *text; /* the replacement of the main file, or NULL */
  served_file *served;
  int served_count;
  vfs *fs; /* or NULL: there is only the main file */
} import_files;

/* Reads the main file. False and an error message if it is missing, a folder, empty, or too large. */
bool files_open(import_files *files, vfs *fs, const char *path, sinew_error *error);
void files_close(import_files *files);

/* Reads a file that the main file names, in any spelling, or with the main file's folder in front; see vfs.read. `data`
 * is zero-terminated, and freed with files_free. False if there is none. One thread at a time. */
bool files_read(const import_files *files, const char *name, served_file *found);
void files_free(const import_files *files, served_file *found);

/* ---- recognises a file by its first bytes, when that gives a better error message than a parser would ---- */

/* By the extension. */
raw_format raw_format_of(const char *path);

/* Whether the bytes are those that Git LFS puts in the place of a file that it has not fetched. */
bool sniff_is_pointer(const void *bytes, size_t size);

/* False and an error message for what the whole file shows: a truncated .glb, a foreign FBX. */
bool sniff_check(const import_files *files, sinew_error *error);

#endif
