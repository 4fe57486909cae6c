/* loads – models that are being loaded. */
#ifndef SINEW_BINDINGS_LOADS_H
#define SINEW_BINDINGS_LOADS_H

#include "core/api.h"

/* The request that a script made with sinew.model, as a userdata. It stays with the model, so that it can be loaded
 * again. */
enum {
  REQUEST_CLIPS = SINEW_FIND_MOST,
  REQUEST_PAIRS = 128,
  REQUEST_EDITS = 64,
  REQUEST_OPTIONS = 1024,
  REQUEST_INDEX = 3
};

typedef struct model_request {
  char path[SCENE_PATH];
  const char *clips[REQUEST_CLIPS];
  const char *wanted[REQUEST_CLIPS]; /* what `clips` says: names, folders, patterns */
  int wanted_count;
  sinew_joint_pair map[REQUEST_PAIRS];
  sinew_clip_edit edits[REQUEST_EDITS];
  model_values values;
  char up[24];
  sinew_load_options options; /* points into the rest */
  bool wait;
} model_request;

struct model_load {
  sinew_load *load;      /* while it runs */
  sinew_model *stand_in; /* the placeholder that actors have meanwhile; NULL: the model is loaded again */
  sinew_model *model;    /* once it is there */
  char *key;             /* of its request, without stamps */
  bool is_recalled;      /* it comes when it came in the run that is replayed */
  char name[128], problem[1024];
  bool failed, shown; /* shown: the scene has run with it */
  double started;     /* on the wall clock */
};

/* Begins a load and returns its placeholder, which the scene owns. NULL and an error message. */
sinew_model *load_behind(sinew_scene *scene, const model_request *r, const char *key, sinew_error *error);
/* Loads a model again, and then the scene with it. */
bool load_anew(sinew_scene *scene, const model_request *r, const char *key, sinew_error *error);
bool load_take_is_there(const sinew_scene *scene, const char *key); /* whether load_take would give one */
bool load_is_under_way(const sinew_scene *scene, const char *key);
/* A reference to what load_anew brought; NULL without such. */
sinew_model *load_take(sinew_scene *scene, const char *key);
/* Waits; a line of progress after half a second. NULL and an error message. */
sinew_model *load_now(sinew_scene *scene, const model_request *r, const char *key, sinew_error *error);
const sinew_model *load_wait(sinew_scene *scene, model_load *l, sinew_error *error);

#endif
