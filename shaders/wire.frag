out vec4 color;

void main() { color = vec4(0.02, 0.025, 0.03, 0.65); }
