/* texel_pages – numbers for shaders, which read them by shaders/include/texels.glsl: RGBA32F texels of a buffer
 * texture, or in OpenGL ES, which has none, of a picture. A buffer texture is guaranteed to hold only 65,536 texels and
 * cannot be bound in part, so the numbers fill pages of the size that the GPU allows. */
#ifndef SINEW_RENDER_TEXEL_PAGES_H
#define SINEW_RENDER_TEXEL_PAGES_H

#include <sinew/base.h>

#include <glad/gl.h>

typedef struct texel_page {
  float *mapped;       /* while it is being filled: the GPU's memory, or the copy; else NULL */
  float *copy;         /* of a picture */
  int count, capacity; /* texels */
  GLuint buffer, texture;
} texel_page;

typedef struct texel_pages {
  texel_page *pages;
  int count, capacity; /* pages used so far; they are kept for the next frame */
  int current;         /* the page being filled */
  int limit;           /* texels in a page */
} texel_pages;

typedef struct texel_position {
  int page, first; /* the first texel on the page */
} texel_position;

/* The most texels that a page can have here. */
int texel_pages_limit(void);

/* Makes room for the next frame. */
void texel_pages_reset(texel_pages *pages, int limit);

/* Reserves `count` adjacent texels: memory of the GPU that must be written before the next call and never read. NULL
 * and an error message if they exceed a page, or memory runs out. */
float *texel_pages_take(texel_pages *pages, int count, texel_position *position, sinew_error *error);

/* Hands all written pages to the GPU. */
bool texel_pages_finish(texel_pages *pages, sinew_error *error);
/* Texels in use. */
int64_t texel_pages_total(const texel_pages *pages);
void texel_pages_bind(const texel_pages *pages, int page, int unit);
void texel_pages_release(texel_pages *pages);

#endif
