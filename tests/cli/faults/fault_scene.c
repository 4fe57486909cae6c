/* fault_scene SCENE: what a window does with a scene that is edited, for calls that fail (fail_nth.c): it runs, a value
 * of the action of actor "a" is written into the script, the script is loaded again, and the edit is taken back. Ends
 * with 1 and a sentence if something failed. */
#include <sinew_lua.h>

#include <stdio.h>
#include <string.h>

static bool say(bool done, const char *why) {
  if (!done) fprintf(stderr, "%s\n", why);
  return done;
}

static bool step(sinew_host *host, int frames) {
  sinew_error error = {""};
  bool done = true;
  for (int i = 0; i < frames && done; i++) done = say(sinew_host_step(host, 1.0 / 60, &error), error.message);
  return done;
}

static bool write_speed(sinew_scene *scene, sinew_host *host, double value) {
  char answer[512] = "";
  sinew_edit edit = {
      .actor = sinew_scene_find_actor(scene, "a"), .kind = SINEW_EDIT_ACTION, .field = "speed", .value = value};
  edit.action = sinew_actor_action(sinew_host_stage(host), edit.actor, 0, 0);
  return say(sinew_scene_write(scene, &edit, answer, sizeof answer), answer);
}

static bool edit(sinew_scene *scene, sinew_host *host) {
  char answer[512] = "";
  sinew_error error = {""};
  if (!step(host, 2) || !write_speed(scene, host, 1.25) || !say(sinew_scene_reload(scene, &error), error.message) ||
      !step(host, 2))
    return false;
  return say(sinew_scene_undo(scene, answer, sizeof answer), answer) && step(host, 1);
}

int main(int argc, char **argv) {
  sinew_error error = {""};
  sinew_host_def def = sinew_host_def_default();
  sinew_scene_def scene_def = sinew_scene_def_default();
  def.output = SINEW_OUTPUT_NONE;
  sinew_host *host = argc > 1 ? sinew_host_create(&def, &error) : NULL;
  sinew_scene *scene = host ? sinew_scene_create(host, argv[1], &scene_def, &error) : NULL;
  bool done = say(scene, error.message);
  if (scene) {
    sinew_app app = sinew_scene_app(scene);
    sinew_host_set_app(host, &app);
    done = edit(scene, host);
  }
  sinew_scene_destroy(scene);
  sinew_host_destroy(host);
  return done ? 0 : 1;
}
