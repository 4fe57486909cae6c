// The sky as a function of the direction: a soft horizon, the sky's colour above, the ground's haze below.
// The colours stand to the ambient light as a clear sky's do: brighter and paler at the horizon, deeper above.
vec3 horizon_color() {
  float light = dot(sky.rgb, vec3(0.2126, 0.7152, 0.0722));
  return mix(sky.rgb, light * vec3(1.12, 1.0, 0.88), 0.45) * 1.5;
}

// What fog leaves of light that came `range` metres through it; the rest is the horizon's.
vec3 in_fog(vec3 light, float range) { return mix(horizon_color(), light, exp2(-1.442695 * fog.x * range)); }

// Fog lies in a layer of this many metres, so it is the thinner the steeper one looks up.
const float fog_height = 60.0;

vec3 sky_color(vec3 direction) {
  vec3 zenith = sky.rgb * sky.rgb / max(max(sky.r, max(sky.g, sky.b)), 1e-4) * 1.15;
  float up = clamp(direction.y, 0.0, 1.0);
  vec3 clear = mix(horizon_color(), zenith, 1.0 - exp2(-6.5 * up));
  return in_fog(clear, fog_height / max(up, 0.01));
}

// What a rough mirror sees: the sky above, the lit ground below, mixed over a wider angle the rougher it is.
vec3 sky_reflection(vec3 direction, float roughness) {
  float soft = 0.08 + 0.9 * roughness;
  float above = smoothstep(-soft, soft, direction.y);
  return mix(ground.rgb, mix(sky_color(direction), sky.rgb, roughness), above);
}
