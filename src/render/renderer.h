/* renderer – the internals of a sinew_renderer. */
#ifndef SINEW_RENDER_RENDERER_H
#define SINEW_RENDER_RENDERER_H

#include "render/draw_list.h"
#include "render/environment.h"
#include "render/gl/gl.h"
#include "render/gl/target.h"
#include "render/meshes/preskin.h"
#include "render/passes/finish_pass.h"
#include "render/passes/overlay_pass.h"
#include "render/passes/shadow_map.h"

struct sinew_renderer {
  char description[256];
  bool software; /* a rasteriser on the CPU */
  int samples;
  bool smoothing;       /* one sample, and a pass that smooths edges */
  double most_vertices; /* as in draw_budget */
  int texel_limit;      /* of a texture buffer; tests lower it */
  int debug_messages;   /* of the driver so far; counted in a debug context */
  common_objects common;
  program mesh, view, wire, depth, cutout, faded, contact, blur, ground, sky;
  preskin skin;
  line_pass lines;
  overlay_pass overlay;
  finish_pass finish;
  environment environment;
  shadow_map shadow_map, contact_map;
  target target;
  draw_list list;
  sinew_render_stats drawn; /* of the last picture; times come from the timer */
  gpu_timer timer;
  GLuint frame_buffer; /* the uniform block Frame */
};

#endif
