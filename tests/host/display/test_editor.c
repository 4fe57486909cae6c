/* Each editor is told the file and the line in its own way; a click on a message starts it. */
#include "host_fixture.h"

#include "host/host.h"
#include "host/system/editor.h"

#include <sys/stat.h>

static void assert_words(const char *editor, const char *path, const char *expected) {
  editor_command command;
  char all[1024] = "";
  assert_true(editor_make_command(editor, "xterm", path, 12, &command));
  for (int i = 0; command.words[i]; i++) {
    size_t size = strlen(all);
    snprintf(all + size, sizeof all - size, "%s[%s]", i ? " " : "", command.words[i]);
  }
  assert_string_equal(all, expected);
}

static void test_each_editor_has_its_way_to_say_a_line(void **state) {
  (void)state;
  assert_words("code", "/a b/x.lua", "[code] [-g] [/a b/x.lua:12]");
  assert_words(" /usr/bin/codium  --wait ", "x.lua", "[/usr/bin/codium] [--wait] [-g] [x.lua:12]");
  assert_words("subl", "x.lua", "[subl] [x.lua:12]");
  assert_words("kate", "x.lua", "[kate] [--line] [12] [x.lua]");
  assert_words("gedit", "x.lua", "[gedit] [+12] [x.lua]");
  assert_words("emacsclient -n", "x.lua", "[emacsclient] [-n] [+12] [x.lua]");
  assert_words("vim", "x.lua", "[xterm] [-e] [vim] [+12] [x.lua]");
  assert_words("hx", "x.lua", "[xterm] [-e] [hx] [x.lua:12]");
  /* A file is no option, whatever it is called. */
  assert_words("gedit", "-x.lua", "[gedit] [+12] [./-x.lua]");
  assert_words("vim", "+!rm", "[xterm] [-e] [vim] [+12] [./+!rm]");
}

static void test_what_does_not_fit_is_refused(void **state) {
  static char many[200], path[3000];
  editor_command command;
  (void)state;
  assert_false(editor_make_command("", NULL, "x.lua", 1, &command));
  assert_false(editor_make_command("  ", NULL, "x.lua", 1, &command));
  for (int i = 0; i < 60; i++) strcat(many, "a ");
  assert_false(editor_make_command(many, NULL, "x.lua", 1, &command));
  memset(path, 'x', sizeof path - 1);
  assert_false(editor_make_command("code", NULL, path, 1, &command));
}

static void test_without_an_editor_it_says_how_to_name_one(void **state) {
  sinew_error error = {0};
  (void)state;
  unsetenv("VISUAL");
  unsetenv("EDITOR");
  assert_false(editor_open("x.lua", 1, &error));
  assert_non_null(strstr(error.message, "VISUAL=code"));
  setenv("VISUAL", "no-such-editor --wait", 1);
  assert_false(editor_open("x.lua", 1, &error));
  assert_non_null(strstr(error.message, "there is no program 'no-such-editor'"));
  unsetenv("VISUAL");
}

/* An "editor" that writes down what it was told. */
static const char *make_editor(const char *answer) {
  const char *path = test_file("editor");
  char text[2048];
  snprintf(text, sizeof text, "#!/bin/sh\necho \"$1 $2\" > '%s.part'; mv '%s.part' '%s'\n", answer, answer, answer);
  write_text(path, text);
  assert_int_equal(chmod(path, 0700), 0);
  return path;
}

static void step(sinew_host *host, int frames) {
  sinew_error error = {0};
  for (int i = 0; i < frames; i++)
    if (!sinew_host_step(host, 1.0 / 60, &error)) fail_msg("%s", error.message);
}

static int presses;
static void on_mouse(void *user, int button, bool down) {
  (void)user;
  presses += button == 1 && down;
}

static void click(sinew_host *host, float x, float y) {
  sinew_host_send_mouse(host, x, y);
  sinew_host_send_button(host, 1, true);
  sinew_host_send_button(host, 1, false);
  step(host, 3);
}

static void test_a_click_on_a_message_opens_its_line(void **state) {
  const char *answer = test_file("answer");
  sinew_host_def def = sinew_host_def_default();
  sinew_error error = {0};
  float box[4];
  char told[256] = "";
  (void)state;
  setenv("VISUAL", make_editor(answer), 1);
  def.output = SINEW_OUTPUT_OFFSCREEN;
  def.width = 640;
  def.height = 360;
  def.samples = 1;
  def.shadow_size = 0;
  sinew_host *host = sinew_host_create(&def, &error);
  if (!host) fail_msg("%s", error.message);
  sinew_host_set_app(host, &(sinew_app){.mouse = on_mouse});
  sinew_host_set_problem(host, 1, "scene.lua:7: update is suspended", "nothing works");
  sinew_host_set_problem(host, 2, "no place", "nowhere");
  sinew_host_set_problem_location(host, 1, "/some where/scene.lua", 7);
  step(host, 2);
  assert_true(sinew_host_problem_box(host, 2, box));
  click(host, (box[0] + box[2]) / 2, box[1] + 3);
  assert_int_equal(presses, 1); /* a message without a place lets clicks through */
  assert_true(sinew_host_problem_box(host, 1, box));
  click(host, (box[0] + box[2]) / 2, (box[1] + box[3]) / 2);
  assert_int_equal(presses, 1);
  for (int i = 0; i < 500 && !file_exists(answer); i++) wait_ms(10);
  FILE *file = fopen(answer, "r");
  assert_non_null(file);
  assert_non_null(fgets(told, sizeof told, file));
  fclose(file);
  assert_string_equal(told, "+7 /some where/scene.lua\n");
  sinew_host_set_problem(host, 1, NULL, NULL);
  step(host, 1);
  assert_false(sinew_host_problem_box(host, 1, box));
  click(host, 320, 60);
  assert_int_equal(presses, 2);
  sinew_host_destroy(host);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_each_editor_has_its_way_to_say_a_line),
      cmocka_unit_test(test_what_does_not_fit_is_refused),
      cmocka_unit_test(test_without_an_editor_it_says_how_to_name_one),
      cmocka_unit_test(test_a_click_on_a_message_opens_its_line),
  };
  return cmocka_run_group_tests(tests, make_test_folder, remove_test_folder);
}
