/* The committed editor stubs are what the program writes. */
#include "harness.h"

static char *read_all(FILE *file) {
  char *text = calloc(1, 200000);
  assert_non_null(text);
  rewind(file);
  assert_true(fread(text, 1, 199999, file) > 1000);
  fclose(file);
  return text;
}

static void test_stubs(void **state) {
  FILE *fresh = tmpfile(), *committed = fopen(SINEW_SOURCE "/scripts/sinew.d.lua", "r");
  (void)state;
  assert_non_null(fresh);
  assert_non_null(committed);
  assert_true(sinew_scene_stubs(NULL, fresh, NULL));
  char *a = read_all(fresh), *b = read_all(committed);
  if (strcmp(a, b) != 0) fail_msg("scripts/sinew.d.lua is out of date: sinew stubs > scripts/sinew.d.lua");
  free(a);
  free(b);
}

static void test_reference(void **state) {
  FILE *fresh = tmpfile(), *committed = fopen(SINEW_SOURCE "/docs/reference.md", "r");
  (void)state;
  assert_non_null(fresh);
  assert_non_null(committed);
  assert_true(sinew_scene_reference(fresh, NULL));
  char *a = read_all(fresh), *b = read_all(committed);
  if (strcmp(a, b) != 0) fail_msg("docs/reference.md is out of date: sinew stubs --reference > docs/reference.md");
  free(a);
  free(b);
}

/* Each entry of the description is in them. */
static void test_all_names(void **state) {
  FILE *fresh = tmpfile(), *page = tmpfile();
  sinew_api_info info;
  (void)state;
  assert_true(sinew_scene_reference(page, NULL));
  char *reference = read_all(page);
  assert_true(sinew_scene_stubs(NULL, fresh, NULL));
  char *text = read_all(fresh), line[128];
  for (int i = 0; sinew_scene_api(i, &info); i++) {
    bool call = strcmp(info.kind, "function") == 0 || strcmp(info.kind, "method") == 0;
    snprintf(line, sizeof line, call ? "%s%s%s(" : "---@field %.0s%.0s%s", call ? info.owner : "",
             strcmp(info.kind, "method") == 0 ? ":" : ".", info.name);
    if (strcmp(info.name, "...") == 0) strcpy(line, "---@field [integer]");
    harness_expect(text, line);
    snprintf(line, sizeof line, call ? "### `%s%s%s(" : "| `%.0s%.0s%s` |", info.owner,
             strcmp(info.kind, "method") == 0 ? ":" : ".", info.name);
    if (strcmp(info.name, "...") != 0) harness_expect(reference, line);
  }
  free(reference);
  free(text);
}

/* The names of a scene are types in its stubs: what the models, the actors and the declarations have, and no others. */
static void test_names_of_a_scene(void **state) {
  static const char *const present[] = {
      "---@alias sinew.ClipName\n---| \"Breath\"\n",
      "\n---| \"LeftHandThumb3\"\n",
      "\n---| \"the \\\"first\\\"\"\n",
      "---@alias sinew.LayerName\n---| \"arm\"\n---| \"base\"\n\n",
      "---@class sinew.Params\n---@field speed number\n---@field [\"two words\"] number\n\n",
      "---@alias sinew.StateName\n---| \"go\"\n---| \"stay\"\n\n",
      "---@alias sinew.SentEventName\n---| \"now\"\n\n",
      "---@alias sinew.ParamName\n---| \"speed\"\n",
      "---| \"left foot\"\n---| \"loop\"\n\n",
      "---@field look sinew.ActorModifier\n",
      "---@field Smile number\n",
      "---@param clip sinew.ClipName|integer\n---@param options? sinew.PlayOptions\n",
      "function actor:play(clip, options) end",
  };
  (void)state;
  harness h;
  harness_open(&h, "local man = sinew.model 'hero.glb'\n"
                   "local hero = sinew.actor('the \"first\"', man, { params = { speed = 0, ['two words'] = 1 } })\n"
                   "sinew.actor('second', man)\n"
                   "hero:layer('arm', { mask = { Head = 1 } })\n"
                   "man:markers('Walk', { { 0.1, 'left foot' } })\n"
                   "hero:set_graph(sinew.state_machine { states = { stay = 'Idle', go = 'Walk' },\n"
                   "  transitions = { { 'stay', 'go', on = 'now' } } })\n"
                   "hero:set_modifiers { sinew.look_at { 'look', chain = { 'Head' } } }\n");
  FILE *fresh = tmpfile();
  assert_true(sinew_scene_stubs(h.scene, fresh, &h.error));
  char *text = read_all(fresh);
  for (size_t i = 0; i < sizeof present / sizeof *present; i++) harness_expect(text, present[i]);
  const char *walk = strstr(text, "---| \"Walk\"\n");
  assert_non_null(walk);
  assert_null(strstr(walk + 1, "---| \"Walk\"\n")); /* two actors, one model */
  free(text);
  harness_close(&h);
}

/* For the Lua language server: it knows each annotation, and every type in one is defined. */
static void test_every_type_is_defined(void **state) {
  static const char *const plain[] = {"string", "number", "integer", "boolean", "table", "function", "nil", "any"};
  (void)state;
  FILE *fresh = tmpfile();
  assert_true(sinew_scene_stubs(NULL, fresh, NULL));
  char *text = read_all(fresh), line[600], wanted[160], other[160];
  for (const char *at = text; *at; at += strcspn(at, "\n") + 1) {
    char type[128];
    snprintf(line, sizeof line, "%.*s", (int)strcspn(at, "\n"), at);
    char *list = NULL;
    if (strncmp(line, "---@return ", 11) == 0) list = line + 11;
    else if (strncmp(line, "---@param ", 10) == 0 || strncmp(line, "---@field ", 10) == 0)
      list = strchr(line + 10, ' ') + 1;
    else
      assert_true(line[0] != '-' || line[3] != '@' || strncmp(line, "---@class ", 10) == 0 ||
                  strncmp(line, "---@alias ", 10) == 0 || strncmp(line, "---@overload ", 13) == 0 ||
                  strncmp(line, "---@meta", 8) == 0);
    if (!list) continue;
    list[strcspn(list, " ")] = 0;
    for (char *part = strtok(list, "|"); part; part = strtok(NULL, "|")) {
      bool known = part[0] == '"';
      snprintf(type, sizeof type, "%.*s", (int)strcspn(part, "[?"), part);
      for (size_t i = 0; i < sizeof plain / sizeof *plain; i++) known = known || strcmp(type, plain[i]) == 0;
      snprintf(wanted, sizeof wanted, "---@class %s", type);
      snprintf(other, sizeof other, "---@alias %s\n", type);
      if (!known && !strstr(text, wanted) && !strstr(text, other)) fail_msg("no type '%s': %s", type, line);
    }
  }
  free(text);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_stubs), cmocka_unit_test(test_reference),
                                     cmocka_unit_test(test_all_names), cmocka_unit_test(test_names_of_a_scene),
                                     cmocka_unit_test(test_every_type_is_defined)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
