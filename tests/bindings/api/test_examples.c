/* Every example runs for 120 frames and passes its own test; so does every scene of tests/scripts, which try the
 * library, and every piece of Lua in docs/. Together they use all that a scene can name. Under a sanitizer they run for
 * fewer frames, and of the tests, which compare numbers and drive the same scene again, examples pass the first only
 * and pieces of docs/ none. */
#include "harness.h"

#include "base/sanitizers.h"

#include <core/api.h>
#include <ctype.h>
#include <dirent.h>

enum { SANITIZED = SANITIZES_ADDRESSES || SANITIZES_THREADS };

/* sinew.test, and each of sinew.tests in a scene that begins again. */
static void run_own_tests(harness *h, const char *what, int most) {
  static char names[SINEW_TESTS][SINEW_TEST_NAME];
  if (sinew_scene_has_test(h->scene) && !sinew_scene_test(h->scene, NULL, &h->error))
    fail_msg("%s: %s", what, h->error.message);
  int count = sinew_scene_test_names(h->scene, names, &h->error);
  if (count < 0) fail_msg("%s: %s", what, h->error.message);
  for (int i = 0; i < count && i < most; i++) {
    if (!sinew_scene_restart(h->scene, &h->error) || !sinew_scene_test(h->scene, names[i], &h->error))
      fail_msg("%s: %s: %s", what, names[i], h->error.message);
  }
}

/* A numbered example is read in one go, and says itself whether what it shows works. */
static void expect_readable(const harness *h, const char *path) {
  int lines = 0;
  FILE *file = fopen(path, "r");
  assert_non_null(file);
  for (int c; (c = fgetc(file)) != EOF;) lines += c == '\n';
  fclose(file);
  if (lines >= 80) fail_msg("%s has %d lines", path, lines);
  if (!sinew_scene_has_test(h->scene)) fail_msg("%s has no sinew.test", path);
}

static void run_example(const char *path) {
  harness h;
  sinew_scene_def def = sinew_scene_def_default();
  harness_open_host(&h);
  def.print = harness_print;
  def.print_user = &h;
  h.scene = sinew_scene_create(h.host, path, &def, &h.error);
  if (!h.scene) fail_msg("%s", h.error.message);
  sinew_app app = sinew_scene_app(h.scene);
  sinew_host_set_app(h.host, &app);
  harness_step(&h, SANITIZED ? 10 : 120); /* crowds of thousands are slow there */
  if (sinew_scene_problem(h.scene)) fail_msg("%s", sinew_scene_problem(h.scene));
  if (isdigit((unsigned char)strrchr(path, '/')[1])) expect_readable(&h, path);
  assert_true(sinew_scene_reload(h.scene, &h.error));
  harness_expect(sinew_scene_summary(h.scene), "nothing declared has changed");
  if (!sinew_scene_restart(h.scene, &h.error)) fail_msg("%s", h.error.message);
  run_own_tests(&h, path, SANITIZED ? 1 : SINEW_TESTS);
  harness_close(&h);
}

static bool ends_with(const char *name, const char *end) {
  size_t size = strlen(name), tail = strlen(end);
  return size > tail && strcmp(name + size - tail, end) == 0;
}

static int run_folder(const char *folder) {
  DIR *examples = opendir(folder);
  const struct dirent *entry;
  int count = 0;
  assert_non_null(examples);
  while ((entry = readdir(examples))) {
    char path[512];
    if (!ends_with(entry->d_name, ".lua")) continue;
    snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
    run_example(path);
    count++;
  }
  closedir(examples);
  return count;
}

static void test_examples(void **state) {
  (void)state;
  assert_true(run_folder(SINEW_SOURCE "/scripts/examples") >= 9);
  assert_true(run_folder(SINEW_SOURCE "/scripts/examples/tutorials") >= 4);
}

static void test_library(void **state) {
  (void)state;
  assert_true(run_folder(SINEW_SOURCE "/tests/scripts") >= 6);
}

/* The joints of the first example's hero, walking, in the 61st frame; with `reload`, after a save before that frame. */
static int walk(bool reload, sinew_mat3x4 *joints, sinew_transform *position) {
  harness h;
  sinew_app app;
  harness_open_host(&h);
  h.scene = sinew_scene_create(h.host, SINEW_SOURCE "/scripts/examples/01_hello.lua", NULL, &h.error);
  assert_non_null(h.scene);
  app = sinew_scene_app(h.scene);
  sinew_host_set_app(h.host, &app);
  assert_true(sinew_host_send_key(h.host, "w", true));
  assert_true(sinew_host_send_key(h.host, "a", true));
  harness_step(&h, 60);
  if (reload) assert_true(sinew_scene_reload(h.scene, &h.error));
  harness_step(&h, 1);
  const sinew_stage *stage = sinew_host_stage(h.host);
  sinew_actor hero = sinew_scene_find_actor(h.scene, "hero");
  int count = sinew_model_joint_count(sinew_actor_model(stage, hero));
  assert_true(count <= 128);
  memcpy(joints, sinew_actor_joints(stage, hero), (size_t)count * sizeof *joints);
  *position = sinew_actor_transform(stage, hero);
  harness_close(&h);
  return count;
}

static void test_hello_keeps_its_stride(void **state) {
  static sinew_mat3x4 plain[128], saved[128];
  sinew_transform a, b;
  (void)state;
  int count = walk(false, plain, &a);
  assert_int_equal(walk(true, saved, &b), count);
  assert_true(hypotf(a.translation.x, a.translation.z) > 0.5f);
  assert_memory_equal(&a, &b, sizeof a);
  assert_memory_equal(plain, saved, (size_t)count * sizeof *plain);
}

/* ---- docs: each ```lua block is a scene of its own, with this before it where it needs a character ---- */

static const char before[] = "local sinew = require 'sinew'\n"
                             "local hero = sinew.actor('hero', sinew.model 'hero.glb')\n";

static void run_block(const char *name, const char *code, int line) {
  static char text[20000];
  harness h;
  bool whole = strstr(code, "sinew.model") != NULL;
  snprintf(text, sizeof text, "%s%s", whole ? "" : before, code);
  harness_open_host(&h);
  if (!harness_load(&h, text, NULL)) fail_msg("docs/%s:%d: %s", name, line, h.error.message);
  harness_step(&h, SANITIZED ? 5 : 30);
  for (int i = 0; sinew_key_name(i) && strlen(sinew_key_name(i)) == 1; i++) { /* what waits for a key is code, too */
    harness_key(&h, sinew_key_name(i));
    if (!SANITIZED || i % 6 == 0) harness_step(&h, 1);
  }
  const char *problem = sinew_scene_problem(h.scene);
  if (problem) fail_msg("docs/%s:%d: %s", name, line, problem);
  snprintf(text, sizeof text, "docs/%s:%d", name, line);
  if (!SANITIZED) run_own_tests(&h, text, SINEW_TESTS);
  harness_close(&h);
}

static int run_page(const char *name) {
  static char code[16000];
  char line[1024], path[512];
  bool inside = false;
  int number = 0, first = 0, count = 0;
  snprintf(path, sizeof path, SINEW_SOURCE "/docs/%s", name);
  FILE *file = fopen(path, "r");
  assert_non_null(file);
  while (fgets(line, sizeof line, file)) {
    number++;
    if (inside && strncmp(line, "```", 3) == 0) {
      run_block(name, code, first);
      count++;
      inside = false;
    } else if (inside) {
      assert_true(strlen(code) + strlen(line) < sizeof code);
      strncat(code, line, sizeof code - strlen(code) - 1);
    } else if (strncmp(line, "```lua", 6) == 0) {
      inside = true;
      first = number;
      code[0] = 0;
    }
  }
  fclose(file);
  return count;
}

static void test_documentation(void **state) {
  DIR *docs = opendir(SINEW_SOURCE "/docs");
  const struct dirent *entry;
  int count = 0;
  (void)state;
  assert_non_null(docs);
  while ((entry = readdir(docs)))
    if (ends_with(entry->d_name, ".md")) count += run_page(entry->d_name);
  closedir(docs);
  assert_true(count >= 30);
}

/* ---- what they have used ---- */

static const api_entry *used[2048];
static int used_count;

static bool is_used(const api_entry *entry) {
  for (int i = 0; i < used_count; i++)
    if (used[i] == entry) return true;
  return false;
}

static void observe(const api_entry *entry) {
  if (!is_used(entry)) used[used_count++] = entry;
}

static int start_observing(void **state) {
  (void)state;
  api_observer = observe;
  return 0;
}

/* Whether a page written by hand has the name as code would: ":play", ".slider". */
static bool is_explained(const char *text, const api_entry *e) {
  char word[80];
  size_t size = (size_t)snprintf(word, sizeof word, "%s", e->name);
  for (const char *at = text; (at = strstr(at, word)); at += size) {
    char before_it = at == text ? ' ' : at[-1], after_it = at[size];
    bool begins = before_it == '.' || before_it == ':' || before_it == '`' || before_it == ' ' || before_it == '{';
    if (begins && !isalnum((unsigned char)after_it) && after_it != '_') return true;
  }
  return false;
}

static char *read_pages(void) {
  static const char *const pages[] = {"scripting", "reload", "debugging", "blending", "library", "retargeting", "level"};
  char *text = calloc(1, 400000), path[512];
  assert_non_null(text);
  for (size_t i = 0; i < sizeof pages / sizeof *pages; i++) {
    size_t size = strlen(text);
    snprintf(path, sizeof path, SINEW_SOURCE "/docs/%s.md", pages[i]);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_true(fread(text + size, 1, 399999 - size, file) > 0);
    fclose(file);
  }
  return text;
}

/* Runs after the others: each function, method and field was at work in one of them, and is explained in a page.
 */
static void test_everything_is_used_and_explained(void **state) {
  char *pages = read_pages(), lacking[8000] = "";
  (void)state;
  for (const api_entry *const *table = api_tables; *table; table++) {
    for (const api_entry *e = *table; e->owner; e++) {
      bool of_lua = e->kind == API_FIELD && !e->get; /* a plain field of a table */
      bool is_word = e->kind == API_OPTION || e->kind == API_CALLBACK || of_lua;
      const char *what = !is_word && !SANITIZED && !is_used(e) ? "unused"
                         : e->call && !is_explained(pages, e)  ? "unexplained"
                                                               : NULL;
      size_t size = strlen(lacking);
      if (what) snprintf(lacking + size, sizeof lacking - size, "%s.%s is %s\n", e->owner, e->name, what);
    }
  }
  free(pages);
  if (lacking[0]) print_message("%s", lacking);
  assert_true(lacking[0] == 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_examples), cmocka_unit_test(test_library), cmocka_unit_test(test_hello_keeps_its_stride),
      cmocka_unit_test(test_documentation), cmocka_unit_test(test_everything_is_used_and_explained)};
  return cmocka_run_group_tests(tests, start_observing, NULL);
}
