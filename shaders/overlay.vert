layout(location = 0) in vec2 a_position;  // pixels from the top left
layout(location = 1) in vec2 a_uv;
layout(location = 2) in vec4 a_color;

uniform vec4 u_scale;  // 2 / width, -2 / height

out vec2 v_uv;
out vec4 v_color;

void main() {
  v_uv = a_uv;
  v_color = a_color;
  gl_Position = vec4(a_position * u_scale.xy + vec2(-1.0, 1.0), 0.0, 1.0);
}
