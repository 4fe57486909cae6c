/* system – the few functions of base that differ between POSIX and Windows; posix/ and windows/ implement them. */
#ifndef SINEW_BASE_SYSTEM_H
#define SINEW_BASE_SYSTEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

int system_processors(void); /* that programs may use; 0: not known */

/* Prepares what main was given: paths get '/', and output is UTF-8. */
void system_start_program(int argc, char **argv);

double system_resident_bytes(void); /* of this process, libraries included; 0: not known */

/* They leave the reason in errno. */
bool system_make_folder(const char *path);
FILE *system_create_file(const char *path);           /* to write; EEXIST where anything has that name */
bool system_rename(const char *from, const char *to); /* takes the place of a file that is there */

/* Returns when everything written is on the disk; for a folder, when its list of files is. File systems that cannot do
 * this for folders do not count as failures. */
bool system_sync_file(int descriptor);
void system_sync_folder(const char *path);
bool system_copy_rights(const char *from, int to); /* of a file to another that is open */

/* Memory that is about to be filled for the first time: where it is much, in large pages if the system has some, so
 * that going through it misses fewer of their addresses. */
void system_use_large_pages(void *memory, size_t size);

/* Keeps signals, but for a thread's own crash, from the threads that are started until the second call. */
void system_block_signals(void);
void system_unblock_signals(void);

#endif
