/* sinew view FOLDER – the clips of a folder in a table, with a small picture of each. */
#include "cli/view/view.h"

#include "base/error.h"
#include "base/file.h"
#include "base/memory/memory.h"
#include "base/text.h"
#include "cli/pack.h"
#include "host/edit/notes.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Pixels of a small picture; their number along the edge of a sheet; and the number drawn between two frames. */
enum { SMALL = 96, ACROSS = 8, SHEET = ACROSS * ACROSS, AT_ONCE = 2, SHEETS = 32 };

struct view_pack {
  pack pack;
  char folder[4096], pattern[4096];
  const sinew_load_options *options;
  const char *model_path; /* as asked for, or NULL */
  char heading[512];
  int chosen; /* a row, or -1 */
  int sort;   /* a column, from 1 on; negative for the largest first */
  /* By clip, because pictures are made in the order of clips and rows are sorted. */
  uint32_t sheets[SHEETS];
  int drawn;
  uint8_t *pixels; /* of the sheet being drawn */
};

/* ---- pictures ---- */

static void copy_small(uint8_t *sheet, int slot, const uint8_t *small) {
  size_t left = (size_t)(slot % ACROSS * SMALL), top = (size_t)(slot / ACROSS * SMALL), width = ACROSS * SMALL;
  for (size_t y = 0; y < SMALL; y++)
    memcpy(sheet + 4 * ((top + y) * width + left), small + 4 * y * SMALL, 4 * (size_t)SMALL);
}

static bool draw_small(viewer *v, int clip, sinew_error *error) {
  view_pack *p = v->pack;
  static uint8_t small[4 * SMALL * SMALL]; /* commands run on one thread */
  double middle = 0.4 * sinew_clip_duration(sinew_model_clip(p->pack.model, clip));
  sinew_thumbnail_job job = {p->pack.model, clip, middle, SMALL, SMALL, small};
  if (!sinew_host_thumbnail(v->host, &job, error)) return false;
  copy_small(p->pixels, clip % SHEET, small);
  return true;
}

/* Shows a sheet again after a few new pictures. */
static bool show_sheet(viewer *v, int sheet, sinew_error *error) {
  view_pack *p = v->pack;
  p->sheets[sheet] = sinew_host_picture(v->host, p->sheets[sheet], ACROSS * SMALL, ACROSS * SMALL, p->pixels, error);
  return p->sheets[sheet] != 0;
}

void view_pack_draw_pictures(viewer *v) {
  view_pack *p = v->pack;
  sinew_error error;
  int count = sinew_model_clip_count(p->pack.model), first = p->drawn, last = first + AT_ONCE;
  if (count > SHEETS * SHEET) count = SHEETS * SHEET;
  if (last > count) last = count;
  bool good = p->pixels != NULL;
  for (; good && p->drawn < last; p->drawn++) {
    if (p->drawn % SHEET == 0) memset(p->pixels, 0, 4 * (size_t)SHEET * SMALL * SMALL);
    good = draw_small(v, p->drawn, &error);
    if (good && p->drawn % SHEET == SHEET - 1) good = show_sheet(v, p->drawn / SHEET, &error);
  }
  if (good && p->drawn > first && p->drawn % SHEET) good = show_sheet(v, p->drawn / SHEET, &error);
  if (!good) p->drawn = count; /* the table is useful without pictures, too */
}

static sinew_picture_part picture_of(void *user, int row) {
  const view_pack *p = user;
  int clip = p->pack.rows[row].clip, slot = clip % SHEET;
  if (clip >= p->drawn || clip >= SHEETS * SHEET) return (sinew_picture_part){0};
  int x = slot % ACROSS, y = slot / ACROSS;
  float left = (float)x / ACROSS, top = (float)y / ACROSS;
  return (sinew_picture_part){p->sheets[clip / SHEET], {left, top}, {left + 1.0f / ACROSS, top + 1.0f / ACROSS}};
}

/* ---- the table ---- */

static const char *cell_of(void *user, int row, int column) {
  const view_pack *p = user;
  return p->pack.rows[row].cells[column];
}

/* The selection stays with its clip. */
static void sort_rows(view_pack *p) {
  int clip = p->chosen >= 0 ? p->pack.rows[p->chosen].clip : -1;
  pack_sort(&p->pack, (pack_column)((p->sort < 0 ? -p->sort : p->sort) - 1), p->sort < 0);
  for (int i = 0; i < p->pack.row_count; i++)
    if (p->pack.rows[i].clip == clip) p->chosen = i;
}

static void play_chosen(viewer *v) {
  view_pack *p = v->pack;
  if (p->chosen >= 0) view_play(v, p->pack.rows[p->chosen].clip, 0.25);
}

void view_pack_draw_table(viewer *v) {
  view_pack *p = v->pack;
  int before = p->sort;
  sinew_table rows = {.columns = PACK_COLUMNS,
                      .rows = p->pack.row_count,
                      .titles = pack_titles,
                      .cell = cell_of,
                      .picture = picture_of,
                      .picture_size = 48,
                      .user = p};
  if (sinew_ui_table(v->host, p->heading, &rows, &p->chosen, &p->sort)) play_chosen(v);
  if (p->sort != before && p->sort != 0) sort_rows(p);
  for (int i = 0; i < p->pack.refused_count && i < 3; i++) sinew_ui_text(v->host, p->pack.refused[i]);
}

/* ---- keys ---- */

static double rounded(float value) { return round(100 * (double)value) / 100 + 0.0; }

/* Writes a sample for a blend space on a line, by speed; in a plane if the clip moves sideways or backwards. */
static void write_sample(const pack *p, const pack_row *row, char *text, size_t size) {
  double left = rounded(row->survey.velocity.x), ahead = rounded(row->survey.velocity.z);
  const char *name = sinew_clip_name(sinew_model_clip(p->model, row->clip));
  char quoted[LUA_TEXT];
  lua_string(quoted, name);
  if (fabs(left) > 0.1 || ahead < -0.1) text_format(text, size, "{ %g, %g, %s },", left, ahead, quoted);
  else text_format(text, size, "{ %g, %s },", ahead, quoted);
}

static void copy_sample(viewer *v) {
  view_pack *p = v->pack;
  char sample[LUA_TEXT + 64], text[LUA_TEXT + 80];
  if (p->chosen < 0) return;
  write_sample(&p->pack, p->pack.rows + p->chosen, sample, sizeof sample);
  if (!sinew_host_set_clipboard(v->host, sample)) return;
  snprintf(text, sizeof text, "copied: %s", sample);
  sinew_host_toast(v->host, text);
}

static void choose_next(view_pack *p, int by) {
  int next = p->chosen + by;
  if (next >= 0 && next < p->pack.row_count) p->chosen = next;
}

bool view_pack_key(viewer *v, const char *key, bool ctrl) {
  if (strcmp(key, "up") == 0) choose_next(v->pack, -1);
  else if (strcmp(key, "down") == 0) choose_next(v->pack, 1);
  else if (strcmp(key, "enter") == 0) play_chosen(v);
  else if (strcmp(key, "c") == 0 && ctrl) copy_sample(v);
  else return false;
  return true;
}

/* ---- open and close ---- */

static void choose_first(viewer *v) {
  view_pack *p = v->pack;
  p->chosen = -1;
  for (int i = 0; i < p->pack.row_count; i++)
    if (p->pack.rows[i].clip == v->clip) p->chosen = i;
}

static bool show_pack(viewer *v, pack *fresh, sinew_error *error) {
  view_pack *p = v->pack;
  if (!view_show(v, fresh->model, fresh->model_path, error)) return false;
  pack_close(&p->pack);
  p->pack = *fresh;
  p->drawn = 0;
  snprintf(p->heading, sizeof p->heading, "%d %s of %.200s on %.200s###clips", p->pack.row_count,
           text_plural(p->pack.row_count, "clip", "clips"), p->folder, path_file(p->pack.model_path));
  for (int i = 0; i < sinew_model_clip_file_count(p->pack.model); i++)
    (void)sinew_host_watch(v->host, sinew_model_clip_file(p->pack.model, i).path, NULL);
  if (p->sort) sort_rows(p);
  choose_first(v);
  v->clip_files[0] = p->pattern;
  v->clip_file_count = 1;
  return true;
}

bool view_pack_reload(viewer *v, sinew_error *error) {
  view_pack *p = v->pack;
  pack fresh;
  if (pack_open(&fresh, p->folder, p->model_path, p->options, error) && show_pack(v, &fresh, error)) return true;
  pack_close(&fresh);
  return false;
}

bool view_pack_open(viewer *v, const view_pack_def *def, sinew_error *error) {
  view_pack *p = mem_alloc_zeroed(sizeof *p);
  v->pack = p;
  if (p) p->pixels = mem_alloc_zeroed(4 * (size_t)SHEET * SMALL * SMALL);
  if (!p || !p->pixels) return error_memory(error, def->folder, sizeof *p);
  p->options = def->options;
  p->model_path = def->model_path;
  p->sort = def->sort;
  snprintf(p->folder, sizeof p->folder, "%s", def->folder);
  return path_join(p->pattern, sizeof p->pattern, def->folder, "**") ? view_pack_reload(v, error)
                                                                     : error_set(error, "the path is too long");
}

void view_pack_close(viewer *v) {
  if (!v->pack) return;
  pack_close(&v->pack->pack);
  mem_free(v->pack->pixels);
  mem_free(v->pack);
  v->pack = NULL;
}
