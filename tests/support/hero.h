/* hero – the project's own character with all of its clips, and frame rates to try things at. */
#ifndef SINEW_TESTS_HERO_H
#define SINEW_TESTS_HERO_H

#include "support/stage_world.h"

#include "base/memory/memory.h"

static const double frame_rates[] = {30, 60, 144};
enum { FRAME_RATES = 3 };

/* With the clips of a file beside it. */
static inline sinew_model *load_hero_with(const char *clips) {
  char path[1024], extra[1024];
  sinew_error error = {""};
  sinew_load_options options = sinew_load_options_default();
  snprintf(path, sizeof path, "%s/assets/hero.glb", SINEW_SOURCE);
  snprintf(extra, sizeof extra, "%s/assets/%s", SINEW_SOURCE, clips);
  options.clip_files = (const char *const[]){extra};
  options.clip_file_count = 1;
  sinew_model *model = sinew_model_load(path, &options, &error);
  if (!model) fail_msg("%s", error.message);
  return model;
}

static inline sinew_model *load_hero(void) { return load_hero_with("hero_extra.glb"); }

static inline int hero_clip(const sinew_model *model, const char *name) {
  int clip = sinew_model_find_clip(model, name);
  assert_true(clip >= 0);
  return clip;
}

static inline int hero_joint(const sinew_model *model, const char *name) {
  int joint = sinew_model_find_joint(model, name);
  assert_true(joint >= 0);
  return joint;
}

#endif
