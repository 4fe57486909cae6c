#include "host/drawing/debug_views.h"

#include "base/memory/memory.h"
#include "base/text.h"
#include "host/drawing/lines.h"
#include "host/host.h"
#include "math/elementary.h"
#include "math/vec3.h"

#include <sinew/actor_modifiers.h>

#include <math.h>
#include <string.h>

/* ---- joints ---- */

enum { MOST_LABELS = 128 };

/* The boxes in the picture that text already covers, in pixels: left, top, right, bottom. */
typedef struct labels {
  float at[MOST_LABELS][4];
  int count;
} labels;

typedef struct figure {
  sinew_actor actor;
  const sinew_model *model;
  const sinew_mat3x4 *joints;
  sinew_mat3x4 world;
  float size; /* metres, of small marks */
  labels labels;
  trail *trail;
} figure;

static sinew_vec3 position_of(const sinew_mat3x4 *matrix) {
  return (sinew_vec3){matrix->m[3], matrix->m[7], matrix->m[11]};
}

static sinew_vec3 world_position(const figure *f, int joint) {
  return sinew_mat3x4_transform_point(&f->world, position_of(&f->joints[joint]));
}

static void add_line_to(line_list *list, sinew_vec3 a, sinew_vec3 b, const uint8_t color[4]) {
  sinew_line line = {.a = a, .b = b};
  memcpy(line.color, color, sizeof line.color);
  line_list_add(list, &line);
}

static void add_line(sinew_host *host, sinew_vec3 a, sinew_vec3 b, const uint8_t color[4]) {
  add_line_to(&host->lines_on_top, a, b, color);
}

static void draw_axes(sinew_host *host, const figure *f, const sinew_mat3x4 *joint) {
  static const uint8_t colors[3][4] = {{235, 64, 52, 255}, {92, 200, 70, 255}, {64, 120, 245, 255}};
  sinew_vec3 at = position_of(joint);
  for (int axis = 0; axis < 3; axis++) {
    sinew_vec3 d = {joint->m[axis], joint->m[4 + axis], joint->m[8 + axis]};
    add_line(host, at, vec3_add_scaled(at, f->size, vec3_unit(d, (sinew_vec3){0})), colors[axis]);
  }
}

static bool is_free(const labels *l, const float box[4]) {
  for (int i = 0; i < l->count; i++)
    if (box[0] < l->at[i][2] && box[2] > l->at[i][0] && box[1] < l->at[i][3] && box[3] > l->at[i][1]) return false;
  return l->count < MOST_LABELS;
}

/* Takes room for text beside a point, to the right, to the left, below or above; false if other text is everywhere. */
static bool take_room(labels *l, const float point[2], float wide, float high, float box[4]) {
  const float places[4][2] = {{5, -high / 2}, {-5 - wide, -high / 2}, {-wide / 2, 5}, {-wide / 2, -5 - high}};
  for (int i = 0; i < 4; i++) {
    box[0] = point[0] + places[i][0], box[1] = point[1] + places[i][1];
    box[2] = box[0] + wide, box[3] = box[1] + high;
    if (!is_free(l, box)) continue;
    memcpy(l->at[l->count++], box, 4 * sizeof *box);
    return true;
  }
  return false;
}

static void draw_label(sinew_host *host, labels *l, sinew_vec3 at, const char *text) {
  static const uint8_t color[4] = {255, 240, 200, 255}, shade[4] = {0, 0, 0, 170};
  float p[2], box[4], wide, high;
  const sinew_camera camera = sinew_host_shown_camera(host);
  if (!host->ui || !text[0] || !sinew_camera_pixel(&camera, host->width, host->height, at, p)) return;
  ui_text_size(host->ui, UI_TEXT, text, &wide, &high);
  if (!take_room(l, p, wide, high, box)) return;
  sinew_host_draw_text(host, box[0] + 1, box[1] + 1, shade, text);
  sinew_host_draw_text(host, box[0], box[1], color, text);
}

/* ---- legends ---- */

/* As in shaders/view.frag: dark blue, blue, green, yellow, red. */
static uint32_t heat(float value) {
  static const uint8_t colors[5][3] = {{39, 48, 97}, {63, 124, 237}, {89, 225, 137}, {249, 231, 79}, {243, 70, 48}};
  float at = 4 * value, part = at - floorf(fminf(at, 3)), mixed[3];
  int from = (int)fminf(at, 3);
  for (int i = 0; i < 3; i++) mixed[i] = (float)colors[from][i] + part * (float)(colors[from + 1][i] - colors[from][i]);
  return ui_color((int)mixed[0], (int)mixed[1], (int)mixed[2], 1);
}

void debug_views_draw_legend(sinew_host *host) {
  enum { STEPS = 40 };
  static const uint8_t color[4] = {255, 255, 255, 255};
  bool speed = host->view.surface == SINEW_SURFACE_VELOCITY;
  if (!host->ui || !(speed || host->view.surface == SINEW_SURFACE_WEIGHT)) return;
  float scale = ui_scale(host->ui), high = 10 * scale, text_wide, text_high;
  float wide = fminf(200 * scale, 0.4f * (float)host->width);
  float left = (float)host->width - wide - 24 * scale, top = (float)host->height - 48 * scale;
  const ui_style back = {UI_BEHIND, UI_TEXT, ui_color(12, 14, 17, 0.62f)};
  ui_draw_box(host->ui, &back,
              (float[4]){left - 10 * scale, top - 8 * scale, left + wide + 10 * scale, top + 34 * scale}, 6 * scale);
  for (int i = 0; i < STEPS; i++) {
    const ui_style part = {UI_BEHIND, UI_TEXT, heat(((float)i + 0.5f) / STEPS)};
    ui_draw_box(host->ui, &part,
                (float[4]){left + wide * (float)i / STEPS, top, left + wide * (float)(i + 1) / STEPS, top + high}, 0);
  }
  for (int i = 0; i <= 4; i += 2) {
    char text[16];
    text_format(text, sizeof text, speed ? i == 4 ? "%g m/s" : "%g" : "%g", (double)i / (speed ? 1 : 4));
    ui_text_size(host->ui, UI_TEXT, text, &text_wide, &text_high);
    sinew_host_draw_text(host, left + (wide - text_wide) * (float)i / 4, top + high + 2 * scale, color, text);
  }
}

/* ---- metres ---- */

/* Steps of 1, 5, 10, 50 … metres, so that ten of them reach about as far as the camera's distance. */
static float scale_step(const sinew_camera *camera) {
  float step = 1, away = vec3_distance(camera->position, camera->target);
  for (int i = 0; step * 12 < away && i < 12; i++) step *= i % 2 ? 2 : 5;
  return step;
}

void debug_views_draw_scale(sinew_host *host) {
  enum { STEPS = 10 };
  static const uint8_t colors[2][4] = {{214, 74, 64, 255}, {72, 128, 236, 255}};
  float step = scale_step(&host->camera), tick = 0.06f * step, height = 0.004f;
  labels used = {.count = 0};
  for (int axis = 0; axis < 2; axis++)
    for (int i = -STEPS; i <= STEPS; i++) {
      char text[32];
      float far = step * (float)i, x = axis ? 0 : far, z = axis ? far : 0, next = far + step;
      float across_x = axis ? tick : 0, across_z = axis ? 0 : tick;
      sinew_vec3 at = {x, height, z}, end = {axis ? 0 : next, height, axis ? next : 0};
      if (i < STEPS) add_line_to(&host->lines, at, end, colors[axis]);
      add_line_to(&host->lines, (sinew_vec3){x - across_x, height, z - across_z},
                  (sinew_vec3){x + across_x, height, z + across_z}, colors[axis]);
      text_format(text, sizeof text, "%g m", (double)far);
      if (i != 0 || axis == 0) draw_label(host, &used, at, text);
    }
}

/* ---- contacts ---- */

static void draw_ring(sinew_host *host, sinew_vec3 at, float radius, const uint8_t color[4]) {
  enum { SIDES = 24 };
  sinew_vec3 before = {at.x + radius, at.y, at.z};
  for (int i = 1; i <= SIDES; i++) {
    float angle = 6.2831853f * (float)i / SIDES;
    sinew_vec3 next = {at.x + radius * float_cos(angle), at.y, at.z + radius * float_sin(angle)};
    add_line(host, before, next, color);
    before = next;
  }
}

/* Draws a ring on the ground around an end of the skeleton near it: green if the end stands, orange if it slides. The
 * ground is that of a planting modifier, or the level of the actor. */
static void draw_contact(sinew_host *host, const figure *f, int joint, sinew_vec3 at) {
  static const uint8_t stands[4] = {80, 230, 110, 255}, slides[4] = {255, 150, 40, 255};
  const float slow = 8; /* slower than this it stands, in marks per second: 0.35 m for a person */
  float ground = f->world.m[7], size = f->size;
  (void)sinew_actor_ground(host->stage, f->actor, joint, &ground);
  if (!(host->dt > 0) || fabsf(at.y - ground) > 1.5f * size) return;
  float moved = vec3_distance(at, f->trail->positions[joint]);
  bool is_slow = moved <= slow * size * (float)host->dt;
  draw_ring(host, (sinew_vec3){at.x, ground + 0.05f * size, at.z}, size, is_slow ? stands : slides);
}

/* ---- root path ---- */

static trail *find_trail(sinew_host *host, uint64_t actor) {
  trail_list *list = &host->trails;
  for (int i = 0; i < list->count; i++)
    if (list->trails[i].actor == actor) return &list->trails[i];
  trail *made = array_grow((void **)&list->trails, &list->count, &list->capacity, sizeof *made);
  if (made) made->actor = actor;
  return made;
}

/* After a pause in which the path was not drawn, a new one begins. */
static void add_point(trail *t, sinew_vec3 point, int64_t frame) {
  if (t->seen_in != frame - 1) t->count = t->next = 0;
  t->seen_in = frame;
  t->points[t->next] = point;
  t->next = (t->next + 1) % TRAIL_POINTS;
  if (t->count < TRAIL_POINTS) t->count++;
}

static void draw_trail(sinew_host *host, const trail *t) {
  for (int i = 1; i < t->count; i++) {
    int to = (t->next - i + TRAIL_POINTS) % TRAIL_POINTS, from = (to - 1 + TRAIL_POINTS) % TRAIL_POINTS;
    const uint8_t color[4] = {90, 230, 255, (uint8_t)(255 * (TRAIL_POINTS - i) / TRAIL_POINTS)};
    add_line(host, t->points[from], t->points[to], color);
  }
}

/* True if the trail has the positions of all joints in the last frame. */
static bool has_positions(const sinew_host *host, const figure *f) {
  return f->trail && f->trail->placed_in == host->frame - 1 &&
         f->trail->position_count == sinew_model_joint_count(f->model);
}

static void draw_contacts(sinew_host *host, const figure *f) {
  int count = sinew_model_joint_count(f->model);
  for (int i = 1; i < count && has_positions(host, f); i++)
    if (host->marks[i] == 1) draw_contact(host, f, i, world_position(f, i));
  trail *t = f->trail;
  if (!t || !array_reserve((void **)&t->positions, &t->position_capacity, count, sizeof *t->positions)) return;
  for (int i = 0; i < count; i++) t->positions[i] = world_position(f, i);
  t->position_count = count;
  t->placed_in = host->frame;
}

/* The first joint that moves the skin, on the ground. */
static void draw_root_path(sinew_host *host, const figure *f) {
  int root = 1;
  while (root + 1 < sinew_model_joint_count(f->model) && !host->marks[root]) root++;
  if (root >= sinew_model_joint_count(f->model)) return;
  sinew_vec3 at = world_position(f, root);
  if (!f->trail) return;
  add_point(f->trail, (sinew_vec3){at.x, 0.004f, at.z}, host->frame);
  draw_trail(host, f->trail);
}

void trail_list_release(trail_list *list) {
  for (int i = 0; i < list->count; i++) mem_free(list->trails[i].positions);
  mem_free(list->trails);
  *list = (trail_list){0};
}

/* ---- the debug views of one actor ---- */

static void draw_joint(sinew_host *host, figure *f, int joint) {
  sinew_mat3x4 world = sinew_mat3x4_multiply(&f->world, &f->joints[joint]);
  if (host->view.axes) draw_axes(host, f, &world);
  if (host->view.names) draw_label(host, &f->labels, position_of(&world), sinew_model_joint_name(f->model, joint));
}

static float size_of(const sinew_model *model) {
  sinew_vec3 low, high;
  sinew_model_bounds(model, &low, &high);
  float size = vec3_distance(low, high);
  return size > 0 ? 0.02f * size : 0.03f;
}

void debug_views_draw(sinew_host *host, sinew_actor actor) {
  const sinew_view_options *view = &host->view;
  if (!(view->axes || view->names || view->contacts || view->root_path)) return;
  figure f = {
      .actor = actor, .model = sinew_actor_model(host->stage, actor), .joints = sinew_actor_joints(host->stage, actor)};
  if (!f.joints) return;
  if (!array_reserve((void **)&host->marks, &host->mark_capacity, sinew_model_joint_count(f.model), 1)) return;
  skeleton_mark(f.model, host->marks);
  sinew_transform transform = sinew_actor_transform(host->stage, actor);
  f.world = sinew_mat3x4_from_transform(&transform);
  f.size = size_of(f.model) * fabsf(transform.scale.y);
  for (int i = 1; i < sinew_model_joint_count(f.model); i++)
    if (host->marks[i]) draw_joint(host, &f, i);
  if (view->contacts || view->root_path) f.trail = find_trail(host, actor.id);
  if (view->contacts) draw_contacts(host, &f);
  if (view->root_path) draw_root_path(host, &f);
}
