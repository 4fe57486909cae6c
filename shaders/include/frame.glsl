// What all shaders of a frame share; src/render/frame_uniforms.h has the same order.
layout(std140) uniform Frame {
  mat4 view_projection;
  mat4 inverse_view_projection;
  mat4 shadow_matrix;  // world to shadow map, 0..1
  vec4 camera;         // position, exposure
  vec4 sun;            // unit direction towards the sun, 1 / metres to where shadows end
  vec4 sun_color;      // times intensity
  vec4 zenith;         // of the sky; how steep the change from the horizon is
  vec4 horizon;        // and how much the sky glows around the sun
  vec4 ambient[9];     // what a matt white surface sends back: surroundings_ambient in src/render/environment.h
  vec4 shadow_size;    // texel, softness (both in 0..1), normal offset in metres, maps: 0, 1, 2 with faded ones
  vec4 contact;        // x and z of the map's corner, 1 / its size in metres, 1 where there is a map
  vec4 fog;            // density per metre
  vec4 viewport;       // width, height, 1 / width, 1 / height
};
