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

/* Xvfb finds a free number and says which. Without -noreset it would start again between two windows. */
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

static sinew_host *open_window_of(const char *target, int frames, int width, int height) {
  sinew_host_def def = sinew_host_def_default();
  sinew_error error = {0};
  def.title = "Sinew test";
  def.width = width;
  def.height = height;
  def.samples = 1;
  def.shadow_size = 0;
  def.capture = target;
  def.frame_limit = frames;
  sinew_host *host = sinew_host_create(&def, &error);
  if (!host) fail_msg("%s", error.message);
  return host;
}

static sinew_host *open_window(const char *target, int frames) { return open_window_of(target, frames, 320, 200); }

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

/* ---- the window itself ---- */

static void resize(const char *width, const char *height) {
  char *words[] = {"xdotool", "search", "--name", "Sinew test", "windowsize", (char *)width, (char *)height, NULL};
  pid_t process;
  int status = 1;
  assert_true(start(&process, words));
  waitpid(process, &status, 0);
  assert_int_equal(status, 0);
}

static bool press(sinew_host *host, const char *key) {
  bool pressed = hands("search", "--name", "Sinew test", "windowfocus", NULL) && hands("key", key, NULL, NULL, NULL);
  steps(host, 8);
  return pressed;
}

static void test_full_screen_and_back(void **state) {
  (void)state;
  int width, height;
  sinew_host *host = open_window(NULL, 0);
  steps(host, 3);
  if (!press(host, "F11")) {
    sinew_host_destroy(host);
    skip();
  }
  assert_true(sinew_host_is_fullscreen(host));
  sinew_host_size(host, &width, &height);
  assert_true(width == 800 && height == 600);
  sinew_host_set_fullscreen(host, false);
  steps(host, 20);
  sinew_host_size(host, &width, &height);
  assert_true(width == 320 && height == 200 && !sinew_host_is_fullscreen(host));
  sinew_host_destroy(host);
}

/* A key that is held when the window loses the focus comes up; the frames go on, and so they do at other sizes. */
static void test_the_focus_is_lost_and_the_size_changes(void **state) {
  (void)state;
  int width, height;
  sinew_host *host = open_window(NULL, 0);
  steps(host, 3);
  bool held = hands("search", "--name", "Sinew test", "windowfocus", NULL) && hands("keydown", "w", NULL, NULL, NULL);
  for (int i = 0; i < 100 && held && !sinew_host_is_down(host, "w"); i++) steps(host, 1);
  if (!held) {
    sinew_host_destroy(host);
    skip();
  }
  assert_true(sinew_host_is_down(host, "w"));
  assert_true(hands("search", "--name", "Sinew test", "windowunmap", NULL));
  for (int i = 0; i < 100 && sinew_host_is_down(host, "w"); i++) steps(host, 1);
  assert_false(sinew_host_is_down(host, "w"));
  assert_true(hands("keyup", "w", NULL, NULL, NULL));
  assert_true(hands("search", "--name", "Sinew test", "windowmap", NULL));
  resize("1", "1"), steps(host, 20);
  resize("500", "300"), steps(host, 20);
  sinew_host_size(host, &width, &height);
  assert_true(width == 500 && height == 300);
  sinew_host_destroy(host);
}

/* The display's scale is another one than before: text is twice as large, and panels still take the mouse. */
static void test_the_scale_of_the_display_changes(void **state) {
  (void)state;
  float wide[3], high;
  sinew_host *host = open_window(NULL, 0);
  for (int i = 0; i < 3; i++) {
    host->def.scale = i == 1 ? 2 : 1;
    sinew_host_set_help(host, "help");
    steps(host, 3);
    ui_text_size(host->ui, UI_TEXT, "Walk", &wide[i], &high);
    assert_true(ui_scale(host->ui) == host->def.scale);
  }
  assert_near(wide[1], 2 * wide[0], 0.1f * wide[1]);
  assert_true(wide[2] == wide[0]);
  sinew_host_destroy(host);
}

/* ---- the inspector, by hand ---- */

static sinew_action play(sinew_host *host, sinew_model *model, sinew_actor actor, const char *clip) {
  sinew_error error = {0};
  sinew_play_def def = sinew_play_def_default();
  def.clip = sinew_model_find_clip(model, clip), def.fade = 0, def.solo = false, def.weight = 1, def.speed = 0;
  sinew_action made = sinew_actor_play(host->stage, actor, &def, &error);
  if (made.id == 0) fail_msg("%s", error.message);
  return made;
}

/* A hash of the part of the window left of the panels. */
static uint32_t look(sinew_host *host, int width, int height) {
  sinew_error error = {0};
  uint8_t *rgba = malloc((size_t)width * (size_t)height * 4);
  uint32_t sum = 0;
  if (!sinew_renderer_read(host->renderer, width, height, rgba, &error)) fail_msg("%s", error.message);
  for (int y = 0; y < height; y++)
    for (int x = 0; x < 4 * (width - 400); x++) sum = sum * 31 + rgba[(size_t)y * (size_t)width * 4 + (size_t)x];
  free(rgba);
  return sum;
}

static bool drag(sinew_host *host, const float box[4], float from, float to) {
  const char *const calls[][2] = {{"mousemove", NULL}, {"mousedown", "1"}, {"mousemove", NULL}, {"mouseup", "1"}};
  for (int i = 0; i < 4; i++) {
    char x[16], y[16];
    snprintf(x, sizeof x, "%.0f", (double)(box[0] + (box[2] - box[0]) * (i < 2 ? from : to)));
    snprintf(y, sizeof y, "%.0f", (double)(0.5f * (box[1] + box[3])));
    bool moved = calls[i][1] ? hands(calls[i][0], calls[i][1], NULL, NULL, NULL) : hands(calls[i][0], x, y, NULL, NULL);
    if (!moved) return false;
    steps(host, 4);
  }
  return true;
}

static void test_the_inspector_is_used_by_hand(void **state) {
  (void)state;
  sinew_error error = {0};
  sinew_play_def walk;
  float box[4];
  sinew_host *host = open_window_of(NULL, 0, 700, 500);
  sinew_model *model = sinew_model_load(SINEW_SOURCE "/assets/hero.glb", NULL, &error);
  if (!model) fail_msg("%s", error.message);
  sinew_actor actor = sinew_actor_create(host->stage, "hero", model, &error);
  sinew_action first = play(host, model, actor, "Run");
  play(host, model, actor, "Wave");
  steps(host, 5);
  if (!press(host, "F1")) {
    sinew_host_destroy(host);
    sinew_model_release(model);
    skip();
  }
  assert_true(host->view.inspector);
  uint32_t before = look(host, 700, 500);
  steps(host, 2);
  assert_int_equal(look(host, 700, 500), before); /* nothing else moves */
  assert_true(ui_find_item(host->ui, "weight", box));
  assert_true(drag(host, box, 0.4f, 0.01f));
  assert_true(sinew_action_read_state(host->stage, first, &walk));
  assert_true(walk.weight < 0.1f);
  assert_int_not_equal(look(host, 700, 500), before);
  assert_true(host->inspector.changes.count > 0);
  assert_true(press(host, "F1"));
  assert_false(host->view.inspector);
  sinew_host_destroy(host);
  sinew_model_release(model);
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
      cmocka_unit_test(test_a_run_in_real_time),
      cmocka_unit_test(test_keys_and_mouse_arrive),
      cmocka_unit_test(test_full_screen_and_back),
      cmocka_unit_test(test_the_focus_is_lost_and_the_size_changes),
      cmocka_unit_test(test_the_scale_of_the_display_changes),
      cmocka_unit_test(test_the_inspector_is_used_by_hand),
      cmocka_unit_test(test_text_can_be_copied),
      cmocka_unit_test(test_two_windows_one_after_the_other),
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
