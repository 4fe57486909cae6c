/* Edits as people make them, that mean what was there before: the parts of a scene renamed, moved, wrapped, written in
 * another way, or beside something new. Every joint is where an untouched twin's is, and the message says what was
 * done. */
#include "harness.h"

#include "base/sanitizers.h"

#define PRE "local sinew = require 'sinew'\nlocal man = sinew.model 'hero.glb'\n"
#define HERO "local hero = sinew.actor('hero', man, { params = { speed = 2.2, turn = 0 } })\n"
#define SPACE "sinew.blend_space_1d { param = 'speed', sync = true, { 0, 'Idle' }, { 1.6, 'Walk' }, { 4, 'Run' } }"
#define G(x) "hero:set_graph(" x ")\n"
#define GO "sinew.on('key_pressed', function() hero:send 'go' end)\n"
#define M(states, tr) "sinew.state_machine { start = 'idle', states = { " states " }, transitions = { " tr " } }"
#define MB                                                                                                             \
  M("idle = 'Idle', move = " SPACE ", jump = 'Jump'",                                                                  \
    "{ 'idle', 'move', on = 'go', fade = 0.1 }, { 'move', 'jump', on = 'jump' }")
#define MS(fade) M("idle = 'Idle', move = " SPACE, "{ 'idle', 'move', on = 'go', fade = " fade " }")

#define W "hero:play('Walk', { fade = 0 })\n"
#define FADED(name)                                                                                                    \
  "local arm = hero:layer('" name "', { mask = { ['LeftShoulder/**'] = 1 } })\narm:play('Wave', { fade = 0 })\n"       \
  "sinew.on('key_pressed', function() arm.weight = 0.3 end)\n"

#define R "hero:play('Run', { fade = 0 })\n"
#define SPRINGS(left, right)                                                                                           \
  "hero:set_modifiers { sinew.spring { '" left "', joints = { 'LeftHand' }, frequency = 1, damping = 0.1 }, "          \
  "sinew.spring { '" right "', joints = { 'RightHand' }, frequency = 1, damping = 0.1 } }\n"

#define KICKED(more)                                                                                                   \
  "hero:set_modifiers { sinew.spring { 'l', joints = { 'LeftForeArm', 'LeftHand' }, frequency = 2, damping = 0.2 "     \
  "}" more " }\nsinew.on('update', function() if sinew.frame == 70 then hero.position = { 0.4, 0, 0 } end end)\n"
#define STIFF ", sinew.limit { 'stiff', joint = 'Head', weight = 0 }"

#define FADING(name)                                                                                                   \
  "local arm = hero:layer('" name "', { mask = { ['LeftShoulder/**'] = 1 }, weight = 0 })\n"                           \
  "arm:play('Wave', { fade = 0 })\nsinew.on('key_pressed', function() arm:fade(1, 2) end)\n"
#define ARMS(left, right)                                                                                              \
  "local l = hero:layer('" left "', { mask = { ['LeftShoulder/**'] = 1 } })\nl:play('Wave', { fade = 0 })\n"           \
  "local r = hero:layer('" right "', { mask = { ['RightShoulder/**'] = 1 } })\nr:play('Jump', { fade = 0 })\n"         \
  "sinew.on('key_pressed', function() l.weight = 0.3 end)\n"

typedef struct edit {
  const char *what, *told;
  int frames; /* after `between` */
  const char *before, *between, *after;
} edit;

static const edit edits[] = {
    {"params in another order", "nothing declared has changed", 0, PRE HERO G(SPACE), NULL,
     PRE "local hero = sinew.actor('hero', man, { params = { turn = 0, speed = 2.2 } })\n" G(SPACE)},
    {"a param joins that sorts first", "hero.aaa 5", 0, PRE HERO G(SPACE), NULL,
     PRE "local hero = sinew.actor('hero', man, { params = { aaa = 5, turn = 0, speed = 2.2 } })\n" G(SPACE)},
    {"a param goes that sorts first", "hero.aaa 5 → no longer declared", 0,
     PRE "local hero = sinew.actor('hero', man, { params = { aaa = 5, turn = 0, speed = 2.2 } })\n" G(SPACE), NULL,
     PRE HERO G(SPACE)},
    {"a param is renamed", "hero.speed is called pace now", 0, PRE HERO G(SPACE), NULL,
     PRE "local hero = sinew.actor('hero', man, { params = { pace = 2.2, turn = 0 } })\n" G(
         "sinew.blend_space_1d { param = 'pace', sync = true, { 0, 'Idle' }, { 1.6, 'Walk' }, { 4, 'Run' } }")},
    {"locals renamed", "nothing declared has changed", 0, PRE HERO G(SPACE), NULL,
     PRE "local h = sinew.actor('hero', man, { params = { speed = 2.2, turn = 0 } })\nlocal g = " SPACE
         "\nh:set_graph(g)\n"},
    {"graph from a function", "nothing declared has changed", 0, PRE HERO G(SPACE), NULL,
     PRE HERO "local function make(p) return sinew.blend_space_1d { param = p, sync = true, { 0, 'Idle' }, { 1.6, "
              "'Walk' }, { 4, 'Run' } } end\n" G("make 'speed'")},
    {"a layer of weight 0", "hero: layer arm joins, hero arm \"Wave\" plays", 0, PRE HERO G(SPACE), NULL,
     PRE HERO G(SPACE) "hero:layer('arm', { weight = 0 }):play 'Wave'\n"},
    {"layers change places", "hero layer order: a above b", 0,
     PRE HERO G(SPACE) "hero:layer('a', { mask = { ['LeftShoulder/**'] = 1 } }):play('Wave', { fade = 0 "
                       "})\nhero:layer('b', { mask = { ['RightShoulder/**'] = 1 } }):play('Wave', { fade = 0 })\n",
     0,
     PRE HERO G(SPACE) "hero:layer('b', { mask = { ['RightShoulder/**'] = 1 } }):play('Wave', { fade = 0 "
                       "})\nhero:layer('a', { mask = { ['LeftShoulder/**'] = 1 } }):play('Wave', { fade = 0 })\n"},
    {"a layer renamed", "hero: layer a is called left now", 0,
     PRE HERO G(SPACE) "hero:layer('a', { mask = { ['LeftShoulder/**'] = 1 } }):play('Wave', { fade = 0 })\n", NULL,
     PRE HERO G(SPACE) "hero:layer('left', { mask = { ['LeftShoulder/**'] = 1 } }):play('Wave', { fade = 0 })\n"},
    {"explicit defaults", "nothing declared has changed", 0, PRE HERO "hero:play('Walk', { fade = 0 })\n", NULL,
     PRE HERO "hero:play('Walk', { fade = 0, speed = 1, loop = 'forever', ease = 'linear', blend = 'crossfade' })\n"},
    {"part is the whole", "hero \"Walk\": from default → 0", 0, PRE HERO "hero:play('Walk', { fade = 0 })\n", NULL,
     PRE HERO "hero:play('Walk', { fade = 0, from = 0 })\n"},
    {"two plays become one", "hero \"Walk\" is gone", 0,
     PRE HERO "hero:play('Walk', { fade = 0 })\nhero:play('Walk', { fade = 0 })\n", NULL,
     PRE HERO "hero:play('Walk', { fade = 0 })\n"},
    {"plays in another order", "nothing declared has changed", 0,
     PRE HERO "hero:play('Walk', { weight = 1, fade = 0 })\nhero:play('Run', { weight = 1, fade = 0 })\n", NULL,
     PRE HERO "hero:play('Run', { weight = 1, fade = 0 })\nhero:play('Walk', { weight = 1, fade = 0 })\n"},
    {"a graph over a play", "hero: its graph joins, hero \"Walk\" is gone", 0,
     PRE HERO "hero:play('Walk', { fade = 0 })\n", NULL, PRE HERO G("sinew.blend { { 'Walk', 1 } }")},
    {"markers join", "Walk: marker step joins", 0, PRE HERO G(SPACE), NULL,
     PRE "man:markers('Walk', { { 0.2, 'step' } })\n" HERO G(SPACE)},
    {"a marker moves", "Walk, marker step: time 0.2 → 0.3", 0,
     PRE "man:markers('Walk', { { 0.2, 'step' } })\n" HERO G(SPACE), NULL,
     PRE "man:markers('Walk', { { 0.3, 'step' } })\n" HERO G(SPACE)},
    {"a marker gets another name", "Walk: marker step is gone, Walk: marker foot joins", 0,
     PRE "man:markers('Walk', { { 0.2, 'step' } })\n" HERO G(SPACE), NULL,
     PRE "man:markers('Walk', { { 0.2, 'foot' } })\n" HERO G(SPACE)},
    {"camera light view", "camera.fov 0.9, light.exposure 2, view.stats true, view.joint Head", 0, PRE HERO G(SPACE),
     NULL,
     PRE HERO G(SPACE) "sinew.camera.fov = 0.9\nsinew.light.exposure = 2\nsinew.view.stats = true\nsinew.view.joint = "
                       "'Head'\n"},
    {"something hangs from it", "brawler joins", 0, PRE HERO G(SPACE), NULL,
     PRE HERO G(SPACE) "hero:attach('RightHand', sinew.model 'brawler.glb')\n"},
    {"modifiers change places", "hero modifier order: a after b", 0,
     PRE HERO G(SPACE) "hero:set_modifiers { sinew.limit { 'a', joint = 'Head', swing = 0.1 }, sinew.limit { 'b', "
                       "joint = 'LeftHand', swing = 0.1 } }\n",
     0,
     PRE HERO G(SPACE) "hero:set_modifiers { sinew.limit { 'b', joint = 'LeftHand', swing = 0.1 }, sinew.limit { 'a', "
                       "joint = 'Head', swing = 0.1 } }\n"},
    {"a modifier is renamed", "hero hairs: name hair → hairs", 0,
     PRE HERO G(SPACE) "hero:set_modifiers { sinew.spring { 'hair', joints = { 'LeftHand' } } }\n", NULL,
     PRE HERO G(SPACE) "hero:set_modifiers { sinew.spring { 'hairs', joints = { 'LeftHand' } } }\n"},
    {"springs swap their names", "hero b: name a → b, hero a: name b → a", 0, PRE HERO R SPRINGS("a", "b"), NULL,
     PRE HERO R SPRINGS("b", "a")},
    {"springs take each other's names in turn", "hero b: name a → b, hero c: name b → c", 0,
     PRE HERO R SPRINGS("a", "b"), NULL, PRE HERO R SPRINGS("b", "c")},
    {"a spring behind another modifier", "hero: modifier no joins", 0,
     PRE HERO G(SPACE) "hero:set_modifiers { sinew.spring { 'hair', joints = { 'LeftHand' } } }\n", NULL,
     PRE HERO G(SPACE) "hero:set_modifiers { sinew.limit { 'no', joint = 'Head', weight = 0 }, sinew.spring { 'hair', "
                       "joints = { 'LeftHand' } } }\n"},
    {"a modifier joins a spring in full swing", "hero: modifier stiff joins", 0, PRE HERO G(SPACE) KICKED(""), NULL,
     PRE HERO G(SPACE) KICKED(STIFF)},
    {"and goes while what it did still fades", "hero: modifier stiff is gone", 4, PRE HERO G(SPACE) KICKED(""),
     PRE HERO G(SPACE) KICKED(STIFF), PRE HERO G(SPACE) KICKED("")},
    {"modifiers leave and return", "hero: modifier a joins", 20,
     PRE HERO G(SPACE) "hero:set_modifiers { sinew.limit { 'a', joint = 'Head', swing = 0.1 } }\n", PRE HERO G(SPACE),
     PRE HERO G(SPACE) "hero:set_modifiers { sinew.limit { 'a', joint = 'Head', swing = 0.1 } }\n"},
    {"a crowd joins", "crowd joins", 0, PRE HERO G(SPACE), NULL,
     PRE HERO G(SPACE) "local many = sinew.crowd(man, 10, { graph = 'Walk' })\n"},
    {"a crowd's count", "crowd: count 10 → 12", 0,
     PRE HERO G(SPACE) "local many = sinew.crowd(man, 10, { graph = 'Walk' })\n", NULL,
     PRE HERO G(SPACE) "local many = sinew.crowd(man, 12, { graph = 'Walk' })\n"},
    {"transitions in another order", "hero graph: move → jump in another order", 0, PRE HERO G(MB) GO, NULL,
     PRE HERO G(M("idle = 'Idle', move = " SPACE ", jump = 'Jump'",
                  "{ 'move', 'jump', on = 'jump' }, { 'idle', 'move', on = 'go', fade = 0.1 }")) GO},
    {"a transition joins", "hero graph: jump → idle joins", 0, PRE HERO G(MB) GO, NULL,
     PRE HERO G(M("idle = 'Idle', move = " SPACE ", jump = 'Jump'",
                  "{ 'idle', 'move', on = 'go', fade = 0.1 }, { 'move', 'jump', on = 'jump' }, { 'jump', 'idle', "
                  "before_end = 0.1 }")) GO},
    {"a state joins", "hero graph: wave joins", 0, PRE HERO G(MB) GO, NULL,
     PRE HERO G(M("idle = 'Idle', move = " SPACE ", jump = 'Jump', wave = 'Wave'",
                  "{ 'idle', 'move', on = 'go', fade = 0.1 }, { 'move', 'jump', on = 'jump' }")) GO},
    {"all states renamed",
     "hero graph, idle: key idle → z, hero graph, jump: key jump → x, hero graph, move: key move → y", 0,
     PRE HERO G(MB) GO, NULL,
     PRE HERO G("sinew.state_machine { start = 'z', states = { z = 'Idle', y = " SPACE
                ", x = 'Jump' }, transitions = { { 'z', 'y', on = 'go', fade = 0.1 }, { 'y', 'x', on = 'jump' } } }")
         GO},
    {"states swap their names", "hero graph, idle: key idle → move, hero graph, move: key move → idle", 0,
     PRE HERO G(MB) GO, NULL,
     PRE HERO G("sinew.state_machine { start = 'move', states = { move = 'Idle', idle = " SPACE
                ", jump = 'Jump' }, transitions = { { 'move', 'idle', on = 'go', fade = 0.1 }, { 'idle', 'jump', on = "
                "'jump' } } }") GO},
    {"states take each other's names in turn",
     "hero graph, idle: key idle → move, hero graph, jump: key jump → fly, hero graph, move: key move → jump", 0,
     PRE HERO G(MB) GO, NULL,
     PRE HERO G("sinew.state_machine { start = 'move', states = { move = 'Idle', jump = " SPACE
                ", fly = 'Jump' }, transitions = { { 'move', 'jump', on = 'go', fade = 0.1 }, { 'jump', 'fly', on = "
                "'jump' } } }") GO},
    {"saved in the middle of a fade", "nothing declared has changed", 0, PRE HERO G(MS("3")) GO, NULL,
     PRE HERO G(MS("3")) GO "-- comment\n"},
    {"renamed in the middle of a fade", "hero graph, idle: key idle → still, hero graph, move: key move → go", 0,
     PRE HERO G(MS("3")) GO, NULL,
     PRE HERO G("sinew.state_machine { start = 'still', states = { still = 'Idle', go = " SPACE
                " }, transitions = { { 'still', 'go', on = 'go', fade = 3 } } }") GO},
    {"wrapped in the middle of a fade", "hero graph: state_machine → blend", 0, PRE HERO G(MS("3")) GO, NULL,
     PRE HERO G("sinew.blend { { " MS("3") ", 1 } }") GO},
    {"nested in the middle of a fade",
     "hero graph: idle is in all now, hero graph: move is in all now, hero graph: start idle → all, hero graph: all "
     "joins",
     0, PRE HERO G(MS("3")) GO, NULL,
     PRE HERO G("sinew.state_machine { states = { all = " MS("3") " } , transitions = {} }") GO},
    {"a state that is a machine goes", "hero graph: all is gone", 0, PRE HERO G(M("idle = 'Idle', all = " MS("3"), "")),
     NULL, PRE HERO G(M("idle = 'Idle'", ""))},
    {"a machine around another goes",
     "hero graph: idle is in state_machine now, hero graph: move is in state_machine now, hero graph: all is gone, "
     "hero "
     "graph: still → up is gone",
     0,
     PRE HERO G("sinew.state_machine { start = 'still', states = { still = 'Idle', up = 'Jump', all = " MS(
         "3") " }, "
              "transitions = { { 'still', 'up', on = 'a' }, { 'up', 'still', on = 'b' } } }"),
     NULL,
     PRE HERO G(
         "sinew.state_machine { start = 'still', states = { still = 'Idle', up = 'Jump', idle = 'Idle', move = " SPACE
         " }, transitions = { { 'idle', 'move', on = 'go', fade = 3 }, { 'up', 'still', on = 'b' } } }")},
    {"another fade in the middle of it", "hero graph, idle → move: fade 3 → 1", 0, PRE HERO G(MS("3")) GO, NULL,
     PRE HERO G(MS("1")) GO},
    {"weights become a parameter", "hero graph, Run: weight 2.2 → speed", 0,
     PRE HERO G("sinew.blend { { 'Walk', 1 }, { 'Run', 2.2 } }"), NULL,
     PRE HERO G("sinew.blend { { 'Walk', 1 }, { 'Run', 'speed' } }")},
    {"weights scaled", "hero graph, Walk: weight 1 → 2, hero graph, Run: weight 2 → 4", 0,
     PRE HERO G("sinew.blend { { 'Walk', 1 }, { 'Run', 2 } }"), NULL,
     PRE HERO G("sinew.blend { { 'Walk', 2 }, { 'Run', 4 } }")},
    {"a place becomes a function", "nothing declared has changed", 0, PRE HERO G(SPACE), NULL,
     PRE HERO G("sinew.blend_space_1d { param = 'speed', sync = true, { 0, 'Idle' }, { function() return 1.6 end, "
                "'Walk' }, { 4, 'Run' } }")},
    {"sync gets a name", "hero graph, blend_space_1d: sync group none → legs", 0, PRE HERO G(SPACE), NULL,
     PRE HERO G(
         "sinew.blend_space_1d { param = 'speed', sync = 'legs', { 0, 'Idle' }, { 1.6, 'Walk' }, { 4, 'Run' } }")},
    {"sync moves up to a blend", "hero graph, blend: sync false → true, hero graph, blend_space_1d: sync true → false",
     0, PRE HERO G("sinew.blend { { " SPACE ", 1 } }"), NULL,
     PRE HERO G("sinew.blend { sync = true, { sinew.blend_space_1d { param = 'speed', { 0, 'Idle' }, { 1.6, 'Walk' }, "
                "{ 4, 'Run' } }, 1 } }")},
    {"speed of the space to its clips", "hero graph, blend: speed 2 → 1, hero graph, Walk: speed 1 → 2", 0,
     PRE HERO G("sinew.blend { speed = 2, { 'Walk', 1 } }"), NULL,
     PRE HERO G("sinew.blend { { sinew.clip { 'Walk', speed = 2 }, 1 } }")},
    {"an option is said that is the default", "nothing declared has changed", 0, PRE HERO G(SPACE), NULL,
     "local sinew = require 'sinew'\nlocal man = sinew.model('hero.glb', { wait = true })\n" HERO G(SPACE)},
    {"root motion axes in another order", "nothing declared has changed", 0,
     PRE HERO G(SPACE) "hero:root_motion { joint = 'Hips', axes = 'xz yaw' }\n", NULL,
     PRE HERO G(SPACE) "hero:root_motion { joint = 'Hips', axes = 'yaw zx' }\n"},
    {"locals in another order", "nothing declared has changed", 0,
     PRE "local a, b = 1, 2\nlocal t = 0\n" HERO G(
         SPACE) "function sinew.update(dt) t = t + dt hero.position = { math.sin(t), 0, a * b } end\n",
     NULL,
     PRE "local t = 0\nlocal b, a = 2, 1\n" HERO G(
         SPACE) "function sinew.update(dt) t = t + dt hero.position = { math.sin(t), 0, a * b } end\n"},
    {"two closures share a local", "nothing declared has changed", 0,
     PRE "local t = 0\n" HERO G(SPACE) "local function step(dt) t = t + dt end\nfunction sinew.update(dt) step(dt) "
                                       "hero.position = { math.sin(t), 0, 0 } end\n",
     NULL,
     PRE
     "local t = 0\n" HERO G(SPACE) "local function place() hero.position = { math.sin(t), 0, 0 } end\nlocal function "
                                   "step(dt) t = t + dt end\nfunction sinew.update(dt) step(dt) place() end\n"},
    {"update becomes on", "nothing declared has changed", 0,
     PRE
     "local t = 0\n" HERO G(SPACE) "function sinew.update(dt) t = t + dt hero.position = { math.sin(t), 0, 0 } end\n",
     NULL,
     PRE "local t = 0\n" HERO G(
         SPACE) "sinew.on('update', function(dt) t = t + dt hero.position = { math.sin(t), 0, 0 } end)\n"},
    {"keep gets a field", "k.s { 1, 2 }", 0,
     PRE "local k = sinew.keep('k', { t = 0 })\n" HERO G(
         SPACE) "function sinew.update(dt) k.t = k.t + dt hero.position = { math.sin(k.t), 0, 0 } end\n",
     NULL,
     PRE "local k = sinew.keep('k', { t = 0, s = { 1, 2 } })\n" HERO G(
         SPACE) "function sinew.update(dt) k.t = k.t + dt hero.position = { math.sin(k.t), 0, 0 } end\n"},
    {"keep changes another field", "k.s 1 → 2", 0,
     PRE "local k = sinew.keep('k', { t = 0, s = 1 })\n" HERO G(
         SPACE) "function sinew.update(dt) k.t = k.t + dt hero.position = { math.sin(k.t), 0, 0 } end\n",
     NULL,
     PRE "local k = sinew.keep('k', { t = 0, s = 2 })\n" HERO G(
         SPACE) "function sinew.update(dt) k.t = k.t + dt hero.position = { math.sin(k.t), 0, 0 } end\n"},
    {"backwards", "hero: its graph joins, hero \"Walk\" is gone", 0,
     PRE HERO "hero:play('Walk', { fade = 0, speed = -1 })\n", NULL, PRE HERO G("sinew.clip { 'Walk', speed = -1 }")},
    {"ping pong", "hero: its graph joins, hero \"Walk\" is gone", 0,
     PRE HERO "hero:play('Walk', { fade = 0, loop = 'ping_pong' })\n", NULL,
     PRE HERO G("sinew.clip { 'Walk', loop = 'ping_pong' }")},
    {"ping pong in graph to play", "hero: its graph is gone, hero \"Walk\" continues without its graph", 0,
     PRE HERO G("sinew.clip { 'Walk', loop = 'ping_pong' }"), NULL,
     PRE HERO "hero:play('Walk', { fade = 0, loop = 'ping_pong' })\n"},
    {"ping pong moves to another layer", "hero up \"Walk\": layer base → up", 0,
     PRE HERO "hero:play('Walk', { fade = 0, loop = 'ping_pong' })\nhero:layer('up', {})\n", NULL,
     PRE HERO "hero:layer('up', {}):play('Walk', { fade = 0, loop = 'ping_pong' })\n"},
    {"part of a clip in graph to play", "hero: its graph is gone, hero \"Walk\" continues without its graph", 0,
     PRE HERO G("sinew.clip { 'Walk', from = 0.2, to = 0.8 }"), NULL,
     PRE HERO "hero:play('Walk', { fade = 0, from = 0.2, to = 0.8 })\n"},
    {"faster clip in graph to play", "hero: its graph is gone, hero \"Walk\" continues without its graph", 0,
     PRE HERO G("sinew.clip { 'Walk', speed = 1.5 }"), NULL, PRE HERO "hero:play('Walk', { fade = 0, speed = 1.5 })\n"},
    {"a one-shot with a way out", "nothing declared has changed", 0,
     PRE HERO G(SPACE) "hero:play('Wave', { loop = 'once', fade_out = 0.3 })\n", NULL,
     PRE HERO "hero:play('Wave', { loop = 'once', fade_out = 0.3 })\n" G(SPACE)},
    {"broken and mended", "nothing declared has changed", 10, PRE HERO G(SPACE), "this is no lua", PRE HERO G(SPACE)},
    {"the hero's declaration moves below another", "nothing declared has changed", 0,
     PRE HERO G(SPACE) "sinew.actor('other', man)\n", NULL, PRE "sinew.actor('other', man)\n" HERO G(SPACE)},
    {"a graph of an upper layer", "hero graph: Wave → blend", 0,
     PRE HERO G(SPACE) "hero:layer('up', { mask = { ['Spine/**'] = 1 } })\nhero:set_graph('Wave', { layer = 'up' })\n",
     NULL,
     PRE HERO G(SPACE) "hero:layer('up', { mask = { ['Spine/**'] = 1 } })\nhero:set_graph(sinew.blend { { 'Wave', 1 } "
                       "}, { layer = 'up' })\n"},
    {"layer mask written otherwise", "nothing declared has changed", 0,
     PRE HERO G(SPACE) "hero:layer('up', { mask = { ['Spine/**'] = 1 } }):play('Wave', { fade = 0 })\n", NULL,
     PRE HERO G(SPACE) "hero:layer('up', { mask = man:mask { ['Spine/**'] = 1 } }):play('Wave', { fade = 0 })\n"},
    {"a graph moves to a layer", "hero: layer all joins, hero graph: layer base → all", 0, PRE HERO G("'Walk'"), NULL,
     PRE HERO "hero:layer('all', {})\nhero:set_graph('Walk', { layer = 'all' })\n"},
    {"a graph moves to the base", "hero: layer all is gone, hero graph: layer all → base", 0,
     PRE HERO "hero:layer('all', {})\nhero:set_graph('Walk', { layer = 'all' })\n", NULL, PRE HERO G("'Walk'")},
    {"a layer renamed that a key has faded", "hero: layer a is called left now", 0, PRE HERO G(SPACE) FADED("a"), NULL,
     PRE HERO G(SPACE) FADED("left")},
    {"a layer renamed in the middle of a fade", "hero: layer a is called left now", 20, PRE HERO W FADING("a"), NULL,
     PRE HERO W FADING("left")},
    {"layers swap their names", "hero: layer a is called b now, hero: layer b is called a now", 0,
     PRE HERO W ARMS("a", "b"), NULL, PRE HERO W ARMS("b", "a")},
    {"layers take each other's names in turn", "hero: layer a is called b now, hero: layer b is called c now", 0,
     PRE HERO W ARMS("a", "b"), NULL, PRE HERO W ARMS("b", "c")},
    {"a graph moves with its layer's name", "hero: layer up is called top now", 0,
     PRE HERO "hero:layer('up', { mask = { ['Spine/**'] = 1 } })\nhero:set_graph('Wave', { layer = 'up' })\n", NULL,
     PRE HERO "hero:layer('top', { mask = { ['Spine/**'] = 1 } })\nhero:set_graph('Wave', { layer = 'top' })\n"},
    {"a graph moves to a layer above another that takes its place", "hero graph: layer base → all", 0,
     PRE HERO G("'Walk'") "hero:layer('all', {})\n", NULL,
     PRE HERO G("'Idle'") "hero:layer('all', {})\nhero:set_graph('Walk', { layer = 'all' })\n"},
    {"a graph becomes a play of a layer", "hero: its graph is gone, hero all \"Walk\" continues without its graph", 0,
     PRE HERO G("'Walk'") "hero:layer('all', {})\n", NULL,
     PRE HERO "hero:layer('all', {}):play('Walk', { fade = 0 })\n"},
    {"a graph moves there and back", "hero: layer all is gone, hero graph: layer all → base", 20, PRE HERO G("'Walk'"),
     PRE HERO "hero:layer('all', {})\nhero:set_graph('Walk', { layer = 'all' })\n", PRE HERO G("'Walk'")},
    {"a play becomes a graph of another layer", "hero: its graph joins, hero \"Walk\" is gone", 0,
     PRE HERO "hero:layer('all', {})\nhero:play('Walk', { fade = 0 })\n", NULL,
     PRE HERO "hero:layer('all', {})\nhero:set_graph('Walk', { layer = 'all' })\n"},
    {"a layer's play becomes the graph of the base", "hero: its graph joins, hero all \"Walk\" is gone", 0,
     PRE HERO "hero:layer('all', {}):play('Walk', { fade = 0 })\n", NULL,
     PRE HERO "hero:layer('all', {})\n" G("'Walk'")},
    {"two plays become a graph of another layer", "hero: its graph joins, hero \"Walk\" is gone, hero \"Idle\" is gone",
     0,
     PRE HERO
     "hero:layer('all', {})\nhero:play('Walk', { fade = 0, weight = 1 })\nhero:play('Idle', { fade = 0, weight "
     "= 1 })\n",
     NULL,
     PRE HERO
     "hero:layer('all', {})\nhero:set_graph(sinew.blend { { 'Walk', 1 }, { 'Idle', 1 } }, { layer = 'all' })\n"},
    {"a synced machine moves to a layer", "hero graph: layer base → all", 0,
     PRE HERO "hero:layer('all', {})\n" G(MS("0.1")) GO, NULL,
     PRE HERO "hero:layer('all', {})\nhero:set_graph(" MS("0.1") ", { layer = 'all' })\n" GO},
    {"a synced space moves to a new layer", "hero: layer all joins, hero graph: layer base → all", 0, PRE HERO G(SPACE),
     NULL, PRE HERO "hero:layer('all', {})\nhero:set_graph(" SPACE ", { layer = 'all' })\n"},
    {"plays in sync move to a layer", "hero all \"Walk\": layer base → all, hero all \"Run\": layer base → all", 0,
     PRE HERO "hero:layer('all', {})\nhero:play('Walk', { fade = 0, weight = 1, sync = 'a' })\nhero:play('Run', { fade "
              "= 0, weight = 1, sync = 'a' })\n",
     NULL,
     PRE HERO "local all = hero:layer('all', {})\nall:play('Walk', { fade = 0, weight = 1, sync = 'a' })\n"
              "all:play('Run', { fade = 0, weight = 1, sync = 'a' })\n"},
    {"a model of another file", "hero: model hero.glb → hero.fbx", 0, PRE HERO W, NULL,
     "local sinew = require 'sinew'\nlocal man = sinew.model 'hero.fbx'\n" HERO W},
    {"a layer renamed whose play becomes a graph",
     "hero: layer add is called plus now, hero: its graph joins, hero plus \"Wave\" is gone", 0,
     PRE HERO W "hero:layer('add', { mode = 'additive', weight = 0.5 }):play('Wave', { fade = 0 })\n", NULL,
     PRE HERO W
     "hero:layer('plus', { mode = 'additive', weight = 0.5 })\nhero:set_graph('Wave', { layer = 'plus' })\n"},
    {"a layer renamed whose graph becomes a play",
     "hero: layer a is called b now, hero: its graph is gone, hero b \"Wave\" continues without its graph", 0,
     PRE HERO W "hero:layer('a', { mask = { ['LeftShoulder/**'] = 1 } })\nhero:set_graph('Wave', { layer = 'a' })\n",
     NULL, PRE HERO W "hero:layer('b', { mask = { ['LeftShoulder/**'] = 1 } }):play('Wave', { fade = 0 })\n"},
    {"a table of state gets a field", "s.far 1", 0,
     PRE "local s = { t = 0 }\n" HERO G(
         SPACE) "function sinew.update(dt) s.t = s.t + dt hero.position = { math.sin(s.t), 0, 0 } end\n",
     NULL,
     PRE "local s = { t = 0, far = 1 }\n" HERO G(
         SPACE) "function sinew.update(dt) s.t = s.t + dt hero.position = { s.far * math.sin(s.t), 0, 0 } end\n"},
    {"play is put in a variable with weight", "nothing declared has changed", 0,
     PRE HERO "hero:play('Walk', { fade = 0 })\n", NULL,
     PRE HERO "local a = hero:play('Walk', { fade = 0 })\nsinew.on('update', function() a.speed = 1 end)\n"},
    {"actor and model options", "hero.scale 1 1 1, hero.visible true, hero.opacity 1", 0, PRE HERO G(SPACE), NULL,
     "local sinew = require 'sinew'\nlocal man = sinew.model('hero.glb', { exact = false })\nlocal hero = "
     "sinew.actor('hero', man, { params = { speed = 2.2, turn = 0 }, visible = true, opacity = 1, scale = 1 })\n" G(
         SPACE)}};

enum { JOINTS = 128, BEFORE = 77, AFTER = 25 };

/* In the world. */
static int take(const harness *h, sinew_vec3 out[JOINTS]) {
  const sinew_stage *stage = sinew_host_stage(h->host);
  sinew_actor hero = sinew_scene_find_actor(h->scene, "hero");
  int count = sinew_model_joint_count(sinew_actor_model(stage, hero));
  const sinew_mat3x4 *joints = sinew_actor_joints(stage, hero);
  sinew_vec3 at = sinew_actor_transform(stage, hero).translation;
  for (int i = 0; i < count; i++)
    out[i] = (sinew_vec3){joints[i].m[3] + at.x, joints[i].m[7] + at.y, joints[i].m[11] + at.z};
  return count;
}

static double distance(sinew_vec3 a, sinew_vec3 b) {
  return sqrt(pow((double)a.x - b.x, 2) + pow((double)a.y - b.y, 2) + pow((double)a.z - b.z, 2));
}

static void open_scene(harness *h, const edit *e) {
  harness_open(h, e->before);
  harness_step(h, 5);
  harness_key(h, "g");
  harness_step(h, BEFORE);
}

static void save(harness *twin, harness *edited, const edit *e) {
  if (e->between) harness_reload(edited, e->between); /* it may be broken */
  harness_step(edited, e->frames);
  harness_step(twin, e->frames);
  if (!harness_reload(edited, e->after)) fail_msg("%s: %s", e->what, edited->error.message);
  const char *summary = strstr(sinew_scene_summary(edited->scene), "ms: ");
  const char *told = summary + strlen("ms: "), *code = "new code in scene.lua; ";
  if (strncmp(told, code, strlen(code)) == 0) told += strlen(code);
  if (strcmp(told, e->told) != 0) fail_msg("%s: '%s' was told, and not '%s'", e->what, told, e->told);
}

/* The largest distance of a joint from its twin's, 25 frames later; `jump` gets the largest movement in one frame
 * beyond the twin's. */
static double drift(const edit *e, double *jump) {
  static harness twin, edited;
  sinew_vec3 a[2][JOINTS], b[2][JOINTS];
  double worst = 0;
  open_scene(&twin, e);
  open_scene(&edited, e);
  save(&twin, &edited, e);
  int count = take(&edited, b[1]);
  take(&twin, a[1]);
  for (int frame = 0; frame < AFTER; frame++) {
    memcpy(a[0], a[1], sizeof a[0]);
    memcpy(b[0], b[1], sizeof b[0]);
    harness_step(&twin, 1);
    harness_step(&edited, 1);
    take(&twin, a[1]);
    take(&edited, b[1]);
    for (int i = 0; i < count; i++) *jump = fmax(*jump, distance(b[1][i], b[0][i]) - distance(a[1][i], a[0][i]));
  }
  for (int i = 0; i < count; i++) worst = fmax(worst, distance(a[1][i], b[1][i]));
  harness_close(&twin);
  harness_close(&edited);
  return worst;
}

static void what_means_the_same_stays_where_it_is(void **state) {
  (void)state;
  enum { EACH = SANITIZES_ADDRESSES ? 2 : 1 };
  for (size_t i = 0; i < sizeof edits / sizeof *edits; i += EACH) {
    double jump = 0, off = drift(edits + i, &jump);
    if (off > 0.001) fail_msg("%s: a joint is off by %.4f m", edits[i].what, off);
    if (jump > 0.002) fail_msg("%s: a joint moves %.4f m further than its twin's", edits[i].what, jump);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(what_means_the_same_stays_where_it_is)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
