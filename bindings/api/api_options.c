/* Sets of options, and the list of all tables. */
#include "core/api.h"

#include <stdlib.h>
#include <string.h>

/* A placeholder for the options that the table of a kind (kinds.c) describes. */
#define KIND(owner)                                                                                                    \
  { owner, NULL, API_OPTION, "", "", "", .data = 0 }
#define OPTION(owner, name, type, doc)                                                                                 \
  { owner, name, API_OPTION, type, "", doc, .data = 0 }

static const api_entry listed[] = {
    OPTION("model_options", "clips", "list",
           "More files whose clips are added to the model: names, folders, or patterns such as \"pack/*.fbx\"."),
    OPTION("model_options", "wait", "boolean", "false returns at once and loads in the background; default true."),
    OPTION("model_options", "edits", "list", "A list of clip_edits: rename, cut, reverse, close to a loop, mirror."),
    KIND("model_options"),
    OPTION("build_options", "name", "string", "Its name in messages; default \"model\"."),
    OPTION("build_options", "joints", "list", "A list of joint_options, parents before their children."),
    OPTION("build_options", "meshes", "list", "A list of mesh_options."),
    OPTION("build_options", "clips", "list", "A list of clip_options."),
    OPTION("joint_options", "name", "string", "Its name, unique among the joints."),
    OPTION("joint_options", "parent", "string|integer", "A joint listed before it; without one it is a root."),
    OPTION("joint_options", "position", "vec3", "At rest, relative to its parent, in metres; default {0, 0, 0}."),
    OPTION("joint_options", "rotation", "rotation", "At rest, relative to its parent; default none."),
    OPTION("joint_options", "scale", "vec3", "At rest; default {1, 1, 1}."),
    OPTION("mesh_options", "name", "string", "Its name in messages."),
    OPTION("mesh_options", "positions", "list",
           "Positions of its vertices in the bind pose, in metres: { {x, y, z}, … } or { x, y, z, … }."),
    OPTION("mesh_options", "normals", "list", "One per vertex; default computed from the triangles around it."),
    OPTION("mesh_options", "uvs", "list", "{ u, v } per vertex, v downwards."),
    OPTION("mesh_options", "colors", "list", "{ red, green, blue }, or with opacity, per vertex; linear, 0 to 1."),
    OPTION("mesh_options", "indices", "list",
           "Triangles, counter-clockwise from the front: { {1, 2, 3}, … } or { 1, 2, 3, … }. The first vertex is 1."),
    OPTION("mesh_options", "weights", "table",
           "For each vertex a joint's name or { Elbow = 0.5, Hand = 0.5 }; or for each joint a list of weights, { "
           "Elbow = { 1, 0.5, … }, … }. They are normalised per vertex."),
    OPTION("mesh_options", "morphs", "table",
           "Morph targets by name, with an offset per vertex: { Smile = { {x, y, z}, … }, … }."),
    OPTION("mesh_options", "joint", "string|integer", "The joint that vertices without weights follow; default none."),
    OPTION("mesh_options", "material", "material_options", "Its material; default light grey."),
    OPTION("material_options", "color", "color", "Linear red, green, blue, 0 to 1; default {1, 1, 1}."),
    OPTION("material_options", "opacity", "fraction", "0 to 1; default 1."),
    OPTION("material_options", "metallic", "fraction", "0 to 1; default 0."),
    OPTION("material_options", "roughness", "fraction", "0 to 1; default 0.8."),
    OPTION("material_options", "emissive", "glow", "Emitted light, linear red, green, blue; default {0, 0, 0}."),
    OPTION("material_options", "double_sided", "boolean", "Whether its back faces are drawn; default false."),
    OPTION("clip_options", "name", "string", "Its name, unique among the clips."),
    OPTION("clip_options", "tracks", "table", "By joint: { Elbow = track_options, … }."),
    OPTION("track_options", "times", "list",
           "The times of its keys in seconds, ascending. The earliest of all tracks starts the clip."),
    OPTION("track_options", "positions", "list", "One per time, relative to the parent, in metres."),
    OPTION("track_options", "rotations", "list", "One per time: quaternions {x, y, z, w}."),
    OPTION("track_options", "scales", "list", "One per time."),
    OPTION("track_options", "interpolation", "interpolation",
           "\"linear\" (the default), \"step\", or \"cubic\": three entries per time, in-tangent, value and "
           "out-tangent, as in glTF."),
    OPTION("clip_edit", "clip", "string", "Which clip: its name, or \"#2\"."),
    OPTION("clip_edit", "name", "string", "Its new name."),
    OPTION("clip_edit", "from", "seconds", "Start of the part to keep, in seconds; default 0."),
    OPTION("clip_edit", "to", "seconds", "End of the part to keep, in seconds; default the clip's end."),
    OPTION("clip_edit", "reverse", "boolean", "Reverses it."),
    OPTION("clip_edit", "loop", "boolean", "Bends its end towards its beginning, so that it loops."),
    OPTION("clip_edit", "mirror", "boolean", "Exchanges left and right, by the joints' names."),
    KIND("actor_options"),
    KIND("layer_options"),
    OPTION("reference_options", "clip", "clip", "Which clip."),
    OPTION("reference_options", "time", "seconds", "The time in that clip; default 0."),
    OPTION("play_options", "layer", "layer_name", "The name of a layer; default \"base\"."),
    KIND("play_options"),
    OPTION(
        "play_options", "restart", "boolean",
        "Whether it begins anew although the same call already leads the layer; default false. One-shots always do."),
    OPTION("actor_options", "params", "table", "Parameters and their initial values: { speed = 0, turn = 0 }."),
    OPTION("pose_report", "missing", "string[]", "Joints of the model that the file lacks; they are at rest."),
    OPTION("pose_report", "unknown", "string[]", "Joints of the file that the model lacks."),
    OPTION("crowd_options", "name", "string",
           "The name by which a save recognises it; default \"crowd\", \"crowd 2\" …"),
    OPTION("crowd_options", "graph", "node|clip",
           "The graph that every member runs with its own parameters; default the model's first clip. Without "
           "states it has at most 4 clips. A state machine's conditions are text, its inertial transitions "
           "crossfade, and it has no functions, events or match; each member shows the 4 clips with the most weight."),
    OPTION("crowd_options", "params", "table", "Parameters of the graph, with the members' initial values."),
    KIND("crowd_options"),
    OPTION("clip_node", "...", "clip", "The name of the clip, or its number."),
    KIND("clip_node"),
    OPTION("blend_node", "...", "any", "{ node, weight }; a weight is a number or a parameter."),
    KIND("blend_node"),
    OPTION("space_1d_node", "...", "any",
           "{ position, node }; a position is a number or a function. A node alone takes the position of its clip's "
           "velocity."),
    OPTION("space_1d_node", "param", "param_name", "The parameter that gives the position."),
    KIND("space_1d_node"),
    OPTION("space_2d_node", "...", "any",
           "{ x, y, node }; x and y are numbers or functions. A node alone takes the position of its clip's velocity, "
           "x to the left and y ahead."),
    OPTION("space_2d_node", "param_x", "param_name", "The parameter for x."),
    OPTION("space_2d_node", "param_y", "param_name", "The parameter for y."),
    KIND("space_2d_node"),
    OPTION("switch_node", "...", "any", "Nodes."),
    OPTION("switch_node", "param", "param_name", "The parameter that selects the node, from 0."),
    KIND("switch_node"),
    OPTION("machine_node", "start", "state_name", "The initial state; default the first by name."),
    OPTION("machine_node", "states", "table", "Nodes by name."),
    OPTION("machine_node", "transitions", "list",
           "A list of { from, to, on = \"event\" }; the first that can be taken is taken."),
    KIND("machine_node"),
    OPTION("machine_text", "...", "string|table",
           "Transitions as texts: \"state -> state: on EVENT, when CONDITION\" and further words, as in the module's "
           "head; or a table whose first entry is such a text and whose others are fields of a transition."),
    OPTION("machine_text", "start", "state_name", "The initial state; default the first by name."),
    OPTION("machine_text", "states", "table", "Nodes by name."),
    KIND("machine_text"),
    OPTION("transition", "...", "string", "The names of two states; the first may be \"*\" for any state."),
    KIND("transition"),
    OPTION("marker", "...", "any", "The time in seconds, and the name."),
    KIND("marker"),
    OPTION("marker", "data", "any", "A value for the handlers of the event."),
    OPTION("playing_options", "layer", "layer_name", "Only this layer; default all."),
    OPTION("graph_options", "layer", "layer_name", "The name of a layer; default \"base\"."),
    OPTION("graph_options", "fade", "seconds", "Seconds in which differences die away; default 0.2."),
    OPTION("joint_transform", "position", "vec3", "In metres."),
    OPTION("joint_transform", "rotation", "rotation", "A quaternion {x, y, z, w}, or an angle about y in radians."),
    OPTION("joint_transform", "scale", "vec3", "Its scale."),
    OPTION("look_at_modifier", "...", "string", "Its name in actor.modifiers."),
    OPTION("look_at_modifier", "chain", "list",
           "The joints to turn, of which the last one looks: { \"Spine2\", \"Neck\", \"Head\" }."),
    KIND("look_at_modifier"),
    OPTION("ik_modifier", "...", "string", "Its name in actor.modifiers."),
    OPTION("ik_modifier", "tip", "joint", "The joint that reaches for the target."),
    OPTION("ik_modifier", "middle", "joint", "The joint that bends; default the tip's parent."),
    OPTION("ik_modifier", "upper", "joint", "The root of the limb; default the parent of the middle joint."),
    OPTION("ik_modifier", "hinge", "vec3", "The axis it bends about, in the middle joint's space."),
    KIND("ik_modifier"),
    OPTION("chain_modifier", "...", "string", "Its name in actor.modifiers."),
    OPTION("chain_modifier", "root", "joint", "The first joint of the chain."),
    OPTION("chain_modifier", "tip", "joint", "The joint that reaches for the target."),
    KIND("chain_modifier"),
    OPTION("spring_modifier", "...", "string", "Its name in actor.modifiers."),
    OPTION("spring_modifier", "joints", "list",
           "The joints that swing; { \"Ponytail1/**\" } is a joint with everything below it."),
    KIND("spring_modifier"),
    OPTION("limit_modifier", "...", "string", "Its name in actor.modifiers."),
    OPTION("limit_modifier", "joint", "joint", "The joint."),
    OPTION("limit_modifier", "axis", "vec3",
           "The direction of the bone, in the joint's own space; default towards its first child."),
    KIND("limit_modifier"),
    OPTION("copy_transform_modifier", "...", "string", "Its name in actor.modifiers."),
    OPTION("copy_transform_modifier", "joint", "joint", "The joint to move."),
    OPTION("copy_transform_modifier", "source", "joint", "The joint to copy."),
    KIND("copy_transform_modifier"),
    OPTION("twist_modifier", "...", "string", "Its name in actor.modifiers."),
    OPTION("twist_modifier", "joint", "joint", "The helper joint."),
    OPTION("twist_modifier", "source", "joint", "The joint whose rotation it takes; both have the same parent."),
    OPTION("twist_modifier", "axis", "vec3",
           "An axis in their parent's space: takes only the twist about it; default the whole rotation."),
    KIND("twist_modifier"),
    OPTION("plant_modifier", "...", "string", "Its name in actor.modifiers."),
    OPTION("plant_modifier", "pelvis", "joint",
           "The joint that sinks if a leg would be too short; default the rig's (model:roles)."),
    OPTION("plant_modifier", "feet", "list",
           "The joints of the feet; knee and thigh are their parents. Default the rig's."),
    OPTION("plant_modifier", "ground", "function",
           "function(x, z) return height, normal end; default level ground at the actor's height."),
    OPTION("plant_modifier", "hinge", "vec3",
           "The axis that knees bend about, in the knee's own space; default the axis to the left of where the model "
           "faces at rest."),
    KIND("plant_modifier"),
    OPTION("warp_modifier", "...", "string", "Its name in actor.modifiers."),
    OPTION("warp_modifier", "pelvis", "joint", "The joint that turns and sinks; default the rig's (model:roles)."),
    OPTION("warp_modifier", "feet", "list",
           "The joints of the two feet; knee and thigh are their parents. Default the rig's."),
    OPTION("warp_modifier", "spine", "list",
           "The joints from the pelvis to the chest, which rotate back; default those above both of the rig's hands."),
    OPTION("warp_modifier", "hinge", "vec3",
           "The axis that knees bend about, in the knee's own space; default the axis to the left of where the model "
           "faces at rest."),
    KIND("warp_modifier"),
    OPTION("modifier_modifier", "...", "any", "Its name, and a function that receives a pose, the actor and dt."),
    KIND("modifier_modifier"),
    OPTION("pose_ik_options", "weight", "fraction", "Its weight, from 0 to 1; default 1."),
    OPTION("pose_ik_options", "pole", "vec3", "A point in model space that the middle joint bends towards."),
    OPTION("pose_ik_options", "soften", "number",
           "From this fraction of the limb's length on, it straightens more slowly: 0.5 to 1; default 0.97."),
    OPTION("pose_ik_options", "keep_tip", "boolean", "Whether the tip keeps its rotation in model space."),
    OPTION("pose_ik_options", "stretch", "positive",
           "The largest factor by which the limb may stretch to reach the target: 1 to 2; default 1."),
    OPTION("retarget_options", "map", "named",
           "Which joint of the pose's model corresponds to which of the other's: { [\"theirs\"] = \"ours\", "
           "[\"another\"] = false }; the rest is matched by name."),
    OPTION("match_report", "matched", "table",
           "Joints matched by the map or by name, { [\"ours\"] = \"theirs\" }; the keys are the other model's joints."),
    OPTION("match_report", "guessed", "table", "Likewise, joints matched as the same part of a body."),
    OPTION("match_report", "missing", "string[]", "Joints of the other model without a match; they stay at rest."),
    OPTION("match_report", "scale", "number", "The other model's size divided by this model's."),
    OPTION("measure_options", "feet", "list", "The joints that stand on the ground; default the feet of a humanoid."),
    OPTION("measure_options", "height", "positive",
           "A foot up to this far above its rest height counts as on the ground, in metres; default 0.02, and 2 for a "
           "figure in centimetres."),
    OPTION("measure_options", "ground", "function",
           "function(x, z) return height, normal end; default the ground that the feet are planted on, or the level on "
           "which the actor stands."),
    OPTION("bake_options", "seconds", "positive", "How long to record, at most 600; default 1."),
    OPTION("bake_options", "rate", "positive", "Keys per second, at most one per frame; default 60."),
    OPTION("bake_options", "name", "string", "The name of the animation; default the file's."),
    OPTION("bake_options", "movement", "boolean",
           "Whether the actor's own movement through the scene is included; default false."),
    OPTION("record_options", "rate", "positive", "Frames of the video per second of the scene; default 30."),
    OPTION("record_options", "seconds", "positive",
           "The length of the video; without it, sinew.record() ends the video."),
    KIND("root_options"),
    OPTION("motor_options", "acceleration", "positive",
           "In metres per second squared; default 9, and 900 for a figure in centimetres."),
    OPTION("motor_options", "braking", "positive", "The same, while it slows down; default 12, and 1200."),
    OPTION("motor_options", "turn_rate", "turn_rate", "In radians per second; default 6."),
    OPTION("motor_options", "level", "level",
           "The level in which the actor walks, as an upright capsule: it slides along walls, climbs steps, stays on "
           "slopes, "
           "rides on parts that move, and falls. The motor controls the height then, and declares the parameters "
           "grounded (1 "
           "or 0) and rise (m/s upwards)."),
    OPTION("motor_options", "radius", "positive", "Of the capsule, in metres; default 0.3."),
    OPTION("motor_options", "height", "positive", "Of the capsule, in metres, at least twice the radius; default 1.8."),
    OPTION("motor_options", "step", "seconds", "The highest step that it climbs, in metres; default 0.35."),
    OPTION("motor_options", "slope", "seconds", "The steepest ground on which it stands, in radians; default 50°."),
    OPTION("motor_options", "gravity", "seconds", "In metres per second squared; default 9.81."),
    OPTION("level_options", "...", "level_part", "Its parts."),
    OPTION("level_options", "name", "string",
           "What the names of its actors begin with; default \"level\", \"level 2\" …"),
    OPTION("level_part", "...", "string", "Its name."),
    OPTION("level_part", "box", "vec3", "The edges of a box, in metres, around its position."),
    OPTION("level_part", "plane", "range", "Width and depth of a flat rectangle, in metres."),
    OPTION("level_part", "sphere", "positive", "The radius of a sphere, in metres."),
    OPTION("level_part", "capsule", "range", "Radius and height of an upright capsule, in metres."),
    OPTION("level_part", "stairs", "table",
           "The number of steps, up towards +z from its position, with rise, run and width in metres: { 12, rise = "
           "0.17, run = "
           "0.28, width = 2 }."),
    OPTION("level_part", "heights", "table", "Rows of heights in metres along z, each a list along x."),
    OPTION("level_part", "size", "range", "Width and depth of heights, in metres."),
    OPTION("level_part", "model", "model|string", "A model, or its file; its triangles in the rest pose."),
    OPTION("level_part", "position", "vec3", "In metres; default {0, 0, 0}."),
    OPTION("level_part", "rotation", "rotation", "A quaternion, or an angle about y in radians; default none."),
    OPTION("level_part", "scale", "vec3", "Its size; default {1, 1, 1}. What is walked on keeps it."),
    OPTION("level_part", "color", "vec3", "Of a shape: linear red, green, blue, 0 to 1; default grey."),
    OPTION("level_part", "surface", "string", "What it is made of, for motor.surface and hits: \"stone\"."),
    OPTION("raycast_options", "ignore", "actor", "A part that the ray passes through."),
    OPTION("raycast_hit", "point", "vec3", "Where it hits."),
    OPTION("raycast_hit", "normal", "vec3", "Of the surface, towards the ray's beginning."),
    OPTION("raycast_hit", "distance", "number", "Metres from the ray's beginning."),
    OPTION("raycast_hit", "part", "string", "The name of the part."),
    OPTION("raycast_hit", "surface", "string", "What it is made of, where the part says so."),
    OPTION("raycast_hit", "actor", "actor", "The part's actor."),
    OPTION("attach_options", "offset", "joint_transform", "Relative to the joint, in metres."),
    KIND("attach_options"),
    OPTION("attach_options", "name", "string", "The name of the actor made from a model; default the file's."),
    OPTION("expect_options", "tolerance", "positive",
           "The largest allowed distance of a joint from the saved pose, in metres; default 0.001."),
    OPTION(
        "tween_options", "ease", "string|function",
        "The name of one of tween.ease, or a function from the fraction of the time to that of the distance; default "
        "\"linear\"."),
    OPTION("tween_options", "delay", "seconds", "Seconds until it begins; default 0."),
    OPTION("tween_options", "done", "function", "Called when the value is reached."),
    OPTION("follow_options", "distance", "positive", "How far behind the actor, in metres; default 4."),
    OPTION("follow_options", "height", "number", "Height above the actor at the start; default 1.8."),
    OPTION("follow_options", "look", "number", "The height that it looks at; default 1.1."),
    OPTION("follow_options", "rate", "weight",
           "How quickly it comes along: 8 takes about a third of a second; default 5."),
    OPTION("follow_options", "behind", "weight",
           "How quickly it goes behind the actor again after it was turned; 0: it stays; default 5."),
    OPTION("follow_options", "ground", "function",
           "function(x, z) whose height it stays above; default the level of the actor."),
    OPTION("orbit_options", "distance", "positive", "In metres; default 4."),
    OPTION("orbit_options", "height", "number", "The height that it looks at; default 1."),
    OPTION("orbit_options", "yaw", "number", "Its angle about the vertical at the start, in radians; default 0."),
    OPTION("orbit_options", "pitch", "angle", "Its angle above the horizon at the start; default 0.2."),
    OPTION("orbit_options", "speed", "number", "Radians a second that it turns by itself; default 0."),
    OPTION("fly_options", "speed", "positive", "Metres a second; shift is four times that; default 3."),
    OPTION("simulate_options", "seconds", "seconds", "How long to run."),
    OPTION("simulate_options", "frames", "count", "How many frames to run."),
    OPTION("simulate_options", "keys", "list", "Keys by time: { { 0, \"+w\" }, { 2, \"space\" }, { 3, \"-w\" } }."),
    OPTION("simulate_options", "mouse", "list",
           "Mouse positions and buttons by time: { { 0, 320, 200 }, { 0.1, \"+left\" }, { 0.5, \"-left\" } }."),
    {0}};

api_entry api_option_entries[API_OPTIONS];

static void add(int *count, api_entry entry) {
  if (*count + 1 == API_OPTIONS) abort();
  api_option_entries[(*count)++] = entry;
}

static void add_kind(int *count, const char *owner) {
  int before = *count;
  for (const store_kind *const *k = store_kinds; *k; k++)
    for (const store_field *f = (*k)->fields; f->name; f++)
      if (field_is_option(*k, f, owner)) add(count, (api_entry)OPTION(owner, f->name, f->spec, f->doc));
  if (*count == before) abort();
}

void options_fill(void) {
  int count = 0;
  if (api_option_entries[0].owner) return;
  looks_fill();
  for (const api_entry *e = listed; e->owner; e++) {
    if (e->name) add(&count, *e);
    else add_kind(&count, e->owner);
  }
}

const api_entry *const api_tables[] = {
    /* the scene, and what plays */
    api_sinew_entries, api_scene_entries, api_model_entries, api_mask_entries, api_actor_entries, api_action_entries,
    api_layer_entries, api_node_entries, api_graph_entries, api_event_entries, api_curve_entries, api_step_entries,
    api_view_entries, api_ui_entries, api_debug_entries,
    /* what changes and tells it */
    api_modifier_entries, api_rig_entries, api_pose_entries, api_root_entries, api_motor_entries, api_level_entries,
    api_pose_value_entries, api_retarget_entries, api_expect_entries, api_why_entries, api_timeline_entries,
    api_bake_entries, api_build_entries, api_skin_entries, api_crowd_entries, api_crowd_array_entries,
    api_playing_entries, api_module_entries, api_option_entries, NULL};
