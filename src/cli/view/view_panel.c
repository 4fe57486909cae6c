#include "cli/view/view.h"

#include "base/file.h"

#include <stdio.h>
#include <string.h>

static void draw_speed(viewer *v) {
  sinew_stage *stage = sinew_host_stage(v->host);
  sinew_play_def state;
  if (!sinew_ui_slider(v->host, "speed", &v->speed, -2, 2) || !sinew_action_read_state(stage, v->action, &state))
    return;
  state.speed = (double)v->speed;
  sinew_action_set_state(stage, v->action, &state);
}

static void draw_timeline(viewer *v) {
  float time = (float)view_time(v), duration = (float)view_duration(v);
  if (sinew_ui_slider(v->host, "time", &time, 0, duration > 0 ? duration : 1)) view_seek(v, (double)time);
  draw_speed(v);
  if (sinew_ui_button(v->host, v->is_paused ? "Play" : "Pause")) view_set_paused(v, !v->is_paused);
  if (sinew_ui_button(v->host, "Restart")) view_restart(v);
}

static void draw_clips(viewer *v) {
  if (v->pack) {
    view_pack_draw_table(v);
    draw_timeline(v);
    return;
  }
  int count = sinew_model_clip_count(v->model), chosen = v->clip;
  if (count == 0) {
    sinew_ui_text(v->host, "no clips in this file; name a file with clips\nafter it, such as assets/hero.glb");
    return;
  }
  if (sinew_ui_list(v->host, "clips", v->clip_names, count, &chosen)) view_play(v, chosen, 0.25);
  draw_timeline(v);
}

static void draw_views(viewer *v) {
  sinew_view_options *view = sinew_host_view(v->host);
  if (sinew_ui_checkbox(v->host, "bind pose", &v->shows_bind_pose))
    sinew_actor_set_bind_pose(sinew_host_stage(v->host), v->actor, v->shows_bind_pose);
  sinew_ui_checkbox(v->host, "skeleton", &view->skeleton);
  sinew_ui_checkbox(v->host, "wireframe", &view->wireframe);
  sinew_ui_checkbox(v->host, "ground", &view->ground);
}

static void draw_morphs(viewer *v) {
  sinew_stage *stage = sinew_host_stage(v->host);
  if (v->morph_count == 0) return;
  sinew_ui_begin(v->host, "Morph targets");
  for (int i = 0; i < v->morph_count; i++) {
    float weight = sinew_actor_morph(stage, v->actor, v->morphs[i]);
    if (sinew_ui_slider(v->host, v->morphs[i], &weight, 0, 1))
      sinew_actor_set_morph(stage, v->actor, v->morphs[i], weight);
  }
  sinew_ui_end(v->host);
}

void view_draw_panels(viewer *v) {
  if (!v->model) return;
  sinew_ui_begin(v->host, path_file(v->path));
  sinew_ui_text(v->host, v->summary);
  sinew_ui_separator(v->host);
  draw_clips(v);
  sinew_ui_separator(v->host);
  draw_views(v);
  if (!v->pack) view_draw_body(v);
  sinew_ui_end(v->host);
  draw_morphs(v);
}
