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
