/* The list of extensions that are read, and the notes about others. */
#include "import/source/gltf/gltf_file.h"

#include "base/error.h"

#include <string.h>

/* What a reader that lacks the extension would lack. Only a file that requires what changes its shape is refused. */
typedef enum subject { LOOKS, SHAPE } subject;

typedef struct extension {
  const char *name; /* a '*' at its end stands for any ending */
  subject subject;
  const char *left_out; /* the part that is not shown; NULL if everything is read */
} extension;

static const extension extensions[] = {
    {"EXT_mesh_gpu_instancing", SHAPE, NULL},
    {"EXT_meshopt_compression", SHAPE, NULL},
    {"KHR_animation_pointer", SHAPE, NULL},
    {"KHR_draco_mesh_compression", SHAPE, NULL},
    {"KHR_mesh_quantization", SHAPE, NULL},
    {"VRM", SHAPE, NULL},
    {"VRMC_vrm", SHAPE, NULL},
    {"VRMC_node_constraint", SHAPE, "is not read: joints that follow others stay at rest"},
    {"VRMC_springBone", SHAPE, "is not read: hair and cloth stay stiff unless a spring modifier moves them"},
    {"EXT_texture_webp", LOOKS, NULL},
    {"KHR_materials_clearcoat", LOOKS, NULL},
    {"KHR_materials_emissive_strength", LOOKS, NULL},
    {"KHR_materials_pbrSpecularGlossiness", LOOKS, NULL},
    {"KHR_materials_sheen", LOOKS, NULL},
    {"KHR_materials_unlit", LOOKS, NULL},
    {"KHR_texture_transform", LOOKS, NULL},
    {"EXT_texture_avif", LOOKS, "pictures in AVIF are not read: a PNG or JPEG beside them is shown, or none"},
    {"KHR_texture_basisu", LOOKS, "pictures in KTX2 are not read: a PNG or JPEG beside them is shown, or none"},
    {"VRMC_materials_mtoon", LOOKS, "toon shading is not drawn: such a material is an ordinary one"},
    {"KHR_lights_punctual", LOOKS, "lights are not read: their nodes are joints like any other"},
    {"KHR_materials_ior", LOOKS, "is not read: surfaces reflect as plastic does"},
    {"KHR_materials_specular", LOOKS, "is not read: surfaces reflect as plastic does"},
    {"KHR_materials_transmission", LOOKS, "is not drawn: such a material is opaque"},
    {"KHR_materials_variants", LOOKS, "only the first variant is shown"},
    {"KHR_materials_*", LOOKS, "is not drawn"},
    {"EXT_materials_*", LOOKS, "is not drawn"},
    {"KHR_texture_*", LOOKS, "is not read: a PNG or JPEG beside such a picture is shown, or none"},
    {"EXT_texture_*", LOOKS, "is not read: a PNG or JPEG beside such a picture is shown, or none"},
    {"MSFT_texture_*", LOOKS, "is not read: a PNG or JPEG beside such a picture is shown, or none"},
    {"EXT_lights_*", LOOKS, "is not read"},
    {"KHR_xmp*", LOOKS, "is not read"},
};

static bool is_called(const extension *e, const char *name) {
  size_t size = strcspn(e->name, "*");
  return strncmp(e->name, name, size) == 0 && (e->name[size] || !name[size]);
}

static const extension *find_extension(const char *name) {
  for (size_t i = 0; i < sizeof extensions / sizeof *extensions; i++)
    if (is_called(extensions + i, name)) return extensions + i;
  return NULL;
}

/* "Client implementations must not load an asset that requires an extension they do not know" (glTF 2.0, 3.12). Those
 * of looks are known: without them, a character still moves as its file says. */
static bool check_required(gltf *g) {
  const cJSON *item;
  cJSON_ArrayForEach(item, gltf_member(g->root, "extensionsRequired")) {
    const char *name = cJSON_GetStringValue(item);
    const extension *known = name ? find_extension(name) : NULL;
    if (name && (!known || (known->left_out && known->subject == SHAPE)))
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
