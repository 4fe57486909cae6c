/* Moves what may move, to find pointers that were kept. */
#include "core/scene.h"

/* Where there is much, not each time. */
void scene_shake(sinew_scene *scene) {
  const declarations *all = &scene->declarations;
  bool large = all->actors.count + all->crowds.count > 256;
  if (large && ++scene->shakes_left_out < 64) return;
  scene->shakes_left_out = 0;
  declarations_shake(&scene->declarations);
  declarations_move(&scene->declarations, &scene->loads, scene->load_capacity);
  sinew_stage_shake(scene->declarations.stage);
}
