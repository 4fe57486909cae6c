// A Gaussian along one axis: nine taps, as five between texels.
in vec2 v_uv;

uniform sampler2D u_image;
uniform vec4 u_step;  // one tap, in 0..1

out vec4 color;

void main() {
  float sum = 0.227 * texture(u_image, v_uv).r;
  for (int i = 0; i < 2; i++) {
    vec2 offset = u_step.xy * (i == 0 ? 1.385 : 3.231);
    sum += (i == 0 ? 0.316 : 0.0703) * (texture(u_image, v_uv + offset).r + texture(u_image, v_uv - offset).r);
  }
  color = vec4(sum);
}
