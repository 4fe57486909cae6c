in float v_height;
in vec2 v_uv;

uniform sampler2D u_base_color_image;
uniform float u_alpha;   // of the material
uniform float u_cutoff;  // 0: no texture is read

void main() {
  if (u_cutoff > 0.0 && texture(u_base_color_image, v_uv).a * u_alpha < u_cutoff) discard;
}
