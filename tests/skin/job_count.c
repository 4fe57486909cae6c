/* The work that instruction_count.py counts on a human with shipped clips: COUNT times some WORK of MODEL, a cooked
 * file with the clips walk, jog, run, crossarms_sampled and curl_additive_sampled.
 */
#include <sinew/actor_modifiers.h>
#include <sinew/modifier_jobs.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CLIPS = 5, POSES = CLIPS + 1 };

typedef struct scene {
  sinew_model *model;
  const sinew_clip *clips[CLIPS];
  sinew_pose rest, poses[POSES];
  sinew_mat3x4 *joints;
  float *mask;
  int head, arm[3];
} scene;

static sinew_pose make_pose(const scene *s) {
  int count = sinew_model_joint_count(s->model);
  return (sinew_pose){calloc((size_t)sinew_pose_group_count(count), sizeof(sinew_pose_group)), count};
}

static bool is_under(const sinew_model *model, int joint, int above) {
  while (joint > above) joint = sinew_model_joint_parent(model, joint);
  return joint == above;
}

static void open_scene(scene *s, const char *path) {
  static const char *const names[CLIPS] = {"walk", "jog", "run", "crossarms_sampled", "curl_additive_sampled"};
  sinew_load_options options = sinew_load_options_default();
  sinew_error error;
  s->model = sinew_model_load(path, &options, &error);
  if (!s->model) {
    fprintf(stderr, "%s\n", error.message);
    exit(1);
  }
  int count = sinew_model_joint_count(s->model), spine = sinew_model_find_joint(s->model, "Spine");
  for (int i = 0; i < CLIPS; i++) s->clips[i] = sinew_model_clip(s->model, sinew_model_find_clip(s->model, names[i]));
  for (int i = 0; i < POSES; i++) s->poses[i] = make_pose(s);
  s->rest = make_pose(s);
  sinew_model_rest_pose(s->model, s->rest);
  s->joints = calloc((size_t)count, sizeof *s->joints);
  s->mask = calloc((size_t)sinew_pose_group_count(count) * SINEW_LANES, sizeof *s->mask);
  for (int i = 0; i < count; i++) s->mask[i] = is_under(s->model, i, spine) ? 0.8f : 0;
  s->head = sinew_model_find_joint(s->model, "Head");
  s->arm[0] = sinew_model_find_joint(s->model, "LeftArm");
  s->arm[1] = sinew_model_find_joint(s->model, "LeftForeArm");
  s->arm[2] = sinew_model_find_joint(s->model, "Lefthand");
}

static void close_scene(scene *s) {
  for (int i = 0; i < POSES; i++) free(s->poses[i].groups);
  free(s->rest.groups), free(s->joints), free(s->mask);
  sinew_model_release(s->model);
}

static double time_of(int turn, int source) { return turn % 37 / 60.0 + 0.01 * source; }

static bool evaluate(const scene *s, int turn, int sources) {
  sinew_evaluate_source blended[3];
  for (int i = 0; i < sources; i++)
    blended[i] = (sinew_evaluate_source){s->clips[i], time_of(turn, i), 0.5f - 0.15f * (float)i};
  return sinew_evaluate(&(sinew_evaluate_job){s->model, blended, sources, 0.1f, {NULL, 0}, s->joints, NULL});
}

/* Three clips blended, one over the upper body, one added, and all of it in model space. */
static bool stack(const scene *s, int turn) {
  sinew_blend_source sources[3];
  sinew_pose out = s->poses[CLIPS];
  bool good = true;
  for (int i = 0; i < CLIPS; i++)
    good = good && sinew_sample(&(sinew_sample_job){s->model, s->clips[i], time_of(turn, i), s->poses[i]});
  for (int i = 0; i < 3; i++) sources[i] = (sinew_blend_source){s->poses[i].groups, 0.5f - 0.15f * (float)i, NULL};
  return good && sinew_blend(&(sinew_blend_job){sources, 3, s->rest, 0.1f, out}) &&
         sinew_layer(&(sinew_layer_job){out, s->poses[3], 1, s->mask, out, NULL}) &&
         sinew_additive(&(sinew_additive_job){out, s->poses[4], s->rest, 0.6f, NULL, out}) &&
         sinew_local_to_model(&(sinew_local_to_model_job){s->model, out, s->joints, 0});
}

static sinew_posed posed_of(const scene *s) { return (sinew_posed){s->model, s->poses[CLIPS], s->joints}; }

static bool reach(const scene *s, int turn) {
  const float *shoulder = s->joints[s->arm[0]].m;
  sinew_vec3 target = {shoulder[3] + 0.1f, shoulder[7] + 0.05f, shoulder[11] + 0.35f + 0.0005f * (float)(turn % 10)};
  return sinew_two_bone(&(sinew_two_bone_job){.posed = posed_of(s),
                                              .upper = s->arm[0],
                                              .middle = s->arm[1],
                                              .tip = s->arm[2],
                                              .target = target,
                                              .soften = 0.97f,
                                              .weight = 1});
}

static bool look(const scene *s, int turn) {
  return sinew_aim(&(sinew_aim_job){.posed = posed_of(s),
                                    .chain = &s->head,
                                    .count = 1,
                                    .forward = {0, 1, 0},
                                    .up = {1, 0, 0},
                                    .target = {1 + 0.01f * (float)(turn % 10), 1.5f, 2},
                                    .limit = 1.5f,
                                    .weight = 1});
}

/* ---- the same as an actor ---- */

static void play(sinew_stage *stage, sinew_actor actor, int clip, int layer, float weight) {
  sinew_play_def def = sinew_play_def_default();
  def.clip = clip, def.layer = layer, def.weight = weight, def.fade = 0, def.solo = false;
  if (!sinew_actor_play(stage, actor, &def, NULL).id) exit(1);
}

static void add_layers(const scene *s, sinew_stage *stage, sinew_actor actor, const int *clips) {
  sinew_layer_def def = sinew_layer_def_default();
  def.joint_weights = s->mask;
  play(stage, actor, clips[3], sinew_actor_add_layer(stage, actor, "over", &def, NULL), 1);
  def = sinew_layer_def_default();
  def.mode = SINEW_LAYER_ADDITIVE, def.weight = 0.6f;
  def.reference.kind = SINEW_REFERENCE_POSE, def.reference.pose = s->rest;
  play(stage, actor, clips[4], sinew_actor_add_layer(stage, actor, "added", &def, NULL), 1);
}

static void add_modifiers(const scene *s, sinew_stage *stage, sinew_actor actor) {
  sinew_modifier_def defs[] = {sinew_modifier_def_default(SINEW_MODIFIER_TWO_BONE),
                               sinew_modifier_def_default(SINEW_MODIFIER_AIM)};
  defs[0].name = "reach", defs[0].joints = s->arm, defs[0].joint_count = 3;
  defs[0].target = (sinew_vec3){0.4f, 1.4f, 0.4f};
  defs[1].name = "look", defs[1].joints = &s->head, defs[1].joint_count = 1, defs[1].limit = 1.5f;
  defs[1].forward = (sinew_vec3){0, 1, 0}, defs[1].up = (sinew_vec3){1, 0, 0};
  defs[1].target = (sinew_vec3){1, 1.5f, 2};
  if (!sinew_actor_set_modifiers(stage, actor, defs, 2, NULL)) exit(1);
}

/* `whole`: with layers and modifiers; else two clips. */
static void update(const scene *s, bool whole, int turns) {
  sinew_stage *stage = sinew_stage_create(NULL);
  sinew_actor actor = sinew_actor_create(stage, "one", s->model, NULL);
  int clips[CLIPS];
  for (int i = 0; i < CLIPS; i++) clips[i] = sinew_model_find_clip(s->model, sinew_clip_name(s->clips[i]));
  for (int i = 0; i < (whole ? 3 : 2); i++) play(stage, actor, clips[i], 0, 0.5f - 0.15f * (float)i);
  if (whole) add_layers(s, stage, actor, clips), add_modifiers(s, stage, actor);
  for (int i = 0; i < turns; i++) sinew_stage_update(stage, 1 / 60.0);
  sinew_stage_destroy(stage);
}

int main(int argc, char **argv) {
  scene s;
  if (argc != 4) return 2;
  open_scene(&s, argv[1]);
  const char *work = argv[2];
  bool good = true, modified = strcmp(work, "modified") == 0, whole = strcmp(work, "actor") == 0;
  int turns = atoi(argv[3]);
  if (whole || strcmp(work, "plain actor") == 0) update(&s, whole, turns), turns = 0;
  for (int i = 0; i < turns && good; i++) {
    if (strcmp(work, "one") == 0) good = evaluate(&s, i, 1);
    else if (strcmp(work, "three") == 0) good = evaluate(&s, i, 3);
    else good = stack(&s, i) && (!modified || (reach(&s, i) && look(&s, i)));
  }
  close_scene(&s);
  return good ? 0 : 1;
}
