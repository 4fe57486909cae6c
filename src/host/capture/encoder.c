#include "host/capture/encoder.h"

#include "host/system/child.h"

#include "base/error.h"
#include "base/file.h"
#include "base/memory/memory.h"
#include "base/text.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

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
