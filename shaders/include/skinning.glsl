// Skinning and morph targets: the only copy, for drawing and for reading vertices back. Indices are integers, so the
// number of joints has no limit here. Loops that do not begin are what a software rasteriser skips; branches are not.

#ifndef COMPUTE
layout(location = 0) in vec3 a_position;
layout(location = 1) in vec3 a_normal;
layout(location = 2) in vec4 a_tangent;
layout(location = 5) in uvec4 a_joints;
layout(location = 6) in uvec4 a_joints_more;
layout(location = 7) in vec4 a_weights;  // the heaviest first
layout(location = 8) in vec4 a_weights_more;
// Of an instance:
layout(location = 9) in vec4 i_transform_x;  // rows
layout(location = 10) in vec4 i_transform_y;
layout(location = 11) in vec4 i_transform_z;
layout(location = 12) in vec4 i_tint;
layout(location = 13) in ivec4 i_places;  // first texel of palette and of morph list, targets, -1 if mirrored else 1
int vertex_number() { return gl_VertexID; }
#endif

#include "include/texels.glsl"

uniform texels u_palette;     // a joint is three texels, rows of a matrix; or the four of a sinew_dual_quat
uniform texels u_morph_list;  // weight, number of the target
uniform sampler2D u_morphs;   // 2 texels for each vertex of each target: position, normal
uniform int u_influences;     // 1, 4 or 8; 0: the vertices are skinned already
uniform int u_dual;           // 1: by dual quaternions
uniform int u_vertex_count;

struct Vertex {
  vec3 position;
  vec3 normal;
  vec4 tangent;
};

float weight_of(int i) { return i < 4 ? a_weights[i] : a_weights_more[i - 4]; }
int joint_of(int i) { return int(i < 4 ? a_joints[i] : a_joints_more[i - 4]); }

// ---- linear blend ----

void add_joint(inout vec4 rows[3], int palette, int joint, float weight) {
  int texel = palette + 3 * joint;
  rows[0] += weight * texel_of(u_palette, texel);
  rows[1] += weight * texel_of(u_palette, texel + 1);
  rows[2] += weight * texel_of(u_palette, texel + 2);
}

void blend_linear(inout vec4 rows[3], int palette) {
  add_joint(rows, palette, int(a_joints.x), a_weights.x);
  for (int i = 1; i < u_influences && weight_of(i) != 0.0; i++) add_joint(rows, palette, joint_of(i), weight_of(i));
}

// ---- dual quaternions: the formulas at sinew_dual_quat in sinew/pose.h ----

struct Dual {
  vec4 real, dual;
  vec3 offset;
  vec2 xx_yy;
  vec4 xy_xz_yz_zz;
};

void add_dual(inout Dual sum, vec4 first, int palette, int joint, float weight) {
  int texel = palette + 4 * joint;
  vec4 q = texel_of(u_palette, texel), translation = texel_of(u_palette, texel + 1);
  vec4 offset = texel_of(u_palette, texel + 2);
  float signed_weight = dot(q, first) < 0.0 ? -weight : weight;
  vec3 t = translation.xyz;
  sum.real += signed_weight * q;
  sum.dual += 0.5 * signed_weight * vec4(q.w * t + cross(t, q.xyz), -dot(t, q.xyz));
  sum.offset += weight * offset.xyz;
  sum.xx_yy += weight * vec2(translation.w, offset.w);
  sum.xy_xz_yz_zz += weight * texel_of(u_palette, texel + 3);
}

mat3 rotation_of(vec4 q) {
  vec3 x = vec3(1.0 - 2.0 * (q.y * q.y + q.z * q.z), 2.0 * (q.x * q.y + q.z * q.w), 2.0 * (q.x * q.z - q.y * q.w));
  vec3 y = vec3(2.0 * (q.x * q.y - q.z * q.w), 1.0 - 2.0 * (q.x * q.x + q.z * q.z), 2.0 * (q.y * q.z + q.x * q.w));
  return mat3(x, y, cross(x, y));
}

void blend_dual(inout vec4 rows[3], int palette) {
  Dual sum = Dual(vec4(0.0), vec4(0.0), vec3(0.0), vec2(0.0), vec4(0.0));
  vec4 first = texel_of(u_palette, palette + 4 * int(a_joints.x));
  add_dual(sum, first, palette, int(a_joints.x), a_weights.x);
  for (int i = 1; i < u_influences && weight_of(i) != 0.0; i++)
    add_dual(sum, first, palette, joint_of(i), weight_of(i));
  float size = length(sum.real);
  vec4 q = sum.real / size, d = sum.dual / size, s = sum.xy_xz_yz_zz;
  mat3 rotation = rotation_of(q);
  mat3 stretch = mat3(sum.xx_yy.x, s.x, s.y, s.x, sum.xx_yy.y, s.z, s.y, s.z, s.w);
  mat3 linear = transpose(rotation * stretch);
  vec3 t = rotation * sum.offset + 2.0 * (q.w * d.xyz - d.w * q.xyz + cross(q.xyz, d.xyz));
  rows[0] = vec4(linear[0], t.x);
  rows[1] = vec4(linear[1], t.y);
  rows[2] = vec4(linear[2], t.z);
}

// ---- morph targets ----

vec3 morph_texel(int texel) {
  int width = textureSize(u_morphs, 0).x;
  return texelFetch(u_morphs, ivec2(texel % width, texel / width), 0).xyz;
}

// Adds the targets of a list that begins at that texel.
void morph(inout Vertex vertex, int first, int count) {
  for (int i = first; i < first + count; i++) {
    vec4 target = texel_of(u_morph_list, i);
    int texel = 2 * (int(target.y) * u_vertex_count + vertex_number());
    vertex.position += target.x * morph_texel(texel);
    vertex.normal += target.x * morph_texel(texel + 1);
  }
}

// ---- both ----

vec3 unit_or_zero(vec3 v) {
  float size = length(v);
  return size > 0.0 ? v / size : vec3(0.0);
}

// The blended matrix of the vertex, from the palette that begins at that texel.
void blend(inout vec4 rows[3], int palette) {
  for (int i = u_dual; i < 1; i++) blend_linear(rows, palette);
  for (int i = 0; i < u_dual; i++) blend_dual(rows, palette);
}

// Normals go by the cofactor matrix, which is right under any scale; its sign follows the
// determinant, so a mirrored matrix needs it turned back.
void skin_vertex(inout Vertex vertex) {
  morph(vertex, i_places.y, i_places.z);
  vec4 rows[3] = vec4[3](vec4(0.0), vec4(0.0), vec4(0.0));
  blend(rows, i_places.x);
  vec4 position = vec4(vertex.position, 1.0);
  vec3 n = vertex.normal, t = vertex.tangent.xyz;
  vec3 x = rows[0].xyz, y = rows[1].xyz, z = rows[2].xyz;
  vertex.position = vec3(dot(rows[0], position), dot(rows[1], position), dot(rows[2], position));
  vec3 yz = cross(y, z);
  float side = dot(x, yz) < 0.0 ? -1.0 : 1.0;
  vertex.normal = unit_or_zero(side * vec3(dot(yz, n), dot(cross(z, x), n), dot(cross(x, y), n)));
  vertex.tangent.xyz = unit_or_zero(vec3(dot(x, t), dot(y, t), dot(z, t)));
}

// The vertex in model space.
Vertex skin() {
  Vertex vertex = Vertex(a_position, a_normal, a_tangent);
  for (int i = 0; i < min(u_influences, 1); i++) skin_vertex(vertex);
  return vertex;
}
