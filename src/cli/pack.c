#include "cli/pack.h"

#include "base/error.h"
#include "base/file.h"
#include "base/memory/memory.h"
#include "base/text.h"
#include "cli/info/facts.h"
#include "cli/json.h"
#include "import/vfs/find_files.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const pack_titles[PACK_COLUMNS] = {"clip", "file", "length", "speed", "turn", "seam", "slide", "fit"};

/* ---- rows ---- */

static double degrees(float radians) { return (double)radians * 57.29577951308232; }

static void add_fault(char *text, size_t size, const char *format, double number) {
  size_t used = strlen(text);
  snprintf(text + used, size - used, "%s", strstr(text, ": ") ? ", " : ": ");
  used = strlen(text);
  text_format(text + used, size - used, format, number);
}

/* The limits are those of sinew_fit; only values beyond them are mentioned. */
static void write_verdict(const pack *p, const pack_row *row, char *text, size_t size) {
  const sinew_fit *fit = &row->fit;
  bool own = fit->clip_file < 0, corrected = !own && sinew_model_clip_file(p->model, fit->clip_file).corrected;
  snprintf(text, size, "%s", own ? "its own" : corrected ? "fitted" : "copied");
  if (!own && !fit->is_compared) snprintf(text, size, "%s, not compared", corrected ? "fitted" : "copied");
  if (fit->fits || own) return;
  if ((double)fit->under_ground > 0.02)
    add_fault(text, size, "feet %.1f cm under the ground", 100 * (double)fit->under_ground);
  if (fit->hips > 0.05f) add_fault(text, size, "hips %.0f %% high", 100 * (double)fit->hips);
  if (fit->hips < -0.05f) add_fault(text, size, "hips %.0f %% low", -100 * (double)fit->hips);
  if (degrees(fit->limbs) > 5) add_fault(text, size, "limbs %.0f° off", degrees(fit->limbs));
}

static void write_cells(const pack *p, pack_row *row) {
  const sinew_clip *clip = sinew_model_clip(p->model, row->clip);
  const sinew_clip_survey *s = &row->survey;
  snprintf(row->cells[PACK_NAME], PACK_CELL, "%s", sinew_clip_name(clip));
  snprintf(row->cells[PACK_FILE], PACK_CELL, "%s", path_file(row->file));
  text_format(row->cells[PACK_LENGTH], PACK_CELL, "%.2f s", row->seconds);
  char speed[FACTS_SPEED];
  facts_speed_text(row->speed, speed);
  text_format(row->cells[PACK_SPEED], PACK_CELL, "%s%s", speed, s->on_the_spot ? " *" : "");
  text_format(row->cells[PACK_TURN], PACK_CELL, "%.0f°", round(degrees(s->turn)) + 0.0); /* no -0 */
  text_format(row->cells[PACK_SEAM], PACK_CELL, "%.1f cm", 100 * (double)s->seam);
  if (s->has_feet) text_format(row->cells[PACK_SLIDE], PACK_CELL, "%.1f cm/s", 100 * (double)s->slide);
  else snprintf(row->cells[PACK_SLIDE], PACK_CELL, "-");
  write_verdict(p, row, row->cells[PACK_VERDICT], PACK_CELL);
}

static bool fill_row(const pack *p, int clip, pack_row *row) {
  const sinew_clip *c = sinew_model_clip(p->model, clip);
  *row = (pack_row){.clip = clip, .seconds = sinew_clip_duration(c), .fit = sinew_clip_fit(c)};
  row->file = row->fit.clip_file < 0 ? p->model_path : sinew_model_clip_file(p->model, row->fit.clip_file).path;
  if (!facts_survey(p->model, clip, &row->survey)) return false;
  row->speed = facts_speed(&row->survey);
  write_cells(p, row);
  return true;
}

static bool fill_rows(pack *p, sinew_error *error) {
  int count = sinew_model_clip_count(p->model);
  p->rows = mem_alloc_array((size_t)count + 1, sizeof *p->rows);
  for (int i = 0; p->rows && i < count; i++) {
    if (!fill_row(p, i, p->rows + i)) return error_memory(error, p->model_path, sizeof *p->rows);
    p->row_count++;
  }
  return p->rows || error_memory(error, p->model_path, (size_t)count * sizeof *p->rows);
}

/* ---- files ---- */

static bool refuse_file(pack *p, const char *sentence, sinew_error *error) {
  char *copy = mem_copy_string(sentence);
  char **item = copy ? array_grow((void **)&p->refused, &p->refused_count, &p->refused_capacity, sizeof *item) : NULL;
  if (item) *item = copy;
  else mem_free(copy);
  return item || error_memory(error, sentence, sizeof *item);
}

static void drop_file(file_list *files, int index) {
  mem_free(files->paths[index]);
  files->count--;
  memmove(files->paths + index, files->paths + index + 1, (size_t)(files->count - index) * sizeof *files->paths);
}

static bool is_skinned(const sinew_model *model) {
  for (int i = 0; i < sinew_model_skin_count(model); i++)
    if (sinew_model_skin(model, i).count > 1) return true;
  return false;
}

/* The file whose model gets the clips; -1 if none has a skin or clips. Reports files that cannot be read. */
static int find_body(pack *p, file_list *files, const sinew_load_options *options, sinew_error *error) {
  int with_clips = -1;
  sinew_load_options alone = *options;
  alone.clip_file_count = alone.map_count = alone.edit_count = 0;
  for (int i = 0; i < files->count; i++) {
    sinew_error reason;
    sinew_model *model = sinew_model_load(files->paths[i], &alone, &reason);
    bool skinned = model && is_skinned(model);
    if (model && with_clips < 0 && sinew_model_clip_count(model) > 0) with_clips = i;
    sinew_model_release(model);
    if (skinned) return i;
    if (!model && !refuse_file(p, reason.message, error)) return -1;
    if (!model) drop_file(files, i--);
  }
  return with_clips;
}

/* The file with which an error message begins. */
static int find_named(const file_list *files, const char *sentence) {
  for (int i = 0; i < files->count; i++) {
    size_t length = strlen(files->paths[i]);
    if (strncmp(sentence, files->paths[i], length) == 0 && sentence[length] == ':') return i;
  }
  return -1;
}

/* Loads all files at once; reports one that cannot be read, and tries the others again. */
static bool load_all(pack *p, file_list *files, const sinew_load_options *options, sinew_error *error) {
  sinew_load_options all = *options;
  for (;;) {
    sinew_error reason;
    all.clip_files = (const char *const *)files->paths;
    all.clip_file_count = files->count;
    all.skip_unfit_clip_files = true;
    p->model = sinew_model_load(p->model_path, &all, &reason);
    int named = p->model ? -1 : find_named(files, reason.message);
    if (p->model) return true;
    if (named < 0) return error_set(error, "%s", reason.message);
    if (!refuse_file(p, reason.message, error)) return false;
    drop_file(files, named);
  }
}

static int find_same(const file_list *files, const char *path) {
  for (int i = 0; i < files->count; i++)
    if (file_is_same(files->paths[i], path)) return i;
  return -1;
}

/* For a folder of still meshes, such as a sequence of OBJ files, or of files that cannot be read. */
static bool refuse_folder(const pack *p, const char *folder, const file_list *files, sinew_error *error) {
  if (p->refused_count > 0) return error_set(error, "%s: no file in it has a skin or clips; %s", folder, p->refused[0]);
  return error_set(error, "%s: no file in it has a skin or clips; to see one of its %d, name it, as in sinew view %s",
                   folder, files->count, files->paths[0]);
}

static bool open_files(pack *p, file_list *files, const char *folder, const char *model_path,
                       const sinew_load_options *options, sinew_error *error) {
  int body = model_path ? -1 : find_body(p, files, options, error);
  if (!model_path && body < 0) return refuse_folder(p, folder, files, error);
  const char *path = model_path ? model_path : files->paths[body];
  if (strlen(path) >= sizeof p->model_path) return error_set(error, "%.60s…: the path is too long", path);
  snprintf(p->model_path, sizeof p->model_path, "%s", path);
  int own = find_same(files, p->model_path);
  if (own >= 0) drop_file(files, own);
  return load_all(p, files, options, error) && fill_rows(p, error);
}

bool pack_open(pack *p, const char *folder, const char *model_path, const sinew_load_options *options,
               sinew_error *error) {
  char pattern[4096];
  file_list files = {0};
  sinew_load_options defaults = sinew_load_options_default();
  if (!options) options = &defaults;
  *p = (pack){0};
  if (!path_join(pattern, sizeof pattern, folder, "**") || !files_find(pattern, &files))
    return error_set(error, "%s: holds more than %d models, or its path is too long", folder, SINEW_FIND_MOST);
  bool opened = files.count > 0 ? open_files(p, &files, folder, model_path, options, error)
                                : error_set(error, "%s: holds no model file", folder);
  file_list_reset(&files);
  return opened;
}

void pack_close(pack *p) {
  sinew_model_release(p->model);
  mem_free(p->rows);
  for (int i = 0; i < p->refused_count; i++) mem_free(p->refused[i]);
  mem_free(p->refused);
  *p = (pack){0};
}

/* ---- order ---- */

static double number_of(const pack_row *row, pack_column column) {
  switch (column) {
  case PACK_LENGTH: return row->seconds;
  case PACK_SPEED: return isnan(row->speed) ? -1 : row->speed;
  case PACK_TURN: return (double)row->survey.turn;
  case PACK_SEAM: return (double)row->survey.seam;
  case PACK_SLIDE: return row->survey.has_feet ? (double)row->survey.slide : -1;
  default: return 0;
  }
}

static int compare_rows(const pack_row *a, const pack_row *b, pack_column column) {
  double x = number_of(a, column), y = number_of(b, column);
  bool is_text = column == PACK_NAME || column == PACK_FILE || column == PACK_VERDICT;
  return is_text ? strcmp(a->cells[column], b->cells[column]) : (x > y) - (x < y);
}

/* An insertion sort, which is stable; a pack has hundreds of rows, not millions. */
void pack_sort(pack *p, pack_column column, bool descending) {
  for (int i = 1; i < p->row_count; i++) {
    pack_row row = p->rows[i];
    int at = i;
    for (; at > 0; at--) {
      int order = compare_rows(p->rows + at - 1, &row, column);
      if (descending ? order >= 0 : order <= 0) break;
      p->rows[at] = p->rows[at - 1];
    }
    p->rows[at] = row;
  }
}

bool pack_read_order(const char *word, pack_column *column, bool *descending) {
  *descending = word[0] == '-';
  for (int i = 0; i < PACK_COLUMNS; i++)
    if (strcmp(word + *descending, pack_titles[i]) == 0) return *column = (pack_column)i, true;
  return false;
}

/* ---- sinew info FOLDER – a table of the clips in it, for people and for programs ---- */

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
