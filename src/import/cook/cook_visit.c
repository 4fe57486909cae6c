#include "import/cook/cook_visit.h"

#include "import/cook/cook_hash.h"
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
