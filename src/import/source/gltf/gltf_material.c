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

static bool read_textures(gltf *g, const cJSON *json, const cJSON *metal, sinew_material *m) {
  return gltf_read_texture(g, gltf_member(metal, "baseColorTexture"), &m->base_color_image) &&
         gltf_read_texture(g, gltf_member(metal, "metallicRoughnessTexture"), &m->metallic_roughness_image) &&
         gltf_read_texture(g, gltf_member(json, "normalTexture"), &m->normal_image) &&
         gltf_read_texture(g, gltf_member(json, "emissiveTexture"), &m->emissive_image);
}

static bool read_material(gltf *g, const cJSON *json, sinew_material *m) {
  const cJSON *metal = gltf_member(json, "pbrMetallicRoughness");
  *m = (sinew_material){.name = gltf_name(g, json), .base_color = {1, 1, 1, 1}};
  if (!m->name) return false;
  gltf_numbers(metal, "baseColorFactor", m->base_color, 4);
  m->metallic = gltf_number(metal, "metallicFactor", 1);
  m->roughness = gltf_number(metal, "roughnessFactor", 1);
  m->double_sided = gltf_flag(json, "doubleSided");
  read_emission(json, m);
  read_alpha(json, m);
  return read_textures(g, json, metal, m);
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
