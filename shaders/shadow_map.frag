#include "include/material_uv.glsl"

// CUTOUT reads the picture's alpha; without it nothing is discarded and depth can be tested early.
in float v_height;
in float v_alpha;

uniform sampler2D u_base_color_image;
uniform float u_alpha;  // of the material
uniform float u_cutoff;

// Bayer's order of 4 × 4 texels, 0 to 15, as bits: the taps of a soft shadow average a faded character's into a grey.
float threshold(ivec2 texel) {
  ivec2 low = texel & 1, high = texel >> 1 & 1;
  return (float(4 * (2 * (low.x ^ low.y) + low.y) + 2 * (high.x ^ high.y) + high.y) + 0.5) / 16.0;
}

void main() {
#if CUTOUT
  if (v_alpha < threshold(ivec2(gl_FragCoord.xy))) discard;
  if (texture(u_base_color_image, uv_of(BASE_COLOR)).a * u_alpha < u_cutoff) discard;
#endif
}
