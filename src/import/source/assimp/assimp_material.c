#include "import/source/assimp/assimp_scene.h"

#include "base/file.h"
#include "import/source/image.h"

#include "base/memory/memory.h"

#include <assimp/material.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

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

/* Reads raw texels: blue, green, red, alpha. */
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

static sinew_wrap to_wrap(enum aiTextureMapMode mode) {
  return mode == aiTextureMapMode_Mirror                                    ? SINEW_WRAP_MIRROR
         : mode == aiTextureMapMode_Clamp || mode == aiTextureMapMode_Decal ? SINEW_WRAP_CLAMP
                                                                            : SINEW_WRAP_REPEAT;
}

/* A picture that a material names, not loaded yet; false if it has none of that type. */
static bool find_texture(const struct aiMaterial *from, enum aiTextureType type, struct aiString *path,
                         sinew_image_view *image) {
  enum aiTextureMapMode modes[3] = {aiTextureMapMode_Wrap, aiTextureMapMode_Wrap, aiTextureMapMode_Wrap};
  if (aiGetMaterialTextureCount(from, type) == 0 ||
      aiGetMaterialTexture(from, type, 0, path, NULL, NULL, NULL, NULL, modes, NULL) != aiReturn_SUCCESS ||
      path->length == 0)
    return false;
  *image = (sinew_image_view){.name = path->data, .wrap_u = to_wrap(modes[0]), .wrap_v = to_wrap(modes[1])};
  return true;
}

/* False when memory runs out; *index stays -1 if the material has no texture of that type. */
static bool read_texture(assimp_source *source, const struct aiMaterial *from, enum aiTextureType type, int *index) {
  struct aiString path;
  sinew_image_view image;
  if (*index >= 0 || !find_texture(from, type, &path, &image)) return true;
  *index = image_find(source->raw, &image);
  if (*index >= 0) return true;
  image.name = assimp_string(source->raw, &path);
  if (!image.name || !load_image(source, image.name, &image)) return false;
  *index = image_add(source->raw, &image);
  return *index >= 0;
}

static bool read_textures(assimp_source *source, const struct aiMaterial *from, sinew_material *m) {
  return read_texture(source, from, aiTextureType_BASE_COLOR, &m->textures[SINEW_TEXTURE_BASE_COLOR].image) &&
         read_texture(source, from, aiTextureType_DIFFUSE, &m->textures[SINEW_TEXTURE_BASE_COLOR].image) &&
         read_texture(source, from, aiTextureType_NORMALS, &m->textures[SINEW_TEXTURE_NORMAL].image) &&
         read_texture(source, from, aiTextureType_NORMAL_CAMERA, &m->textures[SINEW_TEXTURE_NORMAL].image) &&
         read_texture(source, from, aiTextureType_EMISSIVE, &m->textures[SINEW_TEXTURE_EMISSIVE].image);
}

/* ---- opacity ---- */

/* Older formats have pictures of opacity beside those of colour. A missing one leaves the material opaque. */
static bool read_opacity(assimp_source *source, const struct aiMaterial *from, sinew_material *m) {
  raw_model *raw = source->raw;
  struct aiString path;
  sinew_image_view opacity;
  if (!find_texture(from, aiTextureType_OPACITY, &path, &opacity)) return true;
  int known = image_find(raw, &opacity);
  if (known >= 0) opacity = raw->images[known];
  else if (!load_image(source, path.data, &opacity)) return false;
  return image_take_opacity(raw, m, &opacity);
}

/* ---- one material ---- */

/* Phong files have a shininess instead of a roughness; Blender's exporters and importers use this square root. It goes
 * up to 1000 in an OBJ's materials, to 100 elsewhere. */
static float read_roughness(const raw_model *raw, const struct aiMaterial *from) {
  float shininess = read_number(from, "$mat.shininess", -1);
  float most = strcasecmp(path_extension(raw->path), "obj") == 0 ? 1000 : 100;
  float guess = shininess >= 0 ? 1 - sqrtf(fminf(shininess / most, 1)) : 0.8f;
  return read_number(from, "$mat.roughnessFactor", fmaxf(guess, 0.05f));
}

/* Exporters that confuse opacity with transparency write 0 for visible surfaces. */
static void read_alpha(const struct aiMaterial *from, sinew_material *m) {
  float opacity = read_number(from, "$mat.opacity", 1);
  m->base_color[3] = opacity > 0 ? opacity : 1;
  if (m->base_color[3] < 1) m->alpha_mode = SINEW_ALPHA_BLEND;
}

static bool is_black(const float *rgb) { return rgb[0] == 0 && rgb[1] == 0 && rgb[2] == 0; }

static bool read_material(assimp_source *source, const struct aiMaterial *from, sinew_material *m) {
  static const float white[3] = {1, 1, 1};
  struct aiString name;
  *m = sinew_material_default();
  for (int i = 0; i < 3; i++) m->base_color[i] = 0.8f;
  if (aiGetMaterialString(from, AI_MATKEY_NAME, &name) != aiReturn_SUCCESS) name = (struct aiString){0};
  m->name = assimp_string(source->raw, &name);
  if (!m->name || !read_textures(source, from, m)) return false;
  if (!read_color(from, "$clr.base", m->base_color, 4)) read_color(from, "$clr.diffuse", m->base_color, 3);
  /* a texture replaces the colour */
  if (m->textures[SINEW_TEXTURE_BASE_COLOR].image >= 0) memcpy(m->base_color, white, sizeof white);
  read_color(from, "$clr.emissive", m->emissive, 3);
  if (m->textures[SINEW_TEXTURE_EMISSIVE].image >= 0 && is_black(m->emissive)) memcpy(m->emissive, white, sizeof white);
  m->metallic = read_number(from, "$mat.metallicFactor", 0);
  m->roughness = read_roughness(source->raw, from);
  m->double_sided = true; /* as the programs that write these formats show it */
  read_alpha(from, m);
  return read_opacity(source, from, m);
}

/* "*0" is Assimp's name for the first embedded image; users know it by its file name. */
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
  return name_images(source);
}
