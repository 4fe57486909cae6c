#include "base/memory/memory.h"
#include "base/text.h"
#include "host/edit/change.h"
#include "host/edit/notes.h"
#include "host/host.h"
#include "host/picking/picking.h"
#include "math/elementary.h"
#include "math/vec3.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct search {
  const sinew_host *host;
  ray world, local; /* local: in the space of the actor */
  sinew_actor actor, found;
  float nearest; /* along the ray, the same in both spaces */
  int joint;
} search;

static sinew_vec3 turn(const sinew_mat3x4 *m, sinew_vec3 v) {
  sinew_vec3 zero = sinew_mat3x4_transform_point(m, (sinew_vec3){0, 0, 0}), to = sinew_mat3x4_transform_point(m, v);
  return (sinew_vec3){to.x - zero.x, to.y - zero.y, to.z - zero.z};
}

/* The joint with the largest weight at the nearest corner of the triangle. */
static int strongest_joint(const sinew_model *model, const sinew_mesh_view *mesh, const uint32_t *corners,
                           const float inside[3]) {
  int corner = inside[1] > inside[0] ? 1 : 0;
  if (inside[2] > inside[corner]) corner = 2;
  sinew_skin_view skin = sinew_model_skin(model, mesh->skin);
  size_t first = (size_t)corners[corner] * (size_t)mesh->influences; /* strongest first */
  return skin.joints[mesh->joints[first]];
}

static void search_triangles(search *s, const sinew_model *model, const sinew_mesh_view *mesh, const float *positions) {
  for (int i = 0; i + 2 < mesh->index_count; i += 3) {
    const uint32_t *corners = mesh->indices + i;
    float inside[3];
    float distance = ray_triangle(&s->local, positions + 3 * (size_t)corners[0], positions + 3 * (size_t)corners[1],
                                  positions + 3 * (size_t)corners[2], inside);
    if (!(distance < s->nearest)) continue;
    s->nearest = distance;
    s->found = s->actor;
    s->joint = strongest_joint(model, mesh, corners, inside);
  }
}

static void search_mesh(search *s, const sinew_model *model, int index) {
  sinew_mesh_view mesh = sinew_model_mesh(model, index);
  sinew_cpu_skin_job job = {.model = model,
                            .mesh = index,
                            .palette = sinew_actor_palette(s->host->stage, s->actor),
                            .morph_weights = sinew_actor_morphs(s->host->stage, s->actor, index)};
  job.positions = mem_alloc((size_t)mesh.vertex_count * 3 * sizeof *job.positions + 1);
  if (job.positions && sinew_cpu_skin(&job)) search_triangles(s, model, &mesh, job.positions);
  mem_free(job.positions);
}

static void search_actor(search *s) {
  const sinew_stage *stage = s->host->stage;
  const sinew_model *model = sinew_actor_model(stage, s->actor);
  sinew_transform transform = sinew_actor_transform(stage, s->actor);
  sinew_mat3x4 world = sinew_mat3x4_from_transform(&transform), inverse;
  bool shows = sinew_actor_is_visible(stage, s->actor) && sinew_actor_opacity(stage, s->actor) > 0;
  if (!shows || !sinew_actor_palette(stage, s->actor) || !sinew_mat3x4_inverse(&world, &inverse)) return;
  s->local = (ray){sinew_mat3x4_transform_point(&inverse, s->world.origin), turn(&inverse, s->world.direction)};
  for (int i = 0; i < sinew_model_mesh_count(model); i++) search_mesh(s, model, i);
}

bool pick_at(sinew_host *host, float x, float y, sinew_actor *actor, int *joint) {
  if (host->width <= 0 || host->height <= 0) return false;
  search s = {.host = host, .nearest = INFINITY};
  const sinew_camera camera = sinew_host_shown_camera(host);
  s.world = ray_through(&camera, x, y, (float)host->width, (float)host->height);
  for (int i = 0; i < sinew_stage_actor_count(host->stage); i++) {
    s.actor = sinew_stage_actor(host->stage, i);
    search_actor(&s);
  }
  *actor = s.found;
  *joint = s.joint;
  return isfinite(s.nearest);
}

/* ---- the selection ---- */

void sinew_host_select(sinew_host *host, sinew_actor actor, int joint) {
  selection *s = &host->selection;
  const sinew_model *model = sinew_actor_model(host->stage, actor);
  bool there = model && joint >= 0 && joint < sinew_model_joint_count(model);
  uint64_t before = s->actor.id;
  s->shows_joints = there && (s->shows_joints || s->actor.id == 0);
  s->actor = there ? actor : (sinew_actor){0};
  s->joint = there ? joint : 0;
  s->explained_joint = -1;
  if (!there || s->actor.id != before) s->painted = 0, s->paints = false;
  if (there) host->inspector.actor = actor;
}

bool sinew_host_selected(const sinew_host *host, sinew_actor *actor, int *joint) {
  const selection *s = &host->selection;
  const sinew_model *model = s->actor.id ? sinew_actor_model(host->stage, s->actor) : NULL;
  bool there = model && s->joint < sinew_model_joint_count(model);
  *actor = there ? s->actor : (sinew_actor){0};
  *joint = there ? s->joint : -1;
  return there;
}

/* ---- ray ---- */

ray ray_through(const sinew_camera *camera, float x, float y, float width, float height) {
  sinew_vec3 ahead = vec3_unit(vec3_sub(camera->target, camera->position), (sinew_vec3){0, 0, -1});
  sinew_vec3 right = vec3_unit(vec3_cross(ahead, camera->up), vec3_across(ahead)), up = vec3_cross(right, ahead);
  float tangent = float_tan(camera->fov_y / 2), h = (2 * x / width - 1 - camera->shift_x) * tangent * width / height;
  float v = (1 - 2 * y / height - camera->shift_y) * tangent;
  return (ray){camera->position, vec3_add_scaled(vec3_add_scaled(ahead, h, right), v, up)};
}

bool ray_pixel(const sinew_camera *camera, sinew_vec3 p, float width, float height, float out[2]) {
  sinew_vec3 ahead = vec3_unit(vec3_sub(camera->target, camera->position), (sinew_vec3){0, 0, -1});
  sinew_vec3 right = vec3_unit(vec3_cross(ahead, camera->up), vec3_across(ahead)), up = vec3_cross(right, ahead);
  sinew_vec3 to = vec3_sub(p, camera->position);
  float depth = vec3_dot(to, ahead), tangent = float_tan(camera->fov_y / 2);
  out[0] = (vec3_dot(to, right) / (depth * tangent * width / height) + 1 + camera->shift_x) * width / 2;
  out[1] = (1 - camera->shift_y - vec3_dot(to, up) / (depth * tangent)) * height / 2;
  return depth > 1e-4f;
}

static sinew_vec3 read(const float *p) { return (sinew_vec3){p[0], p[1], p[2]}; }

/* Möller and Trumbore, "Fast, minimum storage ray/triangle intersection", 1997; both sides count. */
float ray_triangle(const ray *r, const float *a, const float *b, const float *c, float inside[3]) {
  sinew_vec3 corner = read(a), ab = vec3_sub(read(b), corner), ac = vec3_sub(read(c), corner);
  sinew_vec3 p = vec3_cross(r->direction, ac), from = vec3_sub(r->origin, corner), q = vec3_cross(from, ab);
  float determinant = vec3_dot(ab, p);
  if (!(fabsf(determinant) > 1e-20f)) return INFINITY;
  inside[1] = vec3_dot(from, p) / determinant;
  inside[2] = vec3_dot(r->direction, q) / determinant;
  inside[0] = 1 - inside[1] - inside[2];
  float distance = vec3_dot(ac, q) / determinant;
  bool meets = inside[0] >= 0 && inside[1] >= 0 && inside[2] >= 0 && distance > 0;
  return meets ? distance : INFINITY;
}

/* ---- masks ---- */

enum { STROKES = sizeof((mask_strokes *)0)->items / sizeof(mask_stroke) };

float mask_at(const sinew_host *host, sinew_actor actor, int layer, int joint) {
  const float *weights = sinew_actor_layer(host->stage, actor, layer).joint_weights;
  return weights ? weights[joint] : 1;
}

/* ---- changing ---- */

/* Reports it once, not with each move of the brush. */
static void say_too_long(sinew_host *host, const char *target) {
  char text[256];
  bool *said = &host->selection.told_length;
  if (!*said) {
    text_format(text, sizeof text, "%.120s: more than %d KB of Lua, so it is neither copied nor written", target,
                MASK_TEXT / 1024);
    sinew_host_toast(host, text);
  }
  *said = true;
}

static void note(sinew_host *host, sinew_actor actor, int layer, const float *weights) {
  static char text[MASK_TEXT], line[MASK_TEXT + 4 * LUA_TEXT];
  char target[3 * LUA_TEXT], name[LUA_TEXT], of_layer[LUA_TEXT];
  change_list *changes = &host->inspector.changes;
  lua_actor(name, sinew_actor_name(host->stage, actor));
  lua_string(of_layer, sinew_actor_layer_name(host->stage, actor, layer));
  lua_format(target, sizeof target, "%s:layer(%s):set_mask", name, of_layer);
  if (!mask_as_lua(sinew_actor_model(host->stage, actor), weights, text, sizeof text)) {
    changes_take_back(changes, target); /* a noted earlier mask is out of date */
    say_too_long(host, target);
    return;
  }
  lua_format(line, sizeof line, "%s(%s)", target, text);
  changes_note_line(changes, target, line);
  changes_note_edit(
      changes, target,
      &(sinew_edit){.kind = SINEW_EDIT_LAYER, .actor = actor, .layer = layer, .field = "mask", .text = text});
}

void mask_set(sinew_host *host, sinew_actor actor, int layer, int joint, float weight, bool below) {
  char path[SINEW_JOINT_PATH], field[SINEW_JOINT_PATH + 8];
  const double values[2] = {(double)weight, below};
  const sinew_edit of = {.kind = SINEW_EDIT_LAYER, .actor = actor, .layer = layer, .field = field};
  if (!sinew_model_joint_path(sinew_actor_model(host->stage, actor), joint, path, sizeof path)) return;
  snprintf(field, sizeof field, "mask.%s", path);
  if (!change_make(host, &of, values, 2)) return;
  const float *weights = sinew_actor_layer(host->stage, actor, layer).joint_weights;
  if (weights) note(host, actor, layer, weights);
}

/* ---- undoing strokes ---- */

void mask_begin_stroke(sinew_host *host) {
  mask_strokes *all = &host->selection.strokes;
  sinew_actor actor = host->selection.actor;
  int layer = host->selection.painted, count = sinew_model_joint_count(sinew_actor_model(host->stage, actor));
  float *weights = mem_alloc_array((size_t)count, sizeof *weights);
  if (!weights) return;
  for (int i = 0; i < count; i++) weights[i] = mask_at(host, actor, layer, i);
  if (all->count == STROKES) {
    mem_free(all->items[0].weights);
    memmove(all->items, all->items + 1, (STROKES - 1) * sizeof *all->items);
    all->count--;
  }
  all->items[all->count++] = (mask_stroke){actor, layer, weights, count};
}

/* Layers that are gone, or whose joints now belong to another model, are left alone. */
static bool put_back(sinew_host *host, const mask_stroke *s) {
  const sinew_model *model = sinew_actor_model(host->stage, s->actor);
  bool there = model && sinew_model_joint_count(model) == s->count &&
               s->layer < sinew_actor_layer_count(host->stage, s->actor),
       any = false;
  for (int i = 1; there && i < s->count; i++) {
    if (mask_at(host, s->actor, s->layer, i) == s->weights[i]) continue;
    mask_set(host, s->actor, s->layer, i, s->weights[i], false);
    any = true;
  }
  return any;
}

bool mask_undo(sinew_host *host) {
  mask_strokes *all = &host->selection.strokes;
  for (bool any = false; all->count > 0;) {
    mask_stroke *last = all->items + --all->count;
    any = put_back(host, last);
    mem_free(last->weights);
    if (!any) continue;
    sinew_host_toast(host, "took back a stroke of the mask");
    return true;
  }
  return false;
}

void mask_forget_strokes(sinew_host *host) {
  mask_strokes *all = &host->selection.strokes;
  while (all->count > 0) mem_free(all->items[--all->count].weights);
}

/* ---- painting ---- */

void mask_paint(sinew_host *host) {
  const selection *s = &host->selection;
  sinew_actor actor;
  int joint;
  if (!s->paints || !pick_at(host, host->input.mouse_x, host->input.mouse_y, &actor, &joint)) return;
  if (actor.id != s->actor.id || joint <= 0) return;
  bool same = mask_at(host, actor, s->painted, joint) == s->brush && !s->paints_below;
  if (!same) mask_set(host, actor, s->painted, joint, s->brush, s->paints_below);
}

const sinew_model *mask_painted(const sinew_host *host, const float **joint_weights) {
  const selection *s = &host->selection;
  bool there = s->actor.id && s->painted > 0 && s->painted < sinew_actor_layer_count(host->stage, s->actor);
  if (!there) return NULL;
  *joint_weights = sinew_actor_layer(host->stage, s->actor, s->painted).joint_weights;
  return sinew_actor_model(host->stage, s->actor);
}
