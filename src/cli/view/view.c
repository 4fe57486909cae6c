#include "cli/view/view.h"

#include "base/file.h"
#include "cli/cli.h"
#include "cli/pack.h"

#include <stdio.h>
#include <string.h>

typedef struct view_request {
  bool is_headless, skeleton, wireframe, bind_pose, hides_panels, saves;
  int frames, size[2];
  double dt, time;
  int samples, shadow, texels, vertices;
  const char *capture, *clip, *model, *order;
  int sort; /* for a folder, as in sinew_ui_table */
  const char *files[VIEW_FILE_LIMIT + 1];
  int file_count;
  cli_load more;
  sinew_load_options load;
} view_request;

/* ---- the application ---- */

static void report(viewer *v, const char *path, const sinew_error *error) {
  char title[512];
  snprintf(title, sizeof title, "%.400s cannot be shown", path_file(path));
  sinew_log(SINEW_LOG_ERROR, "%s", error->message);
  sinew_host_set_problem(v->host, 0, title, error->message);
}

static void open_or_report(viewer *v, const char *path) {
  sinew_error error;
  if (view_open(v, path, &error)) sinew_host_set_problem(v->host, 0, NULL, NULL);
  else report(v, path, &error);
}

static void on_update(void *user, double dt) {
  viewer *v = user;
  (void)dt;
  if (v->pack) view_pack_draw_pictures(v);
  if (!v->hides_panels) view_draw_panels(v);
}

static void on_draw(void *user) { view_follow(user); }

static void on_key(void *user, const char *key, bool down, bool ctrl) {
  viewer *v = user;
  if (!down || (v->pack && view_pack_key(v, key, ctrl))) return;
  if (strcmp(key, "space") == 0) view_restart(v);
  if (strcmp(key, "p") == 0) view_set_paused(v, !v->is_paused);
  if (strcmp(key, "tab") == 0) v->hides_panels = !v->hides_panels;
  if (strcmp(key, "f") == 0) view_frame(v);
  if (strcmp(key, "escape") == 0) sinew_host_set_problem(v->host, 0, NULL, NULL);
  if (strcmp(key, "s") == 0 && ctrl) view_save_scene(v);
}

/* A dropped file is shown with its own clips. */
static void on_drop(void *user, const char *path) {
  viewer *v = user;
  view_pack_close(v);
  v->clip_file_count = 0;
  v->load = NULL;
  open_or_report(v, path);
}

void view_reload(viewer *v) {
  char same[sizeof v->path], clip[256] = "";
  double time = view_time(v);
  memcpy(same, v->path, sizeof same);
  if (v->clip >= 0) snprintf(clip, sizeof clip, "%s", v->clip_names[v->clip]);
  sinew_error error;
  if (!v->pack) open_or_report(v, same);
  else if (!view_pack_reload(v, &error)) report(v, same, &error);
  int found = v->model ? sinew_model_find_clip(v->model, clip) : -1;
  if (found < 0) return;
  view_play(v, found, 0);
  view_seek(v, time);
}

/* An exporter wrote the file again. */
static void on_files_changed(void *user, const char *const *paths, int count) {
  (void)paths, (void)count;
  view_reload(user);
}

/* ---- the command ---- */

static sinew_host *create_host(const view_request *r, sinew_error *error) {
  sinew_host_def def = sinew_host_def_default();
  char title[512];
  snprintf(title, sizeof title, "%.400s – Sinew", path_file(r->files[0]));
  def.output = cli_output(r->is_headless);
  def.title = title;
  def.width = r->size[0];
  def.height = r->size[1];
  def.samples = r->samples;
  def.shadow_size = r->shadow;
  def.mega_texels = r->texels;
  def.mega_vertices = r->vertices;
  def.capture = r->capture;
  cli_show_progress(&def);
  def.fixed_dt = r->dt > 0 ? r->dt : def.output == SINEW_OUTPUT_WINDOW ? 0 : 1.0 / 60;
  def.frame_limit = r->frames > 0 ? r->frames : def.output == SINEW_OUTPUT_WINDOW ? 0 : 60;
  return sinew_host_create(&def, error);
}

/* Explains that there is no such clip, and lists those that there are. */
static void refuse_clip(const viewer *v, const char *name, int count) {
  const char *near = sinew_nearest_name(name, v->clip_names, count);
  if (count == 0)
    cli_fail("no clip '%s' in %s: it has no clips; sinew view %s %s/assets/hero.glb lends it the hero's", name, v->path,
             v->path, sinew_home());
  else if (name[strspn(name, "#0123456789")] == '\0')
    cli_fail("no clip '%s' in %s: clips go by name, or by number from #0 to #%d, or from 1 as in Lua", name, v->path,
             count - 1);
  else
    cli_fail("no clip '%s' in %s%s%s%s", name, v->path, near ? "; did you mean '" : "", near ? near : "",
             near ? "'?" : "");
}

static bool choose_clip(viewer *v, const char *name) {
  int clip = sinew_model_find_clip(v->model, name);
  if (clip < 0) {
    refuse_clip(v, name, sinew_model_clip_count(v->model));
    return false;
  }
  view_play(v, clip, 0);
  view_frame(v);
  return true;
}

static bool apply_request(viewer *v, const view_request *r) {
  sinew_view_options *view = sinew_host_view(v->host);
  bool has_meshes = sinew_model_mesh_count(v->model) > 0;
  view->wireframe = r->wireframe;
  view->skeleton = r->skeleton || !has_meshes;
  v->shows_bind_pose = r->bind_pose;
  v->hides_panels = r->hides_panels;
  sinew_host_light(v->host)->environment = SINEW_ENVIRONMENT_STUDIO;
  sinew_actor_set_bind_pose(sinew_host_stage(v->host), v->actor, r->bind_pose);
  if (r->clip && !choose_clip(v, r->clip)) return false;
  if (r->time >= 0) {
    view_seek(v, r->time);
    view_set_paused(v, true);
  }
  return !r->saves || view_save_scene(v);
}

static int run(viewer *v, const view_request *r) {
  sinew_error error;
  view_pack_def def = {r->files[0], r->model, r->sort, &r->load};
  bool opened = folder_exists(r->files[0]) ? view_pack_open(v, &def, &error) : view_open(v, r->files[0], &error);
  if (!opened) return cli_fail("%s", error.message);
  if (!apply_request(v, r)) return 1;
  sinew_host_set_app(v->host, &(sinew_app){.user = v,
                                           .update = on_update,
                                           .draw = on_draw,
                                           .key = on_key,
                                           .drop = on_drop,
                                           .files_changed = on_files_changed});
  sinew_host_set_help(
      v->host, "SPACE restart    P pause    W wireframe    B skeleton    G ground    F frame    "
               "TAB panels    F3 numbers    Ctrl+click a joint    Ctrl+S save a scene    drop a file to open it");
  if (v->pack)
    sinew_host_set_help(v->host, "UP and DOWN choose    ENTER plays    Ctrl+C copies a sample for a blend space    "
                                 "SPACE restart    P pause    F frame    TAB panels    Ctrl+S save a scene");
  if (!sinew_host_run(v->host, &error)) return cli_fail("%s", error.message);
  return 0;
}

static int view(const view_request *r) {
  viewer v = {.clip = -1, .speed = 1, .clip_file_count = r->file_count - 1, .load = &r->load};
  sinew_error error;
  for (int i = 1; i < r->file_count; i++) v.clip_files[i - 1] = r->files[i];
  v.host = create_host(r, &error);
  if (!v.host) return cli_fail("%s", error.message);
  int status = run(&v, r);
  view_pack_close(&v);
  view_close(&v);
  sinew_host_destroy(v.host);
  return status;
}

static bool read_order(view_request *r) {
  pack_column column;
  bool descending;
  if (!pack_read_order(r->order, &column, &descending)) return false;
  r->sort = descending ? -(int)column - 1 : (int)column + 1;
  return true;
}

int cli_view(int argc, char **argv) {
  view_request r = {.size = {1280, 720},
                    .time = -1,
                    .samples = -1,
                    .shadow = -1,
                    .texels = sinew_host_def_default().mega_texels,
                    .vertices = sinew_host_def_default().mega_vertices,
                    .load = sinew_load_options_default()};
  const cli_option options[] = {
      {"--headless", CLI_FLAG, &r.is_headless, "draw without a display"},
      {"--frames", CLI_INT, &r.frames, "N  stop after N frames (headless: 60)"},
      {"--dt", CLI_NUMBER, &r.dt, "S  seconds per frame (headless: 1/60)"},
      {"--size", CLI_SIZE, r.size, "WxH  size of the picture in pixels"},
      {"--capture", CLI_TEXT, &r.capture, "OUT  x.png, x.mp4, x.webm, x.gif, folder/ or sheet.png:12"},
      {"--samples", CLI_INT, &r.samples, "N  anti-aliasing: 1, 2, 4, 8"},
      {"--shadow", CLI_INT, &r.shadow, "N  texels along an edge of the shadow, 0 for none"},
      {"--texels", CLI_INT, &r.texels, CLI_TEXELS},
      {"--vertices", CLI_INT, &r.vertices, CLI_VERTICES},
      {"--clip", CLI_TEXT, &r.clip, "NAME  the clip that plays; #2 is the third"},
      {"--time", CLI_NUMBER, &r.time, "T  show the clip at this second, without playing"},
      {"--skeleton", CLI_FLAG, &r.skeleton, "draw the joints"},
      {"--wireframe", CLI_FLAG, &r.wireframe, "draw the triangles"},
      {"--bind-pose", CLI_FLAG, &r.bind_pose, "show the bind pose"},
      {"--no-panels", CLI_FLAG, &r.hides_panels, "show the model alone (TAB brings the panels back)"},
      {"--model", CLI_TEXT, &r.model, "FILE  for a folder: the model that plays its clips"},
      {"--sort", CLI_TEXT, &r.order, "COLUMN  for a folder: sort by this; -speed puts the fastest first"},
      CLI_LOAD_OPTIONS(&r.more),
      {"--save", CLI_FLAG, &r.saves, "write the scene that Ctrl+S writes, and continue"},
  };
  const cli_usage usage = {"view",
                           "MODEL [CLIPFILE ...] | FOLDER",
                           "Shows a model and plays its clips. For a folder, shows a table of its clips.",
                           options,
                           sizeof options / sizeof options[0],
                           1,
                           VIEW_FILE_LIMIT + 1};
  int status = cli_parse(&usage, argc, argv, r.files, &r.file_count);
  if (status < 0) status = cli_load_options("view", &r.more, &r.load);
  if (status >= 0) return status;
  if (r.order && !read_order(&r))
    return cli_misuse("view", "--sort wants a column such as speed or -speed, got '%s'", r.order);
  if (r.frames < 0) return cli_misuse("view", "--frames wants a number that is not negative");
  if (r.dt < 0) return cli_misuse("view", "--dt wants a number that is not negative");
  return view(&r);
}
