/* The message after a save against another opinion: two sources are compared as texts, line by line, by somebody who
 * knows nothing of declarations. Each value that differs is told once, by its name; each line that comes or goes is
 * told; and nothing else is. */
#include "harness.h"

enum { VALUES = 3, TEXT = 8192 };

/* A line of the scene: with a value where it says %s, or one that may be left out. */
typedef struct line {
  const char *text;
  const char *values[VALUES]; /* none: it stays as it is */
  const char *name;           /* how the value is called where it has no `name =` before it */
  const char *declares;       /* of a line that may be left out */
} line;

static const line lines[] = {
    {"local sinew = require 'sinew'", {0}, 0, 0},
    {"local man = sinew.model 'hero.glb'", {0}, 0, 0},
    {"local hero = sinew.actor('hero', man)", {0}, 0, 0},
    {"sinew.actor('guest', man)", {0}, 0, "guest"},
    {"hero:play('Walk', {", {0}, 0, 0},
    {"  fade = %s,", {"0.2", "0.35", "1"}, 0, 0},
    {"  speed = %s,", {"1", "1.5", "2"}, 0, 0},
    {"  to = %s,", {"0.8", "0.4", "0.6"}, 0, 0},
    {"})", {0}, 0, 0},
    {"hero:layer('top', {})", {0}, 0, "top"},
    {"hero:layer('arm', {", {0}, 0, 0},
    {"  weight = %s,", {"1", "0.25", "0.5"}, 0, 0},
    {"}):play('Wave', {", {0}, 0, 0},
    {"  loop = %s,", {"'once'", "2", "'ping_pong'"}, 0, 0},
    {"})", {0}, 0, 0},
    {"local cat = sinew.actor('cat', man, { params = {", {0}, 0, 0},
    {"  pace = %s,", {"1", "2", "3"}, 0, 0},
    {"} })", {0}, 0, 0},
    {"cat:set_graph(sinew.blend_space_1d { param = 'pace',", {0}, 0, 0},
    {"  { %s, 'Walk' },", {"1.6", "1.8", "2"}, "x", 0},
    {"  { 0, 'Idle' }, { 4, 'Run' },", {0}, 0, 0},
    {"  { 5, 'Jump' },", {0}, 0, "Jump"},
    {"  smooth = %s,", {"0.1", "0.3", "0.25"}, 0, 0},
    {"})", {0}, 0, 0},
    {"local dog = sinew.actor('dog', man)", {0}, 0, 0},
    {"dog:set_graph(sinew.state_machine {", {0}, 0, 0},
    {"  states = { a = 'Idle', b = 'Walk',", {0}, 0, 0},
    {"    c = 'Run',", {0}, 0, "c"},
    {"  },", {0}, 0, 0},
    {"  transitions = { { 'a', 'b',", {0}, 0, 0},
    {"    on = %s,", {"'go'", "'leave'", "'run'"}, 0, 0},
    {"    fade = %s,", {"0.2", "0.4", "0.5"}, 0, 0},
    {"  },", {0}, 0, 0},
    {"  { 'b', 'a', on = 'stop' },", {0}, 0, "b → a"},
    {"} })", {0}, 0, 0},
    {"dog:set_modifiers {", {0}, 0, 0},
    {"  sinew.copy_transform { 'hands', joint = 'LeftHand', source = 'RightHand' },", {0}, 0, "hands"},
    {"  sinew.ik { 'reach', tip = 'RightHand', target = { 1, 1, 1 },", {0}, 0, 0},
    {"    weight = %s,", {"1", "0.5", "0.75"}, 0, 0},
    {"    soften = %s,", {"0.97", "0.5", "0.75"}, 0, 0},
    {"  } }", {0}, 0, 0},
    {"hero.opacity = %s", {"1", "0.5", "0.75"}, 0, 0},
    {"dog.skinning = %s", {"'linear'", "'dual_quaternion'", "'linear'"}, 0, 0},
    {"cat.visible = %s", {"true", "false", "true"}, 0, 0},
    {"cat.rotation = %s", {"0", "1", "0.5"}, 0, 0},
    {"hero.morphs.Blink = %s", {"0", "0.5", "1"}, "hero.Blink", 0},
    {"sinew.light.intensity = %s", {"3", "2", "4"}, "light.intensity", 0},
    {"sinew.view.names = %s", {"false", "true", "false"}, "view.names", 0},
    {"sinew.view.surface = %s", {"'joints'", "'normals'", "'weight'"}, "view.surface", 0},
    {"sinew.camera.fov = %s", {"1", "0.5", "0.25"}, "camera.fov", 0},
    {"man:markers('Run', { { %s, 'step' } })", {"0.25", "0.5", "0.125"}, "time", 0},
    {"cat:attach('Hips', sinew.actor('lamp', man), { offset = {", {0}, 0, 0},
    {"  rotation = %s,", {"0", "1", "0.5"}, "lamp hangs elsewhere: offset.rotation", 0},
    {"} })", {0}, 0, 0},
    {"sinew.crowd(man, 3, { name = 'many', graph = 'Walk', params = {", {0}, 0, 0},
    {"  gait = %s,", {"1", "2", "0"}, "many.gait", 0},
    {"},", {0}, 0, 0},
    {"  half_from = %s,", {"5", "9", "7"}, 0, 0},
    {"  tinted = %s,", {"'Jacket'", "'Skin'", "'Hair'"}, 0, 0},
    {"})", {0}, 0, 0},
    {"sinew.keep('tune', {", {0}, 0, 0},
    {"  ease = %s,", {"0.2", "0.4", "0.3"}, 0, 0},
    {"})", {0}, 0, 0},
};
enum { LINES = sizeof lines / sizeof *lines };

/* A version of the script: the number of a value for each line; −1 leaves the line out. */
typedef struct source {
  int says[LINES];
} source;

static void write_source(const source *s, char text[TEXT]) {
  size_t used = 0;
  for (int i = 0; i < LINES; i++) {
    if (s->says[i] < 0) continue;
    const char *value = lines[i].values[0] ? lines[i].values[s->says[i]] : "";
    used += (size_t)snprintf(text + used, TEXT - used, lines[i].text, value);
    used += (size_t)snprintf(text + used, TEXT - used, "\n");
  }
}

/* ---- the other opinion ---- */

static int count(const char *text, const char *word) {
  int found = 0;
  for (const char *at = strstr(text, word); at; at = strstr(at + 1, word)) found++;
  return found;
}

/* The word before the last '=' of the line, with what it belongs to. */
static void name_of(const line *l, char out[64]) {
  const char *end = strrchr(l->text, '='), *begin;
  if (l->name) {
    snprintf(out, 64, "%s", l->name);
    return;
  }
  while (end[-1] == ' ') end--;
  for (begin = end; begin > l->text && begin[-1] != ' '; begin--) continue;
  snprintf(out, 64, "%.*s", (int)(end - begin), begin);
}

static void bare(const char *value, char out[64]) {
  size_t size = strlen(value);
  if (value[0] == '\'') snprintf(out, 64, "%.*s", (int)size - 2, value + 1);
  else snprintf(out, 64, "%s", value);
}

typedef struct opinion {
  int values, lines;
} opinion;

static opinion compare(const source *a, const source *b, const char *summary) {
  opinion o = {0, 0};
  for (int i = 0; i < LINES; i++) {
    char name[64], from[64], to[64], told[256];
    const char *const *values = lines[i].values;
    if (a->says[i] == b->says[i]) continue;
    if (lines[i].declares) {
      o.lines++;
      harness_expect(summary, lines[i].declares);
      continue;
    }
    if (strcmp(values[a->says[i]], values[b->says[i]]) == 0) continue;
    o.values++;
    name_of(lines + i, name);
    bare(values[a->says[i]], from);
    bare(values[b->says[i]], to);
    snprintf(told, sizeof told, "%s %s → %s", name, from, to);
    harness_expect(summary, told);
  }
  return o;
}

/* The words for what comes and goes, and the arrows of values; those of transitions are their names. */
static void expect_no_more(const opinion *o, const char *summary) {
  int came = count(summary, " joins") + count(summary, " is gone") + count(summary, " is back");
  int arrows = count(summary, "→") - count(summary, "a → b") - count(summary, "b → a");
  if (came != o->lines || arrows != o->values)
    fail_msg("%d values and %d lines differ: %s", o->values, o->lines, summary);
  if (o->values + o->lines == 0) harness_expect(summary, "nothing declared has changed");
}

/* ---- saves ---- */

static uint32_t random_state = 20261122;

static int any(int below) {
  random_state = random_state * 1664525 + 1013904223;
  return (int)((random_state >> 8) % (uint32_t)below);
}

static void edit(source *s, int i) {
  if (lines[i].values[0]) s->says[i] = (s->says[i] + 1 + any(2)) % VALUES;
  else if (lines[i].declares) s->says[i] = -1 - s->says[i];
}

static void save(harness *h, source *now, const source *next) {
  static char text[TEXT];
  write_source(next, text);
  if (!harness_reload(h, text)) fail_msg("%s\n%s", h->error.message, text);
  const char *summary = sinew_scene_summary(h->scene);
  opinion o = compare(now, next, summary);
  expect_no_more(&o, summary);
  harness_step(h, 2);
  *now = *next;
}

static void each_save_tells_what_the_texts_say(void **state) {
  static harness h;
  static char text[TEXT];
  source now = {{0}}, next;
  (void)state;
  write_source(&now, text);
  harness_open(&h, text);
  harness_step(&h, 2);
  for (int i = 0; i < LINES; i++) { /* one at a time … */
    next = now;
    edit(&next, i);
    save(&h, &now, &next);
  }
  for (int i = 0; i < 100; i++) { /* … and several */
    next = now;
    for (int k = any(5); k >= 0; k--) edit(&next, any(LINES));
    save(&h, &now, &next);
  }
  harness_close(&h);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(each_save_tells_what_the_texts_say)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
