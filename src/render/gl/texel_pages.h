/* texel_pages – numbers for shaders in texture buffers of RGBA32F texels. One texture buffer is guaranteed only 65,536
 * texels and cannot be bound in part, so they fill pages no larger than the GPU allows. */
#ifndef SINEW_RENDER_TEXEL_PAGES_H
#define SINEW_RENDER_TEXEL_PAGES_H

#include <sinew/base.h>

#include <glad/gl.h>

typedef struct texel_page {
  float *mapped;       /* the GPU's memory while it is being filled, else NULL */
  int count, capacity; /* texels */
  GLuint buffer, texture;
} texel_page;

typedef struct texel_pages {
  texel_page *pages;
  int count, capacity; /* pages that have ever been used; they are kept for the next frame */
  int current;         /* the page that is being filled */
  int limit;           /* texels in a page */
} texel_pages;

typedef struct texel_position {
  int page, first; /* the first texel on the page */
} texel_position;

/* Makes room for the next frame. */
void texel_pages_reset(texel_pages *pages, int limit);

/* Room for `count` neighbouring texels: memory of the GPU, to be written before the next call and never read. NULL and
 * a sentence when they are more than a page holds, or when memory runs out. */
float *texel_pages_take(texel_pages *pages, int count, texel_position *position, sinew_error *error);

/* All pages are written: hands them to the GPU. */
bool texel_pages_finish(texel_pages *pages, sinew_error *error);
/* Texels in use. */
int64_t texel_pages_total(const texel_pages *pages);
void texel_pages_bind(const texel_pages *pages, int page, int unit);
void texel_pages_release(texel_pages *pages);

#endif
