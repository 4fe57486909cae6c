#include "include/frame.glsl"
#include "include/sky.glsl"
#include "include/shadow.glsl"
#include "include/shade.glsl"
#include "include/material_uv.glsl"

in vec3 v_world;
in vec3 v_normal;
in vec4 v_tangent;
in vec4 v_color;  // × the tint's
in float v_opacity;

uniform sampler2D u_base_color_image;
uniform sampler2D u_normal_image;
uniform sampler2D u_mr_image;
uniform sampler2D u_emissive_image;
uniform sampler2D u_occlusion_image;
uniform sampler2D u_clearcoat_image;
uniform sampler2D u_clearcoat_roughness_image;
uniform sampler2D u_sheen_color_image;
uniform sampler2D u_sheen_roughness_image;
uniform vec4 u_color;     // base colour
uniform vec4 u_emissive;  // w: 1 where unlit, 2 where the tint is the colour
uniform vec4 u_surface;   // metallic, roughness, alpha cutoff (0: none), alpha: 0 says where it is, 1 its coverage, 2 blends
uniform vec4 u_layers;    // normal scale, occlusion strength (0: none), clearcoat and its roughness
uniform vec4 u_sheen;     // colour, roughness
uniform sampler2D u_clearcoat_normal_image;
uniform float u_clearcoat_normal_scale;
// 0 without a normal map, 1 with the mesh's tangents, 2 with derivatives; 1: has MR image; 1: has clearcoat, 2: with a
// normal map of its own; 1: has sheen
uniform ivec4 u_maps;

out vec4 color;

// Without tangents: Schüler's frame from derivatives (ShaderX 5, "Normal mapping without precomputed tangents").
vec3 normal_by_derivatives(vec3 n, vec3 mapped, vec2 uv) {
  vec3 px = dFdx(v_world), py = dFdy(v_world);
  vec2 ux = dFdx(uv), uy = dFdy(uv);
  vec3 a = cross(py, n), b = cross(n, px);
  vec3 t = a * ux.x + b * uy.x, s = a * ux.y + b * uy.y;
  float longest = max(dot(t, t), dot(s, s));
  if (longest <= 0.0) return n;
  // v goes down in the image and the map's green goes up
  return normalize(mat3(t * inversesqrt(longest), -s * inversesqrt(longest), n) * mapped);
}

vec3 mapped_normal(vec3 n, vec3 mapped) {
  if (u_maps.x != 1) return normal_by_derivatives(n, mapped, uv_of(NORMAL));
  vec3 t = normalize(v_tangent.xyz - n * dot(n, v_tangent.xyz));
  return normalize(mat3(t, cross(n, t) * v_tangent.w, n) * mapped);
}

float coverage(float alpha) {
  if (u_surface.w == 1.0)  // alpha to coverage, sharpened to one pixel
    return clamp((alpha - u_surface.z) / max(fwidth(alpha), 1e-4) + 0.5, 0.0, 1.0);
  if (alpha < u_surface.z) discard;
  return u_surface.w == 2.0 ? alpha : 1.0;
}

// Only where light comes from all around. A loop that does not begin is what a software rasteriser skips.
float open_sky(vec3 n) {
  // Near the ground less light comes from below.
  float open = mix(mix(0.45, 1.0, clamp(v_world.y * 1.5, 0.0, 1.0)), 1.0, clamp(0.5 + n.y, 0.0, 1.0));
  for (int i = 0; i < int(u_layers.y > 0.0); i++)
    open *= 1.0 + u_layers.y * (texture(u_occlusion_image, uv_of(OCCLUSION)).r - 1.0);
  return open;
}

// KHR_materials_clearcoat: a second lobe of a dielectric over everything else, which gets what that lets through.
vec3 with_clearcoat(vec3 light, Surface s, vec3 n, float sunlit, float open) {
  for (int i = 1; i < u_maps.z; i++) {
    vec3 mapped = texture(u_clearcoat_normal_image, uv_of(CLEARCOAT_NORMAL)).xyz * 2.0 - 1.0;
    n = normal_by_derivatives(n, mapped * vec3(vec2(u_clearcoat_normal_scale), 1.0), uv_of(CLEARCOAT_NORMAL));
  }
  float coat = u_layers.z * texture(u_clearcoat_image, uv_of(CLEARCOAT)).r;
  float roughness = u_layers.w * texture(u_clearcoat_roughness_image, uv_of(CLEARCOAT_ROUGHNESS)).g;
  Surface lacquer = Surface(n, s.view, vec3(0.0), 0.0, clamp(roughness, 0.06, 1.0));
  float away = 1.0 - clamp(dot(n, s.view), 0.0, 1.0), away2 = away * away;
  float fresnel = 0.04 + 0.96 * away2 * away2 * away;
  return light * (1.0 - coat * fresnel) + coat * (sun_light(lacquer) * sunlit + sky_light(lacquer, open));
}

// KHR_materials_sheen: the light that fibres scatter lies over the rest, which is dimmed by as much.
vec3 with_sheen(vec3 light, Surface s, float sunlit, float open) {
  vec3 tint = u_sheen.rgb * texture(u_sheen_color_image, uv_of(SHEEN_COLOR)).rgb;
  float roughness = clamp(u_sheen.w * texture(u_sheen_roughness_image, uv_of(SHEEN_ROUGHNESS)).a, 0.07, 1.0);
  float taken = max(tint.r, max(tint.g, tint.b)) * sheen_albedo(s, roughness);
  vec3 around = ambient_light(s.normal) * sheen_albedo(s, roughness) * open;
  return light * (1.0 - taken) + tint * (sheen_sun(s, roughness) * sunlit + around);
}

void main() {
  vec4 base = texture(u_base_color_image, uv_of(BASE_COLOR)) * v_color * u_color;
  float alpha = coverage(base.a) * v_opacity;
  if (u_emissive.w > 1.0) base.rgb = v_color.rgb;
  Surface s;
  vec3 facing = gl_FrontFacing ? v_normal : -v_normal;
  vec3 n = dot(facing, facing) > 0.0 ? normalize(facing) : normalize(cross(dFdx(v_world), dFdy(v_world)));
  vec3 slopes = vec3(u_layers.xx, 1.0);
  s.normal = u_maps.x == 0 ? n : mapped_normal(n, (texture(u_normal_image, uv_of(NORMAL)).xyz * 2.0 - 1.0) * slopes);
  s.view = normalize(camera.xyz - v_world);
  s.base_color = base.rgb;
  vec4 mr = u_maps.y == 0 ? vec4(1.0) : texture(u_mr_image, uv_of(METALLIC_ROUGHNESS));
  s.metallic = u_surface.x * mr.b;
  s.roughness = clamp(u_surface.y * mr.g, 0.06, 1.0);
  vec3 light = u_emissive.rgb * texture(u_emissive_image, uv_of(EMISSIVE)).rgb;
  float slope = 1.0 - clamp(dot(n, sun.xyz), 0.0, 1.0), sunlit = 0.0;
  if (dot(n, sun.xyz) > 0.0) {
    sunlit = sun_visibility(v_world, n, shadow_size.z * (0.4 + slope));
    light += sun_light(s) * sunlit;
  }
  float open = open_sky(n);
  light += sky_light(s, open);
  for (int i = 0; i < u_maps.w; i++) light = with_sheen(light, s, sunlit, open);
  for (int i = 0; i < min(u_maps.z, 1); i++) light = with_clearcoat(light, s, n, sunlit, open);
  light = in_fog(light, distance(camera.xyz, v_world));
  color = vec4(mix(light, base.rgb, min(u_emissive.w, 1.0)), alpha);
}
