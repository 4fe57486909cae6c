#include "host/debug_views.h"

#include "base/array.h"
#include "base/memory.h"
#include "host/host.h"
#include "host/skeleton_lines.h"

#include <math.h>
#include <string.h>

/* ---- joints ---- */

enum { MOST_LABELS = 128 };

typedef struct figure {
  sinew_actor actor;
  const sinew_model *model;
  const sinew_mat3x4 *joints;
  sinew_mat3x4 world;
  float size;                   /* metres, of small marks */
  float labels[MOST_LABELS][2]; /* pixels */
  int label_count;
} figure;

static sinew_vec3 place_of(const sinew_mat3x4 *matrix) {
  return (sinew_vec3){matrix->m[3], matrix->m[7], matrix->m[11]};
}

static void add_line(sinew_host *host, sinew_vec3 a, sinew_vec3 b, const uint8_t color[4]) {
  sinew_line line = {.a = a, .b = b};
  memcpy(line.color, color, sizeof line.color);
  line_list_add(&host->lines_on_top, &line);
}

static void draw_axes(sinew_host *host, const figure *f, const sinew_mat3x4 *joint) {
  static const uint8_t colors[3][4] = {{235, 64, 52, 255}, {92, 200, 70, 255}, {64, 120, 245, 255}};
  sinew_vec3 at = place_of(joint);
  for (int axis = 0; axis < 3; axis++) {
    sinew_vec3 d = {joint->m[axis], joint->m[4 + axis], joint->m[8 + axis]};
    float length = sqrtf(d.x * d.x + d.y * d.y + d.z * d.z), s = length > 0 ? f->size / length : 0;
    add_line(host, at, (sinew_vec3){at.x + d.x * s, at.y + d.y * s, at.z + d.z * s}, colors[axis]);
  }
}

/* False where the point is behind the camera. */
static bool to_pixel(const sinew_host *host, sinew_vec3 point, float *x, float *y) {
  sinew_mat4 view = sinew_camera_view(&host->camera);
  sinew_mat4 projection = sinew_camera_projection(&host->camera, (float)host->width / (float)host->height);
  const float p[4] = {point.x, point.y, point.z, 1};
  float eye[4] = {0}, clip[4] = {0};
  for (int r = 0; r < 4; r++)
    for (int k = 0; k < 4; k++) eye[r] += view.m[4 * k + r] * p[k];
  for (int r = 0; r < 4; r++)
    for (int k = 0; k < 4; k++) clip[r] += projection.m[4 * k + r] * eye[k];
  *x = (clip[0] / clip[3] * 0.5f + 0.5f) * (float)host->width;
  *y = (0.5f - clip[1] / clip[3] * 0.5f) * (float)host->height;
  return clip[3] > host->camera.near_plane;
}

/* Names that would cover one that is there already are left out. */
static bool takes_room(figure *f, float x, float y) {
  const float wide = 90, high = 13;
  for (int i = 0; i < f->label_count; i++)
    if (fabsf(f->labels[i][0] - x) < wide && fabsf(f->labels[i][1] - y) < high) return false;
  if (f->label_count == MOST_LABELS) return false;
  f->labels[f->label_count][0] = x;
  f->labels[f->label_count++][1] = y;
  return true;
}

static void draw_name(sinew_host *host, figure *f, int joint, sinew_vec3 at) {
  static const uint8_t color[4] = {255, 240, 200, 255}, shade[4] = {0, 0, 0, 170};
  float x, y;
  const char *name = sinew_model_joint_name(f->model, joint);
  if (!name[0] || !to_pixel(host, at, &x, &y) || !takes_room(f, x, y)) return;
  sinew_host_draw_text(host, x + 6, y - 6, shade, name);
  sinew_host_draw_text(host, x + 5, y - 7, color, name);
}

/* A ring on the ground under an end of the skeleton that is near it: the brighter, the nearer. */
static void draw_contact(sinew_host *host, const figure *f, sinew_vec3 at) {
  enum { SIDES = 24 };
  float reach = 2.5f * f->size, near = 1 - fabsf(at.y) / reach;
  if (near <= 0) return;
  const uint8_t color[4] = {255, 80, 60, (uint8_t)(255 * near)};
  sinew_vec3 before = {at.x + f->size, 0.002f, at.z};
  for (int i = 1; i <= SIDES; i++) {
    float angle = 6.2831853f * (float)i / SIDES;
    sinew_vec3 next = {at.x + f->size * cosf(angle), 0.002f, at.z + f->size * sinf(angle)};
    add_line(host, before, next, color);
    before = next;
  }
}

/* ---- root path ---- */

static trail *find_trail(sinew_host *host, uint32_t actor) {
  trail_list *list = &host->trails;
  for (int i = 0; i < list->count; i++)
    if (list->trails[i].actor == actor) return &list->trails[i];
  trail *made = array_grow((void **)&list->trails, &list->count, &list->capacity, sizeof *made);
  if (made) made->actor = actor;
  return made;
}

/* A pause, during which the path was not drawn, begins a new one. */
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

/* The first joint that moves the skin, on the ground. */
static void draw_root_path(sinew_host *host, const figure *f) {
  int root = 1;
  while (root + 1 < sinew_model_joint_count(f->model) && !host->marks[root]) root++;
  if (root >= sinew_model_joint_count(f->model)) return;
  sinew_vec3 at = sinew_mat3x4_transform_point(&f->world, place_of(&f->joints[root]));
  trail *t = find_trail(host, f->actor.id);
  if (!t) return;
  add_point(t, (sinew_vec3){at.x, 0.004f, at.z}, host->frame);
  draw_trail(host, t);
}

void trail_list_release(trail_list *list) {
  mem_free(list->trails);
  *list = (trail_list){0};
}

/* ---- all of one actor ---- */

static void draw_joint(sinew_host *host, figure *f, int joint) {
  sinew_mat3x4 world = sinew_mat3x4_multiply(&f->world, &f->joints[joint]);
  if (host->view.axes) draw_axes(host, f, &world);
  if (host->view.names) draw_name(host, f, joint, place_of(&world));
  bool is_end = host->marks[joint] == 1;
  if (host->view.contacts && is_end) draw_contact(host, f, place_of(&world));
}

static float size_of(const sinew_model *model) {
  sinew_vec3 low, high;
  sinew_model_bounds(model, &low, &high);
  float x = high.x - low.x, y = high.y - low.y, z = high.z - low.z, size = sqrtf(x * x + y * y + z * z);
  return size > 0 ? 0.02f * size : 0.03f;
}

void debug_views_draw(sinew_host *host, sinew_actor actor) {
  const sinew_view_options *view = &host->view;
  figure f = {
      .actor = actor, .model = sinew_actor_model(host->stage, actor), .joints = sinew_actor_joints(host->stage, actor)};
  if (!f.joints || !(view->axes || view->names || view->contacts || view->root_path)) return;
  if (!array_reserve((void **)&host->marks, &host->mark_capacity, sinew_model_joint_count(f.model), 1)) return;
  skeleton_mark(f.model, host->marks);
  sinew_transform transform = sinew_actor_transform(host->stage, actor);
  f.world = sinew_mat3x4_from_transform(&transform);
  f.size = size_of(f.model) * fabsf(transform.scale.y);
  for (int i = 1; i < sinew_model_joint_count(f.model); i++)
    if (host->marks[i]) draw_joint(host, &f, i);
  if (view->root_path) draw_root_path(host, &f);
}
