/* Putting shader files together, and finding the file and line of a complaint. */
#include "support/fixture.h"

#include "base/file.h"
#include "render/gl/program.h"

#include <unistd.h>

static char folder[64];

static int make_folder(void **state) {
  (void)state;
  snprintf(folder, sizeof folder, "/tmp/sinew_shaders_XXXXXX");
  return mkdtemp(folder) ? 0 : 1;
}

static int remove_folder(void **state) {
  (void)state;
  char command[128];
  snprintf(command, sizeof command, "rm -r %s", folder);
  return system(command);
}

static void write_file(const char *name, const char *text) {
  char path[128];
  sinew_error error;
  snprintf(path, sizeof path, "%s/%s", folder, name);
  assert_true(file_write(path, text, strlen(text), &error));
}

static void includes_once_with_line_numbers(void **state) {
  (void)state;
  shader_source source;
  sinew_error error;
  write_file("main.frag", "#include \"a.glsl\"\n  #include \"b.glsl\"\nvoid main() {}\n");
  write_file("a.glsl", "float a;\n");
  write_file("b.glsl", "#include \"a.glsl\"\nfloat b;");
  assert_true(shader_source_load(&source, folder, "main.frag", "#define TAPS 9\n", &error));
  assert_string_equal(
      source.text, "#version 330 core\n#define TAPS 9\n#line 1 0\n#line 10001 1\nfloat a;\n#line 2 0\n#line 20001 2\n"
                   "#line 20002 2\nfloat b;\n#line 3 0\nvoid main() {}\n");
  assert_int_equal(source.file_count, 3);
  shader_source_release(&source);
}

static void expect_error(const char *name, const char *words) {
  shader_source source;
  sinew_error error = {0};
  assert_false(shader_source_load(&source, folder, name, NULL, &error));
  if (!strstr(error.message, words)) fail_msg("'%s' does not say '%s'", error.message, words);
  shader_source_release(&source);
}

static void bad_files_are_named(void **state) {
  (void)state;
  write_file("missing.frag", "float x;\n#include \"nowhere.glsl\"\n");
  write_file("unquoted.frag", "#include <x>\n");
  write_file("long.frag", "#include \"0123456789012345678901234567890123456789012345678901234567890123456789.glsl\"\n");
  write_file("self.frag", "#include \"self.frag\"\nfloat x;\n");
  expect_error("absent.frag", "absent.frag: no such file");
  expect_error("missing.frag", "missing.frag:2: #include");
  expect_error("missing.frag", "nowhere.glsl: no such file");
  expect_error("unquoted.frag", "unquoted.frag:1: #include needs");
  expect_error("long.frag", "long.frag:1");
  shader_source source;
  sinew_error error;
  assert_true(shader_source_load(&source, folder, "self.frag", NULL, &error)); /* a file is read once, so this ends */
  shader_source_release(&source);
}

static void deep_chains_end(void **state) {
  (void)state;
  for (int i = 0; i < 40; i++) {
    char name[32], text[64];
    snprintf(name, sizeof name, "deep%d.glsl", i);
    snprintf(text, sizeof text, "#include \"deep%d.glsl\"\n", i + 1);
    write_file(name, text);
  }
  expect_error("deep0.glsl", "16 files at most");
}

static void complaints_of_three_drivers(void **state) {
  (void)state;
  shader_source source = {.files = {"mesh.frag", "sky.glsl"}, .file_count = 2};
  char out[128];
  shader_source_explain(&source, "0:10012(5): error: `x' undeclared\n0:1(1): error: more\n", out, sizeof out);
  assert_string_equal(out, "sky.glsl:12: error: `x' undeclared");
  shader_source_explain(&source, "0(7) : error C1503: undefined variable \"x\"\n", out, sizeof out);
  assert_string_equal(out, "mesh.frag:7: error C1503: undefined variable \"x\"");
  shader_source_explain(&source, "ERROR: 1:10003: 'x' : undeclared identifier\n", out, sizeof out);
  assert_string_equal(out, "sky.glsl:3: 'x' : undeclared identifier");
  shader_source_explain(&source, "Fragment shader failed\n", out, sizeof out);
  assert_string_equal(out, "mesh.frag: Fragment shader failed");
  shader_source_explain(&source, "0:990003(1): error: x", out, sizeof out);
  assert_string_equal(out, "mesh.frag: 0:990003(1): error: x");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(includes_once_with_line_numbers),
                                     cmocka_unit_test(bad_files_are_named), cmocka_unit_test(deep_chains_end),
                                     cmocka_unit_test(complaints_of_three_drivers)};
  return cmocka_run_group_tests_name("shader_source", tests, make_folder, remove_folder);
}
