// Lists of texels that the CPU writes: a buffer texture, or in OpenGL ES, which has none, rows of a picture;
// src/render/gl/texel_pages.c has the same size of a row.
#ifdef GL_ES
#define texels highp sampler2D
vec4 texel_of(sampler2D list, int i) { return texelFetch(list, ivec2(i & 1023, i >> 10), 0); }
#else
#define texels samplerBuffer
vec4 texel_of(samplerBuffer list, int i) { return texelFetch(list, i); }
#endif
