#include "model/texels.h"

int texels_edge(int length, int halvings) { return length >> halvings > 1 ? length >> halvings : 1; }

void texels_halve(uint8_t *texels, int *width, int *height) {
  int w = texels_edge(*width, 1), h = texels_edge(*height, 1);
  size_t step_x = *width > 1 ? 4 : 0, step_y = *height > 1 ? 4 * (size_t)*width : 0;
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++)
      for (int c = 0; c < 4; c++) {
        const uint8_t *from = texels + (size_t)y * 2 * step_y + (size_t)x * 2 * step_x + c;
        int sum = from[0] + from[step_x] + from[step_y] + from[step_x + step_y];
        texels[((size_t)y * (size_t)w + (size_t)x) * 4 + (size_t)c] = (uint8_t)((sum + 2) / 4);
      }
  *width = w;
  *height = h;
}
