// Debug views of surfaces.
#include "include/frame.glsl"
#include "include/item.glsl"

uniform int u_view;        // as sinew_surface
uniform int u_skin_first;  // of the mesh in the palette of the whole model
uniform int u_shows_weights;             // 0: there are none
uniform texels u_shown_weights;          // of each joint in the palette of the whole model
uniform int u_previous;    // texels from the palette to the last picture's, and from there to its transform; 0: none
uniform int u_morph_history;  // 1: behind the active targets follow the number of the last picture's, and those
uniform float u_rate;      // pictures in a second

out vec3 v_world;
out vec3 v_normal;
out vec4 v_value;

// Neighbouring numbers far apart: the golden angle around the colour circle, at three levels of brightness.
vec3 joint_color(int joint) {
  vec3 hue = 0.5 + 0.5 * cos(6.2831853 * (float(joint) * 0.61803399 + vec3(0.0, 0.3333, 0.6667)));
  return mix(hue, vec3(1.0), 0.12 * float(joint % 3));
}

vec3 joints_color() {
  vec3 color = a_weights.x * joint_color(u_skin_first + int(a_joints.x));
  for (int i = 1; i < u_influences && weight_of(i) != 0.0; i++)
    color += weight_of(i) * joint_color(u_skin_first + joint_of(i));
  return color;
}

float shown_weight() {
  float weight = a_weights.x * texel_of(u_shown_weights, u_skin_first + int(a_joints.x)).x;
  for (int i = 1; i < u_influences && weight_of(i) != 0.0; i++)
    weight += weight_of(i) * texel_of(u_shown_weights, u_skin_first + joint_of(i)).x;
  return weight;
}

// Where the vertex was in the last picture, in the world.
vec3 previous_world() {
  Vertex vertex = Vertex(a_position, a_normal, a_tangent);
  int now_end = i_places.y + i_places.z;
  for (int i = 0; i < u_morph_history; i++) morph(vertex, now_end + 1, int(texel_of(u_morph_list, now_end).x));
  vec4 rows[3] = vec4[3](vec4(0.0), vec4(0.0), vec4(0.0)), p = vec4(vertex.position, 1.0);
  blend(rows, i_places.x + u_previous);
  int texel = i_places.x + 2 * u_previous;
  p.xyz = vec3(dot(rows[0], p), dot(rows[1], p), dot(rows[2], p));
  return vec3(dot(texel_of(u_palette, texel), p), dot(texel_of(u_palette, texel + 1), p),
              dot(texel_of(u_palette, texel + 2), p));
}

void main() {
  Vertex vertex = skin();
  v_world = to_world(vertex.position);
  v_normal = normal_to_world(vertex.normal);
  v_value = vec4(0.0);
  if (u_view == 2) v_value.rgb = joints_color();
  if (u_view == 3) v_value.x = u_shows_weights == 0 ? -1.0 : shown_weight();
  if (u_view == 4 && u_previous > 0) v_value.x = distance(v_world, previous_world()) * u_rate;
  gl_Position = view_projection * vec4(v_world, 1.0);
}
