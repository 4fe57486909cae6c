#include "render/passes/item_pass.h"

#include "render/gl/gl.h"
#include "render/meshes/preskin.h"

#include <math.h>
#include <stddef.h>

static void bind_texture(texture_unit unit, GLuint texture) {
  glActiveTexture(GL_TEXTURE0 + (GLenum)unit);
  glBindTexture(GL_TEXTURE_2D, texture);
}

/* Binds the instances of a call as attributes: OpenGL 3.3 always begins with the first instance, so the pointers move.
 */
static void bind_instances(const draw_list *list, int first) {
  const size_t stride = sizeof(draw_instance), at = (size_t)first * stride;
  glBindBuffer(GL_ARRAY_BUFFER, list->instances);
  for (GLuint row = 0; row < 3; row++)
    vertex_array_enable(ATTRIBUTE_TRANSFORM + row, 4, GL_FLOAT, false, stride,
                        at + offsetof(draw_instance, transform) + row * 4 * sizeof(float));
  vertex_array_enable(ATTRIBUTE_TINT, 4, GL_FLOAT, false, stride, at + offsetof(draw_instance, tint));
  vertex_array_enable_integers(ATTRIBUTE_PLACES, GL_INT, stride, at + offsetof(draw_instance, palette));
  for (GLuint i = ATTRIBUTE_TRANSFORM; i <= ATTRIBUTE_PLACES; i++) glVertexAttribDivisor(i, 1);
  glBindBuffer(GL_ARRAY_BUFFER, 0);
}

void item_pass_bind_skinning(const program *used, const draw_list *list, const draw_call *call) {
  const gpu_mesh *mesh = call->mesh;
  texel_pages_bind(&list->palettes, call->palette_page, UNIT_PALETTE);
  texel_pages_bind(&list->morph_lists, call->morph_page, UNIT_MORPH_LIST);
  bind_texture(UNIT_MORPHS, mesh->morphs);
  program_set_int(used, "u_influences", mesh->influences);
  program_set_int(used, "u_dual", call->dual ? 1 : 0);
  program_set_int(used, "u_vertex_count", mesh->vertex_count);
  glBindVertexArray(mesh->vertex_array);
  bind_instances(list, call->first);
  /* attributes that a mesh lacks read these; integers must be set as integers */
  glVertexAttrib4f(ATTRIBUTE_TANGENT, 0.0f, 0.0f, 0.0f, 1.0f);
  glVertexAttribI4ui(ATTRIBUTE_JOINTS_MORE, 0, 0, 0, 0);
  glVertexAttrib4f(ATTRIBUTE_WEIGHTS_MORE, 0.0f, 0.0f, 0.0f, 0.0f);
}

static float cutoff_of(const gpu_material *material) {
  return material->values.alpha_mode == SINEW_ALPHA_MASK    ? material->values.alpha_cutoff
         : material->values.alpha_mode == SINEW_ALPHA_BLEND ? 0.5f
                                                            : 0.0f;
}

/* Binds the picture of a role; without one, white. */
static void bind_role(const item_pass *pass, const gpu_material *material, int role) {
  GLuint texture = material->textures[role];
  bind_texture((texture_unit)(UNIT_MATERIAL + role), texture ? texture : pass->common->white);
}

static void set_depth_material(const item_pass *pass, const draw_call *call) {
  const gpu_material *material = call->material;
  bind_role(pass, material, SINEW_TEXTURE_BASE_COLOR);
  program_set_vec4s(pass->used, "u_uv", material->uv[0][0], 2 * SINEW_TEXTURE_ROLES);
  program_set_float(pass->used, "u_alpha", material->values.base_color[3]);
  program_set_float(pass->used, "u_cutoff", cutoff_of(material));
}

static void set_colors(const item_pass *pass, const draw_call *call, bool coverage) {
  const sinew_material *v = &call->material->values;
  float surface[4] = {v->metallic, v->roughness, 0.0f, coverage ? 1.0f : 0.0f};
  if (v->alpha_mode == SINEW_ALPHA_MASK) surface[2] = v->alpha_cutoff;
  /* blended surfaces write depth, so nearly invisible parts must not hide what is behind them */
  if (v->alpha_mode == SINEW_ALPHA_BLEND) surface[2] = 0.02f, surface[3] = 2.0f;
  if (v->alpha_mode == SINEW_ALPHA_BLEND && pass->solid) surface[2] = fmaxf(0.5f * v->base_color[3], 0.02f);
  program_set_vec4(pass->used, "u_color", v->base_color);
  program_set_vec4(pass->used, "u_surface", surface);
  float shading = call->flat ? 2.0f : v->unlit ? 1.0f : 0.0f;
  program_set_vec4(pass->used, "u_emissive", (float[4]){v->emissive[0], v->emissive[1], v->emissive[2], shading});
}

static void set_layers(const item_pass *pass, const gpu_material *material) {
  const sinew_material *v = &material->values;
  float occlusion = material->textures[SINEW_TEXTURE_OCCLUSION] ? v->occlusion_strength : 0.0f;
  program_set_vec4(pass->used, "u_layers",
                   (float[4]){v->normal_scale, occlusion, v->clearcoat, v->clearcoat_roughness});
  program_set_vec4(pass->used, "u_sheen",
                   (float[4]){v->sheen_color[0], v->sheen_color[1], v->sheen_color[2], v->sheen_roughness});
}

/* Colours that are no light always blend, because blending sets what alpha means in the scene. */
static void set_blending(const item_pass *pass, const draw_call *call, bool coverage) {
  bool colors = pass->surface != SINEW_SURFACE_SHADED || call->flat || call->material->values.unlit;
  if (pass->blended || colors) glEnable(GL_BLEND);
  else glDisable(GL_BLEND);
  if (!colors) blend_light();
  else if (coverage) replace_colors();
  else blend_colors();
}

static void set_material(const item_pass *pass, const draw_call *call) {
  const gpu_material *material = call->material;
  bool coverage = pass->alpha_to_coverage && material->values.alpha_mode == SINEW_ALPHA_MASK && !call->faded;
  if (coverage) glEnable(GL_SAMPLE_ALPHA_TO_COVERAGE);
  else glDisable(GL_SAMPLE_ALPHA_TO_COVERAGE);
  set_blending(pass, call, coverage);
  set_colors(pass, call, coverage);
  program_set_float(pass->used, "u_outline", call->outline);
  set_layers(pass, material);
  for (int role = 0; role < SINEW_TEXTURE_ROLES; role++) bind_role(pass, material, role);
  program_set_vec4s(pass->used, "u_uv", material->uv[0][0], 2 * SINEW_TEXTURE_ROLES);
  int normal_map = !material->textures[SINEW_TEXTURE_NORMAL] ? 0 : call->mesh->has_tangents ? 1 : 2;
  bool has_mr = material->textures[SINEW_TEXTURE_METALLIC_ROUGHNESS] != 0;
  int coat = !material->has_clearcoat ? 0 : material->textures[SINEW_TEXTURE_CLEARCOAT_NORMAL] ? 2 : 1;
  program_set_ivec4(pass->used, "u_maps", (int[4]){normal_map, has_mr, coat, material->has_sheen});
  program_set_float(pass->used, "u_clearcoat_normal_scale", material->values.clearcoat_normal_scale);
}

/* An outline shows back faces, so the enlarged copy is behind the object. */
static void set_side(const item_pass *pass, const draw_call *call) {
  bool outline = call->outline > 0.0f;
  program_set_float(pass->used, "u_side", call->mirrored ? -1.0f : 1.0f);
  glFrontFace(call->mirrored != outline ? GL_CW : GL_CCW);
  if (outline) glEnable(GL_CULL_FACE);
  else if (!pass->materials || pass->surface != SINEW_SURFACE_SHADED || call->material->values.double_sided)
    glDisable(GL_CULL_FACE);
  else glEnable(GL_CULL_FACE);
}

static void set_view(const item_pass *pass, const draw_list *list, const draw_call *call) {
  set_blending(pass, call, false);
  program_set_int(pass->used, "u_view", (int)pass->surface);
  program_set_int(pass->used, "u_skin_first", call->skin.first);
  program_set_int(pass->used, "u_shows_weights", call->shown_weights->count > 0);
  texel_pages_bind(call->shown_weights, 0, UNIT_SHOWN_WEIGHTS);
  program_set_int(pass->used, "u_previous", list->has_history ? (call->dual ? 4 : 3) * call->skin.count : 0);
  program_set_int(pass->used, "u_morph_history", call->morph_history ? 1 : 0);
}

/* The vertex array's own indices are those of triangles. */
static void draw_elements(const item_pass *pass, const gpu_mesh *mesh, int count) {
  if (pass->edges) mesh_bind_edges(mesh);
  if (pass->edges) glDrawElementsInstanced(GL_LINES, 2 * mesh->index_count, GL_UNSIGNED_INT, NULL, count);
  else glDrawElementsInstanced(GL_TRIANGLES, mesh->index_count, GL_UNSIGNED_INT, NULL, count);
  if (pass->edges) glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, mesh->indices);
}

/* Skinned vertices are stored separately for each instance, so each is a separate call. */
static void draw_skinned(const item_pass *pass, const draw_list *list, const draw_call *call, int first, int count) {
  program_set_int(pass->used, "u_influences", 0);
  glBindVertexArray(call->mesh->skinned_array);
  for (int i = first; i < first + count; i++) {
    size_t at = ((size_t)call->skinned + (size_t)i * (size_t)call->mesh->vertex_count) * SKINNED_BYTES;
    glBindBuffer(GL_ARRAY_BUFFER, list->skinned);
    vertex_array_enable(ATTRIBUTE_POSITION, 3, GL_FLOAT, false, SKINNED_BYTES, at);
    vertex_array_enable(ATTRIBUTE_NORMAL, 3, GL_FLOAT, false, SKINNED_BYTES, at + 3 * sizeof(float));
    vertex_array_enable(ATTRIBUTE_TANGENT, 4, GL_FLOAT, false, SKINNED_BYTES, at + 6 * sizeof(float));
    bind_instances(list, call->first + i);
    draw_elements(pass, call->mesh, 1);
  }
}

static void draw_call_with(const item_pass *pass, const draw_list *list, const draw_call *call) {
  int first = pass->shadows ? call->count - call->casts : 0, count = pass->shadows ? call->casts : call->seen;
  if (count == 0) return;
  item_pass_bind_skinning(pass->used, list, call);
  if (first > 0) bind_instances(list, call->first + first);
  set_side(pass, call);
  if (pass->surface != SINEW_SURFACE_SHADED) set_view(pass, list, call);
  else if (pass->materials) set_material(pass, call);
  else set_depth_material(pass, call);
  if (call->skinned >= 0 && pass->surface == SINEW_SURFACE_SHADED) draw_skinned(pass, list, call, first, count);
  else draw_elements(pass, call->mesh, count);
}

void item_pass_draw(const item_pass *pass, const draw_list *list, int first, int count) {
  for (int i = first; i < first + count; i++) {
    item_pass one = *pass;
    const draw_call *call = &list->calls[i];
    if (pass->casters != CAST_ALL && (pass->casters == CAST_FADED) != (call->faded != 0)) continue;
    bool whole = call->material->values.alpha_mode == SINEW_ALPHA_OPAQUE && !call->faded;
    if (pass->cutout && !whole) one.used = pass->cutout;
    program_use(one.used);
    draw_call_with(&one, list, call);
  }
  glBindVertexArray(0);
  glDisable(GL_BLEND);
  glDisable(GL_SAMPLE_ALPHA_TO_COVERAGE);
  glDisable(GL_CULL_FACE);
  glFrontFace(GL_CCW);
}
