#include "host/picking/picking.h"

#include "host/edit/change.h"
#include "host/edit/notes.h"
#include "host/host.h"
#include "math/elementary.h"
#include "math/quat.h"
#include "math/vec3.h"

#include <math.h>
#include <string.h>

enum { SEGMENTS = 48 };
static const float axis_pixels = 70, ring_fraction = 0.75f;

static float pixels_of(const sinew_host *host, float pixels) { return pixels * (host->ui ? ui_scale(host->ui) : 1); }

/* ---- which there are ---- */

static float length_at(const sinew_host *host, sinew_vec3 at) {
  const sinew_camera camera = sinew_host_shown_camera(host);
  sinew_vec3 ahead = vec3_unit(vec3_sub(camera.target, camera.position), (sinew_vec3){0, 0, -1});
  float depth = vec3_dot(vec3_sub(at, camera.position), ahead);
  return 2 * float_tan(camera.fov_y / 2) * depth * pixels_of(host, axis_pixels) / (float)host->height;
}

static bool find_target(const sinew_host *host, sinew_actor actor, int modifier, gizmo *out) {
  sinew_modifier_def s;
  sinew_actor to;
  int joint;
  const sinew_stage *stage = host->stage;
  bool own = sinew_actor_modifier_aims(stage, actor, modifier) &&
             !sinew_actor_modifier_target(stage, actor, modifier, &to, &joint) &&
             sinew_actor_read_modifier_state(stage, actor, modifier, &s) && vec3_is_finite(s.target);
  if (!own) return false;
  *out = (gizmo){modifier, s.target, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, length_at(host, s.target)};
  return true;
}

static sinew_vec3 column(const sinew_mat3x4 *m, int i) {
  return vec3_unit((sinew_vec3){m->m[i], m->m[4 + i], m->m[8 + i]}, (sinew_vec3){i == 0, i == 1, i == 2});
}

static bool find_attachment(const sinew_host *host, sinew_actor actor, gizmo *out) {
  sinew_mat3x4 above;
  sinew_attachment a;
  if (!sinew_actor_attachment(host->stage, actor, &a) || !sinew_actor_attached_at(host->stage, actor, &above))
    return false;
  *out = (gizmo){.modifier = GIZMO_ATTACHMENT, .at = sinew_mat3x4_transform_point(&above, a.offset.translation)};
  for (int i = 0; i < 3; i++) out->axes[i] = column(&above, i);
  out->length = length_at(host, out->at);
  return true;
}

int gizmos_find(const sinew_host *host, gizmo out[GIZMO_MOST]) {
  sinew_actor actor;
  int joint, count = 0;
  if (host->review.is_on || !sinew_host_selected(host, &actor, &joint)) return 0;
  if (find_attachment(host, actor, out)) count++;
  for (int i = 0; i < sinew_actor_modifier_count(host->stage, actor) && count < GIZMO_MOST; i++)
    if (find_target(host, actor, i, out + count)) count++;
  return count;
}

/* ---- the positions of handles ---- */

static bool has_handle(const gizmo *g, gizmo_handle handle) {
  return handle < GIZMO_RING_X || g->modifier == GIZMO_ATTACHMENT;
}

static bool see(const sinew_host *host, sinew_vec3 p, float out[2]) {
  const sinew_camera camera = sinew_host_shown_camera(host);
  return ray_pixel(&camera, p, (float)host->width, (float)host->height, out);
}

static sinew_vec3 on_ring(const gizmo *g, int axis, int segment) {
  float angle = 6.2831853f * (float)segment / SEGMENTS, r = ring_fraction * g->length;
  sinew_vec3 u = g->axes[(axis + 1) % 3], v = g->axes[(axis + 2) % 3];
  return vec3_add_scaled(vec3_add_scaled(g->at, r * float_cos(angle), u), r * float_sin(angle), v);
}

bool gizmo_pixel(const sinew_host *host, const gizmo *g, gizmo_handle handle, float out[2]) {
  if (handle == GIZMO_CENTRE) return see(host, g->at, out);
  if (handle >= GIZMO_RING_X) return see(host, on_ring(g, handle - GIZMO_RING_X, SEGMENTS / 8), out);
  return see(host, vec3_add_scaled(g->at, 0.8f * g->length, g->axes[handle]), out);
}

/* The distance of a point from the segment between two others, all in pixels. */
static float distance_to(const float p[2], const float a[2], const float b[2]) {
  float ab[2] = {b[0] - a[0], b[1] - a[1]}, ap[2] = {p[0] - a[0], p[1] - a[1]};
  float length = ab[0] * ab[0] + ab[1] * ab[1], t = length > 0 ? (ap[0] * ab[0] + ap[1] * ab[1]) / length : 0;
  t = fminf(fmaxf(t, 0), 1);
  return float_hypot(ap[0] - t * ab[0], ap[1] - t * ab[1]);
}

static float distance_of_line(const sinew_host *host, const float mouse[2], sinew_vec3 from, sinew_vec3 to) {
  float a[2], b[2];
  return see(host, from, a) && see(host, to, b) ? distance_to(mouse, a, b) : INFINITY;
}

static float distance_of(const sinew_host *host, const gizmo *g, gizmo_handle handle, const float mouse[2]) {
  float nearest = INFINITY, at[2];
  if (!has_handle(g, handle)) return INFINITY;
  if (handle == GIZMO_CENTRE) return see(host, g->at, at) ? float_hypot(at[0] - mouse[0], at[1] - mouse[1]) : INFINITY;
  if (handle < GIZMO_CENTRE)
    return distance_of_line(host, mouse, vec3_add_scaled(g->at, 0.2f * g->length, g->axes[handle]),
                            vec3_add_scaled(g->at, g->length, g->axes[handle]));
  for (int i = 0; i < SEGMENTS; i++)
    nearest = fminf(nearest, distance_of_line(host, mouse, on_ring(g, handle - GIZMO_RING_X, i),
                                              on_ring(g, handle - GIZMO_RING_X, i + 1)));
  return nearest;
}

/* ---- dragging ---- */

static bool is_reached(const sinew_host *host, const gizmo *g, gizmo_handle handle, const float mouse[2]) {
  return distance_of(host, g, handle, mouse) < pixels_of(host, handle == GIZMO_CENTRE ? 9 : 7);
}

/* The centre takes precedence over the axes, and these over the rings. */
static gizmo_handle handle_at(const sinew_host *host, const gizmo *g, const float mouse[2]) {
  if (is_reached(host, g, GIZMO_CENTRE, mouse)) return GIZMO_CENTRE;
  for (int i = 0; i < GIZMO_HANDLES; i++)
    if (is_reached(host, g, (gizmo_handle)i, mouse)) return (gizmo_handle)i;
  return GIZMO_NONE;
}

bool gizmo_press(sinew_host *host, float x, float y) {
  gizmo all[GIZMO_MOST];
  const float mouse[2] = {x, y};
  gizmo_drag *drag = &host->selection.drag;
  int count = gizmos_find(host, all);
  for (int i = 0; i < count; i++) {
    gizmo_handle handle = handle_at(host, &all[i], mouse);
    sinew_attachment a = sinew_attachment_default();
    if (handle == GIZMO_NONE) continue;
    if (all[i].modifier == GIZMO_ATTACHMENT) sinew_actor_attachment(host->stage, host->selection.actor, &a);
    *drag = (gizmo_drag){true, handle, all[i], {x, y}, a.offset};
    return true;
  }
  return false;
}

static ray mouse_ray(const sinew_host *host, const float mouse[2]) {
  const sinew_camera camera = sinew_host_shown_camera(host);
  return ray_through(&camera, mouse[0], mouse[1], (float)host->width, (float)host->height);
}

/* The position on the axis closest to the ray: there d/ds and d/dt of |origin + t·direction − at − s·axis|² are 0. */
static float along_axis(const ray *r, sinew_vec3 at, sinew_vec3 axis) {
  sinew_vec3 w = vec3_sub(at, r->origin);
  float a = vec3_dot(r->direction, r->direction), b = vec3_dot(r->direction, axis), d = vec3_dot(r->direction, w),
        e = vec3_dot(axis, w), apart = a - b * b;
  return fabsf(apart) > 1e-6f ? b * (d - b * e) / apart - e : 0;
}

static bool meet_plane(const ray *r, sinew_vec3 at, sinew_vec3 normal, sinew_vec3 *out) {
  float steep = vec3_dot(r->direction, normal), t = vec3_dot(vec3_sub(at, r->origin), normal) / steep;
  *out = vec3_add_scaled(r->origin, t, r->direction);
  return fabsf(steep) > 0.02f * vec3_length(r->direction) && t > 0;
}

/* Metres in the world from the old position to the present one under the mouse. */
static sinew_vec3 shift_of(const sinew_host *host, const gizmo_drag *d, const float mouse[2]) {
  const sinew_camera camera = sinew_host_shown_camera(host);
  ray before = mouse_ray(host, d->from), now = mouse_ray(host, mouse);
  sinew_vec3 from, to, at = d->began.at, none = {0, 0, 0};
  if (d->handle < GIZMO_CENTRE) {
    sinew_vec3 axis = d->began.axes[d->handle];
    return vec3_scale(axis, along_axis(&now, at, axis) - along_axis(&before, at, axis));
  }
  sinew_vec3 ahead = vec3_sub(camera.target, camera.position);
  return meet_plane(&before, at, ahead, &from) && meet_plane(&now, at, ahead, &to) ? vec3_sub(to, from) : none;
}

static float angle_of(const gizmo *g, int axis, sinew_vec3 p) {
  sinew_vec3 q = vec3_sub(p, g->at);
  return float_atan2(vec3_dot(q, g->axes[(axis + 2) % 3]), vec3_dot(q, g->axes[(axis + 1) % 3]));
}

/* Radians about the ring's axis. */
static float turn_of(const sinew_host *host, const gizmo_drag *d, const float mouse[2]) {
  int axis = d->handle - GIZMO_RING_X;
  ray before = mouse_ray(host, d->from), now = mouse_ray(host, mouse);
  sinew_vec3 from, to;
  bool seen = meet_plane(&before, d->began.at, d->began.axes[axis], &from) &&
              meet_plane(&now, d->began.at, d->began.axes[axis], &to);
  return seen ? angle_of(&d->began, axis, to) - angle_of(&d->began, axis, from) : 0;
}

static void move_target(sinew_host *host, const gizmo_drag *d, const float mouse[2]) {
  sinew_modifier_def s;
  sinew_actor actor = host->selection.actor;
  int modifier = d->began.modifier;
  if (!sinew_actor_read_modifier_state(host->stage, actor, modifier, &s)) return;
  s.target = vec3_add(d->began.at, shift_of(host, d, mouse));
  const double at[3] = {(double)s.target.x, (double)s.target.y, (double)s.target.z};
  const sinew_edit of = {.kind = SINEW_EDIT_MODIFIER, .actor = actor, .index = modifier, .field = "target"};
  if (change_make(host, &of, at, 3)) changes_note_field(host, &of);
}

/* Converts a shift to the joint's space, in which the offset is. */
static sinew_vec3 to_joint(const sinew_mat3x4 *above, sinew_vec3 shift) {
  sinew_mat3x4 inverse;
  if (!sinew_mat3x4_inverse(above, &inverse)) return (sinew_vec3){0, 0, 0};
  sinew_vec3 zero = sinew_mat3x4_transform_point(&inverse, (sinew_vec3){0, 0, 0});
  return vec3_sub(sinew_mat3x4_transform_point(&inverse, shift), zero);
}

static void move_attachment(sinew_host *host, const gizmo_drag *d, const float mouse[2]) {
  sinew_actor actor = host->selection.actor;
  sinew_mat3x4 above;
  sinew_transform offset = d->offset;
  if (!sinew_actor_attached_at(host->stage, actor, &above)) return;
  if (d->handle >= GIZMO_RING_X) {
    int axis = d->handle - GIZMO_RING_X;
    sinew_quat turn =
        sinew_quat_from_axis_angle((sinew_vec3){axis == 0, axis == 1, axis == 2}, turn_of(host, d, mouse));
    offset.rotation = sinew_quat_normalize(sinew_quat_multiply(turn, d->offset.rotation));
  } else {
    offset.translation = vec3_add(offset.translation, to_joint(&above, shift_of(host, d, mouse)));
  }
  const sinew_vec3 t = offset.translation;
  const sinew_quat r = offset.rotation;
  const double to_offset[7] = {(double)t.x, (double)t.y, (double)t.z, (double)r.x,
                               (double)r.y, (double)r.z, (double)r.w};
  const sinew_edit of = {.kind = SINEW_EDIT_ATTACHMENT, .actor = actor, .field = "offset"};
  if (change_make(host, &of, to_offset, 7))
    changes_note_attachment(host, actor, d->handle >= GIZMO_RING_X ? "offset.rotation" : "offset.position");
}

void gizmo_move(sinew_host *host) {
  gizmo_drag *drag = &host->selection.drag;
  const float mouse[2] = {host->input.mouse_x, host->input.mouse_y};
  sinew_actor actor;
  int joint;
  drag->is_on = drag->is_on && sinew_host_selected(host, &actor, &joint);
  bool moved = float_hypot(mouse[0] - drag->from[0], mouse[1] - drag->from[1]) > 0;
  if (!drag->is_on || !moved) return;
  if (drag->began.modifier == GIZMO_ATTACHMENT) move_attachment(host, drag, mouse);
  else move_target(host, drag, mouse);
}

/* ---- drawing ---- */

static const uint8_t colors[3][4] = {{232, 78, 66, 255}, {116, 196, 72, 255}, {74, 134, 240, 255}};
static const uint8_t held_color[4] = {255, 236, 130, 255};

static void draw_line(sinew_host *host, sinew_vec3 a, sinew_vec3 b, const uint8_t color[4]) {
  sinew_line line = {.a = a, .b = b};
  memcpy(line.color, color, sizeof line.color);
  line_list_add(&host->lines_on_top, &line);
}

/* An arrow of four strokes, thick enough to be visible. */
static void draw_axis(sinew_host *host, const gizmo *g, int axis, const uint8_t color[4]) {
  sinew_vec3 tip = vec3_add_scaled(g->at, g->length, g->axes[axis]);
  draw_line(host, g->at, tip, color);
  for (int i = 0; i < 4; i++) {
    sinew_vec3 side = g->axes[(axis + 1 + i / 2) % 3];
    sinew_vec3 back = vec3_add_scaled(tip, -0.2f * g->length, g->axes[axis]);
    draw_line(host, tip, vec3_add_scaled(back, (i % 2 ? 0.08f : -0.08f) * g->length, side), color);
  }
}

static void draw_ring(sinew_host *host, const gizmo *g, int axis, const uint8_t color[4]) {
  for (int i = 0; i < SEGMENTS; i++) draw_line(host, on_ring(g, axis, i), on_ring(g, axis, i + 1), color);
}

static void draw_centre(sinew_host *host, const gizmo *g, const uint8_t color[4]) {
  float r = 0.09f * g->length;
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 4; k++) {
      sinew_vec3 a = vec3_add_scaled(g->at, k < 2 ? r : -r, g->axes[i]);
      draw_line(host, a, vec3_add_scaled(g->at, k % 2 ? r : -r, g->axes[(i + 1) % 3]), color);
    }
}

static void draw_gizmo(sinew_host *host, const gizmo *g) {
  static const uint8_t white[4] = {240, 240, 240, 255};
  const gizmo_drag *drag = &host->selection.drag;
  bool own = drag->is_on && drag->began.modifier == g->modifier;
  for (int i = 0; i < 3; i++) draw_axis(host, g, i, own && (int)drag->handle == i ? held_color : colors[i]);
  for (int i = 0; i < 3 && has_handle(g, GIZMO_RING_X); i++)
    draw_ring(host, g, i, own && (int)drag->handle == GIZMO_RING_X + i ? held_color : colors[i]);
  draw_centre(host, g, own && drag->handle == GIZMO_CENTRE ? held_color : white);
}

void gizmos_draw(sinew_host *host) {
  gizmo all[GIZMO_MOST];
  int count = gizmos_find(host, all);
  for (int i = 0; i < count; i++) draw_gizmo(host, &all[i]);
}
