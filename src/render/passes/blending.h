/* blending – how a draw joins the scene's light. In the scene, alpha is how much of a pixel is light (finish.frag). */
#ifndef SINEW_RENDER_BLENDING_H
#define SINEW_RENDER_BLENDING_H

#include <glad/gl.h>

/* Light, by the opacity in alpha. */
static inline void blend_light(void) {
  glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
}

/* Colours that are shown as they are, by the opacity in alpha. */
static inline void blend_colors(void) {
  glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ZERO, GL_ONE_MINUS_SRC_ALPHA);
}

/* The same where alpha chooses samples: what is drawn replaces what was there. */
static inline void replace_colors(void) { glBlendFuncSeparate(GL_ONE, GL_ZERO, GL_ZERO, GL_ZERO); }

#endif
