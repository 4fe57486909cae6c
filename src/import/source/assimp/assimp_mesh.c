#include "import/source/assimp/assimp_scene.h"

#include "base/error.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- node pointers ---- */

typedef struct node_pointer {
  const struct aiNode *pointer;
  int index;
} node_pointer;

typedef struct mesh_source {
  assimp_source *all;
  node_pointer *pointers; /* sorted */
  name_index names;
} mesh_source;

static int compare_pointers(const void *a, const void *b) {
  uintptr_t x = (uintptr_t)((const node_pointer *)a)->pointer, y = (uintptr_t)((const node_pointer *)b)->pointer;
  return (x > y) - (x < y);
}

static bool sort_pointers(mesh_source *source) {
  raw_model *raw = source->all->raw;
  source->pointers = raw_alloc(raw, (size_t)raw->node_count, sizeof *source->pointers);
  if (!source->pointers) return false;
  for (int i = 0; i < raw->node_count; i++) source->pointers[i] = (node_pointer){source->all->nodes[i], i};
  if (raw->node_count > 1) qsort(source->pointers, (size_t)raw->node_count, sizeof *source->pointers, compare_pointers);
  return true;
}

/* The bone's own node, else found by name: Assimp leaves the pointer empty if the mesh belongs to the root, or the
 * joint's node has a mesh. */
static int find_bone_node(const mesh_source *source, const struct aiBone *bone) {
  node_pointer key = {bone->mNode, 0};
  const node_pointer *found =
      bone->mNode ? bsearch(&key, source->pointers, (size_t)source->all->raw->node_count, sizeof key, compare_pointers)
                  : NULL;
  return found ? found->index : name_index_find(&source->names, bone->mName.data);
}

/* ---- one mesh ---- */

static float *copy_vectors(raw_model *raw, const struct aiVector3D *from, int count) {
  return raw_copy(raw, from, (size_t)count * 3, sizeof(float)); /* aiVector3D is three floats */
}

/* w is the bitangent's direction; Assimp's points to rising v with v up, as in glTF. */
static bool read_tangents(raw_model *raw, const struct aiMesh *from, raw_mesh *mesh) {
  if (!from->mTangents || !from->mBitangents || !from->mNormals) return true;
  mesh->tangents = raw_alloc(raw, (size_t)mesh->vertex_count * 4, sizeof(float));
  if (!mesh->tangents) return false;
  for (int v = 0; v < mesh->vertex_count; v++) {
    struct aiVector3D n = from->mNormals[v], t = from->mTangents[v], b = from->mBitangents[v];
    float side = (n.y * t.z - n.z * t.y) * b.x + (n.z * t.x - n.x * t.z) * b.y + (n.x * t.y - n.y * t.x) * b.z;
    memcpy(mesh->tangents + (size_t)v * 4, (float[]){t.x, t.y, t.z, side < 0 ? -1.0f : 1.0f}, 4 * sizeof(float));
  }
  return true;
}

static bool read_uvs(raw_model *raw, const struct aiMesh *from, raw_mesh *mesh) {
  if (!from->mTextureCoords[0]) return true;
  mesh->uvs = raw_alloc(raw, (size_t)mesh->vertex_count * 2, sizeof(float));
  if (!mesh->uvs) return false;
  for (int v = 0; v < mesh->vertex_count; v++) {
    mesh->uvs[2 * (size_t)v] = from->mTextureCoords[0][v].x;
    mesh->uvs[2 * (size_t)v + 1] = 1 - from->mTextureCoords[0][v].y;
  }
  return true;
}

static uint8_t to_byte(float value) { return (uint8_t)(value > 0 ? value < 1 ? value * 255 + 0.5f : 255 : 0); }

static bool read_colors(raw_model *raw, const struct aiMesh *from, raw_mesh *mesh) {
  if (!from->mColors[0]) return true;
  mesh->colors = raw_alloc(raw, (size_t)mesh->vertex_count, 4);
  if (!mesh->colors) return false;
  for (int v = 0; v < mesh->vertex_count; v++) {
    struct aiColor4D c = from->mColors[0][v];
    memcpy(mesh->colors + (size_t)v * 4, (uint8_t[]){to_byte(c.r), to_byte(c.g), to_byte(c.b), to_byte(c.a)}, 4);
  }
  return true;
}

static bool read_vertices(raw_model *raw, const struct aiMesh *from, raw_mesh *mesh) {
  mesh->positions = copy_vectors(raw, from->mVertices, mesh->vertex_count);
  mesh->normals = from->mNormals ? copy_vectors(raw, from->mNormals, mesh->vertex_count)
                                 : raw_alloc(raw, (size_t)mesh->vertex_count * 3, sizeof(float));
  return mesh->positions && mesh->normals && read_tangents(raw, from, mesh) && read_uvs(raw, from, mesh) &&
         read_colors(raw, from, mesh);
}

static bool read_triangles(raw_model *raw, const struct aiMesh *from, raw_mesh *mesh) {
  mesh->indices = raw_alloc(raw, (size_t)from->mNumFaces * 3, sizeof *mesh->indices);
  if (!mesh->indices) return false;
  for (unsigned i = 0; i < from->mNumFaces; i++) {
    if (from->mFaces[i].mNumIndices != 3) continue;
    memcpy(mesh->indices + mesh->index_count, from->mFaces[i].mIndices, 3 * sizeof(uint32_t));
    mesh->index_count += 3;
  }
  return true;
}

static bool read_bone(mesh_source *source, const struct aiBone *from, raw_mesh *mesh, raw_bone *bone) {
  raw_model *raw = source->all->raw;
  bone->node = find_bone_node(source, from);
  bone->inverse_bind = assimp_matrix(&from->mOffsetMatrix);
  bone->weight_count = (int)from->mNumWeights;
  bone->weights = raw_alloc(raw, from->mNumWeights, sizeof *bone->weights);
  if (!bone->weights) return false;
  for (unsigned i = 0; i < from->mNumWeights; i++)
    bone->weights[i] = (raw_weight){from->mWeights[i].mVertexId, from->mWeights[i].mWeight};
  if (bone->node >= 0) {
    raw->nodes[bone->node].is_joint = true;
    return true;
  }
  bone->node = mesh->node;
  return raw_note(raw, "mesh '%s': the file has no node for its joint '%s': its vertices follow the mesh's node",
                  mesh->name, from->mName.data);
}

static bool read_bones(mesh_source *source, const struct aiMesh *from, raw_mesh *mesh) {
  mesh->bone_count = (int)from->mNumBones;
  mesh->bones = raw_alloc(source->all->raw, from->mNumBones, sizeof *mesh->bones);
  if (!mesh->bones) return false;
  for (unsigned i = 0; i < from->mNumBones; i++)
    if (!read_bone(source, from->mBones[i], mesh, mesh->bones + i)) return false;
  return true;
}

/* ---- morph targets ---- */

static void subtract(float *from, const float *what, int count) {
  for (size_t i = 0; i < (size_t)count * 3; i++) from[i] -= what[i];
}

/* Assimp stores a target's whole shape; ours is the difference. */
static bool read_morph(raw_model *raw, const struct aiAnimMesh *from, const raw_mesh *mesh, int index,
                       raw_morph *morph) {
  char number[24] = "morph ";
  size_t digits = 6;
  for (int power = 10000; power; power /= 10)
    if (index >= power || power == 1) number[digits++] = (char)('0' + index / power % 10);
  morph->name = from->mName.length ? assimp_string(raw, &from->mName) : raw_string(raw, number);
  morph->weight = from->mWeight;
  bool shaped = from->mVertices && (int)from->mNumVertices == mesh->vertex_count;
  morph->positions = shaped ? copy_vectors(raw, from->mVertices, mesh->vertex_count)
                            : raw_alloc(raw, (size_t)mesh->vertex_count * 3, sizeof(float));
  if (!morph->name || !morph->positions) return false;
  if (shaped) subtract(morph->positions, mesh->positions, mesh->vertex_count);
  if (!shaped || !from->mNormals) return true;
  morph->normals = copy_vectors(raw, from->mNormals, mesh->vertex_count);
  if (!morph->normals) return false;
  subtract(morph->normals, mesh->normals, mesh->vertex_count);
  return true;
}

static bool read_morphs(raw_model *raw, const struct aiMesh *from, raw_mesh *mesh) {
  mesh->morph_count = (int)from->mNumAnimMeshes;
  mesh->morphs = raw_alloc(raw, from->mNumAnimMeshes, sizeof *mesh->morphs);
  if (!mesh->morphs) return false;
  for (int i = 0; i < mesh->morph_count; i++)
    if (!read_morph(raw, from->mAnimMeshes[i], mesh, i, mesh->morphs + i)) return false;
  return true;
}

/* ---- all meshes ---- */

static bool read_mesh(mesh_source *source, unsigned index, int node) {
  raw_model *raw = source->all->raw;
  const struct aiMesh *from = source->all->scene->mMeshes[index];
  if (!(from->mPrimitiveTypes & aiPrimitiveType_TRIANGLE) || from->mNumVertices == 0 || !from->mVertices) return true;
  raw_mesh *mesh = raw_grow(raw, (void **)&raw->meshes, &raw->mesh_count, &raw->mesh_capacity, sizeof *raw->meshes);
  if (!mesh) return false;
  *mesh = (raw_mesh){.name = assimp_string(raw, &from->mName),
                     .node = node,
                     .material = (int)from->mMaterialIndex,
                     .vertex_count = (int)from->mNumVertices};
  if (!mesh->name || from->mNumVertices > INT32_MAX / 8)
    return mesh->name && error_set(raw->error, "%s: mesh '%s' has too many vertices", raw->path, mesh->name);
  return read_vertices(raw, from, mesh) && read_triangles(raw, from, mesh) && read_bones(source, from, mesh) &&
         read_morphs(raw, from, mesh);
}

/* An invented node shows its meshes at the nearest real node above it, or at the virtual root. */
static int real_node(const mesh_source *source, const struct aiNode *node) {
  for (; node; node = node->mParent) {
    node_pointer key = {node, 0};
    const node_pointer *found =
        bsearch(&key, source->pointers, (size_t)source->all->raw->node_count, sizeof key, compare_pointers);
    if (found) return found->index;
  }
  return -1;
}

static bool visit(mesh_source *source, const struct aiNode *node) {
  for (unsigned i = 0; i < node->mNumMeshes; i++)
    if (node->mMeshes[i] < source->all->scene->mNumMeshes &&
        !read_mesh(source, node->mMeshes[i], real_node(source, node)))
      return false;
  for (unsigned i = 0; i < node->mNumChildren; i++)
    if (!visit(source, node->mChildren[i])) return false;
  return true;
}

bool assimp_read_meshes(assimp_source *all) {
  mesh_source source = {.all = all};
  return sort_pointers(&source) && name_index_build(&source.names, all->raw) && visit(&source, all->scene->mRootNode);
}
