#include "host/capture/picture.h"

#include "base/error.h"
#include "base/memory/memory.h"

#include <math.h>
#include <string.h>

bool picture_create(picture *p, int width, int height, sinew_error *error) {
  enum { LONGEST = 32768 };
  *p = (picture){0};
  if (width < 1 || height < 1 || width > LONGEST || height > LONGEST)
    return error_set(error, "a picture of %d x %d pixels: each side must be in 1 .. %d", width, height, LONGEST);
  size_t bytes = (size_t)width * (size_t)height * 4;
  p->rgba = mem_alloc_zeroed(bytes);
  if (!p->rgba) return error_memory(error, "a picture", bytes);
  p->width = width;
  p->height = height;
  return true;
}

void picture_release(picture *p) {
  mem_free(p->rgba);
  *p = (picture){0};
}

/* ---- scale ---- */

/* The pixels first .. last of a row (or column) that pixel `index` of `to` covers; the ends count in part. */
typedef struct span {
  int first, last;
  double first_part, last_part;
} span;

static span covered(int index, int from, int to) {
  double scale = (double)from / to, begin = index * scale, end = begin + scale;
  span s = {.first = (int)begin, .last = (int)ceil(end) - 1};
  if (s.last >= from) s.last = from - 1;
  if (s.last < s.first) s.last = s.first;
  s.first_part = (s.first + 1 < end ? s.first + 1 : end) - begin;
  s.last_part = end - s.last;
  return s;
}

static double part_of(const span *s, int index) {
  return index == s->first ? s->first_part : index == s->last ? s->last_part : 1;
}

static void mean(const picture *from, const span *across, const span *down, uint8_t *out) {
  double sum[4] = {0}, area = 0;
  for (int y = down->first; y <= down->last; y++) {
    const uint8_t *row = from->rgba + (size_t)y * (size_t)from->width * 4;
    for (int x = across->first; x <= across->last; x++) {
      double part = part_of(across, x) * part_of(down, y);
      for (int c = 0; c < 4; c++) sum[c] += part * row[x * 4 + c];
      area += part;
    }
  }
  for (int c = 0; c < 4; c++) out[c] = (uint8_t)lround(sum[c] / area);
}

void picture_scale(const picture *from, picture *to) {
  if (from->width == to->width && from->height == to->height) {
    memcpy(to->rgba, from->rgba, (size_t)to->width * (size_t)to->height * 4);
    return;
  }
  for (int y = 0; y < to->height; y++) {
    span down = covered(y, from->height, to->height);
    for (int x = 0; x < to->width; x++) {
      span across = covered(x, from->width, to->width);
      mean(from, &across, &down, to->rgba + ((size_t)y * (size_t)to->width + (size_t)x) * 4);
    }
  }
}

void picture_paste(const picture *from, picture *to, int x, int y) {
  int left = x < 0 ? -x : 0, top = y < 0 ? -y : 0;
  int right = x + from->width > to->width ? to->width - x : from->width;
  int bottom = y + from->height > to->height ? to->height - y : from->height;
  if (right <= left) return;
  for (int row = top; row < bottom; row++)
    memcpy(to->rgba + ((size_t)(y + row) * (size_t)to->width + (size_t)(x + left)) * 4,
           from->rgba + ((size_t)row * (size_t)from->width + (size_t)left) * 4, (size_t)(right - left) * 4);
}

/* ---- contact sheet ---- */

static int limited(int value, int low, int high) { return value < low ? low : value > high ? high : value; }

sheet_layout sheet_plan(int count, int picture_width, int picture_height) {
  enum { CELL_WIDTH = 480, LARGEST = 8192, GAP = 4 };
  double aspect = (double)picture_width / picture_height;
  int columns = limited((int)ceil(sqrt(count * (16.0 / 9) / aspect)), 1, count);
  int rows = (count + columns - 1) / columns;
  int across = (LARGEST - GAP) / columns - GAP, down = (LARGEST - GAP) / rows - GAP;
  int width = limited(picture_width, 1, limited(CELL_WIDTH, 1, limited(across, 1, LARGEST)));
  if (width / aspect > down) width = limited((int)(down * aspect), 1, LARGEST);
  int height = limited((int)lround(width / aspect), 1, limited(down, 1, LARGEST));
  return (sheet_layout){.columns = columns,
                        .rows = rows,
                        .cell_width = width,
                        .cell_height = height,
                        .gap = GAP,
                        .width = columns * (width + GAP) + GAP,
                        .height = rows * (height + GAP) + GAP};
}

void sheet_cell(const sheet_layout *layout, int index, int *x, int *y) {
  *x = layout->gap + index % layout->columns * (layout->cell_width + layout->gap);
  *y = layout->gap + index / layout->columns * (layout->cell_height + layout->gap);
}
