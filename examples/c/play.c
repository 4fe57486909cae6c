/* Plays a clip of a model and prints where a joint is, a line for each frame of a second: play MODEL CLIP JOINT */
#include <sinew/sinew.h>

#include <stdio.h>

static int fail(const char *why) { return fprintf(stderr, "play: %s\n", why), 1; }

int main(int argc, char **argv) {
  sinew_error error;
  if (argc != 4) return fail("needs a model, a clip and a joint, as in: play hero.glb Walk Head");

  sinew_model *model = sinew_model_load(argv[1], NULL, &error);
  if (!model) return fail(error.message);
  int clip = sinew_model_find_clip(model, argv[2]), joint = sinew_model_find_joint(model, argv[3]);
  if (clip < 0 || joint < 0) return fail("the model has no such clip or no such joint");

  sinew_stage *stage = sinew_stage_create(&error); /* owns what plays, and moves its clocks */
  if (!stage) return fail(error.message);
  sinew_actor actor = sinew_actor_create(stage, "somebody", model, &error);
  sinew_play_def def = sinew_play_def_default();
  def.clip = clip;
  def.fade = 0;
  if (!sinew_actor_play(stage, actor, &def, &error).id) return fail(error.message);

  for (int frame = 1; frame <= 60; frame++) {
    sinew_stage_update(stage, 1.0 / 60);
    const float *m = sinew_actor_joints(stage, actor)[joint].m; /* three rows; the place is the last column */
    printf("%d %.6f %.6f %.6f\n", frame, (double)m[3], (double)m[7], (double)m[11]);
  }
  sinew_stage_destroy(stage);
  sinew_model_release(model);
  return 0;
}
