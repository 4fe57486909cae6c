/* The part of the inspector that is not about actors and their actions: root motion, attachments, models, markers,
 * crowds and kept values. */
#include "base/text.h"
#include "host/host.h"
#include "host/panels/inspector.h"

#include <sinew/crowd.h>
#include <sinew/event.h>

void actor_fields_draw(sinew_host *host, sinew_actor actor, const char *lua) {
  char call[2 * LUA_TEXT];
  lua_format(call, sizeof call, "%s:root_motion({", lua);
  controls_draw_tree(host, "root motion", &(sinew_edit){.kind = SINEW_EDIT_ROOT, .actor = actor}, call);
  controls_draw_tree(host, "attachment", &(sinew_edit){.kind = SINEW_EDIT_ATTACHMENT, .actor = actor}, lua);
  controls_draw_tree(host, "model", &(sinew_edit){.kind = SINEW_EDIT_MODEL, .actor = actor}, lua);
}

void markers_draw(sinew_host *host, sinew_actor actor, int clip) {
  char name[LUA_TEXT], text[LUA_TEXT], call[3 * LUA_TEXT];
  const sinew_model *model = sinew_actor_model(host->stage, actor);
  int count = 0;
  const sinew_marker *markers = sinew_stage_markers(host->stage, model, clip, &count);
  lua_actor(name, sinew_actor_name(host->stage, actor));
  lua_string(text, sinew_clip_name(sinew_model_clip(model, clip)));
  lua_format(call, sizeof call, "%s.model:markers(%s, {", name, text);
  for (int i = 0; i < count; i++) {
    char label[128];
    text_format(label, sizeof label, "marker %.100s", markers[i].name);
    const sinew_edit of = {.kind = SINEW_EDIT_MARKER, .actor = actor, .layer = clip, .index = i};
    controls_draw_tree(host, label, &of, call);
    markers = sinew_stage_markers(host->stage, model, clip, &count);
  }
}

void scene_fields_draw(sinew_host *host) {
  controls_draw_picture(host);
  for (int i = 0; i < sinew_stage_crowd_count(host->stage); i++) {
    const char *name = sinew_crowd_name(host->stage, sinew_stage_crowd(host->stage, i));
    controls_draw_tree(host, name, &(sinew_edit){.kind = SINEW_EDIT_CROWD, .index = i}, name);
  }
  ui_separator(host->ui);
  controls_draw(host, &(sinew_edit){.kind = SINEW_EDIT_KEPT}, "sinew.keep");
}
