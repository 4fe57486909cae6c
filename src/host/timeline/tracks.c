/* The tracks of the timeline, each in its strip. After a rerun, the new curves are drawn over the old ones. */
#include "base/text.h"
#include "host/timeline/timeline.h"

#include <math.h>

enum { FEET = 4 };

static uint32_t clip_color(int clip) {
  static const uint8_t colors[][3] = {{88, 160, 232},  {240, 158, 72}, {112, 196, 120}, {222, 104, 128},
                                      {168, 132, 226}, {214, 196, 88}, {84, 194, 196},  {206, 212, 220}};
  const uint8_t *c = colors[(unsigned)clip % (sizeof colors / sizeof *colors)];
  return ui_color(c[0], c[1], c[2], 1);
}

/* ---- marks, contacts, events ---- */

/* A jump that is visible only to a person who looks for it is pale. */
static uint32_t mark_color(const past_mark *m) {
  sinew_mark_kind kind = m->mark.kind;
  bool is_small = m->mark.rank < PAST_SEEN_JUMP;
  if (kind == SINEW_MARK_POP) return is_small ? ui_color(190, 130, 124, 1) : ui_color(255, 96, 84, 1);
  if (kind == SINEW_MARK_SLIDE) return ui_color(250, 180, 72, 1);
  return kind == SINEW_MARK_TRANSITION ? ui_color(120, 180, 255, 1) : board_grey(120, 1);
}

static void draw_mark(const board *b, const past_mark *m, bool is_old) {
  bool is_bad = m->mark.kind == SINEW_MARK_POP || m->mark.kind == SINEW_MARK_SLIDE;
  float x = board_x(b, past_mark_begin(m)), half = (is_bad ? 1.5f : 0.5f) * b->scale, y = b->tops[TRACK_MARKS];
  float height = b->heights[TRACK_MARKS];
  board_box(b, is_old ? board_grey(90, 1) : mark_color(m), x - half, is_bad ? y : y + height / 2, x + half, y + height);
  if (b->review->mark >= 0 && m == b->host->past.marks + b->review->mark)
    board_box(b, board_grey(255, 1), x - 3 * b->scale, y - 2 * b->scale, x + 3 * b->scale, y);
}

/* Jumps lie on top. */
static void draw_marks_of(const board *b, const past_marks *past, bool is_then) {
  for (int pops = 0; pops <= 1; pops++)
    for (int i = 0; i < past->count; i++) {
      const past_mark *m = past->marks + i;
      bool is_seen = board_has_mark(b, m) && timeline_shows_mark(m) && (is_then || timeline_is_made_again(b->host, m));
      if (is_seen && (m->mark.kind == SINEW_MARK_POP) == pops)
        draw_mark(b, m, is_then && timeline_is_made_again(b->host, m));
    }
}

static void draw_marks(const board *b) {
  draw_marks_of(b, &b->host->past, true);
  if (b->host->rerun.has_result) draw_marks_of(b, &b->host->rerun.result.marks, false);
}

typedef struct contact_rows {
  int feet[FEET], count;
} contact_rows;

static void draw_contacts_of(const board *b, const past_marks *past, bool is_then, contact_rows *rows) {
  float step = b->heights[TRACK_CONTACTS] / FEET;
  for (int i = 0; i < past->count; i++) {
    const past_mark *m = past->marks + i;
    int row = 0;
    if (!board_has_mark(b, m) || m->mark.kind != SINEW_MARK_SLIDE) continue;
    if (is_then == timeline_is_made_again(b->host, m)) continue;
    while (row < rows->count && rows->feet[row] != m->mark.joint) row++;
    if (row == FEET) continue;
    if (row == rows->count) rows->feet[rows->count++] = m->mark.joint;
    const uint8_t *c = timeline_slide_color(m->worst);
    float top = b->tops[TRACK_CONTACTS] + (float)row * step;
    board_box(b, ui_color(c[0], c[1], c[2], 1), board_x(b, m->begin), top, board_x(b, m->end),
              top + fmaxf(step - 2 * b->scale, step / 2));
  }
}

/* A line for each foot that has touched the ground. */
static void draw_contacts(const board *b) {
  contact_rows rows = {.count = 0};
  draw_contacts_of(b, &b->host->past, true, &rows);
  if (b->host->rerun.has_result) draw_contacts_of(b, &b->host->rerun.result.marks, false, &rows);
}

static void draw_events(const board *b) {
  const past_marks *past = &b->host->past;
  const uint32_t color = ui_color(230, 220, 140, 1);
  float free_from = b->left, top = b->tops[TRACK_EVENTS];
  for (int i = 0; i < past->event_count; i++) {
    const past_event *e = past->events + i;
    if (e->actor.id != b->review->actor.id || e->time < b->from || e->time > b->to) continue;
    float x = board_x(b, e->time), width, height;
    board_box(b, color, x - 0.5f * b->scale, top, x + 0.5f * b->scale, top + b->heights[TRACK_EVENTS]);
    ui_text_size(b->ui, UI_TEXT, e->name, &width, &height);
    if (x < free_from || x + width > b->right) continue;
    board_text(b, color, x + 3 * b->scale, top + (b->heights[TRACK_EVENTS] - height) / 2, width + 1, e->name);
    free_from = x + width + 8 * b->scale;
  }
}

/* ---- the ring's moments ---- */

/* The base layer's clip after `clip` by index, so that none moves in the track as weights change; NULL past the last.
 */
static const ring_clip *next_clip(const ring_moment *m, const ring_clip *before) {
  const ring_clip *next = NULL;
  for (int i = 0; i < m->clip_count; i++) {
    const ring_clip *s = m->clips + i;
    bool is_after = !before || s->clip > before->clip || (s->clip == before->clip && s > before);
    if (s->layer == 0 && is_after && s != before && (!next || s->clip < next->clip)) next = s;
  }
  return next;
}

static void draw_stack(const board *b, const ring_moment *m, float left, float right) {
  float top = b->tops[TRACK_WEIGHTS], height = b->heights[TRACK_WEIGHTS], used = 0;
  for (const ring_clip *s = next_clip(m, NULL); s; s = next_clip(m, s)) {
    float weight = fminf(s->normalized_weight, 1 - used);
    board_box(b, clip_color(s->clip), left, top + used * height, right, top + (used + weight) * height);
    used += weight;
  }
}

static void draw_state(const board *b, const ring_moment *m, float left, float right) {
  float top = b->tops[TRACK_STATE];
  if (m->state >= 0) board_box(b, clip_color(m->state + 3), left, top, right, top + b->heights[TRACK_STATE]);
}

/* ---- curves ---- */

typedef struct curve {
  track where;
  const ring *kept;
  bool is_behind; /* of the original run, where it was rerun */
  float low, high;
} curve;

/* NAN: there is none at that moment. Phase: that of the heaviest clip. A joint: the angle between its local rotation
 * and that of the rest pose. */
static float value_at(const board *b, const curve *c, int64_t moment) {
  sinew_actor actor = b->review->actor;
  ring_moment m;
  if (!ring_read(c->kept, moment, actor, &m)) return NAN;
  if (c->where == TRACK_PHASE) return m.clip_count > 0 ? m.clips[0].phase : NAN;
  if (c->where == TRACK_PARAM) return m.param_count > 0 ? m.params[0] : NAN;
  return (float)ring_joint_angle(c->kept, moment, actor, b->review->joint);
}

static void find_range(const board *b, curve *c) {
  int64_t last = ring_find(c->kept, b->to);
  for (int64_t i = ring_find(c->kept, b->from); i <= last; i++) {
    float value = value_at(b, c, i);
    if (isnan(value)) continue;
    c->low = fminf(c->low, value);
    c->high = fmaxf(c->high, value);
  }
}

static void draw_curve(const board *b, const curve *c) {
  float top = b->tops[c->where], height = b->heights[c->where] - 2 * b->scale, size = c->high - c->low;
  uint32_t color = c->is_behind ? board_grey(120, 1) : ui_color(120, 220, 200, 1);
  int64_t last = ring_find(c->kept, b->to);
  for (int64_t i = ring_find(c->kept, b->from); i < last; i++) {
    float value = value_at(b, c, i), next = value_at(b, c, i + 1);
    if (isnan(value)) continue;
    float at = top + (size > 0 ? (c->high - value) / size : 0.5f) * height;
    float to = isnan(next) || (c->where == TRACK_PHASE && next < value)
                   ? at
                   : top + (size > 0 ? (c->high - next) / size : 0.5f) * height;
    float left = board_x(b, ring_time(c->kept, i)), right = board_x(b, ring_time(c->kept, i + 1));
    board_box(b, color, left, fminf(at, to), fmaxf(right, left + b->scale), fmaxf(at, to) + 1.5f * b->scale);
  }
}

/* Writes the value at the cursor, at the right. */
static void say_value(const board *b, const curve *c) {
  char words[32];
  float value = value_at(b, c, ring_find(c->kept, b->review->at)), width, height;
  if (isnan(value)) return;
  if (c->where == TRACK_JOINT) text_format(words, sizeof words, "%.0f\xc2\xb0", (double)value * 57.29577951308232);
  else text_format(words, sizeof words, "%.3g", (double)value);
  ui_text_size(b->ui, UI_TEXT, words, &width, &height);
  float left = b->right - width, top = b->tops[c->where];
  board_box(b, ui_color(24, 27, 32, 0.85f), left - 2 * b->scale, top, b->right,
            top + height); /* no curve strikes it out */
  board_text(b, board_grey(230, 1), left, top, width + 1, words);
}

/* Draws both runs with a common range, the original one behind. */
static void draw_curves(const board *b, track where) {
  const rerun *again = &b->host->rerun;
  curve then = {where, b->ring, again->has_result, INFINITY, -INFINITY},
        now = {where, &again->result.ring, false, 0, 0};
  find_range(b, &then);
  now.low = then.low, now.high = then.high;
  if (again->has_result) find_range(b, &now);
  then.low = now.low, then.high = now.high;
  draw_curve(b, &then);
  if (again->has_result) draw_curve(b, &now);
  say_value(b, again->has_result && ring_find(now.kept, b->review->at) >= 0 ? &now : &then);
}

/* Draws the kept moments, or those of the rerun, which cover their range. */
static void draw_moments(const board *b, const ring *r) {
  int64_t first = ring_find(r, b->from), last = ring_find(r, b->to);
  for (int64_t i = first; i <= last; i++) {
    ring_moment m;
    double end = i < last ? ring_time(r, i + 1) : r == b->ring ? b->to : ring_time(r, i);
    float left = board_x(b, ring_time(r, i)), right = board_x(b, end);
    if (!ring_read(r, i, b->review->actor, &m)) continue;
    draw_stack(b, &m, left, right);
    draw_state(b, &m, left, right);
  }
}

/* ---- all ---- */

static void draw_titles(const board *b) {
  const review *r = b->review;
  const char *param = sinew_actor_param_name(b->host->stage, r->actor, 0);
  const sinew_model *model = ring_model(b->ring, ring_find(b->ring, r->at), r->actor);
  bool has_joint = model && r->joint >= 0 && r->joint < sinew_model_joint_count(model);
  const char *const titles[TRACK_COUNT] = {"marks",
                                           "weights",
                                           "state",
                                           "phase",
                                           "contacts",
                                           "events",
                                           param ? param : "",
                                           !has_joint      ? ""
                                           : r->joint == 0 ? "the root"
                                                           : sinew_model_joint_name(model, r->joint)};
  for (int t = 0; t < TRACK_COUNT; t++) board_title(b, (track)t, titles[t]);
}

static void draw_cursor(const board *b) {
  float at = board_x(b, b->review->at), half = b->scale, top = b->tops[0];
  board_box(b, ui_color(255, 255, 255, 0.10f), board_x(b, b->review->loop[0]), top, board_x(b, b->review->loop[1]),
            b->bottom);
  board_box(b, board_grey(255, 1), at - half / 2, top, at + half / 2, b->bottom);
}

void tracks_draw(const board *b) {
  draw_titles(b);
  draw_marks(b);
  draw_moments(b, b->ring);
  if (b->host->rerun.has_result) draw_moments(b, &b->host->rerun.result.ring);
  draw_curves(b, TRACK_PHASE);
  draw_contacts(b);
  draw_events(b);
  draw_curves(b, TRACK_PARAM);
  draw_curves(b, TRACK_JOINT);
  draw_cursor(b);
}
