// The sky as a function of the direction, as surroundings_radiance in src/render/environment.c has it; and its light.

// What fog leaves of light that came `range` metres through it; the rest is the horizon's.
vec3 in_fog(vec3 light, float range) { return mix(horizon.rgb, light, exp2(-1.442695 * fog.x * range)); }

// Fog lies in a layer of this many metres, so it is the thinner the steeper one looks up.
const float fog_height = 60.0;

vec3 sky_color(vec3 direction) {
  float up = clamp(direction.y, 0.0, 1.0);
  vec3 clear = mix(horizon.rgb, zenith.rgb, 1.0 - exp2(-zenith.w * up));
  // Powers by squaring: pow() is what a software rasteriser does slowest.
  float glow = max(dot(direction, sun.xyz), 0.0), glow2 = glow * glow, glow4 = glow2 * glow2, glow8 = glow4 * glow4;
  float glow16 = glow8 * glow8, glow64 = glow16 * glow16 * glow16 * glow16;
  return in_fog(clear + horizon.w * sun_color.rgb * (0.05 * glow8 + 0.08 * glow64), fog_height / max(up, 0.01));
}

// What a matt white surface sends back of the light from everywhere.
vec3 ambient_light(vec3 n) {
  vec3 light = ambient[0].rgb + ambient[1].rgb * n.y + ambient[2].rgb * n.z + ambient[3].rgb * n.x;
  light += ambient[4].rgb * (n.x * n.y) + ambient[5].rgb * (n.y * n.z) + ambient[6].rgb * (3.0 * n.z * n.z - 1.0);
  return max(light + ambient[7].rgb * (n.x * n.z) + ambient[8].rgb * (n.x * n.x - n.y * n.y), 0.0);
}
