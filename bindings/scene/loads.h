/* loads – models that are being loaded. */
#ifndef SINEW_BINDINGS_LOADS_H
#define SINEW_BINDINGS_LOADS_H

#include "core/api.h"

/* A request that a script made with sinew.model, as a userdata. It stays with the model, so that it can be loaded
 * again. */
enum {
  REQUEST_CLIPS = SINEW_FIND_MOST,
  REQUEST_PAIRS = 128,
  REQUEST_EDITS = 64,
  REQUEST_OPTIONS = 1024,
  REQUEST_INDEX = 3,
  REQUEST_ROLES = SINEW_ROLES,
  AXIS_SIZE = 24
};

typedef struct model_request {
  char path[SCENE_PATH];
  const char *clips[REQUEST_CLIPS];
  const char *wanted[REQUEST_CLIPS]; /* the values of `clips`: names, folders, patterns */
  int wanted_count;
  sinew_joint_pair map[REQUEST_PAIRS];
  sinew_joint_role roles[REQUEST_ROLES];
  sinew_clip_edit edits[REQUEST_EDITS];
  model_values values;
  char up[AXIS_SIZE], front[AXIS_SIZE];
  sinew_load_options options; /* points into the rest */
  bool wait;
} model_request;

struct model_load {
  sinew_load *load;      /* while it runs */
  sinew_model *stand_in; /* the placeholder that actors have meanwhile; NULL: a reload */
  sinew_model *model;    /* once it is there */
  char *key;             /* of its request, without stamps */
  bool is_recalled;      /* it arrives when it did in the replayed run */
  char name[128], problem[1024];
  bool failed, shown; /* shown: the scene has run with it */
  double started;     /* on the wall clock */
};

/* Begins a load and returns its placeholder, which the scene owns. NULL and an error message. */
sinew_model *load_behind(sinew_scene *scene, const model_request *r, const char *key, sinew_error *error);
/* Loads a model again, and then the scene with it. */
bool load_anew(sinew_scene *scene, const model_request *r, const char *key, sinew_error *error);
bool load_take_is_there(const sinew_scene *scene, const char *key); /* whether load_take would return a model */
bool load_is_under_way(const sinew_scene *scene, const char *key);
/* Whether the recorded run began the load: the model may have arrived after the recording's end. */
bool load_was_begun(const sinew_scene *scene, const char *key);
/* A reference to the model from load_anew; NULL if there is none. */
sinew_model *load_take(sinew_scene *scene, const char *key);
/* Waits for the model; shows progress after half a second. NULL and an error message on failure. */
sinew_model *load_now(sinew_scene *scene, const model_request *r, const char *key, sinew_error *error);
const sinew_model *load_wait(sinew_scene *scene, model_load *l, sinew_error *error);

#endif
