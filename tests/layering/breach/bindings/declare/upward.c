#include "declare/field.h"
#include "scene/scene.h" /* breach */
