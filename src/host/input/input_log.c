#include "host/input/input_log.h"

#include "base/array.h"
#include "base/error.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TITLE "sinew recording "
enum { VERSION = 1, WORD = 32, LARGEST_SIDE = 16384 };
static const size_t largest_file = (size_t)1 << 30;

struct input_log {
  file_writer *begun; /* of one that is written, until it has its first frame */
  FILE *file;         /* then */
  long whole;         /* bytes of it that end with a line */
  bool failed;
  char *path, *text;
  const char *at; /* of one that is read */
  input_log_head head;
  int width, height, line;
  char **noted; /* files of one that is written */
  int noted_count, noted_capacity;
  char saved[4096]; /* in one that is read: the first file with a save */
  char strike[64];  /* likewise, of the last frame */
  bool warns;       /* of files that have changed */
};

static input_log *create(const char *path, sinew_error *error) {
  input_log *r = mem_alloc_zeroed(sizeof *r);
  if (r) r->path = mem_copy_string(path);
  if (r && r->path) return r;
  mem_free(r);
  error_set(error, "out of memory for the recording %s", path);
  return NULL;
}

static void release(input_log *r) {
  file_abandon(r->begun);
  if (r->file) fclose(r->file);
  mem_free(r->path);
  mem_free(r->text);
  for (int i = 0; i < r->noted_count; i++) mem_free(r->noted[i]);
  mem_free(r->noted);
  mem_free(r);
}

/* FNV-1a; 0 where there is none. */
static uint64_t content_of(const char *path) {
  size_t size = 0;
  unsigned char *data = file_read(path, largest_file, &size, NULL);
  uint64_t hash = data ? 0xcbf29ce484222325u : 0;
  for (size_t i = 0; i < size; i++) hash = (hash ^ data[i]) * 0x100000001b3u;
  mem_free(data);
  return hash;
}

/* ---- writing: numbers in as many digits as bring them back ---- */

SINEW_PRINTF(2, 3) static void say(input_log *r, const char *format, ...) {
  va_list values;
  if (r->failed) return;
  va_start(values, format);
  text_print_list(r->begun ? file_stream(r->begun) : r->file, format, values);
  va_end(values);
}

input_log *input_log_create(const char *path, const input_log_head *head, sinew_error *error) {
  if (file_exists(path) && !file_begins_with(path, TITLE)) {
    error_set(error, "%s: is there and is no recording of sinew: it stays", path);
    return NULL;
  }
  input_log *r = create(path, error);
  if (r) r->begun = file_begin(path, true, error);
  if (r && !r->begun) {
    release(r);
    return NULL;
  }
  if (r) say(r, TITLE "%d\npanels %d scale %.9g\n", VERSION, head->has_panels, (double)head->scale);
  return r;
}

/* A recording that was there makes way for one that has a frame. */
static bool take_place(input_log *r, sinew_error *error) {
  bool placed = file_commit(r->begun, error);
  r->begun = NULL;
  r->file = placed ? fopen(r->path, "ab") : NULL;
  if (!r->file) return placed && error_set(error, "%s: cannot be written: %s", r->path, strerror(errno));
  setvbuf(r->file, NULL, _IOFBF, 1 << 16); /* a frame goes out whole */
  return fseek(r->file, 0, SEEK_END) == 0;
}

/* Closing writes what is still in the stream, so the file is cut afterwards. */
static void end_early(input_log *r, const char *reason) {
  sinew_log(SINEW_LOG_ERROR, "%s: the recording ends here: %s", r->path, reason);
  r->failed = true;
  if (!r->file) return;
  fclose(r->file);
  r->file = fopen(r->path, "r+b");
  if (r->file && ftruncate(fileno(r->file), r->whole) != 0)
    sinew_log(SINEW_LOG_ERROR, "%s: half a line is left at its end", r->path);
}

/* All lines so far are in the file, so that whoever ends the program loses none. */
static void flush(input_log *r) {
  sinew_error error;
  if (r->failed) return;
  if (r->begun && !take_place(r, &error)) end_early(r, error.message);
  else if (ferror(r->file) || fflush(r->file) != 0) end_early(r, strerror(errno));
  else r->whole = ftell(r->file);
}

static void write_event(input_log *r, const input_event *e) {
  const char *verb = e->down ? "press" : "release";
  switch (e->kind) {
  case EVENT_KEY: say(r, "%s %s\n", verb, sinew_key_name(e->code)); break;
  case EVENT_BUTTON: say(r, "%s mouse%d\n", verb, e->code); break;
  case EVENT_MOVE: say(r, "move %.9g %.9g\n", (double)e->x, (double)e->y); break;
  case EVENT_WHEEL: say(r, "wheel %.9g\n", (double)e->y); break;
  case EVENT_CHARACTER: say(r, "type %d\n", e->code); break;
  case EVENT_DROP:
    if (!strpbrk(e->path, "\r\n")) say(r, "drop %s\n", e->path);
  }
}

void input_log_write(input_log *r, double dt, int width, int height, const input *in) {
  if (width != r->width || height != r->height) say(r, "size %d %d\n", width, height);
  r->width = width;
  r->height = height;
  say(r, "frame %.17g\n", dt);
  for (int i = 0; i < in->taken; i++) write_event(r, &in->events[i]);
  flush(r);
}

void input_log_note_file(input_log *r, const char *path) {
  for (int i = 0; i < r->noted_count; i++)
    if (strcmp(r->noted[i], path) == 0) return;
  char **noted = strpbrk(path, "\r\n")
                     ? NULL
                     : array_grow((void **)&r->noted, &r->noted_count, &r->noted_capacity, sizeof *r->noted);
  if (!noted) return;
  *noted = mem_copy_string(path);
  if (*noted) say(r, "file %016llx %s\n", (unsigned long long)content_of(path), path);
  else r->noted_count--;
}

void input_log_note_strike(input_log *r, const char *callback) { say(r, "strike %s\n", callback); }

void input_log_note_save(input_log *r, const char *path) { say(r, "save %s\n", path); }

bool input_log_close(input_log *r, sinew_error *error) {
  if (!r) return true;
  bool good = !r->failed;
  if (r->file && (fclose(r->file) != 0)) good = false;
  r->file = NULL;
  if (!good) error_set(error, "the recording %s could not be written whole", r->path);
  release(r);
  return good;
}

/* ---- reading ---- */

/* The line at `at` without its end; moves on to the next. False at the end. */
static bool next_line(input_log *r, const char **line, size_t *size) {
  if (!*r->at) return false;
  *line = r->at;
  *size = strcspn(r->at, "\n");
  r->at += *size + (r->at[*size] == '\n');
  if (*size > 0 && (*line)[*size - 1] == '\r') --*size;
  r->line++;
  return true;
}

static bool read_press(const char *name, bool down, input *in) {
  int button = strncmp(name, "mouse", 5) == 0 && name[5] && !name[6] ? name[5] - '0' : 0;
  int key = input_find_key(name);
  bool is_button = button >= 1 && button <= BUTTON_COUNT;
  if (is_button && in) input_push_button(in, button, down);
  if (key >= 0 && in) input_push_key(in, key, down);
  return is_button || key >= 0;
}

static bool read_drop(const char *path, input *in) {
  if (in) input_push_drop(in, path);
  return path[0] != '\0';
}

static bool read_file(const input_log *r, const char *line, const input *in) {
  unsigned long long content;
  int path = 0;
  if (sscanf(line, "file %16llx %n", &content, &path) != 1 || path != 22 || !line[path]) return false;
  if (!in && r->warns && content_of(line + path) != content)
    sinew_log(SINEW_LOG_WARNING, "%s: %s has changed since, so the run may go another way", r->path, line + path);
  return true;
}

static bool read_strike(input_log *r, const char *callback) {
  snprintf(r->strike, sizeof r->strike, "%s", callback);
  return callback[0] != '\0';
}

static bool read_save(input_log *r, const char *path) {
  if (!r->saved[0]) snprintf(r->saved, sizeof r->saved, "%s", path);
  return path[0] != '\0';
}

/* One event; without an input it is only checked. */
static bool read_event(input_log *r, const char *line, input *in) {
  char word[WORD];
  float x, y;
  unsigned character;
  int end = 0;
  if (strncmp(line, "file ", 5) == 0) return read_file(r, line, in);
  if (strncmp(line, "save ", 5) == 0) return read_save(r, line + 5);
  if (strncmp(line, "strike ", 7) == 0) return read_strike(r, line + 7);
  if (strncmp(line, "drop ", 5) == 0) return read_drop(line + 5, in);
  if (sscanf(line, "press %31s%n", word, &end) == 1 && !line[end]) return read_press(word, true, in);
  if (sscanf(line, "release %31s%n", word, &end) == 1 && !line[end]) return read_press(word, false, in);
  if (text_scan(line, "move %f %f%n", &x, &y, &end) == 2 && !line[end] && isfinite(x) && isfinite(y)) {
    if (in) input_push_move(in, x, y);
  } else if (text_scan(line, "wheel %f%n", &y, &end) == 1 && !line[end] && isfinite(y)) {
    if (in) input_push_wheel(in, y);
  } else if (sscanf(line, "type %u%n", &character, &end) == 1 && !line[end] && character <= 0x10ffff) {
    if (in) input_push_character(in, character);
  } else {
    return false;
  }
  return true;
}

static bool read_size(const char *line, int *width, int *height) {
  int end = 0;
  return sscanf(line, "size %d %d%n", width, height, &end) == 2 && !line[end] && *width >= 0 && *height >= 0 &&
         *width <= LARGEST_SIDE && *height <= LARGEST_SIDE;
}

static bool read_frame(const char *line, double *dt) {
  int end = 0;
  return text_scan(line, "frame %lf%n", dt, &end) == 1 && !line[end] && isfinite(*dt) && *dt >= 0;
}

/* A copy with an end, for sscanf. False where the line is longer than any of ours. */
static bool copy_line(char out[4200], const char *line, size_t size) {
  if (size >= 4200) return false;
  memcpy(out, line, size);
  out[size] = '\0';
  return true;
}

/* The size lines and the frame line that come next; false at the end, or where they are wrong (`wrong`). */
static bool begin_frame(input_log *r, double *dt, input *in, bool *wrong) {
  char line[4200];
  const char *at;
  size_t size;
  *wrong = false;
  while (next_line(r, &at, &size)) {
    *wrong = !copy_line(line, at, size);
    if (!*wrong && strncmp(line, "file ", 5) == 0 && read_event(r, line, in)) continue; /* before the first frame */
    if (!*wrong && read_frame(line, dt)) return r->width > 0 || !(*wrong = true);
    if (*wrong || !read_size(line, &r->width, &r->height)) return !(*wrong = true);
  }
  return false;
}

static bool take_events(input_log *r, input *in) {
  char line[4200];
  while (*r->at && strncmp(r->at, "frame ", 6) != 0 && strncmp(r->at, "size ", 5) != 0) {
    const char *at;
    size_t size;
    next_line(r, &at, &size);
    if (!copy_line(line, at, size) || !read_event(r, line, in)) return false;
  }
  return true;
}

const char *input_log_strike(const input_log *r) { return r->strike; }

bool input_log_read(input_log *r, double *dt, int *width, int *height, input *in) {
  bool wrong;
  r->strike[0] = '\0';
  if (!begin_frame(r, dt, in, &wrong)) return false;
  *width = r->width;
  *height = r->height;
  return take_events(r, in);
}

static bool read_head(input_log *r) {
  const char *first, *second;
  size_t size;
  int version = 0, panels = -1;
  if (!next_line(r, &first, &size) || sscanf(first, "sinew recording %d", &version) != 1 || version != VERSION)
    return false;
  if (!next_line(r, &second, &size) || text_scan(second, "panels %d scale %f", &panels, &r->head.scale) != 2)
    return false;
  r->head.has_panels = panels == 1;
  return panels >= 0 && panels <= 1 && isfinite(r->head.scale) && r->head.scale > 0 && r->head.scale <= 100;
}

/* Goes through all of it, so that playing it back cannot fail. */
static bool check(input_log *r, bool warns) {
  double dt;
  bool wrong = false;
  r->at = r->text;
  r->line = 0;
  r->warns = warns;
  if (!read_head(r)) return false;
  const char *start = r->at;
  while (begin_frame(r, &dt, NULL, &wrong)) {
    if (r->head.width == 0) r->head.width = r->width, r->head.height = r->height;
    if (!take_events(r, NULL)) return false;
  }
  r->at = start;
  r->width = r->height = 0;
  return !wrong && r->head.width > 0;
}

/* What a loss of power may leave of the last frame. */
static void drop_half_a_line(input_log *r) {
  char *end = strrchr(r->text, '\n');
  if (!end || !end[1]) return;
  end[1] = '\0';
  sinew_log(SINEW_LOG_WARNING, "%s: the last line is cut off and left out", r->path);
}

input_log *input_log_open(const char *path, sinew_error *error) {
  size_t size;
  input_log *r = create(path, error);
  if (r) r->text = (char *)file_read(path, largest_file, &size, error);
  if (r && !r->text) {
    release(r);
    return NULL;
  }
  if (!r) return NULL;
  bool good = strlen(r->text) == size;
  if (good) drop_half_a_line(r);
  good = good && check(r, false);
  if (good && !r->saved[0]) {
    check(r, true);
    return r;
  }
  if (good)
    error_set(error,
              "%s: %.512s was saved while this was recorded, so the run cannot be made again; record one without saves",
              path, r->saved);
  else error_set(error, "%s:%d: this is no recording of sinew (version %d), or it was cut off", path, r->line, VERSION);
  release(r);
  return NULL;
}

input_log_head input_log_start(const input_log *r) { return r->head; }
