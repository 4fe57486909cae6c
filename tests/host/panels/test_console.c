/* The console is used as a person uses it: opened by its chord, typed into, clicked. */
#include "panel_bench.h"

typedef struct desk {
  sinew_host *host;
  char evaluated[4096]; /* line by line */
  int located;
} desk;

static bool evaluate(void *user, const char *text, char *answer, size_t size) {
  desk *d = user;
  size_t used = strlen(d->evaluated);
  snprintf(d->evaluated + used, sizeof d->evaluated - used, "%s\n", text);
  snprintf(answer, size, strcmp(text, "bad") == 0 ? "console:1: it is bad" : "one\ntwo of %s", text);
  return strcmp(text, "bad") != 0;
}

static int complete(void *user, const char *text, int *from, char *names, size_t size) {
  (void)user;
  *from = (int)strlen(text) - 2;
  if (strcmp(text, "x = he") == 0) return snprintf(names, size, "height\nhero\n"), 2;
  if (strcmp(text, "x = hero.na") == 0) return snprintf(names, size, "name\n"), 1;
  return 0;
}

static bool locate(void *user, const char *name, char *path, size_t size) {
  desk *d = user;
  d->located += strcmp(name, "scene.lua") == 0;
  (void)path, (void)size;
  return false;
}

static void make(desk *d, float scale, bool drawn) {
  *d = (desk){.host = bench_host(scale, drawn)};
  sinew_host_set_app(d->host, &(sinew_app){.user = d, .evaluate = evaluate, .complete = complete, .locate = locate});
  bench_step(d->host, 1);
}

static void chord(desk *d) {
  sinew_host_send_key(d->host, "left_ctrl", true);
  bench_step(d->host, 1);
  bench_press(d->host, "grave");
  sinew_host_send_key(d->host, "left_ctrl", false);
  bench_step(d->host, 2);
}

static void click(desk *d, const char *label) {
  float box[4];
  if (!ui_find_item(d->host->ui, label, box)) fail_msg("there is no '%s'", label);
  sinew_host_send_mouse(d->host, box[0] + 8, (box[1] + box[3]) / 2);
  bench_step(d->host, 2);
  for (int down = 1; down >= 0; down--) {
    sinew_host_send_button(d->host, 1, down);
    bench_step(d->host, 2);
  }
}

static void it_opens_ready_to_type_and_closes(void **state) {
  (void)state;
  desk d;
  make(&d, 1, false);
  chord(&d);
  assert_true(sinew_host_view(d.host)->console);
  bench_type(d.host, "1 + 1");
  bench_press(d.host, "enter");
  bench_type(d.host, "bad");
  bench_press(d.host, "enter");
  assert_string_equal(d.evaluated, "1 + 1\nbad\n");
  assert_true(bench_shows(d.host, "> 1 + 1") && bench_shows(d.host, "one") && bench_shows(d.host, "two of 1 + 1"));
  assert_true(bench_shows(d.host, "console:1: it is bad"));
  bench_type(d.host, "left"); /* the chord closes it while it has the keyboard */
  chord(&d);
  assert_false(sinew_host_view(d.host)->console);
  assert_false(bench_shows(d.host, "one"));
  sinew_host_destroy(d.host);
}

/* Beside another panel of its region it is hidden in its first frame. */
static void it_takes_the_keyboard_from_the_panel_beside_it(void **state) {
  (void)state;
  desk d;
  make(&d, 1, false);
  sinew_host_view(d.host)->graph = true;
  bench_step(d.host, 3);
  click(&d, "Graph");
  chord(&d);
  bench_type(d.host, "1 + 1");
  bench_press(d.host, "enter");
  assert_string_equal(d.evaluated, "1 + 1\n");
  sinew_host_destroy(d.host);
}

static void lines_are_completed_and_recalled(void **state) {
  (void)state;
  desk d;
  make(&d, 1, false);
  chord(&d);
  bench_type(d.host, "x = he");
  bench_press(d.host, "tab");
  assert_true(bench_shows(d.host, "height hero "));
  bench_type(d.host, "ro.na");
  bench_press(d.host, "tab");
  bench_press(d.host, "enter");
  assert_string_equal(d.evaluated, "x = hero.name\n");
  bench_type(d.host, "other");
  bench_press(d.host, "enter");
  bench_press(d.host, "up");
  bench_press(d.host, "up");
  bench_press(d.host, "enter");
  bench_press(d.host, "up");
  bench_press(d.host, "down");
  bench_type(d.host, "last");
  bench_press(d.host, "enter");
  assert_string_equal(d.evaluated, "x = hero.name\nother\nx = hero.name\nlast\n");
  sinew_host_destroy(d.host);
}

static void the_log_is_filtered_and_leads_to_lines(void **state) {
  (void)state;
  desk d;
  make(&d, 1, false);
  sinew_host_log(d.host, SINEW_LOG_INFO, "first");
  sinew_host_log(d.host, SINEW_LOG_INFO, "first");
  sinew_host_log(d.host, SINEW_LOG_WARNING, "look at scene.lua:12: here");
  sinew_host_set_problem(d.host, 0, "title", "scene.lua:3: wrong\nstack");
  sinew_host_set_problem(d.host, 0, NULL, NULL);
  chord(&d);
  assert_true(bench_shows(d.host, "first  × 2") && bench_shows(d.host, "scene.lua:3: wrong") &&
              bench_shows(d.host, "stack"));
  click(&d, "look at scene.lua:12: here");
  assert_int_equal(d.located, 1);
  click(&d, "info");
  assert_false(bench_shows(d.host, "first  × 2"));
  assert_true(bench_shows(d.host, "scene.lua:3: wrong"));
  click(&d, "filter");
  bench_type(d.host, "look");
  assert_true(bench_shows(d.host, "look at scene.lua:12: here"));
  assert_false(bench_shows(d.host, "scene.lua:3: wrong"));
  sinew_host_destroy(d.host);
}

/* Lines in the console do not also appear over the picture. */
static void lines_leave_the_picture(void **state) {
  (void)state;
  desk d;
  make(&d, 1, false);
  sinew_host_log(d.host, SINEW_LOG_INFO, "a line that would lie over the picture");
  bench_step(d.host, 1);
  assert_true(ui_overlay(d.host->ui)->vertex_count > 100);
  chord(&d);
  float area[4];
  ui_free_area(d.host->ui, area);
  const sinew_overlay *o = ui_overlay(d.host->ui);
  for (int i = 0; i < o->vertex_count; i++) assert_true(o->vertices[i].y >= area[3] - 1);
  sinew_host_destroy(d.host);
}

static void places_are_found(void **state) {
  (void)state;
  static const struct {
    const char *text, *name;
    int line;
  } cases[] = {{"scene.lua:12: x", "scene.lua", 12},
               {"in 'a/b.lua:3'", "a/b.lua", 3},
               {"scene.lua: no", NULL, 0},
               {"x.lua:0: y z.lua:7", "z.lua", 7},
               {".lua:4", ".lua", 4},
               {"", NULL, 0},
               {"(scene.lua:99999999999)", "scene.lua", -1}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char name[64] = "";
    int line;
    bool found = console_place(cases[i].text, name, sizeof name, &line);
    if (i == 4 || cases[i].line < 0) continue; /* whatever it says, it does not fail */
    assert_int_equal(found, cases[i].name != NULL);
    if (!found) continue;
    assert_string_equal(name, cases[i].name);
    assert_int_equal(line, cases[i].line);
  }
}

/* More lines than there is room for: the oldest have gone. */
static void the_log_is_bounded(void **state) {
  (void)state;
  static console c;
  char text[32];
  for (int i = 0; i < 3 * CONSOLE_LINES; i++) {
    snprintf(text, sizeof text, "line %d", i);
    console_add(&c, SINEW_LOG_INFO, text);
  }
  assert_int_equal(c.count, CONSOLE_LINES);
  assert_string_equal(console_shown(&c, 0)->text, "line 2000");
  assert_null(console_shown(&c, CONSOLE_LINES));
  snprintf(c.filter, sizeof c.filter, "99");
  assert_string_equal(console_shown(&c, 0)->text, "line 2099");
  console_release(&c);
}

/* For eyes: SINEW_PICTURES=folder keeps what it looks like. */
static void pictures(void **state) {
  (void)state;
  sinew_error error = {{0}};
  const char *folder = getenv("SINEW_PICTURES");
  for (int scale = 1; scale <= 2 && folder; scale++) {
    desk d;
    picture p;
    char path[512];
    make(&d, (float)scale, true);
    sinew_host_log(d.host, SINEW_LOG_INFO, "loaded");
    sinew_host_log(d.host, SINEW_LOG_WARNING, "scene.lua:12: something looks odd");
    chord(&d);
    bench_type(d.host, "hero:playing()");
    bench_press(d.host, "enter");
    bench_type(d.host, "bad");
    bench_press(d.host, "enter");
    snprintf(path, sizeof path, "%s/console-%dx.png", folder, scale);
    assert_true(picture_create(&p, d.host->width, d.host->height, NULL));
    assert_true(sinew_renderer_read(d.host->renderer, p.width, p.height, p.rgba, &error));
    assert_true(png_write(path, &p, NULL));
    picture_release(&p);
    sinew_host_destroy(d.host);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(it_opens_ready_to_type_and_closes),
                                     cmocka_unit_test(it_takes_the_keyboard_from_the_panel_beside_it),
                                     cmocka_unit_test(lines_are_completed_and_recalled),
                                     cmocka_unit_test(the_log_is_filtered_and_leads_to_lines),
                                     cmocka_unit_test(lines_leave_the_picture),
                                     cmocka_unit_test(places_are_found),
                                     cmocka_unit_test(the_log_is_bounded),
                                     cmocka_unit_test(pictures)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
