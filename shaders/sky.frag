#include "include/frame.glsl"
#include "include/sky.glsl"
#include "include/tone.glsl"

in vec3 v_ray;

out vec4 color;

void main() {
  vec3 direction = normalize(v_ray);
  // Powers by squaring: pow() is what a software rasteriser does slowest.
  float glow = max(dot(direction, sun.xyz), 0.0);
  float glow2 = glow * glow, glow4 = glow2 * glow2, glow8 = glow4 * glow4, glow16 = glow8 * glow8;
  float glow64 = glow16 * glow16 * glow16 * glow16;
  vec3 light = sky_color(direction) + sun_color.rgb * (0.05 * glow8 + 0.08 * glow64);
  color = vec4(dithered(display(light * camera.w)), 1.0);
}
