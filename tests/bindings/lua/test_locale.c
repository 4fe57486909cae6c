/* In a program whose locale has a decimal comma everything is as it is elsewhere: numbers in scenes, files, messages,
 * and the arguments of the import program. The locale is made here. */
#include "harness.h"

#include <sinew/pose_file.h>

#include <locale.h>

static char folder[] = "/tmp/sinew-locale-XXXXXX";

static bool has_comma(void) {
  char text[8];
  snprintf(text, sizeof text, "%.1f", 0.5);
  return strcmp(text, "0,5") == 0;
}

static bool make_locale(void) {
  char command[256];
  if (setlocale(LC_ALL, "de_DE.UTF-8") && has_comma()) return true;
  if (!mkdtemp(folder)) return false;
  snprintf(command, sizeof command, "localedef -i de_DE -f UTF-8 '%s/de_DE.UTF-8' >/dev/null 2>&1", folder);
  if (system(command) != 0) return false;
  setenv("LOCPATH", folder, 1);
  return setlocale(LC_ALL, "de_DE.UTF-8") && has_comma();
}

static void test_lua(void **state) {
  harness h;
  (void)state;
  harness_open(&h, "print(0.5, 1e100, tostring(2.25), tonumber '3.5', ('%.2f'):format(1.25), 1.5 .. '', '0.25' + 1)\n"
                   "print(pcall(tonumber, '3,5'))\n"
                   "print('Z' < 'a', ('ä'):match '%a', sinew.vec3(0.5, 1.5, 2.5))\n"
                   "print(load('return 0.125')())\n"
                   "print(select(2, pcall(error, 0.5)))\n");
  assert_string_equal(h.printed,
                      "0.5\t1e+100\t2.25\t3.5\t1.25\t1.5\t1.25\ntrue\tnil\ntrue\tnil\t{0.5, 1.5, 2.5}\n0.125\n0.5\n");
  assert_true(has_comma()); /* the program has its locale back */
  harness_close(&h);
}

/* The second load tells a change of a number. */
static void test_what_a_save_says(void **state) {
  harness h;
  (void)state;
  harness_open(&h, "local hero = sinew.actor('hero', 'hero.glb') hero:play('Walk', { speed = 0.5 })");
  assert_true(harness_reload(&h, "local hero = sinew.actor('hero', 'hero.glb') hero:play('Walk', { speed = 1.25 })"));
  harness_expect(sinew_scene_summary(h.scene), "0.5");
  harness_expect(sinew_scene_summary(h.scene), "1.25");
  assert_null(strchr(sinew_scene_summary(h.scene), ',') ? strstr(sinew_scene_summary(h.scene), "0,5") : NULL);
  harness_close(&h);
}

static void test_the_import_program(void **state) {
  sinew_error error;
  sinew_load_options options = sinew_load_options_default();
  char path[1024];
  (void)state;
  snprintf(path, sizeof path, "%s/assets/hero.glb", sinew_home());
  options.no_cache = true;
  sinew_model *plain = sinew_model_load(path, &options, &error);
  options.unit = 0.5;
  sinew_model *half = sinew_model_load(path, &options, &error);
  assert_true(plain && half);
  sinew_vec3 low, high, half_low, half_high;
  sinew_model_bounds(plain, &low, &high);
  sinew_model_bounds(half, &half_low, &half_high);
  assert_true(fabsf(half_high.y / high.y - 0.5f) < 1e-3f);
  sinew_model_release(plain);
  sinew_model_release(half);
}

static void test_poses(void **state) {
  harness h;
  (void)state;
  harness_open(&h, "local hero = sinew.model 'hero.glb'\n"
                   "function sinew.update()\n"
                   "  local pose = hero:sample('Walk', 0.3)\n"
                   "  pose:save 'a.pose'\n"
                   "  print(pose:compare((sinew.load_pose('a.pose', hero))) < 1e-6)\nend");
  harness_step(&h, 1);
  assert_string_equal(h.printed, "true\n");
  char path[128], text[4096] = "";
  snprintf(path, sizeof path, "%s/a.pose", h.folder);
  FILE *file = fopen(path, "r");
  assert_non_null(file);
  assert_true(fread(text, 1, sizeof text - 1, file) > 100);
  fclose(file);
  assert_null(strchr(text, ','));
  harness_close(&h);
}

static void test_recordings(void **state) {
  sinew_error error;
  sinew_host_def def = sinew_host_def_default();
  char path[128];
  (void)state;
  snprintf(path, sizeof path, "/tmp/sinew-locale-%ld.txt", (long)getpid());
  def.output = SINEW_OUTPUT_NONE;
  def.fixed_dt = 0.0125;
  def.frame_limit = 5;
  def.record_input = path;
  sinew_host *host = sinew_host_create(&def, &error);
  assert_non_null(host);
  assert_true(sinew_host_run(host, &error));
  sinew_host_destroy(host);
  setlocale(LC_ALL, "C"); /* written with commas, read without */
  def.record_input = NULL;
  def.replay_input = path;
  def.fixed_dt = def.frame_limit = 0;
  host = sinew_host_create(&def, &error);
  if (!host) fail_msg("%s", error.message);
  assert_true(sinew_host_run(host, &error));
  assert_true(fabs(sinew_host_time(host) - 5 * 0.0125) < 1e-12);
  sinew_host_destroy(host);
  setlocale(LC_ALL, "de_DE.UTF-8");
  remove(path);
}

static void test_messages(void **state) {
  sinew_error error;
  sinew_host_def def = sinew_host_def_default();
  (void)state;
  def.fixed_dt = -0.5;
  assert_null(sinew_host_create(&def, &error));
  harness_expect(error.message, "-0.5");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_lua),   cmocka_unit_test(test_what_a_save_says), cmocka_unit_test(test_the_import_program),
      cmocka_unit_test(test_poses), cmocka_unit_test(test_recordings),       cmocka_unit_test(test_messages),
  };
  char command[128];
  if (!make_locale()) {
    puts("skipped: no locale with a decimal comma (localedef and its sources are not here)");
    return 77;
  }
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  snprintf(command, sizeof command, "rm -rf '%s'", folder);
  return system(command) == 0 ? failed : 1;
}
