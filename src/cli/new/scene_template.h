/* scene_template – writes a short Lua scene that shows a model, with the model's own clip names. `sinew new` starts
 * with it, and `sinew view` saves what it shows as one. */
#ifndef SINEW_CLI_SCENE_TEMPLATE_H
#define SINEW_CLI_SCENE_TEMPLATE_H

#include <sinew/host.h>
#include <sinew/sinew.h>

typedef struct scene_template {
  const char *actor; /* the actor's name; NULL: from the model's file */
  int clip;          /* the clip that plays first; -1 for the rest pose */
  double speed;
  bool has_camera; /* otherwise a camera that sees the whole model is chosen from its bounds */
  sinew_vec3 camera_position, camera_target;
  sinew_vec3 position;           /* of the actor */
  const char *const *clip_files; /* further clip files, by their names in the scene */
  int clip_file_count;
  const sinew_load_options *load; /* other options for loading the model, or NULL; their clip files are not written */
  const char *allow; /* a folder that the scene must be allowed to read, or NULL; mentioned in its first line */
} scene_template;

scene_template scene_template_default(void); /* clip 0, speed 1, chosen camera */

/* Writes the scene. `model_path_in_scene` is the path in the scene, relative to the scene's folder; `model` gives the
 * clip names; NULL options mean the defaults. Does not replace an existing file. */
bool scene_template_write(const char *path, const char *model_path_in_scene, const sinew_model *model,
                          const scene_template *options, sinew_error *error);

#endif
