/* names – finds a node of a raw_model by name. */
#ifndef SINEW_IMPORT_RAW_NODES_H
#define SINEW_IMPORT_RAW_NODES_H

#include "import/raw/raw.h"
#include "model/names/model_names.h"

typedef struct name_index {
  joint_entry *entries;
  int count;
} name_index;

/* Allocated in the model's memory. False when that runs out. */
bool name_index_build(name_index *index, raw_model *raw);

/* If several nodes have the name: joints first, then nodes without meshes, then the file's order. -1 if there is
 * none. */
int name_index_find(const name_index *index, const char *name);

/* Adds a note about names that several nodes share, and which node they mean. False when memory runs out. */
bool note_equal_names(raw_model *raw);

/* 0 for a joint, 1 for a node without a mesh, 2 for others: decides which of several nodes with one name is meant. */
int name_rank(const raw_node *node);

/* ---- "a, b, c, d, …" ---- */

typedef struct name_list {
  int count;
  char text[256];
} name_list;

/* Adds a name, or two joined by " → " if `to` is not NULL. */
void name_list_add(name_list *list, const char *name, const char *to);

/* ---- adds joints above a node of the file, for transforms that a single T·R·S cannot express ---- */

/* A node with a sheared matrix that no clip moves becomes two: M = U·S·Vᵀ is (U, S) above (Vᵀ), both without shear, and
 * exact. False when memory runs out. */
bool split_shear(raw_model *raw);

#endif
