#include "import/source/fbx/geometry/fbx_element.h"

#include "base/error.h"
#include "base/memory/memory.h"

#include <string.h>

/* ---- polygons ---- */

static bool count_polygons(const int32_t *indices, size_t count, size_t *polygons) {
  *polygons = 0;
  for (size_t i = 0; i < count; i++) *polygons += indices[i] < 0;
  if (count && indices[count - 1] >= 0) ++*polygons; /* the last polygon is not closed */
  return count < UINT32_MAX / 4;
}

bool fbx_polygons_read(fbx_scene *scene, const fbx_record *geometry, size_t point_count, fbx_polygons *p) {
  *p = (fbx_polygons){.point_count = point_count};
  if (!fbx_int32s(scene->file, fbx_child(geometry, "PolygonVertexIndex"), &p->points, &p->corner_count)) return false;
  if (!count_polygons(p->points, p->corner_count, &p->count))
    return error_set(scene->raw->error, "%s: a mesh has too many polygons", scene->raw->path);
  p->first = mem_alloc_array(p->count + 1, sizeof *p->first);
  if (!p->first) return error_memory(scene->raw->error, scene->raw->path, p->count * sizeof *p->first);
  size_t polygon = 0;
  for (size_t i = 0; i < p->corner_count; i++) {
    bool last = p->points[i] < 0;
    if (last) p->points[i] = ~p->points[i];
    if (last) p->first[++polygon] = (uint32_t)(i + 1);
  }
  p->first[p->count] = (uint32_t)p->corner_count;
  return true;
}

void fbx_polygons_free(fbx_polygons *p) {
  mem_free(p->points);
  mem_free(p->first);
}

bool fbx_polygon_is_good(const fbx_polygons *p, size_t polygon) {
  for (uint32_t c = p->first[polygon]; c < p->first[polygon + 1]; c++)
    if ((size_t)p->points[c] >= p->point_count) return false;
  return p->first[polygon + 1] - p->first[polygon] >= 3;
}

/* ---- elements ---- */

/* Old writers say "by polygon" but mean by corner. */
static fbx_mapping find_mapping(const fbx_record *element, size_t count, const fbx_polygons *p) {
  const fbx_record *mapping = fbx_child(element, "MappingInformationType");
  if (fbx_says(mapping, 0, "ByVertice") || fbx_says(mapping, 0, "ByVertex")) return FBX_BY_POINT;
  if (fbx_says(mapping, 0, "ByPolygon"))
    return count == p->corner_count && count != p->count ? FBX_BY_CORNER : FBX_BY_POLYGON;
  if (fbx_says(mapping, 0, "ByEdge")) return FBX_BY_EDGE;
  return fbx_says(mapping, 0, "AllSame") ? FBX_ALL_SAME : FBX_BY_CORNER;
}

bool fbx_element_read(fbx_scene *scene, const fbx_record *geometry, const char *name, const char *data,
                      const char *index, int width, const fbx_polygons *polygons, fbx_element *e) {
  const fbx_record *record = fbx_child(geometry, name);
  *e = (fbx_element){.width = width};
  if (!record || fbx_says(fbx_child(record, "MappingInformationType"), 0, "NoMappingInformation")) return true;
  size_t numbers;
  if (!fbx_floats(scene->file, fbx_child(record, data), &e->values, &numbers) ||
      !fbx_int32s(scene->file, fbx_child(record, index), &e->indices, &e->index_count))
    return false;
  e->value_count = numbers / (size_t)width;
  e->mapping = find_mapping(record, e->indices ? e->index_count : e->value_count, polygons);
  return true;
}

void fbx_element_free(fbx_element *e) {
  mem_free(e->values);
  mem_free(e->indices);
}

size_t fbx_element_index(const fbx_element *e, const fbx_polygons *p, size_t polygon, size_t corner) {
  size_t at = corner;
  if (e->mapping == FBX_BY_EDGE) return e->value_count;
  if (e->mapping == FBX_BY_POINT) at = (size_t)p->points[corner];
  if (e->mapping == FBX_BY_POLYGON) at = polygon;
  if (e->mapping == FBX_ALL_SAME) at = 0;
  if (e->indices) {
    if (at >= e->index_count || e->indices[at] < 0) return e->value_count;
    at = (size_t)e->indices[at];
  }
  return at < e->value_count ? at : e->value_count;
}

const float *fbx_element_at(const fbx_element *e, const fbx_polygons *p, size_t polygon, size_t corner) {
  size_t index = fbx_element_index(e, p, polygon, corner);
  return index < e->value_count ? e->values + index * (size_t)e->width : NULL;
}
