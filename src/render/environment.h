/* environment – what shines on a scene from all around: a sky, a sun and lamps, and what surfaces see of them. */
#ifndef SINEW_RENDER_ENVIRONMENT_H
#define SINEW_RENDER_ENVIRONMENT_H

#include <sinew/render.h>

#include <glad/gl.h>

enum { ENVIRONMENT_LAMPS = 3, ENVIRONMENT_TERMS = 9 };

typedef struct environment_lamp {
  float direction[3]; /* unit, towards it */
  float size;         /* radius in radians */
  float color[3];     /* radiance */
} environment_lamp;

/* Linear RGB. */
typedef struct surroundings {
  float sun[3], sun_color[3];  /* unit, towards it; times intensity. It is not part of the map */
  float zenith[3], horizon[3]; /* radiance of the sky */
  float ground[3];             /* radiance from below */
  float steepness;             /* of the change from horizon to zenith: half of it within 1 / steepness */
  float glow;                  /* of the sky around the sun */
  environment_lamp lamps[ENVIRONMENT_LAMPS];
} surroundings;

/* By name, or of the light's own colours. */
surroundings surroundings_of(const sinew_light *light);
/* The radiance from a unit direction, without the sun. */
void surroundings_radiance(const surroundings *around, const float direction[3], float color[3]);
/* The light that a matt white surface sends back, as spherical harmonics of its normal: 1, y, z, x, xy, yz, 3z² − 1,
 * xz, x² − y², without their constants (Ramamoorthi and Hanrahan 2001). */
void surroundings_ambient(const surroundings *around, float terms[ENVIRONMENT_TERMS][4]);

typedef struct environment {
  surroundings around;
  float ambient[ENVIRONMENT_TERMS][4];
  GLuint mirrored;    /* a cube map: what a mirror sees, at level 4 × roughness what a rougher one does */
  GLuint reflectance; /* a texture of (n · v, roughness): scale and offset of the reflectance f0 */
} environment;

/* Follows the light; makes the map again only if it shows something else. False and an error message if the GPU is out
 * of memory. */
bool environment_update(environment *made, const sinew_light *light, sinew_error *error);
void environment_release(environment *made);

#endif
