#include "host/capture/capture.h"

#include "base/error.h"
#include "base/file.h"
#include "base/memory/memory.h"
#include "host/capture/encoder.h"
#include "host/capture/png.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

typedef enum capture_kind { CAPTURE_LAST, CAPTURE_SEQUENCE, CAPTURE_SHEET, CAPTURE_VIDEO } capture_kind;

struct capture {
  capture_kind kind;
  char path[4096];
  size_t number_begin, number_end; /* the part of a sequence's path that is the frame's number */
  int number_width;
  int cell_count, first, frame_limit;
  double frames_per_second;
  sheet_layout layout;
  picture sheet, cell; /* `cell` also holds a video's frame after the window's size has changed */
  encoder *video;
  double video_seconds; /* of the frames so far that had pictures */
  int64_t video_pictures;
  int cells_taken;
};

/* ---- reading the target ---- */

static bool has_extension(const char *path, const char *extension) {
  return strcasecmp(path_extension(path), extension) == 0;
}

/* "sheet.png:12" */
static bool parse_sheet(capture *c, sinew_error *error) {
  char *colon = strrchr(c->path, ':');
  if (!colon || colon[1] == '\0' || strspn(colon + 1, "0123456789") != strlen(colon + 1)) return true;
  long count = strtol(colon + 1, NULL, 10);
  *colon = '\0';
  if (count < 1 || count > 400) return error_set(error, "%s: a contact sheet has 1 to 400 pictures", c->path);
  if (!has_extension(c->path, "png")) return error_set(error, "%s: a contact sheet is a .png file", c->path);
  if (c->frame_limit < 1) return error_set(error, "%s: a contact sheet needs the number of frames", c->path);
  c->kind = CAPTURE_SHEET;
  int frames = c->frame_limit - c->first;
  c->cell_count = count < frames ? (int)count : frames;
  return true;
}

/* "{frame}" or "%d", "%05d" in the name of the file; it is filled in by hand and never given to printf. */
static bool find_number(capture *c) {
  char *name = c->path + (path_file(c->path) - c->path), *brace = strstr(name, "{frame}");
  if (brace) {
    c->number_begin = (size_t)(brace - c->path);
    c->number_end = c->number_begin + strlen("{frame}");
    c->number_width = 5;
    return true;
  }
  for (char *percent = strchr(name, '%'); percent; percent = strchr(percent + 1, '%')) {
    size_t digits = strspn(percent + 1, "0123456789");
    if (digits > 2 || percent[1 + digits] != 'd') continue;
    c->number_begin = (size_t)(percent - c->path);
    c->number_end = c->number_begin + digits + 2;
    c->number_width = atoi(percent + 1);
    return true;
  }
  return false;
}

static bool parse_folder(capture *c, sinew_error *error) {
  if (!folder_create(c->path, error)) return false;
  size_t length = strlen(c->path);
  while (length > 1 && c->path[length - 1] == '/') length--;
  if (length + sizeof "/frame_{frame}.png" > sizeof c->path)
    return error_set(error, "%s: the path is too long", c->path);
  memcpy(c->path + length, "/frame_{frame}.png", sizeof "/frame_{frame}.png");
  c->kind = CAPTURE_SEQUENCE;
  return find_number(c);
}

static bool parse_file(capture *c, sinew_error *error) {
  const char *extension = path_extension(c->path);
  if (strcasecmp(extension, "png") == 0) {
    c->kind = find_number(c) ? CAPTURE_SEQUENCE : CAPTURE_LAST;
    return true;
  }
  c->kind = CAPTURE_VIDEO;
  if (strcasecmp(extension, "mp4") == 0 || strcasecmp(extension, "webm") == 0 || strcasecmp(extension, "gif") == 0)
    return encoder_check(c->path, error);
  return error_set(error,
                   "%s: pictures go to .png, .mp4, .webm or .gif files, or to a folder (a name with '/' at its "
                   "end)",
                   c->path);
}

static bool check_writable(const capture *c, sinew_error *error) {
  char folder[4096];
  if (!path_folder(folder, sizeof folder, c->path)) return error_set(error, "%s: the path is too long", c->path);
  if (folder_exists(c->path)) return error_set(error, "%s: is a folder, not a file", c->path);
  if (!folder_exists(folder)) return error_set(error, "%s: the folder %s does not exist", c->path, folder);
  return access(folder, W_OK) == 0 ||
         error_set(error, "%s: the folder cannot be written: %s", c->path, strerror(errno));
}

static bool parse(capture *c, const capture_def *def, sinew_error *error) {
  size_t length = strlen(def->target);
  if (length == 0) return error_set(error, "the name of the file for pictures is empty");
  if (length >= sizeof c->path) return error_set(error, "%.60s…: the path is too long", def->target);
  memcpy(c->path, def->target, length + 1);
  c->frame_limit = def->frame_limit;
  c->first = def->first;
  c->frames_per_second = def->frames_per_second > 0 ? def->frames_per_second : 60;
  if (c->path[length - 1] == '/' || folder_exists(c->path)) return parse_folder(c, error) && check_writable(c, error);
  if (!parse_sheet(c, error)) return false;
  return (c->kind == CAPTURE_SHEET || parse_file(c, error)) && check_writable(c, error);
}

capture *capture_create(const capture_def *def, sinew_error *error) {
  capture *c = mem_alloc_zeroed(sizeof *c);
  if (!c) {
    error_memory(error, "pictures", sizeof *c);
    return NULL;
  }
  if (parse(c, def, error)) return c;
  mem_free(c);
  return NULL;
}

void capture_destroy(capture *c) {
  if (!c) return;
  if (c->video) (void)encoder_finish(c->video, NULL);
  picture_release(&c->sheet);
  picture_release(&c->cell);
  mem_free(c);
}

/* ---- frames ---- */

/* The cells divide the run into equal parts; a cell shows the last frame of its part. */
static int64_t frame_of_cell(const capture *c, int cell) {
  return c->first + (int64_t)(cell + 1) * (c->frame_limit - c->first) / c->cell_count - 1;
}

bool capture_wants(const capture *c, int64_t frame) {
  if (c->kind == CAPTURE_SHEET) return c->cells_taken < c->cell_count && frame == frame_of_cell(c, c->cells_taken);
  return c->kind != CAPTURE_LAST && frame >= c->first;
}

bool capture_needs(const capture *c, int64_t frame) {
  if (c->kind == CAPTURE_LAST) return frame + 2 >= c->frame_limit;
  return capture_wants(c, frame) || capture_wants(c, frame + 1);
}

bool capture_wants_last(const capture *c) { return c->kind == CAPTURE_LAST; }

static bool add_numbered(const capture *c, int64_t frame, const picture *p, sinew_error *error) {
  char path[sizeof c->path + 32];
  snprintf(path, sizeof path, "%.*s%0*lld%s", (int)c->number_begin, c->path, c->number_width, (long long)frame,
           c->path + c->number_end);
  return png_write(path, p, error);
}

static void fill(picture *p, const uint8_t color[4]) {
  for (size_t i = 0; i < (size_t)p->width * (size_t)p->height; i++) memcpy(p->rgba + i * 4, color, 4);
}

static bool begin_sheet(capture *c, const picture *p, sinew_error *error) {
  c->layout = sheet_plan(c->cell_count, p->width, p->height);
  if (!picture_create(&c->sheet, c->layout.width, c->layout.height, error)) return false;
  fill(&c->sheet, (const uint8_t[4]){24, 26, 30, 255});
  return picture_create(&c->cell, c->layout.cell_width, c->layout.cell_height, error);
}

static bool add_to_sheet(capture *c, const picture *p, sinew_error *error) {
  if (!c->cell.rgba && !begin_sheet(c, p, error)) return false;
  int x, y;
  sheet_cell(&c->layout, c->cells_taken++, &x, &y);
  picture_scale(p, &c->cell);
  picture_paste(&c->cell, &c->sheet, x, y);
  return true;
}

/* The number of video frames that this frame fills. The first frame of a run is always shown. */
static int64_t pictures_of(capture *c, double seconds) {
  static const double longest = 10; /* so that a stall does not fill the file */
  if (seconds <= 0) return 1;
  if (seconds > longest) seconds = longest;
  c->video_seconds += seconds;
  int64_t until = (int64_t)floor(c->video_seconds * c->frames_per_second + 0.5);
  if (until < 1) until = 1;
  int64_t count = until - c->video_pictures;
  c->video_pictures = until;
  return count;
}

/* A video has one size: frames of other sizes are scaled to that of the first. */
static bool add_to_video(capture *c, int64_t count, const picture *p, sinew_error *error) {
  if (!c->video) {
    c->video = encoder_create(c->path, p->width, p->height, c->frames_per_second, error);
    if (!c->video || !picture_create(&c->cell, p->width, p->height, error)) return false;
  }
  bool is_same = p->width == c->cell.width && p->height == c->cell.height, fine = true;
  if (!is_same) picture_scale(p, &c->cell);
  for (int64_t i = 0; fine && i < count; i++) fine = encoder_add(c->video, is_same ? p : &c->cell, error);
  return fine;
}

bool capture_add(capture *c, int64_t frame, double seconds, const picture *p, sinew_error *error) {
  if (c->kind == CAPTURE_SEQUENCE) return add_numbered(c, frame, p, error);
  if (c->kind == CAPTURE_SHEET) return add_to_sheet(c, p, error);
  return c->kind == CAPTURE_LAST || add_to_video(c, pictures_of(c, seconds), p, error);
}

bool capture_finish(capture *c, const picture *last, sinew_error *error) {
  if (c->kind == CAPTURE_LAST && last) return png_write(c->path, last, error);
  if (c->kind == CAPTURE_SHEET && c->sheet.rgba) return png_write(c->path, &c->sheet, error);
  encoder *video = c->video;
  c->video = NULL;
  return !video || encoder_finish(video, error);
}
