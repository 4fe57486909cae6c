#include "import/source/fbx/fbx.h"

#include "import/source/fbx/curves/fbx_animation.h"
#include "import/source/fbx/curves/fbx_clips.h"
#include "import/source/fbx/geometry/fbx_mesh.h"

#include <string.h>

/* ---- notes about content that Sinew does not play, each once, with advice ---- */

typedef struct note {
  int (*count)(const fbx_scene *scene);
  const char *text; /* for text_count, with one %d */
} note;

static int count_type(const fbx_scene *scene, fbx_type type) {
  int count = 0;
  for (int i = 0; i < scene->object_count; i++) count += scene->objects[i].type == type;
  return count;
}

static int count_constraints(const fbx_scene *scene) { return count_type(scene, FBX_CONSTRAINT); }

static int count_characters(const fbx_scene *scene) { return count_type(scene, FBX_CHARACTER); }

static int count_deformers(const fbx_scene *scene) { return count_type(scene, FBX_DEFORMER); }

static int count_audio(const fbx_scene *scene) { return count_type(scene, FBX_AUDIO); }

static int count_layered(const fbx_scene *scene) { return count_type(scene, FBX_LAYERED_TEXTURE); }

/* Counts attributes, and models of older files, by kind. */
static int count_kind(const fbx_scene *scene, const char *kind) {
  int count = 0;
  for (int i = 0; i < scene->object_count; i++) {
    const fbx_object *o = scene->objects + i;
    bool by_type = o->type == FBX_ATTRIBUTE || (o->type == FBX_MODEL && scene->file->version < 7000);
    uint32_t subclass = scene->file->version < 7000 ? 1 : 2;
    count += by_type && fbx_says(o->record, subclass, kind);
  }
  return count;
}

static int count_cameras(const fbx_scene *scene) { return count_kind(scene, "Camera"); }

static int count_lights(const fbx_scene *scene) { return count_kind(scene, "Light"); }

/* Counts curves, patches and other surfaces that are not polygons. */
static int count_surfaces(const fbx_scene *scene) {
  int count = 0;
  for (int i = 0; i < scene->object_count; i++) {
    const fbx_object *o = scene->objects + i;
    count += o->type == FBX_GEOMETRY && !fbx_child(o->record, "Vertices");
  }
  return count;
}

/* Counts control cages of subdivision surfaces. Nested models and their geometry share a record. */
static int count_subdivisions(const fbx_scene *scene) {
  int count = 0;
  for (int i = 0; i < scene->object_count; i++) {
    const fbx_record *r = scene->objects[i].record;
    bool smooth = fbx_integer(fbx_child(r, "Smoothness"), 0, 0) >= 2;
    count += scene->objects[i].type == FBX_GEOMETRY && smooth &&
             fbx_integer(fbx_child(r, "PreviewDivisionLevels"), 0, 0) > 0;
  }
  return count;
}

static int count_dual_quaternions(const fbx_scene *scene) {
  int count = 0;
  for (int i = 0; i < scene->object_count; i++) {
    const fbx_record *type = fbx_child(scene->objects[i].record, "SkinningType");
    bool dual = fbx_says(type, 0, "DualQuaternion") || fbx_says(type, 0, "Blend");
    count += scene->objects[i].type == FBX_SKIN && dual;
  }
  return count;
}

static int count_additive(const fbx_scene *scene) {
  int count = 0;
  for (int i = 0; i < scene->object_count; i++) {
    const fbx_record *mode = fbx_child(scene->objects[i].record, "Mode");
    count += scene->objects[i].type == FBX_CLUSTER && fbx_says(mode, 0, "Additive");
  }
  return count;
}

static int count_quaternion_interpolations(const fbx_scene *scene) {
  int count = 0;
  for (int i = 0; i < scene->object_count; i++) {
    const fbx_object *o = scene->objects + i;
    count += o->type == FBX_MODEL && fbx_property(o, "QuaternionInterpolate", 0) != 0;
  }
  return count;
}

static int count_spheric_orders(const fbx_scene *scene) {
  int count = 0;
  for (int i = 0; i < scene->object_count; i++) {
    const fbx_object *o = scene->objects + i;
    count +=
        o->type == FBX_MODEL && fbx_property(o, "RotationOrder", 0) == 6 && fbx_property(o, "RotationActive", 0) != 0;
  }
  return count;
}

/* Counts textures whose coordinates are not the first set of every mesh. */
static int count_other_uv_sets(const fbx_scene *scene) {
  int count = 0;
  for (int i = 0; i < scene->object_count; i++) {
    const fbx_object *o = scene->objects + i;
    const fbx_record *set = o->type == FBX_GEOMETRY ? fbx_child(o->record, "LayerElementUV") : NULL;
    while (set && (set = fbx_again(set))) count++;
  }
  return count;
}

static const note notes[] = {
    {count_constraints, "%d {constraint is not evaluated: bake it|constraints are not evaluated: bake them} onto the "
                        "joints before the export (Maya: Edit, Keys, Bake Simulation; Blender: Object, Animation, Bake "
                        "Action; MotionBuilder: Plot Animation)"},
    {count_characters,
     "%d {character (HumanIK) is not evaluated: plot it|characters (HumanIK) are not evaluated: plot "
     "them} onto the skeleton before the export (MotionBuilder: Character Controls, Bake, To Skeleton; "
     "Maya: Human IK, Bake, To Skeleton)"},
    {count_deformers, "%d {deformer that is neither skin nor blend shape is not evaluated: bake it|deformers that are "
                      "neither skin nor blend shape are not evaluated: bake them} into weights or blend shapes (Maya: "
                      "Skin, Bake Deformers to Skin Weights; Blender: Apply as Shape Key)"},
    {count_surfaces,
     "%d {curve or surface without polygons is not drawn: convert it|curves or surfaces without "
     "polygons are not drawn: convert them} to polygons (Maya: Modify, Convert; Blender: Object, Convert, "
     "Mesh)"},
    {count_subdivisions,
     "%d {mesh is|meshes are} shown as a smooth surface in the program that made {it|them}: the "
     "polygons of the file are drawn as they are; subdivide them before the export where that shows "
     "(Maya: Modify, Convert, Smooth Mesh Preview to Polygons; Blender: apply the modifier)"},
    {count_dual_quaternions, "%d {skin asks|skins ask} for dual quaternion skinning, which files do not switch on "
                             "here: {it is|they are} skinned linearly"},
    {count_additive, "%d {cluster adds its|clusters add their} joint's movement to that of an associate model "
                     "(Additive): {its|their} weights are normalised like those of others"},
    {count_quaternion_interpolations, "%d {node asks|nodes ask} for rotations between keys to be interpolated as "
                                      "quaternions: Sinew interpolates {its|their} angles; bake {it|them} to a key for "
                                      "each frame where that shows (MotionBuilder: Plot Animation)"},
    {count_spheric_orders,
     "%d {node turns in spheric order, which nobody has described: it turns|nodes turn in "
     "spheric order, which nobody has described: they turn} as in order XYZ; bake {it|them} to an "
     "Euler order before the export (MotionBuilder: Plot Animation, Rotation Order)"},
    {count_other_uv_sets, "%d more {set of texture coordinates is|sets of texture coordinates are} not read: pictures "
                          "use the first of each mesh"},
    {count_layered, "%d layered {texture shows its|textures show their} lowest layer only"},
    {count_cameras, "%d {camera is read as a plain node|cameras are read as plain nodes}"},
    {count_lights, "%d {light is read as a plain node|lights are read as plain nodes}"},
    {count_audio, "%d audio {clip is|clips are} not read"},
};

#if defined(__GNUC__)
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
#endif

/* False when memory runs out. */
static bool fbx_note(fbx_scene *scene, const fbx_animation *animation) {
  for (size_t i = 0; i < sizeof notes / sizeof *notes; i++) {
    int count = notes[i].count(scene);
    if (count && !raw_note_count(scene->raw, count, notes[i].text, count)) return false;
  }
  if (scene->without_picture &&
      !raw_note(scene->raw, "textures that name no picture and hold none are left out, '%s' among them",
                scene->without_picture))
    return false;
  return animation->dropped_count == 0 ||
         raw_note_count(scene->raw, animation->dropped_count,
                        "%d animated {property that is no transform or blend shape is|properties that are no transform "
                        "or blend shape are} not played ('%s'{| and others})",
                        animation->dropped_count, animation->dropped);
}

/* ---- fbx ---- */

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
