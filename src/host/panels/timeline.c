#include "host/panels/timeline.h"

#include "host/host.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double span = 10; /* seconds that are seen at once */

/* Rows from the top down, in pixels of a usual display. */
enum {
  LINE = 19,
  MARKS = 16,
  SHARES = 44,
  STATES = 14,
  FOOT = 7,
  FEET = 4,
  EVENTS = 16,
  CURVE = 28,
  GAP = 4,
  EDGE = 10
};
enum { HEIGHT = 3 * LINE + MARKS + SHARES + STATES + FOOT * FEET + EVENTS + CURVE + 6 * GAP + 2 * EDGE, TITLES = 74 };

typedef struct board {
  sinew_host *host;
  ui *ui;
  const review *review;
  const ring *ring;
  float scale, left, right, top;
  double from, to; /* seconds */
} board;

static uint32_t clip_color(int clip) {
  static const uint8_t colors[][3] = {{88, 160, 232},  {240, 158, 72}, {112, 196, 120}, {222, 104, 128},
                                      {168, 132, 226}, {214, 196, 88}, {84, 194, 196},  {190, 142, 110}};
  const uint8_t *c = colors[(unsigned)clip % (sizeof colors / sizeof *colors)];
  return ui_color(c[0], c[1], c[2], 1);
}

static uint32_t grey(int level, float alpha) { return ui_color(level, level, level, alpha); }

static float at_x(const board *b, double time) {
  return b->left + (float)((time - b->from) / (b->to - b->from)) * (b->right - b->left);
}

static double at_time(const board *b, float x) {
  return b->from + (double)((x - b->left) / (b->right - b->left)) * (b->to - b->from);
}

static void box(const board *b, uint32_t color, float left, float top, float right, float bottom) {
  left = fmaxf(left, b->left), right = fminf(right, b->right);
  if (right <= left) return;
  ui_draw_box(b->ui, &(ui_style){UI_IN_FRONT, UI_TEXT, color}, (float[4]){left, top, right, bottom}, 0);
}

/* What does not fit is cut. */
static void text(const board *b, uint32_t color, float x, float y, float room, const char *words) {
  char cut[TIMELINE_TEXT];
  float width, height;
  snprintf(cut, sizeof cut, "%s", words);
  ui_text_size(b->ui, UI_TEXT, cut, &width, &height);
  for (size_t end = strlen(cut); width > room && end > 0; ui_text_size(b->ui, UI_TEXT, cut, &width, &height)) {
    do cut[--end] = '\0';
    while (end > 0 && (words[end] & 0xc0) == 0x80);
  }
  ui_draw_text(b->ui, &(ui_style){UI_IN_FRONT, UI_TEXT, color}, x, y, cut);
}

static void title(const board *b, float y, const char *words) {
  text(b, grey(150, 1), b->left - (TITLES - 4) * b->scale, y, (TITLES - 8) * b->scale, words);
}

static bool is_seen(const board *b, const past_mark *m) {
  return m->actor.id == b->review->actor.id && m->end >= b->from && m->begin <= b->to;
}

/* ---- rows; each returns where it ends ---- */

static bool is_drawn(const past_mark *m) { return m->mark.kind != SINEW_MARK_SLIDE || past_mark_score(m) > 0; }

static uint32_t mark_color(sinew_mark_kind kind) {
  if (kind == SINEW_MARK_POP) return ui_color(255, 96, 84, 1);
  if (kind == SINEW_MARK_SLIDE) return ui_color(250, 180, 72, 1);
  return kind == SINEW_MARK_TRANSITION ? ui_color(120, 180, 255, 1) : grey(120, 1);
}

static void draw_mark(const board *b, int index, float y) {
  const past_mark *m = b->host->past.marks + index;
  bool is_bad = m->mark.kind == SINEW_MARK_POP || m->mark.kind == SINEW_MARK_SLIDE;
  float x = at_x(b, m->begin), half = (is_bad ? 1.5f : 0.5f) * b->scale, height = MARKS * b->scale;
  box(b, mark_color(m->mark.kind), x - half, is_bad ? y : y + height / 2, x + half, y + height);
  if (index == b->review->mark) box(b, grey(255, 1), x - 3 * b->scale, y - 2 * b->scale, x + 3 * b->scale, y);
}

/* Jumps lie on top. */
static float draw_marks(const board *b, float y) {
  const past_marks *past = &b->host->past;
  title(b, y - 2 * b->scale, "marks");
  for (int pops = 0; pops <= 1; pops++)
    for (int i = 0; i < past->count; i++) {
      const past_mark *m = past->marks + i;
      if (is_seen(b, m) && is_drawn(m) && (m->mark.kind == SINEW_MARK_POP) == pops) draw_mark(b, i, y);
    }
  return y + (MARKS + GAP) * b->scale;
}

/* The next clip of the base layer after `clip`, so that none changes its place as weights do; NULL past the last. */
static const ring_share *next_clip(const ring_moment *m, const ring_share *before) {
  const ring_share *next = NULL;
  for (int i = 0; i < m->share_count; i++) {
    const ring_share *s = m->shares + i;
    bool is_after = !before || s->clip > before->clip || (s->clip == before->clip && s > before);
    if (s->layer == 0 && is_after && s != before && (!next || s->clip < next->clip)) next = s;
  }
  return next;
}

static void draw_stack(const board *b, const ring_moment *m, float left, float right, float y) {
  float height = SHARES * b->scale, used = 0;
  for (const ring_share *s = next_clip(m, NULL); s; s = next_clip(m, s)) {
    float share = fminf(s->share, 1 - used);
    box(b, clip_color(s->clip), left, y + used * height, right, y + (used + share) * height);
    used += share;
  }
}

static void draw_state(const board *b, const ring_moment *m, float left, float right, float y) {
  if (m->state >= 0) box(b, clip_color(m->state + 3), left, y, right, y + STATES * b->scale);
}

/* Between the lowest and the highest value that is seen. */
static void draw_param(const board *b, const ring_moment *m, const float range[2], bool is_again, float left,
                       float right, float y) {
  if (m->param_count == 0) return;
  float height = (CURVE - 2) * b->scale, size = range[1] - range[0];
  float share = size > 0 ? (m->params[0] - range[0]) / size : 0.5f, at = y + (1 - share) * height;
  bool is_behind = b->host->rerun.has_take && !is_again;
  box(b, is_behind ? grey(120, 1) : ui_color(120, 220, 200, 1), left, at, right, at + 2 * b->scale);
}

static void find_range(const board *b, int64_t first, int64_t last, float range[2]) {
  range[0] = INFINITY, range[1] = -INFINITY;
  for (int64_t i = first; i <= last; i++) {
    const ring_moment *m = ring_read(b->ring, i, b->review->actor);
    if (!m || m->param_count == 0) continue;
    range[0] = fminf(range[0], m->params[0]);
    range[1] = fmaxf(range[1], m->params[0]);
  }
}

typedef struct rows {
  float shares, states, curve;
} rows;

/* Of what was kept, or of what was made again: that covers what it is about, but for the curve. */
static void draw_moments(const board *b, const ring *r, const float range[2], const rows *at) {
  int64_t first = ring_find(r, b->from), last = ring_find(r, b->to);
  for (int64_t i = first; i <= last; i++) {
    const ring_moment *m = ring_read(r, i, b->review->actor);
    double end = i < last ? ring_time(r, i + 1) : b->to;
    if (r != b->ring && i == last) end = ring_time(r, i);
    float left = at_x(b, ring_time(r, i)), right = at_x(b, end);
    if (!m) continue;
    draw_stack(b, m, left, right, at->shares);
    draw_state(b, m, left, right, at->states);
    draw_param(b, m, range, r != b->ring, left, right, at->curve);
  }
}

/* A row for each foot that has touched the ground. */
static float draw_contacts(const board *b, float y) {
  const past_marks *past = &b->host->past;
  int feet[FEET], count = 0;
  title(b, y + 2 * b->scale, "contacts");
  for (int i = 0; i < past->count; i++) {
    const past_mark *m = past->marks + i;
    int row = 0;
    if (!is_seen(b, m) || m->mark.kind != SINEW_MARK_SLIDE) continue;
    while (row < count && feet[row] != m->mark.joint) row++;
    if (row == FEET) continue;
    if (row == count) feet[count++] = m->mark.joint;
    const uint8_t *c = timeline_slide_color(m->mark.size);
    float top = y + (float)(row * FOOT) * b->scale;
    box(b, ui_color(c[0], c[1], c[2], 1), at_x(b, m->begin), top, at_x(b, m->end), top + (FOOT - 2) * b->scale);
  }
  return y + (FOOT * FEET + GAP) * b->scale;
}

static float draw_events(const board *b, float y) {
  const past_marks *past = &b->host->past;
  float free_from = b->left;
  title(b, y - 2 * b->scale, "events");
  for (int i = 0; i < past->event_count; i++) {
    const past_event *e = past->events + i;
    if (e->actor.id != b->review->actor.id || e->time < b->from || e->time > b->to) continue;
    float x = at_x(b, e->time), width, height;
    box(b, ui_color(230, 220, 140, 1), x - 0.5f * b->scale, y, x + 0.5f * b->scale, y + EVENTS * b->scale);
    ui_text_size(b->ui, UI_TEXT, e->name, &width, &height);
    if (x < free_from || x + width > b->right) continue;
    text(b, ui_color(230, 220, 140, 1), x + 3 * b->scale, y - 2 * b->scale, width + 1, e->name);
    free_from = x + width + 8 * b->scale;
  }
  return y + (EVENTS + GAP) * b->scale;
}

static float draw_words(const board *b, float y) {
  char words[TIMELINE_TEXT];
  float left = b->left - (TITLES - 4) * b->scale, room = b->right - left, width, height;
  static const char keys[] =
      "Space plays   \xe2\x86\x90 \xe2\x86\x92 step   N P marks   [ ] loop   Tab actor   Esc back to now";
  ui_text_size(b->ui, UI_TEXT, keys, &width, &height);
  text(b, grey(150, 1), b->right - width, y, width + 1, keys);
  timeline_say_time(b->host, words);
  text(b, grey(255, 1), left, y, room - width - 10 * b->scale, words);
  if (!timeline_say_rerun(b->host, words)) timeline_say_mark(b->host, words);
  text(b, ui_color(255, 206, 150, 1), left, y + LINE * b->scale, room, words);
  timeline_say_moment(b->host, words);
  text(b, grey(220, 1), left, y + 2 * LINE * b->scale, room, words);
  return y + 3 * LINE * b->scale;
}

static void draw_cursor(const board *b, float top, float bottom) {
  float at = at_x(b, b->review->at), half = b->scale;
  box(b, ui_color(255, 255, 255, 0.10f), at_x(b, b->review->loop[0]), top, at_x(b, b->review->loop[1]), bottom);
  box(b, grey(255, 1), at - half / 2, top, at + half / 2, bottom);
}

static void draw_rows(const board *b) {
  rows at;
  const char *param = sinew_actor_param_name(b->host->stage, b->review->actor, 0);
  float top = draw_words(b, b->top + EDGE * b->scale) + GAP * b->scale;
  at.shares = draw_marks(b, top);
  at.states = at.shares + (SHARES + GAP) * b->scale;
  float y = draw_contacts(b, at.states + (STATES + GAP) * b->scale);
  at.curve = draw_events(b, y);
  title(b, at.shares + 10 * b->scale, "weights");
  title(b, at.states - 3 * b->scale, "state");
  title(b, at.curve + 4 * b->scale, param ? param : "");
  float range[2];
  find_range(b, ring_find(b->ring, b->from), ring_find(b->ring, b->to), range);
  draw_moments(b, b->ring, range, &at);
  if (b->host->rerun.has_take) draw_moments(b, &b->host->rerun.take.ring, range, &at);
  draw_cursor(b, top, at.curve + CURVE * b->scale);
}

/* ---- the panel ---- */

float timeline_top(const sinew_host *host) {
  float height = (float)host->height, wanted = host->ui ? HEIGHT * ui_scale(host->ui) : 0;
  return host->review.is_on ? fmaxf(0, height - wanted) : height;
}

static board board_of(sinew_host *host) {
  const ring *r = &host->ring;
  double first = ring_time(r, r->first), last = ring_time(r, r->first + r->count - 1);
  double from = fmax(first, fmin(host->review.at - span / 2, last - span));
  float scale = ui_scale(host->ui);
  return (board){.host = host,
                 .ui = host->ui,
                 .review = &host->review,
                 .ring = r,
                 .scale = scale,
                 .left = (TITLES + EDGE) * scale,
                 .right = (float)host->width - EDGE * scale,
                 .top = timeline_top(host),
                 .from = from,
                 .to = fmax(from + 0.1, fmin(from + span, last))};
}

sinew_camera timeline_camera(const sinew_host *host) {
  sinew_camera camera = host->camera;
  float share = host->height > 0 ? timeline_top(host) / (float)host->height : 1;
  if (share < 0.2f || share >= 1) return camera;
  float half = tanf(camera.fov_y / 2) / share, lower = half * (1 - share);
  sinew_vec3 from = camera.position, to = camera.target, up = camera.up;
  sinew_vec3 ahead = {to.x - from.x, to.y - from.y, to.z - from.z};
  float length = sqrtf(ahead.x * ahead.x + ahead.y * ahead.y + ahead.z * ahead.z);
  float along = (ahead.x * up.x + ahead.y * up.y + ahead.z * up.z) / fmaxf(length * length, 1e-12f);
  sinew_vec3 across = {up.x - along * ahead.x, up.y - along * ahead.y, up.z - along * ahead.z}; /* up in the picture */
  float size = sqrtf(across.x * across.x + across.y * across.y + across.z * across.z), down = lower * length;
  if (!(size > 0)) return camera;
  camera.fov_y = 2 * atanf(half);
  camera.target =
      (sinew_vec3){to.x - across.x / size * down, to.y - across.y / size * down, to.z - across.z / size * down};
  return camera;
}

/* A click near a mark is for it; else the mouse takes the moment along. */
static bool pick_mark(const board *b, review *r, float x, float y) {
  const past_marks *past = &b->host->past;
  float row = b->top + (EDGE + 3 * LINE + GAP) * b->scale, best_away = 5 * b->scale;
  int best = -1;
  for (int i = 0; y >= row && y <= row + MARKS * b->scale && i < past->count; i++) {
    const past_mark *m = past->marks + i;
    float away = fabsf(at_x(b, m->begin) - x);
    if (!is_seen(b, m) || away > best_away || !is_drawn(m)) continue;
    best = i;
    best_away = away;
  }
  if (best >= 0) review_show_mark(r, b->ring, past, best);
  return best >= 0;
}

static void follow_mouse(const board *b, review *r) {
  const input *in = &b->host->input;
  bool down = in->buttons[0], over = in->mouse_y >= b->top;
  bool pressed = false;
  for (int i = 0; i < in->taken; i++)
    pressed |= in->events[i].kind == EVENT_BUTTON && in->events[i].code == 1 && in->events[i].down;
  if (pressed && over) r->drags = !pick_mark(b, r, in->mouse_x, in->mouse_y);
  if (!down) r->drags = false;
  if (!r->drags) return;
  r->plays = false;
  review_seek(r, b->ring, at_time(b, in->mouse_x));
}

void timeline_draw(sinew_host *host) {
  if (!host->review.is_on || !host->ui) return;
  board b = board_of(host);
  follow_mouse(&b, &host->review);
  ui_draw_box(b.ui, &(ui_style){UI_IN_FRONT, UI_TEXT, ui_color(18, 20, 24, 0.96f)},
              (float[4]){0, b.top, (float)host->width, (float)host->height}, 0);
  draw_rows(&b);
}
