#include "render/meshes/gpu_model.h"

#include "base/error.h"
#include "base/memory/memory.h"
#include "render/meshes/texture.h"

#include <string.h>

static size_t mesh_bytes(const sinew_mesh_view *view) {
  size_t vertices = (size_t)view->vertex_count;
  return view->same_as >= 0 ? 0 : vertices * (64 + 24 * (size_t)view->morph_count) + 4 * (size_t)view->index_count;
}

static bool make_mesh(sinew_gpu_model *made, const sinew_mesh_view *view, sinew_error *error) {
  gpu_mesh *mesh = made->meshes + made->mesh_count;
  if (view->same_as >= 0) mesh_share(mesh, view, &made->meshes[view->same_as]);
  else if (!mesh_create(mesh, view, error)) return false;
  else mesh->morph_reach = bounds_morph_reach(view);
  made->mesh_count++;
  made->cost += mesh->cost;
  return true;
}

static bool is_color(int role) {
  return role == SINEW_TEXTURE_BASE_COLOR || role == SINEW_TEXTURE_EMISSIVE || role == SINEW_TEXTURE_SHEEN_COLOR;
}

/* The first image with the same packed bytes and wrap modes, which has the texture of both. */
static int first_like(const sinew_gpu_model *made, int image) {
  const sinew_image_view *images = made->images, *wanted = images + image;
  for (int i = 0; wanted->packed && i < image; i++)
    if (images[i].packed_size == wanted->packed_size && images[i].packed && images[i].wrap_u == wanted->wrap_u &&
        images[i].wrap_v == wanted->wrap_v && memcmp(images[i].packed, wanted->packed, wanted->packed_size) == 0)
      return i;
  return image;
}

/* The texture of an image, created on first use; none for no image, and for one that is still packed. */
static bool use_image(sinew_gpu_model *made, const sinew_image_view *images, gpu_material *material, int role,
                      sinew_error *error) {
  int image = material->values.textures[role].image;
  if (image < 0 || image >= made->texture_count / 2 || !images[image].rgba) return true;
  GLuint *slot = &made->textures[2 * image + (is_color(role) ? 0 : 1)];
  if (*slot == 0) *slot = texture_create(images + image, is_color(role), error);
  material->textures[role] = *slot;
  return *slot != 0;
}

/* Gives a material a picture that came. */
static bool use_picture(sinew_gpu_model *made, gpu_material *material, int role, const sinew_picture *picture,
                        sinew_error *error) {
  sinew_image_view *view = made->images + picture->image, whole = *view;
  view->rgba = picture->rgba;
  view->width = picture->width;
  view->height = picture->height;
  bool fine = use_image(made, made->images, material, role, error);
  *view = whole;
  return fine;
}

bool sinew_gpu_model_set_picture(sinew_renderer *renderer, sinew_gpu_model *gpu_model, const sinew_picture *picture,
                                 sinew_error *error) {
  (void)renderer;
  if (picture->image < 0 || picture->image >= gpu_model->texture_count / 2)
    return error_set(error, "picture: image %d is not one of the model's %d", picture->image,
                     gpu_model->texture_count / 2);
  for (int m = 0; m < gpu_model->material_count; m++)
    for (int role = 0; role < SINEW_TEXTURE_ROLES; role++)
      if (gpu_model->materials[m].values.textures[role].image == picture->image &&
          !use_picture(gpu_model, gpu_model->materials + m, role, picture, error))
        return false;
  return true;
}

/* The rows of the transform, then the offsets, and the number of the set. */
static void place_texture(const sinew_texture *texture, float uv[2][4]) {
  static const float none[6], identity[6] = {1, 0, 0, 0, 1, 0};
  const float *t = memcmp(texture->transform, none, sizeof none) == 0 ? identity : texture->transform;
  const float rows[8] = {t[0], t[1], t[3], t[4], t[2], t[5], texture->uv_set == 1 ? 1.0f : 0.0f, 0.0f};
  memcpy(uv, rows, sizeof rows);
}

static void make_material(const sinew_gpu_model *made, const sinew_material *values, gpu_material *material) {
  material->values = *values;
  material->values.name = NULL;
  material->has_clearcoat = values->clearcoat > 0;
  material->has_sheen = values->sheen_color[0] > 0 || values->sheen_color[1] > 0 || values->sheen_color[2] > 0;
  for (int i = 0; i < SINEW_TEXTURE_ROLES; i++) {
    sinew_texture *texture = material->values.textures + i;
    place_texture(values->textures + i, material->uv[i]);
    if (texture->image >= 0 && texture->image < made->texture_count / 2)
      texture->image = first_like(made, texture->image);
  }
}

/* Without their pictures. */
static void make_materials(sinew_gpu_model *made, const sinew_model *model) {
  int count = sinew_model_material_count(model);
  sinew_material plain = sinew_material_default();
  for (int i = 0; i < 3; i++) plain.base_color[i] = 0.6f;
  plain.roughness = 0.7f;
  for (int i = 0; i <= count; i++) {
    sinew_material values = i < count ? sinew_model_material(model, i) : plain;
    make_material(made, &values, &made->materials[i]);
  }
  for (int i = 0; i < made->texture_count / 2; i++) made->images[i].rgba = NULL; /* the model may go */
  made->material_count = count + 1;
}

static bool make_arrays(sinew_gpu_model *made, const sinew_model *model, sinew_error *error) {
  size_t images = (size_t)sinew_model_image_count(model);
  made->palette_count = sinew_model_palette_count(model);
  made->skin_count = sinew_model_skin_count(model);
  made->texture_count = (int)(2 * images);
  /* one more of each, so that none is empty */
  made->meshes = mem_alloc_array((size_t)sinew_model_mesh_count(model) + 1, sizeof *made->meshes);
  made->materials = mem_alloc_array((size_t)sinew_model_material_count(model) + 1, sizeof *made->materials);
  made->skins = mem_alloc_array((size_t)made->skin_count + 1, sizeof *made->skins);
  made->balls = mem_alloc_array((size_t)made->palette_count + 1, sizeof *made->balls);
  made->skin_joints = mem_alloc_array((size_t)made->palette_count + 1, sizeof *made->skin_joints);
  made->textures = mem_alloc_array(2 * images + 1, sizeof *made->textures);
  made->images = mem_alloc_array(images + 1, sizeof *made->images);
  for (size_t i = 0; made->images && i < images; i++) made->images[i] = sinew_model_image(model, (int)i);
  if (made->images && made->meshes && made->materials && made->skins && made->balls && made->skin_joints &&
      made->textures)
    return true;
  return error_memory(error, "a model for the GPU", (size_t)made->palette_count * sizeof *made->balls);
}

static void measure(sinew_gpu_model *made, const sinew_model *model) {
  for (int s = 0; s < made->skin_count; s++) {
    sinew_skin_view skin = sinew_model_skin(model, s);
    made->skins[s] = (gpu_skin){skin.first, skin.count};
    for (int i = 0; i < skin.count; i++) made->skin_joints[skin.first + i] = skin.joints[i];
  }
  bounds_measure(model, made->balls);
}

sinew_gpu_model *sinew_gpu_model_begin(sinew_renderer *renderer, const sinew_model *model, sinew_error *error) {
  sinew_gpu_model *made = mem_alloc_zeroed(sizeof *made);
  if (!made) {
    error_memory(error, "a model for the GPU", sizeof *made);
    return NULL;
  }
  if (!make_arrays(made, model, error)) {
    sinew_gpu_model_destroy(renderer, made);
    return NULL;
  }
  measure(made, model);
  make_materials(made, model);
  made->left = sinew_model_mesh_count(model) + sinew_model_material_count(model);
  return made;
}

/* Gives a material those of its pictures that the model has unpacked. */
static bool make_pictures(sinew_gpu_model *made, gpu_material *material, const sinew_model *model, size_t *bytes,
                          sinew_error *error) {
  bool fine = true;
  for (int role = 0; role < SINEW_TEXTURE_ROLES && fine; role++) {
    int image = material->values.textures[role].image;
    if (image < 0 || image >= made->texture_count / 2) continue;
    sinew_image_view view = sinew_model_image(model, image);
    if (!view.rgba) continue;
    *bytes += (size_t)view.width * (size_t)view.height * 4;
    fine = use_picture(made, material, role, &(sinew_picture){image, view.rgba, view.width, view.height}, error);
  }
  return fine;
}

/* Meshes, then materials. */
static bool make_next(sinew_gpu_model *made, const sinew_model *model, size_t *bytes, sinew_error *error) {
  int material = sinew_model_material_count(model) - made->left--;
  *bytes = 64;
  if (material >= 0) return make_pictures(made, made->materials + material, model, bytes, error);
  sinew_mesh_view view = sinew_model_mesh(model, made->mesh_count);
  *bytes += mesh_bytes(&view);
  return make_mesh(made, &view, error);
}

int sinew_gpu_model_left(const sinew_gpu_model *gpu_model) { return gpu_model->left; }

bool sinew_gpu_model_continue(sinew_renderer *renderer, sinew_gpu_model *gpu_model, const sinew_model *model,
                              size_t most_bytes, sinew_error *error) {
  (void)renderer;
  for (size_t sent = 0, bytes = 0; gpu_model->left > 0 && sent < most_bytes; sent += bytes)
    if (!make_next(gpu_model, model, &bytes, error)) return false;
  return true;
}

sinew_gpu_model *sinew_gpu_model_create(sinew_renderer *renderer, const sinew_model *model, sinew_error *error) {
  sinew_gpu_model *made = sinew_gpu_model_begin(renderer, model, error);
  if (!made || sinew_gpu_model_continue(renderer, made, model, SIZE_MAX, error)) return made;
  sinew_gpu_model_destroy(renderer, made);
  return NULL;
}

void sinew_gpu_model_destroy(sinew_renderer *renderer, sinew_gpu_model *gpu_model) {
  (void)renderer; /* part of the interface: a later version may share data between models */
  if (!gpu_model) return;
  for (int i = 0; i < gpu_model->mesh_count; i++) mesh_destroy(&gpu_model->meshes[i]);
  texel_pages_release(&gpu_model->shown_weights);
  if (gpu_model->textures) glDeleteTextures(gpu_model->texture_count, gpu_model->textures);
  mem_free(gpu_model->meshes);
  mem_free(gpu_model->materials);
  mem_free(gpu_model->skins);
  mem_free(gpu_model->balls);
  mem_free(gpu_model->skin_joints);
  mem_free(gpu_model->textures);
  mem_free(gpu_model->images);
  mem_free(gpu_model);
}

/* Without memory, none are shown. */
void sinew_gpu_model_show_weights(sinew_gpu_model *gpu_model, const float *joint_weights) {
  texel_pages *pages = &gpu_model->shown_weights;
  texel_position position;
  texel_pages_release(pages);
  if (!joint_weights || gpu_model->palette_count == 0) return;
  int limit = texel_pages_limit();
  texel_pages_reset(pages, gpu_model->palette_count < limit ? gpu_model->palette_count : limit);
  float *texels = texel_pages_take(pages, gpu_model->palette_count, &position, NULL);
  for (int i = 0; texels && i < gpu_model->palette_count; i++) texels[4 * i] = joint_weights[gpu_model->skin_joints[i]];
  if (!texels || !texel_pages_finish(pages, NULL)) texel_pages_release(pages);
}

const gpu_material *gpu_model_material(const sinew_gpu_model *model, const gpu_mesh *mesh) {
  bool has_own = mesh->material >= 0 && mesh->material < model->material_count - 1;
  return &model->materials[has_own ? mesh->material : model->material_count - 1];
}
