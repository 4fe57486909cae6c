/* A renderer of one's own: it takes the palettes, skins the vertices as a vertex shader would, and draws them as points
 * into a picture. renderer MODEL CLIP SECONDS OUT.pgm */
#include <sinew/sinew.h>

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { SIZE = 256 };
static unsigned char picture[SIZE][SIZE];
static float low = INFINITY, high = -INFINITY;

static int fail(const char *why) { return fprintf(stderr, "renderer: %s\n", why), 1; }

static void draw_vertex(const sinew_mesh_view *mesh, const sinew_mat3x4 *palette, int v) {
  const float *p = mesh->positions + 3 * v;
  float out[3] = {0, 0, 0};
  for (int k = 0; k < mesh->influences; k++) {
    float weight = mesh->weights[v * mesh->influences + k];
    const float *m = palette[mesh->joints[v * mesh->influences + k]].m;
    for (int row = 0; row < 3; row++)
      out[row] += weight * (m[4 * row] * p[0] + m[4 * row + 1] * p[1] + m[4 * row + 2] * p[2] + m[4 * row + 3]);
  }
  low = fminf(low, out[1]), high = fmaxf(high, out[1]);
  int x = (int)(SIZE * (0.5f + out[0] / 2.5f)), y = (int)(SIZE * (0.95f - out[1] / 2.5f)); /* 2.5 m high and wide */
  if (x >= 0 && x < SIZE && y >= 0 && y < SIZE) picture[y][x] = 255;
}

int main(int argc, char **argv) {
  sinew_error error;
  if (argc != 5) return fail("needs a model, a clip, seconds and a picture: renderer hero.glb Walk 0.25 hero.pgm");
  double seconds = strtod(argv[3], NULL); /* before the locale makes a comma of the point */
  setlocale(LC_ALL, "");
  sinew_model *model = sinew_model_load(argv[1], NULL, &error);
  if (!model) return fail(error.message);
  sinew_stage *stage = sinew_stage_create(&error);
  sinew_actor actor = stage ? sinew_actor_create(stage, "hero", model, &error) : (sinew_actor){0};
  sinew_play_def def = sinew_play_def_default();
  def.clip = sinew_model_find_clip(model, argv[2]), def.fade = 0;
  if (!actor.id || !sinew_actor_play(stage, actor, &def, &error).id) return fail(error.message);
  sinew_stage_update(stage, seconds);

  int count;
  const sinew_mat3x4 *palettes = sinew_stage_palettes(stage, &count) + sinew_actor_palette_offset(stage, actor);
  for (int i = 0; i < sinew_model_mesh_count(model); i++) {
    sinew_mesh_view mesh = sinew_model_mesh(model, i);
    const sinew_mat3x4 *palette = palettes + sinew_model_skin(model, mesh.skin).first;
    for (int v = 0; v < mesh.vertex_count; v++) draw_vertex(&mesh, palette, v);
  }
  FILE *out = fopen(argv[4], "wb");
  if (!out || fprintf(out, "P5 %d %d 255\n", SIZE, SIZE) < 0 || fwrite(picture, sizeof picture, 1, out) != 1 ||
      fclose(out) != 0)
    return fail("the picture cannot be written");
  printf("%.5f %.5f\n", (double)low, (double)high);
  sinew_stage_destroy(stage);
  sinew_model_release(model);
}
