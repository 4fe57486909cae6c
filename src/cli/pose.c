/* sinew pose – evaluates a model at moments and prints every node and vertex, so that other programs can check this
 * one. */
#include "cli/cli.h"
#include "cli/json.h"
#include "host/display/offscreen.h"
#include "model/pose_group.h"

#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct request {
  const char *clip;
  const char *times;
} request;

typedef struct pose_options {
  const char *model;
  request *requests;
  int request_count;
  bool vertices, gpu, raw, json;
  cli_load load;
} pose_options;

/* Scratch memory for poses, allocated once. */
typedef struct workspace {
  sinew_model *model;
  sinew_pose pose;
  sinew_mat3x4 *joints, *palette;
  int *nodes; /* the file's node → joint */
  int node_count;
  float *positions; /* of the largest mesh */
  float *morphs;    /* of the mesh with most targets */
  offscreen *context;
  sinew_renderer *renderer;
  sinew_gpu_model *gpu_model;
  bool vertices, raw;
} workspace;

/* ---- the command line ---- */

static bool takes(const char *option, char **argv, int argc, int *at, const char **value) {
  size_t length = strlen(option);
  if (strncmp(argv[*at], option, length) != 0) return false;
  if (argv[*at][length] == '=') *value = argv[*at] + length + 1;
  else if (argv[*at][length] == '\0' && *at + 1 < argc) *value = argv[++*at];
  else return false;
  return true;
}

/* --clip and --time may be repeated, in pairs: removes them from the command line before the common parser reads it. */
static int take_requests(int *argc, char **argv, pose_options *options) {
  int kept = 1;
  bool open = false; /* a --clip waits for its --time */
  for (int i = 1; i < *argc; i++) {
    const char *value;
    if (takes("--clip", argv, *argc, &i, &value)) {
      if (open)
        return cli_misuse("pose", "--clip %s has no --time", options->requests[options->request_count - 1].clip);
      options->requests[options->request_count++] = (request){value, NULL};
      open = true;
    } else if (takes("--time", argv, *argc, &i, &value)) {
      if (!open) return cli_misuse("pose", "--time %s has no --clip before it", value);
      options->requests[options->request_count - 1].times = value;
      open = false;
    } else {
      argv[kept++] = argv[i];
    }
  }
  *argc = kept;
  return open ? cli_misuse("pose", "--clip %s has no --time", options->requests[options->request_count - 1].clip) : -1;
}

static int check_times(const pose_options *options) {
  for (int i = 0; i < options->request_count; i++)
    for (const char *c = options->requests[i].times; c; c = *c == ',' ? c + 1 : NULL) {
      char *end;
      if (!isfinite(text_number(c, &end)) || end == c || (*end && *end != ','))
        return cli_misuse("pose", "--time wants seconds such as 0.5 or 0,0.5,1, got '%s'", options->requests[i].times);
      c = end;
    }
  return -1;
}

static int parse(int argc, char **argv, pose_options *options) {
  const char *unused_clip = NULL, *unused_time = NULL;
  const cli_option list[] = {
      {"--clip", CLI_TEXT, &unused_clip, "NAME  a clip by name, or #2 for the third; --time follows; may be repeated"},
      {"--time", CLI_TEXT, &unused_time, "T[,T…]  seconds"},
      {"--vertices", CLI_FLAG, &options->vertices, "print skinned vertices, too"},
      {"--gpu", CLI_FLAG, &options->gpu, "skin them on the GPU"},
      {"--raw", CLI_FLAG, &options->raw, "keep the file's own units, axes and seconds"},
      {"--json", CLI_FLAG, &options->json, "print JSON (the only form)"},
      CLI_CLIPS_OPTION(&options->load),
      CLI_LOAD_OPTIONS(&options->load),
  };
  const cli_usage usage = {"pose",
                           "MODEL",
                           "Prints the joint matrices (and vertices) of a model in poses, as JSON.",
                           list,
                           sizeof list / sizeof *list,
                           1,
                           1};
  int status = take_requests(&argc, argv, options), count;
  if (status < 0) status = cli_parse(&usage, argc, argv, &options->model, &count);
  if (status < 0 && (unused_clip || unused_time)) status = cli_misuse("pose", "--clip and --time need a value");
  return status < 0 ? check_times(options) : status;
}

/* ---- evaluation ---- */

static void *allocate(size_t count, size_t size) {
  void *memory = calloc(count ? count : 1, size);
  if (!memory) exit(cli_fail("out of memory for the pose"));
  return memory;
}

static void measure_meshes(const sinew_model *model, size_t *vertices, size_t *targets) {
  *vertices = *targets = 0;
  for (int m = 0; m < sinew_model_mesh_count(model); m++) {
    sinew_mesh_view mesh = sinew_model_mesh(model, m);
    if ((size_t)mesh.vertex_count > *vertices) *vertices = (size_t)mesh.vertex_count;
    if ((size_t)mesh.morph_count > *targets) *targets = (size_t)mesh.morph_count;
  }
}

static void open_workspace(workspace *w, sinew_model *model, const pose_options *options) {
  int joint_count = sinew_model_joint_count(model);
  size_t vertices, targets;
  measure_meshes(model, &vertices, &targets);
  w->model = model;
  w->vertices = options->vertices;
  w->raw = options->raw;
  w->pose = (sinew_pose){allocate((size_t)sinew_pose_group_count(joint_count), sizeof(sinew_pose_group)), joint_count};
  w->joints = allocate((size_t)joint_count, sizeof *w->joints);
  w->palette = allocate((size_t)sinew_model_palette_count(model), sizeof *w->palette);
  w->positions = allocate(vertices * 3, sizeof *w->positions);
  w->morphs = allocate(targets, sizeof *w->morphs);
  w->nodes = allocate((size_t)joint_count, sizeof *w->nodes);
  for (int i = 0; i < joint_count; i++) {
    int index = sinew_model_joint_file_index(model, i);
    if (index < 0) continue;
    w->nodes[index] = i;
    w->node_count++;
  }
}

static bool open_gpu(workspace *w, sinew_error *error) {
  w->context = offscreen_create(error);
  if (!w->context) return false;
  sinew_renderer_def def = sinew_renderer_def_default();
  def.proc_address = offscreen_proc;
  w->renderer = sinew_renderer_create(&def, error);
  if (w->renderer) w->gpu_model = sinew_gpu_model_create(w->renderer, w->model, error);
  return w->gpu_model != NULL;
}

static void close_workspace(workspace *w) {
  if (w->gpu_model) sinew_gpu_model_destroy(w->renderer, w->gpu_model);
  if (w->renderer) sinew_renderer_destroy(w->renderer);
  offscreen_destroy(w->context);
  free(w->pose.groups);
  free(w->joints);
  free(w->palette);
  free(w->positions);
  free(w->morphs);
  free(w->nodes);
}

static void evaluate(workspace *w, const sinew_clip *clip, double time) {
  sinew_pose rest = model_rest_pose(w->model);
  sinew_sample_job sample = {w->model, clip, time, w->pose};
  sinew_local_to_model_job position = {w->model, clip ? w->pose : rest, w->joints, 0};
  sinew_palette_job palette = {w->model, w->joints, w->palette};
  if (clip) sinew_sample(&sample);
  sinew_local_to_model(&position);
  sinew_palette(&palette);
}

static void find_morphs(workspace *w, const sinew_clip *clip, double time, int mesh) {
  sinew_mesh_view view = sinew_model_mesh(w->model, mesh);
  for (int i = 0; i < view.morph_count; i++) w->morphs[i] = view.morphs[i].rest_weight;
  if (clip) sinew_sample_morphs(w->model, clip, time, mesh, w->morphs);
}

static bool skin(workspace *w, int mesh, sinew_error *error) {
  if (w->renderer)
    return sinew_renderer_skin(w->renderer,
                               &(sinew_gpu_skin_job){.model = w->gpu_model,
                                                     .mesh = mesh,
                                                     .palette = w->palette,
                                                     .morph_weights = w->morphs,
                                                     .positions = w->positions},
                               error);
  sinew_cpu_skin_job job = {
      .model = w->model, .mesh = mesh, .palette = w->palette, .morph_weights = w->morphs, .positions = w->positions};
  return sinew_cpu_skin(&job);
}

/* ---- printing ---- */

static int parent_node(const sinew_model *model, int joint) {
  do joint = sinew_model_joint_parent(model, joint);
  while (joint > 0 && sinew_model_joint_file_index(model, joint) < 0);
  return joint > 0 ? sinew_model_joint_file_index(model, joint) : -1;
}

static void print_nodes(const workspace *w) {
  printf("\"nodes\":[");
  for (int i = 0; i < w->node_count; i++) {
    printf("%s{\"name\":", i ? "," : "");
    json_string(sinew_model_joint_name(w->model, w->nodes[i]));
    printf(",\"parent\":%d}", parent_node(w->model, w->nodes[i]));
  }
  printf("],\n\"meshes\":[");
  for (int i = 0; i < sinew_model_mesh_count(w->model); i++) {
    sinew_mesh_view mesh = sinew_model_mesh(w->model, i);
    printf("%s{\"name\":", i ? "," : "");
    json_string(mesh.name);
    printf(",\"node\":%d}", sinew_model_joint_file_index(w->model, mesh.joint));
  }
  printf("]");
}

static void print_world(const workspace *w) {
  printf("\"world\":[");
  for (int i = 0; i < w->node_count; i++) {
    sinew_mat4 columns = sinew_mat4_from_mat3x4(w->joints + w->nodes[i]);
    if (i) putchar(',');
    json_floats(columns.m, 16);
  }
  printf("]");
}

static bool print_pose(workspace *w, const sinew_clip *clip, double time, sinew_error *error) {
  evaluate(w, clip, time);
  print_world(w);
  printf(",\"pos\":[");
  for (int i = 0; w->vertices && i < sinew_model_mesh_count(w->model); i++) {
    find_morphs(w, clip, time, i);
    if (!skin(w, i, error)) return false;
    if (i) putchar(',');
    json_floats(w->positions, sinew_model_mesh(w->model, i).vertex_count * 3);
  }
  printf("]");
  return true;
}

static bool print_clip(workspace *w, const request *r, int index, sinew_error *error) {
  const sinew_clip *clip = sinew_model_clip(w->model, index);
  printf("{\"name\":");
  json_string(sinew_clip_name(clip));
  printf(",\"index\":%d,\"frames\":[", index);
  bool first = true;
  for (const char *c = r->times; c; first = false) {
    char *end;
    double t = text_number(c, &end);
    printf("%s{\"t\":", first ? "" : ",\n");
    json_number(t);
    putchar(',');
    if (!print_pose(w, clip, w->raw ? t - sinew_clip_start(clip) : t, error)) return false;
    putchar('}');
    c = *end == ',' ? end + 1 : NULL;
  }
  printf("]}");
  return true;
}

static int unknown_clip(const sinew_model *model, const char *path, const char *name) {
  int count = sinew_model_clip_count(model);
  const char **names = allocate((size_t)count, sizeof *names);
  for (int i = 0; i < count; i++) names[i] = sinew_clip_name(sinew_model_clip(model, i));
  const char *near = sinew_nearest_name(name, names, count);
  int status = near ? cli_fail("%s: no clip '%s'; did you mean '%s'?", path, name, near)
                    : cli_fail("%s: no clip '%s' among its %d (sinew info lists them)", path, name, count);
  free(names);
  return status;
}

static int print_all(workspace *w, const pose_options *options, const int *clips) {
  sinew_error error = {""};
  printf("{");
  print_nodes(w);
  printf(",\n\"rest\":{");
  bool good = print_pose(w, NULL, 0, &error);
  printf("},\n\"clips\":[");
  for (int i = 0; good && i < options->request_count; i++) {
    if (i) printf(",\n");
    good = print_clip(w, options->requests + i, clips[i], &error);
  }
  printf("]}\n");
  return good ? 0 : cli_fail("%s: %s", options->model, error.message);
}

static int run(sinew_model *model, const pose_options *options, int *clips) {
  for (int i = 0; i < options->request_count; i++) {
    clips[i] = sinew_model_find_clip(model, options->requests[i].clip);
    if (clips[i] < 0) return unknown_clip(model, options->model, options->requests[i].clip);
  }
  workspace w = {0};
  sinew_error error = {""};
  open_workspace(&w, model, options);
  int status = options->gpu && !open_gpu(&w, &error) ? cli_fail("%s", error.message) : print_all(&w, options, clips);
  close_workspace(&w);
  return status;
}

int cli_pose(int argc, char **argv) {
  pose_options options = {.requests = allocate((size_t)argc, sizeof(request))};
  int status = parse(argc, argv, &options);
  sinew_load_options load = sinew_load_options_default();
  if (status < 0) status = cli_load_options("pose", &options.load, &load);
  if (status < 0) {
    sinew_error error;
    load.raw = options.raw;
    load.max_influences = 8;
    sinew_model *model = sinew_model_load(options.model, &load, &error);
    int *clips = allocate((size_t)options.request_count, sizeof *clips);
    status = model ? run(model, &options, clips) : cli_fail("%s", error.message);
    free(clips);
    sinew_model_release(model);
  }
  free(options.requests);
  return status;
}
