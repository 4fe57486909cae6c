#include "include/frame.glsl"

in vec3 v_world;
in vec3 v_normal;
in vec4 v_value;

uniform int u_view;  // as sinew_surface

out vec4 color;

// Dark blue, blue, green, yellow, red.
vec3 heat(float value) {
  float t = clamp(value, 0.0, 1.0) * 4.0;
  vec3 low = mix(vec3(0.02, 0.03, 0.12), vec3(0.05, 0.20, 0.85), clamp(t, 0.0, 1.0));
  vec3 middle = mix(vec3(0.10, 0.75, 0.25), vec3(0.95, 0.80, 0.08), clamp(t - 2.0, 0.0, 1.0));
  vec3 warm = mix(low, middle, clamp(t - 1.0, 0.0, 1.0));
  return mix(warm, vec3(0.90, 0.06, 0.03), clamp(t - 3.0, 0.0, 1.0));
}

void main() {
  vec3 n = gl_FrontFacing ? v_normal : -v_normal;
  n = dot(n, n) > 0.0 ? normalize(n) : normalize(cross(dFdx(v_world), dFdy(v_world)));
  // A lamp at the camera, so that the form stays visible.
  float lit = 0.45 + 0.55 * abs(dot(n, normalize(camera.xyz - v_world)));
  vec3 shown = v_value.rgb;
  if (u_view == 1) {
    shown = 0.5 + 0.5 * n;
    shown *= shown;  // about what the display's encoding takes back
    lit = 1.0;
  }
  if (u_view == 3) shown = v_value.x < 0.0 ? vec3(0.25) : heat(v_value.x);
  if (u_view == 4) shown = heat(v_value.x * 0.25);
  color = vec4(shown * lit, 1.0);
}
