/* collada_curves – the curves of a Collada file that bend or jump between keys, as keys so close that straight lines
 * do. Assimp reads times and values and forgets what lies between. */
#ifndef SINEW_IMPORT_COLLADA_CURVES_H
#define SINEW_IMPORT_COLLADA_CURVES_H

#include "import/raw/raw.h"

/* The text with every sampler of BEZIER, HERMITE or STEP segments replaced (COLLADA 1.4.1, "Curve interpolation"), in
 * raw memory with a zero behind it; the text itself where there is none. Bent curves that stay straight, since they
 * come without tangents or are of another kind, are counted in raw->straight_curves. False when memory runs out. */
bool collada_curves(raw_model *raw, const unsigned char **text, size_t *size);

#endif
