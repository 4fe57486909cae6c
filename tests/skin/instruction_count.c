/* What instruction_count.py counts: COUNT evaluations of a character of 67 joints, of one clip or blended from three.
 * All joints turn, the first also moves, as in most clips. */
#include "skin/skin_fixture.h"

enum { JOINTS = 67, ROWS = 41 };

static sinew_model *make_character(void) {
  static joint_desc joints[JOINTS - 1];
  static clip_track tracks[JOINTS];
  static float times[ROWS], rows[ROWS][4 * JOINTS];
  static bool carried[JOINTS];
  static sinew_transform base[JOINTS];
  const int row_size = 4 * (JOINTS - 1) + 3;
  for (int i = 0; i < JOINTS - 1; i++) {
    joints[i] = (joint_desc){"j", i < 6 ? i - 1 : (i - 4) / 2, random_transform(false), false};
    tracks[i] = (clip_track){TRACK_ROTATION, i, 0, false, 4 * i, false};
    carried[i] = true;
    base[i] = joints[i].rest;
  }
  tracks[JOINTS - 1] = (clip_track){TRACK_TRANSLATION, 0, 0, false, row_size - 3, false};
  for (int r = 0; r < ROWS; r++) {
    times[r] = (float)r / 30;
    for (int i = 0; i < JOINTS - 1; i++) memcpy(rows[r] + 4 * i, &base[i].rotation, 4 * sizeof(float));
    for (int i = 0; i < 3; i++) rows[r][row_size - 3 + i] = (float)(r * i);
  }
  static float packed[ROWS * (4 * JOINTS - 1)];
  for (int r = 0; r < ROWS; r++) memcpy(packed + r * row_size, rows[r], (size_t)row_size * sizeof(float));
  clip_table_desc table = {times, ROWS, packed, row_size, tracks, JOINTS};
  clip_desc clip = {
      .name = "c", .duration = 4 / 3.0, .tables = &table, .table_count = 1, .carried = carried, .base = base};
  return model_create(&(model_desc){.path = "x",
                                    .root = sinew_transform_identity(),
                                    .joints = joints,
                                    .joint_count = JOINTS - 1,
                                    .clips = &clip,
                                    .clip_count = 1},
                      NULL);
}

int main(int argc, char **argv) {
  if (argc != 3) return 2;
  sinew_model *model = make_character();
  const sinew_clip *clip = sinew_model_clip(model, 0);
  int sources = atoi(argv[1]), count = atoi(argv[2]);
  static sinew_mat3x4 joints[JOINTS];
  for (int i = 0; i < count; i++) {
    sinew_evaluate_source blended[] = {{clip, i % 40 / 30.0, 0.5f}, {clip, i % 37 / 30.0, 0.3f}, {clip, 0.5, 0.2f}};
    if (!sinew_evaluate(&(sinew_evaluate_job){model, blended, sources, 0.1f, {NULL, 0}, joints, NULL})) return 1;
  }
  sinew_model_release(model);
  return 0;
}
