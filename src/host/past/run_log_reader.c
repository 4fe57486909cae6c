#include "host/past/run_log.h"

#include "base/error.h"
#include "base/file.h"
#include "base/memory/memory.h"
#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORD = 32, LINE = 4200 };
static const size_t largest_file = (size_t)1 << 30;

typedef struct lines {
  char **items;
  int count, capacity;
} lines;

struct run_log_reader {
  char *path;
  unsigned char *bytes;
  size_t size, at;
  run_log_head head;
  int width, height, line, version;
  sinew_answer *blobs;
  int blob_count, blob_capacity;
  hash_index by_hash; /* of blobs */
  answers answers;
  int64_t frame;     /* that is being checked */
  lines saves, sets; /* of the frame that was read last */
  int events_before; /* in the queue */
  char strike[64];
  uint64_t check;
  bool has_check; /* in the frame that was read last */
  bool checks, out_of_memory;
  /* For a recording that is still being written: */
  bool is_live;
  size_t file_at;       /* the position in the file after `bytes` */
  int checked_size[2];  /* width and height of the last frame that was checked */
  unsigned char **kept; /* what answers point to */
  int kept_count, kept_capacity;
};

static void forget_lines(lines *l) {
  for (int i = 0; i < l->count; i++) mem_free(l->items[i]);
  l->count = 0;
}

static void release_lines(lines *l) {
  forget_lines(l);
  mem_free(l->items);
}

static void remove_line(lines *l, int index) {
  mem_free(l->items[index]);
  l->count--;
  memmove(l->items + index, l->items + index + 1, (size_t)(l->count - index) * sizeof *l->items);
}

void run_log_close(run_log_reader *r) {
  if (!r) return;
  release_lines(&r->saves);
  release_lines(&r->sets);
  answers_release(&r->answers);
  hash_index_release(&r->by_hash);
  for (int i = 0; i < r->kept_count; i++) mem_free(r->kept[i]);
  mem_free(r->kept);
  mem_free(r->blobs);
  mem_free(r->bytes);
  mem_free(r->path);
  mem_free(r);
}

/* ---- lines ---- */

typedef struct text_line {
  const char *text; /* no zero behind it */
  size_t size;
} text_line;

static bool peek_line(const run_log_reader *r, text_line *line, size_t *end) {
  const unsigned char *begin = r->bytes + r->at, *stop = memchr(begin, '\n', r->size - r->at);
  if (!stop) return false;
  *line = (text_line){(const char *)begin, (size_t)(stop - begin)};
  *end = r->at + line->size + 1;
  if (line->size > 0 && line->text[line->size - 1] == '\r') line->size--;
  return true;
}

static bool begins(const text_line *line, const char *word) {
  size_t size = strlen(word);
  return line->size >= size && memcmp(line->text, word, size) == 0;
}

/* A terminated copy for sscanf. False if the line is longer than any valid one, or contains a zero. */
static bool copy_line(char out[LINE], const text_line *line) {
  if (line->size >= LINE || memchr(line->text, 0, line->size)) return false;
  memcpy(out, line->text, line->size);
  out[line->size] = '\0';
  return true;
}

static bool next_line(run_log_reader *r, char out[LINE]) {
  text_line line;
  size_t end;
  if (!peek_line(r, &line, &end)) return false;
  r->line++;
  r->at = end;
  return copy_line(out, &line);
}

/* ---- events ---- */

static bool read_press(const char *name, bool down, input *in) {
  int button = strncmp(name, "mouse", 5) == 0 && name[5] && !name[6] ? name[5] - '0' : 0;
  int key = input_find_key(name);
  bool is_button = button >= 1 && button <= BUTTON_COUNT;
  if (is_button && in) input_push_button(in, button, down);
  if (key >= 0 && in) input_push_key(in, key, down);
  return is_button || key >= 0;
}

static bool read_strength(const char *name, float strength, input *in) {
  int key = input_find_key(name);
  if (in) input_push_strength(in, key, strength);
  return input_has_strength(key) && strength >= 0 && strength <= 1;
}

static bool read_drop(const char *path, input *in) {
  if (in) input_push_drop(in, path);
  return path[0] != '\0';
}

static bool read_strike(run_log_reader *r, const char *callback) {
  snprintf(r->strike, sizeof r->strike, "%.63s", callback);
  return callback[0] != '\0';
}

/* Without memory it is lost. */
static void add_line(run_log_reader *r, lines *to, const char *text) {
  char **line = r->checks ? NULL : array_grow((void **)&to->items, &to->count, &to->capacity, sizeof *line);
  if (line && !(*line = mem_copy_string(text))) to->count--;
}

static bool read_save(run_log_reader *r, const char *path) {
  add_line(r, &r->saves, path);
  return path[0] != '\0';
}

static bool read_set(run_log_reader *r, const char *line) {
  static recorded_change set; /* large */
  add_line(r, &r->sets, line);
  return !r->checks || recorded_change_read(line, &set);
}

static bool read_check(run_log_reader *r, const char *digits) {
  unsigned long long check;
  int end = 0;
  r->has_check = sscanf(digits, "%16llx%n", &check, &end) == 1 && !digits[end];
  if (r->has_check) r->check = check;
  return r->has_check;
}

static bool read_withheld(const run_log_reader *r, const char *number, input *in) {
  int index, end = 0;
  if (sscanf(number, "%d%n", &index, &end) != 1 || number[end] || index < 0) return false;
  if (in && index < in->count - r->events_before) in->events[r->events_before + index].withheld = true;
  return true;
}

/* Without an input, only checks the event. */
static bool read_event(run_log_reader *r, const char *line, input *in) {
  char word[WORD];
  float x, y;
  unsigned character;
  int end = 0;
  if (strncmp(line, "save ", 5) == 0) return read_save(r, line + 5);
  if (strncmp(line, "set ", 4) == 0) return read_set(r, line);
  if (strncmp(line, "withheld ", 9) == 0) return read_withheld(r, line + 9, in);
  if (strncmp(line, "check ", 6) == 0) return read_check(r, line + 6);
  if (strncmp(line, "strike ", 7) == 0) return read_strike(r, line + 7);
  if (strncmp(line, "drop ", 5) == 0) return read_drop(line + 5, in);
  if (sscanf(line, "press %31s%n", word, &end) == 1 && !line[end]) return read_press(word, true, in);
  if (sscanf(line, "release %31s%n", word, &end) == 1 && !line[end]) return read_press(word, false, in);
  if (text_scan(line, "strength %31s %f%n", word, &x, &end) == 2 && !line[end]) return read_strength(word, x, in);
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

/* ---- blobs and answers ---- */

/* "WORD …": sixteen digits of a hash, and the text behind them. */
static bool read_hash(const text_line *line, size_t at, uint64_t *hash, text_line *rest) {
  char digits[17] = "", *end;
  if (line->size < at + 16) return false;
  memcpy(digits, line->text + at, 16);
  if (strspn(digits, "0123456789abcdef") != 16) return false;
  *hash = strtoull(digits, &end, 16);
  *rest = (text_line){line->text + at + 16, line->size - at - 16};
  return true;
}

/* Keeps a copy of a blob: the buffer of a live recording is reused, but its blobs must stay. */
static bool keep_bytes(run_log_reader *r, sinew_answer *blob) {
  unsigned char **kept = array_grow((void **)&r->kept, &r->kept_count, &r->kept_capacity, sizeof *kept);
  if (!kept) return false;
  *kept = mem_alloc(blob->size + 1);
  if (!*kept) return !r->kept_count--;
  blob->data = memcpy(*kept, blob->data, blob->size);
  return true;
}

static bool add_blob(run_log_reader *r, uint64_t hash, sinew_answer blob) {
  if (fnv_add(FNV_BEGIN, blob.data, blob.size) != hash) return false;
  if (r->is_live && hash_index_find(&r->by_hash, hash) >= 0) return true; /* of a frame that is checked a second time */
  if (r->is_live && !keep_bytes(r, &blob)) return !(r->out_of_memory = true);
  sinew_answer *made = array_grow((void **)&r->blobs, &r->blob_count, &r->blob_capacity, sizeof *made);
  if (!made || !hash_index_set(&r->by_hash, hash, r->blob_count - 1)) return !(r->out_of_memory = true);
  *made = blob;
  return true;
}

static int count_lines(const unsigned char *bytes, size_t size) {
  int count = 0;
  for (size_t i = 0; i < size; i++) count += bytes[i] == '\n';
  return count;
}

/* "blob SIZE HASH", and that many bytes. */
static bool read_blob(run_log_reader *r) {
  text_line line, rest;
  size_t end;
  uint64_t hash;
  char head[LINE];
  unsigned long long size = 0;
  int digits = 0;
  if (!peek_line(r, &line, &end) || !copy_line(head, &line)) return false;
  bool good = sscanf(head, "blob %19llu %n", &size, &digits) == 1 && digits > 0 &&
              read_hash(&line, (size_t)digits, &hash, &rest) && rest.size == 0 && size < r->size - end &&
              r->bytes[end + size] == '\n';
  if (!good || (r->checks && !add_blob(r, hash, (sinew_answer){.data = r->bytes + end, .size = (size_t)size})))
    return false;
  if (r->checks) r->line += 2 + count_lines(r->bytes + end, (size_t)size);
  r->at = end + (size_t)size + 1;
  return true;
}

/* "answer HASH KIND NAME", or "refusal …" */
static bool read_answer(run_log_reader *r, bool refused) {
  text_line line, question;
  size_t end;
  uint64_t hash;
  if (!peek_line(r, &line, &end) || !read_hash(&line, refused ? 8 : 7, &hash, &question)) return false;
  int blob = hash_index_find(&r->by_hash, hash);
  if (blob < 0 || question.size < 3 || question.text[0] != ' ') return false;
  uint64_t key = fnv_add(FNV_BEGIN, question.text + 1, question.size - 1);
  r->line++;
  r->at = end;
  sinew_answer answer = r->blobs[blob];
  answer.refused = refused;
  bool done = r->checks ? answers_learn(&r->answers, key, answer, r->frame) : answers_give(&r->answers, key, answer);
  if (!done) r->out_of_memory = true;
  return done;
}

/* ---- frames ---- */

static bool read_size(const char *line, int *width, int *height) {
  int end = 0;
  return sscanf(line, "size %d %d%n", width, height, &end) == 2 && !line[end] && *width >= 0 && *height >= 0 &&
         *width <= RUN_LOG_LARGEST_SIDE && *height <= RUN_LOG_LARGEST_SIDE;
}

static bool read_time(const char *line, double *dt) {
  int end = 0;
  return text_scan(line, "frame %lf%n", dt, &end) == 1 && !line[end] && isfinite(*dt) && *dt >= 0;
}

/* Blobs, answers and, within a frame, events up to the next frame. */
static bool read_rest(run_log_reader *r, input *in, bool in_frame) {
  char text[LINE];
  text_line line;
  for (size_t end; peek_line(r, &line, &end);) {
    if (begins(&line, "frame ") || begins(&line, "size ")) return true;
    bool good = begins(&line, "blob ")      ? read_blob(r)
                : begins(&line, "answer ")  ? read_answer(r, false)
                : begins(&line, "refusal ") ? read_answer(r, true)
                                            : in_frame && next_line(r, text) && read_event(r, text, in);
    if (!good) return false;
  }
  return true;
}

/* Reads the size and frame lines that come next; false at the end, or if they are wrong (`wrong`). */
static bool begin_frame(run_log_reader *r, double *dt, bool *wrong) {
  char text[LINE];
  *wrong = false;
  while (r->at < r->size) {
    *wrong = true;
    if (!next_line(r, text)) return false;
    if (read_time(text, dt)) return !(*wrong = r->width <= 0);
    if (!read_size(text, &r->width, &r->height)) return false;
    *wrong = false;
  }
  return false;
}

bool run_log_read(run_log_reader *r, double *dt, int *width, int *height, input *in) {
  bool wrong;
  r->strike[0] = '\0';
  r->has_check = false;
  forget_lines(&r->saves);
  forget_lines(&r->sets);
  r->events_before = in->count;
  answers_begin_frame(&r->answers);
  if (!begin_frame(r, dt, &wrong)) return false;
  *width = r->width;
  *height = r->height;
  return read_rest(r, in, true);
}

run_log_head run_log_start(const run_log_reader *r) { return r->head; }
const char *run_log_strike(const run_log_reader *r) { return r->strike; }

bool run_log_check(const run_log_reader *r, uint64_t *check) {
  *check = r->check;
  return r->has_check;
}

const char *run_log_save(const run_log_reader *r, int index) {
  return index >= 0 && index < r->saves.count ? r->saves.items[index] : NULL;
}

bool run_log_take_set(run_log_reader *r, int when, const char *kind, const char *label, recorded_change *out) {
  for (int i = 0; i < r->sets.count; i++) {
    if (!recorded_change_read(r->sets.items[i], out) || out->when != when) continue;
    if (label && (strcmp(label, out->field) != 0 || strcmp(kind, out->kind) != 0)) continue;
    remove_line(&r->sets, i);
    return true;
  }
  return false;
}

bool run_log_recall(run_log_reader *r, uint64_t key, sinew_recall when, sinew_answer *answer) {
  return answers_recall(&r->answers, key, when, answer);
}

bool run_log_will_recall(const run_log_reader *r, uint64_t key) { return answers_will_recall(&r->answers, key); }

/* ---- opening ---- */

static bool is_known(int version) { return version == RUN_LOG_VERSION || version == RUN_LOG_VERSION - 1; }

static bool read_arithmetic(run_log_reader *r, const char *line) {
  const char *word = strstr(line, " arithmetic ");
  r->head.is_older = r->version < RUN_LOG_VERSION;
  for (int once = 0; word && once < 2; once++)
    if (strcmp(word + strlen(" arithmetic "), run_log_arithmetic[once]) == 0) return r->head.rounds_once = once, true;
  return r->head.is_older;
}

static bool read_head(run_log_reader *r) {
  char first[LINE], second[LINE];
  int panels = -1;
  r->version = 0;
  if (!next_line(r, first) || sscanf(first, RUN_LOG_TITLE "%d", &r->version) != 1 || !is_known(r->version))
    return false;
  if (!next_line(r, second) || text_scan(second, "panels %d scale %f", &panels, &r->head.scale) != 2) return false;
  if (!read_arithmetic(r, second)) return false;
  r->head.has_panels = panels == 1;
  return panels >= 0 && panels <= 1 && isfinite(r->head.scale) && r->head.scale > 0 && r->head.scale <= 100;
}

static bool check(run_log_reader *r) {
  double dt;
  bool wrong = false;
  r->checks = true;
  if (!read_head(r)) return false;
  size_t start = r->at;
  if (!read_rest(r, NULL, false)) return false;
  while (r->frame++, begin_frame(r, &dt, &wrong)) {
    if (r->head.width == 0) r->head.width = r->width, r->head.height = r->height;
    if (!read_rest(r, NULL, true)) return false;
  }
  r->at = start;
  r->width = r->height = 0;
  r->checks = false;
  r->strike[0] = '\0';
  return !wrong && r->head.width > 0;
}

/* Drops the incomplete last line or blob that a killed program may leave. */
static void drop_half_a_line(run_log_reader *r) {
  size_t whole = r->size;
  while (whole > 0 && r->bytes[whole - 1] != '\n') whole--;
  if (whole == 0 || whole == r->size) return;
  r->size = whole;
}

/* True if the reader is at a blob that the file contains only in part. */
static bool is_half_a_blob(const run_log_reader *r) {
  text_line line;
  size_t end;
  char head[LINE];
  unsigned long long size = 0;
  return peek_line(r, &line, &end) && copy_line(head, &line) && sscanf(head, "blob %19llu", &size) == 1 &&
         size >= r->size - end;
}

static void forget_check(run_log_reader *r) {
  r->at = 0;
  r->line = r->blob_count = r->width = r->height = 0;
  r->head = (run_log_head){0};
  r->frame = 0;
  hash_index_release(&r->by_hash);
  answers_release(&r->answers);
}

static bool check_all(run_log_reader *r) {
  if (check(r)) return true;
  if (!is_half_a_blob(r) || r->out_of_memory) return false;
  r->size = r->at;
  forget_check(r);
  return check(r);
}

/* The last lines of a truncated blob may look like lines, so the end of the file is examined where the check has
 * stopped. */
static bool prepare(run_log_reader *r) {
  size_t size = r->size;
  if (check_all(r)) return read_rest(r, NULL, false);
  if (r->out_of_memory || r->size != size) return false;
  drop_half_a_line(r);
  if (r->size == size) return false;
  forget_check(r);
  return check_all(r) && read_rest(r, NULL, false);
}

run_log_reader *run_log_open_bytes(const char *path, unsigned char *bytes, size_t size, sinew_error *error) {
  run_log_reader *r = mem_alloc_zeroed(sizeof *r);
  if (r) r->bytes = bytes, r->size = size;
  else mem_free(bytes);
  if (r) r->path = mem_copy_string(path);
  bool memory = r && r->path;
  if (memory && prepare(r)) {
    if (r->size < size) sinew_log(SINEW_LOG_WARNING, "%s: ends within a line, which is left out", path);
    return r;
  }
  if (!memory || r->out_of_memory) error_set(error, "out of memory for the recording %s", path);
  else if (r->version != 0 && !is_known(r->version))
    error_set(error, "%s: this is a recording of version %d, and this Sinew reads the versions %d and %d", path,
              r->version, RUN_LOG_VERSION - 1, RUN_LOG_VERSION);
  else error_set(error, "%s:%d: this is not a recording by sinew, or it is damaged", path, r->line);
  run_log_close(r);
  return NULL;
}

run_log_reader *run_log_open(const char *path, sinew_error *error) {
  size_t size;
  unsigned char *bytes = file_read(path, largest_file, &size, error);
  return bytes ? run_log_open_bytes(path, bytes, size, error) : NULL;
}

/* ---- while it is being written ---- */

/* In the unchecked part, finds the end of the last whole frame. The last frame in the file may still grow, so it waits,
 * unless writing has ended. */
static size_t check_frames(run_log_reader *r, bool ended) {
  size_t whole = r->at, end;
  double dt;
  bool wrong;
  text_line line;
  while (begin_frame(r, &dt, &wrong)) {
    r->frame++;
    bool good = read_rest(r, NULL, true) && (ended || peek_line(r, &line, &end));
    if (!good) {
      r->frame--;
      break;
    }
    whole = r->at;
    if (r->head.width == 0) r->head.width = r->width, r->head.height = r->height;
    r->checked_size[0] = r->width, r->checked_size[1] = r->height;
  }
  return whole;
}

static bool append(run_log_reader *r) {
  FILE *file = file_open(r->path);
  bool good = file && fseek(file, 0, SEEK_END) == 0;
  long end = good ? ftell(file) : -1;
  size_t more = end > 0 && (size_t)end > r->file_at ? (size_t)end - r->file_at : 0;
  unsigned char *grown = more > 0 && r->size + more <= largest_file ? mem_resize(r->bytes, r->size + more) : NULL;
  good = grown && fseek(file, (long)r->file_at, SEEK_SET) == 0;
  if (grown) r->bytes = grown;
  if (good) r->size += fread(r->bytes + r->size, 1, more, file);
  if (file) fclose(file);
  return good;
}

/* Frees what was read. */
static void move_on(run_log_reader *r) {
  r->size -= r->at;
  memmove(r->bytes, r->bytes + r->at, r->size);
  r->at = 0;
}

bool run_log_follow(run_log_reader *r, bool ended) {
  move_on(r);
  size_t known = r->size;
  int width = r->width, height = r->height;
  if (append(r)) {
    r->at = known;
    r->width = r->checked_size[0], r->height = r->checked_size[1];
    r->checks = true;
    r->size = check_frames(r, ended);
    r->checks = false;
    r->file_at += r->size - known;
  }
  r->at = 0;
  r->width = width, r->height = height;
  r->strike[0] = '\0';
  return !r->out_of_memory;
}

run_log_reader *run_log_open_live(const char *path, sinew_error *error) {
  run_log_reader *r = mem_alloc_zeroed(sizeof *r);
  bool good = r && (r->path = mem_copy_string(path)) && append(r);
  if (good) {
    r->is_live = r->checks = true;
    good = read_head(r) && read_rest(r, NULL, false);
    size_t start = r->at;
    r->size = good ? check_frames(r, false) : 0;
    r->file_at = r->size;
    r->at = start;
    r->checks = false;
    r->width = r->height = 0;
    r->strike[0] = '\0';
  }
  if (good && r->head.width > 0 && read_rest(r, NULL, false)) return r;
  error_set(error, "%s: is not a recording that a run has begun", path);
  run_log_close(r);
  return NULL;
}
