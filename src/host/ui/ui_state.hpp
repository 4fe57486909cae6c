/* ui_state – the state that the files of the panels share. */
#ifndef SINEW_HOST_UI_STATE_HPP
#define SINEW_HOST_UI_STATE_HPP

#include "host/ui/ui.h"

#include <imgui.h>

#include <unordered_map>
#include <vector>

/* Where a widget of this frame is. */
struct item_place {
  ImGuiID label;
  float box[4];
};

/* Panels stand one below the other until the user moves one. */
struct panel_place {
  ImGuiID title;
  ImVec2 position;
  bool moved;
  int drawn_in; /* ImGui's number of the frame; -1 before the first */
};

struct region {
  float size;   /* as ui_region_size */
  int drawn_in; /* as above */
};

/* A panel in a region. */
struct region_panel {
  ImGuiID title;
  int drawn_in;
};

/* The parts that are open. Each is closed by its own end, or with the part around it. */
enum scope { SCOPE_PANEL, SCOPE_REGION, SCOPE_SCENE, SCOPE_TABS, SCOPE_TAB, SCOPE_TREE };
enum { SCOPES = 64 };

struct ui {
  ImGuiContext *context;
  ImFont *fonts[2];
  float scale;
  bool in_frame;
  scope scopes[SCOPES];
  int depth;
  ImVec2 column; /* where the next panel goes */
  region regions[UI_REGION_COUNT];
  float panels_right, panels_bottom;
  float column_right, table_top; /* of the first column, and of the table that is above the lower edge; 0 without */
  float seen[2];                 /* these two, in a narrow window of the frame before that had a table; else 0 */
  float last_item[4];
  float after_button;                      /* where the line below the last button begins; NAN: there was none */
  std::unordered_map<ImGuiID, int> labels; /* by panel and label: how often it was used in this frame */
  std::vector<item_place> items;
  std::vector<panel_place> panels;
  std::vector<ImGuiID> titles; /* of all panels so far, hashed */
  std::vector<region_panel> region_panels;
  std::vector<ImDrawVert> vertices;
  std::vector<ImDrawIdx> indices;
  std::vector<sinew_overlay_command> commands;
  sinew_overlay overlay;
  ui_clipboard clipboard;
};

/* A widget that belongs to no panel opens "Scene"; false where no frame is being made. */
bool ui_ready(ui *u);
bool ui_open_scope(ui *u, scope s); /* false where too many are open */
/* Closes the innermost open one, and what is in it, if it is of that kind. */
void ui_close_scope(ui *u, scope s);
/* ui_regions.cpp */
/* Too little for a column of panels, the picture and another column. */
bool ui_is_narrow(const ui *u);
float ui_panel_width(const ui *u);
void ui_keep_seen(ui *u);
void ui_init_regions(ui *u);
void ui_close_region(ui *u);
/* Ids are the label and how often it came before in this panel. */
void ui_push_label(ui *u, const char *label);
void ui_pop_label(ui *u);
/* Notes where something is, and where the widget made last is. */
void ui_note_place(ui *u, const char *label, const float box[4]);
void ui_note_item(ui *u, const char *label);

#endif
