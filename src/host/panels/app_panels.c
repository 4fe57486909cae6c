/* The panels of the application. The answers of their widgets are recorded, so that a replay of edited code gives the
 * same answers even if widgets have moved. */
#include "host/host.h"

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
  return host->ui && change_told(host, label, ui_button(host->ui, label), NULL, 0);
}

bool sinew_ui_checkbox(sinew_host *host, const char *label, bool *value) {
  bool is = *value;
  bool changed = host->ui && ui_checkbox(host->ui, label, &is);
  double told = is;
  if (!host->ui || !change_told(host, label, changed, &told, 1)) return false;
  *value = told != 0;
  return true;
}

static bool tell_number(sinew_host *host, const char *label, bool changed, float is, float *value) {
  double told = (double)is;
  if (!change_told(host, label, changed, &told, 1)) return false;
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
  if (!change_told(host, label, changed, &told, 1) || told < -1 || told >= count) return false;
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
  if (!host->ui || !change_told(host, title, any, told, 3) || !(told[0] >= -1 && told[0] < table->rows)) return false;
  *chosen = recorded_change_whole(told[0]);
  *sort = recorded_change_whole(told[1]);
  return told[2] != 0;
}

bool sinew_ui_color(sinew_host *host, const char *label, float rgb[3]) {
  float is[3] = {rgb[0], rgb[1], rgb[2]};
  bool changed = host->ui && ui_pick_color(host->ui, label, is);
  double told[3] = {(double)is[0], (double)is[1], (double)is[2]};
  if (!host->ui || !change_told(host, label, changed, told, 3)) return false;
  for (int i = 0; i < 3; i++) rgb[i] = (float)told[i];
  return true;
}

void sinew_ui_plot(sinew_host *host, const char *label, const float *values, int count, float minimum, float maximum) {
  if (host->ui) ui_plot(host->ui, label, values, count, minimum, maximum);
}

bool sinew_ui_timeline(sinew_host *host, const char *label, const sinew_timeline *line, double *time) {
  double is = *time;
  bool changed = host->ui && ui_timeline(host->ui, label, line, &is);
  if (!host->ui || !change_told(host, label, changed, &is, 1)) return false;
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
  bool told = change_told_open(host, label, is_open);
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
