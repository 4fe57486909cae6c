#include "import/raw/normals.h"
#include "import/source/gltf/geometry/gltf_mesh.h"

#include <stdio.h>
#include <string.h>

static const char *read_name(gltf *g, const cJSON *item, int index) {
  const char *name = cJSON_GetStringValue(item);
  char number[32];
  snprintf(number, sizeof number, "morph %d", index);
  return raw_string(g->raw, name && name[0] ? name : number);
}

/* A target without positions moves nothing. */
static bool read_target(gltf_primitive *p, const cJSON *target, raw_morph *morph) {
  raw_mesh *mesh = p->mesh;
  p->attributes = target;
  p->draco_ids = NULL; /* targets are never compressed */
  if (!gltf_attribute(p, "POSITION", 3, &morph->positions)) return false;
  if (!morph->positions) morph->positions = gltf_zeros(p->g, (size_t)mesh->vertex_count * 3);
  if (!morph->positions) return false;
  if (p->g->clips_only) return true;
  if (!p->has_normals) return flat_morph_normals(p->g->raw, mesh, morph);
  return gltf_attribute(p, "NORMAL", 3, &morph->normals);
}

bool gltf_read_morphs(gltf_primitive *p, const cJSON *json) {
  raw_mesh *mesh = p->mesh;
  const cJSON *targets = gltf_member(p->json, "targets"), *target;
  const cJSON *names = gltf_member(gltf_member(json, "extras"), "targetNames"), *name = names ? names->child : NULL;
  mesh->morphs = raw_alloc(p->g->raw, (size_t)cJSON_GetArraySize(targets), sizeof *mesh->morphs);
  if (!mesh->morphs) return false;
  cJSON_ArrayForEach(target, targets) {
    raw_morph *morph = mesh->morphs + mesh->morph_count;
    morph->name = read_name(p->g, name, mesh->morph_count);
    name = name ? name->next : NULL;
    if (!morph->name || !read_target(p, target, morph)) return false;
    mesh->morph_count++;
  }
  return true;
}

void gltf_read_morph_weights(const cJSON *json, const cJSON *node, raw_mesh *to) {
  const cJSON *weights = gltf_member(node, "weights"), *weight;
  int i = 0;
  if (!weights) weights = gltf_member(json, "weights");
  for (int k = 0; k < to->morph_count; k++) to->morphs[k].weight = 0;
  cJSON_ArrayForEach(weight, weights) {
    if (i < to->morph_count && cJSON_IsNumber(weight)) to->morphs[i].weight = (float)weight->valuedouble;
    i++;
  }
}
