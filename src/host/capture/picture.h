/* picture – pixels in memory, with the functions that a contact sheet needs. */
#ifndef SINEW_HOST_PICTURE_H
#define SINEW_HOST_PICTURE_H

#include <sinew/base.h>

/* 8-bit RGBA, top row first, width × height × 4 bytes. */
typedef struct picture {
  int width, height;
  uint8_t *rgba;
} picture;

/* False and an error message if memory runs out, or a side is not in 1 .. 32,768. */
bool picture_create(picture *p, int width, int height, sinew_error *error);
void picture_release(picture *p);

/* Fills `to` with `from` scaled to its size, each pixel the mean over the area it covers. */
void picture_scale(const picture *from, picture *to);
/* Copies `from` into `to` with its top left corner at x, y; what lies outside is cut off. */
void picture_paste(const picture *from, picture *to, int x, int y);

/* Cells of one size in rows and columns, with a gap around each. */
typedef struct sheet_layout {
  int columns, rows, cell_width, cell_height, gap;
  int width, height; /* of the whole sheet */
} sheet_layout;

/* A layout for `count` cells (1 or more) of pictures of that size: cells at most 480 pixels wide, a sheet of about 16 :
 * 9, within 8,192 pixels. */
sheet_layout sheet_plan(int count, int picture_width, int picture_height);
/* The top left corner of a cell. */
void sheet_cell(const sheet_layout *layout, int index, int *x, int *y);

/* ---- writes pictures ---- */

bool png_write(const char *path, const picture *p, sinew_error *error);

#endif
