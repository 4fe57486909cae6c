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
  const char *result; /* the text with 9.5 in its place; or the reason */
} spelling;

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
    {"hero:play('Walk', { weight = 1 })", 1, "play", "speed", "does not say 'speed'"},
    {"hero:play('Walk', options)", 1, "play", "speed", "no call of 'play' with a table"},
    {"hero:play('Walk')", 1, "play", "speed", "no call of 'play'"},
    {"-- hero:play('Walk', { speed = 1 })", 1, "play", "speed", "no call of 'play'"},
    {"local s = \"hero:play('Walk', { speed = 1 })\"", 1, "play", "speed", "no call of 'play'"},
    {"local o = { speed = 1 } hero:play('Walk', o)", 1, "play", "speed", "no call of 'play'"},
    {"a:play('A', { speed = 1 }) b:play('B', { speed = 1 })", 1, "play", "speed", "several calls"},
    {"a:play('A', { speed = 1 }) b:play('B', { speed = x })", 1, "play", "speed", "several calls"},
    {"a:play('A', { speed = 1 })", 2, "play", "speed", "no call of 'play'"},
    {"space { { 0, 'Idle' } }", 1, "space", "[2][1]", "does not say '[2][1]'"},
    {"space { { 0 } }", 1, "space", "", "does not say"},
    {"", 1, "play", "speed", "no call of 'play'"},
};

static void found_and_replaced(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
    const spelling *s = good + i;
    char out[512], reason[256];
    size_t begin, length;
    rewrite_job job = {s->text, strlen(s->text), s->line, s->callee, s->path, &allocator};
    if (!rewrite_find(&job, &begin, &length, reason, sizeof reason)) fail_msg("%s: %s", s->text, reason);
    snprintf(out, sizeof out, "%.*s9.5%s", (int)begin, s->text, s->text + begin + length);
    assert_string_equal(out, s->result);
  }
}

static void refused_with_the_reason(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    const spelling *s = bad + i;
    char reason[256] = "";
    size_t begin, length;
    rewrite_job job = {s->text, strlen(s->text), s->line, s->callee, s->path, &allocator};
    if (rewrite_find(&job, &begin, &length, reason, sizeof reason)) fail_msg("not refused: %s", s->text);
    if (!strstr(reason, s->result)) fail_msg("%s: %s", s->text, reason);
  }
}

/* Whatever is cut off anywhere, nothing outside of the text is read, and what is found is a number. */
static void texts_that_break_off(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof good / sizeof *good; i++)
    for (size_t size = 0; size <= strlen(good[i].text); size++) {
      char *part = malloc(size + 1), reason[256];
      size_t begin, length;
      memcpy(part, good[i].text, size);
      rewrite_job job = {part, size, good[i].line, good[i].callee, good[i].path, &allocator};
      if (rewrite_find(&job, &begin, &length, reason, sizeof reason)) assert_true(begin + length <= size && length > 0);
      free(part);
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
