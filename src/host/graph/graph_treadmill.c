/* While velocities are pinned the actor walks on a treadmill: a grid under it that passes as fast as they say. */
#include "host/graph/graph_panel.h"
#include "host/host.h"

#include <math.h>
#include <string.h>

enum { HALF = 4 }; /* lines on each side of the middle */
static const float spacing = 0.5f;

/* Metres a second to its left and ahead, by the names that actor:motor gives its parameters. False: none of them. */
static bool find_velocity(const sinew_host *host, float out[2]) {
  static const struct {
    const char *name;
    int axis;
  } names[] = {{"left", 0}, {"ahead", 1}, {"speed", 1}};
  const graph_panel *panel = &host->graph;
  bool any = false;
  out[0] = out[1] = 0;
  for (int i = 0; i < panel->pinned_count; i++)
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
      const char *name = sinew_actor_param_name(host->stage, panel->pinned_actor, panel->pinned[i]);
      if (!name || strcmp(name, names[k].name) != 0) continue;
      out[names[k].axis] = (float)sinew_actor_seen_param(host->stage, panel->pinned_actor, panel->pinned[i], NULL);
      any = true;
    }
  return any;
}

static void draw_line(sinew_host *host, const sinew_mat3x4 *world, sinew_vec3 a, sinew_vec3 b) {
  sinew_line line = {.a = sinew_mat3x4_transform_point(world, a),
                     .b = sinew_mat3x4_transform_point(world, b),
                     .color = {120, 200, 255, 255}};
  line_list_add(&host->lines, &line);
}

/* In the actor's own space: it stands in the middle, x to its left, z ahead. */
void graph_treadmill_draw(sinew_host *host) {
  float velocity[2], *at = host->graph.travelled;
  const float end = HALF * spacing, height = 0.004f;
  if (!find_velocity(host, velocity)) {
    at[0] = at[1] = 0;
    return;
  }
  for (int i = 0; i < 2; i++) at[i] = fmodf(at[i] + velocity[i] * (float)host->dt, spacing);
  sinew_transform transform = sinew_actor_transform(host->stage, host->graph.pinned_actor);
  transform.scale = (sinew_vec3){1, 1, 1}; /* its lines are metres, however large it is */
  sinew_mat3x4 world = sinew_mat3x4_from_transform(&transform);
  for (int i = -HALF; i <= HALF; i++) {
    float x = (float)i * spacing - at[0], z = (float)i * spacing - at[1];
    if (fabsf(x) <= end) draw_line(host, &world, (sinew_vec3){x, height, -end}, (sinew_vec3){x, height, end});
    if (fabsf(z) <= end) draw_line(host, &world, (sinew_vec3){-end, height, z}, (sinew_vec3){end, height, z});
  }
}
