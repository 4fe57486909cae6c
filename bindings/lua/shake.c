/* Moves every array that may move, to find pointers that were kept. */
#include "core/scene.h"

enum { MANY_SHAKES = 10000, EVERY = 64 };

/* Where there is much to move, or a scene has been shaken often, not each time. */
void scene_shake(sinew_scene *scene) {
  const declarations *all = &scene->declarations;
  bool seldom = all->actors.count + all->crowds.count > 256 || scene->shake_count > MANY_SHAKES;
  if (scene->shake_count++ % EVERY && seldom) return;
  declarations_shake(&scene->declarations);
  declarations_move(&scene->declarations, &scene->loads, scene->load_capacity);
  sinew_stage_shake(scene->declarations.stage);
}
