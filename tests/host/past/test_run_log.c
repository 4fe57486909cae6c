/* A replay repeats a person's actions during the recorded run: the same calls in the same frames of the same length. */
#include "host_fixture.h"

#include "base/file.h"
#include "base/memory/memory.h"
#include "host/host.h"

typedef struct trace {
  sinew_host *host;
  char text[60000];
  bool live; /* a person is there */
  float value;
} trace;

static void tell(trace *t, const char *format, ...) {
  va_list arguments;
  size_t size = strlen(t->text);
  va_start(arguments, format);
  vsnprintf(t->text + size, sizeof t->text - size, format, arguments);
  va_end(arguments);
}

static void on_key(void *user, const char *key, bool down, bool ctrl) { tell(user, "key %s %d %d\n", key, down, ctrl); }
static void on_drop(void *user, const char *path) { tell(user, "drop %s\n", path); }

static void on_mouse(void *user, int button, bool down) {
  trace *t = user;
  float x, y;
  sinew_host_mouse(t->host, &x, &y);
  tell(t, "mouse %d %d at %a %a\n", button, down, (double)x, (double)y);
}

/* A person's actions: keys, a short tap, the mouse over a panel and beside it, text, a file. */
static void act(sinew_host *host, int64_t frame) {
  if (frame == 3) sinew_host_send_key(host, "w", true);
  if (frame == 5) sinew_host_send_key(host, "left_ctrl", true), sinew_host_send_key(host, "c", true);
  if (frame == 6) sinew_host_send_key(host, "c", false), sinew_host_send_key(host, "left_ctrl", false);
  if (frame == 8) sinew_host_send_drop(host, "/a folder/b.bvh");
  if (frame == 9) input_push_wheel(&host->input, 0.3f), input_push_character(&host->input, 0xe4);
  if (frame == 10 || frame == 29) sinew_host_send_strength(host, "left_stick_up", frame == 10 ? 0.37f : 0.9);
  if (frame == 33) sinew_host_send_strength(host, "left_stick_up", 0), sinew_host_send_key(host, "pad_a", true);
  if (frame == 12 || frame == 14) sinew_host_send_key(host, "f6", frame == 12);
  if (frame == 16 || frame == 18) sinew_host_send_key(host, "f7", frame == 16);
  if (frame == 20 || frame == 22) sinew_host_send_key(host, "f6", frame == 20);
  if (frame == 24 || frame == 26) sinew_host_send_key(host, "f8", frame == 24);
  if (frame == 30) sinew_host_send_key(host, "space", true), sinew_host_send_key(host, "space", false);
  if (frame == 32) sinew_host_send_mouse(host, 300.1f, 170.7f), sinew_host_send_button(host, 2, true);
  if (frame == 34) sinew_host_send_mouse(host, 310.3f, 180), sinew_host_send_button(host, 2, false);
  if (frame >= 40 && frame % 8 == 0) sinew_host_send_mouse(host, 120, 40 + (float)(frame - 40));
  if (frame >= 40 && frame % 8 == 3) sinew_host_send_button(host, 1, true);
  if (frame >= 40 && frame % 8 == 6) sinew_host_send_button(host, 1, false);
}

static void on_update(void *user, double dt) {
  trace *t = user;
  const sinew_camera *camera = sinew_host_camera(t->host);
  sinew_ui_begin(t->host, "Panel");
  sinew_ui_slider(t->host, "value", &t->value, 0, 1);
  sinew_ui_end(t->host);
  tell(t, "stick %a\n", sinew_host_strength(t->host, "left_stick_up"));
  tell(t, "frame %a %a w %d camera %a %a value %a\n", dt, sinew_host_time(t->host), sinew_host_is_down(t->host, "w"),
       (double)camera->position.x, (double)camera->position.y, (double)t->value);
  if (t->live) act(t->host, sinew_host_frame(t->host));
}

static void run(trace *t, sinew_output output, const char *record, const char *replay) {
  sinew_error error = {0};
  sinew_host_def def = sinew_host_def_default();
  memset(t, 0, sizeof *t);
  t->live = !replay;
  def.output = output;
  def.width = replay ? 77 : 320; /* a recording brings its size */
  def.height = replay ? 66 : 200;
  def.fixed_dt = replay ? 0 : 0.1 / 3;
  def.samples = 1;
  def.shadow_size = 0;
  def.frame_limit = replay ? 0 : 100;
  def.record_input = record;
  def.replay_input = replay;
  t->host = sinew_host_create(&def, &error);
  if (!t->host) fail_msg("%s", error.message);
  sinew_app app = {.user = t, .update = on_update, .key = on_key, .mouse = on_mouse, .drop = on_drop};
  sinew_host_set_app(t->host, &app);
  if (!sinew_host_run(t->host, &error)) fail_msg("%s", error.message);
  assert_int_equal(sinew_host_frame(t->host), 100);
  sinew_host_destroy(t->host);
}

static void check(sinew_output live, sinew_output again) {
  static trace first, second;
  const char *file = test_file("run.txt");
  run(&first, live, file, NULL);
  run(&second, again, NULL, file);
  assert_string_equal(first.text, second.text);
  assert_non_null(strstr(first.text, "key space 1"));
  assert_non_null(strstr(first.text, "stick 0x1.7ae148p-2")); /* 0.37f */
  assert_non_null(strstr(first.text, "key left_stick_up 1"));
  assert_non_null(strstr(first.text, "key pad_a 1"));
  assert_non_null(strstr(first.text, "drop /a folder/b.bvh"));
  if (live != SINEW_OUTPUT_NONE) assert_true(first.value > 0); /* the panel took a click */
}

static void test_without_pictures(void **state) {
  (void)state;
  check(SINEW_OUTPUT_NONE, SINEW_OUTPUT_NONE);
}

static void test_with_panels_and_pictures(void **state) {
  (void)state;
  check(SINEW_OUTPUT_OFFSCREEN, SINEW_OUTPUT_OFFSCREEN);
}

/* Made with panels and played back where nothing is drawn. */
static void test_with_panels_without_pictures(void **state) {
  (void)state;
  check(SINEW_OUTPUT_OFFSCREEN, SINEW_OUTPUT_NONE);
}

/* While it plays, nobody else's hands count. */
static void test_a_person_is_not_heard(void **state) {
  static trace first, second;
  const char *file = test_file("run.txt");
  (void)state;
  run(&first, SINEW_OUTPUT_NONE, file, NULL);
  sinew_host_def def = sinew_host_def_default();
  sinew_error error = {0};
  def.output = SINEW_OUTPUT_NONE;
  def.replay_input = file;
  second = (trace){.live = true, .host = sinew_host_create(&def, &error)};
  assert_non_null(second.host);
  sinew_app app = {.user = &second, .update = on_update, .key = on_key, .mouse = on_mouse, .drop = on_drop};
  sinew_host_set_app(second.host, &app);
  assert_true(sinew_host_run(second.host, &error));
  assert_string_equal(first.text, second.text);
  sinew_host_destroy(second.host);
}

static void on_changed(void *user, const char *const *paths, int count) {
  for (int i = 0; i < count; i++) tell(user, "changed %s\n", path_file(paths[i]));
}

static void open_watching(trace *t, const char *log, bool replays) {
  sinew_error error = {0};
  sinew_host_def def = sinew_host_def_default();
  def.output = SINEW_OUTPUT_NONE;
  def.watch = true;
  *(replays ? &def.replay_input : &def.record_input) = log;
  *t = (trace){.host = sinew_host_create(&def, &error)};
  if (!t->host) fail_msg("%s", error.message);
  sinew_app app = {.user = t, .files_changed = on_changed};
  sinew_host_set_app(t->host, &app);
}

/* A save is told again in its frame, and the disk is not watched. */
static void test_saves_are_told_again(void **state) {
  static trace t, again;
  char scene[256], log[256];
  sinew_error error = {0};
  (void)state;
  snprintf(scene, sizeof scene, "%s", test_file("scene.lua"));
  snprintf(log, sizeof log, "%s", test_file("saved.txt"));
  write_text(scene, "one");
  open_watching(&t, log, false);
  assert_true(sinew_host_watch(t.host, scene, &error));
  assert_true(sinew_host_step(t.host, 0.01, &error));
  write_text(scene, "two!");
  for (int i = 0; i < 500 && !t.text[0]; i++) {
    assert_true(sinew_host_step(t.host, 0.01, &error));
    usleep(2000);
  }
  int64_t saved = sinew_host_frame(t.host);
  sinew_host_destroy(t.host);
  assert_string_equal(t.text, "changed scene.lua\n");
  open_watching(&again, log, true);
  assert_true(sinew_host_watch(again.host, scene, &error));
  write_text(scene, "three!!!");
  usleep(60000);
  assert_true(sinew_host_run(again.host, &error));
  assert_int_equal(sinew_host_frame(again.host), saved);
  assert_string_equal(again.text, t.text);
  sinew_host_destroy(again.host);
}

/* ---- answers ---- */

static void note(sinew_host *host, const char *kind, const char *name, const char *text) {
  sinew_host_note(host, kind, name, &(sinew_answer){.data = text, .size = strlen(text)});
}

static void note_in_frames(void *user, double dt) {
  sinew_host *host = ((trace *)user)->host;
  (void)dt;
  if (sinew_host_frame(host) == 2) {
    note(host, "clock", "time", "2a"), note(host, "clock", "time", "2b");
    sinew_host_note(host, "text", "with\nan end", &(sinew_answer){.data = "a\0b\nframe 1\n", .size = 12});
  }
  if (sinew_host_frame(host) == 4) {
    note(host, "clock", "time", "4");
    sinew_host_note(host, "arrival", "fox", &(sinew_answer){.data = "no fox", .size = 6, .refused = true});
  }
}

static const char *recall(sinew_host *host, const char *kind, const char *name, sinew_recall when) {
  static char text[64];
  sinew_answer answer;
  if (!sinew_host_recall(host, kind, name, when, &answer)) return "-";
  snprintf(text, sizeof text, "%s%.*s", answer.refused ? "!" : "", (int)answer.size, (const char *)answer.data);
  return text;
}

static void recall_in_frames(void *user, double dt) {
  trace *t = user;
  (void)dt;
  tell(t, "%s ", recall(t->host, "clock", "time", SINEW_RECALL_LAST));
  tell(t, "%s ", recall(t->host, "clock", "time", SINEW_RECALL_LAST));
  tell(t, "%s ", recall(t->host, "clock", "time", SINEW_RECALL_LAST));
  tell(t, "%d", sinew_host_will_recall(t->host, "arrival", "fox"));
  tell(t, "%s ", recall(t->host, "arrival", "fox", SINEW_RECALL_NOW));
  tell(t, "%s\n", recall(t->host, "none", "none", SINEW_RECALL_LAST));
}

/* Each once in its order, then the last one; before the first, that. */
static void test_answers_come_as_they_came(void **state) {
  static trace t;
  char log[256];
  sinew_error error = {0};
  sinew_answer answer;
  (void)state;
  snprintf(log, sizeof log, "%s", test_file("answers.txt"));
  open_watching(&t, log, false);
  note(t.host, "text", "begin", "before");
  sinew_app app = {.user = &t, .update = note_in_frames};
  sinew_host_set_app(t.host, &app);
  for (int i = 0; i < 5; i++) assert_true(sinew_host_step(t.host, 0.01, &error));
  sinew_host_destroy(t.host);
  open_watching(&t, log, true);
  assert_string_equal(recall(t.host, "text", "begin", SINEW_RECALL_NOW), "before");
  assert_string_equal(recall(t.host, "text", "begin", SINEW_RECALL_NOW), "-");
  app.update = recall_in_frames;
  sinew_host_set_app(t.host, &app);
  assert_true(sinew_host_run(t.host, &error));
  assert_string_equal(t.text, "2a 2a 2a 1- -\n2a 2b 2b 1- -\n2b 2b 2b 1- -\n4 4 4 1!no fox -\n4 4 4 0- -\n");
  assert_true(sinew_host_recall(t.host, "text", "with\nan end", SINEW_RECALL_LAST, &answer));
  assert_int_equal(answer.size, 12);
  assert_memory_equal(answer.data, "a\0b\nframe 1\n", 12);
  sinew_host_destroy(t.host);
}

static void note_nothing(void *user, sinew_log_level level, const char *line) { (void)user, (void)level, (void)line; }

/* However much of a recording there is, its whole frames are played, and nothing else. */
static void test_every_beginning_of_a_recording(void **state) {
  static trace t;
  char log[256];
  sinew_error error = {0};
  size_t size;
  int last = 0;
  (void)state;
  snprintf(log, sizeof log, "%s", test_file("cut.txt"));
  open_watching(&t, log, false);
  sinew_app app = {.user = &t, .update = note_in_frames};
  sinew_host_set_app(t.host, &app);
  sinew_host_send_mouse(t.host, 12, 13);
  for (int i = 0; i < 5; i++) assert_true(sinew_host_step(t.host, 0.01, &error));
  sinew_host_destroy(t.host);
  unsigned char *bytes = file_read(log, 1 << 20, &size, &error);
  assert_non_null(bytes);
  sinew_set_log(note_nothing, NULL);
  for (size_t cut = 0; cut <= size; cut++) {
    unsigned char *part = mem_alloc(cut + 1);
    memcpy(part, bytes, cut);
    run_log_reader *r = run_log_open_bytes("cut.txt", part, cut, &error);
    int frames = 0, width, height;
    double dt;
    input in = {0};
    while (r && run_log_read(r, &dt, &width, &height, &in)) frames++;
    if (frames < last) fail_msg("%d frames in %zu bytes, and %d in fewer", frames, cut, last);
    last = frames;
    run_log_close(r);
    input_release(&in);
  }
  sinew_set_log(NULL, NULL);
  assert_int_equal(last, 5);
  mem_free(bytes);
}

/* ---- while it is being written ---- */

/* Prints a reader's next frame; false after the last. */
static bool tell_frame(trace *t, run_log_reader *r, input *in) {
  int width, height, before = in->count;
  double dt;
  sinew_answer answer;
  bool read = run_log_read(r, &dt, &width, &height, in);
  if (!read) return false;
  tell(t, "frame %a %d %d %s", dt, width, height, run_log_strike(r));
  for (int i = before; i < in->count; i++)
    tell(t, " %d:%d:%d:%a", in->events[i].kind, in->events[i].code, in->events[i].down, (double)in->events[i].x);
  for (int i = 0; run_log_save(r, i); i++) tell(t, " save %s", run_log_save(r, i));
  if (run_log_recall(r, run_log_key("clock", "time"), SINEW_RECALL_NOW, &answer))
    tell(t, " clock %.*s", (int)answer.size, (const char *)answer.data);
  if (run_log_recall(r, run_log_key("text", "with\nan end"), SINEW_RECALL_NOW, &answer))
    tell(t, " text %zu", answer.size);
  tell(t, "\n");
  return true;
}

static void append_bytes(const char *path, const unsigned char *bytes, size_t size) {
  FILE *file = fopen(path, "ab");
  assert_non_null(file);
  assert_int_equal(fwrite(bytes, 1, size, file), size);
  fclose(file);
}

static void make_log_of_all(const char *log) {
  static trace t;
  sinew_error error = {0};
  open_watching(&t, log, false);
  note(t.host, "text", "begin", "before");
  sinew_app app = {.user = &t, .update = note_in_frames};
  sinew_host_set_app(t.host, &app);
  for (int i = 1; i <= 60; i++) {
    act(t.host, i);
    assert_true(sinew_host_step(t.host, 0.01 + 0.0001 * i, &error));
  }
  sinew_host_destroy(t.host);
}

/* In pieces of any size, cut anywhere: the same frames as from the whole file, none of them before all of it is there.
 */
static void test_a_recording_is_followed_while_it_is_written(void **state) {
  static trace whole, live;
  char log[256], growing[256];
  sinew_error error = {0};
  size_t size;
  (void)state;
  snprintf(log, sizeof log, "%s", test_file("followed.txt"));
  snprintf(growing, sizeof growing, "%s", test_file("growing.txt"));
  make_log_of_all(log);
  unsigned char *bytes = file_read(log, 1 << 20, &size, &error);
  run_log_reader *r = run_log_open(log, &error);
  assert_true(bytes && r);
  input in = {0};
  whole.text[0] = '\0';
  while (tell_frame(&whole, r, &in)) input_release(&in);
  run_log_close(r);
  assert_non_null(strstr(whole.text, "clock 2a"));
  assert_non_null(strstr(whole.text, "text 12"));
  for (uint32_t seed = 1; seed <= 60; seed++) {
    uint32_t dice = seed;
    size_t at = 0;
    int frames = 0;
    remove(growing);
    r = NULL;
    live.text[0] = '\0';
    while (at < size) {
      dice = dice * 1664525u + 1013904223u;
      size_t step = 1 + (dice >> 16) % (seed % 3 ? 700 : 40), left = size - at;
      append_bytes(growing, bytes + at, step < left ? step : left);
      at += step < left ? step : left;
      if (!r) r = run_log_open_live(growing, &error);
      else assert_true(run_log_follow(r, false));
      for (; r && (dice >> 8) % 3 && tell_frame(&live, r, &in); frames++) input_release(&in);
    }
    assert_non_null(r);
    while (tell_frame(&live, r, &in)) input_release(&in), frames++;
    assert_int_equal(frames, 59); /* whether more comes to the last one is not known */
    assert_true(run_log_follow(r, true));
    while (tell_frame(&live, r, &in)) input_release(&in);
    assert_string_equal(live.text, whole.text);
    run_log_close(r);
  }
  mem_free(bytes);
}

static void test_what_is_damaged_is_followed_up_to_there(void **state) {
  static trace t;
  sinew_error error = {0};
  const char *path = test_file("damaged.txt");
  const char *good =
      "sinew recording 4\npanels 0 scale 1 arithmetic fused\nsize 9 9\nframe 0.1\nframe 0.2\npress w\nframe 0.3\n";
  (void)state;
  write_text(path, "sinew recording 4\npanels 0 scale 1 arithmetic fused\nsize 9 9\nframe 0.1\n");
  assert_null(run_log_open_live(path, &error)); /* no frame is whole */
  assert_non_null(strstr(error.message, "damaged.txt"));
  write_text(path, good);
  run_log_reader *r = run_log_open_live(path, &error);
  assert_non_null(r);
  append_bytes(path, (const unsigned char *)"frame oops\nframe 0.4\n", 21);
  assert_true(run_log_follow(r, true));
  input in = {0};
  int frames = 0;
  for (t.text[0] = '\0'; tell_frame(&t, r, &in); frames++) input_release(&in);
  assert_int_equal(frames, 3);
  run_log_close(r);
}

static void test_a_file_that_cannot_be_written(void **state) {
  sinew_host_def def = sinew_host_def_default();
  sinew_error error = {0};
  (void)state;
  def.output = SINEW_OUTPUT_NONE;
  def.record_input = "/no/such/folder/run.txt";
  assert_null(sinew_host_create(&def, &error));
  assert_non_null(strstr(error.message, "/no/such/folder/run.txt: cannot be written"));
  def.record_input = def.replay_input = test_file("run.txt");
  assert_null(sinew_host_create(&def, &error));
  assert_non_null(strstr(error.message, "cannot be recorded while it is played back"));
}

static void strike_in_frame_5(void *user, double dt) {
  sinew_host *host = user;
  (void)dt;
  if (sinew_host_frame(host) == 5) sinew_host_note_strike(host, "update");
}

/* A callback that the clock ended cannot be made again: the replay stops before that frame and says so. */
static void test_a_replay_ends_at_a_strike(void **state) {
  const char *file = test_file("strike.txt");
  sinew_error error = {0};
  sinew_host_def def = sinew_host_def_default();
  (void)state;
  def.output = SINEW_OUTPUT_NONE;
  def.frame_limit = 10;
  def.record_input = file;
  sinew_host *host = sinew_host_create(&def, &error);
  assert_non_null(host);
  sinew_app app = {.user = host, .update = strike_in_frame_5};
  sinew_host_set_app(host, &app);
  assert_true(sinew_host_run(host, &error));
  sinew_host_destroy(host);
  def.frame_limit = 0;
  def.record_input = NULL;
  def.replay_input = file;
  host = sinew_host_create(&def, &error);
  if (!host) fail_msg("%s", error.message);
  assert_false(sinew_host_run(host, &error));
  assert_non_null(strstr(error.message, "in frame 5 of the recording 'update' took longer than allowed"));
  assert_int_equal(sinew_host_frame(host), 4);
  sinew_host_destroy(host);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_without_pictures),
      cmocka_unit_test(test_with_panels_and_pictures),
      cmocka_unit_test(test_with_panels_without_pictures),
      cmocka_unit_test(test_a_person_is_not_heard),
      cmocka_unit_test(test_saves_are_told_again),
      cmocka_unit_test(test_answers_come_as_they_came),
      cmocka_unit_test(test_every_beginning_of_a_recording),
      cmocka_unit_test(test_a_recording_is_followed_while_it_is_written),
      cmocka_unit_test(test_what_is_damaged_is_followed_up_to_there),
      cmocka_unit_test(test_a_replay_ends_at_a_strike),
      cmocka_unit_test(test_a_file_that_cannot_be_written),
  };
  return cmocka_run_group_tests(tests, make_test_folder, remove_test_folder);
}
