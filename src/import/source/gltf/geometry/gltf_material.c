#include "import/source/gltf/gltf_file.h"

#include <string.h>

static void read_alpha(const cJSON *json, sinew_material *m) {
  const char *mode = gltf_text(json, "alphaMode");
  if (mode && strcmp(mode, "MASK") == 0) m->alpha_mode = SINEW_ALPHA_MASK;
  if (mode && strcmp(mode, "BLEND") == 0) m->alpha_mode = SINEW_ALPHA_BLEND;
  m->alpha_cutoff = gltf_number(json, "alphaCutoff", 0.5f);
}

static void read_emission(const cJSON *json, sinew_material *m) {
  float strength = gltf_number(gltf_extension(json, "KHR_materials_emissive_strength"), "emissiveStrength", 1);
  gltf_numbers(json, "emissiveFactor", m->emissive, 3);
  for (int i = 0; i < 3; i++) m->emissive[i] *= strength;
}

/* Unlike in the core, roughness without a factor is 0 here. */
static void read_layers(const cJSON *json, sinew_material *m) {
  const cJSON *coat = gltf_extension(json, "KHR_materials_clearcoat"),
              *sheen = gltf_extension(json, "KHR_materials_sheen");
  m->clearcoat = gltf_number(coat, "clearcoatFactor", 0);
  m->clearcoat_roughness = gltf_number(coat, "clearcoatRoughnessFactor", 0);
  gltf_numbers(sheen, "sheenColorFactor", m->sheen_color, 3);
  m->sheen_roughness = gltf_number(sheen, "sheenRoughnessFactor", 0);
  m->unlit = gltf_extension(json, "KHR_materials_unlit") != NULL;
}

static bool read_textures(gltf *g, const cJSON *json, sinew_material *m) {
  const cJSON *metal = gltf_member(json, "pbrMetallicRoughness");
  const cJSON *coat = gltf_extension(json, "KHR_materials_clearcoat"),
              *sheen = gltf_extension(json, "KHR_materials_sheen");
  const struct {
    const cJSON *object;
    const char *name;
  } positions[SINEW_TEXTURE_ROLES] = {[SINEW_TEXTURE_BASE_COLOR] = {metal, "baseColorTexture"},
                                      [SINEW_TEXTURE_NORMAL] = {json, "normalTexture"},
                                      [SINEW_TEXTURE_METALLIC_ROUGHNESS] = {metal, "metallicRoughnessTexture"},
                                      [SINEW_TEXTURE_EMISSIVE] = {json, "emissiveTexture"},
                                      [SINEW_TEXTURE_OCCLUSION] = {json, "occlusionTexture"},
                                      [SINEW_TEXTURE_CLEARCOAT] = {coat, "clearcoatTexture"},
                                      [SINEW_TEXTURE_CLEARCOAT_ROUGHNESS] = {coat, "clearcoatRoughnessTexture"},
                                      [SINEW_TEXTURE_CLEARCOAT_NORMAL] = {coat, "clearcoatNormalTexture"},
                                      [SINEW_TEXTURE_SHEEN_COLOR] = {sheen, "sheenColorTexture"},
                                      [SINEW_TEXTURE_SHEEN_ROUGHNESS] = {sheen, "sheenRoughnessTexture"}};
  for (int i = 0; i < SINEW_TEXTURE_ROLES; i++)
    if (!gltf_read_texture(g, gltf_member(positions[i].object, positions[i].name), m->textures + i)) return false;
  m->normal_scale = gltf_number(gltf_member(json, "normalTexture"), "scale", 1);
  m->occlusion_strength = gltf_number(gltf_member(json, "occlusionTexture"), "strength", 1);
  m->clearcoat_normal_scale = gltf_number(gltf_member(coat, "clearcoatNormalTexture"), "scale", 1);
  return true;
}

static bool read_material(gltf *g, const cJSON *json, sinew_material *m) {
  const cJSON *metal = gltf_member(json, "pbrMetallicRoughness");
  *m = sinew_material_default();
  m->name = gltf_name(g, json);
  if (!m->name) return false;
  gltf_numbers(metal, "baseColorFactor", m->base_color, 4);
  m->metallic = gltf_number(metal, "metallicFactor", 1);
  m->roughness = gltf_number(metal, "roughnessFactor", 1);
  m->double_sided = gltf_flag(json, "doubleSided");
  read_emission(json, m);
  read_alpha(json, m);
  read_layers(json, m);
  return read_textures(g, json, m) && gltf_read_specular_glossiness(g, json, m);
}

bool gltf_read_materials(gltf *g) {
  raw_model *raw = g->raw;
  raw->material_count = g->materials.count;
  raw->materials = raw_alloc(raw, (size_t)g->materials.count, sizeof *raw->materials);
  g->images_made = raw_alloc(raw, (size_t)g->images.count * 9, sizeof *g->images_made);
  if (!raw->materials || !g->images_made) return false;
  for (int i = 0; i < g->materials.count; i++)
    if (!read_material(g, g->materials.items[i], raw->materials + i)) return false;
  return true;
}
