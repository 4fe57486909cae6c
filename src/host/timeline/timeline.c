#include "host/timeline/timeline.h"

#include "math/elementary.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- the surface on which the timeline draws its tracks ---- */

float board_x(const board *b, double time) {
  return b->left + (float)((time - b->from) / (b->to - b->from)) * (b->right - b->left);
}

static double board_time(const board *b, float x) {
  return b->from + (double)((x - b->left) / (b->right - b->left)) * (b->to - b->from);
}

uint32_t board_grey(int level, float alpha) { return ui_color(level, level, level, alpha); }

void board_box(const board *b, uint32_t color, float left, float top, float right, float bottom) {
  left = fmaxf(left, b->left), right = fminf(right, b->right);
  if (right <= left) return;
  ui_draw_box(b->ui, &(ui_style){UI_IN_FRONT, UI_TEXT, color}, (float[4]){left, top, right, bottom}, 0);
}

void board_text(const board *b, uint32_t color, float x, float y, float room, const char *words) {
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

/* Draws a title beside the middle of the track. */
void board_title(const board *b, track t, const char *words) {
  float line = ui_line_height(b->ui, UI_TEXT), room = (TIMELINE_TITLES - 8) * b->scale;
  float y = b->tops[t] + (b->heights[t] - line) / 2;
  board_text(b, board_grey(150, 1), b->left - (TIMELINE_TITLES - 4) * b->scale, y, room, words);
}

bool board_has_mark(const board *b, const past_mark *m) {
  return m->actor.id == b->review->actor.id && m->end >= b->from && m->begin <= b->to;
}

/* ---- marks ---- */

bool timeline_shows_mark(const past_mark *m) { return m->mark.kind != SINEW_MARK_SLIDE || past_mark_score(m) > 0; }

bool timeline_is_made_again(const sinew_host *host, const past_mark *m) {
  const rerun *again = &host->rerun;
  const ring *made = &again->result.ring;
  return again->has_result && past_mark_begin(m) >= ring_time(made, made->first) &&
         past_mark_begin(m) <= ring_time(made, made->first + made->count - 1);
}

const uint8_t *timeline_slide_color(float metres) {
  static const uint8_t colors[][4] = {{112, 196, 120, 255}, {250, 180, 72, 255}, {255, 96, 84, 255}};
  return colors[metres >= 0.02f ? 2 : metres >= 0.005f ? 1 : 0];
}

/* ---- timeline ---- */

static const double span = 10; /* seconds visible at once */

/* Pixels at a scale of 1. Tracks share the height that the lines of text leave, in these proportions. */
enum { LINE = 17, LINES = 3, GAP = 3, EDGE = 8 };
static const float usual[TRACK_COUNT] = {14, 36, 12, 20, 22, 14, 20, 24};

/* ---- where it is ---- */

float timeline_top(const sinew_host *host) {
  float area[4];
  if (!host->review.is_on || !host->ui) return (float)host->height;
  ui_free_area(host->ui, area);
  return area[3];
}

static void place_tracks(board *b, float top) {
  float sum = 0;
  for (int t = 0; t < TRACK_COUNT; t++) sum += usual[t];
  float room = b->bottom - top - (TRACK_COUNT - 1) * GAP * b->scale, y = top;
  for (int t = 0; t < TRACK_COUNT; t++) {
    b->tops[t] = y;
    b->heights[t] = fmaxf(room * usual[t] / sum, b->scale);
    y += b->heights[t] + GAP * b->scale;
  }
}

static board board_in(sinew_host *host, const float room[4]) {
  const ring *r = &host->ring;
  double first = ring_time(r, r->first), last = ring_time(r, r->first + r->count - 1);
  double from = fmax(first, fmin(host->review.at - span / 2, last - span));
  float scale = ui_scale(host->ui);
  board b = {.host = host,
             .ui = host->ui,
             .review = &host->review,
             .ring = r,
             .scale = scale,
             .left = room[0] + TIMELINE_TITLES * scale,
             .right = room[2] - EDGE * scale,
             .bottom = room[3],
             .from = from,
             .to = fmax(from + 0.1, fmin(from + span, last))};
  place_tracks(&b, room[1] + (LINES * LINE + GAP) * scale);
  return b;
}

/* ---- the mouse ---- */

/* A click near a mark selects it; elsewhere the mouse moves the shown moment. */
static bool pick_mark(const board *b, review *r, float x, float y) {
  const past_marks *past = &b->host->past;
  float best_away = 5 * b->scale;
  int best = -1;
  bool over = y >= b->tops[TRACK_MARKS] && y <= b->tops[TRACK_MARKS] + b->heights[TRACK_MARKS];
  for (int i = 0; over && i < past->count; i++) {
    const past_mark *m = past->marks + i;
    float away = fabsf(board_x(b, past_mark_begin(m)) - x);
    if (!board_has_mark(b, m) || away > best_away || !timeline_shows_mark(m)) continue;
    best = i;
    best_away = away;
  }
  if (best >= 0) review_show_mark(r, b->ring, past, best);
  return best >= 0;
}

static void follow_mouse(const board *b, review *r) {
  const input *in = &b->host->input;
  bool over = in->mouse_y >= b->tops[0] && in->mouse_y <= b->bottom, pressed = false;
  for (int i = 0; i < in->taken; i++)
    pressed |= in->events[i].kind == EVENT_BUTTON && in->events[i].code == 1 && in->events[i].down;
  if (pressed && over) r->drags = !pick_mark(b, r, in->mouse_x, in->mouse_y);
  if (!in->buttons[0]) r->drags = false;
  if (!r->drags) return;
  r->plays = false;
  review_seek(r, b->ring, board_time(b, in->mouse_x));
}

/* ---- the panel ---- */

/* The next step, for users who have not read the manual. */
static const char *next_step(const sinew_host *host) {
  if (!host->self || !host->log_path) return "";
  return host->rerun.has_result
             ? "Enter plays on from here, Esc returns to now: your edit stays   Ctrl+Z drops only this comparison   "
             : "change the code and save: these seconds run again   ";
}

static float words_left(const board *b) { return b->left - (TIMELINE_TITLES - 4) * b->scale; }

static float width_of(const board *b, const char *words) {
  float width, height;
  ui_text_size(b->ui, UI_TEXT, words, &width, &height);
  return width;
}

/* Words at the left and a hint at the right; one that is not `needed` gives way to the words. */
static void draw_line(const board *b, uint32_t color, float y, const char *words, const char *hint, bool needed) {
  float left = words_left(b), room = b->right - left, width = width_of(b, hint), gap = 10 * b->scale;
  if (!needed && width_of(b, words) + width + gap > room) hint = "";
  if (hint[0]) board_text(b, board_grey(150, 1), b->right - width, y, width + 1, hint);
  board_text(b, color, left, y, hint[0] ? room - width - gap : room, words);
}

static bool is_over(const board *b, const float box[4]) {
  const input *in = &b->host->input;
  return in->mouse_x >= box[0] && in->mouse_x <= box[2] && in->mouse_y >= box[1] && in->mouse_y <= box[3];
}

/* A line that names a place in the code can be clicked to open it. */
static void draw_cause(const board *b, float y, const char *words) {
  const input *in = &b->host->input;
  const uint32_t color = ui_color(255, 206, 150, 1);
  char name[256];
  int line;
  bool leads = console_place(words, name, sizeof name, &line);
  draw_line(b, color, y, words, "", false);
  if (!leads) return;
  float left = words_left(b), bottom = y + ui_line_height(b->ui, UI_TEXT);
  const float box[4] = {left, y, fminf(left + width_of(b, words), b->right), bottom};
  board_text(b, board_grey(150, 1), box[2], y, b->right - box[2], "   click: opens that line");
  float thick = (is_over(b, box) ? 2 : 1) * b->scale;
  ui_draw_box(b->ui, &(ui_style){UI_IN_FRONT, UI_TEXT, color}, (float[4]){box[0], bottom - thick, box[2], bottom}, 0);
  for (int i = 0; i < in->taken && is_over(b, box); i++)
    if (in->events[i].kind == EVENT_BUTTON && in->events[i].code == 1 && in->events[i].down)
      console_open_place(b->host, words);
}

/* Suggests the next step, and names what the actor plays, as far as there is room. */
static void draw_next(const board *b, float y) {
  char words[TIMELINE_TEXT];
  const char *step = next_step(b->host);
  float left = words_left(b), taken = width_of(b, step);
  timeline_say_moment(b->host, words);
  board_text(b, ui_color(150, 214, 255, 1), left, y, b->right - left, step);
  board_text(b, board_grey(220, 1), left + taken, y, b->right - left - taken, words);
}

static void draw_words(const board *b, float y) {
  char words[TIMELINE_TEXT];
  timeline_say_time(b->host, words);
  draw_line(b, board_grey(255, 1), y, words,
            "Space plays   \xe2\x86\x90 \xe2\x86\x92 step   N P marks   E why   Esc back to now   ? all keys", true);
  if (!timeline_say_rerun(b->host, words)) timeline_say_mark(b->host, words);
  draw_cause(b, y + LINE * b->scale, words);
  draw_next(b, y + 2 * LINE * b->scale);
}

/* Shown until another moment is asked about, or its cross is clicked. */
static void draw_why(sinew_host *host) {
  bool stays = true;
  if (!host->review.why[0] || !ui_begin_region(host->ui, UI_LEFT, "Why", &stays)) return;
  ui_label(host->ui, host->review.why);
  ui_end_region(host->ui);
  if (!stays) host->review.why[0] = '\0';
}

/* Explains the blue and red figures over the picture. If no blue is visible, both motions are equal. */
static void draw_legend(sinew_host *host) {
  if (!host->rerun.has_result) return;
  const char *words = host->review.hides_ghosts
                          ? "the motion before your edit is hidden: G shows it"
                          : "blue: before your edit   red: a joint that is elsewhere now   G hides";
  float area[4], width, height, scale = ui_scale(host->ui);
  ui_free_area(host->ui, area);
  ui_text_size(host->ui, UI_TEXT, words, &width, &height);
  float left = (area[0] + area[2] - width) / 2, top = area[1] + 12 * scale;
  ui_style back = {UI_BEHIND, UI_TEXT, ui_color(12, 14, 17, 0.62f)},
           front = {UI_BEHIND, UI_TEXT, ui_color(150, 190, 255, 1)};
  ui_draw_box(host->ui, &back,
              (float[4]){left - 8 * scale, top - 4 * scale, left + width + 8 * scale, top + height + 4 * scale},
              6 * scale);
  ui_draw_text(host->ui, &front, left, top, words);
}

void timeline_draw(sinew_host *host) {
  float room[4];
  if (!host->review.is_on || !host->ui) return;
  draw_why(host);
  if (!ui_begin_region(host->ui, UI_BOTTOM, "Timeline", NULL)) return;
  ui_room(host->ui, room);
  board b = board_in(host, room);
  follow_mouse(&b, &host->review);
  draw_words(&b, room[1]);
  tracks_draw(&b);
  ui_end_region(host->ui);
  draw_legend(host);
}

/* Lines that the look back draws in the world: the joint of the mark, the path of sliding feet, and differences from
 * the ghost. */

static const double apart = 0.01; /* metres from which a difference of a joint is visible */

static void line(sinew_host *host, sinew_vec3 a, sinew_vec3 b, const uint8_t color[4]) {
  sinew_line drawn = {.a = a, .b = b};
  memcpy(drawn.color, color, 4);
  sinew_host_draw_line(host, &drawn, true);
}

static sinew_vec3 moved(sinew_vec3 p, int axis, float by) {
  return (sinew_vec3){p.x + (axis == 0 ? by : 0), p.y + (axis == 1 ? by : 0), p.z + (axis == 2 ? by : 0)};
}

/* Draws three rings about the joint. */
static void draw_ball(sinew_host *host, sinew_vec3 at, float radius, const uint8_t color[4]) {
  enum { SIDES = 20 };
  for (int axis = 0; axis < 3; axis++)
    for (int i = 0; i < SIDES; i++) {
      float a = 6.2831853f * (float)i / SIDES, b = 6.2831853f * (float)(i + 1) / SIDES;
      int u = (axis + 1) % 3, v = (axis + 2) % 3;
      line(host, moved(moved(at, u, radius * float_cos(a)), v, radius * float_sin(a)),
           moved(moved(at, u, radius * float_cos(b)), v, radius * float_sin(b)), color);
    }
}

static sinew_vec3 joint_at(const shown_actor *s, int joint) {
  sinew_mat3x4 world = sinew_mat3x4_from_transform(&s->transform);
  const float *m = s->joints[joint].m;
  return sinew_mat3x4_transform_point(&world, (sinew_vec3){m[3], m[7], m[11]});
}

static void draw_joint(sinew_host *host) {
  static const uint8_t color[4] = {255, 230, 90, 255};
  const review *r = &host->review;
  const past_mark *m = r->mark >= 0 ? host->past.marks + r->mark : NULL;
  for (int i = 0; m && m->mark.joint >= 0 && i < r->cast.shown_count; i++) {
    const shown_actor *s = r->cast.shown + i;
    int joint = m->mark.joint;
    if (s->actor.id != m->actor.id || joint >= sinew_model_joint_count(s->model)) continue;
    sinew_vec3 low, high;
    sinew_model_bounds(s->model, &low, &high);
    draw_ball(host, joint_at(s, joint), 0.035f * (high.y - low.y), color);
    int parent = sinew_model_joint_parent(s->model, joint);
    if (parent > 0) line(host, joint_at(s, parent), joint_at(s, joint), color);
  }
}

/* ---- where feet slid ---- */

static bool foot_at(const ring *kept, cast *c, const past_mark *m, double time, sinew_vec3 *position) {
  cast_pose(c, kept, time);
  for (int i = 0; i < c->shown_count; i++) {
    const shown_actor *s = c->shown + i;
    if (s->actor.id != m->actor.id || m->mark.joint >= sinew_model_joint_count(s->model)) continue;
    *position = joint_at(s, m->mark.joint);
    position->y = s->transform.translation.y + 0.005f;
    return true;
  }
  return false;
}

static void draw_cross(sinew_host *host, sinew_vec3 at, float size, const uint8_t color[4]) {
  line(host, moved(at, 0, -size), moved(at, 0, size), color);
  line(host, moved(at, 2, -size), moved(at, 2, size), color);
}

/* A line from where the foot came down to where it left, with a cross at the start. */
static void draw_footprint(sinew_host *host, const ring *kept, cast *c, const past_mark *m) {
  sinew_vec3 from, to;
  const uint8_t *color = timeline_slide_color(m->worst);
  if (!foot_at(kept, c, m, m->begin, &from) || !foot_at(kept, c, m, m->end, &to)) return;
  draw_cross(host, from, 0.04f, color);
  for (int i = -2; i <= 2; i++) line(host, moved(from, 0, 0.004f * (float)i), moved(to, 0, 0.004f * (float)i), color);
}

/* Draws the footprints of the loop's contacts. */
static void draw_footprints_of(sinew_host *host, const ring *kept, const past_marks *past, bool is_then) {
  const review *r = &host->review;
  cast c = {0};
  for (int i = 0; i < past->count; i++) {
    const past_mark *m = past->marks + i;
    bool is_in = m->actor.id == r->actor.id && m->end >= r->loop[0] && m->begin <= r->loop[1];
    if (m->mark.kind == SINEW_MARK_SLIDE && is_in && is_then != timeline_is_made_again(host, m))
      draw_footprint(host, kept, &c, m);
  }
  cast_release(&c);
}

static void draw_footprints(sinew_host *host) {
  const rerun *again = &host->rerun;
  draw_footprints_of(host, &host->ring, &host->past, true);
  if (again->has_result) draw_footprints_of(host, &again->result.ring, &again->result.marks, false);
}

/* ---- differences from the ghost ---- */

static sinew_vec3 minus(sinew_vec3 a, sinew_vec3 b) { return (sinew_vec3){a.x - b.x, a.y - b.y, a.z - b.z}; }

static double length_of(sinew_vec3 v) { return sinew_hypot(sinew_hypot((double)v.x, (double)v.y), (double)v.z); }

/* A joint that merely moves along with its parent has no line: those of fingers would hide the hand. */
static void draw_differences(sinew_host *host, const shown_actor *now, const shown_actor *then) {
  static const uint8_t color[4] = {255, 96, 84, 255};
  const double taken = 0.3; /* of the parent's distance */
  shown_actor ghost = *then;
  ghost.transform = now->transform;
  for (int i = 1; i < sinew_model_joint_count(now->model); i++) {
    int parent = sinew_model_joint_parent(now->model, i);
    sinew_vec3 at = joint_at(now, i), away = minus(at, joint_at(&ghost, i)), above = {0};
    if (length_of(away) <= apart) continue;
    draw_ball(host, at, 0.012f, color);
    if (parent > 0) above = minus(joint_at(now, parent), joint_at(&ghost, parent));
    if (length_of(minus(away, above)) > fmax(apart, taken * length_of(above))) line(host, at, minus(at, away), color);
  }
}

static void compare_with_ghosts(sinew_host *host) {
  const review *r = &host->review;
  for (int i = 0; i < r->cast.shown_count; i++)
    for (int k = 0; k < r->ghosts.shown_count && !r->ghosts_beside; k++)
      if (r->cast.shown[i].actor.id == r->ghosts.shown[k].actor.id &&
          r->cast.shown[i].model == r->ghosts.shown[k].model)
        draw_differences(host, r->cast.shown + i, r->ghosts.shown + k);
}

void timeline_draw_lines(sinew_host *host) {
  if (!host->review.is_on) return;
  draw_joint(host);
  draw_footprints(host);
  compare_with_ghosts(host);
}
