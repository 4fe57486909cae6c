#include "support/failing_heap.h"
#include "support/fixture.h"

#include "base/file.h"
#include "base/memory/memory.h"
#include "import/cook/cook.h"
#include "import/worker/worker.h"

#include <stdlib.h>
#include <unistd.h>

#define HERO SINEW_SOURCE "/assets/hero.glb"

static worker *start(const char *program, const char *path, const sinew_load_options *options) {
  sinew_error error = {""};
  static sinew_load_options defaults; /* outlives the worker */
  defaults = sinew_load_options_default();
  worker *w = worker_start(program, path, options ? options : &defaults, NULL, 0, &error);
  if (!w) fail_msg("%s", error.message);
  return w;
}

/* ---- what is in a file comes over ---- */

static void assert_same_as_in_process(const char *path, sinew_load_options options) {
  sinew_error error = {""};
  worker *w = start(TEST_IMPORT, path, &options);
  assert_true(worker_wait(w, 300));
  sinew_model *there = worker_model(w, &error);
  if (!there) fail_msg("%s", error.message);
  assert_string_equal(sinew_model_path(there), path);
  options.in_process = true;
  sinew_model *here = sinew_model_load(path, &options, &error);
  if (!here) fail_msg("%s", error.message);
  size_t size;
  void *cooked = cook_bytes(here, &size, NULL);
  process_bytes sent = worker_cooked(w);
  assert_int_equal(sent.size, size);
  assert_memory_equal(sent.data, cooked, size);
  mem_free(cooked);
  sinew_model_release(here);
  sinew_model_release(there);
  worker_destroy(w);
}

static void a_child_imports_what_this_process_would(void **state) {
  (void)state;
  sinew_load_options options = sinew_load_options_default();
  assert_same_as_in_process(HERO, options);
  options.raw = options.exact = true;
  options.max_influences = 8;
  options.clip_files = (const char *const[]){HERO};
  options.clip_file_count = 1;
  assert_same_as_in_process(HERO, options);
}

static void a_bad_file_has_the_sentence_that_it_has_here(void **state) {
  (void)state;
  const char *const paths[] = {"nobody.glb", SINEW_SOURCE "/README.md", SINEW_SOURCE "/assets"};
  for (int i = 0; i < 3; i++) {
    sinew_error there = {""}, here = {""};
    sinew_load_options options = {.max_influences = 4, .in_process = true};
    assert_null(sinew_model_load(paths[i], &options, &here));
    worker *w = start(TEST_IMPORT, paths[i], NULL);
    assert_true(worker_wait(w, 300));
    assert_null(worker_model(w, &there));
    assert_string_equal(there.message, here.message);
    assert_null(worker_model(w, NULL));
    assert_null(worker_cooked(w).data);
    worker_destroy(w);
  }
}

/* ---- what only Assimp reads ---- */

static const char old_gltf[] =
    "{\"asset\":{\"version\":\"1.0\"},\"scene\":\"s\",\"scenes\":{\"s\":{\"nodes\":[\"n\"]}},"
    "\"nodes\":{\"n\":{\"name\":\"hip\",\"translation\":[0,1,0]}}}";

static sinew_model *import_by(const char *program, const char *path, sinew_error *error) {
  worker *w = start(program, path, NULL);
  assert_true(worker_wait(w, 300));
  sinew_model *model = worker_model(w, error);
  if (model) assert_int_equal(worker_sources(w)->count, 1);
  worker_destroy(w);
  return model;
}

/* The name says what our own readers read, and the file is of another version. */
static void an_old_gltf_goes_to_assimp(void **state) {
  sinew_error error = {""};
  char path[64];
  (void)state;
  snprintf(path, sizeof path, "/tmp/sinew-test-%d.gltf", (int)getpid());
  assert_true(file_write(path, old_gltf, sizeof old_gltf - 1, NULL));
  sinew_model *model = import_by(TEST_IMPORT, path, &error);
  if (!model) fail_msg("%s", error.message);
  assert_int_equal(sinew_model_joint_count(model), 2);
  sinew_model_release(model);
  unlink(path);
}

/* Without the program that has Assimp: a sentence, also where the name says so at once. */
static void without_assimp_the_sentence_says_so(void **state) {
  char folder[64] = "/tmp/sinew-test-XXXXXX", program[80], path[2][80];
  (void)state;
  assert_non_null(mkdtemp(folder));
  snprintf(program, sizeof program, "%s/import", folder);
  assert_int_equal(symlink(TEST_IMPORT, program), 0);
  for (int i = 0; i < 2; i++) {
    sinew_error error = {""};
    snprintf(path[i], sizeof path[i], "%s/old.%s", folder, i ? "gltf" : "bvh");
    assert_true(file_write(path[i], old_gltf, sizeof old_gltf - 1, NULL));
    assert_null(import_by(program, path[i], &error));
    assert_non_null(
        strstr(error.message, "has a format that only sinew-import-assimp reads, and that program is not beside"));
    unlink(path[i]);
  }
  unlink(program);
  rmdir(folder);
}

/* ---- whatever the child does ---- */

static const char *told(const char *path) {
  static sinew_error error;
  error.message[0] = '\0';
  worker *w = start(TEST_CHILD, path, NULL);
  assert_true(worker_wait(w, 300));
  assert_null(worker_model(w, &error));
  worker_destroy(w);
  return error.message;
}

#define DAMAGED "; the file is damaged, or of a kind that Assimp cannot read"
#define BAD_GLTF "; its glTF is damaged, or asks for too much"
#define BAD_FBX "; its FBX is damaged, or asks for too much"

static void each_way_to_fail_is_one_sentence(void **state) {
  (void)state;
  assert_string_equal(told("a/crash.glb"),
                      "a/crash.glb: the importer crashed (segmentation fault) reading it" BAD_GLTF);
  assert_string_equal(told("abort.fbx"), "abort.fbx: the importer crashed (abort) reading it" BAD_FBX);
  assert_string_equal(told("crash-late.fbx"),
                      "crash-late.fbx: the importer crashed (segmentation fault) reading it" BAD_FBX);
  assert_string_equal(told("garble.x"), "garble.x: the importer's answer is garbled" DAMAGED);
  assert_string_equal(told("silent.x"), "silent.x: the importer's answer is garbled" DAMAGED);
  assert_string_equal(told("short.x"), "short.x: the importer's answer is garbled" DAMAGED);
  assert_string_equal(told("overreach.x"), "overreach.x: the importer's answer is garbled" DAMAGED);
  assert_string_equal(told("explain.x"), "explain.x: the importer ended with status 127 reading it: "
                                         "libassimp.so.5: cannot open shared object file");
}

static void nothing_is_written(void **state) {
  (void)state;
  process_limits limits = worker_limits(HERO, &(sinew_load_options){.max_influences = 4});
  if (limits.file_bytes < 0) skip(); /* the thread sanitizer keeps its memory in a file */
  assert_string_equal(told("write.x"), "write.x: the importer wrote a larger file than allowed reading it" DAMAGED);
}

static void a_false_model_is_refused(void **state) {
  (void)state;
  const char *sentence = told("lie.glb");
  assert_non_null(strstr(sentence, "lie.glb"));
  assert_null(strchr(sentence, '\n'));
}

static void a_sentence_cannot_move_the_cursor(void **state) {
  (void)state;
  assert_string_equal(told("refuse.glb"), "refuse.glb: is made of  [31mcheese");
  assert_string_equal(told("odd.glb"), "odd.glb: the importer failed without an error message");
}

static void memory_is_bounded(void **state) {
  (void)state;
  process_limits limits = worker_limits(HERO, &(sinew_load_options){.max_influences = 4});
  if (limits.memory < 0) skip(); /* a sanitizer needs the address space */
  assert_in_range(limits.memory, (uint64_t)2 << 30, (uint64_t)3 << 30);
  assert_string_equal(told("eat.glb"), "eat.glb: the importer ended with status 42 reading it");
}

static void limits_grow_with_the_files(void **state) {
  (void)state;
  sinew_load_options options = sinew_load_options_default();
  process_limits one = worker_limits(HERO, &options);
  options.clip_files = (const char *const[]){HERO, HERO, HERO};
  options.clip_file_count = 3;
  process_limits four = worker_limits(HERO, &options), none = worker_limits("nobody.glb", &options);
  assert_true(one.processor_seconds >= 10 && four.processor_seconds >= one.processor_seconds);
  assert_true(four.memory >= one.memory && none.processor_seconds >= 10);
  assert_true(one.open_files == 256 && one.file_bytes <= 0);
}

static void one_that_takes_long_can_be_left(void **state) {
  (void)state;
  worker *w = start(TEST_CHILD, "linger.glb", NULL);
  assert_false(worker_wait(w, 0.01));
  assert_false(worker_wait(w, 0));
  worker_destroy(w);
  worker_destroy(NULL);
}

/* ---- the log ---- */

typedef struct heard {
  int count;
  char lines[8][64];
} heard;

static void hear(void *user, sinew_log_level level, const char *line) {
  heard *h = user;
  if (h->count < 8) snprintf(h->lines[h->count], sizeof *h->lines, "%d %s", (int)level, line);
  h->count++;
}

static void what_the_child_logs_is_logged(void **state) {
  (void)state;
  heard h = {0};
  sinew_set_log(hear, &h);
  told("chatter.glb");
  told("explain.x");
  sinew_set_log(NULL, NULL);
  assert_int_equal(h.count, 3);
  assert_string_equal(h.lines[0], "1 one");
  assert_string_equal(h.lines[1], "0 two");
  assert_string_equal(h.lines[2], "1 this goes to the log");
}

/* ---- the command line ---- */

static void options_survive_the_command_line(void **state) {
  (void)state;
  sinew_load_options options = {.clip_files = (const char *const[]){"--raw", "b c.fbx"},
                                .clip_file_count = 2,
                                .raw = true,
                                .exact = true,
                                .map = (const sinew_joint_pair[]){{"--", "Hips"}, {"a b", NULL}},
                                .map_count = 2,
                                .roles = (const sinew_joint_role[]){{"left_foot", "--"}},
                                .role_count = 1,
                                .edits =
                                    (const sinew_clip_edit[]){{"--edit", "Run", 1.0 / 3, INFINITY, true, false, true},
                                                              {"#2", NULL, 0, 2.5, false, true, false}},
                                .edit_count = 2,
                                .unit = 0.1,
                                .tolerance = 1.0 / 7,
                                .up = "-z",
                                .front = "-x",
                                .max_influences = 8},
                     back;
  const char **arguments = worker_arguments("program", "--", &options);
  int count = 0;
  while (arguments[count]) count++;
  enum { ROOM = 64 };
  assert_true(count < ROOM);
  char *vector[ROOM] = {NULL};
  const char *clips[ROOM];
  sinew_joint_pair map[ROOM];
  sinew_joint_role roles[ROOM];
  sinew_clip_edit edits[ROOM];
  for (int i = 0; i < count; i++) vector[i] = (char *)(uintptr_t)arguments[i];
  /* the path is "--" here, so that the word that ends the options is told from it by its place */
  const char *path =
      worker_read_arguments(count, vector, &back, &(worker_room){clips, map, roles, edits, {NULL, NULL}});
  assert_string_equal(path, "--");
  assert_true(back.raw && back.exact && back.max_influences == 8 && back.clip_file_count == 2);
  assert_string_equal(back.clip_files[0], "--raw");
  assert_string_equal(back.clip_files[1], "b c.fbx");
  assert_true(back.map_count == 2 && back.edit_count == 2 && back.unit == 0.1 && back.tolerance == 1.0 / 7);
  assert_string_equal(back.up, "-z");
  assert_string_equal(back.front, "-x");
  assert_string_equal(map[0].theirs, "--");
  assert_string_equal(map[0].ours, "Hips");
  assert_int_equal(back.role_count, 1);
  assert_string_equal(roles[0].role, "left_foot");
  assert_string_equal(roles[0].joint, "--");
  assert_string_equal(map[1].ours, ""); /* means the same as NULL */
  assert_string_equal(edits[0].clip, "--edit");
  assert_string_equal(edits[0].name, "Run");
  assert_true(edits[0].from == 1.0 / 3 && edits[0].to == INFINITY && edits[0].reverse && !edits[0].loop &&
              edits[0].mirror);
  assert_null(edits[1].name);
  assert_true(edits[1].to == 2.5 && !edits[1].reverse && edits[1].loop && !edits[1].mirror);
  mem_free(arguments);
}

static void a_wrong_command_line_is_refused(void **state) {
  (void)state;
  static const char *const lines[][5] = {{"p"},
                                         {"p", "--"},
                                         {"p", "a"},
                                         {"p", "--clips"},
                                         {"p", "--wrong", "--", "a"},
                                         {"p", "--", "a", "b"},
                                         {"p", "--map", "a", "--", "b"},
                                         {"p", "--edit", "a", "b"},
                                         {"p", "--influences", "--", "a"}};
  for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
    char *vector[6] = {NULL};
    const char *clips[6];
    sinew_joint_pair map[6];
    sinew_joint_role roles[6];
    sinew_clip_edit edits[6];
    sinew_load_options options;
    int count = 0;
    for (; count < 5 && lines[i][count]; count++) vector[count] = (char *)(uintptr_t)lines[i][count];
    assert_null(worker_read_arguments(count, vector, &options, &(worker_room){clips, map, roles, edits, {NULL, NULL}}));
  }
}

/* ---- memory ---- */

static failing_heap heap = {.left = -1};

static void running_out_of_memory_is_an_error(void **state) {
  (void)state;
  sinew_load_options options = sinew_load_options_default();
  failing_heap_install(&heap);
  bool complete = false;
  for (long n = 0; !complete; n++) {
    sinew_error error = {""};
    heap.left = n;
    worker *w = worker_start(TEST_IMPORT, HERO, &options, NULL, 0, &error);
    sinew_model *model = NULL;
    if (w) {
      assert_true(worker_wait(w, 300));
      model = worker_model(w, &error);
    }
    complete = heap.left > 0;
    if (!model && !error.message[0]) fail_msg("request %ld: no sentence", n);
    if (complete) assert_non_null(model);
    sinew_model_release(model);
    worker_destroy(w);
    assert_true(n < 200);
  }
  heap.left = -1;
  sinew_set_allocator(NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_child_imports_what_this_process_would),
      cmocka_unit_test(a_bad_file_has_the_sentence_that_it_has_here),
      cmocka_unit_test(an_old_gltf_goes_to_assimp),
      cmocka_unit_test(without_assimp_the_sentence_says_so),
      cmocka_unit_test(each_way_to_fail_is_one_sentence),
      cmocka_unit_test(a_false_model_is_refused),
      cmocka_unit_test(a_sentence_cannot_move_the_cursor),
      cmocka_unit_test(nothing_is_written),
      cmocka_unit_test(memory_is_bounded),
      cmocka_unit_test(limits_grow_with_the_files),
      cmocka_unit_test(one_that_takes_long_can_be_left),
      cmocka_unit_test(what_the_child_logs_is_logged),
      cmocka_unit_test(options_survive_the_command_line),
      cmocka_unit_test(a_wrong_command_line_is_refused),
      cmocka_unit_test(running_out_of_memory_is_an_error),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
