/* Moves every array that may move, so that kept pointers are found. */
#include "core/scene.h"

enum { MANY_SHAKES = 10000, EVERY = 64 };

/* If there is much to move, or the scene has been shaken often, only some of the times. */
void scene_shake(sinew_scene *scene) {
  const declarations *all = &scene->declarations;
  bool seldom = all->actors.count + all->crowds.count > 256 || scene->shake_count > MANY_SHAKES;
  if (scene->shake_count++ % EVERY && seldom) return;
  declarations_shake(&scene->declarations);
  declarations_move(&scene->declarations, &scene->loads, scene->load_capacity);
  sinew_stage_shake(scene->declarations.stage);
}
