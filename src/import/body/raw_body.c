#include "import/body/raw_body.h"

#include "base/error.h"
#include "import/build/skeleton.h"
#include "import/raw/curve.h"
#include "math/vec3.h"
#include "model/names/model_names.h"

#include <math.h>
#include <string.h>

/* ---- soles ---- */

typedef struct soles {
  const raw_model *raw;
  const sinew_transform *placed; /* of the joints, at rest */
  body_sole *of;                 /* of the joints */
  float height;                  /* of the whole mesh; 0 until it is measured */
  int64_t left;                  /* vertices to look at: a file may show a large mesh thousands of times */
} soles;

enum { SOLE_VERTICES = 1 << 23 };

static void widen(sinew_vec3 *low, sinew_vec3 *high, sinew_vec3 p, bool first) {
  if (first) *low = *high = p;
  *low = (sinew_vec3){fminf(low->x, p.x), fminf(low->y, p.y), fminf(low->z, p.z)};
  *high = (sinew_vec3){fmaxf(high->x, p.x), fmaxf(high->y, p.y), fmaxf(high->z, p.z)};
}

/* The second time round, only what is near the joint's lowest vertex. */
static void add_vertex(soles *s, int joint, sinew_vec3 p, bool *begun) {
  static const float near = 0.025f;
  body_sole *sole = s->of + joint;
  if (!(s->height > 0)) widen(&sole->low, &sole->high, p, sole->count++ == 0);
  else if (p.y < sole->low.y + near * s->height)
    widen(&sole->sole_low, &sole->sole_high, p, !begun[joint]), begun[joint] = true;
}

static sinew_vec3 vertex_of(const raw_mesh *mesh, size_t i) {
  return (sinew_vec3){mesh->positions[3 * i], mesh->positions[3 * i + 1], mesh->positions[3 * i + 2]};
}

/* A vertex belongs to the joint that has more than half of it. */
static void add_mesh(soles *s, const raw_mesh *mesh, bool *begun) {
  s->left -= mesh->vertex_count;
  if (s->left < 0) return;
  for (int b = 0; b < mesh->bone_count; b++) {
    const raw_bone *bone = mesh->bones + b;
    sinew_mat3x4 placed = sinew_mat3x4_from_transform(s->placed + bone->node + 1);
    placed = sinew_mat3x4_multiply(&placed, &bone->inverse_bind);
    for (int i = 0; i < bone->weight_count; i++)
      if (bone->weights[i].weight > 0.5f)
        add_vertex(s, bone->node + 1, sinew_mat3x4_transform_point(&placed, vertex_of(mesh, bone->weights[i].vertex)),
                   begun);
  }
  if (mesh->bone_count || mesh->node < 0) return;
  sinew_mat3x4 placed = sinew_mat3x4_from_transform(s->placed + mesh->node + 1);
  for (size_t i = 0; i < (size_t)mesh->vertex_count; i++)
    add_vertex(s, mesh->node + 1, sinew_mat3x4_transform_point(&placed, vertex_of(mesh, i)), begun);
}

static bool find_soles(soles *s, raw_model *owner) {
  int count = s->raw->node_count + 1;
  float floor = INFINITY, top = -INFINITY;
  s->of = raw_alloc(owner, (size_t)count, sizeof *s->of);
  bool *begun = raw_alloc(owner, (size_t)count, 1);
  if (!s->of || !begun) return false;
  for (int pass = 0; pass < 2; pass++) {
    s->left = SOLE_VERTICES;
    for (int i = 0; i < s->raw->mesh_count; i++) add_mesh(s, s->raw->meshes + i, begun);
    for (int i = 1; i < count; i++)
      if (s->of[i].count) floor = fminf(floor, s->of[i].low.y), top = fmaxf(top, s->of[i].high.y);
    s->height = top - floor;
    if (!(s->height > 0)) break;
  }
  if (!(s->height > 0)) s->of = NULL;
  return true;
}

/* ---- clips ---- */

typedef struct poses {
  const raw_model *raw;
  const skeleton_view *skeleton;
  sinew_transform *local;
} poses;

static double seconds_of(void *user, int clip) {
  const poses *p = user;
  double first, last;
  return raw_clip_span(p->raw->clips + clip, &first, &last) ? last - first : 0;
}

static void pose_of(void *user, int clip, double time, sinew_transform *placed) {
  const poses *p = user;
  double first = 0, last;
  raw_clip_span(p->raw->clips + clip, &first, &last);
  raw_pose(p->skeleton, p->raw->clips + clip, first + time, p->local, placed);
}

/* ---- the author's roles ---- */

static int role_of(const char *name) {
  for (int i = 0; i < SINEW_ROLES; i++)
    if (strcmp(sinew_role_name((sinew_role)i), name) == 0) return i;
  if (strcmp(name, "left_toes") == 0) return SINEW_ROLE_LEFT_BALL;
  return strcmp(name, "right_toes") == 0 ? SINEW_ROLE_RIGHT_BALL : -1;
}

static bool refuse_role(const raw_model *raw, const char *name) {
  const char *names[SINEW_ROLES];
  for (int i = 0; i < SINEW_ROLES; i++) names[i] = sinew_role_name((sinew_role)i);
  const char *near = sinew_nearest_name(name, names, SINEW_ROLES);
  return error_set(raw->error, "%s: roles: there is no role '%s'%s%s%s", raw->path, name,
                   near ? "; did you mean '" : "", near ? near : "", near ? "'?" : ""),
         false;
}

/* What cannot be is left out, and noted. */
static bool leave_out_joint(raw_model *owner, const skeleton_view *skeleton, const sinew_joint_role *role) {
  const char *near = sinew_nearest_name(role->joint, skeleton->names + 1, skeleton->count - 1);
  return raw_note(owner, "roles: %s is '%s', which the model does not have%s%s%s: it is left out", role->role,
                  role->joint, near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

static bool leave_out_twins(raw_model *owner, const skeleton_view *skeleton, int32_t *roles) {
  for (int i = 0; i < SINEW_ROLES; i++)
    for (int k = i + 1; k < SINEW_ROLES; k++) {
      bool root = i == SINEW_ROLE_ROOT && k == SINEW_ROLE_PELVIS; /* may be one */
      if (roles[i] <= 0 || roles[i] != roles[k] || root) continue;
      const char *joint = skeleton->names[roles[i]];
      roles[i] = roles[k] = -1;
      if (!raw_note(owner, "roles: '%s' is both %s and %s: both are left out", joint, sinew_role_name((sinew_role)i),
                    sinew_role_name((sinew_role)k)))
        return false;
    }
  return true;
}

static bool leave_out_single(raw_model *owner, int32_t *roles) {
  for (int i = SINEW_ROLE_LEFT_HAND; i < SINEW_ROLES; i += 2) {
    if ((roles[i] > 0) == (roles[i + 1] > 0)) continue;
    int said = roles[i] > 0 ? i : i + 1, missing = roles[i] > 0 ? i + 1 : i;
    roles[said] = -1;
    if (!raw_note(owner, "roles: %s is named without %s: it is left out", sinew_role_name((sinew_role)said),
                  sinew_role_name((sinew_role)missing)))
      return false;
  }
  return true;
}

static bool read_roles(raw_model *owner, const raw_model *raw, const sinew_load_options *options,
                       const skeleton_view *skeleton, int32_t *roles) {
  joint_entry *entries = raw_alloc(owner, 2 * (size_t)skeleton->count, sizeof *entries);
  if (!entries) return false;
  joint_paths paths = {*skeleton, entries, joint_path_list(skeleton, entries)};
  for (int i = 0; i < SINEW_ROLES; i++) roles[i] = -1;
  for (int i = 0; i < options->role_count; i++) {
    const sinew_joint_role *said = options->roles + i;
    int role = role_of(said->role), joint = joint_path_find(&paths, said->joint);
    if (role < 0) return refuse_role(raw, said->role);
    if (joint > 0) roles[role] = joint;
    else if (!leave_out_joint(owner, skeleton, said)) return false;
  }
  return leave_out_twins(owner, skeleton, roles) && leave_out_single(owner, roles);
}

/* ---- all ---- */

static const char *axis_name(sinew_vec3 front) {
  return front.x > 0 ? "+x" : front.x < 0 ? "-x" : front.z < 0 ? "-z" : "+z";
}

/* From here on it is known which side is left. */
static const float sure = 0.25f;

/* A pair that the author names the other way round would bend knees forwards. Hands may be crossed at rest. The first
 * such pair, or -1. */
static int find_exchanged(const sinew_transform *placed, const int32_t *roles, const model_body *b) {
  static const sinew_role pairs[] = {SINEW_ROLE_LEFT_FOOT, SINEW_ROLE_LEFT_UPPER_LEG, SINEW_ROLE_LEFT_UPPER_ARM,
                                     SINEW_ROLE_LEFT_FRONT_FOOT};
  sinew_vec3 left = {b->front.z, 0, -b->front.x};
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
    const int32_t *pair = roles + pairs[i];
    if (pair[0] <= 0 || b->findings[SINEW_FINDING_SIDES].confidence < sure) continue;
    sinew_vec3 way = vec3_sub(placed[pair[0]].translation, placed[pair[1]].translation);
    if (vec3_dot(way, left) < 0) return (int)pairs[i];
  }
  return -1;
}

/* Finds the body again without each pair of roles that is exchanged. */
static bool find_body(raw_model *owner, const body_evidence *evidence, const sinew_transform *placed, int32_t *roles,
                      model_body *found) {
  if (!body_find(evidence, found)) return error_memory(owner->error, owner->path, (size_t)evidence->skeleton->count);
  for (int pair; evidence->roles && (pair = find_exchanged(placed, roles, found)) >= 0;) {
    const char *joint = evidence->skeleton->names[roles[pair]];
    roles[pair] = roles[pair + 1] = -1;
    if (!raw_note(owner,
                  "roles: %s is '%s', which is on the right of a figure that faces %s: exchange the two; both are left "
                  "out",
                  sinew_role_name((sinew_role)pair), joint, axis_name(found->front)))
      return false;
    if (!body_find(evidence, found)) return error_memory(owner->error, owner->path, (size_t)evidence->skeleton->count);
  }
  return true;
}

static bool note_doubts(raw_model *raw, const model_body *b) {
  static const char *const by[] = {
      "", " by its names", " by the way its clips travel", " by its soles", " by its toes", "", ""};
  const sinew_finding *sides = b->findings + SINEW_FINDING_SIDES;
  if (b->exchanged &&
      !raw_note(raw, "its names call the left side right: it faces %s%s", axis_name(b->front), by[sides->evidence]))
    return false;
  return b->foot_count == 0 || sides->confidence >= sure ||
         raw_note(raw, "it is unclear which side of it is left, so its legs are left alone: roles = { left_foot = …, "
                       "right_foot = … , left_toes = …, right_toes = … } would say");
}

const model_body *raw_body(raw_model *owner, const raw_model *raw, const sinew_load_options *options) {
  int32_t roles[SINEW_ROLES];
  skeleton_view skeleton;
  size_t count = (size_t)raw->node_count + 1;
  model_body *found = raw_alloc(owner, 1, sizeof *found);
  sinew_transform *placed = raw_alloc(owner, count, sizeof *placed), *local = raw_alloc(owner, count, sizeof *local);
  if (!found || !placed || !local || !raw_skeleton(owner, raw, &skeleton)) return NULL;
  bool named = options && options->role_count > 0;
  if (named && !read_roles(owner, raw, options, &skeleton, roles)) return NULL;
  skeleton_to_model(&skeleton, skeleton.rest, placed);
  soles of = {.raw = raw, .placed = placed};
  poses p = {raw, &skeleton, local};
  const body_clips clips = {raw->has_no_rest ? 0 : raw->clip_count, seconds_of, pose_of, &p};
  if (!find_soles(&of, owner)) return NULL;
  const body_evidence evidence = {&skeleton, of.of, &clips, named ? roles : NULL};
  if (!find_body(owner, &evidence, placed, roles, found)) return NULL;
  return !options || note_doubts(owner, found) ? found : NULL;
}
