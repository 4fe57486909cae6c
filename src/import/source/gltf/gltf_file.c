#include "import/source/gltf/gltf_file.h"

#include "base/error.h"
#include "base/memory/memory.h"

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* ---- gltf json ---- */

const cJSON *gltf_member(const cJSON *object, const char *name) {
  return cJSON_GetObjectItemCaseSensitive(object, name);
}

const cJSON *gltf_extension(const cJSON *object, const char *extension) {
  return gltf_member(gltf_member(object, "extensions"), extension);
}

const char *gltf_text(const cJSON *object, const char *name) { return cJSON_GetStringValue(gltf_member(object, name)); }

const char *gltf_name(gltf *g, const cJSON *object) {
  const char *name = gltf_text(object, "name");
  return raw_string(g->raw, name ? name : "");
}

static bool to_index(const cJSON *number, int count, int *index) {
  if (!cJSON_IsNumber(number) || !(number->valuedouble >= 0) || !(number->valuedouble < count)) return false;
  *index = (int)number->valuedouble;
  return true;
}

int gltf_index(const cJSON *object, const char *name, int count) {
  int index = -1;
  to_index(gltf_member(object, name), count, &index);
  return index;
}

size_t gltf_size(const cJSON *object, const char *name) {
  const cJSON *item = gltf_member(object, name);
  if (!cJSON_IsNumber(item) || !(item->valuedouble >= 0)) return 0;
  return item->valuedouble < 1e12 ? (size_t)item->valuedouble : SIZE_MAX / 4;
}

static bool to_float(const cJSON *item, float *value) {
  if (!cJSON_IsNumber(item) || !(fabs(item->valuedouble) < 3e38)) return false;
  *value = (float)item->valuedouble;
  return true;
}

float gltf_number(const cJSON *object, const char *name, float otherwise) {
  to_float(gltf_member(object, name), &otherwise);
  return otherwise;
}

bool gltf_flag(const cJSON *object, const char *name) { return cJSON_IsTrue(gltf_member(object, name)); }

bool gltf_numbers(const cJSON *object, const char *name, float *values, int count) {
  const cJSON *array = gltf_member(object, name), *item;
  float read[16];
  int n = 0;
  if (!cJSON_IsArray(array)) return false;
  cJSON_ArrayForEach(item, array) {
    if (n == count || !to_float(item, read + n)) return false;
    n++;
  }
  if (n == count) memcpy(values, read, (size_t)count * sizeof *values);
  return n == count;
}

bool gltf_list_members(gltf *g, const cJSON *object, const char *name, gltf_list *list) {
  const cJSON *array = gltf_member(object, name), *item;
  int count = cJSON_IsArray(array) ? cJSON_GetArraySize(array) : 0;
  *list = (gltf_list){raw_alloc(g->raw, (size_t)count, sizeof *list->items), 0};
  if (!list->items) return false;
  if (count == 0) return true;
  cJSON_ArrayForEach(item, array) list->items[list->count++] = cJSON_IsObject(item) ? item : NULL;
  return true;
}

const cJSON *gltf_item(const gltf_list *list, int index) {
  return index >= 0 && index < list->count ? list->items[index] : NULL;
}

/* The memory of cJSON for a file: many small blocks in sequence, freed all at once, because freeing them one by one
 * would take as long as reading them. */

enum { PIECE = 1 << 16, ALIGNMENT = _Alignof(max_align_t) };

struct gltf_piece {
  gltf_piece *next;
  size_t used, size;
  max_align_t data[];
};

static _Thread_local gltf_piece **current;

static gltf_piece *add_piece(size_t least) {
  size_t size = least > PIECE ? least : PIECE;
  gltf_piece *piece = size < SIZE_MAX - sizeof *piece ? mem_alloc(sizeof *piece + size) : NULL;
  if (!piece) return NULL;
  *piece = (gltf_piece){.next = *current, .size = size};
  return *current = piece;
}

static void *allocate(size_t size) {
  if (size > SIZE_MAX - ALIGNMENT) return NULL;
  size = (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  gltf_piece *piece = *current;
  if (!piece || piece->size - piece->used < size) piece = add_piece(size);
  if (!piece) return NULL;
  void *memory = (unsigned char *)piece->data + piece->used;
  piece->used += size;
  return memory;
}

static void keep(void *memory) { (void)memory; }

/* From now on, memory that cJSON allocates on this thread belongs to `pieces`. Pass NULL when cJSON is done. */
static void gltf_memory_use(gltf_piece **pieces) {
  cJSON_Hooks hooks = {allocate, keep};
  current = pieces;
  cJSON_InitHooks(&hooks);
}

static void gltf_memory_release(gltf_piece **pieces) {
  while (*pieces) {
    gltf_piece *next = (*pieces)->next;
    mem_free(*pieces);
    *pieces = next;
  }
}

/* ---- The list of extensions that are read, and the notes about others ---- */

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
    {"KHR_texture_basisu", LOOKS, NULL},
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

/* gltf_file.c: rejects files that require an unknown extension, and adds notes about others. */
static bool gltf_check_extensions(gltf *g) { return check_required(g) && (g->clips_only || note_used(g)); }

/* ---- the container ---- */

static uint32_t read_u32(const unsigned char *at) {
  return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

/* The JSON chunk of a .glb comes first, the BIN chunk may follow. */
static bool split_glb(gltf *g, const char **json, size_t *length) {
  const unsigned char *data = g->files->data;
  size_t size = g->files->size;
  g->is_glb = true;
  if (size < 20 || read_u32(data + 4) != 2 || read_u32(data + 16) != 0x4E4F534A || read_u32(data + 12) > size - 20)
    return error_set(g->raw->error, "%s: is broken: its first chunk is not JSON of glTF 2.0", g->raw->path);
  *json = (const char *)data + 20;
  *length = read_u32(data + 12);
  size_t next = 20 + (*length + 3) / 4 * 4;
  if (next <= size && size - next >= 8 && read_u32(data + next + 4) == 0x004E4942 &&
      read_u32(data + next) <= size - next - 8)
    g->chunk = (gltf_bytes){data + next + 8, read_u32(data + next)};
  return true;
}

static int line_of(const char *text, const char *at) {
  int line = 1;
  for (; text < at && *text; text++) line += *text == '\n';
  return line;
}

static bool parse(gltf *g) {
  const char *json = (const char *)g->files->data, *end = json;
  size_t length = g->files->size;
  bool glb = length >= 4 && memcmp(json, "glTF", 4) == 0;
  if (glb && !split_glb(g, &json, &length)) return false;
  if (length >= 3 && memcmp(json, "\xEF\xBB\xBF", 3) == 0) { /* a byte order mark */
    json += 3;
    length -= 3;
  }
  gltf_memory_use(&g->memory);
  g->root = cJSON_ParseWithLengthOpts(json, length, &end, false);
  if (cJSON_IsObject(g->root)) return true;
  return error_set(g->raw->error, "%s: is broken: invalid JSON at line %d", g->raw->path, line_of(json, end));
}

gltf *gltf_open(raw_model *raw, const import_files *files) {
  gltf *g = mem_alloc_zeroed(sizeof *g);
  if (!g) {
    error_memory(raw->error, raw->path, sizeof *g);
    return NULL;
  }
  g->raw = raw;
  g->files = files;
  g->numbers_left = (size_t)1 << 29;
  if (parse(g)) return g;
  gltf_close(g);
  return NULL;
}

void gltf_close(gltf *g) {
  if (!g) return;
  gltf_memory_release(&g->memory);
  mem_free(g);
}

bool gltf_is_version_2(const gltf *g) {
  const char *version = gltf_text(gltf_member(g->root, "asset"), "version");
  return version && version[0] == '2';
}

/* ---- the parts ---- */

static bool list_all(gltf *g) {
  const struct {
    const char *name;
    gltf_list *list;
  } lists[] = {{"nodes", &g->nodes},         {"meshes", &g->meshes},     {"skins", &g->skins},
               {"accessors", &g->accessors}, {"bufferViews", &g->views}, {"buffers", &g->buffers},
               {"materials", &g->materials}, {"textures", &g->textures}, {"images", &g->images},
               {"samplers", &g->samplers}};
  for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
    if (!gltf_list_members(g, g->root, lists[i].name, lists[i].list)) return false;
  return true;
}

/* Whoever passes the model on has to know, and often to say it. */
static bool note_licence(gltf *g) {
  const char *says = gltf_text(gltf_member(g->root, "asset"), "copyright");
  return !says || !says[0] || raw_note(g->raw, "copyright: %.300s", says);
}

bool gltf_fill(gltf *g, bool clips_only) {
  g->clips_only = clips_only;
  return note_licence(g) && list_all(g) && gltf_check_extensions(g) && gltf_read_buffers(g) && gltf_read_nodes(g) &&
         gltf_read_vrm_body(g) && (clips_only || gltf_read_materials(g)) && gltf_read_meshes(g) &&
         gltf_read_animations(g) && gltf_read_vrm_expressions(g);
}
