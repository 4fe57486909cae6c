/* model_print – a model for people (model_print.c), and for programs as JSON (model_json.c). */
#ifndef SINEW_CLI_MODEL_PRINT_H
#define SINEW_CLI_MODEL_PRINT_H

#include <sinew/sinew.h>

/* False when memory runs out. */
bool model_print(const sinew_model *model);
/* Its size, feet, sides and front, with the evidence for each. */
void model_print_rig(const sinew_model *model);
bool model_print_json(const sinew_model *model);

#endif
