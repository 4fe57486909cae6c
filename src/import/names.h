/* names – finds a node of a raw_model by name, in a list sorted once. */
#ifndef SINEW_IMPORT_NAMES_H
#define SINEW_IMPORT_NAMES_H

#include "import/raw.h"

typedef struct name_entry {
  const char *name;
  int node, rank;
} name_entry;

typedef struct name_index {
  name_entry *entries;
  int count;
} name_index;

/* `stripped`: namespaces do not count ("mixamorig:Hips" is "Hips"). Lives in the model's memory. False when that is
 * out. */
bool name_index_build(name_index *index, raw_model *raw, bool stripped);

/* Where several nodes have the name: joints first, then nodes without meshes, then the file's order. -1 without one. */
int name_index_find(const name_index *index, const char *name);

/* The part behind the last ':' or '|'. */
const char *name_without_namespace(const char *name);

#endif
