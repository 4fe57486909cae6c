#include "frame.glsl"
#include "sky.glsl"
#include "tone.glsl"

in vec2 v_uv;

out vec4 color;

void main() {
  vec4 far = inverse_view_projection * vec4(v_uv * 2.0 - 1.0, 1.0, 1.0);
  vec3 direction = normalize(far.xyz / far.w - camera.xyz);
  float glow = max(dot(direction, sun.xyz), 0.0);
  vec3 light = sky_color(direction) + sun_color.rgb * (0.05 * pow(glow, 8.0) + 0.08 * pow(glow, 64.0));
  color = vec4(tone_map(light * camera.w), 1.0);
}
