/* text – prints and reads numbers independently of the locale, which printf and strtod follow, but files, arguments and
 * messages must not. All numbers in text are handled here. */
#ifndef SINEW_BASE_TEXT_H
#define SINEW_BASE_TEXT_H

#include <sinew/base.h>
#include <stdarg.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/* snprintf, vsnprintf, fprintf and vfprintf in C's locale. */
int text_format(char *out, size_t size, const char *format, ...) SINEW_PRINTF(3, 4);
int text_format_list(char *out, size_t size, const char *format, va_list values);
int text_print(FILE *file, const char *format, ...) SINEW_PRINTF(2, 3);
int text_print_list(FILE *file, const char *format, va_list values);

/* The same for people: a name from a scene, a model or a file may reach a terminal, which must not obey it. Control
 * characters other than line ends and tabs, and bytes that are not UTF-8, appear as \x1b. */
int text_show(FILE *file, const char *format, ...) SINEW_PRINTF(2, 3);
int text_show_list(FILE *file, const char *format, va_list values);

/* The number of bytes of the UTF-8 character at the start of the text, or 0; overlong forms, surrogates and truncated
 * characters do not count. */
int text_character(const char *text);
/* Whether it is a control character: one of ASCII, including line ends, or from U+0080 to U+009F. */
bool text_is_control(const char *text);

/* Either word. */
static inline const char *text_plural(long long count, const char *one, const char *several) {
  return count == 1 ? one : several;
}

/* Chooses between the singular and plural forms in a format: "%d {key is|keys are} left out" becomes "%d key is left
 * out" if the count is 1. A brace without a bar stays. Returns `out`, cut to fit. */
const char *text_count(char *out, size_t size, long long count, const char *format);

/* strtod in the C locale: the number at the start of the text, and its end (`text` itself if there is none). */
double text_number(const char *text, char **end);
/* sscanf in C's locale. */
int text_scan(const char *text, const char *format, ...);

#ifdef __cplusplus
}
#endif

#endif
