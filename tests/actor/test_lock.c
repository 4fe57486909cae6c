/* The lock of a stage: what each function that takes one to change it does while the stage calls out. SINEW_SOURCE */
#include "actor/everything.h"
#include "actor/stage.h"

#include <sinew/explain.h>
#include <sinew/metrics.h>

#include <dirent.h>
#include <stdio.h>

typedef struct scene {
  sinew_stage *stage;
  sinew_model *model;
  sinew_actor actor, other, fresh;
  sinew_action action;
  sinew_crowd crowd, other_crowd;
  sinew_error error;
  bool answer; /* of the last call: it did something, as far as it says */
} scene;

/* ---- every function that takes a stage to change it ---- */

typedef enum answer { REFUSES, WRITES, WAITS, LOCKS } answer;

typedef struct entry {
  const char *name;
  answer locked;
  void (*call)(scene *s);
  bool silent; /* the function returns nothing */
} entry;

static void update(scene *s) { sinew_stage_update(s->stage, 0.1); }
static void threads(scene *s) { s->answer = sinew_stage_set_threads(s->stage, 1); }
static void run_at_once(void *user, int count, int grain, sinew_task *task, void *data) {
  (void)user, (void)grain;
  task(data, 0, 0, count);
}
static void tasks(scene *s) {
  s->answer = sinew_stage_set_tasks(s->stage, &(sinew_task_system){.run = run_at_once, .workers = 1});
}
static void skip_hidden(scene *s) { sinew_actor_set_skip_hidden(s->stage, s->actor, true); }
static void user_of_stage(scene *s) { sinew_stage_set_user(s->stage, s); }
static void user_of_actor(scene *s) { sinew_actor_set_user(s->stage, s->actor, s); }
static void user_of_crowd(scene *s) { sinew_crowd_set_user(s->stage, s->crowd, s); }
static void name_crowd(scene *s) { s->answer = sinew_crowd_set_name(s->stage, s->crowd, "another"); }
static void destroy_stage(scene *s) { sinew_stage_destroy(s->stage); }
static void bind_all(scene *s) { sinew_stage_set_bind_pose(s->stage, !s->stage->bind_pose); }
static void bind_one(scene *s) {
  sinew_actor_set_bind_pose(s->stage, s->actor, !stage_find(s->stage, s->actor)->bind_pose);
}
static void pause_one(scene *s) { sinew_actor_set_paused(s->stage, s->actor, !stage_find(s->stage, s->actor)->paused); }
static void show(scene *s) { sinew_actor_set_visible(s->stage, s->actor, !sinew_actor_is_visible(s->stage, s->actor)); }
static void call(scene *s) { s->answer = sinew_actor_set_name(s->stage, s->actor, "another"); }
static void fade(scene *s) {
  sinew_actor_set_opacity(s->stage, s->actor, 1.5f - sinew_actor_opacity(s->stage, s->actor));
}
static void morph(scene *s) {
  const char *name = sinew_model_mesh(s->model, 0).morphs[0].name;
  s->answer = sinew_actor_set_morph(s->stage, s->actor, name, 0.5f);
}
static void skinning(scene *s) { sinew_actor_set_skinning(s->stage, s->actor, SINEW_SKINNING_DUAL_QUATERNION); }
static void create(scene *s) { s->answer = sinew_actor_create(s->stage, "new", s->model, &s->error).id != 0; }
static void destroy(scene *s) { sinew_actor_destroy(s->stage, s->actor); }
static void move(scene *s) {
  sinew_transform t = sinew_transform_identity();
  t.translation.x = 9;
  s->answer = sinew_actor_set_transform(s->stage, s->actor, &t);
}
static void play(scene *s) {
  sinew_play_def def = sinew_play_def_default();
  s->answer = sinew_actor_play(s->stage, s->actor, &def, &s->error).id != 0;
}
static void stop(scene *s) { sinew_action_stop(s->stage, s->action, 0); }
static void set_action(scene *s) {
  sinew_play_def state;
  sinew_action_read_state(s->stage, s->action, &state);
  state.speed = 3;
  s->answer = sinew_action_set_state(s->stage, s->action, &state);
}
static void seek(scene *s) { s->answer = sinew_action_seek(s->stage, s->action, 0.01, false); }
static void join(scene *s) { s->answer = sinew_actor_join(s->stage, s->actor, s->actor, 1); }
static void take_model(scene *s) {
  static const int clips[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
  assert_true(sinew_model_clip_count(s->model) <= 16);
  s->answer = sinew_actor_take_model(s->stage, s->actor, s->fresh, clips, &s->error);
}
static void add_layer(scene *s) { s->answer = sinew_actor_add_layer(s->stage, s->actor, "new", NULL, &s->error) >= 0; }
static void remove_layer(scene *s) { s->answer = sinew_actor_remove_layer(s->stage, s->actor, 1); }
static void move_layer(scene *s) { s->answer = sinew_actor_move_layer(s->stage, s->actor, 1, 2); }
static void set_layer(scene *s) {
  sinew_layer_def def = sinew_layer_def_default();
  s->answer = sinew_actor_set_layer(s->stage, s->actor, 1, &def);
}
static void weigh_layer(scene *s) { s->answer = sinew_actor_set_layer_weight(s->stage, s->actor, 1, 0.125f); }
static void rename_layers(scene *s) {
  const char *names[] = {"one", "two"};
  s->answer = sinew_actor_rename_layers(s->stage, s->actor, names, 2, &s->error);
}
static void fade_layer(scene *s) { s->answer = sinew_actor_fade_layer(s->stage, s->actor, 1, 0.25f, 1); }
static void take_graph(scene *s) { s->answer = sinew_actor_set_graph(s->stage, s->actor, 0, NULL, 0, &s->error); }
static void hold_graph(scene *s) { s->answer = sinew_actor_hold_graph(s->stage, s->actor, 0, 0.1); }
static void go_to(scene *s) {
  int count;
  const sinew_marker *markers = sinew_stage_markers(s->stage, s->model, 0, &count);
  s->answer = count > 0 && sinew_action_go_to(s->stage, s->action, markers[0].name, 0.1);
}
static void continue_graph(scene *s) { s->answer = sinew_actor_continue_graph(s->stage, s->actor, 0, 1); }
static void set_node(scene *s) { s->answer = sinew_actor_set_node(s->stage, s->actor, 0, 1, 5, 5); }
/* The machine is in one of its two states. */
static void seek_node(scene *s) {
  s->answer = sinew_actor_seek_node(s->stage, s->actor, 0, 2, 0.25);
  s->answer |= sinew_actor_seek_node(s->stage, s->actor, 0, 3, 0.25);
}
static void send(scene *s) { s->answer = sinew_actor_send(s->stage, s->actor, "event"); }
static bool never(void *user, sinew_actor who, int64_t condition) {
  (void)user, (void)who, (void)condition;
  return false;
}
static void conditions(scene *s) { sinew_stage_set_conditions(s->stage, never, NULL); }
static void params(scene *s) {
  const char *names[] = {"a", "b"};
  s->answer = sinew_actor_set_params(s->stage, s->actor, names, NULL, 2, &s->error);
}
static void rename_params(scene *s) {
  const char *names[] = {"other"};
  s->answer = sinew_actor_rename_params(s->stage, s->actor, names, 1, &s->error);
}
static void param(scene *s) { s->answer = sinew_actor_set_param(s->stage, s->actor, 0, 7); }
static void pin(scene *s) { s->answer = sinew_actor_pin_param(s->stage, s->actor, 0, 5); }
static void unpin(scene *s) { s->answer = sinew_actor_unpin_param(s->stage, s->actor, 0); }
static void curve(scene *s) {
  const sinew_curve_key key = {0, 1};
  s->answer = sinew_stage_set_curve(s->stage, s->model, 0, "grip", &key, 1, &s->error);
}
static void markers(scene *s) { s->answer = sinew_stage_set_markers(s->stage, s->model, 0, NULL, 0, &s->error); }
static void modifiers(scene *s) { s->answer = sinew_actor_set_modifiers(s->stage, s->actor, NULL, 0, &s->error); }
static void modifier_values(scene *s) {
  sinew_modifier_def state = {.weight = 0.25f};
  s->answer = sinew_actor_set_modifier_state(s->stage, s->actor, 0, &state);
}
static void target(scene *s) {
  s->answer = sinew_actor_set_modifier_target(s->stage, s->actor, 0, s->actor, 1, &s->error);
}
static void springs(scene *s) {
  sinew_spring_state states[LIMB] = {{.started = true}};
  s->answer = sinew_actor_set_springs(s->stage, s->actor, 3, states, LIMB);
}
static void ground(scene *s) {
  s->answer = sinew_actor_set_ground(s->stage, s->actor, 4, 0, 2, (sinew_vec3){0, 1, 0}, 1);
}
static void root(scene *s) {
  sinew_root_def def = sinew_root_def_default();
  s->answer = sinew_actor_set_root(s->stage, s->actor, &def, &s->error);
}
static void attach(scene *s) {
  sinew_attachment to = {.to = s->other, .joint = 1, .offset = sinew_transform_identity()};
  s->answer = sinew_actor_attach(s->stage, s->actor, &to, &s->error);
}
static void note(scene *s) { sinew_actor_note(s->stage, s->actor, SINEW_NOTE_POSE, "something"); }
static void metrics(scene *s) { s->answer = sinew_actor_set_metrics(s->stage, s->actor, NULL, &s->error); }
static void explain(scene *s) { s->answer = sinew_actor_explain(s->stage, s->actor, 1, NULL, 0, &s->error) >= 0; }
static void create_crowd(scene *s) {
  sinew_crowd_def def = sinew_crowd_def_default();
  def.model = s->model;
  s->answer = sinew_crowd_create(s->stage, &def, &s->error).id != 0;
}
static void destroy_crowd(scene *s) { sinew_crowd_destroy(s->stage, s->crowd); }
static void detail(scene *s) {
  s->answer = sinew_crowd_set_detail(s->stage, s->crowd, (sinew_vec3){0, 0, 0}, &(sinew_crowd_detail){1, 2});
}
static void seek_crowd(scene *s) { s->answer = sinew_crowd_seek(s->stage, s->crowd, 0, 0.25); }
static void continue_crowd(scene *s) { s->answer = sinew_crowd_continue(s->stage, s->crowd, s->other_crowd); }
static void lock_again(scene *s) { sinew_stage_lock(s->stage), sinew_stage_unlock(s->stage); }
static void unlock_again(scene *s) { sinew_stage_lock(s->stage), sinew_stage_unlock(s->stage); }
static void shake(scene *s) { sinew_stage_shake(s->stage); }

static const entry entries[] = {{"sinew_stage_update", REFUSES, update, true},
                                {"sinew_stage_destroy", REFUSES, destroy_stage, true},
                                {"sinew_stage_set_threads", REFUSES, threads, false},
                                {"sinew_stage_set_tasks", REFUSES, tasks, false},
                                {"sinew_stage_set_user", WRITES, user_of_stage, true},
                                {"sinew_stage_set_bind_pose", REFUSES, bind_all, true},
                                {"sinew_stage_set_conditions", REFUSES, conditions, true},
                                {"sinew_stage_set_markers", REFUSES, markers, false},
                                {"sinew_stage_set_curve", REFUSES, curve, false},
                                {"sinew_stage_lock", LOCKS, lock_again, true},
                                {"sinew_stage_unlock", LOCKS, unlock_again, true},
                                {"sinew_stage_shake", LOCKS, shake, true},
                                {"sinew_actor_create", REFUSES, create, false},
                                {"sinew_actor_destroy", WAITS, destroy, true},
                                {"sinew_actor_set_transform", REFUSES, move, false},
                                {"sinew_actor_set_name", REFUSES, call, false},
                                {"sinew_actor_set_visible", REFUSES, show, true},
                                {"sinew_actor_set_skip_hidden", REFUSES, skip_hidden, true},
                                {"sinew_actor_set_user", WRITES, user_of_actor, true},
                                {"sinew_actor_set_opacity", REFUSES, fade, true},
                                {"sinew_actor_set_skinning", REFUSES, skinning, true},
                                {"sinew_actor_set_bind_pose", REFUSES, bind_one, true},
                                {"sinew_actor_set_paused", REFUSES, pause_one, true},
                                {"sinew_actor_set_morph", REFUSES, morph, false},
                                {"sinew_actor_play", REFUSES, play, false},
                                {"sinew_actor_join", REFUSES, join, false},
                                {"sinew_actor_take_model", REFUSES, take_model, false},
                                {"sinew_action_stop", REFUSES, stop, true},
                                {"sinew_action_set_state", REFUSES, set_action, false},
                                {"sinew_action_seek", REFUSES, seek, false},
                                {"sinew_action_go_to", REFUSES, go_to, false},
                                {"sinew_actor_add_layer", REFUSES, add_layer, false},
                                {"sinew_actor_remove_layer", REFUSES, remove_layer, false},
                                {"sinew_actor_move_layer", REFUSES, move_layer, false},
                                {"sinew_actor_set_layer", REFUSES, set_layer, false},
                                {"sinew_actor_set_layer_weight", REFUSES, weigh_layer, false},
                                {"sinew_actor_fade_layer", REFUSES, fade_layer, false},
                                {"sinew_actor_rename_layers", REFUSES, rename_layers, false},
                                {"sinew_actor_set_graph", REFUSES, take_graph, false},
                                {"sinew_actor_hold_graph", REFUSES, hold_graph, false},
                                {"sinew_actor_continue_graph", REFUSES, continue_graph, false},
                                {"sinew_actor_set_node", REFUSES, set_node, false},
                                {"sinew_actor_seek_node", REFUSES, seek_node, false},
                                {"sinew_actor_send", WAITS, send, false},
                                {"sinew_actor_set_params", REFUSES, params, false},
                                {"sinew_actor_rename_params", REFUSES, rename_params, false},
                                {"sinew_actor_set_param", WRITES, param, false},
                                {"sinew_actor_pin_param", WRITES, pin, false},
                                {"sinew_actor_unpin_param", WRITES, unpin, false},
                                {"sinew_actor_set_modifiers", REFUSES, modifiers, false},
                                {"sinew_actor_set_modifier_state", WRITES, modifier_values, false},
                                {"sinew_actor_set_modifier_target", WRITES, target, false},
                                {"sinew_actor_set_springs", REFUSES, springs, false},
                                {"sinew_actor_set_ground", WRITES, ground, false},
                                {"sinew_actor_set_root", REFUSES, root, false},
                                {"sinew_actor_attach", REFUSES, attach, false},
                                {"sinew_actor_set_metrics", REFUSES, metrics, false},
                                {"sinew_actor_note", WRITES, note, true},
                                {"sinew_actor_explain", REFUSES, explain, false},
                                {"sinew_crowd_create", REFUSES, create_crowd, false},
                                {"sinew_crowd_destroy", WAITS, destroy_crowd, true},
                                {"sinew_crowd_set_name", REFUSES, name_crowd, false},
                                {"sinew_crowd_set_user", WRITES, user_of_crowd, true},
                                {"sinew_crowd_set_detail", REFUSES, detail, false},
                                {"sinew_crowd_seek", WRITES, seek_crowd, false},
                                {"sinew_crowd_continue", REFUSES, continue_crowd, false}};
enum { ENTRIES = sizeof entries / sizeof *entries };

/* Counts the functions of a header that change a stage. */
static int look_at_header(const char *name) {
  char path[512], line[512];
  int found = 0;
  snprintf(path, sizeof path, "%s/include/sinew/%s", SINEW_SOURCE, name);
  FILE *file = fopen(path, "r");
  assert_non_null(file);
  while (fgets(line, sizeof line, file)) {
    char *takes = strstr(line, "(sinew_stage *stage"), *function = takes ? strstr(line, "sinew_") : NULL;
    if (!takes || strncmp(line, "SINEW_API", 9) != 0) continue;
    for (char *next = function; next && next < takes; next = strstr(next + 1, "sinew_")) function = next;
    size_t size = (size_t)(takes - function);
    bool known = false;
    for (int i = 0; i < ENTRIES; i++)
      known |= strlen(entries[i].name) == size && strncmp(entries[i].name, function, size) == 0;
    if (!known) fail_msg("what does this do while the stage is locked? %s", line);
    found++;
  }
  fclose(file);
  return found;
}

/* A function that is added and forgotten here: what it does while a stage is locked has not been thought about. */
static void every_function_of_the_headers_is_in_the_table(void **state) {
  int found = 0;
  (void)state;
  DIR *folder = opendir(SINEW_SOURCE "/include/sinew");
  assert_non_null(folder);
  for (const struct dirent *item; (item = readdir(folder)) != NULL;)
    if (strstr(item->d_name, ".h")) found += look_at_header(item->d_name);
  closedir(folder);
  assert_int_equal(found, ENTRIES);
}

/* ---- what one of them did ---- */

/* All that the functions above change, as bytes. */
typedef struct picture {
  actor actor;
  action action;
  modifier modifiers[KINDS];
  sinew_spring_state springs[LIMB];
  sinew_foot feet[1];
  double params[2], set[2], clip_times[GRAPH_SEEN];
  char sent[SENT_EVENTS][EVENT_NAME], note[SINEW_MARK_TEXT];
  int actors, crowds, threads, sent_count, markers, curves, metrics;
  float half_from;
  double phase; /* of the crowd's first character */
  void *users[2];
  bool bind_pose, lives, crowd_lives;
  sinew_node_def node;
  sinew_condition_function *condition;
  float morph;
} picture;

static void take_picture(const scene *s, picture *p) {
  const actor *a = stage_find(s->stage, s->actor);
  const crowd *c = stage_find_crowd(s->stage, s->crowd);
  const action *playing = stage_find_action(s->stage, s->action.id);
  memset(p, 0, sizeof *p);
  p->actors = s->stage->actor_count, p->crowds = s->stage->crowd_count;
  p->threads = s->stage->threads_wanted;
  p->bind_pose = s->stage->bind_pose;
  p->condition = s->stage->condition;
  p->lives = a != NULL, p->crowd_lives = c != NULL;
  if (c) p->half_from = c->detail.half_from;
  p->phase = sinew_crowd_phase(s->stage, s->crowd, 0);
  p->users[0] = s->stage->user, p->users[1] = c ? c->user : NULL;
  if (playing) memcpy(&p->action, playing, sizeof p->action);
  sinew_stage_markers(s->stage, s->model, 0, &p->markers);
  p->curves = sinew_stage_curve_name(s->stage, s->model, 0) != NULL;
  if (!a) return;
  memcpy(&p->actor, a, sizeof p->actor);
  p->actor.goes = p->actor.sends = false;
  p->actor.instances = (clip_instance_list){0}; /* they may move */
  p->actor.inputs = NULL;
  for (int i = 0; i < a->modifiers.count; i++) p->modifiers[i] = a->modifiers.items[i];
  if (a->metrics) memcpy(p->note, a->metrics->marks.notes[0].text, sizeof p->note);
  if (a->modifiers.count) memcpy(p->springs, a->modifiers.items[3].springs, sizeof p->springs);
  if (a->modifiers.count) p->feet[0] = a->modifiers.items[4].feet[0];
  memcpy(p->params, a->params.values, (size_t)(a->params.count < 2 ? a->params.count : 2) * sizeof *p->params);
  memcpy(p->set, a->params.set, (size_t)(a->params.count < 2 ? a->params.count : 2) * sizeof *p->set);
  p->sent_count = a->inputs->sent_count;
  if (a->layers[0].graph) p->node = a->layers[0].graph->nodes[1];
  graph_seen seen = {.count = 0};
  if (a->layers[0].graph) graph_see(a->layers[0].graph, &seen);
  for (int i = 0; i < seen.count; i++) p->clip_times[i] = playback_time(seen.items[i].playback);
  if (a->manual) p->morph = a->manual[0];
}

static bool always(void *user, sinew_actor who, int64_t condition) {
  (void)user, (void)who, (void)condition;
  return true;
}

static void open_scene(scene *s) {
  static heard h;
  const char *name = "a";
  sinew_play_def def = sinew_play_def_default();
  sinew_metrics_def measured = sinew_metrics_def_default();
  *s = (scene){.stage = sinew_stage_create(NULL), .model = cast_model(40)};
  assert_non_null(s->stage);
  fill_stage(s->stage, s->model, &h);
  s->actor = sinew_stage_actor(s->stage, 2), s->other = sinew_stage_actor(s->stage, 0);
  s->fresh = sinew_actor_create(s->stage, "fresh", s->model, NULL);
  s->crowd = sinew_stage_crowd(s->stage, 0);
  sinew_crowd_def other = sinew_crowd_def_default();
  other.model = s->model;
  s->other_crowd = sinew_crowd_create(s->stage, &other, NULL);
  s->action = sinew_actor_play(s->stage, s->actor, &def, NULL);
  assert_true(sinew_actor_set_params(s->stage, s->actor, &name, NULL, 1, NULL));
  assert_true(sinew_actor_pin_param(s->stage, s->actor, 0, 3));
  assert_true(sinew_actor_set_metrics(s->stage, s->actor, &measured, NULL));
  sinew_stage_set_conditions(s->stage, always, NULL);
  sinew_stage_set_threads(s->stage, 2);
  sinew_stage_update(s->stage, 0.1);
}

static void close_scene(scene *s) {
  sinew_stage_destroy(s->stage);
  sinew_model_release(s->model);
}

/* Locked, nothing that was refused or waits has happened; open, the same call does something, so that it would have. */
static void each_function_answers_as_the_table_says(void **state) {
  static picture before, during, after;
  (void)state;
  for (int i = 0; i < ENTRIES; i++) {
    const entry *e = entries + i;
    scene s;
    if (e->locked == LOCKS) continue;
    open_scene(&s);
    take_picture(&s, &before);
    sinew_stage_lock(s.stage);
    e->call(&s);
    assert_true(sinew_stage_is_locked(s.stage));
    take_picture(&s, &during);
    bool changed = memcmp(&before, &during, sizeof before) != 0;
    bool refused = e->locked == REFUSES && (e->silent || !s.answer);
    if (changed != (e->locked == WRITES)) fail_msg("%s: %s while locked", e->name, changed ? "acts" : "does nothing");
    if (e->locked == REFUSES && !refused) fail_msg("%s: says that it was done", e->name);
    if (s.error.message[0] && !strstr(s.error.message, "the stage is being updated")) fail_msg("%s", s.error.message);
    sinew_stage_unlock(s.stage);
    take_picture(&s, &after);
    changed = memcmp(&during, &after, sizeof before) != 0;
    if (changed != (e->locked == WAITS)) fail_msg("%s: %s as the lock opens", e->name, changed ? "acts" : "waits on");
    if (e->locked == REFUSES && e->call != destroy_stage) {
      e->call(&s);
      take_picture(&s, &after);
      bool acts = s.answer || memcmp(&during, &after, sizeof before) != 0;
      if (!acts) fail_msg("%s: the test's own call does nothing", e->name);
    }
    close_scene(&s);
  }
}

/* ---- where a stage calls out ---- */

typedef struct caller {
  scene scene;
  int positions[3]; /* calls of a condition, a modifier, the ground */
  bool shakes;
  const entry *entry;
} caller;

/* The first time, so that what the call does is not done twice; each of them. */
static void call_out(caller *c, int position) {
  scene *s = &c->scene;
  c->positions[position]++;
  assert_true(sinew_stage_is_locked(s->stage));
  if (c->entry) {
    c->entry->call(s);
  } else {
    for (int i = 0; i < ENTRIES; i++) entries[i].call(s);
  }
  assert_true(sinew_actor_is_valid(s->stage, s->actor));
  sinew_stage_shake(s->stage);
}

static bool condition(void *user, sinew_actor who, int64_t index) {
  (void)who, (void)index;
  call_out(user, 0);
  return true;
}

static void modifier_function(void *user, sinew_actor who, int index, const sinew_posed *posed, float weight,
                              double dt) {
  (void)who, (void)index, (void)posed, (void)weight, (void)dt;
  call_out(user, 1);
}

static float ground_function(void *user, float x, float z, sinew_vec3 *normal) {
  (void)x, (void)z, (void)normal;
  call_out(user, 2);
  return 0;
}

static void open_caller(caller *c, const entry *e) {
  *c = (caller){.entry = e};
  scene *s = &c->scene;
  open_scene(s);
  sinew_node_def nodes[3] = {sinew_node_def_default(), sinew_node_def_default(), sinew_node_def_default()};
  nodes[0].kind = SINEW_NODE_MACHINE, nodes[0].first_child = 1, nodes[0].child_count = 2, nodes[0].transition_count = 2;
  sinew_transition_def turns[2] = {sinew_transition_def_default(), sinew_transition_def_default()};
  turns[0].from = turns[1].to = 0, turns[0].to = turns[1].from = 1;
  turns[0].condition = turns[1].condition = 3;
  assert_true(sinew_actor_set_graph(s->stage, s->actor, 0, &(sinew_graph_def){nodes, 3, turns, 2}, 0, NULL));
  sinew_modifier_def def = sinew_modifier_def_default(SINEW_MODIFIER_FUNCTION);
  def.name = "function", def.function = modifier_function, def.user = c;
  assert_true(sinew_actor_set_modifiers(s->stage, s->actor, &def, 1, NULL));
  sinew_metrics_def measured = sinew_metrics_def_default();
  int foot = 5;
  measured.feet = &foot, measured.foot_count = 1, measured.ground = ground_function, measured.user = c;
  assert_true(sinew_actor_set_metrics(s->stage, s->actor, &measured, NULL));
  sinew_stage_set_conditions(s->stage, condition, c);
}

/* A clip of one's own update may not be stopped, an actor not removed under its own modifier … and so on, everywhere:
 * with sanitizers the arrays that move find every pointer that was kept. */
static void whatever_is_called_back_does_no_harm(void **state) {
  (void)state;
  for (int i = -1; i < ENTRIES; i++) {
    caller c;
    open_caller(&c, i < 0 ? NULL : entries + i);
    sinew_stage_update(c.scene.stage, 0.1);
    assert_true(c.positions[0] && c.positions[1] && c.positions[2]);
    assert_false(sinew_stage_is_locked(c.scene.stage));
    bool removed = i < 0 || entries[i].call == destroy;
    assert_int_equal(sinew_actor_is_valid(c.scene.stage, c.scene.actor), !removed);
    sinew_stage_set_conditions(c.scene.stage, NULL, NULL);
    sinew_stage_update(c.scene.stage, 0.1);
    close_scene(&c.scene);
  }
}

static void an_explanation_is_locked_like_an_update(void **state) {
  (void)state;
  caller c;
  open_caller(&c, NULL);
  scene *s = &c.scene;
  int before = c.positions[1];
  assert_true(sinew_actor_explain(s->stage, s->actor, 1, NULL, 0, &s->error) >= 0);
  assert_true(c.positions[1] > before); /* and call_out has found it locked */
  assert_false(sinew_stage_is_locked(s->stage));
  close_scene(s);
}

/* Every request for a change is counted, even one that is refused or has to wait: tests of the bindings read the
 * count. */
static void each_change_is_counted(void **state) {
  (void)state;
  scene s;
  open_scene(&s);
  sinew_stage_lock(s.stage);
  for (int i = 0; i < ENTRIES; i++) {
    int64_t before = s.stage->changes;
    if (entries[i].locked != REFUSES && entries[i].locked != WAITS) continue;
    entries[i].call(&s);
    if (s.stage->changes == before) fail_msg("%s is not counted", entries[i].name);
  }
  sinew_stage_unlock(s.stage);
  close_scene(&s);
}

static void an_open_stage_stays_open_when_it_is_unlocked(void **state) {
  (void)state;
  scene s;
  open_scene(&s);
  sinew_stage_unlock(s.stage);
  assert_false(sinew_stage_is_locked(s.stage));
  sinew_stage_lock(s.stage);
  assert_true(sinew_stage_is_locked(s.stage));
  sinew_stage_unlock(s.stage);
  close_scene(&s);
}

static void what_was_sent_is_heard_by_the_next_update(void **state) {
  (void)state;
  scene s;
  open_scene(&s);
  sinew_stage_lock(s.stage);
  sinew_stage_lock(s.stage);
  assert_true(sinew_actor_send(s.stage, s.actor, "late"));
  const actor *a = stage_find(s.stage, s.actor);
  sinew_stage_unlock(s.stage);
  assert_int_equal(a->inputs->sent_count, 0);
  sinew_stage_unlock(s.stage);
  assert_int_equal(a->inputs->sent_count, 1);
  assert_string_equal(a->inputs->sent[0], "late");
  sinew_stage_update(s.stage, 0.1);
  assert_int_equal(a->inputs->sent_count, 0);
  sinew_stage_lock(s.stage);
  assert_true(sinew_actor_send(s.stage, s.actor, "again"));
  sinew_stage_unlock(s.stage);
  assert_int_equal(a->inputs->sent_count, 1); /* each once */
  assert_string_equal(a->inputs->sent[0], "again");
  close_scene(&s);
}

/* All conditions before any clock: the second actor's sees where the first one's clip was. */
typedef struct order {
  sinew_stage *stage;
  sinew_action actions[2];
  int asked;
} order;

static bool nothing_has_moved(void *user, sinew_actor who, int64_t index) {
  order *o = user;
  sinew_play_def state;
  (void)who, (void)index;
  o->asked++;
  for (int i = 0; i < 2; i++) {
    assert_true(sinew_action_read_state(o->stage, o->actions[i], &state));
    assert_true(state.time == 0);
  }
  return false;
}

static void conditions_are_asked_before_any_clock_moves(void **state) {
  (void)state;
  order o = {.stage = sinew_stage_create(NULL)};
  sinew_model *model = cast_model(20);
  for (int i = 0; i < 2; i++) {
    sinew_actor fresh = sinew_actor_create(o.stage, "x", model, NULL);
    sinew_node_def nodes[3] = {sinew_node_def_default(), sinew_node_def_default(), sinew_node_def_default()};
    nodes[0].kind = SINEW_NODE_MACHINE, nodes[0].first_child = 1, nodes[0].child_count = 2,
    nodes[0].transition_count = 1;
    sinew_transition_def turn = sinew_transition_def_default();
    turn.to = 1, turn.condition = 0;
    assert_true(sinew_actor_set_graph(o.stage, fresh, 0, &(sinew_graph_def){nodes, 3, &turn, 1}, 0, NULL));
    sinew_play_def def = sinew_play_def_default();
    o.actions[i] = sinew_actor_play(o.stage, fresh, &def, NULL);
  }
  sinew_stage_set_conditions(o.stage, nothing_has_moved, &o);
  sinew_stage_update(o.stage, 0.01);
  assert_int_equal(o.asked, 2);
  sinew_stage_destroy(o.stage);
  sinew_model_release(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_function_of_the_headers_is_in_the_table),
      cmocka_unit_test(each_function_answers_as_the_table_says),
      cmocka_unit_test(whatever_is_called_back_does_no_harm),
      cmocka_unit_test(an_explanation_is_locked_like_an_update),
      cmocka_unit_test(each_change_is_counted),
      cmocka_unit_test(an_open_stage_stays_open_when_it_is_unlocked),
      cmocka_unit_test(what_was_sent_is_heard_by_the_next_update),
      cmocka_unit_test(conditions_are_asked_before_any_clock_moves),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
