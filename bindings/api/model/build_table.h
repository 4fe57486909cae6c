/* build_table – a Lua table as a sinew_model_def: joints, meshes, clips. */
#ifndef SINEW_BINDINGS_BUILD_TABLE_H
#define SINEW_BINDINGS_BUILD_TABLE_H

#include "core/api.h"

#include <sinew/build.h>

/* Arrays and texts of a definition live in userdata that the table at `kept` keeps alive. */
typedef struct build_reader {
  lua_State *L;
  int kept, names; /* on the stack; names: joint → its number, from 1 */
  sinew_model_def def;
} build_reader;

/* ---- lists of numbers (build_list.c): `list` is a stack index, `path` locates it in messages. All raise ---- */

void *build_keep(build_reader *r, size_t count, size_t size); /* zeroed */
const char *build_keep_text(build_reader *r, int index, const char *path);
/* The joint, counted from 0, with the name or number at `index`. */
int build_joint(const build_reader *r, int index, const char *path, const char *where);

typedef enum build_kind { BUILD_UVS, BUILD_VECTORS, BUILD_COLORS, BUILD_QUATERNIONS, BUILD_TANGENTS } build_kind;
/* { {x, y, z}, … } or { x, y, z, … }. */
const float *build_floats(build_reader *r, int list, const char *path, build_kind kind, int *count);
const double *build_times(build_reader *r, int list, const char *path, int *count);
/* { {1, 2, 3}, … } or { 1, 2, 3, … }; the result counts from 0. */
const uint32_t *build_indices(build_reader *r, int list, const char *path, int *count);

/* ---- whole definitions (build_table.c) ---- */

/* Reads the checked table at `table`. */
void build_read(build_reader *r, int table);
/* Equal for equal content. */
uint64_t build_hash(const sinew_model_def *def);

#endif
