/* texels – pictures as 8-bit RGBA in memory. */
#ifndef SINEW_MODEL_TEXELS_H
#define SINEW_MODEL_TEXELS_H

#include <sinew/base.h>

/* The length of an edge after so many halvings, at least 1. */
int texels_edge(int length, int halvings);

/* Averages 2 × 2 texels in place; an odd edge drops its last row or column. */
void texels_halve(uint8_t *texels, int *width, int *height);

#endif
