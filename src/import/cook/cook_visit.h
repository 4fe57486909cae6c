/* cook_visit – names every pointer of a model once, for writing, reading and comparing alike. */
#ifndef SINEW_IMPORT_COOK_VISIT_H
#define SINEW_IMPORT_COOK_VISIT_H

#include "import/cook/cook_layout.h"
#include "model/model.h"

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
