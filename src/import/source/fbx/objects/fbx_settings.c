/* Units, axes and the unit of time. */
#include "import/source/fbx/objects/fbx_scene.h"

/* One row of the conversion: the file's axis that becomes ours, and its sign. */
static bool axis_row(const fbx_object *settings, const char *axis, const char *sign, int otherwise, double scale,
                     float *row) {
  double index = fbx_property(settings, axis, otherwise);
  if (!(index >= 0 && index <= 2)) return false;
  row[(int)index] = (float)(fbx_property(settings, sign, 1) < 0 ? -scale : scale);
  return true;
}

static float determinant(const float *m) {
  return m[0] * (m[5] * m[10] - m[6] * m[9]) - m[1] * (m[4] * m[10] - m[6] * m[8]) + m[2] * (m[4] * m[9] - m[5] * m[8]);
}

/* FBX uses centimetres times UnitScaleFactor, and settings for the right, up and front axes. */
static bool find_space(raw_model *raw, const fbx_object *settings) {
  double unit = fbx_property(settings, "UnitScaleFactor", 1) * 0.01;
  if (!(unit > 1e-9 && unit < 1e9)) unit = 0.01;
  sinew_mat3x4 space = {{0}};
  bool known = axis_row(settings, "CoordAxis", "CoordAxisSign", 0, unit, space.m) &&
               axis_row(settings, "UpAxis", "UpAxisSign", 1, unit, space.m + 4) &&
               axis_row(settings, "FrontAxis", "FrontAxisSign", 2, unit, space.m + 8);
  if (known && determinant(space.m) > 0) {
    raw->conversion = space;
    return true;
  }
  float u = (float)unit;
  raw->conversion = (sinew_mat3x4){{u, 0, 0, 0, 0, u, 0, 0, 0, 0, u, 0}};
  return raw_note(raw, "the file's axes are not a right-handed system: taken as y up");
}

/* Ticks per second; newer files may use another unit of time. */
static double find_ticks(const fbx_file *file) {
  const fbx_record *header = fbx_child(&file->root, "FBXHeaderExtension");
  const fbx_record *flags = fbx_child(fbx_child(header, "OtherFlags"), "TCDefinition");
  bool newer = fbx_integer(fbx_child(header, "FBXHeaderVersion"), 0, 0) >= 1004 && flags;
  return newer && fbx_integer(flags, 0, 127) != 127 ? 141120000.0 : 46186158000.0;
}

bool fbx_read_settings(fbx_scene *scene) {
  const fbx_record *root = &scene->file->root, *global = fbx_child(root, "GlobalSettings");
  if (!global) global = fbx_child(fbx_child(root, "Objects"), "GlobalSettings");
  if (!global) global = fbx_child(fbx_child(root, "Version5"), "Settings");
  scene->ticks = find_ticks(scene->file);
  return find_space(scene->raw, &(fbx_object){.record = global});
}
