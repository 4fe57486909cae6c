/* sinew info FOLDER – a table of the clips in it, for people and for programs. */
#include "cli/pack_print.h"

#include "base/text.h"
#include "cli/json.h"

#include <stdio.h>
#include <string.h>

/* ---- for people ---- */

/* The number of UTF-8 characters, assuming one column each. */
static int width_of(const char *text) {
  int width = 0;
  for (; *text; text++) width += ((unsigned char)*text & 0xC0) != 0x80;
  return width;
}

static bool is_number(int column) { return column >= PACK_LENGTH && column <= PACK_SLIDE; }

static void print_cell(const char *text, int column, int width) {
  int room = width - width_of(text);
  bool is_last = column == PACK_COLUMNS - 1;
  text_show(stdout, "  %*s%s%*s", is_number(column) && room > 0 ? room : 0, "", text,
            !is_number(column) && !is_last && room > 0 ? room : 0, "");
}

static void print_table(const pack *p) {
  int widths[PACK_COLUMNS];
  for (int c = 0; c < PACK_COLUMNS; c++) {
    widths[c] = width_of(pack_titles[c]);
    for (int i = 0; i < p->row_count; i++)
      if (width_of(p->rows[i].cells[c]) > widths[c]) widths[c] = width_of(p->rows[i].cells[c]);
  }
  for (int c = 0; c < PACK_COLUMNS; c++) print_cell(pack_titles[c], c, widths[c]);
  putchar('\n');
  for (int i = 0; i < p->row_count; i++) {
    for (int c = 0; c < PACK_COLUMNS; c++) print_cell(p->rows[i].cells[c], c, widths[c]);
    putchar('\n');
  }
}

static bool has_spot(const pack *p) {
  for (int i = 0; i < p->row_count; i++)
    if (p->rows[i].survey.on_the_spot) return true;
  return false;
}

static void print_text(const pack *p, const char *folder) {
  int notes = sinew_model_note_count(p->model);
  text_show(stdout, "%s: %d %s on %s\n\n", folder, p->row_count, text_plural(p->row_count, "clip", "clips"),
            p->model_path);
  print_table(p);
  if (has_spot(p)) printf("\n  * walks on the spot: the speed is that of its feet\n");
  if (p->refused_count) printf("\nRefused (%d)\n", p->refused_count);
  for (int i = 0; i < p->refused_count; i++) text_show(stdout, "  - %s\n", p->refused[i]);
  if (notes) printf("\nNotes: what was repaired, dropped or guessed (%d)\n", notes);
  for (int i = 0; i < notes; i++) text_show(stdout, "  - %s\n", sinew_model_note(p->model, i));
}

/* ---- for programs ---- */

static void print_member(const char *name, const char *text) {
  printf("\"%s\":", name);
  json_string(text);
}

static void print_json_row(const pack *p, const pack_row *row) {
  const sinew_clip *clip = sinew_model_clip(p->model, row->clip);
  const sinew_clip_survey *s = &row->survey;
  print_member("name", sinew_clip_name(clip));
  putchar(',');
  print_member("file", row->file);
  putchar(',');
  print_member("file_name", sinew_clip_file_name(clip));
  putchar(',');
  print_member("verdict", row->cells[PACK_VERDICT]);
  text_print(stdout, ",\"duration\":%.9g", row->seconds);
  printf(",\"speed\":");
  json_number(row->speed);
  text_print(stdout, ",\"turn\":%.9g,\"seam\":%.9g,\"slide\":", (double)s->turn, (double)s->seam);
  if (s->has_feet) text_print(stdout, "%.9g", (double)s->slide);
  else printf("null");
  printf(",\"on_the_spot\":%s,\"velocity\":", s->on_the_spot ? "true" : "false");
  if (s->has_velocity) json_floats(&s->velocity.x, 3);
  else printf("null");
  if (row->fit.clip_file >= 0)
    text_print(stdout, ",\"compared\":%s,\"fits\":%s,\"under_ground\":%.9g,\"hips\":%.9g,\"limbs\":%.9g",
               row->fit.is_compared ? "true" : "false", row->fit.fits ? "true" : "false", (double)row->fit.under_ground,
               (double)row->fit.hips, (double)row->fit.limbs);
}

static void print_json(const pack *p, const char *folder) {
  putchar('{');
  print_member("folder", folder);
  printf(",\n");
  print_member("model", p->model_path);
  printf(",\n\"clips\":[");
  for (int i = 0; i < p->row_count; i++) {
    printf("%s{", i ? ",\n" : "");
    print_json_row(p, p->rows + i);
    putchar('}');
  }
  printf("],\n\"refused\":[");
  for (int i = 0; i < p->refused_count; i++) {
    if (i) printf(",\n");
    json_string(p->refused[i]);
  }
  printf("],\n\"notes\":[");
  for (int i = 0; i < sinew_model_note_count(p->model); i++) {
    if (i) printf(",\n");
    json_string(sinew_model_note(p->model, i));
  }
  printf("]}\n");
}

void pack_print(const pack *p, const char *folder, bool json) {
  if (json) print_json(p, folder);
  else print_text(p, folder);
}
