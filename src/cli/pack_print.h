#ifndef SINEW_CLI_PACK_PRINT_H
#define SINEW_CLI_PACK_PRINT_H

#include "cli/pack.h"

void pack_print(const pack *p, const char *folder, bool json);

#endif
