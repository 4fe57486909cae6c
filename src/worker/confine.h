/* confine – gives up what an importer does not need. */
#ifndef SINEW_WORKER_CONFINE_H
#define SINEW_WORKER_CONFINE_H

/* From here on this process can open files in the folders of these paths, for reading, and no others. Where the kernel
 * has no Landlock (before Linux 5.13, other systems) nothing happens: the importers' own confinement
 * (import/files.h) remains. */
void confine_reading(const char *path, const char *const *others, int count);

#endif
