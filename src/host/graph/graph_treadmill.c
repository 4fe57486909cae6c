/* While velocities are pinned, the actor walks on a treadmill: a grid that moves under it at that velocity. */
#include "host/graph/graph_panel.h"
#include "host/host.h"

#include <math.h>
#include <string.h>

enum { HALF = 4, FIT_SAMPLES = 64 }; /* HALF: lines on each side of the middle */
static const float spacing = 0.5f;

/* ---- the pinned velocity ---- */

/* From the parameter names that actor:motor uses. False if there are none. */
static bool find_named(const sinew_host *host, float out[2]) {
  static const struct {
    const char *name;
    int axis;
  } names[] = {{"left", 0}, {"ahead", 1}, {"speed", 1}};
  const graph_panel *panel = &host->graph;
  bool any = false;
  for (int i = 0; i < panel->pinned_count; i++)
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
      const char *name = sinew_actor_param_name(host->stage, panel->pinned_actor, panel->pinned[i]);
      if (!name || strcmp(name, names[k].name) != 0) continue;
      out[names[k].axis] = (float)sinew_actor_seen_param(host->stage, panel->pinned_actor, panel->pinned[i], NULL);
      any = true;
    }
  return any;
}

/* The blend space of the pinned parameters. */
static bool find_space(const sinew_host *host, int *layer, sinew_node_def *space) {
  const graph_panel *panel = &host->graph;
  for (*layer = 0; *layer < sinew_actor_layer_count(host->stage, panel->pinned_actor); ++*layer)
    for (int i = 0; sinew_actor_node(host->stage, panel->pinned_actor, *layer, i, space); i++) {
      bool plane = space->kind == SINEW_NODE_SPACE_2D, line = space->kind == SINEW_NODE_SPACE_1D;
      if ((plane || line) && panel->pinned_count == 1 + plane && space->param_x == panel->pinned[0] &&
          (line || space->param_y == panel->pinned[1]))
        return true;
    }
  return false;
}

/* Samples' positions and the velocities of their clips: metres a second to the left and ahead. */
typedef struct fit {
  double at[FIT_SAMPLES][2], velocity[FIT_SAMPLES][2];
  int count;
} fit;

static void add_sample(const sinew_host *host, int layer, int node, bool plane, fit *f) {
  sinew_node_def n;
  sinew_vec3 velocity;
  sinew_actor actor = host->graph.pinned_actor;
  const sinew_model *model = sinew_actor_model(host->stage, actor);
  if (f->count == FIT_SAMPLES || !sinew_actor_node(host->stage, actor, layer, node, &n) || n.kind != SINEW_NODE_CLIP)
    return;
  sinew_clip_velocity(model, n.clip, &velocity);
  f->at[f->count][0] = n.x, f->at[f->count][1] = plane ? n.y : 0;
  f->velocity[f->count][0] = (double)velocity.x * n.speed;
  f->velocity[f->count++][1] = (double)velocity.z * n.speed;
}

/* The linear least-squares map from positions to velocities: two numbers for each axis of the velocity. */
static void solve(const fit *f, double map[2][2]) {
  double xx = 0, xy = 0, yy = 0;
  for (int i = 0; i < f->count; i++) {
    const double *p = f->at[i];
    xx += p[0] * p[0], xy += p[0] * p[1], yy += p[1] * p[1];
  }
  double determinant = xx * yy - xy * xy;
  for (int k = 0; k < 2; k++) {
    double xv = 0, yv = 0;
    for (int i = 0; i < f->count; i++) xv += f->at[i][0] * f->velocity[i][k], yv += f->at[i][1] * f->velocity[i][k];
    bool plane = determinant > 1e-9 * xx * yy;
    map[k][0] = plane ? (xv * yy - yv * xy) / determinant : xx > 0 ? xv / xx : 0;
    map[k][1] = plane ? (yv * xx - xv * xy) / determinant : 0;
  }
}

/* True if the samples are placed roughly by the velocities of their clips, in any unit and direction. */
static bool fits(const fit *f, double map[2][2]) {
  const double misplaced = 0.3; /* of the fastest clip, as in space_slide.c */
  double fastest = 0, off = 0;
  for (int i = 0; i < f->count; i++) {
    const double *p = f->at[i], *v = f->velocity[i];
    fastest = fmax(fastest, sinew_hypot(v[0], v[1]));
    off =
        fmax(off, sinew_hypot(map[0][0] * p[0] + map[0][1] * p[1] - v[0], map[1][0] * p[0] + map[1][1] * p[1] - v[1]));
  }
  return f->count > 1 && fastest > 0.1 && off <= misplaced * fastest;
}

/* From the velocities of the clips in the pinned space. */
static bool find_fitted(const sinew_host *host, float out[2]) {
  const graph_panel *panel = &host->graph;
  int layer;
  sinew_node_def space;
  fit f = {.count = 0};
  double map[2][2], at[2] = {0, 0};
  if (panel->pinned_count == 0 || !find_space(host, &layer, &space)) return false;
  for (int i = 0; i < space.child_count; i++)
    add_sample(host, layer, space.first_child + i, space.kind == SINEW_NODE_SPACE_2D, &f);
  solve(&f, map);
  if (!fits(&f, map)) return false;
  for (int i = 0; i < panel->pinned_count; i++)
    at[i] = sinew_actor_seen_param(host->stage, panel->pinned_actor, panel->pinned[i], NULL);
  for (int k = 0; k < 2; k++) out[k] = (float)(map[k][0] * at[0] + map[k][1] * at[1]);
  return true;
}

bool graph_treadmill_velocity(const sinew_host *host, float out[2]) {
  out[0] = out[1] = 0;
  return find_named(host, out) || find_fitted(host, out);
}

/* ---- the grid ---- */

static void draw_line(sinew_host *host, const sinew_mat3x4 *world, sinew_vec3 a, sinew_vec3 b) {
  sinew_line line = {.a = sinew_mat3x4_transform_point(world, a),
                     .b = sinew_mat3x4_transform_point(world, b),
                     .color = {120, 200, 255, 255}};
  line_list_add(&host->lines, &line);
}

/* In the actor's space: the actor is in the middle, x to its left, z ahead. */
void graph_treadmill_draw(sinew_host *host) {
  float velocity[2], *at = host->graph.travelled;
  const float end = HALF * spacing, height = 0.004f;
  if (!graph_treadmill_velocity(host, velocity)) {
    at[0] = at[1] = 0;
    return;
  }
  for (int i = 0; i < 2; i++) at[i] = fmodf(at[i] + velocity[i] * (float)host->dt, spacing);
  sinew_transform transform = sinew_actor_transform(host->stage, host->graph.pinned_actor);
  transform.scale = (sinew_vec3){1, 1, 1}; /* lines are metres apart, whatever the actor's scale */
  sinew_mat3x4 world = sinew_mat3x4_from_transform(&transform);
  for (int i = -HALF; i <= HALF; i++) {
    float x = (float)i * spacing - at[0], z = (float)i * spacing - at[1];
    if (fabsf(x) <= end) draw_line(host, &world, (sinew_vec3){x, height, -end}, (sinew_vec3){x, height, end});
    if (fabsf(z) <= end) draw_line(host, &world, (sinew_vec3){-end, height, z}, (sinew_vec3){end, height, z});
  }
}
