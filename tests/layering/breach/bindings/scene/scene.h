#include "declare/field.h"
