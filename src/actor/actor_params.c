/* The parameters of an actor's graphs. */
#include "actor/stage.h"
#include "base/error.h"
#include "base/memory/memory.h"

#include <math.h>
#include <string.h>

void actor_free_params(actor_params *p) {
  for (int i = 0; i < p->count; i++) mem_free(p->names[i]);
  mem_free(p->names);
  mem_free(p->values);
  mem_free(p->set);
  mem_free(p->pinned);
  *p = (actor_params){0};
}

static int find(const actor_params *p, const char *name) {
  for (int i = 0; i < p->count; i++)
    if (strcmp(p->names[i], name) == 0) return i;
  return -1;
}

static const char *check(const char *const *names, const double *values, int count) {
  for (int i = 0; i < count; i++) {
    if (!names[i] || !names[i][0]) return "it has no name";
    if (values && !isfinite(values[i])) return "its value is not a finite number";
    for (int k = 0; k < i; k++)
      if (strcmp(names[i], names[k]) == 0) return "the name is used twice";
  }
  return NULL;
}

static bool copy(actor_params *out, const actor_params *old, const char *const *names, const double *values,
                 int count) {
  if (count == 0) return true;
  out->names = mem_alloc_array((size_t)count, sizeof *out->names);
  out->values = mem_alloc_array((size_t)count, sizeof *out->values);
  out->set = mem_alloc_array((size_t)count, sizeof *out->set);
  out->pinned = mem_alloc_array((size_t)count, sizeof *out->pinned);
  if (!out->names || !out->values || !out->set || !out->pinned) return false;
  for (; out->count < count; out->count++) {
    int before = find(old, names[out->count]);
    out->set[out->count] = before >= 0 ? old->set[before] : values ? values[out->count] : 0;
    out->pinned[out->count] = before >= 0 && old->pinned[before];
    out->values[out->count] = before >= 0 ? old->values[before] : out->set[out->count];
    if (!(out->names[out->count] = mem_copy_string(names[out->count]))) return false;
  }
  return true;
}

static void bind(layer *l, const actor_params *p) {
  if (l->graph) graph_bind(l->graph, (const char *const *)p->names, p->count);
  if (l->held) graph_bind(l->held, (const char *const *)p->names, p->count);
}

/* Installs the new parameters or, if there is a reason against it, keeps the old ones. */
static bool take(actor *a, actor_params *fresh, const char *reason, const char *what, sinew_error *error) {
  if (reason) {
    actor_free_params(fresh);
    error_set(error, "the parameters cannot %s: %s", what, reason);
    return false;
  }
  actor_free_params(&a->params);
  a->params = *fresh;
  for (int i = 0; i < a->layer_count; i++) bind(a->layers + i, &a->params);
  return true;
}

bool sinew_actor_set_params(sinew_stage *stage, sinew_actor id, const char *const *names, const double *values,
                            int count, sinew_error *error) {
  actor *a = stage_find(stage, id);
  actor_params fresh = {0};
  const char *reason = stage_closed(stage);
  if (!reason) reason = a ? check(names, values, count) : "the actor is gone";
  for (int i = 0; a && !reason && i < a->layer_count; i++)
    if (a->layers[i].graph && a->layers[i].graph->param_count > count)
      reason = "a graph of the actor needs more parameters";
  if (!reason && !copy(&fresh, &a->params, names, values, count)) reason = "out of memory";
  return take(a, &fresh, reason, "be declared", error);
}

bool sinew_actor_rename_params(sinew_stage *stage, sinew_actor id, const char *const *names, int count,
                               sinew_error *error) {
  actor *a = stage_find(stage, id);
  actor_params fresh = {0};
  const char *reason = stage_closed(stage);
  if (!reason) reason = !a ? "the actor is gone" : count != a->params.count ? "their number differs" : NULL;
  if (!reason) reason = check(names, NULL, count);
  if (!reason && !copy(&fresh, &a->params, names, NULL, count)) reason = "out of memory";
  for (int i = 0; i < count && !reason; i++) {
    fresh.values[i] = a->params.values[i];
    fresh.set[i] = a->params.set[i];
    fresh.pinned[i] = a->params.pinned[i];
  }
  return take(a, &fresh, reason, "be renamed", error);
}

int sinew_actor_param_count(const sinew_stage *stage, sinew_actor id) {
  const actor *a = stage_find(stage, id);
  return a ? a->params.count : 0;
}

static bool has_param(const actor *a, int param) { return a && param >= 0 && param < a->params.count; }

const char *sinew_actor_param_name(const sinew_stage *stage, sinew_actor id, int param) {
  const actor *a = stage_find(stage, id);
  return has_param(a, param) ? a->params.names[param] : NULL;
}

int sinew_actor_find_param(const sinew_stage *stage, sinew_actor id, const char *name) {
  const actor *a = stage_find(stage, id);
  return a && name ? find(&a->params, name) : -1;
}

double sinew_actor_param(const sinew_stage *stage, sinew_actor id, int param) {
  const actor *a = stage_find(stage, id);
  return has_param(a, param) ? a->params.set[param] : 0;
}

bool sinew_actor_set_param(sinew_stage *stage, sinew_actor id, int param, double value) {
  actor *a = stage_find(stage, id);
  if (!has_param(a, param) || !isfinite(value)) return false;
  a->params.set[param] = value;
  if (!a->params.pinned[param]) a->params.values[param] = value;
  return true;
}

/* ---- pinned ---- */

bool sinew_actor_pin_param(sinew_stage *stage, sinew_actor id, int param, double value) {
  actor *a = stage_find(stage, id);
  if (!has_param(a, param) || !isfinite(value)) return false;
  a->params.values[param] = value;
  a->params.pinned[param] = true;
  return true;
}

bool sinew_actor_unpin_param(sinew_stage *stage, sinew_actor id, int param) {
  actor *a = stage_find(stage, id);
  if (!has_param(a, param) || !a->params.pinned[param]) return false;
  a->params.values[param] = a->params.set[param];
  a->params.pinned[param] = false;
  return true;
}

double sinew_actor_seen_param(const sinew_stage *stage, sinew_actor id, int param, bool *pinned) {
  const actor *a = stage_find(stage, id);
  if (pinned) *pinned = has_param(a, param) && a->params.pinned[param];
  return has_param(a, param) ? a->params.values[param] : 0;
}
