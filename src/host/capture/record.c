#include "host/capture/record.h"

#include "base/error.h"
#include "base/text.h"
#include "host/host.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

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
