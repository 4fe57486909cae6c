#include "import/source/fbx/geometry/fbx_material.h"

#include "import/source/image.h"

#include <math.h>
#include <string.h>

/* ---- the roles of textures ---- */

typedef enum role { COLOR, NORMAL, EMISSIVE, OPACITY, ROLE_COUNT } role;

/* The properties that textures are connected to, preferred ones first. */
static const char *const channels[ROLE_COUNT][9] = {
    [COLOR] = {"Maya|baseColor", "Maya|TEX_color_map", "3dsMax|Parameters|base_color_map", "DiffuseColor",
               "DiffuseFactor", "Diffuse", "Texture alpha"},
    [NORMAL] = {"NormalMap", "Maya|normalCamera", "Maya|TEX_normal_map", "3dsMax|Parameters|norm_map"},
    [EMISSIVE] = {"EmissiveColor", "Maya|emissionColor", "Maya|TEX_emissive_map", "3dsMax|Parameters|emit_color_map"},
    [OPACITY] = {"TransparentColor", "TransparencyFactor", "Opacity", "Maya|opacity", "3dsMax|Parameters|cutout_map"},
};

static const fbx_object *texture_at(const fbx_scene *scene, const fbx_object *material, const char *channel) {
  for (int i = 0; i < material->child_count; i++) {
    const fbx_link *link = scene->links + scene->children[material->first_child + i];
    const fbx_object *from = scene->objects + link->from;
    bool texture = from->type == FBX_TEXTURE || from->type == FBX_LAYERED_TEXTURE;
    if (texture && strcmp(link->property, channel) == 0) return from;
  }
  return NULL;
}

static const fbx_object *find_texture(const fbx_scene *scene, const fbx_object *material, role what) {
  const fbx_object *found = NULL;
  for (int i = 0; !found && channels[what][i]; i++) found = texture_at(scene, material, channels[what][i]);
  return found;
}

/* Before 7.0, textures are connected to the model beside its material. */
static const fbx_object *find_model_texture(const fbx_scene *scene, const fbx_object *material) {
  const fbx_object *model = scene->file->version < 7000 ? fbx_first_owner(scene, material, FBX_MODEL) : NULL;
  return model ? fbx_first_child(scene, model, FBX_TEXTURE) : NULL;
}

static bool read_textures(fbx_scene *scene, const fbx_object *material, sinew_material *m) {
  const fbx_object *color = find_texture(scene, material, COLOR), *normal = find_texture(scene, material, NORMAL);
  const fbx_object *emissive = find_texture(scene, material, EMISSIVE);
  if (!color) color = find_model_texture(scene, material);
  return (!color || fbx_read_texture(scene, color, m->textures + SINEW_TEXTURE_BASE_COLOR)) &&
         (!normal || fbx_read_texture(scene, normal, m->textures + SINEW_TEXTURE_NORMAL)) &&
         (!emissive || fbx_read_texture(scene, emissive, m->textures + SINEW_TEXTURE_EMISSIVE));
}

/* ---- opacity ---- */

/* A missing picture leaves the material opaque. */
static bool read_opacity(fbx_scene *scene, const fbx_object *material, sinew_material *m) {
  const fbx_object *texture = find_texture(scene, material, OPACITY);
  sinew_image_view opacity;
  bool found = false;
  if (!texture || !fbx_load_texture(scene, texture, &opacity, &found)) return !texture;
  return !found || image_take_opacity(scene->raw, m, &opacity);
}

/* Writers disagree on TransparencyFactor: a value that would make a material invisible is ignored. */
static double find_opacity(const fbx_object *material) {
  double color[3] = {0}, factor = fbx_property(material, "TransparencyFactor", 0), opacity = 1;
  if (fbx_has_property(material, "Opacity")) opacity = fbx_property(material, "Opacity", 1);
  else if (fbx_property_vector(material, "TransparentColor", color) != FBX_ABSENT)
    opacity = 1 - factor * (color[0] + color[1] + color[2]) / 3;
  return opacity > 0 && opacity < 1 ? opacity : 1;
}

/* ---- colours ---- */

/* A colour and its factor; in older files a single property has both. */
static bool read_color(const fbx_object *material, const char *color, const char *factor, const char *both,
                       float *rgb) {
  double value[3] = {0}, f = fbx_property(material, factor, 1);
  bool found = fbx_property_vector(material, color, value) != FBX_ABSENT;
  if (!found) {
    f = 1;
    found = fbx_property_vector(material, both, value) != FBX_ABSENT;
  }
  for (int k = 0; found && k < 3; k++) rgb[k] = (float)(f * value[k]);
  return found;
}

/* The same formula as in Blender's exporter and importer. */
static float read_roughness(const fbx_object *material) {
  double shininess = fbx_property(material, "ShininessExponent", fbx_property(material, "Shininess", -1));
  double guess = shininess >= 0 ? 1 - sqrt(fmin(shininess, 100)) / 10 : 0.8;
  double said = fbx_property(material, "Maya|specularRoughness", fbx_property(material, "Maya|roughness", guess));
  return (float)fmax(fbx_property(material, "3dsMax|Parameters|roughness", said), 0.05);
}

static float read_metallic(const fbx_object *material) {
  double said = fbx_property(material, "Maya|metalness", fbx_property(material, "Maya|metallic", 0));
  return (float)fbx_property(material, "3dsMax|Parameters|metalness", said);
}

static bool is_black(const float *rgb) { return rgb[0] == 0 && rgb[1] == 0 && rgb[2] == 0; }

static bool read_material(fbx_scene *scene, const fbx_object *from, sinew_material *m) {
  static const float white[3] = {1, 1, 1};
  *m = sinew_material_default();
  m->name = raw_string(scene->raw, from->name);
  for (int i = 0; i < 3; i++) m->base_color[i] = 0.8f;
  m->double_sided = true;
  if (!m->name || !read_textures(scene, from, m)) return false;
  read_color(from, "DiffuseColor", "DiffuseFactor", "Diffuse", m->base_color);
  read_color(from, "Maya|baseColor", "Maya|base", "3dsMax|Parameters|base_color", m->base_color);
  if (m->textures[SINEW_TEXTURE_BASE_COLOR].image >= 0)
    memcpy(m->base_color, white, sizeof white); /* a texture replaces the colour */
  read_color(from, "EmissiveColor", "EmissiveFactor", "Emissive", m->emissive);
  if (m->textures[SINEW_TEXTURE_EMISSIVE].image >= 0 && is_black(m->emissive)) memcpy(m->emissive, white, sizeof white);
  m->metallic = read_metallic(from);
  m->roughness = read_roughness(from);
  m->base_color[3] = (float)find_opacity(from);
  if (m->base_color[3] < 1) m->alpha_mode = SINEW_ALPHA_BLEND;
  return read_opacity(scene, from, m);
}

bool fbx_read_materials(fbx_scene *scene, fbx_materials *materials) {
  raw_model *raw = scene->raw;
  int count = 0;
  for (int i = 0; i < scene->object_count; i++) count += scene->objects[i].type == FBX_MATERIAL;
  raw->materials = raw_alloc(raw, (size_t)count, sizeof *raw->materials);
  materials->index = fbx_take(scene->file, (size_t)scene->object_count, sizeof *materials->index);
  if (!raw->materials || !materials->index) return false;
  for (int i = 0; i < scene->object_count; i++) {
    if (scene->objects[i].type != FBX_MATERIAL) continue;
    if (!read_material(scene, scene->objects + i, raw->materials + raw->material_count)) return false;
    materials->index[i] = ++raw->material_count;
  }
  return true;
}
