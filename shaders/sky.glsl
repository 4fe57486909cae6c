// The sky as a function of the direction: a soft horizon, the sky's colour above, the ground's haze below.
// The colours stand to the ambient light as a clear sky's do: brighter and paler at the horizon, deeper above.
vec3 horizon_color() {
  float light = dot(sky.rgb, vec3(0.2126, 0.7152, 0.0722));
  return mix(sky.rgb, light * vec3(1.12, 1.0, 0.88), 0.45) * 1.5;
}

vec3 sky_color(vec3 direction) {
  vec3 zenith = sky.rgb * sky.rgb / max(max(sky.r, max(sky.g, sky.b)), 1e-4) * 1.15;
  float up = clamp(direction.y, 0.0, 1.0);
  return mix(horizon_color(), zenith, 1.0 - exp2(-6.5 * up));
}

// What a rough mirror sees: the sky above, the lit ground below, mixed over a wider angle the rougher it is.
vec3 sky_reflection(vec3 direction, float roughness) {
  float soft = 0.08 + 0.9 * roughness;
  float above = smoothstep(-soft, soft, direction.y);
  return mix(ground.rgb, mix(sky_color(direction), sky.rgb, roughness), above);
}
