/* run_folder – where a window's run is recorded while it goes on, so that its past can be looked at, and a crash
 * repeated. */
#ifndef SINEW_CLI_RUN_FOLDER_H
#define SINEW_CLI_RUN_FOLDER_H

#include <sinew/model.h>

enum { RUN_FOLDER_PATH = 4096 };

/* A file for this process, in $CACHE/runs, or sinew-runs in the folder for temporary files if the cache is off. Removes
 * recordings of more than a week ago, and reports one of the same scene that ended unexpectedly. False if no folder can
 * be made. */
bool run_folder_name(const char *scene, char path[RUN_FOLDER_PATH]);

#endif
