#include "host/panels/joints.h"

#include "base/text.h"
#include "host/host.h"

#include <sinew/explain.h>

#include <ctype.h>
#include <string.h>

/* ---- why ---- */

enum { CAUSES = 32 };
static const double least_degrees = 0.5;

static double degrees(float radians) { return (double)radians * 57.29577951308232; }

static const char *name_of(const sinew_host *host, sinew_actor actor, const sinew_cause *cause) {
  const sinew_stage *stage = host->stage;
  if (cause->clip >= 0) return sinew_clip_name(sinew_model_clip(sinew_actor_model(stage, actor), cause->clip));
  if (cause->modifier >= 0) return sinew_actor_modifier_name(stage, actor, cause->modifier);
  if (cause->kind == SINEW_CAUSE_LAYER) return sinew_actor_layer_name(stage, actor, cause->layer);
  return cause->kind == SINEW_CAUSE_REST ? "rest pose" : "inertia";
}

typedef struct writer {
  char *out;
  size_t size, used;
} writer;

/* The transition that caused it has its own line. */
static void write_cause(const sinew_host *host, sinew_actor actor, const sinew_cause *cause, writer *w) {
  char transition[160] = "";
  const sinew_app *app = &host->app;
  bool changes = app->cause_text && app->cause_text(app->user, actor, cause, transition, sizeof transition);
  int n = text_format(w->out + w->used, w->size - w->used, "  %s %.0f %%: %.1f°\n%s%s%s", name_of(host, actor, cause),
                      100 * (double)cause->weight, degrees(cause->angle), changes ? "    in " : "",
                      changes ? transition : "", changes ? "\n" : "");
  if (n > 0) w->used += (size_t)n;
  if (w->used >= w->size) w->used = w->size - 1;
}

/* For a joint further up, only its rotations count, because nothing else in it moves the joint below. */
static int write_joint(sinew_host *host, sinew_actor actor, int joint, bool own, writer *w) {
  sinew_cause causes[CAUSES];
  sinew_error error;
  const sinew_model *model = sinew_actor_model(host->stage, actor);
  int count = sinew_actor_explain(host->stage, actor, joint, causes, CAUSES, &error), written = 0;
  for (int i = 0; i < count && i < CAUSES; i++) {
    if (!own && degrees(causes[i].angle) * (double)causes[i].weight < least_degrees) continue;
    if (written++ == 0 && w->used + 1 < w->size) {
      int n = text_format(w->out + w->used, w->size - w->used, own ? "%s itself\n" : "by %s\n",
                          sinew_model_joint_name(model, joint));
      w->used += n > 0 && (size_t)n < w->size - w->used ? (size_t)n : 0;
    }
    write_cause(host, actor, &causes[i], w);
  }
  return written;
}

void joints_explain(sinew_host *host, sinew_actor actor, int joint, char *out, size_t size) {
  const sinew_model *model = sinew_actor_model(host->stage, actor);
  writer w = {out, size, 0};
  out[0] = '\0';
  if (!model) return;
  for (int at = joint; at > 0; at = sinew_model_joint_parent(model, at)) write_joint(host, actor, at, at == joint, &w);
}

/* This evaluates the pose again, so while the scene runs it happens only four times a second. */
static void refresh(sinew_host *host) {
  enum { EVERY = 15 };
  selection *s = &host->selection;
  bool same = s->explained_joint == s->joint;
  if (same && (host->dt == 0 || host->frame - s->explained_in < EVERY)) return;
  s->explained_joint = s->joint;
  s->explained_in = host->frame;
  joints_explain(host, s->actor, s->joint, s->text, sizeof s->text);
}

/* ---- the tree ---- */

enum { MOST = 4096 };

typedef struct tree {
  const sinew_model *model;
  int order[MOST], depth[MOST], count;
} tree;

/* Depth first, although the model's joints are breadth first, parents before children. */
static void fill_tree(tree *t) {
  static int first[MOST], next[MOST];
  int count = sinew_model_joint_count(t->model);
  if (count > MOST) count = MOST;
  for (int i = 0; i < count; i++) first[i] = -1;
  for (int i = count - 1; i > 0; i--) {
    int parent = sinew_model_joint_parent(t->model, i);
    next[i] = first[parent];
    first[parent] = i;
  }
  int at = first[0], depth = 0;
  for (t->count = 0; at > 0;) {
    t->order[t->count] = at;
    t->depth[t->count++] = depth;
    if (first[at] > 0) {
      at = first[at];
      depth++;
      continue;
    }
    while (at > 0 && next[at] < 0) at = sinew_model_joint_parent(t->model, at), depth--;
    at = at > 0 ? next[at] : -1;
  }
}

/* Ignores case. */
static bool matches(const char *name, const char *filter) {
  size_t length = strlen(filter);
  for (; *name || length == 0; name++) {
    size_t same = 0;
    while (same < length && tolower((unsigned char)name[same]) == tolower((unsigned char)filter[same])) same++;
    if (same == length) return true;
  }
  return false;
}

static bool row(void *user, int index, ui_row *out) {
  const sinew_host *host = user;
  static tree t;
  if (index == 0) {
    t.model = sinew_actor_model(host->stage, host->selection.actor);
    fill_tree(&t);
  }
  const char *filter = host->selection.filter;
  for (int i = 0; i < t.count; i++) {
    const char *name = sinew_model_joint_name(t.model, t.order[i]);
    if (filter[0] && !matches(name, filter)) continue;
    if (index-- > 0) continue;
    *out = (ui_row){name[0] ? name : "(no name)", t.order[i], filter[0] ? 0 : t.depth[i]};
    return true;
  }
  return false;
}

/* ---- how the layers animate the joint, with controls to change that while they play ---- */

typedef struct layer_desk {
  sinew_host *host;
  sinew_actor actor;
  int layer, joint;
} layer_desk;

static void draw_weight(const layer_desk *d, const sinew_layer_def *def) {
  float weight = def->weight;
  const sinew_edit of = {.kind = SINEW_EDIT_LAYER, .actor = d->actor, .layer = d->layer, .field = "weight"};
  if (ui_slider(d->host->ui, "weight", &weight, 0, 1)) panel_change(d->host, &of, &(double){(double)weight}, 1);
}

static void draw_space(const layer_desk *d, const sinew_layer_def *def) {
  bool model = def->space == SINEW_LAYER_MODEL;
  const sinew_edit of = {.kind = SINEW_EDIT_LAYER, .actor = d->actor, .layer = d->layer, .field = "space"};
  if (ui_checkbox(d->host->ui, "in model space", &model)) panel_change(d->host, &of, &(double){model}, 1);
}

static void draw_mask(const layer_desk *d) {
  selection *s = &d->host->selection;
  float weight = mask_at(d->host, d->actor, d->layer, d->joint);
  bool painted = s->painted == d->layer;
  if (d->joint > 0 && ui_slider(d->host->ui, "mask here", &weight, 0, 1))
    mask_set(d->host, d->actor, d->layer, d->joint, weight, s->paints_below);
  if (ui_checkbox(d->host->ui, "paint the mask", &painted)) s->painted = painted ? d->layer : 0;
  if (!painted) return;
  ui_slider(d->host->ui, "brush", &s->brush, 0, 1);
  ui_checkbox(d->host->ui, "joints below, too", &s->paints_below);
  ui_label(d->host->ui, "drag on the character");
}

static void draw_layer(const layer_desk *d) {
  const sinew_stage *stage = d->host->stage;
  if (!ui_begin_tree(d->host->ui, sinew_actor_layer_name(stage, d->actor, d->layer), true)) return;
  sinew_layer_def def = sinew_actor_layer(stage, d->actor, d->layer);
  draw_weight(d, &def);
  draw_space(d, &def);
  draw_mask(d);
  ui_end_tree(d->host->ui);
}

static void draw_layers(sinew_host *host, sinew_actor actor, int joint) {
  int count = sinew_actor_layer_count(host->stage, actor);
  for (int i = 1; i < count; i++) draw_layer(&(layer_desk){host, actor, i, joint});
}

/* ---- the panel ---- */

void joints_draw(sinew_host *host) {
  sinew_actor actor;
  int joint;
  selection *s = &host->selection;
  if (!host->ui || !s->shows_joints || !sinew_host_selected(host, &actor, &joint)) return;
  if (!ui_begin_region(host->ui, UI_LEFT, "Joints", &s->shows_joints)) return;
  ui_text_field(host->ui, "search", s->filter, sizeof s->filter);
  int clicked = ui_rows(host->ui, &(ui_rows_job){.user = host, .row = row, .chosen = joint, .fraction = 0.5f});
  if (clicked >= 0) selection_change(host, actor, clicked);
  refresh(host);
  ui_separator(host->ui);
  draw_layers(host, actor, joint);
  ui_label(host->ui, s->text);
  ui_end_region(host->ui);
}
