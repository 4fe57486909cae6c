#include "import/cook/cook_visit.h"

#include "import/cook/cook.h"
#include "model/body/body.h"

#include <string.h>

void *piece_pointer(const visit_piece *piece) {
  void *pointer;
  memcpy(&pointer, piece->field, sizeof pointer);
  return pointer;
}

void piece_set_pointer(const visit_piece *piece, const void *pointer) {
  memcpy(piece->field, &pointer, sizeof pointer);
}

size_t piece_item_size(const visit_piece *piece) { return piece->layout ? layout_size(piece->layout) : piece->size; }

static void *visit(model_visitor *v, const visit_piece *piece) { return v->stopped ? NULL : v->visit(v, piece); }

static void text(model_visitor *v, const char **field, const char *what) {
  visit(v, &(visit_piece){.field = field, .what = what, .size = 1, .text = true});
}

#define ARRAY(v, pointer, items, name)                                                                                 \
  visit(v, &(visit_piece){.field = &(pointer), .what = (name), .count = (items), .size = sizeof *(pointer)})
#define STRUCTS(v, pointer, items, name, form)                                                                         \
  visit(v, &(visit_piece){                                                                                             \
               .field = &(pointer), .what = (name), .count = (items), .size = sizeof *(pointer), .layout = &(form)})
#define OPTIONAL(v, pointer, items, name)                                                                              \
  visit(v, &(visit_piece){                                                                                             \
               .field = &(pointer), .what = (name), .count = (items), .size = sizeof *(pointer), .optional = true})

static void visit_skeleton(sinew_model *m, model_visitor *v) {
  int count = m->joint_count;
  const char **names = STRUCTS(v, m->joint_names, count, "the joint names", layout_text);
  for (int i = 0; names && i < count && !v->stopped; i++) text(v, names + i, "a joint name");
  ARRAY(v, m->parents, count, "the parents");
  ARRAY(v, m->above, count, "the places of parents");
  ARRAY(v, m->pairs, sinew_pose_group_count(count), "the pairs");
  ARRAY(v, m->below, (int64_t)count + 1, "the joints below");
  ARRAY(v, m->file_indices, count, "the file indices");
  ARRAY(v, m->parts, count, "the parts of a body");
  ARRAY(v, m->ranks, count, "the ranks of equal names");
  ARRAY(v, m->rest, sinew_pose_group_count(count), "the rest pose");
  ARRAY(v, m->body, 1, "the body");
}

static const int64_t most_frame_bytes = (int64_t)1 << 40;

static void visit_track_group(track_group *tracks, model_visitor *v) {
  ARRAY(v, tracks->times, tracks->cell_count ? tracks->frame_count : 0, "a clip's times");
  ARRAY(v, tracks->cells, tracks->cell_count ? (int64_t)tracks->cell_count + 1 : 0, "a clip's cells");
  int64_t size = tracks->size >= 0 && tracks->size <= most_frame_bytes ? tracks->size : -1;
  ARRAY(v, tracks->segments, tracks->segment_count, "a clip's segments");
  ARRAY(v, tracks->frames, size < 0 ? size : size + CLIP_FRAME_SLACK, "a clip's key frames");
  ARRAY(v, tracks->morphs, tracks->morph_count, "a clip's morph tracks");
}

static void visit_curves(sinew_clip *clip, model_visitor *v) {
  sinew_curve_view *curves =
      (sinew_curve_view *)(uintptr_t)STRUCTS(v, clip->curves, clip->curve_count, "a clip's curves", layout_curve);
  for (int i = 0; curves && i < clip->curve_count && !v->stopped; i++) {
    text(v, &curves[i].name, "a curve's name");
    ARRAY(v, curves[i].keys, curves[i].count, "a curve's keys");
  }
}

static void visit_clip(const sinew_model *m, sinew_clip *clip, model_visitor *v) {
  int groups = sinew_pose_group_count(m->joint_count);
  text(v, &clip->name, "a clip's name");
  text(v, &clip->file_name, "a clip's name in its file");
  track_group *track_groups = (track_group *)(uintptr_t)STRUCTS(v, clip->track_groups, clip->track_group_count,
                                                                "a clip's track groups", layout_track_group);
  for (int i = 0; track_groups && i < clip->track_group_count && !v->stopped; i++)
    visit_track_group(track_groups + i, v);
  ARRAY(v, clip->packs, clip->pack_count, "a clip's packs");
  ARRAY(v, clip->blocks, clip->block_count, "a clip's blocks");
  ARRAY(v, clip->constants, clip->constant_count, "a clip's constants");
  ARRAY(v, clip->animated, (int64_t)groups * SINEW_LANES, "a clip's animated joints");
  ARRAY(v, clip->groups, groups, "a clip's groups");
  ARRAY(v, clip->constant_morphs, clip->constant_morph_count, "a clip's constant morphs");
  ARRAY(v, clip->constant_weights, clip->constant_morph_count, "a clip's constant weights");
  visit_curves(clip, v);
}

static void visit_clips(sinew_model *m, model_visitor *v) {
  sinew_clip *clips = STRUCTS(v, m->clips, m->clip_count, "the clips", layout_clip);
  for (int i = 0; clips && i < m->clip_count && !v->stopped; i++) visit_clip(m, clips + i, v);
}

static void visit_skins(sinew_model *m, model_visitor *v) {
  sinew_skin_view *skins = STRUCTS(v, m->skins, m->skin_count, "the skins", layout_skin);
  for (int i = 0; skins && i < m->skin_count && !v->stopped; i++) {
    ARRAY(v, skins[i].joints, skins[i].count, "a skin's joints");
    ARRAY(v, skins[i].inverse_binds, skins[i].count, "a skin's inverse binds");
  }
}

/* A mesh that equals another has no arrays: model_share_arrays. */
static int64_t own_count(const sinew_mesh_view *mesh, int64_t count) { return mesh->same_as < 0 ? count : 0; }

static void visit_morphs(sinew_mesh_view *mesh, model_visitor *v) {
  int64_t floats = own_count(mesh, (int64_t)mesh->vertex_count * 3);
  sinew_morph_view *morphs = STRUCTS(v, mesh->morphs, mesh->morph_count, "a mesh's morph targets", layout_morph);
  for (int i = 0; morphs && i < mesh->morph_count && !v->stopped; i++) {
    text(v, &morphs[i].name, "a morph target's name");
    ARRAY(v, morphs[i].positions, floats, "a morph target's positions");
    OPTIONAL(v, morphs[i].normals, floats, "a morph target's normals");
  }
}

static void visit_arrays(sinew_mesh_view *mesh, model_visitor *v) {
  int64_t vertices = own_count(mesh, mesh->vertex_count), influences = vertices * mesh->influences;
  ARRAY(v, mesh->positions, vertices * 3, "a mesh's positions");
  ARRAY(v, mesh->normals, vertices * 3, "a mesh's normals");
  OPTIONAL(v, mesh->tangents, vertices * 4, "a mesh's tangents");
  OPTIONAL(v, mesh->uvs, vertices * 2, "a mesh's texture coordinates");
  OPTIONAL(v, mesh->uvs2, vertices * 2, "a mesh's second texture coordinates");
  OPTIONAL(v, mesh->colors, vertices * 4, "a mesh's colours");
  ARRAY(v, mesh->joints, influences, "a mesh's joints");
  ARRAY(v, mesh->weights, influences, "a mesh's weights");
  ARRAY(v, mesh->indices, own_count(mesh, mesh->index_count), "a mesh's indices");
}

static void visit_meshes(sinew_model *m, model_visitor *v) {
  sinew_mesh_view *meshes = STRUCTS(v, m->meshes, m->mesh_count, "the meshes", layout_mesh);
  for (int i = 0; meshes && i < m->mesh_count && !v->stopped; i++) {
    sinew_mesh_view *mesh = meshes + i;
    text(v, &mesh->name, "a mesh's name");
    visit_arrays(mesh, v);
    visit_morphs(mesh, v);
  }
}

/* Returns the address of the images. */
static sinew_image_view *visit_materials(sinew_model *m, model_visitor *v) {
  sinew_material *materials = STRUCTS(v, m->materials, m->material_count, "the materials", layout_material);
  for (int i = 0; materials && i < m->material_count && !v->stopped; i++)
    text(v, &materials[i].name, "a material's name");
  sinew_image_view *images = STRUCTS(v, m->images, m->image_count, "the images", layout_image);
  for (int i = 0; images && i < m->image_count && !v->stopped; i++) text(v, &images[i].name, "an image's name");
  return images;
}

static void visit_notes(sinew_model *m, model_visitor *v) {
  const char **notes = STRUCTS(v, m->notes, m->note_count, "the notes", layout_text);
  for (int i = 0; notes && i < m->note_count && !v->stopped; i++) text(v, notes + i, "a note");
}

static void visit_clip_files(sinew_model *m, model_visitor *v) {
  sinew_clip_file_view *files = STRUCTS(v, m->clip_files, m->clip_file_count, "the clip files", layout_clip_file);
  for (int i = 0; files && i < m->clip_file_count && !v->stopped; i++) {
    text(v, &files[i].path, "a clip file's path");
    sinew_joint_match *matches = (sinew_joint_match *)(uintptr_t)STRUCTS(v, files[i].matches, files[i].match_count,
                                                                         "a clip file's joints", layout_match);
    for (int k = 0; matches && k < files[i].match_count && !v->stopped; k++)
      text(v, &matches[k].theirs, "the name of a clip file's joint");
  }
}

/* Last of all, because they have a separate checksum. */
static void visit_pixels(sinew_image_view *images, int count, model_visitor *v) {
  for (int i = 0; images && i < count && !v->stopped; i++) {
    sinew_image_view *image = images + i;
    uint64_t packed = image->packed_size, most = (uint64_t)INT64_MAX;
    visit(v, &(visit_piece){.field = &image->rgba,
                            .what = "an image's pixels",
                            .count = packed ? 0 : (int64_t)image->width * image->height,
                            .size = 4,
                            .pixels = true});
    visit(v, &(visit_piece){.field = &image->packed,
                            .what = "a packed image",
                            .count = packed <= most ? (int64_t)packed : -1,
                            .size = 1,
                            .pixels = true});
  }
}

void model_visit(sinew_model *model, model_visitor *visitor) {
  visit_skeleton(model, visitor);
  visit_clips(model, visitor);
  visit_skins(model, visitor);
  visit_meshes(model, visitor);
  sinew_image_view *images = visit_materials(model, visitor);
  visit_notes(model, visitor);
  visit_clip_files(model, visitor);
  visit_pixels(images, model->image_count, visitor);
}

/* The layout of structs in a cooked file: every pointer takes eight bytes, and every number is aligned to its size.
 * Compilers with eight-byte pointers use the same layout; on other machines the structs are converted in place. */

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

typedef const char *char_pointer;
const cook_layout layout_model = LAYOUT(sinew_model, model_fields), layout_text = LAYOUT(char_pointer, text_fields),
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
