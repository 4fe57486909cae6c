#include "import/cook/model_check.h"

#include "base/error.h"
#include "base/text.h"
#include "model/body/body.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- model check mesh ---- */

static bool check_numbers(const sinew_mesh_view *mesh) {
  int64_t vertices = mesh->vertex_count;
  bool finite = check_finite(mesh->positions, vertices * 3) && check_finite(mesh->normals, vertices * 3) &&
                check_finite(mesh->tangents, vertices * 4) && check_finite(mesh->uvs, vertices * 2) &&
                check_finite(mesh->uvs2, vertices * 2) && check_finite(mesh->weights, vertices * mesh->influences);
  for (int i = 0; finite && i < mesh->morph_count; i++) {
    const sinew_morph_view *morph = mesh->morphs + i;
    finite = check_finite(morph->positions, vertices * 3) && check_finite(morph->normals, vertices * 3);
  }
  return finite;
}

/* Even an influence of weight 0 must name an existing joint: shaders read its matrix anyway. */
static bool check_vertex_joints(const sinew_mesh_view *mesh, int joint_count) {
  int64_t count = (int64_t)mesh->vertex_count * mesh->influences;
  int highest = -1;
  for (int64_t i = 0; i < count; i++) highest = mesh->joints[i] > highest ? mesh->joints[i] : highest;
  return highest < joint_count;
}

static bool check_weights(const sinew_mesh_view *mesh) {
  const float *weights = mesh->weights;
  for (int v = 0; v < mesh->vertex_count; v++, weights += mesh->influences) {
    float sum = 0;
    bool negative = false;
    for (int i = 0; i < mesh->influences; i++) {
      sum += weights[i];
      negative |= weights[i] < 0;
    }
    if (negative || !(fabsf(sum - 1) < 1e-3f)) return false;
  }
  return true;
}

static bool check_indices(const sinew_mesh_view *mesh) {
  uint32_t highest = 0;
  for (int i = 0; i < mesh->index_count; i++) highest = mesh->indices[i] > highest ? mesh->indices[i] : highest;
  return mesh->index_count == 0 || highest < (uint32_t)mesh->vertex_count;
}

static bool check_references(const sinew_model *m, const sinew_mesh_view *mesh, int index, sinew_error *error) {
  if (mesh->joint < 0 || mesh->joint >= m->joint_count)
    return check_refuse(m, error, "mesh %d hangs from joint %d, and there are %d", index, mesh->joint, m->joint_count);
  if (mesh->skin < 0 || mesh->skin >= m->skin_count)
    return check_refuse(m, error, "mesh %d has skin %d, and there are %d", index, mesh->skin, m->skin_count);
  if (mesh->material < -1 || mesh->material >= m->material_count)
    return check_refuse(m, error, "mesh %d has material %d, and there are %d", index, mesh->material,
                        m->material_count);
  if (mesh->influences != 4 && mesh->influences != 8)
    return check_refuse(m, error, "mesh %d has %d influences, and must have 4 or 8", index, mesh->influences);
  return mesh->index_count % 3 == 0 ||
         check_refuse(m, error, "mesh %d has %d indices, which do not make triangles", index, mesh->index_count);
}

bool check_same_mesh(const sinew_model *model, const sinew_mesh_view *mesh, int index, sinew_error *error) {
  const sinew_mesh_view *first = mesh->same_as >= 0 && mesh->same_as < index ? model->meshes + mesh->same_as : NULL;
  return (first && first->same_as == -1 && first->vertex_count == mesh->vertex_count &&
          first->index_count == mesh->index_count && first->influences == mesh->influences &&
          first->morph_count == mesh->morph_count) ||
         check_refuse(model, error, "mesh %d has the arrays of mesh %d, which is not like it", index, mesh->same_as);
}

/* Arrays that belong to another mesh were checked there, except with this mesh's skin. */
static bool check_mesh(const sinew_model *model, const sinew_mesh_view *mesh, int index, sinew_error *error) {
  if (!check_references(model, mesh, index, error)) return false;
  if (mesh->same_as != -1 && !check_same_mesh(model, mesh, index, error)) return false;
  if (mesh->same_as < 0 && !check_numbers(mesh))
    return check_refuse(model, error, "mesh %d has a number that is not finite", index);
  if (!check_vertex_joints(mesh, model->skins[mesh->skin].count))
    return check_refuse(model, error, "a vertex of mesh %d names a joint that its skin does not have", index);
  for (int i = 0; i < mesh->morph_count; i++)
    if (!check_finite(&mesh->morphs[i].rest_weight, 1))
      return check_refuse(model, error, "mesh %d has a number that is not finite", index);
  if (mesh->same_as >= 0) return true;
  if (!check_weights(mesh))
    return check_refuse(model, error, "the weights of a vertex of mesh %d are negative or do not add up to 1", index);
  return check_indices(mesh) ||
         check_refuse(model, error, "a triangle of mesh %d names a vertex that does not exist", index);
}

/* ---- model check ---- */

bool check_refuse(const sinew_model *model, sinew_error *error, const char *format, ...) {
  char text[512];
  va_list arguments;
  va_start(arguments, format);
  text_format_list(text, sizeof text, format, arguments);
  va_end(arguments);
  return error_set(error, "%s: %s: the file is damaged, cook the source again", model->path, text);
}

/* ---- numbers ---- */

/* Without a branch in the loop, so that it vectorises: this reads most of a model. */
bool check_finite(const float *values, int64_t count) {
  uint32_t bad = 0;
  for (int64_t i = 0; values && i < count; i++) {
    uint32_t bits;
    memcpy(&bits, values + i, sizeof bits);
    bad |= (uint32_t)((bits & 0x7F800000u) == 0x7F800000u);
  }
  return !bad;
}

bool check_bool(const bool *flag) {
  unsigned char byte;
  memcpy(&byte, flag, sizeof byte);
  return byte <= 1;
}

static bool is_identity(const sinew_transform *t) {
  const float values[10] = {t->translation.x, t->translation.y,  t->translation.z, t->rotation.x,  t->rotation.y,
                            t->rotation.z,    t->rotation.w - 1, t->scale.x - 1,   t->scale.y - 1, t->scale.z - 1};
  for (int i = 0; i < 10; i++)
    if (values[i] != 0) return false;
  return true;
}

static bool check_pose(const sinew_pose_group *groups, int joint_count) {
  int group_count = sinew_pose_group_count(joint_count), lanes = group_count * SINEW_LANES;
  if (!check_finite((const float *)(const void *)groups,
                    (int64_t)group_count * (int64_t)(sizeof *groups / sizeof(float))))
    return false;
  sinew_pose pose = {(sinew_pose_group *)(uintptr_t)groups, lanes};
  for (int i = 0; i < lanes; i++) {
    sinew_transform t = sinew_pose_joint(&pose, i);
    sinew_quat q = t.rotation;
    float length = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
    if (!(fabsf(length - 1) < 4e-3f) || (i >= joint_count && !is_identity(&t))) return false;
  }
  return true;
}

/* ---- the skeleton ---- */

static bool check_below(const sinew_model *m, sinew_error *error) {
  for (int i = 0, child = 1; i <= m->joint_count; i++) {
    child = model_find_below(m, i, child);
    if (m->below[i] != child)
      return check_refuse(m, error, "the joints below joint %d begin at joint %d, and not at %d", i, child,
                          m->below[i]);
  }
  return true;
}

static bool check_joints(const sinew_model *m, sinew_error *error) {
  int nodes = 0;
  if (m->parents[0] != -1 || m->file_indices[0] != -1 || m->above[0] != 0)
    return check_refuse(m, error, "joint 0 is not the virtual root");
  for (int i = 1; i < m->joint_count; i++) {
    if (m->parents[i] < 0 || m->parents[i] >= i || m->parents[i] < m->parents[i - 1])
      return check_refuse(m, error, "the parent of joint %d is %d, and must be a joint before it, breadth first", i,
                          m->parents[i]);
    if (m->above[i] != 12 * (int64_t)m->parents[i])
      return check_refuse(m, error, "the matrix above joint %d is not its parent's", i);
    if (m->parts[i] >= PART_COUNT) return check_refuse(m, error, "joint %d is part %d of a body", i, m->parts[i]);
    nodes += m->file_indices[i] >= 0;
  }
  for (int i = 0; i < sinew_pose_group_count(m->joint_count); i++)
    if (m->pairs[i] != model_find_pairs(m, i))
      return check_refuse(m, error, "group %d of joints misstates which of them make pairs", i);
  if (!check_below(m, error)) return false;
  for (int i = 1; i < m->joint_count; i++) {
    if (m->file_indices[i] < -1 || m->file_indices[i] >= nodes)
      return check_refuse(m, error, "the file index of joint %d is %d of %d", i, m->file_indices[i], nodes);
  }
  return true;
}

static bool are_joints(const sinew_model *m, const int32_t *joints, int count) {
  for (int i = 0; i < count; i++)
    if (joints[i] < -1 || joints[i] >= m->joint_count) return false;
  return true;
}

static bool check_person(const sinew_model *m, const humanoid *h) {
  return h->spine_count >= 0 && h->spine_count <= HUMANOID_SPINE && h->neck_count >= 0 &&
         h->neck_count <= HUMANOID_NECK && are_joints(m, &h->hips, 1) && are_joints(m, &h->head, 1) &&
         are_joints(m, h->limbs[0], 2 * LIMB_COUNT) &&
         are_joints(m, h->fingers[0][0], 2 * HUMANOID_FINGERS * HUMANOID_SEGMENTS) &&
         are_joints(m, h->spine, h->spine_count) && are_joints(m, h->neck, h->neck_count);
}

static bool check_foot(const sinew_model *m, const body_foot *f) {
  return are_joints(m, &f->thigh, 4) && f->foot > 0 && f->contact > 0 && are_joints(m, &f->contact, 1) &&
         f->end > 0 && are_joints(m, &f->end, 1) &&
         check_finite(&f->heel.x, 3) && check_finite(&f->ball.x, 3) && check_finite(&f->back[0].x, 6) &&
         check_finite(&f->tip[0].x, 6) && f->has_corners >= 0 && f->has_corners <= 1 && (f->side == 1 || f->side == -1) &&
         f->is_front >= 0 && f->is_front <= 1;
}

static bool check_body(const sinew_model *m, sinew_error *error) {
  const model_body *b = m->body;
  bool good = check_person(m, &b->person) && are_joints(m, &b->root, 1) && b->foot_count >= 0 &&
              b->foot_count <= BODY_FEET && b->foot_count % 2 == 0 && check_finite(&b->size, 1) && b->size > 0 &&
              check_finite(&b->front.x, 3) && fabsf(b->front.x) + fabsf(b->front.z) == 1 && b->front.y == 0;
  for (int i = 0; good && i < b->foot_count; i++) good = check_foot(m, b->feet + i);
  for (int i = 0; good && i < SINEW_FINDINGS; i++)
    good = b->findings[i].evidence >= 0 && b->findings[i].evidence <= SINEW_BY_AUTHOR &&
           check_finite(&b->findings[i].confidence, 1);
  return good || check_refuse(m, error, "the body has a joint or a number that cannot be");
}

static bool check_skeleton(const sinew_model *m, sinew_error *error) {
  if (m->joint_count < 1) return check_refuse(m, error, "there is no joint");
  if (!check_joints(m, error) || !check_body(m, error)) return false;
  return check_pose(m->rest, m->joint_count) ||
         check_refuse(m, error,
                      "the rest pose has a number that is not finite, a rotation that is not of unit length, "
                      "or something behind its last joint");
}

/* ---- skins ---- */

static bool check_skin(const sinew_model *m, int index, int first, sinew_error *error) {
  const sinew_skin_view *skin = m->skins + index;
  if (skin->count < 1 || skin->first != first)
    return check_refuse(m, error, "skin %d has %d joints from %d on, and must begin at %d", index, skin->count,
                        skin->first, first);
  for (int i = 0; i < skin->count; i++)
    if (skin->joints[i] < 0 || skin->joints[i] >= m->joint_count)
      return check_refuse(m, error, "skin %d has joint %d, and there are %d", index, skin->joints[i], m->joint_count);
  return check_finite(skin->inverse_binds->m, (int64_t)skin->count * 12) ||
         check_refuse(m, error, "an inverse bind of skin %d is not finite", index);
}

static bool check_skins(const sinew_model *m, sinew_error *error) {
  int64_t first = 0; /* every skin is in memory, so the sum exceeds an int only in a forged file */
  for (int i = 0; i < m->skin_count; i++) {
    if (first > INT32_MAX || !check_skin(m, i, (int)first, error)) return false;
    first += m->skins[i].count;
  }
  return first == m->palette_count || check_refuse(m, error, "the palette has %d matrices where the skins have %lld",
                                                   m->palette_count, (long long)first);
}

/* ---- materials ---- */

static bool is_image(const sinew_model *m, int index) { return index >= -1 && index < m->image_count; }

static bool check_texture(const sinew_model *m, const sinew_texture *texture, int index, sinew_error *error) {
  if (!is_image(m, texture->image))
    return check_refuse(m, error, "material %d uses image %d, and there are %d", index, texture->image, m->image_count);
  return (texture->uv_set >= 0 && texture->uv_set <= 1 && check_finite(texture->transform, 6)) ||
         check_refuse(m, error, "material %d has a set of texture coordinates that does not exist", index);
}

static bool check_material(const sinew_model *m, int index, sinew_error *error) {
  const sinew_material *material = m->materials + index;
  for (int i = 0; i < SINEW_TEXTURE_ROLES; i++)
    if (!check_texture(m, material->textures + i, index, error)) return false;
  int mode = (int)material->alpha_mode;
  if (mode < SINEW_ALPHA_OPAQUE || mode > SINEW_ALPHA_BLEND || !check_bool(&material->double_sided) ||
      !check_bool(&material->unlit))
    return check_refuse(m, error, "material %d has an unknown alpha mode or flag", index);
  const float scalars[] = {material->metallic,        material->roughness,           material->alpha_cutoff,
                           material->normal_scale,    material->occlusion_strength,  material->clearcoat,
                           material->sheen_roughness, material->clearcoat_roughness, material->clearcoat_normal_scale};
  return (check_finite(material->base_color, 4) && check_finite(material->emissive, 3) &&
          check_finite(material->sheen_color, 3) &&
          check_finite(scalars, (int64_t)(sizeof scalars / sizeof *scalars))) ||
         check_refuse(m, error, "material %d has a number that is not finite", index);
}

static bool check_materials(const sinew_model *m, sinew_error *error) {
  enum { LARGEST_IMAGE = 16384 };
  for (int i = 0; i < m->material_count; i++)
    if (!check_material(m, i, error)) return false;
  for (int i = 0; i < m->image_count; i++) {
    const sinew_image_view *image = m->images + i;
    if ((int)image->wrap_u < SINEW_WRAP_REPEAT || (int)image->wrap_u > SINEW_WRAP_MIRROR ||
        (int)image->wrap_v < SINEW_WRAP_REPEAT || (int)image->wrap_v > SINEW_WRAP_MIRROR)
      return check_refuse(m, error, "image %d has an unknown wrap mode", i);
    if (image->width < 1 || image->height < 1 || image->width > LARGEST_IMAGE || image->height > LARGEST_IMAGE)
      return check_refuse(m, error, "image %d is %d × %d, and must be 1 to %d wide and high", i, image->width,
                          image->height, LARGEST_IMAGE);
  }
  return true;
}

/* ---- clip files ---- */

static bool check_clip_file(const sinew_model *m, int index, sinew_error *error) {
  const sinew_clip_file_view *file = m->clip_files + index;
  if (!check_finite(&file->scale, 1) || !check_bool(&file->corrected))
    return check_refuse(m, error, "clip file %d has an invalid scale or flag", index);
  for (int i = 0; i < file->match_count; i++) {
    const sinew_joint_match *match = file->matches + i;
    if (match->joint < -1 || match->joint >= m->joint_count || match->kind < SINEW_MATCH_NONE ||
        match->kind > SINEW_MATCH_GUESS)
      return check_refuse(m, error, "clip file %d matches joint %d, and there are %d", index, match->joint,
                          m->joint_count);
  }
  return true;
}

bool check_model(const sinew_model *model, sinew_error *error) {
  const sinew_vec3 *low = &model->bounds_min, *high = &model->bounds_max;
  if (!check_skeleton(model, error) || !check_skins(model, error)) return false;
  for (int i = 0; i < model->mesh_count; i++)
    if (!check_mesh(model, model->meshes + i, i, error)) return false;
  for (int i = 0; i < model->clip_count; i++)
    if (!check_clip(model, model->clips + i, i, error)) return false;
  if (!check_materials(model, error)) return false;
  for (int i = 0; i < model->clip_file_count; i++)
    if (!check_clip_file(model, i, error)) return false;
  if (!check_finite(&low->x, 3) || !check_finite(&high->x, 3) || low->x > high->x || low->y > high->y ||
      low->z > high->z)
    return check_refuse(model, error, "the bounds are not a box");
  return true;
}
