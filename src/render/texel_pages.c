#include "render/texel_pages.h"

#include "base/array.h"
#include "base/error.h"
#include "base/memory.h"
#include "render/gl_debug.h"

enum { TEXEL_BYTES = 4 * sizeof(float) };

void texel_pages_reset(texel_pages *pages, int limit) {
  for (int i = 0; i < pages->count; i++) pages->pages[i].count = 0;
  pages->current = 0;
  pages->limit = limit;
}

static bool reserve(texel_page *page, int count, int limit, sinew_error *error) {
  if (count <= page->capacity) return true;
  int capacity = count < limit / 2 ? count * 2 : limit;
  float *grown = mem_resize(page->texels, (size_t)capacity * TEXEL_BYTES);
  if (!grown) return error_memory(error, "palettes of a frame", (size_t)capacity * TEXEL_BYTES);
  page->texels = grown;
  page->capacity = capacity;
  return true;
}

static texel_page *next_page(texel_pages *pages, int count, sinew_error *error) {
  if (pages->current < pages->count && pages->pages[pages->current].count + count > pages->limit) pages->current++;
  if (pages->current < pages->count) return &pages->pages[pages->current];
  void *items = pages->pages;
  texel_page *page = array_grow(&items, &pages->count, &pages->capacity, sizeof *page);
  pages->pages = items;
  if (!page) error_memory(error, "palettes of a frame", sizeof *page);
  return page;
}

float *texel_pages_take(texel_pages *pages, int count, texel_place *place, sinew_error *error) {
  if (count > pages->limit) {
    error_set(error,
              "%d texels of joint matrices or morph weights for one mesh are more than the %d that this GPU's "
              "texture buffers hold",
              count, pages->limit);
    return NULL;
  }
  texel_page *page = next_page(pages, count, error);
  if (!page || !reserve(page, page->count + count, pages->limit, error)) return NULL;
  *place = (texel_place){pages->current, page->count};
  page->count += count;
  return page->texels + 4 * (size_t)place->first;
}

static void make_buffer(texel_page *page) {
  glGenBuffers(1, &page->buffer);
  glGenTextures(1, &page->texture);
  glBindBuffer(GL_TEXTURE_BUFFER, page->buffer);
  glBufferData(GL_TEXTURE_BUFFER, TEXEL_BYTES, NULL, GL_STREAM_DRAW);
  glBindTexture(GL_TEXTURE_BUFFER, page->texture);
  glTexBuffer(GL_TEXTURE_BUFFER, GL_RGBA32F, page->buffer);
  glBindTexture(GL_TEXTURE_BUFFER, 0);
}

bool texel_pages_upload(texel_pages *pages, sinew_error *error) {
  for (int i = 0; i < pages->count; i++) {
    texel_page *page = &pages->pages[i];
    if (!page->buffer) make_buffer(page);
    if (page->count == 0) continue;
    /* New storage for each frame: the GPU may still read the last one's. */
    glBindBuffer(GL_TEXTURE_BUFFER, page->buffer);
    glBufferData(GL_TEXTURE_BUFFER, (GLsizeiptr)page->count * TEXEL_BYTES, page->texels, GL_STREAM_DRAW);
  }
  glBindBuffer(GL_TEXTURE_BUFFER, 0);
  return gl_check("palettes of a frame", error);
}

void texel_pages_bind(const texel_pages *pages, int page, int unit) {
  glActiveTexture(GL_TEXTURE0 + (GLenum)unit);
  glBindTexture(GL_TEXTURE_BUFFER, page < pages->count ? pages->pages[page].texture : 0);
}

void texel_pages_release(texel_pages *pages) {
  for (int i = 0; i < pages->count; i++) {
    glDeleteTextures(1, &pages->pages[i].texture);
    glDeleteBuffers(1, &pages->pages[i].buffer);
    mem_free(pages->pages[i].texels);
  }
  mem_free(pages->pages);
  *pages = (texel_pages){0};
}
