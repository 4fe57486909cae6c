/* cook_visit – names every pointer of a model once, for writing, reading and comparing alike. */
#ifndef SINEW_IMPORT_COOK_VISIT_H
#define SINEW_IMPORT_COOK_VISIT_H

#include "model/model.h"

#include <sinew/base.h>

/* The layout of structs in a cooked file: every pointer takes eight bytes, and every number is aligned to its size.
 * Compilers with eight-byte pointers use the same layout; on other machines the structs are converted in place. */

/* `alignment` 0: a pointer or a size_t. */
typedef struct layout_field {
  uint16_t at, size, alignment; /* in memory; in the file */
} layout_field;

typedef struct cook_layout {
  const char *name;
  const layout_field *fields; /* all of them, in order */
  int count;
  size_t size; /* in memory; at most that in the file */
} cook_layout;

extern const cook_layout layout_model, layout_text, layout_clip, layout_track_group, layout_skin, layout_mesh,
    layout_morph, layout_material, layout_image, layout_clip_file, layout_match, layout_curve;

/* All layouts; ends with NULL. */
extern const cook_layout *const cook_layouts[];

/* The size of one item in the file. */
size_t layout_size(const cook_layout *layout);
/* The offset of a field in the file. */
size_t layout_at(const cook_layout *layout, int field);

/* Converts from the file's layout to memory's, and back; `items` has room for the larger. A pointer too large for
 * memory becomes the largest one. */
void layout_unpack(const cook_layout *layout, void *items, size_t count);
void layout_pack(const cook_layout *layout, void *items, size_t count);

/* A number that changes whenever a struct of a cooked file changes; the same on every machine. */
uint32_t cook_layout_stamp(void);

/* The target of one pointer in the model. */
typedef struct visit_piece {
  void *field;               /* where the pointer is */
  const char *what;          /* "the vertex positions" */
  int64_t count;             /* a text: 0 */
  size_t size;               /* of one item in memory */
  const cook_layout *layout; /* of structs with pointers, or NULL */
  bool optional;             /* may be NULL even if the count is not 0 */
  bool text;                 /* a zero-terminated string; never NULL */
  bool pixels;               /* of an image: any bytes are valid, and they come last */
} visit_piece;

typedef struct model_visitor model_visitor;
struct model_visitor {
  /* Returns the address of the items with which the walk continues; NULL for none. */
  void *(*visit)(model_visitor *visitor, const visit_piece *piece);
  bool stopped; /* set by `visit`: the walk ends */
};

/* Visits every piece except the model's path, top down: a struct comes before what it points to, and the walk reads its
 * counts only after `visit` has returned. */
void model_visit(sinew_model *model, model_visitor *visitor);

/* The pointer in a piece's field. */
void *piece_pointer(const visit_piece *piece);
void piece_set_pointer(const visit_piece *piece, const void *pointer);

/* The size of one item in a file. */
size_t piece_item_size(const visit_piece *piece);

#endif
