#include "import/source/gltf/geometry/gltf_draco.h"

#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wdouble-promotion"
#endif
#include <draco/compression/decode.h>
#include <draco/mesh/mesh.h>
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

#include <memory>
#include <new>

struct draco_mesh {
  std::unique_ptr<draco::Mesh> mesh;
};

/* The library reports broken data by a status, but reports running out of memory, and impossible sizes, by exceptions.
 */
draco_mesh *draco_open(const unsigned char *data, size_t size) {
  try {
    draco::DecoderBuffer buffer;
    buffer.Init(reinterpret_cast<const char *>(data), size);
    draco::Decoder decoder;
    auto decoded = decoder.DecodeMeshFromBuffer(&buffer);
    if (!decoded.ok()) return nullptr;
    std::unique_ptr<draco_mesh> made(new draco_mesh);
    made->mesh = std::move(decoded).value();
    if (!made->mesh || made->mesh->num_points() > INT32_MAX / 64 || made->mesh->num_faces() > INT32_MAX / 12)
      return nullptr;
    return made.release();
  } catch (...) {
    return nullptr;
  }
}

void draco_close(draco_mesh *mesh) { delete mesh; }

int draco_vertex_count(const draco_mesh *mesh) { return static_cast<int>(mesh->mesh->num_points()); }

int draco_index_count(const draco_mesh *mesh) { return static_cast<int>(mesh->mesh->num_faces()) * 3; }

void draco_indices(const draco_mesh *mesh, uint32_t *indices) {
  for (draco::FaceIndex face(0); face < mesh->mesh->num_faces(); ++face)
    for (size_t k = 0; k < 3; k++) *indices++ = mesh->mesh->face(face)[k].value();
}

namespace {

template <typename T>
bool read_values(const draco::Mesh &mesh, const draco::PointAttribute &attribute, int width, float *values) {
  T element[16];
  for (draco::PointIndex point(0); point < mesh.num_points(); ++point) {
    const draco::AttributeValueIndex index = attribute.mapped_index(point);
    if (index.value() >= attribute.size() || !attribute.ConvertValue<T>(index, static_cast<int8_t>(width), element))
      return false;
    for (int k = 0; k < width; k++) *values++ = static_cast<float>(element[k]);
  }
  return true;
}

} // namespace

bool draco_floats(const draco_mesh *mesh, int id, int width, float *values) {
  const draco::PointAttribute *attribute = mesh->mesh->GetAttributeByUniqueId(static_cast<uint32_t>(id));
  if (!attribute || attribute->num_components() != width || width > 16) return false;
  const draco::DataType type = attribute->data_type();
  const bool is_float = type == draco::DT_FLOAT32 || type == draco::DT_FLOAT64;
  return is_float ? read_values<float>(*mesh->mesh, *attribute, width, values)
                  : read_values<int64_t>(*mesh->mesh, *attribute, width, values);
}
