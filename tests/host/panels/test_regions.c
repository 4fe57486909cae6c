/* Panels at the edges: splitters are dragged, tabs clicked, and what lies between them stays free. */
#include "panel_bench.h"

#include "host/panels/layout.h"

typedef struct desk {
  sinew_host *host;
  bool left, right, bottom, second; /* which panels are open */
  bool second_shows;
} desk;

static void draw_region(desk *d, ui_region where, const char *title, bool *open) {
  ui *u = d->host->ui;
  if (!*open || !ui_begin_region(u, where, title, open)) return;
  ui_button(u, title);
  if (open == &d->second) d->second_shows = true;
  ui_end_region(u);
}

static void draw_panels(void *user, double dt) {
  desk *d = user;
  (void)dt;
  d->second_shows = false;
  draw_region(d, UI_LEFT, "Joints", &d->left);
  draw_region(d, UI_RIGHT, "Values", &d->right);
  draw_region(d, UI_BOTTOM, "Timeline", &d->bottom);
  draw_region(d, UI_BOTTOM, "Console", &d->second);
}

static void make(desk *d, float scale) {
  *d = (desk){.host = bench_host(scale, false), .left = true, .right = true, .bottom = true};
  sinew_host_set_app(d->host, &(sinew_app){.user = d, .update = draw_panels});
  bench_step(d->host, 3);
}

static void drag_by(desk *d, const char *label, float x, float y) {
  float from[2];
  bench_middle(d->host, label, &from[0], &from[1]);
  bench_drag(d->host, from[0], from[1], from[0] + x, from[1] + y);
}

/* The three regions and what is free tile the window, at any scale. */
static void regions_tile_the_window(void **state) {
  (void)state;
  for (int scale = 1; scale <= 2; scale++) {
    desk d;
    float area[4], s = (float)scale;
    make(&d, s);
    ui_free_area(d.host->ui, area);
    assert_near(area[0], 240 * s, 1);
    assert_near(area[2], (WIDTH - 300) * s, 1);
    assert_near(area[3], (HEIGHT - 260) * s, 1);
    float joints[4], values[4], timeline[4];
    bench_find(d.host, "left splitter", joints), bench_find(d.host, "right splitter", values),
        bench_find(d.host, "bottom splitter", timeline);
    assert_true(joints[2] <= area[0] && values[0] >= area[2] && timeline[1] >= area[3]);
    assert_true(joints[3] <= area[3] && values[3] <= area[3] && timeline[0] == 0 && timeline[2] == WIDTH * s);
    d.right = d.bottom = d.left = false;
    bench_step(d.host, 3);
    ui_free_area(d.host->ui, area);
    assert_true(area[0] == 0 && area[1] == 0 && area[2] == WIDTH * s && area[3] == HEIGHT * s);
    sinew_host_destroy(d.host);
  }
}

/* In pixels. */
static void see(const desk *d, sinew_vec3 p, float out[2]) {
  const sinew_camera camera = sinew_host_shown_camera(d->host);
  sinew_mat4 view = sinew_camera_view(&camera);
  sinew_mat4 lens = sinew_camera_projection(&camera, (float)d->host->width / (float)d->host->height);
  float eye[4], clip[4];
  for (int r = 0; r < 4; r++) eye[r] = view.m[r] * p.x + view.m[4 + r] * p.y + view.m[8 + r] * p.z + view.m[12 + r];
  for (int r = 0; r < 4; r++)
    clip[r] = lens.m[r] * eye[0] + lens.m[4 + r] * eye[1] + lens.m[8 + r] * eye[2] + lens.m[12 + r] * eye[3];
  out[0] = (clip[0] / clip[3] + 1) / 2 * (float)d->host->width;
  out[1] = (1 - clip[1] / clip[3]) / 2 * (float)d->host->height;
}

/* The middle stays the middle, and what fits stays as large a part of the height that there is. */
static void the_picture_makes_room(void **state) {
  (void)state;
  for (int scale = 1; scale <= 2; scale++) {
    desk d;
    float area[4], at[2], above[2], part[2];
    make(&d, (float)scale);
    const sinew_camera *camera = sinew_host_camera(d.host);
    sinew_vec3 middle = camera->target, higher = middle;
    higher.y += 0.5f;
    for (int open = 1; open >= 0; open--) {
      d.left = d.right = d.bottom = open;
      bench_step(d.host, 3);
      ui_free_area(d.host->ui, area);
      see(&d, middle, at);
      see(&d, higher, above);
      assert_near(at[0], (area[0] + area[2]) / 2, 0.1);
      assert_near(at[1], (area[1] + area[3]) / 2, 0.1);
      part[open] = (at[1] - above[1]) / (area[3] - area[1]);
    }
    assert_true(part[0] > 0.1f);
    assert_near(part[0], part[1], 1e-4);
    sinew_host_destroy(d.host);
  }
}

static void splitters_are_dragged_and_remembered(void **state) {
  (void)state;
  char text[LAYOUT_TEXT];
  desk d, again;
  make(&d, 2);
  drag_by(&d, "left splitter", 60, 0);
  drag_by(&d, "right splitter", 80, 0);
  drag_by(&d, "bottom splitter", 0, -100);
  float sizes[UI_REGION_COUNT];
  for (int i = 0; i < UI_REGION_COUNT; i++) sizes[i] = ui_region_size(d.host->ui, (ui_region)i);
  assert_near(sizes[UI_LEFT], 240 + 30, 4);
  assert_near(sizes[UI_RIGHT], 300 - 40, 4);
  assert_near(sizes[UI_BOTTOM], 260 + 50, 4);
  layout_write(d.host->ui, text);
  make(&again, 1);
  layout_read(again.host->ui, text);
  for (int i = 0; i < UI_REGION_COUNT; i++) assert_near(ui_region_size(again.host->ui, (ui_region)i), sizes[i], 1e-3);
  sinew_host_destroy(again.host);
  /* Never past the window, and never away. */
  drag_by(&d, "left splitter", 9000, 0);
  drag_by(&d, "bottom splitter", 0, -9000);
  float area[4];
  ui_free_area(d.host->ui, area);
  assert_true(area[0] < area[2] - 20 && area[3] > 200);
  drag_by(&d, "left splitter", -9000, 0);
  assert_near(ui_region_size(d.host->ui, UI_LEFT), 120, 1);
  sinew_host_destroy(d.host);
}

/* Whatever a file of sizes holds, panels stay usable. */
static void odd_sizes_change_nothing(void **state) {
  (void)state;
  static const char *const texts[] = {"left nan\n", "left -3\nright 0", "left",   "\n\n",          "bottom inf",
                                      "left 1e30",  "sideways 30",      "left x", "leftmostest 20"};
  desk d;
  make(&d, 1);
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    layout_read(d.host->ui, texts[i]);
    bench_step(d.host, 1);
    assert_true(ui_region_size(d.host->ui, UI_LEFT) == 240 && ui_region_size(d.host->ui, UI_RIGHT) == 300);
    assert_true(ui_region_size(d.host->ui, UI_BOTTOM) == 260);
  }
  layout_read(d.host->ui, "left 1\nright 16000\nbottom 2");
  bench_step(d.host, 2);
  float area[4];
  ui_free_area(d.host->ui, area);
  assert_true(area[0] == 120 && area[3] == HEIGHT - 120 && area[2] > area[0] + 100);
  sinew_host_destroy(d.host);
}

/* The panel that is opened comes to the front; a click on the other's tab brings that back, the cross closes one. */
static void panels_of_a_region_share_it(void **state) {
  (void)state;
  desk d;
  float box[4];
  make(&d, 1);
  d.second = true;
  bench_step(d.host, 3);
  assert_true(d.second_shows);
  drag_by(&d, "Timeline", 0, 0);
  assert_false(d.second_shows);
  drag_by(&d, "Console", 0, 0);
  assert_true(d.second_shows);
  bench_find(d.host, "Console", box); /* first the tab, then the button */
  sinew_host_send_mouse(d.host, box[2] - 10, (box[1] + box[3]) / 2);
  bench_step(d.host, 2);
  for (int down = 1; down >= 0; down--) {
    sinew_host_send_button(d.host, 1, down);
    bench_step(d.host, 2);
  }
  assert_false(d.second);
  assert_true(d.bottom);
  sinew_host_destroy(d.host);
}

/* A problem lies within the window, and is as wide as a sentence needs, or as the window. */
static void expect_problem(const sinew_host *host, float scale) {
  float box[4], width = (float)host->width, height = (float)host->height,
                least = fminf(370 * scale, width - 50 * scale);
  assert_true(sinew_host_problem_box(host, 0, box));
  assert_true(box[0] >= 0 && box[1] >= 0 && box[2] <= width && box[3] <= height);
  assert_true(box[2] - box[0] >= least && box[3] - box[1] >= 2 * ui_line_height(host->ui, UI_CODE));
}

/* However small the window is, and however little of it the panels leave. */
static void problems_are_never_hidden(void **state) {
  (void)state;
  static const int windows[][2] = {{960, 540}, {640, 360}, {320, 200}, {1600, 300}, {300, 900}};
  static const char *const sizes[] = {"", "left 460\nright 460\nbottom 320\n", "left 9000\nright 9000\nbottom 9000\n",
                                      "left 120\nright 120\nbottom 9000\n", "left 9000\nright 120\nbottom 120\n"};
  for (size_t i = 0; i < 2 * sizeof windows / sizeof *windows; i++) {
    float scale = (float)(1 + i % 2);
    desk d = {.left = true, .right = true, .bottom = true};
    d.host = bench_host_of(windows[i / 2][0], windows[i / 2][1], scale, false);
    sinew_host_set_app(d.host, &(sinew_app){.user = &d, .update = draw_panels});
    sinew_host_set_problem(d.host, 0, "scene.lua:3", "'=' expected near 'x'");
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
      layout_read(d.host->ui, sizes[k]);
      bench_step(d.host, 3);
      expect_problem(d.host, scale);
    }
    sinew_host_destroy(d.host);
  }
}

/* With room beside the panels it lies there. */
static void problems_lie_beside_panels(void **state) {
  (void)state;
  float box[4], area[4];
  desk d;
  make(&d, 1);
  sinew_host_set_problem(d.host, 0, "scene.lua:3", "'=' expected near 'x'");
  bench_step(d.host, 2);
  ui_free_area(d.host->ui, area);
  assert_true(sinew_host_problem_box(d.host, 0, box));
  assert_true(box[0] >= area[0] && box[2] <= area[2] && box[3] <= area[3]);
  sinew_host_destroy(d.host);
}

/* The right region as it is seen. */
static picture region_picture(sinew_host *host) {
  picture p;
  sinew_error error = {{0}};
  bench_step(host, 1);
  assert_true(picture_create(&p, host->width, host->height, NULL));
  if (!sinew_renderer_read(host->renderer, p.width, p.height, p.rgba, &error)) fail_msg("%s", error.message);
  return p;
}

/* They are broken where the free area ends: none of their pixels lies under a panel that lets them through. */
static void long_messages_stay_beside_panels(void **state) {
  (void)state;
  static const char text[] =
      "a sentence that is far longer than the picture is wide beside the panel at its right, for "
      "which reason it goes on in a second line, and after that in a third";
  sinew_host *host = bench_host(1, true);
  float area[4];
  int differ = 0;
  sinew_host_view(host)->inspector = true;
  bench_step(host, 3);
  ui_free_area(host->ui, area);
  assert_true(area[2] < WIDTH - 100);
  picture before = region_picture(host);
  sinew_host_toast(host, text);
  sinew_host_log(host, SINEW_LOG_WARNING, text);
  picture after = region_picture(host);
  for (int y = 0; y < HEIGHT; y++) {
    const uint8_t *a = before.rgba + (size_t)y * WIDTH * 4, *b = after.rgba + (size_t)y * WIDTH * 4;
    size_t free_bytes = (size_t)area[2] * 4;
    differ += memcmp(a, b, free_bytes) != 0;
    if (memcmp(a + free_bytes, b + free_bytes, WIDTH * 4 - free_bytes) != 0) fail_msg("row %d of the panel differs", y);
  }
  assert_true(differ > 60); /* both are there, in more than a line each */
  picture_release(&before);
  picture_release(&after);
  sinew_host_destroy(host);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(regions_tile_the_window),
                                     cmocka_unit_test(the_picture_makes_room),
                                     cmocka_unit_test(splitters_are_dragged_and_remembered),
                                     cmocka_unit_test(odd_sizes_change_nothing),
                                     cmocka_unit_test(panels_of_a_region_share_it),
                                     cmocka_unit_test(problems_are_never_hidden),
                                     cmocka_unit_test(problems_lie_beside_panels),
                                     cmocka_unit_test(long_messages_stay_beside_panels)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
