#include "host/rerun/rerun_replay.h"

#include "base/error.h"
#include "base/file.h"
#include "base/memory/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LARGEST = 1 << 26 };

static bool read_file(rerun_replay *m, const char *path, sinew_error *error) {
  if (m->file_count == RERUN_FILES) return error_set(error, "%s: more than %d files are edited", path, RERUN_FILES);
  rerun_file *file = m->files + m->file_count;
  file->bytes = file_read(path, LARGEST, &file->size, error);
  if (!file->bytes) return false;
  m->file_count++;
  file->path = mem_copy_string(path);
  return file->path || error_set(error, "out of memory for %s", path);
}

bool rerun_replay_begin(rerun_replay *m, const sinew_rerun *def, sinew_error *error) {
  if (def->from < 1 || def->to < def->from || def->edit_at < 0 || def->edit_at > def->from)
    return error_set(error, "a rerun of frames %lld to %lld with an edit in frame %lld: the edit comes first",
                     (long long)def->from, (long long)def->to, (long long)def->edit_at);
  m->edit_at = def->edit_at;
  m->from = def->from;
  m->to = def->to;
  m->result.ring.has_all = def->to - def->from < RING_BLOCK * (RING_BLOCKS - 2);
  bool good = true;
  for (int i = 0; good && i < def->file_count; i++) good = read_file(m, def->files[i], error);
  m->is_on = good;
  if (good && def->explain && !(m->explain = mem_copy_string(def->explain))) good = error_set(error, "out of memory");
  if (good && def->evaluate && !(m->evaluate = mem_copy_string(def->evaluate)))
    good = error_set(error, "out of memory");
  if (good && def->output && !(m->output = mem_copy_string(def->output)))
    good = error_set(error, "out of memory for a rerun");
  return good;
}

void rerun_replay_release(rerun_replay *m) {
  for (int i = 0; i < m->file_count; i++) {
    mem_free(m->files[i].path);
    mem_free(m->files[i].bytes);
  }
  rerun_result_release(&m->result);
  mem_free(m->output);
  mem_free(m->explain);
  mem_free(m->evaluate);
  *m = (rerun_replay){0};
}

/* ---- edits ---- */

const char *rerun_replay_save(const rerun_replay *m, int64_t frame, int index) {
  return m->is_on && frame == m->edit_at && index < m->file_count ? m->files[index].path : NULL;
}

bool rerun_replay_drops(const rerun_replay *m, int64_t frame) {
  return m->is_on && m->file_count > 0 && frame >= m->edit_at;
}

bool rerun_replay_recall(rerun_replay *m, const char *kind, const char *name, int64_t frame, sinew_answer *answer) {
  if (!rerun_replay_drops(m, frame) || strcmp(kind, "text") != 0) return false;
  for (int i = 0; i < m->file_count; i++) {
    rerun_file *file = m->files + i;
    if (strcmp(file->path, name) != 0) continue;
    file->was_read = true;
    *answer = (sinew_answer){.data = file->bytes, .size = file->size};
    return true;
  }
  return false;
}

/* ---- the result ---- */

void rerun_replay_watch(rerun_replay *m, sinew_stage *stage, int64_t frame) {
  if (m->output && frame >= m->from - RERUN_AHEAD) past_marks_watch(&m->result.marks, stage);
}

void rerun_replay_keep(rerun_replay *m, const sinew_stage *stage, const sinew_app *app, double time, int64_t frame) {
  if (!m->output || frame < m->from) return;
  ring_update(&m->result.ring, stage, time, frame);
  past_marks_update(&m->result.marks, stage, app, time, ring_time(&m->result.ring, m->result.ring.first));
}

bool rerun_replay_explains(const rerun_replay *m, const sinew_stage *stage, int64_t frame, sinew_actor *actor,
                           int *joint) {
  if (!m->explain || frame != m->to) return false;
  const char *name = strchr(m->explain, ' ');
  *joint = atoi(m->explain);
  for (int i = 0; name && i < sinew_stage_actor_count(stage); i++) {
    *actor = sinew_stage_actor(stage, i);
    const sinew_model *model = sinew_actor_model(stage, *actor);
    if (strcmp(sinew_actor_name(stage, *actor), name + 1) == 0)
      return model && *joint >= 0 && *joint < sinew_model_joint_count(model);
  }
  return false;
}

const char *rerun_replay_evaluates(const rerun_replay *m, int64_t frame) {
  return m->evaluate && frame == m->to ? m->evaluate : NULL;
}

void rerun_replay_print(rerun_replay *m, const char *line, int64_t frame) {
  size_t used = strlen(m->result.printed), room = sizeof m->result.printed - used;
  if (!m->output || frame < m->edit_at || strlen(line) + 2 > room) return;
  snprintf(m->result.printed + used, room, "%s%s", used ? "\n" : "", line);
}

bool rerun_replay_is_over(const rerun_replay *m, int64_t frame) { return m->output && frame >= m->to; }

bool rerun_replay_end(const rerun_replay *m, sinew_error *error) {
  for (int i = 0; m->output && i < m->file_count; i++)
    if (!m->files[i].was_read)
      return error_set(error, "%s: the recorded run has no script of that name", m->files[i].path);
  return !m->output || rerun_result_write(&m->result, m->output, error);
}
