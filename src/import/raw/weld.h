/* weld – joins the vertices that importers write for each corner, if they agree in every bit of every attribute, weight
 * and morph target (computed tangents only approximately). */
#ifndef SINEW_IMPORT_WELD_H
#define SINEW_IMPORT_WELD_H

#include "import/raw/raw.h"

/* Vertices keep their order. False when memory runs out. */
bool weld_mesh(raw_model *raw, raw_mesh *mesh);

#endif
