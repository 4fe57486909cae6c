/* The work that instruction_count.py counts: COUNT evaluations of characters of 67 joints, of one clip each or blended
 * from three: one character, or eight side by side to their palettes.
 */
#include "skin/kernels.h"
#include "skin/skin_fixture.h"

int main(int argc, char **argv) {
  if (argc != 4) return 2;
  sinew_model *model = make_character();
  const sinew_clip *clip = sinew_model_clip(model, 0);
  int sources = atoi(argv[1]), characters = atoi(argv[2]), count = atoi(argv[3]);
  static sinew_mat3x4 scratch[SINEW_LANES * CHARACTER], palettes[SINEW_LANES][CHARACTER];
  sinew_evaluate_source blended[SINEW_LANES][3];
  sinew_evaluate_job jobs[SINEW_LANES];
  if (characters > 1) give_skin(model);
  for (int i = 0; i < count; i++) {
    for (int c = 0; c < characters; c++) {
      double times[3] = {(i + c) % 40 / 30.0, (i + c) % 37 / 30.0, 0.5};
      for (int s = 0; s < 3; s++) blended[c][s] = (sinew_evaluate_source){clip, times[s], 0.5f - 0.15f * (float)s};
      jobs[c] = (sinew_evaluate_job){model, blended[c], sources, 0.1f, {NULL, 0}, scratch, NULL};
      jobs[c].palette = characters > 1 ? palettes[c] : NULL;
    }
    if (characters == 1 && !sinew_evaluate(jobs)) return 1;
    if (characters == SINEW_LANES) evaluate_eight(jobs, scratch);
  }
  take_skin(model);
  sinew_model_release(model);
  return 0;
}
