/* sinew/host.h – a window (or an offscreen picture, or neither), time, input, panels and the frame loop.
 *
 * The host knows no scripting: an application (a Lua scene, the viewer, a test) is a table of callbacks. One thread. */
#ifndef SINEW_HOST_H
#define SINEW_HOST_H

#include <sinew/event.h>
#include <sinew/explain.h>
#include <sinew/render.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sinew_host sinew_host;

typedef enum sinew_output {
  SINEW_OUTPUT_WINDOW,
  SINEW_OUTPUT_OFFSCREEN, /* pictures without a display (EGL) */
  SINEW_OUTPUT_NONE       /* no pictures and no GPU at all: simulation only */
} sinew_output;

/* The exit status of a replay whose rerun is written, although a callback failed in it; its last sentence says which.
 */
enum { SINEW_RERUN_FAILS = 3 };

/* A replay that runs a part of a recording again with new code. From frame edit_at on, the files on the disk are used,
 * as if they had been saved in that frame (0: from the start), and recorded saves from there on are left out. The poses
 * of the frames from .. to are written to the file `output`, which the look back shows; then the replay ends. */
typedef struct sinew_rerun {
  const char *output;
  int64_t edit_at, from, to; /* frames are counted from 1; 0 <= edit_at <= from <= to */
  const char *const *files;  /* 16 at most */
  int file_count;
  /* "3 hero" adds to the file a text that explains why the fourth joint of that actor is where it is in frame `to`
   * (explain.h). NULL: none. */
  const char *explain;
  /* A line that is evaluated in the application at the end of frame `to`: the file has its answer. NULL: none. */
  const char *evaluate;
} sinew_rerun;

typedef struct sinew_host_def {
  sinew_output output;
  const char *title;
  int width, height; /* pixels */
  double fixed_dt;   /* seconds per frame; 0: real time (a window only; elsewhere 1/60) */
  int frame_limit;   /* run ends after that many frames; 0: when the window closes */
  /* Where pictures go: "x.png" (the last frame; with {frame} or a %d-style number in it, every frame), "x.mp4" or
   * ".webm"/".gif" (needs ffmpeg), "dir/" (every frame), "sheet.png:12" (a contact sheet of 12 moments). NULL: none. */
  const char *capture;
  /* The first frame, counted from 0, whose picture is kept. Parts of a run, made on several machines, give the same
   * pictures as the whole run. Without a window, earlier frames are simulated and not drawn. */
  int capture_from;
  /* Offscreen: panels exist and take input, but nothing is drawn, unless a scene records pictures of itself. Not
   * together with `capture`. */
  bool panels_only;
  /* Called after each frame of a run with a capture, with the number of frames in all (0: not known); may be NULL. */
  void (*progress)(void *user, int64_t frames_done, int64_t frame_limit);
  void *progress_user;
  /* record_input: a file that records everything that enters the run from outside: a person's input, the time of each
   * frame, saves, and what the application stores (recording.h). replay_input: such a file, which is played back in
   * place of all of these, so that the same application does the same again, bit for bit. A replay ends with the file.
   * Its picture has the recorded size, panels are present as they were, even without a window, and no file is watched.
   * NULL: none. */
  const char *record_input, *replay_input;
  /* record_input exists only as long as the host: a run that ends removes it, a run that crashes leaves it. It has at
   * most 256 MiB. If it cannot be written, there is a warning and no recording. */
  bool record_is_temporary;
  float scale;              /* of panels and text; 0: the display's */
  int samples, shadow_size; /* as in sinew_renderer_def; -1: chosen */
  int mega_vertices;        /* as in sinew_renderer_def */
  int mega_texels;          /* that the pictures of all models may have together; then larger ones are halved */
  bool vsync;
  bool keeps_past; /* keeps the last minute of each actor for F9 to look back at; with panels, and not in a replay */
  /* With keeps_past and record_input: the program (sinew) that runs seconds of the recording again when a file is saved
   * during a look back. NULL: saves wait until the look back ends. */
  const char *rerun_program;
  const sinew_rerun *rerun; /* with replay_input; or NULL */
  /* With replay_input, which may still be written: the replay follows the recording as a window asks it to on the
   * socket that it gives its process, and runs parts of it again in forks. POSIX only. */
  bool follows;
  bool watch; /* watches files without a window, too; with a window they are always watched */
} sinew_host_def;

SINEW_API sinew_host_def sinew_host_def_default(void); /* window, 1280 × 720, real time, vsync */

/* A change that was made in a panel: an option of the actor ("params.speed", "morphs.Smile" or "visible"), of an action
 * or a layer ("weight"), or of a modifier ("weight", or its "target", a point); a field of sinew.view; the offset of an
 * attachment ("offset.position"); a sample of a blend space, which was moved to x and, in a plane, y; a field of the
 * camera or the light; a number or a word of a graph's node or transition, of root motion, of a crowd or of a marker;
 * or a value that a scene keeps. What the actor's model was loaded with is shown only. */
typedef enum sinew_edit_kind {
  SINEW_EDIT_ACTOR,
  SINEW_EDIT_ACTION,
  SINEW_EDIT_LAYER,
  SINEW_EDIT_MODIFIER,
  SINEW_EDIT_SAMPLE,
  SINEW_EDIT_VIEW,
  SINEW_EDIT_ATTACHMENT,
  SINEW_EDIT_CAMERA,
  SINEW_EDIT_LIGHT,
  SINEW_EDIT_NODE,
  SINEW_EDIT_TRANSITION,
  SINEW_EDIT_ROOT,
  SINEW_EDIT_MODEL,
  SINEW_EDIT_MARKER,
  SINEW_EDIT_CROWD,
  SINEW_EDIT_KEPT
} sinew_edit_kind;

typedef struct sinew_edit {
  sinew_edit_kind kind;
  sinew_actor actor;
  sinew_action action; /* ACTION */
  int layer;           /* LAYER, SAMPLE, NODE, TRANSITION; MARKER: the clip of the actor's model */
  /* MODIFIER: which of the actor's; SAMPLE, NODE, TRANSITION: which of the layer's graph; MARKER: which of the clip's;
   * CROWD: which of the stage's. */
  int index;
  const char *field;  /* SAMPLE: for messages only */
  double value, y, z; /* a number, or a point with `value` as its x */
  const char *text;   /* NULL for numbers; else the value as Lua: true, "model", { Spine = 1 } */
  bool shows;         /* `write` answers with the change, and writes nothing */
} sinew_edit;

/* A field of any of these but a sample, as the application knows it: the inspector has a control for
 * it, and copies its value as Lua. */
typedef enum sinew_control_type {
  SINEW_CONTROL_NONE, /* it is only copied */
  SINEW_CONTROL_NUMBER,
  SINEW_CONTROL_FLAG,
  SINEW_CONTROL_CHOICE,
  SINEW_CONTROL_VECTOR,
  SINEW_CONTROL_COLOR
} sinew_control_type;

typedef struct sinew_control {
  const char *name;
  sinew_control_type type;
  float low, high;              /* NUMBER: the ends of a slider; not finite: none */
  const char *const *words;     /* CHOICE: ends with NULL */
  float values[3];              /* a number; 0 or 1; the index of a word, or -1; x, y, z; red, green, blue */
  char lua[256];                /* the value as Lua; "": it cannot be said */
  bool is_option;               /* of the call that makes the thing, as well as a field */
  bool is_fixed;                /* only that call, or the table in it, can say the value: nothing can assign it */
  bool is_default, is_declared; /* the value is the default; the scripts declare it */
  const char *target;           /* the field in Lua, if that does not begin with the thing's name; or NULL */
  const char *reason;           /* it is shown, but cannot be changed here: why; or NULL */
} sinew_control;

/* An application. Any callback may be NULL. Key names: "a".."z", "0".."9", "space", "left", "right", "up", "down",
 * "escape", "enter", "tab", "backspace", "delete", "home", "end", "page_up", "page_down", "f1".."f12",
 * "left_shift", "left_ctrl", "left_alt", …, of gamepads "pad_a", "pad_start", …, "left_stick_up", "right_trigger", …,
 * as sinew_key_name lists them. */
typedef struct sinew_app {
  void *user;
  void (*update)(void *user, double dt); /* before actors are evaluated; panels are legal here */
  void (*draw)(void *user);              /* after they are evaluated; panels and lines are legal here */
  void (*key)(void *user, const char *key, bool down, bool ctrl); /* no repeats; not while a text field has it */
  void (*mouse)(void *user, int button, bool down);               /* 1 left, 2 right, 3 middle; not over a panel */
  void (*drop)(void *user, const char *path);                     /* a file dropped on the window */
  /* Watched files have other content: all that have changed together, as in a checkout. */
  void (*files_changed)(void *user, const char *const *paths, int count);
  /* Whether a watched file that was deleted is still in use; if so, the window says so. NULL: it is. */
  bool (*has_file)(void *user, const char *path);
  bool (*failed)(void *user); /* asked after each frame; true ends a run without a window with status 1 */
  /* A mark of a measured actor (marks.h) in words, for the timeline; false if there is none. */
  bool (*mark_text)(void *user, sinew_actor actor, int index, char *out, size_t size);
  /* The transition in progress behind a cause (explain.h), with its line; false if there is none. */
  bool (*cause_text)(void *user, sinew_actor actor, const sinew_cause *cause, char *out, size_t size);
  /* For the console; NULL: there is none. Evaluates a typed line, between update and evaluation: the answer in words,
   * or false and a message. */
  bool (*evaluate)(void *user, const char *text, char *answer, size_t size);
  /* Completions of the text: names, each followed by a newline, that replace the text from `*from` on. Returns their
   * number. */
  int (*complete)(void *user, const char *text, int *from, char *names, size_t size);
  /* Writes a value into the script that contains it. The answer names the change, or the reason against it. NULL: it
   * cannot. */
  bool (*write)(void *user, const sinew_edit *edit, char *answer, size_t size);
  /* The index-th field of the thing that the edit names; false past the last. Then: gives it other values. NULL: the
   * inspector has controls for the most common fields. */
  bool (*control)(void *user, const sinew_edit *of, int index, sinew_control *out);
  void (*set_control)(void *user, const sinew_edit *of, int index, const float values[3]);
  /* The path of a file, by the name that lines of the log use for it. */
  bool (*locate)(void *user, const char *name, char *path, size_t size);
  /* To play on from a past moment (Enter while F9 looks back); NULL: it cannot. Makes the same application again, on
   * another host that replays this run: its callbacks, or false and an error message. The host ends it with `end`. */
  bool (*again)(void *user, sinew_host *host, struct sinew_app *app, sinew_error *error);
  void (*end)(void *user);
  /* From now on it is on another host, with that host's stage, and must watch its files there. If that host replays,
   * the replay ends with this call: ask now for anything that you still need from the recording. */
  void (*moved)(void *user, sinew_host *host);
} sinew_app;

SINEW_API sinew_host *sinew_host_create(const sinew_host_def *def, sinew_error *error);
SINEW_API void sinew_host_destroy(sinew_host *host);

/* The application that frames are for. The struct is copied. */
SINEW_API void sinew_host_set_app(sinew_host *host, const sinew_app *app);

/* Frames until the window closes, the limit is reached or sinew_host_quit was called. False and an error message if
 * pictures could not be made or the app failed. */
SINEW_API bool sinew_host_run(sinew_host *host, sinew_error *error);

/* Exactly one frame of dt seconds: input ▸ update ▸ evaluate ▸ draw ▸ picture. sinew_host_run calls this in a loop;
 * tests and `sinew.simulate` call it directly. The view's `paused` and `speed` apply to the dt that the scene gets. */
SINEW_API bool sinew_host_step(sinew_host *host, double dt, sinew_error *error);
SINEW_API void sinew_host_quit(sinew_host *host);

/* The time from one to the other is what a callback of that name takes; F3 shows it. The name is a literal. */
SINEW_API void sinew_host_begin_callback(sinew_host *host);
SINEW_API void sinew_host_end_callback(sinew_host *host, const char *name);

SINEW_API sinew_output sinew_host_output(const sinew_host *host);
/* The renderer, as sinew_renderer_description names it; NULL without pictures. */
SINEW_API const char *sinew_host_renderer(const sinew_host *host);
SINEW_API int64_t sinew_host_frame(const sinew_host *host); /* frames begun so far */
/* Of a replay with the recorded application: the frame in which it was noticed that the run is not the recorded one
 * (its actors, parameters and what plays are compared in every 30th frame); 0 if it is. */
SINEW_API int64_t sinew_host_differs_at(const sinew_host *host);
SINEW_API double sinew_host_time(const sinew_host *host); /* seconds of scene time */
SINEW_API void sinew_host_size(const sinew_host *host, int *width, int *height);
/* Makes the window cover its whole display, or restores it; F11 does the same. No effect without a window. */
SINEW_API void sinew_host_set_fullscreen(sinew_host *host, bool on);
SINEW_API bool sinew_host_is_fullscreen(const sinew_host *host);

typedef struct sinew_record_def {
  const char *target; /* as sinew_host_def.capture; copied */
  double rate;        /* pictures per second of scene time, above 0; a run with a fixed step has its own */
  double seconds;     /* of scene time, after which it ends; 0: until it is ended, or the run ends */
} sinew_record_def;

SINEW_API sinew_record_def sinew_record_def_default(void); /* 60 pictures a second, until it is ended; no target */

/* Records the pictures from this frame on, if it is not drawn yet, otherwise from the next. Meanwhile each frame takes
 * 1 / rate seconds of the scene, however long it takes to draw, so that the video keeps its pace. Another call with the
 * same target continues the recording; with another target it ends the first one. NULL ends it. The log says what was
 * saved. False and an error message if nothing is drawn, for an impossible target, or without ffmpeg for a video. */
SINEW_API bool sinew_host_record(sinew_host *host, const sinew_record_def *def, sinew_error *error);
/* The target while something is recorded, else NULL. */
SINEW_API const char *sinew_host_recording(const sinew_host *host);
/* Whether all of sinew_host_def.record_input has been written so far. If false, the log says why. */
SINEW_API bool sinew_host_recorded(const sinew_host *host);

/* ---- what a frame shows ------------------------------------------------------------------------------------ */

/* The stage whose visible actors are drawn. Owned by the host. */
SINEW_API sinew_stage *sinew_host_stage(sinew_host *host);
/* Written by the application at any time, read when the frame is drawn. */
SINEW_API sinew_camera *sinew_host_camera(sinew_host *host);
/* The camera that the picture is drawn with: it is centred in the area that panels leave free, and everything that fits
 * the window's height fits the height of that area. */
SINEW_API sinew_camera sinew_host_shown_camera(const sinew_host *host);
SINEW_API sinew_light *sinew_host_light(sinew_host *host);

/* The orbit camera: the mouse turns (left drag), pans (middle or right drag) and zooms (wheel) it about the target. On
 * by default; if it is off, only the application moves the camera. */
SINEW_API void sinew_host_set_orbit(sinew_host *host, bool on);
SINEW_API bool sinew_host_has_orbit(const sinew_host *host);
/* Places camera and target so that the box fills the picture. */
SINEW_API void sinew_host_frame_box(sinew_host *host, sinew_vec3 minimum, sinew_vec3 maximum);

typedef struct sinew_view_options {
  bool wireframe, skeleton, ground, stats;
  bool names, axes; /* of joints */
  bool bind_pose;   /* of every actor */
  bool bounds;      /* the box by which each actor is culled */
  bool root_path;   /* the path of each actor's root on the ground */
  bool contacts;    /* ends of skeletons on the ground: green if planted, orange if sliding */
  bool scale;       /* metres along the axes of the ground: x red, z blue */
  bool inspector;   /* the panel that shows and changes what every actor does */
  bool graph;       /* the panel that draws the chosen actor's graph */
  bool console;     /* the panel with the log, and a line that is evaluated in the application */
  bool paused;      /* scene time stops: every dt is 0; camera and panels keep working */
  float speed;      /* of scene time: 0.25 is slow motion; a value that is not above 0, or not finite, counts as 1 */
  sinew_surface surface;
  char joint[SINEW_JOINT_PATH]; /* whose weights SINEW_SURFACE_WEIGHT shows */
} sinew_view_options;
/* Debug views, also on keys unless `sinew_host_set_view_keys` turned them off: F1 inspector, W wireframe, B skeleton, N
 * names, X axes, O bounds, R root path, C contacts, V the next surface, G ground, M metres, F3 numbers, F10 graph.
 * Always on keys: F6 pauses, F7 lets 1/60 s pass and pauses, F8 goes from full speed to a quarter, to a sixteenth and
 * back; F9 looks back (sinew_host_def.keeps_past); Ctrl+` opens and closes the console. */
SINEW_API sinew_view_options *sinew_host_view(sinew_host *host);
SINEW_API void sinew_host_set_view_keys(sinew_host *host, bool on);

/* Sets where the vertices of actors are skinned: "cpu"; "vertex", by the shaders of each pass; "feedback" or "compute",
 * once for all passes. The picture is the same. Crowds, and surfaces that are not shaded, are always skinned by the
 * GPU. The default is the best that the GPU has. False and an error message for one that is not available. */
SINEW_API bool sinew_host_set_skinner(sinew_host *host, const char *name, sinew_error *error);
SINEW_API const char *sinew_host_skinner(const sinew_host *host);
/* The i-th available one, or NULL past the last. */
SINEW_API const char *sinew_host_skinner_name(const sinew_host *host, int index);

/* Draws one actor's joints as lines on top, for this frame. */
SINEW_API void sinew_host_draw_skeleton(sinew_host *host, sinew_actor actor);
/* One line in the world for this frame; `on_top` shows it through everything. */
SINEW_API void sinew_host_draw_line(sinew_host *host, const sinew_line *line, bool on_top);
/* Text at a pixel position (from the top left), for this frame; RGBA 0..255. NULL: amber on a dark ground, legible on
 * any picture. */
SINEW_API void sinew_host_draw_text(sinew_host *host, float x, float y, const uint8_t color[4], const char *text);

/* ---- input ------------------------------------------------------------------------------------------------- */

/* The i-th key name the host knows, or NULL past the last. */
SINEW_API const char *sinew_key_name(int index);
/* Whether such a key exists. */
SINEW_API bool sinew_is_key(const char *key);
/* Whether it is a stick or a trigger of a gamepad. */
SINEW_API bool sinew_has_strength(const char *key);
SINEW_API bool sinew_host_is_down(const sinew_host *host, const char *key);
/* How far a gamepad's stick is pushed in that direction ("left_stick_up"), or a trigger pulled, 0..1, without its dead
 * zone; for any other key 1 while it is down. All gamepads that are plugged in count as one: those that GLFW knows, and
 * those that the environment variable SDL_GAMECONTROLLERCONFIG describes. As a key, a stick is down from half-way
 * on. */
SINEW_API double sinew_host_strength(const sinew_host *host, const char *key);
SINEW_API bool sinew_host_is_mouse_down(const sinew_host *host, int button);
SINEW_API void sinew_host_mouse(const sinew_host *host, float *x, float *y); /* pixels from the top left */
/* The notches that the wheel has turned in this frame, positive away from the person; 0 while the mouse is over a
 * panel. */
SINEW_API float sinew_host_wheel(const sinew_host *host);
/* Feeds input as if the user had made it (tests, simulate, replay). False for an unknown key. */
SINEW_API bool sinew_host_send_key(sinew_host *host, const char *key, bool down);
/* Sets a stick or a trigger, 0..1; from 0.5 on this also presses it, and below releases it. False for any other key. */
SINEW_API bool sinew_host_send_strength(sinew_host *host, const char *key, double strength);
/* A character that was typed, for the text that a panel edits. */
SINEW_API void sinew_host_send_character(sinew_host *host, unsigned character);
SINEW_API void sinew_host_send_mouse(sinew_host *host, float x, float y);
SINEW_API void sinew_host_send_wheel(sinew_host *host, float notches);
SINEW_API void sinew_host_send_button(sinew_host *host, int button, bool down);
SINEW_API void sinew_host_send_drop(sinew_host *host, const char *path);

/* ---- the selection ----------------------------------------------------------------------------------------- */

/* Ctrl+click selects the actor and the joint under the mouse, and so does a click while the scene is paused; a click
 * outside all actors selects none. The selected actor is outlined, and a panel at the left lists its joints and
 * explains why the selected one is where it is. An actor or a joint that does not exist selects none. */
SINEW_API void sinew_host_select(sinew_host *host, sinew_actor actor, int joint);
/* False, {0} and −1 if nothing is selected, or the selected thing no longer exists. */
SINEW_API bool sinew_host_selected(const sinew_host *host, sinew_actor *actor, int *joint);

/* ---- panels ------------------------------------------------------------------------------------------------ */

/* Legal in `update` and `draw`. Without pictures every widget returns false and leaves its value unchanged. Widgets
 * outside begin/end go to a panel called "Scene". Widgets with equal labels do not interfere. */
SINEW_API void sinew_ui_begin(sinew_host *host, const char *title);
SINEW_API void sinew_ui_end(sinew_host *host);
SINEW_API void sinew_ui_text(sinew_host *host, const char *text);
SINEW_API void sinew_ui_separator(sinew_host *host);
SINEW_API bool sinew_ui_button(sinew_host *host, const char *label);
SINEW_API bool sinew_ui_checkbox(sinew_host *host, const char *label, bool *value);
SINEW_API bool sinew_ui_slider(sinew_host *host, const char *label, float *value, float minimum, float maximum);
/* A list to choose from; `*chosen` is an index or -1. */
SINEW_API bool sinew_ui_list(sinew_host *host, const char *label, const char *const *items, int count, int *chosen);
/* A number that follows the mouse, `step` for each pixel. */
SINEW_API bool sinew_ui_drag(sinew_host *host, const char *label, float *value, float step, float minimum,
                             float maximum);
/* As a list, but folded away. */
SINEW_API bool sinew_ui_combo(sinew_host *host, const char *label, const char *const *items, int count, int *chosen);
SINEW_API bool sinew_ui_color(sinew_host *host, const char *label, float rgb[3]); /* 0..1 */
/* A curve; a limit that is not finite is taken from the values. */
SINEW_API void sinew_ui_plot(sinew_host *host, const char *label, const float *values, int count, float minimum,
                             float maximum);

typedef struct sinew_timeline {
  double duration; /* seconds, > 0 */
  const sinew_marker *marks;
  int mark_count;
} sinew_timeline;
/* A bar with a mark at each moment, to scrub in. */
SINEW_API bool sinew_ui_timeline(sinew_host *host, const char *label, const sinew_timeline *line, double *time);

/* ---- tables with pictures ---- */

/* Makes a picture available to panels, 8-bit RGBA, top row first: a new one if `picture` is 0, otherwise it replaces
 * that one. Returns its number, or 0 and an error message if nothing is drawn, for more than 63 pictures, or when the
 * GPU runs out of memory. */
SINEW_API uint32_t sinew_host_picture(sinew_host *host, uint32_t picture, int width, int height, const uint8_t *rgba,
                                      sinew_error *error);

/* A model at a moment of a clip, from above the left shoulder, as pixels; before the frame is drawn. */
typedef struct sinew_thumbnail_job {
  sinew_model *model;
  int clip;
  double time;
  int width, height; /* pixels */
  uint8_t *rgba;     /* width × height × 4 */
} sinew_thumbnail_job;

SINEW_API bool sinew_host_thumbnail(sinew_host *host, const sinew_thumbnail_job *job, sinew_error *error);

/* Part of a picture: corners from 0 to 1, the first at the top left. `picture` 0: there is none. */
typedef struct sinew_picture_part {
  uint32_t picture;
  float low[2], high[2];
} sinew_picture_part;

typedef struct sinew_table {
  int columns, rows;
  const char *const *titles;
  const char *(*cell)(void *user, int row, int column);
  sinew_picture_part (*picture)(void *user, int row); /* before the first column; or NULL */
  float picture_size;                                 /* its height and width, as in a usual display */
  void *user;
} sinew_table;

/* Rows to choose from, in a separate panel along the lower edge; `*chosen` is an index or -1. `*sort` is the column by
 * which the application sorts its rows, from 1, or negative for largest first; a click on a title changes it. True if a
 * row was clicked. */
SINEW_API bool sinew_ui_table(sinew_host *host, const char *title, const sinew_table *table, int *chosen, int *sort);

/* Tabs, one of which is open, and trees that fold. Put their content between begin and end, and call end only if begin
 * returned true. */
SINEW_API bool sinew_ui_begin_tabs(sinew_host *host, const char *label);
SINEW_API void sinew_ui_end_tabs(sinew_host *host);
SINEW_API bool sinew_ui_begin_tab(sinew_host *host, const char *label);
SINEW_API void sinew_ui_end_tab(sinew_host *host);
SINEW_API bool sinew_ui_begin_tree(sinew_host *host, const char *label, bool open); /* `open`: at first */
SINEW_API void sinew_ui_end_tree(sinew_host *host);

/* A line in the log overlay at the bottom; fades after some seconds. */
SINEW_API void sinew_host_log(sinew_host *host, sinew_log_level level, const char *line);
/* A short message at the top right, e.g. "reloaded in 12 ms: fade 0.2 → 0.4". */
SINEW_API void sinew_host_toast(sinew_host *host, const char *text);
/* Says at the top left which work is in progress, until it is set to NULL. */
SINEW_API void sinew_host_set_progress(sinew_host *host, const char *text);
SINEW_API const char *sinew_host_progress(const sinew_host *host); /* or NULL */
/* Shows the last picture again: for a callback that takes long, which should call it now and then. */
SINEW_API void sinew_host_refresh(sinew_host *host);
/* Whether the user ends what such a callback does: Esc was pressed since, or the window is closing. */
SINEW_API bool sinew_host_is_cancelled(sinew_host *host);
/* The error overlay: title and text (several lines) over the picture until it is set to NULL. Each `slot` (0..11) shows
 * one message: 0 is the load error, others are suspended callbacks. */
SINEW_API void sinew_host_set_problem(sinew_host *host, int slot, const char *title, const char *text);
/* The source of a slot's message: a click on the message opens the file at the line in the editor that $VISUAL (or
 * $EDITOR) names. Setting the slot again clears it. */
SINEW_API void sinew_host_set_problem_location(sinew_host *host, int slot, const char *path, int line);
/* The rectangle in which the last picture shows a slot: left, top, right, bottom in pixels. False if it does not. */
SINEW_API bool sinew_host_problem_box(const sinew_host *host, int slot, float box[4]);
/* The text that this slot shows, or NULL. */
SINEW_API const char *sinew_host_problem(const sinew_host *host, int slot);
/* The clipboard: the system's if there is a window, otherwise the host's own. The returned text (NULL: none) lives
 * until the next call of either. False when memory runs out. */
SINEW_API bool sinew_host_set_clipboard(sinew_host *host, const char *text);
SINEW_API const char *sinew_host_clipboard(const sinew_host *host);
/* A line of help shown at the bottom of the window for the first seconds: the keys. */
SINEW_API void sinew_host_set_help(sinew_host *host, const char *text);

/* ---- files -------------------------------------------------------------------------------------------------- */

/* Watches a file; changes arrive in `files_changed`: a save by rename in the next frame, other writes once the file has
 * not changed for 20 ms, or 150 ms after the first change. A file that is deleted gets a toast, and no call. Without a
 * window this does nothing and succeeds, unless the def's `watch` asks for it. */
SINEW_API bool sinew_host_watch(sinew_host *host, const char *path, sinew_error *error);
SINEW_API void sinew_host_unwatch_all(sinew_host *host);

#ifdef __cplusplus
}
#endif
#endif
