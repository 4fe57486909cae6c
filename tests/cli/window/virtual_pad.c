/* A gamepad for a window under test: LD_PRELOAD puts it before GLFW's. The file that SINEW_VIRTUAL_PAD names says what
 * is held: how far the left stick is pushed ahead, and whether A is down. */
#include <GLFW/glfw3.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

static const char *file_name(int joystick) { return joystick == GLFW_JOYSTICK_1 ? getenv("SINEW_VIRTUAL_PAD") : NULL; }

int glfwJoystickPresent(int joystick) { return file_name(joystick) ? GLFW_TRUE : GLFW_FALSE; }
int glfwJoystickIsGamepad(int joystick) { return glfwJoystickPresent(joystick); }
const char *glfwGetJoystickName(int joystick) { return file_name(joystick) ? "a virtual pad" : NULL; }
const char *glfwGetGamepadName(int joystick) { return glfwGetJoystickName(joystick); }

int glfwGetGamepadState(int joystick, GLFWgamepadstate *state) {
  const char *name = file_name(joystick);
  FILE *file = name ? fopen(name, "r") : NULL;
  int pressed = 0;
  float ahead = 0;
  if (!file) return GLFW_FALSE;
  bool whole = fscanf(file, "%f %d", &ahead, &pressed) == 2;
  fclose(file);
  *state = (GLFWgamepadstate){.axes = {0, -ahead, 0, 0, -1, -1}};
  state->buttons[GLFW_GAMEPAD_BUTTON_A] = pressed ? GLFW_PRESS : GLFW_RELEASE;
  return whole ? GLFW_TRUE : GLFW_FALSE;
}
