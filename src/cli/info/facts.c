#include "cli/info/facts.h"

#include "base/text.h"

#include <sinew/graph.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void note_bound(const sinew_model *model, model_facts *f) {
  for (int s = 0; s < sinew_model_skin_count(model); s++) {
    sinew_skin_view skin = sinew_model_skin(model, s);
    for (int i = 0; skin.count > 1 && i < skin.count; i++) /* one: a rigid mesh's own node */
      f->joints[skin.joints[i]].is_bound = true;
  }
}

/* Backwards, so that lists are in order. */
static void note_children(const sinew_model *model, model_facts *f) {
  for (int i = sinew_model_joint_count(model) - 1; i > 0; i--) {
    joint_facts *above = f->joints + sinew_model_joint_parent(model, i);
    f->joints[i].next_child = above->first_child;
    above->first_child = i;
  }
  for (int i = 1; i < sinew_model_joint_count(model); i++) {
    int above = sinew_model_joint_parent(model, i);
    f->joints[i].depth = f->joints[above].depth + (above > 0 && sinew_model_joint_file_index(model, above) >= 0);
  }
  for (int i = sinew_model_mesh_count(model) - 1; i >= 0; i--) {
    joint_facts *joint = f->joints + sinew_model_mesh(model, i).joint;
    f->next_mesh[i] = joint->first_mesh;
    joint->first_mesh = i;
  }
}

bool facts_find(const sinew_model *model, model_facts *f) {
  f->joints = calloc((size_t)sinew_model_joint_count(model), sizeof *f->joints);
  f->next_mesh = calloc((size_t)sinew_model_mesh_count(model) + 1, sizeof *f->next_mesh);
  if (!f->joints || !f->next_mesh) return false;
  for (int i = 0; i < sinew_model_joint_count(model); i++)
    f->joints[i] = (joint_facts){.first_child = -1, .next_child = -1, .first_mesh = -1};
  note_bound(model, f);
  note_children(model, f);
  return true;
}

void facts_free(model_facts *f) {
  free(f->joints);
  free(f->next_mesh);
}

model_totals facts_count(const sinew_model *model) {
  model_totals sum = {0};
  for (int i = 0; i < sinew_model_joint_count(model); i++) sum.nodes += sinew_model_joint_file_index(model, i) >= 0;
  for (int i = 0; i < sinew_model_mesh_count(model); i++) {
    sinew_mesh_view mesh = sinew_model_mesh(model, i);
    sum.vertices += mesh.vertex_count;
    sum.triangles += mesh.index_count / 3;
  }
  return sum;
}

int facts_influences(const sinew_mesh_view *mesh) {
  int most = 0;
  for (int v = 0; v < mesh->vertex_count; v++)
    for (int k = most; k < mesh->influences; k++)
      if (mesh->weights[v * mesh->influences + k] > 0) most = k + 1;
  return most;
}

double facts_rate(const sinew_clip *clip) {
  double duration = sinew_clip_duration(clip);
  int frames = sinew_clip_frame_count(clip);
  return duration > 0 && frames > 1 ? (frames - 1) / duration : 0;
}

int *facts_nodes(const sinew_model *model, int count) {
  int *nodes = calloc((size_t)count + 1, sizeof *nodes);
  for (int i = 0; nodes && i < sinew_model_joint_count(model); i++) {
    int index = sinew_model_joint_file_index(model, i);
    if (index >= 0) nodes[index] = i;
  }
  return nodes;
}

static double speed_of(sinew_vec3 velocity) { return hypot((double)velocity.x, (double)velocity.z); }

double facts_speed(const sinew_clip_survey *survey) {
  return survey->has_velocity ? speed_of(survey->velocity) : (double)NAN;
}

void facts_speed_text(double speed, char text[FACTS_SPEED]) {
  if (isnan(speed)) snprintf(text, FACTS_SPEED, "unknown");
  else text_format(text, FACTS_SPEED, "%.2f m/s", speed);
}

void facts_finding_text(const sinew_model *model, sinew_finding_kind kind, char text[FACTS_FINDING]) {
  static const char *const what[SINEW_FINDINGS] = {"feet", "sides", "front"};
  static const char *const by[] = {"nothing that is known", "its names", "the way its clips move",   "its mesh",
                                   "its tree of joints",    "its file",  "the roles that were given"};
  sinew_finding found = sinew_model_finding(model, kind);
  if (found.confidence > 0)
    text_format(text, FACTS_FINDING, "%-6s by %s, %.0f %% sure", what[kind], by[found.evidence],
                100 * (double)found.confidence);
  else snprintf(text, FACTS_FINDING, "%-6s unknown", what[kind]);
}

/* Radians per clip: if a clip turns by more, its velocity is relative to the turning root. */
static const float goes_round = 0.1f;
/* Measures the velocity as blend spaces do: from the hips, or from any feet. */
static void ask_feet(const sinew_model *model, int clip, sinew_clip_survey *s) {
  sinew_vec3 velocity;
  bool known = sinew_clip_velocity(model, clip, &velocity), turns = fabsf(s->turn) > goes_round;
  if (!turns || (s->on_the_spot && !known)) s->has_velocity = known;
  if (turns || !known) return;
  if (!s->has_feet) s->on_the_spot = speed_of(s->velocity) < 0.5 * speed_of(velocity);
  s->velocity = velocity;
}

bool facts_survey(const sinew_model *model, int clip, sinew_clip_survey *survey) {
  if (!sinew_survey(&(sinew_survey_job){model, sinew_model_clip(model, clip), survey})) return false;
  ask_feet(model, clip, survey);
  return true;
}
