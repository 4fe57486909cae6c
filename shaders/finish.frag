// The picture of the scene's light. Alpha is how much of a pixel is light: the rest (lines, debug views, unlit surfaces)
// is a colour that is shown as it is.
#include "include/frame.glsl"
#include "include/tone.glsl"

in vec2 v_uv;

uniform sampler2D u_image;
uniform sampler2D u_glow;

out vec4 color;

void main() {
  vec4 here = texelFetch(u_image, ivec2(gl_FragCoord.xy), 0);
  vec3 shown = tone_map(here.rgb * camera.w + textureLod(u_glow, v_uv, 0.0).rgb);
  color = vec4(dithered(encoded(mix(here.rgb, shown, here.a))), 1.0);
}
