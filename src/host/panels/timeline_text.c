#include "base/text.h"
#include "host/host.h"
#include "host/panels/timeline.h"

#include <sinew/graph.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *clip_name(const sinew_model *model, int clip) {
  bool known = clip >= 0 && clip < sinew_model_clip_count(model);
  return known ? sinew_clip_name(sinew_model_clip(model, clip)) : "?";
}

static void add(char out[TIMELINE_TEXT], const char *text) {
  size_t used = strlen(out);
  snprintf(out + used, TIMELINE_TEXT - used, "%s", text);
}

void timeline_say_time(const sinew_host *host, char out[TIMELINE_TEXT]) {
  const review *r = &host->review;
  int64_t moment = ring_find(&host->ring, r->at);
  const char *name = ring_name(&host->ring, moment, r->actor);
  text_format(out, TIMELINE_TEXT, "%.60s  %+.2f s  frame %lld%s", name ? name : "nobody", r->at - host->time,
              (long long)ring_frame(&host->ring, moment), r->plays ? "  plays" : "");
}

/* Metres a second over a tenth of a second around it. */
static double speed_at(const sinew_host *host, int64_t moment, sinew_actor actor) {
  const ring_moment *a = ring_read(&host->ring, moment - 1, actor), *b = ring_read(&host->ring, moment + 1, actor);
  double seconds = ring_time(&host->ring, moment + 1) - ring_time(&host->ring, moment - 1);
  if (!a || !b || seconds <= 0) return 0;
  return hypot((double)(b->place.translation.x - a->place.translation.x),
               (double)(b->place.translation.z - a->place.translation.z)) /
         seconds;
}

/* "Walk travels 1.31 m/s, the actor 1.60": why a foot slides, where the clip travels. */
static void add_travel(const sinew_host *host, const past_mark *m, char out[TIMELINE_TEXT]) {
  int64_t moment = ring_find(&host->ring, (m->begin + m->end) / 2);
  const ring_moment *at = ring_read(&host->ring, moment, m->actor);
  const sinew_model *model = ring_model(&host->ring, moment, m->actor);
  sinew_vec3 velocity;
  if (!at || at->share_count == 0 || !sinew_clip_velocity(model, at->shares[0].clip, &velocity)) return;
  double clip = hypot((double)velocity.x, (double)velocity.z) * fabs((double)at->shares[0].speed);
  char text[160];
  text_format(text, sizeof text, "; %.60s travels %.2f m/s, the actor %.2f", clip_name(model, at->shares[0].clip), clip,
              speed_at(host, moment, m->actor));
  add(out, text);
}

void timeline_say_mark(const sinew_host *host, char out[TIMELINE_TEXT]) {
  const review *r = &host->review;
  out[0] = '\0';
  if (r->mark < 0) {
    snprintf(out, TIMELINE_TEXT, "no jump and no slide in the last seconds");
    return;
  }
  const past_mark *m = host->past.marks + r->mark;
  snprintf(out, TIMELINE_TEXT, "%s", m->text);
  if (m->mark.kind == SINEW_MARK_SLIDE) add_travel(host, m, out);
}

void timeline_say_moment(const sinew_host *host, char out[TIMELINE_TEXT]) {
  const review *r = &host->review;
  int64_t moment = ring_find(&host->ring, r->at);
  const ring_moment *m = ring_read(&host->ring, moment, r->actor);
  const sinew_model *model = ring_model(&host->ring, moment, r->actor);
  out[0] = '\0';
  for (int i = 0; m && i < m->share_count; i++) {
    const ring_share *s = m->shares + i;
    const char *layer = s->layer > 0 ? sinew_actor_layer_name(host->stage, r->actor, s->layer) : NULL;
    char text[120];
    text_format(text, sizeof text, "%s%.32s%s%.32s %.0f %%", i ? "   " : "", layer ? layer : "", layer ? ": " : "",
                clip_name(model, s->clip), (double)s->share * 100);
    add(out, text);
  }
  for (int i = 0; m && i < m->param_count; i++) {
    const char *name = sinew_actor_param_name(host->stage, r->actor, i);
    char text[64];
    text_format(text, sizeof text, "   %.32s = %.3g", name ? name : "?", (double)m->params[i]);
    add(out, text);
  }
  if (!m) snprintf(out, TIMELINE_TEXT, "not there at this moment");
}
