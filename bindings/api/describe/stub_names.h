/* stub_names – the names of a scene as types of the editor stubs. */
#ifndef SINEW_BINDINGS_STUB_NAMES_H
#define SINEW_BINDINGS_STUB_NAMES_H

#include "declare/declarations.h"

#include <stdio.h>

/* The first four belong to a model. */
typedef enum stub_kind {
  STUB_CLIPS,
  STUB_JOINTS,
  STUB_MORPHS,
  STUB_EVENTS,
  STUB_ACTORS,
  STUB_LAYERS,
  STUB_STATES,
  STUB_SENT,
  STUB_PARAMS,
  STUB_MODIFIERS
} stub_kind;

/* Writes a type for each kind, without names if there is no scene (NULL). False if memory runs out, so that names are
 * missing. */
bool stub_names_write(declarations *all, FILE *file);

#endif
