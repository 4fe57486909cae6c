// How near the ground something is: 1 on it, fading within a hand's breadth or two.
in float v_height;
in vec4 v_uv;
in float v_alpha;

out vec4 color;

void main() {
  color = vec4(v_alpha * exp2(-9.0 * max(v_height, 0.0)));
}
