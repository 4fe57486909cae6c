/* Reads a cooked model and cooks it again: cook_again FROM TO. A test builds it for machines with other pointers. */
#include <sinew/model.h>

#include "import/cook/cook.h"

#include <stdio.h>

int main(int argc, char **argv) {
  sinew_error error = {""};
  sinew_model *model = argc == 3 ? cook_load(argv[1], &error) : NULL;
  bool cooked = model && sinew_model_cook(model, argv[2], &error);
  if (!cooked) fprintf(stderr, "%s\n", error.message);
  sinew_model_release(model);
  return !cooked;
}
