/* A real window on a display that the test starts: Xvfb, and xdotool for the hands. Skipped where either is missing. */
#include "host_fixture.h"

#include "host/host.h"

#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>

extern char **environ;

static pid_t display_process;

static bool start(pid_t *process, char *const arguments[]) {
  return posix_spawnp(process, arguments[0], NULL, NULL, arguments, environ) == 0;
}

static void stop_display(void) {
  if (display_process <= 0) return;
  kill(display_process, SIGTERM);
  waitpid(display_process, NULL, 0);
}

/* Xvfb finds a free number and says which. Without -noreset it would start anew between two windows. */
static bool start_display(void) {
  int ends[2];
  char descriptor[16], number[16] = "", display[24];
  if (pipe(ends) != 0) return false;
  snprintf(descriptor, sizeof descriptor, "%d", ends[1]);
  char *arguments[] = {"Xvfb",       "-displayfd", descriptor, "-screen",  "0",
                       "800x600x24", "-nolisten",  "tcp",      "-noreset", NULL};
  bool started = start(&display_process, arguments);
  close(ends[1]);
  size_t length = 0;
  while (started && length + 1 < sizeof number && !strchr(number, '\n') && read(ends[0], number + length, 1) == 1)
    length++;
  close(ends[0]);
  if (!strchr(number, '\n')) {
    stop_display();
    return false;
  }
  *strchr(number, '\n') = '\0';
  snprintf(display, sizeof display, ":%s", number);
  setenv("DISPLAY", display, 1);
  unsetenv("WAYLAND_DISPLAY");
  return true;
}

/* A test that hangs must not leave its display behind. */
static void give_up(int number) {
  (void)number;
  kill(display_process, SIGKILL);
  _exit(1);
}

/* One call of xdotool with up to six words. */
static bool hands(const char *a, const char *b, const char *c, const char *d, const char *e) {
  pid_t process;
  int status = 1;
  char words[5][64];
  const char *given[] = {a, b, c, d, e};
  char *arguments[7] = {"xdotool"};
  for (int i = 0; i < 5 && given[i]; i++) {
    snprintf(words[i], sizeof words[i], "%s", given[i]);
    arguments[i + 1] = words[i];
  }
  if (!start(&process, arguments)) return false;
  waitpid(process, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

typedef struct seen {
  char key[32];
  int keys, clicks;
  bool ctrl;
} seen;

static void on_key(void *user, const char *key, bool down, bool ctrl) {
  seen *s = user;
  if (!down) return;
  s->keys++;
  s->ctrl = ctrl;
  snprintf(s->key, sizeof s->key, "%s", key);
}

static void on_mouse(void *user, int button, bool down) { ((seen *)user)->clicks += down ? button : 0; }

static sinew_host *open_window(const char *target, int frames) {
  sinew_host_def def = sinew_host_def_default();
  sinew_error error = {0};
  def.title = "Sinew test";
  def.width = 320;
  def.height = 200;
  def.samples = 1;
  def.shadow_size = 0;
  def.capture = target;
  def.frame_limit = frames;
  sinew_host *host = sinew_host_create(&def, &error);
  if (!host) fail_msg("%s", error.message);
  return host;
}

static void steps(sinew_host *host, int count) {
  sinew_error error = {0};
  for (int i = 0; i < count; i++)
    if (!sinew_host_step(host, 1.0 / 60, &error)) fail_msg("%s", error.message);
}

static void test_a_run_in_real_time(void **state) {
  (void)state;
  sinew_error error = {0};
  sinew_host *host = open_window(test_file("window.png"), 5);
  if (!sinew_host_run(host, &error)) fail_msg("%s", error.message);
  assert_true(sinew_host_time(host) > 0 && sinew_host_time(host) <= 0.5);
  assert_true(host->stats.first_frame_seconds > 0);
  sinew_host_destroy(host);
  picture p = read_png(test_file("window.png"));
  assert_int_equal(p.width, 320);
  assert_int_equal(p.height, 200);
  picture_release(&p);
}

/* Without a window manager the window is at the corner of the screen and gets the keys when the mouse is in it. */
static void test_keys_and_mouse_arrive(void **state) {
  (void)state;
  seen s = {0};
  float x, y;
  sinew_host *host = open_window(NULL, 0);
  sinew_host_set_app(host, &(sinew_app){.user = &s, .key = on_key, .mouse = on_mouse});
  steps(host, 3);
  if (!hands("mousemove", "200", "150", "click", "1")) {
    sinew_host_destroy(host);
    skip();
  }
  for (int i = 0; i < 100 && s.clicks == 0; i++) steps(host, 1);
  assert_int_equal(s.clicks, 1);
  sinew_host_mouse(host, &x, &y);
  assert_near(x, 200, 0.6);
  assert_near(y, 150, 0.6);
  assert_true(hands("search", "--name", "Sinew test", "windowfocus", NULL));
  assert_true(hands("key", "ctrl+F5", NULL, NULL, NULL));
  for (int i = 0; i < 100 && strcmp(s.key, "f5") != 0; i++) steps(host, 1);
  assert_string_equal(s.key, "f5");
  assert_true(s.ctrl);
  steps(host, 5);
  assert_false(sinew_host_is_down(host, "f5"));
  sinew_host_destroy(host);
}

static void test_text_can_be_copied(void **state) {
  (void)state;
  sinew_host *host = open_window(NULL, 0);
  assert_true(sinew_host_set_clipboard(host, "scene.lua:3: \xC3\xA4rger\nstack traceback:"));
  assert_string_equal(sinew_host_clipboard(host), "scene.lua:3: \xC3\xA4rger\nstack traceback:");
  sinew_host_destroy(host);
}

static void test_two_windows_one_after_the_other(void **state) {
  (void)state;
  for (int i = 0; i < 2; i++) {
    sinew_host *host = open_window(NULL, 0);
    steps(host, 2);
    sinew_host_destroy(host);
  }
}

static void test_no_display(void **state) {
  (void)state;
  char display[64];
  sinew_error error = {0};
  sinew_host_def def = sinew_host_def_default();
  snprintf(display, sizeof display, "%s", getenv("DISPLAY"));
  unsetenv("DISPLAY");
  assert_null(sinew_host_create(&def, &error));
  assert_non_null(strstr(error.message, "there is no display"));
  setenv("DISPLAY", ":9999", 1);
  assert_null(sinew_host_create(&def, &error));
  assert_non_null(strstr(error.message, ":9999"));
  setenv("DISPLAY", display, 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_a_run_in_real_time), cmocka_unit_test(test_keys_and_mouse_arrive),
      cmocka_unit_test(test_text_can_be_copied), cmocka_unit_test(test_two_windows_one_after_the_other),
      cmocka_unit_test(test_no_display),
  };
  if (!start_display()) {
    fprintf(stderr, "skipped: Xvfb does not start here\n");
    return 77;
  }
  signal(SIGALRM, give_up);
  signal(SIGTERM, give_up);
  alarm(120);
  int failed = cmocka_run_group_tests(tests, make_test_folder, remove_test_folder);
  stop_display();
  return failed;
}
