/* weld – importers write a vertex for each corner; this joins those that agree in every bit of every attribute, weight
 * and morph target (tangents, which are computed, nearly). */
#ifndef SINEW_IMPORT_WELD_H
#define SINEW_IMPORT_WELD_H

#include "import/raw/raw.h"

/* Vertices keep their order. False when memory runs out. */
bool weld_mesh(raw_model *raw, raw_mesh *mesh);

#endif
