in vec4 v_color;
in float v_across;

uniform float u_width;

out vec4 color;

void main() {
  color = vec4(v_color.rgb, v_color.a * clamp(0.5 * u_width + 0.5 - abs(v_across), 0.0, 1.0));
}
