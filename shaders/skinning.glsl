// Linear blend skinning and morph targets: the only copy, for drawing and for reading vertices back.
// A palette matrix is three texels, its rows. Indices are integers, so the number of joints has no limit here.

layout(location = 0) in vec3 a_position;
layout(location = 1) in vec3 a_normal;
layout(location = 2) in vec4 a_tangent;
layout(location = 5) in uvec4 a_joints;
layout(location = 6) in uvec4 a_joints_more;
layout(location = 7) in vec4 a_weights;
layout(location = 8) in vec4 a_weights_more;

uniform samplerBuffer u_palette;
uniform samplerBuffer u_morph_list;  // weight, number of the target
uniform sampler2D u_morphs;          // 2 texels for each vertex of each target: position, normal
uniform int u_palette_first;         // texel
uniform int u_influences;            // 4 or 8
uniform ivec2 u_morph_range;         // first texel of the list, targets in it
uniform int u_vertex_count;

struct Vertex {
  vec3 position;
  vec3 normal;
  vec4 tangent;
};

void add_joint(inout vec4 rows[3], uint joint, float weight) {
  int texel = u_palette_first + 3 * int(joint);
  rows[0] += weight * texelFetch(u_palette, texel);
  rows[1] += weight * texelFetch(u_palette, texel + 1);
  rows[2] += weight * texelFetch(u_palette, texel + 2);
}

void add_joints(inout vec4 rows[3], uvec4 joints, vec4 weights) {
  add_joint(rows, joints.x, weights.x);
  if (weights.y != 0.0) add_joint(rows, joints.y, weights.y);
  if (weights.z != 0.0) add_joint(rows, joints.z, weights.z);
  if (weights.w != 0.0) add_joint(rows, joints.w, weights.w);
}

vec3 morph_texel(int texel) {
  int width = textureSize(u_morphs, 0).x;
  return texelFetch(u_morphs, ivec2(texel % width, texel / width), 0).xyz;
}

void morph(inout Vertex vertex) {
  for (int i = 0; i < u_morph_range.y; i++) {
    vec4 target = texelFetch(u_morph_list, u_morph_range.x + i);
    int texel = 2 * (int(target.y) * u_vertex_count + gl_VertexID);
    vertex.position += target.x * morph_texel(texel);
    vertex.normal += target.x * morph_texel(texel + 1);
  }
}

vec3 unit_or_zero(vec3 v) {
  float size = length(v);
  return size > 0.0 ? v / size : vec3(0.0);
}

// The vertex in model space. Normals go by the cofactor matrix, which is right under any scale; its sign follows the
// determinant, so a mirrored matrix needs it turned back.
Vertex skin() {
  Vertex vertex = Vertex(a_position, a_normal, a_tangent);
  if (u_morph_range.y > 0) morph(vertex);
  vec4 rows[3] = vec4[3](vec4(0.0), vec4(0.0), vec4(0.0));
  add_joints(rows, a_joints, a_weights);
  if (u_influences > 4) add_joints(rows, a_joints_more, a_weights_more);
  vec4 position = vec4(vertex.position, 1.0);
  vec3 n = vertex.normal, t = vertex.tangent.xyz;
  vec3 x = rows[0].xyz, y = rows[1].xyz, z = rows[2].xyz;
  vertex.position = vec3(dot(rows[0], position), dot(rows[1], position), dot(rows[2], position));
  vec3 yz = cross(y, z);
  float side = dot(x, yz) < 0.0 ? -1.0 : 1.0;
  vertex.normal = unit_or_zero(side * vec3(dot(yz, n), dot(cross(z, x), n), dot(cross(x, y), n)));
  vertex.tangent.xyz = unit_or_zero(vec3(dot(x, t), dot(y, t), dot(z, t)));
  return vertex;
}
