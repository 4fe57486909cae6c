#include "import/source/gltf/gltf_file.h"

#include <math.h>
#include <string.h>

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
