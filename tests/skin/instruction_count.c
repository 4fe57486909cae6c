/* What instruction_count.py counts: COUNT evaluations of a character of 67 joints, of one clip or blended from three.
 */
#include "skin/skin_fixture.h"

int main(int argc, char **argv) {
  if (argc != 3) return 2;
  sinew_model *model = make_character();
  const sinew_clip *clip = sinew_model_clip(model, 0);
  int sources = atoi(argv[1]), count = atoi(argv[2]);
  static sinew_mat3x4 joints[CHARACTER];
  for (int i = 0; i < count; i++) {
    sinew_evaluate_source blended[] = {{clip, i % 40 / 30.0, 0.5f}, {clip, i % 37 / 30.0, 0.3f}, {clip, 0.5, 0.2f}};
    if (!sinew_evaluate(&(sinew_evaluate_job){model, blended, sources, 0.1f, {NULL, 0}, joints, NULL})) return 1;
  }
  sinew_model_release(model);
  return 0;
}
