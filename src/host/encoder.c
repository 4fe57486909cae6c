#include "host/encoder.h"

#include "base/error.h"
#include "base/file.h"
#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

struct encoder {
  pid_t child;
  int feed;
  char *path;
};

/* ---- is it there ---- */

static bool is_in_folder(const char *folder, size_t length, const char *program) {
  char path[4096];
  int written = snprintf(path, sizeof path, "%.*s/%s", (int)length, folder, program);
  return written > 0 && written < (int)sizeof path && file_exists(path) && access(path, X_OK) == 0;
}

bool encoder_check(const char *path, sinew_error *error) {
  const char *folders = getenv("PATH");
  while (folders && *folders) {
    size_t length = strcspn(folders, ":");
    if (length > 0 && is_in_folder(folders, length, "ffmpeg")) return true;
    folders += length + (folders[length] == ':');
  }
  return error_set(error,
                   "%s: ffmpeg is needed for this kind of file and was not found (apt-get install ffmpeg); "
                   "PNG files and contact sheets need nothing",
                   path);
}

/* ---- start ---- */

enum { ARGUMENT_LIMIT = 40 };
typedef struct command {
  char *arguments[ARGUMENT_LIMIT]; /* posix_spawn wants them without const; it does not change them */
  int count;
} command;

static void add_all(command *c, const char *const *arguments) {
  for (int i = 0; arguments[i] && c->count < ARGUMENT_LIMIT - 1; i++) {
    memcpy(&c->arguments[c->count], &arguments[i], sizeof arguments[i]);
    c->count++;
  }
  c->arguments[c->count] = NULL;
}

/* H.264 in 4:2:0 has even sides only. */
#define EVEN_SIDES "pad=ceil(iw/2)*2:ceil(ih/2)*2"

static void add_kind(command *c, const char *extension) {
  if (strcasecmp(extension, "gif") == 0) /* counts in hundredths of a second: 25 a second is exact and played evenly */
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
static bool spawn_with(encoder *e, int input, const char *size, const char *rate, const char *output,
                       sinew_error *error) {
  command c = {.count = 0};
  add_all(&c, (const char *const[]){"ffmpeg", "-hide_banner", "-loglevel", "error", "-nostdin", "-y", "-f", "rawvideo",
                                    "-pix_fmt", "rgba", "-s", size, "-r", rate, "-i", "pipe:0", "-an", NULL});
  add_kind(&c, path_extension(e->path));
  add_all(&c, (const char *const[]){output, NULL});
  posix_spawn_file_actions_t actions;
  if (posix_spawn_file_actions_init(&actions) != 0) return error_memory(error, "ffmpeg", sizeof actions);
  posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
  int status = posix_spawnp(&e->child, "ffmpeg", &actions, NULL, c.arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  return status == 0 || error_set(error, "%s: ffmpeg could not be started: %s", e->path, strerror(status));
}

/* A socket and not a pipe: writing to a child that has ended is then an error and never a signal. */
static bool start(encoder *e, int width, int height, double rate, sinew_error *error) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0)
    return error_set(error, "%s: no channel to ffmpeg: %s", e->path, strerror(errno));
  fcntl(ends[0], F_SETFD, FD_CLOEXEC);
  fcntl(ends[1], F_SETFD, FD_CLOEXEC);
  char size[32], frames[32], output[4200];
  snprintf(size, sizeof size, "%dx%d", width, height);
  snprintf(frames, sizeof frames, "%.6g", rate);
  snprintf(output, sizeof output, "file:%s", e->path);
  bool started = spawn_with(e, ends[1], size, frames, output, error);
  close(ends[1]);
  e->feed = ends[0];
  if (!started) close(e->feed);
  return started;
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
  const uint8_t *data = p->rgba;
  size_t left = (size_t)p->width * (size_t)p->height * 4;
  while (left > 0) {
    ssize_t sent = send(e->feed, data, left, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return error_set(error, "%s: ffmpeg takes no more pictures: %s", e->path, strerror(errno));
    data += sent;
    left -= (size_t)sent;
  }
  return true;
}

bool encoder_finish(encoder *e, sinew_error *error) {
  close(e->feed);
  int status = 0;
  pid_t ended;
  do ended = waitpid(e->child, &status, 0);
  while (ended < 0 && errno == EINTR);
  bool fine = ended == e->child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
  if (!fine) error_set(error, "%s: ffmpeg failed (its own words are above)", e->path);
  mem_free(e->path);
  mem_free(e);
  return fine;
}
