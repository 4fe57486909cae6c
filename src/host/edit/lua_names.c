/* Names and masks as Lua. */
#include "base/text.h"
#include "host/edit/notes.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- names ---- */

static bool is_word(const char *name) {
  static const char *const keywords[] = {"and",      "break",  "do",   "else", "elseif", "end",  "false", "for",
                                         "function", "goto",   "if",   "in",   "local",  "nil",  "not",   "or",
                                         "repeat",   "return", "then", "true", "until",  "while"};
  static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
  if (!name[0] || !strchr(letters, name[0])) return false;
  for (const char *c = name; *c; c++)
    if (!strchr(letters, *c) && (*c < '0' || *c > '9')) return false;
  for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++)
    if (strcmp(name, keywords[i]) == 0) return false;
  return true;
}

void lua_format(char *out, size_t size, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  text_format_list(out, size, format, arguments);
  va_end(arguments);
}

void lua_string(char out[LUA_TEXT], const char *text) {
  size_t used = 0;
  out[used++] = '"';
  for (const unsigned char *c = (const unsigned char *)text; *c && used + 6 < LUA_TEXT; c++) {
    if (*c < 0x20 || *c == 0x7f) used += (size_t)snprintf(out + used, LUA_TEXT - used, "\\%03d", *c);
    else if (*c == '"' || *c == '\\') out[used++] = '\\', out[used++] = (char)*c;
    else out[used++] = (char)*c;
  }
  out[used++] = '"';
  out[used] = '\0';
}

void lua_key(char out[LUA_TEXT], const char *name) {
  char text[LUA_TEXT];
  lua_string(text, name);
  if (is_word(name)) lua_format(out, LUA_TEXT, ".%s", name);
  else lua_format(out, LUA_TEXT, "[%s]", text);
}

void lua_actor(char out[LUA_TEXT], const char *name) {
  char text[LUA_TEXT];
  lua_string(text, name);
  if (is_word(name)) lua_format(out, LUA_TEXT, "%s", name);
  else lua_format(out, LUA_TEXT, "sinew.actor(%s)", text);
}

/* ---- masks ---- */

typedef struct mask_writer {
  const sinew_model *model;
  const float *weights;
  char *out;
  size_t size, used;
  bool fits;
} mask_writer;

static void write_pattern(mask_writer *w, int joint) {
  char path[SINEW_JOINT_PATH], pattern[SINEW_JOINT_PATH + 8], text[LUA_TEXT];
  if (!sinew_model_joint_path(w->model, joint, path, sizeof path)) w->fits = false;
  snprintf(pattern, sizeof pattern, "%s/**", path);
  lua_string(text, pattern);
  int n = text_format(w->out + w->used, w->size - w->used, "%s [%s] = %.3g", w->used > 1 ? "," : "", text,
                      (double)w->weights[joint]);
  w->used += n > 0 ? (size_t)n : 0;
  w->fits = w->fits && w->used + 4 < w->size;
}

/* The nearest pattern above counts, so only joints that differ from their parent need one. */
bool mask_as_lua(const sinew_model *model, const float *joint_weights, char *out, size_t size) {
  mask_writer w = {model, joint_weights, out, size, 0, true};
  out[w.used++] = '{';
  for (int i = 1; i < sinew_model_joint_count(model) && w.fits; i++) {
    int parent = sinew_model_joint_parent(model, i);
    float above = parent > 0 ? joint_weights[parent] : 0;
    if (joint_weights[i] != above) write_pattern(&w, i);
  }
  if (w.fits) snprintf(out + w.used, size - w.used, " }");
  return w.fits;
}
