/* The current state of a state machine, and the transitions out of it: the parts of each condition, and which are true.
 * */
#include "base/text.h"
#include "host/graph/graph_panel.h"
#include "host/graph/graph_sheet.h"

#include <math.h>
#include <string.h>

/* Lines of text, one below the other. */
typedef struct page {
  const graph_sheet *sheet;
  int node;
  float left, top, room; /* pixels */
} page;

static void say(page *p, uint32_t color, float indent, const char *text) {
  indent *= p->sheet->scale;
  ui_canvas_text(p->sheet->ui, p->left + indent, p->top, p->room - indent, color, text);
  p->top += p->sheet->line;
}

static void state_name(const page *p, int state, char out[GRAPH_NAME]) {
  const graph_sheet *s = p->sheet;
  graph_state_name(s->stage, s->actor, s->layer, p->node, state, out, GRAPH_NAME);
}

static void say_part(page *p, const sinew_transition_part *part) {
  static const char *const signs[] = {"✗", "✓", "?"};
  char text[GRAPH_LINE];
  uint32_t color = part->state == SINEW_PART_TRUE    ? ui_color(132, 214, 140, 1)
                   : part->state == SINEW_PART_FALSE ? ui_color(255, 140, 126, 1)
                                                     : graph_grey(170);
  text_format(text, sizeof text, "%s %s", part->text, signs[part->state]);
  say(p, color, 12, text);
}

static void say_way(page *p, int transition, const sinew_transition_def *t) {
  enum { PARTS = 36 };
  sinew_transition_part parts[PARTS];
  char to[GRAPH_NAME], text[GRAPH_LINE];
  const graph_sheet *s = p->sheet;
  state_name(p, t->to, to);
  text_format(text, sizeof text, "→ %s%s", to, t->from < 0 ? ", from any state" : "");
  say(p, graph_grey(230), 0, text);
  int count = sinew_actor_transition_parts(s->stage, s->actor, s->layer, transition, parts, PARTS);
  for (int i = 0; i < count && i < PARTS; i++) say_part(p, parts + i);
}

static void say_ways(page *p, const sinew_node_def *n, int state) {
  const graph_sheet *s = p->sheet;
  for (int i = n->first_transition; i < n->first_transition + n->transition_count; i++) {
    sinew_transition_def t;
    if (!sinew_actor_transition_def(s->stage, s->actor, s->layer, i, &t)) continue;
    bool leads_on = t.from >= 0 ? t.from == state : t.to != state || t.restart;
    if (leads_on) say_way(p, i, &t);
  }
}

static void say_transition(page *p) {
  char from[GRAPH_NAME], to[GRAPH_NAME], text[GRAPH_LINE + 2 * GRAPH_NAME];
  sinew_transition_state t;
  const graph_sheet *s = p->sheet;
  if (!sinew_actor_transition(s->stage, s->actor, s->layer, p->node, &t)) return;
  state_name(p, t.from, from);
  state_name(p, t.to, to);
  text_format(text, sizeof text, "%s → %s: %.0f %%, %.2f of %.2f s", from, to, (double)t.progress * 100, t.time,
              t.fade);
  ui_canvas_box(s->ui, (float[4]){p->left, p->top, p->left + p->room * t.progress, p->top + s->line},
                ui_color(60, 110, 150, 1), 2 * s->scale);
  say(p, ui_color(190, 230, 255, 1), 4, text);
}

/* An event asked for the transition: conditions and times are refused in each frame, and nobody wonders why. */
static bool was_asked_for(const page *p, const sinew_mark *mark) {
  sinew_transition_def t;
  const graph_sheet *s = p->sheet;
  bool known = sinew_actor_transition_def(s->stage, s->actor, s->layer, mark->transition, &t);
  return known && t.event && mark->refusal != SINEW_REFUSAL_EVENT;
}

/* For a measured actor; all actors whose past is kept are measured. */
static void say_refusal(page *p) {
  const past_marks *past = &p->sheet->host->past;
  for (int i = past->count - 1; i >= 0; i--) {
    const past_mark *m = past->marks + i;
    bool mine = m->actor.id == p->sheet->actor.id && m->mark.layer == p->sheet->layer && m->mark.node == p->node;
    if (!mine || m->mark.kind != SINEW_MARK_REFUSAL || !was_asked_for(p, &m->mark)) continue;
    char text[PAST_TEXT];
    const char *reason = strstr(m->text, ", because ");
    text_format(text, sizeof text, "last refused, %.1f s ago:", fmax(p->sheet->host->time - m->end, 0));
    say(p, graph_grey(150), 0, text);
    text_format(text, sizeof text, "%.*s", reason ? (int)(reason - m->text) : PAST_TEXT, m->text);
    say(p, graph_grey(150), 12, text);
    if (reason) say(p, graph_grey(150), 12, reason + 2);
    return;
  }
}

void state_machine_draw(const graph_sheet *s, int node) {
  char name[GRAPH_NAME], text[GRAPH_LINE];
  sinew_machine_state state;
  sinew_node_def n;
  ui_canvas canvas;
  sinew_actor_node(s->stage, s->actor, s->layer, node, &n);
  float lines = 6 + 4 * (float)n.transition_count; /* room for some four parts each; more are scrolled to */
  if (!ui_begin_canvas(s->ui, "ways", 0, (float[2]){0, lines * s->line}, &canvas)) return;
  page p = {s, node, canvas.box[0], canvas.box[1], canvas.box[2] - canvas.box[0]};
  if (sinew_actor_machine(s->stage, s->actor, s->layer, node, &state)) {
    state_name(&p, state.state, name);
    text_format(text, sizeof text, "in %s for %.1f s", name, state.time);
    say(&p, graph_grey(245), 0, text);
    say_transition(&p);
    say_ways(&p, &n, state.state);
    say_refusal(&p);
  } else say(&p, graph_grey(170), 0, "does not run: it is part of another state");
  ui_end_canvas(s->ui);
}
