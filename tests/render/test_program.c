/* Shaders that do not compile or link say where. */
#include "render/gpu.h"

#include "base/file.h"
#include "render/gl/program.h"

#include <unistd.h>

static void write_file(const char *folder, const char *name, const char *text) {
  char path[128];
  sinew_error error;
  snprintf(path, sizeof path, "%s/%s", folder, name);
  assert_true(file_write(path, text, strlen(text), &error));
}

static void errors_name_file_and_line(void **state) {
  gpu *g = *state;
  char folder[64] = "/tmp/sinew_program_XXXXXX", command[128];
  assert_non_null(mkdtemp(folder));
  write_file(folder, "good.vert", "out vec2 v_x;\nvoid main() { v_x = vec2(1.0); gl_Position = vec4(0.0); }\n");
  write_file(folder, "needs.frag", "in vec3 v_x;\nout vec4 c;\nvoid main() { c = vec4(v_x, 1.0); }\n");
  write_file(folder, "part.glsl", "float f() {\n  return nothing;\n}\n");
  write_file(folder, "bad.frag", "#include \"part.glsl\"\nout vec4 c;\nvoid main() { c = vec4(f()); }\n");
  program made;
  sinew_error error = {0};
  sinew_set_log(gpu_silence, NULL);
  assert_false(
      program_create(&made, &(program_def){.folder = folder, .vertex = "good.vert", .fragment = "bad.frag"}, &error));
  if (!strstr(error.message, "part.glsl:2:")) fail_msg("%s", error.message);
  assert_int_equal(made.id, 0);
  assert_false(
      program_create(&made, &(program_def){.folder = folder, .vertex = "good.vert", .fragment = "needs.frag"}, &error));
  assert_non_null(strstr(error.message, "needs.frag"));
  assert_false(program_create(&made, &(program_def){.folder = folder, .vertex = "good.vert", .fragment = "absent.frag"},
                              &error));
  assert_non_null(strstr(error.message, "no such file"));
  sinew_set_log(gpu_quiet, NULL);
  g->renderer->debug_messages = 0; /* some drivers say it, too: here that is right */
  snprintf(command, sizeof command, "rm -r %s", folder);
  assert_int_equal(system(command), 0);
}

static void samplers_have_units_of_their_own(void **state) {
  gpu *g = *state;
  program *mesh = &g->renderer->mesh;
  GLint palette = -1, emissive = -1;
  glGetUniformiv(mesh->id, glGetUniformLocation(mesh->id, "u_palette"), &palette);
  glGetUniformiv(mesh->id, glGetUniformLocation(mesh->id, "u_emissive_image"), &emissive);
  assert_int_equal(palette, UNIT_PALETTE);
  assert_int_equal(emissive, UNIT_MATERIAL + SINEW_TEXTURE_EMISSIVE);
  assert_true(mesh->uniform_count < PROGRAM_MAX_UNIFORMS);
}

/* The C struct and the block of frame.glsl must lie the same way. */
static void frame_block_matches_the_struct(void **state) {
  gpu *g = *state;
  static const struct {
    const char *name;
    size_t offset;
  } members[] = {{"view_projection", offsetof(frame_uniforms, view_projection)},
                 {"shadow_matrix", offsetof(frame_uniforms, shadow)},
                 {"camera", offsetof(frame_uniforms, camera)},
                 {"sun", offsetof(frame_uniforms, sun)},
                 {"sun_color", offsetof(frame_uniforms, sun_color)},
                 {"zenith", offsetof(frame_uniforms, zenith)},
                 {"horizon", offsetof(frame_uniforms, horizon)},
                 {"ambient[0]", offsetof(frame_uniforms, ambient)},
                 {"shadow_size", offsetof(frame_uniforms, shadow_size)}};
  GLuint id = g->renderer->mesh.id;
  GLint size = 0;
  for (size_t i = 0; i < sizeof members / sizeof members[0]; i++) {
    GLuint index = GL_INVALID_INDEX;
    GLint offset = -1;
    glGetUniformIndices(id, 1, &members[i].name, &index);
    assert_int_not_equal(index, GL_INVALID_INDEX);
    glGetActiveUniformsiv(id, 1, &index, GL_UNIFORM_OFFSET, &offset);
    assert_int_equal(offset, members[i].offset);
  }
  glGetActiveUniformBlockiv(id, glGetUniformBlockIndex(id, "Frame"), GL_UNIFORM_BLOCK_DATA_SIZE, &size);
  assert_int_equal(size, sizeof(frame_uniforms));
}

int main(void) {
  gpu_or_skip();
  const struct CMUnitTest tests[] = {gpu_test(errors_name_file_and_line), gpu_test(samplers_have_units_of_their_own),
                                     gpu_test(frame_block_matches_the_struct)};
  return cmocka_run_group_tests_name("program", tests, gpu_setup, gpu_teardown);
}
