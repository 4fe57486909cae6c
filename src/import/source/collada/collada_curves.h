/* collada_curves – replaces the curves of a Collada file that bend or jump between keys by dense keys with straight
 * lines. Assimp reads times and values, and ignores the interpolation. */
#ifndef SINEW_IMPORT_COLLADA_CURVES_H
#define SINEW_IMPORT_COLLADA_CURVES_H

#include "import/raw/raw.h"

/* The text with every sampler of BEZIER, HERMITE or STEP segments replaced (COLLADA 1.4.1, "Curve interpolation"), in
 * zero-terminated raw memory; the same text if there is none. Curves that remain straight lines, because tangents are
 * missing or the kind is unknown, are counted in raw->straight_curves. False when memory runs out. */
bool collada_curves(raw_model *raw, const unsigned char **text, size_t *size);

#endif
