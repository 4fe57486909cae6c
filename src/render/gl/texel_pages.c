#include "render/gl/texel_pages.h"

#include "base/error.h"
#include "base/memory/memory.h"
#include "render/gl/gl.h"

/* Four megabytes: large enough to split few draw calls, small enough for a scene with one character. */
enum { TEXEL_BYTES = 4 * sizeof(float), PAGE_TEXELS = 1 << 18 };
enum { ROW = 1024 }; /* texels in a row of a picture, as in texels.glsl */

static GLenum target(void) { return gl_is_es() ? GL_TEXTURE_2D : GL_TEXTURE_BUFFER; }

static int rows_of(int texels) { return (texels + ROW - 1) / ROW; }

int texel_pages_limit(void) {
  GLint limit = 0;
  glGetIntegerv(gl_is_es() ? GL_MAX_TEXTURE_SIZE : GL_MAX_TEXTURE_BUFFER_SIZE, &limit);
  return gl_is_es() ? limit * ROW : limit;
}

static void upload_rows(texel_page *page) {
  glBindTexture(GL_TEXTURE_2D, page->texture);
  glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
  glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, ROW, rows_of(page->count), GL_RGBA, GL_FLOAT, page->copy);
  glBindTexture(GL_TEXTURE_2D, 0);
  page->mapped = NULL;
}

static void unmap(texel_page *page) {
  if (!page->mapped) return;
  if (gl_is_es()) {
    upload_rows(page);
    return;
  }
  glBindBuffer(GL_TEXTURE_BUFFER, page->buffer);
  /* false if the system has taken the memory away (a change of display): then one frame is wrong */
  (void)glUnmapBuffer(GL_TEXTURE_BUFFER);
  page->mapped = NULL;
}

void texel_pages_reset(texel_pages *pages, int limit) {
  for (int i = 0; i < pages->count; i++) {
    unmap(&pages->pages[i]);
    pages->pages[i].count = 0;
  }
  pages->current = 0;
  pages->limit = limit;
}

static int room(const texel_pages *pages, const texel_page *page) {
  int capacity = page->capacity < pages->limit ? page->capacity : pages->limit;
  return capacity - page->count;
}

static texel_page *next_page(texel_pages *pages, int count, sinew_error *error) {
  if (pages->current < pages->count) {
    texel_page *current = &pages->pages[pages->current];
    if (current->count == 0 || room(pages, current) >= count) return current;
    pages->current++;
  }
  if (pages->current < pages->count) return &pages->pages[pages->current];
  void *items = pages->pages;
  texel_page *page = array_grow(&items, &pages->count, &pages->capacity, sizeof *page);
  pages->pages = items;
  if (!page) error_memory(error, "palettes of a frame", sizeof *page);
  return page;
}

static void make_buffer(texel_page *page, int texels) {
  if (!page->buffer) glGenBuffers(1, &page->buffer);
  glBindBuffer(GL_TEXTURE_BUFFER, page->buffer);
  glBufferData(GL_TEXTURE_BUFFER, (GLsizeiptr)texels * TEXEL_BYTES, NULL, GL_STREAM_DRAW);
  page->capacity = texels;
  if (page->texture) return;
  glGenTextures(1, &page->texture);
  glBindTexture(GL_TEXTURE_BUFFER, page->texture);
  glTexBuffer(GL_TEXTURE_BUFFER, GL_RGBA32F, page->buffer);
  glBindTexture(GL_TEXTURE_BUFFER, 0);
}

static bool make_rows(texel_page *page, int texels) {
  float *copy = mem_resize(page->copy, (size_t)rows_of(texels) * ROW * TEXEL_BYTES);
  if (!copy) return false;
  page->copy = copy;
  page->capacity = texels;
  if (!page->texture) glGenTextures(1, &page->texture);
  glBindTexture(GL_TEXTURE_2D, page->texture);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
  glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA32F, ROW, rows_of(texels), 0, GL_RGBA, GL_FLOAT, NULL);
  glBindTexture(GL_TEXTURE_2D, 0);
  return true;
}

/* Orphans the old content, so that the driver need not wait for a GPU that still reads the last frame's. */
static bool map(texel_page *page, const texel_pages *pages, int count, sinew_error *error) {
  if (page->mapped) return true;
  if (page->capacity < count) {
    int usual = pages->limit < PAGE_TEXELS ? pages->limit : PAGE_TEXELS;
    int texels = count > usual ? count : usual;
    if (!gl_is_es()) make_buffer(page, texels);
    else if (!make_rows(page, texels)) return error_memory(error, "palettes of a frame", (size_t)texels * TEXEL_BYTES);
  }
  if (!gl_is_es()) glBindBuffer(GL_TEXTURE_BUFFER, page->buffer);
  page->mapped = gl_is_es() ? page->copy
                            : glMapBufferRange(GL_TEXTURE_BUFFER, 0, (GLsizeiptr)page->capacity * TEXEL_BYTES,
                                               GL_MAP_WRITE_BIT | GL_MAP_INVALIDATE_BUFFER_BIT);
  if (page->mapped) return true;
  page->capacity = 0; /* it is allocated again in the next frame */
  return gl_check("palettes of a frame", error) &&
         error_memory(error, "palettes of a frame", (size_t)count * TEXEL_BYTES);
}

float *texel_pages_take(texel_pages *pages, int count, texel_position *position, sinew_error *error) {
  if (count > pages->limit) {
    error_set(error,
              "%d texels of joint matrices or morph weights for one mesh are more than the %d that this GPU's "
              "textures hold",
              count, pages->limit);
    return NULL;
  }
  texel_page *page = next_page(pages, count, error);
  if (!page || !map(page, pages, count, error)) return NULL;
  *position = (texel_position){pages->current, page->count};
  page->count += count;
  return page->mapped + 4 * (size_t)position->first;
}

bool texel_pages_finish(texel_pages *pages, sinew_error *error) {
  for (int i = 0; i < pages->count; i++) unmap(&pages->pages[i]);
  if (!gl_is_es()) glBindBuffer(GL_TEXTURE_BUFFER, 0);
  return gl_check("palettes of a frame", error);
}

int64_t texel_pages_total(const texel_pages *pages) {
  int64_t total = 0;
  for (int i = 0; i < pages->count; i++) total += pages->pages[i].count;
  return total;
}

void texel_pages_bind(const texel_pages *pages, int page, int unit) {
  glActiveTexture(GL_TEXTURE0 + (GLenum)unit);
  glBindTexture(target(), page < pages->count ? pages->pages[page].texture : 0);
}

void texel_pages_release(texel_pages *pages) {
  for (int i = 0; i < pages->count; i++) {
    glDeleteTextures(1, &pages->pages[i].texture);
    glDeleteBuffers(1, &pages->pages[i].buffer);
    mem_free(pages->pages[i].copy);
  }
  mem_free(pages->pages);
  *pages = (texel_pages){0};
}
