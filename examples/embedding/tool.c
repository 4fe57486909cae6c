/* A tool without a window: plays a clip of a model and prints where a joint is in each frame of a second. The file is
 * read by the tool itself, as from an archive. tool MODEL CLIP JOINT */
#include <sinew/sinew.h>

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>

static int fail(const char *why) { return fprintf(stderr, "tool: %s\n", why), 1; }

static bool read_file(void *user, const char *path, sinew_file_bytes *bytes) {
  FILE *file = fopen(path, "rb");
  if (!file) return false;
  fseek(file, 0, SEEK_END);
  bytes->size = (size_t)ftell(file);
  rewind(file);
  bytes->owner = malloc(bytes->size + 1);
  bytes->data = bytes->owner;
  bool good = bytes->owner && fread(bytes->owner, 1, bytes->size, file) == bytes->size;
  fclose(file);
  *(int *)user += good;
  return good;
}

static void free_file(void *user, const sinew_file_bytes *bytes) { (void)user, free(bytes->owner); }

int main(int argc, char **argv) {
  setlocale(LC_ALL, ""); /* as programs do */
  sinew_error error;
  int files = 0;
  if (argc != 4) return fail("needs a model, a clip and a joint, as in: tool hero.glb Walk Head");

  sinew_load_options options = sinew_load_options_default();
  options.reader = (sinew_file_reader){read_file, free_file, &files};
  sinew_model *model = sinew_model_load(argv[1], &options, &error);
  if (!model) return fail(error.message);
  int clip = sinew_model_find_clip(model, argv[2]), joint = sinew_model_find_joint(model, argv[3]);
  if (clip < 0 || joint < 0) return fail("the model has no such clip or no such joint");

  sinew_stage *stage = sinew_stage_create(&error); /* owns what plays, and moves its clocks */
  if (!stage) return fail(error.message);
  sinew_actor actor = sinew_actor_create(stage, "somebody", model, &error);
  sinew_play_def def = sinew_play_def_default();
  def.clip = clip, def.fade = 0;
  if (!sinew_actor_play(stage, actor, &def, &error).id) return fail(error.message);

  for (int frame = 1; frame <= 60; frame++) {
    sinew_stage_update(stage, 1.0 / 60);
    const float *m = sinew_actor_joints(stage, actor)[joint].m; /* three rows; the position is the last column */
    printf("%d %.6f %.6f %.6f\n", frame, (double)m[3], (double)m[7], (double)m[11]);
  }
  fprintf(stderr, "%d file%s read\n", files, files == 1 ? "" : "s");
  sinew_stage_destroy(stage);
  sinew_model_release(model);
  return 0;
}
