/* text – prints and reads numbers independently of the locale, which printf and strtod follow, but files, arguments and
 * messages must not. All text with numbers goes through here. */
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

/* The same, for people: what a scene, a model or a file calls itself may reach a terminal, which obeys none of it.
 * Control characters other than line ends and tabs, and bytes that are no UTF-8, appear as \x1b. */
int text_show(FILE *file, const char *format, ...) SINEW_PRINTF(2, 3);
int text_show_list(FILE *file, const char *format, va_list values);

/* Bytes of the UTF-8 character that the text begins with, or 0: overlong forms, halves of surrogate pairs and cut
 * characters are none. */
int text_character(const char *text);
/* Whether that is a control character: of ASCII, line ends included, or one from U+0080 to U+009F. */
bool text_is_control(const char *text);

/* Either word. */
static inline const char *text_plural(long long count, const char *one, const char *several) {
  return count == 1 ? one : several;
}

/* A format for one thing or for several: "%d {key is|keys are} left out" becomes "%d key is left out" where the count
 * is
 * 1. A brace without a bar stays. Returns `out`, which is cut where it does not fit. */
const char *text_count(char *out, size_t size, long long count, const char *format);

/* strtod in C's locale: the number that the text begins with, and where it ends (`text` itself without one). */
double text_number(const char *text, char **end);
/* sscanf in C's locale. */
int text_scan(const char *text, const char *format, ...);

#ifdef __cplusplus
}
#endif
#endif
