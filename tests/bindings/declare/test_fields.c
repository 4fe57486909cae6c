/* Each field of each kind is declared, saved with another value, and its effect is read from what lives. Then the eyes
 * are proved: with a field's reading, comparing or applying switched off, the very same check must fail. */
#include "field_effects.h"

#include "base/sanitizers.h"

#define PREFIX                                                                                                         \
  "local sinew = require 'sinew'\n"                                                                                    \
  "local man = sinew.model 'hero.glb'\n"                                                                               \
  "local hero = sinew.actor('hero', man, { params = { a = 1, b = 2 } })\n"                                             \
  "local lamp, pole = sinew.actor('lamp', man), sinew.actor('pole', man, { params = { p = 1 } })\n"

typedef struct probe probe;
struct probe {
  const store_kind *kind;
  const char *field, *before, *after; /* the two scenes, after PREFIX */
  const char *told;                   /* what the toast says */
  bool (*has)(harness *h);            /* the living thing is as the second scene wants it */
  const char *restart;                /* what makes the field act that only a new start can use; or NULL */
};

#define PLAY(options) "hero:play('Walk', { " options " })\n"
#define AGAIN "hero:play('Idle', { fade = 0 })\n"
#define LAYER(options) "hero:layer('top', { " options " }):play('Wave')\n"
#define POSED(angle) "local p = man:rest() p:rotate('Head', 'x', " angle ") " LAYER("mode = 'additive', reference = p")
#define GRAPH(node) "hero:set_graph(" node ")\n"
#define CLIP(options) GRAPH("sinew.clip { 'Walk', " options " }")
#define LINE(options) GRAPH("sinew.blend_space_1d { " options " { 0, 'Walk' }, { 3, 'Run' } }")
#define PLANE(options) GRAPH("sinew.blend_space_2d { " options " }")
#define MACHINE(start, ways)                                                                                           \
  GRAPH("sinew.state_machine { start = '" start                                                                        \
        "', states = { a = 'Idle', b = 'Walk', c = 'Run' }, transitions = { " ways " } }")
#define NESTED(one, two) GRAPH("sinew.blend { { sinew.blend { " one " }, 1 }, { sinew.blend { " two " }, 1 } }")
#define MACHINES(outer, inner)                                                                                         \
  GRAPH("sinew.state_machine { states = { x = sinew.state_machine { states = { a = 'Idle', b = 'Walk' }, transitions " \
        "= { " inner " } }, y = 'Run' }, transitions = { " outer " } }")
#define WAY(options) MACHINE("a", "{ 'a', 'b', " options " }")
#define MODIFIER(kind, options) "hero:set_modifiers { sinew." kind " { 'm', " options " } }\n"
#define IK(options) MODIFIER("ik", "tip = 'RightHand', target = { 1, 1, 1 }, " options)
#define LOOK(options) MODIFIER("look_at", "chain = { 'Neck', 'Head' }, target = { 1, 1, 1 }, " options)
#define CHAIN(options) MODIFIER("chain", "root = 'Spine', tip = 'RightHand', " options)
#define SPRING(options) MODIFIER("spring", "joints = { 'Ponytail1/**' }, " options)
#define LIMIT(options) MODIFIER("limit", "joint = 'Head', " options)
#define COPY(options) MODIFIER("copy_transform", "joint = 'LeftHand', source = 'RightHand', " options)
#define TWIST(options) MODIFIER("twist", "joint = 'LeftUpLeg', source = 'RightUpLeg', " options)
#define WARP(options) MODIFIER("warp", options)
#define PLANT(options) MODIFIER("plant", "pelvis = 'Hips', feet = { 'LeftFoot', 'RightFoot' }, " options)
#define ROOT(options) "hero:root_motion { joint = 'Root', " options " }\n"
#define OFFSET(part) "hero:attach('Hips', lamp, { offset = { " part " } })\n"
#define HANG(actor, joint, y) actor ":attach('" joint "', lamp, { offset = { position = { 0, " y ", 0 } } })\n"

#define MODEL(options) "sinew.actor('own', sinew.model('hero.gltf', { " options " }))\n"
#define CLIPS "clips = { 'brawler.glb' }, "
#define SET(owner, field, before, after, told, has)                                                                    \
  {                                                                                                                    \
    &kind_##owner, field, "sinew." #owner "." field " = " before, "sinew." #owner "." field " = " after,               \
        #owner "." field " " told, has, NULL                                                                           \
  }
#define CROWD(count, options) "sinew.crowd(man, " count ", { name = 'many', graph = 'Walk', " options " })\n"
#define MARKER(marker) "man:markers('Walk', { { " marker " } })\n"
/* Two values of Lua: `e` is edited, `l` is not. Both change while the scene runs: to what `runs` says. */
#define SAYS(condition) "function sinew.update() if " condition " then pole.params.p = 9 end end\n"
#define VARIABLE(field, old, now, run, told, is)                                                                       \
  {                                                                                                                    \
    &kind_variable, field, "local e, l = " old ", " old "\nfunction sinew.update() e, l = " run ", " run " end\n",     \
        "local e, l = " now ", " old "\n" SAYS(is("e", now) " and " is("l", run)), told, says_yes, NULL                \
  }
#define KEPT(field, old, now, run, told, is)                                                                           \
  {                                                                                                                    \
    &kind_kept, field,                                                                                                 \
        "local k = sinew.keep('k', { e = " old ", l = " old " })\n"                                                    \
        "function sinew.update() k.e, k.l = " run ", " run " end\n",                                                   \
        "local k = sinew.keep('k', { e = " now ", l = " old " })\n" SAYS(is("k.e", now) " and " is("k.l", run)),       \
        "k." told, says_yes, NULL                                                                                      \
  }
#define IS(a, b) a " == " b
#define HOLDS_TWO(a, b) "(" a ".x == (" b ").x or type(" a ".x) == 'table' and " a ".x[1] == 2)"
#define HOLDS(a, b) "(type(" a ") == 'table' and " a ".x == (" b ").x)"
#define SHOW(field) SET(view, #field, "false", "true", "false → true", view_##field)

static const probe probes[] = {
    {&kind_model, "retarget", MODEL("clips = { 'hero.glb' }"), MODEL("clips = { 'hero.glb' }, retarget = 'fit'"),
     "hero.gltf: retarget auto → fit", model_fits, NULL},
    {&kind_model, "map", MODEL(CLIPS), MODEL(CLIPS "map = { head = 'Neck' }"), "hero.gltf: map none → head = Neck",
     model_maps, NULL},
    {&kind_model, "roles", MODEL(""), MODEL("roles = { head = 'Neck' }"), "hero.gltf: roles none → head = Neck",
     model_has_role, NULL},
    {&kind_model, "unit", MODEL("unit = 1"), MODEL("unit = 2"), "hero.gltf: unit 1 → 2", model_is_large, NULL},
    {&kind_model, "up", MODEL(""), MODEL("up = 'z'"), "hero.gltf: up none → z", model_lies, NULL},
    {&kind_model, "front", MODEL(""), MODEL("front = '-z'"), "hero.gltf: front none → -z", model_turns, NULL},
    {&kind_model, "influences", MODEL(""), MODEL("influences = 8"), "hero.gltf: influences 4 → 8", model_has_eight,
     NULL},
    {&kind_model, "exact", MODEL(""), MODEL("exact = true"), "hero.gltf: exact false → true", model_is_exact, NULL},

    {&kind_action, "fade", PLAY("fade = 0.2"), PLAY("fade = 1"), "fade 0.2 → 1 (when it starts next)", fades_slowly,
     AGAIN},
    {&kind_action, "fade_out", PLAY("loop = 'once', speed = 4"), PLAY("loop = 'once', speed = 4, fade_out = 0.5"),
     "fade_out default → 0.5", leaves_early, NULL},
    {&kind_action, "loop", PLAY("loop = 'once'"), PLAY("loop = 2"), "loop once → 2", loops_twice, NULL},
    {&kind_action, "speed", PLAY("speed = 1"), PLAY("speed = 2"), "speed 1 → 2", is_fast, NULL},
    {&kind_action, "weight", PLAY("weight = 1"), PLAY("weight = 0.5"), "weight 1 → 0.5", weighs_half, NULL},
    {&kind_action, "time", PLAY("time = 0.1"), PLAY("time = 0.6"), "time 0.1 → 0.6", is_late, NULL},
    {&kind_action, "ease", PLAY("fade = 1"), PLAY("fade = 1, ease = 'in'"), "ease linear → in (when it starts next)",
     eases_in, AGAIN},
    {&kind_action, "blend", PLAY("fade = 1"), PLAY("fade = 1, blend = 'inertial'"),
     "blend crossfade → inertial (when it starts next)", cuts, AGAIN},
    {&kind_action, "from", PLAY("from = 0.1"), PLAY("from = 0.25"), "from 0.1 → 0.25", begins_later, NULL},
    {&kind_action, "to", PLAY("to = 0.8"), PLAY("to = 0.4"), "to 0.8 → 0.4", ends_earlier, NULL},
    {&kind_action, "sync", PLAY(""), PLAY("sync = 'feet'"), "sync none → feet", is_in_sync, NULL},
    {&kind_action, "cycles", PLAY("cycles = 1"), PLAY("cycles = 2"), "cycles 1 → 2", has_two_strides, NULL},
    {&kind_action, "paused", "local a = " PLAY("") "a.paused = false\n", "local a = " PLAY("") "a.paused = true\n",
     "paused false → true", stands, NULL},
    {&kind_action, "mode", AGAIN PLAY("fade = 0.2"), AGAIN PLAY("fade = 0.2, weight = 1"),
     "mode crossfade → mix (when it starts next)", mixes, AGAIN},

    {&kind_layer, "mode", LAYER(""), LAYER("mode = 'additive'"), "mode override → additive", layer_adds, NULL},
    {&kind_layer, "space", LAYER(""), LAYER("space = 'model'"), "space local → model", layer_turns_in_model_space,
     NULL},
    {&kind_layer, "weight", LAYER(""), LAYER("weight = 0.25"), "hero top: weight 1 → 0.25", layer_weighs, NULL},
    {&kind_layer, "mask", LAYER(""), LAYER("mask = { Head = 0.5 }"), "mask none → given", layer_masks, NULL},
    {&kind_layer, "reference", LAYER("mode = 'additive'"), LAYER("mode = 'additive', reference = 'Breath'"),
     "reference begin → clip", layer_refers, NULL},
    {&kind_layer, "reference clip", LAYER("mode = 'additive', reference = 'Idle'"),
     LAYER("mode = 'additive', reference = 'Run'"), "reference clip Idle → Run", layer_refers_to_run, NULL},
    {&kind_layer, "reference time", LAYER("mode = 'additive', reference = { clip = 'Idle' }"),
     LAYER("mode = 'additive', reference = { clip = 'Idle', time = 0.3 }"), "reference time 0 → 0.3", layer_refers_late,
     NULL},
    {&kind_layer, "play", LAYER(""), LAYER("play = { speed = 2, loop = 'once' }"), "play changed", layer_plays_fast,
     NULL},
    {&kind_layer, "reference pose", POSED("0"), POSED("1"), "reference pose changed", layer_refers_to_pose, NULL},

    {&kind_node, "key", GRAPH("sinew.blend { { sinew.clip { 'Walk', key = 'k' }, 1 } }"),
     GRAPH("sinew.blend { { sinew.clip { 'Walk', key = 'k2' }, 1 } }"), "key k → k2", node_key, NULL},
    {&kind_node, "kind", GRAPH("sinew.switch { param = 'a', fade = 0, 'Walk' }"),
     GRAPH("sinew.blend_space_1d { param = 'a', { 0, 'Walk' } }"), "switch → blend_space_1d", node_kind, NULL},
    {&kind_node, "first child", NESTED("'Idle', 'Walk'", "'Run'"), NESTED("'Idle'", "'Walk', 'Run'"),
     "Walk is gone, hero graph: Walk joins", node_deeper, NULL},
    {&kind_node, "first transition", MACHINES("{ 'x', 'y', on = 'e' }", "{ 'a', 'b', on = 'f' }"),
     MACHINES("", "{ 'a', 'b', on = 'e' }, { 'a', 'b', on = 'f' }"), "x → y is gone", node_first_way, NULL},
    {&kind_node, "speed", LINE("param = 'a',"), LINE("param = 'a', speed = 2,"), "speed 1 → 2", node_speed, NULL},
    {&kind_node, "x", LINE("param = 'a',"), GRAPH("sinew.blend_space_1d { param = 'a', { 0, 'Walk' }, { 5, 'Run' } }"),
     "hero graph, Run: x 3 → 5", node_x, NULL},
    {&kind_node, "y", PLANE("param_x = 'a', param_y = 'b', { 0, 0, 'Walk' }, { 3, 1, 'Run' }"),
     PLANE("param_x = 'a', param_y = 'b', { 0, 0, 'Walk' }, { 3, 5, 'Run' }"), "Run: y 1 → 5", node_y, NULL},
    {&kind_node, "weight parameter", GRAPH("sinew.blend { { 'Walk', 'a' }, { 'Run', 1 } }"),
     GRAPH("sinew.blend { { 'Walk', 'b' }, { 'Run', 1 } }"), "weight a → b", node_weight, NULL},
    {&kind_node, "clip", GRAPH("'Walk'"), GRAPH("'Run'"), "clip Walk → Run", node_clip, NULL},
    {&kind_node, "loop", CLIP(""), CLIP("loop = 'once'"), "loop forever → once", node_loop, NULL},
    {&kind_node, "from", CLIP("from = 0.1"), CLIP("from = 0.25"), "from 0.1 → 0.25", node_from, NULL},
    {&kind_node, "to", CLIP("to = 0.75"), CLIP("to = 0.5"), "to 0.75 → 0.5", node_to, NULL},
    {&kind_node, "cycles", CLIP("cycles = 1"), CLIP("cycles = 2"), "cycles 1 → 2", node_cycles, NULL},
    {&kind_node, "parameter", LINE("param = 'a',"), LINE("param = 'b',"), "parameter a → b", node_param_x, NULL},
    {&kind_node, "parameter y", PLANE("param_x = 'a', param_y = 'b', { 0, 0, 'Walk' }, { 3, 1, 'Run' }"),
     PLANE("param_x = 'a', param_y = 'a', { 0, 0, 'Walk' }, { 3, 1, 'Run' }"), "parameter y b → a", node_param_y, NULL},
    {&kind_node, "smooth", LINE("param = 'a',"), LINE("param = 'a', smooth = 0.5,"), "smooth 0 → 0.5", node_smooth,
     NULL},
    {&kind_node, "match", CLIP(""), CLIP("match = 'travelled'"), "match time → travelled", node_matches, NULL},
    {&kind_node, "match_param", CLIP("match = 'turn', match_param = 'a'"), CLIP("match = 'turn', match_param = 'b'"),
     "match_param a → b", node_match_param, NULL},
    {&kind_node, "sync", LINE("param = 'a',"), LINE("param = 'a', sync = true,"), "sync false → true", node_synced,
     NULL},
    {&kind_node, "sync group", LINE("param = 'a', sync = 'g',"), LINE("param = 'a', sync = 'g2',"), "sync group g → g2",
     node_group, NULL},
    {&kind_node, "fade", GRAPH("sinew.switch { param = 'a', 'Walk', 'Run' }"),
     GRAPH("sinew.switch { param = 'a', fade = 0.75, 'Walk', 'Run' }"), "fade 0.2 → 0.75", node_fade, NULL},
    {&kind_node, "ease", GRAPH("sinew.switch { param = 'a', 'Walk', 'Run' }"),
     GRAPH("sinew.switch { param = 'a', ease = 'out', 'Walk', 'Run' }"), "ease linear → out", node_ease, NULL},
    {&kind_node, "start", MACHINE("a", ""), MACHINE("b", ""), "start a → b", node_start, NULL},
    {&kind_transition, "from", MACHINE("a", "{ 'a', 'c', on = 'e' }"), MACHINE("a", "{ 'b', 'c', on = 'e' }"),
     "b → c joins", way_from, NULL},
    {&kind_transition, "to", WAY("on = 'e'"), MACHINE("a", "{ 'a', 'c', on = 'e' }"), "a → c joins", way_to, NULL},
    {&kind_transition, "on", WAY("on = 'e'"), WAY("on = 'other'"), "a → b: on e → other", way_event, NULL},
    {&kind_transition, "when", WAY("when = 'a < 1'"), WAY("when = 'a < 2'"), "a → b: when a < 1 → a < 2", way_when,
     NULL},
    {&kind_transition, "when function", WAY("on = 'e'"), WAY("on = 'e', when = function() return false end"),
     "when function none → given", way_condition, NULL},
    {&kind_transition, "before_end", WAY("on = 'e'"), WAY("on = 'e', before_end = 0.25"), "before_end default → 0.25",
     way_end, NULL},
    {&kind_transition, "fade", WAY("on = 'e'"), WAY("on = 'e', fade = 0.75"), "fade 0.2 → 0.75", way_fade, NULL},
    {&kind_transition, "ease", WAY("on = 'e'"), WAY("on = 'e', ease = 'in'"), "ease linear → in", way_ease, NULL},
    {&kind_transition, "blend", WAY("on = 'e'"), WAY("on = 'e', blend = 'inertial'"), "blend crossfade → inertial",
     way_blend, NULL},
    {&kind_transition, "keep_phase", WAY("on = 'e'"), WAY("on = 'e', keep_phase = true"), "keep_phase false → true",
     way_phase, NULL},
    {&kind_transition, "restart", MACHINE("a", "{ '*', 'b', on = 'e' }"),
     MACHINE("a", "{ '*', 'b', on = 'e', restart = true }"), "* → b: restart false → true", way_restart, NULL},
    {&kind_transition, "locked", WAY("on = 'e'"), WAY("on = 'e', locked = true"), "locked false → true", way_locked,
     NULL},

    {&kind_modifier, "name", IK(""), "hero:set_modifiers { sinew.ik { 'n', tip = 'RightHand', target = { 1, 1, 1 } } }",
     "hero n: name m → n", mod_name, NULL},
    {&kind_modifier, "kind", MODIFIER("copy_transform", "joint = 'LeftUpLeg', source = 'RightUpLeg'"),
     TWIST("axis = { 0, 1, 0 }"), "hero m is another modifier", mod_kind, NULL},
    {&kind_modifier, "weight", IK(""), IK("weight = 0.25"), "hero m: weight 1 → 0.25", mod_weight, NULL},
    {&kind_modifier, "joints", IK(""), MODIFIER("ik", "tip = 'LeftHand', target = { 1, 1, 1 }"),
     "RightHand → LeftArm LeftForeArm LeftHand", mod_joints, NULL},
    {&kind_modifier, "target", IK(""), MODIFIER("ik", "tip = 'RightHand', target = { 3, 2, 1 }"),
     "target 1 1 1 → 3 2 1", mod_target, NULL},
    {&kind_modifier, "target joint", MODIFIER("ik", "tip = 'RightHand', target = { lamp, 'Hips' }"),
     MODIFIER("ik", "tip = 'RightHand', target = { pole, 'Hips' }"), "target joint changed", mod_follows, NULL},
    {&kind_modifier, "has pole", IK(""), IK("pole = { 0, 0, 0 }"), "has pole false → true", mod_poled, NULL},
    {&kind_modifier, "pole", IK("pole = { 0, 0, 1 }"), IK("pole = { 0, 0, 2 }"), "pole 0 0 1 → 0 0 2", mod_pole, NULL},
    {&kind_modifier, "hinge", IK("hinge = { 1, 0, 0 }"), IK("hinge = { 0, 1, 0 }"), "hinge 1 0 0 → 0 1 0", mod_hinge,
     NULL},
    {&kind_modifier, "soften", IK(""), IK("soften = 0.75"), "soften 0.97 → 0.75", mod_soften, NULL},
    {&kind_modifier, "keep_tip", IK(""), IK("keep_tip = true"), "keep_tip false → true", mod_keeps, NULL},
    {&kind_modifier, "forward", LOOK("forward = { 0, 0, 1 }"), LOOK("forward = { 1, 0, 0 }"), "forward 0 0 1 → 1 0 0",
     mod_forward, NULL},
    {&kind_modifier, "up", LOOK("up = { 0, 1, 0 }"), LOOK("up = { 0, 0, 0 }"), "up 0 1 0 → 0 0 0", mod_up, NULL},
    {&kind_modifier, "half_life", LOOK(""), LOOK("half_life = 0.2"), "half_life 0.1 → 0.2", mod_half_life, NULL},
    {&kind_modifier, "turn_rate", LOOK(""), LOOK("turn_rate = 2"), "turn_rate 6 → 2", mod_turn_rate, NULL},
    {&kind_modifier, "limit", LOOK(""), LOOK("limit = 0.5"), "limit 1.2 → 0.5", mod_limit, NULL},
    {&kind_modifier, "weights", LOOK("weights = { 0.5, 0.5 }"), LOOK("weights = { 0.25, 0.75 }"),
     "weights 0.5 0.5 → 0.25 0.75", mod_joint_weights, NULL},
    {&kind_modifier, "iterations", CHAIN(""), CHAIN("iterations = 3"), "iterations 16 → 3", mod_iterations, NULL},
    {&kind_modifier, "tolerance", CHAIN(""), CHAIN("tolerance = 0.5"), "tolerance 0.001 → 0.5", mod_tolerance, NULL},
    {&kind_modifier, "frequency", SPRING(""), SPRING("frequency = 5"), "frequency 3 → 5", mod_frequency, NULL},
    {&kind_modifier, "damping", SPRING(""), SPRING("damping = 0.25"), "damping 0.5 → 0.25", mod_damping, NULL},
    {&kind_modifier, "gravity", SPRING(""), SPRING("gravity = { 0, 1, 0 }"), "→ 0 1 0", mod_gravity, NULL},
    {&kind_modifier, "axis", LIMIT("axis = { 0, 1, 0 }"), LIMIT("axis = { 1, 0, 0 }"), "axis 0 1 0 → 1 0 0", mod_axis,
     NULL},
    {&kind_modifier, "swing", LIMIT(""), LIMIT("swing = 0.5"), "swing 1 → 0.5", mod_swing, NULL},
    {&kind_modifier, "twist_min", LIMIT(""), LIMIT("twist_min = -0.5"), "twist_min -1 → -0.5", mod_twist_min, NULL},
    {&kind_modifier, "twist_max", LIMIT(""), LIMIT("twist_max = 0.5"), "twist_max 1 → 0.5", mod_twist_max, NULL},
    {&kind_modifier, "parts", COPY(""), COPY("parts = 'rotation'"), "parts position rotation → rotation", mod_parts,
     NULL},
    {&kind_modifier, "offset", COPY(""), COPY("offset = { position = { 0, 0.5, 0 } }"),
     "offset none → position 0 0.5 0", mod_offset, NULL},
    {&kind_modifier, "fraction", MODIFIER("twist", "joint = 'LeftUpLeg', source = 'RightUpLeg'"),
     TWIST("fraction = 0.25"), "fraction 0.5 → 0.25", mod_fraction, NULL},
    {&kind_modifier, "stretch", IK(""), IK("stretch = 1.5"), "stretch 1 → 1.5", mod_stretch, NULL},
    {&kind_modifier, "weight's parameter", IK("weight = 'a'"), IK("weight = 'b'"), "weight's parameter a → b",
     mod_weight_param, NULL},
    {&kind_modifier, "stride", WARP(""), WARP("stride = { 0.5, 1.5 }"), "stride 0.7 1.4 → 0.5 1.5", mod_stride, NULL},
    {&kind_modifier, "angle", WARP(""), WARP("angle = 0.25"), "angle 0.9 → 0.25", mod_angle, NULL},
    {&kind_modifier, "lock", PLANT(""), PLANT("lock = 0.15"), "lock 0 → 0.15", mod_lock, NULL},
    {&kind_modifier, "max_shift", PLANT(""), PLANT("max_shift = 0.25"), "max_shift 0.4 → 0.25", mod_shift, NULL},
    {&kind_modifier, "max_tilt", PLANT(""), PLANT("max_tilt = 0.25"), "max_tilt 0.6 → 0.25", mod_tilt, NULL},
    {&kind_modifier, "ground", PLANT(""), PLANT("ground = function() return 0.125 end"), "ground false → true",
     mod_ground, NULL},

    {&kind_root, "joint", ROOT(""), "hero:root_motion { joint = 'Hips' }", "joint Root → Hips", root_joint, NULL},
    {&kind_root, "axes", ROOT("axes = 'x z'"), ROOT("axes = 'z'"), "axes x z → z", root_axes, NULL},
    {&kind_root, "apply", ROOT(""), ROOT("apply = false"), "apply true → false", root_apply, NULL},
    {&kind_root, "height", ROOT("feet = { 'LeftFoot' }"), ROOT("feet = { 'LeftFoot' }, height = 0.5"),
     "height 0.02 → 0.5", root_height, NULL},
    {&kind_root, "feet", ROOT("feet = { 'LeftFoot' }"), ROOT("feet = { 'RightFoot' }"), "feet changed", root_feet,
     NULL},
    {&kind_attachment, "actor", HANG("hero", "Hips", "0"), HANG("pole", "Hips", "0"), "lamp is attached to hero → pole",
     hangs_from, NULL},
    {&kind_attachment, "joint", HANG("hero", "Hips", "0"), HANG("hero", "Head", "0"), "joint Hips → Head", hangs_at,
     NULL},
    {&kind_attachment, "offset.position", HANG("hero", "Hips", "0"), HANG("hero", "Hips", "0.5"),
     "lamp hangs elsewhere: offset.position 0 0 0 → 0 0.5 0", hangs_off, NULL},
    {&kind_attachment, "offset.rotation", OFFSET("rotation = 0"), OFFSET("rotation = 1"),
     "lamp hangs elsewhere: offset.rotation 0 → 1", hangs_turned, NULL},
    {&kind_attachment, "joint_scale", "hero:attach('Hips', lamp)\n",
     "hero:attach('Hips', lamp, { joint_scale = true })\n", "lamp hangs elsewhere: joint_scale false → true",
     hangs_by_rig, NULL},
    {&kind_attachment, "offset.scale", OFFSET("scale = { 1, 1, 1 }"), OFFSET("scale = { 1, 2, 1 }"),
     "lamp hangs elsewhere: offset.scale 1 1 1 → 1 2 1", hangs_scaled, NULL},

    {&kind_actor, "position", "hero.position = { 0, 0, 1 }", "hero.position = { 1, 2, 3 }",
     "hero.position 0 0 1 → 1 2 3", actor_position, NULL},
    {&kind_actor, "rotation", "hero.rotation = 0.5", "hero.rotation = 1", "hero.rotation 0.5 → 1", actor_rotation,
     NULL},
    {&kind_actor, "scale", "hero.scale = { 1, 2, 1 }", "hero.scale = 2", "hero.scale 1 2 1 → 2 2 2", actor_scale, NULL},
    {&kind_actor, "visible", "hero.visible = true", "hero.visible = false", "hero.visible true → false", actor_hidden,
     NULL},
    {&kind_actor, "skinning", "hero.skinning = 'linear'", "hero.skinning = 'dual_quaternion'",
     "hero.skinning linear → dual_quaternion", actor_skinning, NULL},
    {&kind_actor, "opacity", "hero.opacity = 1", "hero.opacity = 0.5", "hero.opacity 1 → 0.5", actor_opacity, NULL},
    {&kind_morph, "value", "hero.morphs.Blink = 0.25", "hero.morphs.Blink = 0.5", "hero.Blink 0.25 → 0.5", morph_value,
     NULL},
    {&kind_param, "value", "pole.params.p = 3", "pole.params.p = 4", "pole.p 3 → 4", param_value, NULL},

    SET(camera, "position", "{ 0, 0, 1 }", "{ 1, 2, 3 }", "0 0 1 → 1 2 3", camera_position),
    SET(camera, "target", "{ 0, 0, 1 }", "{ 1, 2, 3 }", "0 0 1 → 1 2 3", camera_target),
    SET(camera, "fov", "1", "0.5", "1 → 0.5", camera_fov),
    SET(camera, "orbit", "true", "false", "true → false", camera_orbit),
    SET(light, "direction", "{ 0, 0, 1 }", "{ 1, 2, 3 }", "0 0 1 → 1 2 3", light_direction),
    SET(light, "color", "{ 0, 0, 1 }", "{ 1, 0.5, 0 }", "0 0 1 → 1 0.5 0", light_color),
    SET(light, "intensity", "1", "0.5", "1 → 0.5", light_intensity),
    SET(light, "sky", "{ 0, 0, 1 }", "{ 1, 2, 3 }", "0 0 1 → 1 2 3", light_sky),
    SET(light, "ground", "{ 0, 0, 1 }", "{ 1, 2, 3 }", "0 0 1 → 1 2 3", light_ground),
    SET(light, "exposure", "1", "0.5", "1 → 0.5", light_exposure),
    SET(light, "environment", "'studio'", "'night'", "studio → night", light_environment),
    SET(light, "curve", "'neutral'", "'aces'", "neutral → aces", light_curve),
    SET(light, "fog", "1", "0.5", "1 → 0.5", light_fog),
    SHOW(wireframe),
    SHOW(skeleton),
    SHOW(names),
    SHOW(axes),
    SHOW(bind_pose),
    SHOW(bounds),
    SHOW(root_path),
    SHOW(contacts),
    SHOW(scale),
    SHOW(stats),
    SHOW(inspector),
    SHOW(graph),
    SHOW(console),
    SHOW(paused),
    SET(view, "ground", "true", "false", "true → false", view_ground),
    SET(view, "speed", "1", "0.5", "1 → 0.5", view_speed),
    SET(view, "surface", "'joints'", "'normals'", "joints → normals", view_surface),
    SET(view, "joint", "'Hips'", "'Head'", "Hips → Head", view_joint),
    SET(view, "skinner", "'vertex'", "'cpu'", "vertex → cpu", view_skinner),

    {&kind_crowd, "count", CROWD("2", ""), CROWD("3", ""), "many: count 2 → 3", crowd_size, NULL},
    {&kind_crowd, "half_from", CROWD("2", "half_from = 9"), CROWD("2", "half_from = 5"), "many: half_from 9 → 5",
     crowd_halves, NULL},
    {&kind_crowd, "quarter_from", CROWD("2", "quarter_from = 9"), CROWD("2", "quarter_from = 5"),
     "many: quarter_from 9 → 5", crowd_quarters, NULL},
    {&kind_crowd, "tinted", CROWD("2", "tinted = 'Jacket'"), CROWD("2", "tinted = { 'Trou*' }"),
     "many: tinted Jacket → Trou*", crowd_tinted, NULL},

    {&kind_marker, "time", MARKER("0.25, 'a'"), MARKER("0.5, 'a'"), "Walk, marker a: time 0.25 → 0.5", marker_time,
     NULL},
    {&kind_marker, "name", MARKER("0.25, 'a'"), MARKER("0.25, 'b'"), "Walk: marker b joins", marker_name, NULL},
    {&kind_marker, "sync", MARKER("0.25, 'a'"), MARKER("0.25, 'a', sync = true"), "Walk, marker a: sync false → true",
     marker_sync, NULL},
    {&kind_marker, "silent", MARKER("0.25, 'a'"), MARKER("0.25, 'a', silent = true"),
     "Walk, marker a: silent false → true", marker_silent, NULL},

    VARIABLE("number", "1", "2", "5", "e 1 → 2", IS),
    VARIABLE("text", "'a'", "'b'", "'c'", "e \"a\" → \"b\"", IS),
    VARIABLE("boolean", "true", "false", "nil", "e true → false", IS),
    VARIABLE("vector", "sinew.vec3(1, 0, 0)", "sinew.vec3(2, 0, 0)", "sinew.vec3(3, 0, 0)", "e {1, 0, 0} → {2, 0, 0}",
             IS),
    VARIABLE("table", "{ x = 1 }", "{ x = { 2 } }", "{ x = 3 }", "e.x 1 → { 2 }", HOLDS_TWO),
    VARIABLE("entry", "{ y = 1 }", "{ y = 1, x = 2 }", "{ y = 1, x = 3 }", "e.x 2", HOLDS),
    KEPT("number", "1", "2", "5", "e 1 → 2", IS),
    KEPT("text", "'a'", "'b'", "'c'", "e \"a\" → \"b\"", IS),
    KEPT("boolean", "true", "false", "nil", "e true → false", IS),
    KEPT("vector", "sinew.vec3(1, 0, 0)", "sinew.vec3(2, 0, 0)", "sinew.vec3(3, 0, 0)", "e {1, 0, 0} → {2, 0, 0}", IS),
    KEPT("table", "{ x = 1 }", "{ x = { 2 } }", "{ x = 3 }", "e.x 1 → { 2 }", HOLDS_TWO),
    KEPT("entry", "{ y = 1 }", "{ y = 1, x = 2 }", "{ y = 1, x = 3 }", "e.x 2", HOLDS),
};
enum { PROBES = sizeof probes / sizeof *probes };

static void load(harness *h, const char *text) {
  char whole[4096];
  snprintf(whole, sizeof whole, "%s%s", PREFIX, text);
  if (h->scene ? !harness_reload(h, whole) : !harness_load(h, whole, NULL)) fail_msg("%s", h->error.message);
}

static char summary[512];

/* Whether the save is told and has its effect. */
static bool works(const probe *p) {
  static harness h;
  harness_open_host(&h);
  load(&h, p->before);
  harness_step(&h, 6);
  load(&h, p->after);
  bool told = strstr(sinew_scene_summary(h.scene), p->told) != NULL;
  snprintf(summary, sizeof summary, "%s", sinew_scene_summary(h.scene));
  if (p->restart) {
    load(&h, p->restart);
    harness_step(&h, 660); /* ten seconds, and what is held is forgotten */
    load(&h, p->after);
  }
  bool has = told && p->has(&h);
  harness_close(&h);
  return has;
}

static void each_field_acts_when_a_save_changes_it(void **state) {
  int failed = 0;
  (void)state;
  for (int i = 0; i < PROBES; i++) {
    if (works(probes + i)) continue;
    print_error("%s.%s: %s\n", probes[i].kind->name, probes[i].field, summary);
    failed++;
  }
  assert_int_equal(failed, 0);
}

/* A value that only a start uses is applied as a whole, as are the values of what a save makes again; and what has no
 * type that every kind shares is read by its kind. */
static bool is_used(const store_kind *k, const store_field *f, int use) {
  bool by_value = k == &kind_actor || k == &kind_morph || k == &kind_param || k == &kind_camera || k == &kind_light ||
                  k == &kind_view;
  bool merged = by_value || k == &kind_kept || k == &kind_variable || k == &kind_action ||
                (k == &kind_layer && strncmp(f->name, "reference", 9) != 0);
  if (use == FIELD_READ) return f->spec && !f->custom && f->type != FIELD_NUMBERS && strcmp(f->name, "reference") != 0;
  return use == FIELD_COMPARE || (merged && f->effect != FIELD_START);
}

static void without_reading_comparing_or_applying_a_field_its_check_fails(void **state) {
  int failed = 0;
  (void)state;
  if (SANITIZES_ADDRESSES) skip(); /* it proves the checks, not the memory of what they check */
  for (int i = 0; i < PROBES; i++) {
    const store_field *f = kind_field(probes[i].kind, probes[i].field);
    assert_non_null(f);
    for (int use = 0; use <= FIELD_READ; use++) {
      if (!is_used(probes[i].kind, f, use)) continue;
      field_blind[use] = f;
      bool unseen = works(probes + i);
      field_blind[use] = NULL;
      if (unseen) print_error("%s.%s is not missed (%d)\n", probes[i].kind->name, f->name, use);
      failed += unseen;
    }
  }
  assert_int_equal(failed, 0);
}

/* ---- no edit moves a joint by more than its inertia in one frame ---- */

enum { JOINTS = 256, SETTLED = 30 };
#define LARGEST 0.09 /* metres; what inertia leaves of a jump in one frame at most */

/* The largest step of a joint of hero since the last call, in metres. */
static double step_of(const harness *h, sinew_vec3 *joints) {
  const sinew_stage *stage = sinew_host_stage(h->host);
  sinew_actor hero = sinew_scene_find_actor(h->scene, "hero");
  const sinew_mat3x4 *now = sinew_actor_joints(stage, hero);
  sinew_vec3 at = sinew_actor_transform(stage, hero).translation;
  double largest = 0;
  int count = sinew_model_joint_count(sinew_actor_model(stage, hero));
  for (int i = 0; i < count && i < JOINTS; i++) {
    sinew_vec3 p = {now[i].m[3] + at.x, now[i].m[7] + at.y, now[i].m[11] + at.z};
    largest = fmax(largest,
                   hypot(hypot((double)(p.x - joints[i].x), (double)(p.y - joints[i].y)), (double)(p.z - joints[i].z)));
    joints[i] = p;
  }
  return largest;
}

/* What is a place itself takes effect at once. */
static bool is_place(const probe *p) {
  bool actor = p->kind == &kind_actor, model = p->kind == &kind_model;
  return model || (actor && (strcmp(p->field, "position") == 0 || strcmp(p->field, "rotation") == 0 ||
                             strcmp(p->field, "scale") == 0));
}

static void no_edit_lets_a_joint_jump(void **state) {
  static sinew_vec3 joints[JOINTS];
  int failed = 0;
  (void)state;
  for (int i = 0; i < PROBES; i++) {
    static harness h;
    double usual = 0, jump = 0;
    if (is_place(probes + i)) continue;
    harness_open_host(&h);
    load(&h, probes[i].before);
    harness_step(&h, 6);
    step_of(&h, joints);
    for (int k = 0; k < SETTLED; k++) harness_step(&h, 1), usual = fmax(usual, step_of(&h, joints));
    load(&h, probes[i].after);
    for (int k = 0; k < 3; k++) harness_step(&h, 1), jump = fmax(jump, step_of(&h, joints));
    if (jump > usual + LARGEST) print_error("%s.%s: %.3f m\n", probes[i].kind->name, probes[i].field, jump), failed++;
    harness_close(&h);
  }
  assert_int_equal(failed, 0);
}

static void every_field_has_a_check(void **state) {
  (void)state;
  for (const store_kind *const *k = store_kinds; *k; k++)
    for (const store_field *f = (*k)->fields; f->name; f++) {
      bool found = false;
      for (int i = 0; i < PROBES; i++) found |= probes[i].kind == *k && strcmp(probes[i].field, f->name) == 0;
      if (!found) fail_msg("%s.%s has none", (*k)->name, f->name);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_field_has_a_check),
      cmocka_unit_test(each_field_acts_when_a_save_changes_it),
      cmocka_unit_test(no_edit_lets_a_joint_jump),
      cmocka_unit_test(without_reading_comparing_or_applying_a_field_its_check_fails),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
