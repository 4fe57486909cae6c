/* system – the few functions of base that differ between POSIX and Windows; posix/ and windows/ implement them. */
#ifndef SINEW_BASE_SYSTEM_H
#define SINEW_BASE_SYSTEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

int system_processors(void); /* processors that programs may use; 0: not known */

/* Prepares the arguments of main: paths get '/', and output becomes UTF-8. */
void system_start_program(int argc, char **argv);

double system_resident_bytes(void); /* of this process, libraries included; 0: not known */

/* On failure, they leave the reason in errno. */
bool system_make_folder(const char *path);
FILE *system_create_file(const char *path);           /* for writing; EEXIST if the name is taken; held until closed */
bool system_rename(const char *from, const char *to); /* replaces an existing file */

/* Removes a regular file of ours that nobody writes any more: its process is gone, and none holds it. */
void system_remove_left(const char *path, long process);

/* Returns once all data is on the disk; for a folder, its list of files. A file system that does not support this for
 * folders is not a failure. */
bool system_sync_file(int descriptor);
void system_sync_folder(const char *path);
bool system_copy_rights(const char *from, int to); /* from one file to another, which is open */

/* For memory that is about to be filled for the first time: puts large amounts into large pages, if the system has
 * them, so that access causes fewer TLB misses. */
void system_use_large_pages(void *memory, size_t size);

/* Blocks signals, except a thread's own crash, in all threads started until the second call. */
void system_block_signals(void);
void system_unblock_signals(void);

#endif
