/* The regions: a window of Dear ImGui at each edge, with a tab for each of its panels and a splitter. The content is
 * known only when the frame's panels are drawn, so a new region makes room for itself from its second frame on. */
#include "host/ui/ui_state.hpp"

#include <cmath>

static const char *const region_names[UI_REGION_COUNT] = {"left", "right", "bottom"};
static const char *const splitter_names[UI_REGION_COUNT] = {"left splitter", "right splitter", "bottom splitter"};

void ui_init_regions(ui *u) {
  const float sizes[UI_REGION_COUNT] = {240, 300, 260};
  for (int i = 0; i < UI_REGION_COUNT; i++) u->regions[i] = {sizes[i], -2};
}

float ui_region_size(const ui *u, ui_region where) { return u->regions[where].size; }

void ui_set_region_size(ui *u, ui_region where, float size) {
  if (std::isfinite(size) && size > 0) u->regions[where].size = size;
}

/* ---- where they are ---- */

/* Each side gets less than half, so that some of the picture remains. */
static float most_of(ui_region where, ImVec2 window) { return where == UI_BOTTOM ? window.y * 0.6f : window.x * 0.48f; }

static float shown_size(const ui *u, ui_region where) {
  const region &r = u->regions[where];
  if (r.drawn_in < ImGui::GetFrameCount() - 1) return 0;
  float most = most_of(where, ImGui::GetIO().DisplaySize), least = std::fmin(120 * u->scale, most);
  return std::round(std::fmax(std::fmin(r.size * u->scale, most), least));
}

void ui_free_area(const ui *u, float box[4]) {
  ImGui::SetCurrentContext(u->context);
  ImVec2 window = ImGui::GetIO().DisplaySize;
  box[0] = shown_size(u, UI_LEFT);
  box[1] = 0;
  box[2] = window.x - shown_size(u, UI_RIGHT);
  box[3] = window.y - shown_size(u, UI_BOTTOM);
}

/* ---- small windows ---- */

static const float panel_width = 300; /* at a scale of 1 */

bool ui_is_narrow(const ui *u) { return ImGui::GetIO().DisplaySize.x < 3 * panel_width * u->scale; }

float ui_panel_width(const ui *u) {
  const float narrow = 230;
  return std::round((ui_is_narrow(u) ? narrow : panel_width) * u->scale);
}

void ui_keep_seen(ui *u) {
  bool covers = u->table_top > 0 && ui_is_narrow(u);
  u->seen[0] = covers ? u->column_right : 0;
  u->seen[1] = covers ? u->table_top : 0;
}

void ui_seen_area(const ui *u, float box[4]) {
  ui_free_area(u, box);
  box[0] = std::fmax(box[0], u->seen[0]);
  if (u->seen[1] > 0) box[3] = std::fmin(box[3], u->seen[1]);
}

static void region_box(const ui *u, ui_region where, float box[4]) {
  ImVec2 window = ImGui::GetIO().DisplaySize;
  float area[4];
  ui_free_area(u, area);
  box[0] = where == UI_RIGHT ? area[2] : 0;
  box[1] = where == UI_BOTTOM ? area[3] : 0;
  box[2] = where == UI_LEFT ? area[0] : window.x;
  box[3] = where == UI_BOTTOM ? window.y : area[3];
}

/* ---- the splitter ---- */

static float splitter_width(const ui *u) { return std::round(6 * u->scale); }

static void splitter_box(const ui *u, ui_region where, const float box[4], ImVec2 *low, ImVec2 *high) {
  float width = splitter_width(u);
  *low = ImVec2(where == UI_LEFT ? box[2] - width : box[0], box[1]);
  *high = ImVec2(where == UI_RIGHT ? box[0] + width : box[2], where == UI_BOTTOM ? box[1] + width : box[3]);
}

static float dragged_size(ui_region where) {
  ImVec2 mouse = ImGui::GetIO().MousePos, window = ImGui::GetIO().DisplaySize;
  return where == UI_LEFT ? mouse.x : where == UI_RIGHT ? window.x - mouse.x : window.y - mouse.y;
}

static void draw_splitter(ui *u, ui_region where, const float box[4]) {
  ImVec2 low, high;
  splitter_box(u, where, box, &low, &high);
  ImGui::SetCursorScreenPos(low);
  ImGui::InvisibleButton(splitter_names[where], ImVec2(high.x - low.x, high.y - low.y));
  ui_note_item(u, splitter_names[where]);
  if (!ImGui::IsItemActive() && !ImGui::IsItemHovered()) return;
  ImGui::SetMouseCursor(where == UI_BOTTOM ? ImGuiMouseCursor_ResizeNS : ImGuiMouseCursor_ResizeEW);
  ImGui::GetWindowDrawList()->AddRectFilled(low, high, ImGui::GetColorU32(ImGuiCol_ButtonHovered));
  if (!ImGui::IsItemActive() || ImGui::GetIO().MouseDelta.x + ImGui::GetIO().MouseDelta.y == 0) return;
  float most = most_of(where, ImGui::GetIO().DisplaySize);
  ui_set_region_size(u, where, std::fmax(120.0f, std::fmin(dragged_size(where), most) / u->scale));
}

/* ---- panels ---- */

static void begin_window(ui *u, ui_region where, float box[4]) {
  region &r = u->regions[where];
  bool first = r.drawn_in != ImGui::GetFrameCount();
  r.drawn_in = ImGui::GetFrameCount();
  region_box(u, where, box);
  ImGui::SetNextWindowPos(ImVec2(box[0], box[1]));
  ImGui::SetNextWindowSize(ImVec2(box[2] - box[0], box[3] - box[1]));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0)); /* the padding would get no clicks */
  ImGui::Begin(region_names[where], nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoScrollWithMouse |
                   ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoNav |
                   ImGuiWindowFlags_NoBringToFrontOnFocus);
  ImGui::PopStyleVar(3);
  if (first) draw_splitter(u, where, box);
}

/* A tab draws no title in its first frame, so this draws it in its place. */
static void draw_new_tab(ImVec2 at, const char *title) {
  ImVec2 edge = ImGui::GetStyle().FramePadding;
  ImVec2 size = ImGui::CalcTextSize(title, nullptr, true);
  ImDrawList *list = ImGui::GetWindowDrawList();
  list->AddRectFilled(at, ImVec2(at.x + size.x + 2 * edge.x, at.y + size.y + 2 * edge.y),
                      ImGui::GetColorU32(ImGuiCol_TabActive), ImGui::GetStyle().TabRounding,
                      ImDrawFlags_RoundCornersTop);
  list->AddText(ImVec2(at.x + edge.x, at.y + edge.y), ImGui::GetColorU32(ImGuiCol_Text), title);
}

/* True if the panel was absent in the last frame. */
static bool is_new(ui *u, ImGuiID title) {
  int now = ImGui::GetFrameCount();
  for (region_panel &panel : u->region_panels) {
    if (panel.title != title) continue;
    bool appears = panel.drawn_in < now - 1;
    panel.drawn_in = now;
    return appears;
  }
  u->region_panels.push_back({title, now});
  return true;
}

static bool begin_tab(ui *u, ui_region where, const char *title, bool *open) {
  float width = splitter_width(u);
  ImVec2 window = ImGui::GetWindowPos();
  ImVec2 at(window.x + (where == UI_LEFT ? 0 : width), window.y + (where == UI_BOTTOM ? width : width / 2));
  ImGui::SetCursorScreenPos(at);
  if (!ImGui::BeginTabBar("panels", ImGuiTabBarFlags_FittingPolicyResizeDown)) return false;
  bool appears = is_new(u, ImGui::GetID(title));
  if (appears && ImGui::IsWindowAppearing()) draw_new_tab(at, title);
  ImGuiTabItemFlags flags = appears ? ImGuiTabItemFlags_SetSelected : 0;
  bool shows = ImGui::BeginTabItem(title, open, flags | ImGuiTabItemFlags_NoCloseWithMiddleMouseButton);
  ui_note_item(u, title);
  if (!shows) ImGui::EndTabBar();
  return shows;
}

static void begin_content(const ui *u, ui_region where, const char *title, const float box[4]) {
  float width = splitter_width(u), edge = std::round(6 * u->scale);
  ImVec2 at = ImGui::GetCursorScreenPos();
  float left = box[0] + (where == UI_LEFT ? 0 : width) + edge, right = box[2] - (where == UI_LEFT ? width : 0);
  ImGui::SetCursorScreenPos(ImVec2(left, at.y));
  ImGui::BeginChild(title, ImVec2(right - left, box[3] - at.y - edge), false, ImGuiWindowFlags_NoNav);
  ImGui::PushItemWidth(std::round((right - left) * 0.54f));
}

bool ui_begin_region(ui *u, ui_region where, const char *title, bool *open) {
  float box[4];
  if (!u->in_frame || u->depth > SCOPES / 2) return false;
  ImGui::SetCurrentContext(u->context);
  begin_window(u, where, box);
  if (!begin_tab(u, where, title, open)) {
    ImGui::End();
    return false;
  }
  begin_content(u, where, title, box);
  return ui_open_scope(u, SCOPE_REGION);
}

void ui_room(ui *u, float box[4]) {
  ImGui::SetCurrentContext(u->context);
  ImVec2 at = ImGui::GetCursorScreenPos(), size = ImGui::GetContentRegionAvail();
  box[0] = at.x, box[1] = at.y, box[2] = at.x + size.x, box[3] = at.y + size.y;
}

void ui_close_region(ui *) {
  ImGui::PopItemWidth();
  ImGui::EndChild();
  ImGui::EndTabItem();
  ImGui::EndTabBar();
  ImGui::End();
}

void ui_end_region(ui *u) {
  if (u->in_frame) ui_close_scope(u, SCOPE_REGION);
}
