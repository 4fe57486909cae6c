// Scene light to display light (linear, 0..1), by one of two curves, and its encoding.

#ifndef ACES
// Khronos' PBR Neutral (2024): colours below 0.76 stay as they are, but for the 4 % that a dielectric reflects; what is
// brighter is compressed, and the more it is, the paler.
vec3 tone_map(vec3 scene) {
  const float start = 0.76, rest = 0.24;
  float least = min(scene.r, min(scene.g, scene.b));
  vec3 c = scene - (least < 0.08 ? least - 6.25 * least * least : 0.04);
  float peak = max(c.r, max(c.g, c.b));
  float shown = peak < start ? peak : 1.0 - rest * rest / (peak + rest - start);
  float pale = peak < start ? 0.0 : 1.0 - 1.0 / (0.15 * (peak - shown) + 1.0);
  return mix(c * (shown / max(peak, 1e-6)), vec3(shown), pale);
}
#else
// The fit to the ACES reference and output transforms by Stephen Hill (BakingLab, MIT licence), which bleaches strong
// light. Divided by 0.6, so that middle grey stays middle grey at an exposure of 1.
vec3 tone_map(vec3 scene) {
  const mat3 to_curve = mat3(0.59719, 0.07600, 0.02840, 0.35458, 0.90834, 0.13383, 0.04823, 0.01566, 0.83777);
  const mat3 to_display = mat3(1.60475, -0.10208, -0.00327, -0.53108, 1.10813, -0.07276, -0.07367, -0.00605, 1.07602);
  vec3 v = to_curve * (scene / 0.6);
  v = (v * (v + 0.0245786) - 0.000090537) / (v * (0.983729 * v + 0.4329510) + 0.238081);
  return to_display * v;
}
#endif

// To sRGB, above the line near black by Chilliant's fit with square roots ("sRGB approximations for HLSL", 2012), within
// half a step of 8 bits.
vec3 encoded(vec3 linear) {
  vec3 shown = clamp(linear, 0.0, 1.0), a = sqrt(shown), b = sqrt(a), c = sqrt(b);
  vec3 curve = 0.662002687 * a + 0.684122060 * b - 0.323583601 * c - 0.0225411470 * shown;
  return mix(12.92 * shown, min(curve, 1.0), step(0.0031308, shown));
}

// With up to half a step of 8 bits added or taken away, evenly spread over neighbouring pixels, so that soft gradients
// show no bands: interleaved gradient noise (Jimenez 2014, "Next generation post processing in Call of Duty").
vec3 dithered(vec3 shown) {
  return shown + (fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715)))) - 0.5) / 255.0;
}
