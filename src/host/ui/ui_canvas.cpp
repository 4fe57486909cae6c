/* A drawing in a panel: shapes and lines of text that scroll with it. */
#include "host/ui/ui_state.hpp"

#include <cmath>
#include <cstring>

static ImVec2 point(const float at[2]) { return ImVec2(at[0], at[1]); }

static ImDrawList *list() { return ImGui::GetWindowDrawList(); }

bool ui_begin_canvas(ui *u, const char *label, float width, const float size[2], ui_canvas *canvas) {
  if (!label || !ui_ready(u)) return false;
  ui_push_label(u, label);
  ImGui::BeginChild(label, ImVec2(width, 0), false, ImGuiWindowFlags_HorizontalScrollbar | ImGuiWindowFlags_NoNav);
  ImVec2 at = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
  ImVec2 all(std::fmax(std::fmax(size[0], room.x), 1.0f), std::fmax(std::fmax(size[1], room.y), 1.0f));
  ImGui::InvisibleButton("drawing", all);
  ui_note_item(u, label);
  ImVec2 mouse = ImGui::GetIO().MousePos;
  *canvas = {{at.x, at.y, at.x + all.x, at.y + all.y},
             {mouse.x, mouse.y},
             ImGui::IsItemHovered(),
             ImGui::IsItemActivated(),
             ImGui::IsItemActive(),
             ImGui::IsItemDeactivated()};
  return true;
}

void ui_end_canvas(ui *u) {
  if (!u->in_frame) return;
  ImGui::EndChild();
  ui_pop_label(u);
}

void ui_canvas_box(ui *, const float box[4], uint32_t color, float rounding) {
  list()->AddRectFilled(point(box), point(box + 2), color, rounding);
}

void ui_canvas_frame(ui *u, const float box[4], uint32_t color, float thickness) {
  list()->AddRect(point(box), point(box + 2), color, 4 * u->scale, 0, thickness);
}

void ui_canvas_line(ui *, const float from[2], const float to[2], uint32_t color, float thickness) {
  list()->AddLine(point(from), point(to), color, thickness);
}

void ui_canvas_curve(ui *, const float p[4][2], uint32_t color, float thickness) {
  list()->AddBezierCubic(point(p[0]), point(p[1]), point(p[2]), point(p[3]), color, thickness);
}

void ui_canvas_triangle(ui *, const float corners[3][2], uint32_t color) {
  list()->AddTriangleFilled(point(corners[0]), point(corners[1]), point(corners[2]), color);
}

void ui_canvas_dot(ui *, const float at[2], float radius, uint32_t color) {
  list()->AddCircleFilled(point(at), radius, color);
}

void ui_canvas_note(ui *u, const char *label, const float box[4]) { ui_note_place(u, label, box); }

void ui_canvas_text(ui *u, float x, float y, float room, uint32_t color, const char *text) {
  ImFont *font = u->fonts[UI_TEXT];
  float height = ui_line_height(u, UI_TEXT);
  const float box[4] = {x, y, x + room, y + height};
  ImVec4 cut(x, y, x + room, y + height);
  list()->AddText(font, font->FontSize, ImVec2(std::round(x), std::round(y)), color, text, nullptr, 0, &cut);
  ui_note_place(u, text, box);
}
