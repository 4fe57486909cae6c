#include "import/cook/cook_layout.h"

#include "import/cook/cook_hash.h"
#include "model/body/body.h"
#include "model/model.h"

#include <string.h>

#define NUMBERS(type, field, alignment)                                                                                \
  { offsetof(type, field), sizeof(((type *)0)->field), (alignment) }
#define POINTER(type, field) NUMBERS(type, field, 0)
#define LAYOUT(type, list)                                                                                             \
  { #type, (list), sizeof(list) / sizeof *(list), sizeof(type) }

enum { POINTER_SIZE = 8, LARGEST = 512 };

/* ---- the structs ---- */

static const layout_field model_fields[] = {
    NUMBERS(sinew_model, references, 4), POINTER(sinew_model, path),           NUMBERS(sinew_model, joint_count, 4),
    POINTER(sinew_model, joint_names),   POINTER(sinew_model, parents),        POINTER(sinew_model, above),
    POINTER(sinew_model, pairs),         POINTER(sinew_model, below),          POINTER(sinew_model, file_indices),
    POINTER(sinew_model, parts),         POINTER(sinew_model, ranks),          POINTER(sinew_model, rest),
    POINTER(sinew_model, body),          NUMBERS(sinew_model, clip_count, 4),  POINTER(sinew_model, clips),
    NUMBERS(sinew_model, skin_count, 4), POINTER(sinew_model, skins),          NUMBERS(sinew_model, palette_count, 4),
    NUMBERS(sinew_model, mesh_count, 4), POINTER(sinew_model, meshes),         NUMBERS(sinew_model, material_count, 4),
    POINTER(sinew_model, materials),     NUMBERS(sinew_model, image_count, 4), POINTER(sinew_model, images),
    NUMBERS(sinew_model, note_count, 4), POINTER(sinew_model, notes),          NUMBERS(sinew_model, clip_file_count, 4),
    POINTER(sinew_model, clip_files),    NUMBERS(sinew_model, bounds_min, 4),  NUMBERS(sinew_model, bounds_max, 4),
    POINTER(sinew_model, sources),       POINTER(sinew_model, names),          POINTER(sinew_model, still),
    POINTER(sinew_model, pixels.start),  POINTER(sinew_model, pixels.size)};

static const layout_field text_fields[] = {{0, sizeof(char *), 0}};

static const layout_field clip_fields[] = {POINTER(sinew_clip, name),
                                           POINTER(sinew_clip, file_name),
                                           NUMBERS(sinew_clip, fit, 4),
                                           NUMBERS(sinew_clip, start, 8),
                                           NUMBERS(sinew_clip, duration, 8),
                                           NUMBERS(sinew_clip, error, 8),
                                           NUMBERS(sinew_clip, joint_count, 4),
                                           NUMBERS(sinew_clip, track_group_count, 4),
                                           NUMBERS(sinew_clip, pack_count, 4),
                                           NUMBERS(sinew_clip, block_count, 4),
                                           NUMBERS(sinew_clip, constant_count, 4),
                                           NUMBERS(sinew_clip, constant_morph_count, 4),
                                           POINTER(sinew_clip, track_groups),
                                           POINTER(sinew_clip, packs),
                                           POINTER(sinew_clip, blocks),
                                           POINTER(sinew_clip, constants),
                                           POINTER(sinew_clip, animated),
                                           NUMBERS(sinew_clip, animates_all, 1),
                                           NUMBERS(sinew_clip, curve_count, 4),
                                           POINTER(sinew_clip, rest),
                                           POINTER(sinew_clip, groups),
                                           POINTER(sinew_clip, constant_morphs),
                                           POINTER(sinew_clip, constant_weights),
                                           POINTER(sinew_clip, curves),
                                           POINTER(sinew_clip, still)};

static const layout_field curve_fields[] = {POINTER(sinew_curve_view, name), POINTER(sinew_curve_view, keys),
                                            NUMBERS(sinew_curve_view, count, 4)};

static const layout_field track_group_fields[] = {
    NUMBERS(track_group, frame_count, 4), NUMBERS(track_group, morph_count, 4),
    NUMBERS(track_group, shift, 4),       NUMBERS(track_group, segment_count, 4),
    NUMBERS(track_group, cell_count, 4),  NUMBERS(track_group, last_scale, 4),
    NUMBERS(track_group, rate, 8),        NUMBERS(track_group, end, 8),
    NUMBERS(track_group, size, 8),        POINTER(track_group, times),
    POINTER(track_group, cells),          POINTER(track_group, segments),
    POINTER(track_group, frames),         POINTER(track_group, morphs)};

static const layout_field skin_fields[] = {NUMBERS(sinew_skin_view, first, 4), NUMBERS(sinew_skin_view, count, 4),
                                           POINTER(sinew_skin_view, joints), POINTER(sinew_skin_view, inverse_binds)};

static const layout_field mesh_fields[] = {
    POINTER(sinew_mesh_view, name),           NUMBERS(sinew_mesh_view, joint, 4),
    NUMBERS(sinew_mesh_view, skin, 4),        NUMBERS(sinew_mesh_view, material, 4),
    NUMBERS(sinew_mesh_view, same_as, 4),     NUMBERS(sinew_mesh_view, vertex_count, 4),
    NUMBERS(sinew_mesh_view, index_count, 4), NUMBERS(sinew_mesh_view, influences, 4),
    POINTER(sinew_mesh_view, positions),      POINTER(sinew_mesh_view, normals),
    POINTER(sinew_mesh_view, tangents),       POINTER(sinew_mesh_view, uvs),
    POINTER(sinew_mesh_view, uvs2),           POINTER(sinew_mesh_view, colors),
    POINTER(sinew_mesh_view, joints),         POINTER(sinew_mesh_view, weights),
    POINTER(sinew_mesh_view, indices),        POINTER(sinew_mesh_view, morphs),
    NUMBERS(sinew_mesh_view, morph_count, 4)};

static const layout_field morph_fields[] = {POINTER(sinew_morph_view, name), POINTER(sinew_morph_view, positions),
                                            POINTER(sinew_morph_view, normals),
                                            NUMBERS(sinew_morph_view, rest_weight, 4)};

static const layout_field material_fields[] = {POINTER(sinew_material, name),
                                               NUMBERS(sinew_material, base_color, 4),
                                               NUMBERS(sinew_material, metallic, 4),
                                               NUMBERS(sinew_material, roughness, 4),
                                               NUMBERS(sinew_material, emissive, 4),
                                               NUMBERS(sinew_material, alpha_cutoff, 4),
                                               NUMBERS(sinew_material, normal_scale, 4),
                                               NUMBERS(sinew_material, occlusion_strength, 4),
                                               NUMBERS(sinew_material, clearcoat, 4),
                                               NUMBERS(sinew_material, clearcoat_roughness, 4),
                                               NUMBERS(sinew_material, clearcoat_normal_scale, 4),
                                               NUMBERS(sinew_material, sheen_color, 4),
                                               NUMBERS(sinew_material, sheen_roughness, 4),
                                               NUMBERS(sinew_material, alpha_mode, 4),
                                               NUMBERS(sinew_material, double_sided, 1),
                                               NUMBERS(sinew_material, unlit, 1),
                                               NUMBERS(sinew_material, textures, 4)};

static const layout_field image_fields[] = {
    POINTER(sinew_image_view, name),   NUMBERS(sinew_image_view, width, 4),      NUMBERS(sinew_image_view, height, 4),
    POINTER(sinew_image_view, rgba),   NUMBERS(sinew_image_view, wrap_u, 4),     NUMBERS(sinew_image_view, wrap_v, 4),
    POINTER(sinew_image_view, packed), NUMBERS(sinew_image_view, packed_size, 8)};

static const layout_field clip_file_fields[] = {
    POINTER(sinew_clip_file_view, path), POINTER(sinew_clip_file_view, matches),
    NUMBERS(sinew_clip_file_view, match_count, 4), NUMBERS(sinew_clip_file_view, scale, 4),
    NUMBERS(sinew_clip_file_view, corrected, 1)};

static const layout_field match_fields[] = {POINTER(sinew_joint_match, theirs), NUMBERS(sinew_joint_match, joint, 4),
                                            NUMBERS(sinew_joint_match, kind, 4)};

typedef const char *text;
const cook_layout layout_model = LAYOUT(sinew_model, model_fields), layout_text = LAYOUT(text, text_fields),
                  layout_clip = LAYOUT(sinew_clip, clip_fields),
                  layout_track_group = LAYOUT(track_group, track_group_fields),
                  layout_skin = LAYOUT(sinew_skin_view, skin_fields),
                  layout_mesh = LAYOUT(sinew_mesh_view, mesh_fields),
                  layout_morph = LAYOUT(sinew_morph_view, morph_fields),
                  layout_material = LAYOUT(sinew_material, material_fields),
                  layout_image = LAYOUT(sinew_image_view, image_fields),
                  layout_clip_file = LAYOUT(sinew_clip_file_view, clip_file_fields),
                  layout_match = LAYOUT(sinew_joint_match, match_fields),
                  layout_curve = LAYOUT(sinew_curve_view, curve_fields);

const cook_layout *const cook_layouts[] = {
    &layout_model,    &layout_text,  &layout_clip,      &layout_track_group, &layout_skin,  &layout_mesh, &layout_morph,
    &layout_material, &layout_image, &layout_clip_file, &layout_match,       &layout_curve, NULL};

/* Structs without pointers: every compiler lays them out alike. */
_Static_assert(sizeof(clip_pack) == 24 && sizeof(clip_block) == 272 && sizeof(clip_segment) == 16 &&
                   sizeof(clip_morph) == 16 && sizeof(clip_group) == 16 && sizeof(sinew_pose_group) == 320 &&
                   sizeof(sinew_mat3x4) == 48 && sizeof(sinew_fit) == 20 && sizeof(sinew_texture) == 32 &&
                   sizeof(sinew_curve_key) == 16 && sizeof(model_body) % 4 == 0,
               "arrays of a cooked file are those of memory");
_Static_assert(sizeof(sinew_model) <= LARGEST && sizeof(sinew_material) <= LARGEST, "one item fits the room for it");

/* ---- the offsets of fields ---- */

static size_t field_size(const layout_field *f) { return f->alignment ? f->size : POINTER_SIZE; }

static size_t align(size_t at, size_t alignment) { return (at + alignment - 1) / alignment * alignment; }

static size_t field_at(const layout_field *f, size_t behind) {
  return align(behind, f->alignment ? f->alignment : POINTER_SIZE);
}

size_t layout_at(const cook_layout *layout, int field) {
  size_t at = 0;
  for (int i = 0; i <= field; i++) at = field_at(layout->fields + i, i ? at + field_size(layout->fields + i - 1) : 0);
  return at;
}

size_t layout_size(const cook_layout *layout) {
  int last = layout->count - 1;
  return align(layout_at(layout, last) + field_size(layout->fields + last), POINTER_SIZE); /* each has a pointer */
}

/* ---- conversion ---- */

static void unpack_field(const layout_field *f, const unsigned char *file, unsigned char *memory) {
  uint64_t wide;
  if (f->alignment || f->size == POINTER_SIZE) {
    memcpy(memory, file, f->size);
    return;
  }
  memcpy(&wide, file, sizeof wide);
  uint32_t narrow = wide > UINT32_MAX ? UINT32_MAX : (uint32_t)wide;
  memcpy(memory, &narrow, sizeof narrow);
}

static void pack_field(const layout_field *f, const unsigned char *memory, unsigned char *file) {
  uint32_t narrow;
  if (f->alignment || f->size == POINTER_SIZE) {
    memcpy(file, memory, f->size);
    return;
  }
  memcpy(&narrow, memory, sizeof narrow);
  uint64_t wide = narrow;
  memcpy(file, &wide, sizeof wide);
}

/* An item in memory never ends after its place in the file, so this works in place: unpacking from the first item on,
 * packing from the last. */
void layout_unpack(const cook_layout *layout, void *items, size_t count) {
  size_t size = layout_size(layout);
  unsigned char item[LARGEST], *bytes = items;
  for (size_t i = 0; i < count; i++) {
    memcpy(item, bytes + i * size, size);
    memset(bytes + i * layout->size, 0, layout->size);
    for (int f = 0; f < layout->count; f++)
      unpack_field(layout->fields + f, item + layout_at(layout, f), bytes + i * layout->size + layout->fields[f].at);
  }
}

void layout_pack(const cook_layout *layout, void *items, size_t count) {
  size_t size = layout_size(layout);
  unsigned char item[LARGEST], *bytes = items;
  for (size_t i = count; i-- > 0;) {
    memcpy(item, bytes + i * layout->size, layout->size);
    memset(bytes + i * size, 0, size);
    for (int f = 0; f < layout->count; f++)
      pack_field(layout->fields + f, item + layout->fields[f].at, bytes + i * size + layout_at(layout, f));
  }
}

uint32_t cook_layout_stamp(void) {
  uint64_t stamp = 0;
  for (const cook_layout *const *l = cook_layouts; *l; l++)
    for (int f = 0; f < (*l)->count; f++) {
      uint32_t place[] = {(uint32_t)layout_at(*l, f), (uint32_t)field_size((*l)->fields + f)};
      stamp = hash_bytes(place, sizeof place, stamp);
    }
  return (uint32_t)stamp;
}
