// Four taps between texels: of the next larger image, to halve it, or of the next smaller one, to widen its glow.
in vec2 v_uv;

uniform sampler2D u_image;
uniform vec4 u_step;  // one tap, in 0..1

out vec4 color;

void main() {
  color = 0.25 * (textureLod(u_image, v_uv - u_step.xy, 0.0) + textureLod(u_image, v_uv + u_step.xy, 0.0) +
                  textureLod(u_image, v_uv + vec2(u_step.x, -u_step.y), 0.0) +
                  textureLod(u_image, v_uv + vec2(-u_step.x, u_step.y), 0.0));
}
