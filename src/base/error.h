#ifndef SINEW_BASE_ERROR_H
#define SINEW_BASE_ERROR_H

#include <sinew/base.h>

/* Sets the message (cut to fit, never in the middle of a UTF-8 character) and returns false, so that a failing function
 * can end with `return error_set(…)`. */
bool error_set(sinew_error *error, const char *format, ...) SINEW_PRINTF(2, 3);

/* "out of memory for WHAT (N bytes)"; returns false. */
bool error_memory(sinew_error *error, const char *what, size_t bytes);

#endif
