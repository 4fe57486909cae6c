#include "base/memory/memory.h"
#include "host/host.h"
#include "host/picking/picking.h"

#include <math.h>

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
