/* The fields of every kind of thing that a scene declares. */
#include "declare/kinds/kinds.h"

#include "declare/kinds/declared_crowd.h"

static const char *const eases[] = {"linear", "in", "out", "in_out", NULL};
static const char *const transitions[] = {"crossfade", "frozen", "inertial", NULL};
static const char *const play_modes[] = {"mix", "crossfade", NULL};
static const char *const modes[] = {"override", "additive", NULL};
static const char *const references[] = {"begin", "clip", "pose", NULL};
static const char *const axes[] = {"x", "y", "z", "yaw", NULL};
static const char *const parts[] = {"position", "rotation", "scale", NULL};

#define SIZE(values, member) ((int)sizeof((values *)0)->member)
#define FIELD(values, member, what, of_type, with_effect)                                                              \
  .name = what, .type = of_type, .offset = offsetof(values, member), .size = SIZE(values, member), .effect = with_effect

/* An option that is read together with the others of its kind, and listed with the sets of options (api_options.c). */
#define READ .spec = ""
#define OPTION(type, text) .spec = type, .doc = text
/* The same, for options that are read together with the list of their values. */
#define OWN .spec = "", .custom = true
/* The range of its slider in the inspector. */
#define RANGE(from, to) .low = from, .high = to
#define LENGTH(to) .high = to, .is_length = true

/* ---- models ---- */

static const char *const retargets[] = {"auto", "copy", "fit", "raw", NULL};

#define MODEL(member, type, ...)                                                                                       \
  { FIELD(model_values, member, #member, FIELD_##type, FIELD_REJOIN), __VA_ARGS__ }

static const store_field model_fields[] = {
    MODEL(retarget, WORD, .words = retargets,
          OPTION("retarget_mode",
                 "How those clips are fitted to the model: \"copy\" copies their curves, \"fit\" computes every pose "
                 "for this body, \"auto\" (the default) copies if the rigs are the same, \"raw\" does so and leaves "
                 "legs of other proportions as the rotations put them.")),
    MODEL(map, TEXT, .custom = true,
          OPTION("table", "Which joint of the clip files corresponds to which of the model: { [\"theirs\"] = \"ours\", "
                          "[\"another\"] = false }; default by name.")),
    MODEL(roles, TEXT, .custom = true,
          OPTION("table",
                 "Which joints are parts of its body, where Sinew cannot tell: { left_foot = \"Foot.L\", right_foot = "
                 "\"Foot.R\" }. The roles are root, pelvis, head, and left_ and right_ before hand, foot, toes, "
                 "upper_leg, lower_leg, shoulder, upper_arm, lower_arm and front_foot; sides come in pairs.")),
    MODEL(unit, NUMBER, OPTION("positive", "Metres per unit of the file; default as the file says.")),
    MODEL(up, TEXT,
          OPTION("string", "The axis of the file that points up: \"z\", \"-y\" …; default as the file says.")),
    MODEL(front, TEXT,
          OPTION("string", "The axis that the character faces once y is up, if that is not \"z\": \"-z\", \"x\" or "
                           "\"-x\". The model is rotated to face +z.")),
    MODEL(influences, COUNT, OPTION("count", "Joints kept per vertex: 4 (the default) or 8.")),
    MODEL(exact, FLAG, OPTION("boolean", "Keeps clips in floats, uncompressed; default false.")),
    {0}};

const store_kind kind_model = {"model", "model_options", model_fields,
                               "another value has the file read again: save the scene with it"};

/* ---- actions ---- */

#define PLAY(member, what, type, effect, ...)                                                                          \
  { FIELD(sinew_play_def, member, what, FIELD_##type, FIELD_##effect), __VA_ARGS__ }

#define LOOPS "\"forever\" (the default), \"once\", \"ping_pong\" or a number of times."
#define FROM "Start of the part to play, in seconds."
#define TO "End of the part to play, in seconds."
#define STRIDES                                                                                                        \
  "Strides in one loop of the clip, for sync without sync markers: 1 to 8. Default counted from its footfalls, "       \
  "otherwise 1."
#define NAMED "it is a name, which other places in the scene use too"

static const store_field action_fields[] = {
    PLAY(fade, "fade", NUMBER, START, OPTION("seconds", "Seconds to fade in; default 0.2.")),
    PLAY(
        fade_out, "fade_out", NUMBER, LIVE, RANGE(0, 2),
        OPTION(
            "seconds",
            "A one-shot fades out during these last seconds of its clip; without this option it keeps its last pose.")),
    PLAY(loop, "loop", LOOP, LIVE, OPTION("loop", LOOPS)),
    PLAY(speed, "speed", NUMBER, LIVE, RANGE(-2, 2), OPTION("number", "1 (the default) is the clip's own speed.")),
    PLAY(weight, "weight", FLOAT, LIVE, RANGE(0, 1),
         OPTION("weight", "Joins the blend with this weight; without it, it crossfades.")),
    PLAY(time, "time", NUMBER, LIVE, .uncontrolled = "it advances by itself; the timeline seeks",
         OPTION("seconds", "Where it starts, in seconds; default 0.")),
    PLAY(ease, "ease", WORD, START, .words = eases,
         OPTION("ease", "The curve of the fade: \"linear\" (the default), \"in\", \"out\", \"in_out\".")),
    PLAY(kind, "blend", WORD, START, .words = transitions,
         OPTION("transition_kind", "How the others leave: \"crossfade\" (the default), \"frozen\" (they stand still "
                                   "while they fade) or \"inertial\" (they end at once, and their motion dies away).")),
    PLAY(from, "from", NUMBER, REJOIN, OPTION("seconds", FROM)),
    PLAY(to, "to", NUMBER, REJOIN, OPTION("seconds", TO)),
    PLAY(sync_group, "sync", TEXT, REJOIN, .uncontrolled = NAMED,
         OPTION("string", "A name: clips of the actor with the same name share one phase.")),
    PLAY(cycles, "cycles", COUNT, REJOIN, RANGE(0, 8), OPTION("cycles", STRIDES)),
    PLAY(paused, "paused", FLAG, LIVE, .spec = NULL),
    PLAY(solo, "mode", FLAG, START, .words = play_modes),
    {0}};

const store_kind kind_action = {"action", "play_options", action_fields, NULL};

/* ---- layers ---- */

static const char *const spaces[] = {"local", "model", NULL};

#define LAYER(member, what, type, ...)                                                                                 \
  { FIELD(layer_values, member, what, FIELD_##type, FIELD_LIVE), __VA_ARGS__ }

#define MEASURED "it belongs to the clips of the layer; Copy as Lua has it with the others"

static const store_field layer_fields[] = {
    LAYER(def.mode, "mode", WORD, .words = modes,
          OPTION("mode", "\"override\" (the default) covers what is below; \"additive\" adds to it.")),
    LAYER(def.space, "space", WORD, .words = spaces,
          OPTION("space", "\"local\" (the default), or \"model\": rotations are in model space, however the parent "
                          "joints lean, so that an aim stays on its target.")),
    LAYER(def.weight, "weight", FLOAT, RANGE(0, 1),
          OPTION("number", "The fraction of the layers below that it covers, from 0 to 1. An additive layer "
                           "takes any number; a negative one subtracts. Default 1.")),
    LAYER(def.joint_weights, "mask", NUMBERS, .count = offsetof(layer_values, mask_count),
          .uncontrolled = "it is painted on the selected actor",
          OPTION("mask|table", "The joints it touches, as in model:mask; default all.")),
    LAYER(def.reference.kind, "reference", WORD, .words = references, .uncontrolled = MEASURED,
          OPTION("clip|pose|reference_options",
                 "The pose from which an additive layer measures differences: the first frame of a clip, another "
                 "time of it, or a pose of the model. Default: the first frame of each clip.")),
    LAYER(def.reference.clip, "reference clip", CLIP, .spec = NULL, .uncontrolled = MEASURED),
    LAYER(def.reference.time, "reference time", NUMBER, .spec = NULL, .uncontrolled = MEASURED),
    LAYER(def.reference.pose, "reference pose", POSE, .spec = NULL, .uncontrolled = MEASURED),
    {FIELD(layer_values, play, "play", FIELD_KIND, FIELD_START), .of = &kind_action,
     OPTION("play_options", "Default options for every clip that is played on the layer."), .custom = true},
    {0}};

const store_kind kind_layer = {"layer", "layer_options", layer_fields, NULL};

/* ---- graphs: messages describe nodes in words, so the indices of nodes are left out. The numbers of children and
 * transitions follow from where the next ones begin. ---- */

static const char *const matches[] = {"time", "travelled", "to_stop", "turn", NULL};

#define NODE(member, what, type, ...)                                                                                  \
  { FIELD(sinew_node_def, member, what, FIELD_##type, FIELD_REJOIN), __VA_ARGS__ }

const char *const node_makers[] = {"clip", "blend", "blend_space_1d", "blend_space_2d", "switch", "state_machine"};

#define SHAPE "the shape of the graph is drawn beside it, and written in the scene"
#define DRAGGED "the graph panel drags it"
#define PARENTS "blend_node space_1d_node space_2d_node switch_node machine_node machine_text"
#define EVERY_NODE "clip_node " PARENTS

static const store_field node_fields[] = {
    NODE(key, "key", NAME, .uncontrolled = SHAPE, .sets = EVERY_NODE, .custom = true,
         OPTION("string", "Identifies the node when the graph is edited; otherwise the clips below it do.")),
    NODE(kind, "kind", INDEX, .spec = NULL, .uncontrolled = SHAPE),
    NODE(first_child, "first child", INDEX, .spec = NULL, .uncontrolled = SHAPE),
    NODE(speed, "speed", NUMBER, RANGE(-2, 2), .sets = EVERY_NODE,
         OPTION("number", "Multiplies the speed of its clip, or of everything below; default 1.")),
    NODE(x, "x", NUMBER, .spec = NULL, .uncontrolled = DRAGGED),
    NODE(y, "y", NUMBER, .spec = NULL, .uncontrolled = DRAGGED),
    NODE(weight_param, "weight parameter", PARAM, .spec = NULL, .uncontrolled = NAMED),
    NODE(clip, "clip", CLIP, .spec = NULL, .uncontrolled = SHAPE),
    NODE(loop, "loop", LOOP, .sets = "clip_node", OPTION("loop", LOOPS)),
    NODE(from, "from", NUMBER, .sets = "clip_node", OPTION("seconds", FROM)),
    NODE(to, "to", NUMBER, .sets = "clip_node", OPTION("seconds", TO)),
    NODE(cycles, "cycles", COUNT, RANGE(0, 8), .sets = "clip_node", OPTION("cycles", STRIDES)),
    NODE(param_x, "parameter", PARAM, .spec = NULL, .uncontrolled = NAMED),
    NODE(param_y, "parameter y", PARAM, .spec = NULL, .uncontrolled = NAMED),
    NODE(smooth, "smooth", NUMBER, RANGE(0, 1), .sets = "space_1d_node space_2d_node",
         OPTION("seconds", "Time constant for following the parameters, in seconds; default 0.")),
    NODE(match, "match", WORD, .words = matches, .sets = "clip_node blend_node space_1d_node space_2d_node",
         OPTION("match", "What advances the clips: \"time\" (the default); \"travelled\": the distance that the "
                         "actor has moved since they began; \"to_stop\": the distance that it has left (a transition "
                         "waits until the clip covers it); "
                         "\"turn\": the angle that it has left to turn.")),
    NODE(match_param, "match_param", PARAM, .uncontrolled = NAMED,
         .sets = "clip_node blend_node space_1d_node space_2d_node",
         OPTION("string", "The parameter with the distance (in metres) or the angle (in radians) that is left; default "
                          "to_stop or turn, which actor:motor sets."),
         .custom = true),
    NODE(sync, "sync", FLAG, .uncontrolled = "clips in sync begin together, at a new start", .sets = PARENTS,
         .custom = true,
         OPTION("boolean|string",
                "true: the clips below share one phase. A name: they share it with others of that name.")),
    NODE(sync_group, "sync group", NAME, .spec = NULL, .uncontrolled = NAMED),
    NODE(fade, "fade", NUMBER, RANGE(0, 2), .sets = "switch_node",
         OPTION("seconds", "Seconds to crossfade to another node; default 0.2.")),
    NODE(ease, "ease", WORD, .words = eases, .sets = "switch_node", OPTION("ease", "The curve of the fade.")),
    NODE(start, "start", INDEX, .spec = NULL, .uncontrolled = "a machine uses it only at its start"),
    NODE(first_transition, "first transition", INDEX, .spec = NULL, .uncontrolled = SHAPE),
    {0}};

const store_kind kind_node = {"node", NULL, node_fields, NULL};

#define WAY(member, what, type, ...)                                                                                   \
  { FIELD(sinew_transition_def, member, what, FIELD_##type, FIELD_LIVE), __VA_ARGS__ }

/* Functions compare equal: those of a save silently replace the old ones. */
#define WRITTEN "a condition is written"

static const store_field transition_fields[] = {
    WAY(from, "from", INDEX, .spec = NULL, .uncontrolled = SHAPE),
    WAY(to, "to", INDEX, .spec = NULL, .uncontrolled = SHAPE),
    WAY(event, "on", NAME, .uncontrolled = NAMED, .sets = "transition",
        OPTION("string", "Requires this event, sent with actor:send."), .custom = true),
    WAY(when, "when", CONDITION, .uncontrolled = WRITTEN, .sets = "transition",
        OPTION(
            "string|function",
            "Requires this condition: \"speed > 0.2 and abs(turn) < 1\", with the actor's parameters, time_left, phase "
            "and state_time; or a function that receives the actor and returns whether it holds."),
        .custom = true),
    WAY(condition, "when function", FUNCTION, .spec = NULL, .uncontrolled = WRITTEN),
    WAY(before_end, "before_end", NUMBER, RANGE(0, 2), .sets = "transition",
        OPTION("seconds", "Requires that no more than these seconds are left of the playing clip.")),
    WAY(fade, "fade", NUMBER, RANGE(0, 2), .sets = "transition",
        OPTION("seconds", "Seconds that it takes; default 0.2.")),
    WAY(ease, "ease", WORD, .words = eases, .sets = "transition", OPTION("ease", "The curve of the fade.")),
    WAY(kind, "blend", WORD, .words = transitions, .sets = "transition",
        OPTION("transition_kind", "\"crossfade\" (the default), \"frozen\" or \"inertial\".")),
    WAY(keep_phase, "keep_phase", FLAG, .sets = "transition",
        OPTION("boolean", "The new state starts at the old state's phase, or between the same steps.")),
    WAY(restart, "restart", FLAG, .sets = "transition",
        OPTION("boolean", "With \"*\": also leads from the state to itself.")),
    WAY(locked, "locked", FLAG, .sets = "transition",
        OPTION("boolean", "Blocks all other transitions while it fades.")),
    {0}};

const store_kind kind_transition = {"transition", NULL, transition_fields, NULL};

/* ---- modifiers: values that scripts change from frame to frame are live, others create the modifier anew ---- */

#define MODIFIER(member, what, type, effect, ...)                                                                      \
  { FIELD(modifier_values, member, what, FIELD_##type, FIELD_##effect), __VA_ARGS__ }

const char *const modifier_makers[] = {
    [SINEW_MODIFIER_TWO_BONE] = "ik",  [SINEW_MODIFIER_AIM] = "look_at",
    [SINEW_MODIFIER_FABRIK] = "chain", [SINEW_MODIFIER_SPRING] = "spring",
    [SINEW_MODIFIER_LIMIT] = "limit",  [SINEW_MODIFIER_COPY_TRANSFORM] = "copy_transform",
    [SINEW_MODIFIER_TWIST] = "twist",  [SINEW_MODIFIER_PLANT] = "plant",
    [SINEW_MODIFIER_WARP] = "warp",    [SINEW_MODIFIER_FUNCTION] = "modifier"};

#define SHAPED "it is more than one number: the scene sets it"
#define DIRECTION "a direction in the joint's own space follows from the rig"

static const store_field modifier_fields[] = {
    MODIFIER(def.name, "name", NAME, REJOIN, .uncontrolled = SHAPED, .spec = NULL),
    MODIFIER(def.kind, "kind", INDEX, REJOIN, .uncontrolled = SHAPED, .spec = NULL),
    MODIFIER(
        def.weight, "weight", FLOAT, LIVE, RANGE(0, 1),
        .sets = "look_at_modifier ik_modifier chain_modifier spring_modifier limit_modifier "
                "copy_transform_modifier twist_modifier plant_modifier warp_modifier modifier_modifier",
        OPTION(
            "fraction|string",
            "Its weight, from 0 to 1, or the name of a parameter of the actor or of a curve of its clips; default 1."),
        .custom = true),
    MODIFIER(def.weight_param, "weight's parameter", TEXT, REJOIN, .uncontrolled = NAMED, .spec = NULL),
    MODIFIER(def.joints, "joints", JOINTS, REJOIN, .uncontrolled = SHAPED,
             .count = offsetof(modifier_values, def.joint_count)),
    MODIFIER(def.target, "target", VECTOR, LIVE, .sets = "look_at_modifier ik_modifier chain_modifier",
             OPTION("vec3|table", "A point in world space, or { actor, \"joint\" }."), .custom = true),
    MODIFIER(declared, "target joint", OPAQUE, LIVE, .spec = NULL,
             .uncontrolled = "a target that is dragged no longer follows a joint"),
    MODIFIER(def.has_pole, "has pole", FLAG, LIVE, .spec = NULL, .uncontrolled = "the first pole sets it"),
    MODIFIER(def.pole, "pole", VECTOR, LIVE, .sets = "ik_modifier",
             OPTION("vec3", "A point in world space that the middle joint bends towards.")),
    MODIFIER(def.hinge, "hinge", VECTOR, REJOIN, .uncontrolled = DIRECTION, READ),
    MODIFIER(def.soften, "soften", FLOAT, REJOIN, RANGE(0.5f, 1), .sets = "ik_modifier",
             OPTION("number",
                    "From this fraction of the limb's length on, it straightens more slowly: 0.5 to 1; default 0.97.")),
    MODIFIER(def.keep_tip, "keep_tip", FLAG, REJOIN, .sets = "ik_modifier",
             OPTION("boolean", "Whether the tip keeps its rotation in model space.")),
    MODIFIER(def.stretch, "stretch", FLOAT, REJOIN, RANGE(1, 2), .sets = "ik_modifier",
             OPTION("positive", "The largest factor by which the limb may stretch to reach the target: 1 to 2; "
                                "default 1.")),
    MODIFIER(
        def.forward, "forward", VECTOR, REJOIN, .uncontrolled = DIRECTION, .sets = "look_at_modifier",
        OPTION(
            "vec3",
            "The direction in which the last joint looks, in its own space; default where the model faces at rest.")),
    MODIFIER(def.up, "up", VECTOR, REJOIN, .uncontrolled = DIRECTION, .sets = "look_at_modifier",
             OPTION("vec3", "The direction that stays upright, in the same space; {0, 0, 0} for none.")),
    MODIFIER(def.limit, "limit", FLOAT, REJOIN, RANGE(0, 3.14f), .sets = "look_at_modifier",
             OPTION("angle", "The largest angle, in radians; default 1.2.")),
    MODIFIER(def.half_life, "half_life", FLOAT, REJOIN, RANGE(0, 1),
             .sets = "look_at_modifier ik_modifier chain_modifier plant_modifier",
             OPTION("seconds", "The seconds in which the gaze or the tip covers about half the distance to a "
                               "target that appears, disappears or jumps, or the pelvis half the distance to a "
                               "new height over planted feet. 0: at once. Default 0.1; for `ik` and `chain` 0.")),
    MODIFIER(
        def.turn_rate, "turn_rate", FLOAT, REJOIN, RANGE(0, 20), .sets = "look_at_modifier",
        OPTION("weight",
               "The speed, in radians per second, up to which it follows a moving target without lag; default 6.")),
    MODIFIER(def.joint_weights, "weights", NUMBERS, REJOIN, .uncontrolled = SHAPED,
             .count = offsetof(modifier_values, def.joint_count), .sets = "look_at_modifier",
             OPTION("list", "The weight of each joint in the rotation; default 1 each."), .custom = true),
    MODIFIER(def.iterations, "iterations", COUNT, REJOIN, RANGE(1, 64), .sets = "chain_modifier",
             OPTION("count", "The largest number of iterations; default 16.")),
    MODIFIER(def.tolerance, "tolerance", FLOAT, REJOIN, LENGTH(0.1f), .sets = "chain_modifier",
             OPTION("number", "The distance that is near enough, in metres; default 0.001, and 0.1 for a figure in "
                              "centimetres.")),
    MODIFIER(def.frequency, "frequency", FLOAT, REJOIN, RANGE(0.1f, 10), .sets = "spring_modifier",
             OPTION("positive", "The frequency of the spring, in Hz; default 3.")),
    MODIFIER(def.damping, "damping", FLOAT, REJOIN, RANGE(0, 2), .sets = "spring_modifier",
             OPTION("ratio", "The damping ratio: 0 swings for ever, 1 not at all; default 0.5.")),
    MODIFIER(def.gravity, "gravity", VECTOR, REJOIN, .sets = "spring_modifier",
             OPTION("vec3", "In metres per second squared; default {0, -9.81, 0}, whatever the unit of the figure.")),
    MODIFIER(def.axis, "axis", VECTOR, REJOIN, .uncontrolled = DIRECTION, READ),
    MODIFIER(def.swing, "swing", FLOAT, REJOIN, RANGE(0, 3.14f), .sets = "limit_modifier",
             OPTION("angle", "The largest angle from the axis, in radians; default 1.")),
    MODIFIER(def.twist_min, "twist_min", FLOAT, REJOIN, RANGE(-3.14f, 0), .sets = "limit_modifier",
             OPTION("angle", "The smallest twist about the axis, in radians; default -1.")),
    MODIFIER(def.twist_max, "twist_max", FLOAT, REJOIN, RANGE(0, 3.14f), .sets = "limit_modifier",
             OPTION("angle", "The largest twist about the axis, in radians; default 1.")),
    MODIFIER(
        def.parts, "parts", BITS, REJOIN, .uncontrolled = SHAPED, .words = parts, .sets = "copy_transform_modifier",
        OPTION("string", "One or more of \"position rotation scale\"; default \"position rotation\"."), .custom = true),
    MODIFIER(def.offset, "offset", TRANSFORM, REJOIN, .uncontrolled = SHAPED, .sets = "copy_transform_modifier",
             OPTION("joint_transform", "Relative to the source.")),
    MODIFIER(def.fraction, "fraction", FLOAT, REJOIN, RANGE(-1, 1), .sets = "twist_modifier",
             OPTION("number", "The fraction of the rotation, -1 to 1; default 0.5.")),
    MODIFIER(def.max_shift, "max_shift", FLOAT, REJOIN, LENGTH(1), .sets = "plant_modifier",
             OPTION("number",
                    "The largest distance that the pelvis moves, in metres; default 0.4, and 40 for a figure in "
                    "centimetres.")),
    MODIFIER(def.max_tilt, "max_tilt", FLOAT, REJOIN, RANGE(0, 1.5f), .sets = "plant_modifier",
             OPTION("angle", "The largest tilt of a foot, in radians; default 0.6.")),
    MODIFIER(def.lock, "lock", FLOAT, REJOIN, LENGTH(0.5f), .sets = "plant_modifier",
             OPTION("weight", "Foot locking: the largest distance, in metres, that a planted foot may stay behind its "
                              "clip so that it does not slide; 0.15 is a good value. Default 0: off.")),
    MODIFIER(grounded, "ground", FLAG, REJOIN, .uncontrolled = SHAPED, .spec = NULL),
    MODIFIER(def.stride, "stride", VECTOR, REJOIN, .uncontrolled = SHAPED, .sets = "warp_modifier",
             OPTION("range", "The smallest and the largest factor by which strides change; default {0.7, 1.4}.")),
    MODIFIER(def.angle, "angle", FLOAT, REJOIN, RANGE(0, 1.6f), .sets = "warp_modifier",
             OPTION("angle", "The largest rotation of the strides and the hips, in radians, up to 1.6; default 0.9.")),
    {0}};

const store_kind kind_modifier = {"modifier", NULL, modifier_fields, NULL};

/* ---- root motion, attachments ---- */

#define OF_RIG "joints follow from the rig"

#define ROOT(member, what, type, ...)                                                                                  \
  { FIELD(sinew_root_def, member, what, FIELD_##type, FIELD_REJOIN), __VA_ARGS__ }

static const store_field root_fields[] = {
    ROOT(joint, "joint", JOINT, .custom = true, .uncontrolled = OF_RIG,
         OPTION("joint", "The joint whose motion moves the character; default the rig's root (model:roles).")),
    ROOT(axes, "axes", BITS, .custom = true, .words = axes,
         OPTION("string", "The axes to take, \"xz yaw\" for instance.")),
    ROOT(apply, "apply", FLAG,
         OPTION("boolean", "Whether it moves the actor; default true. If not, read actor:root_delta in the scene.")),
    ROOT(feet, "feet", OPAQUE, .custom = true, .uncontrolled = OF_RIG,
         OPTION("list|boolean", "The joints of the feet, or true for the rig's; clips that walk on the spot get their "
                                "displacement from them.")),
    ROOT(foot_height, "height", FLOAT, LENGTH(0.2f),
         OPTION("positive", "A foot up to this far above its lowest height counts as planted, in metres; default 0.02 "
                            "for a person, in proportion to the figure's legs for others.")),
    {0}};

const store_kind kind_root = {"root motion", "root_options", root_fields, NULL};

#define HANG(member, what, type, ...)                                                                                  \
  { FIELD(attachment_values, member, what, FIELD_##type, FIELD_REJOIN), __VA_ARGS__ }

static const store_field attachment_fields[] = {
    HANG(to, "actor", OPAQUE, .uncontrolled = NAMED),
    HANG(joint, "joint", TEXT, .uncontrolled = OF_RIG),
    HANG(def.joint_scale, "joint_scale", FLAG, .sets = "attach_options",
         OPTION("boolean", "true: the rig's own scale of the joint scales what is attached, and its offset. Default "
                           "false: a prop keeps its size on every rig.")),
    HANG(def.offset.translation, "offset.position", VECTOR, OWN),
    HANG(def.offset.rotation, "offset.rotation", ROTATION, OWN, .tilts = true),
    HANG(def.offset.scale, "offset.scale", VECTOR, OWN),
    {0}};

const store_kind kind_attachment = {"attachment", NULL, attachment_fields, NULL};

/* ---- properties: values that are declared one by one ---- */

static const char *const skinnings[] = {"linear", "dual_quaternion", NULL};
static const char *const environments[] = {"colors", "studio", "noon", "golden_hour", "overcast", "night", NULL};
static const char *const curves[] = {"neutral", "aces", NULL};
static const char *const surfaces[] = {"shaded", "normals", "joints", "weight", "velocity", NULL};

#define ACTOR(member, what, type, ...)                                                                                 \
  { FIELD(actor_values, member, what, FIELD_##type, FIELD_LIVE), __VA_ARGS__ }

static const store_field actor_fields[] = {
    ACTOR(position.translation, "position", VECTOR, OPTION("vec3", "Its position in metres, in world space.")),
    ACTOR(position.rotation, "rotation", ROTATION, RANGE(-3.14f, 3.14f),
          OPTION("rotation", "A quaternion {x, y, z, w}, or an angle about y in radians.")),
    ACTOR(position.scale, "scale", SIZE, OPTION("vec3|positive", "Its scale.")),
    ACTOR(visible, "visible", FLAG, OPTION("boolean", "Whether it is drawn; default true.")),
    ACTOR(skinning, "skinning", WORD, .words = skinnings,
          OPTION("skinning", "\"linear\" (the default) or \"dual_quaternion\".")),
    ACTOR(opacity, "opacity", FLOAT, RANGE(0, 1), OPTION("fraction", "0 (invisible) to 1 (opaque); default 1.")),
    {0}};

const store_kind kind_actor = {"actor", "actor_options", actor_fields, NULL};

static const store_field number_fields[] = {{FIELD(number_values, value, "value", FIELD_NUMBER, FIELD_LIVE)}, {0}};
static const store_field weight_fields[] = {{FIELD(number_values, value, "value", FIELD_NUMBER, FIELD_LIVE)}, {0}};

const store_kind kind_param = {"parameter", NULL, number_fields, NULL};
const store_kind kind_morph = {"morph target", NULL, weight_fields, NULL};

#define LOOK(member, what, type, ...)                                                                                  \
  { FIELD(look_values, member, what, FIELD_##type, FIELD_LIVE), __VA_ARGS__ }
#define SHOWN(member, text) LOOK(view.member, #member, FLAG, OPTION("boolean", text))

static const store_field camera_fields[] = {
    LOOK(camera.position, "position", VECTOR, OPTION("vec3", "Its position in metres, in world space.")),
    LOOK(camera.target, "target", VECTOR, OPTION("vec3", "The point it looks at.")),
    LOOK(camera.fov_y, "fov", FLOAT, RANGE(0.1f, 3), OPTION("positive", "The vertical field of view, in radians.")),
    LOOK(orbit, "orbit", FLAG, OPTION("boolean", "Whether the mouse orbits the camera about its target.")),
    {0}};

static const store_field light_fields[] = {
    LOOK(light.environment, "environment", WORD, .words = environments,
         OPTION("environment", "What shines from all around: \"studio\", \"noon\", \"golden_hour\", \"overcast\" or "
                               "\"night\", each with a sun of its own; or \"colors\", the default: direction, color, "
                               "intensity, sky and ground of this table.")),
    LOOK(light.direction, "direction", VECTOR, OPTION("direction", "Towards the sun.")),
    LOOK(light.color, "color", VECTOR, .color = true,
         OPTION("color", "The sun\'s colour, linear {red, green, blue} from 0 to 1.")),
    LOOK(light.intensity, "intensity", FLOAT, RANGE(0, 10),
         OPTION("weight", "The brightness of the sun; 3 is a clear day.")),
    LOOK(light.sky, "sky", VECTOR, .color = true, OPTION("glow", "The light from above, linear {red, green, blue}.")),
    LOOK(light.ground, "ground", VECTOR, .color = true,
         OPTION("glow", "The light from below, linear {red, green, blue}.")),
    LOOK(light.exposure, "exposure", FLOAT, RANGE(0.01f, 4),
         OPTION("positive", "The brightness of the picture; 1 is neutral.")),
    LOOK(light.curve, "curve", WORD, .words = curves,
         OPTION("curve", "How light becomes colours: \"neutral\" keeps those of the materials (Khronos' PBR Neutral), "
                         "\"aces\" has the contrast of film.")),
    LOOK(light.fog, "fog", FLOAT, RANGE(0, 0.2f),
         OPTION("weight", "The density of the fog per metre: exp(-fog * metres) of the light arrives. 0 is clear, 0.02 "
                          "a misty morning.")),
    {0}};

static const store_field view_fields[] = {
    SHOWN(wireframe, "Triangles over the shaded picture."),
    SHOWN(skeleton, "Joints of every actor."),
    SHOWN(names, "Names of joints."),
    SHOWN(axes, "Axes of joints: x red, y green, z blue."),
    SHOWN(bind_pose, "Shows every actor in its bind pose."),
    SHOWN(bounds, "The bounding box by which each actor is culled."),
    SHOWN(root_path, "The path of each actor's root."),
    SHOWN(contacts, "Rings where feet touch the ground: green for planted feet, orange for sliding ones."),
    SHOWN(scale, "Metres along the axes of the ground: x red, z blue."),
    SHOWN(ground, "The ground with its metre grid."),
    SHOWN(stats, "Numbers about performance."),
    LOOK(view.inspector, "inspector", FLAG, .uncontrolled = "it is the panel itself",
         OPTION("boolean", "The panel that shows and edits what every actor does.")),
    SHOWN(graph, "The panel that draws an actor's graph: the weight of each node, the transitions out of a state, "
                 "blend spaces."),
    SHOWN(console, "The panel with the log, and a line that is evaluated in the scene."),
    SHOWN(paused, "Stops time: dt is 0, and only the camera and panels move. F6 does the same; F7 steps one frame."),
    LOOK(
        view.speed, "speed", FLOAT, RANGE(0.01f, 2),
        OPTION("positive", "The speed of scene time; 0.25 is slow motion, default 1. F8 steps through 1, ¼ and 1/16.")),
    LOOK(view.surface, "surface", WORD, .words = surfaces,
         OPTION("surface", "The display of surfaces: \"shaded\", \"normals\", \"joints\", \"weight\" (of "
                           "sinew.view.joint) or \"velocity\".")),
    LOOK(view.joint, "joint", TEXT, .uncontrolled = "it is chosen beside the surface \"weight\"",
         OPTION("string", "The joint whose weights the surface \"weight\" shows.")),
    LOOK(skinner, "skinner", TEXT,
         OPTION("string", "Where actors are skinned: \"cpu\", \"vertex\" (in the vertex shader of each pass), "
                          "\"feedback\" or \"compute\" (once for all passes). The picture is the same.")),
    {0}};

const store_kind kind_camera = {"camera", NULL, camera_fields, NULL};
const store_kind kind_light = {"light", NULL, light_fields, NULL};
const store_kind kind_view = {"view", NULL, view_fields, NULL};

/* ---- crowds: their numbers are arrays, and messages describe their graph node by node ---- */

#define CROWD(member, what, type, ...)                                                                                 \
  { FIELD(crowd_values, member, what, FIELD_##type, FIELD_LIVE), __VA_ARGS__ }

static const store_field crowd_fields[] = {
    CROWD(count, "count", COUNT, .uncontrolled = "the scene places each member"),
    CROWD(detail.half_from, "half_from", FLOAT, RANGE(0.1f, 200),
          OPTION("positive", "Members farther from the camera than this are evaluated in every second frame; default "
                             "never.")),
    CROWD(detail.quarter_from, "quarter_from", FLOAT, RANGE(0.1f, 200),
          OPTION("positive", "Members farther than this are evaluated in every fourth frame; default never.")),
    CROWD(tinted, "tinted", TEXT, .custom = true, .uncontrolled = "it names materials, which the scene knows",
          OPTION("string|table",
                 "The materials that the members' colours tint, \"Cloth*\" for all that begin so: { \"Jacket\", "
                 "\"Trousers\" } leaves the skin as it is. Default all.")),
    {0}};

const store_kind kind_crowd = {"crowd", "crowd_options", crowd_fields, NULL};

/* ---- markers ---- */

#define MARKER(member, what, type, ...)                                                                                \
  { FIELD(sinew_marker, member, what, FIELD_##type, FIELD_LIVE), __VA_ARGS__ }

static const store_field marker_fields[] = {
    MARKER(time, "time", NUMBER, OWN),
    MARKER(name, "name", NAME, OWN, .uncontrolled = NAMED),
    MARKER(sync, "sync", FLAG, .sets = "marker", OPTION("boolean", "Whether clips in sync are aligned there.")),
    MARKER(silent, "silent", FLAG, .sets = "marker", OPTION("boolean", "Whether it raises no event.")),
    {0}};

const store_kind kind_marker = {"marker", NULL, marker_fields, NULL};

/* ---- kept values and variables: Lua holds them (lua/plain_change.h), with a field for each type of plain data ---- */

#define PLAIN(what, why)                                                                                               \
  { .name = what, .type = FIELD_LUA, .effect = FIELD_LIVE, .uncontrolled = why }
#define WHOLE "the console sets it"
#define PLAIN_FIELDS                                                                                                   \
  {                                                                                                                    \
    PLAIN("number", NULL), PLAIN("text", WHOLE), PLAIN("boolean", NULL), PLAIN("vector", NULL), PLAIN("table", WHOLE), \
        PLAIN("entry", WHOLE), {                                                                                       \
      0                                                                                                                \
    }                                                                                                                  \
  }

static const store_field kept_fields[] = PLAIN_FIELDS, variable_fields[] = PLAIN_FIELDS;

const store_kind kind_kept = {"kept value", NULL, kept_fields, NULL};
const store_kind kind_variable = {"variable", NULL, variable_fields, "it is local to the script; the console sets it"};

const store_kind *const store_kinds[] = {&kind_model,    &kind_action, &kind_layer,      &kind_node,  &kind_transition,
                                         &kind_modifier, &kind_root,   &kind_attachment, &kind_actor, &kind_morph,
                                         &kind_param,    &kind_camera, &kind_light,      &kind_view,  &kind_crowd,
                                         &kind_marker,   &kind_kept,   &kind_variable,   NULL};
