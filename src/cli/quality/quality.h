/* quality – measures frame by frame how well the actors of a run move, prints the results, and compares them with
 * another run's. */
#ifndef SINEW_QUALITY_H
#define SINEW_QUALITY_H

#include <sinew/marks.h>
#include <sinew_lua.h>

/* The command; returns the exit status (quality.c). */
int cli_measure(int argc, char **argv);

#endif
