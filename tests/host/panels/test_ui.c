/* Panels need no picture: input goes in, values and triangles come out. */
#include "support/fixture.h"

#include "host/ui/ui.h"

typedef struct desk {
  ui *u;
  input in;
} desk;

static void begin(desk *d) {
  input_begin_frame(&d->in);
  ui_begin_frame(d->u, &d->in, 1280, 720, 1.0 / 60);
}

static void end(desk *d) {
  ui_end_frame(d->u);
  input_end_frame(&d->in);
}

static int open_desk(void **state) {
  static desk d;
  sinew_error error;
  int width, height;
  const uint8_t *coverage;
  d = (desk){.u = ui_create(1, &error)};
  assert_non_null(d.u);
  ui_font(d.u, &width, &height, &coverage);
  assert_true(width > 0 && height > 0 && coverage);
  ui_drop_font(d.u);
  *state = &d;
  return 0;
}

static int close_desk(void **state) {
  desk *d = *state;
  ui_destroy(d->u);
  input_release(&d->in);
  return 0;
}

static void click_at(desk *d, const float box[4]) {
  input_push_move(&d->in, (box[0] + box[2]) / 2, (box[1] + box[3]) / 2);
  input_push_button(&d->in, 1, true);
  input_push_button(&d->in, 1, false);
}

static void test_a_click_presses_the_button_once(void **state) {
  desk *d = *state;
  int pressed = 0, other = 0;
  float box[4] = {0};
  for (int frame = 0; frame < 12; frame++) {
    begin(d);
    ui_begin(d->u, "Panel");
    other += ui_button(d->u, "Other");
    pressed += ui_button(d->u, "Jump");
    ui_last_item(d->u, box);
    ui_end(d->u);
    end(d);
    if (frame == 3) click_at(d, box);
  }
  assert_int_equal(pressed, 1);
  assert_int_equal(other, 0);
}

static const char *cell(void *user, int row, int column) {
  static const char *const cells[2][2] = {{"walk", "1"}, {"run", "4"}};
  (void)user;
  return cells[row][column];
}

static sinew_picture_part no_picture(void *user, int row) {
  (void)user;
  return row == 0 ? (sinew_picture_part){7, {0, 0}, {0.5f, 1}} : (sinew_picture_part){0};
}

/* The picture is drawn with its texture, and everything else with the font's. */
static void assert_textures(const ui *u) {
  const sinew_overlay *o = ui_overlay(u);
  int pictures = 0;
  for (int i = 0; i < o->command_count; i++) {
    assert_true(o->commands[i].texture == 0 || o->commands[i].texture == 7);
    pictures += o->commands[i].texture == 7;
  }
  assert_int_equal(pictures, 1);
}

static void test_a_table_is_sorted_and_chosen_from(void **state) {
  desk *d = *state;
  static const char *const titles[] = {"clip", "speed"};
  sinew_table table = {
      .columns = 2, .rows = 2, .titles = titles, .cell = cell, .picture = no_picture, .picture_size = 48};
  int chosen = -1, sort = 0, clicks = 0;
  float box[4] = {0};
  for (int frame = 0; frame < 40; frame++) {
    begin(d);
    clicks += ui_table(d->u, "Clips", &table, &chosen, &sort);
    end(d);
    if (frame == 4) assert_textures(d->u);
    if (frame == 5 || frame == 20) assert_true(ui_find_item(d->u, frame == 5 ? "run" : "speed", box));
    if (frame == 6 || frame == 23 || frame == 30) click_at(d, box);
    if (frame == 21)
      input_push_move(&d->in, (box[0] + box[2]) / 2, (box[1] + box[3]) / 2); /* titles look before they leap */
    if (frame == 20) assert_true(chosen == 1 && clicks == 1 && sort == 0);
    if (frame == 29) assert_int_equal(sort, 2);
  }
  assert_int_equal(sort, -2);
  assert_int_equal(chosen, 1);
}

static const char *row_name(void *user, int row, int column) {
  static char name[16];
  (void)user, (void)column;
  snprintf(name, sizeof name, "row %d", row);
  return name;
}

static void test_a_row_chosen_by_a_key_comes_into_view(void **state) {
  desk *d = *state;
  static const char *const titles[] = {"clip"};
  sinew_table table = {.columns = 1, .rows = 200, .titles = titles, .cell = row_name};
  int chosen = 0, sort = 0;
  float box[4];
  for (int frame = 0; frame < 12; frame++) {
    if (frame == 6) assert_false(ui_find_item(d->u, "row 150", box));
    if (frame == 6) chosen = 150;
    begin(d);
    ui_table(d->u, "Rows", &table, &chosen, &sort);
    end(d);
  }
  assert_true(ui_find_item(d->u, "row 150", box));
}

static void test_equal_labels_are_two_widgets(void **state) {
  desk *d = *state;
  bool first = false, second = false;
  float box[4] = {0};
  for (int frame = 0; frame < 12; frame++) {
    begin(d);
    ui_checkbox(d->u, "same", &first);
    ui_checkbox(d->u, "same", &second);
    ui_last_item(d->u, box);
    end(d);
    if (frame == 3) click_at(d, box);
  }
  assert_false(first);
  assert_true(second);
}

static void test_a_slider_follows_the_mouse(void **state) {
  desk *d = *state;
  float value = 2, box[4] = {0};
  int changes = 0;
  for (int frame = 0; frame < 20; frame++) {
    begin(d);
    changes += ui_slider(d->u, "speed", &value, 0, 10);
    ui_last_item(d->u, box);
    end(d);
    /* The item with its label is wider than the slider: 30 % of it is within the slider, left of its middle. */
    float x = box[0] + (box[2] - box[0]) * 0.3f, y = (box[1] + box[3]) / 2;
    if (frame == 3) input_push_move(&d->in, x, y);
    if (frame == 4) input_push_button(&d->in, 1, true);
    if (frame == 8) input_push_move(&d->in, box[0] - 500, y);
    if (frame == 12) input_push_button(&d->in, 1, false);
    if (frame == 7) assert_true(value > 2.5f && value < 6);
  }
  assert_true(value == 0);
  assert_in_range(changes, 2, 3);
}

static void test_a_list_is_chosen_from(void **state) {
  desk *d = *state;
  const char *items[] = {"Idle", "Walk", "Run", NULL};
  int chosen = 0, changes = 0;
  float box[4] = {0};
  for (int frame = 0; frame < 12; frame++) {
    begin(d);
    changes += ui_list(d->u, "clips", items, 4, &chosen);
    ui_last_item(d->u, box);
    end(d);
    float row = (box[3] - box[1]) / 4.4f;
    if (frame == 3) click_at(d, (float[4]){box[0], box[1] + row * 1.2f, box[2], box[1] + row * 2.2f});
  }
  assert_int_equal(chosen, 1);
  assert_int_equal(changes, 1);
}

static void test_a_drag_follows_the_mouse(void **state) {
  desk *d = *state;
  float value = 1, box[4] = {0};
  for (int frame = 0; frame < 16; frame++) {
    begin(d);
    ui_drag(d->u, "height", &value, 0.5f, -INFINITY, 100);
    ui_last_item(d->u, box);
    end(d);
    float x = box[0] + 20, y = (box[1] + box[3]) / 2;
    if (frame == 3) input_push_move(&d->in, x, y);
    if (frame == 4) input_push_button(&d->in, 1, true);
    if (frame == 7) input_push_move(&d->in, x - 30, y);
    if (frame == 9) assert_true(value < -5 && value > -20);
    if (frame == 9) input_push_move(&d->in, x + 900, y);
    if (frame == 12) input_push_button(&d->in, 1, false);
  }
  assert_true(value == 100);
}

static void test_a_combo_opens_and_is_chosen_from(void **state) {
  desk *d = *state;
  const char *items[] = {"Idle", "Walk", "Run"};
  int chosen = 0, changes = 0;
  float box[4] = {0};
  for (int frame = 0; frame < 16; frame++) {
    begin(d);
    changes += ui_combo(d->u, "clip", items, 3, &chosen);
    end(d);
    if (frame == 3 && ui_find_item(d->u, "clip", box)) click_at(d, (float[4]){box[0], box[1], box[0] + 40, box[3]});
    if (frame == 3) assert_false(ui_find_item(d->u, "Run", box));
    if (frame == 9) assert_true(ui_find_item(d->u, "Run", box));
    if (frame == 9) click_at(d, box);
  }
  assert_int_equal(chosen, 2);
  assert_int_equal(changes, 1);
}

static void test_a_timeline_is_scrubbed(void **state) {
  desk *d = *state;
  const sinew_marker marks[] = {{.time = 0.5, .name = "step"}, {.time = 4, .name = NULL}};
  const sinew_timeline line = {4, marks, 2}, never = {0, NULL, 0}, endless = {INFINITY, NULL, 0};
  double time = -3;
  float box[4] = {0};
  for (int frame = 0; frame < 12; frame++) {
    begin(d);
    assert_false(ui_timeline(d->u, "never", &never, &time) || ui_timeline(d->u, "endless", &endless, &time));
    ui_timeline(d->u, "clip", &line, &time);
    ui_find_item(d->u, "clip", box);
    end(d);
    if (frame == 2) assert_true(time == -3);
    if (frame == 3) input_push_move(&d->in, box[0] + (box[2] - box[0]) / 4, (box[1] + box[3]) / 2);
    if (frame == 4) input_push_button(&d->in, 1, true);
    if (frame == 6) assert_near(time, 1, 0.02);
    if (frame == 6) input_push_move(&d->in, box[2] + 500, box[1]);
    if (frame == 9) input_push_button(&d->in, 1, false);
  }
  assert_true(time == 4);
}

/* Trees and tabs that are left open end with their panel, and an end too many has no effect. */
static void test_trees_and_tabs_that_are_not_closed(void **state) {
  desk *d = *state;
  const float values[] = {1, NAN, 3};
  float rgb[3] = {NAN, 2, -1}, box[4];
  for (int frame = 0; frame < 3; frame++) {
    begin(d);
    ui_begin(d->u, "Panel");
    assert_true(ui_begin_tree(d->u, "tree", true));
    ui_end_tab(d->u), ui_end_tabs(d->u);
    assert_true(ui_begin_tabs(d->u, "tabs"));
    assert_false(ui_begin_tree(d->u, NULL, true));
    if (ui_begin_tab(d->u, "one")) ui_plot(d->u, "plot", values, 3, NAN, INFINITY);
    if (frame == 1) ui_pick_color(d->u, "color", rgb);
    ui_bar(d->u, "bar", NAN);
    if (frame < 2) ui_end(d->u);
    ui_end_tree(d->u), ui_end_tree(d->u);
    assert_false(ui_begin_tab(d->u, "outside of tabs"));
    for (int i = 0; i < 200; i++) ui_begin_tree(d->u, "deep", true);
    ui_button(d->u, "inside");
    end(d);
    assert_true(ui_find_item(d->u, "inside", box));
  }
  assert_true(isnan(rgb[0]) && rgb[1] == 2);
}

/* Over a text field, and nowhere else. */
static void test_the_mouse_says_where_text_is(void **state) {
  desk *d = *state;
  float value = 2, box[4] = {0};
  for (int frame = 0; frame < 16; frame++) {
    begin(d);
    ui_slider(d->u, "speed", &value, 0, 10);
    ui_last_item(d->u, box);
    end(d);
    if (frame == 3) assert_int_equal(ui_cursor_shape(d->u), UI_CURSOR_ARROW);
    if (frame == 3) input_push_key(&d->in, input_find_key("left_ctrl"), true);
    if (frame == 4) click_at(d, (float[4]){box[0], box[1], box[0] + 40, box[3]});
  }
  assert_int_equal(ui_cursor_shape(d->u), UI_CURSOR_TEXT);
}

static void test_values_without_sense(void **state) {
  desk *d = *state;
  float nan_value = NAN, huge = 3e38f, value = 5;
  const char *long_label = "a very long label that does not fit into any panel, a very long label that does not fit";
  int none = -1;
  for (int frame = 0; frame < 4; frame++) {
    begin(d);
    ui_slider(d->u, "nan", &nan_value, 0, 1);
    ui_slider(d->u, "huge", &huge, -3.4e38f, 3.4e38f);
    ui_slider(d->u, "turned", &value, 10, 0);
    ui_slider(d->u, "nowhere", &value, NAN, INFINITY);
    ui_slider(d->u, "point", &value, 5, 5);
    ui_slider(d->u, "", &value, 0, 10);
    ui_button(d->u, "");
    ui_button(d->u, "##");
    ui_button(d->u, long_label);
    ui_label(d->u, "%s %n \xff\xfe bad UTF-8");
    ui_label(d->u, NULL);
    ui_button(d->u, NULL);
    ui_list(d->u, "empty", NULL, 0, &none);
    ui_list(d->u, "negative", NULL, -5, &none);
    end(d);
  }
  assert_true(isnan(nan_value));
  assert_true(huge == 3e38f);
  assert_true(value == 5);
}

static void test_panels_that_are_not_closed(void **state) {
  desk *d = *state;
  for (int frame = 0; frame < 3; frame++) {
    begin(d);
    for (int i = 0; i < 40; i++) ui_begin(d->u, i % 2 ? "Even" : NULL);
    ui_button(d->u, "inside");
    end(d);
    begin(d);
    for (int i = 0; i < 5; i++) ui_end(d->u);
    ui_button(d->u, "outside");
    ui_begin(d->u, "");
    end(d);
  }
  ui_end_frame(d->u);
  assert_false(ui_button(d->u, "between frames"));
  ui_begin(d->u, "between frames");
  ui_draw_text(d->u, &(ui_style){UI_BEHIND, UI_TEXT, 0xffffffffu}, 0, 0, "between frames");
}

static void test_panels_do_not_overlap(void **state) {
  desk *d = *state;
  float a[4], b[4];
  for (int frame = 0; frame < 5; frame++) {
    begin(d);
    ui_begin(d->u, "One");
    ui_button(d->u, "first");
    ui_last_item(d->u, a);
    ui_end(d->u);
    ui_begin(d->u, "Two");
    ui_button(d->u, "second");
    ui_last_item(d->u, b);
    ui_end(d->u);
    end(d);
  }
  assert_true(b[1] > a[3]);
  assert_near(a[0], b[0], 0.5);
}

static void test_buttons_share_a_row(void **state) {
  desk *d = *state;
  float a[4], b[4], c[4];
  for (int frame = 0; frame < 3; frame++) {
    begin(d);
    ui_button(d->u, "Play");
    ui_last_item(d->u, a);
    ui_button(d->u, "Stop");
    ui_last_item(d->u, b);
    ui_label(d->u, "text");
    ui_button(d->u, "Below");
    ui_last_item(d->u, c);
    end(d);
  }
  assert_near(a[1], b[1], 0.5);
  assert_true(b[0] > a[2] && c[1] > a[3]);
  assert_near(c[0], a[0], 0.5);
}

static void test_a_panel_takes_the_mouse(void **state) {
  desk *d = *state;
  float box[4];
  for (int frame = 0; frame < 6; frame++) {
    begin(d);
    ui_button(d->u, "Jump");
    ui_last_item(d->u, box);
    if (frame == 5) assert_true(ui_has_mouse(d->u));
    end(d);
    if (frame == 2) input_push_move(&d->in, 1000, 600);
    if (frame == 3) assert_false(ui_has_mouse(d->u));
    if (frame == 3) input_push_move(&d->in, box[0] + 2, box[1] + 2);
  }
}

/* Ctrl and a click turn a slider into a text field: then keys are text. */
static void test_a_text_field_takes_the_keyboard(void **state) {
  desk *d = *state;
  float value = 2, box[4] = {0};
  bool had = false;
  for (int frame = 0; frame < 30; frame++) {
    begin(d);
    ui_slider(d->u, "speed", &value, 0, 10);
    ui_last_item(d->u, box);
    had = had || ui_has_keyboard(d->u);
    end(d);
    if (frame == 3) input_push_key(&d->in, input_find_key("left_ctrl"), true);
    if (frame == 4) click_at(d, (float[4]){box[0], box[1], box[0] + 40, box[3]});
    if (frame == 8) input_push_key(&d->in, input_find_key("left_ctrl"), false);
    if (frame == 9) assert_true(had);
    if (frame == 10) input_push_character(&d->in, '7');
    if (frame == 13) input_push_key(&d->in, input_find_key("enter"), true);
    if (frame == 14) input_push_key(&d->in, input_find_key("enter"), false);
  }
  assert_true(value == 7);
  assert_false(ui_has_keyboard(d->u));
}

static void test_triangles_are_whole(void **state) {
  desk *d = *state;
  for (int frame = 0; frame < 3; frame++) {
    begin(d);
    ui_button(d->u, "Jump");
    ui_draw_text(d->u, &(ui_style){UI_BEHIND, UI_CODE, ui_color(255, 0, 0, 1)}, 10, 10, "fade 0.2 → 0.4\nand …");
    ui_draw_text(d->u, &(ui_style){UI_IN_FRONT, UI_TEXT, ui_color(255, 0, 0, 1)}, NAN, 10, "nowhere");
    end(d);
  }
  const sinew_overlay *o = ui_overlay(d->u);
  assert_true(o->command_count >= 2 && o->vertex_count > 100);
  for (int i = 0; i < o->command_count; i++) {
    const sinew_overlay_command *c = &o->commands[i];
    assert_true(c->first_index >= 0 && c->first_index + c->index_count <= o->index_count);
    for (int j = 0; j < c->index_count; j++)
      assert_true(c->first_vertex + o->indices[c->first_index + j] < o->vertex_count);
  }
  for (int i = 0; i < o->vertex_count; i++) assert_true(isfinite(o->vertices[i].x + o->vertices[i].y));
}

static void test_text_has_a_size(void **state) {
  desk *d = *state;
  float one, two, line, lines;
  ui_text_size(d->u, UI_CODE, "ab", &one, &line);
  ui_text_size(d->u, UI_CODE, "ab\nabcd\n", &two, &lines);
  assert_near(two, 2 * one, 1);
  assert_near(lines, 3 * line, 0.1);
}

static void test_no_size_and_no_time(void **state) {
  desk *d = *state;
  for (int frame = 0; frame < 3; frame++) {
    ui_begin_frame(d->u, &d->in, 0, 0, frame == 0 ? 0 : frame == 1 ? -1 : NAN);
    ui_button(d->u, "Jump");
    ui_end_frame(d->u);
  }
}

int main(void) {
#define desk_test(test) cmocka_unit_test_setup_teardown(test, open_desk, close_desk)
  const struct CMUnitTest tests[] = {
      desk_test(test_a_click_presses_the_button_once),
      desk_test(test_a_table_is_sorted_and_chosen_from),
      desk_test(test_a_row_chosen_by_a_key_comes_into_view),
      desk_test(test_equal_labels_are_two_widgets),
      desk_test(test_a_slider_follows_the_mouse),
      desk_test(test_a_list_is_chosen_from),
      desk_test(test_a_drag_follows_the_mouse),
      desk_test(test_a_combo_opens_and_is_chosen_from),
      desk_test(test_a_timeline_is_scrubbed),
      desk_test(test_trees_and_tabs_that_are_not_closed),
      desk_test(test_the_mouse_says_where_text_is),
      desk_test(test_values_without_sense),
      desk_test(test_panels_that_are_not_closed),
      desk_test(test_panels_do_not_overlap),
      desk_test(test_buttons_share_a_row),
      desk_test(test_a_panel_takes_the_mouse),
      desk_test(test_a_text_field_takes_the_keyboard),
      desk_test(test_triangles_are_whole),
      desk_test(test_text_has_a_size),
      desk_test(test_no_size_and_no_time),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
