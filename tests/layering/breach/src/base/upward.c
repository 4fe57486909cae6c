#include "base/error.h"
#include "pose/sample.h" /* breach: a floor above */
