/* sinew/base.h – the basics for every other header: errors, memory, log, version.
 *
 * Conventions of the whole library (CONVENTIONS.md has them on one page): SI units, seconds, radians, metres;
 * y up, right-handed; quaternions are x, y, z, w; unit quaternions unless a function says otherwise. */
#ifndef SINEW_BASE_H
#define SINEW_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define SINEW_API __attribute__((visibility("default")))
#define SINEW_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define SINEW_API
#define SINEW_PRINTF(text, first)
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Why an environment call failed: one sentence, without a full stop or a newline at the end, that names the
 * file, the thing and the rule. Every function that takes a `sinew_error *` accepts NULL, leaves it alone on
 * success and fills it on failure. */
typedef struct sinew_error {
  char message[1024];
} sinew_error;

/* The source of all memory. `reallocate(user, NULL, size)` allocates, `reallocate(user, p, size)` resizes,
 * `reallocate(user, p, 0)` frees and returns NULL; a failed request returns NULL and leaves p valid. It must be safe to
 * call from any thread. */
typedef struct sinew_allocator {
  void *(*reallocate)(void *user, void *pointer, size_t size);
  void *user;
} sinew_allocator;

/* Replaces the allocator of the whole library (the default is the C heap). Call it before anything else is
 * created; NULL restores the default. Libraries beneath (Assimp, GLFW, the GL driver) keep their own. */
SINEW_API void sinew_set_allocator(const sinew_allocator *allocator);

typedef enum sinew_log_level { SINEW_LOG_INFO, SINEW_LOG_WARNING, SINEW_LOG_ERROR } sinew_log_level;

/* Receives every log line (UTF-8, no newline at the end). `line` lives for the call. */
typedef void sinew_log_function(void *user, sinew_log_level level, const char *line);

/* Sends the log to `function`; NULL restores the default (standard error). */
SINEW_API void sinew_set_log(sinew_log_function *function, void *user);

/* Writes one line to the log, formatted like printf, cut at 4,095 bytes. */
SINEW_API void sinew_log(sinew_log_level level, const char *format, ...) SINEW_PRINTF(2, 3);

/* Writes a line to standard output, for people to read. So that a terminal obeys nothing in it, control characters
 * other than line ends and tabs appear as \x1b, and so do bytes that are not UTF-8. The log on standard error does the
 * same. */
SINEW_API void sinew_print(const char *line);

/* Between the two calls the calling thread uses the "C" locale, whatever locale the program has set; `before` is what
 * the first call returned. The library does this by itself; your callbacks may need it, too. */
SINEW_API void *sinew_enter_c_locale(void);
SINEW_API void sinew_leave_c_locale(void *before);

/* "0.1.0": the version of the library that is running. Static storage. */
SINEW_API const char *sinew_version(void);

/* The folder that holds assets/, scripts/ and shaders/: $SINEW_HOME, otherwise the nearest folder above the program, or
 * above the library, that has them or whose share/sinew has them, otherwise the folder of the installation. Static,
 * never NULL. */
SINEW_API const char *sinew_home(void);

/* Replaces the file at `path`: writes a new file in the same folder and then renames it, so that a crash leaves either
 * the old file or the new one. The data is on the disk when the function returns, and the file keeps the old one's
 * permissions. On failure returns false and an error message that names the path, and leaves the old file as it was.
 * Any thread. */
SINEW_API bool sinew_file_write(const char *path, const void *data, size_t size, sinew_error *error);

/* The name nearest to `name` among `count` candidates (NULL ones are skipped), for "did you mean …?": by edit distance
 * with transpositions (Damerau 1964), upper and lower case alike, at most a third of the name wrong. NULL if none is
 * near. The answer is one of the candidates. */
SINEW_API const char *sinew_nearest_name(const char *name, const char *const *candidates, int count);

#ifdef __cplusplus
}
#endif
#endif
