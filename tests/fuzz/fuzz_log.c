/* The reader of recordings: what passes its check is played to its end. The bytes are lines of a recording; where they
 * begin with a zero, what follows is put behind a right head, with blobs whose hashes are made right. */
#include "fuzz/feed.h"

#include "base/memory/hash_index.h"
#include "base/memory/memory.h"
#include "host/past/run_log.h"

#include <stdio.h>

static const char head[] = "sinew recording 4\npanels 0 scale 1 arithmetic fused\n";

/* A blob of some of the bytes, an answer of it, and the rest as lines. */
static size_t write_made(const uint8_t *data, size_t size, char *out, size_t room) {
  size_t blob = size > 1 ? data[0] % (size - 1) : 0;
  unsigned long long hash = fnv_add(FNV_BEGIN, data, blob);
  size_t used = (size_t)snprintf(out, room, "%sblob %zu %016llx\n", head, blob, hash);
  memcpy(out + used, data, blob);
  used += blob;
  used += (size_t)snprintf(out + used, room - used, "\nanswer %016llx text a\nsize 9 9\nframe 0.1\n", hash);
  memcpy(out + used, data + blob, size - blob);
  return used + size - blob;
}

static void ignore(void *user, sinew_log_level level, const char *line) { (void)user, (void)level, (void)line; }

static void play(run_log_reader *r) {
  static recorded_change set;
  input in = {0};
  sinew_answer answer;
  double dt;
  int width, height, frames = 0;
  volatile size_t used = 0;
  run_log_recall(r, run_log_key("text", "a"), SINEW_RECALL_LAST, &answer);
  while (run_log_read(r, &dt, &width, &height, &in)) {
    if (width < 0 || height < 0 || !(dt >= 0)) abort();
    if (run_log_recall(r, run_log_key("text", "a"), SINEW_RECALL_LAST, &answer))
      for (size_t i = 0; i < answer.size; i++) used += ((const unsigned char *)answer.data)[i];
    for (int i = 0; run_log_save(r, i); i++) used += strlen(run_log_save(r, i));
    for (int when = SET_TOLD; when < 2; when++)
      while (run_log_take_set(r, when, NULL, NULL, &set))
        used += strlen(set.field) + (size_t)recorded_change_whole(set.values[0]);
    used += strlen(run_log_strike(r)) + run_log_will_recall(r, run_log_key("text", "b"));
    if (++frames % 16 == 0) input_release(&in);
  }
  (void)used;
  input_release(&in);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  sinew_error error = {""};
  bool made = size > 0 && data[0] == 0;
  size_t room = size + 256, used = size;
  feed_allocator();
  sinew_set_log(ignore, NULL);
  unsigned char *bytes = mem_alloc(room);
  if (!bytes) return 0;
  if (made) used = write_made(data + 1, size - 1, (char *)bytes, room);
  else if (size) memcpy(bytes, data, size);
  run_log_reader *r = run_log_open_bytes("fuzz.rec", bytes, used, &error);
  if (r) play(r);
  else if (!error.message[0]) abort();
  run_log_close(r);
  return 0;
}
