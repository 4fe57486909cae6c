/* Numbers are found in scripts of many spellings, and only where there is no doubt. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lua/rewrite.h"

static void *heap(void *user, void *pointer, size_t size) {
  (void)user;
  if (size > 0) return realloc(pointer, size);
  free(pointer);
  return NULL;
}

static const sinew_allocator allocator = {heap, NULL};

typedef struct spelling {
  const char *text;
  int line;
  const char *callee, *path;
  const char *result; /* the text with the value in its place; or the reason */
} spelling;

/* In a module of sinew, or in a text. */
typedef struct placed {
  const char *value, *module, *field;
  bool is_transition;
  spelling at;
} placed;

typedef struct valued {
  const char *value;
  spelling at;
} valued;

static const spelling good[] = {
    {"hero:play('Walk', { speed = 1 })", 1, "play", "speed", "hero:play('Walk', { speed = 9.5 })"},
    {"hero:play('Walk', {speed=-1.25})", 1, "play", "speed", "hero:play('Walk', {speed=9.5})"},
    {"play{speed=1e-5,}", 1, "play", "speed", "play{speed=9.5,}"},
    {"play{speed=0x1p-3}", 1, "play", "speed", "play{speed=9.5}"},
    {"play{speed=.5}", 1, "play", "speed", "play{speed=9.5}"},
    {"play { speed --[[ 2 ]] = --[==[ = 3 ]==] 4 -- 5\n }", 1, "play", "speed",
     "play { speed --[[ 2 ]] = --[==[ = 3 ]==] 9.5 -- 5\n }"},
    {"a()\r\nhero:play('Walk',\r\n{ speed = 1,\r\n weight = 2 })\r\n", 2, "play", "weight",
     "a()\r\nhero:play('Walk',\r\n{ speed = 1,\r\n weight = 9.5 })\r\n"},
    {"play { ['speed'] = 3 }", 1, "play", "speed", "play { ['speed'] = 9.5 }"},
    {"play { name = '{ speed = 7 }', speed = 3 }", 1, "play", "speed", "play { name = '{ speed = 7 }', speed = 9.5 }"},
    {"play { text = [[ speed = 1 ]], speed = 3; }", 1, "play", "speed",
     "play { text = [[ speed = 1 ]], speed = 9.5; }"},
    {"play { text = \"\\\" speed = 1\", speed = 3 }", 1, "play", "speed",
     "play { text = \"\\\" speed = 1\", speed = 9.5 }"},
    {"actor('hero', model 'a.glb', { params = { speed = 1, turn = 2 } })", 1, "actor", "params.turn",
     "actor('hero', model 'a.glb', { params = { speed = 1, turn = 9.5 } })"},
    {"space { { 0, 'Idle' }, { 1.4, 'Walk' } }", 1, "space", "[2][1]", "space { { 0, 'Idle' }, { 9.5, 'Walk' } }"},
    {"machine { states = { move = space { { 0, 'A' }, { 4, 'B' } } } }", 1, "space", "[2][1]",
     "machine { states = { move = space { { 0, 'A' }, { 9.5, 'B' } } } }"},
    {"a:play('A', { speed = 1 }) b:stop({ speed = 2 })", 1, "play", "speed",
     "a:play('A', { speed = 9.5 }) b:stop({ speed = 2 })"},
    {"a:play('A', { speed = 1 })\nb:play('B', { speed = 2 })", 2, "play", "speed",
     "a:play('A', { speed = 1 })\nb:play('B', { speed = 9.5 })"},
    {"play { speed = 1, speed = 2 }", 1, "play", "speed", "play { speed = 1, speed = 9.5 }"},
    {"play { inner = { speed = 1 }, speed = 2 }", 1, "play", "speed", "play { inner = { speed = 1 }, speed = 9.5 }"},
    {"play { f = function() return { speed = 1 } end, speed = 2 }", 1, "play", "speed",
     "play { f = function() return { speed = 1 } end, speed = 9.5 }"},
    {"hero.opacity = 0.5", 1, NULL, "opacity", "hero.opacity = 9.5"},
    {"x = 1 hero.opacity = -0.5 hero.visible = true", 1, NULL, "opacity",
     "x = 1 hero.opacity = 9.5 hero.visible = true"},
    {"hero.morphs['A smile'] = 1; f()", 1, NULL, "morphs.A smile", "hero.morphs['A smile'] = 9.5; f()"},
    {"actor('hero', { opacity = 1 })", 1, "actor", "opacity", "actor('hero', { opacity = 9.5 })"},
    {"hero.opacity = 1", 1, "actor", "opacity", "hero.opacity = 9.5"},
};

/* What was not written. */
static const spelling inserted[] = {
    {"hero:play 'Walk'", 1, "play", "speed", "hero:play('Walk', { speed = 9.5 })"},
    {"hero:play 'Walk':stop() x()", 1, "play", "speed", "hero:play('Walk', { speed = 9.5 }):stop() x()"},
    {"hero:play('Walk')", 1, "play", "speed", "hero:play('Walk', { speed = 9.5 })"},
    {"hero:play('Walk', { weight = 1 })", 1, "play", "speed", "hero:play('Walk', { weight = 1, speed = 9.5 })"},
    {"hero:play('Walk', {})", 1, "play", "speed", "hero:play('Walk', { speed = 9.5 })"},
    {"hero:play('Walk', {\n  weight = 1, -- half\n})", 1, "play", "speed",
     "hero:play('Walk', {\n  weight = 1, speed = 9.5, -- half\n})"},
    {"function f() hero:play('Walk') end", 1, "play", "speed", "function f() hero:play('Walk', { speed = 9.5 }) end"},
    {"local o = { weight = 1 } hero:play('Walk', o)", 1, "play", "speed",
     "local o = { weight = 1, speed = 9.5 } hero:play('Walk', o)"},
    {"local o = { speed = 1 } hero:play('Walk', o)", 1, "play", "speed",
     "local o = { speed = 9.5 } hero:play('Walk', o)"},
    {"local S = 1.2 -- m/s\nhero:play('Walk', { speed = S })", 2, "play", "speed",
     "local S = 9.5 -- m/s\nhero:play('Walk', { speed = S })"},
    {"hero:root_motion()", 1, "root_motion", "height", "hero:root_motion({ height = 9.5 })"},
    {"sinew.actor('a', man)", 1, "actor", "params.speed", "sinew.actor('a', man, { params = { speed = 9.5 } })"},
    {"blend { speed = 1, f() }", 1, "blend", "fade", "blend { fade = 9.5, speed = 1, f() }"},
    {"blend { f() }", 1, "blend", "fade", "blend { fade = 9.5, f() }"},
    {"machine { transitions = { { 'a', 'b', on = 'x' } } }", 1, "machine", "transitions[1].fade",
     "machine { transitions = { { 'a', 'b', on = 'x', fade = 9.5 } } }"},
};

static const placed placements[] = {
    {"9.5",
     "",
     NULL,
     false,
     {"local hero = sinew.actor('a', man, {\n})\nf()", 1, "actor", "morphs.Smile",
      "local hero = sinew.actor('a', man, {\n})\nhero.morphs.Smile = 9.5\nf()"}},
    {"9.5",
     NULL,
     "speed",
     false,
     {"space { { 0, 'Idle' }, { 1, 'Walk' } }", 1, "space", "[2][2]",
      "space { { 0, 'Idle' }, { 1, sinew.clip { 'Walk', speed = 9.5 } } }"}},
    {"9.5",
     NULL,
     "speed",
     false,
     {"machine { states = { a = 'Walk' } }", 1, "machine", "states.a",
      "machine { states = { a = sinew.clip { 'Walk', speed = 9.5 } } }"}},
    {"9.5",
     NULL,
     "fade",
     true,
     {"machine { 'a -> b: on x, fade 0.2, inertial' }", 1, "machine", "[1]",
      "machine { 'a -> b: on x, fade 9.5, inertial' }"}},
    {"9.5",
     NULL,
     "fade",
     true,
     {"machine { 'a -> b: on x' }", 1, "machine", "[1]", "machine { 'a -> b: on x, fade 9.5' }"}},
    {"9.5",
     "camera",
     NULL,
     false,
     {"local sinew = require 'sinew' -- first\nf()\n", 1, NULL, "fov",
      "local sinew = require 'sinew' -- first\nsinew.camera.fov = 9.5\nf()\n"}},
    {"9.5",
     "camera",
     NULL,
     false,
     {"require 'sinew'\nsinew.camera.position = {\n 0, 1, 2 }\nfunction f() sinew.camera.orbit = true end\n", 1, NULL,
      "fov",
      "require 'sinew'\nsinew.camera.position = {\n 0, 1, 2 }\nsinew.camera.fov = 9.5\nfunction f() sinew.camera.orbit "
      "= "
      "true end\n"}},
    {"\"inertial\"",
     NULL,
     "blend",
     true,
     {"machine { 'a -> b: on x, crossfade' }", 1, "machine", "[1]", "machine { 'a -> b: on x, inertial' }"}},
    {"\"in_out\"",
     NULL,
     "ease",
     true,
     {"machine { 'a -> b: on x' }", 1, "machine", "[1]", "machine { 'a -> b: on x, ease in_out' }"}},
    {"true",
     NULL,
     "locked",
     true,
     {"machine { 'a -> b: on x' }", 1, "machine", "[1]", "machine { 'a -> b: on x, locked' }"}},
    {"false",
     NULL,
     "locked",
     true,
     {"machine { 'a -> b: on x, locked, fade 1' }", 1, "machine", "[1]", "machine { 'a -> b: on x, fade 1' }"}},
    {"\"once\"", NULL, "loop", false, {"a { 'Walk' }", 1, "a", "[1]", "a { sinew.clip { 'Walk', loop = \"once\" } }"}},
};

static const valued good_values[] = {
    {"\"b\"", {"sinew.view.joint = 'a'", 1, NULL, "joint", "sinew.view.joint = \"b\""}},
    {"\"model\"",
     {"layer { space = 'local', weight = 1 }", 1, "layer", "space", "layer { space = \"model\", weight = 1 }"}},
    {"true", {"layer { additive = false }", 1, "layer", "additive", "layer { additive = true }"}},
    {"{ C = 1 }",
     {"layer { mask = { ['A/**'] = 1, B = -.5, }, weight = 1 }", 1, "layer", "mask",
      "layer { mask = { C = 1 }, weight = 1 }"}},
    {"{ 3, 4, 5 }",
     {"sinew.camera.position = { 0, -1.5, 2 } -- from above", 1, NULL, "position",
      "sinew.camera.position = { 3, 4, 5 } -- from above"}},
    {"{ 3, 4, 5 }", {"a.color = {1,1,1} b.x = 2", 1, NULL, "color", "a.color = { 3, 4, 5 } b.x = 2"}},
    {"{ 3 }", {"hero.position = { 0, 1, 2 }", 1, "actor", "position", "hero.position = { 3 }"}},
    {"true", {"hero.visible = false -- opacity = 1", 1, NULL, "visible", "hero.visible = true -- opacity = 1"}},
};

static const spelling bad[] = {
    {"hero:play('Walk', { speed = tune.speed })", 1, "play", "speed", "not written there as a number"},
    {"hero:play('Walk', { speed = 2 * 3 })", 1, "play", "speed", "not written there as a number"},
    {"hero:play('Walk', { speed = 1 + x })", 1, "play", "speed", "not written there as a number"},
    {"hero:play('Walk', { speed = f(1) })", 1, "play", "speed", "not written there as a number"},
    {"hero:play('Walk', { speed = '1' })", 1, "play", "speed", "not written there as a number"},
    {"hero:play('Walk', { speed = true })", 1, "play", "speed", "not written there as a number"},
    {"hero:play('Walk', { speed = - - 1 })", 1, "play", "speed", "not written there as a number"},
    {"hero:play('Walk', { params = tune })", 1, "play", "params.speed", "not written there as a number"},
    {"hero:play('Walk', options)", 1, "play", "speed", "the options of 'play' are not written as a table there"},
    {"for i = 1, 3 do hero:play('Walk') end", 1, "play", "speed", "stands in a loop"},
    {"while f() do local x = 1 repeat hero:play 'Walk' until x end", 1, "play", "speed", "stands in a loop"},
    {"local function make(x) return actor('a', man) end", 1, "actor", "opacity", "stands in a function"},
    {"actor 'a.glb'", 1, "actor", "opacity", "has no place for options"},
    {"a:play 'A' b:play 'B'", 1, "play", "speed", "several calls of 'play'"},
    {"local S = f() hero:play('Walk', { speed = S })", 1, "play", "speed", "the variable 'S' there"},
    {"local S = 1 S = 2 hero:play('Walk', { speed = S })", 1, "play", "speed", "the variable 'S' there"},
    {"local S = 1 + 2\nhero:play('Walk', { speed = S })", 2, "play", "speed", "not one written value"},
    {"-- hero:play('Walk', { speed = 1 })", 1, "play", "speed", "no call of 'play'"},
    {"local s = \"hero:play('Walk', { speed = 1 })\"", 1, "play", "speed", "no call of 'play'"},
    {"a:play('A', { speed = 1 }) b:play('B', { speed = 1 })", 1, "play", "speed", "several calls"},
    {"a:play('A', { speed = 1 }) b:play('B', { speed = x })", 1, "play", "speed", "several calls"},
    {"a:play('A', { speed = 1 })", 2, "play", "speed", "no call of 'play'"},
    {"space { { 0, 'Idle' } }", 1, "space", "[2][1]", "has no place"},
    {"space { { 0 } }", 1, "space", "", "has no"},
    {"", 1, "play", "speed", "no call of 'play'"},
    {"hero.opacity = 0.5 * fade", 1, NULL, "opacity", "not written there as a number"},
    {"hero.opacity = fade", 1, NULL, "opacity", "not written there as a number"},
    {"hero.opacity = 1 or 2", 1, NULL, "opacity", "not written there as a number"},
    {"hero.opacity, x = 1, 2", 1, NULL, "opacity", "does not set 'opacity'"},
    {"hero.opacity = 1 wolf.opacity = 1", 1, NULL, "opacity", "sets 'opacity' several times"},
    {"hero.opacity = 1 wolf.opacity = x", 1, NULL, "opacity", "sets 'opacity' several times"},
    {"local opacity = 1", 1, NULL, "opacity", "does not set 'opacity'"},
    {"hero.opacity == 1", 1, NULL, "opacity", "does not set 'opacity'"},
    {"hero.opacity = 1", 2, NULL, "opacity", "does not set 'opacity'"},
    {"actor('a', { opacity = 1 }) b.opacity = 1", 1, "actor", "opacity", "several"},
};

static const valued bad_values[] = {
    {"\"model\"", {"layer { space = SPACE }", 1, "layer", "space", "the variable 'SPACE' there"}},
    {"\"model\"", {"layer { space = [[local]] }", 1, "layer", "space", "not written there as a text"}},
    {"{ C = 1 }", {"layer { mask = { A = w } }", 1, "layer", "mask", "not written there as a table"}},
    {"{ C = 1 }", {"layer { mask = { [w] = 1 } }", 1, "layer", "mask", "not written there as a table"}},
    {"{ C = 1 }", {"layer { mask = { A = 1 --[[ arm ]] } }", 1, "layer", "mask", "not written there as a table"}},
    {"{ C = 1 }", {"layer { mask = shared }", 1, "layer", "mask", "the variable 'shared' there"}},
    {"{ 3 }", {"a.color = { 1, x, 1 }", 1, NULL, "color", "not written there as a table"}},
    {"{ 3 }", {"a.color = { 1, 1 }[1]", 1, NULL, "color", "not written there as a table"}},
    {"{ 3 }", {"a.color = { 1, 1 } or b", 1, NULL, "color", "not written there as a table"}},
    {"{ 3 }", {"a.color = sinew.vec3({ 1, 1 })", 1, NULL, "color", "not written there as a table"}},
    {"{ 3 }", {"local color = { 1, 1 }", 1, NULL, "color", "does not set 'color'"}},
    {"{ 3 }", {"a.color = { 1 } b.color = { 1 }", 1, NULL, "color", "sets 'color' several times"}},
    {"{ 3 }", {"a.color = 2", 1, NULL, "color", "not written there as a table"}},
    {"3", {"a.color = { 2 }", 1, NULL, "color", "not written there as a number"}},
    {"true", {"hero.visible = 1", 1, NULL, "visible", "not written there as true or false"}},
};

static bool find(const placed *p, const char *text, size_t size, rewrite_place *out, char reason[256]) {
  const spelling *s = &p->at;
  rewrite_job job = {.text = text,
                     .size = size,
                     .line = s->line,
                     .callee = s->callee,
                     .path = s->path,
                     .value = p->value,
                     .allocator = &allocator,
                     .module = p->module,
                     .field = p->field,
                     .is_transition = p->is_transition};
  return rewrite_find(&job, out, reason, 256);
}

static void expect_placed(const placed *p) {
  const spelling *s = &p->at;
  char out[2048], reason[256];
  rewrite_place at;
  if (!find(p, s->text, strlen(s->text), &at, reason)) fail_msg("%s: %s", s->text, reason);
  snprintf(out, sizeof out, "%.*s%s%s", (int)at.begin, s->text, at.text, s->text + at.begin + at.length);
  assert_string_equal(out, s->result);
}

static placed plain(const spelling *s, const char *value) { return (placed){value, NULL, NULL, false, *s}; }

static void expect_found(const spelling *s, const char *value) {
  placed p = plain(s, value);
  expect_placed(&p);
}

static void expect_refused(const spelling *s, const char *value) {
  char reason[256] = "";
  rewrite_place at;
  placed p = plain(s, value);
  if (find(&p, s->text, strlen(s->text), &at, reason)) fail_msg("not refused: %s", s->text);
  if (!strstr(reason, s->result)) fail_msg("%s: %s", s->text, reason);
}

#define COUNT(array) (sizeof(array) / sizeof *(array))

static void found_and_replaced(void **state) {
  (void)state;
  for (size_t i = 0; i < COUNT(good); i++) expect_found(good + i, "9.5");
  for (size_t i = 0; i < COUNT(inserted); i++) expect_found(inserted + i, "9.5");
  for (size_t i = 0; i < COUNT(good_values); i++) expect_found(&good_values[i].at, good_values[i].value);
  for (size_t i = 0; i < COUNT(placements); i++) expect_placed(placements + i);
}

static void refused_with_the_reason(void **state) {
  (void)state;
  for (size_t i = 0; i < COUNT(bad); i++) expect_refused(bad + i, "9.5");
  for (size_t i = 0; i < COUNT(bad_values); i++) expect_refused(&bad_values[i].at, bad_values[i].value);
}

/* Whatever is cut off anywhere, nothing outside of the text is read, and what is found lies in it. */
static void cut_anywhere(const placed *p) {
  const spelling *s = &p->at;
  for (size_t size = 0; size <= strlen(s->text); size++) {
    char *part = malloc(size + 1), reason[256];
    rewrite_place at;
    memcpy(part, s->text, size);
    if (find(p, part, size, &at, reason)) assert_true(at.begin + at.length <= size);
    free(part);
  }
}

static void texts_that_break_off(void **state) {
  (void)state;
  for (size_t i = 0; i < COUNT(placements); i++) cut_anywhere(placements + i);
  for (size_t i = 0; i < COUNT(good) + COUNT(inserted) + COUNT(good_values); i++) {
    size_t k = i - COUNT(good), v = k - COUNT(inserted);
    placed p = i < COUNT(good)       ? plain(good + i, "9.5")
               : k < COUNT(inserted) ? plain(inserted + k, "9.5")
                                     : plain(&good_values[v].at, good_values[v].value);
    cut_anywhere(&p);
  }
}

static void numbers_are_short_and_the_same(void **state) {
  (void)state;
  const struct {
    double value;
    const char *text;
  } cases[] = {{1, "1"}, {0.1f, "0.1"}, {-2.5, "-2.5"}, {0, "0"}, {1.0 / 3, "0.33333333"}, {16777215, "16777215"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[REWRITE_NUMBER];
    rewrite_number(cases[i].value, text);
    assert_string_equal(text, cases[i].text);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(found_and_replaced), cmocka_unit_test(refused_with_the_reason),
                                     cmocka_unit_test(texts_that_break_off),
                                     cmocka_unit_test(numbers_are_short_and_the_same)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
