// Softens stairs along edges in a finished picture: FXAA, the short form (Lottes 2009). For rasterisers that are too slow
// for more samples.
in vec2 v_uv;

uniform sampler2D u_image;
uniform vec4 u_step;  // one pixel, in 0..1

out vec4 color;

float luma(vec3 c) { return dot(c, vec3(0.299, 0.587, 0.114)); }

void main() {
  ivec2 at = ivec2(gl_FragCoord.xy), last = textureSize(u_image, 0) - 1;
  vec3 here = texelFetch(u_image, at, 0).rgb;
  float m = luma(here);
  float nw = luma(texelFetch(u_image, max(at - 1, ivec2(0)), 0).rgb);
  float se = luma(texelFetch(u_image, min(at + 1, last), 0).rgb);
  float ne = luma(texelFetch(u_image, ivec2(min(at.x + 1, last.x), max(at.y - 1, 0)), 0).rgb);
  float sw = luma(texelFetch(u_image, ivec2(max(at.x - 1, 0), min(at.y + 1, last.y)), 0).rgb);
  float low = min(m, min(min(nw, ne), min(sw, se))), high = max(m, max(max(nw, ne), max(sw, se)));
  // A loop that does not begin is what a software rasteriser skips; a branch is not.
  int edges = high - low > max(0.04, high * 0.1) ? 1 : 0;
  vec3 result = here;
  for (int i = 0; i < edges; i++) {
    vec2 along = vec2(sw + se - nw - ne, nw + sw - ne - se);
    float reduce = max((nw + ne + sw + se) * 0.03125, 0.0078125);
    along = clamp(along / (min(abs(along.x), abs(along.y)) + reduce), -8.0, 8.0) * u_step.xy;
    vec3 near = 0.5 * (textureLod(u_image, v_uv - along / 6.0, 0.0).rgb +
                       textureLod(u_image, v_uv + along / 6.0, 0.0).rgb);
    vec3 wide = 0.5 * near + 0.25 * (textureLod(u_image, v_uv - along * 0.5, 0.0).rgb +
                                     textureLod(u_image, v_uv + along * 0.5, 0.0).rgb);
    float l = luma(wide);
    result = l < low || l > high ? near : wide;
  }
  color = vec4(result, 1.0);
}
