#include "scene/scene.h" /* breach: scene stands on lua */
