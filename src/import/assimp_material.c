#include "import/assimp_scene.h"
#include "import/image.h"

#include "base/memory.h"

#include <assimp/material.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static float read_number(const struct aiMaterial *from, const char *key, float otherwise) {
  float value;
  unsigned count = 1;
  return aiGetMaterialFloatArray(from, key, 0, 0, &value, &count) == aiReturn_SUCCESS && isfinite(value) ? value
                                                                                                         : otherwise;
}

static bool read_color(const struct aiMaterial *from, const char *key, float *rgba, int count) {
  struct aiColor4D c;
  if (aiGetMaterialColor(from, key, 0, 0, &c) != aiReturn_SUCCESS) return false;
  memcpy(rgba, (float[]){c.r, c.g, c.b, c.a}, (size_t)count * sizeof *rgba);
  return true;
}

/* ---- images ---- */

static const struct aiTexture *find_embedded(const struct aiScene *scene, const char *name) {
  if (name[0] == '*') {
    unsigned long index = strtoul(name + 1, NULL, 10);
    return index < scene->mNumTextures ? scene->mTextures[index] : NULL;
  }
  for (unsigned i = 0; i < scene->mNumTextures; i++) {
    const char *file = scene->mTextures[i]->mFilename.data;
    const char *slash = strrchr(file, '/'), *back = strrchr(file, '\\');
    const char *part = back > slash ? back : slash;
    if (file[0] && (strcmp(file, name) == 0 || (part && strcmp(part + 1, name) == 0))) return scene->mTextures[i];
  }
  return NULL;
}

/* Texels without a file format around them: blue, green, red, alpha. */
static bool read_texels(raw_model *raw, const struct aiTexture *texture, sinew_image_view *image) {
  size_t count = (size_t)texture->mWidth * texture->mHeight;
  uint8_t *rgba = raw_alloc(raw, count, 4);
  if (!rgba) return false;
  for (size_t i = 0; i < count; i++) {
    struct aiTexel t = texture->pcData[i];
    memcpy(rgba + i * 4, (uint8_t[]){t.r, t.g, t.b, t.a}, 4);
  }
  image->width = (int)texture->mWidth;
  image->height = (int)texture->mHeight;
  image->rgba = rgba;
  return true;
}

static bool load_image(assimp_source *source, const char *name, sinew_image_view *image) {
  raw_model *raw = source->raw;
  const struct aiTexture *embedded = find_embedded(source->scene, name);
  if (!embedded) return image_from_file(raw, name, image);
  if (embedded->mHeight == 0) return image_from_memory(raw, name, embedded->pcData, embedded->mWidth, image);
  return embedded->mWidth <= 16384 && embedded->mHeight <= 16384 ? read_texels(raw, embedded, image)
                                                                 : image_placeholder(raw, name, "is too large", image);
}

/* Images are known by the name that materials give them. */
static int find_image(const raw_model *raw, const char *name) {
  for (int i = 0; i < raw->image_count; i++)
    if (strcmp(raw->images[i].name, name) == 0) return i;
  return -1;
}

/* False when memory is out; *index stays -1 where the material has no texture of the type. */
static bool read_texture(assimp_source *source, const struct aiMaterial *from, enum aiTextureType type, int *index) {
  raw_model *raw = source->raw;
  struct aiString path;
  if (*index >= 0 || aiGetMaterialTextureCount(from, type) == 0 ||
      aiGetMaterialTexture(from, type, 0, &path, NULL, NULL, NULL, NULL, NULL, NULL) != aiReturn_SUCCESS ||
      path.length == 0)
    return true;
  *index = find_image(raw, path.data);
  if (*index >= 0) return true;
  sinew_image_view image = {.name = assimp_string(raw, &path)};
  if (!image.name || !load_image(source, image.name, &image)) return false;
  sinew_image_view *kept =
      raw_grow(raw, (void **)&raw->images, &raw->image_count, &raw->image_capacity, sizeof *raw->images);
  if (!kept) return false;
  *kept = image;
  *index = raw->image_count - 1;
  return true;
}

static bool read_textures(assimp_source *source, const struct aiMaterial *from, sinew_material *m) {
  m->base_color_image = m->normal_image = m->metallic_roughness_image = m->emissive_image = -1;
  bool gltf = source->raw->format == RAW_GLTF;
  return read_texture(source, from, aiTextureType_BASE_COLOR, &m->base_color_image) &&
         read_texture(source, from, aiTextureType_DIFFUSE, &m->base_color_image) &&
         read_texture(source, from, aiTextureType_NORMALS, &m->normal_image) &&
         read_texture(source, from, aiTextureType_NORMAL_CAMERA, &m->normal_image) &&
         (!gltf || read_texture(source, from, aiTextureType_METALNESS, &m->metallic_roughness_image)) &&
         (!gltf || read_texture(source, from, aiTextureType_UNKNOWN, &m->metallic_roughness_image)) &&
         read_texture(source, from, aiTextureType_EMISSIVE, &m->emissive_image);
}

/* ---- one material ---- */

/* Phong files have a shininess in place of a roughness; Blender's exporter and importer agree on this square root. */
static float read_roughness(const struct aiMaterial *from) {
  float shininess = read_number(from, "$mat.shininess", -1);
  float guess = shininess >= 0 ? 1 - sqrtf(fminf(shininess, 100)) / 10 : 0.8f;
  return read_number(from, "$mat.roughnessFactor", fmaxf(guess, 0.05f));
}

static void read_alpha(const struct aiMaterial *from, bool gltf, sinew_material *m) {
  struct aiString mode;
  if (gltf) {
    bool known = aiGetMaterialString(from, "$mat.gltf.alphaMode", 0, 0, &mode) == aiReturn_SUCCESS;
    if (known && strcmp(mode.data, "MASK") == 0) m->alpha_mode = SINEW_ALPHA_MASK;
    if (known && strcmp(mode.data, "BLEND") == 0) m->alpha_mode = SINEW_ALPHA_BLEND;
    return;
  }
  /* Exporters that mix up opacity and transparency write 0 for what is plainly to be seen. */
  float opacity = read_number(from, "$mat.opacity", 1);
  m->base_color[3] = opacity > 0 ? opacity : 1;
  if (m->base_color[3] < 1) m->alpha_mode = SINEW_ALPHA_BLEND;
}

/* glTF says which side is seen; the programs that write the older formats show both. */
static bool is_two_sided(const struct aiMaterial *from) {
  int two_sided = 0;
  unsigned count = 1;
  return aiGetMaterialIntegerArray(from, AI_MATKEY_TWOSIDED, &two_sided, &count) == aiReturn_SUCCESS && two_sided != 0;
}

static bool is_black(const float *rgb) { return rgb[0] == 0 && rgb[1] == 0 && rgb[2] == 0; }

static bool read_material(assimp_source *source, const struct aiMaterial *from, sinew_material *m) {
  static const float white[3] = {1, 1, 1};
  bool gltf = source->raw->format == RAW_GLTF;
  struct aiString name;
  *m = (sinew_material){.base_color = {0.8f, 0.8f, 0.8f, 1}, .alpha_cutoff = 0.5f};
  if (aiGetMaterialString(from, AI_MATKEY_NAME, &name) != aiReturn_SUCCESS) name = (struct aiString){0};
  m->name = assimp_string(source->raw, &name);
  if (!m->name || !read_textures(source, from, m)) return false;
  if (!read_color(from, "$clr.base", m->base_color, 4)) read_color(from, "$clr.diffuse", m->base_color, 3);
  /* Outside glTF a texture takes the colour's place. */
  if (!gltf && m->base_color_image >= 0) memcpy(m->base_color, white, sizeof white);
  read_color(from, "$clr.emissive", m->emissive, 3);
  if (!gltf && m->emissive_image >= 0 && is_black(m->emissive)) memcpy(m->emissive, white, sizeof white);
  m->metallic = read_number(from, "$mat.metallicFactor", 0);
  m->roughness = read_roughness(from);
  m->alpha_cutoff = read_number(from, "$mat.gltf.alphaCutoff", 0.5f);
  m->double_sided = !gltf || is_two_sided(from);
  read_alpha(from, gltf, m);
  return true;
}

/* Assimp's glTF reader adds a nameless material for meshes that have none, needed or not. */
static void drop_unused_default(raw_model *raw) {
  int last = raw->material_count - 1;
  if (raw->format != RAW_GLTF || last < 0 || raw->materials[last].name[0]) return;
  for (int m = 0; m < raw->mesh_count; m++)
    if (raw->meshes[m].material == last) return;
  raw->material_count--;
}

/* "*0" is Assimp's word for the first embedded image; people know it by its file name. */
static bool name_images(assimp_source *source) {
  for (int i = 0; i < source->raw->image_count; i++) {
    sinew_image_view *image = source->raw->images + i;
    const struct aiTexture *embedded = image->name[0] == '*' ? find_embedded(source->scene, image->name) : NULL;
    char number[32];
    if (!embedded) continue;
    snprintf(number, sizeof number, "image %.10s", image->name + 1);
    image->name =
        embedded->mFilename.length ? assimp_string(source->raw, &embedded->mFilename) : raw_string(source->raw, number);
    if (!image->name) return false;
  }
  return true;
}

bool assimp_read_materials(assimp_source *source) {
  raw_model *raw = source->raw;
  raw->material_count = (int)source->scene->mNumMaterials;
  raw->materials = raw_alloc(raw, source->scene->mNumMaterials, sizeof *raw->materials);
  if (!raw->materials) return false;
  for (int i = 0; i < raw->material_count; i++)
    if (!read_material(source, source->scene->mMaterials[i], raw->materials + i)) return false;
  drop_unused_default(raw);
  return name_images(source);
}
