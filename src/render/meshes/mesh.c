#include "render/meshes/mesh.h"

#include "base/error.h"
#include "base/memory/memory.h"
#include "render/gl/buffer.h"
#include "render/gl/gl_debug.h"
#include "render/gl/vertex_array.h"
#include "render/meshes/morph.h"

#include <limits.h>
#include <string.h>

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

void mesh_share(gpu_mesh *made, const sinew_mesh_view *view, const gpu_mesh *first) {
  *made = *first;
  made->is_shared = true;
  made->skin = view->skin;
  made->material = view->material;
}

bool mesh_create(gpu_mesh *made, const sinew_mesh_view *view, sinew_error *error) {
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

void mesh_destroy(gpu_mesh *mesh) {
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
