/* gamepad – turns a gamepad's buttons, sticks and triggers into keys. */
#ifndef SINEW_HOST_GAMEPAD_H
#define SINEW_HOST_GAMEPAD_H

#include "host/input/input.h"

enum { GAMEPAD_BUTTONS = 15, GAMEPAD_AXES = 6, GAMEPAD_STRENGTHS = 10 };

/* Numbered as by SDL and GLFW: buttons a, b, x, y, bumpers, back, start, guide, pressed sticks, then up, right, down
 * and left of the cross; axes x and y of the left and the right stick, from −1 to 1 (y downwards), then the triggers,
 * −1 released. */
typedef struct gamepad_state {
  bool buttons[GAMEPAD_BUTTONS];
  float axes[GAMEPAD_AXES];
} gamepad_state;

/* The last reported state. All zeros: nothing is pressed. */
typedef struct gamepad {
  bool buttons[GAMEPAD_BUTTONS], pressed[GAMEPAD_STRENGTHS];
  float strengths[GAMEPAD_STRENGTHS];
} gamepad;

gamepad_state gamepad_rest(void);
/* Combines several gamepads: a button of any counts, and of each stick and trigger the one pushed farthest. */
void gamepad_join(gamepad_state *all, const gamepad_state *one);
/* Pushes events for changes. Sticks have a round dead zone of 0.15. A stick pushed half-way counts as a pressed key
 * until it returns to 0.4. */
void gamepad_update(gamepad *pad, const gamepad_state *state, input *in);

#endif
