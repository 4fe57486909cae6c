/* cache_sources – the files that an import opened, or looked for and did not find; tells later whether one of them has
 * changed, appeared or vanished. */
#ifndef SINEW_IMPORT_CACHE_SOURCES_H
#define SINEW_IMPORT_CACHE_SOURCES_H

#include <sinew/model.h>

typedef enum source_state {
  SOURCE_ABSENT,  /* no regular file */
  SOURCE_IGNORED, /* it exists, but its content was not read */
  SOURCE_READ
} source_state;

/* Times in nanoseconds since 1970. */
typedef struct source_file {
  source_state state;
  char *path; /* absolute */
  uint64_t size, inode;
  int64_t modified, changed; /* of the content; of anything about the file */
  int64_t seen;              /* when the record was made */
  uint64_t hash;             /* XXH64 of the content, for SOURCE_READ */
} source_file;

typedef struct source_list {
  source_file *items;
  int count, capacity;
  bool broken; /* memory ran out, or a file changed while it was read: the result must not be kept */
} source_list;

void source_list_reset(source_list *list);

/* Gives a model the list of the files that it was made of. */
void source_list_note(const source_list *list, sinew_model *model);

/* file_read and file_exists that record the file in the list, which may be NULL. A path recorded twice counts once,
 * with the most detailed record. */
unsigned char *source_read(source_list *list, const char *path, size_t limit, size_t *size, sinew_error *error);
bool source_exists(source_list *list, const char *path);

/* Marks the list as broken if a file that was read has changed since. */
void source_list_confirm(source_list *list);

bool source_list_has_read(const source_list *list, const char *path);

/* Whether every file is unchanged: by size, times and inode if these can be trusted (a file written less than two
 * seconds before it was seen could have been written again within one tick of the clock), else by content. *aged: the
 * answer was yes, but a new record would make the next check cheaper: see source_list_renew. */
bool source_list_check(const source_list *list, bool *aged);
/* Records new times for files that source_list_check found unchanged. */
void source_list_renew(source_list *list);

/* Converts the list to bytes, and back; free the bytes with mem_free. A broken list has none. Bytes are checked: false
 * and an empty list for damaged ones. */
void *source_list_bytes(const source_list *list, size_t *size);
bool source_list_from_bytes(source_list *list, const void *bytes, size_t size);

#endif
