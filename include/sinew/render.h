/* sinew/render.h – pictures from meshes, palettes and a camera. Knows no actors.
 *
 * Every function needs the OpenGL context current that the renderer was created in, on one thread. */
#ifndef SINEW_RENDER_H
#define SINEW_RENDER_H

#include <sinew/model.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sinew_renderer sinew_renderer;
/* A model's meshes and textures on the GPU. */
typedef struct sinew_gpu_model sinew_gpu_model;

typedef struct sinew_renderer_def {
  /* Finds an OpenGL function by name, as eglGetProcAddress and glfwGetProcAddress do. */
  void *(*proc_address)(const char *name);
  int samples;     /* of anti-aliasing wanted: 1, 2, 4, 8; -1: 4, lowered on a software rasteriser */
  int shadow_size; /* texels along an edge, 0 for none; -1: 2,048, lowered on a software rasteriser */
  /* Millions (2²⁰) of vertices that a picture may cost, 0 for no limit. A mesh costs its vertices (or triangles, if
   * those are more) for each instance, one for each 32 pixels that its box may cover, and 64; a draw call costs 2,048.
   * Beyond that, characters are left out, the farthest first, then meshes. */
  int mega_vertices;
} sinew_renderer_def;

SINEW_API sinew_renderer_def sinew_renderer_def_default(void);

/* Needs OpenGL 3.3 core or OpenGL ES 3.0 (WebGL 2); NULL and an error message that says what was found otherwise. */
SINEW_API sinew_renderer *sinew_renderer_create(const sinew_renderer_def *def, sinew_error *error);
SINEW_API void sinew_renderer_destroy(sinew_renderer *renderer);

/* "llvmpipe (LLVM 15.0.6, 256 bits), OpenGL 4.5; shadow 1024, 2 samples: lowered for a software rasteriser". The words
 * "software rasteriser" are there for each that is known to be one. */
SINEW_API const char *sinew_renderer_description(const sinew_renderer *renderer);

/* Reads shaders/ again. On failure returns false and an error message with the file and line of the first error, and
 * keeps the old shaders. The shaders of lines and of the overlay are read once only. */
SINEW_API bool sinew_renderer_reload(sinew_renderer *renderer, sinew_error *error);

/* The model may be released afterwards. NULL and an error message on failure. */
SINEW_API sinew_gpu_model *sinew_gpu_model_create(sinew_renderer *renderer, const sinew_model *model,
                                                  sinew_error *error);
/* The same in parts, so that a large model does not stop a window: the first has no meshes yet, and each `continue`
 * sends about as many bytes, at least one mesh, or the pictures of one material. What was sent is drawn. The model must
 * live until none is left. */
SINEW_API sinew_gpu_model *sinew_gpu_model_begin(sinew_renderer *renderer, const sinew_model *model,
                                                 sinew_error *error);
SINEW_API bool sinew_gpu_model_continue(sinew_renderer *renderer, sinew_gpu_model *gpu_model, const sinew_model *model,
                                        size_t most_bytes, sinew_error *error);
SINEW_API int sinew_gpu_model_left(const sinew_gpu_model *gpu_model); /* meshes and materials */
SINEW_API void sinew_gpu_model_destroy(sinew_renderer *renderer, sinew_gpu_model *gpu_model);
/* Sets a picture that was packed when the model was created (sinew_pictures_next); until then, materials do without it.
 * The texels are copied; their number is the model's. False and an error message if there is no such image, or the GPU
 * is out of memory. */
SINEW_API bool sinew_gpu_model_set_picture(sinew_renderer *renderer, sinew_gpu_model *gpu_model,
                                           const sinew_picture *picture, sinew_error *error);

typedef struct sinew_camera {
  sinew_vec3 position, target, up;
  float fov_y;                 /* radians, 0 < fov_y < π */
  float near_plane, far_plane; /* metres, 0 < near < far */
  /* Moves the whole picture, as a lens that is shifted does: in halves of its width to the right, of its height up. */
  float shift_x, shift_y;
} sinew_camera;

SINEW_API sinew_camera sinew_camera_default(void); /* 3 m in front of a person, looking at the chest */
/* Right-handed, depth −1..1 as OpenGL has it. `aspect` is width / height. */
SINEW_API sinew_mat4 sinew_camera_view(const sinew_camera *camera);
SINEW_API sinew_mat4 sinew_camera_projection(const sinew_camera *camera, float aspect);
/* The pixel of a point of the world in a picture of width × height: x from the left, y from the top. False behind the
 * camera. */
SINEW_API bool sinew_camera_pixel(const sinew_camera *camera, int width, int height, sinew_vec3 point, float pixel[2]);

/* The shader stage that skins the vertices of a picture; the picture is the same. The default is the vertex shader on a
 * GPU. A software rasteriser skins once for all passes: by a compute shader from OpenGL 4.3 on, otherwise by transform
 * feedback. */
typedef enum sinew_skin_stage {
  SINEW_SKIN_VERTEX,   /* in each pass again, by its vertex shader */
  SINEW_SKIN_FEEDBACK, /* once for all passes, by transform feedback */
  SINEW_SKIN_COMPUTE,  /* once for all passes, by a compute shader; needs OpenGL 4.3 */
  SINEW_SKIN_STAGE_COUNT
} sinew_skin_stage;

/* If the context does not support it, returns false and an error message and changes nothing. Vertices that only one
 * pass reads, and crowds with more vertices than fit, are always skinned by the vertex shader. `./dev bench --gpu`
 * compares the three. */
SINEW_API bool sinew_renderer_set_skin_stage(sinew_renderer *renderer, sinew_skin_stage stage, sinew_error *error);
SINEW_API sinew_skin_stage sinew_renderer_skin_stage(const sinew_renderer *renderer);

/* How light becomes the colours of a display. */
typedef enum sinew_curve {
  SINEW_CURVE_NEUTRAL, /* Khronos' PBR Neutral: colours stay as their materials say, strong light goes to white */
  SINEW_CURVE_ACES,    /* as film does: more contrast, strong light bleaches early */
  SINEW_CURVE_COUNT
} sinew_curve;

/* Where the light comes from. */
typedef enum sinew_environment {
  SINEW_ENVIRONMENT_COLORS, /* a sky and a ground of the light's own colours, and its sun */
  /* With a sun, a sky, a ground and lamps of their own, in place of direction, colours and intensity of the light: */
  SINEW_ENVIRONMENT_STUDIO,
  SINEW_ENVIRONMENT_NOON,
  SINEW_ENVIRONMENT_GOLDEN_HOUR,
  SINEW_ENVIRONMENT_OVERCAST,
  SINEW_ENVIRONMENT_NIGHT,
  SINEW_ENVIRONMENT_COUNT
} sinew_environment;

typedef struct sinew_light {
  sinew_environment environment;
  sinew_vec3 direction;    /* towards the light; need not be unit */
  float color[3];          /* linear RGB */
  float intensity;         /* of the sun; 3 is a clear day here */
  float sky[3], ground[3]; /* ambient from above and below, linear RGB */
  float exposure;          /* before tone mapping, 1 is neutral */
  sinew_curve curve;
  float fog; /* how much of the view a metre takes away: 0 for none, 0.02 hides what is 100 m away */
} sinew_light;

SINEW_API sinew_light sinew_light_default(void);

struct sinew_dual_quat; /* sinew/pose.h */

/* The vertices of a mesh, skinned by the caller (sinew_cpu_skin), in model space. */
typedef struct sinew_skinned_mesh {
  const float *positions, *normals; /* vertex_count × 3 */
  const float *tangents;            /* vertex_count × 4, or NULL */
} sinew_skinned_mesh;

typedef struct sinew_draw_item {
  const sinew_gpu_model *model;
  sinew_mat3x4 transform;            /* model to world */
  const sinew_mat3x4 *palette;       /* sinew_model_palette_count matrices, model space */
  const float *const *morph_weights; /* per mesh one pointer (or NULL); NULL for none at all */
  /* Multiplies the base colour; {1,1,1,1} leaves it. With an opacity below 1 the item fades as a whole: its own back
   * does not show through its front, and its shadow fades along with it. */
  float tint[4];
  /* One for each material of the model: 0 keeps its own colour (skin, eyes) and takes the tint's opacity alone. NULL:
   * all are tinted, as are meshes without a material. */
  const uint8_t *tinted;
  /* The tint is its whole colour: no picture and no light. */
  bool flat;
  /* The number of pixels by which the item is enlarged all around, drawn behind everything that is equally near; 0: it
   * is drawn as it is. For an outline of the same item, with `flat`, and with SINEW_SURFACE_SHADED only. Casts no
   * shadow. */
  float outline;
  /* The palette as dual quaternions (sinew_dual_quat_palette): the item is skinned by them. NULL: linear blend. */
  const struct sinew_dual_quat *dual_quats;
  /* Identifies the thing from frame to frame, so that its velocity can be shown; 0: it has none. */
  uint64_t id;
  /* Two corners of a box around the skinned vertices, model space; NULL: measured here, which takes time for each
   * joint. */
  const sinew_vec3 *bounds;
  /* One for each mesh of the model, drawn as they are. NULL, or a surface other than SINEW_SURFACE_SHADED: the GPU
   * skins by the palette, which is needed either way. */
  const sinew_skinned_mesh *skinned;
} sinew_draw_item;

/* A crowd: instances of one model, each in its own pose, all drawn by linear blend skinning. Arrays are the caller's
 * and need to live for the call only. */
typedef struct sinew_render_batch {
  const sinew_gpu_model *model;
  int count;
  const sinew_mat3x4 *transforms;    /* count */
  const sinew_mat3x4 *palettes;      /* instance i begins at palettes + i × palette_stride */
  size_t palette_stride;             /* in matrices; 0: all share one pose */
  const float (*tints)[4];           /* count, or NULL for none */
  const uint8_t *tinted;             /* as in sinew_draw_item, for all of them */
  const sinew_vec3 *bounds;          /* count × 2, as in sinew_draw_item; or NULL */
  const float *const *morph_weights; /* count × meshes of the model, pointers or NULL; NULL for none at all */
  uint64_t id;                       /* as in sinew_draw_item: instance i has id + i; 0: none has */
} sinew_render_batch;

/* A coloured line between two points in the world; RGBA 0..255, sRGB. A frame has SINEW_MAX_LINES of either kind at
 * most. */
enum { SINEW_MAX_LINES = 1 << 22 };

typedef struct sinew_line {
  sinew_vec3 a, b;
  uint8_t color[4];
} sinew_line;

/* Two-dimensional triangles on top of the picture, as a user interface makes them; pixels from the top left. */
typedef struct sinew_overlay_vertex {
  float x, y, u, v;
  uint32_t rgba; /* R in the lowest byte, sRGB */
} sinew_overlay_vertex;

typedef struct sinew_overlay_command {
  float clip[4];    /* left, top, right, bottom in pixels */
  uint32_t texture; /* 0: the font atlas; others from sinew_renderer_overlay_texture */
  int first_index, index_count, first_vertex;
} sinew_overlay_command;

typedef struct sinew_overlay {
  const sinew_overlay_vertex *vertices;
  int vertex_count;
  const uint16_t *indices;
  int index_count;
  const sinew_overlay_command *commands;
  int command_count;
} sinew_overlay;

/* Sets the font atlas of the overlay: 8-bit coverage, width × height. */
SINEW_API bool sinew_renderer_set_font(sinew_renderer *renderer, int width, int height, const uint8_t *coverage,
                                       sinew_error *error);

/* A picture for the overlay, 8-bit RGBA, top row first; the renderer owns it. 0 and an error message on failure. */
SINEW_API uint32_t sinew_renderer_overlay_texture(sinew_renderer *renderer, int width, int height, const uint8_t *rgba,
                                                  sinew_error *error);
/* Replaces an existing picture; creates a new one if `texture` is 0. */
SINEW_API uint32_t sinew_renderer_set_overlay_texture(sinew_renderer *renderer, uint32_t texture, int width, int height,
                                                      const uint8_t *rgba, sinew_error *error);

/* Debug shading: surfaces show this in place of their materials. */
typedef enum sinew_surface {
  SINEW_SURFACE_SHADED,
  SINEW_SURFACE_NORMALS,  /* x, y, z of the world as red, green, blue */
  SINEW_SURFACE_JOINTS,   /* a colour for each joint, mixed by weight */
  SINEW_SURFACE_WEIGHT,   /* of sinew_gpu_model_show_weights: blue 0, red 1 */
  SINEW_SURFACE_VELOCITY, /* since the last picture, by item id: dark 0, red 4 m/s and more */
  SINEW_SURFACE_COUNT
} sinew_surface;

/* Sets what SINEW_SURFACE_WEIGHT shows: a value of 0..1 for each joint of the model (copied), mixed at each vertex by
 * how much the joints move it: a mask, or 1 for a single joint. NULL: none. */
SINEW_API void sinew_gpu_model_show_weights(sinew_gpu_model *gpu_model, const float *joint_weights);

typedef struct sinew_frame {
  int width, height; /* pixels; a zero size draws nothing */
  sinew_camera camera;
  sinew_light light;
  const sinew_draw_item *items;
  int item_count;
  const sinew_render_batch *batches;
  int batch_count;
  const sinew_line *lines; /* hidden by what is in front of them */
  int line_count;
  const sinew_line *overlay_lines; /* seen through everything: skeletons */
  int overlay_line_count;
  const sinew_overlay *overlay; /* or NULL */
  bool wireframe;               /* over the shaded picture */
  bool ground;                  /* lit ground with a metre grid */
  bool bounds;                  /* a box around each item, as it is culled */
  sinew_surface surface;
  double seconds; /* since the last picture, for SINEW_SURFACE_VELOCITY; 0 counts as 1/60 */
} sinew_frame;

/* Draws one picture and copies it into the framebuffer that is bound at the time (a window's). A context without a
 * framebuffer (offscreen) needs none: the renderer keeps its last picture for sinew_renderer_read. False and an error
 * message for a camera, light, item or line that is not finite, or when the GPU is out of memory. */
SINEW_API bool sinew_renderer_draw(sinew_renderer *renderer, const sinew_frame *frame, sinew_error *error);

/* The cost of a picture. Times are the GPU's, of a picture some frames ago, 0 until one is known and while they are not
 * measured. */
typedef struct sinew_render_stats {
  int characters, seen;           /* given, and in the picture; the others only cast shadows */
  int instances, calls;           /* of meshes; a call draws many instances, in the picture and again for its shadow */
  int left_out;                   /* meshes that the budget of vertices has no room for */
  int64_t vertices;               /* skinned for the picture itself */
  int64_t skinned_once;           /* of these, for all passes at once (sinew_skin_stage); the others in each again */
  int64_t bytes;                  /* palettes, morph weights, transforms and given vertices sent */
  double shadow_seconds, seconds; /* of the maps of shadow and contact; of everything */
} sinew_render_stats;

SINEW_API sinew_render_stats sinew_renderer_stats(const sinew_renderer *renderer);
/* Whether to measure GPU times (timer queries); off at first. */
SINEW_API void sinew_renderer_set_timing(sinew_renderer *renderer, bool on);

/* Reads the last picture: width × height × 4 bytes, RGBA, sRGB, top row first, alpha 255. False and an error message if
 * no picture of that size was drawn. */
SINEW_API bool sinew_renderer_read(sinew_renderer *renderer, int width, int height, uint8_t *rgba, sinew_error *error);

/* Skins one mesh on the GPU with the same shader code that draws it, and reads the vertices back: the twin of
 * sinew_cpu_skin_job. Outputs may be NULL. */
typedef struct sinew_gpu_skin_job {
  const sinew_gpu_model *model;
  int mesh;
  const sinew_mat3x4 *palette;              /* of the whole model */
  const struct sinew_dual_quat *dual_quats; /* the same as dual quaternions, to skin by them; or NULL */
  const float *morph_weights;               /* one for each target of the mesh, or NULL for none */
  float *positions;                         /* vertex_count × 3 */
  float *normals;                           /* vertex_count × 3 */
  float *tangents;                          /* vertex_count × 4; needs a mesh with tangents */
} sinew_gpu_skin_job;

SINEW_API bool sinew_renderer_skin(sinew_renderer *renderer, const sinew_gpu_skin_job *job, sinew_error *error);

#ifdef __cplusplus
}
#endif
#endif
