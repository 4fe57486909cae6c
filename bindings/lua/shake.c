/* Moves every array that may move, so that kept pointers are found. */
#include "core/scene.h"

enum { MANY_SHAKES = 10000, EVERY = 64 };

static void shake_list(declarations *all, declaration_list *list) {
  declarations_move(all, &list->items, list->capacity);
}

static void shake_actor(declarations *all, actor_record *record) {
  for (int i = 0; i < PARTS; i++) shake_list(all, &record->parts[i]);
  declarations_shake_modifiers(all, record);
}

/* Moves its arrays, and those of some actors. */
static void shake(declarations *all) {
  shake_list(all, &all->actors);
  shake_list(all, &all->crowds);
  shake_list(all, &all->markers);
  shake_list(all, &all->curves);
  shake_list(all, &all->look);
  declarations_move(all, &all->lines, all->line_capacity);
  for (int i = 0; i < 16 && i < all->actors.count; i++)
    shake_actor(all, actor_at(all, all->shaken++ % all->actors.count));
  all->shaken %= all->actors.count ? all->actors.count : 1;
}

/* If there is much to move, or the scene has been shaken often, only some of the times. */
void scene_shake(sinew_scene *scene) {
  const declarations *all = &scene->declarations;
  bool seldom = all->actors.count + all->crowds.count > 256 || scene->shake_count > MANY_SHAKES;
  if (scene->shake_count++ % EVERY && seldom) return;
  shake(&scene->declarations);
  declarations_move(&scene->declarations, &scene->loads, scene->load_capacity);
  sinew_stage_shake(scene->declarations.stage);
}
