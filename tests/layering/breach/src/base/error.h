#include <sinew/base.h>
