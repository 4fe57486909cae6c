/* view – the viewer's state, shared by its files: view.c (the command), view_model.c (what is shown), view_panel.c (the
 * panels) view_roles.c (the body) and view_save.c (Ctrl+S). */
#ifndef SINEW_CLI_VIEW_H
#define SINEW_CLI_VIEW_H

#include <sinew/host.h>
#include <sinew/sinew.h>

enum { VIEW_FILE_LIMIT = 64, VIEW_MORPH_LIMIT = 64 };

/* A folder of clips (view_pack.c). */
typedef struct view_pack view_pack;

typedef struct viewer {
  sinew_host *host;
  view_pack *pack;    /* NULL if a single file is shown */
  sinew_model *model; /* NULL until one was opened */
  char path[4096];    /* of the model */
  const char *clip_files[VIEW_FILE_LIMIT];
  int clip_file_count;
  const sinew_load_options *load; /* further options of the model; NULL after another was dropped */
  sinew_load_options own;         /* the same with the roles that were given here, once there are some */
  sinew_joint_role roles[SINEW_ROLES];
  char role_joints[SINEW_ROLES][256];

  sinew_actor actor;
  sinew_action action;
  int clip; /* -1: none */
  bool is_paused, shows_bind_pose, hides_panels;
  float speed;

  /* The model's clips, for the panels. */
  const char **clip_names;
  char summary[256];
  const char *morphs[VIEW_MORPH_LIMIT];
  int morph_count;
  sinew_vec3 low, high;           /* the box of the pose during the clip, in the world */
  sinew_vec3 kept_low, kept_high; /* the range in which the middle of the joints may be without moving the camera */
  sinew_vec3 followed;            /* the distance by which they were outside when it was last moved */
} viewer;

/* ---- view_model.c ---- */

/* Shows another model; the previous one stays if this one cannot be loaded. */
bool view_open(viewer *v, const char *path, sinew_error *error);
/* The same with a loaded model, to which the viewer takes a reference. */
bool view_show(viewer *v, sinew_model *model, const char *path, sinew_error *error);
void view_close(viewer *v);
/* Starts a clip from its beginning with a crossfade. */
void view_play(viewer *v, int clip, double fade);
void view_restart(viewer *v);
void view_set_paused(viewer *v, bool paused);
void view_seek(viewer *v, double time);
/* Turns the camera so that the whole clip is in the picture, or so that view_follow can keep it there. */
void view_frame(viewer *v);
/* After the actor was evaluated, moves the camera along with a clip that leaves the picture. */
void view_follow(viewer *v);
double view_time(const viewer *v);
double view_duration(const viewer *v);

/* ---- view_pack.c ---- */

typedef struct view_pack_def {
  const char *folder, *model_path; /* model_path NULL: the first file with a skin */
  int sort;                        /* as sinew_ui_table has it */
  const sinew_load_options *options;
} view_pack_def;

bool view_pack_open(viewer *v, const view_pack_def *def, sinew_error *error);
/* Reads the folder again; on failure the previous content stays. */
bool view_pack_reload(viewer *v, sinew_error *error);
void view_pack_close(viewer *v);
/* Draws a few of the missing small pictures; call it before anything else in the frame. */
void view_pack_draw_pictures(viewer *v);
void view_pack_draw_table(viewer *v);
/* Handles a key of the table: up and down choose, Enter plays, Ctrl+C copies a sample for a blend space. False for
 * other keys. */
bool view_pack_key(viewer *v, const char *key, bool ctrl);

/* ---- view_panel.c ---- */

void view_draw_panels(viewer *v);

/* ---- view_roles.c ---- */

/* Shows what is known of the body, and offers roles for the selected joint. */
void view_draw_body(viewer *v);
/* Gives a joint a role, or with −1 takes all from it, and loads the model again. */
void view_set_role(viewer *v, int joint, int role);

/* ---- view.c ---- */

/* Loads the file again; the same clip continues at the same moment. */
void view_reload(viewer *v);

/* ---- view_save.c ---- */

/* Writes a scene into the current folder, and shows its name, or why it failed. */
bool view_save_scene(viewer *v);

#endif
