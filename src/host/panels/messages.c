#include "host/panels/messages.h"

#include "base/memory/memory.h"

#include <math.h>
#include <string.h>

static const double fade_seconds = 0.6;
static const double toast_seconds = 5, help_seconds = 9;
static const double line_seconds[] = {[SINEW_LOG_INFO] = 6, [SINEW_LOG_WARNING] = 10, [SINEW_LOG_ERROR] = 14};

static float alpha_of(double age, double life) {
  double left = (life - age) / fade_seconds;
  return (float)(left < 0 ? 0 : left > 1 ? 1 : left);
}

float messages_line_alpha(const messages *m, const message *line) {
  return alpha_of(m->now - line->since, line_seconds[line->level]);
}

float messages_toast_alpha(const messages *m, const message *toast) {
  return alpha_of(m->now - toast->since, toast_seconds);
}

float messages_help_alpha(const messages *m) { return m->help ? alpha_of(m->now - m->help_since, help_seconds) : 0; }

float messages_hint_alpha(const messages *m) { return m->hint ? alpha_of(m->now - m->hint_since, m->hint_seconds) : 0; }

static void remove_first(message *list, int *count) {
  mem_free(list[0].text);
  (*count)--;
  memmove(list, list + 1, (size_t)*count * sizeof *list);
}

static bool add(message *list, int *count, int limit, const message *added) {
  char *copy = mem_copy_string(added->text);
  if (!copy) return false;
  if (*count == limit) remove_first(list, count);
  list[*count] = *added;
  list[(*count)++].text = copy;
  return true;
}

static sinew_log_level valid_level(sinew_log_level level) {
  return level == SINEW_LOG_WARNING || level == SINEW_LOG_ERROR ? level : SINEW_LOG_INFO;
}

/* `add` copies the text, which the message holds without const only until then. */
static message message_of(const messages *m, sinew_log_level level, const char *text) {
  message made = {.level = valid_level(level), .since = m->now};
  memcpy(&made.text, &text, sizeof text);
  return made;
}

void messages_add_line(messages *m, sinew_log_level level, const char *text) {
  if (!text) return;
  message *last = m->line_count > 0 ? &m->lines[m->line_count - 1] : NULL;
  if (last && last->level == valid_level(level) && strcmp(last->text, text) == 0) {
    last->repeats++;
    last->since = m->now;
    return;
  }
  message line = message_of(m, level, text);
  add(m->lines, &m->line_count, LOG_LINE_LIMIT, &line);
}

void messages_add_toast(messages *m, const char *text) {
  if (!text) return;
  message toast = message_of(m, SINEW_LOG_INFO, text);
  add(m->toasts, &m->toast_count, TOAST_LIMIT, &toast);
}

void messages_set_help(messages *m, const char *text) {
  char *copy = mem_copy_string(text);
  mem_free(m->help);
  m->help = copy;
  m->help_since = m->now;
}

void messages_set_hint(messages *m, const char *text, double seconds) {
  char *copy = text ? mem_copy_string(text) : NULL;
  mem_free(m->hint);
  m->hint = copy;
  m->hint_since = m->now;
  m->hint_seconds = seconds;
}

void messages_set_progress(messages *m, const char *text) {
  char *copy = mem_copy_string(text);
  mem_free(m->progress);
  m->progress = copy;
}

void messages_set_problem(messages *m, int slot, const char *title, const char *text) {
  if (slot < 0 || slot >= PROBLEM_LIMIT) return;
  problem *p = &m->problems[slot];
  bool cleared = !title && !text;
  char *new_title = cleared ? NULL : mem_copy_string(title ? title : "");
  char *new_text = cleared ? NULL : mem_copy_string(text ? text : "");
  mem_free(p->title);
  mem_free(p->text);
  mem_free(p->path);
  *p = (problem){.title = new_title, .text = new_text};
}

void messages_set_location(messages *m, int slot, const char *path, int line) {
  if (slot < 0 || slot >= PROBLEM_LIMIT) return;
  problem *p = &m->problems[slot];
  mem_free(p->path);
  p->path = path ? mem_copy_string(path) : NULL;
  p->line = line;
}

static void drop_faded(message *list, int *count, double now, bool is_toast) {
  while (*count > 0 && now - list[0].since >= (is_toast ? toast_seconds : line_seconds[list[0].level]))
    remove_first(list, count);
}

void messages_update(messages *m, double dt) {
  if (dt > 0 && isfinite(dt)) m->now += dt;
  drop_faded(m->lines, &m->line_count, m->now, false);
  drop_faded(m->toasts, &m->toast_count, m->now, true);
}

void messages_release(messages *m) {
  while (m->line_count > 0) remove_first(m->lines, &m->line_count);
  while (m->toast_count > 0) remove_first(m->toasts, &m->toast_count);
  for (int i = 0; i < PROBLEM_LIMIT; i++) messages_set_problem(m, i, NULL, NULL);
  mem_free(m->help);
  mem_free(m->progress);
  mem_free(m->hint);
  *m = (messages){0};
}
