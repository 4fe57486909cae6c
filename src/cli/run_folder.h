/* run_folder – the folder for recordings of running windows: F9 reads the past from them, and a crash can be repeated.
 */
#ifndef SINEW_CLI_RUN_FOLDER_H
#define SINEW_CLI_RUN_FOLDER_H

#include <sinew/model.h>

enum { RUN_FOLDER_PATH = 4096 };

/* A file for this process, in $CACHE/runs, or sinew-runs in the folder for temporary files if the cache is off. Removes
 * recordings that are more than a week old, and reports one of the same scene that ended unexpectedly. False if no
 * folder can be made. */
bool run_folder_name(const char *scene, char path[RUN_FOLDER_PATH]);

#endif
