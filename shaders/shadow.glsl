// How much of the sun arrives: 0..1. SHADOW_TAPS is 9 on a software rasteriser; each tap is filtered by the hardware.
uniform sampler2DShadow u_shadow;

#if SHADOW_TAPS > 9
const int tap_count = 16;
const vec2 taps[16] = vec2[16](
  // Vogel's spiral: √((i + ½)/16) at i times the golden angle
  vec2(0.1768, 0.0000), vec2(-0.2258, 0.2068), vec2(0.0345, -0.3937), vec2(0.2846, 0.3711),
  vec2(-0.5222, -0.0924), vec2(0.4949, -0.3143), vec2(-0.1637, 0.6157), vec2(-0.3150, -0.6077),
  vec2(0.6847, 0.2500), vec2(-0.7121, 0.2940), vec2(0.3427, -0.7337), vec2(0.2531, 0.8090),
  vec2(-0.7643, -0.4431), vec2(0.8963, -0.1966), vec2(-0.5470, 0.7789), vec2(-0.1259, -0.9761));
#else
const int tap_count = 9;
const vec2 taps[9] = vec2[9](
  vec2(0.0, 0.0), vec2(0.7, 0.0), vec2(-0.7, 0.0), vec2(0.0, 0.7), vec2(0.0, -0.7),
  vec2(0.65, 0.65), vec2(-0.65, 0.65), vec2(0.65, -0.65), vec2(-0.65, -0.65));
#endif

float sun_visibility(vec3 world, vec3 normal, float offset) {
  if (shadow_size.w < 0.5) return 1.0;
  vec3 at = (shadow_matrix * vec4(world + normal * offset, 1.0)).xyz;
  // One half of the picture is far from every caster.
  if (any(lessThan(at.xy, vec2(0.0))) || any(greaterThan(at.xy, vec2(1.0)))) return 1.0;
  at.z = clamp(at.z, 0.0, 1.0);
  float sum = 0.0;
  for (int i = 0; i < tap_count; i++) sum += texture(u_shadow, vec3(at.xy + taps[i] * shadow_size.y, at.z));
  return sum / float(tap_count);
}
