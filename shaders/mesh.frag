#include "frame.glsl"
#include "sky.glsl"
#include "shadow.glsl"
#include "shade.glsl"
#include "tone.glsl"

in vec3 v_world;
in vec3 v_normal;
in vec4 v_tangent;
in vec2 v_uv;
in vec4 v_color;  // × tint

uniform sampler2D u_base_color_image;
uniform sampler2D u_normal_image;
uniform sampler2D u_mr_image;
uniform sampler2D u_emissive_image;
uniform vec4 u_color;     // base colour
uniform vec4 u_emissive;
uniform vec4 u_surface;   // metallic, roughness, alpha cutoff (0: none), 1 with alpha to coverage
uniform ivec2 u_maps;  // 0 without a normal map, 1 with the mesh's tangents, 2 with derivatives; 1: has MR image

out vec4 color;

// Without tangents: Schüler's frame from derivatives (ShaderX 5, "Normal mapping without precomputed tangents").
vec3 mapped_normal(vec3 n, vec3 mapped) {
  if (u_maps.x == 1) {
    vec3 t = normalize(v_tangent.xyz - n * dot(n, v_tangent.xyz));
    return normalize(mat3(t, cross(n, t) * v_tangent.w, n) * mapped);
  }
  vec3 px = dFdx(v_world), py = dFdy(v_world);
  vec2 ux = dFdx(v_uv), uy = dFdy(v_uv);
  vec3 a = cross(py, n), b = cross(n, px);
  vec3 t = a * ux.x + b * uy.x, s = a * ux.y + b * uy.y;
  float longest = max(dot(t, t), dot(s, s));
  if (longest <= 0.0) return n;
  // v goes down in the image and the map's green goes up
  return normalize(mat3(t * inversesqrt(longest), -s * inversesqrt(longest), n) * mapped);
}

float coverage(float alpha) {
  if (u_surface.w > 0.5)  // alpha to coverage, sharpened to one pixel
    return clamp((alpha - u_surface.z) / max(fwidth(alpha), 1e-4) + 0.5, 0.0, 1.0);
  if (alpha < u_surface.z) discard;
  return alpha;
}

void main() {
  vec4 base = texture(u_base_color_image, v_uv) * v_color * u_color;
  float alpha = coverage(base.a);
  Surface s;
  vec3 facing = gl_FrontFacing ? v_normal : -v_normal;
  vec3 n = dot(facing, facing) > 0.0 ? normalize(facing) : normalize(cross(dFdx(v_world), dFdy(v_world)));
  s.normal = u_maps.x == 0 ? n : mapped_normal(n, texture(u_normal_image, v_uv).xyz * 2.0 - 1.0);
  s.view = normalize(camera.xyz - v_world);
  s.base_color = base.rgb;
  vec4 mr = u_maps.y == 0 ? vec4(1.0) : texture(u_mr_image, v_uv);
  s.metallic = u_surface.x * mr.b;
  s.roughness = clamp(u_surface.y * mr.g, 0.06, 1.0);
  vec3 light = u_emissive.rgb * texture(u_emissive_image, v_uv).rgb;
  float slope = 1.0 - clamp(dot(n, sun.xyz), 0.0, 1.0);
  if (dot(n, sun.xyz) > 0.0)
    light += sun_light(s) * sun_visibility(v_world, n, shadow_size.z * (0.4 + slope));
  // Near the ground less light comes from below.
  float open = mix(mix(0.45, 1.0, clamp(v_world.y * 1.5, 0.0, 1.0)), 1.0, clamp(0.5 + n.y, 0.0, 1.0));
  light += sky_light(s, open);
  light = in_fog(light, distance(camera.xyz, v_world));
  color = vec4(display(light * camera.w), alpha);
}
