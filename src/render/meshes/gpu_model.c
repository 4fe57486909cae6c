#include "render/meshes/gpu_model.h"

#include "base/error.h"
#include "base/memory/memory.h"
#include "render/gl/gl.h"
#include "render/meshes/texture.h"

#include <stdint.h>
#include <string.h>

static void mesh_destroy(gpu_mesh *mesh);

/* Differences of morph targets on the GPU, and the list of active ones.  A two-dimensional float texture, because a
 * texture buffer is guaranteed to hold only 65,536 texels: target t, vertex v is texel 2(t · vertices + v) for the
 * position and the next one for the normal, row by row. */

static void fill_target(float *texels, const sinew_morph_view *morph, int vertex_count) {
  for (int v = 0; v < vertex_count; v++) {
    memcpy(texels + 8 * (size_t)v, morph->positions + 3 * (size_t)v, 3 * sizeof(float));
    if (morph->normals) memcpy(texels + 8 * (size_t)v + 4, morph->normals + 3 * (size_t)v, 3 * sizeof(float));
  }
}

static bool upload(const sinew_mesh_view *view, int width, size_t rows, sinew_error *error) {
  size_t size;
  if (!size_multiply(rows * (size_t)width, 4 * sizeof(float), &size)) size = SIZE_MAX;
  float *texels = mem_alloc_zeroed(size);
  if (!texels) return error_memory(error, "morph targets for the GPU", size);
  for (int t = 0; t < view->morph_count; t++)
    fill_target(texels + 8 * (size_t)t * (size_t)view->vertex_count, &view->morphs[t], view->vertex_count);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
  glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
  glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA32F, width, (GLsizei)rows, 0, GL_RGBA, GL_FLOAT, texels);
  mem_free(texels);
  return gl_check("morph targets for the GPU", error);
}

static bool morph_create(GLuint *texture, int *width, const sinew_mesh_view *view, sinew_error *error) {
  GLint limit = 1024;
  glGetIntegerv(GL_MAX_TEXTURE_SIZE, &limit);
  *width = limit < 4096 ? limit : 4096;
  size_t texels = 2 * (size_t)view->morph_count * (size_t)view->vertex_count;
  if (texels == 0) return true;
  size_t rows = (texels + (size_t)*width - 1) / (size_t)*width;
  if (rows > (size_t)limit || texels > INT32_MAX)
    return error_set(error, "mesh '%s': %d morph targets of %d vertices are more than this GPU's textures hold",
                     view->name, view->morph_count, view->vertex_count);
  glGenTextures(1, texture);
  glBindTexture(GL_TEXTURE_2D, *texture);
  bool good = upload(view, *width, rows, error);
  glBindTexture(GL_TEXTURE_2D, 0);
  return good;
}

int morph_active_count(const float *weights, int count) {
  int active = 0;
  for (int i = 0; weights && i < count; i++) active += weights[i] != 0.0f;
  return active;
}

void morph_write_list(const float *weights, int count, float *texels) {
  for (int i = 0; i < count; i++) {
    if (weights[i] == 0.0f) continue;
    texels[0] = weights[i];
    texels[1] = (float)i;
    texels += 4;
  }
}

/* ---- one mesh on the GPU ---- */

static vertex_layout layout_of(const sinew_mesh_view *view) {
  vertex_layout layout = {.influences = view->influences};
  layout.normal = 3 * sizeof(float);
  layout.tangent = layout.normal + 3 * sizeof(float);
  layout.uv = layout.tangent + (view->tangents ? 4 * sizeof(float) : 0);
  layout.uv2 = layout.uv + 2 * sizeof(float);
  layout.color = layout.uv2 + (view->uvs2 ? 2 * sizeof(float) : 0);
  layout.joints = layout.color + 4;
  layout.weights = layout.joints + (size_t)view->influences * sizeof(uint16_t);
  layout.stride = layout.weights + (size_t)view->influences * sizeof(float);
  return layout;
}

/* Writes one attribute of all vertices; the memory is zeroed, so a missing source leaves zeros. */
static void scatter(unsigned char *vertices, size_t stride, size_t offset, const void *source, size_t size, int count) {
  if (!source) return;
  for (int i = 0; i < count; i++)
    memcpy(vertices + (size_t)i * stride + offset, (const unsigned char *)source + (size_t)i * size, size);
}

static void fill(unsigned char *vertices, const vertex_layout *layout, const sinew_mesh_view *view) {
  int count = view->vertex_count;
  scatter(vertices, layout->stride, 0, view->positions, 3 * sizeof(float), count);
  scatter(vertices, layout->stride, layout->normal, view->normals, 3 * sizeof(float), count);
  scatter(vertices, layout->stride, layout->tangent, view->tangents, 4 * sizeof(float), count);
  scatter(vertices, layout->stride, layout->uv, view->uvs, 2 * sizeof(float), count);
  scatter(vertices, layout->stride, layout->uv2, view->uvs2, 2 * sizeof(float), count);
  scatter(vertices, layout->stride, layout->color, view->colors, 4, count);
  scatter(vertices, layout->stride, layout->joints, view->joints, (size_t)view->influences * sizeof(uint16_t), count);
  scatter(vertices, layout->stride, layout->weights, view->weights, (size_t)view->influences * sizeof(float), count);
  if (view->colors) return;
  for (int i = 0; i < count; i++) memset(vertices + (size_t)i * layout->stride + layout->color, 255, 4);
}

static void describe(const vertex_layout *layout, const sinew_mesh_view *view) {
  size_t stride = layout->stride;
  vertex_array_enable(ATTRIBUTE_POSITION, 3, GL_FLOAT, false, stride, 0);
  vertex_array_enable(ATTRIBUTE_NORMAL, 3, GL_FLOAT, false, stride, layout->normal);
  if (view->tangents) vertex_array_enable(ATTRIBUTE_TANGENT, 4, GL_FLOAT, false, stride, layout->tangent);
  vertex_array_enable(ATTRIBUTE_UV, 2, GL_FLOAT, false, stride, layout->uv);
  if (view->uvs2) vertex_array_enable(ATTRIBUTE_UV2, 2, GL_FLOAT, false, stride, layout->uv2);
  vertex_array_enable(ATTRIBUTE_COLOR, 4, GL_UNSIGNED_BYTE, true, stride, layout->color);
  vertex_array_enable_integers(ATTRIBUTE_JOINTS, GL_UNSIGNED_SHORT, stride, layout->joints);
  vertex_array_enable(ATTRIBUTE_WEIGHTS, 4, GL_FLOAT, false, stride, layout->weights);
  if (view->influences <= 4) return;
  vertex_array_enable_integers(ATTRIBUTE_JOINTS_MORE, GL_UNSIGNED_SHORT, stride, layout->joints + 4 * sizeof(uint16_t));
  vertex_array_enable(ATTRIBUTE_WEIGHTS_MORE, 4, GL_FLOAT, false, stride, layout->weights + 4 * sizeof(float));
}

/* Describes the attributes that skinning does not change; the indices are shared. */
static void describe_skinned(const gpu_mesh *made, const sinew_mesh_view *view) {
  const vertex_layout *layout = &made->layout;
  glBindVertexArray(made->skinned_array);
  glBindBuffer(GL_ARRAY_BUFFER, made->vertices);
  glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, made->indices);
  vertex_array_enable(ATTRIBUTE_UV, 2, GL_FLOAT, false, layout->stride, layout->uv);
  if (view->uvs2) vertex_array_enable(ATTRIBUTE_UV2, 2, GL_FLOAT, false, layout->stride, layout->uv2);
  vertex_array_enable(ATTRIBUTE_COLOR, 4, GL_UNSIGNED_BYTE, true, layout->stride, layout->color);
}

static bool upload_vertices(const sinew_mesh_view *view, const vertex_layout *layout, sinew_error *error) {
  size_t size = layout->stride * (size_t)view->vertex_count;
  unsigned char *vertices = mem_alloc_zeroed(size);
  if (!vertices && size > 0) return error_memory(error, "vertices for the GPU", size);
  fill(vertices, layout, view);
  glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)size, vertices, GL_STATIC_DRAW);
  mem_free(vertices);
  return true;
}

static bool fill_mesh(gpu_mesh *made, const sinew_mesh_view *view, sinew_error *error) {
  const vertex_layout *layout = &made->layout;
  glGenVertexArrays(1, &made->vertex_array);
  glGenVertexArrays(1, &made->skinned_array);
  glGenBuffers(1, &made->vertices);
  glGenBuffers(1, &made->indices);
  glGenBuffers(1, &made->edges);
  glBindVertexArray(made->vertex_array);
  glBindBuffer(GL_ARRAY_BUFFER, made->vertices);
  glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, made->indices);
  bool good = upload_vertices(view, layout, error);
  describe(layout, view);
  glBufferData(GL_ELEMENT_ARRAY_BUFFER, (GLsizeiptr)((size_t)view->index_count * sizeof(uint32_t)), view->indices,
               GL_STATIC_DRAW);
  describe_skinned(made, view);
  glBindVertexArray(0);
  glBindBuffer(GL_ARRAY_BUFFER, 0);
  return good && (view->morph_count == 0 || morph_create(&made->morphs, &made->morph_width, view, error)) &&
         gl_check("a mesh for the GPU", error);
}

/* Rigid parts need a single joint and no blending. */
static int influences_used(const sinew_mesh_view *view) {
  for (int v = 0; v < view->vertex_count; v++)
    for (int i = 1; i < view->influences; i++)
      if (view->weights[(size_t)v * (size_t)view->influences + (size_t)i] != 0.0f) return view->influences;
  return 1;
}

static uint32_t next_serial(void) {
  static uint32_t serial;
  return ++serial;
}

/* For a view equal to that of `first`, which must live as long. */
static void mesh_share(gpu_mesh *made, const sinew_mesh_view *view, const gpu_mesh *first) {
  *made = *first;
  made->is_shared = true;
  made->skin = view->skin;
  made->material = view->material;
}

static bool mesh_create(gpu_mesh *made, const sinew_mesh_view *view, sinew_error *error) {
  *made = (gpu_mesh){.layout = layout_of(view),
                     .serial = next_serial(),
                     .vertex_count = view->vertex_count,
                     .index_count = view->index_count,
                     .cost = view->vertex_count > view->index_count / 3 ? view->vertex_count : view->index_count / 3,
                     .influences = influences_used(view),
                     .morph_count = view->morph_count,
                     .skin = view->skin,
                     .material = view->material,
                     .has_tangents = view->tangents != NULL};
  if (fill_mesh(made, view, error)) return true;
  mesh_destroy(made);
  return false;
}

static void mesh_destroy(gpu_mesh *mesh) {
  if (mesh->is_shared) return;
  glDeleteVertexArrays(1, &mesh->vertex_array);
  glDeleteVertexArrays(1, &mesh->skinned_array);
  glDeleteBuffers(1, &mesh->vertices);
  glDeleteBuffers(1, &mesh->indices);
  glDeleteBuffers(1, &mesh->edges);
  glDeleteTextures(1, &mesh->morphs);
  *mesh = (gpu_mesh){0};
}

/* Reads the triangles back from the GPU, because few meshes are ever shown like this. Without memory there are none. */
static void make_edges(const gpu_mesh *mesh) {
  size_t count = (size_t)mesh->index_count;
  uint32_t *triangles = mem_alloc_array(3 * count, sizeof *triangles), *edges = triangles + count;
  if (!triangles) return;
  glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, mesh->indices);
  buffer_read(GL_ELEMENT_ARRAY_BUFFER, count * sizeof *triangles, triangles);
  for (size_t i = 0; i < count; i++) {
    edges[2 * i] = triangles[i];
    edges[2 * i + 1] = triangles[i % 3 == 2 ? i - 2 : i + 1];
  }
  glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, mesh->edges);
  glBufferData(GL_ELEMENT_ARRAY_BUFFER, (GLsizeiptr)(2 * count * sizeof *edges), edges, GL_STATIC_DRAW);
  mem_free(triangles);
}

void mesh_bind_edges(const gpu_mesh *mesh) {
  GLint size = 0;
  glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, mesh->edges);
  glGetBufferParameteriv(GL_ELEMENT_ARRAY_BUFFER, GL_BUFFER_SIZE, &size);
  if (size == 0) make_edges(mesh);
}

/* ---- gpu model ---- */

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
