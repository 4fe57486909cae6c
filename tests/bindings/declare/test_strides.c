/* Whatever is edited around a clip, its stride goes on: each scene is saved as another that means the same; in each of
 * the next 25 frames every joint moves as far as an untouched twin's, to half a millimetre. */
#include "harness.h"

#include "actor/stage.h"
#include "base/sanitizers.h"

#include <sinew/graph.h>

#define PREFIX                                                                                                         \
  "local sinew = require 'sinew'\n"                                                                                    \
  "local hero = sinew.actor('hero', sinew.model 'hero.glb', { params = { speed = 2.2, turn = 0 } })\n"
#define SPACE "sinew.blend_space_1d { param = 'speed', sync = true, { 0, 'Idle' }, { 1.6, 'Walk' }, { 4, 'Run' } }"
#define PLANE                                                                                                          \
  "sinew.blend_space_2d { param_x = 'speed', param_y = 'turn', sync = true, { 0, 0, 'Idle' }, { 1.6, 0, 'Walk' }, "    \
  "{ 4, 0, 'Run' } }"
#define MACHINE(name, node)                                                                                            \
  "hero:set_graph(sinew.state_machine { start = 'idle', states = { idle = 'Idle', jump = sinew.clip { 'Jump', loop = " \
  "'once' }, " name " = " node " }, transitions = { { 'idle', '" name "', on = 'go', fade = 0.1 }, { '" name           \
  "', 'jump', on = 'jump' } } })\n"
#define GO "sinew.on('key_pressed', function() hero:send 'go' end)\n"

enum { JOINTS = 128, BEFORE = 77, AFTER = 25 };

static const char *followed = "hero";
static sinew_actor hero_of(const harness *h) { return sinew_scene_find_actor(h->scene, followed); }

static int take(const harness *h, sinew_vec3 out[JOINTS]) {
  const sinew_stage *stage = sinew_host_stage(h->host);
  int count = sinew_model_joint_count(sinew_actor_model(stage, hero_of(h)));
  const sinew_mat3x4 *joints = sinew_actor_joints(stage, hero_of(h));
  for (int i = 0; i < count; i++) out[i] = (sinew_vec3){joints[i].m[3], joints[i].m[7], joints[i].m[11]};
  return count;
}

static double distance(sinew_vec3 a, sinew_vec3 b) {
  return sqrt(pow((double)a.x - b.x, 2) + pow((double)a.y - b.y, 2) + pow((double)a.z - b.z, 2));
}

static void save(harness *h, const char *text) {
  char whole[4096];
  snprintf(whole, sizeof whole, "%s%s", PREFIX, text);
  if (h->scene ? !harness_reload(h, whole) : !harness_load(h, whole, NULL)) fail_msg("%s", h->error.message);
}

static void open_scene(harness *h, const char *text) {
  harness_open_host(h);
  save(h, text);
  harness_step(h, 5);
  harness_key(h, "g");
  harness_step(h, BEFORE);
}

/* Where an actor's joints are before the save, and in the frames after it. */
typedef struct walk {
  sinew_vec3 at[AFTER + 1][JOINTS];
} walk;

/* `after` is saved, or nothing where it is NULL. Gives the joints' count. */
static int walk_on(const char *before, const char *after, walk *w) {
  static harness h;
  open_scene(&h, before);
  int count = take(&h, w->at[0]);
  if (after) save(&h, after);
  for (int frame = 1; frame <= AFTER; frame++) {
    harness_step(&h, 1);
    take(&h, w->at[frame]);
  }
  harness_close(&h);
  return count;
}

/* The largest distance of a joint, 25 frames later, from that of `twin`, which was not saved; `jump` gets the largest
 * movement in one frame after the save beyond the twin's. */
static double drift(const walk *twin, const char *before, const char *after, double *jump) {
  static walk edited;
  double worst = 0;
  int count = walk_on(before, after, &edited);
  *jump = 0;
  for (int f = 1; f <= AFTER; f++)
    for (int i = 0; i < count; i++)
      *jump =
          fmax(*jump, distance(edited.at[f][i], edited.at[f - 1][i]) - distance(twin->at[f][i], twin->at[f - 1][i]));
  for (int i = 0; i < count; i++) worst = fmax(worst, distance(twin->at[AFTER][i], edited.at[AFTER][i]));
  return worst;
}

typedef struct edit {
  const char *what, *before, *after;
} edit;

static const edit edits[] = {
    {"the present state is renamed", MACHINE("move", SPACE) GO, MACHINE("go", SPACE) GO},
    {"the present state is renamed, and the others, too", MACHINE("move", SPACE) GO,
     "hero:set_graph(sinew.state_machine { start = 'still', states = { still = 'Idle', up = sinew.clip { 'Jump', loop "
     "= 'once' }, locomotion = " SPACE " }, transitions = { { 'still', 'locomotion', on = 'go' } } })\n" GO},
    {"a line becomes a plane", MACHINE("move", SPACE) GO, MACHINE("move", PLANE) GO},
    {"a plane becomes a line", "hero:set_graph(" PLANE ")", "hero:set_graph(" SPACE ")"},
    {"the machine goes", MACHINE("move", SPACE) GO, "hero:set_graph(" SPACE ")"},
    {"a machine comes around", "hero:set_graph(" SPACE ")", MACHINE("move", SPACE) GO},
    {"a blend comes around", "hero:set_graph(" SPACE ")", "hero:set_graph(sinew.blend { { " SPACE ", 1 } })"},
    {"a blend comes around a state's space", MACHINE("move", SPACE) GO,
     MACHINE("move", "sinew.blend { { " SPACE ", 1 } }") GO},
    {"a blend comes around a machine", MACHINE("move", SPACE) GO,
     "hero:set_graph(sinew.blend { { sinew.state_machine { start = 'idle', states = { idle = 'Idle', jump = 'Jump', "
     "move = " SPACE " }, transitions = { { 'idle', 'move', on = 'go' } } }, 1 } })" GO},
    {"a blend becomes a machine", "hero:set_graph(sinew.blend { { " SPACE ", 1 } })", MACHINE("move", SPACE) GO},
    {"a space becomes a state that is not the first", "hero:set_graph(" SPACE ")",
     "hero:set_graph(sinew.state_machine { states = { move = " SPACE
     ", jump = 'Jump' }, transitions = { { 'move', 'jump', on = 'x' } } })"},
    {"a blend becomes a state that is not the first", "hero:set_graph(sinew.blend { { " SPACE ", 1 } })",
     "hero:set_graph(sinew.state_machine { states = { move = " SPACE
     ", jump = 'Jump' }, transitions = { { 'move', 'jump', on = 'x' } } })"},
    {"two blends go", "hero:set_graph(sinew.blend { { sinew.blend { { " SPACE ", 1 } }, 1 } })",
     "hero:set_graph(" SPACE ")"},
    {"a graph of a clip becomes an action", "hero:set_graph 'Walk'", "hero:play('Walk', { fade = 0 })"},
    {"an action becomes a graph", "hero:play('Walk', { fade = 0 })", "hero:set_graph 'Walk'"},
    {"a clip becomes a node", "hero:set_graph 'Walk'", "hero:set_graph(sinew.clip { 'Walk', key = 'w' })"},
    {"samples are written in another order", "hero:set_graph(" SPACE ")",
     "hero:set_graph(sinew.blend_space_1d { param = 'speed', sync = true, { 4, 'Run' }, { 0, 'Idle' }, { 1.6, 'Walk' "
     "} })"},
    {"a machine inside a machine", MACHINE("move", SPACE) GO,
     "hero:set_graph(sinew.state_machine { start = 'ground', states = { ground = sinew.state_machine { start = 'idle', "
     "states = { idle = 'Idle', jump = 'Jump', move = " SPACE " }, transitions = { { 'idle', 'move', on = 'go' } } }, "
     "swim = 'Wave' }, transitions = { { 'ground', 'swim', on = 'wet' } } })" GO},
    {"a switch becomes what it shows", "hero:set_graph(sinew.switch { param = 'turn', " SPACE ", 'Wave' })",
     "hero:set_graph(" SPACE ")"},
    {"a clip loops no more", "hero:play('Walk', { fade = 0 })", "hero:play('Walk', { fade = 0, loop = 'once' })"},
    {"a clip loops forty times", "hero:play('Walk', { fade = 0 })", "hero:play('Walk', { fade = 0, loop = 40 })"},
    {"a node loops no more", "hero:set_graph(sinew.clip { 'Walk', loop = 'forever' })",
     "hero:set_graph(sinew.clip { 'Walk', loop = 'once' })"},
    {"a node loops twice", "hero:set_graph(sinew.clip { 'Walk', speed = 3 })",
     "hero:set_graph(sinew.clip { 'Walk', speed = 3, loop = 2 })"},
    {"an action goes to another layer", "hero:layer('up', {}) hero:play('Walk', { fade = 0 })",
     "hero:layer('up', {}):play('Walk', { fade = 0 })"},
};

static void edits_that_mean_the_same_keep_the_stride(void **state) {
  static walk twin;
  (void)state;
  double worst = 0, most = 0, jump;
  for (size_t i = 0; i < sizeof edits / sizeof *edits; i++) {
    walk_on(edits[i].before, NULL, &twin);
    double off = drift(&twin, edits[i].before, edits[i].after, &jump);
    fprintf(stderr, "%-60s off %.4f m, jump %.4f m\n", edits[i].what, off, jump);
    worst = fmax(worst, off);
    most = fmax(most, jump);
  }
  if (worst > 0.02) fail_msg("a joint is off by %.3f m", worst);
  if (most > 0.0005) fail_msg("a joint moves %.4f m further in a frame than its twin's", most);
}

/* ---- the present state takes another form, and others take other names in the same save ---- */

/* Of the parameters that %1$s and %2$s name. */
#define LINE_OF "sinew.blend_space_1d { param = '%1$s', sync = true, { 0, 'Idle' }, { 1.6, 'Walk' }, { 4, 'Run' } }"
#define PLANE_OF                                                                                                       \
  "sinew.blend_space_2d { param_x = '%1$s', param_y = '%2$s', sync = true, { 0, 0, 'Idle' }, { 1.6, 0, 'Walk' }, { "   \
  "4, "                                                                                                                \
  "0, 'Run' } }"

static const char *const forms[] = {
    LINE_OF,
    PLANE_OF,
    "sinew.blend { { " LINE_OF ", 1 } }",
    "sinew.blend { { " PLANE_OF ", 1 }, { 'Wave', 0 } }",
    "sinew.switch { param = '%2$s', " LINE_OF ", 'Wave' }",
    "sinew.state_machine { states = { only = " LINE_OF ", other = 'Wave' }, start = 'only', transitions = {} }",
    "sinew.blend { { sinew.state_machine { states = { all = " PLANE_OF " }, transitions = {} }, 1 } }",
};
enum { FORMS = sizeof forms / sizeof *forms };

/* Of the present state, of the one before, of the one that may come; and of the parameters. */
typedef const char *name_list[5];
static const name_list names[] = {{"move", "idle", "jump", "fast", "lean"},
                                  {"go", "idle", "jump", "fast", "lean"},
                                  {"go", "still", "up", "pace", "lean"},
                                  {"idle", "move", "jump", "pace", "bend"}};
enum { NAMES = sizeof names / sizeof *names };

/* A key sets the parameter and sends the events; no line of the file does. */
static void write_machine(char out[2048], const name_list name, const char *form) {
  char node[512];
  snprintf(node, sizeof node, form, name[3], name[4]);
  snprintf(out, 2048,
           "local man = sinew.actor('man', sinew.model 'hero.glb', { params = { %s = 0, %s = 0 } })\n"
           "man:set_graph(sinew.state_machine { start = '%s', states = { %s = 'Idle', %s = sinew.clip { 'Jump', loop = "
           "'once' }, %s = %s }, transitions = { { '%s', '%s', on = 'go', fade = 0.1 }, { '%s', '%s', on = 'jump' } } "
           "})\nsinew.on('key_pressed', function() man:send 'go' man.params.%s = 2.2 end)\n",
           name[3], name[4], name[1], name[1], name[2], name[0], node, name[1], name[0], name[0], name[2], name[3]);
}

/* Under a sanitizer with some names for each pair of forms: names are text, and forms are what is rebuilt. */
static bool is_tried(int from, int to, int names_used) {
  return !(SANITIZES_ADDRESSES || SANITIZES_THREADS) || names_used == (from + to) % NAMES;
}

static void a_state_keeps_its_stride_in_any_form_under_any_name(void **state) {
  static char before[2048], after[2048];
  static walk twin;
  int failed = 0;
  (void)state;
  followed = "man";
  for (int i = 0; i < FORMS * FORMS * NAMES; i++) {
    int a = i / NAMES / FORMS, b = i / NAMES % FORMS, n = i % NAMES;
    double jump;
    write_machine(before, names[0], forms[a]);
    write_machine(after, names[n], forms[b]);
    if (b == 0 && n == 0) walk_on(before, NULL, &twin);
    if (!is_tried(a, b, n)) continue;
    double off = drift(&twin, before, after, &jump);
    if (off <= 0.02) continue;
    fprintf(stderr, "form %d becomes %d with names %d: off %.4f m, jump %.4f m\n", a, b, n, off, jump);
    failed++;
  }
  followed = "hero";
  assert_int_equal(failed, 0);
}

/* ---- edits that mean something else: what both play goes on, and no joint is faster than its clips make it ---- */

enum { CYCLE = 120 };

/* The largest difference in phase between clips that have a weight in both. */
static double cycle_apart(const harness *h, const harness *twin) {
  const actor *a = stage_find(sinew_host_stage(h->host), hero_of(h));
  const actor *b = stage_find(sinew_host_stage(twin->host), hero_of(twin));
  double worst = 0;
  for (int i = 0; i < b->instances.count; i++) {
    const clip_instance *was = b->instances.items + i;
    double nearest = INFINITY, length = b->model->clips[was->clip].duration;
    for (int k = 0; k < a->instances.count; k++) {
      const clip_instance *is = a->instances.items + k;
      double apart = fabs(is->time - was->time) / length;
      if (is->clip == was->clip && is->weight > 0.05f) nearest = fmin(nearest, fmin(apart, fabs(1 - apart)));
    }
    if (was->weight > 0.05f && isfinite(nearest)) worst = fmax(worst, nearest);
  }
  return worst;
}

static double fastest(const sinew_vec3 *before, const sinew_vec3 *now, int count) {
  double most = 0;
  for (int i = 0; i < count; i++) most = fmax(most, distance(before[i], now[i]) * 60);
  return most;
}

/* The fastest that a joint is within some frames. */
static double speed_of(harness *h, int frames) {
  sinew_vec3 at[2][JOINTS];
  double most = 0;
  int count = take(h, at[1]);
  for (int i = 0; i < frames; i++) {
    memcpy(at[0], at[1], sizeof at[0]);
    harness_step(h, 1);
    take(h, at[1]);
    most = fmax(most, fastest(at[0], at[1], count));
  }
  return most;
}

#define WALKS "hero:play('Walk', { fade = 0 })\n"
#define SHARED(params, options) "hero:set_graph(sinew.blend_space_1d { " params options " })\n"

static const edit changes[] = {
    {"a sample comes", SHARED("param = 'speed', sync = true, ", "{ 1.6, 'Walk' }, { 4, 'Run' }"),
     SHARED("param = 'speed', sync = true, ", "{ 0, 'Idle' }, { 1.6, 'Walk' }, { 4, 'Run' }")},
    {"a sample goes", SHARED("param = 'speed', sync = true, ", "{ 0, 'Idle' }, { 1.6, 'Walk' }, { 4, 'Run' }"),
     SHARED("param = 'speed', sync = true, ", "{ 0, 'Idle' }, { 1.6, 'Walk' }")},
    {"a sample stands elsewhere", SHARED("param = 'speed', sync = true, ", "{ 1.6, 'Walk' }, { 4, 'Run' }"),
     SHARED("param = 'speed', sync = true, ", "{ 2, 'Walk' }, { 4, 'Run' }")},
    {"clips are no longer in sync", SHARED("param = 'speed', sync = true, ", "{ 1.6, 'Walk' }, { 4, 'Run' }"),
     SHARED("param = 'speed', ", "{ 1.6, 'Walk' }, { 4, 'Run' }")},
    {"another parameter", SHARED("param = 'speed', sync = true, ", "{ 0, 'Walk' }, { 4, 'Run' }"),
     SHARED("param = 'turn', sync = true, ", "{ 0, 'Walk' }, { 4, 'Run' }")},
    {"a graph becomes an action", "hero:set_graph(" SPACE ")", WALKS},
    {"an action becomes a space", WALKS, "hero:set_graph(" SPACE ")"},
    {"a state goes that is not current", MACHINE("move", SPACE) GO,
     "hero:set_graph(sinew.state_machine { start = 'idle', states = { idle = 'Idle', move = " SPACE
     " }, transitions = { { 'idle', 'move', on = 'go', fade = 0.1 } } })\n" GO},
    {"the current state plays a clip alone", MACHINE("move", SPACE) GO, MACHINE("move", "'Walk'") GO},
    {"a blend weighs otherwise", "hero:set_graph(sinew.blend { { 'Walk', 1 }, { 'Wave', 1 } })",
     "hero:set_graph(sinew.blend { { 'Walk', 3 }, { 'Wave', 1 } })"},
    {"an action is faster", WALKS, "hero:play('Walk', { fade = 0, speed = 1.25 })"},
    {"an action ends earlier", "hero:play('Walk', { fade = 0, to = 0.9 })",
     "hero:play('Walk', { fade = 0, to = 0.8 })"},
    {"an action becomes a state", WALKS,
     "hero:set_graph(sinew.state_machine { start = 'a', states = { a = 'Walk', b = 'Idle' }, transitions = { { 'a', "
     "'b', "
     "on = 'x' } } })"},
    {"a layer lies over it", WALKS, WALKS "hero:layer('arm', { mask = { ['RightShoulder/**'] = 1 } }):play('Wave')"},
    {"a layer goes", WALKS "hero:layer('arm', { mask = { ['RightShoulder/**'] = 1 } }):play('Wave', { fade = 0 })",
     WALKS},
    {"a modifier comes", WALKS, WALKS "hero:set_modifiers { sinew.limit { 'l', joint = 'Head', swing = 0.1 } }"},
};

/* Beside one twin that is never saved, and another that was so from the beginning. */
static void edits_that_mean_another_thing_keep_what_is_shared(void **state) {
  static harness before, after, edited;
  double off = 0;
  (void)state;
  for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
    open_scene(&before, changes[i].before);
    open_scene(&after, changes[i].after);
    open_scene(&edited, changes[i].before);
    save(&edited, changes[i].after);
    harness_step(&before, 1);
    sinew_vec3 at[2][JOINTS];
    int count = take(&edited, at[0]);
    harness_step(&edited, 1);
    take(&edited, at[1]);
    double apart = cycle_apart(&edited, &before);
    double first = fastest(at[0], at[1], count);
    double speed = fmax(first, speed_of(&edited, AFTER));
    double own = fmax(speed_of(&before, CYCLE), speed_of(&after, CYCLE));
    fprintf(stderr, "%-42s %.4f of a cycle apart, %.2f m/s where its clips have %.2f\n", changes[i].what, apart, speed,
            own);
    off = fmax(off, apart);
    if (speed > 1.2 * own) fail_msg("%s: a joint is %.2f times as fast as in its clips", changes[i].what, speed / own);
    harness_close(&before);
    harness_close(&after);
    harness_close(&edited);
  }
  if (off > 0.01) fail_msg("a clip that both play is %.3f of a cycle off", off);
}

/* An actor that had no graph for a while is at rest, and starts again as fast as its clips move. */
static void a_graph_that_returns_does_not_snap(void **state) {
  static harness h;
  (void)state;
  open_scene(&h, "hero:set_graph(" SPACE ")");
  double own = speed_of(&h, CYCLE);
  save(&h, "");
  harness_step(&h, 20);
  save(&h, "hero:set_graph(" SPACE ")");
  double speed = speed_of(&h, AFTER);
  if (speed > 1.2 * own) fail_msg("a joint has %.2f m/s, and %.2f in its clips", speed, own);
  harness_close(&h);
}

/* ---- models that are written again, or asked for with other options ---- */

#define OWN(options)                                                                                                   \
  "local sinew = require 'sinew'\n"                                                                                    \
  "local hero = sinew.actor('hero', sinew.model('own.glb'" options "), { params = { speed = 2.2 } })\n"
#define JUMPS(walk)                                                                                                    \
  "hero:set_graph(sinew.state_machine { start = 'idle', states = { idle = 'Idle', jump = sinew.clip { 'Jump', loop = " \
  "'once' }, move = '" walk "' }, transitions = { { 'idle', 'move', on = 'go', fade = 0 }, { 'move', 'jump', on = "    \
  "'jump', fade = 0 } } })\n"                                                                                          \
  "hero:layer('arm', { mask = { ['RightShoulder/**'] = 1 } }):play('Wave', { fade = 0 })\n"                            \
  "sinew.on('key_pressed', function(key) hero:send(key == 'g' and 'go' or 'jump') end)\n"

static void copy_hero(const harness *h) {
  char command[256];
  snprintf(command, sizeof command, "cp '%s/assets/hero.glb' '%s/own.glb' && touch '%s/own.glb'", SINEW_SOURCE,
           h->folder, h->folder);
  assert_int_equal(system(command), 0);
}

static void step_until_jump(harness *h, const char *text) {
  harness_open_host(h);
  copy_hero(h);
  if (!harness_load(h, text, NULL)) fail_msg("%s", h->error.message);
  harness_step(h, 3);
  harness_key(h, "g");
  harness_step(h, 20);
  harness_key(h, "j");
  harness_step(h, 30);
}

static void another_model_keeps_state_clock_and_history(void **state) {
  static const char *const models[][2] = {
      {OWN("") JUMPS("Walk"), "own.glb was loaded again"}, /* the file is new */
      {OWN(", { edits = { { clip = 'Walk', name = 'Stroll' } } }") JUMPS("Stroll"),
       "own.glb: clip Walk is called Stroll now"},
      {OWN(", { edits = { { clip = 'Idle', from = 1 } } }") JUMPS("Walk"), "own.glb, clip Idle: length 6 → 5 s"},
      {OWN(", { clips = { 'brawler.glb' } }") JUMPS("Walk"), "own.glb: clip brawler joins"},
      {OWN(", { influences = 8 }") JUMPS("Walk"), "own.glb: influences 4 → 8"},
  };
  static harness twin, edited;
  sinew_vec3 a[JOINTS], b[JOINTS];
  sinew_machine_state before, after;
  (void)state;
  for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
    step_until_jump(&twin, models[0][0]);
    step_until_jump(&edited, models[0][0]);
    sinew_actor hero = hero_of(&edited);
    sinew_action wave = sinew_actor_action(sinew_host_stage(edited.host), hero, 1, 0);
    sinew_actor_machine(sinew_host_stage(edited.host), hero, 0, 0, &before);
    copy_hero(&edited);
    if (!harness_reload(&edited, models[i][0])) fail_msg("%s", edited.error.message);
    harness_expect(sinew_scene_summary(edited.scene), models[i][1]);
    if (strstr(sinew_scene_summary(edited.scene), "plays")) fail_msg("%s", sinew_scene_summary(edited.scene));
    assert_true(sinew_actor_machine(sinew_host_stage(edited.host), hero_of(&edited), 0, 0, &after));
    assert_memory_equal(&before, &after, sizeof before);
    assert_int_equal(before.history[0], 2);
    assert_true(hero.id == hero_of(&edited).id && sinew_action_is_valid(sinew_host_stage(edited.host), wave));
    harness_step(&twin, AFTER);
    harness_step(&edited, AFTER);
    int count = take(&twin, a);
    take(&edited, b);
    for (int j = 0; j < count; j++)
      if (distance(a[j], b[j]) > 0.02) fail_msg("case %zu: joint %d is off by %.3f m", i, j, distance(a[j], b[j]));
    harness_close(&twin);
    harness_close(&edited);
  }
}

/* ---- files that a model is made of besides, and how their joints are matched ---- */

typedef struct model_edit {
  const char *what, *before, *after, *told, *copy; /* copy: an asset over another, in the scene's folder */
} model_edit;

#define PAINTED "local hero = sinew.actor('hero', sinew.model 'own.gltf', {})\nhero:play('Walk', { fade = 0 })\n"
#define BRAWLER(map)                                                                                                   \
  "local hero = sinew.actor('hero', sinew.model('own.glb', { clips = { 'brawler.glb' }, map = { " map                  \
  " } }))\nhero:play('Walk', { fade = 0 })\n"

static const model_edit model_edits[] = {
    {"a texture is painted anew", PAINTED, PAINTED, "own.gltf was loaded again",
     "cp hero_palette.png hero_colors.png && touch own.gltf"},
    {"a joint is matched otherwise", BRAWLER(""), BRAWLER("head = 'Neck'"), "own.glb: map none → head = Neck", "true"},
    {"a joint is not matched", BRAWLER("head = 'Neck'"), BRAWLER("head = false"),
     "own.glb: map head = Neck → head = false", "true"},
};

static void open_model(harness *h, const char *text) {
  char command[512];
  harness_open_host(h);
  copy_hero(h);
  snprintf(command, sizeof command,
           "cd '%s' && cp '%s'/assets/hero.bin '%s'/assets/hero_*.png '%s'/assets/brawler.glb . && cp "
           "'%s'/assets/hero.gltf own.gltf",
           h->folder, SINEW_SOURCE, SINEW_SOURCE, SINEW_SOURCE, SINEW_SOURCE);
  assert_int_equal(system(command), 0);
  if (!harness_load(h, text, NULL)) fail_msg("%s", h->error.message);
  harness_step(h, BEFORE);
}

static void textures_and_maps_leave_the_stride_alone(void **state) {
  static harness twin, edited;
  sinew_vec3 a[JOINTS], b[JOINTS];
  char command[512];
  (void)state;
  for (size_t i = 0; i < sizeof model_edits / sizeof *model_edits; i++) {
    open_model(&twin, model_edits[i].before);
    open_model(&edited, model_edits[i].before);
    const sinew_model *model = sinew_actor_model(sinew_host_stage(edited.host), hero_of(&edited));
    snprintf(command, sizeof command, "cd '%s' && %s", edited.folder, model_edits[i].copy);
    assert_int_equal(system(command), 0);
    if (!harness_reload(&edited, model_edits[i].after)) fail_msg("%s: %s", model_edits[i].what, edited.error.message);
    assert_ptr_not_equal(model, sinew_actor_model(sinew_host_stage(edited.host), hero_of(&edited)));
    harness_expect(sinew_scene_summary(edited.scene), model_edits[i].told);
    harness_step(&twin, AFTER);
    harness_step(&edited, AFTER);
    int count = take(&twin, a);
    take(&edited, b);
    for (int j = 0; j < count; j++)
      if (distance(a[j], b[j]) > 0.02)
        fail_msg("%s: joint %d is off by %.3f m", model_edits[i].what, j, distance(a[j], b[j]));
    harness_close(&twin);
    harness_close(&edited);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(edits_that_mean_the_same_keep_the_stride),
      cmocka_unit_test(a_state_keeps_its_stride_in_any_form_under_any_name),
      cmocka_unit_test(edits_that_mean_another_thing_keep_what_is_shared),
      cmocka_unit_test(a_graph_that_returns_does_not_snap),
      cmocka_unit_test(another_model_keeps_state_clock_and_history),
      cmocka_unit_test(textures_and_maps_leave_the_stride_alone),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
