/* Shaders that are saved while they draw: the picture follows, and one that does not compile changes nothing. */
#include "host_fixture.h"

#include "host/host.h"

static sinew_host *host;

enum { RED, GREEN, BLUE };

/* Of all pixels those that have this colour alone, in hundredths, when the toasts of a minute ago are gone. */
static int share_of(int channel) {
  static uint8_t rgba[64 * 48 * 4];
  sinew_error error = {0};
  int found = 0;
  if (!sinew_host_step(host, 60, &error)) fail_msg("%s", error.message);
  if (!sinew_renderer_read(host->renderer, 64, 48, rgba, &error)) fail_msg("%s", error.message);
  for (const uint8_t *at = rgba; at < rgba + sizeof rgba; at += 4)
    found += at[channel] > 200 && at[(channel + 1) % 3] < 50 && at[(channel + 2) % 3] < 50;
  return found * 100 / (64 * 48);
}

static void copy_shaders(void) {
  char command[1024];
  snprintf(command, sizeof command, "cp -r '%s/shaders' '%s'", SINEW_SOURCE, test_folder);
  assert_int_equal(system(command), 0);
}

static void step(int frames) {
  sinew_error error = {0};
  for (int i = 0; i < frames; i++) {
    wait_ms(25);
    if (!sinew_host_step(host, 1.0 / 60, &error)) fail_msg("%s", error.message);
  }
}

static void a_saved_shader_draws_from_then_on(void **state) {
  (void)state;
  static const char red[] = "in vec3 v_ray;\nout vec4 color;\nvoid main() { color = vec4(1.0, 0.0, 0.0, 1.0); }\n";
  static const char wrong[] = "in vec3 v_ray;\nout vec4 color;\nvoid main() {\n  color = nothing;\n}\n";
  const char *sky = test_file("shaders/sky.frag");
  step(1);
  assert_int_equal(share_of(RED), 0);
  write_text(sky, red);
  step(4);
  int share = share_of(RED);
  assert_in_range(share, 20, 100);
  assert_null(sinew_host_problem(host, PROBLEM_LIMIT - 1));
  write_text(sky, wrong);
  step(4);
  const char *shown = sinew_host_problem(host, PROBLEM_LIMIT - 1);
  if (!shown || !strstr(shown, "sky.frag:4:")) fail_msg("%s", shown ? shown : "no problem is shown");
  write_text(test_file("shaders/ground.frag"), "no GLSL at all\n");
  step(4);
  write_text(sky, red);
  step(4);
  assert_non_null(sinew_host_problem(host, PROBLEM_LIMIT - 1)); /* the ground is still wrong, so nothing has changed */
  assert_int_equal(share_of(RED), share);
}

static void draw_lines_and_text(void *user) {
  (void)user;
  for (int i = -20; i <= 20; i++) {
    float y = 1 + (float)i * 0.02f;
    sinew_host_draw_line(host, &(sinew_line){{-1, y, 0}, {1, y, 0}, {255, 255, 255, 255}}, true);
  }
  sinew_host_draw_text(host, 2, 2, (const uint8_t[4]){255, 255, 255, 255}, "MMMMMMMM");
}

/* They are no part of the scene's light, but they are read and saved as the others are. */
static void the_shaders_of_lines_and_panels_follow_too(void **state) {
  (void)state;
  const char *line = test_file("shaders/line.frag"), *panel = test_file("shaders/overlay.frag");
  sinew_host_set_app(host, &(sinew_app){.draw = draw_lines_and_text});
  step(2);
  assert_int_equal(share_of(GREEN) + share_of(BLUE), 0);
  write_text(line, "out vec4 color;\nvoid main() { color = vec4(0.0, 1.0, 0.0, 1.0); }\n");
  write_text(panel, "out vec4 color;\nvoid main() { color = vec4(0.0, 0.0, 1.0, 1.0); }\n");
  step(4);
  int green = share_of(GREEN), blue = share_of(BLUE);
  assert_in_range(green, 2, 100);
  assert_in_range(blue, 2, 100);
  write_text(panel, "out vec4 color;\nvoid main() { color = 1 }\n");
  step(4);
  assert_non_null(strstr(sinew_host_problem(host, PROBLEM_LIMIT - 1), "overlay.frag:2:"));
  assert_int_equal(share_of(GREEN), green);
  assert_in_range(share_of(BLUE), blue, 100); /* the words of the error are blue as well */
  sinew_host_set_app(host, &(sinew_app){0});
  write_text(panel, "out vec4 color;\nvoid main() { color = vec4(0.0); }\n");
  step(4);
  assert_null(sinew_host_problem(host, PROBLEM_LIMIT - 1));
}

/* The files of shaders/include are parts of the others. */
static void a_saved_part_is_read_again(void **state) {
  (void)state;
  const char *part = test_file("shaders/include/tone.glsl");
  write_text(part, "float half_of(float x) {\n  return nothing;\n}\n");
  step(4);
  const char *shown = sinew_host_problem(host, PROBLEM_LIMIT - 1);
  if (!shown || !strstr(shown, "tone.glsl:2:")) fail_msg("%s", shown ? shown : "no problem is shown");
  copy_shaders();
  step(4);
  assert_null(sinew_host_problem(host, PROBLEM_LIMIT - 1));
}

static void silence(void *user, sinew_log_level level, const char *line) { (void)user, (void)level, (void)line; }

int main(void) {
  sinew_error error = {0};
  sinew_host_def def = sinew_host_def_default();
  make_test_folder(NULL);
  copy_shaders();
  setenv("SINEW_HOME", test_folder, 1);
  sinew_set_log(silence, NULL);
  def.output = SINEW_OUTPUT_OFFSCREEN;
  def.width = 64, def.height = 48;
  def.watch = true;
  host = sinew_host_create(&def, &error);
  if (!host) {
    printf("%s\n", error.message);
    remove_test_folder(NULL);
    return 77;
  }
  const struct CMUnitTest tests[] = {cmocka_unit_test(the_shaders_of_lines_and_panels_follow_too),
                                     cmocka_unit_test(a_saved_part_is_read_again),
                                     cmocka_unit_test(a_saved_shader_draws_from_then_on)};
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  sinew_host_destroy(host);
  return remove_test_folder(NULL) != 0 || failed;
}
