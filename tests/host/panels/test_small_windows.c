/* In a small window panels and a table leave room for what they are about. */
#include "support/fixture.h"

#include "host/ui/ui.h"

static const char *row_name(void *user, int row, int column) {
  static char name[16];
  (void)user, (void)column;
  snprintf(name, sizeof name, "row %d", row);
  return name;
}

static sinew_picture_part no_picture(void *user, int row) {
  (void)user, (void)row;
  return (sinew_picture_part){0};
}

static void draw(ui *u, int *chosen) {
  static const char *const titles[] = {"clip"};
  sinew_table table = {
      .columns = 1, .rows = 9, .titles = titles, .cell = row_name, .picture = no_picture, .picture_size = 48};
  int sort = 0;
  ui_begin(u, "Tall");
  for (int i = 0; i < 9; i++) ui_label(u, "two\nlines");
  ui_end(u);
  ui_begin(u, "Next");
  for (int i = 0; i < 9; i++) ui_label(u, "two\nlines");
  ui_end(u);
  ui_table(u, "Rows", &table, chosen, &sort);
}

/* Measures the size left for the model, and whether the selected row has scrolled into view. */
static bool find_seen(int width, int height, int chosen, float seen[2]) {
  sinew_error error;
  input in = {0};
  float box[4], row[4];
  char name[16];
  ui *u = ui_create(1, &error);
  assert_non_null(u);
  for (int frame = 0; frame < 8; frame++) {
    int now = frame < 4 ? 0 : chosen;
    input_begin_frame(&in);
    ui_begin_frame(u, &in, width, height, 1.0 / 60);
    draw(u, &now);
    ui_end_frame(u);
    input_end_frame(&in);
  }
  ui_seen_area(u, box);
  seen[0] = box[2] - box[0], seen[1] = box[3] - box[1];
  snprintf(name, sizeof name, "row %d", chosen);
  bool shows = ui_find_item(u, name, row) && row[1] >= box[3] && row[1] < (float)height - 30;
  ui_destroy(u);
  input_release(&in);
  return shows;
}

static void a_small_window_leaves_room(void **state) {
  (void)state;
  float seen[2];
  for (int chosen = 0; chosen < 9; chosen += 4) {
    assert_true(find_seen(640, 360, chosen, seen));
    assert_true(seen[0] >= 640 * 0.55f && seen[0] < 640);
    assert_true(seen[1] >= 360 * 0.5f && seen[1] < 360);
  }
}

static void a_large_window_is_seen_whole(void **state) {
  (void)state;
  float seen[2];
  find_seen(1280, 720, 0, seen);
  assert_true(seen[0] == 1280 && seen[1] == 720);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_small_window_leaves_room),
                                     cmocka_unit_test(a_large_window_is_seen_whole)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
