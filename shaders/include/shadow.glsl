// How much of the sun arrives: 0..1. SHADOW_TAPS is lower on a software rasteriser; each tap is filtered by the hardware.
uniform sampler2DShadow u_shadow;
uniform sampler2DShadow u_faded_shadow;  // of faded characters alone
uniform sampler2D u_faded_opacity;       // theirs, and how much of a texel they cover

// Shadows go out where those of things further away are left out.
float shadow_share(vec3 world) { return clamp(5.0 - 5.0 * distance(world, camera.xyz) * sun.w, 0.0, 1.0); }

// `offset` metres along the normal keep a surface from shading itself.
float sun_visibility(vec3 world, vec3 normal, float offset) {
  vec3 at = (shadow_matrix * vec4(world + normal * offset, 1.0)).xyz;
  vec2 away = abs(at.xy - 0.5);
  bool inside = shadow_size.w > 0.5 && max(away.x, away.y) < 0.5;
  // A loop that does not begin is what a software rasteriser skips; a branch around it is not.
  int count = inside ? SHADOW_TAPS : 0, faded_count = shadow_size.w > 1.5 ? count : 0;
  // Vogel's spiral: √((i + ½)/n) at i times the golden angle, each step turned from the last.
  const mat2 golden = mat2(-0.737369, 0.675490, -0.675490, -0.737369);
  vec2 direction = vec2(shadow_size.y, 0.0);
  at.z = clamp(at.z, 0.0, 1.0);
  float sum = 0.0, taken = 0.0;
  for (int i = 0; i < count; i++) {
    sum += textureLod(u_shadow, vec3(at.xy + direction * sqrt((float(i) + 0.5) / float(SHADOW_TAPS)), at.z), 0.0);
    direction = golden * direction;
  }
  for (int i = 0; i < faded_count; i++) {
    vec2 tap = at.xy + direction * sqrt((float(i) + 0.5) / float(SHADOW_TAPS));
    vec2 opacity = textureLod(u_faded_opacity, tap, 0.0).rg;
    taken += (1.0 - textureLod(u_faded_shadow, vec3(tap, at.z), 0.0)) * opacity.r / max(opacity.g, 1e-3);
    direction = golden * direction;
  }
  float lit = min(sum, float(SHADOW_TAPS) - taken) / float(SHADOW_TAPS);
  return inside ? mix(1.0, lit, shadow_share(world)) : 1.0;
}
