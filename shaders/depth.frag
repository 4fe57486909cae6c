#include "material_uv.glsl"

// CUTOUT reads the picture's alpha; without it nothing is discarded and depth can be tested early.
in float v_height;
in float v_alpha;

uniform sampler2D u_base_color_image;
uniform float u_alpha;  // of the material
uniform float u_cutoff;

void main() {
#if CUTOUT
  if (texture(u_base_color_image, uv_of(BASE_COLOR)).a * v_alpha * u_alpha < u_cutoff) discard;
#endif
}
