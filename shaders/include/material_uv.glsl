// Where a picture of the material is looked up; src/render/gpu_model.c fills u_uv, in the order of sinew_texture_role.
uniform vec4 u_uv[20];  // two rows of the transform; then what is added, and which set of coordinates (0, 1)

in vec4 v_uv;  // both sets

const int BASE_COLOR = 0, NORMAL = 1, METALLIC_ROUGHNESS = 2, EMISSIVE = 3, OCCLUSION = 4, CLEARCOAT = 5,
          CLEARCOAT_ROUGHNESS = 6, SHEEN_COLOR = 7, SHEEN_ROUGHNESS = 8, CLEARCOAT_NORMAL = 9;

vec2 uv_of(int role) {
  vec4 rows = u_uv[2 * role], rest = u_uv[2 * role + 1];
  vec2 at = mix(v_uv.xy, v_uv.zw, rest.z);
  return vec2(dot(rows.xy, at), dot(rows.zw, at)) + rest.xy;
}
