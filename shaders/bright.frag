// The light that a display cannot show, a quarter as large: four taps of 2 × 2 pixels.
#include "include/frame.glsl"

in vec2 v_uv;

uniform sampler2D u_image;
uniform vec4 u_step;  // one pixel, in 0..1

out vec4 color;

const float glow = 0.02;  // how much of it: each of the sizes that are added up has all of it

// Light of more than 1, without a hard edge below it; a single very bright pixel does not flash.
vec3 excess(vec2 at) {
  vec4 here = textureLod(u_image, at, 0.0);
  vec3 light = min(max(here.rgb * here.a * camera.w, 0.0), 16.0);
  float most = max(light.r, max(light.g, light.b)), over = max(most - 1.0, 0.0);
  return light * (glow * over * over / ((over + 0.5) * max(most, 1e-4)));
}

void main() {
  color = vec4(0.25 * (excess(v_uv - u_step.xy) + excess(v_uv + u_step.xy) + excess(v_uv + vec2(u_step.x, -u_step.y)) +
                       excess(v_uv + vec2(-u_step.x, u_step.y))), 1.0);
}
