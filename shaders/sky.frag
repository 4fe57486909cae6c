#include "include/frame.glsl"
#include "include/sky.glsl"

in vec3 v_ray;

out vec4 color;

void main() {
  color = vec4(sky_color(normalize(v_ray)), 1.0);
}
