#include "import/source/fbx/fbx.h"

#include "import/source/fbx/curves/fbx_clips.h"
#include "import/source/fbx/fbx_notes.h"
#include "import/source/fbx/geometry/fbx_mesh.h"

static bool has_type(const fbx_scene *scene, fbx_type type) {
  for (int i = 0; i < scene->object_count; i++)
    if (scene->objects[i].type == type) return true;
  return false;
}

static bool read_scene(fbx_scene *scene, bool clips_only) {
  fbx_animation animation;
  fbx_skeleton skeleton;
  fbx_materials materials;
  fbx_blends blends = {0};
  if (!fbx_skeleton_find(scene, &skeleton) || !fbx_animation_read(scene, &animation)) return false;
  if (!fbx_find_even_scales(scene, &animation, &skeleton)) return false;
  if (!fbx_skeleton_build(scene, &skeleton)) return false;
  bool meshes = !clips_only || has_type(scene, FBX_BLEND);
  if (meshes && (!fbx_read_materials(scene, &materials) || !fbx_read_meshes(scene, &materials, &blends))) return false;
  return fbx_make_clips(scene, &animation, &skeleton, &blends) && fbx_note(scene, &animation);
}

bool fbx_import(raw_model *raw, const import_files *files, bool clips_only) {
  fbx_file file;
  fbx_scene scene;
  bool read = fbx_open(&file, raw, files) && fbx_scene_open(&scene, &file) && read_scene(&scene, clips_only);
  fbx_close(&file);
  return read;
}
