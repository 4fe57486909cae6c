/* The panels of the application. The answers of their widgets are recorded, so that a replay of edited code gives the
 * same answers even if widgets have moved. */
#include "base/memory/hash_index.h"
#include "base/memory/memory.h"
#include "host/host.h"

#include <stdio.h>
#include <string.h>

/* ---- recorded answers ---- */

static void record(sinew_host *host, const recorded_change *s) {
  if (host->log) run_log_write_set(host->log, s);
}

/* Returns `changed` with the values or, in a replay, the recorded answer. */
static bool tell(sinew_host *host, const char *label, bool changed, double *values, int count) {
  recorded_change s = {.when = SET_TOLD, .kind = "widget", .count = count};
  if (!label || (!changed && !host->replay)) return false;
  if (host->replay) {
    changed = run_log_take_set(host->replay, SET_TOLD, "widget", label, &s) && s.count == count;
    if (changed && count > 0) memcpy(values, s.values, (size_t)count * sizeof *values);
  } else {
    snprintf(s.field, sizeof s.field, "%s", label);
    if (count > 0) memcpy(s.values, values, (size_t)count * sizeof *values);
  }
  if (changed) record(host, &s);
  return changed;
}

/* Labels may differ in each frame: beyond a limit, the one unused for longest makes room. */
static told_open *add_open(sinew_host *host) {
  enum { MOST = 256 };
  if (host->open_count < MOST)
    return array_grow((void **)&host->opens, &host->open_count, &host->open_capacity, sizeof *host->opens);
  told_open *oldest = host->opens;
  for (int i = 1; i < host->open_count; i++)
    if (host->opens[i].frame < oldest->frame) oldest = host->opens + i;
  return oldest;
}

/* Equal labels have separate states, in the order in which they appear in a frame. */
static told_open *find_open(sinew_host *host, const char *label, int *before) {
  uint64_t hash = fnv_add(FNV_BEGIN, label, strlen(label));
  told_open *same = NULL;
  *before = 0;
  for (int i = 0; i < host->open_count && !same; i++) {
    told_open *o = host->opens + i;
    if (o->hash == hash && o->frame == host->frame) ++*before;
    else if (o->hash == hash) same = o;
  }
  if (!same && (same = add_open(host))) *same = (told_open){.hash = hash, .is_new = true};
  if (same) same->frame = host->frame;
  return same;
}

/* The same for a tab or tree: whether it is open, recorded when that changes. */
static bool tell_if_open(sinew_host *host, const char *label, bool is_open) {
  static recorded_change s; /* large */
  if (!label || (!host->log && !host->replay)) return is_open;
  int before;
  told_open *known = find_open(host, label, &before);
  if (!known) return is_open;
  if (host->replay) {
    if (run_log_take_set(host->replay, SET_TOLD, "open", label, &s) && s.count == 1) is_open = s.values[0] != 0;
    else if (!known->is_new) is_open = known->is_open;
  }
  if (host->log && (known->is_new || known->is_open != is_open)) {
    s = (recorded_change){.when = SET_TOLD, .kind = "open", .details_before = before, .count = 1};
    s.values[0] = is_open;
    snprintf(s.field, sizeof s.field, "%s", label);
    record(host, &s);
  }
  known->is_open = is_open;
  known->is_new = false;
  return is_open;
}

/* ---- panels ---- */

void sinew_ui_begin(sinew_host *host, const char *title) {
  if (host->ui) ui_begin(host->ui, title);
}

void sinew_ui_end(sinew_host *host) {
  if (host->ui) ui_end(host->ui);
}

void sinew_ui_text(sinew_host *host, const char *text) {
  if (host->ui) ui_label(host->ui, text);
}

void sinew_ui_separator(sinew_host *host) {
  if (host->ui) ui_separator(host->ui);
}

/* ---- answers of widgets ---- */

bool sinew_ui_button(sinew_host *host, const char *label) {
  return host->ui && tell(host, label, ui_button(host->ui, label), NULL, 0);
}

bool sinew_ui_checkbox(sinew_host *host, const char *label, bool *value) {
  bool is = *value;
  bool changed = host->ui && ui_checkbox(host->ui, label, &is);
  double told = is;
  if (!host->ui || !tell(host, label, changed, &told, 1)) return false;
  *value = told != 0;
  return true;
}

static bool tell_number(sinew_host *host, const char *label, bool changed, float is, float *value) {
  double told = (double)is;
  if (!tell(host, label, changed, &told, 1)) return false;
  *value = (float)told;
  return true;
}

bool sinew_ui_slider(sinew_host *host, const char *label, float *value, float minimum, float maximum) {
  float is = *value;
  bool changed = host->ui && ui_slider(host->ui, label, &is, minimum, maximum);
  return host->ui && tell_number(host, label, changed, is, value);
}

bool sinew_ui_drag(sinew_host *host, const char *label, float *value, float step, float minimum, float maximum) {
  float is = *value;
  bool changed = host->ui && ui_drag(host->ui, label, &is, step, minimum, maximum);
  return host->ui && tell_number(host, label, changed, is, value);
}

static bool tell_choice(sinew_host *host, const char *label, bool changed, int is, int count, int *chosen) {
  double told = is;
  if (!tell(host, label, changed, &told, 1) || told < -1 || told >= count) return false;
  *chosen = recorded_change_whole(told);
  return true;
}

bool sinew_ui_list(sinew_host *host, const char *label, const char *const *items, int count, int *chosen) {
  int is = *chosen;
  bool changed = host->ui && ui_list(host->ui, label, items, count, &is);
  return host->ui && tell_choice(host, label, changed, is, count, chosen);
}

bool sinew_ui_combo(sinew_host *host, const char *label, const char *const *items, int count, int *chosen) {
  int is = *chosen;
  bool changed = host->ui && ui_combo(host->ui, label, items, count, &is);
  return host->ui && tell_choice(host, label, changed, is, count, chosen);
}

/* A click on a title sorts, and gives no answer. */
bool sinew_ui_table(sinew_host *host, const char *title, const sinew_table *table, int *chosen, int *sort) {
  int is = *chosen, by = *sort;
  bool changed = host->ui && ui_table(host->ui, title, table, &is, &by);
  double told[3] = {is, by, changed};
  bool any = changed || is != *chosen || by != *sort;
  if (!host->ui || !tell(host, title, any, told, 3) || !(told[0] >= -1 && told[0] < table->rows)) return false;
  *chosen = recorded_change_whole(told[0]);
  *sort = recorded_change_whole(told[1]);
  return told[2] != 0;
}

bool sinew_ui_color(sinew_host *host, const char *label, float rgb[3]) {
  float is[3] = {rgb[0], rgb[1], rgb[2]};
  bool changed = host->ui && ui_pick_color(host->ui, label, is);
  double told[3] = {(double)is[0], (double)is[1], (double)is[2]};
  if (!host->ui || !tell(host, label, changed, told, 3)) return false;
  for (int i = 0; i < 3; i++) rgb[i] = (float)told[i];
  return true;
}

void sinew_ui_plot(sinew_host *host, const char *label, const float *values, int count, float minimum, float maximum) {
  if (host->ui) ui_plot(host->ui, label, values, count, minimum, maximum);
}

bool sinew_ui_timeline(sinew_host *host, const char *label, const sinew_timeline *line, double *time) {
  double is = *time;
  bool changed = host->ui && ui_timeline(host->ui, label, line, &is);
  if (!host->ui || !tell(host, label, changed, &is, 1)) return false;
  *time = is;
  return true;
}

/* ---- open regions ---- */

bool sinew_ui_begin_tabs(sinew_host *host, const char *label) { return host->ui && ui_begin_tabs(host->ui, label); }

void sinew_ui_end_tabs(sinew_host *host) {
  if (host->ui) ui_end_tabs(host->ui);
}

/* In a replay of edited code, another tab may be in front than in the recorded run. The recorded answer counts, so an
 * open tab may not be visible in the panel. */
static bool tell_open(sinew_host *host, const char *label, bool is_open, void (*close)(ui *)) {
  bool told = tell_if_open(host, label, is_open);
  if (is_open && !told) close(host->ui);
  if (told) host->open_scopes = host->open_scopes << 1 | is_open;
  return told;
}

static void end_open(sinew_host *host, void (*close)(ui *)) {
  if (!host->ui) return;
  if (host->open_scopes & 1) close(host->ui);
  host->open_scopes >>= 1;
}

bool sinew_ui_begin_tab(sinew_host *host, const char *label) {
  return host->ui && tell_open(host, label, ui_begin_tab(host->ui, label), ui_end_tab);
}

void sinew_ui_end_tab(sinew_host *host) { end_open(host, ui_end_tab); }

bool sinew_ui_begin_tree(sinew_host *host, const char *label, bool open) {
  return host->ui && tell_open(host, label, ui_begin_tree(host->ui, label, open), ui_end_tree);
}

void sinew_ui_end_tree(sinew_host *host) { end_open(host, ui_end_tree); }
