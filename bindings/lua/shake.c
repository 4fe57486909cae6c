/* Moves what may move, to find pointers that were kept. */
#include "core/scene.h"

/* Where there is much, not each time. */
void scene_shake(sinew_scene *scene) {
  const world *w = &scene->world;
  bool large = w->actors.count + w->crowds.count > 256;
  if (large && ++scene->shakes_left_out < 64) return;
  scene->shakes_left_out = 0;
  world_shake(&scene->world);
  world_move(&scene->world, &scene->loads, scene->load_capacity);
  sinew_stage_shake(scene->world.stage);
}
