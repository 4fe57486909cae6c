#include "render/passes/finish_pass.h"

#include "base/error.h"
#include "render/gl/gl.h"

static int level_size(int size, int level) { return size >> (level + 2) > 0 ? size >> (level + 2) : 1; }

bool finish_pass_resize(finish_pass *made, int width, int height, bool smooths, sinew_error *error) {
  if (made->width == width && made->height == height && made->smooths == smooths) return true;
  finish_pass_release(made);
  glGenVertexArrays(1, &made->empty_array);
  for (int i = 0; i < GLOW_LEVELS; i++) {
    glow_level *level = &made->glow[i];
    level->width = level_size(width, i), level->height = level_size(height, i);
    level->texture = target_texture(GL_RGBA16F, level->width, level->height);
    level->framebuffer = target_framebuffer(level->texture);
  }
  if (smooths) {
    made->sharp_texture = target_texture(GL_RGBA8, width, height);
    made->sharp = target_framebuffer(made->sharp_texture);
  }
  if (!gl_check("a picture's memory", error)) {
    finish_pass_release(made);
    return false;
  }
  made->width = width, made->height = height, made->smooths = smooths;
  return true;
}

void finish_pass_release(finish_pass *made) {
  for (int i = 0; i < GLOW_LEVELS; i++) {
    glDeleteFramebuffers(1, &made->glow[i].framebuffer);
    glDeleteTextures(1, &made->glow[i].texture);
    made->glow[i] = (glow_level){0};
  }
  glDeleteFramebuffers(1, &made->sharp);
  glDeleteTextures(1, &made->sharp_texture);
  glDeleteVertexArrays(1, &made->empty_array);
  made->sharp = made->sharp_texture = made->empty_array = 0;
  made->width = made->height = 0;
}

/* Draws one image from another; `step`: the distance of taps, in 0..1 of the latter. */
static void draw(const program *used, GLuint framebuffer, GLuint image, float step_x, float step_y) {
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
  glActiveTexture(GL_TEXTURE0 + UNIT_IMAGE);
  glBindTexture(GL_TEXTURE_2D, image);
  program_use(used);
  program_set_vec4(used, "u_step", (float[4]){step_x, step_y, 0.0f, 0.0f});
  glDrawArrays(GL_TRIANGLES, 0, 3);
}

/* Ever smaller and softer images; then each is added to the next larger one. */
static void draw_glow(const finish_pass *pass, const target *from) {
  const glow_level *g = pass->glow;
  for (int i = 0; i < GLOW_LEVELS; i++) {
    glViewport(0, 0, g[i].width, g[i].height);
    if (i == 0)
      draw(&pass->bright, g[0].framebuffer, from->light_texture, 1.0f / (float)pass->width, 1.0f / (float)pass->height);
    else
      draw(&pass->spread, g[i].framebuffer, g[i - 1].texture, 1.0f / (float)g[i - 1].width,
           1.0f / (float)g[i - 1].height);
  }
  glEnable(GL_BLEND);
  glBlendFunc(GL_ONE, GL_ONE);
  for (int i = GLOW_LEVELS - 1; i > 0; i--) {
    glViewport(0, 0, g[i - 1].width, g[i - 1].height);
    draw(&pass->spread, g[i - 1].framebuffer, g[i].texture, 0.75f / (float)g[i].width, 0.75f / (float)g[i].height);
  }
  glDisable(GL_BLEND);
}

void finish_pass_draw(const finish_pass *pass, const target *from, sinew_curve curve) {
  glBindVertexArray(pass->empty_array);
  draw_glow(pass, from);
  glViewport(0, 0, pass->width, pass->height);
  glActiveTexture(GL_TEXTURE0 + UNIT_GLOW);
  glBindTexture(GL_TEXTURE_2D, pass->glow[0].texture);
  draw(&pass->curve[curve], pass->smooths ? pass->sharp : from->picture, from->light_texture, 0.0f, 0.0f);
  if (pass->smooths)
    draw(&pass->smooth, from->picture, pass->sharp_texture, 1.0f / (float)pass->width, 1.0f / (float)pass->height);
  glBindVertexArray(0);
}
