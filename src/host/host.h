/* host – the internals of a sinew_host. frame.c is the loop; host.c creates and destroys hosts, and answers queries. */
#ifndef SINEW_HOST_HOST_H
#define SINEW_HOST_HOST_H

#include "host/capture/capture.h"
#include "host/display/offscreen.h"
#include "host/display/window.h"
#include "host/drawing/debug_views.h"
#include "host/drawing/gpu_models.h"
#include "host/drawing/lines.h"
#include "host/edit/change.h"
#include "host/frame.h"
#include "host/graph/graph_panel.h"
#include "host/input/input.h"
#include "host/input/orbit.h"
#include "host/panels/console.h"
#include "host/panels/inspector.h"
#include "host/panels/messages.h"
#include "host/panels/overlay.h"
#include "host/past/past_marks.h"
#include "host/past/review.h"
#include "host/past/ring.h"
#include "host/past/run_log.h"
#include "host/picking/picking.h"
#include "host/rerun/branch.h"
#include "host/rerun/question.h"
#include "host/rerun/rerun.h"
#include "host/system/watch.h"
#include "host/ui/ui.h"
#include "math/simd.h"

#include <sinew/host.h>

/* A tab or a tree of the application's panels. */
typedef struct told_open {
  uint64_t hash; /* of its label */
  int64_t frame; /* in which it came last */
  bool is_open, is_new;
} told_open;

struct sinew_host {
  sinew_host_def def; /* its strings are not kept */
  sinew_app app;
  sinew_stage *stage;
  sinew_camera camera;
  sinew_light light;
  sinew_view_options view;
  bool has_view_keys, has_orbit, shows_keys, quits, is_in_frame, skins_on_cpu;
  sinew_skin_stage skin_stage; /* the requested one; the renderer's own once there is one */
  sinew_camera drawn_camera;   /* of the last picture */
  sinew_light drawn_light;
  bool told_view; /* the log says why it is not the requested one */
  bool told_slide, told_left_out;
  bool told_jump; /* The user knows that F9 goes back to the jump. */
  double jump_at; /* The scene time of that jump, until the user looks back; else −1. */
  int width, height;
  char *clipboard; /* without a window */

  /* For pictures; all NULL without them. */
  window *window;
  offscreen *offscreen;
  sinew_renderer *renderer;
  ui *ui;
  float region_sizes[UI_REGION_COUNT]; /* at the start of the run */
  gpu_models models;

  /* Where the pictures go. */
  capture *capture;
  picture pixels; /* read back for the capture */
  recording recording;
  bool has_picture;

  input input;
  run_log_writer *log;    /* or NULL */
  run_log_reader *replay; /* likewise */
  run_log_reader *bundle; /* likewise; not part of a run, so a branch leaves it where it is */
  ring ring;              /* empty unless def.keeps_past; likewise: */
  past_marks past;
  review review;
  rerun rerun;
  char **changed; /* files, until the frame reports them */
  int changed_count, changed_capacity;
  question question;
  branch branch;    /* another run, to play on from a past moment */
  bool is_branch;   /* this is one, on its way */
  bool ends_app;    /* the application ends with the run */
  told_open *opens; /* tabs and trees of the application's panels */
  int open_count, open_capacity;
  uint64_t open_scopes;      /* a bit for each open scope of the application: whether it is also open in the panel */
  run_log_reader *replayed;  /* a replay that has ended; or NULL */
  rerun_replay rerun_replay; /* of a replay that reruns seconds */
  char *log_path, *self;     /* the path of the recording, and of the program that reruns seconds of it; or NULL */
  simd_backend simd_before;  /* what a replay has replaced … */
  bool set_simd;             /* … if it has */
  int64_t differs_at;        /* the first frame whose check differs from the recorded one; or 0 */
  double replay_dt;          /* the recorded time of this frame, 0 without a replay */
  int64_t follow_to;         /* of a replay that follows: the frame to reach */
  orbit orbit;
  inspector inspector;
  graph_panel graph;
  console console;
  selection selection;
  int telling;     /* the index of the event that is being told; SET_IN_PANELS: none */
  float wheel;     /* in this frame, over no panel */
  int drag_button; /* the button that turns or pans the camera, 0 for none */
  watch *watch;    /* NULL where watching is off */
  messages messages;
  float problem_boxes[PROBLEM_LIMIT][4]; /* in the last picture; empty if not shown */

  /* The lines of one frame; their memory is reused. */
  line_list lines, lines_on_top;
  sinew_draw_item *items;
  int item_count, item_capacity;
  const float **morphs; /* a pointer for each mesh of each item */
  int morph_count, morph_capacity;
  sinew_dual_quat *dual_quats; /* of the actors with dual quaternion skinning */
  int dual_quat_count, dual_quat_capacity;
  skinned skinned;    /* actors skinned by the CPU */
  sinew_vec3 *bounds; /* two corners for each item */
  int bounds_capacity;
  trail_list trails;
  uint8_t *marks;
  int mark_capacity;

  int64_t frame;
  double time, dt;    /* of the scene; dt: of this frame */
  bool lets_one_pass; /* the next frame advances, although the scene is paused */
  pacing pacing;
  double created, pictured; /* moments on the clock */
  stats stats;
};

/* Draws the actors, lines and panels of the frame, into the window if there is one. */
bool host_show(sinew_host *host, sinew_error *error);
/* The same in the middle of a frame: nothing is captured or counted, and errors are left to the next frame. */
void host_show_again(sinew_host *host);
/* Parts of a frame: reads the window's events; turns the camera by the mouse; makes the picture. */
void host_take_window(sinew_host *host);
void host_turn_camera(sinew_host *host, double dt);
/* Ctrl+`, even while a text field has the keyboard: no application gets it. */
bool host_is_console_key(const sinew_host *host, const input_event *event);
bool host_end_frame(sinew_host *host, sinew_error *error);
/* Between two frames, adapts panels and text to the display's scale, which may change. */
void host_follow_scale(sinew_host *host);
/* Saves the run's last picture and ends videos. */
bool host_finish_capture(sinew_host *host, sinew_error *error);
/* Reads the frame's picture into host->pixels. */
bool host_read_picture(sinew_host *host, sinew_error *error);
/* Takes the frame's picture if a recording is in progress, and reports the result at its end. */
void host_record_frame(sinew_host *host);
void host_end_recording(sinew_host *host);

#endif
