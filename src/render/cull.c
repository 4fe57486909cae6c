#include "render/cull.h"

#include <math.h>

frustum frustum_of(const sinew_mat4 *view_projection) {
  const float *m = view_projection->m;
  frustum view;
  for (int i = 0; i < 6; i++)
    for (int k = 0; k < 4; k++) view.planes[i][k] = m[4 * k + 3] + (i % 2 ? -1.0f : 1.0f) * m[4 * k + i / 2];
  return view;
}

bool frustum_sees(const frustum *view, const bounds_box *box) {
  if (bounds_is_empty(box)) return false;
  for (int i = 0; i < 6; i++) {
    const float *p = view->planes[i];
    /* The corner that is farthest inside. */
    float x = p[0] > 0.0f ? box->maximum.x : box->minimum.x, y = p[1] > 0.0f ? box->maximum.y : box->minimum.y,
          z = p[2] > 0.0f ? box->maximum.z : box->minimum.z;
    if (p[0] * x + p[1] * y + p[2] * z + p[3] < 0.0f) return false;
  }
  return true;
}

bounds_box bounds_with_shadow(const bounds_box *box, const float sun[3], float reach) {
  bounds_box grown = *box;
  float x = -reach * sun[0], y = -reach * sun[1], z = -reach * sun[2];
  grown.minimum.x += fminf(x, 0.0f), grown.maximum.x += fmaxf(x, 0.0f);
  grown.minimum.y += fminf(y, 0.0f), grown.maximum.y += fmaxf(y, 0.0f);
  grown.minimum.z += fminf(z, 0.0f), grown.maximum.z += fmaxf(z, 0.0f);
  return grown;
}

float shadow_reach(const bounds_box *box, const float sun[3]) {
  if (bounds_is_empty(box)) return 0.0f;
  return fmaxf(bounds_diagonal(box), fmaxf(box->maximum.y, 0.0f) / fmaxf(sun[1], 0.05f));
}
