/* model_print – a model for people (info.c), and for programs as JSON (model_json.c). */
#ifndef SINEW_CLI_INFO_H
#define SINEW_CLI_INFO_H

#include <sinew/sinew.h>

bool model_print_json(const sinew_model *model);

#endif
