#include "include/frame.glsl"
#include "include/sky.glsl"
#include "include/shadow.glsl"

in vec3 v_world;

uniform sampler2D u_contact;
uniform float u_reach;
uniform vec4 u_grid;  // spacing of lines; and how strong they and those of ten times the spacing are

out vec4 color;

// Lines of a pixel at whole multiples of `spacing`; where they would lie closer than a few pixels they fade instead of
// flickering (after Golus, "The best darn grid shader (yet)", 2023).
float grid(vec2 at, float spacing) {
  vec2 uv = at / spacing, pixel = max(fwidth(uv), 1e-6);
  vec2 away = abs(fract(uv - 0.5) - 0.5);
  vec2 on = (1.0 - smoothstep(0.1 * pixel, 1.0 * pixel, away)) * (1.0 - smoothstep(0.08, 0.35, pixel));
  return on.x + on.y - on.x * on.y;
}

void main() {
  vec3 to_camera = camera.xyz - v_world;
  float range = length(to_camera);
  float lines = u_grid.y * grid(v_world.xz, u_grid.x) + u_grid.z * grid(v_world.xz, 10.0 * u_grid.x);
  vec3 base = mix(vec3(0.30, 0.285, 0.26), vec3(0.13, 0.125, 0.12), 0.5 * lines);
  float occluded = 0.0;
  if (contact.w > 0.5) {
    vec2 at = (v_world.xz - contact.xy) * contact.z;
    occluded = texture(u_contact, at).r * shadow_share(v_world);
  }
  float lit = sun_visibility(v_world, vec3(0.0), 0.0);
  vec3 light = base * (sun_color.rgb * max(sun.y, 0.0) / 3.14159265 * lit * (1.0 - 0.35 * occluded) +
                       ambient_light(vec3(0.0, 1.0, 0.0)) * (1.0 - 0.75 * occluded));
  light = in_fog(light, range);
  // The horizon's haze, denser the farther and the flatter one looks.
  float haze = 1.0 - exp2(-pow(range / (0.22 * u_reach), 1.6));
  light = mix(light, horizon.rgb, clamp(haze, 0.0, 1.0));
  color = vec4(light, 1.0);
}
