// Beside skin.vert, because OpenGL ES links no program without a fragment shader. It never runs.
void main() {}
