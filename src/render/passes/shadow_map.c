#include "render/passes/shadow_map.h"

#include "base/error.h"
#include "math/vec3.h"
#include "render/camera.h"
#include "render/gl/gl.h"

#include <math.h>
#include <string.h>

static GLuint make_texture(GLenum internal, GLenum format, GLenum type, int size, GLenum filter) {
  GLuint made = 0;
  glGenTextures(1, &made);
  glBindTexture(GL_TEXTURE_2D, made);
  glTexImage2D(GL_TEXTURE_2D, 0, (GLint)internal, size, size, 0, format, type, NULL);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, (GLint)filter);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, (GLint)filter);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE); /* see begin */
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
  return made;
}

static GLuint make_framebuffer(GLenum attachment, GLuint texture) {
  GLuint made = 0;
  glGenFramebuffers(1, &made);
  glBindFramebuffer(GL_FRAMEBUFFER, made);
  glFramebufferTexture2D(GL_FRAMEBUFFER, attachment, GL_TEXTURE_2D, texture, 0);
  if (attachment != GL_DEPTH_ATTACHMENT) return made;
  glDrawBuffers(1, &(GLenum){GL_NONE});
  glReadBuffer(GL_NONE);
  return made;
}

static GLuint make_depths(int size) {
  GLuint made = make_texture(GL_DEPTH_COMPONENT24, GL_DEPTH_COMPONENT, GL_UNSIGNED_INT, size > 0 ? size : 1, GL_LINEAR);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_FUNC, GL_LEQUAL);
  return made;
}

/* Without a shadow there is one unused texel, because a shader may not run with a shadow sampler whose texture has no
 * depth. */
bool shadow_map_create(shadow_map *made, int size, sinew_error *error) {
  *made = (shadow_map){.size = size, .texture = make_depths(size)};
  bool complete = true;
  if (size > 0) {
    made->framebuffer = make_framebuffer(GL_DEPTH_ATTACHMENT, made->texture);
    complete = glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
  }
  glBindTexture(GL_TEXTURE_2D, 0);
  return gl_check("the shadow map", error) &&
         (complete || error_set(error, "the shadow map of %d texels: this GPU refuses the framebuffer", size));
}

bool contact_map_create(shadow_map *made, int size, sinew_error *error) {
  *made = (shadow_map){.size = size};
  made->texture = make_texture(GL_R8, GL_RED, GL_UNSIGNED_BYTE, size, GL_LINEAR);
  made->spare_texture = make_texture(GL_R8, GL_RED, GL_UNSIGNED_BYTE, size, GL_LINEAR);
  made->framebuffer = make_framebuffer(GL_COLOR_ATTACHMENT0, made->texture);
  made->spare_framebuffer = make_framebuffer(GL_COLOR_ATTACHMENT0, made->spare_texture);
  bool complete = glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
  glBindTexture(GL_TEXTURE_2D, 0);
  return gl_check("the contact map", error) &&
         (complete || error_set(error, "the contact map of %d texels: this GPU refuses the framebuffer", size));
}

void shadow_map_release(shadow_map *made) {
  glDeleteFramebuffers(1, &made->framebuffer);
  glDeleteFramebuffers(1, &made->spare_framebuffer);
  glDeleteFramebuffers(1, &made->faded_framebuffer);
  glDeleteTextures(1, &made->faded_texture);
  glDeleteTextures(1, &made->opacity_texture);
  glDeleteTextures(1, &made->texture);
  glDeleteTextures(1, &made->spare_texture);
  *made = (shadow_map){0};
}

map_square map_square_fit(float x, float y, float radius, int size) {
  radius = fminf(fmaxf(radius, 0.1f), 1e6f);
  float stepped = exp2f(ceilf(log2f(radius) * 4.0f) / 4.0f);
  stepped *= 1.0f + 4.0f / (float)size; /* moving by whole texels must not cut off the box */
  float texel = 2.0f * stepped / (float)size;
  return (map_square){{floorf(x / texel) * texel, floorf(y / texel) * texel}, stepped};
}

/* A unit vector orthogonal to the sun's direction. */
static sinew_vec3 across(const float d[4]) {
  sinew_vec3 side = fabsf(d[1]) < 0.99f ? (sinew_vec3){d[2], 0.0f, -d[0]} : (sinew_vec3){0.0f, -d[2], d[1]};
  return vec3_unit(side, (sinew_vec3){1, 0, 0});
}

sinew_mat4 shadow_fit(const bounds_box *box, const float sun[4], int size, float *texel) {
  sinew_vec3 x = across(sun), z = {sun[0], sun[1], sun[2]};
  sinew_vec3 y = vec3_cross(z, x), c = vec3_scale(vec3_add(box->minimum, box->maximum), 0.5f);
  float radius = vec3_distance(box->maximum, c);
  map_square square = map_square_fit(vec3_dot(c, x), vec3_dot(c, y), radius, size);
  float depth = vec3_dot(c, z), reach = fmaxf(radius, square.radius);
  sinew_mat4 view = {{x.x, y.x, z.x, 0, x.y, y.y, z.y, 0, x.z, y.z, z.z, 0, 0, 0, 0, 1}};
  const float low[3] = {square.center[0] - square.radius, square.center[1] - square.radius, -(depth + reach)};
  const float high[3] = {square.center[0] + square.radius, square.center[1] + square.radius, -(depth - reach)};
  sinew_mat4 projection = mat4_orthographic(low, high);
  *texel = 2.0f * square.radius / (float)size;
  return mat4_multiply(&projection, &view);
}

/* Clears the map to `empty`. Nothing is drawn into the texels along its edges, so that outside of it, where the nearest
 * one is read, it is empty, too. */
static void begin(GLuint framebuffer, int size, GLenum what, float empty) {
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
  glViewport(0, 0, size, size);
  glDisable(GL_BLEND);
  glDisable(GL_SCISSOR_TEST);
  glDepthMask(GL_TRUE);
  glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
  glClearBufferfv(what, 0, (float[4]){empty, empty, empty, empty});
  glEnable(GL_SCISSOR_TEST);
  glScissor(1, 1, size > 2 ? size - 2 : 0, size > 2 ? size - 2 : 0);
}

/* Draws depths, and with them opacities if the framebuffer has a colour. */
static void draw_depths(const shadow_map *map, GLuint framebuffer, const item_pass *pass, const draw_list *list) {
  begin(framebuffer, map->size, GL_DEPTH, 1.0f);
  glEnable(GL_DEPTH_TEST);
  glDepthFunc(GL_LESS);
  glEnable(GL_POLYGON_OFFSET_FILL);
  glPolygonOffset(1.5f, 2.0f);
  item_pass_draw(pass, list, 0, list->count);
  glDisable(GL_POLYGON_OFFSET_FILL);
  glDisable(GL_SCISSOR_TEST);
}

static bool has_faded(const draw_list *list) {
  for (int i = list->opaque_count; i < list->count; i++)
    if (list->calls[i].faded && list->calls[i].casts > 0) return true;
  return false;
}

static void make_faded(shadow_map *map) {
  if (map->faded_framebuffer) return;
  map->faded_texture = make_depths(map->size);
  map->opacity_texture = make_texture(GL_RG8, GL_RG, GL_UNSIGNED_BYTE, map->size, GL_LINEAR);
  map->faded_framebuffer = make_framebuffer(GL_COLOR_ATTACHMENT0, map->opacity_texture);
  glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, map->faded_texture, 0);
  glBindTexture(GL_TEXTURE_2D, 0);
}

/* A faded character's shadow is as strong as its opacity, which depths alone cannot say. */
static void draw_faded(shadow_map *map, const shadow_programs *programs, const draw_list *list,
                       const common_objects *common) {
  make_faded(map);
  glBindFramebuffer(GL_FRAMEBUFFER, map->faded_framebuffer);
  glDisable(GL_SCISSOR_TEST);
  glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
  glClearBufferfv(GL_COLOR, 0, (const float[4]){0.0f, 0.0f, 0.0f, 0.0f});
  draw_depths(map, map->faded_framebuffer,
              &(item_pass){.used = programs->faded, .common = common, .shadows = true, .casters = CAST_FADED}, list);
}

void shadow_map_draw(shadow_map *map, const shadow_programs *programs, const draw_list *list,
                     const common_objects *common, frame_uniforms *uniforms) {
  static const sinew_mat4 to_texture = {{0.5f, 0, 0, 0, 0, 0.5f, 0, 0, 0, 0, 0.5f, 0, 0.5f, 0.5f, 0.5f, 1}};
  if (map->size == 0 || list->count == 0 || bounds_is_empty(&list->bounds)) return;
  float texel;
  sinew_mat4 matrix = shadow_fit(&list->bounds, uniforms->sun, map->size, &texel);
  const program *all[] = {programs->depth, programs->cutout, programs->faded};
  for (int i = 0; i < 3; i++) {
    program_use(all[i]);
    program_set_mat4(all[i], "u_view", &matrix);
  }
  draw_depths(map, map->framebuffer,
              &(item_pass){.used = programs->depth,
                           .cutout = programs->cutout,
                           .common = common,
                           .shadows = true,
                           .casters = CAST_SOLID},
              list);
  bool faded = has_faded(list);
  if (faded) draw_faded(map, programs, list, common);
  uniforms->shadow = mat4_multiply(&to_texture, &matrix);
  /* edges are soft over about a centimetre, but not so wide that samples become visible */
  float soft_texels = fminf(fmaxf(0.012f / texel, 1.2f), 3.5f);
  const float size[4] = {1.0f / (float)map->size, soft_texels / (float)map->size, texel * (soft_texels + 1.0f),
                         faded ? 2.0f : 1.0f};
  memcpy(uniforms->shadow_size, size, sizeof size);
}

static void blur_once(const program *blur, GLuint framebuffer, GLuint from, const float step[4]) {
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
  glActiveTexture(GL_TEXTURE0 + UNIT_IMAGE);
  glBindTexture(GL_TEXTURE_2D, from);
  program_set_vec4(blur, "u_step", step);
  glDrawArrays(GL_TRIANGLES, 0, 3);
}

void contact_map_draw(const shadow_map *map, const program *contact, const program *blur, const draw_list *list,
                      const common_objects *common, frame_uniforms *uniforms) {
  const bounds_box *box = &list->bounds;
  if (list->count == 0 || bounds_is_empty(box) || box->minimum.y > 1.0f) return;
  float radius = 0.5f * fmaxf(box->maximum.x - box->minimum.x, box->maximum.z - box->minimum.z) + 0.4f;
  map_square square = map_square_fit((box->minimum.x + box->maximum.x) * 0.5f, (box->minimum.z + box->maximum.z) * 0.5f,
                                     radius, map->size);
  float s = 1.0f / square.radius;
  sinew_mat4 matrix = {{s, 0, 0, 0, 0, 0, 0, 0, 0, s, 0, 0, -square.center[0] * s, -square.center[1] * s, 0, 1}};
  begin(map->spare_framebuffer, map->size, GL_COLOR, 0.0f);
  begin(map->framebuffer, map->size, GL_COLOR, 0.0f);
  glDisable(GL_DEPTH_TEST);
  glEnable(GL_BLEND);
  glBlendEquation(GL_MAX);
  program_use(contact);
  program_set_mat4(contact, "u_view", &matrix);
  item_pass_draw(&(item_pass){.used = contact, .common = common, .shadows = true}, list, 0, list->count);
  glBlendEquation(GL_FUNC_ADD);
  glDisable(GL_BLEND);
  program_use(blur);
  glBindVertexArray(common->empty_array);
  float texel = 1.0f / (float)map->size, wide = fminf(fmaxf(0.045f * s * 0.5f / texel, 1.0f), 2.0f) * texel;
  blur_once(blur, map->spare_framebuffer, map->texture, (float[4]){wide, 0.0f, 0.0f, 0.0f});
  blur_once(blur, map->framebuffer, map->spare_texture, (float[4]){0.0f, wide, 0.0f, 0.0f});
  glDisable(GL_SCISSOR_TEST);
  const float position[4] = {square.center[0] - square.radius, square.center[1] - square.radius, 0.5f * s, 1.0f};
  memcpy(uniforms->contact, position, sizeof position);
}
