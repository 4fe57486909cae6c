/* The list of extensions that are read, and the notes about others. */
#include "import/source/gltf/gltf_file.h"

#include "base/error.h"

#include <string.h>

/* An extension that is read, completely or except for what a note names. */
typedef struct extension {
  const char *name;
  const char *left_out; /* the part that is not shown; NULL if everything is read */
} extension;

static const extension extensions[] = {
    {"EXT_mesh_gpu_instancing", NULL},
    {"EXT_meshopt_compression", NULL},
    {"EXT_texture_webp", NULL},
    {"KHR_animation_pointer", NULL},
    {"KHR_draco_mesh_compression", NULL},
    {"KHR_materials_clearcoat", NULL},
    {"KHR_materials_emissive_strength", NULL},
    {"KHR_materials_pbrSpecularGlossiness", NULL},
    {"KHR_materials_sheen", NULL},
    {"KHR_materials_unlit", NULL},
    {"KHR_mesh_quantization", NULL},
    {"KHR_texture_basisu", "pictures in KTX2 are not read: a PNG or JPEG beside them is shown, or none"},
    {"KHR_texture_transform", NULL},
    {"VRM", NULL},
    {"VRMC_materials_mtoon", "toon shading is not drawn: such a material is an ordinary one"},
    {"VRMC_node_constraint", "is not read: joints that follow others stay at rest"},
    {"VRMC_springBone", "is not read: hair and cloth stay stiff unless a spring modifier moves them"},
    {"VRMC_vrm", NULL},
    {"KHR_lights_punctual", "lights are not read: their nodes are joints like any other"},
    {"KHR_materials_ior", "is not read: surfaces reflect as plastic does"},
    {"KHR_materials_specular", "is not read: surfaces reflect as plastic does"},
    {"KHR_materials_transmission", "is not drawn: such a material is opaque"},
    {"KHR_materials_variants", "only the first variant is shown"},
};

static const extension *find_extension(const char *name) {
  for (size_t i = 0; i < sizeof extensions / sizeof *extensions; i++)
    if (strcmp(extensions[i].name, name) == 0) return extensions + i;
  return NULL;
}

/* "Client implementations must not load an asset that requires an extension they do not know" (glTF 2.0, 3.12). */
static bool check_required(gltf *g) {
  const cJSON *item;
  cJSON_ArrayForEach(item, gltf_member(g->root, "extensionsRequired")) {
    const char *name = cJSON_GetStringValue(item);
    const extension *known = name ? find_extension(name) : NULL;
    if (name && (!known || known->left_out))
      return error_set(g->raw->error, "%s: requires the extension %.100s, which is not read: export it without",
                       g->raw->path, name);
  }
  return true;
}

static bool note_used(gltf *g) {
  const cJSON *item;
  cJSON_ArrayForEach(item, gltf_member(g->root, "extensionsUsed")) {
    const char *name = cJSON_GetStringValue(item);
    const extension *known = name ? find_extension(name) : NULL;
    if (!name || (known && !known->left_out)) continue;
    if (!raw_note(g->raw, "extension %.100s: %s", name, known ? known->left_out : "is not read")) return false;
  }
  return true;
}

bool gltf_check_extensions(gltf *g) { return check_required(g) && (g->clips_only || note_used(g)); }
