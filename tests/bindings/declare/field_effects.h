/* field_effects – reads from what lives whether a field of a scene has had its effect: of actors, layers, graphs,
 * modifiers, crowds and the view. The scenes are in test_fields.c. */
#ifndef SINEW_TESTS_BINDINGS_FIELD_EFFECTS_H
#define SINEW_TESTS_BINDINGS_FIELD_EFFECTS_H

#include "bindings/harness.h"

#include "declare/kinds/declared_crowd.h"

#include "actor/stage.h"

static sinew_actor hero_of(const harness *h) { return sinew_scene_find_actor(h->scene, "hero"); }
static sinew_stage *stage_of(const harness *h) { return sinew_host_stage(h->host); }

/* The newest action of the base layer. */
static sinew_play_def action_of(const harness *h) {
  sinew_play_def state;
  int count = sinew_actor_action_count(stage_of(h), hero_of(h), 0);
  sinew_action_read_state(stage_of(h), sinew_actor_action(stage_of(h), hero_of(h), 0, count - 1), &state);
  return state;
}

/* Lua's values say themselves that they are as they should be. */
static bool says_yes(harness *h) {
  harness_step(h, 1);
  return sinew_actor_param(stage_of(h), sinew_scene_find_actor(h->scene, "pole"), 0) == 9;
}

/* ---- actions ---- */

static bool leaves_early(harness *h) { return action_of(h).fade_out == 0.5; }
static bool loops_twice(harness *h) { return action_of(h).loop == SINEW_LOOP_COUNT && action_of(h).loop_count == 2; }
static bool is_fast(harness *h) { return action_of(h).speed == 2; }
static bool weighs_half(harness *h) { return action_of(h).weight == 0.5f; }
static bool is_late(harness *h) { return fabs(action_of(h).time - 0.6) < 1e-9; }
static bool begins_later(harness *h) { return action_of(h).from == 0.25 && action_of(h).time >= 0.25; }
static bool ends_earlier(harness *h) { return action_of(h).to == 0.4; }
static bool is_in_sync(harness *h) { return strcmp(action_of(h).sync_group, "feet") == 0; }
static bool has_two_strides(harness *h) { return action_of(h).cycles == 2; }
static bool stands(harness *h) { return action_of(h).paused; }

static float newest_weight(harness *h) {
  harness_step(h, 6);
  int count = sinew_actor_action_count(stage_of(h), hero_of(h), 0);
  return sinew_action_strength(stage_of(h), sinew_actor_action(stage_of(h), hero_of(h), 0, count - 1));
}
static bool fades_slowly(harness *h) { return fabsf(newest_weight(h) - 0.1f) < 0.02f; } /* 6 of 60 frames */
static bool eases_in(harness *h) { return fabsf(newest_weight(h) - 0.01f) < 0.005f; }
static bool cuts(harness *h) {
  harness_step(h, 2);
  return sinew_actor_action_count(stage_of(h), hero_of(h), 0) == 1;
}
static bool mixes(harness *h) {
  harness_step(h, 40);
  return sinew_actor_action_count(stage_of(h), hero_of(h), 0) == 2;
}

/* A declaration that goes and comes back later than it is held starts again. */

/* ---- what lives, from inside of the stage: not through the functions that the bindings use ---- */

static const actor *living(const harness *h) { return stage_find(stage_of(h), hero_of(h)); }
static const layer *top_layer(const harness *h) { return living(h)->layers + 1; }
static const sinew_node_def *node(const harness *h, int index) { return living(h)->layers[0].graph->nodes + index; }
static const sinew_transition_def *transition(const harness *h) { return living(h)->layers[0].graph->transitions; }
static const sinew_modifier_def *modifier_of(const harness *h) { return &living(h)->modifiers.items[0].def; }
static const root_motion *root_of(const harness *h) { return &living(h)->root; }
static const attachment *hanging(const harness *h) {
  return &stage_find(stage_of(h), sinew_scene_find_actor(h->scene, "lamp"))->attachment;
}
static int joint(const harness *h, const char *name) { return sinew_model_find_joint(living(h)->model, name); }
static bool is_text(const char *a, const char *b) { return a && strcmp(a, b) == 0; }
static bool is_vec(sinew_vec3 v, float x, float y, float z) { return v.x == x && v.y == y && v.z == z; }

#define HAS(name, expression)                                                                                          \
  static bool name(harness *h) { return expression; }

HAS(layer_adds, top_layer(h)->asked.mode == SINEW_LAYER_ADDITIVE)
HAS(layer_turns_in_model_space, top_layer(h)->asked.space == SINEW_LAYER_MODEL)
HAS(layer_weighs, top_layer(h)->asked.weight == 0.25f)
HAS(layer_masks, top_layer(h)->asked.joint_weights &&top_layer(h)->asked.joint_weights[joint(h, "Head")] == 0.5f &&
                     top_layer(h)->asked.joint_weights[2] == 0)
HAS(layer_refers, top_layer(h)->asked.reference.kind == SINEW_REFERENCE_CLIP)
HAS(layer_refers_to_run, top_layer(h)->asked.reference.clip == sinew_model_find_clip(living(h)->model, "Run"))
HAS(layer_refers_late, top_layer(h)->asked.reference.time == 0.3)
static bool layer_refers_to_pose(harness *h) {
  sinew_transform head = sinew_pose_joint(&top_layer(h)->asked.reference.pose, joint(h, "Head"));
  return top_layer(h)->asked.reference.kind == SINEW_REFERENCE_POSE && fabsf(head.rotation.x) > 0.2f;
}

static bool layer_plays_fast(harness *h) {
  sinew_play_def state;
  sinew_action_read_state(stage_of(h), sinew_actor_action(stage_of(h), hero_of(h), 1, 0), &state);
  return state.speed == 2 && state.loop == SINEW_LOOP_ONCE;
}

static const sinew_model *own(const harness *h) {
  return sinew_actor_model(stage_of(h), sinew_scene_find_actor(h->scene, "own"));
}
static sinew_vec3 head_of(harness *h) {
  harness_step(h, 30);
  const sinew_mat3x4 *at =
      sinew_actor_joints(stage_of(h), sinew_scene_find_actor(h->scene, "own")) + sinew_model_find_joint(own(h), "Head");
  return (sinew_vec3){at->m[3], at->m[7], at->m[11]};
}

HAS(model_fits, sinew_model_clip_file(own(h), 0).corrected)
HAS(model_is_large, head_of(h).y > 2.5f)
HAS(model_lies, head_of(h).y < 0.5f)
HAS(model_turns, sinew_model_joint_rest(own(h), 0).rotation.y > 0.99f)
HAS(model_has_eight, sinew_model_mesh(own(h), 0).influences == 8)
HAS(model_is_exact, sinew_clip_error(own(h)->clips) < 3e-5)
static bool model_has_role(harness *h) {
  int roles[SINEW_ROLES];
  return sinew_model_roles(own(h), roles) && roles[SINEW_ROLE_HEAD] == sinew_model_find_joint(own(h), "Neck");
}

static bool model_maps(harness *h) {
  sinew_clip_file_view file = sinew_model_clip_file(own(h), 0);
  bool found = false;
  for (int i = 0; i < file.match_count; i++)
    found = found || (strcmp(file.matches[i].theirs, "head") == 0 &&
                      file.matches[i].joint == sinew_model_find_joint(own(h), "Neck"));
  return found;
}

HAS(node_key, is_text(node(h, 1)->key, "k2"))
HAS(node_kind, node(h, 0)->kind == SINEW_NODE_SPACE_1D)
HAS(node_deeper, node(h, 2)->child_count == 2)
HAS(node_speed, node(h, 0)->speed == 2)
HAS(node_x, node(h, 2)->x == 5)
HAS(node_y, node(h, 2)->y == 5)
HAS(node_weight, node(h, 1)->weight_param == 1)
HAS(node_clip, node(h, 0)->clip == sinew_model_find_clip(living(h)->model, "Run"))
HAS(node_loop, node(h, 0)->loop == SINEW_LOOP_ONCE)
HAS(node_from, node(h, 0)->from == 0.25)
HAS(node_cycles, node(h, 0)->cycles == 2)
HAS(node_to, node(h, 0)->to == 0.5)
HAS(node_param_x, node(h, 0)->param_x == 1)
HAS(node_param_y, node(h, 0)->param_y == 0)
HAS(node_smooth, node(h, 0)->smooth == 0.5)
HAS(node_matches, node(h, 0)->match == SINEW_MATCH_TRAVELLED)
HAS(node_match_param, node(h, 0)->match_param == 1)
HAS(node_synced, node(h, 0)->sync)
HAS(node_group, is_text(node(h, 0)->sync_group, "g2"))
HAS(node_fade, node(h, 0)->fade == 0.75)
HAS(node_ease, node(h, 0)->ease == SINEW_EASE_OUT)
HAS(node_start, node(h, 0)->start == 1)
HAS(node_first_way, node(h, 1)->transition_count == 2)

HAS(way_from, transition(h)->from == 1)
HAS(way_to, transition(h)->to == 2)
HAS(way_event, is_text(transition(h)->event, "other"))
HAS(way_condition, transition(h)->condition >= 0)
HAS(way_when, is_text(transition(h)->when, "a < 2"))
HAS(way_end, transition(h)->before_end == 0.25)
HAS(way_fade, transition(h)->fade == 0.75)
HAS(way_ease, transition(h)->ease == SINEW_EASE_IN)
HAS(way_blend, transition(h)->kind == SINEW_TRANSITION_INERTIAL)
HAS(way_phase, transition(h)->keep_phase)
HAS(way_restart, transition(h)->restart)
HAS(way_locked, transition(h)->locked)

HAS(mod_name, is_text(living(h)->modifiers.items[0].name, "n"))
HAS(mod_kind, modifier_of(h)->kind == SINEW_MODIFIER_TWIST)
HAS(mod_weight, modifier_of(h)->weight == 0.25f)
HAS(mod_joints, modifier_of(h)->joints[2] == joint(h, "LeftHand"))
HAS(mod_target, is_vec(modifier_of(h)->target, 3, 2, 1))
static bool mod_follows(harness *h) {
  harness_step(h, 1);
  return !is_vec(modifier_of(h)->target, 1, 1, 1);
}
HAS(mod_poled, modifier_of(h)->has_pole)
HAS(mod_pole, is_vec(modifier_of(h)->pole, 0, 0, 2))
HAS(mod_hinge, is_vec(modifier_of(h)->hinge, 0, 1, 0))
HAS(mod_soften, modifier_of(h)->soften == 0.75f)
HAS(mod_keeps, modifier_of(h)->keep_tip)
HAS(mod_forward, is_vec(modifier_of(h)->forward, 1, 0, 0))
HAS(mod_up, is_vec(modifier_of(h)->up, 0, 0, 0))
HAS(mod_half_life, modifier_of(h)->half_life == 0.2f)
HAS(mod_turn_rate, modifier_of(h)->turn_rate == 2)
HAS(mod_lock, modifier_of(h)->lock == 0.15f)
HAS(mod_limit, modifier_of(h)->limit == 0.5f)
HAS(mod_joint_weights, modifier_of(h)->joint_weights &&modifier_of(h)->joint_weights[0] == 0.25f)
HAS(mod_iterations, modifier_of(h)->iterations == 3)
HAS(mod_tolerance, modifier_of(h)->tolerance == 0.5f)
HAS(mod_frequency, modifier_of(h)->frequency == 5)
HAS(mod_damping, modifier_of(h)->damping == 0.25f)
HAS(mod_gravity, is_vec(modifier_of(h)->gravity, 0, 1, 0))
HAS(mod_axis, is_vec(modifier_of(h)->axis, 1, 0, 0))
HAS(mod_swing, modifier_of(h)->swing == 0.5f)
HAS(mod_twist_min, modifier_of(h)->twist_min == -0.5f)
HAS(mod_twist_max, modifier_of(h)->twist_max == 0.5f)
HAS(mod_parts, modifier_of(h)->parts == SINEW_COPY_ROTATION)
HAS(mod_offset, modifier_of(h)->offset.translation.y == 0.5f)
HAS(mod_fraction, modifier_of(h)->fraction == 0.25f)
HAS(mod_shift, modifier_of(h)->max_shift == 0.25f)
HAS(mod_tilt, modifier_of(h)->max_tilt == 0.25f)
HAS(mod_stretch, modifier_of(h)->stretch == 1.5f)
HAS(mod_weight_param, is_text(modifier_of(h)->weight_param, "b"))
HAS(mod_stride, modifier_of(h)->stride[0] == 0.5f && modifier_of(h)->stride[1] == 1.5f)
HAS(mod_angle, modifier_of(h)->angle == 0.25f)
static bool mod_ground(harness *h) {
  harness_step(h, 60); /* it rises softly */
  return fabs((double)living(h)->modifiers.items[0].feet[0].ground - 0.125) < 1e-4;
}

HAS(root_joint, root_of(h)->def.joint == joint(h, "Hips"))
HAS(root_axes, root_of(h)->def.axes == SINEW_ROOT_Z)
HAS(root_apply, !root_of(h)->def.apply)
HAS(root_height, root_of(h)->def.foot_height == 0.5f)
HAS(root_feet, root_of(h)->def.feet[0] == joint(h, "RightFoot"))

HAS(hangs_from, hanging(h)->asked.to.id == sinew_scene_find_actor(h->scene, "pole").id)
HAS(hangs_at, hanging(h)->asked.joint == joint(h, "Head"))
HAS(hangs_off, hanging(h)->asked.offset.translation.y == 0.5f)
HAS(hangs_turned, hanging(h)->asked.offset.rotation.y > 0.4f)
HAS(hangs_by_rig, hanging(h)->asked.joint_scale)
HAS(hangs_scaled, hanging(h)->asked.offset.scale.y == 2)

static actor_values place_of(const harness *h) {
  const actor *a = living(h);
  return (actor_values){a->transform, a->visible, a->skinning, a->opacity};
}
HAS(actor_position, is_vec(place_of(h).position.translation, 1, 2, 3))
HAS(actor_rotation, fabsf(place_of(h).position.rotation.y - sinf(0.5f)) < 1e-6f)
HAS(actor_scale, is_vec(place_of(h).position.scale, 2, 2, 2))
HAS(actor_hidden, !place_of(h).visible)
HAS(actor_skinning, place_of(h).skinning == SINEW_SKINNING_DUAL_QUATERNION)
HAS(actor_opacity, place_of(h).opacity == 0.5f)
HAS(morph_value, sinew_actor_morph(stage_of(h), hero_of(h), "Blink") == 0.5f)
static bool param_value(harness *h) {
  return sinew_actor_param(stage_of(h), sinew_scene_find_actor(h->scene, "pole"), 0) == 4;
}

static const sinew_camera *camera(const harness *h) { return sinew_host_camera(h->host); }
static bool is_three(const float v[3]) { return v[0] == 1 && v[1] == 2 && v[2] == 3; }
static const sinew_light *light(const harness *h) { return sinew_host_light(h->host); }
static const sinew_view_options *view(const harness *h) { return sinew_host_view(h->host); }
HAS(camera_position, is_vec(camera(h)->position, 1, 2, 3))
HAS(camera_target, is_vec(camera(h)->target, 1, 2, 3))
HAS(camera_fov, camera(h)->fov_y == 0.5f)
HAS(camera_orbit, !sinew_host_has_orbit(h->host))
HAS(light_direction, is_vec(light(h)->direction, 1, 2, 3))
HAS(light_color, light(h)->color[0] == 1 && light(h)->color[1] == 0.5f)
HAS(light_intensity, light(h)->intensity == 0.5f)
HAS(light_sky, is_three(light(h)->sky))
HAS(light_ground, is_three(light(h)->ground))
HAS(light_exposure, light(h)->exposure == 0.5f)
HAS(light_environment, light(h)->environment == SINEW_ENVIRONMENT_NIGHT)
HAS(light_curve, light(h)->curve == SINEW_CURVE_ACES)
HAS(light_fog, light(h)->fog == 0.5f)
HAS(view_wireframe, view(h)->wireframe)
HAS(view_skeleton, view(h)->skeleton)
HAS(view_names, view(h)->names)
HAS(view_axes, view(h)->axes)
HAS(view_bind_pose, view(h)->bind_pose)
HAS(view_bounds, view(h)->bounds)
HAS(view_root_path, view(h)->root_path)
HAS(view_contacts, view(h)->contacts)
HAS(view_scale, view(h)->scale)
HAS(view_ground, !view(h)->ground)
HAS(view_stats, view(h)->stats)
HAS(view_inspector, view(h)->inspector)
HAS(view_graph, view(h)->graph)
HAS(view_console, view(h)->console)
HAS(view_paused, view(h)->paused)
HAS(view_speed, view(h)->speed == 0.5f)
HAS(view_surface, view(h)->surface == SINEW_SURFACE_NORMALS)
HAS(view_joint, is_text(view(h)->joint, "Head"))
HAS(view_skinner, is_text(sinew_host_skinner(h->host), "cpu"))

static const crowd *crowd_of(const harness *h) { return stage_of(h)->crowds[0]; }
HAS(crowd_size, crowd_of(h)->characters.count == 3)
static bool crowd_halves(harness *h) {
  harness_step(h, 2);
  return crowd_of(h)->detail.half_from == 5;
}
static bool crowd_quarters(harness *h) {
  harness_step(h, 2);
  return crowd_of(h)->detail.quarter_from == 5;
}

static bool crowd_tinted(harness *h) {
  harness_step(h, 2);
  const crowd *c = crowd_of(h);
  for (int i = 0; i < sinew_model_material_count(c->model); i++)
    if (c->characters.tinted[i] != is_text(sinew_model_material(c->model, i).name, "Trousers")) return false;
  return true;
}

static const clip_markers *markers(const harness *h) {
  return markers_of(&stage_of(h)->markers, living(h)->model, sinew_model_find_clip(living(h)->model, "Walk"));
}
HAS(marker_time, markers(h)->items[0].time == 0.5)
HAS(marker_name, is_text(markers(h)->items[0].name, "b"))
HAS(marker_sync, markers(h)->items[0].sync)
HAS(marker_silent, markers(h)->items[0].silent)

#endif
