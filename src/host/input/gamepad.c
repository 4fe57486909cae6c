#include "host/input/gamepad.h"

#include "math/elementary.h"

#include <math.h>

static const float dead = 0.15f, full = 0.95f, press = 0.5f, release = 0.4f;

gamepad_state gamepad_rest(void) { return (gamepad_state){.axes = {0, 0, 0, 0, -1, -1}}; }

void gamepad_join(gamepad_state *all, const gamepad_state *one) {
  for (int i = 0; i < GAMEPAD_BUTTONS; i++) all->buttons[i] |= one->buttons[i];
  for (int i = 0; i < 4; i += 2) {
    bool farther = float_hypot(one->axes[i], one->axes[i + 1]) > float_hypot(all->axes[i], all->axes[i + 1]);
    if (farther) all->axes[i] = one->axes[i], all->axes[i + 1] = one->axes[i + 1];
  }
  for (int i = 4; i < GAMEPAD_AXES; i++) all->axes[i] = fmaxf(all->axes[i], one->axes[i]);
}

/* Rounds to steps too small to feel, so that a stick at rest sends nothing. */
static float in_steps(float strength) { return roundf(fminf(fmaxf(strength, 0), 1) * 256) / 256; }

/* From 0 at the edge of the dead zone to 1 just before the rim, in the stick's direction. */
static void read_stick(float x, float y, float strengths[4]) {
  float out = float_hypot(x, y), much = out > dead ? fminf((out - dead) / (full - dead), 1) / out : 0;
  strengths[0] = in_steps(-x * much);
  strengths[1] = in_steps(x * much);
  strengths[2] = in_steps(-y * much);
  strengths[3] = in_steps(y * much);
}

static float read_trigger(float axis) {
  float pulled = (axis + 1) / 2;
  return in_steps((pulled - dead) / (1 - dead));
}

static void push_strength(gamepad *pad, int i, float strength, input *in) {
  int key = input_find_key("left_stick_left") + i;
  bool pressed = strength >= (pad->pressed[i] ? release : press);
  if (strength != pad->strengths[i]) input_push_strength(in, key, strength);
  if (pressed != pad->pressed[i]) input_push_key(in, key, pressed);
  pad->strengths[i] = strength;
  pad->pressed[i] = pressed;
}

void gamepad_update(gamepad *pad, const gamepad_state *state, input *in) {
  float strengths[GAMEPAD_STRENGTHS];
  read_stick(state->axes[0], state->axes[1], strengths);
  read_stick(state->axes[2], state->axes[3], strengths + 4);
  strengths[8] = read_trigger(state->axes[4]);
  strengths[9] = read_trigger(state->axes[5]);
  for (int i = 0; i < GAMEPAD_BUTTONS; i++) {
    if (state->buttons[i] != pad->buttons[i]) input_push_key(in, input_find_key("pad_a") + i, state->buttons[i]);
    pad->buttons[i] = state->buttons[i];
  }
  for (int i = 0; i < GAMEPAD_STRENGTHS; i++) push_strength(pad, i, isfinite(strengths[i]) ? strengths[i] : 0, in);
}
