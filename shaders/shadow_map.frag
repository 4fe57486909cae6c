#include "include/material_uv.glsl"

// CUTOUT reads the picture's alpha; without it nothing is discarded and depth can be tested early. FADED stores opacity.
in float v_height;
in float v_alpha;

uniform sampler2D u_base_color_image;
uniform float u_alpha;  // of the material
uniform float u_cutoff;

#ifdef FADED
out vec4 color;
#endif

void main() {
#if CUTOUT
  if (texture(u_base_color_image, uv_of(BASE_COLOR)).a * u_alpha < u_cutoff) discard;
#endif
#ifdef FADED
  color = vec4(v_alpha, 1.0, 0.0, 1.0);
#endif
}
