/* input – keys, gamepads, mouse and dropped files, as one queue of events and the state that follows from it.
 *
 * A press and its release never share a frame: the release waits for the next one, so that neither a panel nor an
 * application misses a tap shorter than a frame. */
#ifndef SINEW_HOST_INPUT_H
#define SINEW_HOST_INPUT_H

#include <sinew/host.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { KEY_LIMIT = 128, BUTTON_COUNT = 3 };

typedef enum event_kind {
  EVENT_KEY,
  EVENT_STRENGTH, /* how far a stick or a trigger is pressed */
  EVENT_BUTTON,
  EVENT_MOVE,
  EVENT_WHEEL,
  EVENT_CHARACTER,
  EVENT_DROP
} event_kind;

typedef struct input_event {
  event_kind kind;
  int code;      /* key index, button (1 left, 2 right, 3 middle) or character */
  bool down;     /* of a key or button */
  bool withheld; /* in a replay: for a panel, so the application is not told */
  float x, y;    /* pixels; a wheel's notches are in y, a strength, 0..1, is in x */
  char *path;    /* of a drop; freed at the end of its frame */
} input_event;

typedef struct input {
  input_event *events; /* the first `taken` are this frame's */
  int count, capacity, taken;
  bool keys[KEY_LIMIT]; /* as the user holds them */
  float strengths[KEY_LIMIT];
  bool buttons[BUTTON_COUNT];
  float app_strengths[KEY_LIMIT];
  bool app_keys[KEY_LIMIT]; /* as the application knows them */
  bool app_buttons[BUTTON_COUNT];
  float mouse_x, mouse_y;
  float moved_x, moved_y, wheel; /* in this frame */
  bool is_deaf;                  /* drops all pushed events, because another source replaces this one */
} input;

void input_release(input *in);

/* The index of a key by name, or -1. */
int input_find_key(const char *name);
/* True if it is one of a gamepad's sticks or triggers. */
bool input_has_strength(int key);

void input_push_key(input *in, int key, bool down);
void input_push_strength(input *in, int key, float strength);
void input_push_button(input *in, int button, bool down);
void input_push_move(input *in, float x, float y);
void input_push_wheel(input *in, float notches);
void input_push_character(input *in, unsigned character);
void input_push_drop(input *in, const char *path);
/* Releases everything that is held, because the window lost its focus. */
void input_push_release_all(input *in);
/* Sends the application what it missed while it was frozen: keys that were released, strengths, the mouse. */
void input_push_missed(input *in);

/* Takes the events of this frame off the queue and brings the state up to date. */
void input_begin_frame(input *in);
/* Forgets the events of this frame. */
void input_end_frame(input *in);

#ifdef __cplusplus
}
#endif

#endif
