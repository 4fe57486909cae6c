/* files – what an importer may open: the model's own file, what was put in its place, and files in the model's folder
 * or below it. A file that names /etc/passwd as its texture gets nothing. */
#ifndef SINEW_IMPORT_FILES_H
#define SINEW_IMPORT_FILES_H

#include "import/cache/cache_sources.h"

enum { FILES_SERVED = 64 };
static const size_t files_limit = (size_t)1 << 30; /* bytes of one file */

/* Bytes that are given out under a name in place of what the disk holds. */
typedef struct served_file {
  const char *name; /* the last part of the path */
  const unsigned char *data;
  size_t size;
} served_file;

typedef struct import_files {
  const char *path; /* of the model */
  unsigned char *data;
  size_t size;
  served_file *served;
  int served_count;
  source_list *sources; /* every file that is opened or looked for is recorded here; or NULL */
} import_files;

/* Reads the model's own file. False and a sentence: missing, a folder, empty, too large. */
bool files_open(import_files *files, const char *path, source_list *sources, sinew_error *error);
void files_close(import_files *files);

/* A file that the model names, by a path as an importer builds it (folder of the model + what the file says). `data`
 * is freed with files_free. False where it is not in the folder or cannot be read. */
bool files_read(const import_files *files, const char *path, served_file *found);
void files_free(const import_files *files, served_file *found);

/* Finds a file that a model names in any way ("C:\\work\\tex\\skin.png", "../skin.png", "skin%20two.png"): first where
 * the name says, if that is in the model's folder, then by its last part beside the model and in textures/. False where
 * there is none. */
bool files_find(source_list *sources, const char *model_path, const char *name, char *out, size_t size);

#endif
