#include "host/capture/capture.h"

#include "base/error.h"
#include "base/file.h"
#include "base/memory/memory.h"
#include "base/text.h"
#include "host/capture/picture.h"
#include "host/host.h"
#include "host/system/child.h"

#include <errno.h>
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

/* ---- a video or a GIF, made by an ffmpeg child process that is fed with raw pictures ---- */

struct encoder {
  child *ffmpeg;
  char *path;
  char beside[4096]; /* a temporary path at which ffmpeg writes, until the video is complete */
};

bool encoder_check(const char *path, sinew_error *error) {
  return child_exists("ffmpeg") ||
         error_set(error,
                   "%s: ffmpeg is needed for this kind of file and was not found (apt-get install ffmpeg); "
                   "PNG files and contact sheets need nothing",
                   path);
}

/* ---- start ---- */

enum { ARGUMENT_LIMIT = 40 };
typedef struct command {
  const char *arguments[ARGUMENT_LIMIT];
  int count;
} command;

static void add_all(command *c, const char *const *arguments) {
  for (int i = 0; arguments[i] && c->count < ARGUMENT_LIMIT - 1; i++) c->arguments[c->count++] = arguments[i];
  c->arguments[c->count] = NULL;
}

/* H.264 in 4:2:0 has even sides only. */
#define EVEN_SIDES "pad=ceil(iw/2)*2:ceil(ih/2)*2"

static void add_kind(command *c, const char *extension) {
  if (strcasecmp(extension, "gif") == 0) /* counts in hundredths of a second: 25 a second is exact and even */
    add_all(c,
            (const char *const[]){"-vf", "fps=25,split[a][b];[a]palettegen[p];[b][p]paletteuse", "-loop", "0", NULL});
  else if (strcasecmp(extension, "webm") == 0)
    add_all(c, (const char *const[]){"-vf", EVEN_SIDES, "-c:v", "libvpx-vp9", "-crf", "28", "-b:v", "0", "-row-mt", "1",
                                     "-pix_fmt", "yuv420p", NULL});
  else
    add_all(c, (const char *const[]){"-vf", EVEN_SIDES, "-c:v", "libx264", "-crf", "18", "-preset", "medium",
                                     "-pix_fmt", "yuv420p", "-movflags", "+faststart", NULL});
}

/* "file:" keeps a name with a colon or a leading minus from meaning something else to ffmpeg. */
static bool start(encoder *e, int width, int height, double rate, sinew_error *error) {
  char size[32], frames[32], output[4200];
  sinew_error why;
  command c = {.count = 0};
  snprintf(size, sizeof size, "%dx%d", width, height);
  text_format(frames, sizeof frames, "%.6g", rate);
  if (!file_name_beside(e->beside, sizeof e->beside, e->path))
    return error_set(error, "%s: the path is too long", e->path);
  snprintf(output, sizeof output, "file:%s", e->beside);
  add_all(&c, (const char *const[]){"ffmpeg", "-hide_banner", "-loglevel", "error", "-nostdin", "-y", "-f", "rawvideo",
                                    "-pix_fmt", "rgba", "-s", size, "-r", frames, "-i", "pipe:0", "-an", NULL});
  add_kind(&c, path_extension(e->path));
  add_all(&c, (const char *const[]){output, NULL});
  e->ffmpeg = child_feed(c.arguments, &why);
  return e->ffmpeg || error_set(error, "%s: %s", e->path, why.message);
}

encoder *encoder_create(const char *path, int width, int height, double frames_per_second, sinew_error *error) {
  if (!encoder_check(path, error)) return NULL;
  encoder *e = mem_alloc_zeroed(sizeof *e);
  if (e) e->path = mem_copy_string(path);
  if (!e || !e->path) {
    error_memory(error, path, sizeof *e);
  } else if (start(e, width, height, frames_per_second, error)) {
    return e;
  }
  if (e) mem_free(e->path);
  mem_free(e);
  return NULL;
}

/* ---- feed and finish ---- */

bool encoder_add(encoder *e, const picture *p, sinew_error *error) {
  return child_write(e->ffmpeg, p->rgba, (size_t)p->width * (size_t)p->height * 4) ||
         error_set(error, "%s: ffmpeg takes no more pictures", e->path);
}

/* Adds a mark at the end of the video, which players ignore. It tells a scene that it may overwrite the file. A free
 * box in MP4, a void element in WebM, a comment before a GIF's last byte. */
static bool add_mark(const encoder *e) {
  static const unsigned char box[] = {0, 0, 0, 8 + ENCODER_MARK_SIZE, 'f', 'r', 'e', 'e'},
                             element[] = {0xec, 0x80 | ENCODER_MARK_SIZE}, comment[] = {'!', 0xfe, ENCODER_MARK_SIZE};
  const char *extension = path_extension(e->path);
  bool is_gif = strcasecmp(extension, "gif") == 0;
  FILE *file = fopen(e->beside, "r+b");
  if (!file) return false;
  fseek(file, is_gif ? -1 : 0, SEEK_END);
  if (is_gif) fwrite(comment, 1, sizeof comment, file);
  if (strcasecmp(extension, "mp4") == 0) fwrite(box, 1, sizeof box, file);
  if (strcasecmp(extension, "webm") == 0) fwrite(element, 1, sizeof element, file);
  fwrite(ENCODER_MARK, 1, ENCODER_MARK_SIZE, file);
  if (is_gif) fwrite("\0;", 1, 2, file);
  bool good = !ferror(file);
  return fclose(file) == 0 && good;
}

bool encoder_finish(encoder *e, sinew_error *error) {
  bool fine = child_finish(e->ffmpeg);
  if (!fine) error_set(error, "%s: ffmpeg failed (its own words are above)", e->path);
  if (fine && !add_mark(e)) fine = error_set(error, "%s: cannot be written completely", e->path);
  fine = fine && file_replace(e->beside, e->path, error);
  if (!fine) remove(e->beside);
  mem_free(e->path);
  mem_free(e);
  return fine;
}

/* A video that an application records while it runs, in addition to the capture of the whole run (host->capture). */

static void tell(sinew_host *host, bool fine, const char *line) {
  sinew_log_level level = fine ? SINEW_LOG_INFO : SINEW_LOG_ERROR;
  sinew_host_log(host, level, line);
  sinew_log(level, "%s", line);
}

void host_end_recording(sinew_host *host) {
  recording *r = &host->recording;
  char line[4200];
  sinew_error reason;
  if (!r->capture) return;
  bool fine = capture_finish(r->capture, NULL, &reason);
  capture_destroy(r->capture);
  r->capture = NULL;
  text_format(line, sizeof line, "recorded %lld pictures, %.3g s: %s", (long long)r->count, (double)r->count / r->rate,
              r->target);
  tell(host, fine, fine ? line : reason.message);
}

bool host_read_picture(sinew_host *host, sinew_error *error) {
  picture *p = &host->pixels;
  if (p->width != host->width || p->height != host->height) {
    picture_release(p);
    if (!picture_create(p, host->width, host->height, error)) return false;
  }
  return sinew_renderer_read(host->renderer, p->width, p->height, p->rgba, error);
}

void host_record_frame(sinew_host *host) {
  recording *r = &host->recording;
  sinew_error reason;
  if (!r->capture) return;
  int64_t number = r->count++;
  bool fine = !capture_wants(r->capture, number) ||
              (host_read_picture(host, &reason) && capture_add(r->capture, number, 0, &host->pixels, &reason));
  if (!fine) tell(host, false, reason.message);
  if (!fine || r->count == r->limit) host_end_recording(host);
}

sinew_record_def sinew_record_def_default(void) { return (sinew_record_def){.rate = 60}; }

static bool check(const sinew_host *host, const sinew_record_def *def, sinew_error *error) {
  if (!host->renderer) return error_set(error, "%s: nothing is drawn, so there is nothing to record", def->target);
  if (!(def->rate > 0 && def->rate <= 1000) || !(def->seconds >= 0 && def->seconds <= 3600))
    return error_set(error, "%s: a recording has a rate in 0 .. 1,000 pictures a second and takes 0 .. 3,600 seconds",
                     def->target);
  return strlen(def->target) < sizeof host->recording.target ||
         error_set(error, "%.60s…: the path is too long", def->target);
}

/* A target that keeps only the last picture is not a recording. */
static capture *create(const sinew_record_def *def, double rate, int64_t limit, sinew_error *error) {
  capture *made = capture_create(
      &(capture_def){.target = def->target, .frame_limit = (int)limit, .frames_per_second = rate}, error);
  if (!made || !capture_wants_last(made)) return made;
  capture_destroy(made);
  error_set(error, "%s: a recording is a video, a folder, numbered pictures (%%05d) or a contact sheet (:12)",
            def->target);
  return NULL;
}

bool sinew_host_record(sinew_host *host, const sinew_record_def *def, sinew_error *error) {
  recording *r = &host->recording;
  if (!def) host_end_recording(host);
  if (!def) return true;
  if (!check(host, def, error)) return false;
  if (r->capture && strcmp(r->target, def->target) == 0) return true;
  const double rate = host->def.fixed_dt > 0 ? 1 / host->def.fixed_dt : def->rate;
  const int64_t limit = llround(def->seconds * rate);
  capture *made = create(def, rate, limit, error);
  if (!made) return false;
  host_end_recording(host);
  *r = (recording){.capture = made, .rate = rate, .limit = limit};
  memcpy(r->target, def->target, strlen(def->target) + 1);
  return true;
}

const char *sinew_host_recording(const sinew_host *host) {
  return host->recording.capture ? host->recording.target : NULL;
}
