#include "host/past/run_log.h"

#include "base/error.h"
#include "base/file.h"
#include "base/memory/hash_index.h"
#include "base/memory/memory.h"
#include "base/text.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct run_log_writer {
  file_writer *begun; /* until it has its first frame */
  FILE *file;         /* then */
  long whole;         /* bytes of it that are whole lines */
  bool failed, is_temporary;
  char *path;
  int width, height;
  hash_index blobs; /* that are in the file */
};

const char *const run_log_arithmetic[2] = {"separate", "fused"};

static uint64_t add_words(uint64_t hash, const char *text) {
  for (; *text; text++) hash = fnv_add(hash, *text == '\n' || *text == '\r' ? " " : text, 1);
  return hash;
}

uint64_t run_log_key(const char *kind, const char *name) {
  return add_words(fnv_add(add_words(FNV_BEGIN, kind), " ", 1), name);
}

/* ---- out ---- */

static FILE *stream(const run_log_writer *w) { return w->begun ? file_stream(w->begun) : w->file; }

/* Prints numbers with as many digits as it takes to restore them. */
SINEW_PRINTF(2, 3) static void say(run_log_writer *w, const char *format, ...) {
  va_list values;
  if (w->failed) return;
  va_start(values, format);
  text_print_list(stream(w), format, values);
  va_end(values);
}

/* An existing recording is replaced only once the new one has a frame. */
static bool take_position(run_log_writer *w, sinew_error *error) {
  bool placed = file_commit(w->begun, error);
  w->begun = NULL;
  w->file = placed ? fopen(w->path, "ab") : NULL;
  if (!w->file) return placed && error_set(error, "%s: cannot be written: %s", w->path, strerror(errno));
  setvbuf(w->file, NULL, _IOFBF, 1 << 16); /* a frame goes out whole */
  return fseek(w->file, 0, SEEK_END) == 0;
}

/* Closing flushes the stream, so the file is truncated afterwards. The reason may mention the file. */
static void end_early(run_log_writer *w, const char *reason) {
  size_t named = strlen(w->path);
  if (strncmp(reason, w->path, named) == 0 && strncmp(reason + named, ": ", 2) == 0) reason += named + 2;
  sinew_log(SINEW_LOG_ERROR, "%s: the recording ends here: %s", w->path, reason);
  w->failed = true;
  if (!w->file) return;
  fclose(w->file);
  w->file = fopen(w->path, "r+b");
  if (w->file && ftruncate(fileno(w->file), w->whole) != 0)
    sinew_log(SINEW_LOG_ERROR, "%s: half a line is left at its end", w->path);
}

/* Writes all lines so far to the file, so that none is lost if somebody ends the program. */
static void flush(run_log_writer *w) {
  if (w->failed || w->begun) return;
  if (ferror(w->file) || fflush(w->file) != 0) end_early(w, strerror(errno));
  else w->whole = ftell(w->file);
  if (!w->failed && w->is_temporary && w->whole > RUN_LOG_TEMPORARY_LIMIT)
    end_early(w, "it has reached its largest size");
}

static void begin_frames(run_log_writer *w) {
  sinew_error error;
  if (w->begun && !w->failed && !take_position(w, &error)) end_early(w, error.message);
}

/* ---- lines ---- */

static void write_event(run_log_writer *w, const input_event *e) {
  const char *verb = e->down ? "press" : "release";
  switch (e->kind) {
  case EVENT_KEY: say(w, "%s %s\n", verb, sinew_key_name(e->code)); break;
  case EVENT_STRENGTH: say(w, "strength %s %.9g\n", sinew_key_name(e->code), (double)e->x); break;
  case EVENT_BUTTON: say(w, "%s mouse%d\n", verb, e->code); break;
  case EVENT_MOVE: say(w, "move %.9g %.9g\n", (double)e->x, (double)e->y); break;
  case EVENT_WHEEL: say(w, "wheel %.9g\n", (double)e->y); break;
  case EVENT_CHARACTER: say(w, "type %d\n", e->code); break;
  case EVENT_DROP:
    if (!strpbrk(e->path, "\r\n")) say(w, "drop %s\n", e->path);
  }
}

void run_log_write(run_log_writer *w, double dt, int width, int height, const input *in) {
  begin_frames(w);
  if (width != w->width || height != w->height) say(w, "size %d %d\n", width, height);
  w->width = width;
  w->height = height;
  say(w, "frame %.17g\n", dt);
  for (int i = 0; i < in->taken; i++) write_event(w, &in->events[i]);
  flush(w);
}

void run_log_write_check(run_log_writer *w, uint64_t check) {
  say(w, "check %016llx\n", (unsigned long long)check);
  flush(w);
}

void run_log_write_strike(run_log_writer *w, const char *callback) {
  say(w, "strike %s\n", callback);
  flush(w);
}

void run_log_write_withheld(run_log_writer *w, int index) {
  say(w, "withheld %d\n", index);
  flush(w);
}

void run_log_write_set(run_log_writer *w, const recorded_change *set) {
  char line[RECORDED_LINE];
  if (w->failed) return;
  if (!recorded_change_print(set, line)) end_early(w, "a change has names that are too long");
  say(w, "%s\n", line);
  flush(w);
}

void run_log_write_save(run_log_writer *w, const char *path) {
  if (!strpbrk(path, "\r\n")) say(w, "save %s\n", path);
  flush(w);
}

/* Once for each content. */
static void write_blob(run_log_writer *w, uint64_t hash, const void *data, size_t size) {
  if (w->failed || hash_index_find(&w->blobs, hash) >= 0) return;
  say(w, "blob %zu %016llx\n", size, (unsigned long long)hash);
  fwrite(data, 1, size, stream(w));
  say(w, "\n");
  hash_index_set(&w->blobs, hash, 0); /* without memory it is written again */
}

static void say_words(run_log_writer *w, const char *text) {
  while (*text && !w->failed) {
    size_t size = strcspn(text, "\r\n");
    fwrite(text, 1, size, stream(w));
    if (text[size]) say(w, " ");
    text += size + (text[size] != 0);
  }
}

void run_log_write_answer(run_log_writer *w, const char *kind, const char *name, const sinew_answer *answer) {
  uint64_t hash = fnv_add(FNV_BEGIN, answer->data, answer->size);
  write_blob(w, hash, answer->data, answer->size);
  say(w, "%s %016llx %s ", answer->refused ? "refusal" : "answer", (unsigned long long)hash, kind);
  say_words(w, name);
  say(w, "\n");
  flush(w);
}

/* ---- begin and end ---- */

static void release(run_log_writer *w) {
  file_abandon(w->begun);
  if (w->file) fclose(w->file);
  hash_index_release(&w->blobs);
  mem_free(w->path);
  mem_free(w);
}

run_log_writer *run_log_create(const char *path, const run_log_head *head, bool is_temporary, sinew_error *error) {
  if (!file_may_replace(path, RUN_LOG_TITLE)) {
    error_set(error, "%s: exists and is not a recording by sinew; it is not replaced", path);
    return NULL;
  }
  run_log_writer *w = mem_alloc_zeroed(sizeof *w);
  if (w) w->path = mem_copy_string(path);
  if (!w || !w->path) error_set(error, "out of memory for the recording %s", path);
  if (w && w->path) w->begun = file_begin(path, !is_temporary, error);
  if (w && w->begun) {
    w->is_temporary = is_temporary;
    say(w, RUN_LOG_TITLE "%d\npanels %d scale %.9g arithmetic %s\n", RUN_LOG_VERSION, head->has_panels,
        (double)head->scale, run_log_arithmetic[head->rounds_once]);
    return w;
  }
  if (w) release(w);
  return NULL;
}

bool run_log_is_whole(const run_log_writer *w) { return !w || !w->failed; }

void run_log_end(run_log_writer *w) {
  if (!w) return;
  bool closed = !w->file || fclose(w->file) == 0;
  if (!closed && !w->failed && !w->is_temporary)
    sinew_log(SINEW_LOG_ERROR, "%s: cannot be written: %s", w->path, strerror(errno));
  w->file = NULL;
  if (w->is_temporary && !w->begun) remove(w->path);
  release(w);
}
