#include "base/text.h"
#include "base/clock.h"
#include "host/host.h"
#include "host/timeline/timeline.h"

#include <sinew/graph.h>

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

/* Lists the crowds that are not shown, and why. */
static void add_left_out(const ring *kept, int64_t moment, char out[TIMELINE_TEXT]) {
  const char *name = kept_crowds_left_out(&kept->crowds, moment, 0);
  bool more = kept_crowds_left_out(&kept->crowds, moment, 1);
  double missing = ring_crowds_missing(kept, moment);
  char text[160] = "";
  if (name)
    text_format(text, sizeof text, "  the crowd %.60s%s too large to be kept", name, more ? " and others are" : " is");
  else if (missing > 0) text_format(text, sizeof text, "  crowds are kept from %.1f s later on", missing);
  add(out, text);
}

/* "the crowd walkers", "3 crowds"; without actors and crowds "an empty scene". */
static void say_crowds(const ring *r, int64_t moment, char *out, size_t size) {
  int count = ring_crowd_count(r, moment);
  if (count == 0) text_format(out, size, "an empty scene");
  else if (count == 1) text_format(out, size, "the crowd %.40s", ring_crowd(r, moment, 0)->name);
  else text_format(out, size, "%d crowds", count);
}

void timeline_say_time(const sinew_host *host, char out[TIMELINE_TEXT]) {
  const review *r = &host->review;
  int64_t moment = ring_find(&host->ring, r->at);
  const char *name = ring_name(&host->ring, moment, r->actor);
  char crowds[64];
  if (!name && ring_actor_count(&host->ring, moment) == 0) {
    say_crowds(&host->ring, moment, crowds, sizeof crowds);
    name = crowds;
  }
  text_format(out, TIMELINE_TEXT, "%.60s  %+.2f s  frame %lld%s", name ? name : "nobody", r->at - host->time,
              (long long)ring_frame(&host->ring, moment), r->plays ? "  plays" : "");
  add_left_out(&host->ring, moment, out);
}

/* The clip with the largest weight. */
static const char *main_clip(const sinew_host *host, int64_t moment, sinew_actor actor, double *percent) {
  ring_moment at;
  const sinew_model *model = ring_model(&host->ring, moment, actor);
  if (!model || !ring_read(&host->ring, moment, actor, &at) || at.clip_count == 0) return NULL;
  *percent = (double)at.clips[0].normalized_weight * 100;
  return clip_name(model, at.clips[0].clip);
}

/* "; Wave 100 % → Idle 100 %": the heaviest clip just before a jump and just after it, if they differ. */
static void add_change(const sinew_host *host, const past_mark *m, char out[TIMELINE_TEXT]) {
  double before, after;
  int64_t moment = ring_find(&host->ring, m->begin - 1.0 / 60);
  if (ring_time(&host->ring, moment) > m->begin - 1.0 / 60) moment--;
  const char *from = main_clip(host, moment, m->actor, &before), *to = main_clip(host, moment + 2, m->actor, &after);
  char text[160];
  if (!from || !to || strcmp(from, to) == 0) return;
  text_format(text, sizeof text, "; %.60s %.0f %% \xe2\x86\x92 %.60s %.0f %%", from, before, to, after);
  add(out, text);
}

void timeline_say_mark(const sinew_host *host, char out[TIMELINE_TEXT]) {
  const review *r = &host->review;
  out[0] = '\0';
  if (r->mark < 0) {
    bool any = ring_actor_count(&host->ring, ring_find(&host->ring, r->at)) > 0;
    const char *earlier = past_marks_worst(&host->past, 0) >= 0 ? "; P goes to an earlier mark" : "";
    if (any) text_format(out, TIMELINE_TEXT, "no jump and no slide in the last seconds%s", earlier);
    else text_format(out, TIMELINE_TEXT, "marks and tracks need an actor, and there is none");
    return;
  }
  const past_mark *m = host->past.marks + r->mark;
  snprintf(out, TIMELINE_TEXT, "%s", m->text);
  if (m->mark.kind == SINEW_MARK_POP) add_change(host, m, out);
}

/* ---- the rerun ---- */

/* None has the rank 0. */
static sinew_mark largest_jump(const past_marks *marks, sinew_actor actor, const double range[2]) {
  sinew_mark jump = {.rank = 0};
  for (int i = 0; i < marks->count; i++) {
    const past_mark *m = marks->marks + i;
    if (m->actor.id != actor.id || m->begin < range[0] || m->begin > range[1]) continue;
    if (m->mark.kind == SINEW_MARK_POP && m->mark.rank > jump.rank) jump = m->mark;
  }
  return jump;
}

/* In centimetres. If measuring restarts, the count restarts at 0. */
static double slid_in(const ring *r, sinew_actor actor, const double range[2]) {
  double slid = 0;
  double before = -1;
  for (int64_t m = ring_find(r, range[0]); ring_time(r, m) >= 0 && ring_time(r, m) <= range[1]; m++) {
    ring_moment now;
    double is = ring_read(r, m, actor, &now) ? (double)now.slid : -1;
    if (is >= 0 && before >= 0) slid += (is >= before ? is - before : is) * 100;
    before = is;
  }
  return slid;
}

static void say_difference(const sinew_host *host, char out[TIMELINE_TEXT]) {
  const rerun *again = &host->rerun;
  const ring *made = &again->result.ring;
  const double range[2] = {ring_time(made, made->first), ring_time(made, made->first + made->count - 1)};
  sinew_actor actor = host->review.actor;
  double last, first = rerun_result_compare(&host->ring, made, actor, range[0], range[1], &last);
  const char *how = again->from_start ? ", from the scene's start" : "";
  sinew_mark jump = largest_jump(&again->result.marks, actor, range), then = largest_jump(&host->past, actor, range);
  const char *verdict = then.rank == 0 ? "" : jump.rank == 0 ? " (gone)" : jump.rank < PAST_SEEN_JUMP ? " (small)" : "";
  const double degrees = 57.29577951308232;
  if (first < 0)
    text_format(out, TIMELINE_TEXT, "with your edit%s: %s%.60s differs (took %.0f ms)", how,
                again->crowd[0] ? "the crowd " : "nothing", again->crowd, again->seconds * 1e3);
  else
    text_format(out, TIMELINE_TEXT,
                "with your edit%s: differs from %+.2f s on; jump %.0f\xc2\xb0 %.0f cm \xe2\x86\x92 %.0f\xc2\xb0 %.0f "
                "cm%s, feet "
                "slid %.1f \xe2\x86\x92 %.1f cm, ends %.2f m apart (took %.0f ms)",
                how, first - host->time, (double)then.angle * degrees, (double)then.size * 100,
                (double)jump.angle * degrees, (double)jump.size * 100, verdict, slid_in(&host->ring, actor, range),
                slid_in(made, actor, range), last, again->seconds * 1e3);
}

/* After two seconds it says what takes so long, and how to shorten it. */
static void say_running(const sinew_host *host, char out[TIMELINE_TEXT]) {
  const rerun *again = &host->rerun;
  double seconds = clock_seconds() - again->began;
  long long to = ring_frame(&host->ring, ring_find(&host->ring, host->review.loop[1])),
            from = again->is_asked ? ring_frame(&host->ring, ring_find(&host->ring, host->review.loop[0])) : 1;
  const char *hint = seconds < 2 ? "" : "; Backspace: only the second before here and the one after";
  text_format(out, TIMELINE_TEXT, "running again, %.1f s: frames %lld to %lld%s", seconds, from, to, hint);
}

bool timeline_say_rerun(const sinew_host *host, char out[TIMELINE_TEXT]) {
  out[0] = '\0';
  const rerun *again = &host->rerun;
  const branch *on = &host->branch;
  if (on->is_on_its_way)
    return text_format(out, TIMELINE_TEXT, "plays on from here in a moment: frame %lld of %lld   Esc stops it",
                       (long long)on->other->frame, (long long)on->frame) > 0;
  if (on->problem[0]) return snprintf(out, TIMELINE_TEXT, "%s", on->problem) > 0;
  bool runs = rerun_is_running(again) && again->purpose == RERUN_TO_SHOW;
  if (runs) say_running(host, out);
  else if (again->problem[0]) snprintf(out, TIMELINE_TEXT, "%s", again->problem);
  else if (again->has_result) say_difference(host, out);
  else if (again->file_count > 0 && !host->self)
    snprintf(out, TIMELINE_TEXT, "saved; the change takes effect when you return to now");
  return out[0] != '\0';
}

void timeline_say_moment(const sinew_host *host, char out[TIMELINE_TEXT]) {
  const review *r = &host->review;
  const ring *seen = r->cast.ring ? r->cast.ring : &host->ring;
  int64_t moment = ring_find(seen, r->at);
  ring_moment kept;
  const ring_moment *m = ring_read(seen, moment, r->actor, &kept) ? &kept : NULL;
  const sinew_model *model = ring_model(seen, moment, r->actor);
  out[0] = '\0';
  for (int i = 0; m && i < m->clip_count; i++) {
    const ring_clip *s = m->clips + i;
    const char *layer = s->layer > 0 ? sinew_actor_layer_name(host->stage, r->actor, s->layer) : NULL;
    char text[120];
    text_format(text, sizeof text, "%s%.32s%s%.32s %.0f %%", i ? "   " : "", layer ? layer : "", layer ? ": " : "",
                clip_name(model, s->clip), (double)s->normalized_weight * 100);
    add(out, text);
  }
  for (int i = 0; m && i < m->param_count; i++) {
    const char *name = sinew_actor_param_name(host->stage, r->actor, i);
    char text[64];
    text_format(text, sizeof text, "   %.32s = %.3g", name ? name : "?", (double)m->params[i]);
    add(out, text);
  }
  if (m) return;
  bool any = ring_actor_count(seen, moment) > 0;
  int members = 0;
  for (int i = 0; i < ring_crowd_count(seen, moment); i++) members += ring_crowd(seen, moment, i)->members;
  if (any) snprintf(out, TIMELINE_TEXT, "not there at this moment");
  else if (members > 0) snprintf(out, TIMELINE_TEXT, "%d %s", members, text_plural(members, "member", "members"));
}
