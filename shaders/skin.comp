// Skins without drawing, as skin.vert does: a thread is a vertex of an instance. What an attribute is there is read from
// the same buffers here.
#define COMPUTE
layout(local_size_x = 64) in;

layout(std430, binding = 0) readonly buffer Vertices { uint vertex_words[]; };
layout(std430, binding = 1) readonly buffer Instances { uint instance_words[]; };
layout(std430, binding = 2) writeonly buffer Skinned { float skinned[]; };

uniform ivec4 u_words;  // of a vertex: in all; up to its tangent, 0 for none; to its joints; to its weights
uniform ivec4 u_range;  // first instance, instances, first skinned vertex, influences that a vertex has room for

const int INSTANCE_WORDS = 20, PLACES = 16, SKINNED_FLOATS = 10;  // as draw_instance and preskin.h have them

vec3 a_position, a_normal;
vec4 a_tangent, a_weights, a_weights_more;
uvec4 a_joints, a_joints_more;
ivec4 i_places;
int number;

int vertex_number() { return number; }

#include "include/skinning.glsl"

vec4 floats_at(int word) {
  return uintBitsToFloat(uvec4(vertex_words[word], vertex_words[word + 1], vertex_words[word + 2],
                               vertex_words[word + 3]));
}

// Four numbers of 16 bits.
uvec4 shorts_at(int word) {
  uvec2 pairs = uvec2(vertex_words[word], vertex_words[word + 1]);
  return uvec4(pairs.x & 0xffffu, pairs.x >> 16, pairs.y & 0xffffu, pairs.y >> 16);
}

void read_vertex() {
  int at = number * u_words.x;
  a_position = floats_at(at).xyz;
  a_normal = floats_at(at + 3).xyz;
  a_tangent = u_words.y > 0 ? floats_at(at + u_words.y) : vec4(0.0, 0.0, 0.0, 1.0);
  a_joints = shorts_at(at + u_words.z);
  a_weights = floats_at(at + u_words.w);
  a_joints_more = u_range.w > 4 ? shorts_at(at + u_words.z + 2) : uvec4(0u);
  a_weights_more = u_range.w > 4 ? floats_at(at + u_words.w + 4) : vec4(0.0);
}

void read_places(int instance) {
  int at = (u_range.x + instance) * INSTANCE_WORDS + PLACES;
  i_places = ivec4(instance_words[at], instance_words[at + 1], instance_words[at + 2], instance_words[at + 3]);
}

void write(Vertex vertex, int place) {
  int at = (u_range.z + place) * SKINNED_FLOATS;
  for (int i = 0; i < 3; i++) skinned[at + i] = vertex.position[i];
  for (int i = 0; i < 3; i++) skinned[at + 3 + i] = vertex.normal[i];
  for (int i = 0; i < 4; i++) skinned[at + 6 + i] = vertex.tangent[i];
}

void main() {
  int place = int(gl_GlobalInvocationID.x);
  if (place >= u_range.y * u_vertex_count) return;
  number = place % u_vertex_count;
  read_vertex();
  read_places(place / u_vertex_count);
  write(skin(), place);
}
