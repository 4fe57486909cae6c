// Scene light to display light (linear, 0..1). The curve is the fit to the ACES reference and output transforms by
// Stephen Hill (BakingLab, MIT licence), which keeps hues soft where light is strong. Divided by 0.6, so that middle grey
// stays middle grey at an exposure of 1.
vec3 tone_map(vec3 scene) {
  const mat3 to_curve = mat3(0.59719, 0.07600, 0.02840, 0.35458, 0.90834, 0.13383, 0.04823, 0.01566, 0.83777);
  const mat3 to_display = mat3(1.60475, -0.10208, -0.00327, -0.53108, 1.10813, -0.07276, -0.07367, -0.00605, 1.07602);
  vec3 v = to_curve * (scene / 0.6);
  v = (v * (v + 0.0245786) - 0.000090537) / (v * (0.983729 * v + 0.4329510) + 0.238081);
  return clamp(to_display * v, 0.0, 1.0);
}

// What a pixel of the scene holds. With ENCODE the framebuffer stores it as it is, else it encodes to sRGB itself. The
// encoding is Chilliant's fit with square roots ("sRGB approximations for HLSL", 2012), within half a step of 8 bits.
vec3 to_scene(vec3 linear) {
#if ENCODE
  vec3 a = sqrt(linear), b = sqrt(a), c = sqrt(b);
  return clamp(0.662002687 * a + 0.684122060 * b - 0.323583601 * c - 0.0225411470 * linear, 0.0, 1.0);
#else
  return linear;
#endif
}

vec3 display(vec3 scene) { return to_scene(tone_map(scene)); }

// A display colour with up to half a step of 8 bits added or taken away, evenly spread over neighbouring pixels, so that
// soft gradients show no bands: interleaved gradient noise (Jimenez 2014, "Next generation post processing in Call of
// Duty").
vec3 dithered(vec3 shown) {
  float noise = fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715)))) - 0.5;
#if ENCODE
  return shown + noise / 255.0;
#else
  return shown + noise / 255.0 * 2.2 * sqrt(shown);  // a step of the encoding, where it is about a power of 2.2
#endif
}
