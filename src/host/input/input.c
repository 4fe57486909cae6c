#include "host/input/input.h"

#include "base/memory/memory.h"

#include <math.h>
#include <string.h>

static const char *const key_names[] = {
    "a",
    "b",
    "c",
    "d",
    "e",
    "f",
    "g",
    "h",
    "i",
    "j",
    "k",
    "l",
    "m",
    "n",
    "o",
    "p",
    "q",
    "r",
    "s",
    "t",
    "u",
    "v",
    "w",
    "x",
    "y",
    "z",
    "0",
    "1",
    "2",
    "3",
    "4",
    "5",
    "6",
    "7",
    "8",
    "9",
    "space",
    "left",
    "right",
    "up",
    "down",
    "escape",
    "enter",
    "tab",
    "backspace",
    "delete",
    "insert",
    "home",
    "end",
    "page_up",
    "page_down",
    "f1",
    "f2",
    "f3",
    "f4",
    "f5",
    "f6",
    "f7",
    "f8",
    "f9",
    "f10",
    "f11",
    "f12",
    "left_shift",
    "left_ctrl",
    "left_alt",
    "left_super",
    "right_shift",
    "right_ctrl",
    "right_alt",
    "right_super",
    "minus",
    "equal",
    "left_bracket",
    "right_bracket",
    "backslash",
    "semicolon",
    "apostrophe",
    "grave",
    "comma",
    "period",
    "slash",
    "caps_lock",
    "pause",
    "menu",
    "kp_0",
    "kp_1",
    "kp_2",
    "kp_3",
    "kp_4",
    "kp_5",
    "kp_6",
    "kp_7",
    "kp_8",
    "kp_9",
    "kp_add",
    "kp_subtract",
    "kp_multiply",
    "kp_divide",
    "kp_decimal",
    "kp_enter",
    "pad_a",
    "pad_b",
    "pad_x",
    "pad_y",
    "pad_left_bumper",
    "pad_right_bumper",
    "pad_back",
    "pad_start",
    "pad_guide",
    "pad_left_stick",
    "pad_right_stick",
    "pad_up",
    "pad_right",
    "pad_down",
    "pad_left",
    "left_stick_left",
    "left_stick_right",
    "left_stick_up",
    "left_stick_down",
    "right_stick_left",
    "right_stick_right",
    "right_stick_up",
    "right_stick_down",
    "left_trigger",
    "right_trigger",
};
enum { KEY_COUNT = sizeof key_names / sizeof key_names[0] };
_Static_assert((int)KEY_COUNT <= (int)KEY_LIMIT, "the state arrays hold every key");

const char *sinew_key_name(int index) { return index >= 0 && index < KEY_COUNT ? key_names[index] : NULL; }

bool sinew_is_key(const char *key) { return input_find_key(key) >= 0; }

int input_find_key(const char *name) {
  for (int i = 0; name && i < KEY_COUNT; i++)
    if (strcmp(name, key_names[i]) == 0) return i;
  return -1;
}

bool input_has_strength(int key) { return key >= input_find_key("left_stick_left") && key < KEY_COUNT; }

bool sinew_has_strength(const char *key) { return input_has_strength(input_find_key(key)); }

static void free_paths(input *in, int count) {
  for (int i = 0; i < count; i++) mem_free(in->events[i].path);
}

void input_release(input *in) {
  free_paths(in, in->count);
  mem_free(in->events);
  *in = (input){0};
}

/* Without memory the event is lost, as in a full keyboard buffer. */
static input_event *push(input *in, event_kind kind) {
  if (in->is_deaf) return NULL;
  input_event *event = array_grow((void **)&in->events, &in->count, &in->capacity, sizeof *event);
  if (event) event->kind = kind;
  return event;
}

void input_push_key(input *in, int key, bool down) {
  if (key < 0 || key >= KEY_COUNT) return;
  input_event *event = push(in, EVENT_KEY);
  if (!event) return;
  event->code = key;
  event->down = down;
}

void input_push_strength(input *in, int key, float strength) {
  if (!input_has_strength(key) || !(strength >= 0 && strength <= 1)) return;
  input_event *event = push(in, EVENT_STRENGTH);
  if (!event) return;
  event->code = key;
  event->x = strength;
}

void input_push_button(input *in, int button, bool down) {
  if (button < 1 || button > BUTTON_COUNT) return;
  input_event *event = push(in, EVENT_BUTTON);
  if (!event) return;
  event->code = button;
  event->down = down;
}

void input_push_move(input *in, float x, float y) {
  if (!isfinite(x) || !isfinite(y)) return;
  input_event *event = push(in, EVENT_MOVE);
  if (!event) return;
  event->x = x;
  event->y = y;
}

void input_push_wheel(input *in, float notches) {
  if (!isfinite(notches)) return;
  input_event *event = push(in, EVENT_WHEEL);
  if (event) event->y = notches;
}

void input_push_character(input *in, unsigned character) {
  if (character > 0x10ffff) return;
  input_event *event = push(in, EVENT_CHARACTER);
  if (event) event->code = (int)character;
}

void input_push_drop(input *in, const char *path) {
  char *copy = mem_copy_string(path);
  if (!copy) return;
  input_event *event = push(in, EVENT_DROP);
  if (event) event->path = copy;
  else mem_free(copy);
}

/* Keys are held after the events that still wait, so each gets a release, whether it is pressed now or not. */
void input_push_release_all(input *in) {
  bool keys[KEY_LIMIT], buttons[BUTTON_COUNT];
  memcpy(keys, in->keys, sizeof keys);
  memcpy(buttons, in->buttons, sizeof buttons);
  for (int i = in->taken; i < in->count; i++) {
    if (in->events[i].kind == EVENT_KEY) keys[in->events[i].code] = in->events[i].down;
    if (in->events[i].kind == EVENT_BUTTON) buttons[in->events[i].code - 1] = in->events[i].down;
  }
  for (int i = 0; i < KEY_COUNT; i++)
    if (keys[i]) input_push_key(in, i, false);
  for (int i = 0; i < BUTTON_COUNT; i++)
    if (buttons[i]) input_push_button(in, i + 1, false);
  for (int i = 0; i < KEY_COUNT; i++) input_push_strength(in, i, 0); /* none, of what has none */
}

static void turn_round(input_event *events, int count) {
  for (int i = 0, k = count - 1; i < k; i++, k--) {
    input_event event = events[i];
    events[i] = events[k];
    events[k] = event;
  }
}

/* Waiting events came later, so the missed ones are inserted before them. */
void input_push_missed(input *in) {
  int waiting = in->count;
  for (int i = 0; i < KEY_LIMIT; i++)
    if (in->app_keys[i] && !in->keys[i]) input_push_key(in, i, false);
  for (int i = 0; i < KEY_LIMIT; i++)
    if (in->app_strengths[i] != in->strengths[i]) input_push_strength(in, i, in->strengths[i]);
  for (int i = 0; i < BUTTON_COUNT; i++)
    if (in->app_buttons[i] && !in->buttons[i]) input_push_button(in, i + 1, false);
  input_push_move(in, in->mouse_x, in->mouse_y);
  turn_round(in->events, waiting);
  turn_round(in->events + waiting, in->count - waiting);
  turn_round(in->events, in->count);
}

/* False if the event would change the same thing twice in this frame. */
static bool apply(input *in, const input_event *event, bool *keys_changed, bool *buttons_changed) {
  bool is_key = event->kind == EVENT_KEY, is_button = event->kind == EVENT_BUTTON;
  bool *state = is_key ? &in->keys[event->code] : is_button ? &in->buttons[event->code - 1] : NULL;
  if (state && *state != event->down) {
    bool *changed = is_key ? &keys_changed[event->code] : &buttons_changed[event->code - 1];
    if (*changed) return false;
    *changed = true;
    *state = event->down;
  }
  if (event->kind == EVENT_MOVE) {
    in->moved_x += event->x - in->mouse_x;
    in->moved_y += event->y - in->mouse_y;
    in->mouse_x = event->x;
    in->mouse_y = event->y;
  }
  if (event->kind == EVENT_WHEEL) in->wheel += event->y;
  if (event->kind == EVENT_STRENGTH) in->strengths[event->code] = event->x;
  return true;
}

/* A drag that ends with a movement still counts it, and a click happens at the mouse's position when it was made: a
 * frame has movements and then a press, or only movements, or a release. */
static bool must_wait(const input_event *event, bool has_moved, bool has_clicked) {
  if (event->kind == EVENT_MOVE) return has_clicked;
  return event->kind == EVENT_BUTTON && !event->down && has_moved;
}

void input_begin_frame(input *in) {
  bool keys_changed[KEY_LIMIT] = {0}, buttons_changed[BUTTON_COUNT] = {0};
  bool has_moved = false, has_clicked = false;
  in->moved_x = in->moved_y = in->wheel = 0;
  in->taken = 0;
  while (in->taken < in->count) {
    const input_event *event = &in->events[in->taken];
    if (must_wait(event, has_moved, has_clicked) || !apply(in, event, keys_changed, buttons_changed)) break;
    has_moved = has_moved || event->kind == EVENT_MOVE;
    has_clicked = has_clicked || event->kind == EVENT_BUTTON;
    in->taken++;
  }
}

void input_end_frame(input *in) {
  free_paths(in, in->taken);
  in->count -= in->taken;
  if (in->count > 0) memmove(in->events, in->events + in->taken, (size_t)in->count * sizeof *in->events);
  in->taken = 0;
}
