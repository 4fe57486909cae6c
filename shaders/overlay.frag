in vec2 v_uv;
in vec4 v_color;

uniform sampler2D u_image;

out vec4 color;

void main() { color = v_color * texture(u_image, v_uv); }
