#include "host/panels/layout.h"

#include "base/file.h"
#include "base/memory/memory.h"
#include "base/text.h"
#include "host/host.h"

#include <sinew/model.h>
#include <sinew/recording.h>

#include <string.h>

static const char *const names[UI_REGION_COUNT] = {"left", "right", "bottom"};

void layout_write(const ui *u, char out[LAYOUT_TEXT]) {
  int used = 0;
  for (int i = 0; i < UI_REGION_COUNT; i++)
    used += text_format(out + used, (size_t)(LAYOUT_TEXT - used), "%s %.9g\n", names[i],
                        (double)ui_region_size(u, (ui_region)i));
}

static void read_line(ui *u, const char *line) {
  enum { LARGEST = 16384 };
  char name[8];
  float size;
  if (text_scan(line, "%7s %f", name, &size) != 2 || !(size <= LARGEST)) return;
  for (int i = 0; i < UI_REGION_COUNT; i++)
    if (strcmp(name, names[i]) == 0) ui_set_region_size(u, (ui_region)i, size);
}

void layout_read(ui *u, const char *text) {
  while (*text) {
    read_line(u, text);
    text += strcspn(text, "\n");
    if (*text) text++;
  }
}

/* ---- the file ---- */

static bool file_of(const sinew_host *host, char *path, size_t size) {
  char folder[1024];
  if (!host->window || host->replay || !host->ui) return false;
  return sinew_cache_folder(folder, sizeof folder) && path_join(path, size, folder, "panels");
}

static void read_file(sinew_host *host) {
  char path[1100];
  sinew_error ignored; /* there is no file before the first drag */
  size_t size;
  if (!file_of(host, path, sizeof path)) return;
  unsigned char *text = file_read(path, LAYOUT_TEXT, &size, &ignored);
  if (text) layout_read(host->ui, (const char *)text);
  mem_free(text);
}

static bool recall(sinew_host *host) {
  char text[LAYOUT_TEXT] = "";
  sinew_answer answer;
  if (!sinew_host_recall(host, "panels", "sizes", SINEW_RECALL_LAST, &answer) || answer.refused) return false;
  if (answer.size < sizeof text) memcpy(text, answer.data, answer.size);
  layout_read(host->ui, text);
  return true;
}

void layout_load(sinew_host *host) {
  char text[LAYOUT_TEXT];
  if (!host->ui || recall(host)) return;
  read_file(host);
  layout_write(host->ui, text);
  sinew_host_note(host, "panels", "sizes", &(sinew_answer){.data = text, .size = strlen(text)});
  for (int i = 0; i < UI_REGION_COUNT; i++) host->region_sizes[i] = ui_region_size(host->ui, (ui_region)i);
}

/* Writes only sizes that were dragged: a run that left everything alone leaves the file alone. */
void layout_save(sinew_host *host) {
  char path[1100], text[LAYOUT_TEXT];
  sinew_error reason;
  bool changed = false;
  if (!file_of(host, path, sizeof path)) return;
  for (int i = 0; i < UI_REGION_COUNT; i++) changed |= host->region_sizes[i] != ui_region_size(host->ui, (ui_region)i);
  layout_write(host->ui, text);
  if (changed && !file_write(path, text, strlen(text), &reason)) sinew_log(SINEW_LOG_WARNING, "%s", reason.message);
}
