/* use_model – does with a model what a program does, so that a sanitizer sees every index that it holds followed. */
#ifndef SINEW_TESTS_USE_MODEL_H
#define SINEW_TESTS_USE_MODEL_H

#include <sinew/pose.h>

#include <stdlib.h>
#include <string.h>

static inline size_t use_text(const char *text) { return text ? strlen(text) : 0; }

static inline void use_mesh(const sinew_model *model, int index, const sinew_mat3x4 *palette, const float *morphs) {
  sinew_mesh_view mesh = sinew_model_mesh(model, index);
  size_t floats = (size_t)mesh.vertex_count * 3;
  float *positions = malloc(floats * sizeof *positions + 1), *normals = malloc(floats * sizeof *normals + 1);
  sinew_cpu_skin_job job = {.model = model,
                            .mesh = index,
                            .palette = palette,
                            .morph_weights = morphs,
                            .positions = positions,
                            .normals = normals};
  if (positions && normals) sinew_cpu_skin(&job);
  free(positions);
  free(normals);
}

/* Every clip at several moments, every mesh skinned in each. Answers a sum over the results' bytes. */
static inline uint64_t use_model(const sinew_model *model) {
  int joint_count = sinew_model_joint_count(model), groups = sinew_pose_group_count(joint_count);
  uint64_t sum = 0;
  sinew_pose pose = {calloc((size_t)groups, sizeof(sinew_pose_group)), joint_count};
  sinew_mat3x4 *joints = calloc((size_t)joint_count, sizeof *joints);
  sinew_mat3x4 *palette = calloc((size_t)sinew_model_palette_count(model) + 1, sizeof *palette);
  for (int c = 0; c < sinew_model_clip_count(model); c++)
    for (int moment = -1; moment <= 8; moment++) {
      const sinew_clip *clip = sinew_model_clip(model, c);
      double time = sinew_clip_duration(clip) * moment / 7.0;
      sinew_sample(&(sinew_sample_job){.model = model, .clip = clip, .time = time, .output = pose});
      sinew_local_to_model(&(sinew_local_to_model_job){.model = model, .pose = pose, .output = joints});
      if (sinew_model_palette_count(model) > 0)
        sinew_palette(&(sinew_palette_job){.model = model, .joints = joints, .output = palette});
      for (int m = 0; m < sinew_model_mesh_count(model); m++) {
        float *morphs = calloc((size_t)sinew_model_mesh(model, m).morph_count + 1, sizeof *morphs);
        sinew_sample_morphs(model, clip, time, m, morphs);
        use_mesh(model, m, palette, morphs);
        free(morphs);
      }
      const unsigned char *bytes = (const unsigned char *)joints;
      for (size_t i = 0; i < (size_t)joint_count * sizeof *joints; i++) sum = sum * 31 + bytes[i];
    }
  for (int i = 0; i < joint_count; i++) sum += use_text(sinew_model_joint_name(model, i));
  for (int i = 0; i < sinew_model_note_count(model); i++) sum += use_text(sinew_model_note(model, i));
  for (int i = 0; i < sinew_model_material_count(model); i++) {
    sinew_material material = sinew_model_material(model, i);
    sum += use_text(material.name) + material.double_sided;
    for (int k = 0; k < SINEW_TEXTURE_ROLES; k++)
      if (material.textures[k].image >= 0) sum += sinew_model_image(model, material.textures[k].image).rgba[0];
  }
  for (int i = 0; i < sinew_model_image_count(model); i++) {
    sinew_image_view image = sinew_model_image(model, i);
    sum += image.rgba[(size_t)image.width * (size_t)image.height * 4 - 1];
  }
  free(pose.groups);
  free(joints);
  free(palette);
  return sum;
}

#endif
