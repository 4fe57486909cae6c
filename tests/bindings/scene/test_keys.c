/* The list of keys says all that Sinew takes for itself, and nothing else. */
#include "bindings/scene/past.h"

#include "host/panels/overlay.h"

static const char scene[] = "local sinew = require 'sinew'\n"
                            "sinew.actor('hero', sinew.model 'hero.glb'):play 'Walk'\n"
                            "function sinew.key_pressed(key) print('told ' .. key) end\n"
                            "-- %s%s\n";

static bool has_word(const char *words, const char *word) {
  size_t length = strlen(word);
  for (const char *at = words; (at = strstr(at, word)); at += length)
    if ((at == words || at[-1] == ' ') && (at[length] == '\0' || at[length] == ' ')) return true;
  return false;
}

static bool is_listed(key_page page, const char *chord) {
  const key_line *line;
  for (int i = 0; (line = keys_line(page, i)); i++)
    if (has_word(line->keys, chord)) return true;
  return false;
}

/* "ctrl+r" is pressed and let go. */
static void press(harness *h, const char *chord) {
  const char *plus = strchr(chord, '+'), *key = plus ? plus + 1 : chord;
  const char *held = !plus ? NULL : chord[0] == 'c' ? "left_ctrl" : "left_shift";
  if (held) assert_true(sinew_host_send_key(h->host, held, true));
  if (!sinew_host_send_key(h->host, key, true)) fail_msg("there is no key '%s'", key);
  harness_step(h, 1);
  sinew_host_send_key(h->host, key, false);
  if (held) sinew_host_send_key(h->host, held, false);
  harness_step(h, 1);
}

/* Everything that keys change in a frozen scene, restored after each key. */
typedef struct situation {
  sinew_view_options view;
  bool shows_keys, looks_back;
  double time;
} situation;

static situation situation_of(const sinew_host *host) {
  situation s;
  memset(&s, 0, sizeof s);
  s.view = host->view;
  s.shows_keys = host->shows_keys, s.looks_back = host->review.is_on;
  s.time = host->time;
  return s;
}

/* The scene is not told, or something else happens as well. */
static bool is_ours(harness *h, const char *chord) {
  const char *plus = strchr(chord, '+');
  char told[64];
  h->printed[0] = '\0';
  situation before = situation_of(h->host);
  press(h, chord);
  situation after = situation_of(h->host);
  if (h->host->review.is_on) press(h, "escape");
  h->host->view = before.view, h->host->shows_keys = false;
  snprintf(told, sizeof told, "told %s\n", plus ? plus + 1 : chord);
  return !strstr(h->printed, told) || memcmp(&before, &after, sizeof before) != 0;
}

static bool is_held_with_others(const char *key) { return strstr(key, "_shift") || strstr(key, "_ctrl"); }

static void open_paused(harness *h) {
  scene_text = scene;
  open_scene(h);
  sinew_host_set_view_keys(h->host, false); /* as sinew run does */
  harness_step(h, 30);
  sinew_host_view(h->host)->paused = true;
  harness_step(h, 1);
}

/* With and without Ctrl and Shift; gamepads have none that are ours. */
static void what_is_ours_is_listed(void **state) {
  (void)state;
  static const char *const held[] = {"", "shift+", "ctrl+"};
  harness h;
  open_paused(&h);
  for (int i = 0; sinew_key_name(i) && !strstr(sinew_key_name(i), "pad_"); i++)
    for (size_t k = 0; k < sizeof held / sizeof *held; k++) {
      char chord[64];
      const char *key = sinew_key_name(i);
      snprintf(chord, sizeof chord, "%s%s", held[k], key);
      if (is_held_with_others(key) || !is_ours(&h, chord)) continue;
      if (!is_listed(KEYS_EVERYWHERE, chord) && !is_listed(KEYS_EVERYWHERE, key)) fail_msg("%s is not listed", chord);
    }
  harness_close(&h);
}

/* Full screen needs a window, and three keys something to free, copy or take back. */
static void what_is_listed_is_ours(void **state) {
  (void)state;
  harness h;
  const key_line *line;
  open_paused(&h);
  for (int i = 0; (line = keys_line(KEYS_EVERYWHERE, i)); i++) {
    if (!line->keys[0] || has_word("f11 escape ctrl+c ctrl+z", line->keys)) continue;
    if (!is_ours(&h, line->keys)) fail_msg("%s does nothing", line->label);
  }
  harness_close(&h);
}

static void split_chord(const char **words, char chord[32]) {
  size_t length = strcspn(*words, " ");
  assert_true(length < 32);
  memcpy(chord, *words, length);
  chord[length] = '\0';
  *words += length + strspn(*words + length, " ");
}

/* Keys that move through the past are review_key's; the others ask for a process or change the run. */
static void keys_of_the_past_are_listed(void **state) {
  (void)state;
  static const char others[] = "e s backspace enter ctrl+z ctrl+grave f3 f11";
  harness h;
  const key_line *line;
  open_paused(&h);
  press(&h, "f9");
  const sinew_host *host = h.host;
  assert_true(host->review.is_on);
  for (int i = 0; sinew_key_name(i); i++)
    for (int shift = 0; shift < 2; shift++) {
      char chord[64];
      review copy = host->review;
      snprintf(chord, sizeof chord, "%s%s", shift ? "shift+" : "", sinew_key_name(i));
      if (!review_key(&copy, &host->ring, &host->past, sinew_key_name(i), shift)) continue;
      if (!is_listed(KEYS_LOOKING_BACK, chord) && !is_listed(KEYS_LOOKING_BACK, sinew_key_name(i)))
        fail_msg("%s is not listed", chord);
    }
  for (int i = 0; (line = keys_line(KEYS_LOOKING_BACK, i)); i++)
    for (const char *words = line->keys; *words;) {
      char chord[32];
      review copy = host->review;
      split_chord(&words, chord);
      bool shift = strncmp(chord, "shift+", 6) == 0;
      if (has_word(others, chord)) continue;
      if (!review_key(&copy, &host->ring, &host->past, shift ? chord + 6 : chord, shift))
        fail_msg("%s does nothing", chord);
    }
  harness_close(&h);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_ours_is_listed), cmocka_unit_test(what_is_listed_is_ours),
                                     cmocka_unit_test(keys_of_the_past_are_listed)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
